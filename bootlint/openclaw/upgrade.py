"""What the upgrade to 2026.8.1 or later makes of a workspace: TOOLS.md becomes part of AGENTS.md.

Read in OpenClaw's code, not run: it drops a TOOLS.md that is still the stock one and rewrites some stock sentences,
so a length is right to a few units.
"""

from __future__ import annotations

from bootlint.lazyre import lazy_pattern
from bootlint.openclaw.jstext import trim, trim_end
from bootlint.records import record

_TITLE = "### Local notes (migrated from TOOLS.md)\n\n"
_SECTION = lazy_pattern(r"## +Tools[ \t]*\r?")
_NEXT_SECTION = lazy_pattern(r"#{1,2}\s")
_FENCE = lazy_pattern(r"\s*(?:```|~~~)")


@record
class Merged:
    """AGENTS.md after the upgrade, and where the text of TOOLS.md stands in it. Offsets are code points."""

    text: str
    before: int  # so much of AGENTS.md stands in front of what is put in
    start: int  # where the text of TOOLS.md begins
    end: int
    after: int  # where the rest of AGENTS.md goes on


def merge_tools(agents: str, tools: str) -> Merged:
    """The text of TOOLS.md at the end of the section `## Tools` of AGENTS.md, or in a new one at its end."""
    at = _end_of_section(agents)
    heading = "" if at is not None else "## Tools\n\n"
    head = trim_end(agents if at is None else agents[:at])
    start = len(head) + len("\n\n" + heading + _TITLE)
    inner = trim(tools)
    rest = "" if at is None else agents[at:]
    text = f"{head}\n\n{heading}{_TITLE}{inner}\n" + ("\n" + rest if rest else "")
    return Merged(text, len(head), start, start + len(inner), len(text) - len(rest))


def _end_of_section(agents: str) -> int | None:
    """Where the section `## Tools` ends, outside code; None if there is none."""
    inside = fenced = False
    at = 0
    for line in agents.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and inside and _NEXT_SECTION.match(line):
            return at
        elif not fenced and _SECTION.fullmatch(line):
            inside = True
        at += len(line) + 1
    return len(agents) if inside else None
