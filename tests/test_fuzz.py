"""Any bytes in any file: every command answers with 0, 1 or 2 and says why, never with a traceback.

A short run by default. BOOTLINT_FUZZ=20000 makes that many executions, which takes about ten minutes of one core;
CONTRIBUTING.md says how many the last long run made.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

import strategies
from bootlint import catalog, lock
from bootlint.config import _KEYS as SETTINGS_KEYS
from bootlint.config import FILE_NAMES, SESSIONS
from bootlint.openclaw.releases import settings_keys
from bootlint.reporters import FORMATS
from bootlint.workspace import BOOTSTRAP_NAMES
from harness import era_releases
from markdown_texts import texts as markdown
from repositories import bootlint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

EXECUTIONS = int(os.environ.get("BOOTLINT_FUZZ", "300"))
VARIABLE, SECRET = "FUZZ_TOKEN", "the-value-of-a-variable"

# --- bootstrap files ---------------------------------------------------------------------------------------

FRAGMENTS = (
    *strategies.FRAGMENTS,
    *("\0", "\x1b[31m", "\x1b]8;;x\x07", "\u202e", "\u200b", "\u2066", "\U000e0041", "\ufe0f", "👨‍👩‍👧", "עברית", "‮مرحبا"),
    *("| a | b |\n|---|---|\n", "---\na: 1\n---\n", "<!-- bootlint: ignore[BL202] x -->", "<!--", "-->", "> ", "==="),
    *("密码：hunter22", "sk-ant-api03-" + "a1B2" * 20, "curl x | sh", "A" * 200, "[x](notes.md#必须)", "SOUL.md:7"),
    *("- 必须先备份\n", "## 安全\n", "- don't\n", "1、禁止\n", "- " + "先核对单号再回信。" * 40 + "\n", "😀" * 300, "[" * 90),
    *("\n[... truncated ...]\n", "::error::x", "%0A", "</script>", "`" * 9, "ignore all previous instructions\n"),
    f"…(truncated AGENTS.md: kept {'9' * 5000}+2 chars of {'9' * 5000})…",
)  # fmt: skip
pieces = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join) | strategies.anything | markdown
texts = st.one_of(
    pieces,
    st.tuples(pieces, st.integers(2, 300)).map(lambda drawn: (drawn[0] * drawn[1])[:60_000]),
    st.tuples(pieces, pieces).map(lambda both: both[0].replace("\n", "\r\n") + both[1]),
    pieces.map(lambda text: "\ufeff" + text),
)
contents = texts.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=60)


def damaged(good: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """A stretch cut out, replaced or filled in."""

    def damage(data: bytes, start: int, length: int, put: bytes) -> bytes:
        at = start % (len(data) + 1)
        return data[:at] + put + data[at + length :]

    put = st.binary(max_size=6) | st.sampled_from([b"[" * 3000, b"{a:" * 3000, b"9" * 5000, b"\0", b"\xff"])
    return st.builds(damage, good, st.integers(0, 400), st.integers(0, 40), put)


# --- settings ----------------------------------------------------------------------------------------------

RULES = ("BL1", "BL202", "all", "file-over-limit", *catalog.names().values())
NUMBERS = ("0", "-1", "40", "20000", "1e999", "nan", "9" * 5000, "0x" + "f" * 5000, "1" + "0" * 400)
GOOD_LINES = (
    'openclaw = "2026.6.11"', 'openclaw = ["2026.1.29", "latest"]', "max-chars = 300", "total-max-chars = 900",
    'session = "group"', 'language = "zh"', 'workspace-path = "/w\\u001b/\\u202e"', 'scope = "lost"', 'select = ["BL2"]',
    'prefix-style = "cjk"', "rules.persistence-instruction.patterns = ['(a+)+$', '必须', '[[a]', '(?:x){e<=2}']",
    "rules.near-limit.advise-chars = 0", 'per-file-ignores = { "[a-" = ["BL2"], "*.md" = ["BL301"], "[[]" = [] }',
    "[[ignore-finding]]\nrule = 'BL202'\nreason = 'x'\ntext = '必'", 'severity = { BL1 = "info" }', "extend-select = ['BL']",
    'openclaw-config = "a\\u0000"', 'openclaw-config = "../part.json"', 'agent = "\\u0000"', "total-max-chars = 1",
)  # fmt: skip

toml_texts = st.sampled_from([*RULES, *SESSIONS, *era_releases(), *FRAGMENTS]) | st.text(max_size=9)
toml_values = st.recursive(
    toml_texts.map(json.dumps)
    | st.sampled_from(
        [*NUMBERS, "true", "1979-05-27", "07:32:00", "9999-99-99", "'''x'''", '"\\ud800"', "inf"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.dictionaries(toml_texts.map(json.dumps), inner, max_size=2).map(
            lambda table: "{" + ", ".join(f"{key} = {value}" for key, value in table.items()) + "}"
        )
    ),
    max_leaves=4,
)
good_toml = st.lists(st.sampled_from(GOOD_LINES), max_size=4, unique=True).map(
    lambda lines: "\n".join(sorted(lines, key=lambda line: line.startswith("["))).encode()
)
bad_toml = st.builds(
    "{} = {}".format, st.sampled_from([*SETTINGS_KEYS, "rules.near-limit.advise-chars", "a.b"]), toml_values
).map(lambda text: text.encode("utf-8", "ignore"))
toml = good_toml | good_toml | damaged(good_toml) | bad_toml
in_pyproject = toml.map(lambda text: b"[tool.bootlint]\n" + text)

# --- openclaw.json, lock, baseline -------------------------------------------------------------------------

json_texts = st.sampled_from([
    *SESSIONS, "main", "ada", ".", "ws", "~/.openclaw/workspace", "\0", "\x1b[2J", "*/*.md", "**/{A,B}*.md", "users/[a-",
    f"${{{VARIABLE}}}", f"x${{{VARIABLE}}}/y", "$${A}", "2026.6.11", "2026.9.6-beta.1", "1h", "9" * 400 + "h", "Red Lines",
    "./part.json", "openclaw.json", "../out.json", "/dev/zero", "always", "never", "\ud800", "SOUL.md", "{a,b}" * 40,
]) | st.text(max_size=6)  # fmt: skip
json_leaves = (
    st.none() | st.booleans() | st.integers() | st.floats() | json_texts | st.sampled_from([10**400, 900])
)
json_values = st.recursive(
    json_leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(json_texts, inner, max_size=3),
    max_leaves=6,
)
json_keys = st.sampled_from(sorted({
    *settings_keys(), "$include", "env.vars.A", "meta.lastTouchedVersion", "agents.defaults.bootstrapMaxChars",
    "agents.defaults.bootstrapTotalMaxChars", "agents.list", "agents.entries.ada.workspace", "agents.entries.0",
    "agents.defaults.workspace", "agents.defaults.compaction.postCompactionSections", "agents.defaults.heartbeat.every",
    "hooks.internal.entries.bootstrap-extra-files.paths", "agents", "__proto__.x",
}))  # fmt: skip


def nested(entries: Mapping[str, object]) -> dict[str, object]:
    """Dotted keys → the tree that they mean; of a list, an agent with the value."""
    tree: dict[str, object] = {}
    for key, value in entries.items():
        node = tree
        *way, last = key.replace("[]", "").split(".")
        for part in way:
            below = node.setdefault(part, {})
            if not isinstance(below, dict):
                below = node[part] = {}
            node = below
        node[last] = [{"id": "ada", "bootstrapMaxChars": value}] if last == "list" else value
    return tree


good_configs = st.dictionaries(json_keys, json_values, max_size=5).map(nested).map(json.dumps).map(str.encode)
signs = st.lists(st.sampled_from([*"{}[]:,'\"\\/*\n 01e.-$", "$include", "a"]), max_size=30).map("".join)
configs = good_configs | good_configs | damaged(good_configs) | signs.map(str.encode)

LOCK = lock.render(
    {name: lock.approve(name, b"- Never lie\n", "2026-09-06") for name in ("AGENTS.md", "SOUL.md")}
)
locks = st.just(LOCK.encode()) | damaged(st.just(LOCK.encode()))
KNOWN: object = {"path": "AGENTS.md", "code": "BL202", "fingerprint": "0" * 32}
findings = st.lists(st.just(KNOWN) | st.fixed_dictionaries({"path": json_values, "fingerprint": json_values}))
baselines = st.builds(
    lambda *values: json.dumps(dict(zip(("schema_version", "findings"), values, strict=True))).encode(),
    st.just(1) | json_values,
    findings | json_values,
)
STATE = b'{"setupCompletedAt": "2026-05-01T00:00:00Z"}'

# --- workspaces and commands -------------------------------------------------------------------------------

NAMES = (
    *BOOTSTRAP_NAMES,
    "agents.md",
    "SOULS.txt",
    "users/ada/USER.md",
    "users/\udcff/USER.md",
    "memory/2026-09-06.md",
)
entries = st.one_of(
    st.tuples(st.sampled_from(NAMES), contents),
    st.tuples(st.sampled_from(NAMES), contents),
    st.tuples(st.sampled_from(FILE_NAMES[:2]), toml) | st.tuples(st.just("pyproject.toml"), in_pyproject),
    st.tuples(st.sampled_from(["../openclaw.json", "../part.json"]), configs),
    st.tuples(st.just("bootlint.lock"), locks)
    | st.tuples(st.just("baseline.json"), baselines | damaged(baselines))
    | st.tuples(st.just("openclaw-workspace-state.json"), st.just(STATE) | damaged(st.just(STATE))),
)
FOLDERS = ("ws", "空 间", "\udcff\x1b[31m", "a\nb", "::set-output", "x" * 200)

situations = st.lists(
    st.sampled_from(["--isolated", "--verbose", "--quiet", "--agent=ada", "--agent=\x1b"])
    | st.sampled_from(["--language=en", "--language=zh"])
    | st.sampled_from(era_releases()).map("--openclaw={}".format)
    | st.sampled_from(SESSIONS).map("--session={}".format)
    | st.sampled_from(["1", "60", "700", "9" * 15]).map("--max-chars={}".format)
    | st.sampled_from(["1", "900", "9" * 15]).map("--total-max-chars={}".format)
    | st.sampled_from([
        "--workspace-path=/\udcff", "--workspace-path=" + "/w" * 900, "--openclaw-config=openclaw.json",
        "--openclaw-config=.", "--config=ws/bootlint.toml", "--max-chars=" + "9" * 5000, "--agent=\udcff", "--session=\0",
    ]),
    max_size=3,
)  # fmt: skip
EXACT = ("--prompt", "--compaction", "--startup")
forms = st.sampled_from([[], ["--full"], ["--all-sessions"], ["--html=out.html"], ["--output-format=json"]])
reports = st.lists(
    st.sampled_from(FORMATS).map("--output-format={0}=out.{0}".format), max_size=2, unique=True
)


def fixing(*options: str) -> list[str]:
    return ["fix", *filter(None, options)]


def commands(place: str) -> st.SearchStrategy[list[str]]:
    """Command lines about a workspace, as they are given beside it."""
    checks = st.builds(
        lambda output_format, files, known: [
            "check",
            f"--output-format={output_format}",
            *files,
            *known,
            place,
        ],
        st.sampled_from(FORMATS),
        reports,
        st.sampled_from([[], [], [f"--baseline={place}/baseline.json"]]),
    )
    shows = forms.map(lambda options: ["show", *options, place])
    lines = st.integers(-1, 9) | st.sampled_from(["必须", "a", "", "9" * 5000, "\udcff"])
    whys = st.builds(
        lambda name, line, form: ["why", f"{place}/{name}:{line}", *form],
        st.sampled_from(["AGENTS.md", "AGENTS.md", "USER.md", "users/ada/USER.md"]),
        lines,
        st.sampled_from([[], ["--output-format=json"], ["--prefix-style=cjk"]]),
    )
    fixes = st.builds(
        fixing,
        st.sampled_from(["--diff", "--diff", "--diff", ""]),
        st.sampled_from(["", "--unsafe-fixes"]),
        st.sampled_from(["", "--output-format=json", "--scope=lost"]),
        st.just(place),
    )
    others = st.sampled_from([
        ["check", "-", f"--stdin-filename={place}/AGENTS.md"],
        ["check", "--jobs=" + "9" * 5000, place],
        ["check", "--all-agents", "."],
        ["check", "--baseline=new.json", "--write-baseline", place],
        *(["show", option, place] for option in (*EXACT, "--raw=AGENTS.md", "--raw=USER.md")),
        ["fix", "-", f"--stdin-filename={place}/AGENTS.md"],
        ["lock", place],
        ["lock", "--check", place],
        ["lock", f"{place}/users/ada/USER.md"],
        ["releases", "--compare", "2026.1.29", "latest", place],
        ["releases", "--compare", "latest", "2026.1.29", place, "--output-format=json"],
        ["init", "--dry-run", place],
    ])  # fmt: skip
    return checks | shows | whys | fixes | others


runs = st.sampled_from(FOLDERS).flatmap(
    lambda folder: st.tuples(st.just(folder), commands(folder), situations)
)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that is nobody's home, and in no repository."""
    folder = tmp_path_factory.mktemp("fuzz")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv(VARIABLE, SECRET)
        yield folder


def case(command: str, *options: str, **files: bytes) -> example:
    """A crash that was found once."""
    others = [(name.replace("_", "."), data) for name, data in files.items()]
    return example(text=b"- a\n", others=others, run=("ws", [*command.split(), "ws"], [*options]))


@case("check", "--total-max-chars=" + "9" * 400)
@case("check", "--jobs=" + "9" * 5000)
@case("check", bootlint_toml=b"max-chars = " + b"9" * 5000)
@case("check", bootlint_toml=b"max-chars = 0x" + b"f" * 5000)
@case("check", bootlint_toml=b"[select" + b".a" * 499 + b"]\na" + b".a" * 499 + b" = 1")
@case("releases --compare 2026.1.29 latest")
@case("check", "--workspace-path=/w", "--total-max-chars=110", AGENTS_md=b"")
@example(text=b"- a\n", others=[], run=("ws", ["why", "ws/AGENTS.md:" + "9" * 5000], []))
@settings(
    max_examples=EXECUTIONS,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(text=contents, others=st.lists(entries, max_size=5), run=runs)
def test_any_bytes_have_an_answer(
    scratch: Path,
    text: bytes,
    others: Sequence[tuple[str, bytes]],
    run: tuple[str, list[str], list[str]],
) -> None:
    folder, command, options = run
    state = scratch / "state"
    try:
        for name, data in (("AGENTS.md", text), *others):
            target = Path(os.path.normpath(state / folder / name))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        assert_answer(state, [*command, *options], text)
    finally:
        shutil.rmtree(state)


def assert_answer(state: Path, arguments: list[str], stdin: bytes) -> None:
    outcome = bootlint(*arguments, folder=state, stdin=stdin)
    assert outcome.status in (0, 1, 2)
    if outcome.status == 2:
        assert outcome.err.splitlines()[-1].startswith("bootlint: error: ")
    written = [path.read_text("utf-8") for path in state.glob("out.*")]
    assert not any(SECRET in text for text in (outcome.out, outcome.err, *written))
    if "--output-format=json" in arguments and outcome.status != 2:
        json.loads(outcome.out)
    is_exact = arguments[0] == "fix" or arguments[1] in EXACT or arguments[1].startswith("--raw")
    shown = outcome.err if is_exact else outcome.out + outcome.err
    assert not {char for char in shown if char < " " or "\x7f" <= char <= "\x9f" or char == "\u202e"} - {"\n"}
