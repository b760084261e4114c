"""bootlint's own settings: find the closest file, check every key, merge with the command line's options.

The key of a file and the option of the command line have one name, one parser and one place: `_KEYS`. Every
error names the file and the key and offers what may have been meant.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from bootlint import catalog
from bootlint.diagnostics import Severity, UserError
from bootlint.lazyre import lazy_pattern
from bootlint.plainfiles import leads_out, read_plain
from bootlint.records import field, names_of, record, replace
from bootlint.typed import TYPE_CHECKING, Literal, cast
from bootlint.wording import LANGUAGES, Language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bootlint.catalog import OptionValue

FILE_NAMES = ("bootlint.toml", ".bootlint.toml", "pyproject.toml")
SCOPES = ("lost", "at-risk", "all")
PREFIX_STYLES = ("english", "cjk")
SESSIONS = ("main", "group", "subagent", "cron", "heartbeat")

Scope = Literal["lost", "at-risk", "all"]
PrefixStyle = Literal["english", "cjk"]


class SettingsError(UserError):
    """A setting that cannot be used. The text is one line that names its place and the remedy."""


@record
class IgnoreFinding:
    """One `[[ignore-finding]]`: silences findings of a rule in a file whose line holds a text."""

    rule: str  # code
    reason: str
    file: str | None = None  # pattern as in per-file-ignores
    text: str | None = None


@record
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
    file: str | None = None  # from where patterns count
    origins: Mapping[str, str] = field(default_factory=dict)

    def origin(self, key: str) -> str | None:
        return self.origins.get(key)


def find(folder: Path, top: Path | None = None) -> Path | None:
    """The closest settings file at or above `folder`, not above `top`.

    A pyproject.toml counts only with `[tool.bootlint]`.
    """
    start = Path(os.path.abspath(folder))
    for place in (start, *start.parents):
        if top is not None and not place.is_relative_to(top):
            return None
        for name in FILE_NAMES:
            path = place / name
            if os.path.isfile(path) and (name != "pyproject.toml" or _has_table(path)):
                return path
    return None


def read(path: Path, shown: str | None = None, place: Path | None = None) -> Settings:
    """The settings of one file, named `shown` in output; paths in it count from its folder, or from that of `place`.

    Raises SettingsError naming file, key and remedy.
    """
    shown = str(path) if shown is None else shown
    data = toml(_bytes(path, shown), shown)
    table = data
    if path.name == "pyproject.toml":
        try:
            table = own_table(data)
        except TypeError as error:
            raise SettingsError(f"{shown}: [tool.bootlint] {error}") from error
    settings = parse(table, shown)
    named = settings.openclaw_config
    if named is not None and not named.startswith("~"):
        named = os.path.join((place or path).parent, named)
    return replace(settings, file=str(path), openclaw_config=named)


def toml(data: bytes, shown: str) -> Mapping[str, object]:
    """What a settings file says, ours or not. Raises SettingsError naming the file as `shown`, and why it says nothing."""
    import tomllib

    try:
        text = data.decode("utf-8")
        for number, line in enumerate(text.split("\n"), 1):
            if line.count(".") > _MOST_DOTS:
                raise SettingsError(f"{shown}: line {number} holds more than {_MOST_DOTS} dots; break it up")
        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise SettingsError(f"{shown}: is not UTF-8 (byte {error.start}); save it as UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"{shown}: is no TOML: {error}") from error
    except ValueError as error:  # what Python does not take for a number
        raise SettingsError(f"{shown}: holds a number of thousands of digits") from error


def own_table(pyproject: Mapping[str, object]) -> Mapping[str, object]:
    """`[tool.bootlint]` of a pyproject.toml. Raises TypeError where it is no table."""
    return _table(_table(pyproject.get("tool", {})).get("bootlint", {}))


def parse(data: Mapping[str, object], origin: str, base: Settings | None = None) -> Settings:
    """`base` with the keys of `data` set. `origin` names the file; empty: options of the command line.

    Raises SettingsError for an unknown key or a value that the key does not take.
    """
    values: dict[str, object] = {}
    origins = dict(base.origins) if base else {}
    for key, value in data.items():
        where = f"{origin}: {key}" if origin else f"--{key}"
        if key not in _KEYS:
            ours = key.removeprefix("bootstrap")  # OpenClaw calls max-chars bootstrapMaxChars
            hint = suggestion(ours, _KEYS) or f"; the settings are {', '.join(_KEYS)}"
            raise SettingsError(f"{where} is no setting{hint}")
        field_name, parser = _KEYS[key]
        try:
            values[field_name] = parser(value)
        except (TypeError, ValueError) as error:
            raise SettingsError(f"{where}: {error}") from error
        origins[key] = origin or f"--{key}"
    known = {name: getattr(base, name) for name in names_of(Settings)} if base else {}
    known |= values
    known |= {"origins": origins, "file": origin or (base.file if base else None)}
    return Settings(**known)


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean "x"?`, or nothing when no known word is close."""
    meant = nearest(word, known)
    return f'; did you mean "{meant}"?' if meant else ""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like this one, case aside; None when none is close."""
    import difflib

    by_lower = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), by_lower, 1)
    return by_lower[close[0]] if close else None


# --- the file ----------------------------------------------------------------------------------------------

_MOST_BYTES = 262_144
_MOST_DOTS = 500  # tomllib takes the square of the parts of a name in time


def _bytes(path: Path, shown: str) -> bytes:
    if leads_out(path):
        raise SettingsError(
            f"{shown}: is a link that leads out of its folder; name the file with --config to use it"
        )
    try:
        return read_plain(path, _MOST_BYTES)
    except OSError as error:
        raise SettingsError(f"{shown}: cannot be read: {error.strerror}") from error


_OWN_TABLE = lazy_pattern(r"^[ \t]*\[{1,2}[ \t]*tool[ \t]*\.[ \t]*bootlint[ \t]*[\].]", re.MULTILINE)


def _has_table(path: Path) -> bool:
    try:
        return _OWN_TABLE.search(read_plain(path, _MOST_BYTES).decode("utf-8", "replace")) is not None
    except OSError:
        return False


# --- parsers: a value from TOML or the command line → the field's value ------------------------------------


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError(f"takes a text, not {_told(value)}")
    return value


def _path(value: object) -> str:
    if "\0" in _text(value):
        raise ValueError(f"takes a path, not {_told(value)}")
    return _text(value)


def _full_path(value: object) -> str:
    path = os.path.expanduser(_text(value))
    if path.startswith(("~", ".")):
        raise ValueError(
            f"takes the full path, such as /home/ada/.openclaw/workspace, not {_told(value)}: its length counts"
        )
    return path


LARGEST = 2**53 - 1  # up to which JavaScript's numbers are exact


def whole_number(text: str) -> int | None:
    """The number that digits mean, of which there may be any number: at most one more than `LARGEST`; else None."""
    if not (text.isascii() and text.isdecimal()):
        return None
    return LARGEST + 1 if len(text) > len(str(LARGEST)) else min(int(text), LARGEST + 1)


def _chars(value: object) -> int:
    number = whole_number(value) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ValueError(f"takes a whole number of characters from 1, not {_told(value)}")
    if number > LARGEST:
        raise ValueError(f"takes at most {LARGEST:,} characters")
    return number


def _told(value: object) -> str:
    """A value as an error shows it, whatever stands in the file."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number too long to be written in decimals, tables within tables
        return "what stands there"
    return text if len(text) <= _LONGEST_TOLD else text[: _LONGEST_TOLD - 1] + "…"


_LONGEST_TOLD = 80


def _one_of(*words: str) -> Callable[[object], str]:
    def parser(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(not_one_of(words, value))
        return value

    return parser


def not_one_of(words: Sequence[str], value: object) -> str:
    """What is wrong with a value that is none of these words."""
    hint = suggestion(value, words) if isinstance(value, str) else ""
    return f"takes {', '.join(words)}, not {_told(value)}{hint}"


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError(f"takes a list of texts, not {_told(value)}")
    return tuple(value)


def releases_named(value: object) -> tuple[str, ...]:
    """The releases that a list of texts names, or texts between commas. Raises ValueError or TypeError."""
    from bootlint.openclaw.releases import contract, latest_release, releases

    if isinstance(value, float):
        raise TypeError(
            f'takes a release such as "{latest_release()}", a list of them, or "latest", not {value}'
        )
    wanted = tuple(latest_release() if word == "latest" else word for word in _texts(value))
    if not wanted:
        raise ValueError(f"takes a release such as {latest_release()}, or latest")
    for release in wanted:
        try:
            contract(release)
        except ValueError as error:
            raise ValueError(f"{error}{suggestion(release, (*releases(), 'latest'))}") from error
    return tuple(dict.fromkeys(wanted))


def _codes(value: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code for selector in _texts(value) for code in _selected(selector)))


def _selected(selector: str) -> tuple[str, ...]:
    codes = catalog.codes_matching(selector)
    if not codes:
        raise ValueError(
            f"{_told(selector)} is no rule code, prefix or name{suggestion(selector, rule_words(selector))}"
        )
    return codes


def rule_words(word: str) -> tuple[str, ...]:
    """What may have been meant by a word that is no rule: for a code, those of its family."""
    if _CODE.fullmatch(word):
        return tuple(code for code in catalog.pages() if code.startswith(word.upper()[:3]))
    return (*catalog.pages(), *catalog.names().values())


_CODE = lazy_pattern(r"(?i:BL)[0-9]+")


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError(f"takes a table, not {_told(value)}")
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
        raise ValueError(f"[rules.{name}] names no rule{suggestion(name, catalog.names().values())}")
    known = catalog.rule(code).options
    for key, value in options.items():
        if key not in known:
            raise ValueError(f"{name} has no option {key}{suggestion(key, known)}")
        if not _is_like(value, known[key]):
            raise TypeError(f"{name}.{key} takes a value like {known[key]!r}, not {_told(value)}")
        if key == "patterns" and isinstance(value, list) and (fault := _fault(value)):
            raise ValueError(f"{name}.{key}: {fault}")
    return cast("Mapping[str, OptionValue]", options)


def _fault(patterns: list[str]) -> str | None:
    from bootlint import user_patterns

    if len(patterns) > user_patterns.MOST_PATTERNS:
        return f"takes at most {user_patterns.MOST_PATTERNS} patterns"
    return next(filter(None, map(user_patterns.fault, patterns)), None)


def _is_like(value: object, default: OptionValue) -> bool:
    """Of the default's type; numbers from 0, lists of texts."""
    if isinstance(value, list) and isinstance(default, list):
        return all(isinstance(item, str) for item in value)
    return type(value) is type(default) and not (isinstance(value, int) and not 0 <= value <= LARGEST)


def _ignore_findings(value: object) -> tuple[IgnoreFinding, ...]:
    if not isinstance(value, list):
        raise TypeError("is written as [[ignore-finding]]")
    return tuple(_ignore_finding(_table(item)) for item in value)


_IGNORE_KEYS = ("rule", "file", "text", "reason")


def _ignore_finding(item: Mapping[str, object]) -> IgnoreFinding:
    for key in item:
        if key not in _IGNORE_KEYS:
            raise ValueError(f"{key} is no key of it{suggestion(key, _IGNORE_KEYS)}")
    if "rule" not in item or "reason" not in item:
        raise ValueError("needs a rule and a reason")
    rule = _text(item["rule"])
    code = catalog.code_of(rule)
    if code is None:
        raise ValueError(f"{_told(rule)} is no rule code or name{suggestion(rule, rule_words(rule))}")
    return IgnoreFinding(
        rule=code,
        reason=_text(item["reason"]),
        file=_text(item["file"]) if "file" in item else None,
        text=_text(item["text"]) if "text" in item else None,
    )


_KEYS: dict[str, tuple[str, Callable[[object], object]]] = {
    "openclaw": ("openclaw", releases_named),
    "max-chars": ("max_chars", _chars),
    "total-max-chars": ("total_max_chars", _chars),
    "workspace-path": ("workspace_path", _full_path),
    "session": ("session", _one_of(*SESSIONS)),
    "agent": ("agent", _text),
    "openclaw-config": ("openclaw_config", _path),
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
