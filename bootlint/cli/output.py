"""Where the reports of a run go: stdout or a file, a workspace at a time or as one document, and the last lines.

A run over thousands of workspaces keeps none of their findings, unless a document is asked for.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from io import StringIO
from pathlib import Path

from bootlint.cli.common import stdout_look, write_report
from bootlint.diagnostics import Severity
from bootlint.reporters import BETWEEN_WORKSPACES, FROM_TOP, Run, render, seen_from
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from bootlint.cli.runner import Outcome
    from bootlint.engine import Report
    from bootlint.wording import Language


class Output:
    """One report of a run, in one format. It goes to stdout as it is made, into a file when it is finished."""

    def __init__(self, output_format: str, path: str | None, language: Language) -> None:
        self._format = output_format
        self._path = path
        self._language = language
        self._look = stdout_look() if path is None and output_format == "full" else (False, 80)
        self._stream: TextIO = sys.stdout if path is None else StringIO()
        self._top = _top() if output_format in FROM_TOP else None
        self._between = BETWEEN_WORKSPACES.get(output_format)
        self._before = ""
        self._document: list[Report] = []

    @property
    def appears_at_once(self) -> bool:
        """Do people see the findings of a workspace as soon as it is done?"""
        return self._path is None and self._between is not None and sys.stdout.isatty()

    def add(self, report: Report) -> None:
        if self._between is None:
            self._document.append(report)
        elif text := self._rendered(report):
            self._stream.write(self._before + text)
            self._before = self._between

    def finish(self) -> None:
        """Raises UserError where the file cannot be written."""
        if self._between is None:
            self._stream.write(self._rendered(*self._document))
        if isinstance(self._stream, StringIO) and self._path is not None:
            write_report(self._stream.getvalue(), self._path)

    def _rendered(self, *reports: Report) -> str:
        colour, width = self._look
        if self._top is not None:
            reports = tuple(seen_from(self._top, report) for report in reports)
        return render(self._format, Run(reports, self._language, colour, width))


def _top() -> str | None:
    """The top of the repository that holds the current folder."""
    from bootlint import git

    try:
        return os.path.realpath(git.toplevel(Path()))
    except git.GitError:
        return None


class Summary:
    """What is said at the end of a run, and whether it failed."""

    def __init__(self, language: Language) -> None:
        self.failed = False
        self._language = language
        self._findings: Counter[Severity] = Counter()
        self._workspaces = self._suppressed = self._reached = self._priority_rules = 0
        self._basis_lines: dict[str, None] = {}
        self._configs: set[Path] = set()  # each openclaw.json that something was taken from

    def add(self, outcome: Outcome) -> None:
        report = outcome.report
        self.failed |= outcome.failed
        self._findings.update(diagnostic.severity for diagnostic in report.diagnostics)
        self._workspaces += 1
        self._suppressed += report.suppressed
        self._reached += report.reached
        self._priority_rules += report.priority_rules
        self._basis_lines |= dict.fromkeys(outcome.basis_lines)
        self._configs.update(
            situation.config.path
            for situation in report.situations
            if situation.config is not None
            and any(origin.kind == "openclaw-json" for origin in situation.origins.values())
        )

    def lines(self) -> Iterator[str]:
        language = self._language
        yield phrase(
            "summary",
            language,
            errors=self._findings[Severity.ERROR],
            warnings=self._findings[Severity.WARNING],
            infos=self._findings[Severity.INFO],
            workspaces=self._workspaces,
        )
        if self._suppressed:
            yield phrase("suppressed", language, count=self._suppressed)
        if self._priority_rules:
            yield phrase("reached", language, reached=self._reached, rules=self._priority_rules)
        yield from self._basis_lines
        if self._configs:
            from bootlint.git import is_tracked

            # One that is gone was a commit's: the base of a change held it.
            if not all(is_tracked(path) for path in self._configs if path.is_file()):
                yield phrase("not-pinned", language)
