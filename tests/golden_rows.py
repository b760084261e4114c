"""The recordings of the real program in `tests/golden`, row by row. It knows files and eras, no behaviour."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

GOLDEN = Path(__file__).parent / "golden"

JsonObject = dict[str, object]


@dataclass(frozen=True, slots=True)
class Row:
    """One recorded run. Strings in `data` may hold lone surrogates, as JavaScript strings can."""

    file: str  # relative to tests/golden, without suffix: `more/e01-2026.1.29`
    id: str
    release: str  # test it on this one
    data: JsonObject

    def __str__(self) -> str:
        return f"{self.file}:{self.id}@{self.release}"


def rows(facet: str) -> Iterator[Row]:
    """Every row of a facet of `releases.json`: `truncation`, `limits`, `load`, `sessions`, `prompt`, ...

    A row that was recorded on one release comes once, for that release. Another one holds for all releases of
    its era and comes twice, for the first and the last of them.
    """
    for era, releases in eras(facet).items():
        for path in sorted(GOLDEN.rglob(f"*{era}.jsonl.gz")):
            file = path.relative_to(GOLDEN).as_posix().removesuffix(".jsonl.gz")
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    data = record(json.loads(line))
                    own = data.get("release")
                    tested = (releases[0], releases[-1]) if own is None else (text(own),)
                    for release in dict.fromkeys(tested):
                        yield Row(file, text(data["id"]), release, data)


def eras(facet: str) -> dict[str, list[str]]:
    """The releases of each era of a facet, in the order of `releases.json`; those without it are left out."""
    grouped: dict[str, list[str]] = {}
    for release, facets in recorded_releases().items():
        era = facets[facet]
        if era is not None:
            grouped.setdefault(era, []).append(release)
    return grouped


def recorded_releases() -> dict[str, dict[str, str | None]]:
    """Each recorded release and its era in each facet (None: the release lacks the facet)."""
    found = json.loads((GOLDEN / "releases.json").read_text("utf-8"))
    return cast("dict[str, dict[str, str | None]]", found)


# JSON values are `object` to the type checker; these say what a key holds and fail where it does not.


def text(value: object) -> str:
    assert isinstance(value, str), value
    return value


def optional_text(value: object) -> str | None:
    return None if value is None else text(value)


def number(value: object) -> int | float:
    assert isinstance(value, int | float), value
    return value


def optional_number(value: object) -> int | float | None:
    return None if value is None else number(value)


def record(value: object) -> JsonObject:
    assert isinstance(value, dict), value
    return value


def records(value: object) -> list[JsonObject]:
    assert isinstance(value, list), value
    return [record(item) for item in value]


def texts(value: object) -> list[str]:
    assert isinstance(value, list), value
    return [text(item) for item in value]
