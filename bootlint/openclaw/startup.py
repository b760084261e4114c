"""The daily notes that a bare /new or /reset puts in front of the user's turn.

Owns which days and files of `memory/` count, how they are cut and what fits the budget. How a file is opened
or refused is `reading`. OpenClaw's introduction to the notes is not modelled. Lengths are UTF-16 code units.
"""

from __future__ import annotations

import os
import re
import sys
from datetime import UTC, datetime, timedelta, timezone

from bootlint.lazyre import lazy_pattern
from bootlint.openclaw import jstext
from bootlint.openclaw.reading import Root, read
from bootlint.openclaw.settings import STARTUP_CAPS, startup_context, user_timezone
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date, tzinfo

    from bootlint.openclaw.contract import Contract, Startup

MORE = "...[additional startup memory truncated]..."

_TRUNCATED = "\n...[truncated]..."
_SLUGGED_PER_DAY = 4

State = Literal[
    "on",  # there may be notes
    "not-in-release",  # the release adds none
    "switched-off",  # openclaw.json says so
    "not-for-action",  # openclaw.json names other commands in `applyOn`
]


@record
class NoteSection:
    """One quoted note: its path in the workspace, made harmless, and the text that stands quoted."""

    label: str
    content: str

    @property
    def block(self) -> str:
        """The section as the model receives it."""
        return (
            f"[Untrusted daily memory: {self.label}]\nBEGIN_QUOTED_NOTES\n"
            f"```text\n{self.content}\n```\nEND_QUOTED_NOTES"
        )


def startup_state(
    contract: Contract, config: object = None, action: Literal["new", "reset"] = "new"
) -> State:
    """Does the release add notes to a bare /new or /reset under a parsed openclaw.json?"""
    if contract.startup is None:
        return "not-in-release"
    settings = startup_context(config)
    if settings.get("enabled") is False:
        return "switched-off"
    actions = settings.get("applyOn")
    names_others = isinstance(actions, list) and actions and action not in actions
    return "not-for-action" if names_others else "on"


def note_days(contract: Contract, config: object = None, *, now_ms: int) -> list[date]:
    """The days whose notes count, in the order in which they are read; none where the release adds no notes."""
    if contract.startup is None:
        return []
    count = _whole(startup_context(config), "dailyMemoryDays", 2)
    return _days(now_ms, user_timezone(config), count, contract.startup)


def startup_notes(
    workspace_dir: str | os.PathLike[str],
    contract: Contract,
    *,
    config: Mapping[str, object] | None = None,
    now_ms: int,
) -> tuple[tuple[NoteSection, ...], bool]:
    """The notes in their order, and whether OpenClaw adds that more was truncated.

    `config` is the parsed openclaw.json, `now_ms` the time in milliseconds since 1970. Without a time zone in
    the configuration, or with one that this machine does not know, days are those of this machine's zone.
    `startupContext.applyOn` tells /new from /reset and is left to the caller.
    """
    rules, settings = contract.startup, startup_context(config)
    if rules is None or settings.get("enabled") is False:
        return (), False
    root = Root.of(workspace_dir)
    days = note_days(contract, config, now_ms=now_ms)
    max_bytes = _whole(settings, "maxFileBytes", 16_384)
    max_chars = _whole(settings, "maxFileChars", rules.file_chars)
    notes: list[tuple[str, str]] = []
    for relative in _note_paths(root, days, rules):
        text = jstext.trim(read(root, relative, contract.loading, max_bytes=max_bytes).text or "")
        if text:
            notes.append((relative, _cut(text, max_chars, rules)))
    return _fitting(notes, _whole(settings, "maxTotalChars", rules.total_chars), rules)


def _whole(settings: Mapping[str, object], key: str, default: int) -> int:
    """The whole part of a setting, between 1 and its cap; the default for anything that is no finite number."""
    value = settings.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        return default
    return min(STARTUP_CAPS[key], max(1, int(value)))


def _days(now_ms: int, zone_name: object, count: int, rules: Startup) -> list[date]:
    """The days whose notes count, in the order in which they are read."""
    now = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=now_ms)
    today = now.astimezone(_zone(zone_name)).date()
    days = [today - timedelta(days=back) for back in range(count)]
    if not rules.utc_day or now.date() in days:
        return days
    return [now.date(), *days] if now.date() > today else [*days, now.date()]


def _zone(name: object) -> tzinfo | None:
    """None: this machine's own zone."""
    wanted = jstext.trim(name) if isinstance(name, str) else ""
    offset = re.fullmatch(r"([+-])([01]\d|2[0-3])(?::?([0-5]\d))?", wanted)
    if offset is not None:
        distance = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
        return timezone(-distance if offset[1] == "-" else distance)
    return _named_zone(wanted)


def _named_zone(wanted: str) -> tzinfo | None:
    if not re.fullmatch(r"[A-Za-z][\w+-]*(/[\w+-]+)*", wanted, re.ASCII):
        return None
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(wanted)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        names = zoneinfo.available_timezones()
    known = {name.lower(): name for name in names}
    return zoneinfo.ZoneInfo(known[wanted.lower()]) if wanted.lower() in known else None


def _note_paths(root: Root, days: Iterable[date], rules: Startup) -> Iterator[str]:
    slugged = _slugged_names(root) if rules.slugged_files else []
    for day in days:
        yield f"memory/{day}.md"
        names = [(mtime, name) for mtime, name in slugged if name.startswith(f"{day}-")]
        yield from (f"memory/{name}" for name in _newest(names))


def _slugged_names(root: Root) -> list[tuple[float, str]]:
    """Modification time and name of each plain file in `memory/` that may be a day's note with a slug."""
    try:
        with os.scandir(root.inner("memory")) as entries:
            return [
                (entry.stat(follow_symlinks=False).st_mtime_ns / 1_000_000, entry.name)
                for entry in entries
                if _SLUGGED.match(entry.name)
                and entry.is_file(follow_symlinks=False)
                and _is_utf8(entry.name)
            ]
    except (OSError, ValueError):
        return []


_SLUGGED = lazy_pattern(r"\d{4}-\d\d-\d\d-.*\.md\Z", re.DOTALL | re.ASCII)


def may_be_daily_note(name: str) -> bool:
    """May a file in `memory/` be what a bare /new adds on some day?"""
    return _DAILY.fullmatch(name) is not None or (_SLUGGED.match(name) is not None and _is_utf8(name))


_DAILY = lazy_pattern(r"\d{4}-\d\d-\d\d\.md", re.ASCII)


def _is_utf8(name: str) -> bool:
    """Can OpenClaw open a file of this name? Node reads other bytes as U+FFFD and then finds no such file."""
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)


def _newest(names: list[tuple[float, str]]) -> list[str]:
    from bootlint.openclaw.collation import collation_key

    latest = sorted((mtime for mtime, _ in names), reverse=True)[:_SLUGGED_PER_DAY]
    chosen = [item for item in names if item[0] >= latest[-1]]  # the order of names is costly to find
    ordered = sorted(chosen, key=lambda item: (item[0], collation_key(item[1])), reverse=True)
    return [name for _, name in ordered[:_SLUGGED_PER_DAY]]


def _cut(text: str, max_chars: int, rules: Startup) -> str:
    if jstext.utf16_len(text) <= max_chars:
        return text
    cut = jstext.safe_head if rules.safe_cuts else _plain_head
    return cut(text, max_chars) + _TRUNCATED


def _plain_head(text: str, units: int) -> str:
    return jstext.utf16_slice(text, 0, units)


def _fitting(
    notes: Iterable[tuple[str, str]], room: int, rules: Startup
) -> tuple[tuple[NoteSection, ...], bool]:
    sections: list[NoteSection] = []
    for relative, text in notes:
        section = _fitted(_label(relative), text, room, rules)
        if section is None:
            return tuple(sections), bool(sections)
        sections.append(section)
        room -= jstext.utf16_len(section.block)
    return tuple(sections), False


def _fitted(label: str, text: str, room: int, rules: Startup) -> NoteSection | None:
    """The section, cut again where its block does not fit; None where nothing fits.

    The search is OpenClaw's own. A text cut near its end gets longer, by the mark of the cut, so that another
    search could find another length.
    """
    whole = _quoted(label, text)
    if jstext.utf16_len(whole.block) <= room:
        return whole
    best: NoteSection | None = None
    low, high = 0, jstext.utf16_len(text)
    while low <= high:
        middle = (low + high) // 2
        section = _quoted(label, _cut(text, middle, rules))
        if jstext.utf16_len(section.block) <= room:
            best, low = section, middle + 1
        else:
            high = middle - 1
    return best


def _quoted(label: str, text: str) -> NoteSection:
    return NoteSection(label, text.replace("```", r"\`\`\`"))


def _label(relative: str) -> str:
    one_line = re.sub(r"[\r\n\t]+", " ", relative)
    unbracketed = re.sub(r"[\[\]]", "_", one_line)
    return jstext.trim(re.sub(r"[^A-Za-z0-9._/\- ]+", "_", unbracketed))
