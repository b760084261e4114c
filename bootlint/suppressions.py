"""What the user asked not to hear: by file pattern, by finding, by comment; and what of it was of no use."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from functools import cached_property

from bootlint import catalog
from bootlint.config import nearest, rule_words
from bootlint.diagnostics import Finding, Span
from bootlint.lazyre import lazy_pattern
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bootlint.config import IgnoreFinding, Settings
    from bootlint.workspace import TextFile, Workspace

# A file does not approve itself: a stranger's pull request could bring the comment along.
_NOT_BY_COMMENT = frozenset({"BL501", "BL502", "BL503", "BL504", "BL505", "BL506"})

_OURS = lazy_pattern(r"<!--\s*bootlint\s*:")
_COMMENT = lazy_pattern(r"<!--\s*bootlint\s*:\s*ignore\[([^\]\n]+)\].*-->", re.DOTALL)
_WORD = lazy_pattern(r"[^,\s](?:[^,]*[^,\s])?")


@record
class _Word:
    """A rule named in a comment."""

    text: str
    span: Span
    code: str | None  # None: there is no such rule


@record
class _Comment:
    path: str
    span: Span
    words: tuple[_Word, ...]  # (): it is not written as it has to be
    first_line: int  # what it silences, 1-based, inclusive
    last_line: int


class Suppressions:
    """The suppressions of one run over one workspace. Comments that are not heeded silence nothing."""

    def __init__(self, workspace: Workspace, settings: Settings, *, heed_comments: bool = True) -> None:
        self._workspace = workspace
        self._settings = settings
        self._heed_comments = heed_comments
        self._used: set[object] = set()
        self._overruled: set[_Comment] = set()

    def silence(self, code: str, finding: Finding) -> bool:
        """Is the finding to be silenced? Every suppression that applies is marked as used."""
        in_settings = set(self._hits_of_settings(code, finding))
        in_comments = set(self._hits_of_comments(code, finding))
        self._used |= in_settings | in_comments
        if in_comments and not in_settings and not self._heed_comments:
            self._overruled.update(comment for comment, _ in in_comments)
            return False
        return bool(in_settings or in_comments)

    def overruled(self) -> Iterator[Finding]:
        """A BL004 finding for each comment that would have silenced something, had it been heeded."""
        for comment in self._overruled:
            yield Finding(comment.path, comment.span, variant="comment")

    def unused(self, ran: Callable[[str], bool]) -> Iterator[Finding]:
        """A BL002 finding for each suppression that silenced nothing although its rule `ran`.

        Settings for files that this workspace does not hold may serve another one, and are not judged.
        """
        for comment in self._comments:
            yield from self._unused_words(comment, ran)
        for entry in self._settings.ignore_findings:
            if entry not in self._used and ran(entry.rule) and (path := self._first_match(entry.file)):
                params = {"rule": catalog.names()[entry.rule], "reason": entry.reason}
                yield Finding(path, Span(0, 0), params, variant="setting")
        for pattern, codes in self._settings.per_file_ignores.items():
            if pattern not in self._used and any(map(ran, codes)) and (path := self._first_match(pattern)):
                yield Finding(path, Span(0, 0), {"pattern": pattern}, variant="pattern")

    def _hits_of_settings(self, code: str, finding: Finding) -> Iterator[object]:
        for pattern, codes in self._settings.per_file_ignores.items():
            if code in codes and self._matches(finding.path, pattern):
                yield pattern
        for entry in self._settings.ignore_findings:
            if code == entry.rule and self._is_meant(entry, finding):
                yield entry

    def _hits_of_comments(self, code: str, finding: Finding) -> Iterator[tuple[_Comment, _Word]]:
        for comment in self._comments if code not in _NOT_BY_COMMENT else ():
            if self._covers(comment, finding):
                yield from ((comment, word) for word in comment.words if word.code == code)

    def _is_meant(self, entry: IgnoreFinding, finding: Finding) -> bool:
        if entry.file is None and not finding.path:  # of a whole workspace: it has to be named
            return False
        if entry.file is not None and not self._matches(finding.path, entry.file):
            return False
        return entry.text is None or entry.text in self._lines_at(finding)

    def _covers(self, comment: _Comment, finding: Finding) -> bool:
        if comment.path != finding.path:
            return False
        line = self._workspace.files[comment.path].source.line_of(finding.span.start)
        return comment.first_line <= line <= comment.last_line

    def _unused_words(self, comment: _Comment, ran: Callable[[str], bool]) -> Iterator[Finding]:
        if not comment.words:
            yield Finding(comment.path, comment.span, variant="malformed")
        for word in comment.words:
            if word.code is not None:
                if ran(word.code) and (comment, word) not in self._used:
                    yield Finding(comment.path, word.span, {"rule": word.text})
            elif (meant := nearest(word.text, rule_words(word.text))) is not None:
                yield Finding(
                    comment.path, word.span, {"rule": word.text, "meant": meant}, variant="misspelt"
                )
            else:
                yield Finding(comment.path, word.span, {"rule": word.text}, variant="unknown")

    def _lines_at(self, finding: Finding) -> str:
        workspace = self._workspace
        file = workspace.files.get(finding.path) or workspace.daily_notes.get(finding.path)
        if file is None:
            return ""
        first, last = (file.source.line_of(at) for at in (finding.span.start, finding.span.end))
        return "\n".join(file.source.lines[first - 1 : last])

    def _first_match(self, pattern: str | None) -> str | None:
        return next(
            (path for path in self._workspace.files if pattern and self._matches(path, pattern)), None
        )

    def _matches(self, path: str, pattern: str) -> bool:
        """By name, by the path in the workspace, or by the path from where the settings stand; "" only so."""
        if not path:
            return fnmatchcase(self._from_settings, pattern)
        names = (path, path.rpartition("/")[2], f"{self._from_settings}/{path}")
        return any(fnmatchcase(name, pattern) for name in names)

    @cached_property
    def _from_settings(self) -> str:
        folder = os.path.dirname(os.path.abspath(self._settings.file or ""))
        return os.path.relpath(self._workspace.root, folder).replace(os.sep, "/")

    @cached_property
    def _comments(self) -> tuple[_Comment, ...]:
        return tuple(comment for file in self._workspace.files.values() for comment in _comments_of(file))


def _comments_of(file: TextFile) -> Iterator[_Comment]:
    """The suppression comments of a file: each silences its line, and the block below if it stands alone."""
    text = file.source.text
    if "bootlint" not in text:
        return
    for span in file.document.comments:
        if not _OURS.match(text, span.start, span.end):
            continue
        match = _COMMENT.fullmatch(text, span.start, span.end)
        words = _WORD.finditer(text, *match.span(1)) if match else ()
        first, last = (file.source.line_of(at) for at in (span.start, span.end))
        stands_alone = file.document.kinds[last - 1] == "comment"
        yield _Comment(
            path=file.path,
            span=span,
            words=tuple(_Word(word[0], Span(*word.span()), catalog.code_of(word[0])) for word in words),
            first_line=first,
            last_line=_end_of_block(file, last + 1) if stands_alone else last,
        )


def _end_of_block(file: TextFile, line: int) -> int:
    """The last line of the block that begins at or after a 1-based line."""
    lines = file.source.lines
    while line <= len(lines) and not lines[line - 1].strip():
        line += 1
    while line < len(lines) and lines[line].strip():
        line += 1
    return line
