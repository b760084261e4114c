"""What is protected inside a line: one table, markdown-it's own reading of generated lines, and linear time."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bootlint.inline import pieces, protected_spans, targets
from linear_time import assert_linear

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from markdown_it.token import Token


@pytest.mark.parametrize(
    ("line", "protected"),
    [
        ("- Never push, 必须先备份", []),
        ("- run `git push` then `` a`b ``", ["`git push`", "`` a`b ``"]),
        ("- unpaired `` or `one or ```three", []),
        (r"- \`never\` is spoken, `\` is code", [r"`\`"]),
        ('- [必须](docs/必须.md "must") and ![never](n.png)', ['(docs/必须.md "must")', "(n.png)"]),
        ("- [a](<b c> 'd') [e](f(g)h) [i]()", ["(<b c> 'd')", "(f(g)h)", "()"]),
        ("- [must][never] and [never][]", ["[never]", "[]"]),
        ("- [ ][must](never)", ["(never)"]),
        ("- [must] (never) ](never do)", []),
        ("[must]: https://example.com/never 'must'", ["https://example.com/never 'must'"]),
        ("> [must]: <never.md>", ["<never.md>"]),
        ("[重要]: 必须先备份", []),
        ("[rule]: must", []),
        ("[rule]: ./x must not", []),
        ("[^1]: never.", []),
        ("see https://example.com/never, 必须读", ["https://example.com/never"]),
        ("(http://a.b/never)。**https://a.b/c**", ["http://a.b/never", "https://a.b/c"]),
        ("[https://a.b](https://c.d)", ["https://a.b", "(https://c.d)"]),
        ("<https://a.b/must> <me@never.org>", ["<https://a.b/must>", "<me@never.org>"]),
        ("<b class='must'>must</b><br/> <never>", ["<b class='must'>", "</b>", "<br/>", "<never>"]),
        ("<必须> a < b > c <1>", []),
        ("must <!-- never --> must", ["<!-- never -->"]),
        ("<!--> must <!---> must", ["<!-->", "<!--->"]),
        ("`<!--` must <!-- never", ["`<!--`", "<!-- never"]),
        ("must <!-- `never", ["<!-- `never"]),
        ("<!-- `a --> b` c", ["<!-- `a -->"]),
        ("<?never?> <!NEVER x> <![CDATA[never]]>", ["<?never?>", "<!NEVER x>", "<![CDATA[never]]>"]),
        (r"\<b> must", []),
    ],
)
def test_protected_spans(line: str, protected: list[str]) -> None:
    assert [line[start:end] for start, end in protected_spans(line)] == protected


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("[a](#b) ![c](d.png 'e') <https://f.g> `[h](i)`", ["#b", "d.png"]),
        ("[a](<b c>) [d]()", ["<b c>"]),
        ("[a]: TOOLS.md#git 'b'", ["TOOLS.md#git"]),
    ],
)
def test_targets(line: str, found: list[str]) -> None:
    assert [line[start:end] for start, end in targets(line)] == found


_PARTS = (
    *(
        "a ",
        "必须",
        " ",
        "\\",
        "\\`",
        "`",
        "``",
        "`x`",
        "`` a`b ``",
        "*",
        "**",
        "[",
        "]",
        "(",
        ")",
        "<名>",
        "&lt;",
    ),
    *(
        "<b>",
        "</b>",
        "<br/>",
        "<a href='x`y'>",
        '<a b="',
        "<!-- c -->",
        "<!--",
        "-->",
        "<!-->",
        "<?p?>",
        "<?",
    ),
    *("<![CDATA[x]]>", "<!D x>", "<http://x.y>", "<me@x.io>", "[t](u)", '[t](u "i`t")', "[`c`](d)", "\n"),
)
paragraphs = st.lists(st.sampled_from(_PARTS), min_size=1, max_size=8).map(
    lambda parts: "".join(parts).strip()
)


# A `]` that no `[` of these parts opens, and a comment that markdown-it still reads by its older grammar.
_IN_DOUBT = re.compile(r"(?:^|[^t`])\][(\[]|\\\[|<!--.*--->", re.DOTALL)


@settings(max_examples=1000, deadline=None)
@given(paragraphs)
def test_code_tags_and_comments_are_those_of_markdown_it(text: str) -> None:
    assume(not _IN_DOUBT.search(text))
    assert list(_ours(text)) == list(_theirs(_parser().parseInline(text)))


def _ours(text: str) -> Iterator[str]:
    for piece in pieces(text):
        if piece.kind in ("code", "comment", "html"):
            found = text[piece.start : piece.end]
            yield _plain(found.strip("`")) if piece.kind == "code" else _plain(found)


def _theirs(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("code_inline", "html_inline"):
            yield _plain(token.content)
        elif token.type == "link_open" and token.markup == "autolink":
            yield f"<{token.attrs['href']}>".replace("mailto:", "")
        yield from _theirs(token.children or ())


def _plain(text: str) -> str:
    """Without the blanks that Markdown strips or joins in code."""
    return re.sub(r"\s", "", text)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


@given(st.text(st.sampled_from("`<>!-[]()\\\"'h:/#ax \n?") | st.characters()))
def test_spans_are_in_order_and_disjoint(line: str) -> None:
    edges = [edge for span in protected_spans(line) for edge in span]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(line) for edge in edges)


@pytest.mark.parametrize(
    "unit",
    [
        *("`", "`a``b", "<", "<!--", "<!-- -->", "<?", "<![CDATA[", "<!A", "<a b='", '<a x="<a x=" ', "<a:b"),
        *("](", "](a", '](a "', "](a (", "][", "[a]: ", "https://a.", "\\", "<a@", "]((", "-->"),
    ],
)
def test_takes_linear_time(unit: str) -> None:
    assert_linear(protected_spans, unit)
