"""What `check --diff-base` looks at: the workspaces that stand now or stood in the base, under the policy of the base.

What of a change would decide about the change itself does not count, and is told (BL004).
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from bootlint.cli.targets import Target, belongs_to
from bootlint.config import SettingsError
from bootlint.diagnostics import Finding, Severity, Span, UserError
from bootlint.openclaw.settings import FILE_NAME as OPENCLAW_CONFIG
from bootlint.openclaw.settings import ConfigError
from bootlint.records import replace
from bootlint.situations import basis, find_config
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import LOCK_NAME, Workspace, is_workspace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bootlint.cli.common import SettingsReader
    from bootlint.config import Settings
    from bootlint.diagnostics import Params
    from bootlint.introduced import Base
    from bootlint.situations import Basis, FoundConfig


def by_change(
    paths: Iterable[str], reader: SettingsReader, base: Base, baseline: Path | None
) -> Iterator[Target]:
    """The workspaces at and below the paths, and those of the base that the change does away with."""
    found = base.workspaces(paths)
    for workspace in found.present:
        target = _Change(workspace, reader, base).target(baseline)
        if belongs_to(target, base.snapshot):
            yield target
    for workspace in found.remains:
        target = _Change(workspace, reader, base).target(baseline)
        before = base.workspace(workspace) or workspace
        yield replace(target, also=(*target.also, _gone(before, target.settings, base)))
    for workspace in found.gone:
        try:
            settings = reader.of(base.in_force(workspace.root), base.policy)
        except SettingsError:  # which the change mends, or nothing can be judged
            settings = reader.of(base.snapshot.today(workspace.root))
        if settings.file is not None:  # patterns count from where it stood
            settings = replace(settings, file=str(base.stood(Path(settings.file))))
        told = _gone(workspace, settings, base)
        yield Target(workspace, settings, base.snapshot.basis(workspace, settings), also=(told,), gone=True)


def _gone(before: Workspace, settings: Settings, base: Base) -> tuple[str, Finding]:
    """Where it is said in the settings that it is to go, its folder counts from where they stand."""
    past = base.snapshot
    start = past.repository if settings.file is None else past.today(Path(settings.file)).parent
    params: Params = {
        "workspace": before.shown_path(""),
        "base": base.policy.revision,
        "file": _way(past.today(before.root), start),
    }
    return "BL004", Finding("", Span(0, 0), params, variant="gone", severity=Severity.ERROR)


class _Change:
    """A workspace that stands now, judged by the policy of where it stood in the base."""

    def __init__(self, workspace: Workspace, reader: SettingsReader, base: Base) -> None:
        self._workspace = workspace
        self._reader = reader
        self._past = base.policy
        self._base = base
        before = base.workspace(workspace)
        self._root = Path(os.path.realpath(workspace.root))
        self._stood = self._root if before is None else before.root
        self._root_before = base.in_force(self._stood)
        self._old_root = self._past.today(self._root_before)
        self._told: dict[str, Finding] = {}  # by the file of policy that the change touches

    def target(self, baseline: Path | None) -> Target:
        for now, then in self._files(baseline):
            if self._base.differs(now, then):
                self._tell(now)
        self._leave()
        before = self._settings()
        settings = before
        if settings.file is not None:  # patterns count from where it stands now
            settings = replace(settings, file=str(self._past.today(Path(settings.file))))
        config = self._past.config(self._root_before, settings)
        judged_by = basis(self._workspace, settings, config, self._old_root)
        proposed = self._proposed(settings, config)
        self._follow(settings, judged_by)
        return Target(
            self._workspace,
            settings,
            judged_by,
            before=before,
            proposed=proposed,
            also=tuple(("BL004", finding) for finding in self._told.values()),
        )

    def _files(self, baseline: Path | None) -> Iterator[tuple[Path, Path]]:
        """The files that lock, known findings and settings come or came from: where they stand, and where they stood."""
        now = {self._root / LOCK_NAME}
        if baseline is not None:
            now.add(Path(os.path.abspath(baseline)))
        if (file := self._reader.file(self._root)) is not None:
            now.add(file)
        if (file := self._file_before()) is not None:
            now.add(file)
        return ((path, _moved(path, self._root, self._root_before)) for path in sorted(now))

    def _file_before(self) -> Path | None:
        """The settings file of the base, where it would stand now."""
        file = self._reader.file(self._root_before, self._past)
        return file and self._past.today(_moved(file, self._root_before, self._root))

    def _leave(self) -> None:
        """Tell of a settings file that stands as it stood, and is no longer the closest to a workspace that moved."""
        file, now = self._file_before(), self._reader.file(self._root)
        if self._old_root == self._root or file is None or not file.exists():
            return
        if now is None or not file.samefile(now):
            self._tell(file, "left", workspace=self._shown)

    def _settings(self) -> Settings:
        """Those of the base. Where they cannot be used, those of the change: it must be able to mend them."""
        try:
            settings = self._reader.of(self._root_before, self._past)
        except SettingsError as error:
            settings = self._reader.of(self._root)
            self._tell(self._file_before() or self._root, "mended", problem=str(error))
            return settings
        try:
            self._reader.of(self._root)
        except SettingsError as error:
            self._tell(self._reader.file(self._root) or self._root, "broken", problem=str(error))
        return settings

    def _proposed(self, settings: Settings, then: FoundConfig) -> Basis | None:
        """Under what the workspace would be judged if the change were merged; None where that is what it was."""
        merged = settings
        with suppress(SettingsError):  # of which is told already
            own = self._reader.of(self._root)
            merged = replace(settings, agent=own.agent, openclaw_config=own.openclaw_config)
        place = Path(merged.openclaw_config or self._root.parent / OPENCLAW_CONFIG)
        try:
            now = find_config(self._workspace, merged)
            started = self._base.snapshot.config(self._stood, settings)
            if now.said in (then.said, started.said):
                return None
            if now.path is None and then.path is not None and then.path != place and then.path.exists():
                self._tell(then.path, "left", workspace=self._shown)
            else:
                self._tell(place)
            return basis(self._workspace, merged, now)
        except UserError as error:  # of a file or an agent that the settings name
            if isinstance(error, ConfigError) and error.message == then.said:
                return None
            problem = f"{place.name}: {error.message}" if isinstance(error, ConfigError) else str(error)
            self._tell(place, "broken", problem=problem)
            return None

    def _follow(self, settings: Settings, judged_by: Basis) -> None:
        """Tell of an openclaw.json that still names the folder from which the workspace was moved away."""
        if self._old_root == self._root or is_workspace(self._old_root):
            return
        try:
            config = find_config(Workspace.at(self._old_root), settings).config
        except ConfigError:  # which is told already
            return
        if config is None or self._past.relative(config.path) is None:
            return
        if any(config.owners(self._old_root, one.contract) for one in judged_by.situations):
            old = self._workspace.shown_path(_way(self._old_root, self._root))
            self._tell(config.path, "left-behind", workspace=self._shown, old=old)

    @property
    def _shown(self) -> str:
        return self._workspace.shown.rstrip("/") or "."

    def _tell(self, path: Path, variant: str | None = None, **params: str) -> None:
        # The file itself, wherever it leads.
        shown = _way(Path(os.path.realpath(path.parent), path.name), self._root)
        told: Params = {"file": self._workspace.shown_path(shown), "base": self._past.revision, **params}
        severity = Severity.ERROR if variant in ("broken", "left-behind") else None
        self._told[shown] = Finding(shown, Span(0, 0), told, variant=variant, severity=severity)


def _way(path: Path, start: Path) -> str:
    return os.path.relpath(path, start).replace(os.sep, "/")


def _moved(path: Path, source: Path, target: Path) -> Path:
    """Where a path stands when `source` becomes `target`."""
    return target / path.relative_to(source) if path.is_relative_to(source) else path
