"""Which findings a change introduced: the same check on the commit before it, compared by fingerprint."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bootlint import catalog, config, git
from bootlint.engine import Report, check
from bootlint.past import Past
from bootlint.plainfiles import read_plain
from bootlint.records import record, replace
from bootlint.revisions import (
    Snapshot,
    Untracked,
    is_itself,
    locked_folders,
    remains,
    snapshot,
    sparse_folders,
)
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import (
    NoWorkspaceError,
    Workspace,
    as_workspaces,
    is_workspace,
    read_bytes,
    roots_at,
    shown_folder,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from bootlint.config import Settings
    from bootlint.diagnostics import Finding
    from bootlint.situations import Basis


@record
class Found:
    """The workspaces at and below some paths, as a change leaves them."""

    present: tuple[Workspace, ...]
    remains: tuple[Workspace, ...]  # what stands in the place of one of the base, and is none any more
    gone: tuple[Workspace, ...]  # those of the base of which nothing is left, as they stood there


@record
class Base:
    """What a change started from, where the workspaces of now stood in it, and the commit whose policy is in force.

    They are two where the branch is behind: what others did to the base meanwhile is not of this change's doing.
    """

    snapshot: Snapshot
    policy: Snapshot
    moved: Mapping[str, str]  # new → old folder, relative to the repository

    def workspaces(self, paths: Iterable[str]) -> Found:
        """What stands there now, and what stood there. Raises NoWorkspaceError for a path with neither."""
        repository, stood = self.snapshot.repository, self.snapshot.workspaces()
        still = stood if self.policy is self.snapshot else self.policy.workspaces()
        locked = [folder for folder in locked_folders(repository) if remains(repository, folder)]
        roots: list[Path] = []
        shown: dict[str, str] = {}
        for path in paths:
            now, then = [*roots_at(path), *self._below(path, locked).values()], self._below(path, stood)
            if not now and not then:
                raise NoWorkspaceError(path)
            roots += now
            for folder, root in then.items():
                shown[folder] = min(shown.get(folder, shown_folder(root)), shown_folder(root))
        present = as_workspaces(roots)
        kept = {
            before.root
            for one in present
            if self.snapshot.holds(one.root) and (before := self.workspace(one)) is not None
        }
        sparse = sparse_folders(repository)
        lost = [
            folder
            for folder in sorted(shown)
            if stood[folder].root not in kept and folder in still and folder not in sparse
        ]
        left = [
            folder
            for folder in lost
            if remains(repository, folder) and self.snapshot.holds(repository / folder)
        ]
        return Found(
            tuple(present),
            tuple(Workspace.at(Path(shown[folder] or "."), shown[folder]) for folder in left),
            tuple(Workspace.at(stood[folder].root, shown[folder]) for folder in lost if folder not in left),
        )

    def differs(self, now: Path, then: Path) -> bool:
        """Does a file of policy say something else than one of the base? There or not, in the work tree and in the snapshot."""
        place = self.policy.relative(then)
        if self.policy.relative(now) is None or place is None:
            return False
        said = _policy(now)
        return all(said != _policy(past.file(past.root / place)) for past in (self.policy, self.snapshot))

    def stood(self, file: Path) -> Path:
        """Where the snapshot has a file of the commit whose policy is in force; any other path is its own."""
        if not file.is_relative_to(self.policy.root):
            return file
        return self.snapshot.root / file.relative_to(self.policy.root)

    def in_force(self, place: Path) -> Path:
        """Where the commit whose policy is in force has a place of the snapshot; any other path is its own."""
        if not place.is_relative_to(self.snapshot.root):
            return place
        return self.policy.root / place.relative_to(self.snapshot.root)

    def _below(self, path: str, folders: Iterable[str]) -> dict[str, Path]:
        """Those of the repository's folders that stand at or below a path, as they are reached from it."""
        unfollowed = os.path.join(
            os.path.realpath(os.path.dirname(os.path.abspath(path))), os.path.basename(os.path.abspath(path))
        )
        found: dict[str, Path] = {}
        for top in {os.path.realpath(path), unfollowed}:
            for folder in folders:
                way = os.path.relpath(os.path.join(os.path.realpath(self.snapshot.repository), folder), top)
                if way.split(os.sep)[0] != os.pardir:
                    found[folder] = Path(path) / way
        return found

    def workspace(self, now: Workspace) -> Workspace | None:
        """A workspace as it was before; None where it was not there."""
        folder = self._old_folder(now.root)
        return None if folder is None else Workspace.at(folder, now.shown)

    def report(self, before: Workspace, now: Workspace, settings: Settings, *, heed_comments: bool) -> Report:
        """What the check said of the workspace before."""
        # Judged where it stands now: the markers of missing files hold that path.
        place = settings.workspace_path or os.path.abspath(now.root)
        settings = replace(settings, workspace_path=place)
        # Without its past: what was not approved then is still not, unless the change left it alone.
        basis = self.snapshot.basis(
            before, settings, self.policy.config(self.in_force(before.root), settings)
        )
        return check(before, basis, settings, past=Past.none(before), heed_comments=heed_comments)

    def _old_folder(self, root: Path) -> Path | None:
        """Where the workspace stood before; elsewhere if it was moved, and not copied."""
        place = self.snapshot.place(root)
        if is_workspace(place, named=True):
            return place
        old = self.moved.get(self.snapshot.relative(root) or "")
        repository = self.snapshot.repository
        if old is None or (is_itself(repository, old) and is_workspace(repository / old)):
            return None
        return self.snapshot.root / old


@contextmanager
def base_of(folder: Path, revision: str, untracked: Untracked, *, of_branch: bool = False) -> Iterator[Base]:
    """The base of the repository that holds `folder`, and with it of what stands there untracked.

    `of_branch`: the change is what the branch did since it left the base. Raises GitError where git does not know
    the revision.
    """
    repository = git.toplevel(folder)
    with ExitStack() as stack:
        policy = stack.enter_context(snapshot(repository, revision, untracked=untracked))
        started = policy
        if of_branch and (parted := git.merge_base(repository, revision)) != policy.commit:
            started = stack.enter_context(snapshot(repository, parted, untracked=untracked))
        yield Base(started, policy, started.moved_folders(None))


def with_changed(now: Workspace, before: Workspace | None) -> Workspace:
    """The workspace with every note and personal file that the change touched: a flood of others hides none."""
    wanted = (
        path
        for path in now.disk.passed_over
        if before is None or read_bytes(now.root, path) != read_bytes(before.root, path)
    )
    return now.unread(frozenset(wanted))


def vanished(
    before: Workspace, under: Basis, settings: Settings, also: Iterable[tuple[str, Finding]]
) -> Report:
    """The report on a workspace that is not there any more: what is to be said of that, and that no rule arrives."""
    others = (code for code in catalog.pages() if code != "BL004")
    alone = replace(settings, ignore=(*settings.ignore, *others))
    return replace(check(before, under, alone, also=also, past=Past.none(before)), reached=0)


def as_proposed(report: Report, proposed: Report) -> Report:
    """A report under the policy of the base, with what is wrong in the openclaw.json that the change proposes."""
    others = (one for one in report.diagnostics if one.code != "BL003")
    theirs = (one for one in proposed.diagnostics if one.code == "BL003")
    return replace(
        report, diagnostics=tuple(sorted((*others, *theirs), key=lambda diagnostic: diagnostic.sort_key))
    )


def _policy(path: Path | None) -> object:
    """What counts of a file, whatever its line ends: of a pyproject.toml our table alone; None where there is none."""
    if path is None:
        return None
    try:
        data = read_plain(path).replace(b"\r\n", b"\n")
    except OSError as error:
        return error.strerror if os.path.lexists(path) else None
    if path.name != "pyproject.toml":
        return data
    try:
        return config.own_table(config.toml(data, ""))
    except (config.SettingsError, TypeError):
        return data


def introduced(now: Report, before: Report, *, always: Collection[str] = ()) -> Report:
    """The report without what the base had already, except in the files of `always` (paths as shown)."""
    old = {(diagnostic.path, diagnostic.fingerprint) for diagnostic in before.diagnostics}
    kept = tuple(
        diagnostic
        for diagnostic in now.diagnostics
        if diagnostic.path in always
        or old.isdisjoint((diagnostic.path, mark) for mark in diagnostic.known_by)
    )
    return replace(now, diagnostics=kept)
