"""Asserts that a function's time grows with its input and not with its square."""

from __future__ import annotations

import gc
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SMALL, FACTOR = 20_000, 16
ATTEMPTS = 5  # a machine that does other work slows one run down, hardly all of them


def assert_linear(run: Callable[[str], object], unit: str) -> None:
    """Runs it on `unit` repeated, then on `FACTOR` times the text, which may not take `FACTOR` squared."""
    count = SMALL // len(unit) + 1
    tried = []
    for turn in range(ATTEMPTS):  # no text twice: a cache might know it
        small = min(_seconds(run, unit * (count + 3 * turn + more)) for more in range(3))
        large = _seconds(run, unit * (count + turn) * FACTOR)
        if large < 4 * FACTOR * small + 0.05:
            return
        tried.append(f"{small:.4f} s, then {large:.4f} s")
    raise AssertionError(f"{unit!r}: {'; '.join(tried)}")


def _seconds(run: Callable[[str], object], text: str) -> float:
    """Without the garbage collector, whose time grows with what other tests left behind."""
    gc.disable()
    try:
        start = process_time()
        run(text)
        return process_time() - start
    finally:
        gc.enable()
