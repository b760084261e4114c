"""Asking git: nothing of a hostile repository's runs, and every refusal is one line with a remedy."""

from __future__ import annotations

import os
import stat
import subprocess
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import pytest

from bootlint import git
from bootlint.git import GitError
from repositories import Repository

SOUL = {"SOUL.md": "- Never lie\n" * 20}


def executable(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


# --- hostile repositories -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trap:
    """Settings that run `{trap}`, and a command of git that falls into it, to prove that they do."""

    config: dict[str, str]
    victim: tuple[str, ...]
    attributes: str = ""


TRAPS = {
    "fsmonitor": Trap({"core.fsmonitor": "{trap}"}, ("status",)),
    "external diff": Trap({"diff.external": "{trap}"}, ("diff", "HEAD~")),
    "external diff by attribute": Trap({"diff.x.command": "{trap}"}, ("diff", "HEAD~"), "* diff=x"),
    "text conversion": Trap({"diff.x.textconv": "{trap}"}, ("diff", "HEAD~"), "* diff=x"),
    "clean filter": Trap({"filter.x.clean": "{trap}"}, ("diff", "HEAD"), "* filter=x"),
    "process filter": Trap(
        {"filter.x.process": "{trap}", "filter.x.required": "false"}, ("diff", "HEAD"), "* filter=x"
    ),
    "hooks": Trap({"core.hooksPath": "{folder}"}, ("checkout", "-q", "HEAD")),
    "signatures": Trap(
        {"log.showSignature": "true", "gpg.program": "{trap}"}, ("log", "--show-signature", "signed")
    ),
}
SIGNED = b"""tree %s
author A <a@example.org> 0 +0000
committer A <a@example.org> 0 +0000
gpgsig -----BEGIN PGP SIGNATURE-----
 x
 -----END PGP SIGNATURE-----

signed
"""


def ask_everything(folder: Path) -> None:
    """Every question that bootlint asks git."""
    top = git.toplevel(folder)
    assert git.has_commits(folder)
    head, base = git.commit(folder, "HEAD"), git.commit(folder, "HEAD~")
    git.commit(folder, "signed")
    entries = [entry.object_id for entry in git.files(folder, head)]
    git.sizes(folder, entries)
    git.contents(folder, entries)
    list(git.renames(folder, base, head))
    list(git.renames(folder, base, None))
    list(git.untracked(top, only_ignored=False))
    git.ignored(folder, [top / "new", top / "old"])
    git.merge_base(folder, base)
    git.origin(folder)
    list(git.versions(folder, "SOUL.md", 240))


@pytest.mark.parametrize("name", TRAPS)
def test_no_setting_of_a_repository_runs_a_program(name: str, tmp_path: Path, repository: Repository) -> None:
    trap, sprung = TRAPS[name], tmp_path / "sprung"
    script = executable(tmp_path / "traps" / "trap", f"touch {sprung}\ncat 2> /dev/null")
    executable(tmp_path / "traps" / "post-checkout", f"touch {sprung}")
    repository.commit({"old/SOUL.md": SOUL["SOUL.md"]})
    repository.commit(
        {"old/SOUL.md": None, "new/SOUL.md": SOUL["SOUL.md"] + "- Be kind\n", ".gitignore": "x\n"}
    )
    signed = SIGNED % repository.git("rev-parse", "HEAD^{tree}").encode()
    repository.git(
        "update-ref",
        "refs/tags/signed",
        repository.git("hash-object", "-t", "commit", "-w", "--stdin", feed=signed),
    )
    (repository.root / ".git/info/attributes").write_text(f"{trap.attributes}\n")
    for key, value in trap.config.items():
        repository.git("config", key, value.format(trap=script, folder=script.parent))
    repository.write({"new/SOUL.md": "- Never lie\n", "x": "ignored", "y": "untracked"})
    sprung.unlink(missing_ok=True)

    ask_everything(repository.root / "new")
    assert not sprung.exists()

    subprocess.run(["git", *trap.victim], cwd=repository.root, capture_output=True, check=False)
    assert sprung.exists(), "the trap itself does not work"


def test_no_variable_of_git_counts(
    tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository.at(tmp_path / "other")
    repository.commit(SOUL)
    sprung = tmp_path / "sprung"
    script = executable(tmp_path / "trap", f"touch {sprung}")
    executable(tmp_path / "bin" / "git-rev-parse", f"touch {sprung}")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(script))
    monkeypatch.setenv("GIT_EXEC_PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("GIT_TRACE", str(sprung))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(script))
    assert git.toplevel(repository.root) == repository.root
    assert git.has_commits(repository.root)
    list(git.untracked(repository.root, only_ignored=False))
    assert not sprung.exists()


def test_no_git_of_the_current_folder_runs(
    tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit(SOUL)
    sprung = tmp_path / "sprung"
    executable(repository.root / "git", f"touch {sprung}")
    monkeypatch.setenv("PATH", os.pathsep.join((".", "", os.environ["PATH"])))
    with chdir(repository.root):
        assert git.toplevel(Path()) == repository.root
        assert not sprung.exists()
        subprocess.run(["git"], check=True)
    assert sprung.exists(), "the trap itself does not work"


def test_nothing_is_fetched(tmp_path: Path, repository: Repository) -> None:
    """A partial clone whose remote is a program: asking for what it lacks would start that."""
    commit = repository.commit(SOUL)
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = Repository(tmp_path / "clone")
    arguments = ("clone", "-q", "--no-checkout", "--filter=blob:none", repository.root.as_uri())
    repository.git(*arguments, str(clone.root), GIT_ALLOW_PROTOCOL="file")
    sprung = tmp_path / "sprung"
    clone.git("config", "remote.origin.url", f"ext::touch {sprung}")
    entries = [entry.object_id for entry in git.files(clone.root, commit)]
    with pytest.raises(GitError, match="clone without --filter"):
        git.sizes(clone.root, entries)
    assert not sprung.exists()
    victim = ["git", "-c", "protocol.ext.allow=always", "cat-file", "-e", entries[0]]
    subprocess.run(victim, cwd=clone.root, capture_output=True, check=False)
    assert sprung.exists(), "the trap itself does not work"


# --- where it is asked --------------------------------------------------------------------------------------


def test_the_top_of_a_work_tree(tmp_path: Path, repository: Repository) -> None:
    repository.commit({"a/b/SOUL.md": "x"})
    repository.git("worktree", "add", "-q", str(tmp_path / "tree"))
    repository.git("checkout", "-q", "--detach")
    (tmp_path / "link").symlink_to(repository.root)
    assert git.toplevel(repository.root / "a/b") == repository.root
    assert git.toplevel(tmp_path / "tree/a") == tmp_path / "tree"
    assert git.toplevel(tmp_path / "link/a") == repository.root


def test_outside_a_work_tree(tmp_path: Path, repository: Repository) -> None:
    (tmp_path / "bare").mkdir()
    repository.git("init", "-q", "--bare", str(tmp_path / "bare"))
    (tmp_path / "nowhere").mkdir()
    for folder in (tmp_path / "bare", repository.root / ".git", tmp_path / "nowhere"):
        with pytest.raises(GitError, match=rf"^{folder}: is in no git work tree \(fatal: .*\)$"):
            git.toplevel(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository away")
def test_the_repository_of_somebody_else(repository: Repository) -> None:
    repository.commit(SOUL)
    for folder, _, names in os.walk(repository.root):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.chown(path, 65534, 65534)
    with pytest.raises(GitError, match=r"belongs to another user.*safe\.directory"):
        git.toplevel(repository.root)


def test_without_git(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GitError, match=r"^git is not installed$"):
        git.toplevel(repository.root)
    repository.write({"ada/SOUL.md": "- Never lie\n"})
    assert repository.bootlint("check", ".").status == 0


# --- commits ------------------------------------------------------------------------------------------------


def test_a_commit_is_found_by_any_of_its_names(repository: Repository) -> None:
    first = repository.commit(SOUL)
    repository.git("tag", "-a", "v1", "-m", "an annotated tag")
    second = repository.commit({"SOUL.md": "x"})
    names = {"HEAD": second, "main": second, "HEAD~": first, "v1": first, first[:8]: first, "@{0}": second}
    assert {name: git.commit(repository.root, name) for name in names} == names


@pytest.mark.parametrize(
    ("revision", "message"),
    [
        ("gone", "gone: git knows no such commit"),
        ("HEAD~9", "HEAD~9: git knows no such commit"),
        ("HEAD:SOUL.md", "HEAD:SOUL.md: git knows no such commit"),
        ("--all", "--all: git knows no such commit"),
        ("-h", "-h: git knows no such commit"),
        ("--output=x", "--output=x: git knows no such commit"),
        ("main..HEAD", "main..HEAD: git knows no such commit"),
        ("", "the commit to compare with is an empty text; is a variable of the CI unset?"),
    ],
)
def test_what_is_no_commit(revision: str, message: str, repository: Repository) -> None:
    repository.commit(SOUL)
    with pytest.raises(GitError) as raised:
        git.commit(repository.root, revision)
    assert str(raised.value) == message
    assert {path.name for path in repository.root.iterdir()} == {".git", "SOUL.md"}


def test_before_the_first_commit(repository: Repository) -> None:
    assert not git.has_commits(repository.root)
    with pytest.raises(GitError, match=r"^HEAD: there is no commit in this repository yet$"):
        git.commit(repository.root, "HEAD")


def test_a_shallow_clone_says_how_to_deepen_it(tmp_path: Path, repository: Repository) -> None:
    first = repository.commit(SOUL)
    repository.commit({"SOUL.md": "x"})
    repository.git("clone", "-q", "--depth=1", repository.root.as_uri(), str(tmp_path / "shallow"))
    with pytest.raises(GitError) as raised:
        git.commit(tmp_path / "shallow", first)
    assert str(raised.value) == (
        f"{first}: not in this shallow clone; fetch more of it first "
        "(git fetch --unshallow, or fetch-depth: 0 in actions/checkout)"
    )


def test_where_a_branch_left(repository: Repository) -> None:
    common = repository.commit(SOUL)
    repository.git("checkout", "-q", "-b", "branch")
    repository.commit({"a": "a"})
    repository.git("checkout", "-q", "main")
    repository.commit({"b": "b"})
    repository.git("checkout", "-q", "branch")
    assert git.merge_base(repository.root, "main") == common
    repository.git("checkout", "-q", "--orphan", "stranger")
    repository.commit({"c": "c"})
    assert git.merge_base(repository.root, "main") == repository.git("rev-parse", "main")


# --- contents -----------------------------------------------------------------------------------------------

NAMES = ["a b.md", "-rf", "ünï/文件.md", "new\nline", 'quo"te', "tab\t", ":(top)x", "*"]


def test_contents_are_those_of_the_commit_whatever_the_names(repository: Repository) -> None:
    texts = {name: f"{name}\r\n\0\n".encode() for name in NAMES} | {"empty": b"", "binary": bytes(range(256))}
    (repository.root / ".git/info").mkdir(exist_ok=True)
    repository.git("config", "core.autocrlf", "false")
    commit = repository.commit(texts)
    repository.git("config", "core.autocrlf", "true")
    entries = list(git.files(repository.root, commit))
    assert {entry.path for entry in entries} == set(texts)
    ids = [entry.object_id for entry in entries]
    data, sizes = git.contents(repository.root, ids), git.sizes(repository.root, ids)
    assert {entry.path: data[entry.object_id] for entry in entries} == texts
    assert {entry.path: sizes[entry.object_id] for entry in entries} == {
        name: len(text) for name, text in texts.items()
    }


def test_links_are_told_from_files_and_submodules_left_out(tmp_path: Path, repository: Repository) -> None:
    other = Repository.at(tmp_path / "other")
    other.commit(SOUL)
    repository.git("submodule", "add", "-q", str(other.root), "sub", GIT_ALLOW_PROTOCOL="file")
    (repository.root / "link").symlink_to("SOUL.md")
    commit = repository.commit(SOUL)
    entries = {entry.path: entry.is_link for entry in git.files(repository.root, commit)}
    assert entries == {".gitmodules": False, "SOUL.md": False, "link": True}


def test_a_damaged_repository_is_named_as_such(repository: Repository) -> None:
    commit = repository.commit(SOUL)
    [entry] = git.files(repository.root, commit)
    path = repository.root / ".git/objects" / entry.object_id[:2] / entry.object_id[2:]
    path.unlink()
    with pytest.raises(GitError, match="lacks contents of that commit"):
        git.sizes(repository.root, [entry.object_id])


def test_renames(repository: Repository) -> None:
    text = "".join(f"line {number}\n" for number in range(50))
    first = repository.commit({"a/SOUL.md": text, "a/USER.md": text + "other\n", "b": "b"})
    second = repository.commit({"a/SOUL.md": None, "c/SOUL.md": text + "more\n", "b": None, "d": "unlike"})
    moved = [("a/SOUL.md", "c/SOUL.md")]
    assert list(git.renames(repository.root, first, second)) == moved
    assert list(git.renames(repository.root, first, None)) == moved
    repository.git("config", "diff.renames", "false")
    repository.git("config", "diff.noprefix", "true")
    repository.git("config", "diff.relative", "true")
    assert list(git.renames(repository.root / "c", first, second)) == moved


# --- the work tree ------------------------------------------------------------------------------------------


def test_what_is_not_tracked(repository: Repository) -> None:
    repository.commit({".gitignore": "MEMORY.md\nmemory/\n", "a": "a", "forced/memory/x": "x"})
    repository.git("add", "-f", "forced/memory/x")
    repository.write(
        {"MEMORY.md": "m", "memory/a.md": "m", "new": "n", "line\nend": "n", "forced/memory/y": "y"}
    )
    ignored = {"MEMORY.md", "memory/", "forced/memory/y"}
    assert set(git.untracked(repository.root, only_ignored=True)) == ignored
    assert set(git.untracked(repository.root, only_ignored=False)) == ignored | {"new", "line\nend"}


def test_what_is_ignored(tmp_path: Path, repository: Repository) -> None:
    repository.commit({".gitignore": "out/\nforced/\n", "keep/SOUL.md": "x"})
    repository.write({"out/SOUL.md": "x", "forced/SOUL.md": "x"})
    repository.git("add", "-f", "forced/SOUL.md")
    folders = [repository.root / name for name in ("out", "forced", "keep", "sub/out", "absent")]
    assert git.ignored(repository.root, folders) == {folders[0]}

    other = Repository.at(tmp_path / "other")
    other.commit(SOUL)
    repository.git("submodule", "add", "-q", str(other.root), "sub", GIT_ALLOW_PROTOCOL="file")
    (repository.root / "sub/out").mkdir()
    reordered = [folders[3], *folders[:3]]  # git gives up at a path in a submodule
    assert git.ignored(repository.root, reordered) == {folders[0]}


def test_nothing_is_ignored_outside_a_repository(tmp_path: Path) -> None:
    assert git.ignored(tmp_path, [tmp_path / "a"]) == set()


def test_the_origin(repository: Repository) -> None:
    assert git.origin(repository.root) is None
    repository.git("remote", "add", "origin", "https://example.org/a.git")
    assert git.origin(repository.root) == "https://example.org/a.git"
