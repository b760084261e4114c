"""Settings: every key with a good and a bad value, the closest file, and what wins over what."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bootlint import config
from bootlint.config import IgnoreFinding, Settings, SettingsError, find, parse, read
from bootlint.diagnostics import Severity
from bootlint.openclaw.releases import latest_release

if TYPE_CHECKING:
    from pathlib import Path


def good(key: str, value: object) -> object:
    """The field's value after `key = value`."""
    field_name, _ = config._KEYS[key]
    return getattr(parse({key: value}, "bootlint.toml"), field_name)


def fault(data: dict[str, object], origin: str = "bootlint.toml") -> str:
    with pytest.raises(SettingsError) as caught:
        parse(data, origin)
    return str(caught.value)


GOOD: list[tuple[str, object, object]] = [
    ("openclaw", "2026.6.11", ("2026.6.11",)),
    ("openclaw", "2026.6.11,latest", ("2026.6.11", latest_release())),
    ("openclaw", ["2026.6.11", "latest", "2026.6.11"], ("2026.6.11", latest_release())),
    ("max-chars", 12000, 12000),
    ("max-chars", "12000", 12000),  # the command line gives texts
    ("total-max-chars", 60000, 60000),
    ("workspace-path", "/home/agent/ws", "/home/agent/ws"),
    ("workspace-path", "~/.openclaw/workspace", os.path.expanduser("~/.openclaw/workspace")),
    ("session", "group", "group"),
    ("agent", "ada", "ada"),
    ("openclaw-config", "openclaw.json", "openclaw.json"),
    ("fail-on", "warning", Severity.WARNING),
    ("language", "zh", "zh"),
    ("scope", "at-risk", "at-risk"),
    ("prefix-style", "cjk", "cjk"),
    ("select", ["BL101", "missing-file"], ("BL101", "BL301")),
    ("select", "bl101,BL301", ("BL101", "BL301")),
    ("extend-select", ["BL101", "BL101"], ("BL101",)),
    ("ignore", ["file-over-limit"], ("BL101",)),
    ("per-file-ignores", {"MEMORY.md": ["BL101"]}, {"MEMORY.md": ("BL101",)}),
    ("severity", {"missing-file": "error"}, {"BL301": Severity.ERROR}),
    ("rules", {"near-limit": {"advise-chars": 9000}}, {"near-limit": {"advise-chars": 9000}}),
    (
        "ignore-finding",
        [{"rule": "near-limit", "file": "AGENTS.md", "text": "先备份", "reason": "on purpose"}],
        (IgnoreFinding("BL106", "on purpose", "AGENTS.md", "先备份"),),
    ),
    ("ignore-finding", [{"rule": "BL106", "reason": "so"}], (IgnoreFinding("BL106", "so"),)),
]

BAD: list[tuple[str, object, str]] = [
    ("openclaw", 2026.6, f'takes a release such as "{latest_release()}", a list of them, or "latest", not 2026.6'),
    ("openclaw", [], f"takes a release such as {latest_release()}, or latest"),
    ("openclaw", "newest", f"'newest' is no OpenClaw release; they look like {latest_release()}"),
    ("openclaw", "lates", f"they look like {latest_release()}; did you mean \"latest\"?"),
    ("openclaw", "2026.6.x11", f"they look like {latest_release()}; did you mean \"2026.6.11\"?"),
    ("max-chars", 0, "takes a whole number of characters from 1, not 0"),
    ("max-chars", True, "takes a whole number of characters from 1, not True"),
    ("max-chars", 1.5, "takes a whole number of characters from 1, not 1.5"),
    ("max-chars", "20k", "takes a whole number of characters from 1, not '20k'"),
    ("total-max-chars", -1, "takes a whole number of characters from 1, not -1"),
    ("max-chars", 2**53, "takes at most 9,007,199,254,740,991 characters"),
    ("max-chars", "9" * 5000, "takes at most 9,007,199,254,740,991 characters"),
    ("workspace-path", "", "takes a text, not ''"),
    ("workspace-path", "~nobody-has-this-name/ws", "takes the full path, such as /home/ada/.openclaw/workspace"),
    ("workspace-path", "../ws", "takes the full path, such as /home/ada/.openclaw/workspace, not '../ws'"),
    ("session", "groups", 'cron, heartbeat, not \'groups\'; did you mean "group"?'),
    ("agent", 7, "takes a text, not 7"),
    ("openclaw-config", [], "takes a text, not []"),
    ("openclaw-config", "~\0", "takes a path, not '~\\x00'"),
    ("fail-on", "warn", 'takes error, warning, info, not \'warn\'; did you mean "warning"?'),
    ("fail-on", "Error", 'takes error, warning, info, not \'Error\'; did you mean "error"?'),
    ("language", "zh-CN", "takes en, zh, not 'zh-CN'"),
    ("scope", "risk", 'takes lost, at-risk, all, not \'risk\'; did you mean "at-risk"?'),
    ("prefix-style", "chinese", "takes english, cjk, not 'chinese'"),
    ("select", "near-limits", '\'near-limits\' is no rule code, prefix or name; did you mean "near-limit"?'),
    ("select", {"BL101": True}, "takes a list of texts, not {'BL101': True}"),
    ("extend-select", ["BL9"], "'BL9' is no rule code, prefix or name"),
    ("extend-select", ["BL399"], "'BL399' is no rule code, prefix or name; did you mean \"BL3"),
    ("ignore", [101], "takes a list of texts, not [101]"),
    ("per-file-ignores", ["BL101"], "takes a table, not ['BL101']"),
    ("per-file-ignores", {"A.md": ["near-limi"]}, 'prefix or name; did you mean "near-limit"?'),
    ("severity", {"BL301": "fatal"}, "takes error, warning, info, not 'fatal'"),
    ("severity", {"missing-fils": "error"}, 'prefix or name; did you mean "missing-file"?'),
    ("rules", {"near-limits": {}}, '[rules.near-limits] names no rule; did you mean "near-limit"?'),
    ("rules", {"near-limit": {"advise-char": 1}}, 'has no option advise-char; did you mean "advise-chars"?'),
    ("rules", {"near-limit": {"advise-chars": "9"}}, "advise-chars takes a value like 15000, not '9'"),
    ("rules", {"near-limit": {"advise-chars": -9}}, "advise-chars takes a value like 15000, not -9"),
    ("rules", {"near-limit": {"advise-chars": 2**53}}, "takes a value like 15000, not 9007199254740992"),
    ("select", [7] * 99, "takes a list of texts, not [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,"),
    ("ignore-finding", {"rule": "BL106"}, "is written as [[ignore-finding]]"),
    ("ignore-finding", [{"rule": "BL106"}], "needs a rule and a reason"),
    ("ignore-finding", [{"rule": "BL106", "reason": " "}], "takes a text, not ' '"),
    ("ignore-finding", [{"rule": "BL1", "reason": "so"}], "'BL1' is no rule code or name; did you mean"),
    ("ignore-finding", [{"rule": "BL106", "reason": "so", "path": "A"}], "path is no key of it"),
    ("ignore-finding", [{"rule": "BL106", "reason": "so", "txt": "A"}], 'did you mean "text"?'),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "expected"), GOOD)
def test_a_good_value_is_taken(key: str, value: object, expected: object) -> None:
    assert good(key, value) == expected


@pytest.mark.parametrize(("key", "value", "words"), BAD)
def test_a_bad_value_is_named_with_file_key_and_remedy(key: str, value: object, words: str) -> None:
    message = fault({key: value})
    assert message.startswith(f"bootlint.toml: {key}: ")
    assert words in message
    assert "\n" not in message


def test_every_key_stands_in_both_tables() -> None:
    assert {key for key, *_ in GOOD} == {key for key, *_ in BAD} == set(config._KEYS)


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("max_chars", "max-chars"),
        ("maxChars", "max-chars"),
        ("bootstrapMaxChars", "max-chars"),
        ("bootstrapTotalMaxChars", "total-max-chars"),
        ("ignores", "ignore"),
        ("per-file-ignore", "per-file-ignores"),
    ],
)
def test_an_unknown_key_brings_a_suggestion(key: str, meant: str) -> None:
    assert fault({key: 1}) == f'bootlint.toml: {key} is no setting; did you mean "{meant}"?'


def test_an_unknown_key_like_no_other_brings_the_whole_list() -> None:
    assert (
        fault({"zzz": 1}) == f"bootlint.toml: zzz is no setting; the settings are {', '.join(config._KEYS)}"
    )


def test_an_option_of_the_command_line_is_named_as_one() -> None:
    assert fault({"max-chars": "x"}, "").startswith("--max-chars: takes a whole number")


def test_options_win_over_the_file_and_say_where_each_value_came_from() -> None:
    base = parse({"max-chars": 9000, "session": "group", "ignore": ["BL101"]}, "bootlint.toml")
    merged = parse({"max-chars": "8000"}, "", base)
    assert (merged.max_chars, merged.session, merged.ignore) == (8000, "group", ("BL101",))
    assert merged.origin("max-chars") == "--max-chars"
    assert merged.origin("session") == "bootlint.toml"
    assert merged.origin("agent") is None
    assert merged.file == "bootlint.toml"


def test_no_settings_are_the_defaults() -> None:
    assert parse({}, "") == Settings()


# --- files -------------------------------------------------------------------------------------------------


def test_the_closest_file_wins(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "bootlint.toml").write_text("")
    assert find(inner) == tmp_path / "bootlint.toml"
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.bootlint]\n")
    assert find(inner) == tmp_path / "a" / "pyproject.toml"
    (tmp_path / "a" / ".bootlint.toml").write_text("")
    assert find(inner) == tmp_path / "a" / ".bootlint.toml"
    (tmp_path / "a" / "bootlint.toml").write_text("")
    assert find(inner) == tmp_path / "a" / "bootlint.toml"


@pytest.mark.parametrize(
    "text", ["[project]\nname = 'x'\n", "# see [tool.bootlint]\n", "[tool.bootlinter]\nx = 1\n"]
)
def test_a_pyproject_without_the_table_is_passed_over(tmp_path: Path, text: str) -> None:
    (tmp_path / "bootlint.toml").write_text("")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "pyproject.toml").write_text(text)
    assert find(tmp_path / "inner") == tmp_path / "bootlint.toml"


@pytest.mark.parametrize(
    "text",
    [
        "[tool.bootlint]\nmax-chars = 9000\n",
        "[tool.other]\nx = 1\n[ tool . bootlint ]\nmax-chars = 9000\n",
        "[tool.bootlint.severity]\nBL301 = 'error'\n[tool]\nbootlint.max-chars = 9000\n",
    ],
)
def test_a_pyproject_with_the_table_is_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    assert find(tmp_path) == path
    assert read(path).max_chars == 9000


def test_a_folder_that_cannot_be_entered_has_no_file(tmp_path: Path) -> None:
    (tmp_path / "bootlint.toml").write_text("")
    assert find(tmp_path / "not" / "there") == tmp_path / "bootlint.toml"


DEEP_TABLE = b"[select" + b".a" * 499 + b"]\na" + b".a" * 499 + b" = 1\n"
FILE_FAULTS: list[tuple[str, bytes, str]] = [
    ("bootlint.toml", b"max-chars = \n", "is no TOML: Invalid value (at line 1, column 13)"),
    ("bootlint.toml", b"language = '\xff'\n", "is not UTF-8 (byte 12); save it as UTF-8"),
    ("bootlint.toml", b"a = " + b"[" * 5000, "is no TOML: "),
    ("bootlint.toml", b"colour = true\n", "colour is no setting; "),
    ("bootlint.toml", b"max-chars = " + b"9" * 5000, "holds a number of thousands of digits"),
    ("bootlint.toml", b"select = 0x" + b"f" * 5000, "select: takes a list of texts, not what stands there"),
    ("bootlint.toml", DEEP_TABLE, "select: takes a list of texts, not what stands there"),
    ("bootlint.toml", b"\na" + b".a" * 501 + b" = 1", "line 2 holds more than 500 dots; break it up"),
    ("bootlint.toml", b"#" * 262_145, "cannot be read: larger than 262,144 bytes"),
    ("pyproject.toml", b"tool = 3\n", "[tool.bootlint] takes a table, not 3"),
    ("pyproject.toml", b"[tool]\nbootlint = []\n", "[tool.bootlint] takes a table, not []"),
    (
        "pyproject.toml",
        b"[tool.bootlint]\nmax-char = 1\n",
        'max-char is no setting; did you mean "max-chars"?',
    ),
]


@pytest.mark.parametrize(("name", "content", "words"), FILE_FAULTS, ids=[words for *_, words in FILE_FAULTS])
def test_a_broken_file_is_named_with_what_is_wrong(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: {words}")
    assert "\n" not in str(caught.value)


def test_a_folder_in_place_of_the_file_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: no plain file"):
        read(tmp_path)


def test_a_pyproject_without_the_table_that_is_named_sets_nothing(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[project]\nname = 'x'\n")
    assert read(path) == Settings(file=str(path))
