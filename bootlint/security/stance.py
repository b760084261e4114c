"""Does the author mean it? A rule that forbids, quotes or warns of an attack is none.

Owns what the words around a place say about it: in its sentence, in the line that leads in, in the headings above.
Knows nothing of what was found there. Everything is worked out once a block or sentence, so that a file made of
attacks costs no more than its length. Offsets are code points.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from bootlint.lazyre import lazy_pattern
from bootlint.records import record
from bootlint.security.phrases import Haystack, Place

if TYPE_CHECKING:
    from bootlint.security.patterns import Patterns
    from bootlint.workspace import TextFile

_QUOTED = lazy_pattern(
    r"“[^“”]*”|‘[^‘’\n]*’|「[^「」]*」|『[^『』]*』|《[^《》]*》|«[^«»]*»|\"[^\"]*\"|`+[^`]+`+|(?<!\w)'[^'\n]{3,}'(?!\w)"
)
_SENTENCE_END = lazy_pattern(r"[.!?](?=[\s\"'”’)*_]|$)|[。！？；;]")
_PAUSE = lazy_pattern("[,，]")
_COLON = lazy_pattern("[:：]")
_DIRECTLY = 2  # code points between a ban of one character and what it forbids
_REACH = 24  # and between what is said and the words that say who says it, or what is thought of it


class Stances:
    """What the author of one file thinks of what stands in it."""

    def __init__(self, file: TextFile, patterns: Patterns) -> None:
        self._file = file
        self._patterns = patterns
        self._sentences: dict[int, list[_Sentence]] = {}

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

    def sentence_of(self, place: Place) -> _Sentence:
        """The sentence in which a place begins."""
        first, last = self._blocks[self._file.source.line_of(place[0]) - 1]
        if first not in self._sentences:
            starts = self._file.source.line_starts
            text = self._file.source.text[starts[first] : self._file.source.line_span(last + 1).end]
            is_row = self._file.document.kinds[first] == "table"
            self._sentences[first] = [
                _Sentence(text[start:end], starts[first] + start, is_row, self._patterns)
                for start, end in _sentences(text, whole=is_row)
            ]
        sentences = self._sentences[first]
        return sentences[bisect_right([sentence.start for sentence in sentences], place[0]) - 1]

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
        return _Outline(self._file, self._patterns)


def _sentences(text: str, *, whole: bool) -> list[Place]:
    """Where the sentences of a block begin and end. What is quoted ends none."""
    if whole:
        return [(0, len(text))]
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    opens = [start for start, _ in quoted]
    borders = [0]
    for match in _SENTENCE_END.finditer(text):
        at = bisect_right(opens, match.start()) - 1
        if at < 0 or match.end() > quoted[at][1]:
            borders.append(match.end())
    return [
        (start, end)
        for start, end in zip(borders, [*borders[1:], len(text)], strict=True)
        if start < end or not start
    ]


@record(lazy=True)
class _Sentence:
    """A sentence and where it begins in the file. Offsets below count in the sentence."""

    text: str
    start: int
    is_row: bool
    patterns: Patterns

    def rejects(self, start: int, end: int) -> bool:
        quote = self._quote_around(start, end)
        if self._is_banned(start) or (quote and self._is_banned(quote[0])):
            return True
        if self._is_ruled_out(quote[1] if quote else end) or (
            self.is_row and self._bans_elsewhere(start, end)
        ):
            return True
        if any(not start <= danger[0] < end for danger in self._dangers):
            return True
        return self._is_reported(quote[0] if quote else start, quote[1] if quote else end)

    @property
    def warns(self) -> bool:
        """Does it forbid anything, or speak of attacks?"""
        return bool(self._bans or self._dangers)

    def begins_with_ban(self, start: int) -> bool:
        """Is the first word at `start` itself a ban, as in "never refuse"?"""
        at = bisect_left(self._ban_starts, start)
        return at < len(self._bans) and self._bans[at][0] == start

    def _is_banned(self, start: int) -> bool:
        """Does a ban before `start` reach it?"""
        at = bisect_left(self._ban_starts, start) - 1
        if at < 0:
            return False
        ban = self._bans[at]
        if ban[1] - ban[0] == 1 and self.text[ban[0]] in "不别勿":
            return start - ban[1] <= _DIRECTLY
        if _next(self._colons, ban[1]) < start or self.text[ban[1] : ban[1] + 1] == ",":
            return True
        if _previous(self._breaks, start) >= ban[1]:
            return False
        return self._is_listing or not self.text[ban[1] : start].rstrip().endswith(",")

    def _is_ruled_out(self, end: int) -> bool:
        """Does the clause end in a verdict: "... is forbidden", "……是禁止的"?"""
        limit = min(_next(self._pauses, end), end + _REACH)
        return any(end <= start < limit for start, _ in self._places(self.patterns.stance["verdicts"]))

    def _bans_elsewhere(self, start: int, end: int) -> bool:
        return any(not start <= ban[0] < end for ban in self._bans)

    def _is_reported(self, start: int, end: int) -> bool:
        """Is it what somebody may say, and is the agent not told to do it?"""
        reports = [report for report in self._reports if report[1] <= start <= report[1] + _REACH]
        labelled = any(end <= label[0] <= end + 2 for label in self._places(self.patterns.stance["labels"]))
        if not labelled and not (reports and any(source[0] < reports[-1][1] for source in self._sources)):
            return False
        return not any(
            place[0] >= end and not self._is_banned(place[0])
            for place in self._places(self.patterns.stance["compliance"])
        )

    def _quote_around(self, start: int, end: int) -> Place | None:
        at = bisect_right(self._quotes, (start, len(self.text))) - 1
        return self._quotes[at] if at >= 0 and end <= self._quotes[at][1] else None

    @cached_property
    def _haystack(self) -> Haystack:
        return Haystack(self.text)

    def _places(self, listed: str) -> list[Place]:
        return self._haystack.places(self.patterns.words(listed))

    @cached_property
    def _bans(self) -> list[Place]:
        """In order, none inside another, those left out that only look like one."""
        excused = self._places(self.patterns.stance["no-bans"])
        starts = [start for start, _ in excused]
        bans: list[Place] = []
        for ban in self._places(self.patterns.stance["bans"]):
            at = bisect_right(starts, ban[0]) - 1
            if at >= 0 and ban[1] <= excused[at][1]:
                continue
            if not bans or ban[0] >= bans[-1][1]:
                bans.append(ban)
        return bans

    @cached_property
    def _ban_starts(self) -> list[int]:
        return [start for start, _ in self._bans]

    @cached_property
    def _dangers(self) -> list[Place]:
        return self._places(self.patterns.stance["dangers"])

    @cached_property
    def _reports(self) -> list[Place]:
        return self._places(self.patterns.stance["reports"])

    @cached_property
    def _sources(self) -> list[Place]:
        return self._places(self.patterns.stance["sources"])

    @cached_property
    def _quotes(self) -> list[Place]:
        return [match.span() for match in _QUOTED.finditer(self.text)]

    @cached_property
    def _colons(self) -> list[int]:
        return [match.start() for match in _COLON.finditer(self.text)]

    @cached_property
    def _pauses(self) -> list[int]:
        return [match.start() for match in _PAUSE.finditer(self.text)]

    @cached_property
    def _breaks(self) -> list[int]:
        """The commas over which no ban reaches, because something new begins there."""
        turns, goes_on = (
            self.patterns.words(self.patterns.stance[name]) for name in ("turns", "continuations")
        )
        return [
            pause
            for pause in self._pauses
            if (self.text[pause] == "，" and not self._haystack.places(goes_on, pause, pause + 6))
            or self._haystack.places(turns, pause, pause + 12)
        ]

    @property
    def _is_listing(self) -> bool:
        return " or " in self.text or " nor " in self.text


def _next(places: list[int], at: int) -> int:
    """The first of the sorted places from `at` on; beyond everything if there is none."""
    found = bisect_left(places, at)
    return places[found] if found < len(places) else 1 << 60


def _previous(places: list[int], at: int) -> int:
    """The last of the sorted places before `at`; -1 if there is none."""
    found = bisect_left(places, at)
    return places[found - 1] if found else -1


class _Outline:
    """For each line: the line that leads in to it (`Never do this:`), and the headings above."""

    def __init__(self, file: TextFile, patterns: Patterns) -> None:
        self._lines = file.source.lines
        self._patterns = patterns
        self._lead: list[int] = []  # by line: the line that leads in, -1 if none does
        self._heading: list[int] = []  # by line: the heading above, -1 before the first
        self._parent: dict[int, int] = {}  # heading → the heading above it
        self._verdicts: dict[tuple[int, bool], bool] = {}
        self._scan(file)

    def is_announced(self, line: int) -> bool:
        """Does a lead-in or a heading say that bad examples, attacks or things forbidden by name follow?"""
        lead = self._lead[line]
        while lead >= 0:
            if self._warns(lead):
                return True
            lead = self._lead[lead]
        return self._under(line, with_bans=False)

    def stands_under_ban(self, line: int) -> bool:
        """Does a heading above forbid what stands below it?"""
        return self._under(line, with_bans=True)

    def _under(self, line: int, *, with_bans: bool) -> bool:
        heading = self._heading[line]
        path: list[int] = []
        while heading >= 0 and (heading, with_bans) not in self._verdicts:
            path.append(heading)
            heading = self._parent[heading]
        verdict = heading >= 0 and self._verdicts[heading, with_bans]
        for above in reversed(path):
            verdict = verdict or self._heading_says(above, with_bans=with_bans)
            self._verdicts[above, with_bans] = verdict
        return verdict

    def _heading_says(self, line: int, *, with_bans: bool) -> bool:
        haystack = Haystack(self._lines[line])
        listed = [self._patterns.stance["dangers"]]
        if with_bans:
            listed.append(self._patterns.stance["ban-headings"])
        return any(haystack.places(self._patterns.words(words)) for words in listed)

    def _warns(self, line: int) -> bool:
        key = (-1 - line, True)
        if key not in self._verdicts:
            self._verdicts[key] = _Sentence(self._lines[line], 0, is_row=False, patterns=self._patterns).warns
        return self._verdicts[key]

    def _scan(self, file: TextFile) -> None:
        document = file.document
        indents = {item.line - 1: item.indent for item in document.items}
        levels = {heading.line - 1: heading.level for heading in document.headings}
        open_leads: list[Place] = []  # indentation and line of the lines that lead in to what follows
        path: list[Place] = []  # level and line of the headings above
        indent = -1
        for line, kind in enumerate(document.kinds):
            text = self._lines[line].rstrip(" *_\r")
            if line in levels:
                while path and path[-1][0] >= levels[line]:
                    path.pop()
                self._parent[line] = path[-1][1] if path else -1
                path.append((levels[line], line))
                open_leads = []
                indent = -1
            elif line in indents:
                indent = indents[line]
                while open_leads and open_leads[-1][0] >= indent:
                    open_leads.pop()
            elif (
                kind == "text"
                and document.kinds[line - 1] != "text"
                and line
                and not self._lines[line][:1].isspace()
            ):
                open_leads = []
                indent = -1
            self._lead.append(open_leads[-1][1] if open_leads else -1)
            self._heading.append(path[-1][1] if path else -1)
            if text.endswith((":", "：")) and kind in ("text", "heading", "table"):
                open_leads.append((indent, line))
