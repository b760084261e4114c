"""bootlint as a process of its own, which a test ends in the middle of its work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
COMMAND = (sys.executable, "-m", "bootlint")
# What a test says of a language, a size or colours must not depend on who runs it.
_UNSET = ("CI", "NO_COLOR", "COLUMNS", "TERM", "LANG", "PYTHONIOENCODING", "PYTHONUTF8", "LANGUAGE")


def environment(**values: str) -> dict[str, str]:
    """What a user's shell would give, and these values; an empty one unsets."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if key not in _UNSET and not key.startswith(("LC_", "COV"))
    }
    return {**kept, "PYTHONPATH": str(ROOT), **values}


def hear_signals() -> None:
    """A shell that runs the tests in the background has told them, and what they start, to take no notice."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def make_work(folder: Path) -> None:
    """Workspaces with far more to say than a pipe holds, so that a check is not done before somebody reads."""
    for number in range(40):
        (folder / f"{number:02}").mkdir()
        (folder / f"{number:02}/SOUL.md").write_text(
            "".join(f"- 必须先备份第 {number}-{line} 项\n" for line in range(3_000))
        )


def in_the_middle(folder: Path, *options: str) -> subprocess.Popen[bytes]:
    """A check of these workspaces that has begun to write, in a session of its own."""
    process = subprocess.Popen(
        [*COMMAND, "check", "--openclaw", "2026.6.11", "--output-format", "concise", *options],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=hear_signals,
    )
    assert process.stdout is not None
    assert process.stdout.read(1)
    return process


def assert_all_gone(group: int) -> None:
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("a process is left")
