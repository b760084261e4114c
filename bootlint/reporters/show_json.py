"""What the model receives, as JSON, schema version 1 (documented in the README). The HTML is made of the same."""

from __future__ import annotations

from collections.abc import Sequence

from bootlint.overview import FileOverview, Overview


def document(overviews: Sequence[Overview]) -> dict[str, object]:
    """One session's document, or, for several, the documents of all under `sessions`."""
    if len(overviews) == 1:
        return {"schema_version": 1, **_session(overviews[0])}
    return {"schema_version": 1, "sessions": [_session(view) for view in overviews]}


def _session(view: Overview) -> dict[str, object]:
    return {
        "release": view.release,
        "session": view.session,
        "limits": {
            "max_chars": view.max_chars,
            "total_max_chars": view.total_max_chars,
            "origin": {
                "release": view.origins["openclaw"],
                "max_chars": view.origins["max-chars"],
                "total_max_chars": view.origins["total-max-chars"],
            },
        },
        "totals": {
            "raw_chars": view.raw_chars,
            "injected_chars": view.injected_chars,
            "lost_chars": view.lost_chars,
            "priority_rules": view.priority_rules,
            "reached": view.reached,
        },
        "warnings": list(view.warnings),
        "files": [_file(file) for file in view.files],
    }


def _file(file: FileOverview) -> dict[str, object]:
    return {
        "name": file.name,
        "path": file.path,
        "status": file.status,
        "raw_chars": file.raw_chars,
        "injected_chars": file.injected_chars,
        "lost_chars": file.lost_chars,
        "headroom": file.headroom,
        "limit": file.limit,
        "causes": list(file.causes),
        "parts": dict(file.parts),
        "content": file.content,
        "lines": [{"line": line, "fate": fate} for line, fate in enumerate(file.fates, 1)],
    }
