"""What a change does to what the model receives: as text, JSON (schema version 1) or Markdown."""

from __future__ import annotations

from bootlint.changes import NO_FILE
from bootlint.openclaw.fates import REACHED
from bootlint.reporters.jsontext import dump
from bootlint.reporters.markdown import escaped
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import Language, inert, phrase, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bootlint.changes import Conditions, FileChange, FileSize, LineChange, WorkspaceChange

FORMATS = ("text", "json", "markdown")

_GROUPS = ("newly_lost", "newly_reached", "added", "removed", "reworded", "unrendered", "other_lines")
_MOST_LINES = 20  # of one group in text and Markdown
_MOST_CHARS = 160  # of one line there, in code points


def render(output_format: str, changes: Sequence[WorkspaceChange], language: Language) -> str:
    if output_format == "json":
        rows = [change_document(change) for change in changes]
        return dump({"schema_version": 1, "workspaces": rows}, indent=2)
    told = [change for change in changes if change.state != "same" or change.moved_from is not None]
    if not told:
        return phrase("diff-nothing", language) + "\n"
    lines = _markdown if output_format == "markdown" else change_lines
    return "".join(f"{line}\n" for change in told for line in lines(change, language))


def change_lines(change: WorkspaceChange, language: Language) -> Iterator[str]:
    """One workspace's change in text."""
    yield _headline(change, language)
    yield from (f"  {line}" for line in _amounts(change, language))
    for title, lines in _groups(change, language):
        yield f"  {title}"
        yield from (f"    {inert(printable(line))}" for line in lines)


def _markdown(change: WorkspaceChange, language: Language) -> Iterator[str]:
    yield f"### {escaped(_headline(change, language))}"
    yield ""
    yield from (f"- {escaped(line)}" for line in _amounts(change, language))
    for title, lines in _groups(change, language):
        yield ""
        yield f"**{escaped(title)}**"
        yield ""
        yield from (f"- {escaped(line)}" for line in lines)
    yield ""


def _headline(change: WorkspaceChange, language: Language) -> str:
    sides = [side for side in (change.before, change.after) if side is not None]
    return phrase(
        "diff-changed" if change.state == "same" else f"diff-{change.state}",
        language,
        workspace=" → ".join(filter(None, (change.moved_from, change.workspace))),
        release=" → ".join(dict.fromkeys(side.release for side in sides)),
        session=" → ".join(dict.fromkeys(side.session for side in sides)),
        reached_before=change.reached_before,
        rules_before=change.rules_before,
        reached_after=change.reached_after,
        rules_after=change.rules_after,
    )


def _amounts(change: WorkspaceChange, language: Language) -> Iterator[str]:
    """Limits and sizes, where they are not what they were."""
    old, new = change.before, change.after
    if old and new and (old.max_chars, old.total_max_chars) != (new.max_chars, new.total_max_chars):
        yield phrase(
            "diff-limits",
            language,
            file=_amount(old.max_chars),
            file_now=_amount(new.max_chars),
            total=_amount(old.total_max_chars),
            total_now=_amount(new.total_max_chars),
        )
    for file in change.files:
        if file.before != file.after:
            yield _sizes(file, language)
        elif file.changed_lines:
            yield phrase("diff-text", language, file=file.path, count=file.changed_lines)


def _sizes(file: FileChange, language: Language) -> str:
    old, new = file.before or NO_FILE, file.after or NO_FILE
    return phrase(
        "diff-file",
        language,
        file=file.path,
        raw_before=old.raw_chars,
        raw_after=new.raw_chars,
        lost_before=old.lost_chars,
        lost_after=new.lost_chars,
        headroom_before=_amount(old.headroom),
        headroom_after=_amount(new.headroom),
    )


def _amount(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _groups(change: WorkspaceChange, language: Language) -> Iterator[tuple[str, list[str]]]:
    """Title and lines of each group that has some."""
    for group in _GROUPS:
        lines: tuple[LineChange, ...] = getattr(change, group)
        if lines:
            shown = [_line_text(line, language) for line in lines[:_MOST_LINES]]
            if len(lines) > _MOST_LINES:
                shown.append(phrase("diff-more", language, count=len(lines) - _MOST_LINES))
            yield _title(group, change, len(lines), language), shown


def _title(group: str, change: WorkspaceChange, count: int, language: Language) -> str:
    grown = tuple(f"{file.path} +{file.growth:,}" for file in change.grown)
    lost = sum(line.after not in REACHED for line in change.added)
    standing = sum(line.after is not None for line in change.removed)
    key = {
        "newly_lost": "diff-newly_lost-grown" if grown else "diff-newly_lost",
        "added": "diff-added-lost" if lost else "diff-added",
        "removed": "diff-removed-standing" if standing else "diff-removed",
    }.get(group, f"diff-{group}")
    return phrase(key, language, count=count, grown=grown, lost=lost, standing=standing)


def _line_text(line: LineChange, language: Language) -> str:
    fates = " → ".join(
        phrase(f"fate-{fate}", language) if fate else "·" for fate in (line.before, line.after)
    )
    source = f"{line.moved_from} → " if line.moved_from else ""
    text = line.text if len(line.text) <= _MOST_CHARS else line.text[: _MOST_CHARS - 1] + "…"
    return f"{source}{line.path}:{line.line} ({fates}): {text}"


def change_document(change: WorkspaceChange) -> dict[str, object]:
    """One workspace's change as a JSON object."""
    return {
        "workspace": change.workspace,
        "moved_from": change.moved_from,
        "state": change.state,
        "before": _conditions(change.before, change.rules_before, change.reached_before),
        "after": _conditions(change.after, change.rules_after, change.reached_after),
        "files": [_file(file) for file in change.files],
        **{group: [_line(line) for line in getattr(change, group)] for group in _GROUPS},
        "grown": [file.path for file in change.grown],
    }


def _conditions(side: Conditions | None, rules: int, reached: int) -> dict[str, object] | None:
    if side is None:
        return None
    return {
        "release": side.release,
        "session": side.session,
        "limits": {"max_chars": side.max_chars, "total_max_chars": side.total_max_chars},
        "priority_rules": rules,
        "reached": reached,
    }


def _file(file: FileChange) -> dict[str, object]:
    return {
        "path": file.path,
        "before": _size(file.before),
        "after": _size(file.after),
        "changed_lines": file.changed_lines,
    }


def _size(size: FileSize | None) -> dict[str, object] | None:
    if size is None:
        return None
    return {
        "raw_chars": size.raw_chars,
        "injected_chars": size.injected_chars,
        "lost_chars": size.lost_chars,
        "headroom": size.headroom,
    }


def _line(line: LineChange) -> dict[str, object]:
    return {
        "path": line.path,
        "moved_from": line.moved_from,
        "line": line.line,
        "text": line.text,
        "before": line.before,
        "after": line.after,
    }
