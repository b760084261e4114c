"""Runs the check over targets, in this process or in several, and says on stderr how far it is."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from bootlint.engine import Report, check
from bootlint.records import record, replace
from bootlint.reporters.basis import basis_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from bootlint.baseline import Known
    from bootlint.cli.targets import Target
    from bootlint.config import Settings
    from bootlint.introduced import Base

_PROGRESS_FROM = 20  # workspaces; fewer are done before a bar would show


@record
class Plan:
    """What holds for every target of a run."""

    baseline: Path | None = None
    known: Known = frozenset()
    base: Base | None = None
    base_settings: tuple[Settings, ...] = ()  # one a target, where the base is judged under its own policy
    policy_from_base: bool = False
    verbose: bool = False


@record
class Outcome:
    """What came of one target. Holds no text of the workspace, and travels between processes."""

    report: Report
    failed: bool
    basis_lines: tuple[str, ...]


def outcomes(targets: Sequence[Target], plan: Plan, *, jobs: int) -> Iterator[Outcome]:
    """One outcome a target, in their order."""
    tasks = list(enumerate(targets))
    if jobs > 1 and len(tasks) > 1:
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(min(jobs, len(tasks))) as pool:
            size = max(1, len(tasks) // (jobs * 8))
            yield from _with_progress(pool.map(partial(_outcome, plan), tasks, chunksize=size), len(tasks))
    else:
        yield from _with_progress((_outcome(plan, task) for task in tasks), len(tasks))


def _outcome(plan: Plan, task: tuple[int, Target]) -> Outcome:
    number, target = task
    settings = target.settings
    if plan.base is None:
        report = check(target.workspace, target.basis, settings)
    else:
        report = _introduced(plan, plan.base, number, target)
    if plan.baseline is not None:
        from bootlint.baseline import without_known

        report = without_known(report, plan.known, plan.baseline)
    if target.only is not None:
        wanted = tuple(diagnostic for diagnostic in report.diagnostics if diagnostic.path == target.only)
        report = replace(report, diagnostics=wanted)
    return Outcome(
        report=report,
        failed=any(diagnostic.severity >= settings.fail_on for diagnostic in report.diagnostics),
        basis_lines=tuple(
            basis_lines(target.basis.situations, settings.language or "en", verbose=plan.verbose)
        ),
    )


def _introduced(plan: Plan, base: Base, number: int, target: Target) -> Report:
    """What the change since the base brought."""
    from bootlint.introduced import introduced, policy_changes

    changed = policy_changes(base, target.workspace, plan.baseline) if plan.policy_from_base else ()
    report = check(target.workspace, target.basis, target.settings, also=changed)
    return introduced(report, base.report(target.workspace, plan.base_settings[number]), always=target.passed)


def _with_progress(done: Iterable[Outcome], total: int) -> Iterator[Outcome]:
    """A bar on a terminal for a long run; nothing in pipes and CI."""
    if total < _PROGRESS_FROM or not sys.stderr.isatty() or os.environ.get("CI"):
        yield from done
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(done, total=total, description="bootlint", console=Console(stderr=True), transient=True)
