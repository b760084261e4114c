"""What a line looks like: the marks in front of its text, where the text begins, the cells of a row.

Knows no words but the keywords that a fix writes. A line comes without its line end, and all offsets are code points in it.
"""

from __future__ import annotations

from bootlint.lazyre import lazy_pattern
from bootlint.lexicon import KEYWORDS
from bootlint.typed import Literal, NamedTuple

Shape = Literal[
    "blank", "fence", "html", "heading", "tight-heading", "task", "bullet", "ordered", "tight-number", "cjk-number",
    "sign-bullet", "quote", "table", "emoji", "bold-paragraph", "bracket", "paragraph",
]  # fmt: skip


class Stretch(NamedTuple):
    """A stretch of a line that says something by itself: its text, or one cell of a table."""

    prefix_end: int
    start: int
    end: int


_BLANK = r"[ \t\u3000]"
_APART = r"(?=[ \t]|\u3000|$)"  # a class with a character of the East takes 0.1 ms to compile
_NUMERALS = "一二三四五六七八九十百"
_ORDINALS = _NUMERALS + "第"
_UNITS = "版倍元万萬亿億秒分小天米公度点點折寸英个個号號以到至"
_INLINE_TAGS = "b|strong|em|i|u|mark"
_NUMBER = (
    rf"\d{{1,3}}[、．）](?!\d)|[（(](?:\d{{1,3}}|[{_NUMERALS}]{{1,4}})[）)]|[{_NUMERALS}]{{1,4}}[、．.]"
    r"|[\u2160-\u217b\u2460-\u24ff\u2776-\u2793\u3220-\u3229\u3280-\u3289]\ufe0f?[.、．]?"
)
_OURS = rf"(?:{'|'.join(KEYWORDS.values())})(?: /|:) "  # a keyword of ours turns no mark into another one
_MARK = lazy_pattern(
    rf"(?P<heading>\#{{1,6}}{_APART})|(?P<tight_heading>\#{{1,6}}(?=[^\x00-\x7f]|{_OURS})|\#\#{{1,5}}(?=[A-Za-z]))"
    rf"|(?P<task>[-*+]{_BLANK}+\[[ xX]\]{_APART})|(?P<bullet>[-*+:]{_APART})"
    rf"|(?P<ordered>\d{{1,9}}[.)]{_APART})|(?P<tight_number>\d{{1,9}}[.)](?=[^\x00-\x7f]|\*\*|[A-Z]))|(?P<quote>>)"
)
_EASTERN_MARK = lazy_pattern(
    rf"(?P<cjk_number>{_NUMBER})|(?P<sign_bullet>[•・·●○◦‣▪▫■□◆◇▶▷▸►➤➢→⇒※★☆✦－﹣]|[–—]{_BLANK})"
)
# `2.1.`, `A)`, `第三条：`. A figure with its unit (`3.5 版`) is no number of a line.
_OUTLINE_NUMBER = (
    rf"\d{{1,3}}(?:\.\d{{1,3}}){{1,3}}(?:[.)）、．](?!\d)|(?=\**{_BLANK}+[^\x00-\x7f])(?!{_BLANK}*[{_UNITS}]))"
    rf"|[A-Za-z][.)）、](?={_BLANK}|[^\x00-\x7f])|第[{_NUMERALS}\d]{{1,4}}[条條章节節点點步项項款则則](?:[：:、]|{_BLANK})"
)
_OPENING = lazy_pattern(  # stars that something closes, a tag, a number that may end in closing stars, a bracket, a dash
    rf"(?:(?P<stars>\*{{1,3}})(?=[^\s*/.].*?(?P=stars))|<(?:{_INLINE_TAGS})>"
    rf"|(?:{_NUMBER}|{_OUTLINE_NUMBER}|\d{{1,3}}[.)](?=[^\x00-\x7f]|[ *A-Z]))\**|[【〖［（(]|[-+](?=[^\x00-\x7f])){_BLANK}*"
)
LABEL = lazy_pattern(
    r"[^，,。；;！!？?|：:【〖［（(】〗］）)]{1,20}(?:[】〗］）)]\**[：:]?|(?:：|:(?=\s|[^\x00-\x7f])))\**"
    rf"{_BLANK}*"
)
_FENCE = lazy_pattern(r"`{3,}|~{3,}")
# And notes and link definitions: nothing can be put in front of them.
_HTML = lazy_pattern(
    rf"<(?!(?:{_INLINE_TAGS})>)[A-Za-z/!?]|\[\^[^\]]+\]:|\[[^\]]+\]:[ \t]*[!-~][^ \t]*[ \t]*$"
)


def shape_of(line: str) -> tuple[Shape, int]:
    """The shape, which the first mark gives, and where the last mark ends."""
    at = _skip_blanks(line, 0)
    shape: Shape | None = None
    while True:
        mark, end = _mark(line, at)
        if mark is None:
            break
        shape = shape or mark
        at = _skip_blanks(line, end)
    if line[at : at + 1] in _OPENERS:
        if line[at] == "|":
            return shape or "table", at
        if _HTML.match(line, at):
            return "html", at
        if _FENCE.match(line, at):
            return "fence", at
    return shape or _plain_shape(line, at), at


_OPENERS = ("|", "<", "[", "`", "~")


def _mark(line: str, at: int) -> tuple[Shape | None, int]:
    first = line[at : at + 1]
    if first.isalpha() and first not in _NUMERALS:
        return None, at
    found = _MARK.match(line, at)
    if found is None and (not first.isascii() or first in _OPENS_NUMBER):
        found = _EASTERN_MARK.match(line, at)
    if found is not None:
        return _MARK_SHAPES[found.lastgroup or ""], found.end()
    end = _emoji_end(line, at)
    return ("emoji", end) if end > at else (None, at)


_OPENS_NUMBER = frozenset("(0123456789")
_MARK_SHAPES: dict[str, Shape] = {
    "heading": "heading",
    "tight_heading": "tight-heading",
    "task": "task",
    "bullet": "bullet",
    "ordered": "ordered",
    "tight_number": "tight-number",
    "cjk_number": "cjk-number",
    "quote": "quote",
    "sign_bullet": "sign-bullet",
}


def _plain_shape(line: str, at: int) -> Shape:
    if at == len(line):
        return "blank"
    if line.startswith(("**", "__"), at):
        return "bold-paragraph"
    return "bracket" if line[at] == "【" else "paragraph"


def _emoji_end(line: str, at: int) -> int:
    """Where the emoji end that begin at `at`."""
    from unicodedata import category

    keycap = _KEYCAP.match(line, at)
    end = at if keycap is None else keycap.end()
    while end < len(line) and (
        category(line[end]) == "So" or line[end] in "‼⁉" or (end > at and line[end] in _EMOJI_PARTS)
    ):
        end += 1
    return end


_KEYCAP = lazy_pattern("[0-9#*]\ufe0f?\u20e3")
_EMOJI_PARTS = frozenset("\ufe0e\ufe0f\u200d\u2640\u2642\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")


def cells_of(line: str, shown: str, start: int) -> list[Stretch]:
    """The cells of a table's row that hold anything."""
    bars = [bar.start() for bar in _BAR.finditer(shown, start)]
    return [
        stretch_of(line, _skip_blanks(line, bar + 1), end)
        for bar, end in zip(bars, [*bars[1:], len(line)], strict=True)
        if line[bar + 1 : end].strip()
    ]


_BAR = lazy_pattern(r"(?<!\\)\|")


def stretch_of(line: str, prefix_end: int, end: int) -> Stretch:
    """A stretch of text; its start lies inside opening emphasis, after the signs and numbers there.

    Stars that nothing closes are not entered, nor underlines: to OpenClaw `_Must` is no keyword.
    """
    start = prefix_end
    while start < end and not _begins_word(line, start):
        opening = _OPENING.match(line, start, end)
        after = _skip_blanks(line, _emoji_end(line, start)) if opening is None else opening.end()
        if after == start:
            break
        start = after
    return Stretch(prefix_end, min(start, end), end)


def _begins_word(line: str, at: int) -> bool:
    """And no number such as `三、`, `第三条：` or `A.`"""
    return (
        line[at].isalpha()
        and line[at] not in _ORDINALS
        and line[at + 1 : at + 2] not in (".", ")", "）", "、")
    )


def _skip_blanks(line: str, at: int) -> int:
    while at < len(line) and line[at] in " \t\u3000":
        at += 1
    return at
