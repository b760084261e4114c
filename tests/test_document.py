"""The outline of a file, comments and front matter, and the proof that a change keeps the structure."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bootlint.document import Document, Item, anchor, link_targets, same_structure
from bootlint.source import SourceText
from linear_time import assert_linear
from markdown_texts import deviates, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from markdown_it.token import Token


def parse(text: str) -> Document:
    return Document.parse(SourceText(text))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", "blank"),
        ("必须先备份\n\n   \n\u3000", "text blank blank text"),
        ("\ufeff# Title\r\ntext\r\n", "heading text"),
        ("a\rb\n# c", "text heading"),
        ("```\r\n# no\r\n```\r\ntext", "code code code text"),
        ("~~~\n```\n\n~~~~ \ntext", "code code code code text"),
        ("````\n```\nunclosed", "code code code"),
        ("- ```\n  code\nafter", "code code text"),
        ("> ```\n> code\nafter", "code code text"),
        ("- > ~~~\n  > code\n\n  text", "code code blank text"),
        ("text\n    lazy\n\n    code\n\n    code\n\ntext", "text text blank code code code blank text"),
        ("- item\n\n      code\n\n    text", "text blank code blank text"),
        ("- item\n\n\tcode?\n\t\tcode", "text blank text text"),
        ("> quote\nlazy\n>\n\nout", "text text blank blank text"),
        ("Title\n===\ntwo\nlines\n---\n***", "heading heading heading heading heading rule"),
        ("#no\n##\n####### no\n    # code", "text heading text text"),
        ("| a | b |\n|---|:-:|\nrow\n\ntext", "table table table blank text"),
        ("a | b\n---|---|---\ntext", "text text text"),
        ("| a |\n- |", "text text"),
        ("| a |\n---\n| b |\n---", "table table table rule"),
        ("| a | b | c |\n|---||---|", "text text"),
        ("<div>\n必须\n\ntext", "html html blank text"),
        ("<b>bold</b> text\n<b>\ntext", "text text text"),
        ("<pre>\n\n# no\n</pre>\ntext", "code code code code text"),
        ("<!-- a\n\nb -->\ntext", "comment comment comment text"),
        ("<!-- a --> text\n- <!-- b -->\n> <!-- c --> <!-- d -->", "html comment comment"),
        ("text <!-- a\nb\n--> text", "text comment text"),
        ("<div>\n<!-- a -->\n</div>", "html comment html"),
        ("<!-- open\n\ntext", "comment comment comment"),
        ("```\n<!-- a -->\n```", "code code code"),
        ("---\nname: x\n---\n# a", "front-matter front-matter front-matter heading"),
    ],
)
def test_kinds(text: str, kinds: str) -> None:
    assert parse(text).kinds == tuple(kinds.split())


def test_an_author_speaks_in_prose_headings_tables_and_html() -> None:
    text = "---\nk: v\n---\n# a\n\nb\n***\n| c |\n|---|\n<p>\n\n```\n```\n<!-- d -->\n"
    assert list(parse(text).prose_lines()) == [4, 6, 8, 9, 10]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# a", [(1, "a", 1, 1)]),
        ("\ufeff  ##\t红线 ## \r\n", [(2, "红线", 1, 1)]),
        ("# a #b# \n# a\\#\n#\n## ##", [(1, "a #b#", 1, 1), (1, "a\\#", 2, 2), (1, "", 3, 4), (2, "", 4, 4)]),
        ("one\n  two\n===\nx\n-\n", [(1, "one two", 1, 5), (2, "x", 4, 5)]),
        ("## a\n# b\n### c\n## d\n\n", [(2, "a", 1, 1), (1, "b", 2, 5), (3, "c", 3, 3), (2, "d", 4, 5)]),
        ("> # quoted\n- # item\n```\n# code\n```\n<!--\n# comment\n-->", []),
        ("---\n# yaml: 1\nk: v\n---\n# a", [(1, "a", 5, 5)]),
    ],
)
def test_headings(text: str, found: list[tuple[int, str, int, int]]) -> None:
    headings = parse(text).headings
    assert [(heading.level, heading.title, heading.line, heading.end_line) for heading in headings] == found
    for heading in headings:
        assert re.sub(r"\s+", " ", text[heading.span.start : heading.span.end]) == heading.title


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- a\n  b\nlazy\n\n\nout", ["|- a|1-3"]),
        ("1. a\n   - b\n\n   c\n2) d", ["|1. a|1-4 ordered", "   |- b|2-2", "|2) d|5-5 ordered"]),
        ("- - a", ["|- - a|1-1", "- |- a|1-1"]),
        ("> *\tb\n>\n", ["> |*\tb|1-1"]),
        ("-\t1.\ta", ["|-\t1.\ta|1-1", "-\t|1.\ta|1-1 ordered"]),
        ("- [ ] a\n- [x]\n- [x]b\n+", ["|- [ ] a|1-1 task", "|- [x]|2-2 task", "|- [x]b|3-3", "|+|4-4"]),
        ("\ufeff- a\r\n", ["\ufeff|- a|1-1"]),
        ("-       code", ["|-       code|1-1"]),
        ("- ```\n  - no\n\n  \nout", ["|- ```|1-4"]),
        ("text\n2. no\n-\n", []),
    ],
)
def test_items(text: str, found: list[str]) -> None:
    document = parse(text)
    assert [_drawn(item, document.source.lines[item.line - 1]) for item in document.items] == found


def test_lines_of_items() -> None:
    document = parse("text\n- a\n\n  - b\n    c\n\n> - d\n")
    assert document.item_starts == {2, 4, 7}
    assert document.lines_in_items == {2, 3, 4, 5, 7}


def _drawn(item: Item, line: str) -> str:
    parts = (line[: item.indent], line[item.indent :])
    words = f"{item.line}-{item.end_line}" + " task" * item.task + " ordered" * item.ordered
    return "|".join((*parts, words))


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("<!-- a --> b <!-- c -->", ["<!-- a -->", "<!-- c -->"]),
        ("# a <!-- b -->\n| c <!-- d --> | e |\n|---|---|", ["<!-- b -->", "<!-- d -->"]),
        ("a <!-- b\r\nc --> d", ["<!-- b\r\nc -->"]),
        ("> <!-- a\n> b -->", ["<!-- a\n> b -->"]),
        ("<!-- a\n\nb", ["<!-- a\n\nb"]),
        ("- <!-- a\n\nb", ["<!-- a\n"]),
        ("a <!-- b\n\nc -->", []),
        ("`<!-- a -->`\n\\<!-- b -->\n```\n<!-- c -->\n```\n    <!-- d -->", []),
        ("- an odd ` <!-- a -->\n- another `", ["<!-- a -->"]),
        ("an odd ` <!-- a -->\nanother `", []),
        ("| ` <!-- a --> | ` |\n|---|---|", ["<!-- a -->"]),
        ("<script>\n<!-- a -->\n</script>", []),
        ("<!--> a <!---> b", ["<!-->", "<!--->"]),
    ],
)
def test_comments(text: str, comments: list[str]) -> None:
    assert [text[span.start : span.end] for span in parse(text).comments] == comments


@pytest.mark.parametrize(
    ("text", "front_matter"),
    [
        ("---\nname: x\n---\n", (1, 3)),
        ("\ufeff---  \r\n# c\r\nlist:\r\n- a\r\n  b: 1\r\n\r\n...\r\ntext", (1, 7)),
        ("---\nname: x\n", None),
        ("---\n---\n", None),
        ("---\n# Title\n---\n", None),
        ("---\n- 必须先备份\n---\n", None),
        ("---\nSome prose.\nkey: x\n---\n", None),
        ("---\n**Note**: x\n---\n", None),
        ("---\n必须：先备份\n---\n", None),
        ("\n---\nname: x\n---\n", None),
        ("----\nname: x\n---\n", None),
    ],
)
def test_front_matter(text: str, front_matter: tuple[int, int] | None) -> None:
    assert parse(text).front_matter == front_matter


ITEMS = "Text.\n\n- a\n- b\n"


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("", "", True),
        ("- 必须：备份", "- Must / 必须：备份", True),
        ("- **必须**：备份", "- **Must / 必须**：备份", True),
        ("- **必须**：备份", "- Never: **必须**：备份", True),
        ("## 安全", "## Security / 安全", True),
        ("| 必须 | b |\n|--|--|", "| Must / 必须 | b |\n|--|--|", True),
        ("Text.\n- a", "Text.\n\n- a", True),
        ("Text.\n## a", "Text.\n\n## a", True),
        ("a  \r\nb", "a\u0020\u0020\nb", True),
        ("\ufeff# a", "# b", True),
        ("---\nk: v\n---\na", "---\nk: v\n---\nb", True),
        (ITEMS, ITEMS.replace("- b", "\n- b"), False),
        (ITEMS, ITEMS.replace("- b", "b"), False),
        (ITEMS, ITEMS.replace("- b", "* b"), False),
        ("- a", "1. a", False),
        ("1. a", "2. a", False),
        ("# a", "## a", False),
        ("a\nb", "a\n\nb", False),
        ("a  \nb", "a\nb", False),
        ("> a", ">\n> a", True),
        ("> a", "a", False),
        ("`a`", "`b`", False),
        ("**a**", "*a*", False),
        ("~~a~~", "~a~", False),
        ("[a](b)", "[x](b)", True),
        ("[a](b)", "[a](c)", False),
        ("[a][b]\n\n[b]: c", "[a][b]\n\n[b]: d", False),
        ("[b]: c", "[b]: d", False),
        ("![a](b 'c')", "![a](b 'd')", False),
        ("```sh\na\n```", "```sh\nb\n```", False),
        ("```sh\na\n```", "```py\na\n```", False),
        ("    a", "    b", False),
        ("<!-- a -->", "<!-- b -->", False),
        ("a <b>", "a <i>", False),
        ("|a|b|\n|-|-|", "|a|b|\n|:-|-|", False),
        ("---\nk: v\n---\na", "---\nk: w\n---\na", False),
        ("a\r- b", "a\r\n- b", False),
        ("> " * 60 + "a", "> " * 60 + "b", False),
    ],
)
def test_same_structure(before: str, after: str, same: bool) -> None:
    assert same_structure(before, after) is same
    assert same_structure(after, before) is same


def test_link_targets() -> None:
    text = "[a](#rules) [b](x.md)\n`[c](#no)`\n\n[d]: TOOLS.md#git\n```\n[e](#no)\n```\n"
    found = link_targets(text)
    assert [target for _, target in found] == ["#rules", "TOOLS.md#git"]
    assert [text[span.start : span.end] for span, _ in found] == ["#rules", "TOOLS.md#git"]


@pytest.mark.parametrize(
    ("titles", "anchors"),
    [
        (["Red Lines", "Red  Lines!", "red-lines"], ["red-lines", "red--lines", "red-lines-1"]),
        (["a", "a", "a-1", "A"], ["a", "a-1", "a-1-1", "a-2"]),
        (["🔴 红线（必须）", "⚠️ `git push`"], ["-红线必须", "\ufe0f-git-push"]),
        (["[Docs](x.md#y) & **more** snake_case"], ["docs--more-snake_case"]),
    ],
)
def test_anchors(titles: list[str], anchors: list[str]) -> None:
    seen: dict[str, int] = {}
    assert [anchor(title, seen) for title in titles] == anchors


@settings(deadline=None)
@given(texts | st.text(st.sampled_from("#-*+>`~|<!:=[]() \t\n\r\0\ufeff\u3000x1.") | st.characters()))
def test_everything_lies_inside_the_file(text: str) -> None:
    document = parse(text)
    source = document.source
    assert len(document.kinds) == len(source.lines)
    for span in (*document.comments, *(heading.span for heading in document.headings)):
        assert 0 <= span.start <= span.end <= len(text)
    for heading in document.headings:
        assert source.line_of(heading.span.start) == heading.line <= heading.end_line <= len(source.lines)
    for item in document.items:
        assert item.line <= item.end_line <= len(source.lines)
        assert source.lines[item.line - 1][item.indent] in "-+*0123456789"


@given(texts)
def test_line_ends_change_nothing(text: str) -> None:
    document, windows = parse(text), parse(text.replace("\n", "\r\n"))
    assert windows.kinds == document.kinds
    assert windows.items == document.items
    assert [heading.title for heading in windows.headings] == [heading.title for heading in document.headings]
    assert len(windows.comments) == len(document.comments)


@settings(max_examples=500, deadline=None)
@given(texts)
def test_comments_are_those_of_markdown_it(text: str) -> None:
    assume(not deviates(text))
    document = parse(text)
    ours = [_bare(text[span.start : span.end]) for span in document.comments]
    assert ours == list(_comments(_parser().parse(text)))


def _comments(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "html_inline" and token.content.startswith("<!--"):
            yield _bare(token.content)
        if token.type == "html_block" and not re.match(r"\s*<(pre|script)", token.content):
            yield from map(_bare, re.findall(r"<!--.*?(?:-->|\Z)", token.content, re.DOTALL))
        yield from _comments(token.children or ())


def _bare(text: str) -> str:
    """Without blanks and quote marks, which Markdown takes out of what stands in a quote."""
    return re.sub(r"[\s>]", "", text)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": 1000}).enable("table")


@pytest.mark.parametrize(
    "unit", ["<!-- a -->", "<!-- a -->\n", "# a\n", "## a\n\n> - a\n", "a\n===\n", "- \t", "[a](#b)"]
)
def test_takes_linear_time(unit: str) -> None:
    def run(text: str) -> None:
        document = parse(text)
        assert document.items is document.items
        link_targets(text)

    assert_linear(run, unit)
