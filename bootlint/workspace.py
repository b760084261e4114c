"""Workspaces on disk: which folders are one, and the texts in them that OpenClaw or bootlint cares about.

Reads safely: no link out of the workspace is followed, nothing that is no plain file is opened, nothing
larger than OpenClaw's own read limit is read. Knows names, not releases: what a release loads is
`openclaw.loading`.
"""

from __future__ import annotations

import os
from functools import cached_property, lru_cache
from pathlib import Path

from bootlint.diagnostics import UserError
from bootlint.document import Document
from bootlint.lookalikes import latin
from bootlint.openclaw.loading import LoadedFile, load
from bootlint.plainfiles import TooLargeError, read_plain, real_path
from bootlint.records import field, record, replace
from bootlint.source import SourceText
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from bootlint.openclaw.contract import Contract

# Every name that some release loads from the workspace's own folder.
BOOTSTRAP_NAMES = (
    "AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md",
    "memory.md",
)  # fmt: skip
DEFAULT_WORKSPACE = "~/.openclaw/workspace"
LOCK_NAME = "bootlint.lock"
_OWN_FILES = ("bootlint.toml", LOCK_NAME)  # of somebody who means the folder to be linted
MAX_BYTES = 2_097_152

SKIPPED_FOLDERS = frozenset({
    ".git", ".hg", ".svn", ".venv", "venv", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache",
    "__pycache__", "node_modules", "vendor", "third_party", "site-packages", "dist", "build",
})  # fmt: skip
_MOST_NOTES = 100  # a quarter of a year
_MOST_PEOPLE = 1_000


@record(lazy=True)
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

    @cached_property
    def known(self) -> dict[object, object]:
        """What others worked out of the file, each under a key of its own: it goes when the file goes."""
        return {}


@lru_cache(maxsize=32)
def _text_file(path: str, source: SourceText) -> TextFile:
    """The same object for the same text, so that what was worked out for one workspace serves the next."""
    return TextFile(path, source)


@record(lazy=True)
class Disk:
    """The folder of a workspace, each thing in it read at most once."""

    root: Path
    wanted: frozenset[str] = frozenset()  # notes and personal files to be read however many there are

    @cached_property
    def entries(self) -> frozenset[str]:
        try:
            return frozenset(os.listdir(self.root))
        except OSError:
            return frozenset()

    @cached_property
    def notes(self) -> tuple[str, ...]:
        try:
            return tuple(sorted(os.listdir(self.root / "memory")))
        except OSError:
            return ()

    @cached_property
    def daily_notes(self) -> Mapping[str, SourceText]:
        """Path → text of what a bare /new may add on its day, of the newest names, none larger than it ever reads."""
        ranked = self._ranked_notes
        read = {
            path: self.note(path)
            for path in sorted({*ranked[:_MOST_NOTES], *self.wanted.intersection(ranked)})
        }
        return {path: SourceText.decode(data) for path, data in read.items() if isinstance(data, bytes)}

    def note(self, path: str) -> bytes | str:
        """The bytes of a daily note, or why it is not read."""
        from bootlint.openclaw.settings import STARTUP_CAPS

        return read_bytes(self.root, path, STARTUP_CAPS["maxFileBytes"])

    @cached_property
    def passed_over(self) -> tuple[str, ...]:
        """The notes and personal files that are not read, since there are so many."""
        people = (path for path in self._people[_MOST_PEOPLE:] if os.path.lexists(self.root / path))
        left = (*self._ranked_notes[_MOST_NOTES:], *people)
        return tuple(path for path in left if path not in self.wanted)

    @cached_property
    def _ranked_notes(self) -> tuple[str, ...]:
        """The newest first; those of days to come last, or a flood of them would hide what is read tomorrow."""
        if not self.notes:
            return ()
        from datetime import date, timedelta

        from bootlint.openclaw.startup import may_be_daily_note

        last = (date.today() + timedelta(days=1)).isoformat()
        names = [name for name in reversed(self.notes) if may_be_daily_note(name)]
        names.sort(key=lambda name: name[: len(last)] > last)
        return tuple(f"memory/{name}" for name in names)

    @cached_property
    def found(self) -> Mapping[str, SourceText | str]:
        """What stands in the place of each file that somebody meant for OpenClaw: its text, or why not."""
        names = sorted(name for name in self.entries if meant_name(name) is not None)
        return {path: read_text(self.root, path) for path in (*names, *self._personal())}

    def loaded(self, contract: Contract) -> tuple[LoadedFile, ...]:
        """What a release makes of the folder."""
        key = contract.release
        if key not in self._loaded:
            self._loaded[key] = load(self.root, contract)
        return self._loaded[key]

    @cached_property
    def _loaded(self) -> dict[str, tuple[LoadedFile, ...]]:
        return {}

    def _personal(self) -> Iterator[str]:
        paths = (*self._people[:_MOST_PEOPLE], *self.wanted.intersection(self._people[_MOST_PEOPLE:]))
        yield from (path for path in paths if os.path.lexists(self.root / path))

    @cached_property
    def _people(self) -> tuple[str, ...]:
        """Where the personal file of each user stands, if there is one."""
        try:
            return tuple(f"users/{person}/USER.md" for person in sorted(os.listdir(self.root / "users")))
        except OSError:
            return ()


@record(lazy=True)
class Workspace:
    """A folder of bootstrap files as it was read once.

    `overlay` replaces texts on disk, for editors, for trial edits and for a file that is not there yet.
    """

    disk: Disk
    shown: str = ""  # how its paths begin in output: "" or "agents/ada/"
    overlay: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def at(cls, root: Path, shown: str = "") -> Workspace:
        return cls(Disk(root), shown)

    @property
    def root(self) -> Path:
        return self.disk.root

    @cached_property
    def files(self) -> Mapping[str, TextFile]:
        """Every readable bootstrap file by its relative path, near misses of a name among them."""
        texts = {path: found for path, found in self.disk.found.items() if isinstance(found, SourceText)}
        texts |= {path: SourceText(text) for path, text in self.overlay.items()}
        return {path: _text_file(path, texts[path]) for path in sorted(texts)}

    @cached_property
    def daily_notes(self) -> Mapping[str, TextFile]:
        """The notes in `memory/` that reach the model on their day, by relative path. No bootstrap files."""
        notes = self.disk.daily_notes
        return {path: _text_file(path, text) for path, text in notes.items() if path not in self.overlay}

    @cached_property
    def unreadable(self) -> Mapping[str, str]:
        """Relative path → `link-outside`, `not-a-file`, `too-large` or `no-permission`."""
        found = self.disk.found
        return {
            path: what for path, what in found.items() if isinstance(what, str) and path not in self.overlay
        }

    @cached_property
    def entries(self) -> frozenset[str]:
        """The names that stand in the workspace's folder, as they are written."""
        return self.disk.entries | {path for path in self.overlay if "/" not in path}

    @property
    def notes(self) -> tuple[str, ...]:
        """The names in `memory/`, sorted."""
        return self.disk.notes

    def text_at(self, path: str) -> SourceText | None:
        """What a finding at a path points into: a bootstrap file, a note, bootlint.lock. None where it has no text."""
        file = self.files.get(path)
        if file is None and path.startswith("memory/"):
            file = self.daily_notes.get(path)
        if file is not None:
            return file.source
        return self._lock_text if path == LOCK_NAME else None

    @cached_property
    def _lock_text(self) -> SourceText | None:
        text = read_text(self.root, LOCK_NAME)
        return text if isinstance(text, SourceText) else None

    def unread(self, wanted: frozenset[str] = frozenset()) -> Workspace:
        """The same workspace with nothing read yet: a run over many frees each with what it read of it."""
        return replace(self, disk=Disk(self.root, wanted))

    def with_texts(self, texts: Mapping[str, str]) -> Workspace:
        """The same workspace with some texts replaced; nothing is read again."""
        return replace(self, overlay={**self.overlay, **texts})

    def shown_path(self, path: str) -> str:
        """A path relative to the workspace as it is printed, "" itself; one that leads out of it stands beside it."""
        if not path:
            return self.shown.rstrip("/") or "."
        shown = self.shown + path
        return os.path.normpath(shown).replace(os.sep, "/") if path.startswith("../") else shown

    def has_beside(self, path: Path) -> bool:
        """Does a file stand in the tree of the folder that holds the workspace?"""
        folder = os.path.realpath(os.path.dirname(os.path.abspath(self.root)))
        return Path(os.path.realpath(path)).is_relative_to(folder)


def meant_name(name: str) -> str | None:
    """The bootstrap file that a name is or was meant for, in OpenClaw's spelling; None for any other name.

    Case does not count, nor an `S` too much or too little, nor a letter that only looks like the right one.
    `SOUL.txt` and `SOUL.markdown` are meant for SOUL.md where they are written in capitals; `user.txt` may be anything.
    """
    stem, _, suffix = latin(name).partition(".")
    if suffix.lower() != "md" and not (suffix in ("txt", "markdown") and stem.isupper()):
        return None
    return _MEANT.get(stem.lower())


_MEANT = {
    stem: name
    for name in BOOTSTRAP_NAMES
    if name != "memory.md"
    for singular in (name.lower().removesuffix(".md").removesuffix("s"),)
    for stem in (singular, f"{singular}s")
}


def read_text(root: Path, path: str) -> SourceText | str:
    """The text of a file below `root`, or why it was not read (see `Workspace.unreadable`)."""
    data = read_bytes(root, path)
    return data if isinstance(data, str) else SourceText.decode(data)


def read_bytes(root: Path, path: str, most: int = MAX_BYTES) -> bytes | str:
    """The bytes of a file below `root`, or why it was not read (see `Workspace.unreadable`)."""
    inside = os.path.join(os.path.realpath(root), "")
    try:
        target = real_path(root / path)
        return read_plain(target, most, follow_links=False) if target.startswith(inside) else "link-outside"
    except TooLargeError:
        return "too-large"
    except PermissionError:
        return "no-permission"
    except OSError:
        return "not-a-file"


class NoWorkspaceError(UserError):
    """A path that leads to no workspace."""

    def __init__(self, path: str) -> None:
        if not os.path.lexists(path):
            super().__init__(f"{path}: there is no such file or folder")
        elif _is_closed(path):
            super().__init__(f"{path}: cannot be read: permission denied")
        else:
            names = ", ".join(BOOTSTRAP_NAMES[:-1])
            super().__init__(
                f"{path}: no OpenClaw workspace found; looked for {names}. "
                f"OpenClaw's default workspace is {DEFAULT_WORKSPACE}"
            )


def _is_closed(path: str) -> bool:
    try:
        os.listdir(path)
    except OSError as error:
        return isinstance(error, PermissionError)
    return False


def discover(paths: Iterable[str]) -> list[Workspace]:
    """The workspaces of the given files and folders, each once, in the order of their folders.

    Which folders count, `is_workspace` says. Raises NoWorkspaceError for a path that is not there or leads to none.
    """
    roots: list[Path] = []
    for path in paths:
        found = list(roots_at(path))
        if not found:
            raise NoWorkspaceError(path)
        roots += found
    return as_workspaces(roots)


def as_workspaces(roots: Iterable[Path]) -> list[Workspace]:
    """Folders as workspaces. One that is reached in several ways goes by the first of its paths in alphabetical order."""
    shown: dict[str, str] = {}
    for root in roots:
        real = os.path.realpath(root)
        shown[real] = min(shown.get(real, shown_folder(root)), shown_folder(root))
    return [Workspace.at(Path(text or "."), text) for text in sorted(shown.values())]


def the_workspace(path: str) -> Workspace:
    """The workspace at the path itself; one below it only when it is the only one.

    Raises UserError where there is none, or several to choose from.
    """
    found = discover([path])
    exact = [workspace for workspace in found if os.path.realpath(workspace.root) == os.path.realpath(path)]
    if not exact and len(found) > 1:
        shown = ", ".join(workspace.shown.rstrip("/") for workspace in found[:5])
        raise UserError(f"{path}: {len(found)} workspaces stand below it ({shown}); name one")
    return (exact or found)[0]


def discover_committed(
    paths: Iterable[str], was_workspace: Callable[[Path], bool]
) -> list[tuple[Workspace, frozenset[str]]]:
    """The workspaces that the files of a commit belong to, each with those of the files that lie in it, as shown.

    A folder counts as if it had been found by walking, or if it was one before: a commit to any repository's
    docs/tools.md is none of bootlint's business. A file of settings means the workspaces below it.
    """
    roots: dict[str, set[str]] = {}
    for path in paths:
        for root in _committed_roots(path, was_workspace):
            roots.setdefault(shown_folder(root), set()).add(_shown_file(path))
    return [(Workspace.at(Path(shown or "."), shown), frozenset(roots[shown])) for shown in sorted(roots)]


def _committed_roots(path: str, was_workspace: Callable[[Path], bool]) -> list[Path]:
    def counts(root: Path) -> bool:
        return is_workspace(root) or (is_workspace(root, named=True) and was_workspace(root))

    if meant_name(os.path.basename(path)) is None and "memory" not in Path(path).parts:
        folder = Path(os.path.dirname(path) or ".")
        return _without_ignored(folder, list(filter(counts, folders_at(folder))))
    root = root_of_file(path)
    return [root] if counts(root) else []


def _shown_file(path: str) -> str:
    folder, name = os.path.split(path)
    return shown_folder(Path(folder or ".")) + name


def roots_at(path: str) -> Iterator[Path]:
    """The folders of the workspaces of a file, or at and below a folder."""
    if not os.path.isdir(path):
        root = root_of_file(path)
        if os.path.lexists(path) and is_workspace(root, named=True):
            yield root
        return
    named, *below = folders_at(Path(path))
    if is_workspace(named, named=True):
        yield named
    yield from _without_ignored(named, [folder for folder in below if is_workspace(folder)])


def root_of_file(path: str) -> Path:
    """The workspace of a file: its folder, or for `users/<id>/` and all below `memory/` what is around it."""
    folder = Path(os.path.abspath(path)).parent
    around = [place.parent for place in (folder, *folder.parents) if place.name == "memory"]
    if folder.parent.name == "users":
        around.insert(0, folder.parent.parent)
    return next((root for root in around if is_workspace(root, named=True)), folder)


def is_workspace(folder: Path, *, named: bool = False) -> bool:
    """Does a folder count as a workspace where it is found, or where somebody named it?

    Named, it needs one file that is or was meant for OpenClaw; found, a bootlint.toml or a lock of its own beside it,
    or else two bootstrap files, or SOUL.md or IDENTITY.md.
    """
    try:
        names = set(os.listdir(folder))
    except OSError:
        return False
    if named or not names.isdisjoint(_OWN_FILES):
        return any(meant_name(name) for name in names)
    held = names.intersection(BOOTSTRAP_NAMES)
    return len(held) >= 2 or not held.isdisjoint({"SOUL.md", "IDENTITY.md"})


def folders_at(top: Path) -> Iterator[Path]:
    """`top` and every folder below it, links not followed, known caches and vendored code left out."""
    yield top
    waiting = [os.fspath(top)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                below = sorted(
                    entry.path
                    for entry in entries
                    if entry.name not in SKIPPED_FOLDERS and entry.is_dir(follow_symlinks=False)
                )
        except OSError:
            continue
        yield from map(Path, below)
        waiting += reversed(below)


def _without_ignored(top: Path, folders: list[Path]) -> list[Path]:
    """The folders that git does not ignore; all of them where git does not answer."""
    if not folders:
        return []
    from bootlint.git import GitError, ignored

    try:
        gone = ignored(top, folders)
    except GitError:
        return folders
    return [folder for folder in folders if folder not in gone]


def shown_folder(root: Path) -> str:
    text = os.fspath(root)
    if os.path.isabs(text):
        relative = os.path.relpath(text)
        text = text if relative.startswith("..") else relative
    text = os.path.normpath(text).replace(os.sep, "/")
    return "" if text == "." else text + "/"
