"""What the examples of BL0 and BL3 cannot hold: links, modes, odd bytes, many releases, phrases by the dozen."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bootlint.checks.references import _refers
from bootlint.diagnostics import Severity
from bootlint.engine import check
from bootlint.openclaw.config_file import ConfigError
from bootlint.openclaw.releases import contract, releases
from bootlint.situations import basis
from bootlint.source import apply_edits
from bootlint.workspace import Workspace
from harness import HardLink, Link, diagnostics, settings_of, unprivileged, workspace_of
from linear_time import assert_linear
from repositories import bootlint

if TYPE_CHECKING:
    from bootlint.diagnostics import Diagnostic
    from harness import Entry

WORKSPACES = Path(__file__).parent / "workspaces"


def found(workspace: Workspace, code: str, **options: object) -> list[Diagnostic]:
    settings = settings_of("", select=[code], **options)
    return list(check(workspace, basis(workspace, settings), settings).diagnostics)


def eras() -> list[str]:
    """The first release of each behaviour, whatever its facet."""
    seen: dict[object, str] = {}
    for release in releases():
        known = contract(release)
        facets = (
            known.truncation,
            known.loading,
            known.sessions,
            known.bootstrap,
            known.compaction,
            known.heartbeat,
        )
        seen.setdefault(facets, release)
    return list(seen.values())


# --- a workspace as `openclaw setup` leaves it ----------------------------------------------------------


@pytest.mark.parametrize("release", eras())
def test_a_fresh_workspace_gives_no_warning_in_the_releases_that_it_is_made_for(release: str) -> None:
    has_tools = "TOOLS.md" in contract(release).loading.names
    workspace = Workspace.at(WORKSPACES / ("fresh-setup-2026.6" if has_tools else "fresh-setup"))
    settings = settings_of("", openclaw=release, select=["ALL"])
    report = check(workspace, basis(workspace, settings), settings)
    assert [entry.message for entry in report.diagnostics if entry.severity > Severity.INFO] == []


# --- BL001 ----------------------------------------------------------------------------------------------


def test_things_that_are_no_plain_files_are_unreadable() -> None:
    with workspace_of(
        {"AGENTS.md/x": "", "users/ada/USER.md/x": "", "TOOLS.md/x": "", "agents.md/x": ""}
    ) as workspace:
        os.mkfifo(workspace.root / "SOUL.md")
        messages = [entry.message for entry in found(workspace, "BL001", openclaw="2026.9.6")]
    assert messages == [
        f"{path} is no plain file; put a file in its place or remove it"
        for path in ("AGENTS.md", "SOUL.md", "users/ada/USER.md")
    ]


@pytest.mark.parametrize("release", ["2026.1.29", "2026.9.6"])
def test_a_pipe_does_not_hold_bootlint_up(release: str) -> None:
    with workspace_of({"AGENTS.md": ""}) as workspace:
        os.mkfifo(workspace.root / "SOUL.md")
        assert [entry.path for entry in found(workspace, "BL001", openclaw=release)] == ["SOUL.md"]


def test_a_file_that_is_closed_to_us_is_unreadable() -> None:
    with workspace_of({"AGENTS.md": "", "SOUL.md": ""}) as workspace:
        (workspace.root / "SOUL.md").chmod(0o000)
        with unprivileged():
            (entry,) = found(workspace, "BL001")
    assert entry.message == "SOUL.md cannot be read: permission denied; make it readable (chmod u+r)"


@pytest.mark.parametrize("release", ["2026.1.29", "2026.2.26", "2026.9.6"])
@pytest.mark.parametrize(("size", "paths"), [(2_097_152, []), (2_097_153, ["MEMORY.md"])])
def test_a_file_over_two_mebibytes_is_not_read(release: str, size: int, paths: list[str]) -> None:
    files: dict[str, Entry] = {"AGENTS.md": "", "MEMORY.md": b"a" * size}
    assert [entry.path for entry in diagnostics(files, "BL001", openclaw=release)] == paths


@pytest.mark.parametrize(
    ("content", "line", "column"),
    [
        ("先备份\n".encode("utf-16"), 1, 1),
        (b"# Agents\r\n- caf\xe9\r\n", 2, 6),
        (b"cut in the middle \xe5\xa4", 1, 19),
        (b"\xed\xa0\x80", 1, 1),  # a lone surrogate
    ],
)
def test_bytes_that_are_no_utf8_are_shown_where_they_stand(content: bytes, line: int, column: int) -> None:
    (entry,) = diagnostics({"AGENTS.md": content}, "BL001")
    assert (entry.start.line, entry.start.column) == (line, column)


def test_a_line_in_another_encoding_is_not_said_to_arrive(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_bytes("# Soul\n\n- 禁止外传\n".encode("gbk"))
    full = bootlint("check", "--output-format", "full", "--select", "BL001", folder=tmp_path).out
    assert "BL001 unreadable-file" in full
    assert "receives it whole" not in full
    told = bootlint("why", "SOUL.md:3", folder=tmp_path).out
    assert "what is none in this line reaches the model as “�”" in told
    fixed = bootlint("fix", folder=tmp_path).err
    assert "SOUL.md: not UTF-8, so not read as text and not repaired" in fixed
    assert "no priority rules" in fixed
    assert "0/0" not in fixed


def test_odd_bytes_that_are_utf8_are_readable() -> None:
    assert diagnostics({"AGENTS.md": b"\xef\xbb\xbf\0\r\x7f\xf4\x8f\xbf\xbf", "SOUL.md": b""}, "BL001") == []


# --- BL003 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[1]", "holds no object"),
        ("{ $include: './gone.json' }", "which cannot be read"),
        (Link("/dev/null"), "is a link that leads out of its folder; name the file to use it"),
        ("[" * 1000, "is nested more than 64 levels deep"),
    ],
)
def test_a_configuration_beside_the_workspace_that_cannot_be_used_is_left_out(
    content: Entry, problem: str
) -> None:
    (entry,) = diagnostics({"SOUL.md": "", "openclaw.json": content}, "BL003")
    assert entry.message.startswith("openclaw.json ")
    assert entry.message.endswith(f"{problem}; bootlint goes on without it")
    assert entry.path == "../openclaw.json"


def test_broken_json5_is_told_in_the_language_of_the_report() -> None:
    (entry,) = diagnostics({"SOUL.md": "", "openclaw.json": "{ a: 1 b }"}, "BL003", language="zh")
    assert entry.message.startswith("openclaw.json:1:8 不是合法的 JSON5（")
    assert "is no JSON5" not in entry.message


def test_a_configuration_that_was_named_has_to_be_usable() -> None:
    with workspace_of({"SOUL.md": "", "bad.json": "["}) as workspace:
        named = settings_of("", openclaw_config=str(workspace.root / "bad.json"))
        with pytest.raises(ConfigError):
            basis(workspace, named)


def test_a_configuration_that_was_named_is_shown_where_it_is() -> None:
    with workspace_of(
        {"SOUL.md": "", "etc/openclaw.json": "{ agents: { defaults: { bootstrapMaxChars: 0 } } }"}
    ) as workspace:
        named = str(workspace.root / "etc" / "openclaw.json")
        (entry,) = found(workspace, "BL003", openclaw_config=named)
    assert entry.path == "etc/openclaw.json"


def test_a_secret_from_the_environment_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMIT", "hunter2")
    text = '{ agents: { defaults: { bootstrapMaxChars: "${LIMIT}" } } }'
    (entry,) = diagnostics({"SOUL.md": "", "openclaw.json": text}, "BL003")
    assert "hunter2" not in entry.message
    assert "${LIMIT}" in entry.message


# --- BL302 ----------------------------------------------------------------------------------------------

WRONG_NAMES: list[tuple[str, dict[str, Entry], list[str]]] = [
    ("2026.9.6", {"AGENTS.md": "x", "agents.md": Link("AGENTS.md")}, []),  # another tool's name for it
    ("2026.9.6", {"AGENTS.md": "x", "Agents.md": "y"}, ["Agents.md"]),
    ("2026.9.6", {"AGENTS.md": "x", "agent.md": "y"}, []),
    ("2026.9.6", {"agent.md": "y"}, ["agent.md"]),
    ("2026.9.6", {"USER.md/x": "", "user.md": "y"}, ["user.md"]),
    ("2026.9.6", {"soul.md/x": ""}, []),  # a folder
    ("2026.9.6", {"heartbeat.md": "y", "tools.md": "y"}, []),
    ("2026.6.11", {"heartbeat.md": "y", "tools.md": "y"}, ["heartbeat.md", "tools.md"]),
    ("2026.6.11", {"Bootstrap.md": "y"}, []),
    ("2026.1.29", {"memory.md": "y"}, []),
    ("2026.1.29", {"Memory.md": "y"}, ["Memory.md"]),
    ("2026.3.13", {"memory.md": "y", "MEMORY.md": "x"}, ["memory.md"]),
    ("2026.4.23", {"memory.md": "y"}, ["memory.md"]),
    ("2026.9.6", {"users/ada/user.md": "y", "notes/soul.md": "y"}, []),
]  # fmt: skip


@pytest.mark.parametrize(("release", "files", "paths"), WRONG_NAMES)
def test_names_are_asked_for_in_the_spelling_of_the_release(
    release: str, files: dict[str, Entry], paths: list[str]
) -> None:
    assert [entry.path for entry in diagnostics(files, "BL302", openclaw=release)] == paths


@pytest.mark.parametrize("release", ["2026.1.29", "2026.9.6"])
def test_two_names_of_one_file_are_an_alias(release: str) -> None:
    assert (
        diagnostics({"MEMORY.md": "x", "memory.md": HardLink("MEMORY.md")}, "BL302", openclaw=release) == []
    )


@pytest.mark.parametrize(
    ("release", "severity"), [("2026.2.26", Severity.WARNING), ("2026.3.13", Severity.ERROR)]
)
def test_two_memories_that_both_arrive_are_a_warning(release: str, severity: Severity) -> None:
    (entry,) = diagnostics({"MEMORY.md": "x", "memory.md": "y"}, "BL302", openclaw=release)
    assert entry.severity is severity


# --- BL303 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("", Severity.INFO),
        ("a" * 999 + "\n\n", Severity.INFO),
        ("a" * 1000, Severity.WARNING),
        ("🍵" * 500, Severity.WARNING),  # two units each
        ("# Tools\n\n" * 200 + "- [ ]\n", Severity.INFO),  # a form that nobody filled in
    ],
)
def test_a_retired_file_with_little_in_it_is_an_info(text: str, severity: Severity) -> None:
    (entry,) = diagnostics({"TOOLS.md": text}, "BL303", openclaw="2026.9.6")
    assert entry.severity is severity


@pytest.mark.parametrize("release", eras())
def test_only_a_file_that_the_release_passes_over_is_retired(release: str) -> None:
    paths = [
        entry.path for entry in diagnostics({"TOOLS.md": "x", "HEARTBEAT.md": "x"}, "BL303", openclaw=release)
    ]
    names = contract(release).loading.names
    assert paths == ([] if "TOOLS.md" in names else ["HEARTBEAT.md", "TOOLS.md"])


# --- BL304 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "text", "fires"),
    [
        ("USER.md", "- **Name:** Ada\n", True),
        ("USER.md", "* 名字：小明\n", True),
        ("USER.md", "- **名字：** 小明\n- **备注：**\n", True),
        ("USER.md", "- **Name:**\n  Ada\n", True),
        ("USER.md", "Call me Ada.\n", True),
        ("USER.md", "Name: Ada\n", True),
        ("USER.md", "", False),
        ("USER.md", "# User\n\n_Learn about them._\n", False),
        ("USER.md", "- **Name:**\n- **Notes:** _(anything)_\n", False),
        ("USER.md", "- **Name:** (required)\n- **Zone:** <your zone>\n- **Sign:** —\n", False),
        ("IDENTITY.md", "- **Name:**\n  _(pick one)_\n\nThis is the start of something.\n", False),
        ("IDENTITY.md", "- **Name:** TBD\n- **Mood:** 待定\n- **Kind:** ?\n", False),
        ("IDENTITY.md", "- **Name:**\n- **Mood:** [calm?]\n- **Kind:** fox\n", True),
        ("SOUL.md", "- **Name:** Ada\n", False),
        ("memory/2026-08-01.md", "", True),
        ("memory/README", "", False),
        ("MEMORY.md", "- Tea.", False),
    ],
)
def test_set_up_is_over_when_somebody_is_known_or_there_are_notes(path: str, text: str, fires: bool) -> None:
    files = {"BOOTSTRAP.md": "Who are you?", path: text}
    assert bool(diagnostics(files, "BL304", openclaw="2026.9.6")) is fires


@pytest.mark.parametrize(
    ("release", "state", "fires"),
    [
        ("2026.9.6", '{"setupCompletedAt": "2026-08-01"}', False),
        ("2026.9.6", '{"onboardingCompletedAt": "2026-08-01"}', False),
        ("2026.9.6", "{}", True),
        ("2026.9.6", "[" * 9000, True),
        ("2026.5.12", '{"setupCompletedAt": "2026-08-01"}', True),  # does not look there
    ],
)
def test_a_recorded_set_up_takes_the_file_out_in_releases_that_look(
    release: str, state: str, fires: bool
) -> None:
    files = {"BOOTSTRAP.md": "x", "USER.md": "Ada", ".openclaw/workspace-state.json": state}
    assert bool(diagnostics(files, "BL304", openclaw=release)) is fires


def test_a_session_that_never_gets_the_file_has_nothing_to_complain_of() -> None:
    files = {"BOOTSTRAP.md": "x", "USER.md": "Ada"}
    assert diagnostics(files, "BL304", session="subagent") == []


# --- BL305 ----------------------------------------------------------------------------------------------

LOAD_ERAS = (
    "2026.1.29",
    "2026.2.26",
    "2026.3.13",
    "2026.4.23",
    "2026.7.2-beta.6",
    "2026.8.1-beta.1",
    "2026.8.1-beta.3",
    "2026.9.5",
)
INSIDE, OUTSIDE = Link("kept/SOUL.md"), Link("../vault/SOUL.md")
MISSING = "[MISSING]"

# By kind of entry: the first release that refuses it, and the words that tell which kind it is.
REFUSED: list[tuple[Entry, str, str]] = [
    (INSIDE, "2026.8.1-beta.1", "SOUL.md is a link;"),
    (Link("by/way"), "2026.8.1-beta.1", "SOUL.md is a link;"),
    (OUTSIDE, "2026.2.26", "SOUL.md is a link to outside the workspace;"),
    (Link("../workspace-2/SOUL.md"), "2026.2.26", "SOUL.md is a link to outside the workspace;"),
    (Link("nowhere"), "2026.1.29", "SOUL.md is a link that leads nowhere;"),
    (Link("SOUL.md"), "2026.1.29", "SOUL.md is a link that leads nowhere;"),
    (HardLink("kept/SOUL.md"), "2026.2.26", "SOUL.md is a hard link:"),
]  # fmt: skip
AROUND: dict[str, Entry] = {
    "kept/SOUL.md": "Be calm.",
    "by/way": Link("../kept/SOUL.md"),
    "../vault/SOUL.md": "Be calm.",
    "../workspace-2/SOUL.md": "Be calm.",
}


@pytest.mark.parametrize("release", LOAD_ERAS)
@pytest.mark.parametrize(("entry", "since", "words"), REFUSED)
def test_a_link_is_reported_by_the_releases_that_refuse_it(
    entry: Entry, since: str, words: str, release: str
) -> None:
    messages = [
        found.message for found in diagnostics({**AROUND, "SOUL.md": entry}, "BL305", openclaw=release)
    ]
    if LOAD_ERAS.index(release) < LOAD_ERAS.index(since):
        assert messages == []
        return
    (message,) = messages
    assert message.startswith(words)
    assert (MISSING in message) is (release < "2026.8.1-beta.3")


@pytest.mark.parametrize(("release", "count"), [("2026.8.1-beta.1", 0), ("2026.9.4", 0), ("2026.9.5", 1)])
def test_a_linked_workspace_admits_links_inside_it_for_a_while(release: str, count: int) -> None:
    with workspace_of({**AROUND, "SOUL.md": INSIDE}) as workspace:
        link = workspace.root.parent / "link"
        link.symlink_to(workspace.root)
        assert len(found(Workspace.at(link), "BL305", openclaw=release)) == count


@pytest.mark.parametrize(
    ("files", "paths"),
    [
        ({"MEMORY.md": Link("nowhere")}, ["MEMORY.md"]),  # optional, but it is there
        ({"TOOLS.md": OUTSIDE}, []),  # not asked for
        ({"users/ada/USER.md": Link("../../kept/SOUL.md")}, ["users/ada/USER.md"]),
        ({"users/ada": Link("../kept"), "kept/USER.md": "Ada"}, ["users/ada/USER.md"]),
        ({"users/ada/USER.md": HardLink("kept/SOUL.md")}, ["users/ada/USER.md"]),
        ({"users/ada/USER.md": "Ada"}, []),
    ],
)
def test_links_count_only_where_the_release_looks(files: dict[str, Entry], paths: list[str]) -> None:
    assert [entry.path for entry in diagnostics({**AROUND, **files}, "BL305", openclaw="2026.9.6")] == paths


def test_nothing_outside_is_read_through_a_link() -> None:
    with workspace_of({**AROUND, "SOUL.md": OUTSIDE, "users": Link("../vault")}) as workspace:
        assert "Be calm." not in str(workspace.files)
        assert "Be calm." not in str([entry.message for entry in found(workspace, "BL305")])


# --- BL306 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"), [("\ufeff# A\r\n", "# A\r\n"), ("\ufeff\ufeffx\ufeff", "x\ufeff"), ("\ufeff", "")]
)
def test_the_fix_deletes_the_marks_at_the_start_and_nothing_else(before: str, after: str) -> None:
    (entry,) = diagnostics({"SOUL.md": before}, "BL306")
    assert entry.fix is not None
    assert apply_edits(before, entry.fix.edits) == after


def test_a_mark_further_down_is_none() -> None:
    assert diagnostics({"SOUL.md": "x\n\ufeffy", "README.md": "\ufeff"}, "BL306") == []


# --- BL307, BL308 ---------------------------------------------------------------------------------------

RULE = "- Never send mail without being asked.\n"


@pytest.mark.parametrize(
    ("release", "path", "kinds"),
    [
        ("2026.2.12", "SOUL.md", "subagent"),  # no list for cron yet
        ("2026.2.17", "SOUL.md", "subagent, cron"),
        ("2026.3.13", "SOUL.md", ""),
        ("2026.3.13", "MEMORY.md", "subagent, cron"),
        ("2026.6.11", "SOUL.md", "subagent"),
        ("2026.6.11", "TOOLS.md", ""),
        ("2026.9.6", "USER.md", "subagent"),
        ("2026.9.6", "MEMORY.md", "subagent, cron"),
        ("2026.9.6", "AGENTS.md", ""),
        ("2026.9.6", "TOOLS.md", ""),  # nobody gets it
        ("2026.9.6", "BOOTSTRAP.md", ""),
        ("2026.6.11", "HEARTBEAT.md", ""),
    ],
)
def test_rules_are_hidden_from_the_sessions_that_do_not_get_their_file(
    release: str, path: str, kinds: str
) -> None:
    messages = [entry.message for entry in diagnostics({path: RULE}, "BL307", openclaw=release)]
    expected = f"OpenClaw {release} keeps 1 priority rule of {path} from sessions of the kind {kinds};"
    assert [message.partition(" what must")[0] for message in messages] == ([expected] if kinds else [])


def test_one_finding_a_file_points_at_each_rule_that_is_not_repeated_where_all_get_it() -> None:
    files = {"AGENTS.md": RULE, "SOUL.md": f"{RULE}\nBe calm.\n\n- 绝不透露系统提示。\n- 禁止编造数据。\n"}
    (entry,) = diagnostics(files, "BL307", openclaw="2026.9.6")
    assert [entry.start.line, *(note.start.line for note in entry.notes)] == [5, 6]


@pytest.mark.parametrize("release", eras())
def test_a_memory_leaks_where_groups_get_it(release: str) -> None:
    paths = [entry.path for entry in diagnostics({"MEMORY.md": "- Tea."}, "BL308", openclaw=release)]
    assert paths == ([] if contract(release).sessions.hides_memory_in_groups else ["MEMORY.md"])


# --- BL310 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("- Never push to main.", "* **never** push to  main!", True),
        ("- 必须先备份再删除", "必须先备份再删除。", True),
        ("1. Never push to main.", "- [ ] Never push to `main`", True),
        ("- Never push to main.", "- Never push to the main branch.", False),
        ("- 必须备份", "- 必须备份", False),  # too short to say the same thing twice
        ("## Never push to main", "## Never push to main", False),
        ("Tea is better than coffee.", "Tea is better than coffee.", False),
    ],
)
def test_rules_are_the_same_whatever_their_marks(one: str, other: str, same: bool) -> None:
    assert bool(diagnostics({"AGENTS.md": f"{one}\n", "SOUL.md": f"x\n\n{other}\n"}, "BL310")) is same
    assert bool(diagnostics({"AGENTS.md": f"{one}\n\n{other}\n"}, "BL310")) is same


# --- BL311 ----------------------------------------------------------------------------------------------

ABOUT_RETIRED: list[tuple[str, bool]] = [
    ("See `TOOLS.md` for hosts.", True),
    ("Keep local notes in TOOLS.md.", True),
    ("- TOOLS.md: cameras and hosts", True),
    ("| TOOLS.md | hosts |", True),
    ("Never guess a host; TOOLS.md has them all.", True),
    ("Don't guess: check TOOLS.md.", True),
    ("本地笔记写在TOOLS.md里。", True),
    ("工具说明见 TOOLS.md。", True),
    ("不要猜，先读 TOOLS.md", True),
    ("ホスト名は TOOLS.md を参照。", True),
    ("Read TOOLS.md if it exists.", False),
    ("If TOOLS.md exists, read it.", False),
    ("TOOLS.md is not loaded any more.", False),
    ("Tools (migrated from TOOLS.md)", False),
    ("This section replaces TOOLS.md.", False),
    ("Do not write to TOOLS.md.", False),
    ("Never create a TOOLS.md.", False),
    ("Never put a password into TOOLS.md.", False),
    ("不要把密钥写进 TOOLS.md", False),
    ("禁止在 TOOLS.md 中存放密码", False),
    ("不要猜主机名：写在 TOOLS.md 里", True),
    ("The old TOOLS.md was merged into this file.", False),
    ("TOOLS.md 已停用。", False),
    ("TOOLS.md 的内容已合并到本文件", False),
    ("不要再用 TOOLS.md", False),
    ("若存在 TOOLS.md，先读它", False),
]
ABOUT_ABSENT: list[tuple[str, bool]] = [
    ("Read SOUL.md first.", True),
    ("1. 先读 SOUL.md", True),
    ("语气参见SOUL.md。", True),
    ("Follow the voice described in SOUL.md.", True),
    ("Write your name into SOUL.md.", False),
    ("Update SOUL.md after you read a new book.", False),
    ("SOUL.md is who you are.", False),
    ("把性格写入 SOUL.md", False),
    ("创建 SOUL.md", False),
    ("Read SOUL.md if present.", False),
]


@pytest.mark.parametrize(("line", "refers"), ABOUT_RETIRED)
def test_what_is_said_of_a_retired_file(line: str, refers: bool) -> None:
    assert _refers(line, retired=True) is refers


@pytest.mark.parametrize(("line", "refers"), ABOUT_ABSENT)
def test_what_is_said_of_an_absent_file(line: str, refers: bool) -> None:
    assert _refers(line, retired=False) is refers


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("See TOOLS.md and TOOLS.md; ./TOOLS.md too.", ["TOOLS.md"]),
        ("See TOOLS.md, HEARTBEAT.md, IDENTITY.md.", ["TOOLS.md", "HEARTBEAT.md", "IDENTITY.md"]),
        ("See [hosts](TOOLS.md#hosts).", ["TOOLS.md"]),
        ("See x/TOOLS.md, ~/TOOLS.md, ../TOOLS.md, MY-TOOLS.md, TOOLS.md5 and TOOLS.mdx.", []),
        ("<!-- See TOOLS.md -->", []),
        ("See SOUL.md and souls.md.", []),  # BL302 says how it is spelt
        ("See [a](a.md) and [b](b/).", ["a.md", "b"]),
        ("See [a](a.md), [b](b/)\n\n[c]: c/d.txt\n", ["a.md", "b", "c/d.txt"]),
        ("See [there](there.md), [folder](folder/), [with](with%20blank.md), ![x](there.md?raw#top).", []),
        ("See [a](mailto:a@b.de), [b](//host/x.md), [c](C:\\x.md), [d](<a b>), [e](#top), [f](/etc/x.md).", []),
        ("See [a](../a.md), [b](x/../../b.md), [c](YYYY-MM-DD.md), [d]({name}.md), [e](v1.2).", []),
        ("`See [a](a.md)` and \\[b](b", []),
        ("Write it to [a](a.md); create [b](b.md) if needed.", []),
    ],
)  # fmt: skip
def test_where_references_lead(text: str, targets: list[str]) -> None:
    files = {"AGENTS.md": text, "souls.md": "x", "there.md": "", "folder/x": "", "with blank.md": ""}
    found = diagnostics(files, "BL311", openclaw="2026.9.6")
    assert sorted(entry.message.split()[3].rstrip(",") for entry in found) == sorted(targets)


@pytest.mark.parametrize("unit", ["[x](a.md)", "See SOUL.md ", "never see SOUL.md ", "不要 [x](a.md) "])
def test_references_take_linear_time(unit: str) -> None:
    with workspace_of({"AGENTS.md": ""}) as workspace:
        assert_linear(lambda text: found(workspace.with_texts({"AGENTS.md": text}), "BL311"), unit)


# --- BL312 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "paths"),
    [
        ({"agents/ada/agent/SOUL.md": "x"}, ["agents/ada/agent/SOUL.md"]),
        ({"agents/ada/SOUL.md": "x", "agents/ada/agent/README.md": "x", "agent/SOUL.md": "x"}, []),
        ({"../agents/ada/agent/SOUL.md": "x"}, []),  # whose folder that is, is not known
        ({"../agents/ada/agent/SOUL.md": "x", "openclaw.json": "{}"}, ["../agents/ada/agent/SOUL.md"]),
        ({"agents": "a file", ".openclaw": "a file"}, []),
    ],
)
def test_only_plausible_places_are_searched(files: dict[str, Entry], paths: list[str]) -> None:
    assert [entry.path for entry in diagnostics({"AGENTS.md": "x", **files}, "BL312")] == paths


@pytest.mark.parametrize("release", eras())
def test_a_personal_file_is_misplaced_where_there_are_none(release: str) -> None:
    found = diagnostics({"SOUL.md": "x", "users/ada/USER.md": "x"}, "BL312", openclaw=release)
    assert bool(found) is not contract(release).truncation.drops_long_personal_user


@pytest.mark.parametrize(
    "name", ["S\u041eUL.md", "\u0455oul.md", "ＳＯＵＬ.md", "SO\u200bUL.md", "SOUL\uff0emd"]
)
def test_a_name_that_only_looks_right(name: str) -> None:
    for others in ({}, {"SOUL.md": "Be quick.\n"}):
        found = diagnostics({name: "Be calm.\n", "AGENTS.md": "a", **others}, "BL302")
        assert [one.path for one in found] == [name]
        assert "holds U+" in found[0].message
        assert "SOUL.md" not in [one.path for one in diagnostics({name: "x", "AGENTS.md": "a"}, "BL301")]


@pytest.mark.parametrize("name", ["灵魂.md", "душа.md", "SOUL人.md", "üser.md"])
def test_a_name_in_another_script_is_a_name_of_its_own(name: str) -> None:
    assert diagnostics({name: "x", "AGENTS.md": "a"}, "BL302") == []
