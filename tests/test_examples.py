"""The programs in `examples/`, run as their readers run them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bootlint

HERE = Path(__file__).parent


def test_many_workspaces_on_a_cluster(tmp_path: Path) -> None:
    pytest.importorskip("dask.distributed", reason="needs the extra `dask`")
    folders = []
    for number in range(4):
        folder = tmp_path / f"agent-{number}"
        folder.mkdir()
        (folder / "SOUL.md").write_text("- 必须先问主人\n" * 2_000 * number)
        folders.append(folder)
    nowhere = tmp_path / "nowhere"

    done = subprocess.run(
        [sys.executable, str(HERE / "examples" / "check_with_dask.py"), *map(str, folders), str(nowhere)],
        env={**os.environ, "PYTHONPATH": str(HERE.parent), "TMPDIR": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    lines = {f"{nowhere}: there is no such file or folder"}
    for folder in folders:
        (report,) = bootlint.check(folder)
        lost = report.priority_rules - report.reached
        lines.add(f"{folder.name}: {len(report.diagnostics)} findings, {lost} priority rules lost")
    assert sorted(done.stdout.splitlines()) == sorted(lines)
