"""CPU time of whole processes as a ratio to `python -c pass` in the same run, and peak memory.

    python tests/benchmarks/measure.py

Budgets stand in the table below; a row over its budget is marked. The best of several runs counts: what else the
machine does can only slow a run down.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import samples

_LARGEST = 2_097_152  # bytes of the largest file that OpenClaw reads
BOOTLINT = (sys.executable, "-m", "bootlint")


@dataclass(frozen=True, slots=True)
class Use:
    cpu_seconds: float
    peak_mib: float
    wall_seconds: float


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    command: tuple[str, ...]
    budget: float = math.inf  # times the floor
    runs: int = 9


def measure(command: tuple[str, ...], runs: int) -> Use:
    """The best CPU time, peak memory and wall time of several runs, child processes included."""
    uses = [_once(command) for _ in range(runs)]
    return Use(
        min(use.cpu_seconds for use in uses),
        min(use.peak_mib for use in uses),
        min(use.wall_seconds for use in uses),
    )


def _once(command: tuple[str, ...]) -> Use:
    """One run. A process of its own waits for it, so that its children's times are counted alone."""
    code = (
        "import os, resource, subprocess, sys, time\n"
        "start = time.perf_counter()\n"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "wall = time.perf_counter() - start\n"
        "use = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(use.ru_utime + use.ru_stime, use.ru_maxrss / 1024, wall)\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True, env=environment
    )
    cpu, peak, wall = map(float, done.stdout.split())
    return Use(cpu, peak, wall)


def rows(folder: Path) -> list[Row]:
    sample, quiet, many, different, large = (
        folder / name for name in ("sample", "quiet", "many", "different", "large")
    )
    samples.write_workspace(sample)
    samples.write_quiet_workspace(quiet)
    for number in range(200):
        samples.write_workspace(many / f"agent-{number:03}")
        samples.write_workspace(different / f"agent-{number:03}", first=100_000 * number)
    large.mkdir()
    (large / "AGENTS.md").write_text(samples.text_of_bytes("AGENTS", _LARGEST), encoding="utf-8")
    check = (*BOOTLINT, "check", "--isolated", "--output-format", "concise")
    return [
        Row("`--version`", (*BOOTLINT, "--version"), 3),
        Row("quiet workspace", (*check, str(quiet)), 5),
        Row("8-file sample with findings", (*check, str(sample)), 9),
        Row("200 of it, one process", (*check, str(many)), 250, 2),
        Row("200 of it, `--jobs 2`", (*check, "--jobs", "2", str(many)), runs=2),
        Row("200 of its size, no two the same, one process", (*check, str(different)), runs=1),
        Row("a file of 2 MiB (2,097,152 bytes)", (*check, str(large)), 140, 2),
    ]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        floor = measure((sys.executable, "-c", "pass"), 15).cpu_seconds
        print(f"floor: {floor * 1000:.1f} ms CPU for `python -c pass` ({os.cpu_count()} cores)\n")
        print("| what | CPU, × floor | budget | CPU ms | wall ms | peak MiB |")
        print("|---|---:|---:|---:|---:|---:|")
        for row in rows(Path(name)):
            use = measure(row.command, row.runs)
            ratio = use.cpu_seconds / floor
            over = " **over**" if ratio > row.budget else ""
            budget = "" if math.isinf(row.budget) else f"{row.budget:g}"
            print(
                f"| {row.name} | {ratio:.1f}{over} | {budget} | {use.cpu_seconds * 1000:.0f} "
                f"| {use.wall_seconds * 1000:.0f} | {use.peak_mib:.0f} |"
            )


if __name__ == "__main__":
    main()
