"""Where the rectangles of a map stand: files, in them what arrives of each, by parts, and what is lost beside it.

Every area is in proportion to its number of characters. Knows numbers only; how a cell looks is the page's.
"""

from __future__ import annotations

from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bootlint.overview import FileOverview

_Key = TypeVar("_Key")


@record
class Rect:
    """In the units of the map that it stands in."""

    x: float
    y: float
    width: float
    height: float


def cells(
    files: Sequence[FileOverview], width: float, height: float
) -> Iterator[tuple[int, str | None, Rect]]:
    """Index of the file, part, and place; part None is the frame around a whole file, which follows its parts."""
    amounts = {at: _amounts(file) for at, file in enumerate(files)}
    sums = {at: sum(parts.values()) for at, parts in amounts.items()}
    largest_first = dict(sorted(sums.items(), key=lambda item: -item[1]))
    for at, whole in _shared(largest_first, Rect(0, 0, width, height)):
        lost = amounts[at].pop("lost")
        for side, rect in _shared({"arrives": sums[at] - lost, "lost": lost}, whole):
            if side == "lost":
                yield at, "lost", rect
            else:
                yield from ((at, part, inner) for part, inner in _shared(amounts[at], rect))
        yield at, None, whole


def _amounts(file: FileOverview) -> dict[str, int]:
    parts: Mapping[str, int] = {part: cost.chars for part, cost in file.parts.items()}
    return {**parts, "lost": file.lost_chars}


def _shared(amounts: Mapping[_Key, int], rect: Rect) -> Iterator[tuple[_Key, Rect]]:
    """The rectangle cut up among the amounts that are not 0, in their order."""
    from squarify import normalize_sizes, squarify

    keys = [key for key, amount in amounts.items() if amount]
    sizes = normalize_sizes([amounts[key] for key in keys], rect.width, rect.height)
    places = squarify(sizes, rect.x, rect.y, rect.width, rect.height)
    for key, place in zip(keys, places, strict=True):
        yield key, Rect(place["x"], place["y"], place["dx"], place["dy"])
