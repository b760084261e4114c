"""One workspace under one release, session kind and pair of limits: what the model receives of it.

Joins what was read (`workspace`) with what OpenClaw does (`openclaw`). Everything that bootlint says about fates,
losses and headroom comes from here; nothing here knows a rule.
"""

from __future__ import annotations

import os
from functools import cached_property

from bootlint.diagnostics import Span
from bootlint.openclaw.fates import Fate, headroom, line_fates, lost_chars, lost_spans
from bootlint.openclaw.jstext import trim_end, utf16_len
from bootlint.openclaw.loading import LoadedFile, setup_completed
from bootlint.openclaw.sessions import SessionKind, session_for, visible_files
from bootlint.openclaw.settings import context_injection, leaves_heartbeat_out, resolve_limits
from bootlint.openclaw.truncation import BootstrapFile, InjectedFile, Injection, SkippedFile, inject
from bootlint.records import field, record, replace
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bootlint.openclaw.compaction import PostCompaction
    from bootlint.openclaw.contract import Contract
    from bootlint.openclaw.settings import ConfigError, OpenClawConfig, Origin
    from bootlint.workspace import TextFile, Workspace

SESSION_KINDS: tuple[SessionKind, ...] = ("main", "group", "subagent", "cron", "heartbeat")

Status = Literal["injected", "missing", "unreadable", "skipped", "not-loaded"]


@record
class Situation:
    """Under what a workspace is simulated. Limits in UTF-16 units; `origins` says where each value came from."""

    contract: Contract
    session: SessionKind = "main"
    max_chars: float | None = None  # None: the release's default
    total_max_chars: float | None = None
    workspace_path: str | None = None  # where the workspace lives in production; None: where it is now
    agent: str | None = None
    config: OpenClawConfig | None = None
    config_error: ConfigError | None = None  # why an openclaw.json beside the workspace does not count
    extra_files: tuple[
        str, ...
    ] = ()  # those that a hook of openclaw.json adds behind all others; not simulated
    origins: Mapping[str, Origin] = field(default_factory=dict)
    pinned: frozenset[str] = (
        frozenset()
    )  # `max-chars`, `total-max-chars`: set for bootlint, whatever the release

    def under(self, contract: Contract) -> Situation:
        """The same settings in another release. Limits that are not pinned are those which that release resolves."""
        limits = resolve_limits(self.config.data if self.config else {}, contract, self.agent)
        return replace(
            self,
            contract=contract,
            max_chars=self.max_chars if "max-chars" in self.pinned else limits.max_chars,
            total_max_chars=self.total_max_chars
            if "total-max-chars" in self.pinned
            else limits.total_max_chars,
        )

    @property
    def limit(self) -> float:
        return self.contract.truncation.default_max_chars if self.max_chars is None else self.max_chars

    @property
    def total_limit(self) -> float | None:
        """None where the release has no total."""
        truncation = self.contract.truncation
        if not truncation.has_total:
            return None
        return truncation.default_total_chars if self.total_max_chars is None else self.total_max_chars


@record(lazy=True)
class Simulation:
    """What the model receives of a workspace in one situation."""

    workspace: Workspace
    situation: Situation

    @property
    def contract(self) -> Contract:
        return self.situation.contract

    @cached_property
    def loaded(self) -> Mapping[str, LoadedFile]:
        """What the release makes of each of its names, in load order; texts as they were read, once, by `Workspace`."""
        read = {file.name: self._as_read(file) for file in self.workspace.disk.loaded(self.contract)}
        for name in self.workspace.overlay:
            if name in self.contract.loading.names:
                read[name] = LoadedFile(name, self._path(name), "ok", self.workspace.overlay[name], None)
        order = (*self.contract.loading.names, "memory.md")
        return {name: read[name] for name in sorted(read, key=order.index)}

    @cached_property
    def sent(self) -> tuple[BootstrapFile, ...]:
        """The files of this session, in the order in which they spend the budget."""
        if self._injects_nothing:
            return ()
        files = [
            BootstrapFile(
                file.name, self._path(file.name), file.content, unreadable=file.status == "unreadable"
            )
            for file in self.loaded.values()
            if not (file.name == "BOOTSTRAP.md" and self._setup_is_over)
            and not (file.name == "HEARTBEAT.md" and self._heartbeat_is_off)
        ]
        key, chat_type = session_for(self.situation.session)
        return tuple(
            visible_files(
                files, self.contract, session_key=key, chat_type=chat_type, workspace_dir=self.production_path
            )
        )

    @cached_property
    def injection(self) -> Injection:
        return inject(
            self.sent,
            self.contract,
            max_chars=self.situation.limit,
            total_max_chars=self.situation.total_limit,
        )

    @cached_property
    def outcomes(self) -> Mapping[str, InjectedFile | SkippedFile]:
        """Name → what became of each file that was sent, in the order in which they spend the budget."""
        return {outcome.name: outcome for outcome in self.injection.outcomes}

    @cached_property
    def injected(self) -> Mapping[str, InjectedFile]:
        """Name → what arrives of it, in the order of injection."""
        return {name: outcome for name, outcome in self.outcomes.items() if isinstance(outcome, InjectedFile)}

    @cached_property
    def texts(self) -> Mapping[str, TextFile]:
        """Name → text of the files that this session sends and bootlint has read."""
        texts = self._wanted.items()
        return {name: file for name, file in texts if self.loaded[name].status == "ok"}

    @cached_property
    def refused(self) -> Mapping[str, TextFile]:
        """The same for files that the session would send, had the release not refused to read them: all is lost."""
        texts = self._wanted.items()
        return {name: file for name, file in texts if self.loaded[name].refusal is not None}

    @cached_property
    def _wanted(self) -> Mapping[str, TextFile]:
        files = self.workspace.files
        return {file.name: files[file.name] for file in self.sent if file.name in files}

    def status(self, name: str) -> Status:
        """What becomes of a bootstrap file, by name."""
        file = self.loaded.get(name)
        if file is None:
            listed = name in self.contract.loading.names and name not in self.workspace.entries
            return "missing" if listed else "not-loaded"
        if name not in {sent.name for sent in self.sent}:
            is_absent = file.status == "missing" and file.refusal is None
            return "missing" if is_absent else "not-loaded"
        if file.status != "ok":
            return file.status
        return "injected" if name in self.injected else "skipped"

    def fates(self, name: str) -> tuple[Fate, ...]:
        """The fate of each line of a file of the workspace. All dropped where the file is not sent, or refused."""
        return self._fates[name]

    def told_fates(self, name: str) -> tuple[Fate | None, ...]:
        """The same as reports tell it: None for a line with a text in a file that the session is not meant to get."""
        if name in self._wanted:
            return self.fates(name)
        return tuple(fate if fate == "blank" else None for fate in self.fates(name))

    def in_context(self, name: str) -> bool:
        """Does the file, once it has spent its budget, stand in Project Context?

        BOOTSTRAP.md does only while setup is pending; a missing one is taken as set-up done.
        """
        placement = self.contract.bootstrap.placement
        if name != "BOOTSTRAP.md" or placement == "like-any":
            return True
        return placement == "while-setup" and self.loaded[name].status == "ok"

    def raw_chars(self, name: str) -> int:
        """UTF-16 units of the file without trailing blanks, as OpenClaw counts it; 0 where it was not read."""
        file = self.workspace.files.get(name)
        return 0 if file is None else utf16_len(trim_end(file.source.text))

    def lost_chars(self, name: str) -> int:
        """UTF-16 units of the file that no piece of the injected text holds; all of it where it is not sent."""
        return lost_chars(self.workspace.files[name].source.text, self._outcome(name))

    def lost_spans(self, name: str) -> tuple[Span, ...]:
        """The stretches of the file that no piece of the injected text holds."""
        runs = lost_spans(self.workspace.files[name].source.text, self._outcome(name))
        return tuple(Span(start, end) for start, end in runs)

    def headroom(self, name: str) -> int | None:
        """UTF-16 units that can be added to the file before something is lost; None where nothing limits it."""
        return headroom(self.injection, list(self.outcomes).index(name))

    @cached_property
    def after_compaction(self) -> PostCompaction:
        """What of AGENTS.md comes back into the conversation after a compaction."""
        from bootlint.openclaw.compaction import post_compaction

        file, config = self.loaded.get("AGENTS.md"), self.situation.config
        text = file.content if file is not None and file.status == "ok" else None
        data = config.data if config else None
        return post_compaction(text, self.contract, data, agent_id=self.situation.agent)

    @cached_property
    def production_path(self) -> str:
        """The workspace's folder as OpenClaw prints it."""
        return (self.situation.workspace_path or os.path.abspath(self.workspace.root)).rstrip("/")

    @cached_property
    def _fates(self) -> Mapping[str, tuple[Fate, ...]]:
        files = self.workspace.files
        return {name: line_fates(file.source.text, self._outcome(name)) for name, file in files.items()}

    def _outcome(self, name: str) -> InjectedFile | SkippedFile | None:
        """What became of a file of the workspace; None where it is not sent."""
        return self.outcomes.get(name) if name in self.texts else None

    @cached_property
    def _injects_nothing(self) -> bool:
        """Does openclaw.json say that no file is ever injected?"""
        config, agent = self.situation.config, self.situation.agent
        return config is not None and context_injection(config.data, self.contract, agent) == "never"

    @cached_property
    def _heartbeat_is_off(self) -> bool:
        """Does openclaw.json switch heartbeats off, so that ordinary sessions do without their file?"""
        config, agent = self.situation.config, self.situation.agent
        if config is None or self.situation.session == "heartbeat":
            return False
        return leaves_heartbeat_out(config.data, self.contract, agent)

    @cached_property
    def _setup_is_over(self) -> bool:
        """The workspace itself records that setup is completed, and the release looks there."""
        return self.contract.bootstrap.leaves_after_setup and setup_completed(self.workspace.root) is True

    def _path(self, name: str) -> str:
        return f"{self.production_path}/{name}"

    def _as_read(self, file: LoadedFile) -> LoadedFile:
        text = self.workspace.files.get(file.name)
        if file.status != "ok":
            return file
        if (
            text is None or file.leaves_workspace
        ):  # OpenClaw reads it; bootlint follows no link out of a workspace
            return replace(file, status="missing", content=None)
        return replace(file, content=text.source.text)
