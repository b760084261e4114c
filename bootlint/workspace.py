"""Workspaces on disk: which folders are one, and the texts in them that OpenClaw or bootlint cares about.

Reads safely: no link out of the workspace is followed, nothing that is no plain file is opened, nothing larger
than OpenClaw's own read limit is read. Knows names, not releases: what a release loads is `openclaw.loading`.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from bootlint.diagnostics import UserError
from bootlint.document import Document
from bootlint.source import SourceText

# Every name that some release loads from the workspace's own folder.
BOOTSTRAP_NAMES = (
    "AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md",
    "memory.md",
)  # fmt: skip
DEFAULT_WORKSPACE = "~/.openclaw/workspace"
MAX_BYTES = 2_097_152

_SKIPPED_FOLDERS = frozenset({
    ".git", ".hg", ".svn", ".venv", "venv", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache",
    "__pycache__", "node_modules", "vendor", "third_party", "site-packages", "dist", "build",
})  # fmt: skip
_PERSONAL = re.compile(r"users/[^/]+/USER\.md\Z")


@dataclass(frozen=True)
class TextFile:
    """A readable text of a workspace. `path` is relative to the workspace, with `/`."""

    path: str
    source: SourceText

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @cached_property
    def document(self) -> Document:
        return Document.parse(self.source)


@dataclass(frozen=True)
class Workspace:
    """A folder of bootstrap files as it was read once.

    `files` holds every readable bootstrap file by its relative path, near misses of a name among them;
    `unreadable` says of the others why they were not read. `overlay` replaces texts on disk, for editors, for
    trial edits and for a file that is not there yet.
    """

    root: Path
    shown: str = ""  # how its paths begin in output: "" or "agents/ada/"
    overlay: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def files(self) -> Mapping[str, TextFile]:
        texts = {path: source for path in self._candidates if isinstance(source := self._read(path), SourceText)}
        texts |= {path: SourceText(text) for path, text in self.overlay.items()}
        return {path: TextFile(path, texts[path]) for path in sorted(texts)}

    @cached_property
    def unreadable(self) -> Mapping[str, str]:
        """Relative path → `link-outside`, `not-a-file`, `too-large` or `no-permission`."""
        refusals = {path: self._read(path) for path in self._candidates if path not in self.overlay}
        return {path: refusal for path, refusal in refusals.items() if isinstance(refusal, str)}

    @cached_property
    def entries(self) -> frozenset[str]:
        """The names that stand in the workspace's folder, as they are written."""
        try:
            return frozenset(os.listdir(self.root)) | {path for path in self.overlay if "/" not in path}
        except OSError:
            return frozenset(self.overlay)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """The names in `memory/`, sorted."""
        try:
            return tuple(sorted(os.listdir(self.root / "memory")))
        except OSError:
            return ()

    def with_texts(self, texts: Mapping[str, str]) -> Workspace:
        """The same workspace with some texts replaced."""
        return replace(self, overlay={**self.overlay, **texts})

    def shown_path(self, path: str) -> str:
        return self.shown + path

    @cached_property
    def _candidates(self) -> tuple[str, ...]:
        near = (name for name in self.entries if is_near_name(name))
        return (*sorted(near), *self._personal())

    def _personal(self) -> Iterator[str]:
        try:
            people = sorted(os.listdir(self.root / "users"))
        except OSError:
            return
        for person in people[:1000]:
            path = f"users/{person}/USER.md"
            if _PERSONAL.fullmatch(path) and (self.root / path).is_file():
                yield path

    def _read(self, path: str) -> SourceText | str:
        return read_text(self.root, path)


def is_near_name(name: str) -> bool:
    """Is it a bootstrap file's name, but for case and a plural `S`?"""
    folded = name.lower()
    return folded in _NEAR_NAMES


_NEAR_NAMES = frozenset(
    variant
    for name in BOOTSTRAP_NAMES
    for stem in (name.lower().removesuffix(".md"),)
    for variant in (f"{stem}.md", f"{stem}s.md", f"{stem.removesuffix('s')}.md", f"{stem}.markdown", f"{stem}.txt")
)


def read_text(root: Path, path: str) -> SourceText | str:
    """The text of a file below `root`, or why it was not read (see `Workspace.unreadable`)."""
    target = root / path
    try:
        if os.path.islink(target):
            real = os.path.realpath(target)
            if not real.startswith(os.path.realpath(root) + os.sep):
                return "link-outside"
            target = Path(real)
        handle = os.open(target, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except PermissionError:
        return "no-permission"
    except OSError:
        return "not-a-file"
    with os.fdopen(handle, "rb", closefd=True) as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            return "not-a-file"
        if status.st_size > MAX_BYTES:
            return "too-large"
        return SourceText.decode(stream.read(MAX_BYTES + 1))


class NoWorkspace(UserError):
    """A path that leads to no workspace."""

    def __init__(self, path: str) -> None:
        if not os.path.lexists(path):
            super().__init__(f"{path}: there is no such file or folder")
        else:
            names = ", ".join(BOOTSTRAP_NAMES[:-1])
            super().__init__(
                f"{path}: no OpenClaw workspace found; looked for {names}. "
                f"OpenClaw's default workspace is {DEFAULT_WORKSPACE}"
            )


def discover(paths: Iterable[str]) -> list[Workspace]:
    """The workspaces of the given files and folders, each once, in the order of their folders.

    A named folder needs one bootstrap file to count; one found by walking needs two, or SOUL.md or IDENTITY.md.
    Raises NoWorkspace for a path that is not there or leads to no workspace.
    """
    found: dict[str, Workspace] = {}
    for path in paths:
        roots = list(_roots(path))
        if not roots:
            raise NoWorkspace(path)
        for root in roots:
            found.setdefault(os.path.realpath(root), Workspace(root, _shown(root)))
    return sorted(found.values(), key=lambda workspace: workspace.shown)


def workspace_root(path: str) -> Path:
    """The workspace that a file belongs to: its folder, for `users/<id>/USER.md` and `memory/` the one above."""
    folder = Path(os.path.normpath(os.path.dirname(path) or "."))
    if folder.name == "memory":
        return folder.parent
    if folder.parent.name == "users":
        return folder.parent.parent
    return folder


def _roots(path: str) -> Iterator[Path]:
    if not os.path.isdir(path):
        root = workspace_root(path)
        if os.path.lexists(path) and _counts(root, named=True):
            yield root
        return
    named = Path(path)
    if _counts(named, named=True):
        yield named
    found = [folder for folder in _folders_below(named) if _counts(folder, named=False)]
    yield from _without_ignored(named, found)


def _counts(folder: Path, *, named: bool) -> bool:
    try:
        names = set(os.listdir(folder))
    except OSError:
        return False
    held = names & set(BOOTSTRAP_NAMES)
    if named:
        return bool(held) or any(is_near_name(name) for name in names)
    return len(held) >= 2 or not held.isdisjoint({"SOUL.md", "IDENTITY.md"})


def _folders_below(top: Path) -> Iterator[Path]:
    """Every folder below `top`, links not followed, known caches and vendored code left out."""
    waiting = [os.fspath(top)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                below = sorted(
                    entry.path
                    for entry in entries
                    if entry.name not in _SKIPPED_FOLDERS and entry.is_dir(follow_symlinks=False)
                )
        except OSError:
            continue
        yield from map(Path, below)
        waiting += reversed(below)


def _without_ignored(top: Path, folders: list[Path]) -> list[Path]:
    """The folders that git does not ignore; all of them where git does not answer."""
    if not folders:
        return []
    from bootlint.git import ignored

    gone = ignored(top, folders)
    return [folder for folder in folders if folder not in gone]


def _shown(root: Path) -> str:
    text = os.fspath(root)
    if os.path.isabs(text):
        relative = os.path.relpath(text)
        text = text if relative.startswith("..") else relative
    text = os.path.normpath(text).replace(os.sep, "/")
    return "" if text == "." else text + "/"
