"""The quick looks at a text rule out no word that stands in it."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from bootlint.security.phrases import Haystack

WORDS = ("token", "api key", "client_secret", "never ever", "is not", "密码", "不 要", "绝不", "i'm", "...")
TEXTS = st.lists(
    st.sampled_from(
        (*WORDS, "API\u00a0Key", "TO\u212aEN", "I\u2019m", "İ", "x", "_", " ", "\n", "不", "。", ".", "9")
    )
).map("".join)


@given(TEXTS)
@example("CL\u0130ENT_SECRET")
def test_no_word_is_ruled_out_that_stands_there(text: str) -> None:
    haystack = Haystack(text)
    standing = {word for word in WORDS if haystack.places([word])}
    assert standing <= haystack.held(WORDS)
    assert {word for word in WORDS if word in haystack.folded} <= set(filter(haystack.may_contain, WORDS))


def test_most_words_are_ruled_out_that_do_not_stand_there() -> None:
    haystack = Haystack("Tokens: 密, 码. A client's secret, not the key of the API.")
    assert haystack.held(WORDS) == set()
    assert set(filter(haystack.may_contain, WORDS)) == {"token", "api key", "client_secret", "..."}
