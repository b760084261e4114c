"""`bootlint check`."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from bootlint.cli.common import Parser, SettingsReader, add_general, add_paths, add_situation
from bootlint.cli.runner import Outcome, Plan, outcomes
from bootlint.cli.targets import Target, by_agent, by_commit, by_editor, by_path
from bootlint.config import suggestion
from bootlint.diagnostics import Severity, UserError
from bootlint.records import replace
from bootlint.reporters import FORMATS, Run, render
from bootlint.wording import phrase
from bootlint.workspace import MAX_BYTES

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from bootlint.introduced import Base

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
    outputs = _outputs(arguments.output_format or ["full" if sys.stdout.isatty() else "concise"])
    reader = SettingsReader(
        arguments, "select", "extend-select", "ignore", "fail-on", for_people=outputs[0][0] == "full"
    )
    _refuse_contradictions(arguments)
    with ExitStack() as stack:
        base = _base(arguments, stack)
        targets = list(_targets(arguments, reader, base))
        done = _linted(arguments, targets, reader, base)
    language = targets[0].settings.language if targets else None
    finished = Run(tuple(outcome.report for outcome in done), language or "en")
    if arguments.write_baseline:
        from bootlint import baseline

        count = baseline.write(Path(arguments.baseline), finished.diagnostics)
        print(
            phrase("baseline-written", finished.language, file=arguments.baseline, count=count),
            file=sys.stderr,
        )
        return 0
    for output_format, path in outputs:
        _write(render(output_format, _for_terminal(finished) if path is None else finished), path)
    if not arguments.quiet:
        print("\n".join(_summary(finished, done)), file=sys.stderr)
    return int(any(outcome.failed for outcome in done))


def _refuse_contradictions(arguments: Namespace) -> None:
    if arguments.write_baseline and not arguments.baseline:
        raise UserError("--write-baseline writes the file that --baseline names; give both")
    if (arguments.paths == ["-"]) != bool(arguments.stdin_filename):
        raise UserError("- reads a text from stdin, and --stdin-filename says which file it is; give both")
    chosen = [
        name for name in ("all_agents", "hook", "diff_base", "stdin_filename") if getattr(arguments, name)
    ]
    if len(chosen) > 1:
        options = " and ".join("--" + name.replace("_", "-") for name in chosen)
        raise UserError(f"{options} exclude each other; give one of them")


def _base(arguments: Namespace, stack: ExitStack) -> Base | None:
    """The commit to compare with: BASE of --diff-base, or HEAD in a hook (none before the first commit)."""
    if not (arguments.diff_base or arguments.hook):
        return None
    from bootlint import git
    from bootlint.introduced import base_of

    if arguments.diff_base:
        return stack.enter_context(base_of(Path(), arguments.diff_base))
    return stack.enter_context(base_of(Path(), "HEAD")) if git.has_commits(Path()) else None


def _targets(arguments: Namespace, reader: SettingsReader, base: Base | None) -> Iterator[Target]:
    if arguments.stdin_filename:
        text = sys.stdin.buffer.read(MAX_BYTES + 1).decode("utf-8", "replace")
        return by_editor(arguments.stdin_filename, text, reader)
    if arguments.all_agents:
        return by_agent(arguments.paths, reader)
    if arguments.hook:
        return by_commit(arguments.paths, reader)
    return by_path(arguments.paths, reader, base)


def _linted(
    arguments: Namespace, targets: list[Target], reader: SettingsReader, base: Base | None
) -> list[Outcome]:
    """The outcome of each target. Under --diff-base the policy of the base counts, baseline included."""
    plan = Plan(base=base, policy_from_base=bool(arguments.diff_base), verbose=arguments.verbose)
    if base is not None:
        plan = replace(
            plan, base_settings=tuple(reader.of(target.workspace.root, base) for target in targets)
        )
    if arguments.baseline and not arguments.write_baseline:
        path = Path(arguments.baseline)
        place = base.place(path) if base and plan.policy_from_base else path
        from bootlint import baseline

        known = baseline.read(place) if place == path or place.exists() else frozenset()
        plan = replace(plan, baseline=path, known=known)
    return list(outcomes(targets, plan, jobs=_jobs(arguments.jobs)))


def _jobs(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise UserError(f"--jobs takes a number of processes, 0 for one a core, not {text!r}")
    return int(text) or os.cpu_count() or 1


def _parser() -> Parser:
    parser = Parser(
        "check", "Lint OpenClaw workspaces: what the model does not receive of them, and why.", _EXAMPLES
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
        raise UserError(
            f"--output-format takes {', '.join(FORMATS)}, not {output_format!r}{suggestion(output_format, FORMATS)}"
        )
    if separator and not path:
        raise UserError(f"--output-format {text}: after the = stands a file")
    return output_format, path or None


def _for_terminal(run: Run) -> Run:
    """The run as stdout can show it."""
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    from shutil import get_terminal_size

    return replace(run, colour=sys.stdout.isatty() and not plain, width=get_terminal_size().columns)


def _write(text: str, path: str | None) -> None:
    if path is None:
        sys.stdout.write(text)
        return
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error


def _summary(done: Run, outcomes: list[Outcome]) -> Iterator[str]:
    language = done.language
    yield phrase(
        "summary",
        language,
        errors=done.count(Severity.ERROR),
        warnings=done.count(Severity.WARNING),
        infos=done.count(Severity.INFO),
        workspaces=len(done.reports),
    )
    suppressed = sum(report.suppressed for report in done.reports)
    if suppressed:
        yield phrase("suppressed", language, count=suppressed)
    rules = sum(report.priority_rules for report in done.reports)
    if rules:
        yield phrase("reached", language, reached=sum(report.reached for report in done.reports), rules=rules)
    yield from dict.fromkeys(line for outcome in outcomes for line in outcome.basis_lines)
