"""Inside a line or paragraph of Markdown: code, links, tags and comments, which nobody speaks.

Reads CommonMark's inline rules as far as they decide that, from left to right, in linear time. In doubt it
protects: `](target)` counts even where no `[` opens it, and so do bare URLs. Knows no blocks.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from bootlint.lazyre import lazy_pattern
from bootlint.typed import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_ATTRIBUTE = r"""\s++[A-Za-z_:][\w:.-]*+(?:\s*+=\s*+(?:[^"'=<>`\x00-\x20]++|'[^']*+'|"[^"]*+"))?+"""
_NESTED = r"\((?:[^\s()\\]|\\.)*+\)"
_TARGET = rf"<(?:[^<>\\\n]|\\.)*+>|(?!<)(?:[^\s()\\]|\\.|{_NESTED})++"
_TITLE = r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))"""

# Patterns that many files never need: `re` compiles them when they are first used, and keeps them.
# TAG is one whole tag, DEFINITION what follows the indentation of a link definition on one line.
TAG = rf"(?a:<[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*+\s*+/?>|</[A-Za-z][A-Za-z0-9-]*+\s*+>)"
DEFINITION = rf"\[(?!\s*\])(?:[^\[\]\\]|\\.)++\]:[ \t]*+(?P<target>{_TARGET})(?:[ \t]++{_TITLE})?+[ \t]*+$"
_LINK = rf"(?s:\]\(\s*+(?P<target>{_TARGET})?+(?:\s++{_TITLE})?+\s*+\)|\]\[(?:[^\[\]\\]|\\.)*+\](?!\())"
_OTHER_MARKUP = r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+>|<[^\s<>@]++@[A-Za-z0-9.-]++>|<![A-Za-z][^>]*+>"
_REST_OF_URL = r"[!#-;=?-Z\\^_a-{}~]*(?<![.,:;!?'*_)])"

_STOP = lazy_pattern(r"\\.|`+|<|\](?=[(\[:])|https?://")
_ENCLOSED = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))
_MAX_TAG = 500  # a longer one is none: hostile attributes would cost quadratic time


class Piece(NamedTuple):
    """A stretch of a text, in code points. A `link` is the part in brackets behind the link's text."""

    kind: Literal["code", "comment", "html", "link", "url"]
    start: int
    end: int


def pieces(text: str) -> Iterator[Piece]:
    """What is no plain text in one line, paragraph or table cell, in order, none inside another."""
    runs: dict[int, list[int]] = {}
    missing: set[str] = set()
    at = 0
    while stop := _STOP.search(text, at):
        start, at = stop.span()
        mark = text[start]
        piece: Piece | None = None
        if mark == "`":
            piece = _code(text, start, at, runs)
        elif mark == "<":
            piece = _markup(text, start, missing)
        elif mark == "h" and (rest := re.compile(_REST_OF_URL).match(text, at)):
            piece = Piece("url", start, rest.end())
        elif mark == "]" and (link := re.compile(_LINK).match(text, start)):
            piece = Piece("link", at, link.end())
        if piece:
            at = piece.end
            yield piece


def _code(text: str, start: int, end: int, runs: dict[int, list[int]]) -> Piece | None:
    """The code span that the backticks at `start` open. `runs` remembers where runs of each length begin."""
    if not runs:
        for run in re.finditer("`+", text):
            runs.setdefault(len(run[0]), []).append(run.start())
    closers = runs.get(end - start, [])
    index = bisect_left(closers, end)
    return Piece("code", start, closers[index] + end - start) if index < len(closers) else None


def _markup(text: str, start: int, missing: set[str]) -> Piece | None:
    """The tag, comment or `<autolink>` at `start`. `missing` remembers the ends that the rest lacks."""
    for opening, closing in _ENCLOSED:
        if text.startswith(opening, start):
            end = -1 if closing in missing else text.find(closing, start + 2)
            if end < 0:
                missing.add(closing)
                return None
            return Piece("comment" if opening == "<!--" else "html", start, end + len(closing))
    limit = start + _MAX_TAG
    tag = re.compile(TAG).match(text, start, limit) or re.compile(_OTHER_MARKUP).match(text, start, limit)
    return Piece("html", start, tag.end()) if tag else None


def protected_spans(line: str) -> tuple[tuple[int, int], ...]:
    """What no fix may touch in a line and where no word is spoken: offsets in code points, in order.

    Code spans, link and image targets, autolinks, bare URLs, tags, comments. A comment that is left open is
    protected to the line's end; where it ends, `Document.comments` knows. Code across lines is not seen.
    """
    if _STOP.search(line) is None:
        return ()
    if (definition := _defined_target(line)) is not None:
        return ((definition[0], len(line)),)
    spans = [(piece.start, piece.end) for piece in pieces(line)]
    opened = line.rfind("<!--")
    if opened >= 0 and "-->" not in line[opened:] and not any(start < opened < end for start, end in spans):
        spans = [span for span in spans if span[0] < opened] + [(opened, len(line))]
    return tuple(spans)


def targets(line: str) -> Iterator[tuple[int, int]]:
    """Where the targets of a line's inline links, or of its link definition, stand."""
    if (definition := _defined_target(line)) is not None:
        yield definition
        return
    for piece in pieces(line):
        link = re.compile(_LINK).match(line, piece.start - 1) if piece.kind == "link" else None
        if link and link["target"]:
            yield link.span("target")


def _defined_target(line: str) -> tuple[int, int] | None:
    """The target of a line that means to define a link. `[重要]: 必须先备份` is a rule, `[^1]: x` a note."""
    start = len(line) - len(line.lstrip(" >"))
    if not line.startswith("[", start) or line.startswith("[^", start):
        return None
    definition = re.compile(DEFINITION).match(line, start)
    if definition is None or not (
        definition["target"].isascii() and re.search("[/.#:]", definition["target"])
    ):
        return None
    return definition.span("target")
