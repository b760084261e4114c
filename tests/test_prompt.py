"""The Project Context: the recordings, the order of names, what is taken out, and any text at all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootlint.openclaw.collation import collation_key
from bootlint.openclaw.prompt import (
    INTRODUCTION,
    Section,
    basename,
    context_sections,
    project_context,
    render_prompt,
)
from bootlint.openclaw.releases import contract
from golden_rows import JsonObject, Row, optional_text, records, rows, text, texts
from linear_time import assert_linear

# One release of each behaviour, oldest first.
ERAS = ("2026.1.29", "2026.4.5", "2026.4.10", "2026.7.2-beta.4", "2026.7.2-beta.6", "2026.8.1", "2026.9.6")
LATEST = "2026.9.6"

any_text = st.text(st.characters(exclude_categories=()))


@dataclass(frozen=True)
class Injected:
    path: str | None
    content: str = ""


@pytest.mark.parametrize("row", list(rows("prompt")), ids=str)
def test_golden(row: Row) -> None:
    files = [
        Injected(optional_text(file.get("path")), text(file["content"]))
        for file in records(row.data["files"])
    ]
    active = texts(row.data.get("activeProjectKeys") or [])
    step = {"ctx": context_sections, "prompt": project_context}[text(row.data["op"])]
    sections = step(files, contract(row.release), active_project_keys=active)
    assert [_recorded(section) for section in sections] == _expected(row)


def _recorded(section: Section) -> JsonObject:
    return {"block": section.block, "heading": section.heading, "content": section.content}


def _expected(row: Row) -> list[JsonObject]:
    expected = row.data["expected"]
    assert isinstance(expected, dict)
    return records(expected["sections"])


def headings(release: str, *paths: str) -> list[str]:
    sections = project_context([Injected(path) for path in paths], contract(release))
    return [section.heading for section in sections]


def test_old_releases_keep_the_load_order() -> None:
    assert headings("2026.4.2", "/w/USER.md", "/w/AGENTS.md") == ["/w/USER.md", "/w/AGENTS.md"]
    assert headings("2026.4.5", "/w/USER.md", "/w/AGENTS.md") == ["/w/AGENTS.md", "/w/USER.md"]


@pytest.mark.parametrize(
    ("release", "block"),
    [
        ("2026.4.2", "Project Context"),
        ("2026.4.5", "Dynamic Project Context"),
        ("2026.7.2-beta.4", "Project Context"),
    ],
)
def test_heartbeat_had_a_block_of_its_own_for_a_while(release: str, block: str) -> None:
    sections = project_context([Injected("/w/AGENTS.md"), Injected("/w/HEARTBEAT.md")], contract(release))
    assert [section.block for section in sections] == ["Project Context", block]


def test_a_lost_path_is_printed_as_javascript_does() -> None:
    assert project_context([Injected(None)], contract("2026.2.17")) == (
        Section("Project Context", "undefined", ""),
    )


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/w/AGENTS.md", "agents.md"),
        (" C:\\w\\Soul.md\ufeff", "soul.md"),
        ("USER.md", "user.md"),
        ("/w/", ""),
    ],
)
def test_basename(path: str, name: str) -> None:
    assert basename(path) == name


# In the order in which Intl sorts them with `localeCompare`.
SORTED_NAMES = (
    "、.md。", "“x”.md", "a\tb.md", "a\nb.md", "a\rb.md", "a\x85b.md", "a\u2028b.md", "a\u2029b.md", "a b.md",
    "a_b.md", "a-b.md", "a,b.md", "a.md", "a'b.md", "a(b.md", "a[b.md", "a@b.md", "a/b.md", "a\\b.md",
    "a#b.md", "a^b.md", "a+b.md", "a=b.md", "a~b.md", "a$b.md", "a1.md", "a10.md", "a2.md", "ab.md",
    "aB.md", "Ab.md", "áb.md", "àb.md", "äb.md", "aé.md", "áe.md", "b.md", "e.md", "é.md", "z.md", "β.md", "ж.md", "한.md",
    "一.md", "规则.md", "记忆.md",
)  # fmt: skip


def test_names_sort_as_in_javascript() -> None:
    assert all(collation_key(low) < collation_key(high) for low, high in pairwise(SORTED_NAMES))


def test_ignorable_signs_leave_the_order_of_input() -> None:
    for pair in permutations(("/w/a.md", "/w/a\u200b.md")):
        assert headings(LATEST, *pair) == list(pair)


def content(release: str, name: str, source: str, *active: str) -> str:
    (section,) = project_context(
        [Injected(f"/w/{name}", source)], contract(release), active_project_keys=active
    )
    return section.content


MINE = "# Rules\n- a\n- mine <!-- project: ACME/app -->\n  more"


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        (MINE, MINE),
        (MINE.replace("ACME", "other"), "# Rules\n- a"),
        ("first <!-- project: x -->\nmore\n- b", "- b"),
        ("- a <!-- project: acme/app; path:/X -->", "- a <!-- project: acme/app; path:/X -->"),
        ("- a <!-- project: acme/app; path:/x -->", ""),
        ("- a <!-- project: path:W/x -->", "- a <!-- project: path:W/x -->"),
        ("- a <!-- project: path:w/x -->", ""),
        ("- a <!-- project: acme/app; -->", ""),
        ("- a <!-- project: acme/app", ""),
        ("- a <!-- project: acme/app <!-- project: acme/app -->", ""),
        ("- a <!-- project: acme/app --> <!-- project: acme/app", ""),
        ("- a <!-- PROJECT : Acme/app -->", "- a <!-- PROJECT : Acme/app -->"),
        ("- a <!-- project: acme/App -->", ""),
        ("#no start <!-- project: x -->\n-no start", ""),
        ("- a <!-- projects: x -->", "- a <!-- projects: x -->"),
        ("a\r\n- b\r\n", "a\r\n- b\r\n"),
    ],
)
def test_entries_of_other_projects_are_left_out(source: str, kept: str) -> None:
    assert content(LATEST, "MEMORY.md", source, " Acme/app ", "path:/X", "path:W/x") == kept


def test_a_lone_project_key_is_one_key() -> None:
    (section,) = project_context(
        [Injected("/w/MEMORY.md", MINE)], contract(LATEST), active_project_keys="acme/app"
    )
    assert section.content == MINE


def test_project_entries_need_a_release_and_a_file_that_have_them() -> None:
    foreign = "- a <!-- project: x -->"
    assert content("2026.7.2-beta.5", "MEMORY.md", foreign) == foreign
    assert content(LATEST, "AGENTS.md", foreign) == foreign
    assert content(LATEST, "User.md", foreign) == ""


def test_halves_of_a_pair_meet_when_what_parts_them_goes() -> None:
    quote = "Default heartbeat prompt:\n`Read HEARTBEAT.md if it exists HEARTBEAT_OK.`"
    assert content(LATEST, "AGENTS.md", f"\ud83d{quote}\udd34") == "🔴"


def test_render() -> None:
    files = [Injected("/w/HEARTBEAT.md", "beat"), Injected("/w/AGENTS.md", "a\n"), Injected("/w/SOUL.md")]
    assert render_prompt(project_context(files, contract("2026.4.5"))).split("\n") == [
        "# Project Context",
        INTRODUCTION,
        "## /w/AGENTS.md",
        "a",
        "",
        "## /w/SOUL.md",
        "# Dynamic Project Context",
        INTRODUCTION,
        "## /w/HEARTBEAT.md",
        "beat",
    ]
    assert render_prompt(()) == ""


names = st.sampled_from(["AGENTS.md", "USER.md", "memory.md", "HEARTBEAT.md", "é.md"]) | any_text
pieces = st.lists(st.sampled_from(["<!-- project: a", "-->", "\n- ", "\n# ", "\n\n\n\n", ";"]) | any_text)


@given(st.lists(st.tuples(names, pieces.map("".join))), st.sampled_from(ERAS))
def test_every_file_comes_once_and_none_grows(files: list[tuple[str, str]], release: str) -> None:
    given_files = [Injected(f"/{at}/{name}", source) for at, (name, source) in enumerate(files)]
    sections = project_context(given_files, contract(release), active_project_keys=["a"])
    sources = {file.path: file.content for file in given_files}
    assert sorted(section.heading for section in sections) == sorted(path for path in sources if path)
    assert all(len(section.content) <= len(sources[section.heading]) for section in sections)
    assert all(f"## {section.heading}" in render_prompt(sections) for section in sections)


@pytest.mark.parametrize(
    "unit",
    [
        "Default heartbeat prompt:\n`Read HEARTBEAT.md if it exists",
        "<!-- project: a -->",
        "<!-- project: a",
        "<!-- \u3000",
        "<!-- project\u3000",
        "- \n",
        "\n",
        "HEARTBEAT_OK.",
    ],
)
def test_takes_linear_time(unit: str) -> None:
    assert_linear(lambda source: content(LATEST, "MEMORY.md", source, "a"), unit)
    opening = "Default heartbeat prompt:\n`Read HEARTBEAT.md if it exists"
    assert_linear(lambda source: content(LATEST, "AGENTS.md", opening + source), unit)
