"""What openclaw.json means: the recordings of limits, agents, workspaces, other settings, and any JSON at all."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootlint.openclaw.config_file import ConfigError, FromEnvironment
from bootlint.openclaw.releases import contract
from bootlint.openclaw.settings import (
    OpenClawConfig,
    Origin,
    agents,
    beside,
    context_injection,
    extra_file_patterns,
    leaves_heartbeat_out,
    normal_id,
    post_compaction_max_chars,
    post_compaction_names,
    read_config,
    resolve_limits,
)
from golden_rows import Row, number, optional_number, optional_text, record, rows

if TYPE_CHECKING:
    from bootlint.openclaw.contract import Contract

LATEST = contract("2026.9.6")
WITH_LIST = contract("2026.6.1")
WITHOUT_AGENTS = contract("2026.5.12")
WITHOUT_TOTAL = contract("2026.1.29")


# --- limits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", list(rows("limits")), ids=str)
def test_golden(row: Row) -> None:
    limits = resolve_limits(row.data["cfg"], contract(row.release), optional_text(row.data.get("agentId")))
    expected = record(row.data["expected"])
    assert limits.max_chars == number(expected["maxChars"])
    assert limits.total_max_chars == optional_number(expected["totalMaxChars"])


def limits_of(**agent: object) -> dict[str, object]:
    return {
        "agents": {"defaults": {"bootstrapMaxChars": 9000}, "list": [{"id": "x"}, {"id": "ada", **agent}]}
    }


@pytest.mark.parametrize(
    ("config", "agent", "limit", "origin"),
    [
        (None, None, 20_000, Origin("default", release="2026.6.1")),
        (limits_of(), None, 9000, Origin("openclaw-json", "agents.defaults.bootstrapMaxChars")),
        (limits_of(), "ada", 9000, Origin("openclaw-json", "agents.defaults.bootstrapMaxChars")),
        (limits_of(bootstrapMaxChars=8000.9), "Ada", 8000,
         Origin("openclaw-json", "agents.list[1].bootstrapMaxChars")),
        (limits_of(bootstrapMaxChars="8000"), "ada", 20_000,
         Origin("default-instead", "agents.list[1].bootstrapMaxChars", "2026.6.1")),
    ],
)  # fmt: skip
def test_each_limit_names_its_origin(config: object, agent: str | None, limit: int, origin: Origin) -> None:
    limits = resolve_limits(config, WITH_LIST, agent)
    assert (limits.max_chars, limits.max_chars_origin) == (limit, origin)


def test_any_mapping_and_any_sequence_of_agents_will_do() -> None:
    agent = MappingProxyType({"id": "ada", "bootstrapMaxChars": 8000})
    by_list = MappingProxyType({"agents": MappingProxyType({"list": (agent,)})})
    assert resolve_limits(by_list, WITH_LIST, "ada").max_chars == 8000
    by_name = MappingProxyType({"agents": MappingProxyType({"entries": MappingProxyType({"ada": agent})})})
    assert resolve_limits(by_name, LATEST, "ada").max_chars == 8000


def test_a_release_without_a_total_says_so() -> None:
    limits = resolve_limits({"agents": {"defaults": {"bootstrapTotalMaxChars": 5}}}, WITHOUT_TOTAL)
    assert (limits.total_max_chars, limits.total_max_chars_origin) == (
        None,
        Origin("no-total", release="2026.1.29"),
    )


@pytest.mark.parametrize(
    ("value", "limit"),
    [(float("inf"), 20_000), (float("nan"), 20_000), (10**400, 20_000), (2**53 + 1, 2**53), (5e-324, 0)],
)
def test_numbers_are_those_of_javascript(value: object, limit: int) -> None:
    assert resolve_limits({"agents": {"defaults": {"bootstrapMaxChars": value}}}, LATEST).max_chars == limit


# --- agents ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        (" Main ", "main"), ("a_b-", "a_b-"), ("my agent!", "my-agent"), ("-x-", "x"), ("助手", "main"), ("", "main"),
        (None, "main"), (7, "main"), ("x" * 70, "x" * 64), ("K", "k"), (FromEnvironment("s3cret", "${ID}"), "id"),
    ],
)  # fmt: skip
def test_ids_are_normalised(written: object, normal: str) -> None:
    assert normal_id(written) == normal


def test_agents_of_a_list() -> None:
    config = {
        "agents": {"list": [None, {"id": "A", "n": 1}, {"id": "a", "n": 2}, "x", {}], "entries": {"b": {}}}
    }
    found = [(agent.id, agent.key, agent.settings) for agent in agents(config, WITH_LIST)]
    assert found == [("a", "agents.list[1]", {"id": "A", "n": 1}), ("main", "agents.list[4]", {})]


def test_agents_of_entries_come_in_the_order_of_javascript() -> None:
    entries = {"b": {}, "10": {}, "2": {}, "02": {}, "4294967295": {}, "B": {"n": 2}}
    found = [agent.key for agent in agents({"agents": {"entries": entries}}, LATEST)]
    assert found == [f"agents.entries.{name}" for name in ("2", "10", "b", "02", "4294967295")]


@pytest.mark.parametrize(
    ("release", "entries", "ids"),
    [
        ("2026.7.2-beta.3", {}, ["a"]),
        ("2026.7.2-beta.4", {}, []),
        ("2026.7.2-beta.4", None, ["a"]),
        ("2026.7.2-beta.7", None, []),
        ("2026.7.2-beta.7", ["x"], []),
        ("2026.7.33", {}, ["a"]),
    ],
)
def test_entries_stand_in_for_the_list(release: str, entries: object, ids: list[str]) -> None:
    config = {"agents": {"list": [{"id": "a"}], "entries": entries}}
    assert [agent.id for agent in agents(config, contract(release))] == ids


# --- the file and its workspaces -----------------------------------------------------------------------------


def config_at(folder: Path, **sections: object) -> OpenClawConfig:
    return OpenClawConfig(folder / "openclaw.json", sections)


def test_read_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "openclaw.json"
    path.write_text("{meta: {lastTouchedVersion: '${VERSION}'}}")
    monkeypatch.setenv("VERSION", " 2026.9.6 ")
    assert read_config(path).last_touched_version == "2026.9.6"
    assert read_config(path, {}).last_touched_version is None
    monkeypatch.chdir(tmp_path)
    assert read_config(Path("openclaw.json"), {}).path == path


@pytest.mark.parametrize(
    ("written", "version"),
    [
        ("2026.6.1", "2026.6.1"),
        ("2026.99.1", "2026.99.1"),
        ("2026.9", None),
        ("", None),
        (2026, None),
        (None, None),
    ],
)
def test_the_last_writer(written: object, version: str | None) -> None:
    config = config_at(Path("/s"), meta={"lastTouchedVersion": written})
    assert config.last_touched_version == version
    assert config.names_no_release == (written is not None and version is None)
    assert config_at(Path("/s"), meta=written).last_touched_version is None


@pytest.mark.parametrize(
    ("section", "workspaces"),
    [
        (None, {"main": "/s/workspace"}),
        ({"defaults": {"workspace": "~/.openclaw/clawd"}}, {"main": "/s/clawd"}),
        ({"defaults": {"workspace": " "}}, {"main": "/s/workspace"}),
        ({"list": [{"id": "a"}, {"id": "b"}]}, {"a": "/s/workspace", "b": "/s/workspace-b"}),
        ({"list": [{"id": "a"}, {"id": "b", "default": True}]}, {"a": "/s/workspace-a", "b": "/s/workspace"}),
        ({"defaults": {"workspace": "/w/"}, "list": [{"id": "a"}, {"id": "b"}]}, {"a": "/w", "b": "/w/b"}),
        ({"list": [{"id": "a", "workspace": " /w/a/../x "}, {"id": "b", "workspace": 7}]},
         {"a": "/w/x", "b": "/s/workspace-b"}),
        ({"list": [{"workspace": "~/.openclaw"}, {"id": "b", "workspace": "rel\0ative"}]},
         {"main": "/s", "b": "/s/relative"}),
        ({"list": [{"workspace": "~/.openclaw-dev/w"}]}, {"main": f"{Path.home()}/.openclaw-dev/w"}),
    ],
)  # fmt: skip
def test_workspaces(section: object, workspaces: dict[str, str]) -> None:
    found = config_at(Path("/s"), agents=section).workspaces(WITH_LIST)
    assert {agent: str(folder) for agent, folder in found.items()} == workspaces


def test_a_workspace_from_the_environment_prints_only_if_it_is_a_folder(tmp_path: Path) -> None:
    def workspace(value: str) -> Path:
        written = FromEnvironment(value, "${PLACE}")
        return config_at(tmp_path, agents={"defaults": {"workspace": written}}).workspaces(LATEST)["main"]

    (tmp_path / "real").mkdir()
    assert workspace(str(tmp_path / "real")) == tmp_path / "real"
    assert workspace("s3cret") == tmp_path / "${PLACE}"


def test_whose_workspace_a_folder_is(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "link").symlink_to("b")
    two = config_at(tmp_path, agents={"list": [{"id": "a"}, {"id": "b", "workspace": str(tmp_path / "b")}]})
    assert two.agent_of(tmp_path / "link", WITH_LIST) == "b"
    named = [{"id": name, "workspace": str(tmp_path / name)} for name in ("link", "b")]
    assert config_at(tmp_path, agents={"list": named}).agent_of(tmp_path / "b", WITH_LIST) == "b"
    assert two.agent_of(tmp_path / "workspace", WITH_LIST) == "a"
    assert two.agent_of(tmp_path / "c", WITH_LIST) is None
    assert config_at(tmp_path).agent_of(tmp_path / "c", WITH_LIST) == "main"
    surrogate = config_at(tmp_path, agents={"list": [{"id": "a", "workspace": "\ud800"}, {"id": "b"}]})
    assert surrogate.agent_of(tmp_path / "c", WITH_LIST) is None


def test_beside(tmp_path: Path) -> None:
    workspace, outside, found = (
        tmp_path / "state" / "w",
        tmp_path / "other.json",
        tmp_path / "state" / "openclaw.json",
    )
    workspace.mkdir(parents=True)
    outside.write_text("{}")
    assert beside(workspace) is None
    found.symlink_to(outside)
    with pytest.raises(ConfigError, match="is a link that leads out of its folder; name the file to use it"):
        beside(workspace)
    found.unlink()
    found.symlink_to("real.json")
    assert beside(workspace) == found


# --- other settings ------------------------------------------------------------------------------------------


def defaults(**values: object) -> dict[str, object]:
    return {
        "agents": {"defaults": values, "list": [{"id": "ada", "contextInjection": "never"}, {"id": "bob"}]}
    }


@pytest.mark.parametrize(
    ("release", "value", "agent", "mode"),
    [
        ("2026.4.5", "continuation-skip", None, "always"),
        ("2026.4.7", "continuation-skip", None, "continuation-skip"),
        ("2026.4.7", "never", None, "always"),
        ("2026.4.24", "never", None, "never"),
        ("2026.4.24", None, "ada", "always"),
        ("2026.9.6", None, "ada", "never"),
        ("2026.9.6", "continuation-skip", "bob", "continuation-skip"),
        ("2026.9.6", ["never"], None, "always"),
    ],
)
def test_context_injection(release: str, value: object, agent: str | None, mode: str) -> None:
    assert context_injection(defaults(contextInjection=value), contract(release), agent) == mode


def test_post_compaction_settings() -> None:
    assert post_compaction_names(defaults(compaction={"postCompactionSections": ["A", 7, " "]})) == ("A", " ")
    assert post_compaction_names(defaults(compaction={"postCompactionSections": "A"})) is None
    capped = defaults(contextLimits={"postCompactionMaxChars": 9})
    assert post_compaction_max_chars(capped, LATEST) == 9
    assert post_compaction_max_chars(capped, contract("2026.4.14")) is None


@pytest.mark.parametrize(
    ("hook", "patterns"),
    [
        ({"paths": [" a ", "", 7], "patterns": ["b"]}, ("a",)),
        ({"paths": [" "], "patterns": ["b"], "files": ["c"]}, ("b",)),
        ({"enabled": True, "files": ["c"]}, ("c",)),
        ({"enabled": False, "paths": ["a"]}, ()),
        ({"paths": "a"}, ()),
        (["a"], ()),
    ],
)
def test_patterns_of_extra_files(hook: object, patterns: tuple[str, ...]) -> None:
    entries = {"bootstrap-extra-files": hook}
    assert extra_file_patterns({"hooks": {"internal": {"entries": entries}}}, LATEST) == patterns
    assert extra_file_patterns({"hooks": {"internal": {"entries": entries}}}, WITHOUT_TOTAL) == ()
    assert extra_file_patterns({"hooks": {"internal": {"entries": entries, "enabled": False}}}, LATEST) == ()


@pytest.mark.parametrize(
    ("heartbeat", "left_out"),
    [
        (None, False), ({}, False), ({"every": "30m"}, False), ({"every": "1h30m"}, False), ({"every": " 5 "}, False),
        ({"every": 5}, False), ({"every": "0m"}, True), ({"every": 0}, True), ({"every": "0h0m"}, True),
        ({"every": "soon"}, True), ({"every": ""}, True), ({"every": "1m x"}, True), ({"every": []}, True),
        ({"every": "9" * 5000 + "m"}, True), ({"every": "٣m"}, True),
        ({"includeSystemPromptSection": False}, True), ({"includeSystemPromptSection": 0}, False),
    ],
)  # fmt: skip
def test_heartbeat_guidance_that_is_off_leaves_the_file_out(heartbeat: object, left_out: bool) -> None:
    config = {"agents": {"defaults": {"heartbeat": heartbeat}}}
    assert leaves_heartbeat_out(config, contract("2026.6.1")) is left_out


def test_when_the_heartbeat_file_is_left_out() -> None:
    off = {"agents": {"defaults": {"heartbeat": {"every": "0m"}}, "list": [{"id": "a"}, {"id": "b"}]}}
    assert leaves_heartbeat_out(off, WITH_LIST, "A")
    assert not leaves_heartbeat_out(off, WITH_LIST, "b")
    for release in ("2026.4.5", "2026.7.2-beta.4", "2026.9.6"):
        assert not leaves_heartbeat_out(off, contract(release))
    assert leaves_heartbeat_out(off, contract("2026.7.35"))
    others = {"agents": {"list": [{"id": "a"}, {"id": "b", "heartbeat": {"every": "1h"}}]}}
    assert leaves_heartbeat_out(others, WITH_LIST)
    own = {"agents": {"list": [{"id": "a", "heartbeat": {"every": "1h"}}, {"id": "b"}]}}
    assert not leaves_heartbeat_out(own, WITH_LIST)


# --- any JSON at all -----------------------------------------------------------------------------------------

keys = st.sampled_from([
    "agents", "defaults", "list", "entries", "id", "workspace", "default", "heartbeat", "every", "hooks", "internal",
    "bootstrap-extra-files", "paths", "compaction", "postCompactionSections", "contextLimits", "contextInjection",
    "postCompactionMaxChars", "bootstrapMaxChars", "bootstrapTotalMaxChars", "meta", "lastTouchedVersion", "main",
])  # fmt: skip
any_text = st.text(st.characters(exclude_categories=()))
leaves = st.none() | st.booleans() | st.integers() | st.floats() | any_text | st.just(10**400)
any_json = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(keys | any_text, inner))


def shaped(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    agent = st.dictionaries(keys, inner)
    section = st.fixed_dictionaries(
        {},
        optional={
            "defaults": agent | inner,
            "list": st.lists(agent | inner),
            "entries": st.dictionaries(keys, agent),
        },
    )
    return st.fixed_dictionaries({"agents": section | inner})


@given(
    any_json | shaped(any_json), st.sampled_from([LATEST, WITH_LIST, WITHOUT_AGENTS]), st.none() | any_text
)
def test_any_json_has_an_answer_to_every_question(
    config: object, release: Contract, agent: str | None
) -> None:
    limits = resolve_limits(config, release, agent)
    assert limits.max_chars >= 0
    assert limits.total_max_chars is not None
    assert context_injection(config, release, agent) in ("always", "continuation-skip", "never")
    assert isinstance(leaves_heartbeat_out(config, release, agent), bool)
    assert all(pattern.strip() for pattern in extra_file_patterns(config, release))
    assert (post_compaction_max_chars(config, release, agent) or 0) >= 0
    file = OpenClawConfig(Path("/s/openclaw.json"), config if isinstance(config, dict) else {})
    assert all(folder.is_absolute() for folder in file.workspaces(release).values())
    assert file.agent_of(Path("/s/w"), release) in {None, *file.workspaces(release)}
