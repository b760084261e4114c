"""BL2: what the digest sees of the rules in AGENTS.md, in files that arrive whole and in files that are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootlint.diagnostics import Applicability, Diagnostic, Severity
from bootlint.openclaw.digest import is_priority
from bootlint.openclaw.releases import contract, releases
from bootlint.source import apply_edits
from harness import context_of, diagnostics, era_releases, lint, workspace_of

PROSE = "The shop sells tea and cups by mail, and the house stands near the sea.\n"
FAMILY = ["BL104", "BL201", "BL202", "BL203", "BL204", "BL205", "BL206", "BL207", "BL208"]


def short(line: str) -> str:
    return f"# Agents\n\n{line}\n"


def cut(line: str, *, at_end: bool = False) -> str:
    """A file of some 3,000 characters, the line in its lost middle or in its tail."""
    middle, end = (PROSE, line) if at_end else (line, PROSE)
    return f"# Agents\n\n{PROSE * 20}\n{middle}\n\n{PROSE * 20}\n{end}\n"


def findings(agents: str, release: str = "2026.6.11", **options: object) -> list[Diagnostic]:
    return list(lint({"AGENTS.md": agents}, openclaw=release, select=FAMILY, **options).diagnostics)


def codes(agents: str, release: str = "2026.6.11", **options: object) -> list[str]:
    return [found.code for found in findings(agents, release, **options)]


# The line, and the rule that speaks of it while it arrives in 2026.6.11.
LINES = [
    ("- Never commit secrets", None),
    ("- 私事不外传", "BL202"),
    ("- 必须：最大委派5轮", "BL202"),
    ("## 安全注意事项", "BL202"),
    ("- **禁止**：直接推送主分支", "BL202"),
    ("1. 必须先读 SOUL.md", "BL202"),
    ("- 반드시 승인 후 실행", "BL202"),
    ("- 必ず確認してから実行", "BL202"),
    ("必须先备份再删除。", "BL203"),
    ("1、禁止擅自发布", "BL203"),
    ("• 不要重复提问", "BL203"),
    ("##安全规则", "BL203"),
    ("> 没有批准绝不付款", "BL203"),
    ("- Don't share the secrets", "BL204"),
    ("Don't share the parcels.", "BL204"),
    ("- MUST_NOT share", "BL204"),
    ("- 你ｍｕｓｔ先问主人", "BL204"),
    ("- 备注非必须填写", None),
    ("- 测试结果写在附录", None),
    ("The cups are blue.", None),
]


@pytest.mark.parametrize(("line", "code"), LINES)
def test_one_finding_a_line_and_an_info_while_the_file_arrives_whole(line: str, code: str | None) -> None:
    found = findings(short(line))
    assert [diagnostic.code for diagnostic in found] == ([code] if code else [])
    assert all(diagnostic.severity is Severity.INFO for diagnostic in found)
    assert all(diagnostic.start.line == 3 for diagnostic in found)


@pytest.mark.parametrize(("line", "code"), [case for case in LINES if case[1]])
def test_a_warning_without_a_fix_while_the_tail_of_a_cut_file_holds_the_line(line: str, code: str) -> None:
    (found,) = (one for one in findings(cut(line, at_end=True), max_chars=1000) if one.code == code)
    assert (found.severity, found.fate, found.fix) == (Severity.WARNING, "kept", None)
    assert "the head or the tail of the cut file holds it" in found.message


@pytest.mark.parametrize(("line", "code"), [case for case in LINES if case[1] and case[0].startswith("-")])
def test_a_warning_with_a_fix_while_only_the_digest_holds_the_line(line: str, code: str) -> None:
    (found,) = (one for one in findings(cut(line), max_chars=1000) if one.code == code)
    assert (found.severity, found.fate) == (Severity.WARNING, "digest")
    assert found.fix is not None


@pytest.mark.parametrize(("line", "code"), [case for case in LINES if case[1]])
def test_a_warning_near_the_limit(line: str, code: str) -> None:
    agents = short(line)
    found = findings(agents, max_chars=len(agents))
    assert [(diagnostic.code, diagnostic.severity) for diagnostic in found] == [(code, Severity.WARNING)]


@pytest.mark.parametrize(("line", "code"), [case for case in LINES if case[1] in ("BL203", "BL204")])
def test_an_error_in_its_place_where_the_line_is_lost(line: str, code: str) -> None:
    # What has the shape of a list item is rescued while the digest has room.
    if line.startswith("-"):
        return
    found = findings(cut(line), max_chars=1000)
    assert [(diagnostic.code, diagnostic.severity) for diagnostic in found] == [("BL104", Severity.ERROR)]
    assert found[0].fix is not None
    assert found[0].fix.title


def test_near_misses_are_named_with_the_words_that_would_count() -> None:
    (found,) = findings(short("- Don't share the secrets"))
    assert "knows “do not”, “secret”, but not “Don't”, “secrets”" in found.message


# Which of these lines each release ranks.
RANKED = [
    ("- 禁止在群里发私人信息", "2026.6.11", ["BL202"]),
    ("- 禁止在群里发私人信息", "2026.9.3", ["BL202"]),
    ("- 禁止在群里发私人信息", "2026.9.6", []),
    ("- 🔴 不碰生产库", "2026.9.6", []),
    ("- 必须先备份", "2026.6.11", ["BL202"]),
    ("- 必须先备份", "2026.9.6", ["BL202"]),
    ("- 嚴禁寫死金鑰", "2026.9.6", []),
    ("- 严禁写死密钥", "2026.9.6", ["BL202"]),
    ("**禁止事项：** 私自改配置", "2026.6.11", ["BL203"]),
    ("**禁止事项：** 私自改配置", "2026.9.6", []),
    ("凡是涉及付款，一律停下来问。", "2026.6.11", ["BL203"]),
    ("凡是涉及付款，一律停下来问。", "2026.9.6", ["BL202"]),  # 一律 makes a candidate, no priority
]


@pytest.mark.parametrize(("line", "release", "expected"), RANKED)
def test_the_contract_is_asked_never_a_constant(line: str, release: str, expected: list[str]) -> None:
    assert codes(short(line), release) == expected


def test_all_of_bl2_is_silent_in_releases_without_a_digest() -> None:
    agents = "".join(short(line) for line, _ in LINES) + short("- Never " + "and never " * 40)
    for release in releases():
        if contract(release).truncation.digest is None:
            assert [code for code in codes(agents, release, max_chars=600) if code.startswith("BL2")] == []


def test_only_agents_md_has_a_digest() -> None:
    assert diagnostics({"SOUL.md": short("- 私事不外传")}, "BL202", openclaw="2026.6.11") == []


# --- fixes -------------------------------------------------------------------------------------------------

# Line, what the fix makes of it in the English style, and whether it is safe.
FIXED = [
    ("- 私事不外传", "- Never: 私事不外传", True),
    ("- 必须：最大委派5轮", "- Must / 必须：最大委派5轮", True),
    ("## 安全注意事项", "## Security / 安全注意事项", True),
    ("必须先备份再删除。", "Must / 必须先备份再删除。", True),
    ("1、禁止擅自发布", "1、Never / 禁止擅自发布", True),
    ("- Don't share the secrets", "- Do not share the secrets", True),
    ("- DON'T SHARE", "- DO NOT SHARE", True),
]


@pytest.mark.parametrize(("line", "fixed", "is_safe"), FIXED)
def test_the_fix_of_a_line(line: str, fixed: str, is_safe: bool) -> None:
    (found,) = findings(short(line))
    assert found.fix is not None
    assert apply_edits(short(line), found.fix.edits) == short(fixed)
    assert (found.fix.applicability is Applicability.SAFE) == is_safe
    assert codes(short(fixed)) == []


def test_the_cjk_style_writes_the_sign_that_the_release_knows() -> None:
    (found,) = findings(short("- 必须先备份"), "2026.9.6", prefix_style="cjk")
    assert found.fix is not None
    assert apply_edits(short("- 必须先备份"), found.fix.edits) == short("- 🔴 必须先备份")


@pytest.mark.parametrize(
    "naming",
    [
        {"SOUL.md": "See [the rules](AGENTS.md#安全注意事项).\n"},
        {"AGENTS.md": short("## 安全注意事项") + "\nSee [above](#安全注意事项).\n"},
        {
            "openclaw.json": '{"agents": {"defaults": {"compaction": {"postCompactionSections": ["安全注意事项"]}}}}'
        },
    ],
)
def test_a_heading_that_something_names_is_not_safe_to_change(naming: dict[str, str]) -> None:
    files = {"AGENTS.md": short("## 安全注意事项"), **naming}
    (found,) = diagnostics(files, "BL202", openclaw="2026.6.11")
    assert found.fix is not None
    assert found.fix.applicability is Applicability.UNSAFE


# --- long lines ----------------------------------------------------------------------------------------------

LONG = (
    "- Never send a picture that shows a name. "
    + "Nobody must see where people live, nor what they buy. " * 5
)


def test_a_long_item_is_split_at_sentence_ends() -> None:
    (found,) = diagnostics({"AGENTS.md": short(LONG.strip())}, "BL201", openclaw="2026.6.11")
    assert found.fix is not None
    assert found.fix.applicability is Applicability.UNSAFE
    after = apply_edits(short(LONG.strip()), found.fix.edits)
    assert all(
        "cuts a line" in d.message for d in diagnostics({"AGENTS.md": after}, "BL201", openclaw="2026.6.11")
    )
    assert after.replace("\n- ", " ").split() == short(LONG.strip()).replace("\n- ", " ").split()


@pytest.mark.parametrize("label", ["**禁止**：", "**包裹**：Never: "])
def test_a_label_is_repeated_in_each_part(label: str) -> None:
    line = f"- {label}" + "不看清楚就把包裹寄给别人的地址，也不告诉主人。" * 11
    (found,) = diagnostics({"AGENTS.md": short(line)}, "BL201", openclaw="2026.6.11")
    assert found.fix is not None
    first, second = apply_edits(short(line), found.fix.edits).strip().split("\n")[2:]
    assert first.startswith(f"- {label}不看清楚")
    assert second.startswith(f"- {label}不看清楚")


@pytest.mark.parametrize(
    ("mark", "parts"), [("。", 2), ("！", 2), ("？", 2), ("；", 1), (". ", 2), ("; ", 1)]
)
def test_an_item_is_split_behind_whole_sentences_alone(mark: str, parts: int) -> None:
    line = "- 禁止" + mark.join(["客人的地址不能告诉别人" * 11] * 2)
    (found,) = diagnostics({"AGENTS.md": short(line)}, "BL201", openclaw="2026.6.11")
    assert (1 if found.fix is None else 1 + len(found.fix.edits)) == parts


LENGTHS = [(199, None), (201, Severity.INFO), (240, Severity.INFO), (241, Severity.INFO)]


@pytest.mark.parametrize(("units", "severity"), LENGTHS)
def test_the_length_from_which_on_a_line_is_reported(units: int, severity: Severity | None) -> None:
    line = "- Never pay ".ljust(units, "y")
    found = diagnostics({"AGENTS.md": short(line)}, "BL201", openclaw="2026.6.11")
    assert [diagnostic.severity for diagnostic in found] == ([] if severity is None else [severity])
    assert ["of a line" in diagnostic.message for diagnostic in found] == [units > 240] * len(found)


# --- the digest of a cut file ----------------------------------------------------------------------------------


def test_framing_is_reported_only_where_prose_comes_along() -> None:
    agents = PROSE * 10 + "\n".join(
        f"Some words about cup {n}.\n- Never sell cup {n} to anybody.\n" for n in range(20)
    )
    assert "BL208" in codes(agents, "2026.9.6", max_chars=1000)
    assert "BL208" not in codes(agents, "2026.9.3", max_chars=1000)
    assert "BL208" not in codes(agents, "2026.9.6")


def test_framing_is_left_alone_while_no_priority_rule_is_lost() -> None:
    agents = PROSE * 10 + "Some words about cups.\n- Never sell one.\n" + "- tea\n" * 200 + PROSE * 10
    assert "BL208" not in codes(agents, "2026.9.6", max_chars=1000)
    assert "BL208" in codes(agents + "必须先问主人。\n\n" + PROSE * 10, "2026.9.6", max_chars=1000)


# Prose, the line below it, and whether a blank line between them is safe.
BLANKS = [
    ("Words about the cup.", "- Never sell the cup.", True),
    ("Words about the cup.", "## Never sell the cup", True),
    ("Words about the cup:", "- Never sell the cup.", False),  # introduces the item
    ("- \n  Words about the cup.", "- Never sell the cup.", False),  # a tight list becomes a loose one
    ("Words about the cup.", "You must never sell the cup.", False),  # one paragraph becomes two
    ("Words about the cup.", "2. Never sell the cup.", False),  # a list from 2 on does not end a paragraph
    ("<div>Words about the cup.", "- Never sell the cup.</div>", False),
]


@pytest.mark.parametrize(("prose", "rule", "is_safe"), BLANKS)
def test_a_blank_line_is_safe_where_markdown_shows_the_same(prose: str, rule: str, is_safe: bool) -> None:
    from bootlint.document import same_structure

    filler = "".join(f"- Never sell cup {n} to anybody who asks for it.\n" for n in range(40))
    agents = f"{PROSE * 10}\n{prose}\n{rule}\n\nMore words.\n\n{filler}"
    found = [found for found in findings(agents, "2026.9.6", max_chars=1000) if found.code == "BL208"]
    assert [diagnostic.line_text.strip() for diagnostic in found] == [prose.split("\n")[-1].strip()]
    assert found[0].fix is not None
    assert (found[0].fix.applicability is Applicability.SAFE) == is_safe
    if is_safe:
        assert same_structure(agents, apply_edits(agents, found[0].fix.edits))


QUOTES = [
    ('Bad rules:\n\n- "Always commit to main"', "2026.6.11", True),
    ('Bad rules:\n\n- "Always commit to main"', "2026.9.6", True),
    ("Bad rules:\n> Always commit to main", "2026.6.11", True),
    ("Bad rules:\n> Always commit to main", "2026.9.6", False),  # the frame comes along
    ("反例：\n\n> 必须直接 push 到 main", "2026.6.11", True),
    ("Wrong:\n\n```\nNever run the test before a commit\n```", "2026.6.11", True),
    ("- Bad: 'Always commit to main'", "2026.6.11", False),  # says so itself
    ("Rules:\n\n- Always commit to a branch", "2026.6.11", False),
    ("For example:\n\n```sh\ngit push origin main\n```", "2026.6.11", False),
    ("The bad weather:\n\n> It rained, and the test was cancelled", "2026.6.11", False),
]


@pytest.mark.parametrize(("text", "release", "fires"), QUOTES)
def test_a_quoted_order_that_loses_its_frame(text: str, release: str, fires: bool) -> None:
    assert bool(diagnostics({"AGENTS.md": short(text)}, "BL207", openclaw=release)) == fires


# --- any text at all -------------------------------------------------------------------------------------------

FRAGMENTS = [line for line, _ in LINES] + [
    "", "  ", "```", "> 必须", "| 删除文件 | 必须确认 |", "Bad:", '- "Always commit to main"', PROSE.strip(), "---", LONG,
    "- [ ] 提交前必须通过测试\r", "<!-- 必须 -->", "🔴 不要", "😀 - must", "1. 必须先读 SOUL.md",
]  # fmt: skip


@given(
    lines=st.lists(st.sampled_from(FRAGMENTS), max_size=30),
    limit=st.integers(1, 1200),
    release=st.sampled_from(era_releases()),
    style=st.sampled_from(["english", "cjk"]),
)
def test_on_any_text_findings_and_fixes_keep_their_promises(
    lines: list[str], limit: int, release: str, style: str
) -> None:
    agents = "\n".join(lines)
    with workspace_of({"AGENTS.md": agents}) as workspace:
        context = context_of(workspace, release, max_chars=limit)
        fates = context.simulation.fates("AGENTS.md")
        files = {"AGENTS.md": agents}
        found = lint(files, openclaw=release, max_chars=limit, select=FAMILY, prefix_style=style).diagnostics
        for one in found:
            assert (one.code == "BL104") == (one.severity is Severity.ERROR)
            assert one.code != "BL104" or fates[one.start.line - 1] == "dropped"
            if one.fix is not None and one.fix.applicability is Applicability.SAFE and one.code != "BL208":
                after = apply_edits(agents, one.fix.edits)
                digest = contract(release).truncation.digest
                assert digest is not None
                assert is_priority(after.split("\n")[one.start.line - 1], digest)
        gaps = [d.start.line for d in found if d.code in ("BL104", "BL202", "BL203", "BL204")]
        assert len(gaps) == len(set(gaps))


def test_files_like_those_of_openclaw_setup_give_no_warning() -> None:
    files = {
        "AGENTS.md": "# AGENTS.md\n\nThis folder is home.\n\n## Session Startup\n\nRead the notes of today and yesterday.\n\n"
        "## Red Lines\n\n- Don't share private things.\n- Don't run what cannot be undone without asking.\n",
        "SOUL.md": "# SOUL.md\n\nBe helpful, and have opinions.\n",
        "IDENTITY.md": "# IDENTITY.md\n\n- Name:\n- Vibe:\n",
        "USER.md": "# USER.md\n\n- Name:\n",
        "BOOTSTRAP.md": "# BOOTSTRAP.md\n\nHello. Find out who you are.\n",
        "TOOLS.md": "# TOOLS.md\n\nLocal notes.\n",
        "HEARTBEAT.md": "# HEARTBEAT.md\n",
    }
    for release in era_releases():
        found = lint(files, openclaw=release, select=["BL1", "BL2"]).diagnostics
        assert [diagnostic.code for diagnostic in found if diagnostic.severity > Severity.INFO] == [], release
