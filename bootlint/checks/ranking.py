"""Why the digest does not rank a priority rule of AGENTS.md. Knows lines and keywords, not budgets or fates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bootlint.openclaw.digest import is_candidate, is_priority

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bootlint.checks.context import Context
    from bootlint.workspace import TextFile


@dataclass(frozen=True, slots=True)
class Gap:
    """What keeps a line from being ranked: the most helpful of the things that can be said of it."""

    kind: Literal["near-miss", "not-candidate", "unranked"]
    words: tuple[str, ...] = ()  # near misses, as they are written
    keywords: tuple[str, ...] = ()  # those that would count in their place


def gap_of(context: Context, file: TextFile, line: int) -> Gap | None:
    """None where the release ranks the 1-based line, or has no digest for the file, or the line is no priority rule."""
    from bootlint.language import near_misses

    reading = context.rule_lines(file).get(line)
    digest = context.digest if file.name == "AGENTS.md" else None
    text = file.source.lines[line - 1]
    if reading is None or not reading.is_priority or digest is None or is_priority(text, digest):
        return None
    missed = [miss for miss in near_misses(text, reading) if is_priority(miss.keyword, digest)]
    if missed:
        return Gap(
            "near-miss", _unique(miss.text for miss in missed), _unique(miss.keyword for miss in missed)
        )
    return Gap("unranked" if is_candidate(text, digest) else "not-candidate")


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
