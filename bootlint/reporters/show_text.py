"""What the model receives, for a terminal: a bar and a map of each file, or a table of all session kinds.

ASCII signs say all that the colours say. Counts nothing: every number stands in the overview.
"""

from __future__ import annotations

from itertools import groupby, pairwise

from rich.cells import cell_len

from bootlint.records import record
from bootlint.reporters.signs import LINE_SIGNS, SHARE_SIGNS
from bootlint.reporters.terminal import FATE_STYLES, fitted, painted, shown, wrap
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bootlint.cost import Cost
    from bootlint.diagnostics import Value
    from bootlint.overview import FileOverview, Overview
    from bootlint.reporters.signs import LineMark, Share
    from bootlint.wording import Language

_LINE_STYLES: Mapping[LineMark, str] = {
    "blank": "",
    "kept": FATE_STYLES["kept"],
    "digest": FATE_STYLES["digest"],
    "digest-cut": FATE_STYLES["digest-cut"],
    "cut": FATE_STYLES["cut"],
    "dropped": FATE_STYLES["dropped"],
    "lost-rule": "bold reverse red",
    "not-sent": "dim",
}
_SHARE_STYLES: Mapping[Share, str] = {
    "head": "reverse green",
    "digest": "reverse yellow",
    "marker": "reverse blue",
    "tail": "reverse green",
    "lost": "reverse red",
    "free": "dim",
}
_WORST_FIRST: tuple[LineMark, ...] = (
    "lost-rule",
    "dropped",
    "cut",
    "digest-cut",
    "digest",
    "kept",
    "blank",
    "not-sent",
)
_INDENT = "  "
_MIN_WIDTH = 40


@record
class Look:
    """How the report is to look. `width` in cells; `full`: every source line in place of the map."""

    language: Language
    colour: bool = False
    width: int = 80
    full: bool = False

    def say(self, key: str, **params: Value) -> str:
        return phrase(f"show-{key}", self.language, **params)

    def paint(self, text: str, style: str) -> str:
        return painted(text, style, colour=self.colour)

    @property
    def room(self) -> int:
        """The cells between the indents at both sides."""
        return max(self.width, _MIN_WIDTH) - 2 * len(_INDENT)


@record
class _Entry:
    """What a stretch of a bar is: its sign, its name, its characters and tokens."""

    sign: str
    style: str
    text: str


def render(overviews: Sequence[Overview], look: Look) -> str:
    """One session kind in detail, or a table of several; then what the signs mean."""
    lines = _table(overviews, look) if len(overviews) > 1 else _view(overviews[0], look)
    return "".join(f"{line.rstrip()}\n" for line in lines)


# --- what the signs mean ---------------------------------------------------------------------------------


_LEGEND = (
    (LINE_SIGNS["kept"], _LINE_STYLES["kept"], "fate-kept"),
    (LINE_SIGNS["digest"], _LINE_STYLES["digest"], "fate-digest"),
    (LINE_SIGNS["cut"], _LINE_STYLES["cut"], "fate-cut"),
    (LINE_SIGNS["dropped"], _LINE_STYLES["dropped"], "fate-dropped"),
    (LINE_SIGNS["lost-rule"], _LINE_STYLES["lost-rule"], "lost-rule"),
    (SHARE_SIGNS["marker"], _SHARE_STYLES["marker"], "part-marker"),
    (SHARE_SIGNS["free"], _SHARE_STYLES["free"], "part-free"),
)
_TABLE_LEGEND = (
    (LINE_SIGNS["kept"], _LINE_STYLES["kept"], "show-cell-whole"),
    (LINE_SIGNS["cut"], _LINE_STYLES["cut"], "fate-cut"),
    (LINE_SIGNS["dropped"], _LINE_STYLES["dropped"], "show-cell-nothing"),
    (SHARE_SIGNS["marker"], _SHARE_STYLES["marker"], "part-marker"),
)


def _legend(signs: Iterable[tuple[str, str, str]], look: Look) -> Iterator[str]:
    return _joined((_Entry(sign, style, phrase(key, look.language)) for sign, style, key in signs), look)


def _token_note(view: Overview, look: Look) -> Iterator[str]:
    if view.encoding is None:
        return iter(wrap(look.say("note-estimated"), look.width))
    return iter(wrap(look.say("note-tokens", encoding=view.encoding), look.width))


# --- one session kind --------------------------------------------------------------------------------------


def _view(view: Overview, look: Look) -> Iterator[str]:
    for file in view.files:
        yield from _file(file, look)
        yield ""
    yield look.say(
        "total",
        raw=view.raw_chars,
        injected=view.injected_chars,
        lost=view.lost_chars,
        rules=view.priority_rules,
        reached=view.reached,
    )
    yield look.say("start", chars=view.start.chars, tokens=_tokens(view.start, look))
    yield from _legend(_LEGEND, look)
    yield from _token_note(view, look)


def _file(file: FileOverview, look: Look) -> Iterator[str]:
    name = look.paint(printable(file.name), "bold")
    if file.status == "injected":
        yield name + look.say(
            "file", raw=file.raw_chars, injected=file.injected.chars, tokens=_tokens(file.injected, look)
        )
        yield from (_INDENT + note for note in _notes(file, look))
        shares = _shares(file)
        yield f"{_INDENT}[{_bar(shares, look)}]"
        yield from (_INDENT + line for line in _joined(_entries(file, shares, look), look))
    else:
        status = phrase(f"status-{file.status}", look.language)
        yield name + look.say("absent", status=status, raw=file.raw_chars, cost=file.injected.chars)
    if file.is_meant:
        yield from (_INDENT + line for line in (_source if look.full else _map)(file, look))


def _notes(file: FileOverview, look: Look) -> Iterator[str]:
    if file.causes:
        causes = tuple(phrase(f"cause-{cause}", look.language) for cause in file.causes)
        yield look.say("causes", causes=causes, limit=file.limit or 0)
    if not file.in_context:
        yield look.say("not-in-context")


def _tokens(cost: Cost, look: Look) -> str:
    if cost.tokens is None:
        return look.say("tokens-estimated", estimated=cost.estimated_tokens)
    return look.say("tokens", estimated=cost.estimated_tokens, tokens=cost.tokens)


def _shares(file: FileOverview) -> Mapping[Share, int]:
    """What the budget of the file went to, what found no room in it, and what is left of it, in units."""
    spent: dict[Share, int] = {part: cost.chars for part, cost in file.parts.items()}
    return {**spent, "lost": file.lost_chars, "free": file.headroom or 0}


def _bar(shares: Mapping[Share, int], look: Look) -> str:
    cells = _cells(tuple(shares.values()), look.room - len("[]"))
    return "".join(
        look.paint(SHARE_SIGNS[share] * count, _SHARE_STYLES[share])
        for share, count in zip(shares, cells, strict=True)
    )


def _cells(amounts: Sequence[int], width: int) -> Iterator[int]:
    """The width shared out: a cell for each amount that is not 0, however small, the others in proportion."""
    total = max(sum(amounts), 1)
    to_share = width - sum(amount > 0 for amount in amounts)
    before = shared = 0
    for amount in amounts:
        before += amount
        cells = round(to_share * before / total) - shared
        shared += cells
        yield cells + (amount > 0)


def _entries(file: FileOverview, shares: Mapping[Share, int], look: Look) -> Iterator[_Entry]:
    for share, chars in shares.items():
        name = phrase(f"part-{share}", look.language)
        match share:
            case "lost" | "free":
                text = f"{name} {chars:,}"
            case _:
                text = look.say("part", name=name, chars=chars, tokens=_tokens(file.parts[share], look))
        if chars or share == "lost":
            yield _Entry(SHARE_SIGNS[share], _SHARE_STYLES[share], text)


def _joined(entries: Iterable[_Entry], look: Look) -> Iterator[str]:
    """As many on a line as fit."""
    line, left = "", look.room
    for entry in entries:
        size = cell_len(entry.text) + len("+   ")
        if line and size > left:
            yield line
            line, left = "", look.room
        line += f"{look.paint(entry.sign, entry.style)} {entry.text}  "
        left -= size
    yield line


def _map(file: FileOverview, look: Look) -> Iterator[str]:
    """The headings, and beside each of them a sign for each line below it that is not blank."""
    sections = list(_sections(file))
    number = len(str(len(file.fates)))
    longest = max(cell_len(shown(title)) for _, title, _ in sections)
    title_room = min(longest, look.room * 2 // 5)
    strip_room = look.room - number - title_room - 2 * len(_INDENT)
    per_sign = -(-max(len(marks) for _, _, marks in sections) // strip_room) or 1
    for line, title, marks in sections:
        yield f"{line:>{number}}{_INDENT}{fitted(title, title_room)}{_INDENT}{_strip(marks, per_sign, look)}"
    if per_sign > 1:
        yield look.say("scale", lines=per_sign)


def _sections(file: FileOverview) -> Iterator[tuple[int, str, list[LineMark]]]:
    """First line, heading, and the marks of the lines that are not blank; what stands before any heading too."""
    headings = () if file.file is None else file.file.document.headings
    starts = [(heading.line, f"{'#' * heading.level} {heading.title}") for heading in headings]
    if not starts or starts[0][0] > 1:
        starts.insert(0, (1, ""))
    for (line, title), (after, _) in pairwise([*starts, (len(file.fates) + 1, "")]):
        marks = (_mark(file, number) for number in range(line, after))
        yield line, title, [mark for mark in marks if mark != "blank"]


def _mark(file: FileOverview, line: int) -> LineMark:
    return "lost-rule" if line in file.lost_rules else file.fates[line - 1] or "not-sent"


def _strip(marks: Sequence[LineMark], per_sign: int, look: Look) -> str:
    """A sign for each so many lines: that of the worst of them."""
    worst = (min(marks[at : at + per_sign], key=_WORST_FIRST.index) for at in range(0, len(marks), per_sign))
    return "".join(
        look.paint(LINE_SIGNS[mark] * len(list(run)), _LINE_STYLES[mark]) for mark, run in groupby(worst)
    )


def _source(file: FileOverview, look: Look) -> Iterator[str]:
    """Every line behind its number and its sign; `[-…-]` around what is lost of a line that arrives in part."""
    lines = () if file.file is None else file.file.source.lines
    number = len(str(len(lines)))
    for line, text in enumerate(lines, 1):
        mark = _mark(file, line)
        style = _LINE_STYLES[mark]
        frame = f"{line:>{number}} {look.paint(LINE_SIGNS[mark], style)} | "
        if file.fates[line - 1] in ("cut", "digest-cut"):
            yield frame + "".join(_torn(text, file.held(line), look))
        else:
            yield frame + look.paint(shown(text), "" if mark == "kept" else style.replace("reverse ", ""))


def _torn(text: str, held: Iterable[tuple[int, int]], look: Look) -> Iterator[str]:
    at = 0
    for start, end in (*held, (len(text), len(text))):
        if start > at:
            yield look.paint(f"[-{shown(text[at:start])}-]", FATE_STYLES["dropped"])
        yield look.paint(shown(text[max(at, start) : end]), FATE_STYLES["cut"])
        at = max(at, end)


# --- all session kinds -------------------------------------------------------------------------------------


def _table(views: Sequence[Overview], look: Look) -> Iterator[str]:
    """Who receives what: a row for each file, a column for each session kind."""
    rows = [[("", ""), *((view.session, "bold") for view in views)]]
    rows += (
        [(printable(same[0].name), ""), *map(_cell, same)]
        for same in zip(*(view.files for view in views), strict=True)
    )
    rows += ([(title, "bold"), *((value, "") for value in values)] for title, values in _sums(views, look))
    widths = [max(cell_len(text) for text, _ in column) for column in zip(*rows, strict=True)]
    for (title, style), *cells in rows:
        line = look.paint(title, style) + " " * (widths[0] - cell_len(title))
        for (text, style), width in zip(cells, widths[1:], strict=True):
            line += _INDENT + " " * (width - cell_len(text)) + look.paint(text, style)
        yield line
    yield ""
    yield from _legend(_TABLE_LEGEND, look)
    yield from _token_note(views[0], look)


def _cell(file: FileOverview) -> tuple[str, str]:
    chars = f"{file.injected.chars:,}"
    if not file.injected.chars:
        return LINE_SIGNS["dropped"], _LINE_STYLES["dropped"] if file.is_meant else "dim"
    if file.status != "injected":
        return f"{SHARE_SIGNS['marker']} {chars}", "blue"
    mark: LineMark = "kept" if file.arrives_whole else "cut"
    return f"{LINE_SIGNS[mark]} {chars}", _LINE_STYLES[mark]


def _sums(views: Sequence[Overview], look: Look) -> Iterator[tuple[str, Iterable[str]]]:
    yield look.say("row-rules"), (f"{view.reached}/{view.priority_rules}" for view in views)
    yield look.say("row-lost"), (f"{view.lost_chars:,}" for view in views)
    yield look.say("row-start"), (f"{view.start.chars:,}" for view in views)
    yield look.say("row-estimated"), (f"~{view.start.estimated_tokens:,}" for view in views)
    if encoding := views[0].encoding:
        counts = (view.start.tokens for view in views)
        yield (
            look.say("row-tokens", encoding=encoding),
            ("?" if count is None else f"{count:,}" for count in counts),
        )
