"""The block scanner against markdown-it-py: on generated texts, on the recordings' files, on whole samples."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import assume, given, settings

from bootlint.blocks import Blocks, scan
from golden_rows import GOLDEN, records
from linear_time import assert_linear
from markdown_texts import deviates, reading, texts


def blocks(text: str) -> Blocks:
    return scan(text.removesuffix("\n").split("\n"))


def assert_equal_to_markdown_it(text: str) -> None:
    ours, theirs = blocks(text), reading(text)
    assert ours.kinds == theirs.kinds
    assert ours.headings == theirs.headings
    items = [(item[0], end, item[3]) for item, end in zip(ours.items, ours.item_ends, strict=True)]
    assert sorted(items) == sorted(theirs.items)


@settings(max_examples=1000, deadline=None)
@given(texts)
def test_generated_texts(text: str) -> None:
    assume(not deviates(text))
    assert_equal_to_markdown_it(text)


def recorded_texts() -> set[str]:
    """The files of the recordings of truncation that a Markdown reader and OpenClaw split into the same lines."""
    found: set[str] = set()
    for path in GOLDEN.rglob("e*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as rows:
            for row in rows:
                for file in records(json.loads(row)["files"]):
                    content = file.get("content")
                    if isinstance(content, str) and content:
                        found.add(
                            content.replace("\r\n", "\n").removeprefix("\ufeff").replace("\0", "\ufffd")
                        )
    return {text for text in found if "\r" not in text}


def test_recorded_files() -> None:
    for text in recorded_texts():
        assert_equal_to_markdown_it(text)


SAMPLE = """\
# AGENTS.md - 工作区

每次会话开始时先读 `SOUL.md`。
这一行接着上一行。

## Red Lines

- Never push to main
  without asking.
- **必须**：先备份
  - [ ] nested task
  - [x] done

    a paragraph of the item

        code of the item

    ```sh
    # no heading
    rm -rf build
    ```
- last
lazy

1. first
2) another list
   > quoted
lazily quoted

> ## In a quote
> ```
> code

Old Title
=========

two
lines
---

| file | rule |
| :--- | ---: |
| a \\| b | must |
still a row

<!-- bootlint: ignore[near-limit] on purpose -->
<details>
<summary>More</summary>

- [ref]: https://example.com/a#b "title"

</details>

[ref]: <https://example.com> 'title'
    code after a definition

***
~~~text
``` not the end
~~~
    indented

    code
<pre>
# no heading

</pre>
## Tools ##
```
unclosed
"""


def test_sample() -> None:
    assert_equal_to_markdown_it(SAMPLE)
    assert_equal_to_markdown_it(SAMPLE.replace("\n", "\n\n"))
    assert_equal_to_markdown_it("\n".join(f"> {line}" for line in SAMPLE.split("\n")))
    assert_equal_to_markdown_it("- item\n" + "\n".join(f"  {line}" for line in SAMPLE.split("\n")))


@pytest.mark.parametrize(
    ("text", "ours", "theirs"),
    [
        ("[b]:\n/url\n===", "heading heading heading", "text text text"),
        ("- a | b\n---|---", "text text", "table table"),
        ("- a\n| b |\n  |---|", "text text text", "text table table"),
        ("   - item\n    # lazy", "text text", "text code"),
        (">> quote\n     - lazy", "text text", "text code"),
        (">> - \ttext", "text", "code"),
    ],
)
def test_deviations(text: str, ours: str, theirs: str) -> None:
    assert blocks(text).kinds == ours.split()
    assert reading(text, tables_first=True).kinds == theirs.split()


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("- " * 99 + "# deep\n# Title", "heading heading"),
        ("> " * 99 + "# deep", "heading"),
        ("> " * 200 + "# deep", "text"),
        ("- " * 200 + "# deep\n\n# Title", "text blank heading"),
    ],
)
def test_nesting(text: str, kinds: str) -> None:
    assert blocks(text).kinds == kinds.split()


@pytest.mark.parametrize(
    "unit",
    [
        *("text\n", "- item\n", "> quote\n\n", ">\n\n", "-\n\n", "- > ", "> - a\n", "```\n", "    code\n\n"),
        *(
            "| a |\n",
            "|---|\n",
            "[a",
            "[a]: <",
            '[a]: b "\n',
            "<a b='",
            "<!--\n",
            "<pre>\n",
            "\t",
            " ",
            "#",
            "`",
        ),
    ],
)
def test_takes_linear_time(unit: str) -> None:
    assert_linear(blocks, unit)
    assert_linear(blocks, unit.replace("\n", " ") + "x")
