"""Check the workspaces of many repositories on a Dask cluster.

    python check_with_dask.py /repositories/*

The cluster is the one that Dask is configured for (DASK_SCHEDULER_ADDRESS), else this machine. Its workers need
bootlint, and see the folders under the same paths.
"""

from __future__ import annotations

import sys

from dask.distributed import Client, as_completed

import bootlint


def main(folders: list[str]) -> None:
    with Client() as client:
        for task in as_completed(client.map(bootlint.check, folders, pure=False)):  # read anew at each run
            if task.status == "error":
                print(task.exception())  # no workspace there, or settings with a fault
                continue
            for report in task.result():
                lost = report.priority_rules - report.reached
                print(f"{report.workspace}: {len(report.diagnostics)} findings, {lost} priority rules lost")


if __name__ == "__main__":
    main(sys.argv[1:])
