"""Reads openclaw.json from disk as OpenClaw does: JSON5, `$include`, `${ENV}`. Knows no setting by its name.

A stranger may have written the file. Links, loops, floods, deep nesting and devices end in one line that says
what is wrong; the value of a variable ends in a text that prints as it was written.

One deviation: a number beyond the largest, such as 1e400, is Infinity to OpenClaw, and here no JSON5.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from bootlint.diagnostics import UserError
from bootlint.lazyre import lazy_pattern
from bootlint.plainfiles import TooLargeError, read_plain
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyjson5 import Json5DecoderException

MAX_FILE_BYTES = 2_097_152  # OpenClaw's own limit for an included file
MAX_INCLUDE_DEPTH = 10  # likewise
MAX_FILES = 100
MAX_BYTES = 4 * MAX_FILE_BYTES  # of all files
MAX_FILLED_CHARS = 8_388_608
MAX_NESTING = 64

INCLUDE_KEY = "$include"
INCLUDE_ROOTS_VARIABLE = "OPENCLAW_INCLUDE_ROOTS"


NO_JSON5 = "is no JSON5: "  # so begins the message of a ConfigError about syntax


class ConfigError(UserError):
    """openclaw.json cannot be used. `line` and `column` (code points) count from 1; None: the whole file."""

    def __init__(self, path: Path, line: int | None, column: int | None, message: str) -> None:
        place = str(path) if line is None else f"{path}:{line}:{column}"
        super().__init__(f"{place}: {message}")
        self.path = path
        self.line = line
        self.column = column
        self.message = message


class FromEnvironment(str):
    """A text with values of variables in it, which may be secrets. It prints as it is `written` in the file.

    Comparing, slicing and joining use the value; what comes out of that is an ordinary text.
    """

    __slots__ = ("written",)
    written: str

    def __new__(cls, value: str, written: str) -> FromEnvironment:
        text = super().__new__(cls, value)
        text.written = written
        return text

    def __str__(self) -> str:
        return self.written

    def __repr__(self) -> str:
        return repr(self.written)

    def __format__(self, format_spec: str) -> str:
        return format(self.written, format_spec)


def shown(text: str) -> str:
    """A text of the configuration as it may be printed: as it is written in the file."""
    return text.written if isinstance(text, FromEnvironment) else text


def read_tree(main: Path, env: Mapping[str, str]) -> dict[str, object]:
    """The whole configuration at an absolute path, included files merged in and variables filled in.

    A variable that is not set, or empty, stays as it is written. Raises ConfigError.
    """
    tree = _Includes(main, _roots(main, env)).resolve()
    if not isinstance(tree, dict):
        raise ConfigError(main, None, None, "holds no object")
    filling = _Filling(main, {**_own_variables(tree), **env})
    return {key: filling.value(value) for key, value in tree.items()}


def absolute(path: Path | str) -> Path:
    """`~` and `..` resolved, links not followed: what the path says, and not yet where it leads."""
    return Path(os.path.abspath(os.path.expanduser(path)))


# --- one file --------------------------------------------------------------------------------------------


def _parse(path: Path, data: bytes) -> object:
    import pyjson5

    text = data.decode("utf-8", "replace")  # as Node decodes
    try:
        tree: object = pyjson5.decode(text, maxdepth=MAX_NESTING)
    except pyjson5.Json5NestingTooDeep:
        raise ConfigError(path, None, None, f"is nested more than {MAX_NESTING} levels deep") from None
    except pyjson5.Json5DecoderException as error:
        raise _syntax_error(path, text, error) from None
    separated = _separated_number(text)
    if separated is not None:
        raise _error_at(path, text, separated, "expected a number without underscores")
    return tree


# Strings and comments first, so that a number in them is none.
_TOKEN = lazy_pattern(
    r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|//[^\n\r\u2028\u2029]*|/\*.*?\*/|(?P<number>[0-9]\w*)|[\w$\\]+""",
    re.DOTALL,
)


def _separated_number(text: str) -> int | None:
    """Where the first number such as 5_000 begins, which the parser takes and JSON5 does not."""
    if "_" not in text:
        return None
    numbers = (token for token in _TOKEN.finditer(text) if "_" in (token["number"] or ""))
    return next((number.start() for number in numbers), None)


def _read(path: Path) -> bytes:
    try:
        return read_plain(path, MAX_FILE_BYTES)
    except TooLargeError as error:
        raise ConfigError(path, None, None, f"is {error.strerror}") from None
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise ConfigError(path, None, None, f"cannot be read: {reason}") from None


_NEAR = lazy_pattern(r" (?:starting )?near (\d+)")
# Left out: a stranger's settings may name any file, and nothing of what stands in it is to be printed.
_FOUND = lazy_pattern(r", found U\+[0-9A-Fa-f]+|(?<=^Extra data) U\+[0-9A-Fa-f]+")
_TERM = lazy_pattern(r"b'([^']+)'")
_CODE = lazy_pattern(r"U\+([0-9A-Fa-f]+)")
_TERMS = {
    "JSON5Value": "a value",
    "IdentifierStart": "a key",
    "IdentifierName": "key",
    "NumericLiteral": "number",
    "UnicodeEscapeSequence": "escape sequence",
}


def _syntax_error(path: Path, text: str, error: Json5DecoderException) -> ConfigError:
    raw = str(error.args[0])
    near = _NEAR.search(raw)
    at = max(0, int(near[1]) - 1) if near else 0
    found = error.args[-1]
    if isinstance(found, str):  # the parser names the character rightly and where it is only nearly
        at = max(at, text.find(found, at))
    words = _CODE.sub(_character, _TERM.sub(_term, _FOUND.sub("", _NEAR.sub("", raw))))
    encoding = "; the file is not UTF-8" if "\ufffd" in text else ""
    return _error_at(path, text, at, f"{words[0].lower()}{words[1:]}{encoding}")


def _error_at(path: Path, text: str, at: int, message: str) -> ConfigError:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return ConfigError(path, line, column, f"{NO_JSON5}{message}")


def _term(match: re.Match[str]) -> str:
    return _TERMS.get(match[1], match[1])


def _character(match: re.Match[str]) -> str:
    char = chr(int(match[1], 16))
    return f'"{char}"' if char.isprintable() else match[0].upper()


# --- included files --------------------------------------------------------------------------------------


class _Includes:
    """Reads the main file and what it includes, and counts the files, since includes can multiply.

    `roots` are the folders from which files may be included.
    """

    def __init__(self, main: Path, roots: tuple[Path, ...]) -> None:
        self.main = main
        self.roots = roots
        self.files = 0
        self.bytes = 0

    def resolve(self) -> object:
        return self._file(self.main, (), 0)

    def _file(self, path: Path, including: tuple[Path, ...], depth: int) -> object:
        """The tree of one file. `including` are the files that led here; at `depth` its tree will hang."""
        self.files += 1
        if self.files > MAX_FILES:
            raise ConfigError(self.main, None, None, f"includes more than {MAX_FILES} files")
        data = _read(path)
        self.bytes += len(data)
        if self.bytes > MAX_BYTES:
            raise ConfigError(self.main, None, None, f"includes more than {MAX_BYTES:,} bytes")
        return self._value(_parse(path, data), (*including, path), depth)

    def _value(self, value: object, chain: tuple[Path, ...], depth: int) -> object:
        if depth > MAX_NESTING:
            raise ConfigError(chain[-1], None, None, f"is nested more than {MAX_NESTING} levels deep")
        if isinstance(value, list):
            return [self._value(item, chain, depth + 1) for item in value]
        if not isinstance(value, dict):
            return value
        rest = {key: self._value(item, chain, depth + 1) for key, item in value.items() if key != INCLUDE_KEY}
        if INCLUDE_KEY not in value:
            return rest
        included = self._included(value[INCLUDE_KEY], chain, depth)
        if not rest:
            return included
        if not isinstance(included, dict):
            message = f"keys beside {INCLUDE_KEY} need an included file that holds an object"
            raise ConfigError(chain[-1], None, None, message)
        return _merged(included, rest)

    def _included(self, value: object, chain: tuple[Path, ...], depth: int) -> object:
        names = value if isinstance(value, list) else [value]
        merged: object = {}
        for name in names:
            if not isinstance(name, str):
                raise ConfigError(chain[-1], None, None, f"{INCLUDE_KEY} takes a path or a list of paths")
            tree = self._file(self._allowed(name, chain), chain, depth)
            merged = _merged(merged, tree) if isinstance(value, list) else tree
        return merged

    def _allowed(self, name: str, chain: tuple[Path, ...]) -> Path:
        """The file that is meant. Raises ConfigError for one that OpenClaw would not include."""
        including = chain[-1]

        def refused(reason: str) -> ConfigError:
            return ConfigError(including, None, None, f"includes {name!r}, {reason}")

        if len(chain) > MAX_INCLUDE_DEPTH:
            raise refused(f"more than {MAX_INCLUDE_DEPTH} files deep")
        path = absolute(including.parent / name)
        if path in chain:
            raise refused("which leads back to itself")
        if not _inside(path, self.roots):
            raise refused(f"which is outside {self.main.parent}")
        try:
            real, links = path.resolve(strict=True), path.stat().st_nlink
        except (OSError, ValueError, RuntimeError):
            raise refused("which cannot be read") from None
        if not _inside(real, [root.resolve() for root in self.roots]):
            raise refused(f"which is a link that leads out of {self.main.parent}")
        if links > 1 and real.is_file():
            raise refused("which is a hard link")
        return path


def _roots(main: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    named = (root.strip() for root in env.get(INCLUDE_ROOTS_VARIABLE, "").split(os.pathsep))
    return (main.parent, *(absolute(root) for root in named if root))


def _inside(path: Path, roots: Iterable[Path]) -> bool:
    return any(path.is_relative_to(root) for root in roots)


_BLOCKED_KEYS = frozenset({"__proto__", "prototype", "constructor"})


def _merged(target: object, source: object) -> object:
    """`source` over `target`: lists are joined, objects merged key by key, all else is replaced."""
    if isinstance(target, list) and isinstance(source, list):
        return target + source
    if not (isinstance(target, dict) and isinstance(source, dict)):
        return source
    merged = dict(target)
    for key, value in source.items():
        if key not in _BLOCKED_KEYS:
            merged[key] = _merged(target[key], value) if key in target else value
    return merged


# --- variables -------------------------------------------------------------------------------------------

_REFERENCE = lazy_pattern(r"\$(\$?)\{([A-Z_][A-Z0-9_]*)\}")


def _own_variables(tree: Mapping[str, object]) -> dict[str, str]:
    """What the configuration's own `env` block sets; the real environment comes first."""
    block = tree.get("env")
    if not isinstance(block, dict):
        return {}
    inner = block.get("vars")
    return {
        name: value
        for name, value in {**block, **(inner if isinstance(inner, dict) else {})}.items()
        if isinstance(value, str) and not _REFERENCE.search(value)
    }


class _Filling:
    """Fills in variables, and counts what that makes of the file: a long value may be asked for many times."""

    def __init__(self, main: Path, variables: Mapping[str, str]) -> None:
        self.main = main
        self.variables = variables
        self.left = MAX_FILLED_CHARS

    def value(self, value: object) -> object:
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {key: self.value(item) for key, item in value.items()}
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        r"""`${NAME}` becomes the variable, `$${NAME}` becomes `${NAME}`."""
        filled = _REFERENCE.sub(self._replacement, text)
        return text if filled == text else FromEnvironment(filled, text)

    def _replacement(self, match: re.Match[str]) -> str:
        escaped, name = match.groups()
        filled = match[0][1:] if escaped else self.variables.get(name) or match[0]
        self.left -= len(filled)
        if self.left < 0:
            raise ConfigError(
                self.main, None, None, f"its variables hold more than {MAX_FILLED_CHARS:,} characters"
            )
        return filled
