"""Regular expressions that a user wrote: understood by `regex`, and given up when they take too long.

Knows nothing of rules and files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bootlint.diagnostics import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS = 0.5  # for one pattern in one text


class PatternTooSlowError(Exception):
    """A pattern that did not come to an end in time."""


def fault(pattern: str) -> str | None:
    """Why a pattern cannot be used, None if it can."""
    import regex

    try:
        compiled = regex.compile(pattern, regex.IGNORECASE | regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError) as error:
        return f"{pattern!r} is no regular expression: {error}"
    if compiled.match("") is not None:
        return f"{pattern!r} matches everything, even where nothing stands"
    return None


def search(pattern: str, text: str) -> Iterator[Span]:
    """Where a pattern without `fault` matches, case ignored, `^` and `$` at every line.

    Raises PatternTooSlowError when it takes longer than `SECONDS`.
    """
    import regex

    try:
        for match in regex.compile(pattern, regex.IGNORECASE | regex.MULTILINE).finditer(
            text, timeout=SECONDS
        ):
            if match.end() > match.start():
                yield Span(*match.span())
    except TimeoutError as error:
        raise PatternTooSlowError(pattern) from error
