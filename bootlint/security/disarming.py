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
    sense = Sense(
        *(haystack.held(known.words(known.stance[name])) for name in ("breaks", "joints", "turned"))
    )
    stances = Stances(file, haystack, known)
    for kind, chains in known.disarming.items():
        told: set[int] = set()
        for place in sorted(find_chains(haystack, held, chains, known, sense)):
            sentence = stances.sentence_of(place).start
            if sentence not in told and not stances.rejects(place):
                told.add(sentence)
                yield Disarming(kind, Span(*place))


def _held(haystack: Haystack) -> dict[str, Held]:
    """The lists of chains of which words could stand in the text → those words."""
    every, lists = _lists()
    held = haystack.held(every)
    return {listed: found for listed, words in lists if (found := held.intersection(words))}


@lru_cache(maxsize=1)
def _lists() -> tuple[tuple[str, ...], list[tuple[str, tuple[str, ...]]]]:
    """The words of all chains, each once, and their lists: as written, and taken apart."""
    known = patterns()
    written = {
        listed: None for chains in known.disarming.values() for chain in chains for listed in chain.lists
    }
    lists = [(listed, known.words(listed)) for listed in written]
    return tuple({word: None for _, words in lists for word in words}), lists
