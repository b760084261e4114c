"""Letters that look like Latin ones and are none. A name may hold them, or a word."""

from __future__ import annotations

# Greek and Cyrillic letters by the Latin letter that they look like.
TWINS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХӀаеѕіјкмнорсгтухвпԁһԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧονικρτυχαεγη",
    "ABESIJKMHOPCTYXIaesijkmhopcrtyxbndhqwlABEZHIKMNOPTYXovikptuxaeyn",
)


def latin(text: str) -> str:
    """What a reader takes the text for: twins and full-width letters as Latin ones, nothing that does not show."""
    if text.isascii():
        return text
    import unicodedata  # for few names

    plain = unicodedata.normalize("NFKC", text).translate(TWINS)
    return "".join(char for char in plain if unicodedata.category(char) != "Cf")
