"""BL2: what the digest of a cut AGENTS.md sees of the author's rules, and what it makes of them.

Only AGENTS.md, only in releases with a digest. While the file arrives whole with room to spare nothing is lost, and
the findings are infos.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bootlint.checks.context import Context, file_start, line_text_span
from bootlint.checks.ranking import gap_of
from bootlint.diagnostics import Finding, Params, Related, Severity, Span
from bootlint.fixes import blank_line_fix, keyword_fix, split_fix
from bootlint.openclaw.digest import MAX_LINE_UNITS, full_units, is_candidate, keywords_beyond_cut
from bootlint.openclaw.digest_use import DigestUse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.openclaw.contract import Digest
    from bootlint.openclaw.digest import Candidate
    from bootlint.openclaw.truncation import InjectedFile
    from bootlint.workspace import TextFile


def line_too_long(context: Context) -> Iterator[Finding]:
    """A rule is longer than what the digest holds of a line."""
    advised = min(context.number("line-too-long", "advise-line-chars"), MAX_LINE_UNITS)
    for file, injected, digest in _agents(context):
        fates = context.simulation.fates(file.name)
        for line in context.rule_lines(file):
            text = file.source.lines[line - 1]
            # A code point is two units at most. What the digest did cut is BL105's.
            if 2 * len(text) <= advised or fates[line - 1] == "digest-cut":
                continue
            units = full_units(text)
            beyond = keywords_beyond_cut(text, digest)
            if units <= advised or not (is_candidate(text, digest) or beyond):
                continue
            too_long = units > MAX_LINE_UNITS
            yield Finding(
                file.path,
                line_text_span(file, line),
                {**_about(context), "units": units, "limit": MAX_LINE_UNITS, "keywords": beyond},
                fix=split_fix(context, file, line) if too_long else None,
                variant="keywords" if beyond else None if too_long else "advice",
                severity=_severity(context, file, injected) if too_long else Severity.INFO,
            )


def cjk_rule_unranked(context: Context) -> Iterator[Finding]:
    """A Chinese, Japanese or Korean priority rule holds no priority keyword that the release knows."""
    from bootlint.language import has_cjk

    for file, line, finding in _gaps(context, "unranked"):
        if has_cjk(file.source.lines[line - 1]):
            yield finding


def rule_not_candidate(context: Context) -> Iterator[Finding]:
    """A priority rule has a shape that the digest cannot see."""
    for _, _, finding in _gaps(context, "not-candidate"):
        yield finding


def keyword_near_miss(context: Context) -> Iterator[Finding]:
    """A priority rule holds a word that looks like a keyword, and none that is one."""
    for _, _, finding in _gaps(context, "near-miss"):
        yield finding


def digest_overflow(context: Context) -> Iterator[Finding]:
    """The priority lines alone are more than the digest holds."""
    for file, use in _digests(context):
        priority = [candidate for candidate in use.candidates if candidate.priority]
        units = sum(candidate.length + 1 for candidate in priority) - 1
        out = sorted(candidate for candidate in use.omitted if candidate.priority)
        if use.budget is None or units <= use.budget or not out:
            continue
        lost = [candidate for candidate in out if _is_lost(context, file, candidate)]
        yield Finding(
            file.path,
            _span(file, (lost or out)[0]),
            {
                **_about(context),
                "count": len(priority),
                "units": units,
                "budget": use.budget,
                "out": len(out),
                "lost": len(lost),
            },
            related=tuple(_related(file, candidate) for candidate in lost[1:]),
            severity=None if lost else Severity.INFO,
        )


def digest_crowded(context: Context) -> Iterator[Finding]:
    """Part of the digest repeats lines that head or tail hold, while other lines find no place in it."""
    for file, use in _digests(context):
        fates = context.simulation.fates(file.name)
        repeated = [
            candidate for candidate in use.taken if fates[file.source.line_of(candidate.start) - 1] == "kept"
        ]
        if not repeated or not any(_is_lost(context, file, candidate) for candidate in use.omitted):
            continue
        units = sum(candidate.length for candidate in repeated)
        yield Finding(
            file.path,
            file_start(file),
            {
                **_about(context),
                "units": units,
                "used": use.used,
                "percent": round(100 * units / use.used),
                "lines": len(repeated),
            },
            related=tuple(_related(file, candidate) for candidate in sorted(repeated)),
        )


def quoted_imperative(context: Context) -> Iterator[Finding]:
    """An imperative that is quoted as an example stands in the digest without the line that says so."""
    for file, injected, digest in _agents(context):
        use = DigestUse.of(file.source.text, injected, digest)
        for frame, quote in _quotes(file, digest):
            if use is not None and not _stands_alone(file, frame, quote, use):
                continue
            yield Finding(
                file.path,
                line_text_span(file, quote),
                {**_about(context), "frame": frame},
                related=(Related(file.path, line_text_span(file, frame), {"frame": frame}),),
                severity=None if use is not None else _severity(context, file, injected),
            )


def framing_crowds_digest(context: Context) -> Iterator[Finding]:
    """The digest takes along the prose line before a rule, and other rules find no place in it."""
    for file, use in _digests(context):
        rules = context.rule_lines(file)
        fates = context.simulation.fates(file.name)
        missing = any(fates[line - 1] == "dropped" for line in context.priority_lines(file))
        if not missing and not any(_is_lost(context, file, candidate) for candidate in use.omitted):
            continue
        for candidate in sorted(use.candidates):
            if candidate.prose is None:
                continue
            line = file.source.line_of(candidate.start)
            if line - 1 not in rules and not _FRAME.search(file.source.lines[line - 2]):
                units = full_units(file.source.lines[line - 2])
                yield Finding(
                    file.path,
                    line_text_span(file, line - 1),
                    {**_about(context), "units": min(units, MAX_LINE_UNITS) + 1},
                    fix=blank_line_fix(file, line),
                )


# --- AGENTS.md and its digest --------------------------------------------------------------------------------


def _agents(context: Context) -> Iterator[tuple[TextFile, InjectedFile, Digest]]:
    """AGENTS.md, where something of it arrives and the release has a digest."""
    for file, injected in context.sent:
        if file.name == "AGENTS.md" and injected is not None and context.digest is not None:
            yield file, injected, context.digest


def _digests(context: Context) -> Iterator[tuple[TextFile, DigestUse]]:
    for file, injected, digest in _agents(context):
        use = DigestUse.of(file.source.text, injected, digest)
        if use is not None:
            yield file, use


def _gaps(context: Context, kind: str) -> Iterator[tuple[TextFile, int, Finding]]:
    """A finding for each priority rule with this gap. What is lost already is BL104's."""
    for file, injected, _ in _agents(context):
        fates = context.simulation.fates(file.name)
        severity = _severity(context, file, injected)
        for line in context.priority_lines(file):
            gap = gap_of(context, file, line) if fates[line - 1] != "dropped" else None
            if gap is not None and gap.kind == kind:
                params: Params = {**_about(context), "words": gap.words, "keywords": gap.keywords}
                fix = keyword_fix(context, file, line)
                yield (
                    file,
                    line,
                    Finding(file.path, line_text_span(file, line), params, fix=fix, severity=severity),
                )


def _severity(context: Context, file: TextFile, injected: InjectedFile) -> Severity:
    return Severity.WARNING if context.could_lose(file, injected) else Severity.INFO


def _is_lost(context: Context, file: TextFile, candidate: Candidate) -> bool:
    return context.simulation.fates(file.name)[file.source.line_of(candidate.start) - 1] == "dropped"


def _about(context: Context) -> Params:
    return {"release": context.simulation.contract.release}


def _span(file: TextFile, candidate: Candidate) -> Span:
    return line_text_span(file, file.source.line_of(candidate.start))


def _related(file: TextFile, candidate: Candidate) -> Related:
    return Related(
        file.path,
        _span(file, candidate),
        {"line": file.source.line_of(candidate.start), "units": candidate.length},
    )


# --- quoted examples -----------------------------------------------------------------------------------------

_FRAME = re.compile(
    r"\b(?:bad|wrong|incorrect|anti-?patterns?|not like this|(?:for )?examples?|e\.g\.)(?![\w-])|"
    "反例|错误|錯誤|示例|範例|范例|例如|比如|举例|舉例|例子|坏例|不好的|不要这样|不要這樣|別這樣|悪い例|예시|나쁜 예",
    re.IGNORECASE,
)
_FRAME_END = re.compile(r"[:：][*_\s]*$")
_QUOTED = re.compile(
    r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:>\s*\S|"
    r"(?:\"[^\"]+\"|'.+'|“[^”]+”|‘[^’]+’|「[^」]+」|『[^』]+』|`[^`]+`)[.。!！,，;；]?\s*$)"
)


def _quotes(file: TextFile, digest: Digest) -> Iterator[tuple[int, int]]:
    """A framing line and, below it, each quoted line that commands and that the digest would look at."""
    lines, kinds = file.source.lines, file.document.kinds
    frames = dict.fromkeys(file.source.line_of(found.start()) for found in _FRAME.finditer(file.source.text))
    for frame in frames:
        text = lines[frame - 1]
        if kinds[frame - 1] not in ("text", "heading"):
            continue
        if kinds[frame - 1] != "heading" and not _FRAME_END.search(text):
            continue
        for quote in _quoted_below(file, frame):
            is_carried = digest.carries_prose and quote == frame + 1 and not is_candidate(text, digest)
            if not is_carried and _commands(lines[quote - 1]) and is_candidate(lines[quote - 1], digest):
                yield frame, quote


def _quoted_below(file: TextFile, frame: int) -> Iterator[int]:
    """The quoted lines that follow a framing line, up to the first line that is none."""
    lines, kinds = file.source.lines, file.document.kinds
    for line in range(frame + 1, len(lines) + 1):
        if kinds[line - 1] == "blank":
            continue
        if kinds[line - 1] != "code" and not _QUOTED.match(lines[line - 1]):
            return
        yield line


def _commands(text: str) -> bool:
    from bootlint.language import read_line

    return read_line(text.strip(" \t>-*+\"'“”‘’「」『』`.。"), in_heading=False).is_rule


def _stands_alone(file: TextFile, frame: int, quote: int, use: DigestUse) -> bool:
    """Is the quoted line in the digest, and the framing line not?"""
    starts = file.source.line_starts
    return starts[quote - 1] in use.taken_at and starts[frame - 1] not in use.taken_at
