"""Opening what a stranger may have put there: plain files only, never waiting, never more than asked for.

Knows no names.
"""

from __future__ import annotations

import errno
import os
import stat

SANE_BYTES = 64 * 1024 * 1024  # of a file for which nothing else sets a limit


class TooLargeError(OSError):
    """The file is larger than asked for."""


def read_plain(path: str | os.PathLike[str], most: int = SANE_BYTES, *, follow_links: bool = True) -> bytes:
    """The bytes of a plain file of at most `most` bytes. Raises OSError with a reason in `strerror`.

    A FIFO, a device or a socket is not opened; one that takes the place of the file meanwhile does not block.
    """
    try:
        target = real_path(path) if follow_links else path
        _check(os.lstat(target), most)
        with open(target, "rb", opener=no_link) as stream:
            _check(os.fstat(stream.fileno()), most)
            data = stream.read(most + 1)
            if data is None:  # files of /proc say that they are plain, and may have nothing to give yet
                raise OSError(errno.EINVAL, "no plain file")
    except ValueError as error:  # NUL or half a character: no file can have such a name
        raise OSError(errno.ENOENT, os.strerror(errno.ENOENT)) from error
    if len(data) > most:
        raise _too_large(most)
    return data


def real_path(path: str | os.PathLike[str]) -> str:
    """`path` without links, there or not. Raises OSError for more links in a row than the system follows."""
    try:
        os.stat(path)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise
    return os.path.realpath(path)


def leads_out(path: str | os.PathLike[str]) -> bool:
    """Is it a link to something that is there, outside the folder in which the link stands?"""
    if not os.path.islink(path) or not os.path.exists(path):
        return False
    folder = os.path.realpath(os.path.dirname(os.path.abspath(path)))
    return not os.path.realpath(path).startswith(os.path.join(folder, ""))


def strays(path: str | os.PathLike[str]) -> bool:
    """Does a path that is written as one below the current folder leave it by a link to a folder elsewhere?"""
    if os.path.isabs(path) or os.path.normpath(path).startswith(".."):
        return False
    here, folder = os.path.realpath("."), os.path.realpath(os.path.dirname(path))
    return os.path.commonpath((here, folder)) != here


def no_link(path: str, flags: int) -> int:
    """For `open`: waits for no writer of a FIFO, and follows no link that was put there in the meantime."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW)


def _check(status: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "no plain file")
    if status.st_size > most:
        raise _too_large(most)


def _too_large(most: int) -> TooLargeError:
    return TooLargeError(errno.EFBIG, f"larger than {most:,} bytes")
