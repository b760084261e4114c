"""Markdown for property tests: texts made of nasty lines, and what markdown-it-py says of a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.rules_block import table

if TYPE_CHECKING:
    from bootlint.blocks import LineKind

_PREFIXES = (
    *("", "", "", "> ", ">", " ", "  ", "   ", "    ", "      ", "\t", "- ", "-   ", "-\t", "* ", "+ "),
    *("1. ", "2. ", "10) ", "> - ", "- > ", ">\t"),
)
_LINES = (
    *(
        "",
        "",
        "",
        "text",
        "text",
        "必须先备份",
        "foo  ",
        "\\# no heading",
        "[link](y)",
        "[ ] task",
        "<",
        "a`b",
    ),
    *("# head", "## head ##", "#", "# ", "######", "####### seven", "#nospace", "===", "==", "=", "---", "-"),
    *("***", "- - -", "__", "___", "_ _ _", "*", "+", "```", "````", "``` sh", "```a`b", "~~~", "~~~ `"),
    *("- item", "* item", "1. one", "2. two", "1.", "0. zero", "123456789. x", "1234567890. x", "- ```"),
    *("> quote", ">", "    code", "\tcode", "| a | b |", "a | b", "|---|---|", "---|---", "|:-:|", "| a |"),
    *(
        "a\\|b|c",
        "<!-- c -->",
        "<!-- open",
        "close -->",
        "a <!-- b --> c",
        "`<!-- no -->`",
        "<!-- a --> <!-- b -->",
    ),
    *("<div>", "</div>", "<pre>", "</pre> x", "<script>", "<hr/>", "<custom>", "<a href='x'>", "<b> inline"),
    *("<?php", "?>", "<!DOCTYPE x>", "<![CDATA[", "]]>", "[a]: /url", '[a]: <u v> "title"', "[a]: b c"),
)

texts = st.builds(
    lambda lines, end: "\n".join(lines) + end,
    st.lists(
        st.builds(
            "{}{}{}".format, st.sampled_from(_PREFIXES), st.sampled_from(_PREFIXES), st.sampled_from(_LINES)
        ),
        min_size=1,
        max_size=9,
    ),
    st.sampled_from(("", "\n")),
)

_MARK = r"(?:[>+*-]|\d+[.)])[ \t]*"
_TABS_BEHIND_MARKS = re.compile(rf"^[ \t]*{_MARK}{_MARK}.*\t", re.MULTILINE)
_MARK_BEHIND_FOUR = re.compile(r" {4}(?:[>#`~+*_<|:-]|\d+[.)])")
_DASHES = re.compile(r"[ >]*[-:|][-:| ]+")
_LEAD = re.compile(r"(?:[ >]|[-+*] |\d+[.)] )*")


def deviates(text: str) -> bool:
    """May `blocks` read one of `texts` otherwise than markdown-it, as its docstring says?"""
    lines = [line.expandtabs(4) for line in text.split("\n")]
    return _TABS_BEHIND_MARKS.search(text) is not None or any(
        before.strip() and (_MARK_BEHIND_FOUR.search(line) or _doubtful_table(before, line))
        for before, line in pairwise(lines)
    )


def _doubtful_table(head: str, dashes: str) -> bool:
    """A head row that a number opens, or that stands further left than what lies below it."""
    if "|" not in head or not _DASHES.fullmatch(dashes):
        return False
    lead = _LEAD.match(head)
    return lead is not None and (
        re.search(r"\d", lead[0]) is not None or lead.end() < len(dashes) - len(dashes.lstrip(" >"))
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """What markdown-it sees, in the terms of `blocks.Blocks`: lines are indexes."""

    kinds: list[LineKind]
    headings: list[tuple[int, int, int]]  # level, first and last line
    items: list[tuple[int, int, bool]]  # first line, last line that is not blank, ordered


@cache
def _parser(tables_first: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 1000}).enable("table").disable("inline")
    if not tables_first:
        parser.block.ruler.disable("table")
        parser.block.ruler.after("heading", "late table", table, {"alt": ["paragraph", "reference"]})
    return parser


_KINDS: dict[str, LineKind] = {
    "fence": "code",
    "code_block": "code",
    "hr": "rule",
    "table_open": "table",
    "heading_open": "heading",
    "paragraph_open": "text",
    "html_block": "html",
}


def reading(text: str, *, tables_first: bool = False) -> Reading:
    r"""What markdown-it says of a text without front matter whose line ends are `\n`.

    Where it tries tables first, as it does by itself, it makes one of a list item above a row of dashes.
    """
    lines = text.removesuffix("\n").split("\n")
    kinds: list[LineKind] = ["text" if line.strip(" \t>") else "blank" for line in lines]
    headings: list[tuple[int, int, int]] = []
    items: list[tuple[int, int, bool]] = []
    for token in _parser(tables_first).parse("\n".join(lines) + "\n"):
        if token.map is None:
            continue
        first, end = token.map
        kind = _KINDS.get(token.type)
        if token.type == "html_block" and re.match(r"\s*<(pre|script)", token.content):
            kind = "code"
        if kind:
            kinds[first:end] = [kind] * (min(end, len(lines)) - first)
        if token.type == "heading_open" and token.level == 0:
            headings.append((int(token.tag[1]), first, end - 1))
        if token.type == "list_item_open":
            items.append((first, end - 1, token.info != ""))
    return Reading(kinds, headings, [_without_blank_end(item, kinds) for item in items])


def _without_blank_end(item: tuple[int, int, bool], kinds: list[LineKind]) -> tuple[int, int, bool]:
    first, last, ordered = item
    while last > first and kinds[last] == "blank":
        last -= 1
    return first, last, ordered
