"""What bootlint finds wrong in openclaw.json: keys by release, values by type and range, and any JSON at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootlint.openclaw.config_file import FromEnvironment
from bootlint.openclaw.releases import contract, releases, settings_keys
from bootlint.openclaw.settings_check import (
    InvalidValue,
    UnknownKey,
    invalid_values,
    misspelt_keys,
    unknown_keys,
)
from test_openclaw_settings import any_json, shaped

LATEST = "2026.9.6"


def agents(**section: object) -> dict[str, object]:
    return {"agents": section}


@pytest.mark.parametrize(
    ("release", "config", "unknown"),
    [
        ("2026.2.12", agents(defaults={"bootstrapMaxChars": 1, "bootstrapTotalMaxChars": 2}),
         [("agents.defaults.bootstrapTotalMaxChars", "not-yet", "2026.2.17", None)]),
        ("2026.5.12", agents(list=[{}, {"bootstrapMaxChars": 1}, 7]),
         [("agents.list[1].bootstrapMaxChars", "not-yet", "2026.5.14-beta.2", None)]),
        (LATEST, agents(list=[{"bootstrapMaxChars": 1}]), []),
        (LATEST, agents(defaults={"bootstrapPromptTruncationWarning": "once"}),
         [("agents.defaults.bootstrapPromptTruncationWarning", "retired", "2026.3.7", "2026.7.35")]),
        ("2026.7.2-beta.5", agents(defaults={"bootstrapPromptTruncationWarning": "once"}),
         [("agents.defaults.bootstrapPromptTruncationWarning", "not-yet", "2026.7.33", None)]),
        ("2026.7.35", agents(defaults={"bootstrapPromptTruncationWarning": "once"}), []),
        ("2026.7.35", agents(entries={"main": {"bootstrapMaxChars": 1}}),
         [("agents.entries", "not-yet", "2026.8.1-beta.1", None)]),
        ("2026.6.11", agents(entries={"main": {"bootstrapMaxChars": 1}}),
         [("agents.entries", "not-yet", "2026.7.2-beta.4", None)]),
        (LATEST, agents(entries={}, list=[]), [("agents.list", "shadowed", "2026.7.2-beta.4", None)]),
        (LATEST, agents(entries=None, list=[]), [("agents.list", "shadowed", "2026.7.2-beta.4", None)]),
        ("2026.7.2-beta.4", agents(entries=None, list=[]), []),
        ("2026.1.29", {"hooks": {"internal": {"entries": {"bootstrap-extra-files": {}}}}},
         [("hooks.internal.entries.bootstrap-extra-files", "not-yet", "2026.2.17", None)]),
        ("2026.1.29", agents(defaults={"contextInjection": None, "model": "x"}), []),
    ],
)  # fmt: skip
def test_unknown_keys(release: str, config: object, unknown: list[tuple[str, str, str, str | None]]) -> None:
    found = unknown_keys(config, contract(release))
    assert [(item.key, item.why, item.known_from, item.known_until) for item in found] == unknown


@pytest.mark.parametrize(
    ("config", "misspelt"),
    [
        (agents(defaults={"bootstrapMaxChar": 1}),
         [("agents.defaults.bootstrapMaxChar", "agents.defaults.bootstrapMaxChars")]),
        (agents(list=[{}, {"bootstraptotalmaxchars": 1}]),
         [("agents.list[1].bootstraptotalmaxchars", "agents.list[1].bootstrapTotalMaxChars")]),
        (agents(entries={"ada": {"boostrapMaxChars": 1}}),
         [("agents.entries.ada.boostrapMaxChars", "agents.entries.ada.bootstrapMaxChars")]),
        ({"bootstrapMaxChars": 1}, [("bootstrapMaxChars", "agents.defaults.bootstrapMaxChars")]),
        (agents(bootstrapMaxChars=1), [("agents.bootstrapMaxChars", "agents.defaults.bootstrapMaxChars")]),
        (agents(defaults={"bootstrapMaxChars": 1, "bootstrapTotalMaxChars": 2, "maxChars": 3, "bootstrap": 4}), []),
        ([1], []),
    ],
)  # fmt: skip
def test_misspelt_limits(config: object, misspelt: list[tuple[str, str]]) -> None:
    assert [(item.key, item.meant) for item in misspelt_keys(config)] == misspelt


def test_every_optional_key_is_reported_by_a_release_that_does_not_know_it() -> None:
    for key in settings_keys():
        config: object = 1
        for part in reversed(key.split(".")):
            config = {part.removesuffix("[]"): [config] if part.endswith("[]") else config}
        for release in releases():
            found = {item.key.replace("[0]", "[]") for item in unknown_keys(config, contract(release))}
            assert (key in found) == (key not in contract(release).settings_keys), (key, release)


def test_a_release_that_is_not_on_record_is_judged_like_its_stand_in() -> None:
    config = agents(defaults={"bootstrapTotalMaxChars": 1})
    assert unknown_keys(config, contract("2026.2.13")) == (
        UnknownKey("agents.defaults.bootstrapTotalMaxChars", "not-yet", "2026.2.17"),
    )


def invalid(config: object, release: str = LATEST) -> list[tuple[str, str, str]]:
    return [(item.key, item.shown, item.expected) for item in invalid_values(config, contract(release))]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (20_000, None), (20_000.0, None), (1, None), (None, None), ("20000", '"20000"'), (0, "0"), (-5, "-5"),
        (1.5, "1.5"), (True, "true"), ([1], "[...]"), ({"a": 1}, "{...}"), (float("nan"), "NaN"),
        (float("inf"), "Infinity"), (-(10**400), "Infinity"), (FromEnvironment("s3cret", "${X}"), '"${X}"'),
        ("记" * 100, '"' + "记" * 58 + "…"),
    ],
)  # fmt: skip
def test_limits_are_positive_integers(value: object, written: str | None) -> None:
    expected = [] if written is None else [("agents.defaults.bootstrapMaxChars", written, "integer")]
    assert invalid(agents(defaults={"bootstrapMaxChars": value})) == expected


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        (agents(list=[{}, {"bootstrapTotalMaxChars": "1"}]), ("agents.list[1].bootstrapTotalMaxChars", '"1"', "integer")),
        (agents(entries={"a.b": {"workspace": 7}}), ("agents.entries.a.b.workspace", "7", "text")),
        (agents(defaults={"contextLimits": {"postCompactionMaxChars": 0}}),
         ("agents.defaults.contextLimits.postCompactionMaxChars", "0", "integer")),
        (agents(defaults={"compaction": {"postCompactionSections": "A"}}),
         ("agents.defaults.compaction.postCompactionSections", '"A"', "texts")),
        (agents(defaults={"compaction": {"postCompactionSections": ["A", 7]}}),
         ("agents.defaults.compaction.postCompactionSections", "[...]", "texts")),
        (agents(defaults={"startupContext": {"applyOn": ["new", "start"]}}),
         ("agents.defaults.startupContext.applyOn", "[...]", "texts")),
        (agents(defaults={"startupContext": {"enabled": "yes"}}),
         ("agents.defaults.startupContext.enabled", '"yes"', "boolean")),
        (agents(defaults={"contextInjection": "sometimes"}),
         ("agents.defaults.contextInjection", '"sometimes"', "choice")),
        ({"meta": {"lastTouchedVersion": 2026.9}}, ("meta.lastTouchedVersion", "2026.9", "text")),
        ({"hooks": {"internal": {"entries": {"bootstrap-extra-files": {"paths": "x"}}}}},
         ("hooks.internal.entries.bootstrap-extra-files.paths", '"x"', "texts")),
    ],
)  # fmt: skip
def test_values_that_openclaw_does_not_take(config: object, problem: tuple[str, str, str]) -> None:
    assert invalid(config) == [problem]


def test_ranges_and_choices_come_with_the_finding() -> None:
    config = agents(defaults={"startupContext": {"dailyMemoryDays": 15}, "contextInjection": "never"})
    assert invalid_values(config, contract("2026.4.12")) == (
        InvalidValue(
            "agents.defaults.contextInjection", '"never"', "choice", choices=("always", "continuation-skip")
        ),
        InvalidValue("agents.defaults.startupContext.dailyMemoryDays", "15", "integer", 1, 14),
    )
    config = agents(defaults={"startupContext": {"dailyMemoryDays": 14}, "contextInjection": "never"})
    assert invalid_values(config, contract("2026.4.24")) == ()


@pytest.mark.parametrize(
    ("release", "config"),
    [
        ("2026.4.6", agents(defaults={"contextInjection": "sometimes"})),
        ("2026.5.12", agents(list=[{"bootstrapMaxChars": "1"}])),
        ("2026.4.14", agents(list=[{"contextLimits": {"postCompactionMaxChars": 0}}])),
        ("2026.7.35", agents(entries={"a": {"bootstrapMaxChars": "1"}})),
    ],
)
def test_values_under_unknown_keys_are_left_to_unknown_keys(release: str, config: object) -> None:
    assert invalid(config, release) == []


@given(any_json | shaped(any_json), st.sampled_from(releases()))
def test_any_json_can_be_checked(config: object, release: str) -> None:
    behaviour = contract(release)
    assert all(item.key.startswith(("agents.", "hooks.")) for item in unknown_keys(config, behaviour))
    assert all(len(item.shown) <= 60 for item in invalid_values(config, behaviour))
