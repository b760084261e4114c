"""Which fixes are in each other's way."""

from __future__ import annotations

from itertools import permutations

import pytest

from bootlint.candidates import Candidate, _Free
from bootlint.diagnostics import Edit, Span
from harness import diagnostics

# Where edits stand and what they write, and whether all of them can be made at once.
EDITS = [
    ([(0, 2, ""), (2, 4, "")], True),
    ([(0, 3, ""), (2, 4, "")], False),
    ([(0, 9, ""), (2, 4, "")], False),
    ([(2, 4, "a"), (2, 4, "b")], False),
    ([(2, 2, "a"), (2, 4, "b")], True),
    ([(2, 2, "\n"), (2, 2, "a"), (2, 4, "b")], True),  # the line break goes first
    ([(2, 2, "a"), (2, 2, "b")], False),
    ([(2, 2, "\n"), (2, 2, "\n\n")], False),
    ([(2, 2, "\n"), (2, 2, "a"), (2, 2, "\u3000")], False),
    ([(3, 3, "a"), (2, 4, "b")], False),
    ([(10, 12, ""), (20, 22, ""), (30, 32, ""), (9, 11, "")], False),
    ([(10, 12, ""), (20, 22, ""), (30, 32, ""), (19, 21, "")], False),
    ([(10, 12, ""), (20, 22, ""), (30, 32, ""), (31, 40, "")], False),
    ([(10, 12, ""), (20, 22, ""), (30, 32, ""), (12, 20, "")], True),
]


@pytest.mark.parametrize(("edits", "are_free"), EDITS)
def test_edits_that_clash(edits: list[tuple[int, int, str]], are_free: bool) -> None:
    """In whatever order they come, one of them finds no place."""
    (diagnostic,) = diagnostics({"AGENTS.md": "- 私事不外传\n"}, "BL202", openclaw="2026.6.11")
    for order in permutations(edits):
        free = _Free()
        taken = [
            free.take(Candidate(diagnostic, "x", (Edit("x", Span(start, end), text),), True, None))
            for start, end, text in order
        ]
        assert all(taken) == are_free, order
