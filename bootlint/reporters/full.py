"""For a person at a terminal: each finding with its source line, what the model receives of it, and its fix.

The frame is ASCII, which every terminal has, and stands at the beginning of every line but the first, so that no
text of a workspace ever stands where a CI log looks for commands.
"""

from __future__ import annotations

from bootlint.diagnostics import Severity
from bootlint.records import record
from bootlint.reporters.grouping import grouped, place_of
from bootlint.reporters.terminal import FATE_STYLES, painted, window, wrap
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.diagnostics import Diagnostic
    from bootlint.reporters import Run
    from bootlint.reporters.grouping import Entry

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFO: "bold cyan"}
_FRAME_STYLE = "blue"

_MIN_ROOM = 20  # cells for text, however narrow the terminal
_MAX_NOTES = 5


def render(run: Run) -> str:
    return "\n".join(_block(entry, run) for entry in grouped(run))


@record
class _Row:
    """One line behind the frame."""

    text: str
    style: str = ""
    sign: str = "|"
    number: str = ""


def _block(entry: Entry, run: Run) -> str:
    diagnostic = entry.first
    margin = len(str(diagnostic.start.line))
    severity = phrase(f"severity-{diagnostic.severity.label}", run.language)
    header = _painted(severity, _STYLES[diagnostic.severity], run), _painted(diagnostic.code, "bold", run)
    lines = [f"{' '.join(header)} {diagnostic.name}"]
    for row in _rows(entry, run, max(run.width - margin - len(" | "), _MIN_ROOM)):
        frame = f"{row.number:>{margin}} {row.sign}"
        lines.append(f"{_painted(frame, _FRAME_STYLE, run)} {_painted(row.text, row.style, run)}".rstrip())
    return "".join(f"{line}\n" for line in lines)


def _rows(entry: Entry, run: Run, room: int) -> Iterator[_Row]:
    diagnostic = entry.first
    yield _Row(
        place_of(diagnostic.path, diagnostic.start), sign="-->"
    )  # in one piece, however long: it is a link
    for line in wrap(entry.message(run.language), room):
        yield _Row(line)
    if diagnostic.line_text.strip():
        yield _Row("")
        yield from _quoted(diagnostic, run, room)
        if fate := entry.fate(run.language):
            yield from _remark(fate, room, FATE_STYLES[diagnostic.fate])
    for note in diagnostic.notes[:_MAX_NOTES]:
        yield from _remark(f"{place_of(note.path, note.start)}: {printable(note.message)}", room)
    if len(diagnostic.notes) > _MAX_NOTES:
        yield from _remark(
            phrase("more-places", run.language, count=len(diagnostic.notes) - _MAX_NOTES), room
        )
    if fix := entry.fix(run.language):
        yield from _remark(fix, room, "green")


def _quoted(diagnostic: Diagnostic, run: Run, room: int) -> Iterator[_Row]:
    """The first line of the span, underlined, and where the span ends if that is on a later line."""
    line, start, end = diagnostic.line_text, diagnostic.start, diagnostic.end
    stop = end.column - 1 if end.line == start.line else len(line)
    text, offset, width = window(line, start.column - 1, stop, room)
    style = _STYLES[diagnostic.severity]
    yield _Row(text, number=str(start.line))
    yield _Row(" " * offset + "^" * max(width, 1), style)
    last = end.line - 1 if end.column == 1 else end.line
    if last > start.line:
        yield _Row(phrase("to-line", run.language, line=last), style)


def _remark(text: str, room: int, style: str = "") -> Iterator[_Row]:
    first, *others = wrap(text, room - 2)
    yield _Row(first, style, sign="=")
    for line in others:
        yield _Row(f"  {line}", style)


def _painted(text: str, style: str, run: Run) -> str:
    return painted(text, style, colour=run.colour)
