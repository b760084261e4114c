"""Changed texts as a unified diff that `git apply` and `patch -p1` take, byte for byte."""

from __future__ import annotations

from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNENDED = "\n\\ No newline at end of file\n"
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def patch(path: str, before: str, after: str) -> str:
    """The change of one file. `path` is as shown: relative to where the diff will be applied."""
    from difflib import unified_diff

    old, new = f"a/{path.lstrip('/')}", f"b/{path.lstrip('/')}"
    lines = unified_diff(_lines(before), _lines(after), _header(old), _header(new))
    return "".join(line if line.endswith("\n") else line + _UNENDED for line in lines)


def _lines(text: str) -> list[str]:
    """Lines with their ends, which are line feeds alone: `splitlines` would break at U+2028."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _header(path: str) -> str:
    """A name as git writes it: quoted where it is not plain ASCII, with a tab behind it where it holds a blank."""
    data = path.encode("utf-8", "surrogateescape")
    name = path if data.isascii() and not any(map(_needs_escape, data)) else f'"{"".join(_escaped(data))}"'
    return f"{name}\t" if " " in path else name


def _needs_escape(byte: int) -> bool:
    return byte < 0x20 or byte >= 0x7F or byte in _ESCAPES


def _escaped(data: bytes) -> Iterator[str]:
    for byte in data:
        if not _needs_escape(byte):
            yield chr(byte)
        else:
            yield f"\\{_ESCAPES[byte]}" if byte in _ESCAPES else f"\\{byte:03o}"
