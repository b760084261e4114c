"""How one text is cut to a limit: head, markers, digest and tail, as parts that know where they came from.

Knows nothing of other files or of the total (`truncation`), nor which lines the digest takes (`digest`).
Limits and lengths are UTF-16 units, offsets code points.
"""

from __future__ import annotations

import math

from bootlint.openclaw.digest import Candidates, share
from bootlint.openclaw.jstext import Utf16, halves, number_text, utf16_len
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bootlint.openclaw.contract import Digest, Truncation

PieceKind = Literal[
    # The file's own text: as it stands; a digest line in normal form, and the prose line that it brings.
    "head", "tail", "digest", "prose",
    # OpenClaw's: what it says of a cut and of the digest, a line break between two pieces, and the half of a
    # character through which an old release cut.
    "marker", "notice", "join", "half",
    # OpenClaw's text in place of the file's.
    "missing", "unreadable",
]  # fmt: skip


class Part(NamedTuple):
    """A piece that does not stand in its place yet. `source` and `is_cut` are those of a Piece."""

    kind: PieceKind
    text: str
    source: tuple[int, int] | None = None
    is_cut: bool = False


def cut(name: str, text: Utf16, limit: float, rules: Truncation) -> list[Part]:
    """The parts that stay of a text longer than its limit. Old releases may return more than the limit."""
    if rules.digest is not None and name.lower() == "agents.md":
        return _with_digest(text, limit, rules.digest, safe=rules.safe_cuts)
    if rules.marker_fits_limit:
        return _balanced(name, text, limit, safe=rules.safe_cuts)
    return _marker_on_top(name, text, limit)


def clamped(parts: list[Part], room: float) -> list[Part]:
    """The parts within a room of at least 1, an ellipsis in place of what is over. Never halves a pair."""
    if length(parts) <= room:
        return parts
    units = int(room)
    return _first(parts, units) if units <= 3 else [*_first(parts, units - 1), Part("marker", "…")]


def length(parts: Iterable[Part]) -> int:
    return utf16_len("".join(part.text for part in parts))


# --- stretches of a text -----------------------------------------------------------------------------------


def _head(text: Utf16, units: float, *, safe: bool) -> list[Part]:
    at, halved = text.at(math.floor(units))
    parts = [Part("head", text.text[:at], (0, at))] if at else []
    return [*parts, Part("half", halves(text.text[at])[0])] if halved and not safe else parts


def _tail(text: Utf16, units: float, *, safe: bool) -> list[Part]:
    """A fraction of a unit, as a fractional limit can leave it, counts where cuts are safe, else not."""
    return _from(text, text.length - (math.ceil(units) if safe else math.floor(units)), safe=safe)


def _from(text: Utf16, offset: int, *, safe: bool) -> list[Part]:
    """The text from an offset in units on."""
    at, halved = text.at(offset)
    start, end = at + halved, len(text.text)
    parts = [Part("tail", text.text[start:], (start, end))] if start < end else []
    return [Part("half", halves(text.text[at])[1]), *parts] if halved and not safe else parts


def _first(parts: list[Part], units: int) -> list[Part]:
    """The first `units` units, no pair cut in half. No digest line stands where this cut can fall."""
    kept: list[Part] = []
    for part in parts:
        text = Utf16.of(part.text)
        if text.length > units:
            at, _ = text.at(units)
            source = part.source and (part.source[0], part.source[0] + at)
            return [*kept, part._replace(text=part.text[:at], source=source)] if at else kept
        kept.append(part)
        units -= text.length
    return kept


_BREAK = Part("join", "\n")


def _one_per_line(blocks: Iterable[list[Part]]) -> list[Part]:
    """The blocks that hold something, a line break between each two."""
    parts: list[Part] = []
    for block in blocks:
        if block:
            parts += [_BREAK, *block] if parts else block
    return parts


# --- files without a digest --------------------------------------------------------------------------------


def _marker_on_top(name: str, text: Utf16, limit: float) -> list[Part]:
    """70 % head, 20 % tail and the marker besides, offsets counted as `slice` counts negative ones and -0."""
    head = math.floor(limit * 0.7)
    tail = math.floor(limit * 0.2)
    return [
        *_head(text, head if head >= 0 else text.length + head, safe=False),
        _BREAK,
        Part("marker", _full_marker(name, head, tail, text.length)),
        _BREAK,
        *_from(text, text.length - tail if tail > 0 else -tail, safe=False),
    ]


def _balanced(name: str, text: Utf16, limit: float, *, safe: bool) -> list[Part]:
    """75 % head and 25 % tail of what the marker leaves; a short marker where the limit is small."""
    roomy = limit - utf16_len(_full_marker(name, 0, 0, text.length)) - 2 >= 16

    def marker(head: float, tail: float) -> str:
        if roomy:
            return _full_marker(name, head, tail, text.length)
        return f"[…truncated {number_text(head)}+{number_text(tail)}/{text.length}]"

    def besides(head: float, tail: float) -> int:
        breaks = (head > 0) + (tail > 0) if roomy else 0
        return utf16_len(marker(head, tail)) + breaks

    head, tail = 0, 0.0
    for _ in range(3):  # the marker names the two numbers that depend on its length
        left = max(0, limit - besides(head, tail))
        head, tail = math.floor(left * 0.75), math.floor(left * 0.25)
    while (over := head + tail + besides(head, tail) - limit) > 0 and tail > 0:
        tail = max(0, tail - over)
    if head == tail == 0 and 1 + besides(1, 0) <= limit:
        head = 1
    blocks = (
        _head(text, head, safe=safe),
        [Part("marker", marker(head, tail))],
        _tail(text, tail, safe=safe),
    )
    parts = _one_per_line(blocks) if roomy else [part for block in blocks for part in block]
    return _first(parts, int(limit))


def _full_marker(name: str, head: float, tail: float, raw: int) -> str:
    kept = f"kept {number_text(head)}+{number_text(tail)} chars of {raw}"
    return f"\n[...truncated, read {name} for full content...]\n…(truncated {name}: {kept})…\n"


# --- AGENTS.md ---------------------------------------------------------------------------------------------


def _with_digest(text: Utf16, limit: float, digest: Digest, *, safe: bool) -> list[Part]:
    """45 % head, 15 % tail, a digest of up to 35 %. Where the markers are too much, these give way."""
    head: float = math.floor(limit * 0.45)
    tail: float = math.floor(limit * 0.15)
    budget: float = share(limit)
    candidates = Candidates.of(text.text, digest)
    lines = _Lines.chosen(candidates, budget)
    while True:
        parts = _around_digest(text, head, lines, tail, safe=safe)
        over = length(parts) - limit
        if over <= 0:
            return parts
        if tail > 0:
            tail = max(0, tail - over)
        elif head > 1:
            head = max(1, head - over)
        elif budget > 0:
            # By less than 1 it gives way again and again, to no effect until it is below what the lines take.
            budget = max(0, (budget if over >= 1 else length(lines.parts)) - over)
            lines = _Lines.chosen(candidates, budget)
        else:
            return _first(parts, int(limit))


@record
class _Lines:
    """The lines of a digest, and how many candidates it leaves out."""

    parts: list[Part]
    omitted: int

    @classmethod
    def chosen(cls, candidates: Candidates, budget: float) -> _Lines:
        if budget <= 0:
            return cls([], 0)
        chosen = candidates.chosen(budget)
        blocks: list[list[Part]] = []
        for candidate in chosen:
            if candidate.prose is not None:
                blocks.append([_digest_part("prose", candidates, *candidate.prose)])
            blocks.append([_digest_part("digest", candidates, candidate.start, candidate.end)])
        return cls(_one_per_line(blocks), len(candidates.ranked) - len(chosen))


def _digest_part(kind: PieceKind, candidates: Candidates, start: int, end: int) -> Part:
    line, cut_at = candidates.shown(start, end)
    if cut_at is not None:
        return Part(kind, line, (start, cut_at), is_cut=True)
    return Part(kind, line, (start, min(end + 1, len(candidates.text))))


def _around_digest(text: Utf16, head: float, lines: _Lines, tail: float, *, safe: bool) -> list[Part]:
    kept = f"kept {number_text(head)}+policy {length(lines.parts)}+{number_text(tail)} chars of {text.length}"
    return _one_per_line((
        _head(text, head, safe=safe),
        [Part("marker", "[...truncated, read AGENTS.md for full content...]")],
        [Part("notice", "[Policy digest from AGENTS.md]")] if lines.parts else [],
        lines.parts,
        [Part("notice", f"[...{lines.omitted} more policy lines omitted...]")] if lines.omitted else [],
        [Part("marker", f"…(truncated AGENTS.md: {kept})…")],
        _tail(text, tail, safe=safe),
    ))  # fmt: skip
