"""Which lines of a cut AGENTS.md OpenClaw puts into its digest.

Owns the digest's share of a limit, the normal form of a line, structure, keywords, prose, and the choice
under a budget. What stands around the digest is `cuts`'.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from bootlint.openclaw.jstext import SPACE_CLASS, fold, safe_head, splitter, utf16_len
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bootlint.openclaw.contract import Digest

MAX_LINE_UNITS = 240  # of the normal form; a longer one loses its end and gets an ellipsis

_SURELY_SHORT = MAX_LINE_UNITS // 2  # in code points
_ELLIPSIS = "…"


def share(limit: float) -> int:
    """How much of a file's limit the digest may take at most, in UTF-16 units."""
    return math.floor(limit * 0.35)


def normal_form(line: str) -> str:
    """A line as the digest holds it: trimmed, blanks run together, cut where it is longer than 240 units."""
    return _clipped(_squeezed(line))


def full_units(line: str) -> int:
    """The length of a line's normal form before it is cut, in UTF-16 units."""
    return utf16_len(_squeezed(line))


def is_candidate(line: str, digest: Digest) -> bool:
    """Does the digest look at this line at all?"""
    return _alone(line, digest) is not None


def is_priority(line: str, digest: Digest) -> bool:
    """Is this line chosen before other candidates?"""
    candidate = _alone(line, digest)
    return candidate is not None and candidate.priority


def matched_keyword(line: str, digest: Digest) -> str | None:
    """The keyword, as the contract spells it, that makes the line a priority, else a candidate."""
    folded = fold(normal_form(line))
    keywords = _keywords(digest)
    found = keywords.priority.first(folded) or keywords.candidate.first(folded)
    return None if found is None else keywords.spelling[found.group()]


def keywords_beyond_cut(line: str, digest: Digest) -> tuple[str, ...]:
    """The keywords, each once, that do not count because they stand after the line's 240 units."""
    squeezed = _squeezed(line)
    kept = _kept(squeezed)
    if kept is None:
        return ()
    keywords = _keywords(digest)
    beyond = (found for found in keywords.candidate.all(fold(squeezed)) if found.end() > kept)
    return tuple(dict.fromkeys(keywords.spelling[found.group()] for found in beyond))


class Candidate(NamedTuple):
    """A line that competes for a place, and the prose line in front of it. Offsets are code points."""

    start: int
    end: int  # where the next line begins, less one
    priority: bool
    length: int  # of what it puts into the digest, in UTF-16 units
    prose: tuple[int, int] | None = None  # start and end of the prose line


@record
class Candidates:
    """All candidates of a text, the priorities first, each kind in the order of the text."""

    text: str
    ranked: tuple[Candidate, ...]
    _words: Callable[[str], list[str]]

    @classmethod
    @lru_cache(maxsize=4)  # one text is cut for several sessions and releases
    def of(cls, text: str, digest: Digest) -> Candidates:
        words = splitter(text)
        found = list(_candidates(text, digest, words))
        first = (candidate for candidate in found if candidate.priority)
        rest = (candidate for candidate in found if not candidate.priority)
        return cls(text, (*first, *rest), words)

    def chosen(self, budget: float) -> list[Candidate]:
        """Those that fit into so many UTF-16 units, line breaks between them, in the order of the text."""
        shortest = min((candidate.length for candidate in self.ranked), default=0)
        chosen: list[Candidate] = []
        room = budget
        for candidate in self.ranked:
            if shortest > room:
                break
            if candidate.length <= room:
                chosen.append(candidate)
                room -= candidate.length + 1
        return sorted(chosen)

    def shown(self, start: int, end: int) -> tuple[str, int | None]:
        """What the digest holds of a line, and at which code point of the text it ends if the line is cut."""
        line = self.text[start:end]
        squeezed = " ".join(self._words(line))
        kept = _kept(squeezed)
        if kept is None:
            return squeezed, None
        return squeezed[:kept] + _ELLIPSIS, start + _reach(line, kept)


# --- lines -----------------------------------------------------------------------------------------------


def _squeezed(line: str) -> str:
    return " ".join(splitter(line)(line))


def _clipped(squeezed: str) -> str:
    kept = _kept(squeezed)
    return squeezed if kept is None else squeezed[:kept] + _ELLIPSIS


def _kept(squeezed: str) -> int | None:
    """How many code points stay of a line that is too long; None if it is not."""
    if len(squeezed) <= _SURELY_SHORT or utf16_len(squeezed) <= MAX_LINE_UNITS:
        return None
    return len(safe_head(squeezed[:MAX_LINE_UNITS], MAX_LINE_UNITS - 1))


def _reach(line: str, kept: int) -> int:
    """Where in a line the first `kept` code points of its squeezed form end."""
    reach = 0
    for word in re.finditer(f"[^{SPACE_CLASS}]+", line):
        if kept < 0:
            break
        reach = min(word.end(), word.start() + kept)
        kept -= len(word.group()) + 1
    return reach


def _alone(line: str, digest: Digest) -> Candidate | None:
    return next(_candidates(line, digest, splitter(line)), None)


def _candidates(text: str, digest: Digest, words: Callable[[str], list[str]]) -> Iterator[Candidate]:
    r"""Looks at the folded text, whose code points stand where those of `text` do. A `\r` is a blank here."""
    keywords = _keywords(digest)
    # Looked up once, and the patterns tried one by one: this loop is most of the time that a simulation takes.
    structure = keywords.structure.match
    word, sign = keywords.candidate.words.search, keywords.candidate.signs.search
    first_word, first_sign = keywords.priority.words.search, keywords.priority.signs.search
    units = len if utf16_len(text) == len(text) else utf16_len
    fences = _FENCES if digest.carries_prose else ()
    prose: tuple[int, int, str] | None = None
    start = 0
    for raw in fold(text).split("\n"):
        end = start + len(raw)
        line = " ".join(words(raw))
        if len(line) > _SURELY_SHORT:
            line = _clipped(line)
        if not line or line.startswith(fences):
            prose = None
        elif not (structure(line) or word(line) or sign(line)):
            prose = (start, end, line) if digest.carries_prose else None
        else:
            length = units(line) if prose is None else units(prose[2]) + 1 + units(line)
            priority = bool(first_word(line) or first_sign(line))
            yield Candidate(start, end, priority, length, prose and prose[:2])
            prose = None
        start = end + 1


_STRUCTURE = r"(?:#{1,6}|[-*+]|[0-9]+[.)]) "  # in a normal form something follows the blank
_FENCES = ("```", "~~~")


# --- keywords --------------------------------------------------------------------------------------------


@record
class _Finder:
    """Looks for keywords in folded text: words between borders, signs anywhere."""

    words: re.Pattern[str]
    signs: re.Pattern[str]

    @classmethod
    def of(cls, words: tuple[str, ...], signs: tuple[str, ...]) -> _Finder:
        any_word = "|".join(re.escape(fold(word)) for word in words)
        any_sign = "|".join(re.escape(sign) for sign in signs) if signs else "(?!)"
        return cls(re.compile(rf"\b(?:{any_word})\b", re.ASCII), re.compile(any_sign))

    def first(self, folded: str) -> re.Match[str] | None:
        return self.words.search(folded) or self.signs.search(folded)

    def all(self, folded: str) -> Iterator[re.Match[str]]:
        yield from self.words.finditer(folded)
        yield from self.signs.finditer(folded)


@record
class _Keywords:
    structure: re.Pattern[str]
    candidate: _Finder
    priority: _Finder
    spelling: Mapping[str, str]  # folded keyword → as the contract spells it


@lru_cache(maxsize=8)
def _keywords(digest: Digest) -> _Keywords:
    every = (*digest.candidate_words, *digest.candidate_signs)
    return _Keywords(
        re.compile(_STRUCTURE),
        _Finder.of(digest.candidate_words, digest.candidate_signs),
        _Finder.of(digest.priority_words, digest.priority_signs),
        {fold(keyword): keyword for keyword in every},
    )
