"""Files of data, read once for all runs.

Reading the TOML of `rules/` costs a run more than starting Python, and gives the same each time. So Python keeps what
comes of it as it keeps a compiled module: in `__pycache__` beside the file, and not at all where it may not write.
"""

from __future__ import annotations

import marshal
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType

from bootlint.typed import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import CodeType

_T = TypeVar("_T")


def table(path: Path, parse: Callable[[str], _T]) -> _T:
    """What a function makes of a file's text: strings, numbers and truth values in dicts and tuples.

    Raises what the function raises.
    """
    module = ModuleType(path.stem)
    _Loader(path, parse).exec_module(module)
    return cast("_T", unpacked(module.TABLE))


def packed(part: object) -> bytes:
    """A part of a table that few runs need: it stays packed until one calls `unpacked`."""
    return marshal.dumps(part)  # type: ignore[arg-type] # raises ValueError for what it cannot take


def unpacked(part: bytes) -> object:
    """What was packed."""
    made: object = marshal.loads(part)  # noqa: S302 - of our own making, and by this very Python
    return made


class _Loader(SourceFileLoader):
    """Loads a file as the module that holds what is made of it."""

    def __init__(self, path: Path, parse: Callable[[str], object]) -> None:
        super().__init__(path.stem, str(path))
        self._parse = parse

    def source_to_code(self, *_: object, **__: object) -> CodeType:  # type: ignore[override] # of a static one
        made = self._parse(self.get_data(self.path).decode())
        return compile(
            f"TABLE = {packed(made)!r}", self.path, "exec"
        )  # as bytes: words take far longer to compile

    def path_stats(self, path: str) -> dict[str, float]:
        """What is kept counts until the file changes, or the code that makes it."""
        stats: dict[str, float] = dict(super().path_stats(path))
        for module in (__name__, self._parse.__module__):
            code = sys.modules[module].__file__
            if code is not None:
                stats["mtime"] += super().path_stats(code)["mtime"]
        return stats
