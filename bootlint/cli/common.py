"""What the commands share: options, and the settings of each workspace."""

from __future__ import annotations

import argparse
import locale
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from bootlint import config
from bootlint.config import Settings
from bootlint.diagnostics import UserError
from bootlint.openclaw.releases import contract, latest_release
from bootlint.openclaw.settings import FILE_NAME, read_config
from bootlint.simulation import SESSION_KINDS
from bootlint.situations import Basis, basis
from bootlint.wording import Language
from bootlint.workspace import Workspace, discover, shown_folder


class Parser(argparse.ArgumentParser):
    """argparse with bootlint's manners: one line and a suggestion instead of the whole usage."""

    def __init__(self, command: str, summary: str, examples: str) -> None:
        super().__init__(
            prog=f"bootlint {command}",
            description=summary,
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        options = tuple(option for action in self._actions for option in action.option_strings)
        hint = ""
        if message.startswith("unrecognized arguments: "):
            hint = config.suggestion(message.split(": ", 1)[1].split()[0].partition("=")[0], options)
        raise UserError(f"{message}{hint} ({self.prog} --help explains)")


def add_paths(parser: Parser) -> None:
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="workspaces or files in them (default: .)")


def add_situation(parser: Parser) -> None:
    """The options that say which OpenClaw is simulated. Their names are the keys of bootlint.toml."""
    group = parser.add_argument_group("what is simulated")
    group.add_argument("--openclaw", metavar="RELEASE[,…]", help="OpenClaw releases, such as 2026.6.11,latest")
    group.add_argument("--max-chars", metavar="N", help="limit of one file, in UTF-16 units (bootstrapMaxChars)")
    group.add_argument("--total-max-chars", metavar="N", help="limit of all files (bootstrapTotalMaxChars)")
    group.add_argument("--session", metavar="KIND", help=f"session kind: {', '.join(SESSION_KINDS)}")
    group.add_argument("--agent", metavar="ID", help="the agent whose values in openclaw.json count")
    group.add_argument("--openclaw-config", metavar="FILE", help="the openclaw.json that sets release and limits")
    group.add_argument("--workspace-path", metavar="PATH", help="where the workspace lives in production")


def add_general(parser: Parser) -> None:
    group = parser.add_argument_group("general")
    group.add_argument("--config", metavar="FILE", help="this bootlint.toml instead of the closest one")
    group.add_argument("--isolated", action="store_true", help="read no bootlint.toml at all")
    group.add_argument("--language", metavar="LANG", help="en or zh (中文)")
    group.add_argument("-q", "--quiet", action="store_true", help="no summary")
    group.add_argument("-v", "--verbose", action="store_true", help="say where each value came from")


_SITUATION_KEYS = ("openclaw", "max-chars", "total-max-chars", "session", "agent", "openclaw-config", "workspace-path")
_GENERAL_KEYS = ("language",)


class SettingsReader:
    """The settings of each workspace: the closest file, under the options of the command line."""

    def __init__(self, arguments: argparse.Namespace, *extra_keys: str) -> None:
        keys = (*_SITUATION_KEYS, *_GENERAL_KEYS, *extra_keys)
        values = ((key, getattr(arguments, key.replace("-", "_"), None)) for key in keys)
        self._options: Mapping[str, object] = {key: value for key, value in values if value is not None}
        self._named: str | None = arguments.config
        self._isolated: bool = arguments.isolated
        self._read: dict[Path | None, Settings] = {}
        if self._named is not None and not os.path.isfile(self._named):
            raise UserError(f"--config {self._named}: there is no such file")

    def of(self, folder: Path) -> Settings:
        """The settings that hold for a folder."""
        path = Path(self._named) if self._named else None if self._isolated else config.find(folder)
        if path not in self._read:
            base = Settings() if path is None else config.read(path)
            self._read[path] = config.parse(self._options, "", base)
        return self._read[path]


def selected(
    paths: list[str], reader: SettingsReader, *, all_agents: bool = False
) -> Iterator[tuple[Workspace, Settings, Basis]]:
    """Each workspace of the paths with its settings and situations."""
    if all_agents:
        yield from _of_all_agents(paths, reader)
        return
    for workspace in discover(paths):
        settings = reader.of(workspace.root)
        yield workspace, settings, basis(workspace, settings)


def _of_all_agents(paths: list[str], reader: SettingsReader) -> Iterator[tuple[Workspace, Settings, Basis]]:
    """The workspaces that openclaw.json names. It is the one of --openclaw-config, or stands in or above a path."""
    for path in paths:
        settings = reader.of(Path(path))
        named = settings.openclaw_config
        places = [Path(named)] if named else [Path(path) / FILE_NAME, Path(os.path.abspath(path)).parent / FILE_NAME]
        file = next((place for place in places if place.is_file()), None)
        if file is None:
            raise UserError(f"{path}: --all-agents needs an openclaw.json; name it with --openclaw-config")
        config = read_config(file)
        release = settings.openclaw[0] if settings.openclaw else config.last_touched_version or latest_release()
        for agent, folder in config.workspaces(contract(release)).items():
            if not folder.is_dir():
                print(f"bootlint: agent {agent}: its workspace {folder} is not there", file=sys.stderr)
                continue
            own = replace(reader.of(folder), openclaw_config=str(file), agent=agent)
            workspace = Workspace.at(folder, shown_folder(folder))
            yield workspace, own, basis(workspace, own)


def language_of(settings: Settings, *, for_people: bool) -> Language:
    """Option, bootlint.toml, the locale for a report that a person reads on a terminal, else English."""
    if settings.language is not None:
        return settings.language
    if for_people and sys.stdout.isatty():
        name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
        if not name:
            name = locale.getlocale()[0] or ""
        return "zh" if name.lower().startswith("zh") else "en"
    return "en"
