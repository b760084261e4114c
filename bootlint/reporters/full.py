"""For a person at a terminal: each finding with its source line, what the model receives of it, and its fix.

Knows the cells of a terminal: a CJK character or an emoji takes two. The frame is ASCII, which every terminal has,
and stands at the beginning of every line but the first, so that no text of a workspace ever stands where a CI log
looks for commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells

from bootlint.diagnostics import Severity
from bootlint.lazyre import lazy_pattern
from bootlint.records import record
from bootlint.reporters.grouping import grouped, place_of
from bootlint.wording import phrase, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bootlint.diagnostics import Diagnostic
    from bootlint.openclaw.fates import Fate
    from bootlint.reporters import Run
    from bootlint.reporters.grouping import Entry

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFO: "bold cyan"}
_FATE_STYLES: dict[Fate | None, str] = {
    "kept": "green",
    "digest": "yellow",
    "digest-cut": "yellow",
    "cut": "yellow",
    "dropped": "red",
}
_FRAME_STYLE = "blue"

_MIN_ROOM = 20  # cells for text, however narrow the terminal
_MAX_NOTES = 5
_TAB = " " * 4
_GAP = "..."


def render(run: Run) -> str:
    return "\n".join(_block(entry, run) for entry in grouped(run.diagnostics))


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
            yield from _remark(fate, room, _FATE_STYLES[diagnostic.fate])
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


def window(line: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """What of a line fits in `room` cells, and where the span stands in it.

    `start` and `end` are code point offsets in the line. The answer is the text as it is shown, then the offset and
    the width of the span in cells. What was left out at either side is marked; the end of a long span may be left out.
    """
    reach = 4 * room  # code points beyond it are not looked at: lines may be megabytes long
    first, last = max(0, start - reach), min(len(line), start + reach)
    before, start_of_after, text = (_shown(line[first:stop]) for stop in (start, min(end, last), last))
    marked, after = start_of_after[len(before) :], text[len(start_of_after) :]
    if cell_len(text) > room:
        left = max(room // 3, room - cell_len(marked + after))
        before = _with_gap_before(before, left)
        left_over = room - cell_len(before)
        if cell_len(marked + after) > left_over and cell_len(marked) > left_over - len(_GAP):
            marked, after = _with_gap_after(marked + after, left_over), ""
        else:
            after = _with_gap_after(after, left_over - cell_len(marked))
    offset = cell_len(before)
    return before + marked + after, offset, cell_len(before + marked) - offset


def _shown(text: str) -> str:
    return printable(text.replace("\t", _TAB))


def _with_gap_before(text: str, room: int) -> str:
    if cell_len(text) <= room:
        return text
    kept = _fitting(reversed(_clusters(text)), room - len(_GAP))
    return _GAP + "".join(reversed(kept))


def _with_gap_after(text: str, room: int) -> str:
    if cell_len(text) <= room:
        return text
    return "".join(_fitting(_clusters(text), room - len(_GAP))) + _GAP


def _fitting(clusters: Iterable[str], room: int) -> list[str]:
    fitting = []
    for cluster in clusters:
        room -= cell_len(cluster)
        if room < 0:
            break
        fitting.append(cluster)
    return fitting


def _clusters(text: str) -> list[str]:
    """What a reader takes for one character: a family emoji is not cut in two."""
    import regex

    return regex.findall(r"\X", text)


# Chinese breaks between any two characters, but not before a closing mark and not after an opening one.
_WIDE = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_OPENING = "（《「『【〈"
_CLOSING = "）》」』】〉，。、；：！？"
_TOKENS = lazy_pattern(rf"\s+|[{_OPENING}]*(?:[^\s{_WIDE}]+|[{_WIDE}])[{_CLOSING}]*")


def wrap(text: str, room: int) -> list[str]:
    """The text in lines of at most `room` cells, broken at spaces and between Chinese characters."""
    lines, line, left = [], "", room
    for token in _TOKENS.findall(text):
        size = cell_len(token)
        if size > left and not token.isspace():
            lines.append(line.rstrip())
            *full, token = chop_cells(token, room)
            lines += full
            line, left, size = "", room, cell_len(token)
        line += token
        left -= size
    return [*(line for line in lines if line), line.rstrip()]


def _painted(text: str, style: str, run: Run) -> str:
    if not run.colour or not style:
        return text
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)
