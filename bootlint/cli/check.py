"""`bootlint check`."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from bootlint.cli.common import (
    Parser,
    SettingsReader,
    add_general,
    add_paths,
    add_situation,
    refuse_to_stray,
    shown_file,
)
from bootlint.cli.output import Output, Summary
from bootlint.cli.runner import Plan, outcomes
from bootlint.cli.targets import Target, by_agent, by_commit, by_editor, by_path, with_past
from bootlint.config import not_one_of, whole_number
from bootlint.diagnostics import UserError
from bootlint.records import replace
from bootlint.reporters import BARE, FORMATS
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator

    from bootlint.baseline import Known
    from bootlint.cli.runner import Outcome
    from bootlint.introduced import Base
    from bootlint.wording import Language

_EXAMPLES = """\
  bootlint check                                      the workspace here, and those below
  bootlint check --openclaw 2026.6.11,latest ~/agent  under two releases
  bootlint check --select BL1 --fail-on warning       only the budget rules; warnings fail too
  bootlint check --output-format json > report.json
  bootlint check --diff-base origin/main              only what this branch introduced
  bootlint check - --stdin-filename AGENTS.md         what an editor holds
  bootlint check --output-format sarif=out.sarif --output-format github   two reports of one run
"""


def run(argv: list[str]) -> int:
    """Lint, print, and say with the exit status whether something was found at or above `--fail-on`."""
    arguments = _parser().parse_args(argv)
    chosen = _outputs(arguments.output_format or ["full" if sys.stdout.isatty() else "concise"])
    reader = SettingsReader(
        arguments, "select", "extend-select", "ignore", "fail-on", for_people=chosen[0][0] == "full"
    )
    _refuse_contradictions(arguments)
    with ExitStack() as stack:
        base = _base(arguments, stack)
        targets = sorted(_targets(arguments, reader, base), key=lambda target: target.workspace.shown)
        language = (targets[0].settings.language if targets else None) or "en"
        if arguments.write_baseline:
            return _write_baseline(arguments, targets, language)
        outputs = [Output(output_format, path, language) for output_format, path in chosen]
        summary = Summary(language)
        bar = not any(output.appears_at_once for output in outputs)
        bare = not arguments.baseline and all(output_format in BARE for output_format, _ in chosen)
        for outcome in _each_once(_linted(arguments, targets, base, bar=bar, bare=bare)):
            summary.add(outcome)
            for output in outputs:
                output.add(outcome.report)
    for output in outputs:
        output.finish()
    if not arguments.quiet:
        print("\n".join(summary.lines()), file=sys.stderr)
    return int(summary.failed)


def _write_baseline(arguments: Namespace, targets: list[Target], language: Language) -> int:
    from bootlint import baseline

    found = (
        diagnostic
        for outcome in _linted(arguments, targets, None, bar=True, bare=False)
        for diagnostic in outcome.report.diagnostics
    )
    refuse_to_stray(arguments.baseline)
    count = baseline.write(Path(arguments.baseline), found)
    print(phrase("baseline-written", language, file=arguments.baseline, count=count), file=sys.stderr)
    return 0


def _each_once(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Without the findings that one before has too: workspaces share settings, and agents share workspaces."""
    said: set[int] = set()  # hashes: a run may say millions of things
    for outcome in outcomes:
        report = outcome.report
        keys = [hash(found.sort_key) for found in report.diagnostics]
        new = [found for found, key in zip(report.diagnostics, keys, strict=True) if key not in said]
        said.update(keys)
        yield replace(outcome, report=replace(report, diagnostics=tuple(new)))


def _refuse_contradictions(arguments: Namespace) -> None:
    if arguments.write_baseline and not arguments.baseline:
        raise UserError("--write-baseline writes the file that --baseline names; give both")
    if (arguments.paths == ["-"]) != bool(arguments.stdin_filename):
        raise UserError("- reads a text from stdin, and --stdin-filename says which file it is; give both")
    modes = ("all_agents", "hook", "diff_base", "stdin_filename", "write_baseline")
    chosen = [name for name in modes if getattr(arguments, name) not in (None, False)]
    if chosen == ["all_agents", "write_baseline"]:
        return
    if len(chosen) > 1:
        options = " and ".join("--" + name.replace("_", "-") for name in chosen)
        raise UserError(f"{options} exclude each other; give one of them")


def _base(arguments: Namespace, stack: ExitStack) -> Base | None:
    """The commit to compare with: BASE of --diff-base, in a hook the one before (none before the first commit)."""
    if arguments.diff_base is None and not arguments.hook:
        return None
    from bootlint import git
    from bootlint.introduced import base_of

    if arguments.diff_base is not None:
        return stack.enter_context(base_of(Path(), arguments.diff_base, "ignored", of_branch=True))
    git.toplevel(Path())
    if not git.has_commits(Path()):
        return None
    # Set by pre-commit where it looks at the files of several commits, as before a push.
    since = os.environ.get("PRE_COMMIT_FROM_REF")
    revision = git.merge_base(Path(), since) if since else "HEAD"
    # What a commit does not take in stands there before it and after it, ignored or not.
    return stack.enter_context(base_of(Path(), revision, "all"))


def _targets(arguments: Namespace, reader: SettingsReader, base: Base | None) -> Iterator[Target]:
    if arguments.stdin_filename:
        return by_editor(arguments.stdin_filename, reader)
    if arguments.all_agents:
        return by_agent(arguments.paths, reader)
    if arguments.hook:
        found = by_commit(arguments.paths, reader, base.snapshot if base else None)
        return with_past(found, reader, base.snapshot) if base else found
    if base is not None:
        from bootlint.cli.change import by_change

        return by_change(arguments.paths, reader, base, arguments.baseline and Path(arguments.baseline))
    return by_path(arguments.paths, reader)


def _linted(
    arguments: Namespace, targets: list[Target], base: Base | None, *, bar: bool, bare: bool
) -> Iterator[Outcome]:
    """The outcome of each target. Under --diff-base the policy of the base counts, baseline included."""
    plan = Plan(
        base=base, policy_from_base=arguments.diff_base is not None, verbose=arguments.verbose, bare=bare
    )
    if arguments.baseline and not arguments.write_baseline:
        path = Path(arguments.baseline)
        plan = replace(plan, baseline=path, known=_known(path, base if plan.policy_from_base else None))
    return outcomes(targets, plan, jobs=_jobs(arguments.jobs), bar=bar)


def _known(path: Path, base: Base | None) -> Known:
    """The findings of a baseline; with a base, of the one that stands there, if one does."""
    from bootlint import baseline

    if base is None:
        return baseline.read(path, str(path))
    place = base.policy.file(path)
    return frozenset() if place is None else baseline.read(place, shown_file(place, base.policy))


def _jobs(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise UserError(f"--jobs takes a number of processes, 0 for one a core, not {text!r}")
    return number or os.cpu_count() or 1


def _parser() -> Parser:
    parser = Parser(
        "check",
        "Lint OpenClaw workspaces: what the model does not receive of them, and why.",
        _EXAMPLES,
        "0 nothing at or above --fail-on, 1 something",
    )
    add_paths(parser)
    rules = parser.add_argument_group("rules")
    rules.add_argument("--select", metavar="RULES", help="only these codes, prefixes or names")
    rules.add_argument("--extend-select", metavar="RULES", help="these too, although they are off by default")
    rules.add_argument("--ignore", metavar="RULES", help="not these")
    rules.add_argument(
        "--fail-on", metavar="LEVEL", help="error (default), warning or info: from where on to exit 1"
    )
    rules.add_argument(
        "--output-format",
        action="append",
        metavar="FORMAT[=FILE]",
        help=f"{', '.join(FORMATS)} (default: full on a terminal, else concise); may be given several times, "
        "all but one with a file",
    )
    known = parser.add_argument_group("known findings")
    known.add_argument("--baseline", metavar="FILE", help="findings that stand in this file stay quiet")
    known.add_argument(
        "--write-baseline", action="store_true", help="write the present findings to that file"
    )
    add_situation(parser)
    where = parser.add_argument_group("where")
    where.add_argument(
        "--all-agents",
        action="store_true",
        help="every workspace that openclaw.json names, each with its agent's own limits",
    )
    where.add_argument(
        "--diff-base",
        metavar="BASE",
        help="only what the change since this commit introduced; policy is read from it",
    )
    where.add_argument(
        "--hook",
        action="store_true",
        help="the paths are those of a commit: what it caused counts, and everything in the files themselves",
    )
    where.add_argument("--stdin-filename", metavar="FILE", help="with -: the file that stdin stands for")
    where.add_argument("--jobs", metavar="N", default="1", help="processes (default: 1; 0: one a core)")
    add_general(parser)
    return parser


def _outputs(texts: list[str]) -> list[tuple[str, str | None]]:
    """Each format with its file, None for stdout. Every report needs a place of its own."""
    outputs = [_output(text) for text in texts]
    places = Counter(None if path is None else os.path.realpath(path) for _, path in outputs)
    if places[None] > 1:
        raise UserError(
            "--output-format: only one report goes to stdout; give the others a file, as in sarif=out.sarif"
        )
    for _, path in outputs:
        if path is not None and places[os.path.realpath(path)] > 1:
            raise UserError(f"--output-format: {path} would hold two reports; give each a file of its own")
    return outputs


def _output(text: str) -> tuple[str, str | None]:
    output_format, separator, path = text.partition("=")
    if output_format not in FORMATS:
        raise UserError(f"--output-format: {not_one_of(FORMATS, output_format)}")
    if separator and not path:
        raise UserError(f"--output-format {text}: after the = stands a file")
    return output_format, path or None
