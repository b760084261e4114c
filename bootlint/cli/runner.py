"""Runs the check over targets, in this process or in several, and says on stderr how far it is."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from functools import partial

from bootlint.diagnostics import UserError
from bootlint.engine import Report, check
from bootlint.records import record, replace
from bootlint.reporters.basis import basis_lines
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from bootlint.baseline import Known
    from bootlint.cli.targets import Target
    from bootlint.introduced import Base
    from bootlint.wording import Language
    from bootlint.workspace import Workspace

_LARGEST_CHUNK = 16  # workspaces whose outcomes a process keeps until it has them all
_PROGRESS_FROM = 20  # workspaces; fewer are done before a bar would show


@record
class Plan:
    """What holds for every target of a run."""

    baseline: Path | None = None
    known: Known = frozenset()
    base: Base | None = None
    policy_from_base: bool = False
    verbose: bool = False
    bare: bool = False  # nobody asks for the lines of findings, their fingerprints, fixes and related places


@record
class Outcome:
    """What came of one target. Holds no text of the workspace, and travels between processes."""

    report: Report
    failed: bool
    basis_lines: tuple[str, ...]


def outcomes(targets: Sequence[Target], plan: Plan, *, jobs: int, bar: bool) -> Iterator[Outcome]:
    """One outcome a target, in their order, as soon as it is there. `bar`: nothing else draws on the terminal.

    Raises UserError where a process of several was killed.
    """
    run = partial(_outcome, plan)
    done = _in_parallel(run, targets, jobs) if jobs > 1 and len(targets) > 1 else map(run, targets)
    yield from _with_bar(done, len(targets)) if bar else done


def _in_parallel(run: Callable[[Target], Outcome], targets: Sequence[Target], jobs: int) -> Iterator[Outcome]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # Where a process is no copy of this one it starts with `-c`, and would take modules from the current folder.
    os.environ["PYTHONSAFEPATH"] = "1"
    workers = min(jobs, len(targets))
    size = max(1, min(len(targets) // (workers * 8), _LARGEST_CHUNK))
    chunks = [targets[at : at + size] for at in range(0, len(targets), size)]
    pool = ProcessPoolExecutor(workers)
    with _interrupts_held_back():  # which the processes that start here inherit
        waiting = [pool.submit(_each, run, chunk) for chunk in chunks][::-1]
    try:
        while waiting:
            yield from waiting.pop().result()  # and forget them: a run may be over thousands
    except BrokenProcessPool as error:
        raise UserError("a process was killed, perhaps for want of memory; try fewer --jobs") from error
    except BaseException:
        # Nobody waits for what the processes are doing, nor for the other half of what one is saying.
        for process in multiprocessing.active_children():
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _each(run: Callable[[Target], Outcome], targets: Sequence[Target]) -> list[Outcome]:
    return [run(target) for target in targets]


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Ctrl-C reaches every process of a terminal; one of them answers it, after this."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _outcome(plan: Plan, target: Target) -> Outcome:
    target = replace(target, workspace=target.workspace.unread())
    settings = target.settings
    report = _introduced(plan, plan.base, target) if plan.base else _present(plan, target)
    if plan.baseline is not None:
        from bootlint.baseline import without_known

        report = without_known(report, plan.known, plan.baseline)
    if target.only is not None:
        wanted = tuple(diagnostic for diagnostic in report.diagnostics if diagnostic.path == target.only)
        report = replace(report, diagnostics=wanted)
    language = settings.language or "en"
    told = basis_lines(target.basis.situations, language, verbose=plan.verbose)
    passed_over = _passed_over(target.workspace, language) if plan.base is None else ()
    return Outcome(
        report=report,
        failed=any(diagnostic.severity >= settings.fail_on for diagnostic in report.diagnostics),
        basis_lines=(*told, *passed_over),
    )


def _passed_over(workspace: Workspace, language: Language) -> Iterator[str]:
    if count := len(workspace.disk.passed_over):
        yield phrase("passed-over", language, workspace=workspace.shown.rstrip("/") or ".", count=count)


def _present(plan: Plan, target: Target) -> Report:
    return check(target.workspace, target.basis, target.settings, bare=plan.bare)


def _introduced(plan: Plan, base: Base, target: Target) -> Report:
    """What the change since the base brought."""
    from bootlint.introduced import as_proposed, introduced, vanished, with_changed
    from bootlint.past import Past
    from bootlint.workspace import Workspace

    workspace, settings = target.workspace, target.settings
    if target.gone:
        return vanished(workspace, target.basis, settings, target.also)
    before = base.workspace(workspace)
    workspace = with_changed(workspace, before)
    if before is not None:  # what was found in a note then is old, whether or not it was among the newest
        before = before.unread(frozenset((*workspace.daily_notes, *workspace.disk.wanted)))
    past = Past.of(workspace, before)
    if plan.policy_from_base:
        holder = None if before is None else Workspace.at(base.in_force(before.root), before.shown)
        past = Past.of(workspace, before, base.policy.revision, holder)
    # On both sides: what a comment silenced before is old, and it silences nothing that is new.
    heed = not plan.policy_from_base
    report = check(workspace, target.basis, settings, also=target.also, past=past, heed_comments=heed)
    if target.proposed is not None:
        report = as_proposed(report, check(workspace, target.proposed, settings, past=past))
    if before is None:
        return report
    old = base.report(before, workspace, target.before or settings, heed_comments=heed)
    return introduced(report, old, always=target.passed)


def _with_bar(done: Iterable[Outcome], total: int) -> Iterator[Outcome]:
    """A bar on a terminal for a long run; nothing in pipes and CI."""
    if total < _PROGRESS_FROM or not sys.stderr.isatty() or os.environ.get("CI"):
        yield from done
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(done, total=total, description="bootlint", console=Console(stderr=True), transient=True)
