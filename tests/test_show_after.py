"""`bootlint show --compaction` and `--startup`: exactly what is added, or why nothing is."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from bootlint.cli import main
from bootlint.openclaw.releases import contract, releases
from bootlint.openclaw.startup import MORE, startup_state
from golden_rows import Row, number, record, rows
from trees import build

if TYPE_CHECKING:
    from pathlib import Path

AGENTS = "# Agents\n\n## Session Startup\n\nRead.\n\n## Red Lines\n\nNever shout.\n"
ON, LATEST = "2026.5.22", "2026.9.6"


pytestmark = pytest.mark.usefixtures("host_in_utc")


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace in which the commands run."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "AGENTS.md").write_text(AGENTS)
    monkeypatch.chdir(folder)
    return folder


def configure(workspace: Path, **defaults: object) -> None:
    (workspace.parent / "openclaw.json").write_text(json.dumps({"agents": {"defaults": defaults}}))


def show(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    """What stands on stdout and on stderr."""
    status = main(["show", "--isolated", *arguments])
    captured = capsys.readouterr()
    assert status == (2 if "error:" in captured.err else 0), captured.err
    return captured.out, captured.err


# --- compaction ------------------------------------------------------------------------------------------


def test_sections_are_printed_exactly(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = show(capsys, "--compaction", "--openclaw", ON)
    assert out == "## Session Startup\n\nRead.\n\n## Red Lines\n\nNever shout.\n"
    assert err == (
        f"OpenClaw {ON} brings back 2 sections of AGENTS.md after a compaction: “Session Startup”, “Red Lines”\n"
    )
    assert show(capsys, "--compaction", "--openclaw", ON, "--quiet") == (out, "")


def test_what_is_cut_or_not_found_is_told(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sections = {"postCompactionSections": ["red lines", "Tea"]}
    configure(workspace, compaction=sections, contextLimits={"postCompactionMaxChars": 16})
    out, err = show(capsys, "--compaction")
    assert out == "## Red Lines\n\nNe\n...[truncated]...\n"
    assert err.splitlines()[1:] == [
        "these have 26 characters, and the first 16 come back",
        "asked for and not found: “Tea”",
    ]


def test_lone_surrogates_are_what_openclaw_sends(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (workspace / "AGENTS.md").write_text("## Red Lines\n🔴\n")
    configure(workspace, contextLimits={"postCompactionMaxChars": 14})
    assert show(capsys, "--compaction", "--openclaw", ON)[0] == "## Red Lines\n\ufffd\n...[truncated]...\n"
    text = json.loads(show(capsys, "--compaction", "--openclaw", ON, "--output-format", "json")[0])["text"]
    assert text.startswith("## Red Lines\n\\ud83d")


@pytest.mark.parametrize(
    ("release", "config", "agents", "why", "state"),
    [
        ("2026.2.12", None, AGENTS, "OpenClaw 2026.2.12 does not do that", "not-in-release"),
        (LATEST, None, AGENTS, "there is no openclaw.json here (--openclaw-config names one)", "not-asked-for"),
        (LATEST, {}, AGENTS, "and it names none", "not-asked-for"),
        (LATEST, {"compaction": {"postCompactionSections": []}}, AGENTS, "is empty", "switched-off"),
        (ON, None, None, "AGENTS.md is absent or cannot be read", "no-file"),
        (ON, None, "# x\n", "heading that reads “Session Startup”, “Red Lines”", "nothing-found"),
    ],
)  # fmt: skip
def test_why_nothing_comes_back(
    workspace: Path,
    capsys: pytest.CaptureFixture[str],
    release: str,
    config: dict[str, object] | None,
    agents: str | None,
    why: str,
    state: str,
) -> None:
    (workspace / "AGENTS.md").unlink()
    (workspace / "SOUL.md").write_text("x")
    if agents is not None:
        (workspace / "AGENTS.md").write_text(agents)
    if config is not None:
        configure(workspace, **config)
    out, err = show(capsys, "--compaction", "--openclaw", release)
    assert re.fullmatch(f"nothing comes back after a compaction: .*{re.escape(why)}\n", out)
    assert err == ""
    assert show(capsys, "--compaction", "--openclaw", release, "--language", "zh")[0].startswith(
        "压缩之后没有"
    )
    document = json.loads(show(capsys, "--compaction", "--openclaw", release, "--output-format", "json")[0])
    assert (document["state"], document["text"]) == (state, "")


# --- startup ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", [row for row in rows("startup") if "cfg" in row.data], ids=str)
def test_notes_are_printed_as_recorded(row: Row, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The recordings hold the sections; the text is these, quoted, line by line."""
    workspace = build(row.data, tmp_path)
    (tmp_path / "openclaw.json").write_text(json.dumps(row.data["cfg"]))
    (workspace / "SOUL.md").write_text("x")
    now = _iso(int(number(row.data["nowMs"])))
    arguments = ("--startup", "--openclaw", row.release, "--output-format", "json", "--now", now)
    config = tmp_path / "openclaw.json"
    document = json.loads(show(capsys, *arguments, "--openclaw-config", str(config), str(workspace))[0])
    expected = record(row.data["expected"])
    assert (document["notes"], document["more"]) == (_sound(expected["sections"]), expected["more"])
    quoted = [
        f"[Untrusted daily memory: {note['label']}]\nBEGIN_QUOTED_NOTES\n```text\n{note['content']}\n```\nEND_QUOTED_NOTES"
        for note in document["notes"]
    ]
    assert document["text"] == "\n".join([*quoted, *([MORE] if expected["more"] else [])])


def _iso(milliseconds: int) -> str:
    from datetime import UTC, datetime, timedelta

    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)).isoformat()


def _sound(value: object) -> object:
    """Lone surrogates as the JSON writes them."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {key: _sound(item) for key, item in value.items()}
    return [_sound(item) for item in value] if isinstance(value, list) else value


@pytest.fixture
def notes(workspace: Path) -> Path:
    (workspace / "memory").mkdir()
    (workspace / "memory" / "2026-01-05.md").write_text("met Ada\n")
    (workspace / "memory" / "2026-01-04.md").write_text("x" * 2000)
    return workspace


def test_notes_are_printed_exactly(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure(notes, startupContext={"maxTotalChars": 130}, userTimezone="UTC")
    out, err = show(capsys, "--startup", "--now", "2026-01-05T12:00Z")
    block = "BEGIN_QUOTED_NOTES\n```text\nmet Ada\n```\nEND_QUOTED_NOTES"
    assert out == f"[Untrusted daily memory: memory/2026-01-05.md]\n{block}\n{MORE}\n"
    assert err == (
        "OpenClaw 2026.9.6 adds 1 note to a bare /new, after an introduction of its own: memory/2026-01-05.md\n"
    )


@pytest.mark.parametrize(
    ("now", "first"),
    [
        ("2026-01-05T23:00Z", "2026-01-05"),
        ("2026-01-06", "2026-01-05"),
        ("2026-01-06T01:00+08:00", "2026-01-05"),
        ("2026-01-04T12:00:00.5+00:00", "2026-01-04"),
    ],
)
def test_the_time_can_be_given(notes: Path, capsys: pytest.CaptureFixture[str], now: str, first: str) -> None:
    configure(notes, userTimezone="UTC")
    out, _ = show(capsys, "--startup", "--now", now)
    assert out.startswith(f"[Untrusted daily memory: memory/{first}.md]\n")


@pytest.mark.parametrize("release", ["2026.4.11", "2026.4.12", LATEST])
@pytest.mark.parametrize(
    ("settings", "state", "why"),
    [
        ({}, "no-notes", "memory/ holds none of 2026-03-01, 2026-02-28 that can be read and fits"),
        ({"enabled": False}, "switched-off", "startupContext.enabled in openclaw.json is false"),
        (
            {"applyOn": ["reset"]},
            "not-for-action",
            "startupContext.applyOn in openclaw.json does not name it",
        ),
        ({"applyOn": []}, "no-notes", ""),
        ({"applyOn": ["new"]}, "no-notes", ""),
        ({"applyOn": "reset"}, "no-notes", ""),
    ],
)
def test_why_no_notes_are_added(
    notes: Path,
    capsys: pytest.CaptureFixture[str],
    release: str,
    settings: dict[str, object],
    state: str,
    why: str,
) -> None:
    configure(notes, startupContext=settings, userTimezone="UTC")
    if contract(release).startup is None:
        state, why = "not-in-release", "OpenClaw 2026.4.11 does not do that"
    arguments = ("--startup", "--now", "2026-03-01T12:00Z", "--openclaw", release)
    out, err = show(capsys, *arguments)
    assert out.startswith("a bare /new adds no notes: ")
    assert why in out
    assert err == ""
    assert show(capsys, *arguments, "--language", "zh")[0].startswith("单独的 /new 不会加入笔记：")
    document = json.loads(show(capsys, *arguments, "--output-format", "json")[0])
    assert (document["state"], document["text"], document["notes"]) == (state, "", [])


def test_reset_is_another_command() -> None:
    config = {"agents": {"defaults": {"startupContext": {"applyOn": ["reset"]}}}}
    states = {startup_state(contract(release), config, "reset") for release in releases()}
    assert states == {"on", "not-in-release"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--now", "2026-01-05"], "--now says when /new is typed; it goes with --startup"),
        (["--startup", "--now", "noon"], "--now takes a time such as 2026-09-06T12:00+08:00, not 'noon'"),
        (["--startup", "--now", "0001-01-01"], "--now takes a time such as"),
        (["--startup", "--now", "9999-12-31T23:59"], "--now takes a time such as"),
        (["--startup", "--compaction"], "argument --compaction: not allowed with argument --startup"),
        (["--startup", "--prompt"], "--startup and --prompt show different things; give one of them"),
        (["--compaction", "--raw", "SOUL.md"], "--compaction and --raw show different things"),
        (["--compaction", "--all-sessions"], "--compaction and --all-sessions show different things"),
    ],
)
def test_what_cannot_be_shown(
    workspace: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    out, err = show(capsys, *arguments)
    assert out == ""
    assert err.startswith(f"bootlint: error: {said}")
