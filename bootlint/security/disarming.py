"""Texts that disarm an agent, or make it rewrite what it is.

Owns the judgement over the chains of words that `rules/patterns.toml` lists. Offsets are code points.
"""

from __future__ import annotations

from functools import lru_cache

from bootlint.diagnostics import Span
from bootlint.records import record
from bootlint.security.patterns import patterns
from bootlint.security.phrases import Haystack, Held, Sense, find_chains
from bootlint.security.stance import Stances
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.workspace import TextFile


@record
class Disarming:
    """What the text does to the agent (a name under `[disarming]`), and where."""

    kind: str
    span: Span


def find(file: TextFile, haystack: Haystack) -> Iterator[Disarming]:
    """Once a sentence and kind, unless the author forbids, quotes or warns of it."""
    known = patterns()
    held = _held(haystack)
    possible = {
        kind: [chain for chain in chains if chain.lists <= held.keys()]
        for kind, chains in known.disarming.items()
    }
    if not any(possible.values()):
        return
    sense = Sense(
        *(haystack.held(known.words(known.stance[name])) for name in ("breaks", "joints", "turned"))
    )
    stances = Stances(file, haystack, known)
    for kind, chains in possible.items():
        told: set[int] = set()
        for place in sorted(find_chains(haystack, held, chains, known, sense)):
            sentence = stances.sentence_of(place).start
            if sentence not in told and not stances.rejects(place):
                told.add(sentence)
                yield Disarming(kind, Span(*place))


def _held(haystack: Haystack) -> dict[str, Held]:
    """The lists of chains of which words could stand in the text → those words."""
    in_chains = patterns().in_chains
    held: dict[str, list[str]] = {}
    for word in haystack.held(_words()):
        for listed in in_chains[word]:
            held.setdefault(listed, []).append(word)
    return {listed: frozenset(words) for listed, words in held.items()}


@lru_cache(maxsize=1)
def _words() -> tuple[str, ...]:
    return tuple(patterns().in_chains)
