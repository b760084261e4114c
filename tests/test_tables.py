"""The quick reader of our own TOML: it reads all of it, and where it reads a text at all it reads what tomllib does."""

from __future__ import annotations

import re
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bootlint.catalog import pages, rules_dir
from bootlint.tables import NotPlainError, loads, plain

BLOCKS = {
    page.stem: re.findall(r"(?ms)^```toml rule\n(.*?)^```$", page.read_text(encoding="utf-8"))
    for page in pages().values()
} | {path.name: [path.read_text(encoding="utf-8")] for path in rules_dir().glob("*.toml")}

LINES = st.sampled_from([
    "", " ", "# no = 'more'", "\u3000", "[a]", "[b]", "[a.b]", "[a.b.c]", "[a b]", "[[a]]", "[[b]]", "[[a.b]]", "[]", "[a",
    "[[a]", "[ a ]", "a = 'x'", 'a = "x"', 'b = "x\\"y"', 'a = "x\\\\"', 'a = "x\\ny"', 'a = "x" # y', "a = 'x", "a = 'x'y'",
    "a=1", "a  = 1", "a = 1", "b = 0", "a = 007", "a = -1", "a = 1.5", "a = true", "a = ['x', \"y\"]", "b = []", "a = ['x',]",
    "a = ['x, y']", "a = {b = 1}", "a.b = 1", '"a b" = 1', "'a' = 1", "__ = 1", "é = 1", "a = ''", "a = '''", "b = '''",
    "'''", "x '''", "'''x'''", "a = '''x'''", "a = 'x'\r", "a = 'x\ty'", "a = 'x\0'", "a = '\u3000必须'", "a = '\u2028'",
    "a = \u0661",
])  # fmt: skip


@pytest.mark.parametrize("name", BLOCKS)
def test_reads_our_own_files_itself(name: str) -> None:
    assert [plain(text) for text in BLOCKS[name]] == [tomllib.loads(text) for text in BLOCKS[name]] != []


@settings(max_examples=1000)
@given(st.lists(LINES, max_size=6).map("\n".join))
def test_reads_what_tomllib_reads_or_nothing(text: str) -> None:
    try:
        found = plain(text)
    except NotPlainError:
        return
    assert found == tomllib.loads(text)


def test_leaves_the_rest_to_tomllib() -> None:
    assert loads("a = { b = true }") == {"a": {"b": True}}
    with pytest.raises(tomllib.TOMLDecodeError, match="Invalid value"):
        loads("a = ")
