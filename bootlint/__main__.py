"""`python -m bootlint` and the `bootlint` command."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

from bootlint.typed import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from types import FrameType


def run() -> NoReturn:
    """Run the command line and leave with its exit status, or by the signal that ended it."""
    if sys.argv[1:] == ["--version"]:  # answered before anything is imported: hooks ask for it
        from bootlint import __version__

        print(f"bootlint {__version__}")  # noqa: T201
        raise SystemExit(0)
    _unwind_when_ended()
    # Most of what a run makes it keeps: few look-outs for garbage, 2 to 7 % less CPU.
    gc.set_threshold(50_000)
    try:
        from bootlint.cli import main

        status = main(sys.argv[1:])
    except _Ended as ended:
        ended.leave()
    except KeyboardInterrupt:
        print("bootlint: interrupted", file=sys.stderr)  # noqa: T201
        status = 130
    _leave(status)


def _leave(status: int) -> NoReturn:
    """End without delay."""
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        # Of --jobs that was interrupted: the thread may wait for ever for the other half of an answer.
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # that was told already, or it is closed
                stream.flush()
        os._exit(status)
    gc.freeze()  # all goes at once now, and nobody need look what holds what: 7 % of a short run
    raise SystemExit(status)


class _Ended(BaseException):
    """A signal asked for the end: what is half written is removed on the way out, as with Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._number = number

    def leave(self) -> NoReturn:
        """End by the signal after all, so that whoever waits sees it."""
        from signal import SIG_DFL, signal

        signal(self._number, SIG_DFL)
        os.kill(os.getpid(), self._number)
        raise AssertionError("a signal did not arrive")


def _unwind_when_ended() -> None:
    """For a terminal that closes, and a CI that cancels. Whoever ignores a signal, as nohup does, goes on doing so."""
    from signal import SIG_DFL, SIGHUP, SIGTERM, getsignal, signal

    started = os.getpid()

    def end(number: int, _: FrameType | None) -> None:
        if os.getpid() != started:
            os._exit(128 + number)  # a process of --jobs, which holds nothing that could be lost
        raise _Ended(number)

    for number in (SIGHUP, SIGTERM):
        if getsignal(number) is SIG_DFL:
            signal(number, end)


if __name__ == "__main__":
    run()
