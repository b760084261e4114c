"""What silences a finding, and which suppressions are reported as being of no use."""

from __future__ import annotations

from pathlib import Path

import pytest

from bootlint import config
from bootlint.diagnostics import Finding, Span
from bootlint.suppressions import Suppressions
from bootlint.workspace import Workspace
from harness import lint


def suppressions(text: str, path: str = "AGENTS.md", **settings: object) -> Suppressions:
    """Of a workspace `agents/ada` that holds one file; the settings stand two folders above."""
    data = {key.replace("_", "-"): value for key, value in settings.items()}
    workspace = Workspace.at(Path("agents/ada")).with_texts({path: text})
    return Suppressions(workspace, config.parse(data, "bootlint.toml"))


def finding_at(text: str, words: str, path: str = "AGENTS.md") -> Finding:
    start = text.index(words)
    return Finding(path, Span(start, start + len(words)))


def everything_ran(_code: str) -> bool:
    return True


def reported(found: Suppressions) -> list[tuple[str | None, dict[str, object]]]:
    return [(finding.variant, dict(finding.params)) for finding in found.unused(everything_ran)]


# --- comments ------------------------------------------------------------------------------------------------

COMMENTED = """\
<!-- bootlint: ignore[front-matter-injected] for another program -->
before
<!-- bootlint: ignore[duplicate-rule, BL306] on purpose -->

- first
  second

- after
- trailing <!-- bootlint:ignore[bl310]because -->
- next
"""


@pytest.mark.parametrize(
    ("code", "words", "silent"),
    [
        ("BL310", "first", True),
        ("BL306", "first", True),
        ("BL311", "first", False),
        ("BL310", "second", True),  # the block goes on
        ("BL310", "before", False),
        ("BL310", "after", False),
        ("BL309", "before", True),
        ("BL309", "<!-- bootlint: ignore[front", True),  # on the comment's own line: about the whole file
        ("BL310", "trailing", True),
        ("BL310", "next", False),  # a comment behind a text speaks of its line alone
    ],
)
def test_a_comment_silences_its_line_or_the_block_below(code: str, words: str, silent: bool) -> None:
    assert suppressions(COMMENTED).silence(code, finding_at(COMMENTED, words)) is silent


def test_a_comment_in_code_is_none() -> None:
    text = "```\n<!-- bootlint: ignore[BL310] -->\n```\n`<!-- bootlint: ignore[BL310] -->` here\n"
    found = suppressions(text)
    assert not found.silence("BL310", finding_at(text, "here"))
    assert reported(found) == []


def test_a_comment_speaks_of_its_own_file_alone() -> None:
    text = "<!-- bootlint: ignore[BL310] -->\n- first\n"
    assert not suppressions(text).silence("BL310", finding_at(text, "first", "SOUL.md"))


def test_each_rule_of_a_comment_is_judged_by_itself() -> None:
    found = suppressions(COMMENTED)
    found.silence("BL310", finding_at(COMMENTED, "first"))
    found.silence("BL309", finding_at(COMMENTED, "before"))
    assert reported(found) == [(None, {"rule": "BL306"}), (None, {"rule": "bl310"})]


def test_a_finding_about_a_comment_points_at_the_word() -> None:
    text = "<!-- bootlint: ignore[ duplicate-rule ,\tno such rule] -->\n- first\n"
    spans = [finding.span for finding in suppressions(text).unused(everything_ran)]
    assert [text[span.start : span.end] for span in spans] == ["duplicate-rule", "no such rule"]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("<!-- bootlint: ignore[duplicate-rules] -->", [("misspelt", {"rule": "duplicate-rules", "meant": "duplicate-rule"})]),
        ("<!-- bootlint: ignore[BL3010] -->", [("misspelt", {"rule": "BL3010", "meant": "BL310"})]),
        ("<!-- bootlint: ignore[loudness] -->", [("unknown", {"rule": "loudness"})]),
        ("<!-- bootlint: ignore[规则] -->", [("unknown", {"rule": "规则"})]),
        ("<!-- bootlint: ignore duplicate-rule -->", [("malformed", {})]),
        ("<!-- bootlint: ignore[] -->", [("malformed", {})]),
        ("<!-- bootlint: ignore[ , ] -->", [("malformed", {})]),
        ("<!--bootlint:disable-->", [("malformed", {})]),
        ("<!-- bootlint is a linter -->", []),
        ("<!-- another: ignore[duplicate-rule] -->", []),
    ],
)  # fmt: skip
def test_a_comment_that_can_silence_nothing_says_why(comment: str, expected: list[object]) -> None:
    assert reported(suppressions(f"{comment}\n- first\n")) == expected


# --- settings ------------------------------------------------------------------------------------------------

TEXT = "# Agents\n\n- 必须先备份\n- Never guess\n"


@pytest.mark.parametrize(
    ("pattern", "silent"),
    [
        ("AGENTS.md", True),
        ("*.md", True),
        ("A*", True),
        ("agents/ada/AGENTS.md", True),  # from where the settings stand
        ("agents/*", True),
        ("agents/bob/*", False),
        ("SOUL.md", False),
        ("agents.md", False),
    ],
)
def test_patterns_match_names_and_paths(pattern: str, silent: bool) -> None:
    by_pattern = suppressions(TEXT, per_file_ignores={pattern: ["BL310"]})
    by_entry = suppressions(TEXT, ignore_finding=[{"rule": "BL310", "file": pattern, "reason": "so"}])
    for found in (by_pattern, by_entry):
        assert found.silence("BL310", finding_at(TEXT, "Never")) is silent
        assert not found.silence("BL311", finding_at(TEXT, "Never"))


@pytest.mark.parametrize(
    ("entry", "words", "silent"),
    [
        ({}, "Never", True),
        ({"text": "先备份"}, "必须", True),
        ({"text": "先备份"}, "Never", False),
        ({"text": "先备份"}, "必须先备份\n- Never", True),  # on any line of the finding
        ({"text": "guess", "file": "SOUL.md"}, "Never", False),
    ],
)
def test_an_entry_may_ask_for_a_file_and_a_text(entry: dict[str, str], words: str, silent: bool) -> None:
    found = suppressions(TEXT, ignore_finding=[{"rule": "duplicate-rule", "reason": "so", **entry}])
    assert found.silence("BL310", finding_at(TEXT, words)) is silent


def test_settings_that_silence_nothing_are_reported_where_they_can_be_judged() -> None:
    entries = [
        {"rule": "BL310", "reason": "one", "file": "AGENTS.md", "text": "not there"},
        {"rule": "BL310", "reason": "two", "file": "SOUL.md"},  # for another workspace, perhaps
        {"rule": "BL310", "reason": "three"},
        {"rule": "BL310", "reason": "four", "file": "AGENTS.md", "text": "guess"},
    ]
    patterns = {"A*": ["BL306"], "*.md": ["BL3"], "SOUL.md": ["BL306"]}
    found = suppressions(TEXT, ignore_finding=entries, per_file_ignores=patterns)
    found.silence("BL310", finding_at(TEXT, "Never"))
    assert reported(found) == [
        ("setting", {"rule": "duplicate-rule", "reason": "one"}),
        ("pattern", {"pattern": "A*"}),
    ]


def test_what_did_not_run_is_not_judged() -> None:
    text = f"<!-- bootlint: ignore[BL306, BL310] -->\n{TEXT}"
    entry = {"rule": "BL310", "reason": "one", "file": "AGENTS.md"}
    found = suppressions(text, ignore_finding=[entry], per_file_ignores={"A*": ["BL310"]})
    assert list(found.unused(lambda code: code == "BL306")) == [
        Finding("AGENTS.md", Span(22, 27), {"rule": "BL306"})
    ]


# --- a whole run ---------------------------------------------------------------------------------------------

TWICE = "<!-- bootlint: ignore[duplicate-rule] -->\n- Never guess what the owner wants.\n" * 2


@pytest.mark.parametrize(
    ("options", "codes", "suppressed"),
    [
        ({"select": ["BL002", "BL310"]}, ["BL002"], 1),  # the first comment silences nothing
        ({"select": ["BL002"]}, [], 0),
        ({"select": ["BL310"]}, [], 1),
        ({"select": ["BL002", "BL310"], "ignore": ["BL310"]}, [], 0),
        ({"select": ["BL002", "BL310"], "per-file-ignores": {"AGENTS.md": ["BL002"]}}, [], 2),
    ],
)
def test_a_run_counts_what_is_suppressed(
    options: dict[str, object], codes: list[str], suppressed: int
) -> None:
    report = lint({"AGENTS.md": TWICE.replace("\n<", "\n\n<")}, **options)
    assert [diagnostic.code for diagnostic in report.diagnostics] == codes
    assert report.suppressed == suppressed


@pytest.mark.parametrize(("release", "codes"), [("2026.9.6", ["BL002"]), ("2026.6.11", [])])
def test_a_rule_that_the_release_has_no_use_for_is_not_judged(release: str, codes: list[str]) -> None:
    files = {"AGENTS.md": "<!-- bootlint: ignore[retired-file] -->\n# Agents\n"}
    report = lint(files, select=["BL002", "BL303"], openclaw=release)
    assert [diagnostic.code for diagnostic in report.diagnostics] == codes
