"""When OpenClaw takes a heartbeat text for empty and skips the run.

Knows the text alone: which release reads HEARTBEAT.md at all is said by `contract.loading.names`.
"""

from __future__ import annotations

from bootlint.lazyre import lazy_pattern
from bootlint.openclaw.jstext import SPACE_CLASS, WHITESPACE, trim
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.openclaw.contract import Contract

# Matched against trimmed lines. `# words` is a heading to OpenClaw, and so are no words at all.
_HEADING = lazy_pattern(rf"#+(?:[{SPACE_CLASS}]|\Z)")
_BARE_ITEM = lazy_pattern(rf"[-*+][{SPACE_CLASS}]*(?:\[[{SPACE_CLASS}Xx]?\][{SPACE_CLASS}]*)?\Z")
_FENCE = lazy_pattern(r"```[A-Za-z0-9_-]*\Z")


def heartbeat_is_empty(text: object, contract: Contract) -> bool:
    """Does the text hold nothing OpenClaw would act on? False for what is no text: a missing file runs."""
    if not isinstance(text, str):
        return False
    rules = contract.heartbeat
    lines = _without_comments(text) if rules.skips_comments else map(trim, text.split("\n"))
    return all(_says_nothing(line, skips_fences=rules.skips_fences) for line in lines)


def _says_nothing(line: str, *, skips_fences: bool) -> bool:
    return (
        not line
        or _HEADING.match(line) is not None
        or _BARE_ITEM.match(line) is not None
        or (skips_fences and _FENCE.match(line) is not None)
    )


def _without_comments(text: str) -> Iterator[str]:
    """The trimmed lines, less comments that start one. What stands behind `-->` is judged as a line."""
    inside = False
    for line in text.split("\n"):
        at = 0
        while at < len(line):
            if line[at] in WHITESPACE:
                at += 1
            elif inside or line.startswith("<!--", at):
                end = line.find("-->", at)
                inside = end < 0
                at = len(line) if inside else end + 3
            else:
                break
        yield trim(line[at:])
