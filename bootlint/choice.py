"""Which of many fixes to make, so that most priority rules arrive and nobody pays for it.

Searches; what counts as paying is for `proof` to say. The search is short: rules compete for one digest and one
limit, so that mostly all fixes stand together or the first of them do. It depends on the texts alone and goes on
until nothing more is accepted, which is why a second run changes nothing.
"""

from __future__ import annotations

from collections import defaultdict

from bootlint.proof import LOST, Objection, Verdict, rewritten
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bootlint.candidates import Candidate
    from bootlint.diagnostics import Edit
    from bootlint.openclaw.fates import Fate
    from bootlint.proof import Proof, Rewrite

_MOST_TRIES = 80  # simulations of one round; what is not tried shares the objection to its group


@record
class Choice:
    """The fixes to make, together, and what stands against each of the others."""

    taken: tuple[Candidate, ...]
    held: Mapping[Candidate, Objection]


def choose(proof: Proof, candidates: Iterable[Candidate]) -> Choice:
    """The edits of the candidates are disjoint. File by file, in the order of the candidates."""
    by_file: defaultdict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_file[candidate.path].append(candidate)
    search = _Search(proof)
    for own in by_file.values():
        search.add_file(own)
    return Choice(tuple(search.taken), search.held)


def rewrites_of(proof: Proof, candidates: Iterable[Candidate]) -> Mapping[str, Rewrite]:
    """Path → the file with the fixes made."""
    edits: defaultdict[str, list[Edit]] = defaultdict(list)
    for candidate in candidates:
        edits[candidate.path] += candidate.edits
    return {path: rewritten(proof.workspace.files[path].source, own) for path, own in edits.items()}


class _Search:
    def __init__(self, proof: Proof) -> None:
        self.taken: list[Candidate] = []
        self.held: dict[Candidate, Objection] = {}
        self._proof = proof
        self._standings = proof.untouched  # with what is taken
        self._tries = _MOST_TRIES

    def add_file(self, candidates: Sequence[Candidate]) -> None:
        """First what brings lost rules back, with all that may help it; then the rest, as far as it costs nothing."""
        room = [candidate for candidate in candidates if candidate.target is None]
        lost = [candidate for candidate in candidates if self._is_lost(candidate)]
        listed = [candidate for candidate in candidates if self._fate(candidate) == "digest"]
        if lost:
            self._bring_back(lost, room, listed)
        settled = {*self.taken, *self.held}
        kept = [candidate for candidate in candidates if candidate not in {*room, *lost, *listed}]
        for group in (*_parted(room), listed, lost, kept):
            self._grow([candidate for candidate in group if candidate not in settled])

    def _fate(self, candidate: Candidate) -> Fate | None:
        if candidate.target is None:
            return None
        return self._proof.worst_fate(candidate.path, candidate.target)

    def _is_lost(self, candidate: Candidate) -> bool:
        return self._fate(candidate) in LOST

    def _bring_back(
        self, lost: Sequence[Candidate], room: Sequence[Candidate], listed: Sequence[Candidate]
    ) -> None:
        """Take the combination that gains most.

        Rules that only the digest holds need their keyword too, or those that come back push them out.
        """
        best: tuple[list[Candidate], Verdict] = ([], Verdict(self._standings))
        for base in ([*room, *listed], [*room], [*listed], []):
            found = self._longest(base, lost)
            if found[1].gains > best[1].gains:
                best = found
            if {(one.path, one.target) for one in lost} <= best[1].arriving:
                break
        taken, verdict = best
        useless = {one for one in lost if (one.path, one.target) not in verdict.arriving}.intersection(taken)
        if useless:
            helpful = [one for one in taken if one not in useless]
            without = self._verdict(helpful)
            if without.gains >= verdict.gains:
                self.held |= {one: _no_room(one) for one in taken if one in useless}
                taken, verdict = helpful, without
        self._take(*self._without_needless(taken, verdict))

    def _without_needless(
        self, taken: Sequence[Candidate], verdict: Verdict
    ) -> tuple[Sequence[Candidate], Verdict]:
        """Leave out what adds something for others, all of it or what is unsafe, if as much is gained without it."""
        for spared in (False, True):
            rest = [one for one in taken if not one.needs_gain or (spared and one.is_safe)]
            if len(rest) < len(taken):
                without = self._verdict(rest)
                if without.gains >= verdict.gains:
                    return rest, without
        return taken, verdict

    def _longest(
        self, base: Sequence[Candidate], lost: Sequence[Candidate]
    ) -> tuple[list[Candidate], Verdict]:
        """The base with as many of the first lost rules as can be accepted; nothing if none can."""
        best: tuple[list[Candidate], Verdict] = ([], Verdict(self._standings))
        low, size, high = 0, len(lost), len(lost)
        while low < size:
            group = [*base, *lost[:size]]
            verdict = self._verdict(group)
            if verdict.objection is None:
                best = (group, verdict)
            if verdict.objection is None or verdict.objection.kind == "line-falls":
                low = size  # accepted, or so few that nothing is gained
            else:
                high = size
            size = (low + high) // 2
        return best

    def _grow(self, group: Sequence[Candidate], known: Objection | None = None) -> None:
        """Take what can be accepted of the group: all of it, else of each half. `known`: the objection to more."""
        if not group:
            return
        objection = known
        if known is None or self._tries > 0:
            verdict = self._verdict(group)
            objection = verdict.objection or self._useless(group, verdict)
            if objection is None:
                self._take(group, verdict)
        if objection is not None and (len(group) == 1 or self._tries <= 0 or objection.kind == "no-gain"):
            self.held |= dict.fromkeys(group, objection)
        elif objection is not None:
            middle = len(group) // 2
            self._grow(group[:middle], objection)
            self._grow(group[middle:], objection)

    def _useless(self, group: Sequence[Candidate], verdict: Verdict) -> Objection | None:
        """Does a lost rule of the group stay lost, or is something added for others and none gained?"""
        if verdict.gains == 0 and any(one.needs_gain for one in group):
            return Objection("no-gain", group[0].path)
        lost = (one for one in group if self._is_lost(one) and (one.path, one.target) not in verdict.arriving)
        return next(map(_no_room, lost), None)

    def _take(self, group: Sequence[Candidate], verdict: Verdict) -> None:
        self.taken += group
        self._standings = verdict.standings

    def _verdict(self, group: Sequence[Candidate]) -> Verdict:
        self._tries -= 1
        return self._proof.verdict(rewrites_of(self._proof, [*self.taken, *group]), self._standings)


def _parted(room: Sequence[Candidate]) -> tuple[list[Candidate], ...]:
    """What takes something out, and what adds something."""
    return [one for one in room if not one.needs_gain], [one for one in room if one.needs_gain]


def _no_room(candidate: Candidate) -> Objection:
    return Objection("no-room", candidate.path, candidate.target)
