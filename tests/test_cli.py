"""The command line as a whole: the same output whatever the surroundings, and an orderly end whatever happens."""

from __future__ import annotations

import errno
import io
import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import termios
import time
from array import array
from fcntl import ioctl
from importlib import import_module
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bootlint import __version__
from bootlint.cli import COMMANDS, main
from bootlint.cli.common import Parser
from bootlint.reporters import FORMATS
from processes import COMMAND, assert_all_gone, environment, hear_signals, in_the_middle, make_work
from repositories import Outcome, bootlint

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

RULES = "# 规则\n\n" + "".join(f"- 必须先备份第 {number} 项，再删除\n" for number in range(60))
FEW = ("--openclaw", "2026.6.11", "--max-chars", "900")


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A folder with 24 workspaces that differ, and in each something to report."""
    for number in range(24):
        folder = tmp_path / f"agents/{number:02}"
        folder.mkdir(parents=True)
        (folder / "SOUL.md").write_text("- Never lie\n" * (number * 7 + 1))
        (folder / "AGENTS.md").write_text(RULES[: 60 + number * 40])
        (folder / "agents.md").write_text("x")
    return tmp_path


def run(folder: Path, *arguments: str, **values: str) -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env=environment(**values),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


# --- help ---------------------------------------------------------------------------------------------------


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    for argument in ("--help", "-h", "help"):
        assert main([argument]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert [
            line.split()[0]
            for line in out.splitlines()
            if line.startswith("  ") and line.split()[0] in COMMANDS
        ] == [*COMMANDS]
        assert "exit status: 0 nothing at or above --fail-on, 1 something, 2 usage" in out
    assert main([]) == 2
    assert capsys.readouterr().err == out


class _ParsedError(Exception):
    """A command line was understood; the command itself is not to run."""


@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_of_each_command_are_command_lines(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    examples = re.findall(rf"^  bootlint ({command}\b.*)$", text.partition("\nexamples:\n")[2], re.MULTILINE)
    assert len(examples) >= 3
    assert re.search(r"^exit status: 0.*\n {13}2 usage.*130 Ctrl-C$", text, re.MULTILINE)

    parse = Parser.parse_args

    def parse_only(self: Parser, argv: list[str]) -> Namespace:
        parse(self, argv)
        raise _ParsedError

    monkeypatch.setattr(Parser, "parse_args", parse_only)
    for example in examples:
        line = re.split(r"  | [|<>] ", example)[0]
        with pytest.raises(_ParsedError):
            import_module(f"bootlint.cli.{command}").run(shlex.split(line)[1:])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chek",), "'chek' is no command; did you mean \"check\"? (bootlint --help lists them)"),
        (("check", "--fail"), 'unrecognized arguments: --fail; did you mean "--fail-on"? (bootlint check --help explains)'),
        (("check", "--jobs", "two"), "--jobs takes a number of processes, 0 for one a core, not 'two'"),
        (("check", "--jobs", "-1"), "--jobs takes a number of processes, 0 for one a core, not '-1'"),
        (("check", "-"), "- reads a text from stdin, and --stdin-filename says which file it is; give both"),
        (("check", "--write-baseline"), "--write-baseline writes the file that --baseline names; give both"),
        (("check", "--all-agents", "--hook"), "--all-agents and --hook exclude each other; give one of them"),
        (("check", "gone\x1b[31m"), "gone\\x1b[31m: there is no such file or folder"),
        (("diff",), "the following arguments are required: BASE (bootlint diff --help explains)"),
    ],
)  # fmt: skip
def test_faults_of_usage_are_one_line(arguments: tuple[str, ...], message: str, many: Path) -> None:
    outcome = bootlint(*arguments, folder=many)
    assert (outcome.status, outcome.out, outcome.err) == (2, "", f"bootlint: error: {message}\n")


def test_the_version(tmp_path: Path) -> None:
    assert run(tmp_path, "--version") == (0, f"bootlint {__version__}\n".encode(), b"")


# --- the same output ----------------------------------------------------------------------------------------


def reports(folder: Path, *arguments: str) -> Mapping[str, Outcome]:
    return {
        one: bootlint("check", *FEW, "--output-format", one, *arguments, folder=folder) for one in FORMATS
    }


def test_whatever_the_order_of_arguments(many: Path) -> None:
    paths = ("agents/03", "agents/01/SOUL.md", "agents/02", "./agents/01", "agents/04/../03")
    expected = reports(many, *paths)
    assert expected["concise"].status == 1
    for order in list(permutations(paths))[1::17]:
        assert reports(many, *order) == expected


@pytest.mark.parametrize("jobs", ["2", "3", "0"])
def test_whatever_the_number_of_jobs(jobs: str, many: Path) -> None:
    assert reports(many, "--jobs", jobs) == reports(many)


def test_jobs_of_a_diff_base_and_a_baseline(many: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=many, check=True)
    subprocess.run(["git", "add", "."], cwd=many, check=True)
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, "commit", "-qm", "x"], cwd=many, check=True)
    (many / "agents/05/AGENTS.md").write_text(RULES + "- 必须新增\n")
    (many / "agents/06/users.md").write_text("x")
    for options in (("--diff-base", "HEAD"), ("--hook", "agents/05/AGENTS.md", "agents/06/users.md")):
        arguments = ("check", *FEW, "--output-format", "json", *options)
        one, two = (bootlint(*arguments, "--jobs", jobs, folder=many) for jobs in ("1", "2"))
        assert one == two
        assert {found["path"].split("/")[1] for found in json.loads(one.out)["diagnostics"]} == {"05", "06"}


@pytest.mark.parametrize("output_format", FORMATS)
def test_whatever_locale_and_terminal(output_format: str, many: Path) -> None:
    arguments = ("check", *FEW, "--language", "zh", "--output-format", output_format, "agents/07")
    surroundings = (
        {"LC_ALL": "C.UTF-8"},
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "LANG": "zh_CN.GB18030"},
        {"LC_ALL": "C.UTF-8", "TERM": "dumb"},
        {"LC_ALL": "C.UTF-8", "NO_COLOR": "1", "CI": "true"},
    )
    outputs = {run(many, *arguments, **values) for values in surroundings}
    assert len(outputs) == 1
    [(status, out, _)] = outputs
    assert status == 1
    assert "必须先备份" in out.decode() or output_format in (
        "concise",
        "json",
        "sarif",
        "github",
        "gitlab",
        "markdown",
    )
    status, ascii_out, _ = run(many, *arguments, PYTHONIOENCODING="ascii")
    assert status == 1
    assert ascii_out.isascii()


def terminal(
    folder: Path, *arguments: str, columns: int = 80, errors_only: bool = False, **values: str
) -> tuple[int, str]:
    """The exit status and what appeared on a terminal to which bootlint wrote."""
    import struct

    own, other = pty.openpty()
    ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        env=environment(**{"TERM": "xterm", **values}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if errors_only else other,
        stderr=other,
    )
    os.close(other)
    shown = b""
    while select.select([own], [], [], 60)[0]:
        try:
            piece = os.read(own, 65_536)
        except OSError as error:  # Linux: the last one that wrote has gone
            assert error.errno == errno.EIO
            break
        if not piece:
            break
        shown += piece
    os.close(own)
    return process.wait(), shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    "what",
    [
        ("--raw", "AGENTS.md"),
        ("--prompt",),
        ("--prompt", "--all-sessions"),
        ("--compaction",),
        ("--startup", "--now", "2026-09-06T12:00"),
    ],
)
def test_exact_output_is_exact_in_a_pipe_and_harmless_on_a_terminal(
    what: tuple[str, ...], tmp_path: Path
) -> None:
    hostile = "\x1b]0;title\x07\x1b[2J \u202e \x9b31m"
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/2026-09-06.md").write_text(hostile)
    (tmp_path / "AGENTS.md").write_text(f"# Rules\n\n## Red Lines\n\n\t{hostile}\n")
    command = ("show", *what, "--openclaw", "2026.5.22")
    assert hostile in bootlint(*command, folder=tmp_path).out
    status, shown = terminal(tmp_path, *command)
    assert status == 0
    assert "\\x1b]0;title\\x07\\x1b[2J \\u202e \\x9b31m" in shown
    assert {char for char in shown if not char.isprintable()} <= {"\n", "\t"}


def test_narrow_and_wide_terminals_show_the_same_findings(many: Path) -> None:
    arguments = ("check", *FEW, "agents/07")
    shown = {columns: terminal(many, *arguments, columns=columns)[1] for columns in (40, 80, 200)}
    plain = {columns: re.sub(r"\x1b\[[0-9;]*m", "", text) for columns, text in shown.items()}
    codes = [re.findall(r"\bBL\d{3}\b", text) for text in plain.values()]
    assert codes[0] == codes[1] == codes[2] != []
    assert len(plain[40].splitlines()) > len(plain[200].splitlines())
    assert all("\x1b[" in text for text in shown.values())
    assert "\x1b" not in terminal(many, *arguments, NO_COLOR="1")[1]
    assert "\x1b" not in terminal(many, *arguments, TERM="dumb")[1]


def test_the_language_of_a_terminal_is_that_of_its_locale(many: Path) -> None:
    arguments = ("check", *FEW, "agents/07")
    assert "个工作区" in terminal(many, *arguments, LANG="zh_CN.UTF-8")[1]
    assert "1 workspace" in terminal(many, *arguments, LANG="de_DE.UTF-8")[1]
    assert b"1 workspace" in run(many, *arguments, LANG="zh_CN.UTF-8")[2]


# --- progress -----------------------------------------------------------------------------------------------


def test_progress_is_for_long_runs_on_terminals(many: Path) -> None:
    arguments = ("check", *FEW, "--output-format", "json")
    _, shown = terminal(many, *arguments, errors_only=True)
    assert "bootlint" in shown
    assert "100%" in shown
    _, after = terminal(many, *arguments, "agents/01", errors_only=True)
    assert "%" not in after
    assert "%" not in terminal(many, *arguments, errors_only=True, CI="true")[1]
    assert b"%" not in run(many, *arguments)[2]


# --- an orderly end -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_cleanly(jobs: str, tmp_path: Path) -> None:
    make_work(tmp_path)
    process = in_the_middle(tmp_path, "--jobs", jobs)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"bootlint: interrupted\n")
    assert_all_gone(process.pid)


def test_ctrl_c_while_it_waits_for_a_text(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("s")
    process = subprocess.Popen(
        [*COMMAND, "check", "-", "--stdin-filename", "SOUL.md"],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hear_signals,
    )
    assert process.stdin is not None
    process.stdin.write(b"- Never lie\n")
    process.stdin.flush()
    while unread(process.stdin.fileno()):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"bootlint: interrupted\n")


def unread(pipe: int) -> int:
    """How many bytes in a pipe nobody has taken."""
    count = array("i", [0])
    ioctl(pipe, termios.FIONREAD, count)
    return count[0]


@pytest.mark.parametrize("both", [False, True])
def test_a_closed_pipe_ends_quietly(both: bool, tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("- Never lie to anybody\n" * 5_000)
    with subprocess.Popen(
        [*COMMAND, "check", "--output-format", "json"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if both else subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        err = process.stderr.read() if process.stderr else b""
    assert (process.returncode, err) == (141, b"")


def test_head_takes_the_first_line(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("- Never lie to anybody\n" * 5_000)
    for command in ("check", "check 2>&1", "rule", "releases --all", "rule BL103"):
        piped = f"{shlex.join(COMMAND)} {command} | head -n 1"
        done = subprocess.run(
            ["sh", "-c", piped], cwd=tmp_path, env=environment(), capture_output=True, check=False
        )
        assert done.stdout.count(b"\n") == 1
        assert b"Error" not in done.stderr


def test_a_worker_that_is_killed_is_named(many: Path) -> None:
    script = """
import os
from bootlint.cli import main, runner
runner.check = lambda *_, **__: os._exit(9)
raise SystemExit(main(["check", "--jobs", "2"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=many, env=environment(), capture_output=True, check=False
    )
    message = b"bootlint: error: a process was killed, perhaps for want of memory; try fewer --jobs\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", message)


def test_processes_that_are_no_copies_run_nothing_of_the_folder(many: Path, tmp_path: Path) -> None:
    """As on macOS, and from Python 3.14 on everywhere."""
    script = tmp_path / "elsewhere/start.py"
    script.parent.mkdir()
    script.write_text(f"""
import multiprocessing, sys
sys.path.append({environment()["PYTHONPATH"]!r})
from bootlint.cli import main
if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    raise SystemExit(main(["check", "--jobs", "2"]))
""")
    (many / "multiprocessing.py").write_text("open('sprung', 'w')\n")
    unsafe = {key: value for key, value in environment().items() if not key.startswith("PYTHON")}
    done = subprocess.run([sys.executable, script], cwd=many, env=unsafe, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    assert not (many / "sprung").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line(many: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "check", "--quiet"],
            cwd=many,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"bootlint: error: [Errno 28] No space left on device\n")


def test_without_stdout_and_stderr(many: Path) -> None:
    for closed in (">&-", "2>&-", ">&- 2>&-"):
        command = f"{shlex.join(COMMAND)} check --quiet {closed}"
        done = subprocess.run(
            ["sh", "-c", command], cwd=many, env=environment(), capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (1, b"")


# --- what an editor holds -----------------------------------------------------------------------------------


def edited(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    stdin = io.TextIOWrapper(io.BytesIO(text.encode(errors="surrogateescape")), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stdin)
    select_few = ("--select", "BL102,BL104,BL302", "--total-max-chars", "1500")
    outcome = bootlint("check", *FEW, *select_few, "-", "--stdin-filename", name, folder=folder)
    return [
        line.split(" ")[0] + " " + line.split(" ")[1] for line in outcome.lines
    ] or outcome.err.splitlines()[:1]


NOTHING = ["0 errors, 0 warnings, 0 infos in 1 workspace"]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("ws/SOUL.md", "- Never lie\n" * 90, "ws/SOUL.md:"),
        ("ws/SOUL.md", "- Never lie\n", None),
        ("ws/users.md", "new\n", "ws/users.md:1:1: BL302"),
        ("ws/memory/2026-01-01.md", "- Never lie\n" * 900, None),
    ],
)
def test_the_text_of_an_editor_stands_in_its_place(
    name: str, text: str, found: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("ws/SOUL.md", "ws/IDENTITY.md", "ws/memory/2026-01-01.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("old\n")
    lines = edited(tmp_path, name, text, monkeypatch)
    assert (
        lines == NOTHING
        if found is None
        else all(line.startswith(found) for line in lines) and lines != NOTHING
    )
    assert (tmp_path / "ws/SOUL.md").read_text() == "old\n"


def test_the_file_of_an_editor_is_starved_by_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "SOUL.md").write_text("s\n" * 430)
    (tmp_path / "agents.md").write_text("a finding elsewhere")
    assert edited(tmp_path, "IDENTITY.md", "- Never lie\n" * 60, monkeypatch)[0] == "IDENTITY.md:1:1: BL102"


def test_an_editor_outside_of_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert edited(tmp_path, "gone/SOUL.md", "x", monkeypatch) == [
        "bootlint: error: --stdin-filename gone/SOUL.md: its folder is not there"
    ]
    assert edited(tmp_path, "SOUL.md", "x" * 2_097_153, monkeypatch) == [
        "bootlint: error: stdin holds more than 2,097,152 bytes; OpenClaw reads no such file"
    ]
    assert edited(tmp_path, "SOUL.md", "# Soul \udcff\n", monkeypatch) == [
        "bootlint: error: stdin is not UTF-8 (byte 7); an editor has to give UTF-8"
    ]


def test_an_editors_file_that_is_no_bootstrap_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (said,) = edited(tmp_path, "NOTES.md", "x", monkeypatch)
    assert said.startswith(
        "bootlint: error: --stdin-filename NOTES.md: is no bootstrap file (AGENTS.md, SOUL.md"
    )


# --- known findings -----------------------------------------------------------------------------------------


def test_a_baseline_silences_what_it_holds_and_nothing_else(many: Path) -> None:
    arguments = ("check", *FEW, "--baseline", "ci/known.json")
    (many / "ci").mkdir()
    outcome = bootlint(*arguments, "--write-baseline", folder=many)
    assert outcome.status == 0
    count = len(json.loads((many / "ci/known.json").read_text())["findings"])
    assert outcome.err == f"ci/known.json: {count:,} findings written; they stay quiet from now on\n"
    text = (many / "ci/known.json").read_text()
    assert "备份" not in text
    assert "必须" not in text

    quiet = bootlint(*arguments, folder=many)
    assert (quiet.status, quiet.out) == (0, "")
    assert f"{count:,} findings suppressed" in quiet.err
    path = Path("agents/07/SOUL.md")
    (many / path).write_text("\n\n" + (many / path).read_text() + "- Never do anything new\n")
    loud = bootlint(*arguments, folder=many)
    assert loud.status in (0, 1)
    assert {line.split(":")[0] for line in loud.lines} <= {str(path)}

    again = bootlint(*arguments, "--write-baseline", "--jobs", "2", folder=many)
    assert again.status == 0
    (many / path).write_text("- Never lie\n" * 50)
    bootlint(*arguments, "--write-baseline", folder=many)
    assert (many / "ci/known.json").read_text() == text


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, "known.json: cannot be read: No such file or directory; --write-baseline makes the file"),
        *(
            (content, f"known.json: is no baseline: {fault}; write it again with --write-baseline")
            for content, fault in (
                ("", "it is no JSON from line 1 on"),
                ('{\n"schema_version": 1,\n', "it is no JSON from line 3 on"),
                ("[" * 100_000, "it is no JSON"),
                ("9" * 10_000, "it is no JSON"),
                ("\udcff", "it is no JSON"),
                ("[]", "it has no schema_version"),
                ("null", "it has no schema_version"),
                ("{}", "it has no schema_version"),
                ('{"schema_version": 2}', "its schema_version is 2, and this bootlint reads 1"),
                ('{"schema_version": "private"}', "its schema_version is unknown, and this bootlint reads 1"),
                ('{"schema_version": 1}', "it has no list of findings"),
                ('{"schema_version": 1, "findings": {}}', "it has no list of findings"),
                ('{"schema_version": 1, "findings": null}', "it has no list of findings"),
                ('{"schema_version": 1, "findings": [{}]}', "finding 1 has no path and fingerprint"),
                ('{"schema_version": 1, "findings": [[]]}', "finding 1 has no path and fingerprint"),
                (
                    '{"schema_version": 1, "findings": [{"path": "a", "fingerprint": "b"}, {"path": 1, "fingerprint": "b"}]}',
                    "finding 2 has no path and fingerprint",
                ),
            )
        ),
    ],
)
def test_what_is_no_baseline(content: str | None, fault: str, many: Path) -> None:
    if content is not None:
        (many / "known.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    outcome = bootlint("check", "--baseline", "known.json", folder=many)
    assert outcome.status == 2
    assert outcome.err.startswith(f"bootlint: error: {fault}")
    assert outcome.err.count("\n") == 1


def test_a_fault_of_ours_is_not_taken_for_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("impossible")

    monkeypatch.setattr("bootlint.cli.check.run", fail)
    outcome = bootlint("check", folder=tmp_path)
    assert outcome.status == 2
    assert "AssertionError: impossible" in outcome.err
    assert outcome.err.splitlines()[-1].startswith("bootlint: error: this is a bug of bootlint")
