"""`bootlint why`: the test that a line failed, and a change that saves it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bootlint.cli import main
from bootlint.explain import Explanation, explain
from bootlint.openclaw.fates import REACHED
from bootlint.simulation import SESSION_KINDS
from harness import context_of, workspace_of

if TYPE_CHECKING:
    from pathlib import Path

PROSE = "The shop sells tea and cups by mail, and the house stands near the sea.\n"
FILLER = PROSE * 20
CALL = "- Never call anybody before nine."
GOSSIP = "- 私事不外传，群里不谈主人的家事，也不谈主人的行程，更不谈客人的电话"
LONG = "- Never " + "go, " * 60


def why(
    files: dict[str, str], path: str, piece: str, release: str, *, session: str = "main", **options: object
) -> Explanation:
    """The explanation of the first line that holds a piece of text."""
    with workspace_of(files) as workspace:
        context = context_of(workspace, release, session=session, **options)
        file = workspace.files[path]
        line = next(number for number, text in enumerate(file.source.lines, 1) if piece in text)
        return explain(context, file, line)


def middle(*lines: str) -> str:
    """A file of some 3,000 characters with lines in its middle."""
    return f"# Agents\n\n{FILLER}\n" + "\n".join(lines) + f"\n\n{FILLER}"


def crowded(line: str, rules: int = 40) -> str:
    """The same with so many rules before the line that the digest is full."""
    return middle(*(f"- Never sell cup {number:02} to anybody." for number in range(rules)), line)


# Files, the line, release, limit; the tests that it failed, and what saves it.
CASES = [
    # In AGENTS.md, by what the digest lacks.
    (middle("必须先备份再删除。"), "必须", "2026.6.11", "dropped", ["between", "not-candidate"], "keyword"),
    (middle("You mustn't answer."), "mustn't", "2026.6.11", "dropped", ["between", "near-miss", "not-candidate"], "keyword"),
    (crowded(GOSSIP), "私事", "2026.6.11", "dropped", ["between", "unranked", "digest-full"], "move-up"),
    (crowded(CALL), "call", "2026.6.11", "dropped", ["between", "ranked", "digest-full"], "shorten-line"),
    (middle("- Never call."), "call", "2026.6.11", "digest", ["between", "digest-by-keyword"], None),
    (middle("- Ask the owner."), "owner", "2026.6.11", "digest", ["between", "digest-by-keyword"], None),
    (middle("- 先看笔记"), "笔记", "2026.6.11", "digest", ["between", "digest-by-shape"], None),
    (middle(LONG), "Never", "2026.6.11", "digest-cut", ["between", "digest-by-keyword", "over-240"], "shorten-line"),
    (middle("When " + "it rains, " * 24 + "you must not go."), "must", "2026.6.11", "dropped",
     ["between", "keyword-beyond-240", "not-candidate"], "move-up"),
    # By where it stands.
    (middle("必须先备份再删除。"), "# Agents", "2026.6.11", "kept", ["kept"], None),
    (middle("必须先备份再删除。"), "必须", "2026.4.15", "dropped", ["between", "no-digest"], "move-up"),
    (middle("| 操作 | 要求 |", "|---|---|", "| 删除 | 必须先备份 |"), "删除", "2026.4.15", "dropped",
     ["between", "no-digest"], "shorten-before"),
]  # fmt: skip


@pytest.mark.parametrize(("agents", "piece", "release", "fate", "reasons", "remedy"), CASES)
def test_the_tests_that_a_line_of_agents_md_failed(
    agents: str, piece: str, release: str, fate: str, reasons: list[str], remedy: str | None
) -> None:
    found = why({"AGENTS.md": agents}, "AGENTS.md", piece, release, max_chars=1000)
    assert found.fate == fate
    assert [reason.key for reason in found.reasons] == reasons
    assert (found.remedy.kind if found.remedy else None) == remedy


def test_a_file_that_arrives_whole() -> None:
    found = why({"AGENTS.md": middle("- Never call.")}, "AGENTS.md", "call", "2026.6.11")
    assert (found.fate, [reason.key for reason in found.reasons]) == ("kept", ["whole"])


def test_at_which_line_the_digest_is_full() -> None:
    found = why(
        {"AGENTS.md": crowded(CALL)},
        "AGENTS.md",
        "call",
        "2026.6.11",
        max_chars=1000,
    )
    full = found.reasons[-1].params
    assert full == {"budget": 350, "room": 30, "needs": 33, "line": 33}


def test_a_file_without_a_digest_says_so() -> None:
    found = why({"SOUL.md": middle("Never call.")}, "SOUL.md", "call", "2026.9.6", max_chars=1000)
    assert [reason.key for reason in found.reasons] == ["between", "digest-elsewhere"]
    assert found.remedy is not None
    assert found.remedy.kind == "move-up"


@pytest.mark.parametrize(("name", "curated"), [("USER.md", True), ("SOUL.md", False)])
def test_a_change_from_outside_that_may_cost_a_file_its_trust_is_named(name: str, curated: bool) -> None:
    for release, tracks in (("2026.6.11", False), ("2026.9.6", True)):
        found = why({"AGENTS.md": "x\n", name: middle("Never call.")}, name, "call", release, max_chars=1000)
        assert found.remedy is not None
        assert found.remedy.kind == "move-up"
        assert found.curated == (name if curated and tracks else None)


def test_a_file_that_the_release_does_not_load() -> None:
    found = why({"AGENTS.md": "# Agents\n", "TOOLS.md": "Never call.\n"}, "TOOLS.md", "call", "2026.9.6")
    assert (found.fate, found.reasons[0].key) == (None, "not-loaded")
    assert found.remedy is not None
    assert (found.remedy.kind, found.remedy.cost) == ("repeat-in-agents", 12)


PERSONAL = [("2026.9.5", "not-loaded"), ("2026.9.6", "personal")]


@pytest.mark.parametrize(("release", "reason"), PERSONAL)
def test_the_file_of_one_person(release: str, reason: str) -> None:
    files = {"AGENTS.md": "# Agents\n", "users/ada/USER.md": "Never call.\n"}
    found = why(files, "users/ada/USER.md", "call", release)
    assert (found.fate, found.reasons[0].key, found.remedy) == (None, reason, None)


@pytest.mark.parametrize("session", SESSION_KINDS)
def test_a_session_that_does_not_receive_the_file(session: str) -> None:
    files = {"AGENTS.md": "# Agents\n", "SOUL.md": "Never call.\n"}
    found = why(files, "SOUL.md", "call", "2026.9.6", session=session)
    assert found.reached == (session != "subagent")
    assert [reason.key for reason in found.reasons] == (["whole"] if found.reached else ["not-in-session"])


def test_memory_is_hidden_in_groups_by_release() -> None:
    files = {"AGENTS.md": "# Agents\n", "MEMORY.md": "Never call.\n"}
    assert why(files, "MEMORY.md", "call", "2026.9.6", session="group").fate is None
    assert why(files, "MEMORY.md", "call", "2026.6.11", session="group").fate == "kept"


KEPT_OUT = [
    ("MEMORY.md", "Never call.", "subagent", "private"),
    ("MEMORY.md", "Never call.", "cron", "private"),
    ("MEMORY.md", "Never call.", "group", "private"),
    ("USER.md", "Never call.", "subagent", "private"),
    ("SOUL.md", "Password: Hj7-kQ2-never-call", "subagent", "not-in-session"),
]


@pytest.mark.parametrize(("path", "line", "session", "reason"), KEPT_OUT)
def test_what_is_private_is_not_to_be_repeated(path: str, line: str, session: str, reason: str) -> None:
    files = {"AGENTS.md": "# Agents\n", path: line + "\n"}
    found = why(files, path, line, "2026.9.6", session=session)
    assert [one.key for one in found.reasons] == [reason]
    assert (found.remedy, found.tried) == (None, 0)


def test_prose_above_a_line_that_the_digest_takes() -> None:
    agents = middle("| a | b |", "- Never call.")
    found = why({"AGENTS.md": agents}, "AGENTS.md", "| a", "2026.9.6", max_chars=1000)
    assert [reason.key for reason in found.reasons] == ["between", "digest-as-prose"]
    assert agents.split("\n")[int(str(found.reasons[-1].params["line"])) - 1] == "- Never call."


def test_who_used_up_the_total_and_which_file_to_shorten() -> None:
    files = {
        "AGENTS.md": PROSE * 10,
        "SOUL.md": "Be calm.\n",
        "IDENTITY.md": "Ada\n",
        "USER.md": "Never call.\n",
    }
    found = why(files, "USER.md", "call", "2026.9.6", total_max_chars=790)
    assert found.fate == "dropped"
    assert found.reasons[0].params["used"] == ("AGENTS.md 719", "SOUL.md 8")
    assert found.remedy is not None
    assert (found.remedy.kind, found.remedy.params) == ("shorten-other", {"file": "AGENTS.md", "by": 4})


def test_the_prose_above_a_rule_is_parted_from_it_by_a_blank_line() -> None:
    rules = "".join(f"- Never sell cup {number:02} to anybody.\n" for number in range(9))
    agents = f"# Agents\n\n{FILLER}\n{rules}\n{PROSE}- Never call.\n\n{FILLER}"
    assert why({"AGENTS.md": agents}, "AGENTS.md", "call", "2026.9.3", max_chars=1000).reached
    found = why({"AGENTS.md": agents}, "AGENTS.md", "call", "2026.9.6", max_chars=1000)
    assert found.remedy is not None
    assert (found.remedy.kind, found.remedy.cost) == ("blank-line", 1)


def test_a_rule_just_below_the_head_is_saved_by_shortening_what_stands_above_it() -> None:
    soul = "# Soul\n\n" + PROSE * 9 + "You must never speak for other people in a group.\n" + PROSE * 20
    found = why({"SOUL.md": soul}, "SOUL.md", "must never", "2026.9.6", max_chars=1000)
    assert found.remedy is not None
    assert found.remedy.kind in ("shorten-before", "move-up")


def test_a_file_a_little_too_long_is_shortened_by_what_is_over() -> None:
    soul = (
        "# Soul\n\n"
        + PROSE * 5
        + "You must never speak for other people in a group, whoever they are. " * 3
        + "\n"
        + PROSE
    )
    found = why({"SOUL.md": soul}, "SOUL.md", "must never", "2026.9.6", max_chars=len(soul) - 20)
    assert found.remedy is not None
    assert (found.remedy.kind, found.remedy.cost) == ("shorten-file", 19)


def test_no_change_is_offered_that_costs_another_rule() -> None:
    """The whole head and the digest are rules: whatever moves up pushes one out."""
    rules = "".join(f"- Never sell cup {number:03} to anybody at all.\n" for number in range(200))
    found = why({"AGENTS.md": rules}, "AGENTS.md", "cup 090", "2026.6.11", max_chars=1000)
    assert found.fate == "dropped"
    assert found.remedy is None


@pytest.mark.parametrize("release", ["2026.1.29", "2026.4.20", "2026.6.11", "2026.9.6"])
def test_every_remedy_was_tried(release: str) -> None:
    """Applied by hand, a keyword saves the line in exactly that release."""
    agents = middle("必须先备份再删除。")
    found = why({"AGENTS.md": agents}, "AGENTS.md", "必须", release, max_chars=1000)
    assert found.remedy is not None
    if found.remedy.kind == "keyword":
        after = agents.replace("必须先备份再删除。", str(found.remedy.params["after"]))
        assert why({"AGENTS.md": after}, "AGENTS.md", "必须", release, max_chars=1000).fate in REACHED


# --- the command ---------------------------------------------------------------------------------------------


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "AGENTS.md").write_text(
        middle("必须先备份再删除。", "- Never commit: ever"), encoding="utf-8"
    )
    (tmp_path / "SOUL.md").write_text("# Soul\n\nNever call.\n", encoding="utf-8")
    return tmp_path


def test_the_text_joins_sessions_in_which_the_same_holds(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["why", f"{workspace}/SOUL.md:3", "--openclaw", "2026.9.6"]) == 0
    output = capsys.readouterr().out
    assert "session main, group, cron, heartbeat: kept" in output
    assert "session subagent: not sent" in output
    assert "repeat it in AGENTS.md" in output


def test_what_an_edit_from_outside_may_cost_is_said(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "USER.md").write_text(middle("Never call."), encoding="utf-8")
    main(["why", f"{workspace}/USER.md:Never call", "--openclaw", "2026.9.6", "--max-chars", "1000"])
    assert "move it up to line 2\n  OpenClaw 2026.9.6 records who wrote USER.md" in capsys.readouterr().out


def test_chinese(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(
        [
            "why",
            f"{workspace}/AGENTS.md:备份",
            "--openclaw",
            "2026.6.11",
            "--max-chars",
            "1000",
            "--language",
            "zh",
        ]
    )
    assert "补救办法：改写为  Must / 必须先备份再删除。" in capsys.readouterr().out


def test_no_change_shows_a_secret(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "必须保密：Password: Hj7-kQ2-zWq9-pLm4 不外传。"
    (workspace / "AGENTS.md").write_text(middle(line), encoding="utf-8")
    for output_format in ("text", "json"):
        options = ["--openclaw", "2026.6.11", "--max-chars", "1000", "--output-format", output_format]
        main(["why", f"{workspace}/AGENTS.md:必须保密", *options])
        out = capsys.readouterr().out
        assert "Must / " in out
        assert "Hj7" not in out


def test_json_for_each_release_and_session(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--openclaw", "2026.6.11,2026.9.6", "--output-format", "json"]
    main(["why", f"{workspace}/AGENTS.md:Never commit: ever", *arguments])
    document = json.loads(capsys.readouterr().out)
    assert document["text"] == "- Never commit: ever"
    assert [(one["release"], one["session"]) for one in document["explanations"]] == [
        (release, session) for release in ("2026.6.11", "2026.9.6") for session in SESSION_KINDS
    ]


SEVERAL = (
    "# Agents\n\n"
    + "".join(f"- 没有批准不得出售第{number:03}号杯子\n" for number in range(30))
    + "\n"
    + "".join(f"没有批准不得出售第{number:03}号盘子。\n\n" for number in range(20))
    + "".join(f"- 第{number:03}类私事不外传\n" for number in range(15))
    + "\n"
    + "".join(f"未经同意不能动第{number:02}号柜子。\n\n" for number in range(50))
    + "".join(f"没有批准不得转让第{number:03}号盘子。\n\n" for number in range(18))
)


@pytest.mark.parametrize(("cupboard", "saved"), [("02", True), ("30", False)])
def test_a_line_that_no_single_change_saves_may_be_saved_by_many(
    tmp_path: Path, cupboard: str, saved: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """A keyword for one line pushes out another one, unless those that the digest holds get theirs, too."""
    (tmp_path / "AGENTS.md").write_text(SEVERAL, encoding="utf-8")
    arguments = [f"{tmp_path}/AGENTS.md:第{cupboard}号柜子", "--openclaw", "2026.6.11", "--max-chars", "2000"]
    main(["why", *arguments])
    told = capsys.readouterr().out.splitlines()[-2:]
    assert told[0] == "  no single change that was tried saves it without losing another rule"
    does = "saves it" if saved else "does not save it either"
    assert told[1].startswith(f"  bootlint fix, which changes several lines at once, {does}")
    main(["why", *arguments, "--output-format", "json"])
    found = json.loads(capsys.readouterr().out)["explanations"]
    assert {one["saved_by_fix"] for one in found} == {saved}
    main(["fix", *arguments[1:], "--isolated", str(tmp_path)])
    main(["show", *arguments[1:], "--raw", "AGENTS.md", str(tmp_path)])
    assert (f"Do not: 未经同意不能动第{cupboard}号柜子。" in capsys.readouterr().out) == saved


def test_the_fix_that_saves_a_line_is_named_before_another_change(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["why", f"{workspace}/AGENTS.md:备份", "--openclaw", "2026.6.11", "--max-chars", "1000"])
    fix, change = capsys.readouterr().out.splitlines()[-2:]
    assert fix == "  bootlint fix saves it"
    assert change.startswith("  a change that saves it: write it as  Must /")


FAULTS = [
    ("AGENTS.md:999", "has 46 lines, so no line 999"),
    ("AGENTS.md:0", "has 46 lines, so no line 0"),
    ("AGENTS.md:nowhere", "no line holds 'nowhere'"),
    ("AGENTS.md:The shop", "40 lines hold 'The shop' (3, 4, 5"),
    ("AGENTS.md", "which line? Give FILE:LINE or FILE:TEXT"),
    ("AGENTS.md:", "no line holds ''"),
    ("NONE.md:3", "there is no such file"),
]


@pytest.mark.parametrize(("target", "fault"), FAULTS)
def test_a_line_that_is_not_there(
    workspace: Path, target: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["why", f"{workspace}/{target}"]) == 2
    assert fault in capsys.readouterr().err


def test_the_session_asked_for_alone(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["why", f"{workspace}/SOUL.md:3", "--session", "subagent", "--output-format", "json"])
    assert [one["session"] for one in json.loads(capsys.readouterr().out)["explanations"]] == ["subagent"]


def test_explaining_changes_nothing(workspace: Path) -> None:
    before = {path.name: path.read_bytes() for path in workspace.iterdir()}
    main(["why", f"{workspace}/AGENTS.md:备份", "--max-chars", "1000"])
    assert {path.name: path.read_bytes() for path in workspace.iterdir()} == before
