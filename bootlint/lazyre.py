"""Regular expressions that are compiled when they are first used.

bootlint holds a hundred of them, a run uses a third; compiling all at import costs 25 ms of CPU, twice the start of
Python itself.
"""

from __future__ import annotations

import re

from bootlint.typed import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from typing import AnyStr


class _Lazy:
    """Stands for a pattern until it is asked for something, then passes on what the compiled pattern has."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        compiled = re.compile(self._source, self._flags)
        for method in ("match", "search", "fullmatch", "finditer", "findall", "sub", "split"):
            setattr(self, method, getattr(compiled, method))  # found without this detour from now on
        self.pattern = compiled.pattern
        return getattr(compiled, name)


def lazy_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """`re.compile(source, flags)`, put off. A fault of the source shows at the first use."""
    return cast("re.Pattern[AnyStr]", _Lazy(source, flags))
