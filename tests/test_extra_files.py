"""Which files the hook for extra files means: literal paths, patterns, bounds, and any pattern at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootlint.openclaw import extra_files as module
from bootlint.openclaw.extra_files import extra_files
from bootlint.openclaw.releases import contract

if TYPE_CHECKING:
    from pathlib import Path

LATEST = contract("2026.9.6")


def hook(*patterns: object) -> dict[str, object]:
    entries = {"bootstrap-extra-files": {"enabled": True, "paths": list(patterns)}}
    return {"hooks": {"internal": {"entries": entries}}}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("state") / "ws"
    for path in ("AGENTS.md", "docs/AGENTS.md", "docs/SOUL.md", "docs/notes.md", "docs/a/AGENTS.md",
                 "docs/b/c/USER.md", "docs/b/USER.md/x", ".hidden/AGENTS.md", "p[1]/AGENTS.md"):  # fmt: skip
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x")
    (root.parent / "out").mkdir()
    (root.parent / "out" / "AGENTS.md").write_text("x")
    (root / "away").symlink_to("../out")
    (root / "docs" / "IDENTITY.md").symlink_to("../../out/AGENTS.md")
    return root


@pytest.mark.parametrize(
    ("pattern", "files"),
    [
        ("docs/AGENTS.md", ["docs/AGENTS.md"]),
        ("./docs//x/../SOUL.md", ["docs/SOUL.md"]),
        ("nowhere/USER.md", ["nowhere/USER.md"]),
        ("docs/notes.md", []),
        ("docs/agents.md", []),
        ("../out/AGENTS.md", []),
        ("/out/AGENTS.md", []),
        ("a\0/AGENTS.md", ["a\0/AGENTS.md"]),
        ("p[1]/AGENTS.md", ["p[1]/AGENTS.md"]),
        ("*/AGENTS.md", [".hidden/AGENTS.md", "docs/AGENTS.md", "p[1]/AGENTS.md"]),
        ("docs/*.md", ["docs/AGENTS.md", "docs/IDENTITY.md", "docs/SOUL.md"]),
        ("docs/{a,b/c}/*.md", ["docs/a/AGENTS.md", "docs/b/c/USER.md"]),
        ("docs/{SOUL,{USER,AGENTS}}.md", ["docs/AGENTS.md", "docs/SOUL.md"]),
        ("docs/{AGENTS}.md", []),
        ("docs/**/USER.md", ["docs/b/c/USER.md"]),
        (
            "docs/**",
            ["docs/AGENTS.md", "docs/IDENTITY.md", "docs/SOUL.md", "docs/a/AGENTS.md", "docs/b/c/USER.md"],
        ),
        ("**/**/a/**/AGENTS.md", ["docs/a/AGENTS.md"]),
        ("docs/?/AGENTS.md", ["docs/a/AGENTS.md"]),
        (".\\docs\\*\\AGENTS.md", ["docs/a/AGENTS.md"]),
        ("docs/A*", ["docs/AGENTS.md"]),
        ("away/*.md", []),
        ("../**/AGENTS.md", []),
    ],
)
def test_what_a_pattern_means(workspace: Path, pattern: str, files: list[str]) -> None:
    assert list(extra_files(workspace, hook(pattern), LATEST)) == files


def test_a_pattern_of_any_length_that_anybody_writes(workspace: Path) -> None:
    longest = "./" * 2_041 + "docs/AGENTS.md"
    assert len(longest) == 4_096
    assert extra_files(workspace, hook(longest), LATEST) == ("docs/AGENTS.md",)
    assert extra_files(workspace, hook(f"./{longest}"), LATEST) == ()


def test_patterns_keep_their_order_and_name_a_file_once(workspace: Path) -> None:
    found = extra_files(workspace, hook("docs/SOUL.md", "docs/*.md"), LATEST)
    assert found == ("docs/SOUL.md", "docs/AGENTS.md", "docs/IDENTITY.md")


@pytest.mark.parametrize(
    ("release", "files"),
    [
        ("2026.2.12", ()),
        ("2026.4.25", ("AGENTS.md", "x/TOOLS.md")),
        ("2026.4.26", ("x/TOOLS.md",)),
        ("2026.9.6", ()),
    ],
)
def test_names_and_repetitions_by_release(workspace: Path, release: str, files: tuple[str, ...]) -> None:
    assert extra_files(workspace, hook("AGENTS.md", "x/TOOLS.md"), contract(release)) == files


def test_lower_case_memory_counts_where_it_is_loaded(workspace: Path) -> None:
    assert extra_files(workspace, hook("x/memory.md"), contract("2026.4.22")) == ("x/memory.md",)
    assert extra_files(workspace, hook("x/memory.md"), contract("2026.4.23")) == ()


def test_the_walk_is_bounded(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FOLDERS", 1)
    assert extra_files(workspace, hook("**/*.md"), contract("2026.4.25")) == ("AGENTS.md",)


def test_a_pattern_that_takes_too_much_effort_is_left_out(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns = hook("docs/{a,b,c,d}/" + "*" * 30 + ".md", "docs/A*")
    assert extra_files(workspace, patterns, LATEST) == ("docs/a/AGENTS.md", "docs/AGENTS.md")
    monkeypatch.setattr(module, "MAX_EFFORT", 100)
    assert extra_files(workspace, patterns, LATEST) == ("docs/AGENTS.md",)


@pytest.mark.parametrize(
    "pattern", ["{a,b}" * 5_000, "{a,b}" * 500, "*a" * 2_000, "**/" * 1_300 + "x", "{" * 4_000]
)
def test_hostile_patterns_end(workspace: Path, pattern: str) -> None:
    assert extra_files(workspace, hook(*[pattern] * 50, "docs/A*"), LATEST) == ("docs/AGENTS.md",)


def test_a_folder_that_is_not_there_has_no_files(tmp_path: Path) -> None:
    assert extra_files(tmp_path / "none", hook("**/*.md"), LATEST) == ()


pattern_text = st.lists(
    st.sampled_from(["*", "**", "/", "?", "{", "}", ",", "[", "]", "!", "..", "docs"]) | st.text()
)


@given(patterns=st.lists(pattern_text.map("".join)))
def test_any_pattern_stays_inside(workspace: Path, patterns: list[str]) -> None:
    found = extra_files(workspace, hook(*patterns), LATEST)
    assert all(not path.startswith(("/", "../")) and path.endswith(".md") for path in found)
