"""`python -m bootlint` and the `bootlint` command."""

from __future__ import annotations

import sys


def run() -> None:
    """Run the command line and leave with its exit status."""
    if sys.argv[1:] == ["--version"]:  # answered before anything is imported: hooks ask for it
        from bootlint import __version__

        print(f"bootlint {__version__}")  # noqa: T201
        raise SystemExit(0)
    try:
        from bootlint.cli import main

        status = main(sys.argv[1:])
    except KeyboardInterrupt:
        print("bootlint: interrupted", file=sys.stderr)  # noqa: T201
        status = 130
    raise SystemExit(status)


if __name__ == "__main__":
    run()
