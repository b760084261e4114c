"""The digest: which lines compete, which come first, in which form, and which fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

import strategies
from bootlint.openclaw import contract
from bootlint.openclaw.digest import (
    Candidates,
    full_units,
    is_candidate,
    is_priority,
    keywords_beyond_cut,
    matched_keyword,
    normal_form,
)
from bootlint.openclaw.jstext import utf16_len

if TYPE_CHECKING:
    from bootlint.openclaw.contract import Digest


def digest_of(release: str) -> Digest:
    digest = contract(release).truncation.digest
    assert digest is not None
    return digest


ENGLISH = digest_of("2026.5.19")
CHINESE = digest_of("2026.9.4")


@pytest.mark.parametrize(
    ("line", "keyword"),
    [
        ("You MUST ask", "must"),
        ("Never", "never"),
        ("mu\u017ft", "must"),  # /iu: the long s is an s
        ("\u017fecret", "secret"),
        ("testü", "test"),  # neither ü nor a Chinese character is part of a word
        ("must必須", "must"),
        ("do not", "do not"),
        ("do \u00a0\tnot", "do not"),  # blanks have run together before anyone looks
        ("see agents.MD", "AGENTS.md"),
        ("open a PR", "pr"),
        ("owner must", "must"),  # a priority keyword before another one
        ("secrets", None),
        ("tests", None),
        ("don't", None),
        ("MUST_NOT", None),
        ("mustn't", None),
        ("ｍｕｓｔ", None),
        ("g\u0131thub", None),  # /iu folds neither dotless nor dotted i to an i
        ("gİthub", None),
        ("do\u200bnot", None),
        ("AGENTS-md", None),
        ("严禁外传", None),
    ],
)
def test_keywords(line: str, keyword: str | None) -> None:
    assert matched_keyword(line, ENGLISH) == keyword
    assert is_candidate(line, ENGLISH) is (keyword is not None)


@pytest.mark.parametrize(
    ("line", "candidate", "priority"),
    [
        ("🔴 密码", True, True),
        ("一切外传皆禁止", True, True),
        ("嚴禁", True, True),
        ("务必备份", False, False),
        ("務必備份", True, False),
        ("紅線", True, False),
        ("必须", False, False),
        ("不得", True, True),
        ("tell the owner", True, False),
        ("never tell", True, True),
        ("``` never", False, False),
        (" ~~~~ never", False, False),
        ("`` never", True, True),
        ("they do\r", False, False),
    ],
)
def test_chinese_digest(line: str, candidate: bool, priority: bool) -> None:
    assert (is_candidate(line, CHINESE), is_priority(line, CHINESE)) == (candidate, priority)


def test_english_digest_knows_no_signs_and_no_fences() -> None:
    assert not is_candidate("🔴 禁止", ENGLISH)
    assert is_priority("``` never", ENGLISH)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# Title", True),
        ("###### Title", True),
        ("  - item", True),
        ("\u3000*\u3000item", True),
        ("+ item", True),
        ("12) item", True),
        ("1. item", True),
        ("####### Title", False),
        ("#Title", False),
        ("-item", False),
        ("-", False),
        ("# ", False),
        ("1、item", False),
        ("1.item", False),
        ("１. item", False),  # a full-width digit
        ("• item", False),
        ("> - item", False),
        ("| - item |", False),
        ("**item**", False),
        ("1" * 237 + ". item", True),
        ("1" * 238 + ". item", False),  # the blank is beyond the cut
    ],
)
@pytest.mark.parametrize("digest", [ENGLISH, CHINESE], ids=["english", "chinese"])
def test_structure(line: str, expected: bool, digest: Digest) -> None:
    assert is_candidate(line, digest) is expected
    assert not is_priority(line, digest)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  a \t b\u3000c\ufeff", "a b c"),
        ("a\u0085b\x1cc\u200bd\u180ee", "a\u0085b\x1cc\u200bd\u180ee"),  # blank in Python, not in JavaScript
        ("a\rb", "a b"),
        ("x" * 240, "x" * 240),
        ("x" * 241, "x" * 239 + "…"),
        ("😀" * 120, "😀" * 120),
        ("😀" * 121, "😀" * 119 + "…"),  # 239 units would halve the last one
        ("a " * 200, "a " * 119 + "a…"),
        ("\ud83d" * 241, "\ud83d" * 239 + "…"),
    ],
)
def test_normal_form(line: str, expected: str) -> None:
    assert normal_form(line) == expected


@pytest.mark.parametrize(
    ("line", "beyond"),
    [
        ("must " + "x" * 235, ()),
        ("x" * 235 + " must", ()),  # 240
        ("x " * 119 + "must", ("must",)),
        ("x" * 240 + " must never", ("must", "never")),
        ("x" * 240 + " never 禁止 never", ("never", "禁止")),
        ("must " + "x" * 240, ()),
    ],
)
def test_keywords_beyond_the_cut(line: str, beyond: tuple[str, ...]) -> None:
    assert keywords_beyond_cut(line, CHINESE) == beyond


def candidates(text: str, digest: Digest) -> list[tuple[str, bool]]:
    """What each candidate puts into the digest, and whether it comes first, in the order of the text."""
    found = Candidates.of(text, digest)
    return [
        (
            "\n".join(found.shown(*span)[0] for span in (*([prose] if prose else []), (start, end))),
            priority,
        )
        for start, end, priority, _, prose in sorted(found.ranked)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("why\n- rule", [("why\n- rule", False)]),
        ("why\r\n- rule", [("why\n- rule", False)]),
        ("far\nwhy\n- one\n- two", [("why\n- one", False), ("- two", False)]),
        ("why\n\n- rule", [("- rule", False)]),
        ("why\n \t\n- rule", [("- rule", False)]),
        ("why\n```\n- rule", [("- rule", False)]),
        ("why\r- rule", []),  # a lone \r ends no line
        ("they do\nnot push", [("they do\nnot push", False)]),
        ("never\npush", [("never", True), ("push", False)]),
    ],
)
def test_prose(text: str, expected: list[tuple[str, bool]]) -> None:
    assert candidates(text, CHINESE) == expected


def test_old_digests_carry_no_prose() -> None:
    assert candidates("why\n- rule", ENGLISH) == [("- rule", False)]


TEXT = "# One\n- must two\npush three\nnever four and more\n- five"


@pytest.mark.parametrize(
    ("budget", "chosen"),
    [
        (99, ["# One", "- must two", "push three", "never four and more", "- five"]),
        (41, ["# One", "- must two", "never four and more"]),
        (36, ["# One", "- must two", "never four and more"]),
        (35, ["- must two", "never four and more"]),
        (29, ["# One", "- must two", "push three"]),  # what is too long is passed over, later ones fit
        (9, ["# One"]),
        (5.5, ["# One"]),
        (4.5, []),
        (0, []),
    ],
)
def test_choice(budget: float, chosen: list[str]) -> None:
    found = Candidates.of(TEXT, ENGLISH)
    assert [TEXT[candidate.start : candidate.end] for candidate in found.chosen(budget)] == chosen


@given(strategies.texts)
def test_any_text(text: str) -> None:
    for digest in (ENGLISH, CHINESE):
        found = Candidates.of(text, digest)
        for candidate in found.ranked:
            line = text[candidate.start : candidate.end]
            assert "\n" not in line
            assert is_candidate(line, digest)
            assert is_priority(line, digest) is candidate.priority
            assert 0 < utf16_len(normal_form(line)) <= min(240, full_units(line), candidate.length)
        digest_length = sum(candidate.length + 1 for candidate in found.chosen(100)) - 1
        assert digest_length <= 100
