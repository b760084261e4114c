"""What openclaw.json says about a session counts in the simulation of it."""

from __future__ import annotations

import json

import pytest

from harness import context_of, workspace_of

FILES = {"AGENTS.md": "# Agents\n", "HEARTBEAT.md": "Look at the oven.\n"}
QUIET = {"agents": {"defaults": {"heartbeat": {"every": "0m"}}}}


def sent(config: object, release: str, session: str) -> list[str]:
    with workspace_of({**FILES, "openclaw.json": json.dumps(config)}) as workspace:
        context = context_of(workspace, release, session=session)
        return [file.name for file in context.simulation.sent if file.content is not None]


@pytest.mark.parametrize(
    ("release", "session", "has_heartbeat"),
    [
        ("2026.4.5", "main", True),  # before 2026.4.7 it was always sent
        ("2026.6.11", "main", False),
        ("2026.6.11", "group", False),
        ("2026.6.11", "heartbeat", True),
        ("2026.9.6", "main", False),  # no release from 2026.7.2-beta.4 on reads it
    ],
)
def test_heartbeat_file_stays_out_while_heartbeats_are_off(
    release: str, session: str, has_heartbeat: bool
) -> None:
    assert ("HEARTBEAT.md" in sent(QUIET, release, session)) is has_heartbeat


@pytest.mark.parametrize(("release", "count"), [("2026.6.11", 0), ("2026.4.22", 2)])
def test_nothing_is_sent_where_files_are_never_injected(release: str, count: int) -> None:
    never = {"agents": {"defaults": {"contextInjection": "never"}}}
    assert len(sent(never, release, "main")) == count
