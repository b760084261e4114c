"""BL0: what keeps bootlint itself from seeing a workspace as it is."""

from __future__ import annotations

from collections.abc import Iterator

from bootlint.checks.context import Context
from bootlint.diagnostics import Finding, Span


def unreadable_file(context: Context) -> Iterator[Finding]:
    """A bootstrap file is there, but cannot be read as text."""
    for file in context.workspace.files.values():
        if not file.source.valid_utf8:
            at = file.source.text.index("\ufffd")
            params = {"file": file.path, "line": file.source.line_of(at)}
            yield Finding(file.path, Span(at, at + 1), params)
    for path, reason in context.workspace.unreadable.items():
        if not _left_to_refused_link(context, path, reason):
            yield Finding(path, Span(0, 0), {"file": path}, variant=reason)


def _left_to_refused_link(context: Context, path: str, reason: str) -> bool:
    """Is it a link that this release refuses too? Then BL305 says so, and what it costs."""
    loading = context.simulation.contract.loading
    return reason == "link-outside" and loading.outer_links == "fail" and path in loading.names
