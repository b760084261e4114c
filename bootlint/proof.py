"""What edits do to what the model receives: the one judge of whether a fix may stand.

Compares simulations before and after, line by line, in every situation in which a workspace is used. Knows texts
and fates; which edits are tried, and why, is `choice`'s and `rescue`'s.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from bootlint.document import Document
from bootlint.openclaw.fates import line_fates
from bootlint.readings import priority_lines
from bootlint.records import record, replace
from bootlint.simulation import SESSION_KINDS, Simulation
from bootlint.source import SourceText, apply_edits
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bootlint.diagnostics import Edit
    from bootlint.openclaw.fates import Fate, Outcome
    from bootlint.simulation import Situation
    from bootlint.workspace import Workspace

Place = tuple[str, int]  # path in the workspace, 1-based line

_RANK: dict[Fate, int] = {"dropped": 0, "cut": 1, "digest-cut": 2, "digest": 3, "kept": 4, "blank": 5}
_BLANK = _RANK["blank"]
_ARRIVES = _RANK["digest"]
LOST: tuple[Fate, ...] = ("dropped", "cut", "digest-cut")  # of a rule: the model does not receive it whole


@record
class Rewrite:
    """A file after edits, and where each of its lines went: by old line, the indexes of the new ones that hold it."""

    text: str
    places: tuple[range, ...]

    def places_of(self, earlier: Iterable[range]) -> tuple[range, ...]:
        """Where the lines went that an earlier rewrite had put at these places."""

        def moved(place: range) -> range:
            new = [self.places[index] for index in place if self.places[index]]
            return range(min(one.start for one in new), max(one.stop for one in new)) if new else range(0)

        return tuple(map(moved, earlier))

    def keeps_kinds(self, before: Document) -> bool:
        """Does Markdown see in each line the kind of thing that it saw: text, code, a heading?"""
        kinds = Document.parse(SourceText(self.text)).kinds
        return all(
            kinds[new] == kind for kind, place in zip(before.kinds, self.places, strict=True) for new in place
        )


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
    "whole-file-cut",
    "rule-lost",
    "line-falls",
    "no-room",
    "no-gain",
    "structure",
    "curated",
    "link",
    "encoding",
]


@record
class Objection:
    """Why an edit does not stand. `path` and `line` name what would suffer, `line` 1-based and before the edit."""

    kind: ObjectionKind
    path: str
    line: int | None = None
    release: str = ""


@record
class Standing:
    """Where the lines of the workspace stand in one situation, before edits or after them."""

    release: str
    whole: frozenset[str]  # the files that arrive whole
    ranks: Mapping[str, tuple[int, ...]]  # path → the rank of each line of the text before edits


@record
class Verdict:
    """What edits do, all situations together, against where the lines stood."""

    standings: tuple[Standing, ...]  # with the edits; incomplete where there is an objection
    objection: Objection | None = None
    # The lines that reach the model whole in a situation where they did not, and how many priority rules are among
    # them, counted once for each situation.
    arriving: frozenset[Place] = frozenset()
    gains: int = 0


@record(lazy=True)
class Proof:
    """A workspace before edits, in every situation in which they have to prove themselves."""

    workspace: Workspace
    simulations: tuple[Simulation, ...]
    priority: Mapping[str, frozenset[int]]  # path → 1-based lines

    @classmethod
    def of(cls, workspace: Workspace, situations: Iterable[Situation]) -> Proof:
        """Every session kind of every situation; those that send and cut the same are one."""
        distinct: dict[object, Simulation] = {}
        for situation in situations:
            for kind in SESSION_KINDS:
                own = Simulation(workspace, replace(situation, session=kind))
                rules, limits = situation.contract.truncation, (situation.limit, situation.total_limit)
                distinct.setdefault((rules, limits, own.sent), own)
        priority = {path: frozenset(priority_lines(file)) for path, file in workspace.files.items()}
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

    def standings(self, rewrites: Mapping[str, Rewrite]) -> Iterator[Standing]:
        """One for each situation. A line that became several has the lowest of their ranks."""
        workspace = self.after(rewrites)
        known: dict[str, list[tuple[Outcome, tuple[int, ...]]]] = {path: [] for path in workspace.files}

        def ranks_of(path: str, outcome: Outcome) -> tuple[int, ...]:
            """Worked out once for all situations in which the same becomes of the file."""
            for other, ranks in known[path]:
                if other == outcome:
                    return ranks
            fates = line_fates(workspace.files[path].source.text, outcome)
            known[path].append((outcome, _ranks(fates, rewrites.get(path))))
            return known[path][-1][1]

        for before in self.simulations:
            after = Simulation(workspace, before.situation)
            yield Standing(
                before.contract.release,
                frozenset(path for path, arrived in after.injected.items() if not arrived.causes),
                {path: ranks_of(path, after.outcomes.get(path)) for path in before.texts},
            )

    def verdict(self, rewrites: Mapping[str, Rewrite], since: tuple[Standing, ...] | None = None) -> Verdict:
        """Compared with `since`, by default with the workspace before any edit.

        Accepted where in each situation for itself nothing stands against it. That is: every file that arrived whole
        does so still, every priority rule that arrived does so still, and no line has a lower fate unless a priority
        rule was gained. So no file's count of arriving rules falls.
        """
        standings: list[Standing] = []
        arriving: set[Place] = set()
        gains = 0
        for old, new in zip(since or self.untouched, self.standings(rewrites), strict=True):
            standings.append(new)
            objection, own = self._compared(old, new)
            if objection is not None:
                return Verdict(tuple(standings), objection)
            arriving |= own
            gains += sum(line in self.priority[path] for path, line in own)
        return Verdict(tuple(standings), None, frozenset(arriving), gains)

    @cached_property
    def untouched(self) -> tuple[Standing, ...]:
        return tuple(self.standings({}))

    def _compared(self, old: Standing, new: Standing) -> tuple[Objection | None, set[Place]]:
        """What stands against a change in one situation, else the lines that arrive by it."""
        arriving: set[Place] = set()
        fallen: Place | None = None
        gained = False
        for path, ranks in old.ranks.items():
            if path in old.whole and path not in new.whole:
                return Objection("whole-file-cut", path, None, new.release), set()
            for line, (before, after) in enumerate(zip(ranks, new.ranks[path], strict=True), 1):
                if before == after or _BLANK in (before, after):
                    continue
                is_priority = line in self.priority[path]
                if after >= _ARRIVES > before:
                    arriving.add((path, line))
                    gained = gained or is_priority
                elif before >= _ARRIVES > after and is_priority:
                    return Objection("rule-lost", path, line, new.release), set()
                elif after < before and fallen is None:
                    fallen = (path, line)
        if fallen is not None and not gained:
            return Objection("line-falls", *fallen, new.release), set()
        return None, arriving


def _ranks(fates: tuple[Fate, ...], rewrite: Rewrite | None) -> tuple[int, ...]:
    ranks = tuple([_RANK[fate] for fate in fates])
    if rewrite is None:
        return ranks
    return tuple([min(ranks[place.start : place.stop], default=_BLANK) for place in rewrite.places])
