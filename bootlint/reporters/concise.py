"""One line a finding: `path:line:col: CODE name: message`."""

from __future__ import annotations

from bootlint.reporters import Run
from bootlint.reporters.grouping import grouped
from bootlint.wording import phrase, printable


def render(run: Run) -> str:
    lines = []
    for diagnostic, others in grouped(run.diagnostics):
        place = f"{printable(diagnostic.path)}:{diagnostic.start.line}:{diagnostic.start.column}"
        also = phrase("also-lines", run.language, lines=tuple(map(str, others))) if others else ""
        lines.append(f"{place}: {diagnostic.code} {diagnostic.name}: {diagnostic.message}{also}\n")
    return "".join(lines)
