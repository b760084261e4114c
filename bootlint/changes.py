"""What a change does to what the model receives: one workspace before and after, line by line.

Lines are matched by their text, the n-th of a file with the n-th, and priority rules from one file to another: where
a rule moves to is of no matter, whether it arrives is. All amounts are UTF-16 units.
"""

from __future__ import annotations

from collections import Counter

from bootlint.records import record, replace
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from bootlint.checks.context import Context
    from bootlint.openclaw.fates import Fate
    from bootlint.workspace import TextFile

State = Literal["changed", "same", "new", "deleted"]
REACHED: tuple[Fate, ...] = ("kept", "digest")

_Key = tuple[str, str, int]  # path, text without outer blanks, which occurrence of it


@record
class Conditions:
    """Under what one side was simulated."""

    release: str
    session: str
    max_chars: int
    total_max_chars: int | None  # None where the release has no total


@record
class FileSize:
    """A file's numbers on one side. `headroom` is None where nothing limits it."""

    raw_chars: int
    injected_chars: int
    lost_chars: int
    headroom: int | None


NO_FILE = FileSize(0, 0, 0, None)


@record
class FileChange:
    """A file that one side sends at least; None where it is not there."""

    path: str
    before: FileSize | None
    after: FileSize | None

    @property
    def growth(self) -> int:
        return (self.after or NO_FILE).raw_chars - (self.before or NO_FILE).raw_chars


@record
class LineChange:
    """One line and its fates; None where the line is not there. `line` is 1-based, on the side where it stands last.

    `moved_from` is the file in which the line stood before, if that is another one.
    """

    path: str
    line: int
    text: str
    before: Fate | None
    after: Fate | None
    is_priority: bool
    moved_from: str | None = None


@record
class WorkspaceChange:
    """What a change does to one workspace in one situation."""

    workspace: str  # as shown, after the change where it still exists
    state: State
    before: Conditions | None
    after: Conditions | None
    files: tuple[FileChange, ...]  # in load order
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
        """Priority rules that the change adds, those first that do not reach the model."""
        found = self._rules(lambda line: line.before is None)
        return tuple(sorted(found, key=lambda line: line.after in REACHED))

    @property
    def removed(self) -> tuple[LineChange, ...]:
        return self._rules(lambda line: line.after is None)

    @property
    def other_lines(self) -> tuple[LineChange, ...]:
        """Untouched lines whose fate changed otherwise: no priority rules, or in part before and after."""
        told = {*self.newly_lost, *self.newly_reached, *self.added, *self.removed}
        return tuple(line for line in self.lines if line not in told)

    @property
    def grown(self) -> tuple[FileChange, ...]:
        """The files whose growth can have pushed out what is newly lost: its own and those before it."""
        lost_from = {line.path for line in self.newly_lost}
        last = max((at for at, file in enumerate(self.files) if file.path in lost_from), default=-1)
        return tuple(file for file in self.files[: last + 1] if file.growth > 0)

    def _rules(self, wanted: Callable[[LineChange], bool]) -> tuple[LineChange, ...]:
        return tuple(line for line in self.lines if line.is_priority and wanted(line))


def compare(before: Context | None, after: Context | None, *, shown: str) -> WorkspaceChange:
    """The change of one workspace; None on the side where it does not exist. At least one side must."""
    if before is None and after is None:
        raise ValueError("a workspace stands on one side at least")
    sides = before, after
    sent = dict.fromkeys(file.path for side in reversed(sides) if side for file, _ in side.sent)
    old, new = (_lines(side, sent) if side else {} for side in sides)
    lines = _masked(tuple(_line_changes(old, new)), before, after)
    sizes = [_sizes(side, sent) if side else {} for side in sides]
    files = tuple(FileChange(path, *(side.get(path) for side in sizes)) for path in sent)
    if before is None or after is None:
        state: State = "new" if before is None else "deleted"
    else:
        state = "changed" if lines or any(file.before != file.after for file in files) else "same"
    return WorkspaceChange(
        workspace=shown,
        state=state,
        before=_conditions(before),
        after=_conditions(after),
        files=files,
        lines=lines,
        rules_before=_rules(old),
        reached_before=_reached(old),
        rules_after=_rules(new),
        reached_after=_reached(new),
    )


def _conditions(context: Context | None) -> Conditions | None:
    if context is None:
        return None
    situation = context.simulation.situation
    total = situation.total_limit
    return Conditions(
        release=situation.contract.release,
        session=situation.session,
        max_chars=int(situation.limit),
        total_max_chars=None if total is None else int(total),
    )


@record
class _Line:
    line: int
    fate: Fate
    is_priority: bool


def _lines(context: Context, sent: Iterable[str]) -> Mapping[_Key, _Line]:
    """Every line of the files that one side sends, blank ones left out; where this side does not, all are dropped."""
    found: dict[_Key, _Line] = {}
    for path, file in _files(context, sent):
        priority = set(context.priority_lines(file))
        seen: Counter[str] = Counter()
        fates = context.simulation.fates(path)
        for line, (raw, fate) in enumerate(zip(file.source.lines, fates, strict=True), 1):
            text = raw.strip()
            if text:
                seen[text] += 1
                found[path, text, seen[text]] = _Line(line, fate, line in priority)
    return found


def _files(context: Context, paths: Iterable[str]) -> Iterator[tuple[str, TextFile]]:
    files = context.workspace.files
    return ((path, files[path]) for path in paths if path in files)


def _line_changes(old: Mapping[_Key, _Line], new: Mapping[_Key, _Line]) -> Iterator[LineChange]:
    moved = _moves(old, new)
    gone = (key for key in old if key not in new and key not in moved.values())
    for key in (*new, *gone):
        source = key if key in old else moved.get(key)
        before, after = old.get(source) if source else None, new.get(key)
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
            moved_from=source[0] if source and source != key else None,
        )


def _moves(old: Mapping[_Key, _Line], new: Mapping[_Key, _Line]) -> Mapping[_Key, _Key]:
    """New → old key of the priority rules that went from one file to another."""
    gone: dict[str, list[_Key]] = {}
    for key, line in old.items():
        if line.is_priority and key not in new:
            gone.setdefault(key[1], []).append(key)
    came = [key for key, line in new.items() if line.is_priority and key not in old]
    return {key: gone[key[1]].pop(0) for key in came if gone.get(key[1])}


def _masked(
    lines: tuple[LineChange, ...], before: Context | None, after: Context | None
) -> tuple[LineChange, ...]:
    """The lines as they may be printed: without the passwords that stand in them."""
    if not lines:
        return lines
    masks = [side.readings.mask(side.workspace) for side in (before, after) if side]
    for mask in filter(bool, masks):
        lines = tuple(replace(line, text=mask(line.text)) for line in lines)
    return lines


def _sizes(context: Context, sent: Iterable[str]) -> Mapping[str, FileSize]:
    simulation = context.simulation
    return {
        path: FileSize(
            raw_chars=simulation.raw_chars(path),
            injected_chars=simulation.injected[path].injected_chars if path in simulation.injected else 0,
            lost_chars=simulation.lost_chars(path),
            headroom=simulation.headroom(path) if path in simulation.texts else None,
        )
        for path, _ in _files(context, sent)
    }


def _rules(lines: Mapping[_Key, _Line]) -> int:
    return sum(line.is_priority for line in lines.values())


def _reached(lines: Mapping[_Key, _Line]) -> int:
    return sum(line.is_priority and line.fate in REACHED for line in lines.values())
