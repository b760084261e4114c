"""Does the author mean it? A rule that forbids, quotes or warns of an attack is none.

Owns what the words around a place say about it: in its sentence, in the line that leads in, in the headings above.
Knows nothing of what was found there. Everything is worked out once a block or sentence, so that a file made of
attacks costs no more than its length. Offsets are code points.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property

from bootlint.lazyre import lazy_pattern
from bootlint.records import record
from bootlint.security.phrases import Haystack, Held, Place
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.security.patterns import Patterns
    from bootlint.workspace import TextFile

_QUOTED = lazy_pattern(
    r"“[^“”]*”|‘[^‘’\n]*’|「[^「」]*」|『[^『』]*』|《[^《》]*》|«[^«»]*»|\"[^\"]*\"|`+[^`]+`+|(?<!\w)'[^'\n]{3,}'(?!\w)"
)
_SENTENCE_END = lazy_pattern(r"[.!?](?=[\s\"'”’)*_]|$)|[。！？；;]")
_PAUSE = lazy_pattern("[,，]")
_COLON = lazy_pattern("[:：]")
_SHORT_BANS = "不别勿"  # forbid only what stands directly behind them
_DIRECTLY = 2  # code points
_REACH = 24  # code points between what is said and the words that say who says it, or what is thought of it


class Stances:
    """What the author of one file thinks of what stands in it."""

    def __init__(self, file: TextFile, haystack: Haystack, patterns: Patterns) -> None:
        self._file = file
        self._words = _Words(haystack, patterns)
        self._sentences: dict[int, tuple[list[int], list[_Sentence]]] = {}  # by first line of a block

    def rejects(self, place: Place) -> bool:
        """Does the author forbid, quote or warn of what stands at the place?"""
        sentence = self.sentence_of(place)
        start, end = place[0] - sentence.start, place[1] - sentence.start
        if sentence.rejects(start, end):
            return True
        line = self._file.source.line_of(place[0]) - 1
        return self._outline.is_announced(line) or (
            not sentence.begins_with_ban(start) and self._outline.stands_under_ban(line)
        )

    def guards(self, place: Place) -> bool:
        """Does the author want to be asked before what stands at the place is done?"""
        return self.sentence_of(place).is_guarded

    def sentence_of(self, place: Place) -> _Sentence:
        """The sentence in which a place begins."""
        first, last = self._blocks[self._file.source.line_of(place[0]) - 1]
        if first not in self._sentences:
            sentences = list(self._sentences_of(first, last))
            self._sentences[first] = [sentence.start for sentence in sentences], sentences
        starts, sentences = self._sentences[first]
        return sentences[bisect_right(starts, place[0]) - 1]

    def _sentences_of(self, first: int, last: int) -> Iterator[_Sentence]:
        source = self._file.source
        offset = source.line_starts[first]
        text = source.text[offset : source.line_span(last + 1).end]
        is_row = self._file.document.kinds[first] == "table"
        for start, end in [(0, len(text))] if is_row else _sentences(text):
            yield _Sentence(text[start:end], offset + start, is_row, self._words)

    @cached_property
    def _blocks(self) -> list[tuple[int, int]]:
        """By line index: the first and last line of the paragraph, item, heading, row or line of code it is in."""
        kinds = self._file.document.kinds
        item_lines = {item.line - 1 for item in self._file.document.items}
        firsts: list[int] = []
        for line, kind in enumerate(kinds):
            goes_on = line > 0 and kind == kinds[line - 1] == "text" and line not in item_lines
            firsts.append(firsts[-1] if goes_on else line)
        lasts = {first: line for line, first in enumerate(firsts)}
        return [(first, lasts[first]) for first in firsts]

    @cached_property
    def _outline(self) -> _Outline:
        return _Outline(self._file, self._words)


class _Words:
    """The lists under `[stance]`, without the words that stand nowhere in the file."""

    def __init__(self, haystack: Haystack, patterns: Patterns) -> None:
        self._haystack = haystack
        self._patterns = patterns
        self._held: dict[str, Held] = {}

    def of(self, name: str) -> Held:
        if name not in self._held:
            self._held[name] = self._haystack.held(self._patterns.words(self._patterns.stance[name]))
        return self._held[name]


def _sentences(text: str) -> Iterator[Place]:
    """Where the sentences of a block begin and end. What is quoted ends none."""
    quotes = _quotes(text)
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if _around(quotes, match.start(), match.end()) is None:
            yield start, match.end()
            start = match.end()
    if start < len(text) or not text:
        yield start, len(text)


def _quotes(text: str) -> list[Place]:
    return [match.span() for match in _QUOTED.finditer(text)]


@record(lazy=True)
class _Sentence:
    """A sentence and where it begins in the file. Offsets below count in the sentence."""

    text: str
    start: int
    is_row: bool  # of a table
    words: _Words

    def rejects(self, start: int, end: int) -> bool:
        """Do its words forbid, quote or warn of what stands between two offsets?"""
        if self._is_banned(start):
            return True
        start, end = _around(self._quotes, start, end) or (start, end)
        return (
            self._is_banned(start)
            or self._is_ruled_out(end)
            or (self.is_row and _any_outside(self._bans, start, end))
            or _any_outside(self._places("dangers"), start, end)
            or self._is_reported(start, end)
        )

    @property
    def warns(self) -> bool:
        """Does it forbid anything, or speak of attacks?"""
        return bool(self._bans or self._places("dangers"))

    @cached_property
    def is_guarded(self) -> bool:
        """Does it ask for a question or an approval, and not say that there is no need for one?"""
        released = self._places("no-guards")
        return any(not _ends_near(released, guard) for guard in self._places("guards"))

    def begins_with_ban(self, start: int) -> bool:
        """Is the first word at `start` itself a ban, as in "never refuse"?"""
        ban = _first_from(self._bans, start)
        return ban is not None and ban[0] == start

    def _is_banned(self, start: int) -> bool:
        """Does a ban before `start` reach it?"""
        ban = _last_before(self._bans, start)
        if ban is None:
            return False
        if ban[1] - ban[0] == 1 and self.text[ban[0]] in _SHORT_BANS:
            return start - ban[1] <= _DIRECTLY
        colon = _first_from(self._colons, ban[1])
        if (colon and colon[0] < start) or self.text.startswith(",", ban[1]):
            return True
        pause = _last_before(self._breaks, start)
        if pause and pause[0] >= ban[1]:
            return False
        return self._is_listing or not self.text[max(ban[1], start - _DIRECTLY) : start].rstrip().endswith(
            ","
        )

    def _is_ruled_out(self, end: int) -> bool:
        """Does the clause end in a verdict: "... is forbidden", "……是禁止的"?"""
        verdict = _first_from(self._places("verdicts"), end)
        pause = _first_from(self._pauses, end)
        return verdict is not None and verdict[0] < min(pause[0] if pause else len(self.text), end + _REACH)

    def _is_reported(self, start: int, end: int) -> bool:
        """Is it what somebody may say, and is the agent not told to do it?"""
        report = _last_before(self._places("reports"), start)
        sources = self._places("sources")
        reported = report and sources and start - report[1] <= _REACH and sources[0][0] < report[1]
        label = _first_from(self._places("labels"), end)
        labelled = label and label[0] - end <= _DIRECTLY
        return bool(reported or labelled) and end > self._last_compliance

    @cached_property
    def _last_compliance(self) -> int:
        """Where the agent is last told to do what somebody says, -1 if nowhere."""
        return max(
            (place[0] for place in self._places("compliance") if not self._is_banned(place[0])), default=-1
        )

    @cached_property
    def _bans(self) -> list[Place]:
        """In order, none inside another, those left out that only look like one."""
        excuses = self._places("no-bans")
        bans: list[Place] = []
        for ban in self._places("bans"):
            is_free = not bans or ban[0] >= bans[-1][1]
            if is_free and _around(excuses, *ban) is None:
                bans.append(ban)
        return bans

    @cached_property
    def _breaks(self) -> list[Place]:
        """The commas over which no ban reaches, because something new begins there."""
        turns, goes_on = self.words.of("turns"), self.words.of("continuations")
        return [
            (start, end)
            for start, end in self._pauses
            if (self.text[start] == "，" and not self._haystack.places(goes_on, start, start + 6))
            or self._haystack.places(turns, start, start + 12)
        ]

    @cached_property
    def _is_listing(self) -> bool:
        return " or " in self.text or " nor " in self.text

    @cached_property
    def _quotes(self) -> list[Place]:
        return _quotes(self.text)

    @cached_property
    def _colons(self) -> list[Place]:
        return [match.span() for match in _COLON.finditer(self.text)]

    @cached_property
    def _pauses(self) -> list[Place]:
        return [match.span() for match in _PAUSE.finditer(self.text)]

    @cached_property
    def _haystack(self) -> Haystack:
        return Haystack(self.text)

    @cached_property
    def _found(self) -> dict[str, list[Place]]:
        return {}

    def _places(self, name: str) -> list[Place]:
        """Where the words of a list under `[stance]` stand."""
        if name not in self._found:
            self._found[name] = self._haystack.places(self.words.of(name))
        return self._found[name]


def _first_from(places: list[Place], at: int) -> Place | None:
    """The first of the sorted places that begins at `at` or later."""
    found = bisect_left(places, (at, 0))
    return places[found] if found < len(places) else None


def _last_before(places: list[Place], at: int) -> Place | None:
    """The last of the sorted places that begins before `at`."""
    found = bisect_left(places, (at, 0))
    return places[found - 1] if found else None


def _ends_near(places: list[Place], place: Place) -> bool:
    """Does one of the sorted places stand directly before another, or begin it?"""
    before = _last_before(places, place[0] + 1)
    return before is not None and place[0] - before[1] <= _DIRECTLY


def _around(places: list[Place], start: int, end: int) -> Place | None:
    """The last of the sorted places that begins at `start` or earlier, if it reaches to `end`."""
    place = _last_before(places, start + 1)
    return place if place and end <= place[1] else None


def _any_outside(places: list[Place], start: int, end: int) -> bool:
    return bool(places) and (places[0][0] < start or places[-1][0] >= end)


class _Outline:
    """For each line: the line that leads in to it (`Never do this:`), and the headings above."""

    def __init__(self, file: TextFile, words: _Words) -> None:
        self._lines = file.source.lines
        self._words = words
        self._lead: list[int] = []  # by line: the line that leads in, -1 if none does
        self._heading: list[int] = []  # by line: the heading above, -1 before the first
        self._parent: dict[int, int] = {}  # heading → the heading above it
        self._warnings: dict[int, bool] = {}  # by line that leads in
        self._verdicts: dict[tuple[int, str], bool] = {}  # by heading and list of words
        self._scan(file)

    def is_announced(self, line: int) -> bool:
        """Does a line that leads in forbid what follows, or do it or a heading say that attacks follow?"""
        lead = self._lead[line]
        while lead >= 0:
            if self._warns(lead):
                return True
            lead = self._lead[lead]
        return self._stands_under(line, "dangers")

    def stands_under_ban(self, line: int) -> bool:
        """Does a heading above forbid what stands below it?"""
        return self._stands_under(line, "ban-headings")

    def _warns(self, line: int) -> bool:
        if line not in self._warnings:
            self._warnings[line] = _Sentence(self._lines[line], 0, is_row=False, words=self._words).warns
        return self._warnings[line]

    def _stands_under(self, line: int, words: str) -> bool:
        """Does one of the headings above hold one of the words?"""
        heading = self._heading[line]
        path: list[int] = []
        while heading >= 0 and (heading, words) not in self._verdicts:
            path.append(heading)
            heading = self._parent[heading]
        verdict = heading >= 0 and self._verdicts[heading, words]
        for above in reversed(path):
            verdict = verdict or bool(Haystack(self._lines[above]).places(self._words.of(words)))
            self._verdicts[above, words] = verdict
        return verdict

    def _scan(self, file: TextFile) -> None:
        kinds = file.document.kinds
        indents = {item.line - 1: item.indent for item in file.document.items}
        levels = {heading.line - 1: heading.level for heading in file.document.headings}
        leads: list[Place] = []  # indentation and line of those that lead in to what comes now
        path: list[Place] = []  # level and line of the headings above
        indent = _OUTSIDE
        for line, kind in enumerate(kinds):
            starts_paragraph = kind == "text" and (not line or kinds[line - 1] != "text")
            if line in levels:
                _leave(path, levels[line])
                self._parent[line] = path[-1][1] if path else -1
                path.append((levels[line], line))
            if line in indents:
                indent = indents[line]
            elif line in levels or (starts_paragraph and not self._lines[line][:1].isspace()):
                indent = _OUTSIDE
            if line in indents or (indent == _OUTSIDE and (line in levels or starts_paragraph)):
                _leave(leads, indent)
            self._lead.append(leads[-1][1] if leads else -1)
            self._heading.append(path[-1][1] if path else -1)
            if kind in ("text", "table") and self._lines[line].rstrip(" *_").endswith((":", "：")):
                leads.append((indent, line))


_OUTSIDE = -1  # the indentation of what stands in no list


def _leave(open_places: list[Place], rank: int) -> None:
    """Close what is open at this rank or a higher one."""
    while open_places and open_places[-1][0] >= rank:
        open_places.pop()
