"""Asking git. The only module that starts it: fixed arguments, and nothing of a repository's that would run code.

Only commands that read objects and the index are used: whatever compares with the work tree runs the filters that
a repository configures.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from bootlint.diagnostics import UserError
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Collection, Iterable, Iterator, Mapping

# Settings of a hostile repository that would make git run a program of its choice, or fetch.
_HARMLESS = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat",
    "-c", "diff.external=", "-c", "core.attributesFile=/dev/null", "-c", "protocol.allow=never",
)  # fmt: skip

_PATIENCE = 120  # seconds; a FIFO in the place of one of git's files would keep it waiting for ever
_MOST_VERSIONS = 200  # commits that touched a file


class GitError(UserError):
    """git did not do what was asked. The text is one line for the user."""


@record
class TreeEntry:
    """A file of a commit. `path` is relative to the repository, with `/`."""

    path: str
    object_id: str
    is_link: bool


def toplevel(folder: Path) -> Path:
    """The work tree that holds `folder`. Raises GitError where there is none."""
    done = _start(folder, ("rev-parse", "--show-toplevel"))
    if done.returncode == 0:
        return Path(os.fsdecode(done.stdout.rstrip(b"\n")))
    if b"dubious ownership" in done.stderr:
        raise GitError(
            f"{folder}: the repository belongs to another user, and git does not read it "
            "(git config --global --add safe.directory PATH trusts it)"
        )
    raise GitError(f"{folder}: is in no git work tree ({_reason(done.stderr)})")


def commit(folder: Path, revision: str) -> str:
    """The id of a commit. Raises GitError with the remedy for a revision that is not there, shallow clones included."""
    if not revision:
        raise GitError("the commit to compare with is an empty text; is a variable of the CI unset?")
    found = _commit(folder, revision)
    if found is not None:
        return found
    if not has_commits(folder):
        raise GitError(f"{revision}: there is no commit in this repository yet")
    if _run(folder, "rev-parse", "--is-shallow-repository").strip() == b"true":
        raise GitError(
            f"{revision}: not in this shallow clone; fetch more of it first "
            "(git fetch --unshallow, or fetch-depth: 0 in actions/checkout)"
        )
    raise GitError(f"{revision}: git knows no such commit")


def has_commits(folder: Path) -> bool:
    """Is there a HEAD? Not before the first commit."""
    return _commit(folder, "HEAD") is not None


def merge_base(folder: Path, revision: str) -> str:
    """The id of the commit at which HEAD and `revision` parted; that of `revision` where they have none in common."""
    own = commit(folder, revision)
    done = _start(folder, ("merge-base", "--end-of-options", own, "HEAD"))
    return done.stdout.decode("ascii").split()[0] if done.returncode == 0 else own


def files(folder: Path, commit_id: str) -> Iterator[TreeEntry]:
    """The files and links of a commit, in git's order."""
    listing = _run(folder, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit_id)
    for row in listing.split(b"\0")[:-1]:
        words, _, path = row.partition(b"\t")
        mode, kind, object_id = words.split()
        if kind == b"blob":
            yield TreeEntry(os.fsdecode(path), object_id.decode("ascii"), mode == b"120000")


def sizes(folder: Path, object_ids: Collection[str]) -> Mapping[str, int]:
    """Object → its bytes. Raises GitError for one that this clone does not hold."""
    rows = _batch(folder, "--batch-check", object_ids).decode("ascii").splitlines()
    try:
        return {object_id: int(size) for object_id, _, size in map(str.split, rows)}
    except ValueError:
        raise GitError("the repository lacks contents of that commit; git fsck tells which") from None


def contents(folder: Path, object_ids: Collection[str]) -> Mapping[str, bytes]:
    """Object → its contents, filters and text conversion of the repository left out."""
    answer = _batch(folder, "--batch", object_ids)
    found: dict[str, bytes] = {}
    at = 0
    for object_id in object_ids:
        start = answer.index(b"\n", at) + 1
        size = int(answer[at:start].split()[2])
        found[object_id] = answer[start : start + size]
        at = start + size + 1
    return found


def versions(folder: Path, path: str, size: int) -> Iterator[bytes]:
    """What a file was in the index, and in the latest commits that touched it, where it had this size in bytes.

    `path` is relative to `folder`. Raises GitError outside a repository.
    """
    names = [f":./{path}"]
    if has_commits(folder):
        latest = ("rev-list", f"--max-count={_MOST_VERSIONS}", "HEAD", "--", f":(literal){path}")
        names += (f"{commit_id}:./{path}" for commit_id in _run(folder, *latest).decode("ascii").split())
    rows = _batch(folder, "--batch-check", names).splitlines()
    found = (re.fullmatch(rb"([0-9a-f]+) blob ([0-9]+)", row) for row in rows)
    same_size = (match[1].decode("ascii") for match in found if match and int(match[2]) == size)
    for object_id in dict.fromkeys(same_size):
        yield contents(folder, [object_id])[object_id]


def renames(folder: Path, base: str, head: str | None) -> Iterator[tuple[str, str]]:
    """Old and new path of the files that git takes for renamed; `head` None is the index."""
    compare = ("diff-index", "--cached") if head is None else ("diff-tree", "-r")
    revisions = (base,) if head is None else (base, head)
    options = ("--no-ext-diff", "--no-textconv", "--find-renames", "--diff-filter=R", "--name-status", "-z")
    words = _run(folder, *compare, *options, "--end-of-options", *revisions).split(b"\0")
    for old, new in zip(words[1::3], words[2::3], strict=False):
        yield os.fsdecode(old), os.fsdecode(new)


def tracked(top: Path, name: str) -> Iterator[str]:
    """The files of this name in the index, relative to `top`."""
    listing = _run(top, "ls-files", "-z", "--", f":(glob)**/{name}")
    yield from map(os.fsdecode, listing.split(b"\0")[:-1])


def is_tracked(path: Path) -> bool:
    """Is a file in the index of the repository that holds it? False where git does not answer."""
    try:
        return _run(path.parent, "ls-files", "-z", "--", f":(literal){path.name}") != b""
    except GitError:
        return False


def indexed(top: Path) -> Iterator[TreeEntry]:
    """The files and links of the index, without those of a conflict."""
    for row in _run(top, "ls-files", "-z", "--stage").split(b"\0")[:-1]:
        words, _, path = row.partition(b"\t")
        mode, object_id, stage = words.split()
        if stage == b"0" and mode != b"160000":
            yield TreeEntry(os.fsdecode(path), object_id.decode("ascii"), mode == b"120000")


def left_out(top: Path) -> Iterator[str]:
    """The files of the index that a sparse checkout leaves out of the work tree, relative to `top`."""
    rows = _run(top, "ls-files", "-z", "-t").split(b"\0")
    return (os.fsdecode(row[2:]) for row in rows if row.startswith(b"S "))


def untracked(top: Path, *, only_ignored: bool) -> Iterator[str]:
    """What stands in a work tree and not in the index, relative to `top`. A folder ends with `/` and means all in it."""
    ignored_ones = ("--ignored", "--exclude-standard", "--directory")
    kinds = [ignored_ones] if only_ignored else [ignored_ones, ("--exclude-standard",)]
    for options in kinds:
        yield from map(os.fsdecode, _run(top, "ls-files", "-z", "--others", *options).split(b"\0")[:-1])


def ignored(folder: Path, paths: Iterable[Path]) -> set[Path]:
    """Those of `paths` that git ignores; none where `folder` is in no repository."""
    absolute = {os.path.realpath(path): path for path in paths}
    done = _ask_ignored(folder, absolute)
    if done.returncode > 1 and (links := _submodules(folder)):  # git gives up at the first path in one
        own = [path for path in absolute if not any(path.startswith(link + os.sep) for link in links)]
        done = _ask_ignored(folder, own)
    answer = map(os.fsdecode, done.stdout.split(b"\0"))
    return {absolute[path] for path in answer if path in absolute}


def origin(folder: Path) -> str | None:
    """The URL from which a repository was cloned."""
    done = _start(folder, ("config", "--get", "remote.origin.url"))
    return os.fsdecode(done.stdout).strip() or None


def is_published(folder: Path, commit_id: str) -> bool:
    """Does a branch that came from elsewhere hold the commit?"""
    found = _run(folder, "for-each-ref", "--count=1", "--contains", commit_id, "refs/remotes")
    return bool(found.strip())


def _ask_ignored(folder: Path, paths: Iterable[str]) -> subprocess.CompletedProcess[bytes]:
    feed = b"".join(os.fsencode(path) + b"\0" for path in paths)
    return _start(folder, ("check-ignore", "-z", "--stdin"), feed)


def _submodules(folder: Path) -> list[str]:
    """The folders of the submodules below `folder`; none outside a repository."""
    rows = _start(folder, ("ls-files", "-z", "--stage")).stdout.split(b"\0")
    here = os.path.realpath(folder)
    return [
        os.path.join(here, os.fsdecode(row.partition(b"\t")[2])) for row in rows if row.startswith(b"160000 ")
    ]


def _commit(folder: Path, revision: str) -> str | None:
    arguments = ("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    done = _start(folder, arguments)
    return done.stdout.decode("ascii").strip() if done.returncode == 0 else None


def _batch(folder: Path, how: str, object_ids: Iterable[str]) -> bytes:
    feed = "".join(f"{object_id}\n" for object_id in object_ids)
    return _run(folder, "cat-file", how, feed=os.fsencode(feed))


def _run(folder: Path, *arguments: str, feed: bytes = b"") -> bytes:
    """The output of one git command in `folder`. Raises GitError with git's own reason."""
    done = _start(folder, arguments, feed)
    if done.returncode == 0:
        return done.stdout
    # git tells of the contents that it wanted to fetch, of the way that it was not allowed to take, or of both.
    if b"promisor remote" in done.stderr or b"not allowed" in done.stderr:
        raise GitError(
            "this partial clone lacks contents of that commit, and bootlint does not fetch them; "
            "clone without --filter (no filter: in actions/checkout)"
        )
    raise GitError(f"git {arguments[0]}: {_reason(done.stderr)}")


def _start(folder: Path, arguments: tuple[str, ...], feed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    import subprocess

    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        return subprocess.run(  # noqa: S603 - a fixed program, what the user gave stands after --end-of-options
            [_executable(), *_HARMLESS, *arguments],
            cwd=folder,
            input=feed,
            capture_output=True,
            env={**environment, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git {arguments[0]}: no answer after {_PATIENCE} seconds") from error


def _reason(output: bytes) -> str:
    """git's last word: warnings and hints stand before and after it."""
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return next((line for line in reversed(lines) if line.startswith(("fatal:", "error:"))), "git failed")


def _executable() -> str:
    """git from PATH, never from the current folder."""
    import shutil

    folders = [part for part in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(part)]
    found = shutil.which("git", path=os.pathsep.join(folders))
    if found is None:
        raise GitError("git is not installed")
    return found
