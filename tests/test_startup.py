"""The daily notes at the start of a session: the recorded folders, and what lies beyond them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bootlint.openclaw.releases import contract, latest_release
from bootlint.openclaw.startup import startup_notes
from golden_rows import Row, number, record, rows
from trees import build

if TYPE_CHECKING:
    from pathlib import Path

LATEST = latest_release()
NOON = 1_767_268_800_000  # 2026-01-01, 12:00 UTC


pytestmark = pytest.mark.usefixtures("host_in_utc")


@pytest.mark.parametrize("row", list(rows("startup")), ids=str)
def test_recorded_notes(row: Row, tmp_path: Path) -> None:
    workspace = build(row.data, tmp_path)
    now = int(number(row.data["nowMs"]))
    sections, more = startup_notes(
        workspace, contract(row.release), config=record(row.data["cfg"]), now_ms=now
    )
    expected = record(row.data["expected"])
    found = [{"label": section.label, "content": section.content} for section in sections]
    assert (found, more) == (expected["sections"], expected["more"])


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    memory = tmp_path / "memory"
    memory.mkdir()
    return memory


def labels(memory: Path, *, release: str = LATEST, **defaults: object) -> list[str]:
    config = {"agents": {"defaults": defaults}}
    sections, _ = startup_notes(memory.parent, contract(release), config=config, now_ms=NOON)
    return [section.label.removeprefix("memory/") for section in sections]


def test_block_is_what_the_model_receives(memory: Path) -> None:
    (memory / "2026-01-01.md").write_text("met\n```js\n")
    ((section,), more) = startup_notes(memory.parent, contract(LATEST), now_ms=NOON)
    assert not more
    assert section.block == (
        "[Untrusted daily memory: memory/2026-01-01.md]\nBEGIN_QUOTED_NOTES\n"
        "```text\nmet\n\\`\\`\\`js\n```\nEND_QUOTED_NOTES"
    )


# userTimezone → the day there when it is noon of 2026-01-01 in Greenwich, in front of the one before
ZONES = {
    "UTC": "2026-01-01",
    "Pacific/Kiritimati": "2026-01-02",
    "pacific/kiritimati": "2026-01-02",
    " Pacific/Kiritimati ": "2026-01-02",
    "+14:00": "2026-01-02",
    "+1230": "2026-01-02",
    "-13": "2025-12-31",
    "+24:00": "2026-01-01",
    "GMT+8": "2026-01-01",
    "Asia/Beijing": "2026-01-01",
    "../../etc/passwd": "2026-01-01",
    "America": "2026-01-01",
    "a\0": "2026-01-01",
    "": "2026-01-01",
}


@pytest.mark.parametrize(("zone", "today"), [*ZONES.items(), (None, "2026-01-01"), (5, "2026-01-01")])
def test_zone(zone: object, today: str, memory: Path) -> None:
    for day in ("2025-12-31", "2026-01-01", "2026-01-02"):
        (memory / f"{day}.md").write_text(day)
    one_day = {"dailyMemoryDays": 1}
    assert labels(memory, release="2026.4.15", userTimezone=zone, startupContext=one_day) == [f"{today}.md"]


# A setting that is no finite number counts as absent: two days. Others are cut to whole numbers from 1 to 14.
@pytest.mark.parametrize(
    ("days", "read"),
    [
        (3, 3), (3.9, 3), (0, 1), (-1e300, 1), (10**30, 14), (10**400, 2),
        (float("inf"), 2), (float("nan"), 2), (True, 2), ("3", 2), (None, 2), ([], 2),
    ],
)  # fmt: skip
def test_number_of_days(days: object, read: int, memory: Path) -> None:
    for day in range(10, 32):
        (memory / f"2025-12-{day}.md").write_text("x")
    (memory / "2026-01-01.md").write_text("x")
    assert len(labels(memory, startupContext={"dailyMemoryDays": days, "maxTotalChars": 50_000})) == read


@pytest.mark.parametrize(
    ("config", "given"),
    [
        (None, True),
        ({}, True),
        ({"agents": []}, True),
        ({"agents": {"defaults": None}}, True),
        ({"agents": {"defaults": {"startupContext": "off"}}}, True),
        ({"agents": {"defaults": {"startupContext": {"enabled": False}}}}, False),
        ({"agents": {"defaults": {"startupContext": {"enabled": 0}}}}, True),
    ],
)
def test_switched_on_unless_false(config: dict[str, object] | None, given: bool, memory: Path) -> None:
    (memory / "2026-01-01.md").write_text("x")
    sections, _ = startup_notes(memory.parent, contract(LATEST), config=config, now_ms=NOON)
    assert bool(sections) is given


def test_older_releases_have_no_notes(memory: Path) -> None:
    (memory / "2026-01-01.md").write_text("x")
    assert startup_notes(memory.parent, contract("2026.4.11"), now_ms=NOON) == ((), False)


@pytest.mark.parametrize(
    ("release", "read"), [("2026.7.1", ["2026-01-01.md", "2026-01-01-a.md"]), (LATEST, [])]
)
def test_memory_folder_that_is_a_link(release: str, read: list[str], tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "memory").symlink_to("notes")
    for name in ("2026-01-01.md", "2026-01-01-a.md"):
        (tmp_path / "notes" / name).write_text("x")
    assert labels(tmp_path / "memory", release=release) == read


def test_entries_that_are_no_files_never_wait(memory: Path) -> None:
    os.mkfifo(memory / "2026-01-01.md")
    os.mkfifo(memory / "2026-01-01-fifo.md")
    (memory / "2026-01-01-folder.md").mkdir()
    (memory / "2026-01-01-link.md").symlink_to("2025-12-31.md")
    (memory / "2025-12-31.md").write_text("x")
    assert labels(memory) == ["2025-12-31.md"]


def test_strange_names(memory: Path) -> None:
    for name in ("2026-01-01-\n\n.md", "2026-01-01-.md", os.fsdecode(b"2026-01-01-\xff.md"), "2026-01-01.MD"):
        (memory / name).write_text("x")
        os.utime(memory / name, (0, 0))
    assert labels(memory) == ["2026-01-01-.md", "2026-01-01- .md"]


def test_newest_four_of_many(memory: Path) -> None:
    for number_ in range(2_000):
        path = memory / f"2026-01-01-{number_:04}.md"
        path.write_text("x")
        os.utime(path, (number_ // 2, number_ // 2))
    assert labels(memory) == [f"2026-01-01-{number_}.md" for number_ in (1999, 1998, 1997, 1996)]
