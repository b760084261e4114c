"""What the model receives, as JSON, schema version 1 (documented in the README). The HTML is made of the same views."""

from __future__ import annotations

from bootlint.openclaw.jstext import joined
from bootlint.reporters.basis import origin_words
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bootlint.cost import Cost
    from bootlint.diagnostics import Position
    from bootlint.overview import Excerpt, FileOverview, Overview
    from bootlint.workspace import TextFile


def document(overviews: Sequence[Overview]) -> dict[str, object]:
    """The views of one workspace in one release, at least one.

    One view's fields stand at the top, those of several under `sessions`. Each source stands in it once.
    """
    sessions = [_session(view, _lines) for view in overviews]
    return {**_frame(overviews), **(sessions[0] if len(sessions) == 1 else {"sessions": sessions})}


def page_document(overviews: Sequence[Overview]) -> dict[str, object]:
    """The same for the HTML page, always under `sessions`: runs of lines instead of each, as files may be large."""
    return {**_frame(overviews), "sessions": [_session(view, _runs) for view in overviews]}


def _frame(overviews: Sequence[Overview]) -> dict[str, object]:
    first = overviews[0]
    return {
        "schema_version": 1,
        "release": first.release,
        "known_as": first.known_as,
        "limits": {
            "max_chars": first.max_chars,
            "total_max_chars": first.total_max_chars,
            "origin": {
                "release": origin_words(first.origins["openclaw"], "en"),
                "max_chars": origin_words(first.origins["max-chars"], "en"),
                "total_max_chars": origin_words(first.origins["total-max-chars"], "en"),
            },
        },
        "tokenizer": first.encoding,
        "sources": {
            view.name: _source(view.file, view.priority_lines)
            for view in first.files
            if view.file is not None
        },
    }


def _lines(file: FileOverview) -> dict[str, object]:
    """What arrives, whole, and the fate of each line."""
    return {
        "content": joined(excerpt.text for excerpt in file.excerpts) if file.excerpts else None,
        "lines": [{"line": line, "fate": fate} for line, fate in enumerate(file.fates, 1)],
    }


def _runs(file: FileOverview) -> dict[str, object]:
    return {"fates": [{"fate": fate, "first": first, "last": last} for fate, first, last in file.runs]}


def _source(file: TextFile, priority_lines: tuple[int, ...]) -> dict[str, object]:
    return {
        "text": file.source.text,
        "headings": [
            {"line": heading.line, "level": heading.level, "title": heading.title}
            for heading in file.document.headings
        ],
        "priority_lines": list(priority_lines),
    }


def _session(view: Overview, fates: Callable[[FileOverview], dict[str, object]]) -> dict[str, object]:
    return {
        "session": view.session,
        "totals": {
            "raw_chars": view.raw_chars,
            "injected_chars": view.injected_chars,
            "lost_chars": view.lost_chars,
            "priority_rules": view.priority_rules,
            "reached": view.reached,
            "start": _cost(view.start),
        },
        "warnings": list(view.warnings),
        "files": [{**_file(file), **fates(file)} for file in view.files],
    }


def _file(file: FileOverview) -> dict[str, object]:
    return {
        "name": file.name,
        "path": file.path,
        "status": file.status,
        "in_context": file.in_context,
        "raw_chars": file.raw_chars,
        "injected_chars": file.injected.chars,
        "lost_chars": file.lost_chars,
        "headroom": file.headroom,
        "limit": file.limit,
        "causes": list(file.causes),
        "injected": _cost(file.injected),
        "parts": {part: _cost(cost) for part, cost in file.parts.items()},
        "excerpts": [_excerpt(excerpt) for excerpt in file.excerpts],
        "lost_rules": sorted(file.lost_rules),
    }


def _cost(cost: Cost) -> dict[str, object]:
    return {"chars": cost.chars, "estimated_tokens": cost.estimated_tokens, "tokens": cost.tokens}


def _excerpt(excerpt: Excerpt) -> dict[str, object]:
    return {"part": excerpt.part, "text": excerpt.text, "source": _region(excerpt.source)}


def _region(source: tuple[Position, Position] | None) -> dict[str, object] | None:
    if source is None:
        return None
    start, end = source
    return {"line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column}
