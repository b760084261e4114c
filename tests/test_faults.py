"""Files that change, a full disk, an end from outside: nothing is lost, one line says why, and the status tells."""

from __future__ import annotations

import os
import pty
import resource
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from bootlint.cli import main
from bootlint.fixer import fix
from processes import COMMAND, assert_all_gone, environment, hear_signals, in_the_middle, make_work
from repositories import Repository, bootlint

if TYPE_CHECKING:
    from pathlib import Path

    from bootlint.config import Settings
    from bootlint.fixer import FixResult
    from bootlint.situations import Basis
    from bootlint.workspace import Workspace

AGENTS = "# Agents\n\n- 私事不外传\n"
FIXED = "# Agents\n\n- Never: 私事不外传\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    workspace = tmp_path / "ws"
    workspace.mkdir()
    (workspace / "AGENTS.md").write_text(AGENTS)
    (workspace / "SOUL.md").write_text("\ufeff# Soul\n")
    return workspace


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below the folder but git's own, by its path."""
    files = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


# --- files that change --------------------------------------------------------------------------------------


def test_a_file_that_changes_while_it_is_repaired_keeps_its_change(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def slow_repair(
        read: Workspace, basis: Basis, settings: Settings, *, unsafe: bool, only: frozenset[str] | None
    ) -> FixResult:
        result = fix(read, basis, settings, unsafe=unsafe, only=only)
        (workspace / "AGENTS.md").write_text("somebody's own work")
        return result

    monkeypatch.setattr("bootlint.cli.fix.fix", slow_repair)
    monkeypatch.chdir(workspace)
    assert main(["fix"]) == 2
    assert (
        "bootlint: error: AGENTS.md: changed since it was read; run bootlint again\n"
        in capsys.readouterr().err
    )
    assert contents(workspace) == {"AGENTS.md": b"somebody's own work", "SOUL.md": b"# Soul\n"}


@pytest.mark.parametrize("command", ["check", "show", "fix", "lock"])
def test_files_that_vanish_under_the_reader(
    command: str, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listdir = os.listdir

    def emptied(path: str | os.PathLike[str]) -> list[str]:
        names = listdir(path)
        for name in names if os.path.samefile(path, workspace) else ():
            os.unlink(workspace / name)
        return names

    monkeypatch.setattr(os, "listdir", emptied)
    outcome = bootlint(command, folder=workspace)
    assert outcome.status in (0, 2)
    assert outcome.err.count("bootlint: error: ") == (outcome.status == 2)


@pytest.mark.parametrize("command", ["check", "show", "fix", "lock", "init"])
def test_a_current_folder_that_is_gone(command: str, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f'rmdir "$PWD" && exec {sys.executable} -m bootlint {command}'
    done = subprocess.run(["sh", "-c", script], cwd=gone, env=environment(), capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"bootlint: error: ")
    assert done.stderr.count(b"\n") == 1


def test_without_stdin(workspace: Path) -> None:
    script = f"{sys.executable} -m bootlint check -q - --stdin-filename AGENTS.md <&-"
    done = subprocess.run(
        ["sh", "-c", script], cwd=workspace, env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


# --- a disk that takes nothing more -------------------------------------------------------------------------

WRITES = {
    "fix": ("fix",),
    "a new lock": ("lock",),
    "a lock that is there": ("lock", "USER.md"),
    "a new baseline": ("check", "--baseline", "new.json", "--write-baseline"),
    "a baseline that is there": ("check", "--baseline", "known.json", "--write-baseline"),
    "a report": ("check", "--output-format", "json=report.json"),
    "a page": ("show", "--html", "page.html"),
    "new settings": ("init",),
    "the past": ("check", "--diff-base", "HEAD"),
    "the past of a change": ("diff", "HEAD"),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_disk_that_is_full_takes_nothing_away(name: str, workspace: Path, tmp_path: Path) -> None:
    repository = Repository.at(workspace)
    (workspace / "USER.md").write_text("# User\n")
    if name == "a lock that is there":
        assert bootlint("lock", folder=workspace).status == 0
    assert bootlint("check", "--baseline", "known.json", "--write-baseline", folder=workspace).status == 0
    repository.commit()
    before = contents(workspace)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = subprocess.run(
        [*COMMAND, *WRITES[name]],
        cwd=workspace,
        env=environment(TMPDIR=str(temporary)),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6, 6)),  # bytes of a file
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"File too large" in done.stderr.splitlines()[-1]
    assert done.stderr.splitlines()[-1].startswith(b"bootlint: error: ")
    assert contents(temporary) == {}
    after = contents(workspace)
    assert {path: after[path] for path in before} == before
    assert set(after) - set(before) <= {"report.json", "page.html"}


# --- an end from outside ------------------------------------------------------------------------------------

# Sends itself a signal in the middle of the call of a function.
ENDED = """
import importlib, os, sys, time
module, name, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
del sys.argv[1:4]
owner = importlib.import_module(module)
real = getattr(owner, name)

def ended(*arguments, **options):
    if os.getpid() == started or number < 0:
        os.kill(os.getpid(), abs(number))
        time.sleep(9)
    return real(*arguments, **options)

started = os.getpid()
setattr(owner, name, ended)
from bootlint.__main__ import run
run()
"""


def ended(
    folder: Path, call: str, number: signal.Signals, *arguments: str, **values: str
) -> tuple[int, bytes]:
    """Exit status and stderr of a command that gets a signal in a call."""
    module, _, name = call.rpartition(".")
    command = [sys.executable, "-c", ENDED, module, name, str(int(number)), *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(**values),
        capture_output=True,
        check=False,
        timeout=60,
        preexec_fn=hear_signals,
    )
    return done.returncode, done.stderr


ENDS = {
    signal.SIGINT: (130, b"bootlint: interrupted\n"),
    signal.SIGTERM: (-15, b""),
    signal.SIGHUP: (-1, b""),
}


@pytest.mark.parametrize("number", ENDS)
def test_an_end_while_a_file_is_written_leaves_the_old_text_alone(
    number: signal.Signals, workspace: Path
) -> None:
    before = contents(workspace)
    assert ended(workspace, "os.fsync", number, "fix") == ENDS[number]
    assert contents(workspace) == before


@pytest.mark.parametrize("number", ENDS)
def test_an_end_removes_what_was_laid_out_of_the_past(
    number: signal.Signals, workspace: Path, tmp_path: Path
) -> None:
    Repository.at(workspace).commit()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    arguments = ("check", "--diff-base", "HEAD")
    found = ended(workspace, "bootlint.introduced.check", number, *arguments, TMPDIR=str(temporary))
    assert found == ENDS[number]
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("number", ENDS)
def test_an_end_ends_all_processes(number: signal.Signals, tmp_path: Path) -> None:
    make_work(tmp_path)
    process = in_the_middle(tmp_path, "--jobs", "2")
    os.kill(process.pid, number)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == ENDS[number]
    assert_all_gone(process.pid)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_terminal_that_closes_ends_everything(jobs: str, tmp_path: Path) -> None:
    make_work(tmp_path)
    own, other = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "check", "--openclaw", "2026.6.11", "--jobs", jobs],
        cwd=tmp_path,
        env=environment(),
        stdin=other,
        stdout=other,
        stderr=other,
        start_new_session=True,
        preexec_fn=own_terminal,
    )
    os.close(other)
    assert os.read(own, 1)
    os.close(own)
    assert process.wait(timeout=60) == -signal.SIGHUP
    assert_all_gone(process.pid)


def own_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    hear_signals()


def test_a_run_that_is_to_outlive_its_terminal_does(workspace: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "check", "-q"],
        cwd=workspace,
        env=environment(),
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    ) as process:
        while process.poll() is None:
            process.send_signal(signal.SIGHUP)
            time.sleep(0.01)
    assert process.returncode == 0


# --- at once ------------------------------------------------------------------------------------------------


def test_repairs_at_once_come_to_the_same_end(workspace: Path) -> None:
    """Each writes what it read repaired, or says that the other was faster."""
    for _ in range(3):
        (workspace / "AGENTS.md").write_text(AGENTS)
        (workspace / "SOUL.md").write_text("\ufeff# Soul\n")
        runs = [
            subprocess.Popen([*COMMAND, "fix"], cwd=workspace, env=environment(), stderr=subprocess.PIPE)
            for _ in range(3)
        ]
        for run in runs:
            _, err = run.communicate(timeout=60)
            assert run.returncode == (2 if b"changed since it was read" in err else 0)
        assert contents(workspace) == {"AGENTS.md": FIXED.encode(), "SOUL.md": b"# Soul\n"}


def test_nobody_reads_what_a_repair_says(workspace: Path) -> None:
    script = f"{sys.executable} -m bootlint fix --output-format json 2>&1 | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=workspace, env=environment(), capture_output=True, check=False
    )
    assert done.stdout in (b"141\n", b"0\n")  # whether it was noticed depends on who is faster
    assert contents(workspace) == {"AGENTS.md": FIXED.encode(), "SOUL.md": b"# Soul\n"}
