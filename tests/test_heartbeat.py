"""Which heartbeat texts count as empty: the recordings, one table, and any text at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootlint.openclaw.heartbeat import heartbeat_is_empty
from bootlint.openclaw.releases import contract
from golden_rows import Row, record, rows
from linear_time import assert_linear

H1, H2, H3 = "2026.4.9", "2026.6.1", "2026.9.6"


@pytest.mark.parametrize("row", list(rows("heartbeat")), ids=str)
def test_golden(row: Row) -> None:
    expected = record(row.data["expected"])["empty"]
    assert heartbeat_is_empty(row.data["content"], contract(row.release)) is expected


@pytest.mark.parametrize(
    ("text", "h1", "h2", "h3"),
    [
        ("", True, True, True),
        ("# all words behind a hash\n\n- \n* [ ]\n+ [x]", True, True, True),
        ("#no-heading", False, False, False),
        ("- [ ] task", False, False, False),
        ("```md\n```", False, True, True),
        ("```md x", False, False, False),
        ("<!-- note -->", False, False, True),
        ("<!-- from\nhere\nto --> # here", False, False, True),
        ("<!-- a --><!-- b --> do it", False, False, False),
        ("do it <!-- later -->", False, False, False),
        ("-->", False, False, False),
        (None, False, False, False),
        (["# list"], False, False, False),
    ],
)
def test_what_counts_as_empty(text: object, h1: bool, h2: bool, h3: bool) -> None:
    verdicts = tuple(heartbeat_is_empty(text, contract(release)) for release in (H1, H2, H3))
    assert verdicts == (h1, h2, h3)


@given(st.text(st.characters(exclude_categories=()) | st.sampled_from("#-*+[] xX`<!>\n\r\u2028")))
def test_a_later_release_ignores_more(text: str) -> None:
    h1, h2, h3 = (heartbeat_is_empty(text, contract(release)) for release in (H1, H2, H3))
    assert h1 <= h2 <= h3


@pytest.mark.parametrize("unit", ["<!--->", "<!-- -->", "<!-- ", "#", "-\u3000", "```\n", "\n"])
def test_takes_linear_time(unit: str) -> None:
    assert_linear(lambda text: heartbeat_is_empty(text, contract(H3)), unit)
