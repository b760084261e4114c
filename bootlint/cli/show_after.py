"""`bootlint show --compaction` and `--startup`: what reaches the model after the prompt."""

from __future__ import annotations

import sys
import time

from bootlint.diagnostics import UserError
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace, _ArgumentGroup

    from bootlint.reporters.show_after import Addition
    from bootlint.simulation import Simulation
    from bootlint.wording import Language

_FIRST_MS, _LAST_MS = 0, 253_370_764_800_000  # the years 1970 to 9998


def add_options(group: _ArgumentGroup) -> None:
    after = group.add_mutually_exclusive_group()
    after.add_argument(
        "--compaction", action="store_true", help="what of AGENTS.md comes back after a compaction, exactly"
    )
    after.add_argument(
        "--startup", action="store_true", help="the daily notes that a bare /new adds, exactly"
    )
    group.add_argument(
        "--now", metavar="TIME", help="with --startup: when, as in 2026-09-06T12:00+08:00 (default: now)"
    )


def is_wanted(arguments: Namespace) -> bool:
    """Raises UserError where the options contradict each other."""
    if arguments.now is not None and not arguments.startup:
        raise UserError("--now says when /new is typed; it goes with --startup")
    if not arguments.compaction and not arguments.startup:
        return False
    given = ("raw", "prompt", "full", "html", "all_sessions")
    others = [name for name in given if getattr(arguments, name, None)]
    if others:
        mine = "--compaction" if arguments.compaction else "--startup"
        raise UserError(f"{mine} and --{others[0].replace('_', '-')} show different things; give one of them")
    return True


def show(arguments: Namespace, simulation: Simulation, language: Language) -> str:
    """The exact text with a line end, or why there is none, or both as JSON; notes for people go to stderr."""
    from bootlint.reporters import jsontext, show_after

    addition: Addition
    if arguments.compaction:
        addition = show_after.after_compaction(simulation, language)
    else:
        addition = show_after.after_new(simulation, _milliseconds(arguments.now), language)
    if arguments.output_format == "json":
        return jsontext.dump(addition.document, indent=2)
    if not arguments.quiet and addition.notes:
        print("\n".join(addition.notes), file=sys.stderr)
    return (addition.why_nothing or addition.text) + "\n"


def _milliseconds(text: str | None) -> int:
    """A time in milliseconds since 1970; one without an offset is this machine's."""
    if text is None:
        return int(time.time() * 1000)
    from datetime import datetime

    try:
        milliseconds = int(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        milliseconds = -1
    if not _FIRST_MS <= milliseconds <= _LAST_MS:
        raise UserError(f"--now takes a time such as 2026-09-06T12:00+08:00, not {text!r}")
    return milliseconds
