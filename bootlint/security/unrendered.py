"""Orders where a reader of the rendered page does not see them: in comments, hidden elements and link definitions.

The model receives a file as it is written. Knows no rule: whether somebody hides an order or keeps a note to
himself, it cannot tell.
"""

from __future__ import annotations

import re

from bootlint.diagnostics import Span
from bootlint.inline import DEFINITION, pieces
from bootlint.readings import once_a_file
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.workspace import TextFile


@once_a_file
def find(file: TextFile) -> tuple[Span, ...]:
    """What commands or forbids there, line by line, in no particular order."""
    from bootlint.language import read_line

    text = file.source.text
    lines = dict.fromkeys(span for place in _places(file) for span in _lines_of(text, place))
    return tuple(span for span in lines if read_line(text[span.start : span.end]).is_priority)


def _places(file: TextFile) -> Iterator[Span]:
    text = file.source.text
    for comment in file.document.comments:
        if re.compile(r"<!--\s*bootlint\s*:").match(text, comment.start) is None:
            yield Span(comment.start + len("<!--"), comment.end)
    yield from _definitions(file)
    yield from _hidden_elements(file)


_AROUND = "#<>()\"' \t\r-"  # the marks of a definition and of a comment, and a list's


def _lines_of(text: str, place: Span) -> Iterator[Span]:
    at = place.start
    for line in text[place.start : place.end].split("\n"):
        start = at + len(line) - len(line.lstrip(_AROUND))
        yield Span(start, max(start, at + len(line.rstrip(_AROUND))))
        at += len(line) + 1


def _definitions(file: TextFile) -> Iterator[Span]:
    r"""Targets and titles: `[//]: # (Always …)` is a comment to many."""
    definition = re.compile(rf"[\s>]*+{DEFINITION}")
    for line in file.document.prose_lines():
        match = definition.match(file.source.lines[line - 1])
        if match is not None:
            start = file.source.line_starts[line - 1]
            yield Span(start + match.start("target"), start + match.end())


_WITHOUT_TEXT = "br|hr|img|input|link|meta|source|wbr"
_LONGEST_TAG = 500
_HIDING = r"""\shidden(?=[\s=/]|$)|\sstyle\s*=[^>]*?(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0)"""


def _hidden_elements(file: TextFile) -> Iterator[Span]:
    text = _without_code(file)
    opening = re.compile(
        rf"(?i)<(?!(?:{_WITHOUT_TEXT})\b)(?P<tag>[a-z][a-z0-9-]*+)(?P<rest>\s[^<>]{{0,{_LONGEST_TAG}}}+)>"
    )
    hiding = re.compile(rf"(?i){_HIDING}")
    at = 0
    while match := opening.search(text, at):
        at = match.end()
        if hiding.search(match["rest"]):
            closing = re.compile(rf"(?i)</{match['tag']}\s*>").search(text, at)
            end = len(text) if closing is None else closing.start()
            yield Span(at, end)
            at = end


def _without_code(file: TextFile) -> str:
    """The text, with blanks for each code point of code."""
    lines = file.source.text.split("\n")
    for at, kind in enumerate(file.document.kinds):
        if kind == "code":
            lines[at] = " " * len(lines[at])
        elif "`" in lines[at]:
            lines[at] = _without_code_spans(lines[at])
    return "\n".join(lines)


def _without_code_spans(line: str) -> str:
    parts: list[str] = []
    last = 0
    for piece in pieces(line):
        if piece.kind == "code":
            parts += (line[last : piece.start], " " * (piece.end - piece.start))
            last = piece.end
    return "".join((*parts, line[last:]))
