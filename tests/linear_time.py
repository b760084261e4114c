"""Asserts that a function's time grows with its input and not with its square."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SMALL, FACTOR = 20_000, 16


def assert_linear(run: Callable[[str], object], unit: str) -> None:
    """Runs it on `unit` repeated, then on `FACTOR` times the text, which may not take `FACTOR` squared."""
    count = SMALL // len(unit) + 1
    small = min(
        _seconds(run, unit * (count + turn)) for turn in range(3)
    )  # no text twice: a cache might know it
    large = _seconds(run, unit * count * FACTOR)
    assert large < 4 * FACTOR * small + 0.05, f"{unit!r}: {small:.4f} s, then {large:.4f} s"


def _seconds(run: Callable[[str], object], text: str) -> float:
    start = process_time()
    run(text)
    return process_time() - start
