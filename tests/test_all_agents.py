"""`check --all-agents`: every workspace that openclaw.json names, each with its agent's own limits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bootlint.cli import main

if TYPE_CHECKING:
    from pathlib import Path

LONG = "x" * 900 + "\n"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """OpenClaw's state folder with two agents and a third whose workspace is not there."""
    for agent in ("ada", "ben"):
        (tmp_path / agent).mkdir()
        (tmp_path / agent / "SOUL.md").write_text(LONG)
    config = {
        "meta": {"lastTouchedVersion": "2026.6.11"},
        "agents": {
            "defaults": {"bootstrapMaxChars": 5_000},
            "list": [
                {"id": "ada", "workspace": str(tmp_path / "ada"), "bootstrapMaxChars": 500},
                {"id": "ben", "workspace": str(tmp_path / "ben")},
                {"id": "cleo", "workspace": str(tmp_path / "cleo")},
            ],
        },
    }
    (tmp_path / "openclaw.json").write_text(json.dumps(config))
    return tmp_path


def checked(state: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[str], str]:
    status = main(
        ["check", "--all-agents", "--select", "BL101", "--output-format", "json", *options, str(state)]
    )
    said = capsys.readouterr()
    return status, [found["path"] for found in json.loads(said.out)["diagnostics"]], said.err


def test_each_agent_has_its_own_limits(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, paths, _ = checked(state, capsys)
    assert status == 1
    assert [path.rpartition("/")[0][-3:] for path in paths] == ["ada"]


def test_a_workspace_that_is_not_there_is_said(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "cleo" in checked(state, capsys)[2]


def test_jobs_do_not_change_the_report(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(state, capsys) == checked(state, capsys, "--jobs", "2")


def test_without_an_openclaw_json_the_remedy_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "SOUL.md").write_text("Be calm.\n")
    assert main(["check", "--all-agents", str(tmp_path)]) == 2
    assert "--openclaw-config" in capsys.readouterr().err
