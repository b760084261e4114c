"""What edits do to what the model receives: the one judge of whether a fix may stand (design: section 9).

Compares simulations before and after, line by line, in every situation in which a workspace is used. Knows texts
and fates; which edits are tried, and why, is `choice`'s and `rescue`'s.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Literal

from bootlint.records import record, replace
from bootlint.simulation import SESSION_KINDS, Simulation
from bootlint.source import SourceText, apply_edits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bootlint.checks.context import Readings
    from bootlint.diagnostics import Edit
    from bootlint.openclaw.fates import Fate
    from bootlint.simulation import Situation
    from bootlint.workspace import Workspace

Place = tuple[str, int]  # path in the workspace, 1-based line

_RANK: dict[Fate, int] = {"dropped": 0, "cut": 1, "digest-cut": 2, "digest": 3, "kept": 4, "blank": 5}
_ARRIVES = _RANK["digest"]
LOST: tuple[Fate, ...] = ("dropped", "cut", "digest-cut")  # of a rule: the model does not receive it whole


@record
class Rewrite:
    """A file after edits, and where each of its lines went: by old line, the indexes of the new ones that hold it."""

    text: str
    places: tuple[range, ...]


def rewritten(source: SourceText, edits: Iterable[Edit]) -> Rewrite:
    """A file with disjoint edits applied. Of two insertions at one place, a line break goes first."""
    ordered = sorted(edits, key=lambda edit: (edit.span, not edit.text.endswith("\n")))
    text = apply_edits(source.text, ordered)
    if any("\n" in edit.text or "\n" in source.text[edit.span.start : edit.span.end] for edit in ordered):
        return Rewrite(text, tuple(_places(source, ordered, SourceText(text))))
    return Rewrite(text, tuple(range(line, line + 1) for line in range(len(source.lines))))


def _places(source: SourceText, edits: Sequence[Edit], after: SourceText) -> Iterator[range]:
    ends = [edit.span.end for edit in edits]
    shifts = [0]
    for edit in edits:
        shifts.append(shifts[-1] + len(edit.text) - (edit.span.end - edit.span.start))

    def index_of(offset: int) -> int:
        """The new line of an old character, or of what took its place."""
        at = bisect_right(ends, offset)
        moved = offset + shifts[at]
        if at < len(edits) and edits[at].span.start <= offset:
            moved = min(moved, edits[at].span.start + shifts[at] + len(edits[at].text))
        return after.line_of(moved) - 1

    for start, line in zip(source.line_starts, source.lines, strict=True):
        text = line.strip()
        if text:
            first = start + len(line) - len(line.lstrip())
            yield range(index_of(first), index_of(first + len(text) - 1) + 1)
        else:
            yield range(0)


ObjectionKind = Literal[
    "whole-file-cut", "rule-lost", "line-falls", "no-room", "structure", "curated", "link", "encoding"
]


@record
class Objection:
    """Why an edit does not stand. `path` and `line` name what would suffer, `line` 1-based and before the edit."""

    kind: ObjectionKind
    path: str
    line: int | None = None
    release: str = ""


@record
class Verdict:
    """What edits do, all situations together."""

    objection: Objection | None = None
    arriving: frozenset[Place] = (
        frozenset()
    )  # lines that reach the model whole in a situation where they did not
    gains: int = 0  # priority rules among them, counted once for each situation


@record(lazy=True)
class Proof:
    """A workspace before edits, in every situation in which they have to prove themselves."""

    workspace: Workspace
    simulations: tuple[Simulation, ...]
    priority: Mapping[str, frozenset[int]]  # path → 1-based lines

    @classmethod
    def of(cls, workspace: Workspace, situations: Iterable[Situation], readings: Readings) -> Proof:
        """Every session kind of every situation; those that send and cut the same are one."""
        distinct: dict[object, Simulation] = {}
        for situation in situations:
            for kind in SESSION_KINDS:
                own = Simulation(workspace, replace(situation, session=kind))
                rules, limits = situation.contract.truncation, (situation.limit, situation.total_limit)
                distinct.setdefault((rules, limits, own.sent), own)
        priority = {
            path: frozenset(line for line, reading in readings.of(file).items() if reading.is_priority)
            for path, file in workspace.files.items()
        }
        return cls(workspace, tuple(distinct.values()), priority)

    def worst_fate(self, path: str, line: int) -> Fate | None:
        """The lowest fate of a 1-based line where its file is sent; None where it never is."""
        fates = [sent.fates(path)[line - 1] for sent in self.simulations if path in sent.texts]
        return min(fates, key=lambda fate: _RANK[fate], default=None)

    def loses(self, path: str) -> bool:
        """Does the model, somewhere, not receive all of a file that is sent?"""
        return any(path in sent.texts and sent.lost_chars(path) > 0 for sent in self.simulations)

    def after(self, rewrites: Mapping[str, Rewrite]) -> Workspace:
        return self.workspace.with_texts({path: rewrite.text for path, rewrite in rewrites.items()})

    def verdict(self, rewrites: Mapping[str, Rewrite]) -> Verdict:
        """Accepted where in each situation for itself nothing stands against it.

        That is: every file that arrived whole does so still, every priority rule that arrived does so still, and no
        line has a lower fate unless a priority rule was gained. So no file's count of arriving rules falls.
        """
        workspace = self.after(rewrites)
        arriving: set[Place] = set()
        gains = 0
        for before in self.simulations:
            own = self._compared(before, Simulation(workspace, before.situation), rewrites)
            if own.objection is not None:
                return own
            arriving |= own.arriving
            gains += own.gains
        return Verdict(None, frozenset(arriving), gains)

    def _compared(self, before: Simulation, after: Simulation, rewrites: Mapping[str, Rewrite]) -> Verdict:
        release = before.contract.release
        for path in before.texts:
            if _is_whole(before, path) and not _is_whole(after, path):
                return Verdict(Objection("whole-file-cut", path, None, release))
        arriving: set[Place] = set()
        gains = 0
        fallen: Place | None = None
        for path, line, old, new in _changed_lines(before, after, rewrites):
            if new >= _ARRIVES > old:
                arriving.add((path, line))
                gains += line in self.priority[path]
            elif old >= _ARRIVES > new and line in self.priority[path]:
                return Verdict(Objection("rule-lost", path, line, release))
            elif new < old and fallen is None and not (new >= _ARRIVES and line in self.priority[path]):
                fallen = (path, line)
        if fallen is not None and not gains:
            return Verdict(Objection("line-falls", *fallen, release))
        return Verdict(None, frozenset(arriving), gains)


def _is_whole(simulation: Simulation, path: str) -> bool:
    arrived = simulation.injected.get(path)
    return arrived is not None and not arrived.causes


def _changed_lines(
    before: Simulation, after: Simulation, rewrites: Mapping[str, Rewrite]
) -> Iterator[tuple[str, int, int, int]]:
    """Path, 1-based old line, and the ranks of the line's fates before and after, where these differ.

    A line that became several has the lowest of their fates; one of which nothing is left is of no matter.
    """
    for path in before.texts:
        old, new = before.fates(path), after.fates(path)
        rewrite = rewrites.get(path)
        for index, fate in enumerate(old):
            if fate == "blank":
                continue
            if rewrite is None:
                rank = _RANK[new[index]]
            else:
                rank = min((_RANK[new[at]] for at in rewrite.places[index]), default=_RANK["blank"])
            if rank not in (_RANK[fate], _RANK["blank"]):
                yield path, index + 1, _RANK[fate], rank
