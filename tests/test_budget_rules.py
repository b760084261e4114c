"""BL1: what the limits take away, said at the right place with the right numbers."""

from __future__ import annotations

import pytest

from bootlint.diagnostics import Diagnostic, Severity
from bootlint.document import same_structure
from bootlint.openclaw.releases import contract, releases
from bootlint.openclaw.upgrade import merge_tools
from bootlint.source import apply_edits
from harness import diagnostics, lint

PROSE = "The shop sells tea and cups by mail, and the house stands near the sea.\n"


def of(agents: str, **options: object) -> list[Diagnostic]:
    return list(lint({"AGENTS.md": agents}, **{"openclaw": "2026.6.11", **options}).diagnostics)


# --- a file of 26,000 characters ---------------------------------------------------------------------------

LOST = ("必须先备份再删除。", "You mustn't answer twice.", "**铁律**：没有验证不算完成")
RESCUED = ("- Never commit secrets", "- 私事不外传")  # one by its keyword, one by its shape


def long_agents() -> str:
    rules = "".join(f"{rule}\n\n{PROSE}\n" for rule in (*LOST, *RESCUED))
    filler = PROSE * 170
    agents = f"# Agents\n\n{filler}\n{rules}{filler}"
    return agents + "x" * (26_000 - len(agents))


def test_each_priority_rule_that_is_lost_is_an_error_at_its_line() -> None:
    agents = long_agents()
    found = [diagnostic for diagnostic in of(agents) if diagnostic.code == "BL104"]
    assert [diagnostic.line_text for diagnostic in found] == list(LOST)
    assert all(diagnostic.severity is Severity.ERROR for diagnostic in found)
    assert [agents[diagnostic.span.start : diagnostic.span.end] for diagnostic in found] == list(LOST)
    assert all(diagnostic.fix for diagnostic in found)


def test_what_used_the_room_is_a_related_location() -> None:
    found = [diagnostic for diagnostic in of(long_agents()) if diagnostic.code == "BL104"]
    head, tail, digest = (note.message for note in found[0].notes)
    assert head.startswith("lines 1 to ")
    assert "take 9,000 of 20,000 characters" in head
    assert "take 3,000 of 20,000 characters" in tail
    assert digest.startswith("the digest holds 39 of at most 7,000 characters, from lines 1 to ")


def test_the_lost_stretches_are_one_finding_with_related_locations() -> None:
    (found,) = [diagnostic for diagnostic in of(long_agents()) if diagnostic.code == "BL103"]
    assert "3 priority rules are gone" in found.message
    assert len(found.notes) == 3  # the two rescued lines part the middle
    assert found.notes[0].span == found.span


def test_a_rule_of_which_something_arrives_is_not_counted_as_lost() -> None:
    soul = "".join(f"- Never lie to customer {number} about the tea\n" for number in range(30))
    report = lint({"SOUL.md": soul}, openclaw="2026.6.11", max_chars=600)
    codes = [diagnostic.code for diagnostic in report.diagnostics]
    (over,) = [diagnostic for diagnostic in report.diagnostics if diagnostic.code == "BL101"]
    assert codes.count("BL105") == 2
    assert f"with {codes.count('BL104')} priority rules, reach the model nowhere" in over.message


def test_lost_blank_lines_are_no_lost_content() -> None:
    filler = PROSE * 170
    agents = f"# Agents\n\n{filler}\n- Never call.\n\n- Never sell.\n私事不外传。\n- Never shout.\n{filler}"
    (found,) = [diagnostic for diagnostic in of(agents) if diagnostic.code == "BL103"]
    first, alone, last = (note.message for note in found.notes)
    assert first.startswith("lines ")
    assert alone == f"line {agents[: agents.index('私事')].count(chr(10)) + 1} is lost"
    assert last.startswith("lines ")


def test_bl104_replaces_the_rules_about_keywords_on_its_line() -> None:
    found = of(long_agents())
    lost = {diagnostic.start.line for diagnostic in found if diagnostic.code == "BL104"}
    others = [d.code for d in found if d.start.line in lost and d.code in ("BL202", "BL203", "BL204")]
    assert others == []
    assert [d.start.line for d in found if d.code == "BL202"] == [
        long_agents()[: long_agents().index("- 私事")].count("\n") + 1
    ]


def test_a_full_digest_is_said_with_its_numbers() -> None:
    agents = (
        PROSE * 30 + "".join(f"- Never sell cup {n:03} to anybody at all.\n" for n in range(90)) + PROSE * 30
    )
    found = [d for d in of(agents, max_chars=2000) if d.code == "BL104"]
    assert found
    assert all(
        "the digest is full" in d.message and "of 700 when its turn came, and it needs 39" in d.message
        for d in found
    )
    assert all(d.fix is None for d in found)


@pytest.mark.parametrize("release", ["2026.1.29", "2026.4.15", "2026.5.18"])
def test_without_a_digest_no_keyword_is_offered(release: str) -> None:
    found = [d for d in of(long_agents(), openclaw=release, max_chars=12_000) if d.code == "BL104"]
    assert len(found) == 5
    assert all(d.fix is None and "digest" not in d.message for d in found)


def test_a_file_that_arrives_whole_loses_no_rule() -> None:
    assert [d for d in of(long_agents(), max_chars=30_000) if d.code in ("BL103", "BL104", "BL105")] == []


def test_files_before_it_that_used_the_total_are_named() -> None:
    files = {"AGENTS.md": PROSE * 10, "USER.md": "Never call me before nine.\n"}
    (found,) = diagnostics(files, "BL104", openclaw="2026.9.6", total_max_chars=800)
    assert found.path == "USER.md"
    assert [note.message for note in found.notes] == [
        "AGENTS.md takes 719 of the total limit of 800 characters"
    ]


# --- near the total ------------------------------------------------------------------------------------------

TOTALS = [(1000, []), (900, ["AGENTS.md"]), (700, [])]  # of 816 characters: room, near, over


@pytest.mark.parametrize(("total", "paths"), TOTALS)
def test_all_files_together_near_the_total(total: int, paths: list[str]) -> None:
    files = {
        "AGENTS.md": PROSE * 10,
        "SOUL.md": "Be calm.\n",
        "IDENTITY.md": "Ada\n",
        "BOOTSTRAP.md": "Hello. " * 12,
    }
    found = diagnostics(files, "BL106", openclaw="2026.9.6", total_max_chars=total, max_chars=20_000)
    assert [diagnostic.path for diagnostic in found] == paths
    assert all("all files together" in diagnostic.message for diagnostic in found)


def test_the_total_has_its_own_room_and_the_largest_file_may_be_cut_already() -> None:
    files = {"AGENTS.md": PROSE * 50, "SOUL.md": PROSE * 4}
    (found,) = diagnostics(
        files, "BL106", openclaw="2026.9.6", total_max_chars=1_150, max_chars=900, workspace_path="/w"
    )
    assert (
        "1,015 of 1,150 characters in OpenClaw 2026.9.6, which leaves 135 to all of them; AGENTS.md is the largest"
        in found.message
    )


def test_markers_alone_are_near_the_total_in_no_file() -> None:
    markers = sum(
        len(f"[MISSING] Expected at: /w/{name}") for name in ("SOUL.md", "IDENTITY.md", "BOOTSTRAP.md")
    )
    situation = {"openclaw": "2026.9.6", "workspace_path": "/w", "total_max_chars": markers}
    assert diagnostics({"AGENTS.md": "\n"}, "BL106", **situation) == []


# --- the upgrade ---------------------------------------------------------------------------------------------

TOOLS = "# Tools\n\n" + PROSE * 5 + "Never restart the scales.\n"


def test_the_merge_is_simulated_in_the_newest_release_and_the_losses_stand_where_they_are_today() -> None:
    files = {"AGENTS.md": f"# Agents\n\n{PROSE * 10}", "TOOLS.md": TOOLS}
    (found,) = diagnostics(files, "BL107", openclaw="2026.6.11", max_chars=900)
    assert found.path == "TOOLS.md"
    assert {note.path for note in found.notes} == {"AGENTS.md", "TOOLS.md"}
    for note in found.notes:
        assert note.span.end <= len(files[note.path])


def test_the_merge_is_silent_where_tools_md_is_not_loaded() -> None:
    files = {"AGENTS.md": f"# Agents\n\n{PROSE * 10}", "TOOLS.md": TOOLS}
    for release in releases():
        found = diagnostics(files, "BL107", openclaw=release, max_chars=900)
        assert bool(found) == ("TOOLS.md" in contract(release).loading.names), release


def test_limits_of_the_newest_release_hold_after_the_merge() -> None:
    """2026.5.18 has 12,000, the newest 20,000: what is over the one is not over the other."""
    files = {"AGENTS.md": PROSE * 160, "TOOLS.md": PROSE * 20}
    assert diagnostics(files, "BL107", openclaw="2026.5.18") == []
    assert diagnostics(files, "BL107", openclaw="2026.5.18", max_chars=12_000) != []


MERGES = [
    ("A\n", "T\n", "A\n\n## Tools\n\n### Local notes (migrated from TOOLS.md)\n\nT\n"),
    (
        "A\n\n## Tools\n\nOld.\n\n## End\n\nZ\n",
        "T\n",
        "A\n\n## Tools\n\nOld.\n\n### Local notes (migrated from TOOLS.md)\n\nT\n\n## End\n\nZ\n",
    ),
    (
        "A\n\n## Tools\n\nOld.\n",
        "T",
        "A\n\n## Tools\n\nOld.\n\n### Local notes (migrated from TOOLS.md)\n\nT\n",
    ),
    (
        "```\n## Tools\n```\n",
        "T",
        "```\n## Tools\n```\n\n## Tools\n\n### Local notes (migrated from TOOLS.md)\n\nT\n",
    ),
]


@pytest.mark.parametrize(("agents", "tools", "merged"), MERGES)
def test_where_the_text_of_tools_md_goes(agents: str, tools: str, merged: str) -> None:
    result = merge_tools(agents, tools)
    assert result.text == merged
    assert result.text[result.start : result.end] == tools.strip()
    assert result.text[: result.before] == agents[: result.before]
    assert result.text[result.after :] == agents[len(agents) - len(result.text) + result.after :]


# --- wasted budget -------------------------------------------------------------------------------------------

# Text, and what is left of it.
BLANKS = [
    ("a\n\n\n\nb\n", "a\n\nb\n"),
    ("a\r\n\r\n\r\nb\r\n", "a\r\n\r\nb\r\n"),
    ("a \n\nb\n", "a\n\nb\n"),
    ("# a  \n\nb\n", "# a\n\nb\n"),
    ("- a  \n- b\n", "- a\n- b\n"),
    ("a  \n\nb\n", "a\n\nb\n"),
    ("a\n \t \nb\n", "a\n\nb\n"),
    ("a  \nb\n", None),  # a hard line break
    ("```\na\n\n\n\nb  \n```\n", None),
    ("<!--\na\n\n\n\nb\n-->\n", None),
    ("---\nname: a  \n---\nb\n", None),
    ("    a\n\n\n\n    b\n", None),  # indented code
    ("a\u3000\nb\n", None),  # to Markdown a character like any other
    ("a\n\n\n\n\n", None),  # the end of a file is free
]


@pytest.mark.parametrize(("text", "left"), BLANKS)
def test_blanks_that_show_nothing(text: str, left: str | None) -> None:
    found = diagnostics({"SOUL.md": text}, "BL108", rules={"wasted-budget": {"min-chars": 1}})
    after = [apply_edits(text, diagnostic.fix.edits) for diagnostic in found if diagnostic.fix]
    assert after == ([] if left is None else [left])
    assert all(same_structure(text, one) for one in after)
    assert all(f"{len(text) - len(one)} characters" in d.message for one, d in zip(after, found, strict=True))


# --- limits and the total together ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("max_chars", "said"), [(20_000, "more than 4,000 of USER.md"), (3_000, "of at most 3,000")]
)
def test_what_the_total_leaves_is_not_told_as_the_cap_of_a_file(max_chars: int, said: str) -> None:
    files = {"AGENTS.md": PROSE * 12, "SOUL.md": PROSE * 12, "IDENTITY.md": "Ada\n", "USER.md": PROSE * 170}
    found = lint(files, max_chars=max_chars, total_max_chars=2_000, select=["BL101", "BL102"]).diagnostics
    by_file, by_total = (one.message for one in found)
    assert said in by_file
    assert "only 271 of the total limit of 2,000 are left" in by_total
