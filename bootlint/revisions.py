"""The workspaces of a commit: its bootstrap files laid out in a temporary folder, so that all else works as on disk.

Paths and contents come from a repository that may be hostile: nothing is written outside the folder, links stay
links (reading refuses those that lead out), and a file that is too large to be read becomes one of holes.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bootlint import git
from bootlint.config import FILE_NAMES
from bootlint.lazyre import lazy_pattern
from bootlint.openclaw.settings import FILE_NAME as OPENCLAW_CONFIG
from bootlint.records import record
from bootlint.workspace import MAX_BYTES, meant_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.git import TreeEntry

LOCK_NAME = "bootlint.lock"

_NOTE = lazy_pattern(r"(?:^|/)(?:memory/[^/]+\.md|users/[^/]+/USER\.md)\Z")
_KEPT_NAMES = frozenset({*FILE_NAMES, OPENCLAW_CONFIG, LOCK_NAME})


@record
class Checkout:
    """The files of one commit that bootlint reads, below `root`, as they stand below the repository."""

    root: Path
    commit: str


@contextmanager
def checkout(repository: Path, revision: str, *also: str) -> Iterator[Checkout]:
    """Lay out the bootstrap files and settings of a commit, and the files of `also` (relative to the repository).

    Raises GitError for a revision that git does not know.
    """
    commit = git.commit(repository, revision)
    wanted = [
        entry for entry in git.files(repository, commit) if _is_wanted(entry.path) or entry.path in also
    ]
    read = git.contents(repository, [entry for entry in wanted if entry.size <= MAX_BYTES])
    with TemporaryDirectory(prefix="bootlint-") as folder:
        root = Path(folder)
        # Links last: a crafted commit may hold `a` as a link and `a/b` as a file, which would be written through it.
        for entry in sorted(wanted, key=lambda entry: entry.is_link):
            if _is_safe(entry.path):
                _lay_out(root / entry.path, entry, read.get(entry.path))
        yield Checkout(root, commit)


def _is_wanted(path: str) -> bool:
    name = path.rpartition("/")[2]
    return meant_name(name) is not None or name in _KEPT_NAMES or _NOTE.search(path) is not None


def _is_safe(path: str) -> bool:
    parts = path.split("/")
    return not os.path.isabs(path) and all(part not in ("", ".", "..", ".git") for part in parts)


def _lay_out(target: Path, entry: TreeEntry, data: bytes | None) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if entry.is_link and data is not None:
            os.symlink(data, os.fsencode(target))
            return
        with open(target, "xb") as stream:
            if data is None:
                stream.truncate(entry.size)
            else:
                stream.write(data)
    except (OSError, ValueError):
        return  # a path that this file system cannot hold: it is not read on disk either
