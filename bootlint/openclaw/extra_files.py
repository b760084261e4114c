"""The extra files of the hook `bootstrap-extra-files`: which files of a workspace its patterns mean.

Only names that the release knows as bootstrap files count. Looks at names and opens nothing; whether a file
is read is `reading`. Folders are walked in the order of their names (OpenClaw takes them as the disk gives
them), without following links and not beyond a bound.
"""

from __future__ import annotations

import os
import posixpath
import re

from bootlint.lazyre import lazy_pattern
from bootlint.openclaw.settings import extra_file_patterns
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from bootlint.openclaw.contract import Contract

MAX_PATTERNS = 100
MAX_PATTERN_CHARS = 4_096
MAX_ALTERNATIVES = 256
MAX_FOLDERS = 5_000
MAX_EFFORT = 300_000  # files to compare and characters of patterns, all patterns together

_GLOB = lazy_pattern(r"[*?{]")


def extra_files(workspace: Path, config: object, contract: Contract) -> tuple[str, ...]:
    """Relative paths (with `/`) in the order in which they are appended; what leads out is left out.

    A path without wildcards is given back whether or not the file exists. From 2026.4.26 a file that is
    loaded anyway is not among them.
    """
    names = set(contract.loading.names)
    if contract.loading.lowercase_memory != "never":
        names.add("memory.md")
    patterns = [text for text in extra_file_patterns(config, contract) if len(text) <= MAX_PATTERN_CHARS]
    found: dict[str, None] = {}
    candidates: list[str] | None = None
    left = MAX_EFFORT
    for pattern in patterns[:MAX_PATTERNS]:
        if not _GLOB.search(pattern):
            found[_relative(workspace, pattern)] = None
            continue
        if candidates is None:
            candidates = list(_walk(workspace, names))
        alternatives = _alternatives(pattern)
        effort = sum(len(candidates) + len(alternative) for alternative in alternatives)
        if effort > left:
            continue
        left -= effort
        found.update(dict.fromkeys(_matching(candidates, alternatives)))
    loaded = names if contract.drops_repeated_paths else set()
    return tuple(path for path in found if _is_extra(path, names) and path not in loaded)


def _relative(workspace: Path, path: str) -> str:
    root = os.fspath(workspace)
    return posixpath.normpath(os.path.relpath(workspace / path, root).replace(os.sep, "/"))


def _is_extra(path: str, names: set[str]) -> bool:
    return posixpath.basename(path) in names and not path.startswith("../")


def _matching(candidates: Sequence[str], alternatives: Iterable[str]) -> Iterator[str]:
    matched: set[str] = set()
    for alternative in alternatives:
        wanted = _segments(alternative)
        matched.update(path for path in candidates if _matches(path.split("/"), wanted))
    return filter(matched.__contains__, candidates)


def _walk(workspace: Path, names: set[str]) -> Iterator[str]:
    """Every file or link below the workspace with one of the names."""
    waiting = [""]
    for _ in range(MAX_FOLDERS):
        if not waiting:
            return
        folder = waiting.pop()
        try:
            with os.scandir(workspace / folder) as scan:
                entries = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in scan)
        except OSError:
            continue
        yield from (folder + name for name, is_folder in entries if name in names and not is_folder)
        waiting += [f"{folder}{name}/" for name, is_folder in reversed(entries) if is_folder]


# --- patterns --------------------------------------------------------------------------------------------


def _alternatives(pattern: str) -> list[str]:
    """The pattern without braces: one for each choice in them. Beyond a bound the rest stays as it is."""
    done: list[str] = []
    waiting = [pattern]
    while waiting:
        text = waiting.pop(0)
        braces = re.search(r"\{([^{},]*,[^{}]*)\}", text)
        if braces is None or len(done) + len(waiting) >= MAX_ALTERNATIVES:
            done.append(text)
            continue
        choices = braces[1].split(",")
        waiting = [text[: braces.start()] + choice + text[braces.end() :] for choice in choices] + waiting
    return done


def _segments(pattern: str) -> list[str]:
    """The parts of a pattern between slashes, `./` in front left out, a run of `**` taken for one."""
    parts: list[str] = []
    for part in pattern.replace("\\", "/").split("/"):
        if part not in ("", ".") and not (part == "**" and parts[-1:] == ["**"]):
            parts.append(part)
    return parts


def _matches(path: Sequence[str], pattern: Sequence[str]) -> bool:
    """Do the parts of a path match those of a pattern? `**` takes any number of parts.

    `reachable` holds how many parts of the path can be used up by the pattern so far.
    """
    from fnmatch import fnmatchcase

    reachable = {0}
    for wanted in pattern:
        if wanted == "**":
            reachable = set(range(min(reachable), len(path) + 1))
        else:
            reachable = {at + 1 for at in reachable if at < len(path) and fnmatchcase(path[at], wanted)}
        if not reachable:
            return False
    return len(path) in reachable
