"""`source.write_atomically`: a file is replaced whole or not at all, and never when it is not what was read."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bootlint.source import NotWrittenError, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent
OLD, NEW = "# Agents\r\n\r\n- 私事不外传", "# Agents\r\n\r\n- Never: 私事不外传"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "workspace" / "AGENTS.md"
    path.parent.mkdir()
    path.write_bytes(OLD.encode())
    return path


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o664, 0o755])
def test_text_is_replaced_and_the_mode_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    write_atomically(file, OLD, NEW)
    assert file.read_bytes() == NEW.encode()
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert os.listdir(file.parent) == ["AGENTS.md"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_owner_is_kept(file: Path) -> None:
    os.chown(file, 1234, 2345)
    write_atomically(file, OLD, NEW)
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 2345)


def changed(file: Path) -> None:
    file.write_text("another text")


def linked(file: Path) -> None:
    file.rename(file.with_name("real.md"))
    file.symlink_to("real.md")


def hard_linked(file: Path) -> None:
    file.with_name("twin.md").hardlink_to(file)


def folder_in_its_place(file: Path) -> None:
    file.unlink()
    file.mkdir()


def fifo_in_its_place(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def read_only(file: Path) -> None:
    file.chmod(0o444)


def deleted(file: Path) -> None:
    file.unlink()


def without_its_folder(file: Path) -> None:
    file.unlink()
    file.parent.rmdir()


@pytest.mark.parametrize(
    ("happens", "reason"),
    [
        (changed, "changed since it was read"),
        (linked, "is no plain file"),
        (hard_linked, "has a second name"),
        (folder_in_its_place, "is no plain file"),
        (fifo_in_its_place, "is no plain file"),
        (read_only, "is read-only"),
        (deleted, "not written: No such file or directory"),
        (without_its_folder, "not written: No such file or directory"),
    ],
)
def test_what_is_not_what_was_read_stays(file: Path, happens: Callable[[Path], None], reason: str) -> None:
    happens(file)
    before = _tree(file.parent)
    with pytest.raises(NotWrittenError, match=reason) as refusal:
        write_atomically(file, OLD, NEW)
    assert str(refusal.value).startswith(f"{file}: ")
    assert "\n" not in str(refusal.value)
    assert _tree(file.parent) == before


def _tree(folder: Path) -> dict[str, bytes]:
    """Every plain file below the folder."""
    return {path.name: path.read_bytes() for path in folder.glob("*") if path.is_file()}


@pytest.mark.parametrize("step", ["fsync", "fchmod", "replace"])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
def test_full_or_broken_disk_leaves_the_old_text_and_nothing_else(
    file: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: int
) -> None:
    def fail(*_: object) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(NotWrittenError, match=f"not written: {os.strerror(error)}"):
        write_atomically(file, OLD, NEW)
    assert _tree(file.parent) == {"AGENTS.md": OLD.encode()}


# Replaces a file and dies at the n-th call of any function that touches the disk.
DYING = """
import os, signal, sys
from pathlib import Path
from bootlint.source import write_atomically

path, step = Path(sys.argv[1]), int(sys.argv[2])
left = [step]

def dying(real):
    def call(*args, **kwargs):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **kwargs)
    return call

for name in ("open", "fstat", "access", "fchown", "fchmod", "fsync", "replace", "close"):
    setattr(os, name, dying(getattr(os, name)))
write_atomically(path, sys.argv[3], sys.argv[4])
"""


def test_a_process_killed_at_any_step_leaves_the_old_or_the_new_text(file: Path) -> None:
    found: list[bytes] = []
    for step in range(40):
        file.write_bytes(OLD.encode())
        done = subprocess.run(
            [sys.executable, "-c", DYING, str(file), str(step), OLD, NEW], check=False, cwd=ROOT
        )
        found.append(file.read_bytes())
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
    assert found[-1] == NEW.encode()
    turn = found.index(NEW.encode())
    assert 3 < turn < len(found) - 1  # killed before and after the rename
    assert found == [OLD.encode()] * turn + [NEW.encode()] * (len(found) - turn)


# Adds lines one by one, each to the text as it just read it, and tries again where another process was faster.
ADDING = """
import sys
from pathlib import Path
from bootlint.source import NotWrittenError, write_atomically

path = Path(sys.argv[1])
for number in range(40):
    while True:
        text = path.read_text()
        try:
            write_atomically(path, text, f"{text}{sys.argv[2]} {number}\\n")
            break
        except NotWrittenError:
            pass
"""


def test_two_runs_at_once_lose_no_edit(file: Path) -> None:
    file.write_text("")
    runs = [subprocess.Popen([sys.executable, "-c", ADDING, str(file), name], cwd=ROOT) for name in "ab"]
    assert [run.wait(60) for run in runs] == [0, 0]
    assert sorted(file.read_text().splitlines()) == sorted(f"{name} {n}" for name in "ab" for n in range(40))
