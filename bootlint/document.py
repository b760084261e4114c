"""A bootstrap file as Markdown: the kind of each line, headings and their sections, list items, comments.

Owns the outline of a file, with true places in its text. What is a block, `blocks` decides; what stands in a
line, `inline`. markdown-it is asked only to prove that a change keeps the structure. Knows no rule.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise

from bootlint.blocks import Blocks, LineKind, scan
from bootlint.diagnostics import Span
from bootlint.inline import pieces, protected_spans, targets
from bootlint.records import record
from bootlint.source import SourceText
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = [
    "Document",
    "Heading",
    "Item",
    "LineKind",
    "anchor",
    "link_targets",
    "protected_spans",
    "same_structure",
]

_BOM = "\ufeff"
_SILENT: frozenset[LineKind] = frozenset(("blank", "code", "comment", "front-matter", "rule"))


@record
class Heading:
    """A heading outside quotes and list items, ATX or underlined. Lines are 1-based."""

    level: int
    title: str  # Markdown, without the marks; the lines of an underlined one joined by spaces
    line: int
    span: Span  # of the title in the file, in code points
    end_line: int  # the last line of its section, before the next heading of the same or a higher level


@record
class Item:
    """A list item, also one in a quote or in another item. Lines are 1-based, offsets in its first line."""

    line: int
    end_line: int  # its last line that is not blank, those of nested items included
    indent: int  # where its marker stands: `line[:indent]` is indentation, `>` and outer markers
    task: bool
    ordered: bool


@record(lazy=True)
class Document:
    """What a file says to a Markdown reader. A byte order mark is no part of its first line."""

    source: SourceText
    kinds: tuple[LineKind, ...]  # by line, index 0 is line 1; `comment`: nothing else stands on the line
    comments: tuple[Span, ...]  # outside code; one that is never closed runs to the end of its HTML block
    front_matter: tuple[int, int] | None  # its first and last line, 1-based
    _blocks: Blocks

    @classmethod
    def parse(cls, source: SourceText) -> Document:
        lines = source.lines
        if lines[0].startswith(_BOM):
            lines = [lines[0][1:], *lines[1:]]
        front = _front_matter(lines)
        blocks = scan(lines, front)
        comments = tuple(_comments(source, blocks)) if "<!--" in source.text else ()
        kinds = _with_comments(source, blocks.kinds, comments) if comments else blocks.kinds
        return cls(source, tuple(kinds), comments, (1, front) if front else None, blocks)

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """In order."""
        found = self._blocks.headings
        ends = [len(self.kinds)] * len(found)
        open_ones: list[int] = []
        for index, (level, first, _) in enumerate(found):
            while open_ones and found[open_ones[-1]][0] >= level:
                ends[open_ones.pop()] = first
            open_ones.append(index)
        return tuple(self._heading(*heading, end) for heading, end in zip(found, ends, strict=True))

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """In order of their markers."""
        return tuple(
            self._item(*item, end)
            for item, end in zip(self._blocks.items, self._blocks.item_ends, strict=True)
        )

    @cached_property
    def item_starts(self) -> frozenset[int]:
        """The 1-based lines in which a list item begins."""
        return frozenset(item.line for item in self.items)

    @cached_property
    def lines_in_items(self) -> frozenset[int]:
        """The 1-based lines of list items, from their markers to their last lines that are not blank."""
        lines: set[int] = set()
        reached = 0
        for item in self.items:
            lines.update(range(max(item.line, reached + 1), item.end_line + 1))
            reached = max(reached, item.end_line)
        return frozenset(lines)

    def prose_lines(self) -> Iterator[int]:
        """The 1-based numbers of the lines in which an author can speak."""
        return (line for line, kind in enumerate(self.kinds, 1) if kind not in _SILENT)

    def _heading(self, level: int, first: int, last: int, end_line: int) -> Heading:
        underlined = last > first
        start = self.source.line_starts[first]
        text = self.source.text[start : self.source.line_span(last if underlined else last + 1).end]
        at, title = _inner(text) if underlined else _inside_marks(text, level)
        span = Span(start + at, start + at + len(title))
        return Heading(level, " ".join(map(str.strip, title.split("\n"))), first + 1, span, end_line)

    def _item(self, number: int, marker: int, content: int, ordered: bool, end: int) -> Item:
        line = self.source.lines[number]
        start = _offset(line, marker)
        text = _offset(line, content)
        task = re.match(r"\[[ xX]\](?=\s|$)", line[text:]) is not None
        return Item(number + 1, end + 1, start, task, ordered)


def link_targets(text: str) -> tuple[tuple[Span, str], ...]:
    """The targets of links that name a heading (`#rules`, `TOOLS.md#git`), with their places in the file."""
    document = Document.parse(SourceText(text))
    found: list[tuple[Span, str]] = []
    for line in document.prose_lines():
        start = document.source.line_starts[line - 1]
        for first, last in targets(document.source.lines[line - 1]):
            span = Span(start + first, start + last)
            if "#" in text[span.start : span.end]:
                found.append((span, text[span.start : span.end]))
    return tuple(found)


def anchor(title: str, seen: dict[str, int]) -> str:
    """The fragment by which GitHub links a heading. `seen` knows the file's earlier ones and learns this."""
    import unicodedata

    plain = re.sub(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])", r"\1", title).strip().lower()
    kept = (
        char
        for char in plain
        if char in " -" or unicodedata.category(char)[0] in "LM" or char.isdecimal() or char == "_"
    )
    base = name = "".join(kept).replace(" ", "-")
    while name in seen:
        seen[base] += 1
        name = f"{base}-{seen[base]}"
    seen[name] = 0
    return name


def same_structure(before: str, after: str) -> bool:
    """Does Markdown read two texts as the same tree, words aside?

    Blocks, their nesting, tight and loose lists, emphasis, links and their targets, tables, and to the letter
    what code, HTML and front matter hold. False as well where nesting is too deep to tell.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable(["table", "strikethrough"])
    tree = _tree(parser, before)
    return tree is not None and tree == _tree(parser, after)


_MAX_NESTING = 40
_LITERAL = frozenset(("fence", "code_block", "code_inline", "html_block", "html_inline"))


def _tree(parser: MarkdownIt, text: str) -> tuple[object, ...] | None:
    """What `same_structure` compares. None: nested too deep."""
    lines = SourceText(text.removeprefix(_BOM)).lines
    front = _front_matter(lines)
    definitions: dict[str, dict[str, dict[str, object]]] = {}
    body = "\n".join(lines[front:]).replace("\r", "\u240d")  # markdown-it would end a line there
    tokens = parser.parse(body, definitions)
    if any(token.level >= _MAX_NESTING - 1 for token in tokens):
        return None
    references = definitions.get("references", {})
    links = {label: (reference["href"], reference["title"]) for label, reference in references.items()}
    return lines[:front], links, _nodes(tokens)


def _nodes(tokens: list[Token]) -> tuple[object, ...]:
    return tuple(
        (
            token.type,
            token.tag,
            token.nesting,
            token.attrs,
            token.info,
            token.hidden,  # a paragraph of a tight list
            token.content if token.type in _LITERAL else "",
            _nodes(token.children or []),
        )
        for token in tokens
        if token.type != "text"
    )


_YAML_LINE = r"(?P<key>[^\s#>|*`:\[{-][^:]*:(?:\s|$))|\s|-(?:\s|$)|#|[\]}]|$"


def _front_matter(lines: list[str]) -> int:
    """How many lines at the start are YAML between `---` and `---` or `...`: none if it holds no key."""
    if lines[0].rstrip() != "---":
        return 0
    keyed = False
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() in ("---", "..."):
            return number if keyed else 0
        match = re.match(_YAML_LINE, line)
        if match is None:
            return 0
        keyed = keyed or match["key"] is not None
    return 0


def _comments(source: SourceText, blocks: Blocks) -> Iterator[Span]:
    """The HTML comments of every block that can hold one."""
    for first, following in pairwise([*blocks.starts, len(blocks.kinds)]):
        last = first
        while last + 1 < following and blocks.kinds[last + 1] == blocks.kinds[first]:
            last += 1
        start = source.line_starts[first]
        text = source.text[start : source.line_span(last + 1).end]
        if "<!--" in text:
            for at, end in _comments_in(text, blocks.kinds[first]):
                yield Span(start + at, start + end)


def _comments_in(text: str, kind: LineKind) -> Iterator[tuple[int, int]]:
    if kind == "html":
        at = text.find("<!--")
        while at >= 0:
            closer = text.find("-->", at + 2)
            end = closer + 3 if closer >= 0 else len(text)
            yield at, end
            at = text.find("<!--", end)
        return
    at = 0
    for part in re.split(r"(?<!\\)\|", text) if kind == "table" else [text]:
        for piece in pieces(part):
            if piece.kind == "comment":
                yield at + piece.start, at + piece.end
        at += len(part) + 1


_SILENT_REST = r"[\s>]*(?:(?:[-+*]|\d+[.)])\s+)*"  # what may stand beside a comment without saying anything


def _with_comments(source: SourceText, kinds: list[LineKind], comments: tuple[Span, ...]) -> list[LineKind]:
    """`kinds`, with the lines that hold nothing but comments called so."""
    masked: list[str] = []
    at = 0
    for span in comments:
        masked += (source.text[at : span.start], re.sub(r"[^\n]", " ", source.text[span.start : span.end]))
        at = span.end
    lines = SourceText("".join((*masked, source.text[at:]))).lines
    touched = (
        line
        for span in comments
        for line in range(source.line_of(span.start) - 1, source.line_of(span.end - 1))
    )
    kinds = list(kinds)
    for line in dict.fromkeys(touched):
        if kinds[line] in ("text", "html") and re.fullmatch(_SILENT_REST, lines[line]):
            kinds[line] = "comment"
    return kinds


def _inside_marks(text: str, level: int) -> tuple[int, str]:
    """The title of an ATX heading and its offset in the line."""
    start, line = _inner(text)
    body = line[level:]
    unclosed = body.rstrip("#")
    if not unclosed or unclosed[-1] in " \t":
        body = unclosed
    at, title = _inner(body)
    return start + level + at, title


def _inner(text: str) -> tuple[int, str]:
    """`text` without the blanks around it, and the offset at which it begins."""
    inner = text.lstrip(_BOM + " \t")
    return len(text) - len(inner), inner.rstrip()


def _offset(line: str, column: int) -> int:
    """The offset of what stands at a column of the line, its tabs expanded and its byte order mark away."""
    at = len(_BOM) if line.startswith(_BOM) else 0
    if "\t" not in line:
        return at + column
    reached = 0
    while reached < column:
        reached += 4 - reached % 4 if line[at] == "\t" else 1
        at += 1
    return at
