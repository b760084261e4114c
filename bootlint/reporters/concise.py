"""One line a finding: `path:line:col: CODE name: message`."""

from __future__ import annotations

from bootlint.reporters.grouping import grouped, place_of
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from bootlint.reporters import Run
    from bootlint.reporters.grouping import Entry
    from bootlint.wording import Language


def render(run: Run) -> str:
    return "".join(f"{_line(entry, run.language)}\n" for entry in grouped(run))


def _line(entry: Entry, language: Language) -> str:
    first = entry.first
    return f"{place_of(first.path, first.start)}: {first.code} {first.name}: {entry.message(language)}"
