"""A stranger's repository is data: whatever stands in it, nothing blocks, leaks, runs, or is written elsewhere."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bootlint import git
from bootlint.openclaw.releases import settings_keys
from bootlint.reporters import FORMATS
from harness import era_releases, unprivileged
from repositories import Outcome, Repository, bootlint
from test_fuzz import nested

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECRET = "what-stands-outside"
AGENTS = "# Agents\n\n- 必须先备份\n- Never lie\n"
SECONDS = 60  # for one command: far more than it takes, far less than for ever
ROOT = Path(__file__).parent.parent

COMMANDS = (
    ("check", "--output-format", "json"),
    ("check", "--baseline", "baseline.json"),
    ("check", "--all-agents"),
    ("show", "--all-sessions"),
    ("show", "--startup", "--now", "2026-09-06T12:00+00:00"),
    ("fix", "--diff"),
    ("lock", "--check"),
    ("why", "AGENTS.md:3"),
)


pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder beside the repository, with what links lead to: each file says the secret."""
    outside = tmp_path / "outside"
    for name in ("SOUL.md", "ada/USER.md", "2026-09-06.md", "lock"):
        (outside / name).parent.mkdir(parents=True, exist_ok=True)
        (outside / name).write_text(f"- Never {SECRET}\n")
    (outside / "settings.toml").write_text(f'token = "{SECRET}"\n')
    (outside / "pyproject.toml").write_text(f'[tool.bootlint]\ntoken = "{SECRET}"\n')
    (outside / "some.json").write_text(json.dumps({"schema_version": SECRET, "token": SECRET}))
    return outside


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return made(tmp_path / "state" / "ws")


def made(workspace: Path) -> Path:
    workspace.mkdir(parents=True)
    (workspace / "AGENTS.md").write_text(AGENTS)
    (workspace / "SOUL.md").write_text("- Never lie\n")
    return workspace


def answer(folder: Path, *arguments: str) -> Outcome:
    """bootlint in this process, which has to come to an end by itself, and with a line where it cannot work."""
    with impatience():
        outcome = bootlint(*arguments, folder=folder)
    assert outcome.status in (0, 1, 2), outcome
    if outcome.status == 2:
        assert outcome.err.splitlines()[-1].startswith("bootlint: error: ")
    return outcome


@contextmanager
def impatience() -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise AssertionError(f"no answer after {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


# --- what may stand in the place of a file ------------------------------------------------------------------


def socket_at(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))


def device(path: Path) -> None:
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))  # /dev/zero


def sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 3 * 2**30)


def chain(path: Path) -> None:
    for number in range(1500):
        path.with_name(f"l{number}").symlink_to(f"l{number + 1}")
    path.symlink_to("l0")


def link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


THINGS: dict[str, Callable[[Path], object]] = {
    "a FIFO": os.mkfifo,
    "a socket": socket_at,
    "a device": device,
    "a link to a device": link_to("/dev/zero"),
    "a link to the terminal": link_to("/dev/tty"),
    "a link to nowhere": link_to("/nowhere/at/all"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a chain of links": chain,
    "a folder": Path.mkdir,
    "3 GiB of nothing": sparse,
}
PLACES = (
    "AGENTS.md", "SOUL.md", "bootlint.toml", "pyproject.toml", "bootlint.lock", "baseline.json", "../openclaw.json",
    "memory", "users", ".openclaw", "openclaw-workspace-state.json", ".git", ".gitignore", ".pre-commit-config.yaml",
)  # fmt: skip


@pytest.mark.parametrize("thing", THINGS)
def test_whatever_stands_in_the_place_of_a_file(
    thing: str, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if thing == "a device" and os.geteuid() != 0:
        pytest.skip("only root makes devices")
    monkeypatch.chdir(workspace)  # the path of a socket is short
    for name in PLACES:
        place = Path(os.path.normpath(workspace / name))
        before = place.read_text() if place.exists() else None
        place.unlink(missing_ok=True)
        THINGS[thing](place)
        for command in (*COMMANDS, ("init", "--dry-run")):
            answer(workspace, *command)
        for link in workspace.glob("l[0-9]*"):
            link.unlink()
        (Path.rmdir if thing == "a folder" else Path.unlink)(place)
        if before is not None:
            place.write_text(before)


# place → the file or folder outside to which a link there leads
LINKS = {
    "AGENTS.md": "SOUL.md",
    "SOUL.md": "SOUL.md",
    "users": ".",
    "memory": ".",
    "users/ada": "ada",
    "memory/2026-09-06.md": "2026-09-06.md",
    "bootlint.toml": "settings.toml",
    ".bootlint.toml": "settings.toml",
    "pyproject.toml": "pyproject.toml",
    "bootlint.lock": "lock",
    "baseline.json": "some.json",
    "../openclaw.json": "some.json",
    "openclaw-workspace-state.json": "some.json",
    ".openclaw": ".",
}
WRITING = (("fix",), ("lock",), ("check", "--baseline", "baseline.json", "--write-baseline"))


@pytest.mark.parametrize("name", LINKS)
def test_no_link_leads_out(name: str, workspace: Path, outside: Path) -> None:
    place = Path(os.path.normpath(workspace / name))
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(outside / LINKS[name])
    before = contents(outside)
    for command in (*COMMANDS, *WRITING):
        outcome = answer(workspace, *command)
        assert SECRET not in outcome.out + outcome.err, command
    assert contents(outside) == before


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("option", ["--output-format=json={}", "--html={}", "--baseline={}"])
@pytest.mark.parametrize("target", ["lock", "made.json"])
def test_nothing_is_written_through_a_link(option: str, target: str, workspace: Path, outside: Path) -> None:
    (workspace / "out").symlink_to(outside / target)
    before = contents(outside)
    command = "show" if "html" in option else "check"
    more = ("--write-baseline",) if "baseline" in option else ()
    outcome = answer(workspace, command, option.format("out"), *more)
    assert (outcome.status, outcome.out) == (2, "")
    assert "link" in outcome.err
    assert contents(outside) == before


def test_a_report_may_go_where_a_shell_sends_it(workspace: Path) -> None:
    command = f"{shlex.join((sys.executable, '-m', 'bootlint'))} check -q --output-format json=/dev/stdout > report.json"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run(["sh", "-c", command], cwd=workspace, env=environment, check=True)
    assert json.loads((workspace / "report.json").read_text())["schema_version"] == 1


@pytest.mark.parametrize("linked", ["ws", "."])
def test_a_workspace_or_its_parent_that_is_a_link_is_repaired_where_it_is(
    linked: str, workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link"
    link.symlink_to(workspace.parent / linked)
    assert answer(tmp_path, "fix", str(link if linked == "ws" else link / "ws")).status == 0
    assert "- Must / 必须先备份" in (workspace / "AGENTS.md").read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--output-format", "sarif={}/x.sarif"),
        ("check", "--output-format", "json={}/deeper/x.json"),
        ("check", "--baseline", "{}/x.json", "--write-baseline"),
        ("show", "--html", "{}/x.html"),
    ],
)
def test_no_report_goes_through_a_link_that_leads_out(
    arguments: tuple[str, ...], workspace: Path, tmp_path: Path
) -> None:
    """Unless whoever runs bootlint says so: the place itself, from the root or through `..`."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (workspace / "reports").symlink_to(elsewhere)
    outcome = answer(workspace, *(one.format("reports") for one in arguments))
    assert outcome.status == 2
    assert "cannot be written: a link leads out of this folder; name the place itself" in outcome.err
    assert not list(elsewhere.iterdir())
    (elsewhere / "deeper").mkdir()
    (workspace / "own").mkdir()
    (workspace / "inside").symlink_to("own")
    for place in (os.path.relpath(elsewhere, workspace), str(elsewhere), "inside"):
        assert answer(workspace, *(one.format(place) for one in arguments)).status < 2
    assert list(elsewhere.rglob("x.*"))


SECRET_VALUES = (
    "{ agents: { defaults: { bootstrapMaxChars: 'hunter2' }, list: [{ id: 'hunter2' }] } }",
    "hunter2:x",
)


@pytest.mark.parametrize("content", SECRET_VALUES)
@pytest.mark.parametrize("extra", ["", 'agent = "eve"\n'])
def test_settings_that_name_a_file_elsewhere_show_none_of_it(
    content: str, extra: str, workspace: Path, tmp_path: Path
) -> None:
    named = tmp_path / "private" / "any.json"
    named.parent.mkdir()
    named.write_text(content)
    (workspace / "bootlint.toml").write_text(f'openclaw-config = "{named}"\n{extra}')
    commands = (
        one for one in COMMANDS if "--all-agents" not in one
    )  # its agents are what that is to tell of
    for command in (*commands, *(("check", "--output-format", one) for one in FORMATS)):
        outcome = answer(workspace, *command)
        said = outcome.out + outcome.err
        assert "hunter2" not in said, command
        assert 'found "h"' not in said, command
    said = answer(workspace, "check", "--output-format", "concise").out
    assert ("bootstrapMaxChars is …; OpenClaw" in said) is (content is SECRET_VALUES[0] and not extra)


# --- large trees and strange names --------------------------------------------------------------------------


@pytest.fixture
def large() -> Iterator[Path]:
    """A workspace, in memory where the system has a folder for that, removed by what is not troubled by depth."""
    folder = Path(tempfile.mkdtemp(dir=next(filter(os.path.isdir, ("/dev/shm", tempfile.gettempdir())))))
    yield made(folder / "ws")
    subprocess.run(["rm", "-rf", str(folder)], check=True)


BRIEFLY = (("check",), ("lock", "--check"), ("fix",))


def test_ten_thousand_folders_in_each_other(large: Path) -> None:
    handle = os.open(large, os.O_RDONLY)
    for _ in range(10_000):
        os.mkdir("d", dir_fd=handle)
        inner = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(os.open("SOUL.md", os.O_CREAT | os.O_WRONLY, dir_fd=handle))
    os.close(handle)
    patterns = {"bootstrap-extra-files": {"paths": ["**/SOUL.md", "**/d/**/d/**/x.md"]}}
    config = {"hooks": {"internal": {"entries": patterns}}}
    (large.parent / "openclaw.json").write_text(json.dumps(config))
    for command in BRIEFLY:
        answer(large, *command)


def test_a_hundred_thousand_files(large: Path) -> None:
    for folder in (large, *(large / f"{number}" for number in range(99))):
        folder.mkdir(exist_ok=True)
        for number in range(1_000):
            os.mknod(folder / f"{number}.md")
    for command in BRIEFLY:
        answer(large, *command)


NAMES = (
    "a\nb", "\x1b[31mred", "\x1b]0;title\x07", "\u202eltr", os.fsdecode(b"\xff\xfe"), "::error::x", "x" * 250, "`<b>|",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_names_obey_nobody(name: str, workspace: Path) -> None:
    for folder in (".", "users", "memory", "agents", ".openclaw", "docs"):
        for file in ("SOUL.md", "USER.md", "agent/AGENTS.md"):
            place = workspace / folder / name / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(AGENTS)
    (workspace / "memory" / f"2026-09-06-{name[:200]}.md").write_text("x")
    (workspace / "bootlint.lock").write_text("damaged")
    agent = {"id": name, "workspace": f"ws/{name}", "bootstrapMaxChars": name}
    (workspace.parent / "openclaw.json").write_text(json.dumps({"agents": {"list": [agent]}}))
    reports = [("check", "--output-format", one) for one in FORMATS]
    named = (("check", name), ("show", name, "--output-format", "json"), ("lock", name))
    for command in (*COMMANDS, *reports, *named):
        outcome = answer(workspace, *command)
        odd = {char for char in outcome.out + outcome.err if not char.isprintable()} - {"\n"}
        assert not odd, command


def obeyed(line: str) -> bool:
    """Would a GitHub runner take it for a command?"""
    return line.lstrip().startswith("::") or "##[" in line


@pytest.mark.parametrize("name", ["::warning file=x,line=1::pwn", " ::error::pwn", "::", "##[error]pwn"])
def test_no_line_is_a_command_to_a_runner(name: str, tmp_path: Path) -> None:
    """Every command that writes for people, on a folder and on texts that are workflow commands."""
    repository = Repository.at(tmp_path / "repository")
    text = f"# {name}\n\n- {name} must\n\n{name} always\n\n" + f"{name} " * 90 + "\n\n- 必须备份 {name}\n"
    files = {f"{name}/{file}": text for file in ("AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md")}
    settings = "max-chars = 700\ntotal-max-chars = 2000\n"
    hooks = f"repos:\n  # |\n   {name}\n"
    repository.commit(
        {**files, "bootlint.toml": settings, ".pre-commit-config.yaml": hooks, "memory/x.md": name}
    )
    assert repository.bootlint("lock", name).status == 0
    repository.commit({f"{name}/SOUL.md": "- 禁止说谎\n" + text.replace("always", "never")})
    commands: tuple[tuple[str, ...], ...] = (
        *(("check", "--output-format", one) for one in FORMATS if one != "github"),
        ("check", "--diff-base", "HEAD~"),
        ("check", "--hook", f"{name}/SOUL.md"),
        ("check", "--baseline", f"{name}.json", "--write-baseline"),
        ("check", name, "--config", f"{name}.toml"),
        ("check", f"{name}{name}"),
        *(("diff", "HEAD~", "--output-format", one) for one in ("text", "json", "markdown")),
        *(
            ("show", name, *how)
            for how in ((), ("--full",), ("--all-sessions",), ("--output-format", "json"))
        ),
        *(("why", f"{name}/SOUL.md:{line}") for line in (2, 4, 6, 8, 99)),
        ("why", f"{name}/SOUL.md:{name}"),
        ("lock", "--check"),
        ("lock", name),
        ("init", "--dry-run"),
        ("init", name, "--dry-run"),
        ("releases", "--compare", "2026.6.11", "2026.9.6", name),
        ("fix", "--unsafe-fixes", "--diff", "--output-format", "json"),
        ("fix", "--unsafe-fixes"),
        (name,),
    )
    for language in ("en", "zh"):
        for command in commands:
            outcome = repository.bootlint(*command, *(("--language", language) if len(command) > 1 else ()))
            lines = (outcome.out + outcome.err).splitlines()
            assert lines, command
            assert [line for line in lines if obeyed(line)] == [], command


# --- git ----------------------------------------------------------------------------------------------------

ASKING_GIT = (
    ("check",),
    ("check", "--diff-base", "HEAD~"),
    ("lock", "--check"),
    ("check", "--hook", "AGENTS.md"),
    ("diff", "HEAD~"),
    ("init", "--dry-run"),
)


@pytest.fixture
def repository(workspace: Path) -> Repository:
    repository = Repository.at(workspace)
    repository.commit()
    assert bootlint("lock", folder=workspace).status == 0
    repository.commit({"AGENTS.md": AGENTS + "- 必须\n"})
    repository.write({"SOUL.md": "- Never lie, never\n"})
    return repository


def test_no_command_falls_into_a_trap_of_the_repository(repository: Repository, tmp_path: Path) -> None:
    """That each of them works is for test_git to prove."""
    sprung = tmp_path / "sprung"
    trap = tmp_path / "traps" / "trap"
    trap.parent.mkdir()
    hooks = (
        "post-checkout",
        "post-index-change",
        "reference-transaction",
        "fsmonitor-watchman",
        "pre-auto-gc",
    )
    for path in (trap, *(trap.with_name(hook) for hook in hooks)):
        path.write_text(f"#!/bin/sh\ntouch {sprung}\ncat\n")
        path.chmod(0o755)
    for attributes in (".gitattributes", ".git/info/attributes"):
        (repository.root / attributes).write_text("* diff=x filter=x merge=x ident\n")
    (tmp_path / "more").write_text(f"[core]\n\tfsmonitor = {trap}\n\tpager = {trap}\n")
    for key, value in {
        "core.fsmonitor": trap, "core.hooksPath": trap.parent, "core.pager": trap, "core.editor": trap,
        "core.sshCommand": trap, "core.alternateRefsCommand": trap, "core.askPass": trap, "core.gitProxy": trap,
        "diff.external": trap, "diff.x.command": trap, "diff.x.textconv": trap, "diff.x.cachetextconv": "true",
        "filter.x.clean": trap, "filter.x.smudge": trap, "filter.x.process": trap, "merge.x.driver": trap,
        "gpg.program": trap, "log.showSignature": "true", "credential.helper": f"!{trap}",
        "uploadpack.packObjectsHook": trap, "include.path": tmp_path / "more", "alias.check-ignore": f"!{trap}",
    }.items():  # fmt: skip
        repository.git("config", key, str(value))
    sprung.unlink(missing_ok=True)
    for command in ASKING_GIT:
        answer(repository.root, *command)
    assert not sprung.exists()


GIT_FILES = ("config", "HEAD", "index", "info/exclude", "objects/info/alternates", "../.gitignore")


@pytest.mark.parametrize("name", GIT_FILES)
def test_a_fifo_among_the_files_of_git_ends_the_wait(
    name: str, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "_PATIENCE", 0.2)
    place = Path(os.path.normpath(repository.root / ".git" / name))
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    for command in ASKING_GIT[:3]:
        answer(repository.root, *command)


def test_what_other_repositories_hold_is_not_shown(repository: Repository, outside: Path) -> None:
    Repository.at(outside).commit()
    (repository.root / ".git/objects/info/alternates").write_text(f"{outside}/.git/objects\n/dev/zero\n")
    for command in ASKING_GIT:
        outcome = answer(repository.root, *command)
        assert SECRET not in outcome.out + outcome.err


# --- bombs --------------------------------------------------------------------------------------------------

TOML_BOMBS = {
    "a name of many parts": "a" + ".a" * 100_000 + " = 1",
    "many names of many parts": "\n".join("a" + ".a" * 400 + f".b{number} = 1" for number in range(200)),
    "tables in tables": "select" + ".a" * 499 + " = 1\n[severity" + ".a" * 499 + "]\na" + ".a" * 499 + " = 1",
    "lists in lists": "a = " + "[" * 100_000,
    "tables in a line": "a = " + "{b = " * 50_000,
    "a long number": "max-chars = " + "9" * 200_000,
    "a long hexadecimal number": "max-chars = 0x" + "f" * 200_000,
    "a large float": "max-chars = 1e999999999",
    "a date that is none": "max-chars = 9999-99-99",
    "many keys": "".join(f"a{number} = 1\n" for number in range(20_000)),
    "many ignored findings": "[[ignore-finding]]\nrule = 'BL202'\nreason = 'x'\n" * 5_000,
    "many ignored files": "per-file-ignores = {"
    + ",".join(f"'*a*b*{n}' = ['BL2']" for n in range(4_000))
    + "}",
    "an endless text": 'agent = """' + "x\n" * 100_000,
    "a long unknown key": "x" * 200_000 + " = 1",
    "slow patterns": "rules.persistence-instruction.patterns = ['(N|Ne|e|v|er)+(N|e)+$x', '(a+)+$', '(?:x*)*y']",
    "patterns that eat memory": "rules.persistence-instruction.patterns = ['(?:(?:|a){1000}){1000}']",
}


def with_patterns(*patterns: str) -> str:
    return json.dumps({"hooks": {"internal": {"entries": {"bootstrap-extra-files": {"paths": patterns}}}}})


JSON_BOMBS = {
    "lists in lists": "[" * 1_000_000,
    "objects in objects": "{a:" * 500_000,
    "a long number": "{agents: {defaults: {bootstrapMaxChars: " + "9" * 1_000_000 + "}}}",
    "a large float": "{agents: {defaults: {bootstrapMaxChars: 1e999999}}}",
    "many keys": "{" + ",".join(f"k{number}:1" for number in range(100_000)) + "}",
    "many agents": json.dumps({"agents": {"list": [{"id": f"a{n}", "bootstrapMaxChars": -1} for n in range(2_000)]}}),
    "an endless comment": "/*" + "*" * 2_000_000,
    "a long variable": "{env: {A: '" + "x" * 1_000_000 + "'}, list: ['" + "${A}" * 100_000 + "']}",
    "itself": "{$include: 'openclaw.json'}",
    "itself, many times": "{$include: [" + "'openclaw.json'," * 1_000 + "]}",
    "a file outside": "{$include: '../outside/some.json'}",
    "a device": "{$include: '/dev/zero'}",
    "patterns of many choices": with_patterns(*["{" + ",".join(f"a{n}*" for n in range(255)) + "}/**/*.md"] * 100),
    "patterns of many parts": with_patterns(*["{a,b}" * 800 + "*", "**/" * 1300 + "*.md", "*a" * 2000 + "/*.md"] * 30),
}  # fmt: skip


@pytest.mark.parametrize("bomb", TOML_BOMBS)
def test_no_settings_explode(bomb: str, workspace: Path) -> None:
    (workspace / "bootlint.toml").write_text(TOML_BOMBS[bomb])
    outcome = answer(workspace, "check")
    assert outcome.err.count("\n") <= 4
    assert len(outcome.err) < 2_000


@pytest.mark.parametrize("bomb", JSON_BOMBS)
def test_no_configuration_explodes(bomb: str, workspace: Path, outside: Path) -> None:
    (workspace.parent / "openclaw.json").write_text(JSON_BOMBS[bomb])
    for command in (("check", "--output-format", "json"), ("show", "--quiet")):
        outcome = answer(workspace, *command)
        assert SECRET not in outcome.out + outcome.err


def test_no_baseline_and_no_lock_explodes(workspace: Path) -> None:
    number = b'{"schema_version": 1' + b"0" * 10_000 + b"}"
    for bomb in (b"[" * 1_000_000, b"9" * 1_000_000, b"\xff" * 1_000_000, number):
        (workspace / "baseline.json").write_bytes(bomb)
        (workspace / "bootlint.lock").write_bytes(bomb)
        assert answer(workspace, "check", "--baseline", "baseline.json").status == 2
        assert answer(workspace, "lock", "--check").status == 2
        assert answer(workspace, "check").status == 1


# --- variables ----------------------------------------------------------------------------------------------

SHOWING = (
    *(("check", "--verbose", "--output-format", one) for one in FORMATS),
    ("check", "--all-agents"),
    *(("show", option) for option in ("--all-sessions", "--full", "--compaction", "--startup", "--prompt")),
    ("show", "--html", "out.html"),
    ("show", "--output-format", "json"),
    ("show", "--compaction", "--output-format", "json"),
    ("why", "AGENTS.md:3", "--output-format", "json"),
    ("why", "AGENTS.md:3"),
    ("fix", "--diff", "--unsafe-fixes", "--output-format", "json"),
    ("releases", "--compare", "2026.1.29", "latest", "."),
    ("init", "--dry-run"),
)
KEYS = sorted({
    *settings_keys(), "agents.list[].id", "agents.list[].workspace", "agents.entries.${TOKEN}.workspace",
    "agents.defaults.workspace", "agents.defaults.compaction.postCompactionSections", "meta.lastTouchedVersion",
    "agents.defaults.heartbeat.every", "agents.defaults.bootstrapMaxChars",
})  # fmt: skip
VALUES: list[object] = ["${TOKEN}", " a ${TOKEN}/b ", ["${TOKEN}", "x/${TOKEN}"], {"${TOKEN}": "${TOKEN}"}]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("release", [era_releases()[0], "2026.4.26", era_releases()[-1]])
def test_the_value_of_no_variable_is_shown(
    value: object, release: str, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", SECRET)
    config = nested({key: deepcopy(value) for key in KEYS})
    (workspace.parent / "openclaw.json").write_text(json.dumps(config))
    for command in SHOWING:
        outcome = answer(workspace, *command, "--openclaw", release)
        shown = outcome.out + outcome.err
        if "--html" in command:
            shown += (workspace / "out.html").read_text()
        assert SECRET not in shown, command


# --- permissions --------------------------------------------------------------------------------------------

CLOSED = (
    "AGENTS.md", "bootlint.toml", "bootlint.lock", "baseline.json", "../openclaw.json", "memory", "users", ".git", ".",
    "..",
)  # fmt: skip


@pytest.mark.parametrize("name", CLOSED)
def test_what_is_closed_is_said_or_left_out(name: str, workspace: Path, tmp_path: Path) -> None:
    made(tmp_path / "open" / "ws")
    run_all(tmp_path / "open" / "ws", tmp_path)  # what is imported late may stand where only root may read
    for file in (
        "bootlint.toml",
        "bootlint.lock",
        "baseline.json",
        "users/ada/USER.md",
        "memory/2026-09-06.md",
    ):
        (workspace / file).parent.mkdir(parents=True, exist_ok=True)
        (workspace / file).write_text("")
    (workspace.parent / "openclaw.json").write_text("{}")
    Repository.at(workspace).commit()
    for folder in (tmp_path, *tmp_path.parents):
        if os.geteuid() == 0 and folder.stat().st_mode & 0o055 != 0o055:
            folder.chmod(folder.stat().st_mode | 0o055)
    place = Path(os.path.normpath(workspace / name))
    mode = place.stat().st_mode
    place.chmod(0)
    try:
        with unprivileged():
            run_all(workspace, tmp_path)
    finally:
        place.chmod(mode)


def run_all(workspace: Path, folder: Path) -> None:
    for command in (*COMMANDS, *WRITING):
        arguments = [
            os.path.join(workspace, one) if "/" not in one and ".md" in one else one for one in command
        ]
        answer(folder, *arguments, *([] if "why" in command else [str(workspace)]))
