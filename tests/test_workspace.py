"""Which folders are workspaces, which files are theirs, and what is never opened."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from bootlint.workspace import MAX_BYTES, NoWorkspaceError, Workspace, discover, meant_name, read_text
from harness import unprivileged, workspace_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def make(root: Path, *paths: str) -> None:
    for path in paths:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("Be calm.\n")


def found(*paths: str) -> list[str]:
    """How the workspaces found are shown."""
    return [workspace.shown or "." for workspace in discover(paths)]


# --- discovery: files on disk, arguments, workspaces ----------------------------------------------------

DISCOVERY: list[tuple[str, list[str], list[str], list[str]]] = [
    ("a named folder needs one file", ["AGENTS.md"], ["."], ["."]),
    ("a named folder needs one file, nearly named", ["agents.md"], ["."], ["."]),
    ("a folder on the way needs two", ["ws/AGENTS.md", "ws/USER.md"], ["."], ["ws/"]),
    ("or SOUL.md", ["ws/SOUL.md"], ["."], ["ws/"]),
    ("or IDENTITY.md", ["a/b/c/IDENTITY.md"], ["."], ["a/b/c/"]),
    ("an AGENTS.md of a code repository is not ours", ["SOUL.md", "code/AGENTS.md"], ["."], ["."]),
    ("near names do not count on the way", ["SOUL.md", "ws/agents.md", "ws/user.md"], ["."], ["."]),
    ("several in one repository", ["b/SOUL.md", "a/SOUL.md", "a/x/SOUL.md"], ["."], ["a/", "a/x/", "b/"]),
    ("hidden folders are walked", [".openclaw/workspace/SOUL.md"], ["."], [".openclaw/workspace/"]),
    ("vendored code is not", ["SOUL.md", "node_modules/x/SOUL.md", ".venv/x/SOUL.md"], ["."], ["."]),
    ("unless it is named", ["node_modules/x/SOUL.md"], ["node_modules/x"], ["node_modules/x/"]),
    ("a bootstrap file means its workspace", ["ws/SOUL.md"], ["ws/SOUL.md"], ["ws/"]),
    ("any file does", ["ws/SOUL.md", "ws/notes.txt"], ["ws/notes.txt"], ["ws/"]),
    ("a file's folder needs one file", ["ws/AGENTS.md"], ["ws/AGENTS.md"], ["ws/"]),
    ("a file in the current folder", ["AGENTS.md"], ["AGENTS.md"], ["."]),
    ("a daily note", ["ws/AGENTS.md", "ws/memory/2026-08-01.md"], ["ws/memory/2026-08-01.md"], ["ws/"]),
    (
        "a note further below",
        ["ws/AGENTS.md", "ws/memory/people/ada.md"],
        ["ws/memory/people/ada.md"],
        ["ws/"],
    ),
    ("a folder that is called memory", ["memory/ws/AGENTS.md"], ["memory/ws/AGENTS.md"], ["memory/ws/"]),
    ("a personal USER.md", ["ws/AGENTS.md", "ws/users/ada/USER.md"], ["ws/users/ada/USER.md"], ["ws/"]),
    ("a folder that is called users", ["users/ada/USER.md"], ["users/ada/USER.md"], ["users/ada/"]),
    ("each only once", ["SOUL.md", "USER.md"], ["SOUL.md", "USER.md", "."], ["."]),
    ("in one order", ["b/SOUL.md", "a/SOUL.md"], ["b", "a"], ["a/", "b/"]),
]


@pytest.mark.parametrize(
    ("files", "arguments", "expected"), [row[1:] for row in DISCOVERY], ids=[row[0] for row in DISCOVERY]
)
def test_discovery(here: Path, files: list[str], arguments: list[str], expected: list[str]) -> None:
    make(here, *files)
    assert found(*arguments) == expected


def test_the_order_of_arguments_does_not_matter(here: Path) -> None:
    make(here, "ws/SOUL.md", "z/SOUL.md")
    (here / "link").symlink_to("ws")
    assert found("ws", "link", "z") == found("z", "link", "ws") == ["link/", "z/"]


def test_a_link_to_a_workspace_counts_when_it_is_named_and_is_not_walked_into(here: Path) -> None:
    make(here, "../elsewhere/SOUL.md", "SOUL.md")
    (here / "link").symlink_to("../elsewhere")
    assert found("link") == ["link/"]
    assert found(".") == ["."]


def test_a_folder_elsewhere_is_shown_with_its_whole_path(here: Path) -> None:
    make(here, "../elsewhere/SOUL.md")
    elsewhere = here.parent / "elsewhere"
    assert found(str(elsewhere)) == [f"{elsewhere}/"]
    assert found("../elsewhere") == ["../elsewhere/"]


def test_a_note_in_the_current_folder_finds_the_workspace_above(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(here, "AGENTS.md", "memory/2026-08-01.md")
    monkeypatch.chdir(here / "memory")
    assert found("2026-08-01.md") == [f"{here}/"]


def test_what_git_ignores_is_skipped_unless_it_is_named(here: Path) -> None:
    make(here, "kept/SOUL.md", "scratch/SOUL.md", "scratch/deep/SOUL.md")
    subprocess.run(["git", "init", "-q", "."], check=True)
    (here / ".gitignore").write_text("scratch/\n")
    assert found(".") == ["kept/"]
    assert found("scratch/deep") == ["scratch/deep/"]


LOOKED_FOR = "AGENTS.md, SOUL.md, TOOLS.md, IDENTITY.md, USER.md, HEARTBEAT.md, BOOTSTRAP.md, MEMORY.md"

DEFAULT = "OpenClaw's default workspace is ~/.openclaw/workspace"


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("nowhere", "nowhere: there is no such file or folder"),
        ("nowhere/SOUL.md", "nowhere/SOUL.md: there is no such file or folder"),
        (
            ".",
            f".: no OpenClaw workspace found; looked for {LOOKED_FOR}. {DEFAULT}",
        ),
    ],
)
def test_a_path_that_leads_to_no_workspace_says_what_was_looked_for(
    here: Path, argument: str, message: str
) -> None:
    make(here, "src/main.py", "code/AGENTS.md")
    with pytest.raises(NoWorkspaceError) as caught:
        discover([argument])
    assert str(caught.value) == message


def test_a_folder_that_cannot_be_read_is_told_from_one_without_a_workspace() -> None:
    with workspace_of({"SOUL.md": ""}) as workspace:
        workspace.root.chmod(0)
        with unprivileged(), pytest.raises(NoWorkspaceError, match="cannot be read: permission denied"):
            discover([str(workspace.root)])


# --- names ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("AGENTS.md", "AGENTS.md"),
        ("agents.md", "AGENTS.md"),
        ("Agent.MD", "AGENTS.md"),
        ("SOULS.md", "SOUL.md"),
        ("Tool.md", "TOOLS.md"),
        ("memory.md", "MEMORY.md"),
        ("SOUL.txt", "SOUL.md"),
        ("IDENTITY.markdown", "IDENTITY.md"),
        ("user.txt", None),
        ("Soul.txt", None),
        ("SOUL", None),
        ("SOUL.md.bak", None),
        ("MY-SOUL.md", None),
        ("memories.md", None),
        ("README.md", None),
    ],
)
def test_which_bootstrap_file_a_name_is_meant_for(name: str, meant: str | None) -> None:
    assert meant_name(name) == meant


# --- reading --------------------------------------------------------------------------------------------


def test_files_are_the_bootstrap_files_near_names_and_personal_ones(here: Path) -> None:
    make(here, "AGENTS.md", "souls.md", "README.md", "users/ada/USER.md", "users/ada/SOUL.md", "memory/x.md")
    workspace = Workspace.at(here)
    assert list(workspace.files) == ["AGENTS.md", "souls.md", "users/ada/USER.md"]
    assert workspace.files["users/ada/USER.md"].name == "USER.md"
    assert workspace.notes == ("x.md",)
    assert workspace.unreadable == {}


def test_texts_of_the_overlay_replace_those_on_disk_and_may_be_new(here: Path) -> None:
    make(here, "AGENTS.md")
    workspace = Workspace.at(here).with_texts({"AGENTS.md": "new", "SOUL.md": "soul"})
    assert {path: file.source.text for path, file in workspace.files.items()} == {
        "AGENTS.md": "new",
        "SOUL.md": "soul",
    }
    assert workspace.entries == {"AGENTS.md", "SOUL.md"}


def test_a_folder_that_is_gone_holds_nothing(here: Path) -> None:
    workspace = Workspace.at(here / "gone")
    assert (workspace.files, workspace.entries, workspace.notes) == ({}, frozenset(), ())


def test_a_path_beside_the_workspace_is_shown_where_it_is(here: Path) -> None:
    workspace = Workspace.at(here, "agents/ada/")
    assert workspace.shown_path("SOUL.md") == "agents/ada/SOUL.md"
    assert workspace.shown_path("../openclaw.json") == "agents/openclaw.json"
    assert Workspace.at(here).shown_path("../openclaw.json") == "../openclaw.json"


LINKS = {
    "inside.md": "inner/text.md",
    "outside.md": "../elsewhere/secret.md",
    "sibling.md": "../here-too/secret.md",  # its path begins like the workspace's
    "by-way-of.md": "outside.md",
    "dangling.md": "nowhere",
    "loop.md": "loop.md",
    "folder.md": "inner",
    "users": "../elsewhere",
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("inner/text.md", "Be calm.\n"),
        ("inside.md", "Be calm.\n"),
        ("outside.md", "link-outside"),
        ("sibling.md", "link-outside"),
        ("by-way-of.md", "link-outside"),
        ("users/secret.md", "link-outside"),
        ("dangling.md", "not-a-file"),
        ("loop.md", "not-a-file"),
        ("folder.md", "not-a-file"),
        ("inner", "not-a-file"),
        ("pipe.md", "not-a-file"),
        ("sparse.md", "too-large"),
        ("full.md", "a" * MAX_BYTES),
        ("over.md", "too-large"),
    ],
)
def test_only_plain_files_inside_the_workspace_are_read(here: Path, path: str, expected: str) -> None:
    make(here, "inner/text.md", "../elsewhere/secret.md", "../here-too/secret.md")
    for name, target in LINKS.items():
        (here / name).symlink_to(target)
    os.mkfifo(here / "pipe.md")
    (here / "full.md").write_bytes(b"a" * MAX_BYTES)
    (here / "over.md").write_bytes(b"a" * (MAX_BYTES + 1))
    (here / "sparse.md").touch()
    os.truncate(here / "sparse.md", 3 * 2**30)
    answer = read_text(here, path)
    assert (answer if isinstance(answer, str) else answer.text) == expected


def test_what_is_closed_to_us_is_named_or_skipped() -> None:
    with workspace_of({"a/SOUL.md": "", "a/USER.md": "", "b/SOUL.md": "", "c/SOUL.md": ""}) as workspace:
        (workspace.root / "a" / "SOUL.md").chmod(0o000)
        (workspace.root / "b").chmod(0o000)
        with unprivileged():
            first, last = discover([str(workspace.root)])
            assert (first.root.name, last.root.name) == ("a", "c")
            assert first.unreadable == {"SOUL.md": "no-permission"}
        (workspace.root / "b").chmod(0o755)
