"""Texts as they stand on disk: line numbers, UTF-16 columns, line ends, and writing without losing a byte.

The only module that converts between code points, UTF-16 units and lines, and the only one that writes files.
"""

from __future__ import annotations

import os
import stat
import tempfile
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bootlint.diagnostics import Edit, Position, Span

_LAST_BMP = "\uffff"


@dataclass(frozen=True)
class SourceText:
    """A decoded file. `text` keeps BOM, line ends and NUL; bytes that are no UTF-8 became U+FFFD."""

    text: str
    valid_utf8: bool = True

    @classmethod
    def decode(cls, data: bytes) -> SourceText:
        try:
            return cls(data.decode("utf-8"))
        except UnicodeDecodeError:
            return cls(data.decode("utf-8", "replace"), valid_utf8=False)

    @cached_property
    def line_starts(self) -> list[int]:
        r"""Offsets at which lines begin. Lines end at `\n` or `\r\n`, as for OpenClaw; a lone `\r` ends none."""
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        if len(starts) > 1 and starts[-1] == len(self.text):
            starts.pop()
        return starts

    @cached_property
    def lines(self) -> list[str]:
        r"""The lines without their ends. A final line end opens no further line."""
        lines = self.text.split("\n")
        if len(lines) > 1 and not lines[-1]:
            lines.pop()
        ended = len(lines) if self.text.endswith("\n") else len(lines) - 1
        return [line.removesuffix("\r") if at < ended else line for at, line in enumerate(lines)]

    def line_span(self, line: int) -> Span:
        """The span of a 1-based line, without its end."""
        start = self.line_starts[line - 1]
        return Span(start, start + len(self.lines[line - 1]))

    def line_of(self, offset: int) -> int:
        """The 1-based line that holds a code point offset."""
        return bisect_right(self.line_starts, offset)

    def position(self, offset: int) -> Position:
        line = self.line_of(offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def utf16_column(self, position: Position) -> int:
        """The 1-based column of a position in UTF-16 units."""
        start = self.line_starts[position.line - 1]
        before = self.text[start : start + position.column - 1]
        return 1 + len(before) + sum(char > _LAST_BMP for char in before)

    @cached_property
    def line_end(self) -> str:
        """The line end that most lines have: `\r\n` or `\n`."""
        crlf = self.text.count("\r\n")
        return "\r\n" if crlf and crlf * 2 >= self.text.count("\n") else "\n"


def apply_edits(text: str, edits: tuple[Edit, ...] | list[Edit]) -> str:
    """`text` with disjoint edits of one file applied. Raises ValueError where they overlap."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.start < at or edit.span.end > len(text):
            raise ValueError("edits overlap or stand outside the text")
        parts += (text[at : edit.span.start], edit.text)
        at = edit.span.end
    return "".join((*parts, text[at:]))


class WriteRefused(Exception):
    """A file that was left as it is. The text says why, in one line."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def write_atomically(path: Path, before: str, after: str) -> None:
    """Replace the text `before` of `path` by `after`, whole or not at all.

    Mode and, where permitted, owner are kept. Raises WriteRefused if the file is a link, is no longer what was
    read, cannot be written, or its folder is gone; the original is then intact.
    """
    try:
        status = os.lstat(path)
        _refuse_unless_plain(path, status)
        if path.read_bytes() != before.encode("utf-8", "surrogatepass"):
            raise WriteRefused(path, "changed since it was read; run bootlint again")
        _replace(path, after.encode("utf-8"), status)
    except OSError as error:
        raise WriteRefused(path, f"not written: {error.strerror or error}") from error


def _refuse_unless_plain(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise WriteRefused(path, "is no plain file; bootlint does not write through links")
    if not os.access(path, os.W_OK):
        raise WriteRefused(path, "is read-only; make it writable (chmod u+w) and run again")


def _replace(path: Path, data: bytes, status: os.stat_result) -> None:
    """Write beside the file, flush to disk, rename over it."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".bootlint", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(stream.fileno(), stat.S_IMODE(status.st_mode))
            if (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
                _keep_owner(stream.fileno(), status)
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _keep_owner(handle: int, status: os.stat_result) -> None:
    try:
        os.fchown(handle, status.st_uid, status.st_gid)
    except PermissionError:
        return  # another user's file in a shared folder: the content matters more than the owner


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
