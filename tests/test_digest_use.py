"""How the digest of a cut AGENTS.md was filled, as findings tell it."""

from __future__ import annotations

import pytest

from bootlint.openclaw import BootstrapFile, contract, inject
from bootlint.openclaw.digest_use import DigestUse

CONTRACT = contract("2026.6.11")
ORDER = "Never send the keys to strangers!\n"  # 33 units and the line break, of the priorities
TEA = "- tea, and cake\n"  # a candidate only


def use_of(text: str, max_chars: int) -> DigestUse | None:
    digest = CONTRACT.truncation.digest
    assert digest is not None
    injection = inject([BootstrapFile("AGENTS.md", "/ws/AGENTS.md", text)], CONTRACT, max_chars=max_chars)
    return DigestUse.of(text, injection.files[0], digest)


def test_places_go_to_the_priorities_first() -> None:
    use = use_of(TEA + "h" * 499 + "\n" + ORDER * 12 + "t" * 500, 1_000)
    assert use is not None
    assert use.budget == 350
    assert [candidate.priority for candidate in use.taken] == [True] * 10
    assert use.used == 10 * len(ORDER) - 1
    assert [(candidate.start, candidate.priority) for candidate in use.omitted] == [
        (516 + 10 * len(ORDER), True),
        (516 + 11 * len(ORDER), True),
        (0, False),  # although the head holds it
    ]
    starts = [516 + number * len(ORDER) for number in range(12)]
    left = [350 - number * len(ORDER) for number in range(11)]
    assert use.rooms == dict(zip([*starts, 0], [*left, left[-1], left[-1]], strict=True))
    assert use.by_start[0] == use.omitted[-1]


def test_nothing_taken_uses_nothing() -> None:
    use = use_of("h" * 500 + "\n- " + "long " * 90 + "\n" + "t" * 500, 500)
    assert use is not None
    assert (use.taken, use.used, len(use.omitted)) == ((), 0, 1)


@pytest.mark.parametrize(("max_chars", "budget"), [(152, None), (153, 53)])
def test_no_budget_where_the_markers_leave_one_character_of_the_head(
    max_chars: int, budget: int | None
) -> None:
    use = use_of("h" * 400 + "\n- must ask\n" + "t" * 400, max_chars)
    assert use is not None
    assert use.budget == budget
    assert bool(use.rooms) == (budget is not None)


def test_a_file_that_arrives_whole_uses_no_digest() -> None:
    assert use_of(TEA, 1_000) is None
