"""How a run is written down. One module per format; each turns a `Run` into text and knows nothing else."""

from __future__ import annotations

import os
from importlib import import_module

from bootlint.records import record, replace
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bootlint.diagnostics import Diagnostic, Severity
    from bootlint.engine import Report
    from bootlint.wording import Language

FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "markdown")
# The formats that need not know the whole run: what stands between the findings of two workspaces.
BETWEEN_WORKSPACES = {"full": "\n", "concise": "", "github": ""}
# Those whose readers look for each file from the top of the repository, wherever bootlint ran.
FROM_TOP = frozenset({"github", "gitlab", "sarif"})
# Those that print neither the line of a finding nor its fingerprint, fix and related places.
BARE = frozenset({"concise"})


@record
class Run:
    """Everything a report is made of."""

    reports: tuple[Report, ...]
    language: Language
    colour: bool = False
    width: int = 80  # columns of the terminal

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Those of all workspaces in one order. The edits of their fixes name paths in their own workspace."""
        return self._sorted(diagnostic for report in self.reports for diagnostic in report.diagnostics)

    @property
    def diagnostics_with_edits(self) -> list[Diagnostic]:
        """The same; their edits, too, name the path shown to the user."""
        return self._sorted(
            _shown(diagnostic, report) for report in self.reports for diagnostic in report.diagnostics
        )

    def _sorted(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        return sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)

    def count(self, severity: Severity) -> int:
        return sum(report.count(severity) for report in self.reports)


def render(output_format: str, run: Run) -> str:
    """The report in one of `FORMATS`, with its final line end; `full`, `concise` and `github` may be empty."""
    renderer: Callable[[Run], str] = import_module(f"bootlint.reporters.{output_format}").render
    return renderer(run)


def seen_from(top: str, report: Report) -> Report:
    """The report with paths from a folder that holds what they name, in place of the current one."""
    here = os.path.realpath(".")

    def path(shown: str) -> str:
        from_top = os.path.relpath(os.path.join(here, shown), top).replace(os.sep, "/")
        return shown if os.path.isabs(shown) and from_top.startswith("../") else from_top

    diagnostics = tuple(
        replace(
            found,
            path=path(found.path),
            notes=tuple(replace(note, path=path(note.path)) for note in found.notes),
        )
        for found in report.diagnostics
    )
    return replace(report, workspace=path(report.workspace), diagnostics=diagnostics)


def _shown(diagnostic: Diagnostic, report: Report) -> Diagnostic:
    fix = diagnostic.fix
    if fix is None or report.workspace == ".":
        return diagnostic
    edits = tuple(replace(edit, path=f"{report.workspace}/{edit.path}") for edit in fix.edits)
    return replace(diagnostic, fix=replace(fix, edits=edits))
