"""Real git repositories for tests, and bootlint run in them."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bootlint.cli import main
from harness import Link

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


_CLEAN = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": f"{who}@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of bootlint said."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@dataclass(frozen=True, slots=True)
class Repository:
    """A git repository with a work tree at `root`."""

    root: Path

    @classmethod
    def at(cls, root: Path) -> Repository:
        root.mkdir(parents=True, exist_ok=True)
        repository = cls(root)
        repository.git("init", "-q", "--initial-branch=main")
        return repository

    def git(self, *arguments: str, feed: bytes = b"", **environment: str) -> str:
        """git's output, stripped. Raises CalledProcessError where it fails."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            input=feed,
            capture_output=True,
            env={**os.environ, **_CLEAN, **environment},
            check=True,
        )
        return os.fsdecode(done.stdout).strip()

    def write(self, files: Mapping[str, str | bytes | Link | None]) -> None:
        """Path → content; None deletes."""
        for path, content in files.items():
            target = self.root / path
            target.unlink(missing_ok=True)
            if content is None:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Link):
                target.symlink_to(content.target)
            else:
                target.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(
        self, files: Mapping[str, str | bytes | Link | None] | None = None, *, message: str = "change"
    ) -> str:
        """Write the files, commit everything, and return the commit's id."""
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def bootlint(self, *arguments: str, folder: str = ".") -> Outcome:
        """Run in this process, in a folder of the work tree."""
        return bootlint(*arguments, folder=self.root / folder)


def bootlint(*arguments: str, folder: Path, stdin: bytes = b"") -> Outcome:
    """Run in this process, with streams as strict as those of a terminal."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with chdir(folder), redirect_stdout(out), redirect_stderr(err), _reading(stdin):
        status = main(list(arguments))
    return Outcome(status, *(stream.buffer.getvalue().decode() for stream in (out, err)))


@contextmanager
def _reading(stdin: bytes) -> Iterator[None]:
    before = sys.stdin
    if stdin:
        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def crafted_commit(repository: Repository, entries: Mapping[tuple[str, str], bytes]) -> str:
    """A commit of a tree that git itself would not make: (mode, path) → content, one blob each, folders nested."""
    rows: dict[str, list[tuple[str, str, str]]] = {}
    for (mode, path), content in entries.items():
        blob = repository.git("hash-object", "-w", "--stdin", feed=content)
        folder, _, name = path.rpartition("/")
        rows.setdefault(folder, []).append((mode, name, blob))
    while rows.keys() != {""}:
        folder = max(rows, key=lambda name: name.count("/") + bool(name))
        parent, _, name = folder.rpartition("/")
        rows.setdefault(parent, []).append(("40000", name, _tree(repository, rows.pop(folder))))
    return repository.git("commit-tree", "-m", "crafted", _tree(repository, rows[""]))


def _tree(repository: Repository, rows: list[tuple[str, str, str]]) -> str:
    data = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(object_id) for mode, name, object_id in rows)
    return repository.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", feed=data)
