"""BL3: the workspace's folder and the files in it."""

from __future__ import annotations

from collections.abc import Iterator

from bootlint.checks.context import Context
from bootlint.diagnostics import Finding, Span

# OpenClaw tells people to delete it once set-up is done: its absence is no fault.
_MEANT_TO_GO = "BOOTSTRAP.md"


def missing_file(context: Context) -> Iterator[Finding]:
    """A file that the release asks for is absent, and a marker that costs budget stands in its place."""
    for file in context.simulation.sent:
        injected = context.simulation.injected.get(file.name)
        if file.content is None and injected is not None and file.name != _MEANT_TO_GO:
            if file.name in context.workspace.entries:
                continue  # there, but refused: that is another rule's finding
            yield Finding(
                file.name,
                Span(0, 0),
                {
                    "file": file.name,
                    "release": context.simulation.contract.release,
                    "cost": injected.injected_chars,
                },
            )
