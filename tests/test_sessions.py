"""Which files a session keeps: the recorded keys, and the kinds that bootlint offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import pytest

from bootlint.openclaw.releases import contract, latest_release
from bootlint.openclaw.sessions import SessionKind, session_for, visible_files
from golden_rows import Row, optional_text, record, records, rows, text, texts

LATEST = latest_release()


@dataclass(frozen=True)
class File:
    name: str
    path: str | None


@pytest.mark.parametrize("row", list(rows("sessions")), ids=str)
def test_recorded_session(row: Row) -> None:
    kept = visible_files(
        [File(text(file["name"]), optional_text(file["path"])) for file in records(row.data["files"])],
        contract(row.release),
        session_key=text(row.data["sessionKey"]),
        chat_type=optional_text(row.data["chatType"]),
        workspace_dir=optional_text(row.data["workspaceDir"]),
    )
    assert [file.path for file in kept] == texts(record(row.data["expected"])["names"])


# key → is MEMORY.md hidden, as the page on the contract says it for 2026.8.1 and later
SHAPES = {
    "agent:main:main": False,
    "agent:main:telegram:group:1": True,
    "agent:main:telegram:account:channel:1": True,
    "agent:main:telegram:direct:1": False,
    "agent:main:telegram:account:channel::1": False,
    "agent:main:telegram:group:": False,
    "agent:main:agent:telegram:group:1": False,
    "agent:main:slack:group:channel:1": False,
    "agent:main:group:direct:1": True,
    "agent:main:group:1:\u2028x": False,
    "agent:main:discord:guild-1:channel-1": True,
    "agent:main:discord:guild-1:channel-1:2": False,
    "": False,
}


@pytest.mark.parametrize(("key", "hidden"), SHAPES.items())
def test_memory_in_groups(key: str, hidden: bool) -> None:
    memory = File("MEMORY.md", "/w/MEMORY.md")
    assert (visible_files([memory], contract(LATEST), session_key=key) == ()) is hidden


def test_an_empty_workspace_is_none_given() -> None:
    memory = File("MEMORY.md", "/w/MEMORY.md")
    kept = visible_files([memory], contract(LATEST), session_key=None, chat_type="group", workspace_dir="")
    assert kept == ()


def test_file_without_a_path_is_not_the_root_memory() -> None:
    files = [File("MEMORY.md", None), File("NOTES.md", "MEMORY.md")]
    key, chat_type = session_for("group")
    kept = visible_files(files, contract(LATEST), session_key=key, chat_type=chat_type, workspace_dir="/w")
    assert [file.name for file in kept] == ["MEMORY.md"]


ALL = [
    "AGENTS.md",
    "SOUL.md",
    "TOOLS.md",
    "IDENTITY.md",
    "USER.md",
    "HEARTBEAT.md",
    "BOOTSTRAP.md",
    "MEMORY.md",
]

# release and kind → what the session does not keep
LEAVES: dict[tuple[str, SessionKind], set[str]] = {
    ("2026.1.29", "main"): set(),
    ("2026.1.29", "cron"): set(),
    ("2026.1.29", "subagent"): set(ALL) - {"AGENTS.md", "TOOLS.md"},
    (LATEST, "main"): set(),
    (LATEST, "heartbeat"): set(),
    (LATEST, "group"): {"MEMORY.md"},
    (LATEST, "subagent"): set(ALL) - {"AGENTS.md"},
    (LATEST, "cron"): {"TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md"},
}


@pytest.mark.parametrize(("release", "kind"), LEAVES)
def test_typical_session(release: str, kind: SessionKind) -> None:
    files = [File(name, f"/w/{name}") for name in ALL]
    key, chat_type = session_for(kind)
    kept = visible_files(files, contract(release), session_key=key, chat_type=chat_type, workspace_dir="/w")
    assert {file.name for file in files} - {file.name for file in kept} == LEAVES[release, kind]


def test_every_kind_has_a_typical_session() -> None:
    assert all(session_for(kind)[0].startswith("agent:main:") for kind in get_args(SessionKind))
