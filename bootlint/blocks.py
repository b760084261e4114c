r"""The blocks of a Markdown file, line by line: one linear pass without a library (start-up time).

Owns CommonMark's block rules and GFM's tables. Knows nothing inside a line, and no rule of bootlint. The
tests hold it equal to markdown-it-py, except for these deviations, each of them rare and harmless:

- A lone `\r` ends no line: OpenClaw and SourceText see none.
- A link definition is known only when it stands on one line. Broken over several it is text as well, but an
  underline or indented code directly below is then taken for its paragraph's.
- A table starts where a paragraph could (GFM): `- a | b` above `---|---` stays a list item; markdown-it tries
  tables first. A line that continues the paragraph of an item that it does not reach is no head row.
- A line indented by four that its list item or quote does not reach continues their paragraph (CommonMark).
  markdown-it calls `    # x` below `   - item` code.
- Tabs behind two list or quote marks on one line end at CommonMark's columns. markdown-it miscounts.
- Nesting ends at 100 levels, deeper marks are text. markdown-it drops the rest of the file after 20.
"""

from __future__ import annotations

import re

from bootlint.inline import DEFINITION, TAG
from bootlint.lazyre import lazy_pattern
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LineKind = Literal["blank", "text", "heading", "table", "rule", "html", "code", "comment", "front-matter"]

_MAX_DEPTH = 100

# What the line before leaves open. Order matters: up to TEXT the next line may be plain text.
_NOTHING, _TEXT, _TABLE, _INDENTED, _FENCE, _HTML = range(6)

_BLOCK_TAGS = (
    " address article aside base basefont blockquote body caption center col colgroup dd details dialog"
    " dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header"
    " hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search"
    " section summary table tbody td tfoot th thead title tr track ul "
)
_RAW_TAGS = ("script", "pre", "style", "textarea")
_RAW_ENDS = tuple(f"</{tag}>" for tag in _RAW_TAGS)
_OTHER_HTML = (("<!--", "-->"), ("<?", "?>"), ("<![cdata[", "]]>"))
_TAG_NAME = lazy_pattern(r"</?([a-z][a-z0-9]*)(?=\s|/?>|$)")

_ITEM = lazy_pattern(r"([-+*]|[0-9]{1,9}[.)])(?: +|$)")
_HEADING = lazy_pattern(r"(#{1,6})(?: |$)")
_FENCE_START = lazy_pattern(r"(`{3,}+)[^`]*$|(~{3,}+)")
_RULE = lazy_pattern(r"(?:(?:- *+){3,}+|(?:_ *+){3,}+|(?:\* *+){3,}+)$")
_UNDERLINE = lazy_pattern(r"(?:=+|-+) *$")
_PIPE = lazy_pattern(r"(?<!\\)\|")
_DELIMITERS = lazy_pattern(r"[ \t>]*+[-:|][-:| \t]++$")


@record
class Blocks:
    """What `scan` saw. Lines are indexes, columns are those of the line with its tabs expanded."""

    kinds: list[LineKind]  # by line; never `comment`: that is for who looks inside
    starts: list[int]  # the first lines of paragraphs, headings, table rows and HTML
    headings: list[tuple[int, int, int]]  # outside quotes and items: level, first and last line
    items: list[tuple[int, int, int, bool]]  # line, column of the marker, column of the content, ordered
    item_ends: list[int]  # by item: its last line that is not blank


def scan(lines: Sequence[str], first: int = 0) -> Blocks:
    """The blocks of `lines` (without line ends) from the index `first` on; before it stands front matter."""
    return _Scanner(lines, first).run()


class _Scanner:
    def __init__(self, lines: Sequence[str], first: int) -> None:
        self.lines = lines
        self.kinds: list[LineKind] = ["front-matter"] * first
        self.starts: list[int] = []
        self.headings: list[tuple[int, int, int]] = []
        self.items: list[tuple[int, int, int, bool]] = []
        self.item_ends: list[int] = []
        self.widths: list[int] = []  # of the open containers: the columns that an item takes, 0 for a quote
        self.owners: list[int] = []  # their items, -1 for a quote
        self.leaf = _NOTHING
        self.leaf_start = 0
        self.fence = ""
        self.html_ends: tuple[str, ...] = ()  # none: a blank line
        self.html_kind: LineKind = "html"
        self.empty_item = -1  # the line of an item that has no content yet
        # The line in hand: its index, its text, how many containers it reaches, where their content begins,
        # and where its own text does.
        self.number = first
        self.line = ""
        self.depth = self.base = self.at = 0

    def run(self) -> Blocks:
        lines = self.lines
        add = self.kinds.append
        widths = self.widths
        for number in range(self.number, len(lines)):
            self.number = number
            line = lines[number]
            if not line:
                self.depth = widths.index(0) if 0 in widths else len(widths)
                add(self._blank())
            elif not widths and self.leaf <= _TEXT and line[0] not in _MARKS and "|" not in line:
                add(self._text())
            else:
                self.line = line.expandtabs(4) if "\t" in line else line
                self.depth, self.base, self.at = self._reach(self.line) if line[0] in " \t>" else (0, 0, 0)
                add(self._blank() if self.at == len(self.line) else self._filled())
        self.number = len(lines)
        self._close(0)
        return Blocks(self.kinds, self.starts, self.headings, self.items, self.item_ends)

    def _reach(self, line: str) -> tuple[int, int, int]:
        """How many open containers the line belongs to, where their content begins, where its text does."""
        end = len(line)
        at = end - len(line.lstrip(" "))
        base = depth = 0
        for width in self.widths:
            if width:
                if at - base < width and at < end:
                    break
                base += width
            elif line.startswith(">", at):
                base, at = _inside_quote(line, at)
            else:
                break
            depth += 1
        return depth, base, at

    def _blank(self) -> LineKind:
        if self.empty_item == self.number - 1 and self.depth == len(self.widths):
            self.depth -= 1
        if self.depth < len(self.widths):
            self._close(self.depth)
        elif self.leaf == _FENCE:
            return "code"
        elif self.leaf == _HTML and self.html_ends:
            return self.html_kind
        elif self.leaf != _INDENTED:
            self.leaf = _NOTHING
        return "blank"

    def _filled(self) -> LineKind:
        if self.leaf != _TEXT and self.depth < len(self.widths):
            self._close(self.depth)  # only a paragraph goes on where its item or quote does not
        elif self.leaf > _TEXT and (kind := self._inside()):
            return kind
        while self.line[self.at] in _CONTAINERS and self.at - self.base < 4 and self._opens_container():
            if self.at == len(self.line):
                return "text" if self.items and self.items[-1][0] == self.number else "blank"
        return self._leaf()

    def _inside(self) -> LineKind | None:
        """The kind of a line that open code, HTML or a table's head takes; None if it may be anything."""
        if self.leaf == _FENCE:
            if self.at - self.base < 4 and self._closes_fence():
                self.leaf = _NOTHING
            return "code"
        if self.leaf == _HTML:
            text = self.line[self.at :].lower()
            if any(end in text for end in self.html_ends):
                self.leaf = _NOTHING
            return self.html_kind
        if self.leaf == _INDENTED:
            if self.at - self.base >= 4:
                return self._code()
            self.leaf = _NOTHING
        elif self.number == self.leaf_start + 1:
            return "table"  # the row of dashes, whatever it looks like
        return None

    def _closes_fence(self) -> bool:
        mark = self.line[self.at :].rstrip(" ")
        return len(mark) >= len(self.fence) and not mark.strip(self.fence[0])

    def _opens_container(self) -> bool:
        if self.depth >= _MAX_DEPTH:
            return False
        line, at = self.line, self.at
        if line[at] == ">":
            self._close(self.depth)
            self.base, self.at = _inside_quote(line, at)
            self._push(0, -1)
            return True
        marker = _ITEM.match(line, at)
        if marker is None:
            return False
        end = marker.end()
        empty = end == len(line)
        if (empty and self._underlines()) or (line.startswith(line[at], end) and _RULE.match(line, at)):
            return False
        number = marker[1][:-1]
        if (empty or int(number or 1) != 1) and self.leaf == _TEXT and self.depth == len(self.widths):
            return False  # may not interrupt the paragraph
        self._close(self.depth)
        content = end if not empty and end - marker.end(1) <= 4 else marker.end(1) + 1
        self._push(content - self.base, len(self.items))
        self.items.append((self.number, at, end, number != ""))
        self.item_ends.append(self.number)
        self.base, self.at = content, end
        if empty:
            self.empty_item = self.number
            self.starts.append(self.number)
        return True

    def _push(self, width: int, owner: int) -> None:
        self.widths.append(width)
        self.owners.append(owner)
        self.depth += 1

    def _close(self, depth: int) -> None:
        """End the open leaf and all containers but the first `depth`."""
        self.leaf = _NOTHING
        if depth < len(self.widths):
            items = [owner for owner in self.owners[depth:] if owner >= 0]
            last = self.number - 1
            while items and self.kinds[last] == "blank":
                last -= 1
            for item in items:
                self.item_ends[item] = last
            del self.widths[depth:], self.owners[depth:]

    def _leaf(self) -> LineKind:
        if self.at - self.base >= 4:
            return self._text() if self.leaf == _TEXT else self._code()
        opener = _OPENERS.get(self.line[self.at])
        if opener and (kind := opener(self)):
            return kind
        if "|" in self.line and self.leaf != _TABLE and self._starts_table():
            self._close(self.depth)
            self.leaf = _TABLE
            self.leaf_start = self.number
        if self.leaf == _TABLE:
            self.starts.append(self.number)
            return "table"
        return self._text()

    def _text(self) -> LineKind:
        if self.leaf != _TEXT:
            self._close(self.depth)
            self.leaf = _TEXT
            self.leaf_start = self.number
            self.starts.append(self.number)
        return "text"

    def _code(self) -> LineKind:
        """A line of indented code; blank lines between two of them are code as well."""
        if self.leaf == _INDENTED:
            for number in range(self.leaf_start, self.number):
                self.kinds[number] = "code"
        else:
            self._close(self.depth)
            self.leaf = _INDENTED
        self.leaf_start = self.number
        return "code"

    def heading(self) -> LineKind | None:
        mark = _HEADING.match(self.line, self.at)
        if mark is None:
            return None
        self._close(self.depth)
        self.starts.append(self.number)
        if not self.widths:
            self.headings.append((len(mark[1]), self.number, self.number))
        return "heading"

    def _underlines(self) -> bool:
        return (
            self.leaf == _TEXT
            and self.depth == len(self.widths)
            and _UNDERLINE.match(self.line, self.at) is not None
        )

    def underline(self) -> LineKind | None:
        """The line under a heading: makes the paragraph above one."""
        if not self._underlines():
            return None
        for number in range(self.leaf_start, self.number):
            self.kinds[number] = "heading"
        if not self.widths:
            self.headings.append((1 if self.line[self.at] == "=" else 2, self.leaf_start, self.number))
        self.leaf = _NOTHING
        return "heading"

    def rule(self) -> LineKind | None:
        if not _RULE.match(self.line, self.at):
            return None
        self._close(self.depth)
        return "rule"

    def underline_or_rule(self) -> LineKind | None:
        return self.underline() or self.rule()

    def fence_start(self) -> LineKind | None:
        mark = _FENCE_START.match(self.line, self.at)
        if mark is None:
            return None
        self._close(self.depth)
        self.leaf = _FENCE
        self.fence = mark[1] or mark[2]
        return "code"

    def html_start(self) -> LineKind | None:
        text = self.line[self.at :].lower()
        if (ends := _html_ends(text, may_be_any_tag=self.leaf == _NOTHING)) is None:
            return None
        self._close(self.depth)
        self.html_ends = ends
        self.html_kind = "code" if ends is _RAW_ENDS else "html"
        if self.html_kind == "html":
            self.starts.append(self.number)
        if not any(end in text for end in ends):
            self.leaf = _HTML
        return self.html_kind

    def definition(self) -> LineKind | None:
        if self.leaf != _NOTHING or not re.compile(DEFINITION).match(self.line, self.at):
            return None
        self._close(self.depth)
        self.starts.append(self.number)
        return "text"

    def _starts_table(self) -> bool:
        """Is the next line a row of `---|:-:` with as many cells as this one?"""
        following = self.lines[self.number + 1 : self.number + 2]
        if self.depth < len(self.widths) or not following or not _DELIMITERS.match(following[0]):
            return False
        line = following[0].expandtabs(4)
        depth, base, at = self._reach(line)
        if depth < self.depth or at - base >= 4:
            return False
        return _columns(line[at:]) == _cells(self.line[self.at :]) > 0


def _cells(row: str) -> int:
    """How many cells a table row has: a pipe at either end stands for none."""
    parts = _PIPE.split(row.strip())
    return len(parts) - (not parts[0]) - (len(parts) > 1 and not parts[-1])


def _columns(delimiters: str) -> int:
    """How many columns the row under a table's head declares; 0 if it is no such row."""
    if delimiters[:2].strip() == "-":
        return 0
    parts = [part.strip(" ") for part in delimiters.split("|")]
    if not all(parts[1:-1]):
        return 0
    declared = [part for part in parts if part]
    return len(declared) if all(re.fullmatch(":?-+:?", part) for part in declared) else 0


def _html_ends(text: str, *, may_be_any_tag: bool) -> tuple[str, ...] | None:
    """What ends the HTML that the lower-case `text` starts, () for a blank line. None: it starts none."""
    for start, end in _OTHER_HTML:
        if text.startswith(start):
            return (end,)
    if text[:2] == "<!" and "a" <= text[2:3] <= "z":
        return (">",)
    name = _TAG_NAME.match(text)
    if name and name[1] in _RAW_TAGS and text[name.end() : name.end() + 1] != "/" and text[1] != "/":
        return _RAW_ENDS
    if name and f" {name[1]} " in _BLOCK_TAGS:
        return ()
    tag = re.match(TAG, text) if may_be_any_tag else None
    return () if tag and not text[tag.end() :].strip() else None


def _inside_quote(line: str, at: int) -> tuple[int, int]:
    """Where a quote's content begins whose `>` stands at `at`, and where its text does."""
    base = at + 2 if line.startswith(" ", at + 1) else at + 1
    return base, len(line) - len(line[base:].lstrip(" "))


_OPENERS: dict[str, Callable[[_Scanner], LineKind | None]] = {
    "#": _Scanner.heading,
    "`": _Scanner.fence_start,
    "~": _Scanner.fence_start,
    "=": _Scanner.underline,
    "-": _Scanner.underline_or_rule,
    "_": _Scanner.rule,
    "*": _Scanner.rule,
    "<": _Scanner.html_start,
    "[": _Scanner.definition,
}
_CONTAINERS = frozenset(">-+*0123456789")
_MARKS = _CONTAINERS | frozenset(_OPENERS) | frozenset(" \t")
