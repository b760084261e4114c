"""`bootlint rule`: the list of rules and one page, in both languages."""

from __future__ import annotations

import json

import pytest

from bootlint import catalog
from bootlint.cli import main


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "BL101  file-over-limit              error    A file is longer than the limit of one file, so "
               "OpenClaw cuts it."),
        ("zh", "BL101  file-over-limit              错误  文件超过单文件上限，会被 OpenClaw 截断。"),
    ],
)  # fmt: skip
def test_all_rules_one_line_each(language: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "--language", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [one.split()[0] for one in lines] == list(catalog.pages())
    assert line in lines


@pytest.mark.parametrize(
    ("language", "headings"),
    [("en", ["## Why", "## How to fix", "## Examples"]), ("zh", ["## 原因", "## 如何修复", "## 示例"])],
)
@pytest.mark.parametrize("named", ["BL101", "bl101", "file-over-limit"])
def test_one_page_in_one_language(
    named: str, language: str, headings: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rule", named, "--language", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "# BL101 file-over-limit"
    assert set(headings) <= set(lines)
    assert "```toml rule" not in lines


def test_a_page_is_shown_as_it_stands_blank_lines_of_examples_too() -> None:
    page = catalog.rule("BL108").explanation("en")
    head, examples = page.split("\n## Examples\n")
    assert "\n\n\n" not in head
    assert examples in catalog.rule("BL108").text
    assert "\n\n\n" in examples


def test_json_holds_every_rule_and_the_page_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "--output-format", "json"]) == 0
    assert [one["code"] for one in json.loads(capsys.readouterr().out)] == list(catalog.pages())
    assert main(["rule", "near-limit", "--output-format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["options"] == {"advise-chars": 15000}
    assert document["page"].startswith("# BL106 near-limit\n")


def test_an_unknown_rule_is_one_line_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "near-limits"]) == 2
    assert capsys.readouterr().err == (
        "bootlint: error: 'near-limits' is no rule; did you mean \"near-limit\"? (bootlint rule lists them)\n"
    )
