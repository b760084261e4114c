"""OpenClaw's own marks in a text that should hold none: an agent wrote back what it had received.

Owns the form of the marks of every release; `tests/test_markers.py` holds it against what `openclaw` makes.
A mark that is quoted, in a code span or a block of code, is none. Offsets are code points.
"""

from __future__ import annotations

from bisect import bisect_right

from bootlint.diagnostics import Span
from bootlint.lazyre import lazy_pattern
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from bootlint.workspace import TextFile


@record
class Mark:
    """A mark and, where it says so, how many UTF-16 units of how many had been kept."""

    span: Span
    replaces_file: bool = False  # OpenClaw puts it in place of a whole file
    kept: int | None = None
    total: int | None = None


# Marks that stand on a line of their own. Without one of the hints, a text has no mark.
_N = "[0-9]{1,12}"
_LINES = lazy_pattern(
    r"\[\.\.\.truncated, read .+ for full content\.\.\.\]"
    rf"|…\(truncated .+: kept (?P<head>{_N})\+(?:policy (?P<policy>{_N})\+)?(?P<tail>{_N}) chars of (?P<total>{_N})\)…"
    rf"|\[Policy digest from AGENTS\.md\]|\[\.\.\.{_N} more policy lines omitted\.\.\.\]"
    r"|\[MISSING\] Expected at: .+|\[UNREADABLE: .+\]"
)
_INSIDE = lazy_pattern(rf"\[…truncated (?P<head>{_N})\+(?P<tail>{_N})/(?P<total>{_N})\]")
_HINTS = (
    "truncated",
    "[Policy digest",
    " more policy lines omitted",
    "[MISSING] Expected at",
    "[UNREADABLE: ",
)


def find(file: TextFile) -> Iterator[Mark]:
    """The marks of a file, in order."""
    from bootlint.document import protected_spans

    text = file.source.text
    if not any(hint in text for hint in _HINTS):
        return
    for number, line in enumerate(file.source.lines):
        if file.document.kinds[number] == "code" or not any(hint in line for hint in _HINTS):
            continue
        start = file.source.line_starts[number]
        if match := _LINES.fullmatch(line.strip()):
            offset = start + len(line) - len(line.lstrip())
            yield _mark(match, offset)
            continue
        quoted = protected_spans(line)
        for match in _INSIDE.finditer(line):
            before = bisect_right(quoted, (match.start(), len(line))) - 1
            if before < 0 or quoted[before][1] <= match.start():
                yield _mark(match, start)


def _mark(match: re.Match[str], offset: int) -> Mark:
    span = Span(offset + match.start(), offset + match.end())
    numbers = {name: int(value) for name, value in match.groupdict().items() if value}
    if "total" not in numbers:
        return Mark(span, replaces_file=match[0].startswith(("[MISSING]", "[UNREADABLE:")))
    return Mark(
        span, kept=sum(numbers.get(part, 0) for part in ("head", "policy", "tail")), total=numbers["total"]
    )
