"""Which workspaces a run looks at, and which of their findings count: by path, agent, commit or editor."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bootlint.diagnostics import UserError
from bootlint.openclaw.releases import contract, latest_release
from bootlint.openclaw.settings import FILE_NAME as OPENCLAW_CONFIG
from bootlint.openclaw.settings import read_config
from bootlint.records import record, replace
from bootlint.situations import Basis, basis
from bootlint.workspace import Workspace, discover, discover_committed, shown_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bootlint.cli.common import SettingsReader
    from bootlint.config import Settings
    from bootlint.introduced import Base


@record
class Target:
    """One workspace of a run, and what of it is wanted."""

    workspace: Workspace
    settings: Settings
    basis: Basis
    only: str | None = None  # the file of an editor, as shown: findings in others are left out
    passed: frozenset[str] = (
        frozenset()
    )  # files of a commit, as shown: what is found there counts, new or old


def by_path(paths: Iterable[str], reader: SettingsReader, base: Base | None = None) -> Iterator[Target]:
    """The workspaces of files and folders; with a base, under the policy that stands there."""
    for workspace in discover(paths):
        settings = reader.of(workspace.root, base)
        yield Target(workspace, settings, basis(workspace, settings))


def by_agent(paths: Iterable[str], reader: SettingsReader) -> Iterator[Target]:
    """The workspaces that openclaw.json names. It is the one of --openclaw-config, or stands in or above a path."""
    for path in paths:
        settings = reader.of(Path(path))
        file = _openclaw_config(path, settings)
        config = read_config(file)
        release = (
            settings.openclaw[0] if settings.openclaw else config.last_touched_version or latest_release()
        )
        for agent, folder in config.workspaces(contract(release)).items():
            if not folder.is_dir():
                print(f"bootlint: agent {agent}: its workspace {folder} is not there", file=sys.stderr)
                continue
            own = replace(reader.of(folder), openclaw_config=str(file), agent=agent)
            workspace = Workspace.at(folder, shown_folder(folder))
            yield Target(workspace, own, basis(workspace, own))


def by_commit(paths: Iterable[str], reader: SettingsReader) -> Iterator[Target]:
    """The workspaces that the files of a commit belong to; files of no workspace are passed over."""
    for workspace, passed in discover_committed(paths):
        settings = reader.of(workspace.root)
        yield Target(workspace, settings, basis(workspace, settings), passed=passed)


def by_editor(path: str, text: str, reader: SettingsReader) -> Iterator[Target]:
    """The workspace of one file, with the text that an editor holds in the place of what is on disk."""
    folder = Path(os.path.abspath(path)).parent
    if not folder.is_dir():
        raise UserError(f"--stdin-filename {path}: its folder is not there")
    root = folder.parent.parent if folder.parent.name == "users" else folder
    name = os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")
    workspace = Workspace.at(root, shown_folder(root)).with_texts({name: text})
    settings = reader.of(root)
    yield Target(workspace, settings, basis(workspace, settings), only=workspace.shown_path(name))


def _openclaw_config(path: str, settings: Settings) -> Path:
    if settings.openclaw_config:
        return Path(settings.openclaw_config)
    places = (Path(path) / OPENCLAW_CONFIG, Path(os.path.abspath(path)).parent / OPENCLAW_CONFIG)
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        raise UserError(f"{path}: --all-agents needs an openclaw.json; name it with --openclaw-config")
    return file
