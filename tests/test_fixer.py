"""`fixer`: what is repaired and what is left alone, because it would not help or somebody would pay for it."""

from __future__ import annotations

import pickle
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootlint.fixer import Repair, fix
from bootlint.language import has_cjk
from bootlint.situations import basis
from harness import (
    HardLink,
    Link,
    context_of,
    era_releases,
    repair,
    repaired_text,
    settings_of,
    workspace_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bootlint.fixer import FixResult
    from bootlint.proof import ObjectionKind
    from harness import Entry

ENGLISH_DIGEST = "2026.6.11"  # knows English keywords only
PROSE_DIGEST = "2026.9.6"  # carries the prose line before a rule; knows some Chinese words
NO_DIGEST = "2026.4.20"
TRACKS_MEMORY = "2026.9.6"
TRUSTS_MEMORY = "2026.6.11"


def prose(chars: int) -> str:
    """A paragraph of so many characters that orders nothing and that no digest looks at."""
    words = "The tea came by mail. It smelled of smoke and of rain. "
    return (words * (chars // len(words) + 1))[: chars - 1] + "."


def reach_of(result: FixResult) -> tuple[int, int, int, int]:
    """Priority rules that reach the model and all of them, before and after, in all files."""
    before = (
        sum(reach.reached_before for reach in result.reach),
        sum(reach.rules_before for reach in result.reach),
    )
    after = (
        sum(reach.reached_after for reach in result.reach),
        sum(reach.rules_after for reach in result.reach),
    )
    return *before, *after


def reasons(result: FixResult) -> Counter[ObjectionKind]:
    return Counter(held.why.kind for held in result.held)


# --- what it writes ------------------------------------------------------------------------------------------

WORDING = tomllib.loads((Path(__file__).parent / "data" / "prefixes.toml").read_text("utf-8"))
NO_RULES = tomllib.loads((Path(__file__).parent / "data" / "no_rules.toml").read_text("utf-8"))
TABLE = "| 操作 | 规则 |\n|---|---|\n"


def _lines_of(group: dict[str, list[str]] | list[str]) -> list[str]:
    return group["unchanged"] if isinstance(group, dict) else group


CHANGED = [(before, after) for group in WORDING.values() for before, after in group["changed"]]
UNCHANGED = [line for group in (*WORDING.values(), *NO_RULES.values()) for line in _lines_of(group)]


def test_the_tables_are_large() -> None:
    assert len(CHANGED) + len(UNCHANGED) >= 120
    assert len(UNCHANGED) >= 40


def test_every_line_of_the_tables_becomes_what_they_say() -> None:
    pairs = [pair for pair in CHANGED if has_cjk(pair[0])] + [(line, line) for line in UNCHANGED]
    before, after = (
        "# Agents\n\n" + "\n\n".join(map(_block, side)) + "\n" for side in zip(*pairs, strict=True)
    )
    result = repair({"AGENTS.md": before}, openclaw=ENGLISH_DIGEST, max_chars=1_000_000)
    assert repaired_text(result, "AGENTS.md").split("\n") == after.split("\n")


@pytest.mark.parametrize(("before", "after"), [pair for pair in CHANGED if not has_cjk(pair[0])])
def test_english_lines_of_the_table_become_what_it_says_once_they_are_lost(before: str, after: str) -> None:
    text = f"# Agents\n\n{prose(1_500)}\n\n{{}}\n\n{prose(800)}\n"
    items = "- tea\n" * 100  # that the digest prefers to what stands behind them
    result = repair(
        {"AGENTS.md": text.format(f"{items}\n{before}")}, openclaw=ENGLISH_DIGEST, max_chars=1_000
    )
    assert repaired_text(result, "AGENTS.md") == text.format(f"{items}\n{after}")


def _block(line: str) -> str:
    """A row of a table needs a head."""
    return TABLE + line if line.startswith("|") else line


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_line_ends_byte_order_mark_and_end_of_file_stay(end: str, last: bool, bom: str) -> None:
    lines = ["# Agents", "", "- 私事不外传", "- Don't answer twice"]
    fixed = ["# Agents", "", "- Never: 私事不外传", "- Do not answer twice"]
    before, after = (bom + end.join(side) + (end if last else "") for side in (lines, fixed))
    result = repair({"AGENTS.md": before}, openclaw=ENGLISH_DIGEST, ignore=["BL306"])
    assert repaired_text(result, "AGENTS.md") == after


LEFT_ALONE = [
    "```\n必须先备份\n```",
    "<!-- 必须先备份 -->",
    "- [x](必须.md)",
    "- `禁止`",
    "---\nrule: 必须先备份\n---",
    "- 非必须",
    "- Must: 最大委派5轮",
]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_no_rule_or_ranks_already_stays(text: str) -> None:
    assert repair({"AGENTS.md": f"{text}\n"}, openclaw=ENGLISH_DIGEST).files == ()


def test_cjk_style_writes_a_sign_that_the_release_knows() -> None:
    text = "# Agents\n\n- 私事不外传\n"
    result = repair({"AGENTS.md": text}, openclaw=PROSE_DIGEST, prefix_style="cjk")
    assert repaired_text(result, "AGENTS.md") == "# Agents\n\n- 🔴 私事不外传\n"
    assert repair({"AGENTS.md": text}, openclaw=ENGLISH_DIGEST, prefix_style="cjk").files == ()


def test_a_repair_says_what_was_done_and_where() -> None:
    result = repair({"AGENTS.md": "# Agents\n\n- 私事不外传\n"}, openclaw=ENGLISH_DIGEST)
    title = 'write "Never", which the digest looks for'
    assert result.repairs == (Repair("BL202", "cjk-rule-unranked", title, "AGENTS.md", 3),)


def test_a_file_that_does_not_change_has_its_lines_where_they_were() -> None:
    files = {"AGENTS.md": "# Agents\n\n- 私事不外传\n", "SOUL.md": "# Soul\n\nBe calm.\n"}
    result = repair(files, openclaw=ENGLISH_DIGEST)
    assert [file.path for file in result.files] == ["AGENTS.md"]
    assert result.place("SOUL.md", 3) == range(2, 3)


# --- accepted only if it helps -------------------------------------------------------------------------------


def test_file_that_arrives_whole_does_not_grow_past_its_limit() -> None:
    """19,960 characters, 30 rules, a limit of 20,000: 30 keywords would cut 7,544 characters of prose."""
    rules = "".join(f"- 第{number:02}类私事不外传\n" for number in range(30))
    head = f"# Agents\n\n{rules}\n"
    text = head + prose(19_960 - len(head))
    result = repair({"AGENTS.md": text}, openclaw=ENGLISH_DIGEST)
    assert len(repaired_text(result, "AGENTS.md")) == 19_960 + 5 * len("Never: ")
    assert reasons(result) == {"whole-file-cut": 25}
    assert reach_of(result) == (30, 30, 30, 30)


def test_keyword_does_not_push_another_rule_out_of_the_head() -> None:
    """One release sends the file whole and asks for a keyword; in the other the head ends with the second rule."""
    first, second = "# Agents\n\n- 私事不外传\n\n", "\n\nYou mustn't tell anyone what stands in a letter.\n\n"
    between = prose(_head_of(first + prose(14_000)) - len(first) - len(second))
    result = repair(
        {"AGENTS.md": first + between + second + prose(4_000)},
        openclaw=[ENGLISH_DIGEST, NO_DIGEST],
        select=["BL202"],
    )
    assert result.files == ()
    assert [(held.line, held.why.kind, held.why.line) for held in result.held] == [(3, "rule-lost", 7)]
    assert reach_of(result) == (4, 4, 4, 4)


def _head_of(text: str) -> int:
    """How much of a file the head holds in the release that cuts it."""
    with workspace_of({"AGENTS.md": text}) as workspace:
        return context_of(workspace, NO_DIGEST).simulation.lost_spans("AGENTS.md")[0].start


@pytest.mark.parametrize("spare", [0, len("Never: ") - 1, len("Never: ")])
def test_file_does_not_grow_at_the_expense_of_a_later_one(spare: int) -> None:
    """The other files are there, so that no marker spends the total."""
    names = ("SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md")
    files = {
        **dict.fromkeys(names, "x"),
        "AGENTS.md": f"# Agents\n\n- 私事不外传\n\n{prose(400)}",
        "MEMORY.md": f"# Memory\n\n{prose(300)}",
    }
    total = sum(map(len, files.values())) + spare
    result = repair(files, openclaw=ENGLISH_DIGEST, total_max_chars=total)
    if spare == len("Never: "):
        assert [file.path for file in result.files] == ["AGENTS.md"]
    else:
        assert result.files == ()
        assert [(held.path, held.why.kind, held.why.path) for held in result.held] == [
            ("AGENTS.md", "whole-file-cut", "MEMORY.md")
        ]


def test_a_fix_that_does_not_fit_leaves_its_place_to_the_next() -> None:
    head = "# Agents\n\n- 未经同意不能删文件\n- 私事不外传\n\n"
    text = head + prose(20_000 - len("Never: ") - len(head))  # one less than `Do not: ` takes
    result = repair({"AGENTS.md": text}, openclaw=ENGLISH_DIGEST)
    assert [repair.line for repair in result.repairs] == [4]
    assert [(held.line, held.why.kind) for held in result.held] == [(3, "whole-file-cut")]


@pytest.mark.parametrize("release", [ENGLISH_DIGEST, PROSE_DIGEST])
def test_it_stops_adding_when_the_rules_alone_outgrow_the_digest(release: str) -> None:
    rules = "".join(f"{prose(60)}\n\n未经同意不能动第{number:02}号柜子里的东西。\n\n" for number in range(80))
    result = repair(
        {"AGENTS.md": f"# Agents\n\n{prose(800)}\n\n{rules}{prose(800)}"}, openclaw=release, max_chars=2_000
    )
    before, rules_before, after, rules_after = reach_of(result)
    assert rules_before == rules_after == 80
    assert before < after < 80
    assert len(result.repairs) == after - before  # no keyword where it does not bring its rule back
    assert set(reasons(result)) <= {"no-room", "rule-lost"}


def test_keywords_and_blank_lines_help_where_keywords_alone_do_not() -> None:
    """From 2026.9.4 the prose line before a rule comes with it, and 40 of them fill the digest."""
    lines = "".join(f"{prose(200)} ({number})\n- 第{number:02}类私事不外传\n\n" for number in range(40))
    text = f"# Agents\n\n{prose(1_700)}\n\n{lines}{prose(800)}"
    alone = repair({"AGENTS.md": text}, openclaw=PROSE_DIGEST, max_chars=4_000, ignore=["BL208"])
    together = repair({"AGENTS.md": text}, openclaw=PROSE_DIGEST, max_chars=4_000)
    assert reach_of(alone)[2] < 10
    assert reach_of(together)[2:] == (40, 40)
    assert Counter(one.code for one in together.repairs)["BL208"] == 40


def test_unsafe_blank_lines_are_left_out_where_safe_ones_do() -> None:
    paragraphs = "".join(f"{prose(60)}\nYou must never sell box {number}.\n\n" for number in range(3))
    lines = "".join(f"{prose(200)} ({number})\n- 第{number:02}类私事不外传\n\n" for number in range(30))
    text = f"# Agents\n\n{paragraphs}{prose(1_700)}\n\n{lines}{prose(800)}"
    result = repair({"AGENTS.md": text}, openclaw=PROSE_DIGEST, max_chars=4_000, unsafe=True)
    assert Counter(one.code for one in result.repairs)["BL208"] == 30
    assert paragraphs in repaired_text(result, "AGENTS.md")
    assert reach_of(result)[2:] == (33, 33)


@pytest.mark.parametrize("unsafe", [False, True])
def test_blank_lines_that_gain_no_rule_are_not_made(unsafe: bool) -> None:
    """The lost rule is a paragraph that the digest does not look at, and with a keyword it has room."""
    lines = "".join(f"{prose(120)}\n- Never sell cup {number}.\n\n" for number in range(3))
    text = f"# Agents\n\n{lines}{prose(1_000)}\n\n未经同意不能动柜子里的东西。\n\n{prose(800)}"
    alone, all_rules = (
        repair({"AGENTS.md": text}, openclaw=PROSE_DIGEST, max_chars=2_000, unsafe=unsafe, select=rules)
        for rules in (["BL208"], ["BL1", "BL2"])
    )
    assert (alone.files, reasons(alone)) == ((), {"no-gain": 3})
    assert [one.code for one in all_rules.repairs] == ["BL104"]


def test_rules_that_only_the_digest_holds_get_their_keyword_with_those_that_come_back() -> None:
    rules = "".join(f"- tea {number}\n\n- 第{number:02}类私事不外传\n\n" for number in range(60))
    result = repair(
        {"AGENTS.md": f"# Agents\n\n{prose(900)}\n\n{rules}{prose(900)}"},
        openclaw=ENGLISH_DIGEST,
        max_chars=2_600,
    )
    before, _, after, _ = reach_of(result)
    assert before < after


def test_as_many_lost_rules_come_back_as_fit_beside_those_that_the_digest_holds() -> None:
    """A full digest: alone, keywords for what it holds gain nothing, and those that come back push these out."""
    lost = "".join(f"未经同意不能动第{number:02}号柜子里的东西。\n\n" for number in range(40))
    listed = "".join(f"- 第{number:02}类私事不外传\n" for number in range(10))
    items = "- tea\n" * 95
    result = repair(
        {"AGENTS.md": f"# Agents\n\n{prose(900)}\n\n{lost}{items}\n{listed}\n{prose(400)}\n"},
        openclaw=ENGLISH_DIGEST,
        max_chars=2_000,
    )
    assert reach_of(result) == (10, 50, 28, 50)


def test_releases_without_a_digest_are_left_alone() -> None:
    text = f"# Agents\n\n{prose(900)}\n\n- 私事不外传\n\n{prose(900)}"
    assert repair({"AGENTS.md": text}, openclaw=NO_DIGEST, max_chars=1_000).files == ()


def test_every_release_asked_for_has_to_agree() -> None:
    """A limit of 12,000 in the older release, which has no digest, and of 20,000 in the newer one."""
    text = f"# Agents\n\n- 私事不外传\n\n{prose(11_978)}"
    assert len(repair({"AGENTS.md": text}, openclaw=ENGLISH_DIGEST).files) == 1
    both = repair({"AGENTS.md": text}, openclaw=[ENGLISH_DIGEST, NO_DIGEST])
    assert both.files == ()
    assert [(held.why.kind, held.why.release) for held in both.held] == [("whole-file-cut", NO_DIGEST)]
    assert [reach.release for reach in both.reach] == [ENGLISH_DIGEST, NO_DIGEST]


def test_every_session_kind_has_to_agree() -> None:
    """Sub-agents are not sent MEMORY.md, the main session is: whichever is asked about, it stays whole."""
    total = {
        "AGENTS.md": f"# Agents\n\n- 私事不外传\n\n{prose(400)}",
        "MEMORY.md": f"# Memory\n\n{prose(2_000)}",
    }
    for session in ("main", "subagent"):
        result = repair(total, openclaw=ENGLISH_DIGEST, total_max_chars=_used(total), session=session)
        assert [held.why.path for held in result.held] == ["MEMORY.md"]


def _used(files: Mapping[str, Entry]) -> int:
    """What the main session takes of the total, markers included."""
    with workspace_of(files) as workspace:
        simulation = context_of(workspace, ENGLISH_DIGEST).simulation
        return sum(file.injected_chars for file in simulation.injection.files)


# --- scope ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "expected"),
    [("lost", {"lost"}), ("at-risk", {"lost", "listed"}), ("all", {"lost", "listed", "short"})],
)
def test_scope_says_how_far_repairs_go(scope: str, expected: set[str]) -> None:
    """What head or tail of a cut file hold is left alone."""
    rules = "私事不外传。\n\n- 必须先备份\n"
    after_cut = _after(
        f"# Agents\n\n- 不要多说\n\n{prose(700)}\n\n{rules}\n{prose(700)}\n\n- 不得外传\n", scope
    )
    found = {
        "lost": "\nNever: 私事不外传。" in after_cut,
        "listed": "- Must / 必须先备份" in after_cut,
        "held": "\n- 不要多说\n" not in after_cut or "\n- 不得外传\n" not in after_cut,
        "short": "Never: 私事不外传" in _after("# Agents\n\n- 私事不外传\n", scope),
    }
    assert {name for name, is_fixed in found.items() if is_fixed} == expected


def test_room_is_made_only_in_a_file_that_loses_some_text() -> None:
    """The blanks stand in the line of a rule that arrives; the head moves on to lines that stay cut."""
    text = f"# Soul\n\n- Never lie{' ' * 300}\n\n" + f"{prose(100)}\n" * 30
    whole, cut = (
        repair(
            {"SOUL.md": text}, openclaw=ENGLISH_DIGEST, max_chars=max_chars, scope="lost", select=["BL108"]
        )
        for max_chars in (20_000, 1_000)
    )
    assert whole.files == ()
    assert [(repair.code, repair.line) for repair in cut.repairs] == [("BL108", 3)]


def _after(text: str, scope: str) -> str:
    result = repair({"AGENTS.md": text}, openclaw=ENGLISH_DIGEST, max_chars=1_000, scope=scope)
    return repaired_text(result, "AGENTS.md") if result.files else text


# --- files that are never written ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["MEMORY.md", "USER.md"])
def test_curated_memory_is_left_to_the_agent(path: str) -> None:
    files = {"AGENTS.md": "# Agents\n", path: "\ufeff# Notes\n" + 200 * "\n" + "Tea.\n"}
    result = repair(files, openclaw=TRACKS_MEMORY)
    assert result.files == ()
    assert {(held.path, held.why.kind) for held in result.held} == {(path, "curated")}
    assert {file.path for file in repair(files, openclaw=TRUSTS_MEMORY).files} == {path}
    assert repair(files, openclaw=[TRUSTS_MEMORY, TRACKS_MEMORY]).files == ()


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        (Link("real.md"), "link"),
        (HardLink("real.md"), "link"),
        ("# Agents\n\n- 私事不外传\n".encode() + b"\xff", "encoding"),
    ],
)
def test_files_that_cannot_be_written_back_are_held_back(entry: Entry, kind: str) -> None:
    files: dict[str, Entry] = {"real.md": "# Agents\n\n- 私事不外传\n", "AGENTS.md": entry}
    result = repair(files, openclaw=ENGLISH_DIGEST)
    assert result.files == ()
    assert set(reasons(result)) <= {kind}


def test_only_the_files_asked_for_change() -> None:
    files = {"AGENTS.md": "# Agents\n\n- 私事不外传\n", "SOUL.md": "\ufeff# Soul\n"}
    with workspace_of(files) as workspace:
        chosen = settings_of("", openclaw=ENGLISH_DIGEST)
        result = fix(workspace, basis(workspace, chosen), chosen, only=frozenset({"SOUL.md"}))
    assert [file.path for file in result.files] == ["SOUL.md"]
    assert result.held == ()


# --- unsafe fixes --------------------------------------------------------------------------------------------


def test_unsafe_fixes_are_counted_and_made_when_asked_for() -> None:
    long = "- 必须：" + "先核对单号再回信，" * 30 + "然后归档。" + "再把副本寄给仓库，" * 20 + "最后登记。"
    safe = repair({"AGENTS.md": f"# Agents\n\n{long}\n"}, openclaw=ENGLISH_DIGEST)
    assert (safe.unsafe, len(safe.repairs)) == (1, 1)
    unsafe = repair({"AGENTS.md": f"# Agents\n\n{long}\n"}, openclaw=ENGLISH_DIGEST, unsafe=True)
    assert unsafe.unsafe == 0
    assert repaired_text(unsafe, "AGENTS.md").count("\n- Must / 必须：") == 2


def sections(*bodies: str, title: str = "# Soul") -> str:
    return (
        "\n\n".join([title, *(f"## Part {number}\n\n{body}" for number, body in enumerate(bodies, 1))]) + "\n"
    )


LOST_SECTION = sections(prose(700), prose(700), "- 私事不外传\n- Never guess", prose(700))


def test_section_of_a_lost_rule_moves_to_where_it_arrives() -> None:
    result = repair({"SOUL.md": LOST_SECTION}, openclaw=ENGLISH_DIGEST, max_chars=1_000, unsafe=True)
    (move,) = result.moves
    assert (move.title, move.first, move.last, move.to, move.within) == ("Part 3", 11, 14, "start", None)
    assert (move.chars, move.gained) == (len("## Part 3\n\n- 私事不外传\n- Never guess"), 2)
    text = repaired_text(result, "SOUL.md")
    assert text.startswith("# Soul\n\n## Part 3\n\n- 私事不外传\n- Never guess\n\n## Part 1\n\n")
    assert Counter(text.split()) == Counter(LOST_SECTION.split())
    assert reach_of(result) == (0, 2, 2, 2)


def test_nothing_moves_unless_unsafe_fixes_are_asked_for_and_the_rule_is_on() -> None:
    assert repair({"SOUL.md": LOST_SECTION}, openclaw=ENGLISH_DIGEST, max_chars=1_000).files == ()
    result = repair(
        {"SOUL.md": LOST_SECTION}, openclaw=ENGLISH_DIGEST, max_chars=1_000, ignore=["BL104"], unsafe=True
    )
    assert result.moves == ()


def test_the_smallest_move_comes_first_and_no_more_than_help() -> None:
    small, large = "- 私事不外传", f"- 不得外传\n\n{prose(300)}"
    text = sections(prose(700), large, prose(700), small, prose(700))
    result = repair({"SOUL.md": text}, openclaw=ENGLISH_DIGEST, max_chars=1_000, unsafe=True)
    assert [move.title for move in result.moves] == ["Part 4", "Part 2"]


def test_a_move_makes_room_for_keywords() -> None:
    """The rules of the section that goes to the end reach the model in the tail, and leave the digest to others."""
    text = sections(
        "- Never guess 00\n\n第01类未经同意不能动。\n\n- Never guess 02",
        "- 第10类私事不外传\n\n第11类未经同意不能动。\n\n- 第12类私事不外传\n\n- Never guess 13",
        "- tea 20\n\n" + prose(150),
        prose(60),
        "- Never guess 40\n\n- 第41类私事不外传\n\n- tea 42\n\n- tea 43",
        title="# A",
    )
    result = repair({"AGENTS.md": text}, openclaw=PROSE_DIGEST, max_chars=300, unsafe=True)
    assert [(move.title, move.to) for move in result.moves] == [("Part 1", "end")]
    assert [(repair.code, repair.line) for repair in result.repairs] == [("BL202", 5), ("BL202", 9)]
    after = repaired_text(result, "AGENTS.md").splitlines()
    for number, line in enumerate(text.splitlines(), 1):
        held = [after[index].replace("Never: ", "") for index in result.place("AGENTS.md", number)]
        assert held == [line] or not line


def test_section_that_fits_nowhere_stays() -> None:
    text = sections(prose(700), f"- 私事不外传\n\n{prose(1_500)}\n\n- 不得外传", prose(700))
    full = sections("- Never lie\n" * 70, "- 私事不外传", "- Never guess\n" * 40)
    assert repair({"SOUL.md": full}, openclaw=ENGLISH_DIGEST, max_chars=1_000, unsafe=True).moves == ()
    assert len(repair({"SOUL.md": text}, openclaw=ENGLISH_DIGEST, max_chars=1_000, unsafe=True).moves) == 1


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_moving_keeps_line_ends_and_the_end_of_the_file(end: str, last: bool) -> None:
    text = LOST_SECTION.rstrip("\n").replace("\n", end) + (end if last else "")
    result = repair({"SOUL.md": text}, openclaw=ENGLISH_DIGEST, max_chars=1_000, unsafe=True)
    after = repaired_text(result, "SOUL.md")
    assert after.count(end) == after.count("\n")
    assert after.endswith(end) == last


@pytest.mark.parametrize("link", ["SOUL.md#第1-1", "SOUL.md#%E7%AC%AC1-1", "./SOUL.md#第1"])
def test_a_link_to_a_heading_that_a_move_would_renumber_holds_the_move(link: str) -> None:
    """Two sections of one title: the second is `#第1-1`, and would become `#第1`."""
    text = (
        sections(prose(700), prose(700), "- 私事不外传", prose(700))
        .replace("Part 3", "第1")
        .replace("Part 1", "第1")
    )
    free = repair({"SOUL.md": text}, openclaw=ENGLISH_DIGEST, max_chars=1_000, unsafe=True)
    assert [move.to for move in free.moves] == ["start"]
    linked = repair(
        {"SOUL.md": text, "AGENTS.md": f"See [this]({link}).\n"},
        openclaw=ENGLISH_DIGEST, max_chars=1_000, unsafe=True,
    )  # fmt: skip
    assert [move.to for move in linked.moves] == ["end"]


def test_a_section_stays_in_the_section_that_holds_it() -> None:
    text = (
        f"# Soul\n\n## A\n\n### A1\n\n{prose(40)}\n\n### A2\n\n{prose(900)}\n\n### A3\n\n- 私事不外传\n\n"
        f"## B\n\n{prose(600)}\n"
    )
    result = repair({"SOUL.md": text}, openclaw=ENGLISH_DIGEST, max_chars=1_000, unsafe=True)
    assert [(move.title, move.to, move.within) for move in result.moves] == [("A3", "start", "A")]


def test_a_section_goes_to_the_end_of_the_one_that_holds_it() -> None:
    text = (
        f"# Soul\n\n{prose(800)}\n\n## A\n\n### A1\n\n- 私事不外传\n\n### A2\n\n{prose(500)}\n\n"
        f"## B\n\n{prose(40)}\n"
    )
    result = repair({"SOUL.md": text}, openclaw=ENGLISH_DIGEST, max_chars=1_000, unsafe=True)
    assert [(move.title, move.to, move.within) for move in result.moves] == [("A1", "end", "A")]
    assert _headings(repaired_text(result, "SOUL.md")) == ["# Soul", "## A", "### A2", "### A1", "## B"]


def test_a_part_beside_the_title_goes_right_behind_it() -> None:
    title = f"# A\n\n{prose(400)}\n"
    text = f"{title}# B\n\n{prose(900)}\n\n# C\n\n- 私事不外传\n\n# D\n\n{prose(700)}\n"
    result = repair({"SOUL.md": text}, openclaw=ENGLISH_DIGEST, max_chars=1_000, unsafe=True)
    after = repaired_text(result, "SOUL.md")
    assert _headings(after) == ["# A", "# C", "# B", "# D"]
    assert after.startswith(f"{title}\n# C\n")
    assert "# B\n\nThe tea" in after


def _headings(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#")]


def test_a_heading_on_the_first_line_may_be_the_rule_that_is_lost() -> None:
    """The total is used up before SOUL.md has its turn, and no move can change that."""
    files = {"AGENTS.md": prose(2_000), "SOUL.md": "## Never lie\n\n## Tea\n\nSmoke.\n"}
    result = repair(files, openclaw=ENGLISH_DIGEST, total_max_chars=2_000, unsafe=True)
    assert (result.moves, reach_of(result)) == ((), (0, 1, 0, 1))


# --- properties ----------------------------------------------------------------------------------------------

RULE_LINES = (
    "- 必须先核对第{n}号单据", "- 私事不外传（{n}）", "{n}、禁止擅自发布", "**铁律**：第{n}条不得更改", "必ず確認する {n}",
    "- 승인 없이 삭제하지 말 것 {n}", "- Never send letter {n}", "- Don't answer letter {n}", "> 严禁输出密钥 {n}",
    "| {n} | 必须确认 |", "- 未經同意不能刪除 {n}", "1. keep the secrets of {n}",
)  # fmt: skip
OTHER_LINES = (
    "", "", "## Part {n}", "### 安全 {n}", "The tea of day {n} came by mail and smelled of rain.", "- tea {n}",
    "第{n}天的茶来自城西的仓库，味道很淡。", "```\n必须 {n}\n```", "<!-- 必须 {n} -->", "trailing {n}   ", "[x](#part-{n})",
    "- 必须用 `禁止 {n}` 作答，见 [规则](必须-{n}.md)", "<div>必须 {n}</div>",
)  # fmt: skip
lines = st.lists(st.sampled_from(RULE_LINES + OTHER_LINES), min_size=1, max_size=40)
bodies = lines.map(lambda chosen: "\n".join(line.replace("{n}", str(n)) for n, line in enumerate(chosen)))
texts = st.tuples(bodies, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff"])).map(
    lambda parts: parts[2] + parts[0].replace("\n", parts[1])
)
names = st.sampled_from(["AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md"])


@given(
    files=st.dictionaries(names, texts, min_size=1, max_size=3),
    release=st.sampled_from(era_releases()),
    max_chars=st.integers(60, 900),
    total=st.integers(60, 1_500),
    scope=st.sampled_from(["lost", "at-risk", "all"]),
    unsafe=st.booleans(),
)
def test_repairs_of_any_text_keep_their_promises(
    files: dict[str, str], release: str, max_chars: int, total: int, scope: str, unsafe: bool
) -> None:
    result = repair(
        files, openclaw=release, max_chars=max_chars, total_max_chars=total, scope=scope, unsafe=unsafe
    )
    for file in result.files:
        assert file.before.endswith("\n") == file.after.endswith("\n")
        assert ("\r\n" in file.before) >= ("\r\n" in file.after)
    assert pickle.loads(pickle.dumps(result)) == result


@given(text=texts, release=st.sampled_from(era_releases()), max_chars=st.integers(60, 900))
def test_what_safe_fixes_add_can_be_taken_out_again(text: str, release: str, max_chars: int) -> None:
    result = repair(
        {"AGENTS.md": text},
        openclaw=release,
        max_chars=max_chars,
        select=["BL104", "BL202", "BL203", "BL208"],
    )
    for file in result.files:
        rest = iter(file.after.replace("Do not answer", "Don't answer"))
        assert all(char in rest for char in file.before)
