"""Asking git. The only module that starts it: fixed arguments, no hooks, no configuration of the repository that runs code."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from bootlint.diagnostics import UserError

# Settings of a hostile repository that would make git run a program of its choice.
_HARMLESS = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat",
    "-c", "diff.external=", "-c", "core.attributesFile=/dev/null", "-c", "protocol.allow=never",
)  # fmt: skip


class GitError(UserError):
    """git did not do what was asked. The text is one line for the user."""


def run(folder: Path, *arguments: str, feed: bytes = b"") -> bytes:
    """The output of one git command in `folder`. Raises GitError with git's own first line."""
    git = _executable()
    if git is None:
        raise GitError("git is not installed")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    done = subprocess.run(  # noqa: S603 - a fixed program, arguments after --end-of-options
        [git, *_HARMLESS, *arguments],
        cwd=folder,
        input=feed,
        capture_output=True,
        env={**environment, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
        check=False,
    )
    if done.returncode not in (0, 1) or (done.returncode == 1 and done.stderr):
        raise GitError(done.stderr.decode("utf-8", "replace").strip().partition("\n")[0] or "git failed")
    return done.stdout


def ignored(folder: Path, paths: Iterable[Path]) -> set[Path]:
    """Those of `paths` that git ignores; none where `folder` is in no repository."""
    absolute = {os.path.realpath(path): path for path in paths}
    feed = b"".join(os.fsencode(path) + b"\0" for path in absolute)
    try:
        answer = run(folder, "check-ignore", "-z", "--stdin", feed=feed)
    except GitError:
        return set()
    return {absolute[os.fsdecode(path)] for path in answer.split(b"\0") if os.fsdecode(path) in absolute}


def _executable() -> str | None:
    """git from PATH, never from the current folder."""
    import shutil

    folders = [part for part in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(part)]
    return shutil.which("git", path=os.pathsep.join(folders))
