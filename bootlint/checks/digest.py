"""BL2: what the digest of a cut AGENTS.md sees of the author's rules, and what it makes of them.

Only AGENTS.md, only in releases with a digest. While the file arrives whole with room to spare nothing is lost, and
the findings are infos.
"""

from __future__ import annotations

import re
from itertools import pairwise

from bootlint.checks.context import file_start, line_text_span
from bootlint.diagnostics import Finding, Params, Related, Severity, Span
from bootlint.fixes import blank_line_fix, keyword_fix, split_fix
from bootlint.openclaw.digest import MAX_LINE_UNITS, full_units, is_candidate, keywords_beyond_cut
from bootlint.readings import once_a_file
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bootlint.checks.agents import Agents
    from bootlint.checks.context import Context
    from bootlint.openclaw.contract import Digest
    from bootlint.openclaw.digest import Candidate
    from bootlint.openclaw.digest_use import DigestUse
    from bootlint.openclaw.fates import Fate
    from bootlint.workspace import TextFile


def line_too_long(context: Context) -> Iterator[Finding]:
    """A rule is longer than what the digest holds of a line."""
    agents = context.agents
    if agents is None:
        return
    file = agents.file
    advised = min(context.number("line-too-long", "advise-line-chars"), MAX_LINE_UNITS)
    fates = context.simulation.fates(file.name)
    for line, reading in context.rule_lines(file).items():
        text = file.source.lines[line - 1]
        # A code point is two units at most. What the digest did cut is BL105's.
        if 2 * len(text) <= advised or fates[line - 1] == "digest-cut":
            continue
        units = full_units(text)
        beyond = keywords_beyond_cut(text, agents.digest)
        if units <= advised or not (is_candidate(text, agents.digest) or beyond):
            continue
        too_long = units > MAX_LINE_UNITS
        is_held = _is_held(agents, line)
        yield Finding(
            file.path,
            line_text_span(file, line),
            {**_about(agents), "units": units, "limit": MAX_LINE_UNITS, "keywords": beyond},
            fix=split_fix(file, line, reading) if too_long and not is_held else None,
            variant="advice" if not too_long else "kept" if is_held else "keywords" if beyond else None,
            severity=_severity(agents) if too_long else Severity.INFO,
        )


def cjk_rule_unranked(context: Context) -> Iterator[Finding]:
    """A Chinese, Japanese or Korean priority rule holds no priority keyword that the release knows."""
    from bootlint.language import has_cjk

    return _gaps(context, "unranked", has_cjk)


def rule_not_candidate(context: Context) -> Iterator[Finding]:
    """A priority rule has a shape that the digest cannot see."""
    return _gaps(context, "not-candidate")


def keyword_near_miss(context: Context) -> Iterator[Finding]:
    """A priority rule holds a word that looks like a keyword, and none that is one."""
    return _gaps(context, "near-miss")


def digest_overflow(context: Context) -> Iterator[Finding]:
    """The priority lines alone are more than the digest holds."""
    agents = context.agents
    if agents is None or agents.use is None or agents.use.budget is None:
        return
    priority = [candidate for candidate in agents.use.candidates if candidate.priority]
    out = sorted(candidate for candidate in agents.use.omitted if candidate.priority)
    units = sum(candidate.length + 1 for candidate in priority) - 1
    if units <= agents.use.budget or not out:
        return
    lost = [candidate for candidate in out if _is_lost(agents, candidate)]
    yield Finding(
        agents.file.path,
        _span(agents, (lost or out)[0]),
        {
            **_about(agents),
            "count": len(priority),
            "units": units,
            "budget": agents.use.budget,
            "out": len(out),
            "lost": len(lost),
        },
        related=tuple(_related(agents, candidate) for candidate in lost[1:]),
        severity=None if lost else Severity.INFO,
    )


def digest_crowded(context: Context) -> Iterator[Finding]:
    """Part of the digest repeats lines that head or tail hold, while other lines find no place in it."""
    agents = context.agents
    if agents is None or agents.use is None:
        return
    repeated = sorted(candidate for candidate in agents.use.taken if _fate(agents, candidate) == "kept")
    if not repeated or not any(_is_lost(agents, candidate) for candidate in agents.use.omitted):
        return
    units = sum(candidate.length for candidate in repeated)
    used = agents.use.used
    yield Finding(
        agents.file.path,
        file_start(agents.file),
        {
            **_about(agents),
            "units": units,
            "used": used,
            "percent": round(100 * units / used),
            "lines": len(repeated),
        },
        related=() if context.bare else tuple(_related(agents, candidate) for candidate in repeated),
        of_file=True,
    )


def quoted_imperative(context: Context) -> Iterator[Finding]:
    """An imperative that is quoted as an example stands in the digest without the line that says so."""
    agents = context.agents
    if agents is None:
        return
    file, use = agents.file, agents.use
    for frame, quote in _quotes(file, agents.digest):
        if use is None or _stands_alone(file, frame, quote, use):
            yield Finding(
                file.path,
                line_text_span(file, quote),
                {**_about(agents), "frame": frame},
                related=(Related(file.path, line_text_span(file, frame), {"frame": frame}),),
                severity=_severity(agents),
            )


def framing_crowds_digest(context: Context) -> Iterator[Finding]:
    """The digest takes along the prose line before a rule, and other rules find no place in it."""
    agents = context.agents
    if agents is None or agents.use is None or not agents.digest.carries_prose or not _loses_for_room(agents):
        return
    file = agents.file
    rules = context.rule_lines(file)
    for candidate in sorted(agents.use.candidates):
        if candidate.prose is None:
            continue
        prose = file.source.line_of(candidate.prose[0])
        text = file.source.lines[prose - 1]
        if prose not in rules and not _says_example(text):
            yield Finding(
                file.path,
                line_text_span(file, prose),
                {**_about(agents), "units": min(full_units(text), MAX_LINE_UNITS) + 1},
                fix=blank_line_fix(file, prose + 1),
            )


# --- what they share -----------------------------------------------------------------------------------------


def _gaps(context: Context, kind: str, speaks: Callable[[str], bool] = bool) -> Iterator[Finding]:
    """A finding for each priority rule with this gap whose text passes. What is lost already is BL104's."""
    agents = context.agents
    if agents is None:
        return
    file = agents.file
    fates = context.simulation.fates(file.name)
    for line, gap in agents.gaps.items():
        if gap.kind == kind and fates[line - 1] != "dropped" and speaks(file.source.lines[line - 1]):
            is_held = _is_held(agents, line)
            yield Finding(
                file.path,
                line_text_span(file, line),
                {**_about(agents), "words": gap.words, "keywords": gap.keywords},
                fix=None if is_held else keyword_fix(agents, line),
                variant="kept" if is_held else None,
                severity=_severity(agents),
            )


def _is_held(agents: Agents, line: int) -> bool:
    """Does the head or the tail of a cut file hold the line, so that a keyword would only take room from others?"""
    fates = agents.context.simulation.fates(agents.file.name)
    return bool(agents.injected.causes) and fates[line - 1] == "kept"


def _severity(agents: Agents) -> Severity:
    could_lose = agents.context.could_lose(agents.file, agents.injected)
    return Severity.WARNING if could_lose else Severity.INFO


def _loses_for_room(agents: Agents) -> bool:
    """Is a priority rule, seen by the digest or not yet, nowhere in the injected text?"""
    fates = agents.context.simulation.fates(agents.file.name)
    return any(fates[line - 1] == "dropped" for line in agents.context.priority_lines(agents.file))


def _fate(agents: Agents, candidate: Candidate) -> Fate:
    line = agents.file.source.line_of(candidate.start)
    return agents.context.simulation.fates(agents.file.name)[line - 1]


def _is_lost(agents: Agents, candidate: Candidate) -> bool:
    return _fate(agents, candidate) == "dropped"


def _about(agents: Agents) -> Params:
    return {"release": agents.context.simulation.contract.release}


def _span(agents: Agents, candidate: Candidate) -> Span:
    return line_text_span(agents.file, agents.file.source.line_of(candidate.start))


def _related(agents: Agents, candidate: Candidate) -> Related:
    line = agents.file.source.line_of(candidate.start)
    return Related(agents.file.path, _span(agents, candidate), {"line": line, "units": candidate.length})


# --- quoted examples -----------------------------------------------------------------------------------------

# What calls that which follows an example. Looked for before the pattern, which costs more.
_ENGLISH_FRAMES = (
    "bad",
    "wrong",
    "incorrect",
    "antipattern",
    "anti-pattern",
    "not like this",
    "example",
    "e.g.",
)
_OTHER_FRAMES = (
    "反例", "错误", "錯誤", "示例", "範例", "范例", "例如", "比如", "举例", "舉例", "例子", "坏例", "不好的", "不要这样",
    "不要這樣", "別這樣", "悪い例", "예시", "나쁜 예",
)  # fmt: skip
# `re` compiles and keeps these when the first text needs them.
_FRAME = (
    rf"(?i)\b(?:{'|'.join(map(re.escape, _ENGLISH_FRAMES))})(?:s(?!\w)|(?![\w-]))|{'|'.join(_OTHER_FRAMES)}"
)
_FRAME_END = r"[:：][*_\s]*$"
_QUOTED = (
    r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:>\s*\S|"
    r"(?:\"[^\"]+\"|'.+'|“[^”]+”|‘[^’]+’|「[^」]+」|『[^』]+』|`[^`]+`)[.。!！,，;；]?\s*$)"
)


def _quotes(file: TextFile, digest: Digest) -> Iterator[tuple[int, int]]:
    """A framing line and, below it, each quoted line that commands and that the digest would look at."""
    lines = file.source.lines
    for frame, following in pairwise((*_frames(file), len(lines) + 1)):
        comes_along = digest.carries_prose and not is_candidate(lines[frame - 1], digest)
        for quote in _quoted_below(file, frame, following):
            is_framed = comes_along and quote == frame + 1
            if not is_framed and _commands(lines[quote - 1]) and is_candidate(lines[quote - 1], digest):
                yield frame, quote


@once_a_file
def _frames(file: TextFile) -> tuple[int, ...]:
    """The lines that call what follows an example: headings, and prose that ends in a colon."""
    text, kinds, lines = file.source.text, file.document.kinds, file.source.lines
    if not _says_example(text):
        return ()
    found = dict.fromkeys(file.source.line_of(found.start()) for found in re.finditer(_FRAME, text))
    return tuple(
        line
        for line in found
        if kinds[line - 1] == "heading"
        or (kinds[line - 1] == "text" and re.search(_FRAME_END, lines[line - 1]))
    )


def _says_example(text: str) -> bool:
    folded = text.lower()
    may = any(word in folded for word in (*_ENGLISH_FRAMES, *_OTHER_FRAMES))
    return may and re.search(_FRAME, text) is not None


def _quoted_below(file: TextFile, frame: int, following: int) -> Iterator[int]:
    """The quoted lines between a framing line and the next one, up to the first line that is none."""
    lines, kinds = file.source.lines, file.document.kinds
    for line in range(frame + 1, following):
        if kinds[line - 1] == "blank":
            continue
        if kinds[line - 1] != "code" and not re.match(_QUOTED, lines[line - 1]):
            return
        yield line


def _commands(text: str) -> bool:
    from bootlint.language import read_line

    return read_line(text.strip(" \t>-*+\"'“”‘’「」『』`.。"), in_heading=False).is_rule


def _stands_alone(file: TextFile, frame: int, quote: int, use: DigestUse) -> bool:
    """Is the quoted line in the digest, and the framing line not?"""
    starts = file.source.line_starts
    return starts[quote - 1] in use.taken_at and starts[frame - 1] not in use.taken_at
