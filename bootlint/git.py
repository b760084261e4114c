"""Asking git. The only module that starts it: fixed arguments, and nothing of a repository's that would run code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from bootlint.diagnostics import UserError
from bootlint.records import record

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Iterator, Mapping

# Settings of a hostile repository that would make git run a program of its choice, or fetch.
_HARMLESS = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat",
    "-c", "diff.external=", "-c", "core.attributesFile=/dev/null", "-c", "protocol.allow=never",
)  # fmt: skip


class GitError(UserError):
    """git did not do what was asked. The text is one line for the user."""


@record
class TreeEntry:
    """A file of a commit. `path` is relative to the repository, with `/`."""

    path: str
    object_id: str
    size: int  # bytes
    is_link: bool


def run(folder: Path, *arguments: str, feed: bytes = b"") -> bytes:
    """The output of one git command in `folder`. Raises GitError with git's own first line."""
    done = _start(folder, arguments, feed)
    if done.returncode != 0:
        raise GitError(_first_line(done.stderr))
    return done.stdout


def toplevel(folder: Path) -> Path:
    """The work tree that holds `folder`. Raises GitError where there is none."""
    try:
        answer = run(folder, "rev-parse", "--show-toplevel")
    except GitError as error:
        raise GitError(f"{folder}: is in no git work tree ({error})") from error
    return Path(os.fsdecode(answer.rstrip(b"\n")))


def commit(folder: Path, revision: str) -> str:
    """The id of a commit. Raises GitError with the remedy for a revision that is not there, shallow clones included."""
    done = _start(
        folder, ("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"), b""
    )
    if done.returncode == 0:
        return done.stdout.decode("ascii").strip()
    if run(folder, "rev-parse", "--is-shallow-repository").strip() == b"true":
        raise GitError(
            f"{revision}: not in this shallow clone; fetch more of it first "
            "(git fetch --unshallow, or fetch-depth: 0 in actions/checkout)"
        )
    raise GitError(f"{revision}: git knows no such commit")


def has_commits(folder: Path) -> bool:
    """Is there a HEAD? Not before the first commit. Raises GitError outside a repository."""
    toplevel(folder)
    return _start(folder, ("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), b"").returncode == 0


def files(folder: Path, commit_id: str) -> Iterator[TreeEntry]:
    """The files and links of a commit, in git's order."""
    listing = run(folder, "ls-tree", "-r", "-l", "-z", "--full-tree", "--end-of-options", commit_id)
    for row in listing.split(b"\0")[:-1]:
        words, _, path = row.partition(b"\t")
        mode, kind, object_id, size = words.split()
        if kind == b"blob":
            yield TreeEntry(os.fsdecode(path), object_id.decode("ascii"), int(size), mode == b"120000")


def contents(folder: Path, entries: Iterable[TreeEntry]) -> Mapping[str, bytes]:
    """Path → bytes of some files of a commit, filters and text conversion of the repository left out."""
    wanted = list(entries)
    feed = "".join(f"{entry.object_id}\n" for entry in wanted).encode("ascii")
    answer = run(folder, "cat-file", "--batch", feed=feed) if wanted else b""
    found: dict[str, bytes] = {}
    at = 0
    for entry in wanted:
        start = answer.index(b"\n", at) + 1
        found[entry.path] = answer[start : start + entry.size]
        at = start + entry.size + 1
    return found


def renames(folder: Path, base: str, head: str | None) -> Mapping[str, str]:
    """Old path → new path of the files that git takes for renamed; `head` None is the work tree."""
    revisions = [base] if head is None else [base, head]
    options = ("--no-ext-diff", "--no-textconv", "--find-renames", "--diff-filter=R", "--name-status", "-z")
    words = run(folder, "diff", *options, "--end-of-options", *revisions).split(b"\0")
    return {
        os.fsdecode(old): os.fsdecode(new)
        for old, new in zip(words[1::3], words[2::3], strict=False)
        if old and new
    }


def ignored(folder: Path, paths: Iterable[Path]) -> set[Path]:
    """Those of `paths` that git ignores; none where `folder` is in no repository."""
    absolute = {os.path.realpath(path): path for path in paths}
    feed = b"".join(os.fsencode(path) + b"\0" for path in absolute)
    try:
        answer = _start(folder, ("check-ignore", "-z", "--stdin"), feed).stdout
    except GitError:
        return set()
    return {absolute[os.fsdecode(path)] for path in answer.split(b"\0") if os.fsdecode(path) in absolute}


def _start(folder: Path, arguments: tuple[str, ...], feed: bytes) -> subprocess.CompletedProcess[bytes]:
    import subprocess

    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return subprocess.run(  # noqa: S603 - a fixed program, what the user gave stands after --end-of-options
        [_executable(), *_HARMLESS, *arguments],
        cwd=folder,
        input=feed,
        capture_output=True,
        env={**environment, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
        check=False,
    )


def _first_line(output: bytes) -> str:
    return output.decode("utf-8", "replace").strip().partition("\n")[0] or "git failed"


def _executable() -> str:
    """git from PATH, never from the current folder."""
    import shutil

    folders = [part for part in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(part)]
    found = shutil.which("git", path=os.pathsep.join(folders))
    if found is None:
        raise GitError("git is not installed")
    return found
