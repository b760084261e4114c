"""Which findings a change introduced: the same check on the commit before it, compared by fingerprint."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bootlint import config, git
from bootlint.diagnostics import Finding, Span, UserError
from bootlint.engine import Report, check
from bootlint.records import record, replace
from bootlint.revisions import LOCK_NAME, checkout
from bootlint.situations import basis
from bootlint.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from bootlint.config import Settings


@record
class Base:
    """The commit before a change, laid out in `root` as it stands in `repository`."""

    repository: Path
    revision: str
    commit: str
    root: Path
    renames: Mapping[str, str]  # old → new, relative to the repository

    def place(self, path: Path) -> Path:
        """Where the base has a file or folder of the work tree. Raises UserError for one outside the repository."""
        relative = os.path.relpath(os.path.realpath(path), os.path.realpath(self.repository))
        if relative == ".." or relative.startswith(".." + os.sep):
            raise UserError(f"{path}: is not in the repository of {self.revision}; run bootlint there")
        return self.root / relative

    def report(self, workspace: Workspace, settings: Settings) -> Report | None:
        """What the check says of the workspace as it was; None where it was not there."""
        folder = self._old_folder(self.place(workspace.root))
        if not folder.is_dir():
            return None
        before = Workspace.at(folder, workspace.shown)
        # Judged where it stands now: the markers of missing files hold that path.
        settings = replace(
            settings, workspace_path=settings.workspace_path or os.path.abspath(workspace.root)
        )
        return check(before, basis(before, settings), settings)

    def _old_folder(self, folder: Path) -> Path:
        """The folder's place before it was moved, if it was."""
        if folder.is_dir():
            return folder
        now = os.path.relpath(folder, self.root).replace(os.sep, "/")
        old = next((old for old, new in self.renames.items() if os.path.dirname(new) == now), None)
        return folder if old is None else self.root / os.path.dirname(old)


@contextmanager
def base_of(folder: Path, revision: str) -> Iterator[Base]:
    """The base of the repository that holds `folder`. Raises GitError where git does not know the revision."""
    repository = git.toplevel(folder)
    with checkout(repository, revision) as laid_out:
        renames = git.renames(repository, laid_out.commit, None)
        yield Base(repository, revision, laid_out.commit, laid_out.root, renames)


def policy_changes(base: Base, workspace: Workspace, baseline: Path | None) -> Iterator[tuple[str, Finding]]:
    """A BL004 finding for each file of policy that the change touches: it does not count before it is approved."""
    now = (config.find(workspace.root, base.repository), workspace.root / LOCK_NAME, baseline)
    before = config.find(base.place(workspace.root), base.root)
    places = {base.place(path) for path in now if path is not None} | ({before} if before else set())
    for place in sorted(places):
        path = base.repository / os.path.relpath(place, base.root)
        if _bytes(path) != _bytes(place):
            shown = os.path.relpath(path, os.path.realpath(workspace.root)).replace(os.sep, "/")
            yield "BL004", Finding(shown, Span(0, 0), {"file": shown, "base": base.revision})


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def introduced(now: Report, before: Report | None, *, always: Collection[str] = ()) -> Report:
    """The report without what the base had already, except in the files of `always` (paths as shown)."""
    old = (
        {(diagnostic.path, diagnostic.fingerprint) for diagnostic in before.diagnostics} if before else set()
    )
    kept = tuple(
        diagnostic
        for diagnostic in now.diagnostics
        if diagnostic.path in always or (diagnostic.path, diagnostic.fingerprint) not in old
    )
    return replace(now, diagnostics=kept)
