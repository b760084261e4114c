"""What reports for a terminal share: widths in cells, where a CJK character or an emoji takes two, and colours."""

from __future__ import annotations

from rich.cells import cell_len, chop_cells

from bootlint.lazyre import lazy_pattern
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bootlint.openclaw.fates import Fate

FATE_STYLES: dict[Fate | None, str] = {
    "kept": "green",
    "digest": "yellow",
    "digest-cut": "yellow",
    "cut": "yellow",
    "dropped": "red",
}

_TAB = " " * 4
_GAP = "..."


def painted(text: str, style: str, *, colour: bool) -> str:
    """The text in a style of rich's, where colours are wanted."""
    if not colour or not style:
        return text
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(text, color_system=ColorSystem.STANDARD)


def fitted(text: str, room: int) -> str:
    """One line of a workspace's text in exactly `room` cells, harmless, a gap at the end where it is longer."""
    text = _with_gap_after(shown(text[: 4 * room]), room)
    return text + " " * (room - cell_len(text))


def window(line: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """What of a line fits in `room` cells, and where the span stands in it.

    `start` and `end` are code point offsets in the line. The answer is the text as it is shown, then the offset and
    the width of the span in cells. What was left out at either side is marked; the end of a long span may be left out.
    """
    reach = 4 * room  # code points beyond it are not looked at: lines may be megabytes long
    first, last = max(0, start - reach), min(len(line), start + reach)
    before, start_of_after, text = (shown(line[first:stop]) for stop in (start, min(end, last), last))
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


def shown(text: str) -> str:
    """A text of a workspace on one line, with all that does not show written out."""
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
