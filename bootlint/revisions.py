"""The workspaces of a commit: what bootlint reads of them laid out in a temporary folder, so that all works as on disk.

Paths and contents come from a repository that may be hostile: nothing is written outside the folder, links stay
links (reading refuses those that lead out), and a file that is too large to be read becomes one of holes.
"""

from __future__ import annotations

import errno
import os
import posixpath
from collections import Counter
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from bootlint import git
from bootlint.config import FILE_NAMES
from bootlint.diagnostics import UserError
from bootlint.lazyre import lazy_pattern
from bootlint.openclaw.config_file import absolute
from bootlint.openclaw.loading import STATE_FILES
from bootlint.openclaw.settings import FILE_NAME as OPENCLAW_CONFIG
from bootlint.openclaw.settings import ConfigError, read_config
from bootlint.plainfiles import TooLargeError, read_plain
from bootlint.records import record, replace
from bootlint.situations import Basis, FoundConfig, UnknownAgentError, basis, find_config
from bootlint.typed import TYPE_CHECKING, Literal
from bootlint.workspace import (
    LOCK_NAME,
    MAX_BYTES,
    SKIPPED_FOLDERS,
    Workspace,
    folders_at,
    is_workspace,
    meant_name,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from bootlint.config import Settings
    from bootlint.git import TreeEntry

# What a work tree holds beside its repository, and what of it a commit is taken to hold too, as not changed by it.
Untracked = Literal["none", "ignored", "all"]


@record
class Snapshot:
    """The files of one commit that bootlint reads, below `root` as they stand below `repository`."""

    repository: Path
    revision: str  # as it was given
    commit: str
    root: Path
    folders: Mapping[str, int]  # those in which the commit itself has files for OpenClaw, and how many
    locked: frozenset[str]  # those in which it has a lock
    hollow: frozenset[str]  # files that were laid out empty, since only their being there counts

    def relative(self, path: Path) -> str | None:
        """A path of the work tree as the repository has it, with `/`, "" its top; None for one outside.

        One of the snapshot is what it is there, whatever stands in its place now.
        """
        if path.is_relative_to(self.root):
            return _relative(path, self.root)
        relative = _relative(Path(os.path.realpath(path)), Path(os.path.realpath(self.repository)))
        return None if relative == ".." or relative.startswith("../") else relative

    def place(self, path: Path) -> Path:
        """Where the snapshot has a file or folder of the work tree. Raises UserError for one outside the repository."""
        relative = self.relative(path)
        if relative is None:
            raise UserError(f"{path}: is not in the repository of {self.revision}; run bootlint there")
        return self.root / relative

    def file(self, path: Path) -> Path | None:
        """Where the snapshot has one certain file of the work tree, whatever its name; None if the commit lacks it.

        Raises UserError for one outside the repository.
        """
        place = self.place(path)
        if _relative(place, self.root) in self.hollow and os.path.realpath(place) == os.fspath(place):
            place.unlink(missing_ok=True)
        if not os.path.lexists(place):
            tree = _tree(self.repository, self.commit)
            wanted = {_relative(place, self.root)} & tree.keys()
            for found, file in _read(self.repository, tree, wanted).items():
                _lay_out(self.root, found, file)
        return place if place.is_file() else None

    def today(self, place: Path) -> Path:
        """The path of the work tree that stands at a place of the snapshot; a path elsewhere is its own."""
        return self.repository / place.relative_to(self.root) if place.is_relative_to(self.root) else place

    def holds(self, folder: Path) -> bool:
        """Does a folder of the work tree belong to this repository, and not to another one inside it?"""
        relative = self.relative(folder)
        if relative is None:
            return False
        parts = relative.split("/") if relative else []
        places = (self.repository.joinpath(*parts[:depth]) for depth in range(1, len(parts) + 1))
        return not any(os.path.lexists(place / ".git") for place in places)

    def basis(self, workspace: Workspace, settings: Settings, found: FoundConfig | None = None) -> Basis:
        """Under what a workspace of the snapshot was judged; an openclaw.json that cannot be read does not count.

        `found` stands in for the one of the commit.
        """
        found = found or self.config(workspace.root, settings)
        place = self.today(workspace.root)
        try:
            judged = basis(workspace, settings, found, place)
        except UnknownAgentError:  # so it was called otherwise, or not there yet
            judged = basis(workspace, replace(settings, agent=None), found, place)
        if found.path is None:
            return judged
        way = os.path.relpath(found.path, os.path.realpath(self.repository))
        found = found.at(Path(os.path.normpath(self.root / way)))  # as far from the workspace as it is
        return Basis(
            tuple(
                replace(situation, config=found.config, config_error=found.error)
                for situation in judged.situations
            )
        )

    def config(self, folder: Path, settings: Settings) -> FoundConfig:
        """What the commit has of the openclaw.json that counts for a folder, under its path in the work tree.

        One outside the repository is no part of the commit, and counts as it stands now. Raises ConfigError where
        such a one was named and cannot be read.
        """
        place = self.place(folder)
        if settings.openclaw_config is None:
            path, is_inside = place.parent / OPENCLAW_CONFIG, place != self.root
        else:
            path = absolute(Path(settings.openclaw_config))
            is_inside = self.relative(path) is not None
        if not is_inside:
            return find_config(Workspace.at(self.today(place)), settings)
        old = self.file(path)
        if old is None:
            return FoundConfig()
        try:
            return FoundConfig(read_config(old)).at(self.today(path))
        except ConfigError as error:
            return FoundConfig(error=error).at(self.today(path))

    def workspaces(self) -> Mapping[str, Workspace]:
        """Folder relative to the repository ("" is itself) → workspace, those left out that git knew nothing of."""
        found = workspaces_at(self.root, self.locked)
        return {folder: one for folder, one in found.items() if folder in self.folders}

    def moved_folders(self, head: str | None) -> Mapping[str, str]:
        """New → old folder of those whose files for OpenClaw were moved, most of them; `head` None is the index.

        Files that were deleted count as well: where some are saved and the rest is dropped, nothing was moved. Of
        files that are equal in several folders, as those of one template are, git names any: all of them count.
        """
        renames = [
            (old, new)
            for old, new in git.renames(self.repository, self.commit, head)
            if meant_name(posixpath.basename(old)) and meant_name(posixpath.basename(new))
        ]
        if not renames:
            return {}
        ids = {entry.path: entry.object_id for entry in git.files(self.repository, self.commit)}
        folders = {posixpath.dirname(old) for old, _ in renames}
        votes = Counter(
            (posixpath.dirname(new), folder)
            for old, new in renames
            for folder in folders
            if ids.get(posixpath.join(folder, posixpath.basename(old))) == ids[old]
        )
        ranked = sorted((count, new, old) for (new, old), count in votes.items() if new != old)
        return {new: old for count, new, old in ranked if count * 2 > self.folders[old]}


@contextmanager
def snapshot(repository: Path, revision: str, *, untracked: Untracked = "none") -> Iterator[Snapshot]:
    """Lay out what bootlint reads of a commit. Raises GitError for a revision that git does not know."""
    commit = git.commit(repository, revision)
    tree = _tree(repository, commit)
    files = _read(repository, tree, filter(_is_read, tree))
    if untracked != "none":
        files = _as_checked_out(repository, files)
    with TemporaryDirectory(prefix="bootlint-") as folder:
        # In a folder of its own, so that nothing stands beside it, and under its name, which openclaw.json may hold.
        root = Path(os.path.realpath(folder), repository.name or "repository")
        root.mkdir()
        for path, file in sorted(files.items()):
            _lay_out(root, path, file)
        hollow = frozenset(_mentioned(tree.keys() - files.keys(), files.values()))
        for path in hollow:
            _lay_out(root, path, _ABSENT_TEXT)
        if untracked != "none":
            _take_along(repository, root, only_ignored=untracked == "ignored")
        folders = Counter(posixpath.dirname(path) for path in files if meant_name(posixpath.basename(path)))
        locked = frozenset(_with_a_lock(files))
        yield Snapshot(repository, revision, commit, root, folders, locked, hollow)


def workspaces_at(root: Path, locked: Iterable[str]) -> Mapping[str, Workspace]:
    """Folder relative to `root` ("" is itself) → workspace. `locked` are folders that count whatever they are called."""
    top, *below = folders_at(root)
    found = [top] if is_workspace(top, named=True) else []
    found += filter(is_workspace, below)
    found += (root / folder for folder in sorted(locked) if remains(root, folder))
    return {_relative(folder, root): Workspace.at(folder) for folder in found}


def locked_folders(repository: Path) -> frozenset[str]:
    """The folders, relative to the repository, in which its index has a lock."""
    return frozenset(_with_a_lock(git.tracked(repository, LOCK_NAME)))


def sparse_folders(repository: Path) -> frozenset[str]:
    """The folders, relative to the repository, of which a sparse checkout leaves files out: they are not gone."""
    return frozenset(map(posixpath.dirname, git.left_out(repository)))


def remains(root: Path, folder: str) -> bool:
    """Is a folder below `root` there with a file for OpenClaw, and no link on the way to it?"""
    return is_itself(root, folder) and is_workspace(root / folder, named=True)


def is_itself(root: Path, folder: str) -> bool:
    """Is there no link on the way to a folder below `root`?"""
    return os.path.realpath(root / folder) == os.path.normpath(os.path.join(os.path.realpath(root), folder))


def _with_a_lock(paths: Iterable[str]) -> Iterator[str]:
    return (posixpath.dirname(path) for path in paths if posixpath.basename(path) == LOCK_NAME)


# --- what is read ------------------------------------------------------------------------------------------


@record
class _File:
    """A file or link of a commit. `data` is None where it is too large to be read."""

    size: int
    data: bytes | None
    is_link: bool = False


_ABSENT_TEXT = _File(0, b"")  # of a file that only has to be there

_STATE_NAMES = frozenset(path.rpartition("/")[2] for path in STATE_FILES)
_NAMES = frozenset({*FILE_NAMES, OPENCLAW_CONFIG, LOCK_NAME}) | _STATE_NAMES
_NOTE = lazy_pattern(r"(?:^|/)memory/(?:.*/)?[^/]+\.md\Z")
_LONGEST_WAY = 1_000  # parts of paths, those of links on the way among them
_MOST_STEPS = 40  # links to links, files that include files: as far as Linux follows


def _tree(repository: Path, commit: str) -> dict[str, TreeEntry]:
    return {entry.path: entry for entry in git.files(repository, commit) if _is_safe(entry.path)}


def _is_read(path: str) -> bool:
    name = path.rpartition("/")[2]
    return meant_name(name) is not None or name in _NAMES or _NOTE.search(path) is not None


def _is_safe(path: str) -> bool:
    parts = path.split("/")
    return not os.path.isabs(path) and all(part not in ("", ".", "..", ".git") for part in parts)


def _read(repository: Path, tree: Mapping[str, TreeEntry], paths: Iterable[str]) -> dict[str, _File]:
    """Files of a commit, and what they lead to: the targets of links, the files that others include."""
    files: dict[str, _File] = {}
    wanted = set(paths)
    for _ in range(_MOST_STEPS):
        new = _contents(repository, [tree[path] for path in sorted(wanted - files.keys())])
        files |= new
        links = (path for path, file in files.items() if file.is_link)
        wanted = {step for path in links for step in _way(path, tree, files)}
        wanted.update(target for path, file in new.items() for target in _included(path, file, tree))
        if wanted <= files.keys():
            break
    return files


def _contents(repository: Path, entries: Collection[TreeEntry]) -> dict[str, _File]:
    sizes = git.sizes(repository, {entry.object_id for entry in entries}) if entries else {}
    small = [object_id for object_id, size in sizes.items() if size <= MAX_BYTES]
    data = git.contents(repository, small) if small else {}
    return {
        entry.path: _File(sizes[entry.object_id], data.get(entry.object_id), entry.is_link)
        for entry in entries
    }


def _way(path: str, tree: Mapping[str, TreeEntry], files: Mapping[str, _File]) -> Iterator[str]:
    """What stands on the way of a link, folders that are links among it; as far as the links are read, and inside."""
    here: list[str] = []
    ahead = path.split("/")[::-1]
    for _ in range(_LONGEST_WAY):
        if not ahead:
            return
        part = ahead.pop()
        if part in ("", "."):
            continue
        if part == "..":
            if not here:
                return
            here.pop()
            continue
        here.append(part)
        entry = tree.get("/".join(here))
        if entry is None:
            continue
        yield entry.path
        if entry.is_link:
            file = files.get(entry.path)
            if file is None or file.data is None or file.data.startswith(b"/"):
                return
            here.pop()
            ahead += os.fsdecode(file.data).split("/")[::-1]


def _included(path: str, file: _File, tree: Mapping[str, TreeEntry]) -> Iterator[str]:
    if file.data is not None and not file.is_link and b"$include" in file.data and not path.endswith(".md"):
        yield from _mentioned(tree.keys(), (file,), folders=False)


_BETWEEN_WORDS = lazy_pattern(r"""[\s()<>\[\]{}"'`,;:#?/\\]+""")


def _mentioned(paths: Collection[str], files: Collection[_File], *, folders: bool = True) -> Iterator[str]:
    """Those of `paths` whose name, or with `folders` a folder's name, stands in a file: they may be what it means.

    Rules ask whether a file is there. What no text mentions nobody asks for, and a repository may hold many files.
    """
    from urllib.parse import unquote

    texts = [file.data.decode("utf-8", "replace") for file in files if file.data is not None]
    words = {word for text in texts for word in _BETWEEN_WORDS.split(text)}
    words |= {word for text in texts if "%" in text for word in _BETWEEN_WORDS.split(unquote(text))}
    known: dict[str, bool] = {"memory": True}  # whose entries count even where nobody names them
    for path in paths:
        for name in path.split("/") if folders else (posixpath.basename(path),):
            if name not in known:
                known[name] = max(_BETWEEN_WORDS.split(name), key=len) in words
            if known[name]:
                yield path
                break


# --- laying out --------------------------------------------------------------------------------------------


# A path that this file system cannot hold: it is not read on disk either.
_NO_NAME = frozenset({
    errno.EEXIST, errno.EILSEQ, errno.EINVAL, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR,
})  # fmt: skip


def _lay_out(root: Path, path: str, file: _File) -> None:
    target = root / path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # A crafted commit may hold `a` as a link and `a/b` as a file, which would be written through it.
        if os.path.realpath(target.parent) != os.fspath(target.parent):
            return
        if file.is_link and file.data is not None:
            os.symlink(file.data, os.fsencode(target))
            return
        with open(target, "xb") as stream:
            if file.data is None:
                stream.truncate(file.size)
            else:
                stream.write(file.data)
    except ValueError:
        return
    except OSError as error:
        if error.errno not in _NO_NAME:
            raise


def _as_checked_out(repository: Path, files: Mapping[str, _File]) -> dict[str, _File]:
    """Files of a commit with the line ends that they have in this work tree.

    git gives a file CRLF where the index has LF and the work tree CRLF; a file that stands no more had what others
    of its name have. To ask git itself would run filters that a repository configures.
    """
    index = {one.path: one for one in git.indexed(repository) if one.path in files or _is_read(one.path)}
    with_crlf = [one for one in index.values() if _line_end(_in_work_tree(repository / one.path)) == "crlf"]
    converted = {path for path, file in _contents(repository, with_crlf).items() if _line_end(file) == "lf"}
    names = {posixpath.basename(path) for path in converted}

    def as_here(path: str, file: _File) -> _File:
        is_converted = path in converted if path in index else posixpath.basename(path) in names
        if not is_converted or file.data is None or _line_end(file) != "lf":
            return file
        data = file.data.replace(b"\n", b"\r\n")
        return _File(len(data), data)

    return {path: as_here(path, file) for path, file in files.items()}


def _line_end(file: _File | None) -> Literal["lf", "crlf"] | None:
    """That of every line of a plain file; None where lines differ, or there are none."""
    if file is None or file.is_link or not file.data:
        return None
    lines, with_cr = file.data.count(b"\n"), file.data.count(b"\r\n")
    if with_cr == 0:
        return "lf" if lines else None
    return "crlf" if with_cr == lines else None


def _in_work_tree(path: Path) -> _File | None:
    try:
        return _on_disk(path)
    except OSError:  # deleted, or a folder now
        return None


def _take_along(repository: Path, root: Path, *, only_ignored: bool) -> None:
    """Add to the snapshot at `root` what no commit holds: a memory that git ignores was there before the change too."""
    for path in git.untracked(repository, only_ignored=only_ignored):
        if SKIPPED_FOLDERS.isdisjoint(path.split("/")):
            for found in filter(_is_read, _files_at(repository, path)):
                with suppress(OSError):  # it was there a moment ago
                    _lay_out(root, found, _on_disk(repository / found))


def _files_at(repository: Path, path: str) -> Iterator[str]:
    if not path.endswith("/"):
        yield path
        return
    for folder in folders_at(repository / path):
        for name in sorted(os.listdir(folder)):
            yield _relative(folder / name, repository)


def _on_disk(path: Path) -> _File:
    if path.is_symlink():
        return _File(0, os.fsencode(os.readlink(path)), is_link=True)
    try:
        data = read_plain(path, MAX_BYTES)
    except TooLargeError:
        return _File(path.stat().st_size, None)
    return _File(len(data), data)


def _relative(path: Path, root: Path) -> str:
    relative = os.path.relpath(path, root).replace(os.sep, "/")
    return "" if relative == "." else relative
