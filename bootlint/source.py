"""Texts as they stand on disk: lines and columns, line ends, and writing without losing a byte.

The only module that turns offsets into lines and columns, and the only one that writes the files of a workspace.
"""

from __future__ import annotations

import errno
import os
import stat
from bisect import bisect_right
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path

from bootlint.diagnostics import Edit, Position, Span, UserError
from bootlint.plainfiles import no_link
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@record(lazy=True)
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

    def is_garbled(self, line: int) -> bool:
        """Does the 1-based line hold bytes that are no UTF-8?"""
        return not self.valid_utf8 and "\ufffd" in self.lines[line - 1]

    def line_of(self, offset: int) -> int:
        """The 1-based line that holds a code point offset."""
        return bisect_right(self.line_starts, offset)

    def position(self, offset: int) -> Position:
        line = self.line_of(offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

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


class NotWrittenError(UserError):
    """A file that was left as it is. The text says why, in one line."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def write_atomically(path: Path, before: str, after: str) -> None:
    """Replace the text `before` of `path` by `after`, whole or not at all.

    Mode and, where permitted, owner are kept. Raises NotWrittenError if the file is a link, is no longer what was
    read, cannot be written, or its folder is gone; the original is then intact.
    """
    with _refusing(path), _alone_in(path.parent), open(path, "rb", opener=no_link) as stream:
        status = os.fstat(stream.fileno())
        _refuse_unless_plain(path, status)
        if stream.read() != before.encode("utf-8"):
            raise NotWrittenError(path, "changed since it was read; run bootlint again")
        _replace(path, after.encode("utf-8"), status)


def write_over(path: Path, text: str) -> None:
    """Make a file of bootlint's own, or replace what it holds, whole or not at all.

    Raises NotWrittenError where `write_atomically` would, whatever the file holds.
    """
    with _refusing(path), _alone_in(path.parent):
        if not os.path.lexists(path):
            write_new(path, text)
            return
        with open(path, "rb", opener=no_link) as stream:
            status = os.fstat(stream.fileno())
        _refuse_unless_plain(path, status)
        _replace(path, text.encode("utf-8"), status)


def write_new(path: Path, text: str) -> None:
    """Make a file. Raises NotWrittenError where something stands there, a link to nowhere too, or it cannot be made."""
    try:
        with open(path, "xb") as stream:
            try:
                stream.write(text.encode("utf-8"))
                stream.flush()
            except BaseException:
                path.unlink()
                raise
    except FileExistsError as error:
        raise NotWrittenError(path, "was made by somebody else meanwhile; run bootlint again") from error
    except OSError as error:
        raise NotWrittenError(path, f"not written: {error.strerror or error}") from error


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Turns an error of the system into a refusal."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR):
            raise NotWrittenError(path, _NO_PLAIN_FILE) from error
        raise NotWrittenError(path, f"not written: {error.strerror or error}") from error


_NO_PLAIN_FILE = "is no plain file; bootlint does not write through links"


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """While this runs, no other bootlint compares and replaces files in the folder."""
    import fcntl

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # a file system without locks: the comparison still guards all but an instant
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _refuse_unless_plain(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotWrittenError(path, _NO_PLAIN_FILE)
    if status.st_nlink > 1:
        raise NotWrittenError(path, "has a second name (a hard link), which would keep the old text")
    # The mode counts for root too, to whom nothing is closed: whoever took the right to write away meant it.
    if not status.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise NotWrittenError(path, "is read-only; make it writable (chmod u+w) and run again")


def _replace(path: Path, data: bytes, status: os.stat_result) -> None:
    """Write beside the file, flush to disk, rename over it."""
    import tempfile

    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".bootlint", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            with suppress(OSError):  # another user's file: the content matters more than the owner
                os.fchown(stream.fileno(), status.st_uid, status.st_gid)
            os.fchmod(stream.fileno(), stat.S_IMODE(status.st_mode))
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the rename last. The new text stands already, so that a file system that cannot do this is no fault."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
