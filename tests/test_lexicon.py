"""The lexicon: its file keeps its own grammar, and the search finds what the file lists."""

from __future__ import annotations

import pytest

from bootlint.catalog import rules_dir
from bootlint.lexicon import (
    TABLES,
    LexiconError,
    Meaning,
    Script,
    Signal,
    near_misses,
    parse_lexicon,
    words,
)

TEXT = (rules_dir() / "lexicon.toml").read_text(encoding="utf-8")
SIGNS = frozenset("^$…_")


@pytest.mark.parametrize(
    ("script", "table"), [(script, table) for script, tables in TABLES.items() for table in tables[:1]]
)
def test_a_word_means_what_its_list_says(script: Script, table: str) -> None:
    """No other list claims it, and no other word of the file hides it."""
    hidden = [
        (kind, word)
        for kind in (*Meaning, *Signal)
        for word in parse_lexicon(TEXT)[0][table].get(kind.value, ())
        if kind is not Signal.SCOPE and SIGNS.isdisjoint(word)
        if words(script).find(word, 0, len(word)) != [(0, len(word), kind)]
    ]
    assert hidden == []


@pytest.mark.parametrize(
    ("script", "text", "found"),
    [
        ("han", "不得不停", ["不得不"]),  # the longest wins
        ("han", "千萬不要", ["千萬不要"]),
        ("han", "別人別管", ["別人"]),
        ("han", "，別管", ["別"]),  # `^別`: only where a clause begins
        ("han", "你别管", ["别"]),  # or after a joiner
        ("han", "通知不要。", ["不要"]),  # `不要$`
        ("han", "只有主人才能改", ["只有主人才能"]),  # `只有…才能`
        ("han", "只有主人。才能改", []),  # a gap does not leave its clause
        ("han", "厳禁", ["厳禁"]),  # Japanese, but without kana
        ("kana", "一切しない", ["一切しない"]),
        ("hangul", "사용 말 것", [" 말 것"]),  # `_말 것`: the blank belongs to it
        ("latin", "you must not", ["must not"]),
        ("latin", "musty", []),
        ("latin", "必must必", ["must"]),  # to OpenClaw a Chinese character is no letter
        ("latin", "and don't", ["don't"]),
        ("latin", "we don't", []),
    ],
)
def test_search(script: Script, text: str, found: list[str]) -> None:
    assert [text[find.start : find.end] for find in words(script).find(text, 0, len(text))] == found


def test_near_misses_are_words_of_the_lexicon() -> None:
    for word in near_misses():
        assert words("latin").find(word, 0, len(word)) or words("latin").find(
            f"x {word}", 2, len(word) + 2
        ), word


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[simplified", "lexicon.toml: "),
        ("[klingon]\nmust = 'x'", "[klingon] is no language"),
        ("[simplified]\nnevr = '不'", "[simplified] nevr is no list of words"),
        ("[simplified]\nmust = ['必须']", "[simplified] must is no list of words"),
        ("[simplified]\nmust = '必须, …才能'", "[simplified] must: …才能 is wrong"),
        ("[simplified]\nmust = '只…有…才'", "[simplified] must: 只…有…才 is wrong"),
        ("[simplified]\nmust = '^$'", "[simplified] must: ^$ is wrong"),
        ("[near-misses]\nx = 1", "[near-misses] gives each word one keyword"),
    ],
)
def test_a_broken_lexicon_says_where(text: str, message: str) -> None:
    with pytest.raises(LexiconError) as caught:
        parse_lexicon(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
