"""`bootlint check`."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from bootlint import baseline as baseline_file
from bootlint.cli.common import (
    Parser,
    SettingsReader,
    add_general,
    add_paths,
    add_situation,
    language_of,
    selected,
)
from bootlint.config import suggestion
from bootlint.diagnostics import Severity, UserError
from bootlint.engine import Report, check
from bootlint.reporters import FORMATS, Run, render
from bootlint.reporters.basis import basis_lines
from bootlint.wording import phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

_EXAMPLES = """\
  bootlint check                                      the workspace here, and those below
  bootlint check --openclaw 2026.6.11,latest ~/agent  under two releases
  bootlint check --select BL1 --fail-on warning       only the budget rules; warnings fail too
  bootlint check --output-format json > report.json
  bootlint check --output-format sarif=out.sarif --output-format github   two reports of one run
"""


def run(argv: list[str]) -> int:
    """Lint, print, and say with the exit status whether something was found at or above `--fail-on`."""
    arguments = _parser().parse_args(argv)
    outputs = _outputs(arguments.output_format or ["full" if sys.stdout.isatty() else "concise"])
    reader = SettingsReader(arguments, "select", "extend-select", "ignore", "fail-on")
    baseline = Path(arguments.baseline) if arguments.baseline else None
    if arguments.write_baseline and baseline is None:
        raise UserError("--write-baseline writes the file that --baseline names; give both")
    known = baseline_file.read(baseline) if baseline and not arguments.write_baseline else frozenset()
    reports: list[Report] = []
    failed = False
    language = None
    basis_texts: dict[str, None] = {}
    for workspace, settings, basis in selected(arguments.paths, reader, all_agents=arguments.all_agents):
        report = check(workspace, basis, settings)
        if baseline is not None:
            report = baseline_file.without_known(report, known, baseline)
        reports.append(report)
        failed |= any(diagnostic.severity >= settings.fail_on for diagnostic in report.diagnostics)
        language = language or language_of(settings, for_people=outputs[0][0] == "full")
        basis_texts.update(dict.fromkeys(basis_lines(basis.situations, language, verbose=arguments.verbose)))
    done = Run(tuple(reports), language or "en")
    if arguments.write_baseline and baseline is not None:
        count = baseline_file.write(baseline, done.diagnostics)
        print(phrase("baseline-written", done.language, file=str(baseline), count=count), file=sys.stderr)
        return 0
    for output_format, path in outputs:
        _write(render(output_format, _for_terminal(done) if path is None else done), path)
    if not arguments.quiet:
        print("\n".join(_summary(done, basis_texts)), file=sys.stderr)
    return int(failed)


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
    parser.add_argument(
        "--all-agents",
        action="store_true",
        help="every workspace that openclaw.json names, each with its agent's own limits",
    )
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


def _summary(done: Run, basis_texts: dict[str, None]) -> Iterator[str]:
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
    yield from basis_texts
