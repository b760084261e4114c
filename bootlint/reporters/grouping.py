"""Findings as people read them, nothing harmful in them.

Infos are one entry a rule, file and release, and so are lines that a cut file still holds: all have one remedy,
to shorten the file. Others come one by one.
"""

from __future__ import annotations

from bootlint.diagnostics import Severity
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.diagnostics import Diagnostic, Position
    from bootlint.reporters import Run
    from bootlint.wording import Language


@record
class Entry:
    """What is printed as one: `first`, and the further lines at which the same holds."""

    first: Diagnostic
    also_lines: tuple[int, ...]
    count: int  # of diagnostics
    only_in: tuple[
        str, ...
    ]  # the releases, where it does not hold in all of the run and the message names none

    def message(self, language: Language) -> str:
        """What is wrong, in which releases, and where else."""
        lines = tuple(map(str, self.also_lines))
        also = "also-line" if len(lines) == 1 else "also-lines"
        return "".join(
            (
                printable(self.first.message),
                phrase("only-in", language, releases=self.only_in) if self.only_in else "",
                phrase(also, language, lines=lines) if lines else "",
            )
        )

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


def grouped(run: Run) -> Iterator[Entry]:
    """The entries, in the order of their first diagnostics. Each speaks of the same releases."""
    entries: dict[tuple[object, ...], list[Diagnostic]] = {}
    for number, diagnostic in enumerate(run.diagnostics):
        is_held = diagnostic.variant == "kept"
        together = diagnostic.path, diagnostic.code, diagnostic.releases, diagnostic.severity, is_held
        alone = diagnostic.severity is not Severity.INFO and not is_held
        entries.setdefault((number,) if alone else together, []).append(diagnostic)
    releases = {situation.contract.release for report in run.reports for situation in report.situations}
    for first, *others in entries.values():
        lines = sorted({other.start.line for other in others} - {first.start.line})
        told = releases.issubset(first.releases) or any(name in first.message for name in first.releases)
        yield Entry(first, tuple(lines), 1 + len(others), () if told else first.releases)


def place_of(path: str, start: Position) -> str:
    """`path:line:col`, which editors and terminals turn into a link; never the beginning of a workflow command."""
    here = "./" if path.lstrip().startswith("::") else ""
    return f"{here}{printable(path)}:{start.line}:{start.column}"
