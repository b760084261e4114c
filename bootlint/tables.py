"""The TOML of bootlint's own files, read in less time than it takes to import tomllib: 6 ms of CPU at every start.

Knows tables, arrays of tables, and keys whose value is a string, a number or a list of strings on one line, or a text
between two lines of '''. All else, and all that is wrong, it leaves to tomllib: the answer is always that of tomllib.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bootlint.lazyre import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

Table = dict[str, object]

_CONTROL = lazy_pattern(r"[\x00-\x08\x0b-\x1f\x7f]")


class NotPlainError(Exception):
    """The text needs tomllib."""


def loads(text: str) -> Table:
    """The data of a TOML text. Raises ValueError where it is none."""
    try:
        return plain(text)
    except NotPlainError:
        import tomllib

        return tomllib.loads(text)


def plain(text: str) -> Table:
    """The data of a TOML text that holds only what this module knows. Raises NotPlainError for any other."""
    if _CONTROL.search(text):
        raise NotPlainError
    data: Table = {}
    arrays: dict[str, list[Table]] = {}
    table = data
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith("[["):
            table = _opened_in_array(line, data, arrays)
        elif line.startswith("["):
            table = _opened(line, data)
        elif line and not line.startswith("#"):
            name, separator, value = line.partition(" = ")
            key = _string(name) if name.startswith('"') else _bare(name)
            if not separator or key in table:
                raise NotPlainError
            table[key] = _block(lines) if value == "'''" else _value(value)
    return data


def _opened_in_array(line: str, data: Table, arrays: dict[str, list[Table]]) -> Table:
    """The table that `[[name]]` opens."""
    name = _bare(line[2:-2])
    if not line.endswith("]]") or (name in data and name not in arrays):
        raise NotPlainError
    data[name] = arrays.setdefault(name, [])
    arrays[name].append({})
    return arrays[name][-1]


def _opened(line: str, data: Table) -> Table:
    """The table that `[name]` or `[name.name]` opens."""
    names = [_bare(name) for name in line[1:-1].split(".")]
    if not line.endswith("]") or len(names) > 2:
        raise NotPlainError
    around = data.setdefault(names[0], {}) if len(names) == 2 else data
    if not isinstance(around, dict) or names[-1] in around:
        raise NotPlainError
    table: Table = {}
    around[names[-1]] = table
    return table


def _block(lines: Iterator[str]) -> str:
    """The lines up to the closing one."""
    block: list[str] = []
    for line in lines:
        if line == "'''":
            return "".join(block)
        if "'''" in line:
            break
        block.append(f"{line}\n")
    raise NotPlainError


def _value(text: str) -> object:
    if text == "[]":
        return []
    if text.startswith("[") and text.endswith("]"):
        return [_string(item) for item in text[1:-1].split(", ")]
    if text.isascii() and text.isdigit() and (text == "0" or text[0] != "0"):
        return int(text)
    return _string(text)


def _string(text: str) -> str:
    r"""A string in quotes of either kind; in double ones `\"` may stand."""
    mark, inner = text[:1], text[1:-1]
    if mark == '"':
        inner = inner.replace(r"\"", "\0")
    if len(text) < 2 or mark not in ('"', "'") or text[-1] != mark or mark in inner:
        raise NotPlainError
    if mark == '"' and "\\" in inner:
        raise NotPlainError
    return inner.replace("\0", '"')


def _bare(name: str) -> str:
    if not (name.isascii() and name.replace("-", "").replace("_", "").isalnum()):
        raise NotPlainError
    return name
