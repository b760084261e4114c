"""Regular expressions that a user wrote: understood by `regex`, and given up when they take too long.

Knows nothing of rules and files.
"""

from __future__ import annotations

import re
from functools import lru_cache
from time import monotonic

from bootlint.diagnostics import Span

SECONDS = 0.5  # for one pattern in a workspace
MOST_PATTERNS = 50
_MOST_CHARS = 500
_MOST_UNROLLED = 20_000  # ten kilobytes of memory each, at worst


def fault(pattern: str) -> str | None:
    """Why a pattern cannot be used, None if it can."""
    import regex

    if len(pattern) > _MOST_CHARS:
        return f"{pattern[:20]!r}… is longer than {_MOST_CHARS} characters"
    if _unrolled(pattern) > _MOST_UNROLLED:
        return f"{pattern!r} repeats too much; lower the counts in braces"
    try:
        compiled = regex.compile(pattern, regex.IGNORECASE | regex.MULTILINE)
        matches_nothing = compiled.match("", timeout=SECONDS) is not None
    except (regex.error, RecursionError, OverflowError) as error:
        return f"{pattern!r} is no regular expression: {error}"
    except TimeoutError:
        return f"{pattern!r} takes too long even where nothing stands"
    if matches_nothing:
        return f"{pattern!r} matches everything, even where nothing stands"
    return None


def _unrolled(pattern: str) -> int:
    """At least how many pieces `regex` makes of a pattern: what is repeated `{n}` times stands n times in its code.

    A group may hold groups that are repeated too, a single character may not. Over-estimates, whatever the syntax.
    """
    groups, single = 1, 1
    for before, count in re.findall(r"(?s)(.?)\{([^},]*)", pattern):
        digits = re.sub(r"[^0-9]", "", count)
        times = max(1, int(digits or 1))
        if before.isalnum() or before in ("]", "_"):
            single = max(single, times)
        else:
            groups *= times
    return len(pattern) * groups * single


@lru_cache(maxsize=2 * MOST_PATTERNS)  # repairs look at the same texts again and again
def search(pattern: str, texts: tuple[str, ...]) -> tuple[tuple[Span, ...], ...]:
    """Where a pattern without `fault` matches in each text, case ignored, `^` and `$` at every line.

    Fewer than there are texts when it takes longer than `SECONDS`: the next one was too much.
    """
    import regex

    compiled = regex.compile(pattern, regex.IGNORECASE | regex.MULTILINE)
    end = monotonic() + SECONDS
    found: list[tuple[Span, ...]] = []
    try:
        for text in texts:
            matches = compiled.finditer(text, timeout=max(0.0, end - monotonic()))
            found.append(tuple(Span(*match.span()) for match in matches if match.end() > match.start()))
    except TimeoutError:
        pass
    return tuple(found)
