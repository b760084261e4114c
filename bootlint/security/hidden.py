"""Characters that a reader does not see, or takes for others.

Owns which of them a script or an emoji needs, and what reader and model get. Knows code points, not Markdown:
whether something may be removed is for the caller to decide. Offsets are code points.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bootlint.diagnostics import Span
from bootlint.lookalikes import TWINS
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal[
    "zero-width", "bidi", "override", "tags", "variation", "control", "blank", "private", "look-alike"
]


@record
class Hidden:
    """The characters of one kind in a line, or for `look-alike` in a word. The span runs from the first to the last.

    `reader` is what a reader sees at the first place, `model` what the model gets, code points that do not show
    written as `[U+200B]`. For `tags`, and for `variation` where it holds a message, `model` is the message.
    """

    kind: Kind
    places: tuple[Span, ...]
    chars: str  # the characters themselves
    reader: str
    model: str

    @property
    def span(self) -> Span:
        return Span(self.places[0].start, self.places[-1].end)


def find(text: str) -> Iterator[Hidden]:
    """All that is hidden in a text, in no particular order. A byte order mark at the start is not meant."""
    yield from _controls(text)
    if text.isascii() or _suspects().search(text, int(text.startswith("\ufeff"))) is None:
        return
    yield from _runs(text)
    yield from _bidi(text)
    yield from _look_alikes(text)


# --- which characters ---------------------------------------------------------------------------------------------

_ZERO_WIDTH = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
_TAGS = "\U000e0000-\U000e007f"
_VARIATIONS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_BLANK = "\u2800"  # of Braille, without a dot
_DOTS = "\u2801-\u28ff"
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_MOST_ICONS = 3  # fonts for terminals and web pages keep their icons in the private-use areas
_CONTROL = "\x00-\x08\x0b\x0e-\x1f\x7f-\x9f"  # a form feed is left out: it hides nothing
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_MARKS = frozenset("\u061c\u200e\u200f")  # bidi marks: a text in Arabic or Hebrew may need them
_OVERRIDE = "\u202e"  # from right to left
_POP = "\u202c"
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"

# Scripts in which joiners change how letters join, or which hide a letter's other shape in one.
_JOINING = (
    "\u0600-\u085f\u0860-\u109f\u1700-\u18af\u1900-\u1cff\ua800-\ua82f\ua840-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00010fff\U00011000-\U00011fff\U0001e900-\U0001e95f"
)
_MONGOLIAN = "\u1800-\u18af"
_UNSPACED = "\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf"  # Thai, Khmer: no blanks between words
_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_IDEOGRAPHS = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"

_LATIN = "A-Za-z\u00c0-\u024f\u1e00-\u1eff"
_OTHER = "\u0370-\u03ff\u0400-\u052f"  # Greek and Cyrillic

_GREEK_SIGNS = frozenset("ικρτυχαεγη")  # used in formulas: at a word's start they mean what they are


@lru_cache(maxsize=1)
def _suspects() -> re.Pattern[str]:
    return re.compile(f"[{_ZERO_WIDTH}{_TAGS}{_VARIATIONS}{_BLANK}{_PRIVATE}{_BIDI}{_OTHER}]")


# --- what cannot be seen ------------------------------------------------------------------------------------------


def _runs(text: str) -> Iterator[Hidden]:
    """Characters without a shape of their own that nothing beside them needs."""
    kinds: tuple[tuple[Kind, str], ...] = (
        ("zero-width", _ZERO_WIDTH),
        ("tags", _TAGS),
        ("variation", _VARIATIONS),
        ("blank", _BLANK),
        ("private", _PRIVATE),
    )
    for kind, chars in kinds:
        for places in _by_line(text, _stray(text, kind, chars)):
            yield _run(kind, text, places)


# Bytes of UTF-8 that are part of no control; deleting them is ten times as fast as a search. 0xC2 begins U+0080 to U+009F.
_HARMLESS = bytes({*b"\t\n\f\r", *range(0x20, 0x7F), *range(0x80, 0x100)} - {0xC2})


def _controls(text: str) -> Iterator[Hidden]:
    """What a terminal obeys instead of showing it. A carriage return counts where it ends no line: it overwrites one."""
    if not _may_control(text):
        return
    control = re.compile(rf"(?:[{_CONTROL}]|(?<!\r)\r++(?!\n))+")
    for places in _by_line(text, (Span(*match.span()) for match in control.finditer(text))):
        yield _run("control", text, places)


def _may_control(text: str) -> bool:
    data = text.encode("utf-8", "surrogatepass")
    return data.translate(None, _HARMLESS) != b"" or text.count("\r") > text.count("\r\n")


def _by_line(text: str, places: Iterator[Span]) -> Iterator[tuple[Span, ...]]:
    line: list[Span] = []
    end = 0
    for place in places:
        if line and place.start > end:
            yield tuple(line)
            line = []
        if not line:
            found = text.find("\n", place.start)
            end = len(text) if found < 0 else found
        line.append(place)
    if line:
        yield tuple(line)


def _stray(text: str, kind: Kind, chars: str) -> Iterator[Span]:
    for match in re.finditer(f"[{chars}]+", text):
        start = match.start() + _needed(kind, text, match.start(), match.end())
        if start < match.end():
            yield Span(start, match.end())


def _run(kind: Kind, text: str, places: tuple[Span, ...]) -> Hidden:
    chars = "".join(text[place.start : place.end] for place in places)
    reader, model = _excerpt(text, places[0].start, places[0].end)
    return Hidden(kind, places, chars, reader, _message(kind, chars) or model)


def _needed(kind: Kind, text: str, start: int, end: int) -> int:
    """How many characters at the beginning of a run have a reason to be there."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if kind == "tags":
        return _flag(text, start, end)
    if kind == "variation":
        return int(_varies(before, text[start]))
    if kind == "blank":
        return end - start if _is_in_braille(text, start, end) else 0
    if kind == "private":
        return end - start if end - start <= _MOST_ICONS else 0
    if start == 0 and text[0] == "\ufeff":
        return 1
    if end - start > 1:
        return 0
    return int(_joins(text, start, before, after) or _spaces(text[start], before, after))


def _is_in_braille(text: str, start: int, end: int) -> bool:
    """Do letters or pictures of dots stand around?"""
    around = text[max(0, start - _NEARBY) : end + _NEARBY]
    return re.search(f"[{_DOTS}]", around) is not None


def _flag(text: str, start: int, end: int) -> int:
    """The length of the tags that make a black flag Scotland's or Texas's: `gbsct` and an end."""
    flag = re.compile("[\U000e0061-\U000e007a]{2}[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,3}\U000e007f")
    match = flag.match(text, start, end)
    return match.end() - start if match and text[start - 1 : start] == "\U0001f3f4" else 0


def _varies(base: str, selector: str) -> bool:
    """Has the character another shape that the selector may ask for?"""
    import unicodedata

    if not base:
        return False
    if selector in "\ufe0e\ufe0f":
        return base in "#*" or base.isdigit() or _is(_EMOJI, base) or unicodedata.category(base)[0] in "SP"
    if selector > "\ufe0f":
        return _is(_IDEOGRAPHS, base)
    return selector <= "\ufe02" and (_is(_IDEOGRAPHS, base) or unicodedata.category(base)[0] in "SPN")


def _joins(text: str, at: int, before: str, after: str) -> bool:
    """Does a joiner stand where the script or an emoji needs it?"""
    if _is("\u180b-\u180f", text[at]):
        return _is(_MONGOLIAN, before)
    if text[at] not in "\u200c\u200d":
        return False
    if _is(_JOINING, before) or _is(_JOINING, after):
        return True
    if text[at] == "\u200d" and _is(_EMOJI, after):
        base = before if before not in ("\ufe0f", "\u20e3") else text[at - 2 : at - 1]
        return _is(_EMOJI, base)
    return False


def _spaces(char: str, before: str, after: str) -> bool:
    """A zero-width space between words of a script that writes no blanks."""
    return char == "\u200b" and _is(_UNSPACED, before) and _is(_UNSPACED, after)


def _message(kind: Kind, run: str) -> str:
    """What tags spell, and what variation selectors hold when each stands for a byte; "" for no message."""
    if kind == "tags":
        return "".join(chr(ord(char) - 0xE0000) for char in run[:_LONGEST] if 0xE0020 <= ord(char) < 0xE007F)
    if kind != "variation" or len(run) < 3:
        return ""
    data = bytes(ord(char) - (0xFE00 if char <= "\ufe0f" else 0xE0100 - 16) for char in run)
    try:
        message = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return message[:_LONGEST] if message.isprintable() else ""


# --- what is shown in another order -----------------------------------------------------------------------------


def _bidi(text: str) -> Iterator[Hidden]:
    """The controls of direction in each line; marks alone only where nothing is written from right to left."""
    control = re.compile(f"[{_BIDI}]")
    at = 0
    while match := control.search(text, at):
        begin = text.rfind("\n", at, match.start()) + 1 or at
        at = text.find("\n", match.end()) + 1 or len(text)
        line = text[begin:at].rstrip("\r\n")
        controls = [found.start() for found in control.finditer(line)]
        if _marks_only(line, controls) and _is_right_to_left(line):
            continue
        reader, model = _excerpt(text, begin + controls[0], begin + controls[-1] + 1)
        shown = _overridden(line, controls)
        yield Hidden(
            "bidi" if shown is None else "override",
            tuple(Span(begin + control, begin + control + 1) for control in controls),
            "".join(line[control] for control in controls),
            reader if shown is None else shown,
            model,
        )


def _marks_only(line: str, controls: list[int]) -> bool:
    return all(line[at] in _MARKS for at in controls)


def _is_right_to_left(line: str) -> bool:
    return any(char not in _MARKS for char in re.findall(f"[{_RIGHT_TO_LEFT}]", line))


_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def _overridden(line: str, controls: list[int]) -> str | None:
    """What is seen of a right-to-left override and its end, the only controls of a line; None for anything else."""
    import unicodedata

    if line[controls[0]] != _OVERRIDE or [line[at] for at in controls[1:]] not in ([], [_POP]):
        return None
    first = controls[0]
    end = controls[1] if len(controls) > 1 else len(line)
    if end - first > _LONGEST or _is_right_to_left(line) or any(map(unicodedata.combining, line[first:end])):
        return None
    turned = line[first + 1 : end].translate(_MIRRORED)[::-1]
    return _before(line, first) + turned + _after(line, end + 1)


# --- what is taken for something else --------------------------------------------------------------------------


def _look_alikes(text: str) -> Iterator[Hidden]:
    """Latin words in which Greek or Cyrillic letters stand for Latin ones."""
    border = re.compile(f"[{_LATIN}][{_OTHER}]|[{_OTHER}][{_LATIN}]")
    letter = re.compile(f"[{_LATIN}{_OTHER}\u0300-\u036f]")
    word = re.compile(f"{letter.pattern}+")
    at = 0
    while match := border.search(text, at):
        start = match.start()
        while start > at and letter.match(text, start - 1):
            start -= 1
        whole = word.match(text, start)
        at = whole.end() if whole else match.end()
        if at - start <= _LONGEST_WORD and _is_disguised(text, start, at):
            chars = "".join(dict.fromkeys(re.findall(f"[{_OTHER}]", text[start:at])))
            model = _spelled(text[start:at], _OTHER)
            yield Hidden("look-alike", (Span(start, at),), chars, text[start:at].translate(TWINS), model)


_NEARBY = 200


def _is_disguised(text: str, start: int, end: int) -> bool:
    word = text[start:end]
    if re.search(f"[{_OTHER}]", word.translate(TWINS)):
        return False  # a letter that looks like no Latin one: nobody is to be misled
    foreign = [match.start() for match in re.finditer(f"[{_OTHER}]", word)]
    if all(word[at] in _GREEK_SIGNS for at in foreign):
        return len(word) >= 4 and foreign[0] > 0
    # `URLом`: a Latin word with the ending of a Russian one
    is_declined = foreign[0] > 1 and len(word) - foreign[0] == len(foreign)
    return not (is_declined and _speaks_cyrillic(text, start, end))


def _speaks_cyrillic(text: str, start: int, end: int) -> bool:
    """Are other words of the line written in Cyrillic?"""
    before = text[max(0, start - _NEARBY) : start].rpartition("\n")[2]
    after = text[end : end + _NEARBY].partition("\n")[0]
    return re.search("[\u0400-\u052f]{3}", f"{before} {after}") is not None


# --- how it is shown ----------------------------------------------------------------------------------------------

_AROUND = 12  # code points of context
_LONGEST = 80
_LONGEST_WORD = 64


def _excerpt(text: str, start: int, end: int) -> tuple[str, str]:
    """What a reader sees around a place of one line, and what the model gets."""
    middle = text[start : min(end, start + _LONGEST)]
    left, right = _before(text, start), "…" if end > start + _LONGEST else _after(text, end)
    hidden = rf"{_CONTROL}\r{_ZERO_WIDTH}{_TAGS}{_VARIATIONS}{_BLANK}{_PRIVATE}{_BIDI}"
    return left + re.sub(f"[{hidden}]", "", middle) + right, left + _spelled(middle, hidden) + right


def _before(text: str, at: int) -> str:
    """The end of what stands before a place in its line, `…` where more does."""
    line = text[max(0, at - _AROUND - 1) : at].rpartition("\n")[2]
    return line if len(line) <= _AROUND else "…" + line[1:]


def _after(text: str, at: int) -> str:
    line = text[at : at + _AROUND + 1].partition("\n")[0].rstrip("\r")
    return line if len(line) <= _AROUND else line[:-1] + "…"


def _spelled(text: str, chars: str) -> str:
    return re.sub(f"[{chars}]", lambda match: f"[U+{ord(match[0]):04X}]", text)


def names(chars: str) -> tuple[str, ...]:
    """The first few distinct characters as Unicode calls them: `U+200B ZERO WIDTH SPACE`."""
    import unicodedata

    distinct = list(dict.fromkeys(chars))
    listed = [f"U+{ord(char):04X} {unicodedata.name(char, '')}".rstrip() for char in distinct[:_LISTED]]
    return (*listed, *(["…"] if len(distinct) > _LISTED else []))


_LISTED = 3


def _is(chars: str, char: str) -> bool:
    return bool(char) and re.match(f"[{chars}]", char) is not None
