"""The Project Context of the system prompt: the injected files in the order and wording the model gets them.

Takes files after the budget; does not know how a file was cut. OpenClaw's own sentences are left out.
"""

from __future__ import annotations

import re

from bootlint.lazyre import lazy_pattern
from bootlint.openclaw.collation import Key, collation_key
from bootlint.openclaw.jstext import SPACE_CLASS, joined, trim, whole
from bootlint.records import record, replace
from bootlint.typed import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bootlint.openclaw.contract import Contract, HeartbeatText, Prompt

INTRODUCTION = "[OpenClaw introduction, not modelled]"
STATIC_BLOCK = "Project Context"
DYNAMIC_BLOCK = "Dynamic Project Context"

_HEARTBEAT_NAME = "heartbeat.md"
_FIRST_NAMES = ("agents.md", "soul.md", "identity.md", "user.md", "tools.md", "bootstrap.md", "memory.md")
_RANKS = {name: rank for rank, name in enumerate(_FIRST_NAMES)}


class InjectedText(Protocol):
    """What an injection gives of one file. `path` is as given; None where an old release lost it."""

    @property
    def path(self) -> str | None: ...
    @property
    def content(self) -> str: ...


@record
class Section:
    """One file in the prompt, under `# block` and `## heading`."""

    block: str
    heading: str
    content: str


def project_context(
    injected_files: Iterable[InjectedText], contract: Contract, *, active_project_keys: Iterable[str] = ()
) -> tuple[Section, ...]:
    """The files in prompt order, sanitised, HEARTBEAT.md in a second block where the release has one."""
    sections = context_sections(injected_files, contract, active_project_keys=active_project_keys)
    if not contract.prompt.splits_heartbeat:
        return sections
    static = tuple(section for section in sections if basename(section.heading) != _HEARTBEAT_NAME)
    dynamic = tuple(section for section in sections if basename(section.heading) == _HEARTBEAT_NAME)
    block = DYNAMIC_BLOCK if static else STATIC_BLOCK
    return static + tuple(replace(section, block=block) for section in dynamic)


def context_sections(
    injected_files: Iterable[InjectedText], contract: Contract, *, active_project_keys: Iterable[str] = ()
) -> tuple[Section, ...]:
    """`project_context` before its split into blocks."""
    rules = contract.prompt
    keys = (active_project_keys,) if isinstance(active_project_keys, str) else active_project_keys
    active = frozenset(map(_project_key, keys))
    sections = [_section(file, active, rules) for file in injected_files]
    if rules.sorts:
        sections.sort(key=lambda section: _order(section.heading, rules))
    return tuple(sections)


def render_prompt(sections: Iterable[Section]) -> str:
    """The text of the sections, block by block, a label where OpenClaw puts its own sentences."""
    lines: list[str] = []
    block = None
    for section in sections:
        if section.block != block:
            block = section.block
            lines += [f"# {block}", INTRODUCTION]
        lines.append(f"## {section.heading}")
        if section.content:
            lines.append(section.content)
    return joined(lines, "\n")


def _section(file: InjectedText, active: frozenset[str], rules: Prompt) -> Section:
    heading = "undefined" if file.path is None else file.path
    return Section(
        STATIC_BLOCK, heading, _sanitised(_for_projects(heading, file.content, active, rules), rules)
    )


def basename(path: str) -> str:
    r"""The last part of a path as the prompt takes it: trimmed, `\` a separator too, lower-cased."""
    return _slashed(path).rpartition("/")[2].lower()


def _slashed(path: str) -> str:
    return trim(path).replace("\\", "/")


def _order(path: str, rules: Prompt) -> tuple[int, Key, Key]:
    name = basename(path)
    keeps_order = rules.user_ties_keep_order and name == "user.md"
    return (
        _RANKS.get(name, len(_RANKS)),
        collation_key(name),
        collation_key("" if keeps_order else _slashed(path)),
    )


# --- what is taken out of a file -------------------------------------------------------------------------

_FOLLOW_SCRATCH = "Follow the heartbeat monitor scratch context when provided."
_HEARTBEAT_WORDS: dict[HeartbeatText, tuple[str, ...]] = {
    "read-file": ("Read HEARTBEAT.md if it exists (workspace context).", "Follow it strictly."),
    "scratch": (_FOLLOW_SCRATCH,),
    "scratch-cron": (
        _FOLLOW_SCRATCH,
        "Recurring tasks are cron jobs; create or change their schedules with cron tools",
        "or the openclaw cron CLI, not heartbeat scratch.",
    ),
    "scratch-automations": (
        _FOLLOW_SCRATCH,
        "Recurring tasks are automations; create or change their schedules with the automations tool,",
        "not heartbeat scratch.",
    ),
}
_HEARTBEAT_ENDING = (
    "Do not infer or repeat old tasks from prior chats.",
    "If nothing needs attention, reply HEARTBEAT_OK.",
)
_ANY_HEARTBEAT_TEXT = lazy_pattern(
    r"Default heartbeat prompt:\r?\n`"
    r"(?:Read HEARTBEAT\.md if it exists|Follow the heartbeat monitor scratch context when provided\.)"
    r"[^`\r\n]*HEARTBEAT_OK\.`"
)
_BLANK_RUN = lazy_pattern(r"\n{3,}")


def _sanitised(content: str, rules: Prompt) -> str:
    if rules.heartbeat_text == "any":
        content = whole(_ANY_HEARTBEAT_TEXT.sub("", content))
    elif rules.heartbeat_text != "none":
        content = whole(content.replace(_heartbeat_quote(rules.heartbeat_text), ""))
    return _BLANK_RUN.sub("\n\n", content) if rules.squeezes_blank_lines else content


def _heartbeat_quote(kind: HeartbeatText) -> str:
    words = " ".join(_HEARTBEAT_WORDS[kind] + _HEARTBEAT_ENDING)
    return f"Default heartbeat prompt:\n`{words}`"


# --- entries that belong to projects ---------------------------------------------------------------------

_PROJECT_FILES = frozenset({"memory.md", "user.md"})
_ENTRY_START = lazy_pattern(rf"- |#{{1,6}}(?:[{SPACE_CLASS}]|\Z)")
_MARKER = lazy_pattern(rf"<!--[{SPACE_CLASS}]*project[{SPACE_CLASS}]*:", re.IGNORECASE | re.ASCII)
_KEY_BREAKERS = frozenset("\r\n<>")


def _for_projects(path: str, content: str, active: frozenset[str], rules: Prompt) -> str:
    """The content less the entries that belong to a project other than the active ones."""
    if not rules.project_entries or basename(path) not in _PROJECT_FILES:
        return content
    return joined((entry for entry in _entries(content) if _applies(entry, active)), "\n")


def _entries(content: str) -> list[str]:
    entries: list[list[str]] = []
    for line in content.split("\n"):
        if not entries or _ENTRY_START.match(line):
            entries.append([])
        entries[-1].append(line)
    return ["\n".join(lines) for lines in entries]


def _applies(entry: str, active: frozenset[str]) -> bool:
    """Is every project marker of the entry well formed, and every key in it active?"""
    markers = list(_MARKER.finditer(entry))
    borders = [marker.start() for marker in markers[1:]] + [len(entry)]
    for marker, border in zip(markers, borders, strict=False):
        end = entry.find("-->", marker.end())
        if not 0 <= end < border:
            return False
        keys = map(trim, entry[marker.end() : end].split(";"))
        if not all(key and _KEY_BREAKERS.isdisjoint(key) and _project_key(key) in active for key in keys):
            return False
    return True


def _project_key(key: str) -> str:
    """A key as it is compared: `path:` keys as they are, else what precedes the first `/` lower-cased."""
    key = trim(key)
    owner, slash, rest = key.partition("/")
    return key if key.startswith("path:") else owner.lower() + slash + rest
