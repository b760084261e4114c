"""What the user asked not to hear: by file pattern, by finding, by comment. Keeps count of what was of use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

from bootlint import catalog
from bootlint.config import IgnoreFinding, Settings
from bootlint.diagnostics import Finding, Span
from bootlint.workspace import TextFile, Workspace

_COMMENT = re.compile(r"<!--\s*bootlint:\s*ignore\[([^\]\n]*)\][^\n]*?-->")


@dataclass(frozen=True, slots=True)
class _Comment:
    path: str
    span: Span
    codes: frozenset[str]
    unknown: tuple[str, ...]
    first_line: int  # the block that it silences, 1-based, inclusive
    last_line: int


class Suppressions:
    """The suppressions of one run over one workspace."""

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        self._workspace = workspace
        self._settings = settings
        self._used: set[object] = set()

    def silence(self, code: str, finding: Finding) -> bool:
        """Is the finding to be silenced? Every suppression that applies is marked as used."""
        path = finding.path
        hits: list[object] = [
            (pattern, code)
            for pattern, codes in self._settings.per_file_ignores.items()
            if code in codes and _matches(path, pattern)
        ]
        hits += [entry for entry in self._settings.ignore_findings if self._entry_matches(entry, code, finding)]
        hits += [comment for comment in self._comments if self._comment_matches(comment, code, finding)]
        self._used.update(hits)
        return bool(hits)

    def unused(self) -> Iterator[Finding]:
        """A BL002 finding for each comment and each `[[ignore-finding]]` for this workspace that silenced nothing."""
        for comment in self._comments:
            names = tuple(sorted(catalog.names()[code] for code in comment.codes)) + comment.unknown
            if comment.unknown or comment not in self._used:
                yield Finding(comment.path, comment.span, {"rules": names or ("?",)})
        for entry in self._settings.ignore_findings:
            if entry not in self._used and (path := self._path_of(entry)) is not None:
                name = catalog.names()[entry.rule]
                yield Finding(path, Span(0, 0), {"rules": (name,), "reason": entry.reason}, variant="setting")

    def _entry_matches(self, entry: IgnoreFinding, code: str, finding: Finding) -> bool:
        if entry.rule != code or not (entry.file is None or _matches(finding.path, entry.file)):
            return False
        return entry.text is None or entry.text in self._lines_at(finding)

    def _lines_at(self, finding: Finding) -> str:
        file = self._workspace.files.get(finding.path)
        if file is None:
            return ""
        first, last = (file.source.line_of(at) for at in (finding.span.start, finding.span.end))
        return "\n".join(file.source.lines[first - 1 : last])

    def _comment_matches(self, comment: _Comment, code: str, finding: Finding) -> bool:
        file = self._workspace.files.get(finding.path)
        if file is None or finding.path != comment.path or code not in comment.codes:
            return False
        return comment.first_line <= file.source.line_of(finding.span.start) <= comment.last_line

    def _path_of(self, entry: IgnoreFinding) -> str | None:
        """A file of this workspace that the entry speaks of; entries for other workspaces are not judged here."""
        return next((path for path in self._workspace.files if entry.file and _matches(path, entry.file)), None)

    @cached_property
    def _comments(self) -> tuple[_Comment, ...]:
        return tuple(comment for file in self._workspace.files.values() for comment in _comments_of(file))


def _comments_of(file: TextFile) -> Iterator[_Comment]:
    """The suppression comments of a file, each with the block below it (up to the next blank line)."""
    text = file.source.text
    if "bootlint:" not in text:
        return
    for span in file.document.comments:
        match = _COMMENT.fullmatch(text, span.start, span.end)
        if match is None:
            continue
        words = [word.strip() for word in match[1].split(",") if word.strip()]
        codes = {word: catalog.code_of(word) for word in words}
        first = file.source.line_of(span.start)
        yield _Comment(
            path=file.path,
            span=span,
            codes=frozenset(code for code in codes.values() if code),
            unknown=tuple(word for word, code in codes.items() if code is None),
            first_line=first,
            last_line=_end_of_block(file, file.source.line_of(span.end) + 1),
        )


def _end_of_block(file: TextFile, line: int) -> int:
    """The last line of the block that begins at or after a 1-based line."""
    lines = file.source.lines
    while line <= len(lines) and not lines[line - 1].strip():
        line += 1
    while line < len(lines) and lines[line].strip():
        line += 1
    return line


def _matches(path: str, pattern: str) -> bool:
    return fnmatchcase(path, pattern) or fnmatchcase(path.rpartition("/")[2], pattern)
