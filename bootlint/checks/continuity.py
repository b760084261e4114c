"""BL4: what outlives a session: sections that come back after a compaction, heartbeat, memory and daily notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from bootlint.checks.context import file_start, line_text_span
from bootlint.diagnostics import Finding, Params, Related, Severity, Span
from bootlint.lazyre import lazy_pattern
from bootlint.openclaw.jstext import utf16_len, utf16_slice
from bootlint.readings import once_a_file
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from bootlint.checks.context import Context
    from bootlint.document import Heading
    from bootlint.openclaw.compaction import PostCompaction
    from bootlint.workspace import TextFile

_MOST_RELATED = 5


# --- compaction ------------------------------------------------------------------------------------------


def no_compaction_section(context: Context) -> Iterator[Finding]:
    """Nothing of AGENTS.md comes back after a compaction, although the release would bring it back."""
    outcome, file = context.simulation.after_compaction, _agents_file(context)
    if file is None or outcome.configured:
        return
    params: Params = {"release": context.simulation.contract.release}
    if outcome.state == "nothing-found" and not list(_mismatches(context, file, outcome)):
        yield Finding(file.path, file_start(file), {**params, "names": outcome.names}, of_file=True)
    elif outcome.state == "not-asked-for" and (headings := _worth_asking_for(context, file)):
        titles = ", ".join(_json_text(heading.title) for heading in headings)  # to be copied, in any language
        related = tuple(Related(file.path, heading.span) for heading in headings[1:])
        yield Finding(file.path, headings[0].span, {**params, "titles": titles}, related, variant="off")


def _json_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def compaction_section_mismatch(context: Context) -> Iterator[Finding]:
    """A section is meant to come back after a compaction, and its heading is not what OpenClaw looks for."""
    outcome, file = context.simulation.after_compaction, _agents_file(context)
    if file is not None and outcome.state in ("on", "nothing-found"):
        yield from _mismatches(context, file, outcome)


def compaction_section_too_long(context: Context) -> Iterator[Finding]:
    """The sections that come back after a compaction are longer than what OpenClaw injects of them."""
    outcome, file = context.simulation.after_compaction, _agents_file(context)
    if file is None or not outcome.truncated:
        return
    cut, *gone = _lost_spans(file, outcome)
    lost_lines = {line for span in (cut, *gone) for line in _lines_of(file, span)}
    yield Finding(
        file.path,
        cut,
        {
            "full": outcome.full_chars,
            "limit": outcome.max_chars,
            "lost": outcome.full_chars - outcome.max_chars,
            "line": file.source.line_of(cut.start),
            "rules": len(lost_lines.intersection(context.priority_lines(file))),
            "release": context.simulation.contract.release,
        },
        tuple(Related(file.path, span) for span in gone),
    )


def _agents_file(context: Context) -> TextFile | None:
    loaded = context.simulation.loaded.get("AGENTS.md")
    return context.workspace.files.get("AGENTS.md") if loaded is not None and loaded.status == "ok" else None


def _lost_spans(file: TextFile, outcome: PostCompaction) -> Iterator[Span]:
    """Of each section that does not come back whole, what is missing."""
    room = outcome.max_chars
    for section in outcome.sections:
        units = utf16_len(section)
        if units > room:
            start = file.source.text.find(section)
            kept = len(utf16_slice(section, 0, max(0, room)))
            yield Span(start + kept, start + len(section))
        room -= units + 2  # the blank line between two sections


def _lines_of(file: TextFile, span: Span) -> range:
    return range(file.source.line_of(span.start), file.source.line_of(span.end) + 1)


# --- headings that are meant ------------------------------------------------------------------------------


@record
class _Title:
    """A heading, and what it may be meant to say."""

    heading: Heading
    keys: frozenset[str]  # of the whole title and of its parts
    translates: frozenset[str]  # names that OpenClaw looks for

    def means(self, name: str) -> bool:
        """Is it this name, emoji, numbers, additions, plural and translation aside?"""
        return name in self.translates or _key(name) in self.keys


# What authors write for the names that OpenClaw looks for by itself, and how much may stand around it.
_IN_CHINESE: dict[str, tuple[int, tuple[str, ...]]] = {
    "Red Lines": (4, ("红线", "紅線", "铁律", "鐵律", "底线", "底線")),
    "Session Startup": (4, ("会话启动", "会话开始", "会话初始化", "會話啟動", "會話開始", "會話初始化")),
    "Every Session": (4, ("每次会话", "每次對話", "每次會話", "每次对话")),
    "Safety": (0, ("安全", "安全规则", "安全規則", "安全须知", "安全須知", "安全注意事项", "安全注意事項")),
}


def _translated(part: str) -> Iterator[str]:
    """The names that a part of a title stands for in Chinese."""
    for name, (room, words) in _IN_CHINESE.items():
        if any(word in part and len(part) <= len(word) + room for word in words):
            yield name


@once_a_file
def _titles(file: TextFile) -> tuple[_Title, ...]:
    return tuple(_title(heading) for heading in file.document.headings)


def _title(heading: Heading) -> _Title:
    words, translates = {_key(heading.title)}, set[str]()
    for kind, chars in groupby(_plain(heading.title), _kind):
        part = "".join(chars)
        if kind == "cjk":
            translates.update(_translated(part))
        words.add(_key(part))
    return _Title(heading, frozenset(words - {""}), frozenset(translates))


def _kind(char: str) -> str:
    """Parts of a title change with the script, and at all signs but those that stand inside a name."""
    if "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af":
        return "cjk"
    return "words" if char.isalnum() or char in " '\u2019-" else "signs"


@lru_cache(maxsize=256)
def _key(text: str) -> str:
    return "".join(char for char in _plain(text).casefold() if char.isalnum()).removesuffix("s")


def _plain(text: str) -> str:
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFKC", text)


def _mismatches(context: Context, file: TextFile, outcome: PostCompaction) -> Iterator[Finding]:
    if not set(outcome.found) <= set(outcome.names):
        return  # the older names stand in: with one of the newer ones right, they would not
    found = list(_mismatched(context, file, outcome, outcome.missing))
    rules = context.simulation.contract.compaction
    if not found and not outcome.configured and outcome.state == "nothing-found" and rules is not None:
        found = list(_mismatched(context, file, outcome, rules.fallback_names))
    yield from found


def _mismatched(
    context: Context, file: TextFile, outcome: PostCompaction, names: Iterable[str]
) -> Iterator[Finding]:
    titles = [title for title in _titles(file) if not _comes_back(title.heading, outcome)]
    reported: set[int] = set()
    for name in names:
        params: Params = {"name": name, "release": context.simulation.contract.release}
        heading = next((title.heading for title in titles if title.means(name)), None)
        if heading is None and outcome.configured:
            yield Finding(file.path, file_start(file), params, variant="absent", of_file=True)
        elif heading is not None and heading.line not in reported:
            reported.add(heading.line)
            told = {**params, "heading": heading.title, "level": heading.level}
            yield Finding(file.path, heading.span, told, variant=_why_not_found(heading, name))


def _comes_back(heading: Heading, outcome: PostCompaction) -> bool:
    """Is the heading itself one of the names that were found? Then it is no slip of another."""
    found = {name.strip().lower() for name in outcome.found}
    return heading.level in (2, 3) and heading.title.strip().lower() in found


def _why_not_found(heading: Heading, name: str) -> str | None:
    if heading.level not in (2, 3):
        return "level"
    return "unseen" if heading.title.strip().lower() == name.strip().lower() else None


def _worth_asking_for(context: Context, file: TextFile) -> list[Heading]:
    """The sections that OpenClaw would find if openclaw.json named them, and that releases once brought back."""
    from bootlint.openclaw.compaction import compaction_sections

    contract = context.simulation.contract
    if contract.compaction is None:
        return []
    names = (*contract.compaction.default_names, *contract.compaction.fallback_names)
    meant = [title.heading for title in _titles(file) if any(map(title.means, names))]
    found = compaction_sections(file.source.text, [heading.title for heading in meant], contract)[1]
    return [heading for heading in meant if heading.level in (2, 3) and heading.title in found]


# --- heartbeat -------------------------------------------------------------------------------------------


def heartbeat_empty(context: Context) -> Iterator[Finding]:
    """HEARTBEAT.md asks for nothing, so that OpenClaw skips the run, or runs for nothing."""
    from bootlint.openclaw.heartbeat import heartbeat_is_empty
    from bootlint.openclaw.releases import contract as contract_of
    from bootlint.openclaw.releases import latest_release
    from bootlint.openclaw.settings import leaves_heartbeat_out

    situation = context.simulation.situation
    contract, file = situation.contract, context.workspace.files.get("HEARTBEAT.md")
    loaded = context.simulation.loaded.get("HEARTBEAT.md")
    if file is None or loaded is None or loaded.status != "ok":
        return
    if situation.config is not None and leaves_heartbeat_out(
        situation.config.data, contract, situation.agent
    ):
        return
    text, params = file.source.text, {"file": file.path, "release": contract.release}
    if heartbeat_is_empty(text, contract):
        yield Finding(file.path, file_start(file), params, of_file=True)
    elif heartbeat_is_empty(text, contract_of(latest_release())):
        # Older releases judge line by line.
        lines = enumerate(file.source.lines, 1)
        task = next(line for line, said in lines if not heartbeat_is_empty(said, contract))
        yield Finding(file.path, line_text_span(file, task), params, variant="runs")


# --- memory ----------------------------------------------------------------------------------------------


def memory_too_long(context: Context) -> Iterator[Finding]:
    """The curated memory has grown long: every session pays for it, and in the end it is cut."""
    for file, injected in context.sent:
        if file.name.lower() != "memory.md" or injected is None:
            continue
        lines = len(file.source.lines)
        near = context.could_lose(file, injected)
        if near or lines > context.number("memory-too-long", "advise-lines"):
            params: Params = {
                "file": file.path,
                "lines": lines,
                "chars": injected.raw_chars,
                "limit": int(injected.limit or 0),
                "release": context.simulation.contract.release,
            }
            yield Finding(
                file.path,
                file_start(file),
                params,
                variant="near-limit" if near else None,
                severity=Severity.WARNING if near else None,
                of_file=True,
            )


def memory_junk(context: Context) -> Iterator[Finding]:
    """The curated memory holds what was never meant to be kept: staged candidates, raw logs, transcripts."""
    for file, _ in context.sent:
        if file.name.lower() == "memory.md":
            for kind in _JUNK:
                yield from _junk(file, kind)


_Matches = Sequence[re.Match[str]]


@record
class _Junk:
    variant: str | None
    line: re.Pattern[str]  # matched from the beginning of a line
    is_junk: Callable[[_Matches], bool]  # judges lines that follow each other, blank ones left out


_BULLETS = r"[ \t]*(?:[-*+][ \t]+)*"
_LEVEL = "(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)"
_STAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d"
_FEWEST = 4  # fewer lines of a log may be quoted on purpose

_JUNK = (
    # What the sweep that OpenClaw calls dreaming notes down for itself.
    _Junk(
        None,
        lazy_pattern(
            rf"{_BULLETS}(?:(?P<sure>Candidate:.*\b(?:confidence|evidence|recalls):|"
            r"Candidate:[ \t]+(?:User|Assistant):|status:[ \t]*staged[ \t]+-[ \t]+Candidate:|"
            r".*\bevidence:[ \t]*memory/\.dreams/|<!--[ \t]*openclaw:dreaming:)|"
            r"Candidate:|(?:confidence|recalls):[ \t]*[\d.]+[ \t]*$|status:[ \t]*staged\b)"
        ),
        lambda matches: any(match["sure"] for match in matches),
    ),
    _Junk(
        "log",
        lazy_pattern(
            rf"{_BULLETS}(?:\[?{_STAMP}(?:[.,]\d+|Z|[+-]\d\d:?\d\d|\]|[ \t]+\[?{_LEVEL}\b)|\[?{_LEVEL}\]?[:\s]|"
            r"\[\d\d:\d\d:\d\d(?:\.\d+)?\]|at[ ].+\([^()]+:\d+\)|Traceback \(most|File \"[^\"]+\", line \d|"
            r"\{\"(?:level|ts|time|timestamp|type|role|msg)\":)"
        ),
        lambda matches: len(matches) >= _FEWEST,
    ),
    _Junk(
        "transcript",
        lazy_pattern(
            rf"{_BULLETS}(?P<who>user|assistant|system|tool|human|用户|助手|系统)[ \t]?[:：]", re.IGNORECASE
        ),
        # A list of fields names each of them once.
        lambda matches: (
            len(matches) >= _FEWEST and len({match["who"] for match in matches}) <= len(matches) // 2
        ),
    ),
)


def _junk(file: TextFile, kind: _Junk) -> Iterator[Finding]:
    runs = list(_runs(file.source.lines, kind))
    if not runs:
        return
    spans = [Span(file.source.line_span(run[0]).start, file.source.line_span(run[-1]).end) for run in runs]
    params: Params = {
        "file": file.path,
        "lines": sum(map(len, runs)),
        "chars": sum(utf16_len(file.source.text[span.start : span.end]) for span in spans),
    }
    related = tuple(Related(file.path, span) for span in spans[1 : 1 + _MOST_RELATED])
    yield Finding(file.path, spans[0], params, related, variant=kind.variant)


def _runs(lines: Iterable[str], kind: _Junk) -> Iterator[list[int]]:
    """The 1-based numbers of lines that follow each other and are junk."""
    said = ((number, line) for number, line in enumerate(lines, 1) if line and not line.isspace())
    matched = ((number, kind.line.match(line)) for number, line in said)
    for is_match, run in groupby(matched, key=lambda pair: pair[1] is not None):
        if is_match:
            numbers, matches = zip(*run, strict=True)
            if kind.is_junk(matches):
                yield list(numbers)


# --- daily notes -----------------------------------------------------------------------------------------


def daily_note_name(context: Context) -> Iterator[Finding]:
    """A file in memory/ is meant as the note of a day, and has a name under which OpenClaw never finds it."""
    if not context.workspace.notes:
        return
    from bootlint.openclaw.startup import startup_state

    rules = context.simulation.contract.startup
    situation = context.simulation.situation
    state = startup_state(situation.contract, situation.config.data if situation.config else None)
    if rules is None or state == "switched-off":
        return
    unseen = [
        (name, day)
        for name in context.workspace.notes
        if (day := _meant_day(name)) is not None
        and name != f"{day}.md"
        and not (rules.slugged_files and name.startswith(f"{day}-") and name.endswith(".md"))
    ]
    slugged = [(name, day) for name, day in unseen if name.startswith(f"{day}-") and name.endswith(".md")]
    others = [pair for pair in unseen if pair not in slugged]
    for found, variant in ((others, None), (slugged, "slug")):
        if found:
            params: Params = {
                "expected": f"{found[0][1]}.md",
                "files": len(found),
                "release": context.simulation.contract.release,
            }
            related = tuple(Related(f"memory/{name}", Span(0, 0)) for name, _ in found[1 : 1 + _MOST_RELATED])
            yield Finding(f"memory/{found[0][0]}", Span(0, 0), params, related, variant=variant)


_DAY = lazy_pattern(
    r"(?:(?:daily|diary|journal|log|logs|memory|notes?|日记|日志|日报|笔记)[ _.-]*)?"
    r"(?P<year>20\d\d)(?P<gap>[-_./ ]?|年)(?P<month>\d\d?)(?:(?P=gap)|月)(?P<day>\d\d?)日?(?!\d)"
    r"(?P<rest>.*)\.(?:md|markdown|txt)",
    re.IGNORECASE,
)


def _meant_day(name: str) -> date | None:
    """The day whose note a file is meant to be; None for a file that is none."""
    from datetime import date

    match = _DAY.fullmatch(name)
    if match is None or (not match["gap"] and len(match["month"] + match["day"]) < 4):
        return None
    try:
        return date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError:
        return None
