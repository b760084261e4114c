"""`bootlint diff`."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

from bootlint import git
from bootlint.changes import WorkspaceChange, compare
from bootlint.checks.context import Context
from bootlint.cli.common import Parser, SettingsReader, add_general, add_situation, language_of
from bootlint.config import SettingsError
from bootlint.records import record, replace
from bootlint.reporters.diff import FORMATS, render
from bootlint.revisions import (
    Snapshot,
    locked_folders,
    remains,
    snapshot,
    sparse_folders,
    workspaces_at,
)
from bootlint.simulation import Simulation, Situation
from bootlint.situations import basis
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from bootlint.config import Settings

_EXAMPLES = """\
  bootlint diff HEAD                             what the uncommitted changes do
  bootlint diff origin/main                      what the branch does, work tree included
  bootlint diff v1 v2 --output-format markdown   between two commits, for a comment
"""


def run(argv: list[str]) -> int:
    """Say what a change does to what the model receives; 1 if a priority rule is lost by it."""
    arguments = _parser().parse_args(argv)
    reader = SettingsReader(arguments)
    changes = tuple(_changes(git.toplevel(Path()), arguments.base, arguments.head, reader))
    language = language_of(reader.of(Path()), for_people=arguments.output_format == "text")
    sys.stdout.write(render(arguments.output_format, changes, language))
    return int(any(change.newly_lost or _is_loss(change) for change in changes))


def _is_loss(change: WorkspaceChange) -> bool:
    """Did priority rules of a workspace reach the model, and do none any more? It may be gone, or emptied."""
    return change.reached_before > 0 and change.reached_after == 0


def _parser() -> Parser:
    parser = Parser(
        "diff",
        "Show what a change does to what the model receives, for every workspace of the repository.",
        _EXAMPLES,
        "0 no rule is lost, 1 the change loses a priority rule that reached the model, or all of a workspace",
    )
    parser.add_argument("base", metavar="BASE", help="the commit before the change")
    parser.add_argument(
        "head", nargs="?", metavar="HEAD", help="the commit after it (default: the work tree)"
    )
    parser.add_argument(
        "--output-format", choices=FORMATS, default="text", help="text (default), json or markdown"
    )
    add_situation(parser)
    add_general(parser)
    return parser


@record
class _Side:
    """The workspaces on one side of a change, by folder; `past` is None for the work tree."""

    workspaces: Mapping[str, Workspace]
    past: Snapshot | None

    def settings(self, folder: str, repository: Path, reader: SettingsReader) -> Settings:
        """Those that were set on this side."""
        root = repository if self.past is None else self.past.root
        return reader.of(root / folder, self.past)

    def situations(self, folder: str | None, settings: Settings) -> tuple[Situation, ...]:
        """Under what the workspace is simulated on this side; () where it does not stand."""
        if folder is None:
            return ()
        workspace = self.workspaces[folder]
        found = self.past.basis(workspace, settings) if self.past else basis(workspace, settings)
        return found.situations


def _changes(
    repository: Path, base: str, head: str | None, reader: SettingsReader
) -> Iterator[WorkspaceChange]:
    with ExitStack() as stack:
        if head is None and git.commit(repository, base) != (started := git.merge_base(repository, base)):
            base = started  # what others did since is not of this branch's doing
        # What git ignores in the work tree is no part of a change to it.
        past = stack.enter_context(
            snapshot(repository, base, untracked="ignored" if head is None else "none")
        )
        present = None if head is None else stack.enter_context(snapshot(repository, head))
        sparse = sparse_folders(repository) if present is None else ()
        stood = {folder: one for folder, one in past.workspaces().items() if folder not in sparse}
        old = _Side(stood, past)
        moved = past.moved_folders(None if present is None else present.commit)
        stands = _in_work_tree(repository, past) if present is None else present.workspaces()
        kept = {*stands, *(moved.get(folder) for folder in stands)}
        left = _remains(
            repository, past, present, [folder for folder in old.workspaces if folder not in kept]
        )
        new = _Side({**stands, **left}, present)
        for before, after in _pairs(old.workspaces, new.workspaces, moved):
            folder = after if after is not None else before or ""
            set_now = new.settings(folder, repository, reader)
            try:
                set_before = old.settings(folder if before is None else before, repository, reader)
            except SettingsError:  # which the change mends
                set_before = set_now
            earlier, later = old.situations(before, set_before), new.situations(after, set_now)
            # Both sides are judged in the same place: the markers of missing files hold its path.
            place = str(repository / folder).rstrip("/")
            for situations in _under_each_release(earlier, later):
                contexts = (
                    _context(side, name, situation, place)
                    for side, name, situation in zip((old, new), (before, after), situations, strict=True)
                )
                moved_from = None if before in (None, folder) else before or "."
                yield compare(*contexts, shown=folder or ".", moved_from=moved_from)


def _in_work_tree(repository: Path, past: Snapshot) -> Mapping[str, Workspace]:
    """Folder → workspace, without those that git ignores or that nested repositories hold."""
    stands = workspaces_at(repository, locked_folders(repository))
    found = {folder: one for folder, one in stands.items() if past.holds(one.root)}
    ignored = git.ignored(repository, [one.root for one in found.values()])
    return {folder: one for folder, one in found.items() if one.root not in ignored}


def _remains(
    repository: Path, past: Snapshot, present: Snapshot | None, folders: Iterable[str]
) -> Mapping[str, Workspace]:
    """What stands in the place of workspaces that are none any more."""
    root = repository if present is None else present.root
    return {
        folder: Workspace.at(root / folder)
        for folder in folders
        if remains(root, folder) and (present is not None or past.holds(root / folder))
    }


def _pairs(
    old: Collection[str], new: Collection[str], moved: Mapping[str, str]
) -> Iterator[tuple[str | None, str | None]]:
    """Folder before and after the change, None where there is none."""
    came_from = {folder: moved[folder] for folder in new if folder in moved and folder not in old}
    came_from = {
        folder: source for folder, source in came_from.items() if source in old and source not in new
    }
    for folder in new:
        yield (folder if folder in old else came_from.get(folder)), folder
    for folder in old:
        if folder not in new and folder not in came_from.values():
            yield folder, None


def _under_each_release(
    before: tuple[Situation, ...], after: tuple[Situation, ...]
) -> Iterator[tuple[Situation | None, Situation | None]]:
    """The situations of both sides in pairs: a release with itself, or with the one that took its place."""
    if (len(before) <= 1 and len(after) <= 1) or not after:
        yield from zip(before or [None] * len(after), after or [None] * len(before), strict=True)
        return
    by_release = {situation.contract.release: situation for situation in before}
    for later in after:
        earlier = before and (by_release.get(later.contract.release) or before[0].under(later.contract))
        yield earlier or None, later


def _context(side: _Side, folder: str | None, situation: Situation | None, place: str) -> Context | None:
    if folder is None or situation is None:
        return None
    situation = replace(situation, workspace_path=situation.workspace_path or place)
    return Context(Simulation(side.workspaces[folder], situation))
