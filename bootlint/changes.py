"""What a change does to what the model receives: one workspace before and after, line by line.

Lines are matched by their text, the n-th of a file with the n-th, and priority rules from one file to another: where
a rule moves to is of no matter, whether it arrives is. A line that was edited is matched with what it was where it
arrives on one side only, so that no rule is lost under new words. All amounts are UTF-16 units.
"""

from __future__ import annotations

from collections import Counter

from bootlint.openclaw.fates import REACHED
from bootlint.readings import mask_of_workspace, parts_of_rules
from bootlint.records import record, replace
from bootlint.security.unrendered import find as orders_unrendered
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from bootlint.checks.context import Context
    from bootlint.openclaw.fates import Fate
    from bootlint.workspace import TextFile

State = Literal["changed", "same", "new", "deleted"]

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
    changed_lines: int  # of the file on disk

    @property
    def growth(self) -> int:
        return (self.after or NO_FILE).raw_chars - (self.before or NO_FILE).raw_chars


@record
class LineChange:
    """One line and its fates; None where the line is not there. `line` is 1-based, on the side where it stands last.

    `was_rule` and `is_rule`: is it a priority rule before and after? The same words are none once they stand in a
    comment or a code block. `moved_from` is the file in which the line stood before, if that is another one.
    """

    path: str
    line: int
    text: str
    before: Fate | None
    after: Fate | None
    was_rule: bool
    is_rule: bool
    is_unrendered: bool = False  # a new line with an order that a reader of the rendered page does not see
    is_part: bool = (
        False  # of a priority rule that stands on both sides, and came or went: the rule is another now
    )
    moved_from: str | None = None

    @property
    def is_lost(self) -> bool:
        return self.was_rule and self.before in REACHED and self.after not in (*REACHED, None)

    @property
    def is_gained(self) -> bool:
        return self.is_rule and self.before not in (*REACHED, None) and self.after in REACHED


@record
class WorkspaceChange:
    """What a change does to one workspace in one situation."""

    workspace: str  # as shown, after the change where it still exists
    moved_from: str | None  # where it stood before, if that is another folder
    state: State
    before: Conditions | None
    after: Conditions | None
    files: tuple[FileChange, ...]  # in load order
    lines: tuple[
        LineChange, ...
    ]  # those whose fate changed, and the priority rules that came, went or are none now
    rules_before: int = 0
    reached_before: int = 0
    rules_after: int = 0
    reached_after: int = 0

    @property
    def newly_lost(self) -> tuple[LineChange, ...]:
        """Priority rules that reached the model before, and stand there still, edited or not, but reach it no longer."""
        return tuple(line for line in self.lines if line.is_lost)

    @property
    def newly_reached(self) -> tuple[LineChange, ...]:
        return tuple(line for line in self.lines if line.is_gained)

    @property
    def added(self) -> tuple[LineChange, ...]:
        """Priority rules that the change makes, those first that do not reach the model."""
        found = [line for line in self.lines if line.is_rule and not line.was_rule and not line.is_gained]
        return tuple(sorted(found, key=lambda line: line.after in REACHED))

    @property
    def removed(self) -> tuple[LineChange, ...]:
        """Priority rules that are gone, or whose words now stand in a comment or in code, where they are no rule."""
        return tuple(line for line in self.lines if line.was_rule and not line.is_rule and not line.is_lost)

    @property
    def reworded(self) -> tuple[LineChange, ...]:
        """Lines that came and went in priority rules of several lines."""
        return tuple(line for line in self.lines if line.is_part)

    @property
    def unrendered(self) -> tuple[LineChange, ...]:
        """New lines with orders that a reader of the rendered page does not see."""
        return tuple(line for line in self.lines if line.is_unrendered)

    @property
    def other_lines(self) -> tuple[LineChange, ...]:
        """Untouched lines whose fate changed otherwise: no priority rules, or in part before and after."""
        told = {
            *self.newly_lost,
            *self.newly_reached,
            *self.added,
            *self.removed,
            *self.reworded,
            *self.unrendered,
        }
        return tuple(line for line in self.lines if line not in told)

    @property
    def grown(self) -> tuple[FileChange, ...]:
        """The files whose growth can have pushed out what is newly lost: its own and those before it."""
        lost_from = {line.path for line in self.newly_lost}
        last = max((at for at, file in enumerate(self.files) if file.path in lost_from), default=-1)
        return tuple(file for file in self.files[: last + 1] if file.growth > 0)


def compare(
    before: Context | None, after: Context | None, *, shown: str, moved_from: str | None = None
) -> WorkspaceChange:
    """The change of one workspace; None on the side where it does not exist. At least one side must."""
    if before is None and after is None:
        raise ValueError("a workspace stands on one side at least")
    sides = before, after
    sent = dict.fromkeys(file.path for side in reversed(sides) if side for file in side.meant)
    old, new = (_lines(side, sent) if side else {} for side in sides)
    lines = _masked(tuple(_line_changes(old, new)), before, after)
    sizes = [_sizes(side, sent) if side else {} for side in sides]
    files = tuple(
        FileChange(path, sizes[0].get(path), sizes[1].get(path), _changed_lines(before, after, path))
        for path in sent
    )
    if before is None or after is None:
        state: State = "new" if before is None else "deleted"
    else:
        resized = any(file.before != file.after for file in files)
        state = "changed" if lines or resized or _injected(before) != _injected(after) else "same"
    return WorkspaceChange(
        workspace=shown,
        moved_from=moved_from,
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
    is_unrendered: bool
    rule: _Key | None  # the priority rule that the line, itself none, is a part of


def _lines(context: Context, sent: Iterable[str]) -> Mapping[_Key, _Line]:
    """Every line of the files that one side sends, blank ones left out; where this side does not, all are dropped."""
    found: dict[_Key, _Line] = {}
    for path, file in _files(context, sent):
        priority = set(context.priority_lines(file))
        unrendered = {file.source.line_of(span.start) for span in orders_unrendered(file)}
        parts = parts_of_rules(file)
        keys = _keys(path, file)
        fates = context.simulation.fates(path)
        for line, key in keys.items():
            rule = keys[parts[line]] if line in parts else None
            found[key] = _Line(line, fates[line - 1], line in priority, line in unrendered, rule)
    return found


def _keys(path: str, file: TextFile) -> Mapping[int, _Key]:
    """1-based line → key, of the lines that are not blank."""
    seen: Counter[str] = Counter()
    keys: dict[int, _Key] = {}
    for line, raw in enumerate(file.source.lines, 1):
        if text := raw.strip():
            seen[text] += 1
            keys[line] = path, text, seen[text]
    return keys


def _files(context: Context, paths: Iterable[str]) -> Iterator[tuple[str, TextFile]]:
    files = context.workspace.files
    return ((path, files[path]) for path in paths if path in files)


def _line_changes(old: Mapping[_Key, _Line], new: Mapping[_Key, _Line]) -> Iterator[LineChange]:
    origins = _moves(old, new)
    origins |= _edits(old, new, origins)
    kept = {*origins.values()}
    gone = (key for key in old if key not in new and key not in kept)
    for key in (*new, *gone):
        source = key if key in old else origins.get(key)
        before, after = old.get(source) if source else None, new.get(key)
        stands = after or before
        was_rule, is_rule = (side is not None and side.is_priority for side in (before, after))
        if stands is None or (before and after and before.fate == after.fate and was_rule == is_rule):
            continue
        is_unrendered = before is None and stands.is_unrendered
        is_part = (before is None or after is None) and stands.rule in old and stands.rule in new
        if (before is None or after is None) and not (stands.is_priority or is_unrendered or is_part):
            continue  # text that comes or goes is in git's own diff
        yield LineChange(
            path=key[0],
            line=stands.line,
            text=key[1],
            before=before.fate if before else None,
            after=after.fate if after else None,
            was_rule=was_rule,
            is_rule=is_rule,
            is_unrendered=is_unrendered,
            is_part=is_part,
            moved_from=source[0] if source and source[0] != key[0] else None,
        )


def _moves(old: Mapping[_Key, _Line], new: Mapping[_Key, _Line]) -> dict[_Key, _Key]:
    """New → old key of the priority rules that went from one file to another."""
    gone: dict[str, list[_Key]] = {}
    for key, line in old.items():
        if line.is_priority and key not in new:
            gone.setdefault(key[1], []).append(key)
    came = [key for key, line in new.items() if line.is_priority and key not in old]
    return {key: gone[key[1]].pop(0) for key in came if gone.get(key[1])}


def _edits(
    old: Mapping[_Key, _Line], new: Mapping[_Key, _Line], moved: Mapping[_Key, _Key]
) -> dict[_Key, _Key]:
    """New → old key of the lines that were edited where a priority rule comes to reach the model by it, or ceases to.

    Looked for between the same two unchanged lines: one rule for each, the most similar one.
    """
    taken = {*moved.values()}
    came_from: dict[_Key, _Key] = {}
    after = _gaps(new, lambda key: key in old, lambda key: key in moved)
    for place, olds in _gaps(old, lambda key: key in new, lambda key: key in taken).items():
        for source, key in _alike(olds, after.get(place, [])):
            before, now = old[source], new[key]
            lost = before.is_priority and before.fate in REACHED and now.fate not in REACHED
            gained = now.is_priority and now.fate in REACHED and before.fate not in REACHED
            if lost or gained:
                came_from[key] = source
    return came_from


def _gaps(
    lines: Iterable[_Key], stands_in_both: Callable[[_Key], bool], is_known: Callable[[_Key], bool]
) -> dict[tuple[str, _Key | None], list[_Key]]:
    """The lines of one side alone, by their file and the line before them that both have."""
    gaps: dict[tuple[str, _Key | None], list[_Key]] = {}
    above: _Key | None = None
    for key in lines:
        if above is not None and above[0] != key[0]:
            above = None
        if stands_in_both(key):
            above = key
        elif not is_known(key):
            gaps.setdefault((key[0], above), []).append(key)
    return gaps


def _alike(olds: list[_Key], news: list[_Key]) -> Iterator[tuple[_Key, _Key]]:
    """Each old line with what it may have become: as many lines one by one, else by likeness."""
    if len(olds) == len(news) or len(olds) * len(news) > _MOST_COMPARED:
        yield from zip(olds, news, strict=False)
        return
    left = {key: _pairs_of(key[1]) for key in news}
    for key in olds:
        own = _pairs_of(key[1])
        likeness, best = max(
            ((_likeness(own, other), new) for new, other in left.items()), default=(0.0, None)
        )
        if best is not None and likeness >= _ALIKE:
            yield key, best
            del left[best]


_MOST_COMPARED = 10_000  # lines with lines in one place of a file: hundredths of a second
_MOST_CHARS = 240  # of a line: more of it tells no better what it was
_ALIKE = 0.6


def _pairs_of(text: str) -> frozenset[str]:
    """Any two characters in a row. difflib would take minutes for what a stranger may write."""
    return frozenset(text[at : at + 2] for at in range(min(len(text), _MOST_CHARS)))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """From 0 to 1."""
    return 2 * len(one & other) / (len(one) + len(other))


def _changed_lines(before: Context | None, after: Context | None, path: str) -> int:
    """Lines of a file that came or went, whichever are more; where only their order changed, those that moved."""
    old, new = (
        side.workspace.files[path].source.lines if side and path in side.workspace.files else []
        for side in (before, after)
    )
    was, now = Counter(old), Counter(new)
    return max((was - now).total(), (now - was).total()) or sum(map(str.__ne__, old, new))


def _injected(context: Context) -> list[tuple[str, str]]:
    return [(name, file.content) for name, file in context.simulation.injected.items()]


def _masked(
    lines: tuple[LineChange, ...], before: Context | None, after: Context | None
) -> tuple[LineChange, ...]:
    """The lines as they may be printed: without the passwords that stand in them."""
    if not lines:
        return lines
    masks = [mask_of_workspace(side.workspace) for side in (before, after) if side]
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
