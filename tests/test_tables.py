"""What is made of a file of data is made once, and anew when the file or the code changes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from bootlint import tables

if TYPE_CHECKING:
    from pathlib import Path

MADE = {"list": ("必须", 'it\'s "so"\\n'), "number": 3, "none": False}


class Parser:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, text: str) -> dict[str, object]:
        self.texts.append(text)
        return {**MADE, "text": text}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "words.toml"
    file.write_text("one", encoding="utf-8")
    os.utime(file, (1_000, 1_000))
    return file


def test_a_second_run_does_not_parse(file: Path) -> None:
    parse = Parser()
    assert [tables.table(file, parse) for _ in range(2)] == [{**MADE, "text": "one"}] * 2
    assert parse.texts == ["one"]


@pytest.mark.parametrize(("text", "time"), [("two", 1_002), ("three", 1_000)])
def test_another_time_or_size_of_the_file_counts(file: Path, text: str, time: int) -> None:
    parse = Parser()
    tables.table(file, parse)
    file.write_text(text, encoding="utf-8")
    os.utime(file, (time, time))
    assert tables.table(file, parse)["text"] == text


@pytest.mark.parametrize("module", [tables.__name__, __name__])
def test_another_version_of_the_code_counts(file: Path, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parse = Parser()
    tables.table(file, parse)
    code = file.with_name("code.py")
    code.touch()
    monkeypatch.setattr(sys.modules[module], "__file__", str(code))
    tables.table(file, parse)
    assert len(parse.texts) == 2


def test_nothing_is_written_where_nothing_may_be(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parse = Parser()
    (file.parent / "__pycache__").touch()  # no folder can be made, even by root
    assert tables.table(file, parse)["text"] == "one"
    (file.parent / "__pycache__").unlink()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert tables.table(file, parse)["text"] == "one"
    assert os.listdir(file.parent) == ["words.toml"]


def test_a_fault_is_raised_each_time(file: Path) -> None:
    def refuse(_: str) -> None:
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            tables.table(file, refuse)
