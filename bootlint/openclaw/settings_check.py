"""What is wrong in openclaw.json for a release, as far as bootstrap files go: unknown keys, unusable values.

Gives facts (key, kind, numbers) and no sentences; those stand on the page of the rule that reports them.
"""

from __future__ import annotations

import re

from bootlint.openclaw.config_file import shown
from bootlint.openclaw.releases import releases, releases_with, settings_keys
from bootlint.openclaw.settings import STARTUP_CAPS, counts_entries
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from bootlint.openclaw.contract import Contract

_MAX_SHOWN = 60

Expected = Literal["integer", "boolean", "text", "texts", "choice"]


@record
class UnknownKey:
    """A key without effect. `key` is dotted and exact: `agents.list[1].bootstrapMaxChars`."""

    key: str
    why: Literal[
        "not-yet",  # a later release knows it: from `known_from` on
        "retired",  # none does any more: known from `known_from` to `known_until`
        "shadowed",  # agents.list beside agents.entries, which alone counts
    ]
    known_from: str
    known_until: str | None = None


@record
class MisspeltKey:
    """A key that no release knows, and the limit that seems to be meant. Both are dotted."""

    key: str
    meant: str


@record
class InvalidValue:
    """A value that OpenClaw does not take as it stands.

    `shown` is the value as JSON, shortened, with variables as they are written. An integer has to lie between
    `low` and `high`, a choice or each of some texts is one of `choices`.
    """

    key: str
    shown: str
    expected: Expected
    low: int = 1
    high: int | None = None
    choices: tuple[str, ...] = ()


def unknown_keys(config: object, contract: Contract) -> tuple[UnknownKey, ...]:
    """The keys about bootstrap files that are set and that this release does not know, in order of key."""
    unknown = [
        _unknown(key, pattern, contract)
        for pattern in settings_keys() - contract.settings_keys
        for key, _ in _found(config, pattern)
    ]
    if any(counts_entries(section, contract) for _, section in _found(config, "agents")):
        first = releases_with("agents.entries")[0][0]
        unknown += [UnknownKey(key, "shadowed", first) for key, _ in _found(config, "agents.list")]
    return tuple(sorted(unknown, key=lambda item: item.key))


def misspelt_keys(config: object) -> tuple[MisspeltKey, ...]:
    """The keys that are nearly a limit's, or a limit's in a place where it is none, in order of key."""
    misspelt = [
        MisspeltKey(f"{path}.{key}".lstrip("."), f"{path if limits else 'agents.defaults'}.{meant}")
        for pattern, limits in _SECTIONS.items()
        for path, section in _found(config, pattern)
        if isinstance(section, dict)
        for key in section
        if (meant := _limit_meant(key)) is not None and not (limits and key == meant)
    ]
    return tuple(sorted(misspelt, key=lambda item: item.key))


def invalid_values(config: object, contract: Contract) -> tuple[InvalidValue, ...]:
    """The values about bootstrap files that are of a wrong type or out of range, in order of key.

    null counts as absent, which is how OpenClaw takes it. What `unknown_keys` reports is left to it.
    """
    unknown = settings_keys() - contract.settings_keys
    invalid: list[InvalidValue] = []
    for pattern, rule in _RULES.items():
        if not any(_is_within(name, key) for name in (pattern, _shared(pattern)) for key in unknown):
            choices = contract.context_modes if pattern.endswith(".contextInjection") else rule.choices
            invalid += [
                InvalidValue(key, _json(value), rule.expected, rule.low, rule.high, choices)
                for key, value in _found(config, pattern)
                if not _fits(value, rule, choices)
            ]
    return tuple(sorted(invalid, key=lambda item: item.key))


def _unknown(key: str, pattern: str, contract: Contract) -> UnknownKey:
    order = releases()
    stretches = releases_with(pattern)
    later = [first for first, _ in stretches if order.index(first) > order.index(contract.known_as)]
    if later:
        return UnknownKey(key, "not-yet", later[0])
    return UnknownKey(key, "retired", stretches[0][0], stretches[-1][1])


# --- limits that are none ---------------------------------------------------------------------------------

_LIMITS = ("bootstrapMaxChars", "bootstrapTotalMaxChars")
# Where people write limits, and whether OpenClaw looks for them there.
_SECTIONS = {
    "": False,
    "agents": False,
    "agents.defaults": True,
    "agents.list[]": True,
    "agents.entries{}": True,
}
_LIKENESS = 0.85  # from 0 to 1; the two limits have 0.87 of each other


def _limit_meant(key: str) -> str | None:
    if key in _LIMITS:
        return key
    if "max" not in key.lower():  # spares nearly every file the import
        return None
    import difflib

    lower = {limit.lower(): limit for limit in _LIMITS}
    close = difflib.get_close_matches(key.lower(), lower, 1, _LIKENESS)
    return lower[close[0]] if close else None


# --- what a value has to be ------------------------------------------------------------------------------


@record
class _Rule:
    expected: Expected
    low: int = 1
    high: int | None = None
    choices: tuple[str, ...] = ()


_CHARS = _Rule("integer")
_AGENT_RULES = {
    "workspace": _Rule("text"),
    "bootstrapMaxChars": _CHARS,
    "bootstrapTotalMaxChars": _CHARS,
    "contextInjection": _Rule("choice"),
    "contextLimits.postCompactionMaxChars": _CHARS,
}
_STARTUP_RULES = {
    "enabled": _Rule("boolean"),
    "applyOn": _Rule("texts", choices=("new", "reset")),
    **{name: _Rule("integer", high=cap) for name, cap in STARTUP_CAPS.items()},
}
_HOOK_RULES = {"enabled": _Rule("boolean")} | {
    name: _Rule("texts") for name in ("paths", "patterns", "files")
}

# `[]` stands for each item of a list, `{}` for each value of an object.
_RULES = {
    "meta.lastTouchedVersion": _Rule("text"),
    "agents.defaults.bootstrapPromptTruncationWarning": _Rule("choice", choices=("off", "once", "always")),
    "agents.defaults.compaction.postCompactionSections": _Rule("texts"),
    **{f"agents.defaults.{name}": rule for name, rule in _AGENT_RULES.items()},
    **{f"agents.list[].{name}": rule for name, rule in _AGENT_RULES.items()},
    **{f"agents.entries{{}}.{name}": rule for name, rule in _AGENT_RULES.items()},
    **{f"agents.defaults.startupContext.{name}": rule for name, rule in _STARTUP_RULES.items()},
    **{f"hooks.internal.entries.bootstrap-extra-files.{name}": rule for name, rule in _HOOK_RULES.items()},
}


def _fits(value: object, rule: _Rule, choices: tuple[str, ...]) -> bool:
    match rule.expected:
        case "integer":
            return _is_integer(value, rule.low, rule.high)
        case "boolean":
            return isinstance(value, bool)
        case "text":
            return isinstance(value, str)
        case "choice":
            return isinstance(value, str) and value in choices
        case "texts":
            return isinstance(value, list) and all(
                isinstance(item, str) and (not choices or item in choices) for item in value
            )


def _is_integer(value: object, low: int, high: int | None) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value >= low and (high is None or value <= high) and (isinstance(value, int) or value.is_integer())


# --- places in the file ----------------------------------------------------------------------------------


def _found(config: object, pattern: str) -> list[tuple[str, object]]:
    """Dotted key and value of everything that a pattern means and that is there."""
    places = [("", config)]
    for part in pattern.split(".") if pattern else ():
        name = part.rstrip("[]{}")
        places = [
            (f"{path}.{name}" if path else name, value[name])
            for path, value in places
            if isinstance(value, dict) and name in value
        ]
        if part.endswith("[]"):
            places = [
                (f"{path}[{at}]", item)
                for path, value in places
                if isinstance(value, list)
                for at, item in enumerate(value)
            ]
        elif part.endswith("{}"):
            places = [
                (f"{path}.{key}", item)
                for path, value in places
                if isinstance(value, dict)
                for key, item in value.items()
            ]
    return [(path, value) for path, value in places if value is not None]


def _shared(pattern: str) -> str:
    """The pattern of the shared value that an agent's own overrides."""
    return re.sub(r"^agents\.(list\[\]|entries\{\})", "agents.defaults", pattern)


def _is_within(pattern: str, key: str) -> bool:
    return pattern == key or (pattern.startswith(key) and pattern[len(key)] in ".[{")


def _json(value: object) -> str:
    import json

    if isinstance(value, dict | list):
        return "{...}" if isinstance(value, dict) else "[...]"
    if isinstance(value, bool) or not isinstance(value, int | float):
        text = json.dumps(shown(value) if isinstance(value, str) else value, ensure_ascii=False)
    else:
        text = _number(value)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"


def _number(value: float) -> str:
    """A number as JavaScript holds it, which is not exact beyond 2**53."""
    import json

    try:
        number = float(value)
    except OverflowError:
        return "Infinity"
    return json.dumps(int(number) if number.is_integer() and abs(number) < 1e21 else number)
