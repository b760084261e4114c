"""Sections after a compaction: recordings, headings, settings by release, the cut, and any text at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootlint.openclaw.compaction import TRUNCATED, PostCompaction, compaction_sections, post_compaction
from bootlint.openclaw.config_file import FromEnvironment
from bootlint.openclaw.jstext import utf16_len
from bootlint.openclaw.releases import contract
from golden_rows import Row, record, rows, text, texts
from linear_time import assert_linear

NONE, FIXED, CONFIGURABLE, TRIMMED, SHORT, ON_REQUEST, LATEST = (
    "2026.2.12", "2026.3.2", "2026.4.5", "2026.4.7", "2026.5.22", "2026.5.26", "2026.9.6",
)  # fmt: skip

AGENTS = """\
# Rules
## Session Startup
read this
### Detail
more
## red lines
never
## Other
"""
STARTUP = "## Session Startup\nread this\n### Detail\nmore"
RED_LINES = "## red lines\nnever"


@pytest.mark.parametrize("row", list(rows("compaction")), ids=str)
def test_golden(row: Row) -> None:
    expected = record(row.data["expected"])
    found = compaction_sections(text(row.data["content"]), texts(row.data["sections"]), contract(row.release))
    assert found == (texts(expected["sections"]), texts(expected["found"]))


@pytest.mark.parametrize(
    ("source", "section"),
    [
        ("## A\na\n### B\nb\n## C", "## A\na\n### B\nb"),
        ("### A\na\n### B", "### A\na"),
        ("### A\na\n# B\n#### C", "### A\na\n# B\n#### C"),
        ("## A\nfirst\n## A\nsecond", "## A\nfirst"),
        ("## A ##\n## A \u3000", "## A"),
        ("```\n## A\n```\n## a\n```\n## B\n```", "## a\n```\n## B\n```"),
        ("~~~\n## A\n~~~", "## A\n~~~"),
        ("  ```js\n## A", None),
        ("##A\n#  A\n#### A\n ## A\n## A\u2028b", None),
        ("## A\r\na\r\n", "## A\r\na"),
    ],
)
def test_which_lines_are_a_section(source: str, section: str | None) -> None:
    sections, found = compaction_sections(source, ["A"], contract(LATEST))
    assert (sections, found) == (([], []) if section is None else ([section], ["A"]))


def test_a_lone_name_is_one_name() -> None:
    assert compaction_sections("## Red Lines\n", "Red Lines", contract(LATEST)) == (
        ["## Red Lines"],
        ["Red Lines"],
    )


def test_a_heading_may_be_nothing_but_white_space() -> None:
    assert compaction_sections("##  \u3000\nx\n## A", ["\u3000"], contract(CONFIGURABLE))[1] == ["\u3000"]
    assert compaction_sections("##  \u2028\nx\n## A", [" "], contract(CONFIGURABLE))[1] == [" "]
    assert compaction_sections("## \u2028\nx\n## A", [" "], contract(CONFIGURABLE))[1] == []


def asked(*names: object, **limits: object) -> dict[str, object]:
    compaction = {"postCompactionSections": list(names)}
    return {"agents": {"defaults": {"compaction": compaction, "contextLimits": limits}}}


@pytest.mark.parametrize(
    ("release", "config", "state", "found"),
    [
        (NONE, asked("Other"), "not-in-release", ()),
        (FIXED, asked("Other"), "on", ("Session Startup", "Red Lines")),
        (CONFIGURABLE, None, "on", ("Session Startup", "Red Lines")),
        (CONFIGURABLE, {"agents": {"defaults": {"compaction": {"postCompactionSections": "Other"}}}}, "on",
         ("Session Startup", "Red Lines")),
        (CONFIGURABLE, asked("Other", "other", "None"), "on", ("Other", "other")),
        (CONFIGURABLE, asked(" Other"), "nothing-found", ()),
        (CONFIGURABLE, asked(), "switched-off", ()),
        (TRIMMED, asked(" Other"), "on", (" Other",)),
        (SHORT, None, "on", ("Session Startup", "Red Lines")),
        (ON_REQUEST, None, "not-asked-for", ()),
        (ON_REQUEST, {"agents": []}, "not-asked-for", ()),
        (LATEST, asked(), "switched-off", ()),
        (LATEST, asked("Red Lines", "Rules", 7), "on", ("Red Lines",)),
        (LATEST, asked("Rules"), "nothing-found", ()),
    ],
)  # fmt: skip
def test_what_comes_back_by_release_and_configuration(
    release: str, config: object, state: str, found: tuple[str, ...]
) -> None:
    outcome = post_compaction(AGENTS, contract(release), config)
    assert (outcome.state, outcome.found) == (state, found)


def test_the_whole_outcome() -> None:
    assert post_compaction(AGENTS, contract(LATEST), asked("Red Lines", "Safety", "session startup")) == (
        PostCompaction(
            state="on",
            configured=True,
            names=("Red Lines", "Safety", "session startup"),
            found=("Red Lines", "session startup"),
            missing=("Safety",),
            sections=(RED_LINES, STARTUP),
            max_chars=1800,
            full_chars=len(RED_LINES) + 2 + len(STARTUP),
            text=f"{RED_LINES}\n\n{STARTUP}",
        )
    )


@pytest.mark.parametrize(
    ("release", "config", "found"),
    [
        (FIXED, None, ()),
        (SHORT, None, ("Every Session", "Safety")),
        (SHORT, asked("Red Lines"), ()),
        (LATEST, None, ()),
        (LATEST, asked(" red lines", "Session Startup"), ("Every Session", "Safety")),
    ],
)
def test_older_names_stand_in_for_the_defaults(release: str, config: object, found: tuple[str, ...]) -> None:
    assert post_compaction("## Safety\n## Every Session", contract(release), config).found == found


@pytest.mark.parametrize(
    ("release", "limits", "agent", "max_chars"),
    [
        (TRIMMED, {"postCompactionMaxChars": 50}, None, 3000),
        (LATEST, {}, None, 1800),
        (LATEST, {"postCompactionMaxChars": 50.9}, None, 50),
        (LATEST, {"postCompactionMaxChars": "50"}, None, 1800),
        (LATEST, {"postCompactionMaxChars": 50}, "ada", 70),
        (LATEST, {"postCompactionMaxChars": 50}, "bob", 50),
    ],
)
def test_the_cap(release: str, limits: dict[str, object], agent: str | None, max_chars: int) -> None:
    own = {"id": "ada", "contextLimits": {"postCompactionMaxChars": 70}}
    agents = record(asked("Session Startup", **limits)["agents"])
    config = {"agents": {**agents, "list": [own, {"id": "bob", "contextLimits": {}}]}}
    source = "## Session Startup\n" + "x" * 5000
    outcome = post_compaction(source, contract(release), config, agent_id=agent)
    assert outcome.text == source[:max_chars] + TRUNCATED
    assert (outcome.truncated, outcome.max_chars, outcome.full_chars) == (True, max_chars, len(source))


def test_a_text_of_exactly_the_cap_is_whole() -> None:
    source = "## A\n" + "x" * 1795
    outcome = post_compaction(source, contract(LATEST), asked("A"))
    assert (outcome.text, outcome.truncated) == (source, False)


def test_a_pair_at_the_border_is_spared_where_bootstrap_files_are() -> None:
    source = "## Session Startup\n" + "🔴" * 1500
    old = post_compaction(source, contract(SHORT), None)
    new = post_compaction(source, contract(LATEST), asked("Session Startup"))
    assert old.text.removesuffix(TRUNCATED)[-1] == "\ud83d"
    assert new.text.removesuffix(TRUNCATED)[-1] == "🔴"
    assert utf16_len(new.text) == utf16_len(old.text) - 1


def test_a_large_or_absent_file_gives_nothing() -> None:
    config, large = asked("Red Lines"), 2_097_153
    assert post_compaction(AGENTS, contract("2026.7.2-beta.7"), config, size=large).state == "on"
    assert post_compaction(AGENTS, contract(LATEST), config, size=large).state == "too-large"
    assert post_compaction(AGENTS + "记" * 700_000, contract(LATEST), config).state == "too-large"
    assert post_compaction(None, contract(LATEST), config).missing == ("Red Lines",)


def test_names_from_the_environment_match_by_value_and_print_as_written() -> None:
    names = [FromEnvironment("Red Lines", "${A}"), FromEnvironment("s3cret", "${B}")]
    outcome = post_compaction(AGENTS, contract(LATEST), asked(*names))
    assert (outcome.found, outcome.missing, outcome.sections) == (("${A}",), ("${B}",), (RED_LINES,))
    assert "s3cret" not in repr(outcome)


any_text = st.text(st.characters(exclude_categories=()))
lines = st.lists(st.sampled_from(["## A", "### b", "```", "## 🔴", "##  ", "\r"]) | any_text).map("\n".join)
names = st.lists(st.sampled_from(["A", " b ", "🔴", " "]) | any_text)


@given(lines, names, st.sampled_from([NONE, FIXED, CONFIGURABLE, SHORT, LATEST]), st.integers(1, 60))
def test_sections_are_stretches_of_the_file(
    source: str, asked_for: list[str], release: str, cap: int
) -> None:
    sections, found = compaction_sections(source, asked_for, contract(release))
    assert len(sections) == len(found)
    assert set(found) <= set(asked_for)
    assert all(section in source for section in sections)
    outcome = post_compaction(source, contract(release), asked(*asked_for, postCompactionMaxChars=cap))
    assert outcome.truncated == outcome.text.endswith(TRUNCATED)
    assert utf16_len(outcome.text) <= outcome.max_chars + len(TRUNCATED)


@pytest.mark.parametrize("unit", ["## a\n", "### a\n## ", "## \u3000", "##\ta ", "```\n", "\n", " ", "#"])
def test_takes_linear_time(unit: str) -> None:
    assert_linear(lambda source: post_compaction("## a" + source, contract(SHORT), asked("a", "b")), unit)


def test_many_names_take_linear_time() -> None:
    source = "## a\n" + "x" * 100_000
    assert_linear(lambda names: compaction_sections(source, names.split(), contract(LATEST)), "a b ")
