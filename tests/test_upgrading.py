"""`bootlint releases`: what changed between releases, and what an upgrade does to a workspace."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from bootlint.cli import main
from bootlint.openclaw.history import changes, facts
from bootlint.openclaw.releases import contract, releases
from bootlint.wording import LANGUAGES, templates

if TYPE_CHECKING:
    from pathlib import Path

RULES = "".join(f"- 禁止把第 {number} 号表格发到群里\n" for number in range(40))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "AGENTS.md").write_text(
        f"# Agents\n\n{'x ' * 400}\n\n{RULES}\n{'y ' * 400}\n", encoding="utf-8"
    )
    (tmp_path / "SOUL.md").write_text("Be calm.\n", encoding="utf-8")
    (tmp_path / "TOOLS.md").write_text("Never print the parcel list twice.\n", encoding="utf-8")
    return tmp_path


def compared(
    workspace: Path, before: str, after: str, capsys: pytest.CaptureFixture[str]
) -> dict[str, object]:
    options = ["--max-chars", "1600", "--isolated", "--output-format", "json"]
    assert main(["releases", "--compare", before, after, str(workspace), *options]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_tools_is_merged_where_the_upgrade_retires_it(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = compared(workspace, "2026.6.11", "2026.9.6", capsys)
    assert found["merges_tools"] is True
    assert found["no_longer_loaded"] == ["TOOLS.md"]


def test_nothing_is_merged_where_both_releases_load_tools(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = compared(workspace, "2026.6.1", "2026.6.11", capsys)
    assert found["merges_tools"] is False
    assert found["no_longer_loaded"] == []


def test_chinese_rules_are_newly_ranked_and_newly_reached(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = compared(workspace, "2026.9.3", "2026.9.4", capsys)
    ranks = found["ranks"]
    assert isinstance(ranks, list)
    assert len(ranks) == 40
    assert all(rank["now_ranked"] for rank in ranks)


def test_a_secret_in_a_rule_is_masked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = "ghp" + "_" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3d"
    (tmp_path / "AGENTS.md").write_text(f"- 禁止外传 {secret}\n", encoding="utf-8")
    for arguments in (["releases", "--compare", "2026.9.3", "2026.9.4"], ["why"]):
        place = f"{tmp_path / 'AGENTS.md'}:1" if arguments == ["why"] else str(tmp_path)
        assert main([*arguments, place]) == 0
        said = capsys.readouterr()
        assert "禁止外传" in said.out
        assert secret not in said.out + said.err


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["digest of AGENTS.md: none → by English keywords", "limit of a file: 12,000 → 20,000"]),
        ("zh", ["AGENTS.md 的摘要：无 → 按英文关键词", "单文件上限：12,000 → 20,000"]),
    ],
)
def test_text_names_the_facts(
    language: str, words: list[str], workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compare = ["releases", "--compare", "2026.5.25", "2026.6.1", "--language", language]
    digest = ["releases", "--compare", "2026.5.18", "2026.5.19", "--language", language]
    assert main(digest) == 0
    assert capsys.readouterr().out == f"OpenClaw 2026.5.18 → 2026.5.19\n  {words[0]}\n"
    for path in ([], [str(workspace)]):
        assert main([*compare, *path]) == 0
        assert f"  {words[1]}\n" in capsys.readouterr().out
    assert main(["releases", "--language", language]) == 0
    assert f"  {words[1]}\n" in capsys.readouterr().out


def test_every_fact_and_value_has_words_in_both_languages() -> None:
    """But for numbers, the names of files and sections, and signs."""
    found = {(fact, value) for release in releases() for fact, value in facts(contract(release)).items()}
    words = {language: templates(language, ("fact-",)) for language in LANGUAGES}
    for fact, value in found:
        for known in words.values():
            assert f"fact-{fact}" in known
            if re.fullmatch(r"[a-z0-9-]+", value) and not value.isdecimal():
                assert known.keys() & {f"fact-{fact}-{value}", f"fact-{value}"}


# Fact → its value in the oldest release, in 2026.6.11 and in 2026.9.6.
EIGHT = "AGENTS.md SOUL.md TOOLS.md IDENTITY.md USER.md HEARTBEAT.md BOOTSTRAP.md MEMORY.md"
FACTS = {
    "limit": ("20000", "20000", "20000"),
    "total-limit": ("", "60000", "60000"),
    "user-limit": ("", "", "4000"),
    "long-personal-user": ("", "", "dropped"),
    "cut": ("70-20-marker-on-top", "75-25-and-marker-fit", "75-25-and-marker-fit"),
    "pairs": ("may-be-split", "may-be-split", "whole"),
    "digest": ("", "english-keywords", "english-keywords"),
    "digest-signs": ("", "", "🔴 禁止 嚴禁 不得 絕不 絕對不 切勿"),
    "digest-lesser-signs": ("", "", "必須 務必 一律 紅線"),
    "digest-prose": ("", "", "line-before-candidate"),
    "files": (EIGHT, EIGHT, "AGENTS.md SOUL.md IDENTITY.md USER.md BOOTSTRAP.md MEMORY.md"),
    "lowercase-memory": ("beside", "never", "never"),
    "skipped-when-absent": ("MEMORY.md", "MEMORY.md", "MEMORY.md USER.md"),
    "links-inside": ("read", "read", "fail"),
    "links-outside": ("read", "fail", "fail"),
    "hard-links": ("read", "fail", "fail"),
    "refused-file": ("missing", "missing", "unreadable"),
    "subagent-files": ("AGENTS.md TOOLS.md", "AGENTS.md TOOLS.md", "AGENTS.md"),
    "cron-files": (
        "all",
        "AGENTS.md IDENTITY.md SOUL.md TOOLS.md USER.md",
        "AGENTS.md IDENTITY.md SOUL.md USER.md",
    ),
    "groups-see-memory": ("yes", "yes", "no"),
    "prompt-order": ("load-order", "rank-and-name", "rank-and-name"),
    "project-entries": ("no", "no", "yes"),
    "bootstrap-file": ("like-any", "while-setup", "while-setup"),
    "sections-after-compaction": ("", "named-in-openclaw-json", "named-in-openclaw-json"),
    "compaction-chars": ("", "1800", "1800"),
    "daily-note-chars": ("", "1200", "1200"),
    "daily-notes-chars": ("", "2800", "2800"),
    "memory-provenance": ("", "", "kept"),
}


@pytest.mark.parametrize("fact", FACTS)
def test_the_facts_of_three_releases(fact: str) -> None:
    found = tuple(facts(contract(release))[fact] for release in ("2026.1.29", "2026.6.11", "2026.9.6"))
    assert found == FACTS[fact]


def test_sections_came_back_by_default_for_a_while() -> None:
    assert facts(contract("2026.3.22"))["sections-after-compaction"] == "Session Startup, Red Lines"


def test_every_release_has_the_same_facts_and_only_some_change_any() -> None:
    assert len({tuple(facts(contract(release))) for release in releases()}) == 1
    assert changes(contract("2026.9.1"), contract("2026.9.2")) == ()


def test_history_lists_the_first_release_and_those_that_changed_something(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["releases", "--output-format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["releases"]
    assert rows[0]["release"] == releases()[0]
    assert all(row["changes"] for row in rows[1:])
    assert main(["releases", "--all", "--output-format", "json"]) == 0
    assert [row["release"] for row in json.loads(capsys.readouterr().out)["releases"]] == list(releases())


def test_how_many_releases_are_not_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for options, left in (((), True), (("--all",), False), (("--quiet",), False)):
        assert main(["releases", *options]) == 0
        out, err = capsys.readouterr()
        listed = sum(not line.startswith(" ") for line in out.splitlines())
        assert err == (
            f"{len(releases()) - listed} releases are not listed, each like the one before it (--all lists them)\n"
            if left
            else ""
        )


def test_a_path_without_two_releases_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["releases", "somewhere"]) == 2
    assert "--compare" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (
            ["--compare", "2026.6.11", "2026.99"],
            "--compare: '2026.99' is no OpenClaw release; they look like",
        ),
        (["--compare", "lates", "2026.6.11"], 'did you mean "latest"?'),
        (
            ["--output-format", "jsn"],
            "--output-format: takes text, json, not 'jsn'; did you mean \"json\"?\n",
        ),
    ],
)
def test_a_word_that_is_none_is_named_with_its_option(
    arguments: list[str], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["releases", *arguments]) == 2
    assert fault in capsys.readouterr().err
