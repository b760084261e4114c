"""bootlint's own settings: find the closest file, check every key, merge with the options of the command line.

The key of a file and the option of the command line have one name, one parser and one place: `_KEYS`. Every error
names the file and the key and offers what may have been meant.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast

from bootlint import catalog
from bootlint.catalog import OptionValue
from bootlint.diagnostics import Severity, UserError
from bootlint.wording import LANGUAGES, Language

FILE_NAMES = ("bootlint.toml", ".bootlint.toml", "pyproject.toml")
SCOPES = ("lost", "at-risk", "all")
PREFIX_STYLES = ("english", "cjk")
SESSIONS = ("main", "group", "subagent", "cron", "heartbeat")

Scope = Literal["lost", "at-risk", "all"]
PrefixStyle = Literal["english", "cjk"]


class SettingsError(UserError):
    """A setting that cannot be used. The text is one line that names its place and the remedy."""


@dataclass(frozen=True, slots=True)
class IgnoreFinding:
    """One `[[ignore-finding]]`: silences findings of a rule in a file whose line holds a text."""

    rule: str  # code
    reason: str
    file: str | None = None  # pattern as in per-file-ignores
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a run can be told. `origins` says for each key that was set where it was."""

    openclaw: tuple[str, ...] = ()
    max_chars: int | None = None
    total_max_chars: int | None = None
    workspace_path: str | None = None
    session: str = "main"
    agent: str | None = None
    openclaw_config: str | None = None
    fail_on: Severity = Severity.ERROR
    language: Language | None = None
    scope: Scope = "all"
    prefix_style: PrefixStyle = "english"
    select: tuple[str, ...] = ()  # codes; () selects the rules that are on by default
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    severity: Mapping[str, Severity] = field(default_factory=dict)
    rules: Mapping[str, Mapping[str, OptionValue]] = field(default_factory=dict)  # by rule name
    ignore_findings: tuple[IgnoreFinding, ...] = ()
    file: str | None = None
    origins: Mapping[str, str] = field(default_factory=dict)

    def origin(self, key: str) -> str | None:
        return self.origins.get(key)


def find(folder: Path) -> Path | None:
    """The closest settings file at or above `folder`; a pyproject.toml counts only with `[tool.bootlint]`."""
    for place in (start := Path(os.path.abspath(folder)), *start.parents):
        for name in FILE_NAMES:
            path = place / name
            if path.is_file() and (name != "pyproject.toml" or _has_table(path)):
                return path
    return None


def read(path: Path) -> Settings:
    """The settings of one file. Raises SettingsError naming file, key and remedy."""
    import tomllib

    try:
        text = path.read_bytes().decode("utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: is not UTF-8 (byte {error.start}); save it as UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"{path}: is no TOML: {error}") from error
    if path.name == "pyproject.toml":
        data = data.get("tool", {}).get("bootlint", {})
    return parse(data, str(path))


def parse(data: Mapping[str, object], origin: str, base: Settings | None = None) -> Settings:
    """`base` with the keys of `data` set. `origin` names the file, or is empty for options of the command line.

    Raises SettingsError for an unknown key or a value that the key does not take.
    """
    values: dict[str, object] = {}
    origins = dict(base.origins) if base else {}
    for key, value in data.items():
        where = f"{origin}: {key}" if origin else f"--{key}"
        if key not in _KEYS:
            raise SettingsError(f"{where} is no setting{suggestion(key, _KEYS)}")
        field_name, parser = _KEYS[key]
        try:
            values[field_name] = parser(value)
        except (TypeError, ValueError) as error:
            raise SettingsError(f"{where}: {error}") from error
        origins[key] = origin or f"--{key}"
    known = {name: getattr(base, name) for name in Settings.__slots__} if base else {}
    known |= values
    known |= {"origins": origins, "file": origin or (base.file if base else None)}
    return Settings(**known)


def suggestion(word: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """`; did you mean "x"?`, or nothing when no known word is close."""
    import difflib

    close = difflib.get_close_matches(word, list(known), 1)
    return f'; did you mean "{close[0]}"?' if close else ""


def _has_table(path: Path) -> bool:
    try:
        return b"[tool.bootlint" in path.read_bytes()
    except OSError:
        return False


# --- parsers: a value from TOML or the command line → the field's value ------------------------------------


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError(f"takes a text, not {value!r}")
    return value


def _chars(value: object) -> int:
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else value
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ValueError(f"takes a whole number of characters from 1, not {value!r}")
    return number


def _one_of(*words: str) -> Callable[[object], str]:
    def parser(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(f"takes {', '.join(words)}, not {value!r}{suggestion(str(value), words)}")
        return value

    return parser


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError(f"takes a list of texts, not {value!r}")
    return tuple(value)


def _releases(value: object) -> tuple[str, ...]:
    from bootlint.openclaw.releases import contract, latest_release

    wanted = tuple(latest_release() if word == "latest" else word for word in _texts(value))
    if not wanted:
        raise ValueError(f"takes a release such as {latest_release()}, or latest")
    for release in wanted:
        contract(release)
    return tuple(dict.fromkeys(wanted))


def _codes(value: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code for selector in _texts(value) for code in _selected(selector)))


def _selected(selector: str) -> tuple[str, ...]:
    codes = catalog.codes_matching(selector)
    if not codes:
        known = (*catalog.pages(), *catalog.names().values())
        raise ValueError(f"{selector!r} is no rule code, prefix or name{suggestion(selector, known)}")
    return codes


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError(f"takes a table, not {value!r}")
    return value


def _per_file(value: object) -> Mapping[str, tuple[str, ...]]:
    return {pattern: _codes(codes) for pattern, codes in _table(value).items()}


def _severity_word(value: object) -> Severity:
    return Severity[_one_of("error", "warning", "info")(value).upper()]


def _severities(value: object) -> Mapping[str, Severity]:
    return {code: _severity_word(level) for key, level in _table(value).items() for code in _selected(key)}


def _rule_options(value: object) -> Mapping[str, Mapping[str, OptionValue]]:
    return {name: _options_of(name, _table(options)) for name, options in _table(value).items()}


def _options_of(name: str, options: Mapping[str, object]) -> Mapping[str, OptionValue]:
    code = catalog.code_of(name)
    if code is None:
        raise ValueError(f"[rules.{name}] names no rule{suggestion(name, tuple(catalog.names().values()))}")
    known = catalog.rule(code).options
    for key, value in options.items():
        if key not in known:
            raise ValueError(f"{name} has no option {key}{suggestion(key, known)}")
        if type(value) is not type(known[key]):
            raise TypeError(f"{name}.{key} takes a value like {known[key]!r}, not {value!r}")
    return cast("Mapping[str, OptionValue]", options)


def _ignore_findings(value: object) -> tuple[IgnoreFinding, ...]:
    if not isinstance(value, list):
        raise TypeError("is written as [[ignore-finding]]")
    return tuple(_ignore_finding(_table(item)) for item in value)


def _ignore_finding(item: Mapping[str, object]) -> IgnoreFinding:
    unknown = sorted(set(item) - {"rule", "file", "text", "reason"})
    if unknown:
        raise ValueError(f"{unknown[0]} is no key{suggestion(unknown[0], ('rule', 'file', 'text', 'reason'))}")
    if "rule" not in item or "reason" not in item:
        raise ValueError("needs a rule and a reason")
    (code,) = _selected(_text(item["rule"])) if catalog.code_of(_text(item["rule"])) else ("",)
    if not code:
        raise ValueError(f"{item['rule']!r} is no rule{suggestion(str(item['rule']), (*catalog.pages(),))}")
    return IgnoreFinding(
        rule=code,
        reason=_text(item["reason"]),
        file=_text(item["file"]) if "file" in item else None,
        text=_text(item["text"]) if "text" in item else None,
    )


_KEYS: dict[str, tuple[str, Callable[[object], object]]] = {
    "openclaw": ("openclaw", _releases),
    "max-chars": ("max_chars", _chars),
    "total-max-chars": ("total_max_chars", _chars),
    "workspace-path": ("workspace_path", _text),
    "session": ("session", _one_of(*SESSIONS)),
    "agent": ("agent", _text),
    "openclaw-config": ("openclaw_config", _text),
    "fail-on": ("fail_on", _severity_word),
    "language": ("language", _one_of(*LANGUAGES)),
    "scope": ("scope", _one_of(*SCOPES)),
    "prefix-style": ("prefix_style", _one_of(*PREFIX_STYLES)),
    "select": ("select", _codes),
    "extend-select": ("extend_select", _codes),
    "ignore": ("ignore", _codes),
    "per-file-ignores": ("per_file_ignores", _per_file),
    "severity": ("severity", _severities),
    "rules": ("rules", _rule_options),
    "ignore-finding": ("ignore_findings", _ignore_findings),
}
