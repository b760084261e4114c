"""What openclaw.json says about bootstrap files: limits, agents and their workspaces, and the other settings.

Every question takes the parsed file, which may be any JSON at all: a value of another type than expected
counts as it does for OpenClaw, and nothing here raises for it. How the file is read is `config_file`, what is
wrong in it `settings_check`.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from pathlib import Path

from bootlint.lazyre import lazy_pattern
from bootlint.openclaw import jstext
from bootlint.openclaw.config_file import ConfigError, FromEnvironment, absolute, read_tree, shown
from bootlint.openclaw.reading import absolute_path
from bootlint.openclaw.releases import contract as contract_of
from bootlint.plainfiles import leads_out
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.openclaw.contract import Contract

__all__ = [
    "Agent", "ConfigError", "FromEnvironment", "OpenClawConfig", "Origin", "ResolvedLimits", "agents", "beside",
    "context_injection", "extra_file_patterns", "leaves_heartbeat_out", "post_compaction_max_chars",
    "post_compaction_names", "read_config", "resolve_limits", "startup_context", "user_timezone",
]  # fmt: skip

FILE_NAME = "openclaw.json"
DEFAULT_AGENT = "main"
_STATE_FOLDER = "~/.openclaw"
_VERSION_KEY = ("meta", "lastTouchedVersion")


# --- the file --------------------------------------------------------------------------------------------


@record
class OpenClawConfig:
    """An openclaw.json that was read. Its folder stands for OpenClaw's state folder, `~/.openclaw`."""

    path: Path
    data: Mapping[str, object]

    @property
    def last_touched_version(self) -> str | None:
        """The release that wrote the file last; None where that is not said or is no release."""
        version = _text(_at(self.data, *_VERSION_KEY))
        try:
            return contract_of(jstext.trim(version)).release if version else None
        except ValueError:
            return None

    @property
    def names_no_release(self) -> bool:
        """Does something stand where the release should, that is none?"""
        return _at(self.data, *_VERSION_KEY) is not None and self.last_touched_version is None

    def workspaces(self, contract: Contract) -> Mapping[str, Path]:
        """Agent id → its workspace folder, in the order of the file. There is always one agent at least."""
        roster = agents(self.data, contract)
        main = _default_agent(roster)
        ids = [agent.id for agent in roster] or [main]
        own = {agent.id: _text(agent.settings.get("workspace")) for agent in roster}
        return {name: self._workspace(name, own.get(name), is_default=name == main) for name in ids}

    def agent_of(self, workspace: Path, contract: Contract) -> str | None:
        """The agent to which a workspace folder belongs; the only agent if there is just one, else None."""
        owners = self.owners(workspace, contract)
        if owners:
            return owners[0]
        ids = list(self.workspaces(contract))
        return ids[0] if len(ids) == 1 else None

    def owners(self, workspace: Path, contract: Contract) -> list[str]:
        """The agents to whom a workspace folder belongs; those first whom no link leads there."""
        folders = self.workspaces(contract)
        found = [name for name, folder in folders.items() if _same_place(folder, workspace)]
        return sorted(found, key=lambda name: folders[name] != workspace)

    def _workspace(self, agent: str, own: str | None, *, is_default: bool) -> Path:
        shared = _text(_at(self.data, "agents", "defaults", "workspace"))
        if own is not None:
            return self._folder(own)
        if is_default:
            return self._folder(shared or f"{_STATE_FOLDER}/workspace")
        return self._folder(shared) / agent if shared else self._folder(f"{_STATE_FOLDER}/workspace-{agent}")

    def _folder(self, written: str) -> Path:
        """A path of the file. Its own folder stands in for the state folder, so that a checkout works too."""
        folder = self._expanded(jstext.trim(written))
        if isinstance(written, FromEnvironment) and not folder.is_dir():
            return self.path.parent / written.written  # folders are printed, and a secret is none
        return folder

    def _expanded(self, written: str) -> Path:
        path = written.replace("\0", "")
        if path == _STATE_FOLDER or path.startswith(f"{_STATE_FOLDER}/"):
            path = path.removeprefix(_STATE_FOLDER).lstrip("/")
        return Path(absolute_path(path, str(self.path.parent)))


def _same_place(one: Path, other: Path) -> bool:
    try:
        return os.path.realpath(one) == os.path.realpath(other)
    except ValueError:  # a text that can be no path
        return False


def read_config(path: Path, env: Mapping[str, str] | None = None) -> OpenClawConfig:
    """Reads an openclaw.json with its includes; `env` is None for the environment of this process.

    Raises ConfigError where OpenClaw would not read it either, and for a file that is unreasonably large.
    """
    path = absolute(path)
    return OpenClawConfig(path, read_tree(path, os.environ if env is None else env))


def beside(workspace: Path) -> Path | None:
    """The openclaw.json in the folder that holds the workspace, if there is one.

    Raises ConfigError for a link that leads out of that folder: whoever wants it has to name it.
    """
    path = absolute(workspace).parent / FILE_NAME
    if not os.path.lexists(path):
        return None
    if leads_out(path):
        raise ConfigError(path, None, None, "is a link that leads out of its folder; name the file to use it")
    return path


# --- limits ----------------------------------------------------------------------------------------------


@record
class Origin:
    """Where a value comes from. There are words for each kind, in which key and release stand."""

    kind: Literal[
        "place",  # the option or the settings file that `key` names
        "openclaw-json",  # its key
        "default",  # of the release
        "default-instead",  # the same, since what the key of openclaw.json holds is no positive number
        "no-total",  # the release has none
        "latest-known",
        "latest-instead",  # the same, since what the key of openclaw.json holds is no release
    ]
    key: str = ""
    release: str = ""


@record
class ResolvedLimits:
    """The limits in UTF-16 units, and where each comes from."""

    max_chars: int
    total_max_chars: int | None  # None: the release has no total
    max_chars_origin: Origin
    total_max_chars_origin: Origin


def resolve_limits(config: object, contract: Contract, agent_id: str | None = None) -> ResolvedLimits:
    """The limits that a release takes from a configuration; without an agent, from shared values alone."""
    truncation = contract.truncation
    limit, origin = _limit(config, contract, agent_id, "bootstrapMaxChars", truncation.default_max_chars)
    if truncation.default_total_chars is None:
        return ResolvedLimits(limit, None, origin, Origin("no-total", release=contract.known_as))
    total, total_origin = _limit(
        config, contract, agent_id, "bootstrapTotalMaxChars", truncation.default_total_chars
    )
    return ResolvedLimits(limit, total, origin, total_origin)


def _limit(
    config: object, contract: Contract, agent_id: str | None, name: str, default: int
) -> tuple[int, Origin]:
    """An unusable value of the agent does not fall back to the shared one, but to the release's default."""
    key, value = f"agents.defaults.{name}", _at(config, "agents", "defaults", name)
    agent = _agent(config, contract, agent_id) if contract.limits.agent_values else None
    if agent is not None and agent.settings.get(name) is not None:
        key, value = f"{agent.key}.{name}", agent.settings[name]
    if value is None:
        return default, Origin("default", release=contract.known_as)
    number = positive(value)
    if number is None:
        return default, Origin("default-instead", key, contract.known_as)
    return math.floor(number), Origin("openclaw-json", key)


def positive(value: object) -> float | None:
    """The value as a JavaScript number, if it is a finite one above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if 0 < number < math.inf else None


# --- agents ----------------------------------------------------------------------------------------------


@record
class Agent:
    """One agent of the file: its normalised id, the key under which it stands, and what stands there."""

    id: str
    key: str
    settings: Mapping[str, object]


def agents(config: object, contract: Contract) -> tuple[Agent, ...]:
    """The agents in the order in which OpenClaw looks for one. Of several with one id the first counts."""
    found: dict[str, Agent] = {}
    for agent in _roster(_at(config, "agents"), contract):
        found.setdefault(agent.id, agent)
    return tuple(found.values())


def counts_entries(section: object, contract: Contract) -> bool:
    """Does `agents.entries` alone count for this release, and not `agents.list`?"""
    if contract.limits.roster == "list" or not isinstance(section, Mapping) or "entries" not in section:
        return False
    return section["entries"] is not None or contract.limits.roster == "entries-even-null"


def _roster(section: object, contract: Contract) -> Iterator[Agent]:
    if counts_entries(section, contract):
        for name, entry in _in_key_order(_object(_at(section, "entries"))):
            yield Agent(normal_id(name), f"agents.entries.{name}", _object(entry))
        return
    listed = _at(section, "list")
    for at, entry in enumerate(listed if isinstance(listed, list | tuple) else ()):
        if isinstance(entry, Mapping | list):
            settings = _object(entry)
            yield Agent(normal_id(settings.get("id")), f"agents.list[{at}]", settings)


def normal_id(value: object) -> str:
    """An agent's id as OpenClaw compares it. Anything without a usable letter is `main`.

    One deviation: variables in it are not filled in, since ids are printed.
    """
    text = jstext.trim(shown(value)) if isinstance(value, str) else ""
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", text):
        return text.lower()
    return re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-")[:64] or DEFAULT_AGENT


def _agent(config: object, contract: Contract, wanted: str | None) -> Agent | None:
    if not wanted:
        return None
    name = normal_id(wanted)
    return next((agent for agent in agents(config, contract) if agent.id == name), None)


def _default_agent(roster: tuple[Agent, ...]) -> str:
    marked = (agent.id for agent in roster if agent.settings.get("default"))
    return next(marked, roster[0].id if roster else DEFAULT_AGENT)


_LARGEST_INDEX = 2**32 - 2


def _in_key_order(entries: Mapping[str, object]) -> list[tuple[str, object]]:
    """The entries as JavaScript goes through them: keys that are array indexes first, by number."""

    def rank(item: tuple[str, object]) -> tuple[bool, int]:
        key = item[0]
        is_index = re.fullmatch(r"0|[1-9][0-9]{0,9}", key) is not None and int(key) <= _LARGEST_INDEX
        return (False, int(key)) if is_index else (True, 0)

    return sorted(entries.items(), key=rank)


# --- other settings --------------------------------------------------------------------------------------


def post_compaction_names(config: object) -> tuple[str, ...] | None:
    """The section names asked for; None where there is no list. What is no text in it is left out."""
    names = _at(config, "agents", "defaults", "compaction", "postCompactionSections")
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else None


def post_compaction_max_chars(config: object, contract: Contract, agent_id: str | None = None) -> int | None:
    """The cap of re-injected sections in UTF-16 units, an agent's before the shared one; None: not set."""
    if "agents.defaults.contextLimits.postCompactionMaxChars" not in contract.settings_keys:
        return None
    limits = dict(_object(_at(config, "agents", "defaults", "contextLimits")))
    agent = _agent(config, contract, agent_id)
    if agent is not None:
        limits.update(_object(agent.settings.get("contextLimits")))
    number = positive(limits.get("postCompactionMaxChars"))
    return None if number is None else math.floor(number)


def context_injection(config: object, contract: Contract, agent_id: str | None = None) -> str:
    """`always`, `continuation-skip` or `never`: in which turns files are injected at all."""
    value = _at(config, "agents", "defaults", "contextInjection")
    agent = _agent(config, contract, agent_id)
    if agent is not None and "agents.list[].contextInjection" in contract.settings_keys:
        own = agent.settings.get("contextInjection")
        value = value if own is None else own
    return value if isinstance(value, str) and value in contract.context_modes else "always"


# The most that a setting of `startupContext` can ask for.
STARTUP_CAPS = {
    "dailyMemoryDays": 14,
    "maxFileBytes": 65_536,
    "maxFileChars": 10_000,
    "maxTotalChars": 50_000,
}


def startup_context(config: object) -> Mapping[str, object]:
    """The settings of the notes that a bare /new or /reset adds."""
    return _object(_at(config, "agents", "defaults", "startupContext"))


def user_timezone(config: object) -> object:
    """The zone whose days count, as it is written."""
    return _at(config, "agents", "defaults", "userTimezone")


_EXTRA_FILES_HOOK = "bootstrap-extra-files"


def extra_file_patterns(config: object, contract: Contract) -> tuple[str, ...]:
    """The paths and patterns of the hook for extra files; () where it is off or unknown to the release."""
    hook = _object(_at(config, "hooks", "internal", "entries", _EXTRA_FILES_HOOK))
    is_known = f"hooks.internal.entries.{_EXTRA_FILES_HOOK}" in contract.settings_keys
    if not is_known or hook.get("enabled") is False or _at(config, "hooks", "internal", "enabled") is False:
        return ()
    lists = (_texts(hook.get(name)) for name in ("paths", "patterns", "files"))
    return next(filter(None, lists), ())


_AMOUNT = lazy_pattern(r"([0-9]+(?:\.[0-9]+)?)(?:ms|[smhd])?")
_DURATION = lazy_pattern(r"[0-9]+(?:\.[0-9]+)?|(?:[0-9]+(?:\.[0-9]+)?(?:ms|[smhd]))+")
_LONGEST_DURATION = 300  # with more digits OpenClaw's number is infinite, which is no duration


def leaves_heartbeat_out(config: object, contract: Contract, agent_id: str | None = None) -> bool:
    """Is HEARTBEAT.md not sent in ordinary sessions of an agent (None: the default one)?

    Only the default agent's is left out, and only while heartbeat guidance is off for it.
    """
    if not contract.heartbeat.may_leave_file_out or not isinstance(config, dict):
        return False
    roster = agents(config, contract)
    main = _default_agent(roster)
    if agent_id and normal_id(agent_id) != main:
        return False
    own = next((agent.settings.get("heartbeat") for agent in roster if agent.id == main), None)
    heartbeat = {**_object(_at(config, "agents", "defaults", "heartbeat")), **_object(own)}
    others_own_it = not own and any(agent.settings.get("heartbeat") for agent in roster)
    return others_own_it or heartbeat.get("includeSystemPromptSection") is False or not _beats(heartbeat)


def _beats(heartbeat: Mapping[str, object]) -> bool:
    """Is the interval one that OpenClaw can read, and above 0? A bare number is minutes."""
    every = heartbeat.get("every")
    if not isinstance(every, str):
        return every is None or positive(every) is not None
    text = jstext.trim(every).lower()
    is_duration = len(text) <= _LONGEST_DURATION and _DURATION.fullmatch(text)
    return bool(is_duration) and any(float(amount[1]) > 0 for amount in _AMOUNT.finditer(text))


# --- any JSON at all -------------------------------------------------------------------------------------


def _at(value: object, *keys: str) -> object:
    """What stands under a path of keys; None where nothing does."""
    for key in keys:
        value = _object(value).get(key)
    return value


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    """A text that is not blank."""
    return value if isinstance(value, str) and jstext.trim(value) else None


def _texts(value: object) -> tuple[str, ...]:
    """The texts of a list that are not blank, trimmed."""
    return tuple(jstext.trim(text) for text in map(_text, value) if text) if isinstance(value, list) else ()
