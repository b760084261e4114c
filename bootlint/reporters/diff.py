"""What a change does to what the model receives: as text, JSON (schema version 1) or Markdown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bootlint.reporters.markdown import escaped
from bootlint.wording import Language, phrase, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bootlint.changes import FileChange, LineChange, WorkspaceChange

FORMATS = ("text", "json", "markdown")

_GROUPS = ("newly_lost", "newly_reached", "added", "removed", "other_lines")
_MOST_LINES = 20  # of one group in text and Markdown


def render(output_format: str, changes: Sequence[WorkspaceChange], language: Language) -> str:
    if output_format == "json":
        return (
            json.dumps(
                {"schema_version": 1, "workspaces": [change_document(change) for change in changes]}, indent=2
            )
            + "\n"
        )
    told = [change for change in changes if change.state != "same"]
    if not told:
        return phrase("diff-nothing", language) + "\n"
    lines = _markdown if output_format == "markdown" else change_lines
    return "".join(f"{line}\n" for change in told for line in lines(change, language))


def change_lines(change: WorkspaceChange, language: Language) -> Iterator[str]:
    """One workspace's change in text."""
    yield _headline(change, language)
    for file in change.files:
        if file.before != file.after:
            yield "  " + _sizes(file, language)
    for group in _GROUPS:
        lines: tuple[LineChange, ...] = getattr(change, group)
        if lines:
            yield f"  {_title(group, change, len(lines), language)}"
            yield from (
                f"    {printable(_place(line))}: {printable(line.text)}" for line in lines[:_MOST_LINES]
            )
            if len(lines) > _MOST_LINES:
                yield f"    {phrase('diff-more', language, count=len(lines) - _MOST_LINES)}"


def _markdown(change: WorkspaceChange, language: Language) -> Iterator[str]:
    yield f"### {escaped(_headline(change, language))}"
    yield ""
    for file in change.files:
        if file.before != file.after:
            yield f"- {escaped(_sizes(file, language))}"
    for group in _GROUPS:
        lines: tuple[LineChange, ...] = getattr(change, group)
        if lines:
            yield ""
            yield f"**{escaped(_title(group, change, len(lines), language))}**"
            yield ""
            yield from (f"- {escaped(_place(line))}: {escaped(line.text)}" for line in lines[:_MOST_LINES])
            if len(lines) > _MOST_LINES:
                yield f"- {phrase('diff-more', language, count=len(lines) - _MOST_LINES)}"
    yield ""


def _headline(change: WorkspaceChange, language: Language) -> str:
    return phrase(
        f"diff-{change.state}",
        language,
        workspace=change.workspace,
        release=change.release,
        session=change.session,
        reached_before=change.reached_before,
        rules_before=change.rules_before,
        reached_after=change.reached_after,
        rules_after=change.rules_after,
    )


def _sizes(file: FileChange, language: Language) -> str:
    return phrase(
        "diff-file",
        language,
        file=file.path,
        raw_before=file.before.raw_chars,
        raw_after=file.after.raw_chars,
        lost_before=file.before.lost_chars,
        lost_after=file.after.lost_chars,
        headroom_before=file.before.headroom or 0,
        headroom_after=file.after.headroom or 0,
    )


def _title(group: str, change: WorkspaceChange, count: int, language: Language) -> str:
    grown = tuple(f"{file.path} +{file.after.raw_chars - file.before.raw_chars:,}" for file in change.grown)
    key = "diff-newly_lost-grown" if group == "newly_lost" and grown else f"diff-{group}"
    return phrase(key, language, count=count, grown=grown)


def _place(line: LineChange) -> str:
    fates = f"{line.before or '·'} → {line.after or '·'}"
    return f"{line.path}:{line.line} ({fates})"


def change_document(change: WorkspaceChange) -> dict[str, object]:
    """One workspace's change as a JSON object."""
    return {
        "workspace": change.workspace,
        "state": change.state,
        "release": change.release,
        "session": change.session,
        "priority_rules": {"before": change.rules_before, "after": change.rules_after},
        "reached": {"before": change.reached_before, "after": change.reached_after},
        "files": [_file(file) for file in change.files],
        **{group: [_line(line) for line in getattr(change, group)] for group in _GROUPS},
        "grown": [file.path for file in change.grown],
    }


def _file(file: FileChange) -> dict[str, object]:
    sides = (("before", file.before), ("after", file.after))
    return {
        "path": file.path,
        **{
            side: {
                "raw_chars": size.raw_chars,
                "injected_chars": size.injected_chars,
                "lost_chars": size.lost_chars,
                "headroom": size.headroom,
            }
            for side, size in sides
        },
    }


def _line(line: LineChange) -> dict[str, object]:
    return {
        "path": line.path,
        "line": line.line,
        "text": line.text,
        "before": line.before,
        "after": line.after,
    }
