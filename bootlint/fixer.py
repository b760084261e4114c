"""From diagnostics to repaired texts: rounds of fixes, each proven by simulating again, until nothing is left to do.

Which fixes come into question is `candidates`', which of them are made `choice`'s, what counts as help `proof`'s,
and moving sections `rescue`'s. Writes nothing: a result is plain values.
"""

from __future__ import annotations

from collections import Counter

from bootlint.candidates import Wanted, collect, refusal
from bootlint.checks.context import Context
from bootlint.choice import choose, rewrites_of
from bootlint.engine import Report, check
from bootlint.openclaw.fates import REACHED
from bootlint.proof import Objection, Proof
from bootlint.records import record
from bootlint.rescue import Move, count_moves, smallest_move
from bootlint.simulation import Simulation
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Set

    from bootlint.candidates import Candidate
    from bootlint.config import Settings
    from bootlint.proof import Place, Rewrite
    from bootlint.situations import Basis
    from bootlint.workspace import Workspace

MAX_ROUNDS = 10


@record
class Repair:
    """One fix that was made. `line` is 1-based, in the text as it was when its turn came."""

    code: str
    name: str
    title: str
    path: str
    line: int


@record
class HeldBack:
    """A fix that was not made. Lines are 1-based and those of the repaired text."""

    code: str
    name: str
    path: str
    line: int
    arrives: bool  # does the model receive the line all the same, wherever its file is sent?
    why: Objection


@record
class StillLost:
    """A file with priority rules that the model does not receive after the fixes either, and why that is so."""

    path: str
    rules: int
    why: Objection | None  # why nothing may be written into the file
    moves: int  # of their sections: what unsafe fixes try, or have tried in vain
    over: int  # UTF-16 units that do not fit; 0 where the files before this one leave it no room


@record
class FixedFile:
    """A file whose text changes. `path` is relative to the workspace."""

    path: str
    before: str
    after: str
    places: tuple[range, ...]  # by line of `before`, the indexes of the lines of `after` that hold it


@record
class Reach:
    """How many of a file's priority rules reach the model whole, in one of the situations asked for."""

    path: str
    release: str
    rules_before: int
    reached_before: int
    rules_after: int
    reached_after: int


@record
class FixResult:
    """What a run would write into one workspace, and what comes of it."""

    workspace: str  # as shown: `.` or `agents/ada`
    files: tuple[FixedFile, ...]
    repairs: tuple[Repair, ...]
    moves: tuple[Move, ...]
    held: tuple[HeldBack, ...]
    reach: tuple[Reach, ...]
    still_lost: tuple[StillLost, ...]
    unsafe: int  # fixes that were left alone because nobody asked for unsafe ones
    report: Report  # what is left afterwards

    def applied(self, workspace: Workspace) -> Workspace:
        """The workspace as it would be."""
        return workspace.with_texts({file.path: file.after for file in self.files})

    def place(self, path: str, line: int) -> range:
        """The indexes of the lines that would hold the 1-based line."""
        places = next((file.places for file in self.files if file.path == path), None)
        return range(line - 1, line) if places is None else places[line - 1]


def fix(
    workspace: Workspace,
    basis: Basis,
    settings: Settings,
    *,
    unsafe: bool = False,
    only: Set[str] | None = None,
) -> FixResult:
    """Repair what `check` finds in a workspace, as far as `settings.scope` goes; nothing is written.

    `unsafe` makes unsafe fixes too and moves sections; `only` names the files that may change, by their paths in
    the workspace. A second run on the result changes nothing.
    """
    run = _Run(workspace, basis, settings, Wanted(settings.scope, unsafe, only))
    for _ in range(MAX_ROUNDS):
        if not run.repair():
            break
    return run.result()


class _Run:
    """The state of one call."""

    def __init__(self, workspace: Workspace, basis: Basis, settings: Settings, wanted: Wanted) -> None:
        self.original = workspace
        self.basis = basis
        self.settings = settings
        self.wanted = wanted
        self.repairs: list[Repair] = []
        self.moves: list[Move] = []
        self.held: tuple[HeldBack, ...]  # this and the next: of the last round
        self.unsafe: int
        self._places: dict[str, tuple[range, ...]] = {}
        self._continue_with(workspace)

    def repair(self) -> bool:
        """One round. False: there was nothing to do."""
        proof = Proof.of(self.current, self.basis.situations)
        found = collect(self.report, proof, self._contexts(self.current), self.wanted)
        choice = choose(proof, found.candidates)
        held = {**found.held, **choice.held}
        self.held = tuple(_held_back(candidate, why, proof) for candidate, why in held.items())
        self.unsafe = found.unsafe
        if choice.taken:
            self.repairs += map(_repair, choice.taken)
            self._rewrite(proof, rewrites_of(proof, choice.taken))
            return True
        return self.wanted.unsafe and self._rescue(proof)

    def result(self) -> FixResult:
        old, new = self.original.files, self.current.files
        return FixResult(
            workspace=self.report.workspace,
            files=tuple(
                FixedFile(path, old[path].source.text, file.source.text, self._places[path])
                for path, file in new.items()
                if file.source.text != old[path].source.text
            ),
            repairs=tuple(self.repairs),
            moves=tuple(self.moves),
            held=self.held,
            reach=tuple(self._reach()),
            still_lost=tuple(self._still_lost()),
            unsafe=self.unsafe,
            report=self.report,
        )

    def _rewrite(self, proof: Proof, rewrites: Mapping[str, Rewrite]) -> None:
        for path, rewrite in rewrites.items():
            places = self._places.get(path)
            self._places[path] = rewrite.places if places is None else rewrite.places_of(places)
        self._continue_with(proof.after(rewrites))

    def _continue_with(self, workspace: Workspace) -> None:
        self.current = workspace
        self.report = check(workspace, self.basis, self.settings)

    def _contexts(self, workspace: Workspace) -> tuple[Context, ...]:
        return tuple(
            Context(Simulation(workspace, situation), self.settings.rules)
            for situation in self.basis.situations
        )

    def _rescue(self, proof: Proof) -> bool:
        """Move sections, the smallest first, until no move helps. Were any moved?"""
        count = len(self.moves)
        while (found := smallest_move(proof, self._movable())) is not None:
            move, rewrite = found
            self.moves.append(move)
            self._rewrite(proof, {move.path: rewrite})
            proof = Proof.of(self.current, self.basis.situations)
        return len(self.moves) > count

    def _lost_rules(self) -> Mapping[Place, Objection | None]:
        """Where BL104 still stands, in files that were to be repaired → why they may not be written."""
        contexts = self._contexts(self.current)
        places = (
            (found.path.removeprefix(self.current.shown), found.start.line)
            for found in self.report.diagnostics
            if found.code == "BL104"
        )
        return {place: refusal(place[0], contexts) for place in places if self.wanted.may_change(place[0])}

    def _movable(self) -> Iterator[Place]:
        return (place for place, objection in self._lost_rules().items() if objection is None)

    def _still_lost(self) -> Iterator[StillLost]:
        lost = self._lost_rules()
        rules = Counter(path for path, _ in lost)
        moves = count_moves(self.current, self._movable())
        for path, why in {path: why for (path, _), why in lost.items()}.items():
            yield StillLost(path, rules[path], why, moves[path], self._over(path))

    def _over(self, path: str) -> int:
        arrived = (context.simulation.injected.get(path) for context in self._contexts(self.current))
        return max((one.raw_chars - int(one.limit or 0) for one in arrived if one and one.causes), default=0)

    def _reach(self) -> Iterator[Reach]:
        sides = zip(self._contexts(self.original), self._contexts(self.current), strict=True)
        for before, after in sides:
            for path, count in before.reach.items():
                yield Reach(path, before.simulation.contract.release, *count, *after.reach[path])


def _repair(candidate: Candidate) -> Repair:
    diagnostic = candidate.diagnostic
    title = "" if diagnostic.fix is None else diagnostic.fix.title
    return Repair(diagnostic.code, diagnostic.name, title, candidate.path, candidate.line)


def _held_back(candidate: Candidate, why: Objection, proof: Proof) -> HeldBack:
    diagnostic = candidate.diagnostic
    arrives = proof.worst_fate(candidate.path, candidate.line) in REACHED
    return HeldBack(diagnostic.code, diagnostic.name, candidate.path, candidate.line, arrives, why)
