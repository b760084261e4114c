"""`bootlint show`: bars, maps and tables that say the same as the simulation, and one JSON for all that draws."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, cast
from unicodedata import combining, east_asian_width

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

import bootlint
from bootlint.checks.context import Context
from bootlint.cli import main
from bootlint.cost import ENCODING, Cost, cost, stretches, token_counter
from bootlint.openclaw.jstext import utf16_len
from bootlint.overview import overview
from bootlint.records import replace
from bootlint.reporters import show_text
from bootlint.reporters.show_json import document
from bootlint.reporters.show_text import Look
from bootlint.reporters.signs import LINE_SIGNS, SHARE_SIGNS
from bootlint.simulation import SESSION_KINDS, Simulation
from bootlint.situations import basis
from bootlint.wording import LANGUAGES, Language
from bootlint.workspace import Workspace
from harness import era_releases, settings_of, workspace_of
from test_reporters import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bootlint.cost import TokenCounter
    from bootlint.overview import FileOverview, Overview
    from bootlint.simulation import Situation
    from harness import Entry

HERE = Path(__file__).parent
SHOP = HERE / "workspaces" / "shop"
SCHEMA = json.loads((HERE / "schemas" / "show.json").read_text(encoding="utf-8"))

# Every fate, every part, files that are cut, whole, skipped, empty, missing, refused, outside the context.
CROWDED: Mapping[str, Entry] = {
    "AGENTS.md": "# Head 👩‍👩‍👧\n\n- First.\n" + "Some prose. 说明文字。\n\n" * 40 + "## 规则\n\n"
    "- Never lie.\n必须先备份。\n- Must " + "keep a very long line " * 20 + "\n" + "More prose.\n" * 60 + "## End\n- Last 🎉.\n",
    "SOUL.md": "平实。\r\n不夸大。\r\n",
    "USER.md": "",
    "IDENTITY.md": "# " + "很长的标题" * 30 + "\n" + "x" * 700,
    "BOOTSTRAP.md": "# Setup\n",
    "MEMORY.md": "# Memory\n" + "- 一件事。\n" * 200,
    "users/ada/USER.md": "- Ada.\n",
    "agents.md": "- Never.\n",
}  # fmt: skip


def fake_count(text: str) -> int:
    """A tokenizer that needs none."""
    return len(text.encode("utf-8", "replace")) // 3


def views_of(
    workspace: Workspace, situation: Situation, *kinds: str, count: TokenCounter | None = fake_count
) -> list[Overview]:
    situations = [replace(situation, session=kind) for kind in kinds or SESSION_KINDS]
    return [overview(Context(Simulation(workspace, one)), count) for one in situations]


def situation_of(workspace: Workspace, **options: object) -> Situation:
    return basis(workspace, settings_of("", **options)).situations[0]


def shop_views(*kinds: str, count: TokenCounter | None = fake_count) -> list[Overview]:
    workspace = Workspace.at(SHOP)
    options = {"openclaw": "2026.6.11", "max-chars": 2000, "total-max-chars": 3000}
    return views_of(workspace, situation_of(workspace, **options), *kinds, count=count)


def crowded_views(release: str, **options: object) -> Iterator[tuple[Simulation, Overview]]:
    """Each session kind of the crowded workspace, little room in it."""
    with workspace_of(CROWDED) as workspace:
        limits: dict[str, object] = {"max-chars": 900, "total-max-chars": 2600, **options}
        situation = situation_of(workspace, openclaw=release, **limits)
        for kind in SESSION_KINDS:
            simulation = Simulation(workspace, replace(situation, session=kind))
            yield simulation, overview(Context(simulation), fake_count)


# --- the overview ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", era_releases())
def test_every_number_is_the_simulations(release: str) -> None:
    for simulation, view in crowded_views(release):
        files = {file.name: file for file in view.files}
        assert set(simulation.injected) <= set(files)
        for name, injected in simulation.injected.items():
            file = files[name]
            assert "".join(excerpt.text for excerpt in file.excerpts) == injected.content
            assert file.injected == cost([injected.content], fake_count)
            assert sum(part.chars for part in file.parts.values()) == utf16_len(injected.content)
        for name, file in files.items():
            lines = [fate for fate, first, last in file.runs for _ in range(first, last + 1)]
            assert tuple(lines) == file.fates
            assert all(one[0] != other[0] for one, other in pairwise(file.runs))
            if name in simulation.workspace.files:
                assert file.lost_chars == (simulation.lost_chars(name) if file.is_meant else 0)
                assert len(lines) == len(simulation.workspace.files[name].source.lines)


@pytest.mark.parametrize("release", era_releases())
def test_an_excerpt_names_its_place_in_the_source(release: str) -> None:
    places = 0
    for _, view in crowded_views(release):
        for file in view.files:
            assert file.file is not None or all(excerpt.source is None for excerpt in file.excerpts)
            for excerpt in file.excerpts:
                if file.file is None or excerpt.source is None:
                    continue
                source, (start, end) = file.file.source, excerpt.source
                places += 1
                from_start = source.text[source.line_starts[start.line - 1] + start.column - 1 :]
                if excerpt.part in ("head", "tail"):
                    assert from_start.startswith(excerpt.text)
                    assert source.position(len(source.text) - len(from_start) + len(excerpt.text)) == end
                else:
                    assert start.line <= end.line <= start.line + 1
    assert places > 20


def test_lost_rules_are_those_that_do_not_arrive_whole() -> None:
    (view,) = shop_views("main")
    agents = view.files[0]
    assert agents.file is not None
    lost = [agents.file.source.lines[line - 1] for line in sorted(agents.lost_rules)]
    beginnings = [
        "- Must: write ",
        "## 安全注意事项",
        "- 私事不外传",
        "- **禁止**：在群里发",
        "- 未经同意不能删文件",
        "| 删除订单 | 必须先备份",
        "| 改价格 | 必须店主确认",
        "必须先备份再清理旧图片。",
    ]
    assert all(line.startswith(start) for line, start in zip(lost, beginnings, strict=True))
    assert view.priority_rules - view.reached == len(lost)


def test_what_is_not_sent_loses_nothing() -> None:
    (view,) = shop_views("subagent")
    soul = next(file for file in view.files if file.name == "SOUL.md")
    assert soul.priority_lines
    assert (soul.status, soul.lost_rules, soul.injected.chars) == ("not-loaded", frozenset(), 0)
    assert view.lost_chars == view.files[0].lost_chars


def test_a_session_starts_with_the_files_under_their_headings() -> None:
    files: dict[str, Entry] = {"SOUL.md": "Be kind.\n", "USER.md": "Lin\n"}
    with workspace_of(files) as workspace:
        situation = situation_of(workspace, openclaw="2026.9.6", **{"workspace-path": "/w"})
        (view,) = views_of(workspace, situation, "cron", count=None)
    assert view.start == Cost(
        len(
            "## /w/AGENTS.md\n[MISSING] Expected at: /w/AGENTS.md\n## /w/SOUL.md\nBe kind.\n## /w/IDENTITY.md\n"
            "[MISSING] Expected at: /w/IDENTITY.md\n## /w/USER.md\nLin"
        )
    )


@pytest.mark.parametrize(
    ("release", "in_context"), [("2026.4.15", True), ("2026.4.20", False), ("2026.5.4", True)]
)
def test_a_file_can_spend_budget_and_stand_outside_of_the_context(release: str, in_context: bool) -> None:
    with workspace_of({"BOOTSTRAP.md": "# Setup\n"}) as workspace:
        (view,) = views_of(workspace, situation_of(workspace, openclaw=release), "main")
    file = next(file for file in view.files if file.name == "BOOTSTRAP.md")
    assert (file.status, file.injected.chars, file.in_context) == ("injected", 7, in_context)
    assert ("outside the Project Context" in show_text.render([view], Look("en"))) != in_context


# --- what it costs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "chars", "estimated"),
    [("", 0, 0), ("a", 1, 1), ("abcd", 4, 1), ("必须先备份", 5, 2), ("🎉🎉🎉", 6, 2)],
)
def test_openclaw_reckons_a_quarter_of_the_units(text: str, chars: int, estimated: int) -> None:
    found = cost([text], None)
    assert (found.chars, found.estimated_tokens, found.tokens) == (chars, estimated, None)


def real_counter() -> TokenCounter:
    count = token_counter()
    assert count is not None, "the extra `test` holds the extra `tokens`"
    return count


def test_the_tokenizer_counts_without_a_network() -> None:
    # The first two: what OpenAI's own tokenizer shows for o200k_base.
    count = real_counter()
    assert [count(text) for text in ("hello world", "tiktoken is great!", "", "<|endoftext|>")] == [
        2,
        6,
        0,
        7,
    ]
    assert ENCODING == "o200k_base"


@given(st.text(st.sampled_from("ab 必é1/.!\n\r\t\u2028 \U0001f389'"), max_size=300), st.integers(1, 40))
def test_counting_in_stretches_counts_the_same(text: str, least: int) -> None:
    from bpe_openai import get_encoding

    encode = get_encoding(ENCODING).encode_ordinary
    assert "".join(stretches(text, least)) == text
    assert sum(len(encode(part)) for part in stretches(text, least)) == len(encode(text))


def test_a_long_text_is_counted_in_stretches() -> None:
    assert real_counter()("Never lie.\n" * 200_000) == 200_000 * 3


def test_a_text_that_the_tokenizer_refuses_has_no_count() -> None:
    assert real_counter()("必" * 900_000) is None
    assert cost(["a", "必" * 900_000], real_counter()).tokens is None


def test_without_the_extra_there_is_only_the_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    assert token_counter() is None
    (view,) = shop_views("main", count=None)
    text = show_text.render([view], Look("en"))
    assert "(~500 tokens)" in text
    assert ENCODING not in text
    assert document([view])["tokenizer"] is None


# --- the terminal ------------------------------------------------------------------------------------------


def assert_snapshot(name: str, text: str) -> None:
    snapshot = HERE / "snapshots" / f"{name}.txt"
    if os.environ.get("BOOTLINT_UPDATE_SNAPSHOTS"):
        snapshot.write_text(text, encoding="utf-8")
    assert text == snapshot.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [80, 160])
@pytest.mark.parametrize(
    ("name", "kinds", "full"),
    [("map", ("main",), False), ("full", ("main",), True), ("table", SESSION_KINDS, False)],
)
def test_terminal(name: str, kinds: tuple[str, ...], full: bool, width: int, language: Language) -> None:
    text = show_text.render(shop_views(*kinds), Look(language, width=width, full=full))
    assert_snapshot(f"show-{name}-{width}-{language}", text)


def cells_of(text: str) -> int:
    """Terminal cells by the Unicode tables of Python, for text without joined emoji."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


MAP_ROW = re.compile(r"  +\d+  (?P<title>.*?)  (?P<strip>[-+*~!]+)$")


@pytest.mark.parametrize("width", [20, 40, 57, 80, 160])
def test_bars_and_maps_stand_in_their_columns(width: int) -> None:
    texts = [show_text.render([view], Look("zh", width=width)) for _, view in crowded_views("2026.9.6")]
    texts += [show_text.render(shop_views("main"), Look("en", width=width))]
    for text in texts:
        bars = [line for line in text.splitlines() if re.fullmatch(r"  \[[-+*=.]*\]", line)]
        assert {cells_of(bar) for bar in bars} == {max(width, 40) - 2}
        for block in text.split("\n\n"):
            rows = [row for row in map(MAP_ROW.fullmatch, block.replace("👩‍👩‍👧", "👩").splitlines()) if row]
            assert len({cells_of(row.string[: row.start("strip")]) for row in rows}) <= 1
            assert all(cells_of(row.string) <= max(width, 40) for row in rows)


def bar_of(file: FileOverview, width: int = 80) -> str:
    (view,) = shop_views("main")
    text = show_text.render([replace(view, files=(file,))], Look("en", width=width))
    return next(line.strip()[1:-1] for line in text.splitlines() if line.startswith("  ["))


def test_a_bar_is_shared_out_in_proportion() -> None:
    (view,) = shop_views("main")
    agents = view.files[0]
    bar = bar_of(agents)
    amounts = [
        (SHARE_SIGNS["digest"], agents.parts["digest"].chars),
        (SHARE_SIGNS["marker"], agents.parts["marker"].chars),
        (SHARE_SIGNS["lost"], agents.lost_chars),
    ]
    total = sum(part.chars for part in agents.parts.values()) + agents.lost_chars
    for sign, amount in amounts:
        assert abs(bar.count(sign) - len(bar) * amount / total) <= 2
    assert [sign for sign, other in pairwise(" " + bar) if sign != other] == [" ", "+", "*", "=", "+"]


@pytest.mark.parametrize("lost", [1, 10, 10_000_000])
def test_what_is_lost_is_seen_however_little_and_what_stays_however_much_is_lost(lost: int) -> None:
    bar = bar_of(replace(shop_views("main")[0].files[0], lost_chars=lost))
    assert set(bar) == set("+*=-")
    assert len(bar) == 74


def test_a_map_has_a_sign_for_each_line_that_is_not_blank() -> None:
    (view,) = shop_views("main")
    rows = [row for row in map(MAP_ROW.fullmatch, show_text.render([view], Look("en")).splitlines()) if row]
    for file in view.files:
        if file.file is None:
            continue
        signs = "".join(
            LINE_SIGNS["lost-rule" if line in file.lost_rules else fate or "not-sent"]
            for line, fate in enumerate(file.fates, 1)
            if fate != "blank"
        )
        sections = len(file.file.document.headings)
        assert "".join(row["strip"] for row in rows[:sections]) == signs
        del rows[:sections]


def test_a_long_section_is_drawn_smaller_its_worst_line_first() -> None:
    lines = ["- Fine.\n"] * 400
    lines[200] = "- Never lie.\n"
    with workspace_of({"SOUL.md": "".join(lines)}) as workspace:
        situation = situation_of(workspace, openclaw="2026.9.6", **{"max-chars": 700})
        text = show_text.render(views_of(workspace, situation, "main"), Look("en"))
    (strip,) = re.findall(r"^ +1  +([-+~!]+)$", text, re.MULTILINE)
    assert len(strip) == 67
    assert strip.count("!") == 1
    assert "one sign for 6 lines: the worst of them" in text


def test_full_shows_what_a_torn_line_loses() -> None:
    (view,) = shop_views("main")
    text = show_text.render([view], Look("en", full=True))
    assert "32 ~ | 打招呼用“您好”，" in text
    assert "说明前一次没有讲[-清楚，换一种说法。-]\n" in text
    assert "48 * | - 必须：退款超过 200 元先问店主\n" in text
    (long,) = re.findall(r"^  50 ! \| (.*)\[-(.*)-\]$", text, re.MULTILINE)
    assert len(long[0]) == 239  # and the ellipsis


def test_colours_change_nothing_but_colours() -> None:
    for kinds, full in ((("main",), False), (("main",), True), (SESSION_KINDS, False)):
        views = shop_views(*kinds)
        plain, coloured = (
            show_text.render(views, Look("zh", colour=colour, full=full)) for colour in (False, True)
        )
        assert "\x1b[" in coloured
        assert "\x1b[" not in plain
        assert Text.from_ansi(coloured).plain.rstrip() == plain.rstrip()


HOSTILE = "\x1b[31mred ##[error]x ::error:: \u202eabc \x00 <script>"


def test_hostile_text_is_written_out() -> None:
    files: dict[str, Entry] = {
        "SOUL.md": f"# {HOSTILE}\n- Never {HOSTILE}\n",
        f"users/{HOSTILE[:12]}/USER.md": "x",
    }
    with workspace_of(files) as workspace:
        situation = situation_of(workspace, openclaw="2026.9.6", **{"max-chars": 120})
        views = views_of(workspace, situation)
    for text in (
        show_text.render(views[:1], Look("en")),
        show_text.render(views[:1], Look("en", full=True)),
        show_text.render(views, Look("en")),
    ):
        assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)
        assert "##[" not in text


@pytest.mark.parametrize(
    ("is_terminal", "environment", "coloured"),
    [(True, {}, True), (True, {"NO_COLOR": "1"}, False), (False, {}, False)],
)
def test_colours_are_for_terminals_that_want_them(
    is_terminal: bool, environment: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stdout = Terminal(is_terminal=is_terminal)
    monkeypatch.setattr(sys, "stdout", stdout)
    assert main(["show", "--quiet", str(SHOP)]) == 0
    assert (b"\x1b[" in stdout.shown) == coloured


# --- JSON --------------------------------------------------------------------------------------------------


def shown_json(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, object]:
    assert main(["show", "--output-format", "json", *options, str(SHOP)]) == 0
    return cast("dict[str, object]", json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("release", era_releases())
def test_the_json_fits_its_schema(release: str) -> None:
    views = [view for _, view in crowded_views(release)]
    jsonschema.validate(document(views), SCHEMA)
    jsonschema.validate(document(views[:1]), SCHEMA)


def test_json_has_one_shape_whatever_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    one, all_kinds = shown_json(capsys, "--session", "cron"), shown_json(capsys, "--all-sessions")
    sessions = cast("list[dict[str, object]]", all_kinds.pop("sessions"))
    assert [session["session"] for session in sessions] == list(SESSION_KINDS)
    assert one == {**all_kinds, **sessions[3]}


def test_content_is_what_is_injected_and_lines_are_its_fates(capsys: pytest.CaptureFixture[str]) -> None:
    found = cast("list[dict[str, object]]", shown_json(capsys)["files"])
    injected = bootlint.simulate(SHOP)
    contents = {file["name"]: file["content"] for file in found if file["content"] is not None}
    assert contents == {file.name: file.content for file in injected.files}
    agents = found[0]
    lines = cast("list[dict[str, object]]", agents["lines"])
    assert [line["line"] for line in lines] == list(range(1, len(lines) + 1))
    assert {"kept", "digest", "dropped"} <= {line["fate"] for line in lines}


def test_the_readme_shows_every_key_of_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (HERE.parent / "README.md").read_text(encoding="utf-8")
    section = readme.split("## `show --output-format json`")[1].split("\n## ")[0]

    def keys(value: object) -> set[str]:
        if isinstance(value, dict):
            return set(value).union(*map(keys, value.values()))
        return set().union(*map(keys, value)) if isinstance(value, list) else set()

    found = shown_json(capsys, "--all-sessions")
    names = set(cast("dict[str, object]", found["sources"]))
    assert {key for key in keys(found) - names if not re.search(f'["`]{key}["`]', section)} == set()


def test_half_a_surrogate_pair_is_six_characters_in_json_and_one_in_the_raw_text(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The oldest releases cut between any two units."""
    (tmp_path / "SOUL.md").write_text("x" + "🎉" * 100, encoding="utf-8")
    options = ("show", "--openclaw", "2026.1.29", "--max-chars", "100", str(tmp_path), "-q")
    assert main([*options, "--output-format", "json"]) == 0
    files = json.loads(capfdbinary.readouterr().out)["files"]
    (content,) = (file["content"] for file in files if file["name"] == "SOUL.md")
    assert content.startswith("x" + "🎉" * 34 + "\\ud83c\n")
    assert main([*options, "--raw", "SOUL.md"]) == 0
    assert capfdbinary.readouterr().out.decode().startswith("x" + "🎉" * 34 + "\ufffd\n")


# --- the command line --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--full", "--html", "a.html"), "--html: not allowed with argument --full"),
        (("--raw", "SOUL.md", "--output-format", "json"), "--output-format: not allowed with argument --raw"),
        (("--all-sessions", "--full"), "--raw and --full show one session kind; --session says which"),
        (("--all-sessions", "--raw", "SOUL.md"), "--raw and --full show one session kind"),
        (("--html", str(SHOP)), "shop: cannot be written: Is a directory"),
        (("--openclaw", "2026.6.11,latest"), "show takes one release"),
    ],
)
def test_contradictions_are_one_line(
    options: tuple[str, ...], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "--quiet", *options, str(SHOP)]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert error in errors
    assert errors.count("\n") == 1


def test_a_terminal_that_is_not_utf8_gets_every_line() -> None:
    environment = {
        **os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": str(HERE.parent),
    }  # fmt: skip
    command = [sys.executable, "-m", "bootlint", "show", "--language=zh", str(SHOP)]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert done.stdout.count(b"\n") == show_text.render(shop_views("main"), Look("zh")).count("\n")
