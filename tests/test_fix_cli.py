"""`bootlint fix` on the command line: what it writes and prints, and its exit status."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bootlint.cli import main
from test_fixer import LOST_SECTION, prose

if TYPE_CHECKING:
    from pathlib import Path

RELEASE = ("--openclaw", "2026.6.11", "--isolated")
AGENTS = "# Agents\n\n- 私事不外传\n"
FIXED = "# Agents\n\n- Never: 私事不外传\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, **texts: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_bytes(text.encode())


def read(path: Path) -> str:
    return path.read_bytes().decode()


def test_it_writes_and_says_what_was_gained(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lost = f"# Agents\n\n{prose(700)}\n\n私事不外传。\n\n{prose(700)}\n"
    write(here, AGENTS=lost)
    assert main(["fix", *RELEASE, "--max-chars", "1000", "--select", "BL104"]) == 0
    assert read(here / "AGENTS.md") == lost.replace("私事", "Never: 私事")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[:2] == [
        "AGENTS.md: 1 fix (BL104 ×1)",
        "AGENTS.md: priority rules that reach the model: 0/1 → 1/1",
    ]
    assert err.count("priority rules that reach") == 1
    assert main(["fix", *RELEASE, "--max-chars", "1000", "--select", "BL104"]) == 0
    assert "AGENTS.md: priority rules that reach the model: 1/1, all of them already before\n" in (
        capsys.readouterr().err
    )


def test_several_files_have_a_sum(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, AGENTS=AGENTS, SOUL="# Soul\n\n- Never lie\n")
    main(["fix", *RELEASE])
    assert [line for line in capsys.readouterr().err.splitlines() if "rules that reach" in line] == [
        "AGENTS.md: priority rules that reach the model: 1/1, all of them already before",
        "SOUL.md: priority rules that reach the model: 1/1, all of them already before",
        "priority rules that reach the model: 2/2, all of them already before",
    ]


def test_less_is_offered_where_nothing_was_lost(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    offer = "to change less: --scope lost changes only what is lost"
    for scope, offered in (
        (["--scope", "at-risk"], False),
        ([], True),
        ([], False),
    ):  # at last nothing is left
        write(here, AGENTS=AGENTS) if offered else None
        main(["fix", *RELEASE, *scope])
        assert (offer in capsys.readouterr().err) == offered
    write(here, AGENTS=f"# Agents\n\n{prose(700)}\n\n私事不外传。\n\n{prose(700)}\n")
    main(["fix", *RELEASE, "--max-chars", "1000"])
    assert offer not in capsys.readouterr().err


def test_a_style_that_the_release_does_not_know_is_named(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here, AGENTS=AGENTS)
    main(["fix", *RELEASE, "--prefix-style", "cjk"])
    assert read(here / "AGENTS.md") == AGENTS
    note = "prefix-style cjk adds nothing here: OpenClaw 2026.6.11 ranks no sign and no Chinese word; use english\n"
    assert note in capsys.readouterr().err
    main(["why", "AGENTS.md:3", *RELEASE, "--prefix-style", "cjk"])
    assert note in capsys.readouterr().err
    main(["fix", "--openclaw", "2026.9.6", "--isolated", "--prefix-style", "cjk"])
    assert read(here / "AGENTS.md") == AGENTS.replace("私", "🔴 私")
    assert "prefix-style" not in capsys.readouterr().err


def test_it_speaks_chinese(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, AGENTS=AGENTS)
    assert main(["fix", *RELEASE, "--language", "zh"]) == 0
    assert capsys.readouterr().err.splitlines()[:2] == [
        "AGENTS.md：修复 1 处（BL202 ×1）",
        "AGENTS.md：送达模型的硬性规则：1/1，修复前就已全部送达",
    ]


def test_each_release_has_its_own_numbers(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, AGENTS=AGENTS)
    main(["fix", "--isolated", "--openclaw", "2026.4.20,2026.6.11"])
    lines = capsys.readouterr().err.splitlines()
    assert (
        "OpenClaw 2026.4.20: AGENTS.md: priority rules that reach the model: 1/1, all of them already before"
        in lines
    )
    assert (
        "OpenClaw 2026.6.11: AGENTS.md: priority rules that reach the model: 1/1, all of them already before"
        in lines
    )
    main(["fix", "--isolated", "--openclaw", "2026.4.20,2026.6.11", "--language", "zh"])
    assert (
        "OpenClaw 2026.4.20：AGENTS.md：送达模型的硬性规则：1/1，修复前就已全部送达"
        in capsys.readouterr().err.splitlines()
    )


@pytest.mark.parametrize(("fail_on", "status"), [("error", 1), ("warning", 1)])
def test_findings_that_are_left_set_the_exit_status(here: Path, fail_on: str, status: int) -> None:
    write(here, SOUL=f"# Soul\n\n{prose(2_000)}\n")
    assert main(["fix", *RELEASE, "--max-chars", "1000", "--fail-on", fail_on]) == status


def test_what_is_held_back_is_told_once_for_a_reason(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = "".join(f"- 第{number:02}类私事不外传\n" for number in range(30))
    head = f"# Agents\n\n{rules}\n"
    write(here, AGENTS=head + prose(1_000 - len(head)))
    why = "AGENTS.md arrives whole in OpenClaw 2026.6.11, and would be cut"
    for verbose, lines in ([], ""), (["--verbose"], f" (line {', '.join(map(str, range(3, 33)))})"):
        main(["fix", *RELEASE, "--max-chars", "1000", *verbose])
        held = [line for line in capsys.readouterr().err.splitlines() if "left out" in line]
        assert held == [f"AGENTS.md: 30 fixes of BL202 left out, the lines arrive as they are{lines}: {why}"]


def test_lines_that_stay_lost_are_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = "".join(f"未经同意不能动第{number:02}号柜子里的东西。\n\n" for number in range(80))
    write(here, AGENTS=f"# Agents\n\n{prose(800)}\n\n{rules}{prose(800)}")
    main(["fix", *RELEASE, "--max-chars", "2000", "--diff"])
    held = [line for line in capsys.readouterr().err.splitlines() if "held back" in line]
    assert held
    assert all("of BL104 (line " in line and ", …): " in line for line in held)


def test_curated_memory_is_named_and_left_alone(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, AGENTS="# Agents\n", MEMORY="\ufeff# Memory\n")
    assert main(["fix", "--isolated", "--openclaw", "2026.9.6"]) == 0
    assert read(here / "MEMORY.md") == "\ufeff# Memory\n"
    assert "OpenClaw 2026.9.6 records who wrote MEMORY.md" in capsys.readouterr().err


def test_unsafe_fixes_are_offered(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, AGENTS=f"# Agents\n\n- 必须：{'先核对单号再回信，' * 30}然后归档。{'再寄给仓库，' * 20}\n")
    main(["fix", *RELEASE, "--diff"])
    assert "1 more fix needs --unsafe-fixes; look at them with --diff first\n" in capsys.readouterr().err


def test_moves_are_offered_where_rules_stay_lost(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, SOUL=LOST_SECTION)
    assert main(["fix", *RELEASE, "--max-chars", "1000"]) == 1
    assert (
        "SOUL.md: 2 priority rules still lost: --unsafe-fixes tries to move sections to where they arrive\n"
        in capsys.readouterr().err
    )
    main(["fix", *RELEASE, "--max-chars", "1000", "--unsafe-fixes"])
    assert "still lost" not in capsys.readouterr().err


CROWDED = "# Soul\n\n" + "".join(
    f"## Part {part}\n\n" + f"- 没有批准不得出售第{part}号杯子\n" * 20 + "\n" for part in range(5)
)
LONG = f"# Notes\n\n{prose(1_000)}\n\n- 私事不外传\n\n{prose(1_000)}\n"
IN_VAIN = [
    (
        {"SOUL": CROWDED},
        "--max-chars",
        "SOUL.md: 46 priority rules still lost: no move of their sections helps (5 tried); the file has "
        f"{len(CROWDED.rstrip()) - 1_000} characters too many: shorten it by so many, or move part of it to another file",
    ),
    (
        {"SOUL": LONG},
        "--max-chars",
        "SOUL.md: 1 priority rule still lost: no section can be moved; the file has "
        f"{len(LONG.rstrip()) - 1_000:,} characters too many: shorten it by so many, or move part of it to another file",
    ),
    (
        {"AGENTS": prose(1_000), "SOUL": "# Soul\n\n- Never lie.\n"},
        "--total-max-chars",
        "SOUL.md: 1 priority rule still lost: no section can be moved; the files before it leave it no room: "
        "shorten them, or raise the total limit",
    ),
]


@pytest.mark.parametrize(("texts", "limit", "told"), IN_VAIN)
def test_what_stays_lost_is_told_with_the_reason(
    here: Path, texts: dict[str, str], limit: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here, **texts)
    main(["fix", *RELEASE, limit, "1000", "--unsafe-fixes"])
    assert told in capsys.readouterr().err.splitlines()


def test_nothing_is_offered_for_a_file_that_is_left_to_the_agent(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here, USER=f"# Ada\n\n## One\n\n{LONG}\n## Two\n\n{prose(900)}\n")
    arguments = ["--isolated", "--openclaw", "2026.9.6", "--max-chars", "1000"]
    for unsafe in ([], ["--unsafe-fixes"]):
        main(["fix", *arguments, *unsafe])
        told = capsys.readouterr().err
        assert "--unsafe-fixes" not in told
        assert "USER.md: 1 priority rule still lost: OpenClaw 2026.9.6 records who wrote USER.md" in told
    main(["fix", *arguments, "--output-format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["workspaces"][0]["still_lost"]
    assert (found["path"], found["rules"], found["reason"]) == ("USER.md", 1, "curated")


# --- --diff --------------------------------------------------------------------------------------------------


def test_diff_writes_nothing(here: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write(here, AGENTS=AGENTS)
    assert main(["fix", *RELEASE, "--diff"]) == 1
    assert read(here / "AGENTS.md") == AGENTS
    assert capfdbinary.readouterr().out.decode() == (
        "--- a/AGENTS.md\n+++ b/AGENTS.md\n@@ -1,3 +1,3 @@\n # Agents\n \n-- 私事不外传\n+- Never: 私事不外传\n"
    )


def test_diff_of_nothing_is_empty(here: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write(here, AGENTS=FIXED)
    assert main(["fix", *RELEASE, "--diff"]) == 0
    assert capfdbinary.readouterr().out == b""


TEXTS = {
    "plain": AGENTS,
    "crlf": AGENTS.replace("\n", "\r\n"),
    "no newline at the end": AGENTS.rstrip("\n"),
    "byte order mark": "\ufeff" + AGENTS,
    "line separator": AGENTS.replace("# Agents", "# A\u2028g\x0cents"),
    "only a line without end": "私事不外传，任何人都一样。",
}


@pytest.mark.parametrize("tool", [["git", "apply"], ["patch", "-p1", "--binary", "-s"]], ids=["git", "patch"])
@pytest.mark.parametrize("folder", ["", "sub", "with blank", "空间", 'quote"d', "back\\slash"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_diff_applies(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes], tool: list[str], folder: str, text: str
) -> None:
    write(here / folder, AGENTS=text, SOUL="# Soul\n")
    assert main(["fix", *RELEASE, "--diff", "-q"]) == 1
    diff = capfdbinary.readouterr().out
    subprocess.run(tool, input=diff, check=True, cwd=here)
    patched = read(here / folder / "AGENTS.md")
    write(here / folder, AGENTS=text)
    assert main(["fix", *RELEASE]) == 0
    assert read(here / folder / "AGENTS.md") == patched != text


@pytest.mark.parametrize("how", [("--diff",), ("-", "--stdin-filename", "AGENTS.md")])
def test_what_is_written_to_a_terminal_holds_no_control_characters(
    how: tuple[str, ...],
    here: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "\x1b[31mRed\n\t\u202e\n\n- 私事不外传\n".replace("\n", "\r\n")
    write(here, AGENTS=text)
    give_stdin(monkeypatch, text.encode())
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(["fix", *RELEASE, *how, "-q", "--select", "BL202"])
    shown = capfdbinary.readouterr().out.decode()
    assert "\\x1b[31mRed" in shown
    assert "\t\\u202e" in shown
    assert not {"\x1b", "\u202e", "\r"} & set(shown)


def test_the_plan_of_moves_stands_before_the_diff(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    write(here, SOUL=LOST_SECTION)
    assert main(["fix", *RELEASE, "--max-chars", "1000", "--unsafe-fixes", "--diff"]) == 1
    out, err = (stream.decode() for stream in capfdbinary.readouterr())
    assert err.startswith(
        "move “Part 3” (lines 11 to 14, 32 characters) to the beginning of SOUL.md: "
        "2 more priority rules reach the model\n"
    )
    assert out.startswith("--- a/SOUL.md\n")


# --- stdin ---------------------------------------------------------------------------------------------------


def give_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize("text", [AGENTS, AGENTS.replace("\n", "\r\n"), AGENTS.rstrip()])
def test_text_of_an_editor_comes_back_repaired(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    write(here, AGENTS="# An older text\n", SOUL="\ufeff# Soul\n")
    give_stdin(monkeypatch, text.encode())
    assert main(["fix", *RELEASE, "-", "--stdin-filename", "AGENTS.md"]) == 0
    assert capfdbinary.readouterr().out.decode() == text.replace("私事", "Never: 私事")
    assert read(here / "AGENTS.md") == "# An older text\n"
    assert read(here / "SOUL.md") == "\ufeff# Soul\n"


def test_text_of_an_editor_that_needs_nothing_comes_back_as_it_was(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    give_stdin(monkeypatch, FIXED.encode())
    assert main(["fix", *RELEASE, "-", "--stdin-filename", "AGENTS.md"]) == 0
    assert capfdbinary.readouterr().out.decode() == FIXED


def test_text_of_an_editor_can_be_shown_as_a_diff(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    give_stdin(monkeypatch, AGENTS.encode())
    assert main(["fix", *RELEASE, "-", "--stdin-filename", "AGENTS.md", "--diff"]) == 1
    assert b"\n+- Never: " in capfdbinary.readouterr().out


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"# Agents \xff\n", "stdin is not UTF-8 (byte 9)"),
        (b"x" * 2_097_153, "stdin holds more than 2,097,152 bytes"),
    ],
)
def test_text_that_cannot_be_given_back_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: bytes, message: str
) -> None:
    give_stdin(monkeypatch, data)
    assert main(["fix", *RELEASE, "-", "--stdin-filename", "AGENTS.md"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"bootlint: error: {message}")


@pytest.mark.parametrize("arguments", [["-"], [".", "--stdin-filename", "AGENTS.md"], ["--scope", "lots"]])
def test_contradictions_are_one_line(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    write(here, AGENTS=AGENTS)
    assert main(["fix", *RELEASE, *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


# --- what is written -----------------------------------------------------------------------------------------


def test_a_file_that_cannot_be_written_is_one_line_and_the_others_are_written(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here, AGENTS=AGENTS, SOUL="\ufeff# Soul\n")
    (here / "AGENTS.md").chmod(0o444)
    assert main(["fix", *RELEASE, "--output-format", "json"]) == 2
    out, err = capsys.readouterr()
    assert "bootlint: error: AGENTS.md: is read-only; make it writable (chmod u+w) and run again\n" in err
    assert read(here / "AGENTS.md") == AGENTS
    assert read(here / "SOUL.md") == "# Soul\n"
    files = json.loads(out)["workspaces"][0]["files"]
    assert files == [{"path": "AGENTS.md", "written": False}, {"path": "SOUL.md", "written": True}]
    assert [fix["path"] for fix in json.loads(out)["workspaces"][0]["fixes"]] == ["SOUL.md"]
    assert "AGENTS.md: 1 fix" not in err


def test_hook_writes_what_the_commit_touches_and_what_is_at_risk(here: Path) -> None:
    lost = f"# Agents\n\n{prose(700)}\n\n私事不外传。\n\n{prose(700)}\n"
    write(here, AGENTS=lost, SOUL="\ufeff# Soul\n")
    (here / "bootlint.toml").write_text('openclaw = "2026.6.11"\nmax-chars = 1000\n')
    hook = ["fix", "--hook"]
    assert main([*hook, "SOUL.md"]) == 0  # arrives whole
    assert read(here / "SOUL.md") == "\ufeff# Soul\n"
    assert main([*hook, "--scope", "all", "SOUL.md"]) == 1
    assert read(here / "SOUL.md") == "# Soul\n"
    assert read(here / "AGENTS.md") == lost
    assert main([*hook, "AGENTS.md", "notes.md"]) == 1
    assert "Never: 私事不外传" in read(here / "AGENTS.md")
    assert main([*hook, "AGENTS.md"]) == 0


def test_hook_is_no_option_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["fix", "--help"])
    assert "--hook" not in capsys.readouterr().out


def test_json_says_everything(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "home", AGENTS=AGENTS, SOUL=LOST_SECTION)
    options = ["--max-chars", "1000", "--unsafe-fixes", "--diff", "--output-format", "json", "-q"]
    assert main(["fix", *RELEASE, *options, "home"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    document = json.loads(out)
    (workspace,) = document["workspaces"]
    assert document["schema_version"] == 1
    assert document["diff"].startswith("--- a/home/AGENTS.md\n")
    assert (document["summary"]["fixes"], document["summary"]["moves"]) == (1, 1)
    assert workspace["path"] == "home"
    assert workspace["files"] == [
        {"path": "home/AGENTS.md", "written": False},
        {"path": "home/SOUL.md", "written": False},
    ]
    assert workspace["fixes"] == [
        {
            "code": "BL202",
            "name": "cjk-rule-unranked",
            "path": "home/AGENTS.md",
            "line": 3,
            "title": 'write "Never", which the digest looks for',
        }
    ]
    assert workspace["moves"] == [
        {
            "path": "home/SOUL.md", "section": "Part 3", "line": 11, "end_line": 14, "chars": 32, "to": "start",
            "within": None, "gained": 2,
        }
    ]  # fmt: skip
    assert workspace["priority_rules"][0] == {
        "path": "home/AGENTS.md", "release": "2026.6.11", "before": 1, "reached_before": 1, "after": 1,
        "reached_after": 1,
    }  # fmt: skip
