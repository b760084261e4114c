"""Which of the loaded files a session keeps: allow-lists of sub-agents and cron runs, MEMORY.md in groups.

Decides on names, paths and the session's key alone, and touches no disk.

What this cannot decide, because it depends on the run and not on the workspace: whether HEARTBEAT.md is left
out (2026.4.7 to 7.2-beta.3 and 7.33 to 7.35: when a configuration switches heartbeat guidance off), whether
BOOTSTRAP.md is taken out after the budget (from 2026.5.4, outside of the primary user's setup run), and runs
with a lightweight context, which get nothing or HEARTBEAT.md alone.
"""

from __future__ import annotations

import os
import re

from bootlint.openclaw import jstext
from bootlint.openclaw.reading import absolute_path
from bootlint.typed import TYPE_CHECKING, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bootlint.openclaw.contract import Contract, Sessions

SessionKind = Literal["main", "group", "subagent", "cron", "heartbeat"]
ChatType = Literal["direct", "group", "channel", "unknown"]


class NamedFile(Protocol):
    """What a session filter looks at."""

    @property
    def name(self) -> str: ...
    @property
    def path(self) -> str | None: ...


_File = TypeVar("_File", bound=NamedFile)


def session_for(kind: SessionKind) -> tuple[str, ChatType | None]:
    """Key and chat type of a typical session of a kind. A heartbeat runs in the main session."""
    return _TYPICAL[kind]


def visible_files(
    files: Iterable[_File],
    contract: Contract,
    *,
    session_key: str | None,
    chat_type: str | None = None,
    workspace_dir: str | os.PathLike[str] | None = None,
) -> tuple[_File, ...]:
    """Those files that the session keeps, in their order.

    `chat_type` is the run's own, None where it is to be read from the key; only `group` and `channel` hide
    MEMORY.md. With a workspace its root MEMORY.md is known by its path, without one by its name.
    """
    rules = contract.sessions
    key = jstext.trim(session_key or "")
    allowed = _allowed_names(key, rules)
    kept = tuple(file for file in files if allowed is None or file.name in allowed)
    if not rules.hides_memory_in_groups or (chat_type or _chat_type(key, rules)) not in ("group", "channel"):
        return kept
    workspace = absolute_path(os.fspath(workspace_dir)) if workspace_dir else None
    return tuple(file for file in kept if not _is_root_memory(file, workspace))


_TYPICAL: dict[SessionKind, tuple[str, ChatType | None]] = {
    "main": ("agent:main:main", None),
    "group": ("agent:main:telegram:group:-1001", "group"),
    "subagent": ("agent:main:subagent:1", None),
    "cron": ("agent:main:cron:1", None),
    "heartbeat": ("agent:main:main", None),
}


def _allowed_names(key: str, rules: Sessions) -> frozenset[str] | None:
    """None: all names."""
    rest = _rest(key, rules)
    if key.lower().startswith("subagent:") or (rest or "").lower().startswith("subagent:"):
        return rules.subagent
    return rules.cron if (rest or "").lower().startswith("cron:") else None


def _rest(key: str, rules: Sessions) -> str | None:
    """What follows `agent:<id>:` in an agent's key; None for any other key."""
    if rules.drops_empty_key_segments:
        key = ":".join(filter(None, key.split(":")))
    agent, name, rest = (*key.split(":", 2), "", "")[:3]
    if not rest or rest.startswith(":"):
        return None
    known = agent == "agent" or (rules.agent_prefix_any_case and agent.lower() == "agent")
    return rest if known and jstext.trim(name) else None


_PEER_KINDS: dict[str, ChatType] = {
    "direct": "direct",
    "dm": "direct",
    "group": "group",
    "channel": "channel",
}
_ANY = r"[^\n\r\u2028\u2029]*"  # JavaScript's `.*`
_OLD_SHAPES: tuple[tuple[ChatType, str], ...] = (
    ("group", rf"group:[^:]+(?::{_ANY})?"),
    ("channel", rf"channel:[^:]+(?::{_ANY})?"),
    ("group", r"(?:whatsapp:)?[^:]+@g\.us"),
    ("channel", r"discord:(?:[^:]+:)?guild-[^:]+:channel-[^:]+"),
)


def _chat_type(key: str, rules: Sessions) -> ChatType:
    """The type that the key's shape tells; unknown where it has no known shape or more than one."""
    rest = (_rest(key, rules) or key).lower()
    shapes = _OLD_SHAPES if ":" in rest or "@" in rest else ()  # not compiled for `main`
    old = next((kind for kind, shape in shapes if re.fullmatch(shape, rest)), None)
    peers = _peer_kinds(rest)
    if len(peers) != 1 or old is not None:
        return old or "unknown"
    return _PEER_KINDS[peers[0]]


def _peer_kinds(rest: str) -> list[str]:
    """The kind in each shape that holds: `direct:<id>`, `<channel>:<kind>:<id>`, and that with an account."""
    p0, p1, p2, p3 = (*rest.split(":", 4), "", "", "", "")[:4]
    if p0 == "agent":  # an agent inside an agent is a plugin's own name, no route
        return []
    shapes = (
        (p0, p0 in ("direct", "dm") and p1),
        (p1, p0 and p1 in _PEER_KINDS and p2),
        (p2, p0 and p1 and p2 in _PEER_KINDS and p3),
    )
    return [kind for kind, holds in shapes if holds]


def _is_root_memory(file: NamedFile, workspace: str | None) -> bool:
    if workspace is None:
        return file.name == "MEMORY.md"
    return absolute_path(file.path or "", workspace) == absolute_path("MEMORY.md", workspace)
