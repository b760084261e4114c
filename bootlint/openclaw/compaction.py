"""Which sections of AGENTS.md come back into the conversation after a compaction, and as which text.

Knows headings as OpenClaw's own small parser sees them, which is not CommonMark. OpenClaw's sentences around
the text are left out, and `YYYY-MM-DD`, which it fills with a date of the same length, stays as it is.
"""

from __future__ import annotations

from bootlint.lazyre import lazy_pattern
from bootlint.openclaw.config_file import shown
from bootlint.openclaw.jstext import SPACE_CLASS, joined, safe_head, trim, trim_start, utf16_len, utf16_slice
from bootlint.openclaw.settings import post_compaction_max_chars, post_compaction_names
from bootlint.records import record, replace
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bootlint.openclaw.contract import Compaction, Contract

TRUNCATED = "\n...[truncated]..."
_GAP = "\n\n"

State = Literal[
    "on",  # there is a text
    "not-in-release",  # the release injects nothing again
    "not-asked-for",  # the release waits for names in openclaw.json, and there are none
    "switched-off",  # openclaw.json names no section on purpose: []
    "no-file",  # AGENTS.md is absent or refused
    "too-large",  # AGENTS.md is larger than the release reads
    "nothing-found",  # no heading has any of the names
]


@record
class PostCompaction:
    """What comes back after a compaction. Names are as openclaw.json or the release writes them.

    `found` holds names out of `names`, or the release's older names where it fell back on them. `text` is
    what is injected: at most `max_chars` of `full_chars` (UTF-16 units) and a marker.
    """

    state: State
    configured: bool = False  # the names come from openclaw.json
    names: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    max_chars: int = 0
    full_chars: int = 0
    text: str = ""

    @property
    def truncated(self) -> bool:
        return self.full_chars > self.max_chars


def post_compaction(
    text: str | None,
    contract: Contract,
    config: object = None,
    *,
    agent_id: str | None = None,
    size: int | None = None,
) -> PostCompaction:
    """What of an AGENTS.md comes back under a release and a parsed openclaw.json.

    `text` is None for a file that is absent or refused. `size` is the file in bytes where it is not that of
    `text` in UTF-8.
    """
    rules = contract.compaction
    if rules is None:
        return PostCompaction("not-in-release")
    asked = post_compaction_names(config) if rules.configurable else None
    if asked is None and not rules.on_by_default:
        return PostCompaction("not-asked-for")
    names = rules.default_names if asked is None else asked
    cap = post_compaction_max_chars(config, contract, agent_id)
    if not names:
        return PostCompaction("switched-off", configured=True)
    outcome = PostCompaction(
        "on", asked is not None, tuple(map(shown, names)), max_chars=rules.max_chars if cap is None else cap
    )
    if text is None:
        return replace(outcome, state="no-file", missing=outcome.names)
    if rules.max_bytes is not None and (_utf8_len(text) if size is None else size) > rules.max_bytes:
        return replace(outcome, state="too-large", missing=outcome.names)
    safely = contract.truncation.safe_cuts
    return _injected(outcome, _sections(text, rules), names, rules, safely=safely)


def compaction_sections(text: str, names: Iterable[str], contract: Contract) -> tuple[list[str], list[str]]:
    """The sections with these names, trimmed, and the names that were found, both in the order of `names`."""
    rules = contract.compaction
    names = (names,) if isinstance(names, str) else names
    return ([], []) if rules is None else _picked(_sections(text, rules), names, rules)


# --- the text --------------------------------------------------------------------------------------------


def _injected(
    outcome: PostCompaction,
    known: Mapping[str, str],
    names: Sequence[str],
    rules: Compaction,
    *,
    safely: bool,
) -> PostCompaction:
    sections, found = _picked(known, names, rules)
    missing = [name for name in names if _title(name, rules) not in known]
    if not found and _are_defaults(names, rules):
        sections, found = _picked(known, rules.fallback_names, rules)
    if not found:
        return replace(outcome, state="nothing-found", missing=tuple(map(shown, missing)))
    lengths = {section: utf16_len(section) for section in set(sections)}
    return replace(
        outcome,
        found=tuple(map(shown, found)),
        missing=tuple(map(shown, missing)),
        sections=tuple(sections),
        full_chars=sum(lengths[section] + len(_GAP) for section in sections) - len(_GAP),
        text=_cut(sections, outcome.max_chars, safely=safely),
    )


def _are_defaults(names: Iterable[str], rules: Compaction) -> bool:
    return sorted(trim(name).lower() for name in names) == sorted(
        name.lower() for name in rules.default_names
    )


def _cut(sections: Iterable[str], max_chars: int, *, safely: bool) -> str:
    """At most `max_chars` of the sections, and a marker where that is not all.

    No recording says from when on pairs are spared here; the same release's cut of bootstrap files is taken.
    """
    text = joined(_enough(sections, max_chars), _GAP)
    if utf16_len(text) <= max_chars:
        return text
    return (safe_head(text, max_chars) if safely else utf16_slice(text, 0, max_chars)) + TRUNCATED


def _enough(sections: Iterable[str], max_chars: int) -> Iterator[str]:
    """As many of the sections as it takes to pass `max_chars`."""
    room = max_chars
    for section in sections:
        yield section
        room -= utf16_len(section)
        if room < 0:
            return
        room -= len(_GAP)


def _utf8_len(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


# --- the sections of a file ------------------------------------------------------------------------------

_HEADING_MARK = lazy_pattern(rf"(#{{2,3}})(?=[{SPACE_CLASS}])")
_LINE_TERMINATORS = "\n\r\u2028\u2029"  # what `.` does not match


def _picked(known: Mapping[str, str], names: Iterable[str], rules: Compaction) -> tuple[list[str], list[str]]:
    found = [name for name in names if _title(name, rules) in known]
    return [known[_title(name, rules)] for name in found], found


def _sections(text: str, rules: Compaction) -> dict[str, str]:
    """The text of each section by its title; of several with one title the first.

    A section ends at the next heading of its own or a higher level.
    """
    lines = text.split("\n")
    sections: dict[str, str] = {}
    end = {2: len(lines), 3: len(lines)}
    for line, level, title in reversed(list(_headings(lines))):
        sections[_title(title, rules)] = trim("\n".join(lines[line : end[level]]))
        end |= {2: line, 3: line} if level == 2 else {3: line}
    return sections


def _headings(lines: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Line, level and title of the headings of level 2 and 3 outside fences."""
    fenced = False
    for number, line in enumerate(lines):
        if "```" in line and trim_start(line).startswith("```"):
            fenced = not fenced
        elif not fenced and line.startswith("##") and (mark := _HEADING_MARK.match(line)):
            title = _heading_title(line[mark.end() :])
            if title is not None:
                yield number, len(mark[1]), title


def _heading_title(rest: str) -> str | None:
    r"""What `\s+(.+?)\s*$` captures in what follows the marks of a heading; None where it does not match."""
    title = trim(rest)
    if title:
        return None if any(char in title for char in _LINE_TERMINATORS) else title
    return next((char for char in reversed(rest[1:]) if char not in _LINE_TERMINATORS), None)


def _title(name: str, rules: Compaction) -> str:
    return (trim(name) if rules.trims_names else name).lower()
