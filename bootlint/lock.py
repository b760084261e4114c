"""bootlint.lock: which bytes of which bootstrap files somebody has approved, and when.

Owns the form of the file, and how its damage is noticed: each line carries a short check of itself, and the head
the number of lines and a check of their paths. The checks find slips of the hand and of a merge. They are no
signature: whoever may write the lock may approve anything. Knows no rule and no command.
"""

from __future__ import annotations

import os

from bootlint.lazyre import lazy_pattern
from bootlint.plainfiles import real_path
from bootlint.records import record
from bootlint.source import SourceText
from bootlint.typed import TYPE_CHECKING, Literal
from bootlint.workspace import BOOTSTRAP_NAMES, LOCK_NAME, read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bootlint.workspace import Workspace

VERSION = 1
DEFAULT_FILES = ("SOUL.md", "IDENTITY.md", "AGENTS.md")  # what makes the agent who it is

Fault = Literal[
    "missing",
    "unreadable",
    "head",  # the first line is none of a lock
    "version",  # a newer bootlint wrote it
    "form",  # a line is none of a lock
    "edited",  # a line, or the list of files, is not what bootlint wrote
    "order",  # a file stands twice, or where bootlint would not put it
    "count",  # there are more or fewer lines than the head says
]

Refusal = Literal["gone", "link", "unreadable"]


@record
class Approval:
    """One approved file."""

    path: str  # relative to the workspace, with `/`
    sha256: str  # of its bytes
    size: int  # bytes
    date: str  # in UTC, as in 2026-09-06

    def matches(self, data: bytes) -> bool:
        return len(data) == self.size and _sha256(data) == self.sha256


class LockError(Exception):
    """A lock that cannot be used. `line` is 1-based, 0 where there are none."""

    def __init__(self, fault: Fault, line: int = 1) -> None:
        super().__init__(f"{fault} in line {line}")
        self.fault = fault
        self.line = line


Lock = dict[str, Approval]  # by path


def approve(path: str, data: bytes, date: str) -> Approval:
    return Approval(path, _sha256(data), len(data), date)


def is_approvable(path: str) -> bool:
    """Only what OpenClaw reads by its name: a lock can make bootlint read nothing else."""
    if "/" not in path:
        return path in BOOTSTRAP_NAMES
    folder, _, name = path.rpartition("/")
    top, _, person = folder.partition("/")
    is_folder_name = person not in ("", ".", "..") and "/" not in person and person.isprintable()
    return top == "users" and is_folder_name and name == "USER.md"


def content(workspace: Workspace, path: str) -> bytes | Refusal:
    """The bytes that stand at a path now, or why there are none to approve. Links are not followed."""
    if path in workspace.overlay:
        return workspace.overlay[path].encode("utf-8", "surrogatepass")
    place = workspace.root / path
    if not os.path.lexists(place):
        return "gone"
    try:
        is_link = real_path(place) != os.path.join(os.path.realpath(workspace.root), path)
    except OSError:
        is_link = True
    if is_link:
        return "link"
    data = read_bytes(workspace.root, path)
    return "unreadable" if isinstance(data, str) else data


def read(workspace: Workspace) -> Lock:
    """The lock of a workspace. Raises LockError where there is none, or none that can be used."""
    data = content(workspace, LOCK_NAME)
    if data == "gone":
        raise LockError("missing", 0)
    if isinstance(data, str):
        raise LockError("unreadable", 0)
    return parse(data)


def parse(data: bytes) -> Lock:
    """Raises LockError naming the first line that is not as bootlint wrote it."""
    head, *lines = SourceText.decode(data).lines
    count, check = _parsed_head(head)
    found: Lock = {}
    last = ""
    for number, line in enumerate(lines, 2):
        approval = _parsed_line(line, number)
        if approval.path <= last:
            raise LockError("order", number)
        found[approval.path] = approval
        last = approval.path
    if len(found) != count:
        raise LockError("count")
    if _check(*found) != check:
        raise LockError("edited")
    return found


def render(lock: Mapping[str, Approval]) -> str:
    """The lock as text."""
    paths = sorted(lock)
    lines = [_HEAD.format(version=VERSION, count=len(paths), check=_check(*paths))]
    for path in paths:
        fields = _fields(lock[path])
        lines.append(" ".join((*fields[:-1], _check(*fields), path)))
    return "\n".join(lines) + "\n"


_HEAD = "# bootlint.lock version {version}, files: {count}, check: {check}; written by `bootlint lock`, not by hand"
_HEAD_LINE = lazy_pattern(
    r"# bootlint\.lock version (?P<version>\d{1,9})(?:, files: (?P<count>\d{1,9}), check: (?P<check>[0-9a-f]{8}); .*)?"
)
_LINE = lazy_pattern(
    r"(?P<date>\d{4}-\d\d-\d\d) (?P<size>0|[1-9][0-9]{0,8}) (?P<sha256>[0-9a-f]{64}) (?P<check>[0-9a-f]{8}) (?P<path>.+)"
)


def _parsed_head(line: str) -> tuple[int, str]:
    match = _HEAD_LINE.match(line)
    if match is None:
        raise LockError("head")
    if int(match["version"]) != VERSION:
        raise LockError("version")
    if match["count"] is None or line != _HEAD.format(**match.groupdict()):
        raise LockError("edited")
    return int(match["count"]), match["check"]


def _parsed_line(line: str, number: int) -> Approval:
    match = _LINE.fullmatch(line)
    if match is None:
        raise LockError("form", number)
    approval = Approval(match["path"], match["sha256"], int(match["size"]), match["date"])
    if _check(*_fields(approval)) != match["check"] or not is_approvable(approval.path):
        raise LockError("edited", number)
    return approval


def _fields(approval: Approval) -> tuple[str, ...]:
    return approval.date, str(approval.size), approval.sha256, approval.path


def _check(*parts: str) -> str:
    return _sha256("\n".join(parts).encode())[:8]


def _sha256(data: bytes) -> str:
    import hashlib  # opens OpenSSL

    return hashlib.sha256(data).hexdigest()
