"""JavaScript's strings: units, slices, blanks, folding and numbers."""

from __future__ import annotations

import math
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootlint.openclaw.jstext import (
    SPACE_CLASS,
    WHITESPACE,
    Utf16,
    floor,
    fold,
    halves,
    joined,
    number_text,
    safe_head,
    splitter,
    trim,
    trim_end,
    trim_start,
    utf16_len,
    utf16_slice,
    whole,
)

EVERY_CHARACTER = "".join(map(chr, range(0x110000)))

any_text = st.text(st.characters(exclude_categories=())) | st.text(st.sampled_from("a中😀\ud83d\ude00"))
offsets = st.integers(-30, 30)


@pytest.mark.parametrize(
    ("text", "units"),
    [("", 0), ("abc", 3), ("中文", 2), ("😀", 2), ("\ud83d", 1), ("\ud83d\ude00", 2), ("👍🏽é\ufeff", 6)],
)
def test_length(text: str, units: int) -> None:
    assert utf16_len(text) == units


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("abc", 1, None, "bc"),
        ("abc", -2, -1, "b"),
        ("abc", 5, 9, ""),
        ("a😀b", 0, 2, "a\ud83d"),
        ("a😀b", 2, None, "\ude00b"),
        ("a😀b", 1, 3, "😀"),
        ("a😀b", -2, None, "\ude00b"),
        ("中文字", -2, 2, "文"),
    ],
)
def test_slice(text: str, start: int, end: int | None, expected: str) -> None:
    assert utf16_slice(text, start, end) == expected


@pytest.mark.parametrize(
    ("text", "units", "expected"),
    [("a😀", 3, "a😀"), ("a😀", 2, "a"), ("a\ud83d", 2, "a\ud83d"), ("\ud83d\ude00", 1, ""), ("a", -1, "")],
)
def test_safe_head(text: str, units: int, expected: str) -> None:
    assert safe_head(text, units) == expected


@given(any_text, offsets)
def test_offsets_in_units_and_in_code_points(text: str, units: int) -> None:
    counted = Utf16.of(text)
    at, halved = counted.at(units)
    inside = min(max(0, units), counted.length)
    assert counted.length == utf16_len(text)
    assert utf16_len(counted.text[:at]) + halved == inside
    high = halves(counted.text[at])[0] if halved else ""
    assert counted.text[:at] + high == utf16_slice(counted.text, 0, inside)


@given(any_text, offsets, offsets)
def test_a_text_is_the_sum_of_its_slices(text: str, first: int, second: int) -> None:
    parts = utf16_slice(text, 0, first), utf16_slice(text, first)
    assert joined(parts) == whole(text)
    assert sum(map(utf16_len, parts)) == utf16_len(text)
    assert utf16_len(utf16_slice(text, first, second)) == len(range(utf16_len(text))[first:second])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "a"),
        ("\ud83d\ude00", "😀"),
        ("\ude00\ud83d", "\ude00\ud83d"),
        ("\ud83d\ud83d\ude00\ude00", "\ud83d😀\ude00"),
    ],
)
def test_whole(text: str, expected: str) -> None:
    assert whole(text) == expected


def test_blanks() -> None:
    blanks = set(WHITESPACE)
    assert len(blanks) == 25
    assert set(re.findall(f"[{SPACE_CLASS}]", EVERY_CHARACTER)) == blanks
    assert {char for char in EVERY_CHARACTER if not splitter(char)(char)} == blanks


@pytest.mark.parametrize("odd", ["\x1c", "\x1f", "\x85", "\u180e", "\u200b", "\u2060", "\x00"])
def test_blank_for_python_only_or_for_nobody(odd: str) -> None:
    text = f" {odd}a \u3000{odd}b\ufeff"
    assert trim(text) == f"{odd}a \u3000{odd}b"
    assert trim_start(text) == f"{odd}a \u3000{odd}b\ufeff"
    assert trim_end(text) == f" {odd}a \u3000{odd}b"
    assert splitter(text)(text) == [f"{odd}a", f"{odd}b"]


def test_fold_makes_ascii_of_two_other_letters_only() -> None:
    folded = fold(EVERY_CHARACTER)
    assert len(folded) == len(EVERY_CHARACTER)
    to_ascii = {
        char for char, small in zip(EVERY_CHARACTER, folded, strict=True) if small in string.ascii_lowercase
    }
    assert to_ascii == {*string.ascii_letters, "\u017f", "\u212a"}


def test_fold_keeps_the_plane_of_each_character() -> None:
    """Lengths in units are those of the text, so they may be counted in the folded one."""
    folded = fold(EVERY_CHARACTER)
    assert [char > "\uffff" for char in folded] == [char > "\uffff" for char in EVERY_CHARACTER]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (20_000, "20000"),
        (20_000.0, "20000"),
        (-0.0, "0"),
        (150.7, "150.7"),
        (0.1 + 0.2, "0.30000000000000004"),
        (5e-5, "0.00005"),
        (1.5e-6, "0.0000015"),
        (1e-7, "1e-7"),
        (-2.5e-7, "-2.5e-7"),
        (2.0**66, "73786976294838210000"),
        (1e21, "1e+21"),
        (1.25e300, "1.25e+300"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_number_text(number: float, expected: str) -> None:
    assert number_text(number) == expected


@pytest.mark.parametrize(("number", "expected"), [(1.9, 1), (-0.5, -1), (7, 7), (math.inf, math.inf)])
def test_floor(number: float, expected: float) -> None:
    assert floor(number) == expected
