"""OpenClaw's marks in a source file: every one that any release makes is known, and no quotation is one."""

from __future__ import annotations

import pytest

from bootlint.openclaw.releases import contract
from bootlint.openclaw.truncation import BootstrapFile, inject
from bootlint.security.markers import Mark, find
from bootlint.source import SourceText
from bootlint.workspace import TextFile
from harness import diagnostics, era_releases
from linear_time import assert_linear

LONG = "".join(f"- Never skip step {number} of the list.\n" for number in range(1000))


def marks(text: str) -> list[Mark]:
    return list(find(TextFile("AGENTS.md", SourceText(text))))


@pytest.mark.parametrize("release", era_releases())
@pytest.mark.parametrize(
    ("name", "limit"),
    [("AGENTS.md", 1_000), ("AGENTS.md", 9_000), ("SOUL.md", 100), ("SOUL.md", 1_000), ("SOUL.md", 9_000)],
)
def test_what_a_release_injects_is_recognised_when_it_is_written_back(
    release: str, name: str, limit: int
) -> None:
    file = BootstrapFile(name, f"/workspace/{name}", LONG)
    (injected,) = inject([file], contract(release), max_chars=limit, total_max_chars=60_000).files
    own = [
        injected.content[piece.start : piece.end]
        for piece in injected.pieces
        if piece.kind in ("marker", "notice")
    ]
    found = marks(injected.content)
    lines = [line for text in own for line in text.strip().split("\n") if line]
    assert [injected.content[mark.span.start : mark.span.end] for mark in found] == lines
    assert {mark.total for mark in found if mark.total is not None} == {len(LONG.rstrip())}


@pytest.mark.parametrize("release", era_releases())
def test_missing_file_is_recognised_when_it_is_written_back(release: str) -> None:
    (injected,) = inject([BootstrapFile("SOUL.md", "/workspace/SOUL.md", None)], contract(release)).files
    (mark,) = marks(injected.content)
    assert mark.replaces_file


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("…(truncated SOUL.md: kept 15000+5000 chars of 26359)…", (20_000, 26_359)),
        ("…(truncated AGENTS.md: kept 9000+policy 6100+3000 chars of 31200)…", (18_100, 31_200)),
        ("I live[…truncated 75+25/140] here.", (100, 140)),
        ("[Policy digest from AGENTS.md]", (None, None)),
    ],
)
def test_numbers(text: str, mark: tuple[int | None, int | None]) -> None:
    (found,) = marks(text)
    assert (found.kept, found.total) == mark


@pytest.mark.parametrize(
    "text",
    [
        "`[…truncated 75+25/140]` stands in the middle.",
        "```\n[...truncated, read AGENTS.md for full content...]\n```",
        "    [...truncated, read AGENTS.md for full content...]",
        "It says [...truncated, read AGENTS.md for full content...] there.",
        "Look for [MISSING] Expected at: in the prompt.",
        "...[truncated]...",
        "[... 12 more lines omitted ...]",
        "…(truncated AGENTS.md: kept 1+1 chars of " + "9" * 5000 + ")…",
    ],
)
def test_no_mark(text: str) -> None:
    assert marks(text) == []


def test_all_marks_of_a_file_make_one_finding() -> None:
    file = BootstrapFile("AGENTS.md", "/workspace/AGENTS.md", LONG)
    (injected,) = inject([file], contract("2026.9.6"), max_chars=2_000).files
    (found,) = diagnostics({"AGENTS.md": injected.content}, "BL506")
    assert len(found.notes) == 3
    assert "34,889" in found.message


@pytest.mark.parametrize(
    "unit", ["[...truncated, read ", "[…truncated 1+", "`[…truncated 1+1/2] ", "truncated\n", "[UNREADABLE: "]
)
def test_time_grows_with_the_text(unit: str) -> None:
    assert_linear(marks, unit)
