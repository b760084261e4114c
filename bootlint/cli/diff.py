"""`bootlint diff`."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from bootlint import git
from bootlint.changes import WorkspaceChange, compare
from bootlint.checks.context import Context, Readings
from bootlint.cli.common import Parser, SettingsReader, add_general, add_situation, language_of
from bootlint.records import replace
from bootlint.reporters.diff import FORMATS, render
from bootlint.revisions import checkout
from bootlint.simulation import Simulation
from bootlint.situations import basis
from bootlint.workspace import NoWorkspaceError, Workspace, discover

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
    return int(any(change.newly_lost for change in changes))


def _parser() -> Parser:
    parser = Parser(
        "diff",
        "Show what a change does to what the model receives, for every workspace of the repository.",
        f"{_EXAMPLES}\nexit status: 1 if a priority rule that reached the model is lost by the change",
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


def _changes(
    repository: Path, base: str, head: str | None, reader: SettingsReader
) -> Iterator[WorkspaceChange]:
    with ExitStack() as stack:
        old_root = stack.enter_context(checkout(repository, base)).root
        new_root = repository if head is None else stack.enter_context(checkout(repository, head)).root
        old, new = _workspaces(old_root), _workspaces(new_root)
        for before, after in _pairs(old, new, git.renames(repository, base, head)):
            present = new[after] if after is not None else old[before or ""]
            settings = reader.of(present.root)
            place = str(repository / (after if after is not None else before or "")).rstrip("/")
            for situation in basis(present, settings).situations:
                # Both sides are judged in the same place: the markers of missing files hold its path.
                situated = replace(situation, workspace_path=situation.workspace_path or place)
                yield compare(
                    None if before is None else Context(Simulation(old[before], situated), Readings()),
                    None if after is None else Context(Simulation(new[after], situated), Readings()),
                    shown=(before if after is None else after) or ".",
                )


def _workspaces(root: Path) -> Mapping[str, Workspace]:
    """Folder relative to `root` ("" is itself) → workspace."""
    try:
        found = discover([str(root)])
    except NoWorkspaceError:
        return {}
    folders = (os.path.relpath(workspace.root, root).replace(os.sep, "/") for workspace in found)
    return {folder.removeprefix("."): workspace for folder, workspace in zip(folders, found, strict=True)}


def _pairs(
    old: Mapping[str, Workspace], new: Mapping[str, Workspace], renames: Mapping[str, str]
) -> Iterator[tuple[str | None, str | None]]:
    """Folder before and after, None where there is none. A folder that moved is paired by git's renames of its files."""
    moved = {os.path.dirname(source): os.path.dirname(target) for source, target in renames.items()}
    came_from = {target: source for source, target in moved.items() if source in old and target in new}
    came_from = {
        target: source for target, source in came_from.items() if target not in old and source not in new
    }
    for folder in new:
        yield (folder if folder in old else came_from.get(folder)), folder
    for folder in old:
        if folder not in new and folder not in came_from.values():
            yield folder, None
