"""What a change does to what the model receives: one workspace before and after, line by line.

Lines are matched by their text, the n-th of a file with the n-th: where a rule moves to is of no matter, whether
it arrives is. All amounts are UTF-16 units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from bootlint.openclaw.fates import Fate
from bootlint.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bootlint.checks.context import Context

State = Literal["changed", "same", "new", "deleted"]
REACHED: tuple[Fate, ...] = ("kept", "digest")

_Key = tuple[str, str, int]  # path, text without outer blanks, which occurrence of it


@record
class FileSize:
    """A file's numbers on one side; all 0 where it is not there or not sent."""

    raw_chars: int = 0
    injected_chars: int = 0
    lost_chars: int = 0
    headroom: int | None = None


@record
class FileChange:
    path: str
    before: FileSize
    after: FileSize


@record
class LineChange:
    """One line and its fates; None where the line is not there. `line` is 1-based, on the side where it stands last."""

    path: str
    line: int
    text: str
    before: Fate | None
    after: Fate | None
    is_priority: bool


@record
class WorkspaceChange:
    """What a change does to one workspace in one situation."""

    workspace: str  # as shown, after the change where it still exists
    state: State
    release: str
    session: str
    files: tuple[FileChange, ...]
    lines: tuple[LineChange, ...]  # those whose fate changed, and the priority rules that came or went
    rules_before: int = 0
    reached_before: int = 0
    rules_after: int = 0
    reached_after: int = 0

    @property
    def newly_lost(self) -> tuple[LineChange, ...]:
        """Priority rules that reached the model before and stand there still, but reach it no longer."""
        return self._rules(lambda line: line.before in REACHED and line.after not in (*REACHED, None))

    @property
    def newly_reached(self) -> tuple[LineChange, ...]:
        return self._rules(lambda line: line.before not in (*REACHED, None) and line.after in REACHED)

    @property
    def added(self) -> tuple[LineChange, ...]:
        """Priority rules that the change adds, reaching the model or not."""
        return self._rules(lambda line: line.before is None)

    @property
    def removed(self) -> tuple[LineChange, ...]:
        return self._rules(lambda line: line.after is None)

    @property
    def other_lines(self) -> tuple[LineChange, ...]:
        """Untouched lines that are no priority rules and whose fate changed."""
        return tuple(line for line in self.lines if not line.is_priority)

    @property
    def grown(self) -> tuple[FileChange, ...]:
        """The files that take more of the budget than before: what pushed others out."""
        return tuple(file for file in self.files if file.after.raw_chars > file.before.raw_chars)

    def _rules(self, wanted: Callable[[LineChange], bool]) -> tuple[LineChange, ...]:
        return tuple(line for line in self.lines if line.is_priority and wanted(line))


def compare(before: Context | None, after: Context | None, *, shown: str) -> WorkspaceChange:
    """The change of one workspace; None on the side where it does not exist. At least one side must."""
    present = after or before
    if present is None:
        raise ValueError("a workspace stands on one side at least")
    old, new = (_lines(side) if side else {} for side in (before, after))
    lines = tuple(_line_changes(old, new))
    files = tuple(_file_changes(before, after))
    if before is None or after is None:
        state: State = "new" if before is None else "deleted"
    else:
        state = "changed" if lines or any(file.before != file.after for file in files) else "same"
    situation = present.simulation.situation
    return WorkspaceChange(
        workspace=shown,
        state=state,
        release=situation.contract.release,
        session=situation.session,
        files=files,
        lines=lines,
        rules_before=_rules(old),
        reached_before=_reached(old),
        rules_after=_rules(new),
        reached_after=_reached(new),
    )


@record
class _Line:
    line: int
    fate: Fate
    is_priority: bool


def _lines(context: Context) -> Mapping[_Key, _Line]:
    """Every line that the session's files hold, blank ones left out."""
    found: dict[_Key, _Line] = {}
    for file, _ in context.sent:
        priority = set(context.priority_lines(file))
        seen: Counter[str] = Counter()
        fates = context.simulation.fates(file.path)
        for line, (raw, fate) in enumerate(zip(file.source.lines, fates, strict=True), 1):
            text = raw.strip()
            if fate != "blank":
                seen[text] += 1
                found[file.path, text, seen[text]] = _Line(line, fate, line in priority)
    return found


def _line_changes(old: Mapping[_Key, _Line], new: Mapping[_Key, _Line]) -> Iterator[LineChange]:
    for key in dict.fromkeys((*new, *old)):
        before, after = old.get(key), new.get(key)
        stands = after or before
        if stands is None or (before and after and before.fate == after.fate):
            continue
        if (before is None or after is None) and not stands.is_priority:
            continue  # text that comes or goes is in git's own diff
        yield LineChange(
            path=key[0],
            line=stands.line,
            text=key[1],
            before=before.fate if before else None,
            after=after.fate if after else None,
            is_priority=stands.is_priority,
        )


def _file_changes(before: Context | None, after: Context | None) -> Iterator[FileChange]:
    old, new = (_sizes(side) if side else {} for side in (before, after))
    for path in dict.fromkeys((*new, *old)):
        yield FileChange(path, old.get(path, FileSize()), new.get(path, FileSize()))


def _sizes(context: Context) -> Mapping[str, FileSize]:
    simulation = context.simulation
    return {
        file.path: FileSize(
            raw_chars=simulation.raw_chars(file.path),
            injected_chars=0 if injected is None else injected.injected_chars,
            lost_chars=simulation.lost_chars(file.path),
            headroom=simulation.headroom(file.path),
        )
        for file, injected in context.sent
    }


def _rules(lines: Mapping[_Key, _Line]) -> int:
    return sum(line.is_priority for line in lines.values())


def _reached(lines: Mapping[_Key, _Line]) -> int:
    return sum(line.is_priority and line.fate in REACHED for line in lines.values())
