"""Which workspaces a run looks at, and which of their findings count: by path, agent, commit or editor."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bootlint.config import SettingsError
from bootlint.diagnostics import UserError
from bootlint.openclaw.releases import contract, latest_release
from bootlint.openclaw.settings import FILE_NAME as OPENCLAW_CONFIG
from bootlint.openclaw.settings import read_config
from bootlint.records import record, replace
from bootlint.situations import Basis, basis
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase
from bootlint.workspace import (
    BOOTSTRAP_NAMES,
    MAX_BYTES,
    Workspace,
    discover,
    discover_committed,
    is_workspace,
    meant_name,
    root_of_file,
    shown_folder,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bootlint.cli.common import SettingsReader
    from bootlint.config import Settings
    from bootlint.diagnostics import Finding
    from bootlint.revisions import Snapshot


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
    before: Settings | None = None  # those under which the base was judged
    also: tuple[tuple[str, Finding], ...] = ()  # what is to be said besides, with its code
    proposed: Basis | None = None  # under what the change would be judged if its own openclaw.json counted
    gone: bool = False  # the workspace stands in the base alone


def by_path(paths: Iterable[str], reader: SettingsReader) -> Iterator[Target]:
    """The workspaces of files and folders."""
    for workspace in discover(paths):
        settings = reader.of(workspace.root)
        yield Target(workspace, settings, basis(workspace, settings))


def with_past(targets: Iterable[Target], reader: SettingsReader, past: Snapshot) -> Iterator[Target]:
    """The targets that the repository itself holds, each with the settings that held before."""
    for target in targets:
        if belongs_to(target, past):
            try:
                before = reader.of(target.workspace.root, past)
            except SettingsError:  # a commit must be able to mend its settings
                before = target.settings
            yield replace(target, before=before)


def belongs_to(target: Target, past: Snapshot) -> bool:
    """Does the repository itself hold the workspace? It is said of one that does not."""
    if past.holds(target.workspace.root):
        return True
    text = phrase("other-repository", target.settings.language or "en", workspace=target.workspace.shown)
    print(f"bootlint: {text}", file=sys.stderr)
    return False


def by_agent(paths: Iterable[str], reader: SettingsReader) -> Iterator[Target]:
    """The workspaces that openclaw.json names. It is the one of --openclaw-config, or stands in or above a path."""
    files = {
        os.path.realpath(file): settings
        for file, settings in (_openclaw_config(path, reader) for path in paths)
    }
    for file, settings in sorted(files.items(), key=lambda item: item[0]):
        config = read_config(Path(file))
        release = (
            settings.openclaw[0] if settings.openclaw else config.last_touched_version or latest_release()
        )
        for agent, folder in config.workspaces(contract(release)).items():
            if not folder.is_dir():
                text = phrase(
                    "agent-without-workspace", settings.language or "en", agent=agent, folder=str(folder)
                )
                print(f"bootlint: {text}", file=sys.stderr)
                continue
            own = replace(reader.of(folder), openclaw_config=file, agent=agent)
            workspace = Workspace.at(folder, shown_folder(folder))
            yield Target(workspace, own, basis(workspace, own))


def by_commit(paths: Iterable[str], reader: SettingsReader, past: Snapshot | None = None) -> Iterator[Target]:
    """The workspaces that the files of a commit belong to, or did before; files of no workspace are passed over."""

    def was_workspace(folder: Path) -> bool:
        return past is not None and past.relative(folder) is not None and is_workspace(past.place(folder))

    for workspace, passed in discover_committed(paths, was_workspace):
        settings = reader.of(workspace.root)
        yield Target(workspace, settings, basis(workspace, settings), passed=passed)


def by_editor(path: str, reader: SettingsReader) -> Iterator[Target]:
    """The workspace of one file, with the text that an editor gives on stdin in the place of what is on disk."""
    if meant_name(os.path.basename(path)) is None and "memory" not in Path(path).parts:
        raise UserError(f"--stdin-filename {path}: is no bootstrap file ({', '.join(BOOTSTRAP_NAMES[:-1])})")
    folder = Path(os.path.abspath(path)).parent
    if not folder.is_dir():
        raise UserError(f"--stdin-filename {path}: its folder is not there")
    root = root_of_file(path)
    name = os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")
    workspace = Workspace.at(root, shown_folder(root)).with_texts({name: _stdin()})
    settings = reader.of(root)
    yield Target(workspace, settings, basis(workspace, settings), only=workspace.shown_path(name))


def _stdin() -> str:
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UserError(f"stdin holds more than {MAX_BYTES:,} bytes; OpenClaw reads no such file")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"stdin is not UTF-8 (byte {error.start}); an editor has to give UTF-8") from error


def _openclaw_config(path: str, reader: SettingsReader) -> tuple[Path, Settings]:
    settings = reader.of(Path(path))
    if settings.openclaw_config:
        return Path(settings.openclaw_config), settings
    places = (Path(path) / OPENCLAW_CONFIG, Path(os.path.abspath(path)).parent / OPENCLAW_CONFIG)
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        raise UserError(f"{path}: --all-agents needs an openclaw.json; name it with --openclaw-config")
    return file, settings
