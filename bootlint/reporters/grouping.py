"""Findings as people read them: infos one entry a rule and file, errors and warnings one by one, nothing harmful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bootlint.diagnostics import Severity
from bootlint.records import record
from bootlint.wording import phrase, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bootlint.diagnostics import Diagnostic, Position
    from bootlint.wording import Language


@record
class Entry:
    """What is printed as one: `first`, and the further lines at which the same info holds."""

    first: Diagnostic
    also_lines: tuple[int, ...]
    count: int  # of diagnostics

    def message(self, language: Language) -> str:
        """What is wrong, and where else."""
        lines = tuple(map(str, self.also_lines))
        return printable(self.first.message) + (phrase("also-lines", language, lines=lines) if lines else "")

    def fate(self, language: Language) -> str | None:
        """What the model receives of the line; None where there is nothing to receive."""
        fate = self.first.fate
        if fate is None or fate == "blank":
            return None
        return phrase(f"line-{fate}", language, line=self.first.start.line)

    def fix(self, language: Language) -> str | None:
        """What the fix does, and whether it is applied without asking."""
        fix = self.first.fix
        return None if fix is None else phrase(f"fix-{fix.applicability.value}", language, title=fix.title)


def grouped(diagnostics: Iterable[Diagnostic]) -> Iterator[Entry]:
    """The entries, in the order of their first diagnostics."""
    entries: dict[tuple[str, str] | int, list[Diagnostic]] = {}
    for number, diagnostic in enumerate(diagnostics):
        alone = diagnostic.severity is not Severity.INFO
        entries.setdefault(number if alone else (diagnostic.path, diagnostic.code), []).append(diagnostic)
    for first, *others in entries.values():
        lines = sorted({other.start.line for other in others} - {first.start.line})
        yield Entry(first, tuple(lines), 1 + len(others))


def place_of(path: str, start: Position) -> str:
    """`path:line:col`, which editors and terminals turn into a link; never the beginning of a workflow command."""
    here = "./" if path.lstrip().startswith("::") else ""
    return f"{here}{printable(path)}:{start.line}:{start.column}"
