r"""JavaScript string semantics on Python strings: UTF-16 lengths and slices, trim, `\s`, `\b` and `/iu`.

A JavaScript string is a sequence of UTF-16 units. Here it is a `str` in which a whole pair is one code point
and a lone surrogate is itself. Slicing may split a pair; `joined` puts halves that meet together again.
"""

from __future__ import annotations

from collections.abc import Iterable

# What trim, trimEnd and \s know. Python's own set differs (U+0085, U+001C-1F, U+180E, U+FEFF).
WHITESPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# The same as the inside of a character class of `re`.
SPACE_CLASS = r"\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

# \w under /iu: the long s and the Kelvin sign fold to ASCII letters.
WORD_CLASS = r"A-Za-z0-9_\u017f\u212a"

_LAST_BMP = "\uffff"


def utf16_len(text: str) -> int:
    """The length in UTF-16 units: JavaScript's `.length`."""
    if text.isascii() or max(text) <= _LAST_BMP:
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_slice(text: str, start: int = 0, end: int | None = None) -> str:
    """`text.slice(start, end)`: offsets in UTF-16 units, negative ones from the end. May split a pair."""
    if text.isascii() or not text or max(text) <= _LAST_BMP:
        return text[start:end]
    units = text.encode("utf-16-le", "surrogatepass")
    length = len(units) // 2
    first, last, _ = slice(start, end).indices(length)
    return units[2 * first : 2 * last].decode("utf-16-le", "surrogatepass")


def safe_head(text: str, units: int) -> str:
    """The first `units` units, less the last one where it would be half of a pair."""
    head = utf16_slice(text, 0, max(0, units))
    return head[:-1] if _splits(text, head) else head


def safe_tail(text: str, units: int) -> str:
    """The last `units` units, less the first one where it would be half of a pair."""
    if units <= 0:
        return ""
    length = utf16_len(text)
    tail = utf16_slice(text, max(0, length - units))
    if tail and units < length and "\udc00" <= tail[0] <= "\udfff":
        before = utf16_slice(text, length - units - 1, length - units)
        if "\ud800" <= before <= "\udbff":
            return tail[1:]
    return tail


def _splits(text: str, head: str) -> bool:
    """Does `head`, a slice from the start of `text`, end in the first half of a pair of `text`?"""
    return bool(head) and "\ud800" <= head[-1] <= "\udbff" and len(head) <= len(text) and text[len(head) - 1] > _LAST_BMP


def trim(text: str) -> str:
    return text.strip(WHITESPACE)


def trim_end(text: str) -> str:
    return text.rstrip(WHITESPACE)


def trim_start(text: str) -> str:
    return text.lstrip(WHITESPACE)


def joined(parts: Iterable[str], separator: str = "") -> str:
    """`parts.join(separator)`, halves of a pair that meet made whole as they are in JavaScript."""
    return whole(separator.join(parts))


def whole(text: str) -> str:
    """`text` with adjacent surrogate halves put together, which is how JavaScript sees them."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in set(text)):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
