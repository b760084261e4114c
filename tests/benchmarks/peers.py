"""CPU time of bootlint and of what people use beside it, as ratios to `python -c pass` in one run.

    python tests/benchmarks/peers.py

Installs the peers into `.peers` beside this file, with pip and, where there is one, npm. Prints a Markdown
table. The best of several runs counts: whole processes with their children, their output thrown away.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import samples
from measure import BOOTLINT, measure

PEERS = Path(__file__).parent / ".peers"
BIN = PEERS / "python" / "bin"
NODE_BIN = PEERS / "node" / "node_modules" / ".bin"
FROM_PYPI = ("agnix", "bootstrap-doctor", "pymarkdownlnt")
FROM_NPM = ("markdownlint-cli2",)
WORKSPACES = 200
RUNS = 9  # over one workspace; over many, two


@dataclass(frozen=True, slots=True)
class Tool:
    """A command line in which `{}` is the folder; `many` where it takes a folder of workspaces and does not need minutes."""

    name: str
    does: str
    one: tuple[str, ...]
    many: tuple[str, ...] = ()


def tools() -> list[Tool]:
    check = (*BOOTLINT, "check", "--isolated", "--output-format", "concise", "{}")
    agnix = (str(BIN / "agnix"), "{}")
    markdownlint = str(NODE_BIN / "markdownlint-cli2")
    every = [
        Tool("bootlint", "simulates what OpenClaw injects; all rules", check, check),
        Tool("agnix", "rules for the files of many agents; compiled", agnix, agnix),
        Tool(
            "bootstrap-doctor",
            "counts characters",
            (str(BIN / "bootstrap-doctor"), "status", "--workspace-dir", "{}"),
        ),
        Tool("markdownlint-cli2", "Markdown style", (markdownlint, "{}/*.md"), (markdownlint, "{}/**/*.md")),
        Tool("pymarkdown", "Markdown style", (str(BIN / "pymarkdown"), "scan", "{}")),
    ]
    return [tool for tool in every if Path(tool.one[0]).exists()]


def install() -> None:
    if not BIN.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEERS / "python")], check=True)
        subprocess.run([str(BIN / "python"), "-m", "pip", "install", "-q", *FROM_PYPI], check=True)
    if (npm := shutil.which("npm")) and not NODE_BIN.exists():
        subprocess.run([npm, "install", "--silent", "--prefix", str(PEERS / "node"), *FROM_NPM], check=True)


def cells(command: tuple[str, ...], folder: Path, floor: float, runs: int) -> str:
    """The ratio and the peak memory of a command, as two cells of the table."""
    if not command:
        return "– | –"
    use = measure(tuple(word.replace("{}", str(folder)) for word in command), runs)
    return f"{use.cpu_seconds / floor:.1f} | {use.peak_mib:.0f}"


def main() -> None:
    install()
    with tempfile.TemporaryDirectory() as name:
        one, many = Path(name) / "one", Path(name) / "many"
        samples.write_workspace(one)
        for number in range(WORKSPACES):
            samples.write_workspace(many / f"agent-{number:03}")
        floor = measure((sys.executable, "-c", "pass"), 15).cpu_seconds
        print(f"| | what it does | one workspace, × floor | MiB | {WORKSPACES} workspaces, × floor | MiB |")
        print("|---|---|---:|---:|---:|---:|")
        for tool in tools():
            row = cells(tool.one, one, floor, RUNS), cells(tool.many, many, floor, 2)
            print(f"| {tool.name} | {tool.does} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
