"""Opens one file of a workspace as OpenClaw does: which entries it refuses, and in which words.

Owns the guard against links, hard links, large files and things that are no file. Knows no file names, no
order and no sessions. Paths are texts here, as OpenClaw prints them. Nothing here ever waits: FIFOs, devices
and sockets are recognised before they are opened.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import contextmanager

from bootlint.openclaw import jstext
from bootlint.plainfiles import SANE_BYTES, no_link
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.openclaw.contract import Loading

Refusal = Literal[
    "link-inside", "link-outside", "dangling", "loop",
    "hard-link", "too-large", "not-a-file", "fifo", "no-permission",
]  # fmt: skip


@record
class Root:
    """A workspace folder: `path` as OpenClaw prints it, `real` with all links resolved."""

    path: str
    real: str

    @classmethod
    def of(cls, folder: str | os.PathLike[str]) -> Root:
        path = absolute_path(os.fspath(folder))
        return cls(path, os.path.realpath(path) if _status(path) else path)

    @property
    def linked(self) -> bool:
        """Is a link on the way to it?"""
        return self.path != self.real

    @property
    def is_something_else(self) -> bool:
        """Does something stand there that is no folder?"""
        status = _status(self.path)
        return status is not None and not stat.S_ISDIR(status.st_mode)

    def inner(self, relative: str) -> str:
        return os.path.join(self.path, relative)

    def holds(self, real_path: str) -> bool:
        return real_path == self.real or real_path.startswith(os.path.join(self.real, ""))


@record
class Reading:
    """What became of one path: its text, or None; then a `refusal` of None means that nothing is there."""

    text: str | None
    refusal: Refusal | None = None
    reason: str = ""  # OpenClaw's error text, not yet shortened
    leaves_workspace: bool = False  # read all the same, through a link that leads out


def absolute_path(text: str, base: str = "") -> str:
    """A path as OpenClaw resolves it: trimmed, `~` expanded, absolute, normalised; links are not resolved."""
    trimmed = jstext.trim(text)
    expanded = re.sub(r"^~(?=$|[\\/])", lambda _: os.path.expanduser("~"), trimmed)
    normal = os.path.abspath(os.path.join(base, expanded))
    return normal[1:] if normal.startswith("//") else normal


def read(root: Root, relative: str, rules: Loading, *, max_bytes: int | None) -> Reading:
    """The text at `relative` (with `/`) below the workspace, if a release with these rules reads it.

    Bytes become text as in JavaScript: invalid UTF-8 turns into U+FFFD, a byte order mark stays.
    """
    path = root.inner(relative)
    try:
        with _errors_of("lstat", path):
            linked = _passes_link(root, relative)
        target = _behind_link(root, relative, rules) if linked else path
        content = _read_plain_file(target, path, rules, SANE_BYTES if max_bytes is None else max_bytes)
    except _NotReadError as outcome:
        return Reading(None, outcome.refusal, outcome.reason)
    return Reading(content.decode("utf-8", "replace"), leaves_workspace=linked and not root.holds(target))


class _NotReadError(Exception):
    """Ends a reading. `refusal` None: nothing is there."""

    def __init__(self, refusal: Refusal | None, reason: str = "") -> None:
        super().__init__(reason)
        self.refusal = refusal
        self.reason = reason


_ABSENT = (errno.ENOENT, errno.ENOTDIR)
_NODE_TEXTS = {
    errno.EACCES: "permission denied",
    errno.ELOOP: "too many symbolic links encountered",
    errno.ENAMETOOLONG: "name too long",
    errno.EPERM: "operation not permitted",
}
_WRONG_TYPE = "path does not have the required file type"


@contextmanager
def _errors_of(call: str, path: str) -> Iterator[None]:
    """Turns an error of the system into OpenClaw's outcome, worded as Node words it."""
    try:
        yield
    except ValueError:  # NUL or a lone surrogate: no file can have such a name
        raise _NotReadError(None) from None
    except OSError as error:
        if error.errno in _ABSENT:
            raise _NotReadError(None) from None
        refusal: Refusal = "loop" if error.errno == errno.ELOOP else "no-permission"
        raise _NotReadError(refusal, _node_text(error, call, path)) from None


def _node_text(error: OSError, call: str, path: str) -> str:
    number = error.errno or errno.EIO
    text = _NODE_TEXTS.get(number) or os.strerror(number).lower()
    return f"{errno.errorcode.get(number, 'EIO')}: {text}, {call} '{path}'"


def _passes_link(root: Root, relative: str) -> bool:
    path = root.path
    for part in relative.split("/"):
        path = os.path.join(path, part)
        if stat.S_ISLNK(os.lstat(path).st_mode):
            return True
    return False


def _behind_link(root: Root, relative: str, rules: Loading) -> str:
    """The real path of what a link leads to. Raises _NotReadError where these rules do not go there."""
    real, refusal, reason = _resolved(root, relative)
    if rules.inner_links == "fail" and not (rules.linked_workspace_relaxes and root.linked):
        raise _NotReadError(refusal, "symlink path component not allowed")
    if refusal == "link-inside" or (refusal == "link-outside" and rules.outer_links == "read"):
        return real
    raise _NotReadError(refusal, reason)


def _resolved(root: Root, relative: str) -> tuple[str, Refusal, str]:
    """Real path, kind of link, and the reason that OpenClaw gives if it refuses this kind."""
    named = os.path.join(root.real, relative)
    try:
        os.stat(root.inner(relative))  # fails after 40 links, so that realpath meets no endless chain
    except OSError as error:
        if error.errno in _ABSENT:
            return "", "dangling", _WRONG_TYPE
        return "", "loop" if error.errno == errno.ELOOP else "no-permission", _node_text(error, "stat", named)
    real = os.path.realpath(root.inner(relative))
    if root.holds(real):
        return real, "link-inside", ""
    return real, "link-outside", f"Path escapes workspace root ({_short(root.path)}): {_short(named)}"


def _short(path: str) -> str:
    home = os.path.expanduser("~")
    return "~" + path[len(home) :] if path.startswith(home) else path


def _read_plain_file(target: str, path: str, rules: Loading, max_bytes: int) -> bytes:
    with _errors_of("open", path):
        _check(os.lstat(target), rules, max_bytes)  # before it is opened: opening a device can have effects
        with open(target, "rb", opener=no_link) as file:
            _check(os.fstat(file.fileno()), rules, max_bytes)
            content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise _too_large(max_bytes)
    return content


def _check(status: os.stat_result, rules: Loading, max_bytes: int) -> None:
    if stat.S_ISFIFO(status.st_mode):
        raise _NotReadError("fifo", _WRONG_TYPE)
    if not stat.S_ISREG(status.st_mode):
        raise _NotReadError("not-a-file", _WRONG_TYPE)
    if status.st_nlink > 1 and rules.hard_links == "fail":
        raise _NotReadError("hard-link", "path must not be hardlinked")
    if status.st_size > max_bytes:
        raise _too_large(max_bytes)


def _too_large(max_bytes: int) -> _NotReadError:
    return _NotReadError("too-large", f"File exceeds {max_bytes} bytes")


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None
