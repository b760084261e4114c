"""BL4: sections after a compaction, heartbeat, memory and daily notes, in every era; what fires, and what does not."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING

import pytest

from bootlint.openclaw.compaction import post_compaction
from bootlint.openclaw.heartbeat import heartbeat_is_empty
from bootlint.openclaw.releases import contract, releases
from harness import Entry, diagnostics
from linear_time import assert_linear

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bootlint.diagnostics import Diagnostic

ON, LATEST = "2026.5.22", "2026.9.6"  # brings sections back by itself; only those that are asked for


def eras(facet: str) -> list[str]:
    """The last release of each stretch in which a facet does not change."""
    stretches = groupby(releases(), key=lambda release: getattr(contract(release), facet))
    return [list(stretch)[-1] for _, stretch in stretches]


def asking(*names: str, **limits: int) -> str:
    defaults = {"compaction": {"postCompactionSections": list(names)}, "contextLimits": limits}
    return json.dumps({"agents": {"defaults": defaults}})


def lines(found: list[Diagnostic]) -> list[int]:
    return [entry.start.line for entry in found]


# --- BL401, BL402 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", eras("compaction"))
@pytest.mark.parametrize(
    "agents", ["## Tea\n", "## Red Lines\n", "## 🔴 红线\n", "## Safety\n", "#### Safety\n"]
)
def test_at_most_one_of_them_speaks_and_only_where_something_can_come_back(release: str, agents: str) -> None:
    state = post_compaction(agents, contract(release)).state
    found = {
        code: len(diagnostics({"AGENTS.md": agents}, code, openclaw=release)) for code in ("BL401", "BL402")
    }
    match state:
        case "on" | "not-in-release":
            assert found == {"BL401": 0, "BL402": 0}
        case "nothing-found":
            assert sorted(found.values()) == [0, 1]
        case _:
            assert found == {"BL401": int("Tea" not in agents and "####" not in agents), "BL402": 0}


def test_the_line_for_openclaw_json_is_one_that_works() -> None:
    agents = '## 安全规则 \n\n## Every Session!\n\nx\n\n### the "Red Lines"\n\n> ## Safety\n\n#### Safety\n'
    (found,) = diagnostics({"AGENTS.md": agents}, "BL401", openclaw=LATEST)
    assert found.message.endswith(r'to ["安全规则", "Every Session!", "the \"Red Lines\""]')
    assert [note.start.line for note in found.notes] == [3, 7]
    names = json.loads(found.message.rpartition(" to ")[2])
    (in_chinese,) = diagnostics({"AGENTS.md": agents}, "BL401", openclaw=LATEST, language="zh")
    assert json.loads(in_chinese.message.rpartition("设为 ")[2]) == names
    files = {"AGENTS.md": agents, "openclaw.json": asking(*names)}
    assert [diagnostics(files, code, openclaw=LATEST) for code in ("BL401", "BL402")] == [[], []]


# a heading → the name that it is meant for, None: no section of these
MEANT = {
    "Red Line": "Red Lines",
    "RedLines": "Red Lines",
    "Red-Lines": "Red Lines",
    "1. Red Lines": "Red Lines",
    "🚫 **Red Lines**": "Red Lines",
    "Red Lines / 红线": "Red Lines",
    "红线 Red Lines": "Red Lines",
    "Red Lines: never cross": "Red Lines",
    "Ｒｅｄ Ｌｉｎｅｓ": "Red Lines",
    "安全红线": "Red Lines",
    "一、铁律（违反即停）": "Red Lines",
    "紅線規則": "Red Lines",
    "Session Startup Checklist": None,
    "Session Startup — checklist": "Session Startup",
    "会话启动流程": "Session Startup",
    "每次会话必读": "Every Session",
    "🔒 Safety": "Safety",
    "安全注意事项": "Safety",
    "Safety of tea": None,
    "食品安全": None,
    "Red lines of the metro": None,
    "Session": None,
    "Startup": None,
    "🔴": None,
    "": None,
    "这里说的红线图是地铁线路图的一种": None,
}


@pytest.mark.parametrize(("title", "name"), MEANT.items())
def test_headings_that_are_meant(title: str, name: str | None) -> None:
    found = diagnostics({"AGENTS.md": f"## {title}\n\nx\n"}, "BL402", openclaw=ON)
    assert [f"“{name}”" in entry.message for entry in found] == ([] if name is None else [True])


@pytest.mark.parametrize(
    ("agents", "config", "variant", "at"),
    [
        ("#### Red Lines\n", None, "this one has 4", [1]),
        ("# Agents\n\n## red lines.\n", None, "this one reads “red lines.”", [3]),
        ("```\n\n## Red Lines\n", None, "", []),  # code to both
        ("~~~\n```\n~~~\n\n## Red Lines\n", None, "does not see", [5]),
        (" ## Red Lines\n", None, "does not see", [1]),
        ("## Tea\n", asking("Tea", "Cups"), "asks for the section “Cups”", [1]),
        ("## Tea\n\n## Cups!\n", asking("Tea", "Cups"), "this one reads “Cups!”", [3]),
        ("## Tea\n", asking("tea "), "", []),
        ("## Tea\n", asking("🔴"), "asks for the section “🔴”", [1]),
        ("## Tea\n", asking(), "", []),
        ("## 红线\n\nx\n", asking("红线", "Red Lines"), "asks for the section “Red Lines”", [1]),
        ("## 红线\n\n## Red Lines!\n", asking("Red Lines", "红线"), "this one reads “Red Lines!”", [3]),
        ("## Red Lines!\n\n## Session Startup!\n", None, "", [1, 3]),
        ("## Red Lines!\n\n## 红线\n", None, "", [1]),
        ("## Red Lines!\n\n## Every Session!\n", None, "", [1]),  # which would not be looked for then
        ("## Session Startup\n\n## Every Session!\n", None, "", []),
        ("## Every Session!\n\n## 安全\n", None, "", [1, 3]),
    ],
)
def test_mismatches(agents: str, config: str | None, variant: str, at: list[int]) -> None:
    files = {"AGENTS.md": agents} | ({} if config is None else {"openclaw.json": config})
    found = diagnostics(files, "BL402", openclaw=ON)
    assert lines(found) == at
    assert all(variant in entry.message for entry in found)


def test_a_name_with_blanks_is_another_name_in_the_oldest_releases() -> None:
    files = {"AGENTS.md": "## Tea\n", "openclaw.json": asking("Tea ")}
    assert lines(diagnostics(files, "BL402", openclaw="2026.4.5")) == [1]
    assert diagnostics(files, "BL402", openclaw="2026.4.7") == []


def test_an_absent_or_refused_file_is_not_spoken_of() -> None:
    for agents in ({}, {"AGENTS.md/x": "x"}):
        files = {"SOUL.md": "x", "openclaw.json": asking("Tea"), **agents}
        assert [diagnostics(files, code, openclaw=LATEST) for code in ("BL401", "BL402", "BL403")] == [[]] * 3


# --- BL403 -----------------------------------------------------------------------------------------------

LONG = "# Agents\n\n## Session Startup\n\nRead the notes.\n\n- Must wave\n\n## Red Lines\n\n- Never shout\n"


@pytest.mark.parametrize("release", eras("compaction"))
def test_longer_than_the_cap_of_the_release(release: str) -> None:
    rules = contract(release).compaction
    cap = 0 if rules is None else rules.max_chars
    for size, is_long in ((cap, False), (cap + 1, True)):
        text = "## Red Lines\n" + "x" * (size - len("## Red Lines\n"))
        files = {"AGENTS.md": text, "openclaw.json": asking("Red Lines")}
        found = diagnostics(files, "BL403", openclaw=release)
        assert bool(found) is (is_long and rules is not None)


@pytest.mark.parametrize(
    ("cap", "place", "rules", "gone"),
    [
        (76, (11, 13), 1, []),
        (60, (9, 11), 1, []),  # in the heading
        (49, (9, 1), 1, []),  # between the sections
        (48, (9, 1), 1, []),
        (37, (7, 1), 2, [(9, 1)]),
        (1, (3, 2), 2, [(9, 1)]),
    ],
)
def test_where_the_cut_falls(
    cap: int, place: tuple[int, int], rules: int, gone: list[tuple[int, int]]
) -> None:
    config = asking("Session Startup", "Red Lines", postCompactionMaxChars=cap)
    (found,) = diagnostics({"AGENTS.md": LONG, "openclaw.json": config}, "BL403", openclaw=LATEST)
    assert (found.start.line, found.start.column) == place
    assert f"with {rules} priority rule" in found.message
    assert [(note.start.line, note.start.column) for note in found.notes] == gone


def test_the_sections_come_in_the_order_of_their_names() -> None:
    config = asking("Red Lines", "Session Startup", postCompactionMaxChars=40)
    (found,) = diagnostics({"AGENTS.md": LONG, "openclaw.json": config}, "BL403", openclaw=LATEST)
    assert (found.start.line, found.notes) == (3, ())


# --- BL404 -----------------------------------------------------------------------------------------------

HEARTBEATS = {
    "": "skips",
    "# Heartbeat\n\n- [ ]\n": "skips",
    "# Check the mail\n": "skips",
    "```md\n```\n": "skips from fences",
    "<!-- nothing -->\n# a\n": "skips from comments",
    "- Check the mail\n": "runs",
    "Nothing to do.\n": "runs",
    "---\n": "runs",
}


@pytest.mark.parametrize("release", eras("heartbeat"))
@pytest.mark.parametrize(("text", "what"), HEARTBEATS.items())
def test_heartbeats_that_ask_for_nothing(release: str, text: str, what: str) -> None:
    behaviour = contract(release)
    found = diagnostics({"HEARTBEAT.md": text, "SOUL.md": ""}, "BL404", openclaw=release)
    if "HEARTBEAT.md" not in behaviour.loading.names or what == "runs":
        assert found == []
        return
    skips = what == "skips" or (
        behaviour.heartbeat.skips_comments if "comments" in what else behaviour.heartbeat.skips_fences
    )
    assert heartbeat_is_empty(text, behaviour) is skips
    assert [("skips" in entry.message, "runs each" in entry.message) for entry in found] == [
        (skips, not skips)
    ]


# --- BL405 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "options", "severity"),
    [
        (100, {}, None),
        (101, {}, "info"),
        (101, {"session": "group"}, None),
        (101, {"max_chars": 1000}, "info"),
        (101, {"max_chars": 900}, "warning"),
        (10, {"max_chars": 90}, "warning"),
        (10, {"max_chars": 60}, "warning"),
        (101, {"rules": {"memory-too-long": {"advise-lines": 200}}}, None),
    ],
)
def test_a_long_memory(count: int, options: dict[str, object], severity: str | None) -> None:
    files = {"MEMORY.md": "- line.\n" * count, "SOUL.md": "x\n" * count}
    found = diagnostics(files, "BL405", openclaw=LATEST, **options)
    assert [(entry.path, entry.severity.label) for entry in found] == (
        [] if severity is None else [("MEMORY.md", severity)]
    )


@pytest.mark.parametrize("release", eras("loading"))
def test_the_other_memory_file_counts_where_it_is_loaded(release: str) -> None:
    found = diagnostics({"SOUL.md": "", "memory.md": "x\n" * 101}, "BL405", openclaw=release)
    assert bool(found) is (contract(release).loading.lowercase_memory != "never")


# --- BL406 -----------------------------------------------------------------------------------------------

_LOG = "2026-04-10 15:04:28 INFO kettle\n"
JUNK: dict[str, list[int]] = {
    "- Candidate: User: hello\n": [1],
    "- - status: staged - Candidate: Assistant: x - confidence: 0.58\n": [1],
    "- x; evidence: memory/.dreams/session-corpus/2026-04-07.txt:2-2\n": [1],
    "<!-- openclaw:dreaming:light:start -->\n": [1],
    "- a\n  - status: staged\n  - confidence: 0.58\n  - recalls: 0\n": [],
    "- Candidate: the blue shelf\n- Candidate: the red shelf\n": [],
    "- Ada said the Candidate: User: form is wrong\n": [],
    "x\n" + _LOG * 4: [2],
    _LOG * 2 + "\n" + _LOG * 2: [1],
    _LOG * 3: [],
    _LOG * 3 + "x\n" + _LOG * 3: [],
    _LOG * 4 + "x\n" + _LOG * 5: [1],
    "[2026-04-10T15:04:28.123Z] a\n" * 4: [1],
    "[15:04:28] a\n" * 4: [1],
    "INFO: a\nWARN b\n[ERROR] c\nDEBUG\td\n": [1],
    '{"ts": 1}\n' * 4: [1],
    'Traceback (most recent call last):\n  File "a.py", line 1, in b\n  File "c.py", line 2\n'
    "    at d (/e.js:1:2)\n": [1],
    "- 2026-04-10: tea\n" * 4: [],
    "- 2026-04-10 15:04: tea\n" * 4: [],
    "- Info: a\n- Error handling: b\n- Warning signs: c\n- Debugging: d\n": [],
    "at home (a)\nat work (b)\nat sea (c)\nat last (d)\n": [],
    "user: a\nassistant: b\nuser: c\nassistant: d\n": [1],
    "- **x**\n\n用户：甲\n\n助手：乙\n\n用户：丙\n\n助手：丁\n": [3],
    "User: Ada\nAssistant: Max\nSystem: Linux\nTool: Vim\nHuman: Ada\n": [],
    "user: a\nuser: b\nuser: c\n": [],
}


@pytest.mark.parametrize(("text", "at"), JUNK.items())
def test_junk_in_memory(text: str, at: list[int]) -> None:
    assert lines(diagnostics({"MEMORY.md": text, "SOUL.md": text}, "BL406")) == at


def test_stretches_of_junk_are_one_finding() -> None:
    (found,) = diagnostics({"MEMORY.md": f"{_LOG * 4}x\n{_LOG * 5}"}, "BL406")
    assert "9 lines" in found.message
    assert [(note.start.line, note.end.line) for note in found.notes] == [(6, 10)]


@pytest.mark.parametrize(
    "unit", ["- Candidate: ", "- at (", "user:\n", "[15:04:28] \n", "- evidence:", "(:1"]
)
def test_takes_linear_time(unit: str) -> None:
    assert_linear(lambda text: diagnostics({"MEMORY.md": f"at {text}"}, "BL406"), unit)


# --- BL407 -----------------------------------------------------------------------------------------------

# name → the day's own name; None: it is found, or is no note of a day
NOTES: Mapping[str, str | None] = {
    "2026-01-05.md": None,
    "2026-01-05-tea.md": None,
    "2026-01-05-.md": None,
    "2026-1-5.md": "2026-01-05.md",
    "20260105.md": "2026-01-05.md",
    "2026_01_05.md": "2026-01-05.md",
    "2026.01.05.md": "2026-01-05.md",
    "2026年1月5日.md": "2026-01-05.md",
    "2026-01-05.MD": "2026-01-05.md",
    "2026-01-05.markdown": "2026-01-05.md",
    "2026-01-05.txt": "2026-01-05.md",
    "2026-01-05 tea.md": "2026-01-05.md",
    "2026-01-05_tea.md": "2026-01-05.md",
    "daily-2026-01-05.md": "2026-01-05.md",
    "日记 2026-01-05.md": "2026-01-05.md",
    "2026-01.md": None,
    "202601.md": None,
    "2026115.md": None,
    "2026-02-30.md": None,
    "2026-W02.md": None,
    "2026.md": None,
    "parcel-20260105.md": None,
    "20260105123456.md": None,
    "2026-01-05.json": None,
    "05-01-2026.md": None,
    "MEMORY.md": None,
    ".dreams": None,
}


@pytest.mark.parametrize(("name", "expected"), NOTES.items())
def test_names_of_notes(name: str, expected: str | None) -> None:
    found = diagnostics({"SOUL.md": "x", f"memory/{name}": "x"}, "BL407", openclaw=LATEST)
    assert [entry.path for entry in found] == ([] if expected is None else [f"memory/{name}"])
    assert all(f"looks for memory/{expected}" in entry.message for entry in found)


@pytest.mark.parametrize("release", eras("startup"))
def test_notes_by_release(release: str) -> None:
    files: dict[str, Entry] = {"SOUL.md": "x", "memory/2026-1-5.md": "x", "memory/2026-01-05-tea.md": "x"}
    rules = contract(release).startup
    paths = [] if rules is None else ["memory/2026-1-5.md"]
    if rules is not None and not rules.slugged_files:
        paths = ["memory/2026-01-05-tea.md", *paths]
    assert [entry.path for entry in diagnostics(files, "BL407", openclaw=release)] == paths


def test_many_notes_are_one_finding() -> None:
    files = {"SOUL.md": "x"} | {f"memory/2026-1-{day}.md": "x" for day in range(10, 30)}
    (found,) = diagnostics(files, "BL407", openclaw=LATEST)
    assert "(20 such files)" in found.message
    assert [note.path for note in found.notes] == [f"memory/2026-1-{day}.md" for day in range(11, 16)]
