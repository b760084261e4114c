"""What a text costs in a session: characters, the tokens that OpenClaw reckons, and those of a real tokenizer.

Knows texts only, neither files nor sessions. Characters are UTF-16 units. The tokenizer is the optional extra
`tokens`; its vocabulary stands in its package, so that nothing is fetched.
"""

from __future__ import annotations

import re

from bootlint.openclaw.jstext import utf16_len
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    TokenCounter = Callable[[str], int | None]

ENCODING = "o200k_base"  # of OpenAI's models since 2024; most other providers publish none


@record
class Cost:
    """What one text, or several one after the other, cost."""

    chars: int
    tokens: int | None = None  # None: no tokenizer, or a text that it does not take

    @property
    def estimated_tokens(self) -> int:
        """What OpenClaw's `/context` shows: a quarter of the characters, rounded up, whatever the language."""
        return -(-self.chars // 4)


def cost(texts: Iterable[str], count: TokenCounter | None) -> Cost:
    """The cost of texts that stand apart from each other."""
    texts = tuple(texts)
    chars = sum(map(utf16_len, texts))
    if count is None:
        return Cost(chars)
    counts = [tokens for tokens in map(count, texts) if tokens is not None]
    return Cost(chars, sum(counts) if len(counts) == len(texts) else None)


def token_counter() -> TokenCounter | None:
    """Counts the tokens of a text in `ENCODING`; None where the extra `tokens` is not installed.

    The counter answers None for a text with a stretch that the tokenizer refuses: some 200,000 tokens without
    a line that begins with a letter or a mark.
    """
    try:
        from bpe_openai import get_encoding
    except ImportError:
        return None
    from functools import cache

    encode: Callable[[str], list[int]] = get_encoding(ENCODING).encode_ordinary

    @cache  # a file is mostly the same in several session kinds
    def count(text: str) -> int | None:
        try:
            return sum(len(encode(stretch)) for stretch in stretches(text, _STRETCH))
        except ValueError:
            return None

    return count


_STRETCH = 40_000


def stretches(text: str, least: int) -> Iterator[str]:
    r"""The text in stretches of at least so many code points, cut where no token of `ENCODING` reaches across.

    A token may hold line ends, but then nothing follows them save blanks and slashes.
    """
    start = 0
    for border in re.finditer(r"(?<=\n)(?=[^\s/])", text):
        if border.start() - start >= least:
            yield text[start : border.start()]
            start = border.start()
    yield text[start:]
