"""What the READMEs say is so, in both languages: commands, options, keys, formats, documents, links."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from bootlint import catalog, config
from bootlint.cli import COMMANDS, main
from bootlint.reporters import FORMATS
from bootlint.simulation import SESSION_KINDS

ROOT = Path(__file__).parent.parent
SHOP = "tests/workspaces/shop"
ENGLISH, CHINESE = "README.md", "README.zh-CN.md"
BOTH = pytest.mark.parametrize("readme", [ENGLISH, CHINESE])

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_OTHERS_OPTIONS = {"--cov"}  # pytest's


@cache
def text_of(readme: str) -> str:
    return (ROOT / readme).read_text(encoding="utf-8")


def fences(readme: str, language: str) -> list[str]:
    return [body for name, body in _FENCE.findall(text_of(readme)) if name == language]


def prose(readme: str) -> str:
    return _FENCE.sub("", text_of(readme))


@cache
def help_of(command: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.raises(SystemExit):
        main([command, "--help"])
    return out.getvalue()


def keys_of(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


@BOTH
def test_every_command_has_a_row(readme: str) -> None:
    rows = re.findall(r"^\| `bootlint (\w+)[^|]*?(?:\\\|[^|]*)?` \|", text_of(readme), re.MULTILINE)
    assert sorted(rows) == sorted(COMMANDS)


@BOTH
def test_every_option_that_is_named_exists(readme: str) -> None:
    known = set(re.findall(r"--[a-z][a-z-]*", "".join(map(help_of, COMMANDS))))
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text_of(readme)))
    assert named - _OTHERS_OPTIONS <= known


@BOTH
def test_every_key_of_the_configuration_is_shown_with_a_value_that_it_takes(readme: str) -> None:
    (settings,) = fences(readme, "toml")
    assert set(tomllib.loads(settings)) == set(config._KEYS)
    config.parse(tomllib.loads(settings), "bootlint.toml")


@BOTH
def test_every_rule_with_options_is_named_with_them(readme: str) -> None:
    for code in catalog.pages():
        info = catalog.rule(code)
        for option in info.options:
            assert re.search(rf"`{info.name}`[（ (]+`{option}`", text_of(readme)), info.name


@BOTH
def test_formats_and_session_kinds_are_named(readme: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \|", text_of(readme), re.MULTILINE)
    assert sorted(rows) == sorted(FORMATS)
    assert all(f"`{kind}`" in text_of(readme) for kind in SESSION_KINDS)


@BOTH
def test_every_key_of_the_documents_is_shown(readme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shown = "".join(fences(readme, "json"))
    for command in ("check", "show"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            main([command, SHOP, "--output-format", "json"])
        document = json.loads(out.getvalue())
        names = set(document.get("sources", ()))
        assert {key for key in keys_of(document) - names if f'"{key}"' not in shown} == set()


@BOTH
def test_links_lead_somewhere(readme: str) -> None:
    anchors = {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^## (.+)$", text_of(readme), re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", prose(readme)):
        place, _, anchor = target.partition("#")
        assert (ROOT / place).exists(), target
        assert not anchor or anchor in anchors, target


def test_the_chinese_one_says_the_same() -> None:
    """As many sections, lists, tables and code blocks, in the same order; commands and documents to the letter."""

    def shape(readme: str) -> list[str]:
        marks = re.findall(r"^(?:#+ |```\w*$|\| |- |!\[)", text_of(readme), re.MULTILINE)
        return [mark.strip() for mark in marks]

    def without_comments(block: str) -> str:
        return re.sub(r"\s*(?<=\s)#.*", "", block)

    assert shape(CHINESE) == shape(ENGLISH)
    for language in ("sh", "yaml", "diff"):
        english, chinese = (
            list(map(without_comments, fences(readme, language))) for readme in (ENGLISH, CHINESE)
        )
        assert chinese == english
