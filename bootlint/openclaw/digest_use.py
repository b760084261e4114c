"""How the digest of one cut AGENTS.md was filled: which lines competed, which got a place, what room there was.

Read from the pieces of the injected file. Offsets are code points of the source, lengths UTF-16 units.
"""

from __future__ import annotations

from functools import cached_property

from bootlint.openclaw.digest import Candidate, Candidates, share
from bootlint.openclaw.jstext import trim_end
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bootlint.openclaw.contract import Digest
    from bootlint.openclaw.truncation import InjectedFile


@record(lazy=True)
class DigestUse:
    """The candidates of a file, those that OpenClaw asks first at the front, and how they fared."""

    candidates: tuple[Candidate, ...]
    taken_at: frozenset[int]  # where the lines that got a place begin
    budget: int | None  # None: the limit is so small that the markers may have eaten into the digest

    @classmethod
    def of(cls, text: str, injected: InjectedFile, digest: Digest) -> DigestUse | None:
        """None where the file arrived whole, or was cut without a digest."""
        if not injected.causes or injected.limit is None or injected.name.lower() != "agents.md":
            return None
        taken = frozenset(
            piece.source[0] for piece in injected.pieces if piece.kind == "digest" and piece.source
        )
        has_head = any(piece.kind == "head" and piece.end - piece.start > 1 for piece in injected.pieces)
        budget = share(injected.limit) if has_head else None
        return cls(Candidates.of(trim_end(text), digest).ranked, taken, budget)

    @cached_property
    def taken(self) -> tuple[Candidate, ...]:
        """Those in the digest, in the order in which they were asked."""
        return tuple(candidate for candidate in self.candidates if candidate.start in self.taken_at)

    @cached_property
    def omitted(self) -> tuple[Candidate, ...]:
        return tuple(candidate for candidate in self.candidates if candidate.start not in self.taken_at)

    @property
    def used(self) -> int:
        """UTF-16 units of the digest, the line breaks between its lines included."""
        return max(0, sum(candidate.length + 1 for candidate in self.taken) - 1)

    @cached_property
    def by_start(self) -> Mapping[int, Candidate]:
        return {candidate.start: candidate for candidate in self.candidates}

    @cached_property
    def rooms(self) -> Mapping[int, int]:
        """Where a candidate begins → UTF-16 units that were left when its turn came. Empty without a budget."""
        rooms: dict[int, int] = {}
        if self.budget is None:
            return rooms
        room = self.budget
        for candidate in self.candidates:
            rooms[candidate.start] = room
            if candidate.start in self.taken_at:
                room -= candidate.length + 1
        return rooms
