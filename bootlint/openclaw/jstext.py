r"""JavaScript strings in Python: UTF-16 lengths and slices, trim, `\s`, case as in `/iu`, numbers as text.

A JavaScript string is a sequence of UTF-16 units. Here it is a `str` in which a whole pair is one code point
and a lone surrogate is itself. Slicing may split a pair; `joined` puts halves that meet together again.
"""

from __future__ import annotations

import math
import re

from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# What trim, trimEnd and \s know.
WHITESPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# The same as the inside of a character class of `re`.
SPACE_CLASS = r"\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

_UNLIKE_PYTHON = "\x1c\x1d\x1e\x1f\x85\ufeff"  # blank for one of the languages only
_EXACT = 2**53  # whole numbers below it have all their digits

# --- lengths and slices --------------------------------------------------------------------------------


def utf16_len(text: str) -> int:
    """The length in UTF-16 units: JavaScript's `.length`."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_slice(text: str, start: int = 0, end: int | None = None) -> str:
    """`text.slice(start, end)`: offsets in UTF-16 units, negative ones from the end. May split a pair."""
    if text.isascii():
        return text[start:end]
    units = _units(text)
    first, last, _ = slice(start, end).indices(len(units) // 2)
    return _from_units(units[2 * first : 2 * last])


def safe_head(text: str, units: int) -> str:
    """The first `units` units, less the last one where it would be half of a pair."""
    counted = Utf16.of(text)
    at, _ = counted.at(units)
    return counted.text[:at]


@record
class Utf16:
    """A text with its UTF-16 units at hand, for many cuts of one text."""

    text: str
    length: int  # in units
    _encoded: bytes | None  # None: every code point is one unit

    @classmethod
    def of(cls, text: str) -> Utf16:
        text = whole(text)
        units = text.encode("ascii") if text.isascii() else _units(text)
        length = len(text) if text.isascii() else len(units) // 2
        return cls(text, length, None if length == len(text) else units)

    def at(self, units: int) -> tuple[int, bool]:
        """The code point at an offset in units, and whether the offset halves it.

        Offsets outside the text count as its start or its end. Costs as much as the nearer end is far away.
        """
        units = min(max(0, units), self.length)
        if self._encoded is None:
            return units, False
        if 2 * units <= self.length:
            before = _from_units(self._encoded[: 2 * units])
            halves = bool(before) and before[-1] != self.text[len(before) - 1]
            return len(before) - halves, halves
        after = _from_units(self._encoded[2 * units :])
        at = len(self.text) - len(after)
        return at, bool(after) and after[0] != self.text[at]


def joined(parts: Iterable[str], separator: str = "") -> str:
    """`parts.join(separator)`, halves of a pair that meet made whole as they are in JavaScript."""
    return whole(separator.join(parts))


def whole(text: str) -> str:
    """`text` with adjacent surrogate halves put together, which is how JavaScript sees them."""
    try:
        text.encode("utf-8")  # the quickest way to ask for surrogates
    except UnicodeEncodeError:
        return _from_units(_units(text))
    return text


def halves(pair: str) -> tuple[str, str]:
    """The two surrogates of a code point beyond U+FFFF."""
    units = _units(pair)
    return _from_units(units[:2]), _from_units(units[2:])


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _from_units(units: bytes) -> str:
    return units.decode("utf-16-le", "surrogatepass")


# --- blanks and case -----------------------------------------------------------------------------------


def trim(text: str) -> str:
    return text.strip(WHITESPACE)


def trim_end(text: str) -> str:
    return text.rstrip(WHITESPACE)


def trim_start(text: str) -> str:
    return text.lstrip(WHITESPACE)


def splitter(text: str) -> Callable[[str], list[str]]:
    r"""What splits `text`, and any part of it, at each `\s+`, blanks at both ends left out.

    `str.split` does where the text holds none of the characters that are blank for one language only.
    """
    if any(char in text for char in _UNLIKE_PYTHON):
        return re.compile(f"[^{SPACE_CLASS}]+").findall
    return str.split


def fold(text: str) -> str:
    r"""`text` as `/iu` compares it with ASCII: code point by code point, case gone, `ſ` an s and U+212A a k.

    An ASCII pattern in small letters that is compiled with `re.ASCII` finds in it what `/iu` finds in `text`,
    `\b` and `\w` included. `İ` matches no ASCII letter there, so it must not become an i here.
    """
    if text.isascii():
        return text.lower()
    return text.replace("İ", "ı").lower().replace("ſ", "s")


# --- numbers -------------------------------------------------------------------------------------------


def floor(number: float) -> float:
    """`Math.floor`, which leaves the infinite as it is."""
    return number if math.isinf(number) else math.floor(number)


def number_text(number: float) -> str:
    """A number as JavaScript prints it: the shortest digits, with an exponent from 1e21 on and below 1e-6."""
    if isinstance(number, int) or (number.is_integer() and abs(number) < _EXACT):
        return str(int(number))
    if not math.isfinite(number):
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(number, "NaN")
    digits, _, exponent = repr(number).removesuffix(".0").partition("e")
    if not exponent:
        return digits
    if -7 < int(exponent) < 21:
        from decimal import Decimal

        return format(Decimal(repr(number)), "f")
    return f"{digits}e{int(exponent):+d}"
