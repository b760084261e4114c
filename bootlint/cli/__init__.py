"""The command line: picks the command, turns faults of the user into one line, and sets the exit status.

0: nothing at or above `--fail-on`. 1: something. 2: usage, configuration or input that cannot be worked with.
Only the module of the command that runs is imported.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

from bootlint.diagnostics import UserError

COMMANDS = {
    "check": "lint workspaces: what the model does not receive, and why",
    "fix": "repair workspaces, each fix proven by simulating again",
    "show": "show what the model receives of each file, byte for byte",
    "why": "tell why a line reaches the model or does not, and what would save it",
    "diff": "show what a change does to what the model receives, between commits",
    "lock": "approve SOUL.md and other files as they are; say what changed since",
    "init": "write bootlint.toml, the pre-commit entry and a GitHub workflow",
    "rule": "explain a rule, or list all",
    "releases": "list the known OpenClaw releases and what changed between them",
}

_LONGEST_FAULT = 1_000  # characters: it may quote what somebody else wrote

CLOSED_PIPE = 141  # as of a program that SIGPIPE ended: whether something was found nobody was told

_USAGE = """\
usage: bootlint COMMAND [options] [PATH...]

What an OpenClaw agent really receives of its workspace files: which rules are lost, and why.

commands:
{commands}

  bootlint COMMAND --help   what a command takes, with examples
  bootlint --version        print the version

examples:
  bootlint check ~/.openclaw/workspace
  bootlint fix --diff ~/.openclaw/workspace
  bootlint show --openclaw 2026.6.11 .
  bootlint rule BL103

exit status: 0 nothing at or above --fail-on, 1 something, 2 usage, configuration or internal error, 130 Ctrl-C
"""


def main(argv: list[str]) -> int:
    """Run one command line; the exit status comes back."""
    if sys.stdin is None:  # closed by whoever started this, as the others may be
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - it stays open
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - it stays open
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):  # a terminal that is not UTF-8 still gets every line
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _run(argv)
        sys.stdout.flush()
    except UserError as error:
        return fault(str(error))
    except BrokenPipeError:
        _close_output()
        return CLOSED_PIPE
    except OSError as error:  # a full disk, a folder for temporary files that is not there
        _close_output()
        return fault(str(error))
    except Exception:  # a fault of ours: not to be taken for findings, which is what Python's own 1 means
        from traceback import print_exc

        _close_output()
        print_exc()
        return fault("this is a bug of bootlint, not of your files: please report the lines above")
    except BaseException:
        _close_output()
        raise
    return status


def _close_output() -> None:
    """Nobody reads it, or it cannot be written: keep the interpreter from trying again at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def fault(text: str) -> int:
    """One line on stderr, exit status 2."""
    from bootlint.wording import printable

    shown = text if len(text) <= _LONGEST_FAULT else text[: _LONGEST_FAULT - 1] + "…"
    print(f"bootlint: error: {printable(shown)}", file=sys.stderr)
    return 2


def _run(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        width = max(map(len, COMMANDS))
        lines = "\n".join(f"  {name:<{width}}  {summary}" for name, summary in COMMANDS.items())
        print(_USAGE.format(commands=lines), end="", file=sys.stdout if argv else sys.stderr)
        return 0 if argv else 2
    if argv[0] not in COMMANDS:
        from bootlint.config import suggestion

        raise UserError(
            f"{argv[0]!r} is no command{suggestion(argv[0], COMMANDS)} (bootlint --help lists them)"
        )
    status: int = import_module(f"bootlint.cli.{argv[0]}").run(argv[1:])
    return status
