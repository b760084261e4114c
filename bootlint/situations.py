"""Under what a workspace is judged: release, limits, session, agent, and where each of them came from.

In order: option, bootlint.toml, an openclaw.json that is named or stands in the workspace's parent folder, else
the release's own defaults. Nothing else outside the repository is read, so that a laptop and CI agree.
"""

from __future__ import annotations

import os
from pathlib import Path

from bootlint.config import suggestion
from bootlint.diagnostics import UserError
from bootlint.openclaw.releases import contract, latest_release
from bootlint.openclaw.settings import (
    ConfigError,
    OpenClawConfig,
    Origin,
    beside,
    normal_id,
    read_config,
    resolve_limits,
)
from bootlint.records import record, replace
from bootlint.simulation import Situation
from bootlint.typed import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from bootlint.config import Settings
    from bootlint.openclaw.contract import Contract
    from bootlint.openclaw.sessions import SessionKind
    from bootlint.workspace import Workspace


@record
class Basis:
    """The situations of a workspace: one for each release."""

    situations: tuple[Situation, ...]


class UnknownAgentError(UserError):
    """An openclaw.json knows nothing of the agent that was asked for."""


@record
class FoundConfig:
    """The openclaw.json of a workspace; `error` says why one that stands beside it does not count."""

    config: OpenClawConfig | None = None
    error: ConfigError | None = None

    @property
    def path(self) -> Path | None:
        present = self.config or self.error
        return None if present is None else present.path

    @property
    def said(self) -> object:
        """What counts of it, wherever it stands; None where there is none."""
        return self.config.data if self.config is not None else self.error and self.error.message

    def at(self, path: Path) -> FoundConfig:
        """The same, as if it stood elsewhere: OpenClaw's own paths start from there."""
        if self.config is not None:
            return FoundConfig(replace(self.config, path=path))
        if self.error is not None:
            return FoundConfig(
                error=ConfigError(path, self.error.line, self.error.column, self.error.message)
            )
        return self


def basis(
    workspace: Workspace, settings: Settings, found: FoundConfig | None = None, place: Path | None = None
) -> Basis:
    """`found` stands in for the openclaw.json of the workspace's own place, `place` for the folder that it may name.

    Raises ConfigError where the openclaw.json that was named cannot be read.
    """
    found = found or find_config(workspace, settings)
    config, error = found.config, found.error
    releases, origin = _releases(config, settings)
    place = place or workspace.root
    situations = (_situation(release, origin, workspace, place, config, settings) for release in releases)
    return Basis(tuple(replace(situation, config_error=error) for situation in situations))


def find_config(workspace: Workspace, settings: Settings) -> FoundConfig:
    """The openclaw.json that is named, or stands in the workspace's parent folder."""
    if settings.openclaw_config is not None:
        return FoundConfig(read_config(Path(settings.openclaw_config)))
    try:
        path = beside(workspace.root)
        return FoundConfig() if path is None else FoundConfig(read_config(path))
    except ConfigError as error:
        return FoundConfig(error=error)


def _releases(config: OpenClawConfig | None, settings: Settings) -> tuple[tuple[str, ...], Origin]:
    if settings.openclaw:
        return settings.openclaw, Origin("place", settings.origins["openclaw"])
    if config is not None and config.last_touched_version:
        return (config.last_touched_version,), Origin("openclaw-json", "meta.lastTouchedVersion")
    if config is not None and config.names_no_release:
        return (latest_release(),), Origin("latest-instead", "meta.lastTouchedVersion")
    return (latest_release(),), Origin("latest-known")


def _situation(
    release: str,
    origin: Origin,
    workspace: Workspace,
    place: Path,
    config: OpenClawConfig | None,
    settings: Settings,
) -> Situation:
    behaviour = contract(release)
    agent = _agent(workspace, place, config, behaviour, settings)
    limits = resolve_limits(config.data if config else {}, behaviour, agent)
    origins = {
        "openclaw": origin,
        "max-chars": _set("max-chars", settings) or limits.max_chars_origin,
        "total-max-chars": _set("total-max-chars", settings) or limits.total_max_chars_origin,
    }
    return Situation(
        contract=behaviour,
        session=cast("SessionKind", settings.session),
        max_chars=limits.max_chars if settings.max_chars is None else settings.max_chars,
        total_max_chars=limits.total_max_chars
        if settings.total_max_chars is None
        else settings.total_max_chars,
        workspace_path=settings.workspace_path,
        agent=agent,
        config=config,
        extra_files=_extra_files(workspace, config, behaviour),
        origins=origins,
        pinned=frozenset(key for key in ("max-chars", "total-max-chars") if settings.origin(key)),
    )


def _agent(
    workspace: Workspace,
    place: Path,
    config: OpenClawConfig | None,
    behaviour: Contract,
    settings: Settings,
) -> str | None:
    """Raises UnknownAgentError."""
    if config is None:
        return settings.agent
    if settings.agent is None:
        return config.agent_of(place, behaviour)
    known = tuple(config.workspaces(behaviour))
    if normal_id(settings.agent) not in known:
        hint = ""
        if workspace.has_beside(config.path):
            hint = f"{suggestion(settings.agent, known)} (it has {', '.join(known)})"
        raise UnknownAgentError(f"agent {settings.agent}: {config.path} has no such agent{hint}")
    return settings.agent


def _extra_files(workspace: Workspace, config: OpenClawConfig | None, behaviour: Contract) -> tuple[str, ...]:
    if config is None:
        return ()
    from bootlint.openclaw.extra_files import extra_files

    added = extra_files(workspace.root, config.data, behaviour)
    return tuple(path for path in added if os.path.lexists(workspace.root / path))


def _set(key: str, settings: Settings) -> Origin | None:
    place = settings.origin(key)
    return None if place is None else Origin("place", place)
