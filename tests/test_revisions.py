"""Laying out a commit: what bootlint reads stands there as it stood, and nothing is written outside."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bootlint import config
from bootlint.diagnostics import UserError
from bootlint.openclaw.releases import contract
from bootlint.revisions import Untracked, snapshot
from bootlint.workspace import MAX_BYTES
from harness import Link
from repositories import Repository, crafted_commit

if TYPE_CHECKING:
    from pathlib import Path


def laid_out(repository: Repository, revision: str = "HEAD", untracked: Untracked = "none") -> dict[str, str]:
    """Path → text of what is laid out; of a link, its target after an arrow."""
    with snapshot(repository.root, revision, untracked=untracked) as past:
        assert past.root.name == repository.root.name
        return {
            os.path.relpath(path, past.root): f"→ {os.readlink(path)}"
            if path.is_symlink()
            else path.read_text()
            for path in sorted(past.root.rglob("*"))
            if path.is_symlink() or path.is_file()
        }


READ = {
    "AGENTS.md": "a",
    "ws/soul.md": "near names too",
    "ws/SOULS.txt": "s",
    "ws/memory/2026-01-01.md": "m",
    "ws/memory/deep/er.md": "m",
    "ws/users/ada/USER.md": "u",
    "bootlint.toml": "",
    "ws/.bootlint.toml": "",
    "pyproject.toml": "",
    "ws/bootlint.lock": "l",
    "openclaw.json": "{}",
    "ws/.openclaw/workspace-state.json": "{}",
}


def test_what_bootlint_reads_is_there(repository: Repository) -> None:
    repository.commit({**READ, "README.md": "r", "src/main.c": "c", "ws/notes/faq.md": "n"})
    repository.write({"AGENTS.md": "changed later", "SOUL.md": "new"})
    assert laid_out(repository) == READ


def test_what_a_text_mentions_is_there_and_empty(repository: Repository) -> None:
    """Rules ask whether a file stands there, not what it says."""
    text = "[faq](notes/faq.md) [all](<my list.md>) [same](my%20list2.md) ![](img/) `run.sh`"
    others = (
        "notes/faq.md",
        "my list.md",
        "my list2.md",
        "img/a.png",
        "run.sh",
        "src/b.c",
        "memory/raw.json",
    )
    repository.commit({"AGENTS.md": text, **dict.fromkeys(others, "contents")})
    assert laid_out(repository) == {"AGENTS.md": text, **{name: "" for name in others if name != "src/b.c"}}


def test_links_lead_where_they_led(repository: Repository) -> None:
    repository.commit({
        "SOUL.md": Link("one"),
        "one": Link("texts/two"),
        "texts/two": "the soul",
        "USER.md": Link("gone"),
        "TOOLS.md": Link("TOOLS.md"),
        "IDENTITY.md": Link("../outside"),
        "unread": "not linked",
    })  # fmt: skip
    assert laid_out(repository) == {
        "SOUL.md": "→ one",
        "one": "→ texts/two",
        "texts/two": "the soul",
        "USER.md": "→ gone",
        "TOOLS.md": "→ TOOLS.md",
        "IDENTITY.md": "→ ../outside",
    }


def test_folders_on_the_way_may_be_links(repository: Repository) -> None:
    files: dict[str, Link | str] = {
        "ada/SOUL.md": Link("d/e/soul.md"),
        "ada/d": Link("../docs"),
        "docs/e": Link("../far/."),
        "far/soul.md": Link("../texts/soul.md"),
        "texts/soul.md": "the soul",
        "ada/USER.md": Link("up/user.md"),
        "ada/up": Link("../.."),
        "ada/TOOLS.md": Link("loop/tools.md"),
        "ada/loop": Link("loop/x"),
    }
    repository.commit({**files, "unread": "not linked"})
    assert laid_out(repository) == {
        path: f"→ {content.target}" if isinstance(content, Link) else content
        for path, content in files.items()
    }


def test_a_configuration_brings_what_it_includes(repository: Repository) -> None:
    files: dict[str, str | bytes | Link | None] = {
        "openclaw.json": '{"$include": "./parts/agents.json5"}',
        "parts/agents.json5": '{agents: {"$include": "limits.json"}}',
        "parts/limits.json": '{"defaults": {"bootstrapMaxChars": 900}}',
    }
    repository.commit({**files, "parts/other.json": "{}", "ws/SOUL.md": "s"})
    assert laid_out(repository) == {**files, "ws/SOUL.md": "s", "parts/other.json": ""}


def test_a_file_that_is_too_large_keeps_its_size(repository: Repository) -> None:
    repository.commit({"SOUL.md": b"x" * (MAX_BYTES + 1), "USER.md": b"x" * MAX_BYTES})
    with snapshot(repository.root, "HEAD") as past:
        assert (past.root / "SOUL.md").stat().st_size == MAX_BYTES + 1
        assert set(past.workspaces()[""].files) == {"USER.md"}
        assert past.workspaces()[""].unreadable == {"SOUL.md": "too-large"}


def test_filters_and_line_ends_of_the_repository_do_not_count(repository: Repository) -> None:
    repository.commit({".gitattributes": "*.md text eol=crlf ident\n", "SOUL.md": b"$Id$\r\n"})
    repository.git("config", "core.autocrlf", "true")
    assert laid_out(repository)["SOUL.md"] == "$Id$\n"


HOSTILE = {
    "a link that a file would be written through": {
        ("120000", "SOUL.md"): b"{outside}",
        ("100644", "SOUL.md/SOUL.md"): b"written through",
    },
    "a link that a link would be made through": {
        ("120000", "users"): b"{outside}",
        ("120000", "SOUL.md"): b"{outside}",
        ("120000", "SOUL.md/USER.md"): b"x",
    },
    "the folder above": {("100644", "../SOUL.md"): b"x", ("100644", "a/../../SOUL.md"): b"x"},
    "git's own folder": {("100644", ".git/SOUL.md"): b"x"},
    "an absolute path": {("100644", "{outside}/SOUL.md"): b"x"},
    "names that are no paths": {("100644", "a" * 300 + "/SOUL.md"): b"x", ("120000", "USER.md"): b"a\0b"},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_is_written_outside(name: str, repository: Repository, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    entries = {
        (mode, path.replace("{outside}", str(outside))): data.replace(b"{outside}", os.fsencode(outside))
        for (mode, path), data in HOSTILE[name].items()
    }
    commit = crafted_commit(repository, entries)
    with snapshot(repository.root, commit) as past:
        assert list(outside.iterdir()) == []
        assert [entry.name for entry in past.root.parent.iterdir()] == [past.root.name]
        assert not (past.root / ".git").exists()
    assert not past.root.exists()


def test_what_git_ignores_was_there_before(repository: Repository) -> None:
    repository.commit({".gitignore": "MEMORY.md\nmemory/\nprivate/\nnode_modules/\n", "SOUL.md": "s"})
    ignored: dict[str, str | bytes | Link | None] = {
        "MEMORY.md": "m",
        "memory/2026-01-01.md": "n",
        "private/ada/SOUL.md": "p",
    }
    repository.write(
        {**ignored, "node_modules/x/SOUL.md": "x", "new/SOUL.md": "new", "memory/a.png": "no text"}
    )
    assert laid_out(repository) == {"SOUL.md": "s"}
    assert laid_out(repository, untracked="ignored") == {"SOUL.md": "s", **ignored}
    assert laid_out(repository, untracked="all") == {"SOUL.md": "s", **ignored, "new/SOUL.md": "new"}


def test_a_commit_goes_before_what_is_ignored_now(repository: Repository) -> None:
    repository.commit({"MEMORY.md": "then"})
    repository.git("rm", "-q", "--cached", "MEMORY.md")
    repository.write({".gitignore": "MEMORY.md\n", "MEMORY.md": "now"})
    assert laid_out(repository, untracked="ignored") == {"MEMORY.md": "then"}


def test_places(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"ws/SOUL.md": "s", "ci/policy.json": "then"})
    repository.write({"ci/policy.json": "now", "ci/new.json": "now"})
    with snapshot(repository.root, "main") as past:
        assert past.place(repository.root / "ws") == past.root / "ws"
        assert past.today(past.root / "ws") == repository.root / "ws"
        policy = past.file(repository.root / "ci/policy.json")
        assert policy is not None
        assert policy.read_text() == "then"
        assert past.file(repository.root / "ci/new.json") is None
        with pytest.raises(UserError, match=rf"^{tmp_path}: is not in the repository of main; run"):
            past.place(tmp_path)


def test_nested_repositories_are_not_held(repository: Repository, tmp_path: Path) -> None:
    other = Repository.at(tmp_path / "other")
    other.commit({"deep/SOUL.md": "s"})
    repository.git("submodule", "add", "-q", str(other.root), "sub", GIT_ALLOW_PROTOCOL="file")
    Repository.at(repository.root / "clone").commit({"SOUL.md": "s"})
    repository.commit({"ws/SOUL.md": "s"})
    with snapshot(repository.root, "HEAD") as past:
        held = {name: past.holds(repository.root / name) for name in ("", "ws", "sub", "sub/deep", "clone")}
        assert held == {"": True, "ws": True, "sub": False, "sub/deep": False, "clone": False}
        assert not past.holds(tmp_path)
        assert set(past.workspaces()) == {"ws"}


@pytest.mark.parametrize("place", ["parent", "inside", "named"])
def test_the_configuration_of_then(place: str, repository: Repository, tmp_path: Path) -> None:
    """Inside the repository it is that of the commit, outside it is no part of the change."""

    def limit(chars: int) -> str:
        return f'{{"agents": {{"defaults": {{"bootstrapMaxChars": {chars}}}}}}}'

    folder = "" if place == "parent" else "state/ws"
    name = {"parent": "../openclaw.json", "inside": "state/openclaw.json", "named": "conf/prod.json"}[place]
    repository.write({f"{folder}/SOUL.md".lstrip("/"): "s", name: limit(900)})
    repository.commit()
    repository.write({name: limit(800)})
    option = {"openclaw-config": str(repository.root / name)} if place == "named" else {}
    with snapshot(repository.root, "HEAD") as past:
        found = past.basis(past.workspaces()[folder], config.parse(option, ""))
    assert [situation.max_chars for situation in found.situations] == [800 if place == "parent" else 900]
    path = found.situations[0].config
    assert path is not None
    assert os.path.relpath(path.path, past.root) == name


def test_a_file_that_others_mention_is_read_where_it_counts(repository: Repository) -> None:
    config_file = {"conf/prod.json": '{"agents": {"defaults": {"bootstrapMaxChars": 900}}}'}
    repository.commit({"bootlint.toml": "# conf/prod.json\n", "ws/SOUL.md": "s", **config_file})
    with snapshot(repository.root, "HEAD") as past:
        assert (past.root / "conf/prod.json").read_text() == ""
        for _ in range(2):
            file = past.file(repository.root / "conf/prod.json")
            assert file is not None
            assert file.read_text() == config_file["conf/prod.json"]


def test_a_configuration_that_could_not_be_read_does_not_count(repository: Repository) -> None:
    repository.commit({"ws/SOUL.md": "s", "openclaw.json": "{"})
    with snapshot(repository.root, "HEAD") as past:
        [situation] = past.basis(past.workspaces()["ws"], config.Settings()).situations
    assert situation.config is None
    assert situation.config_error is not None
    assert situation.max_chars == contract(situation.contract.release).truncation.default_max_chars


def test_moved_folders(repository: Repository) -> None:
    texts = {
        name: "".join(f"{name} line {number}\n" for number in range(30))
        for name in ("AGENTS.md", "SOUL.md", "USER.md", "notes.md")
    }
    first = repository.commit({f"a/{name}": text for name, text in texts.items()})
    moved = {f"b/{name}": text for name, text in texts.items() if name != "USER.md"}
    gone = {f"a/{name}": None for name in texts}
    second = repository.commit({**gone, **moved, "c/USER.md": texts["USER.md"]})
    with snapshot(repository.root, first) as past:
        assert past.moved_folders(second) == {"b": "a"}
        assert past.moved_folders(None) == {"b": "a"}
    half = repository.commit({"b/AGENTS.md": None, "c/SOUL.md": texts["SOUL.md"], "b/SOUL.md": None})
    third = repository.commit({"b/SOUL.md": None, "b/TOOLS.md": texts["SOUL.md"]})
    with snapshot(repository.root, second) as past:
        assert past.moved_folders(half) == {}, "as many were deleted"
    with snapshot(repository.root, half) as past:
        assert past.moved_folders(third) == {}
