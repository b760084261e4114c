"""What a workspace is held against: the approvals in force, and its files before the change that is judged.

Finds which approved files are no longer what was approved, and in which lines, and how long files were before.
Knows no rule. Sizes are bytes.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from bootlint.lock import Approval, Lock, LockError, content, read
from bootlint.records import record
from bootlint.source import SourceText
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import LOCK_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.lock import Refusal
    from bootlint.workspace import Workspace

Lines = tuple[tuple[int, str], ...]  # 1-based line, its text


@record
class Difference:
    """What was added to a text and removed from it, as whole lines. Blank lines and the order of lines do not count."""

    before: SourceText
    after: SourceText
    added: Lines  # with their lines in the text now
    removed: Lines  # with their lines in the text before


@record
class Drift:
    """An approved file that is no longer what was approved."""

    approval: Approval
    now: int | Refusal  # its bytes; or why it cannot be compared
    difference: Difference | None  # None: what was approved is not known any more
    by_change: bool = False  # the change approves it itself, with a lock that is not in force


@record(lazy=True)
class Past:
    """Without a lock nothing is approved, and without `before` no change is judged."""

    workspace: Workspace
    lock: Lock
    fault: LockError | None = None  # why the lock in force cannot be used
    before: Workspace | None = None  # as it was before the change that is judged
    base: str | None = None  # the commit whose lock is in force; None: the workspace's own is

    @classmethod
    def none(cls, workspace: Workspace) -> Past:
        """Nothing to hold the workspace against."""
        return cls(workspace, {})

    @classmethod
    def of(
        cls,
        workspace: Workspace,
        before: Workspace | None = None,
        base: str | None = None,
        holder: Workspace | None = None,
    ) -> Past:
        """With a base, the lock of `holder` is in force, as it stands there, so that no change approves itself."""
        holder = workspace if base is None else holder
        lock, fault = ({}, None) if holder is None else _lock_of(holder)
        return cls(workspace, lock, fault, before, base)

    @property
    def lock_name(self) -> str:
        return LOCK_NAME if self.base is None else f"{self.base}:{LOCK_NAME}"

    @cached_property
    def drifts(self) -> tuple[Drift, ...]:
        """By path. Without those that the change found as they are."""
        return tuple(self._drifts())

    def size_now(self, path: str) -> int | None:
        """None where no plain file stands there."""
        data = self._now(path)
        return len(data) if isinstance(data, bytes) else None

    def size_before(self, path: str) -> int | None:
        """Before the change; None where no change is judged, or no plain file stood there."""
        data = self._then(path)
        return len(data) if isinstance(data, bytes) else None

    def is_untouched(self, path: str) -> bool:
        """Did the change leave the file as it was?"""
        return self.before is not None and self._then(path) == self._now(path)

    def _drifts(self) -> Iterator[Drift]:
        for path, approval in self.lock.items():
            data = self._now(path)
            if isinstance(data, bytes) and approval.matches(data):
                continue
            if self.is_untouched(path) and self._approvals_before.get(path) == approval:
                continue
            if isinstance(data, bytes):
                approved = self._approved(approval)
                found = None if approved is None else difference(approved, data)
                own = self._own_lock.get(path)
                yield Drift(approval, len(data), found, own is not None and own.matches(data))
            else:
                yield Drift(approval, data, None, data == "gone" and self._withdraws(path))

    def _withdraws(self, path: str) -> bool:
        return bool(self._own_lock) and path not in self._own_lock

    @cached_property
    def _own_lock(self) -> Lock:
        """The lock that the change brings, where that of a base is in force."""
        return {} if self.base is None else _lock_of(self.workspace)[0]

    def _approved(self, approval: Approval) -> bytes | None:
        """What was approved, from before the change or from git's index or history; None where it is not found."""
        from bootlint.git import GitError, versions

        before = self._then(approval.path)
        if isinstance(before, bytes) and approval.matches(before):
            return before
        try:
            found = versions(self.workspace.root, approval.path, approval.size)
            return next(filter(approval.matches, found), None)
        except GitError:
            return None

    @cached_property
    def _approvals_before(self) -> Lock:
        if self.before is None or self.base is not None:
            return self.lock
        return _lock_of(self.before)[0]

    def _now(self, path: str) -> bytes | Refusal:
        if path not in self._read:
            self._read[path] = content(self.workspace, path)
        return self._read[path]

    def _then(self, path: str) -> bytes | Refusal:
        return "gone" if self.before is None else content(self.before, path)

    @cached_property
    def _read(self) -> dict[str, bytes | Refusal]:
        return {}


def difference(before: bytes, after: bytes) -> Difference:
    old, new = SourceText.decode(before), SourceText.decode(after)
    return Difference(old, new, _lines_beyond(new, old), _lines_beyond(old, new))


def _lines_beyond(text: SourceText, other: SourceText) -> Lines:
    """The lines of a text that the other does not hold, or not so many times."""
    left = Counter(other.lines)
    beyond: list[tuple[int, str]] = []
    for number, line in enumerate(text.lines, 1):
        left[line] -= 1
        if left[line] < 0 and line.strip():
            beyond.append((number, line))
    return tuple(beyond)


def _lock_of(workspace: Workspace) -> tuple[Lock, LockError | None]:
    try:
        return read(workspace), None
    except LockError as error:
        return {}, None if error.fault == "missing" else error
