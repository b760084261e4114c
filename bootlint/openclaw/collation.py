"""The order of JavaScript's `localeCompare`: ICU's root collation, as far as file names need it.

Exact for ASCII, for Latin letters with common accents and for everyday Chinese (U+4E00 to U+9FA5). Elsewhere
it keeps what the collation is built on (white space, punctuation, symbols, currency, digits by value, then
letters; accents before case) and takes code points within each group: wrong for rare signs and letters.
"""

from __future__ import annotations

import unicodedata

# What tells two names apart, in this order: letters, accents, case.
Key = tuple[tuple[tuple[int, int], ...], tuple[int, ...], tuple[bool, ...]]

_CONTROL_SPACES = "\t\n\v\f\r\x85"
_SIGN_ORDER = (
    _CONTROL_SPACES + "\u2028\u2029 _-–—,、;:!?.。·'‘’\"“”()[]{}〈〉《》「」『』【】§@*/\\&#%•`^+<=>|~¢$£¥€"
)
_ACCENT_ORDER = "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304"
_SIGNS = {char: place for place, char in enumerate(_SIGN_ORDER)}
_ACCENTS = {char: place for place, char in enumerate(_ACCENT_ORDER, start=1)}

_SPACE, _PUNCTUATION, _SYMBOL, _CURRENCY, _DIGIT, _LETTER = range(6)
_GROUPS = {"Cc": _SPACE, "Sc": _CURRENCY, "Z": _SPACE, "P": _PUNCTUATION, "S": _SYMBOL, "N": _DIGIT}


def collation_key(text: str) -> Key:
    """Sorts as `localeCompare` in an English locale. Texts that differ in ignorable signs alone are equal."""
    letters: list[tuple[int, int]] = []
    accents: list[int] = []
    capitals: list[bool] = []
    for char in unicodedata.normalize("NFKD", text):
        category = unicodedata.category(char)
        if category[0] == "M":
            accents.append(_ACCENTS.get(char, ord(char)))
        elif category not in ("Cc", "Cf") or char in _CONTROL_SPACES:
            letters.append(_weight(char, category))
            accents.append(0)
            capitals.append(char != char.lower())
    return tuple(letters), tuple(accents), tuple(capitals)


def _weight(char: str, category: str) -> tuple[int, int]:
    """The group and the place in it: listed signs first, then code points."""
    group = _GROUPS.get(category, _GROUPS.get(category[0], _LETTER))
    if char in _SIGNS:
        return group, _SIGNS[char]
    if category == "Nd":
        return group, unicodedata.decimal(char)
    return group, ord(char.lower())
