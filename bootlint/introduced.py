"""Which findings a change introduced: the same check on the commit before it, compared by fingerprint."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path

from bootlint import config, git
from bootlint.diagnostics import Finding, Params, Span
from bootlint.engine import Report, check
from bootlint.past import Past
from bootlint.plainfiles import read_plain
from bootlint.records import record, replace
from bootlint.revisions import Snapshot, Untracked, moved_folders, snapshot
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import LOCK_NAME, Workspace, is_workspace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from bootlint.config import Settings
    from bootlint.situations import Basis


@record
class Base:
    """The commit before a change, and where the workspaces of now stood in it."""

    snapshot: Snapshot
    moved: Mapping[str, str]  # new → old folder, relative to the repository

    def workspace(self, now: Workspace) -> Workspace | None:
        """A workspace as it was before; None where it was not there."""
        folder = self._old_folder(now.root)
        return None if folder is None else Workspace.at(folder, now.shown)

    def report(
        self, before: Workspace, now: Workspace, under: Basis, settings: Settings, *, heed_comments: bool
    ) -> Report:
        """What the check said of the workspace before. `under` is what it is judged under now."""
        # Judged where it stands now: the markers of missing files hold that path.
        place = settings.workspace_path or os.path.abspath(now.root)
        settings = replace(settings, workspace_path=place, agent=settings.agent or under.situations[0].agent)
        # Without its past: what was not approved then is still not, unless the change left it alone.
        basis, past = self.snapshot.basis(before, settings), Past.none(before)
        return check(before, basis, settings, past=past, heed_comments=heed_comments)

    def _old_folder(self, root: Path) -> Path | None:
        """Where the workspace stood before; elsewhere if it was moved, and not copied."""
        place = self.snapshot.place(root)
        if is_workspace(place, named=True):
            return place
        old = self.moved.get(self.snapshot.relative(root) or "")
        if old is None or is_workspace(self.snapshot.repository / old):
            return None
        return self.snapshot.root / old


@contextmanager
def base_of(folder: Path, revision: str, untracked: Untracked) -> Iterator[Base]:
    """The base of the repository that holds `folder`, and with it of what stands there untracked.

    Raises GitError where git does not know the revision.
    """
    repository = git.toplevel(folder)
    with snapshot(repository, revision, untracked=untracked) as laid_out:
        yield Base(laid_out, moved_folders(repository, laid_out.commit, None))


def policy_changes(
    base: Base, workspace: Workspace, files: Collection[Path]
) -> Iterator[tuple[str, Finding]]:
    """A BL004 finding for each file of policy that the change touches: it does not count before it is approved.

    `files` are those of the work tree, there or not, from which settings and known findings come or came.
    """
    root = Path(os.path.realpath(workspace.root))
    for path in sorted({root / LOCK_NAME, *files}):
        if base.snapshot.relative(path) is not None and _policy(path) != _policy(base.snapshot.file(path)):
            shown = os.path.relpath(os.path.realpath(path), root).replace(os.sep, "/")
            params: Params = {"file": workspace.shown_path(shown), "base": base.snapshot.revision}
            yield "BL004", Finding(shown, Span(0, 0), params)


def _policy(path: Path | None) -> object:
    """What counts of a file: of a pyproject.toml our table alone; None where there is no file."""
    if path is None:
        return None
    try:
        data = read_plain(path)
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
        if diagnostic.path in always or (diagnostic.path, diagnostic.fingerprint) not in old
    )
    return replace(now, diagnostics=kept)
