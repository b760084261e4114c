"""Where words, and chains of words, stand in a text.

Owns the search: a quick answer for a text that holds none of the words, and time that grows with the text and no
faster for one that is made of them. Knows nothing of what a word means. Offsets are code points.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property, lru_cache

from bootlint.lazyre import lazy_pattern
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bootlint.security.patterns import Chain, Patterns

Place = tuple[int, int]  # where a word begins and ends
Held = frozenset[str]  # words of which each could stand in the text

_LONG = 20  # how long a run of letters, digits and `+/_-` is that might be made by a machine
_RUN_SIGNS = b"+/_-"
_PLAIN = (("\n", " "), ("\t", " "), ("\u00a0", " "), ("\u2019", "'"), ("\u3000", " "))
_GAP = 32  # how far apart two English words of a chain may stand
_LONGEST_WORD = 40  # code points; more than any word of the patterns has
_CJK_GAP = 10  # and how far before a Chinese one
_ASCII = lazy_pattern(r"[\x00-\x7f]+")
_SENTENCE_END = lazy_pattern(r"[.!?](?=[\s\"'”’)*_]|$)|[。！？；;]|\n\s*(?:\n|[-*+>#|]|\d+[.)、])")
_CLAUSE_END = lazy_pattern(
    r"[*_\"'”’)]*(?:[^\S\n]*\n[^\S\n]*\n|\s*(?:\Z|[-*+>#|.,;:!?，。；：！？、…–—(（]|\d+[.)、]|even\b))"
)


@record
class Sense:
    """Words that change what a chain says: `breaks` between two of its words, `joints` before one that is to stand in
    the same clause, and `turned` where one of its words would begin.
    """

    breaks: Held
    joints: Held
    turned: Held


class Haystack:
    """A text in which words are looked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def folded(self) -> str:
        """The text in lower case with plain blanks and apostrophes, character by character."""
        text = self.text.replace("\u0130", "i").lower()  # the one letter that grows in lower case
        for char, plain in _PLAIN:
            text = text.replace(char, plain)
        return text

    @cached_property
    def long_runs(self) -> str:
        """The runs of ASCII letters, digits and `+/_-` of at least 20 characters, set apart by blanks."""
        return " ".join(run for run in _split(self.text, _to_runs()) if len(run) >= _LONG)

    @cached_property
    def _letters(self) -> frozenset[str]:
        return _letters_of(self.folded) | {""}  # as which words count that have none

    @cached_property
    def _letter_runs(self) -> str:
        return " ".join(self._letters)

    @cached_property
    def _foreign(self) -> str:
        """What is not ASCII in the text, a blank for the rest: shorter, so looked through faster."""
        return _ASCII.sub(" ", self.folded)

    @cached_property
    def _foreign_letters(self) -> frozenset[str]:
        return frozenset(self._foreign)

    def held(self, words: tuple[str, ...]) -> Held:
        """Those of the words that could stand in the text: all that do, and few others."""
        known, letters = _english(words), self._letters
        english = known.plain.intersection(letters).union(
            word
            for first in known.phrases.keys() & letters
            for word in known.phrases[first]
            if letters >= _letters_of(word) and word in self.folded
        )
        if self.text.isascii():
            return english
        foreign, signs = _foreign(words), self._foreign_letters
        return english.union(
            word
            for first in foreign.keys() & signs
            for word in foreign[first]
            if signs.issuperset(word) and word in self._foreign
        )

    def may_contain(self, text: str) -> bool:
        """Could a text in lower case stand in this one, as a part of a word too? Cheap; never False when it does."""
        if not text.isascii():
            return self._foreign_letters.issuperset(text) and text in self._foreign
        return all(run in self._letter_runs for run in _letters_of(text))

    def places(self, words: Iterable[str], start: int = 0, end: int | None = None) -> list[Place]:
        """Where the words stand between two offsets, by where they begin; longer ones first."""
        found = [
            place
            for word in words
            for place in _occurrences(self.folded, word, start, len(self.text) if end is None else end)
        ]
        return sorted(set(found), key=lambda place: (place[0], -place[1]))


@record
class _English:
    """English words, apart by what tells soonest that a text holds none of them."""

    plain: frozenset[str]  # of the letters a to z alone
    phrases: Mapping[str, list[str]]  # the others, by their first runs of letters, "" for none


@lru_cache(maxsize=64)
def _english(words: tuple[str, ...]) -> _English:
    english = [word for word in words if word.isascii()]
    phrases: dict[str, list[str]] = {}
    for word in english:
        if not word.isalpha():
            phrases.setdefault((*_split(word, _to_letters()), "")[0], []).append(word)
    return _English(frozenset(filter(str.isalpha, english)), phrases)


@lru_cache(maxsize=64)
def _foreign(words: tuple[str, ...]) -> Mapping[str, list[str]]:
    """The other words, by their first characters."""
    foreign: dict[str, list[str]] = {}
    for word in words:
        if not word.isascii():
            foreign.setdefault(word[0], []).append(word)
    return foreign


def _letters_of(text: str) -> frozenset[str]:
    """The runs of a to z in a text of whatever case."""
    return frozenset(_split(text, _to_letters()))


def _split(text: str, table: bytes) -> list[str]:
    return text.encode("utf-8", "surrogatepass").translate(table).decode("ascii").split()


@lru_cache(maxsize=1)
def _to_letters() -> bytes:
    """The table that makes capitals small and everything that is no letter a blank."""
    return bytes(
        ord(chr(byte).lower()) if chr(byte).isascii() and chr(byte).isalpha() else 32 for byte in range(256)
    )


@lru_cache(maxsize=1)
def _to_runs() -> bytes:
    """The table that makes everything a blank that stands in no run."""
    return bytes(
        byte if byte < 128 and (chr(byte).isalnum() or byte in _RUN_SIGNS) else 32 for byte in range(256)
    )


def find_chains(
    haystack: Haystack,
    held: Mapping[str, Held],
    chains: Iterable[Chain],
    patterns: Patterns,
    sense: Sense,
) -> Iterator[Place]:
    """Where one of the chains stands: from its first word to its last.

    A chain stays in one sentence, and its words in the sense that they have there. `held`: the lists of which words
    could stand in the text, as written → those words; all lists of the chains are among them.
    """
    apart = {False: sense.breaks, True: sense.breaks | sense.joints}
    turned = haystack.places(sense.turned)
    for chain in chains:
        steps = [held[listed] for listed, _ in chain.steps]
        between = [apart[in_clause] for _, in_clause in chain.steps]
        for window in _windows(haystack, steps):
            for place in _links(haystack, steps, between, turned, window):
                if _keeps_its_meaning(haystack, chain, place, patterns):
                    yield place


def _keeps_its_meaning(haystack: Haystack, chain: Chain, place: Place, patterns: Patterns) -> bool:
    """Does the clause end where it must, and does nothing inside or behind take the chain back?"""
    if chain.ends_clause and not _CLAUSE_END.match(haystack.text, place[1]):
        return False
    return not any(_is_taken_back(haystack, place, unless, patterns) for unless in chain.unless)


def _windows(haystack: Haystack, steps: list[Held]) -> Iterator[Place]:
    """The stretches of text in which the whole chain could stand: around the words of its rarest step."""
    reach = len(steps) * (_GAP + _LONGEST_WORD)
    window: Place | None = None
    rarest = min(steps, key=len)
    for start, end in haystack.places(rarest):
        opened = (max(0, start - reach), min(len(haystack.text), end + reach))
        if window is not None and opened[0] > window[1]:
            yield window
            window = None
        window = opened if window is None else (window[0], opened[1])
    if window is not None:
        yield window


def _links(
    haystack: Haystack, steps: list[Held], between: list[Held], turned: list[Place], window: Place
) -> Iterator[Place]:
    """Every place in the window at which the chain ends, with the latest beginning that leads there.

    `between`: by step, the words that do not stand before it. `turned`: where no word of the chain begins.
    """
    first = [place for place in haystack.places(steps[0], *window) if not _begins_in(turned, place)]
    reached = [(start, end, start) for start, end in _merged(first)]
    for step, apart in zip(steps[1:], between[1:], strict=True):
        if not reached:
            return
        reached.sort(key=lambda link: link[1])
        ends = [link[1] for link in reached]
        following = []
        for start, end in haystack.places(step, *window):
            at = bisect_right(ends, start) - 1
            if (
                at >= 0
                and _is_near(haystack, ends[at], start, apart)
                and not _begins_in(turned, (start, end))
            ):
                following.append((start, end, reached[at][2]))
        reached = following
    for _, end, origin in reached:
        yield origin, end


def _begins_in(others: list[Place], place: Place) -> bool:
    """Does the place begin in one of the sorted others?"""
    at = bisect_right(others, place[0], key=lambda other: other[0]) - 1
    return at >= 0 and place[0] < others[at][1]


def _merged(places: list[Place]) -> list[Place]:
    """Words that overlap as one: "never" and "never ever", `永远不` and `不要`."""
    merged: list[Place] = []
    for start, end in places:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _is_near(haystack: Haystack, end: int, start: int, apart: Held) -> bool:
    gap = start - end
    if gap > (_GAP if haystack.text[start].isascii() else _CJK_GAP):
        return False
    if _SENTENCE_END.search(haystack.text, end, start):
        return False
    return not haystack.text[end:start].strip() or not haystack.places(apart, end, start)


def _is_taken_back(haystack: Haystack, place: Place, unless: tuple[str, ...], patterns: Patterns) -> bool:
    """Does the chain `unless` begin inside the place or directly behind it, in the same sentence?"""
    start, end = place
    reach = end + _GAP * (len(unless) + 1)
    stop = _SENTENCE_END.search(haystack.text, end, reach)
    limit = min(stop.start() if stop else reach, len(haystack.text))
    first, *others = (patterns.words(step) for step in unless)
    latest = end + 4
    for at in haystack.places(first, start, limit):
        if at[0] > latest:
            return False
        if _continues(haystack, at[1], others, limit):
            return True
    return False


def _continues(haystack: Haystack, at: int, steps: list[tuple[str, ...]], limit: int) -> bool:
    for step in steps:
        following = haystack.places(step, at, min(limit, at + _GAP))
        if not following:
            return False
        at = following[0][1]
    return True


def _occurrences(text: str, word: str, start: int, end: int) -> Iterator[Place]:
    size = len(word)
    at = text.find(word, start, end)
    while at >= 0:
        stop = at + size
        if not (_joins(word[0]) and at > 0 and _joins(text[at - 1])) and not (
            _joins(word[-1]) and stop < len(text) and _joins(text[stop])
        ):
            yield at, stop
        at = text.find(word, at + 1, end)


def _joins(char: str) -> bool:
    """Would this character make a longer word? A Chinese letter sets an English word apart."""
    return char.isascii() and (char.isalnum() or char == "_")
