"""A run over many workspaces: the same report however it is run, in no more memory, and a bar that harms nothing."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tracemalloc
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bootlint.cli import main
from repositories import bootlint

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
CHECK = ("check", "--isolated", "--output-format")
TEXTS = {
    "SOUL.md": "".join(f"Calm, and plain {line}. \n\n\n" for line in range(60)),
    "AGENTS.md": "".join(f"- 必须先问第 {line} 位 \n" for line in range(60)),
}

by_line = pytest.mark.parametrize(
    ("output_format", "between"), [("concise", ""), ("full", "\n"), ("github", "")]
)


@pytest.fixture
def workspaces(tmp_path: Path) -> Callable[[int], Path]:
    """Makes a folder of so many workspaces."""

    def make(count: int) -> Path:
        top = tmp_path / f"of-{count}"
        for number in range(count):
            folder = top / f"agent-{number:03}"
            folder.mkdir(parents=True)
            for name, text in TEXTS.items():
                (folder / name).write_text(text)
        return top

    return make


@by_line
def test_a_run_says_what_runs_over_each_workspace_say(
    output_format: str, between: str, workspaces: Callable[[int], Path]
) -> None:
    folder = workspaces(3)
    alone = [bootlint(*CHECK, output_format, f"agent-00{number}", folder=folder).out for number in range(3)]
    assert all(alone)
    assert bootlint(*CHECK, output_format, folder=folder).out == between.join(alone)


@by_line
def test_neither_jobs_nor_the_order_of_paths_change_the_report(
    output_format: str, between: str, workspaces: Callable[[int], Path]
) -> None:
    folder = workspaces(5)
    expected = bootlint(*CHECK, output_format, folder=folder)
    assert expected == bootlint(*CHECK, output_format, "--jobs", "2", folder=folder)
    assert expected == bootlint(*CHECK, output_format, "agent-003", ".", "agent-001", folder=folder)


def test_a_broken_openclaw_json_is_said_once_whatever_the_jobs(workspaces: Callable[[int], Path]) -> None:
    folder = workspaces(3)
    (folder / "openclaw.json").write_text("{")
    expected = bootlint(*CHECK, "concise", "--select", "BL003", folder=folder)
    assert [line.split(":")[0] for line in expected.lines] == ["openclaw.json"]
    assert expected == bootlint(*CHECK, "concise", "--select", "BL003", "--jobs", "2", folder=folder)


def test_memory_does_not_grow_with_the_number_of_workspaces(workspaces: Callable[[int], Path]) -> None:
    def peak(folder: Path) -> int:
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
            tracemalloc.start()
            main([*CHECK, "concise", "--quiet", str(folder)])
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        return most

    peak(workspaces(1))  # what is read once and kept
    assert peak(workspaces(40)) < 1.3 * peak(workspaces(10))


def test_a_bar_on_the_terminal_leaves_stdout_alone(workspaces: Callable[[int], Path]) -> None:
    folder = workspaces(25)
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "bootlint", *CHECK, "concise", "--quiet", str(folder)],
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if key != "CI"} | {"TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=False,
    )
    os.close(theirs)
    drawn = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    assert b"100%" in drawn
    assert done.stdout.decode() == bootlint(*CHECK, "concise", str(folder), folder=ROOT).out


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # all has been read, and nobody holds the other end any more
        return b""
