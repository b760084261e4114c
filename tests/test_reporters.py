"""The formats of `bootlint check`: valid where a schema says what is, and harmless whatever a workspace holds."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width
from urllib.parse import unquote

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.cells import cell_len

from bootlint import catalog
from bootlint.cli import main
from bootlint.diagnostics import (
    Applicability,
    Diagnostic,
    Edit,
    Fix,
    Note,
    Position,
    Severity,
    Span,
)
from bootlint.engine import Report
from bootlint.openclaw.jstext import utf16_len
from bootlint.openclaw.releases import contract
from bootlint.openclaw.settings import Origin
from bootlint.records import replace
from bootlint.reporters import FORMATS, FROM_TOP, Run, render
from bootlint.reporters.basis import basis_lines, origin_words
from bootlint.reporters.markdown import MAX_LENGTH
from bootlint.reporters.terminal import window, wrap
from bootlint.simulation import Situation
from bootlint.wording import LANGUAGES, Language, printable
from harness import lint
from repositories import bootlint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bootlint.openclaw.fates import Fate
    from repositories import Repository

HERE = Path(__file__).parent
SITUATION = Situation(
    contract("2026.9.6"),
    origins={
        "openclaw": Origin("place", "--openclaw"),
        "max-chars": Origin("default", release="2026.9.6"),
        "total-max-chars": Origin("default", release="2026.9.6"),
    },
)
LINE = "- 必须：最大委派5轮 👍 ok"
FOR_PEOPLE = ("full", "concise", "github", "markdown")


def diagnostic(
    line_text: str = LINE,
    columns: tuple[int, int] = (3, 5),
    *,
    line: int = 12,
    code: str = "BL103",
    path: str = "AGENTS.md",
    message: str = "something is wrong here",
    severity: Severity = Severity.ERROR,
    end: Position | None = None,
    fate: Fate | None = "dropped",
    fix: Fix | None = None,
    notes: tuple[Note, ...] = (),
) -> Diagnostic:
    return Diagnostic(
        path=path,
        span=Span(line * 100 + columns[0], line * 100 + columns[1]),
        code=code,
        name=catalog.rule(code).name,
        severity=severity,
        message=message,
        start=Position(line, columns[0]),
        end=end or Position(line, columns[1]),
        fingerprint=f"{line:032x}",
        line_text=line_text,
        fate=fate,
        fix=fix,
        notes=notes,
        releases=("2026.9.6",),
    )


def fix_at(
    line: int, applicability: Applicability, *, title: str = "write Must", text: str = "Must / "
) -> Fix:
    at = Position(line, 3)
    return Fix((Edit("AGENTS.md", Span(line, line), text, at, at),), applicability, title)


def note(line: int, *, path: str = "MEMORY.md", message: str = "this used the room") -> Note:
    return Note(path, Span(0, 3), Position(line, 1), Position(line, 4), message)


def report_of(*diagnostics: Diagnostic, workspace: str = ".") -> Report:
    return Report(workspace, (SITUATION,), diagnostics, suppressed=0, priority_rules=57, reached=41)


def run_of(*diagnostics: Diagnostic, language: Language = "en", width: int = 80, colour: bool = False) -> Run:
    return Run((report_of(*diagnostics),), language, colour, width)


# Everything that a diagnostic may carry.
ORDINARY = (
    diagnostic(line=1, notes=(note(3), note(9)), end=Position(4, 2)),
    diagnostic(line=2, severity=Severity.WARNING, fate="digest", fix=fix_at(2, Applicability.SAFE)),
    diagnostic(line=3, severity=Severity.WARNING, fate="digest-cut", fix=fix_at(3, Applicability.UNSAFE)),
    diagnostic(line=4, severity=Severity.WARNING, fate="cut", fix=fix_at(4, Applicability.DISPLAY)),
    diagnostic(line=5, severity=Severity.INFO, code="BL106", fate="kept", fix=Fix((), title="be brief")),
    diagnostic(line=6, severity=Severity.INFO, code="BL106", fate="blank"),
    diagnostic("", (1, 1), line=1, severity=Severity.INFO, code="BL301", path="USER.md", fate=None),
)

# What a stranger may write into a file, a file's name or a folder's.
HOSTILE = (
    "a\nb",
    "a\r\nb",
    "a\u2028b\x85c",
    "::error file=x::pwned",
    " ::stop-commands::x",
    "\n::add-mask::a",
    "##[error]pwned",
    "###[add-path]/bin",
    "%0A::error::x %25",
    "a,b:c=d",
    "a | b \\| c",
    "`` ` `` ``` <!-- --> --> <b>bold</b> </td></tr></table><script>alert(1)</script>",
    "&lt;b&gt; &#64;octocat",
    "@octocat, @org/team and mail@example.com",
    "#123, owner/repo#5, GH-7 and !3",
    "https://example.com, www.example.com and javascript:alert(1)",
    "[text](https://example.com) ![image](x.png) [ref] <https://example.com>",
    "**bold** _em_ ~~del~~ $math$ \\*not\\*",
    "\x1b[31mred\x1b]0;title\x07",
    "\u202eevil\u2066 \u200b\ufeff\U000e0041",
    "\udcff\ud800",
    "\0",
    "{0} {curly} %s %(x)s",
    "[bold]rich markup[/bold] :smile:",
)


def in_path(text: str) -> str:
    """What of a text can stand in a path."""
    return text.replace("\0", "").replace("\ud800", "") or "nothing"


def hostile_run(text: str, language: Language = "en", width: int = 80) -> Run:
    path = f"{in_path(text)}/USER.md"
    found = (
        diagnostic(
            f"## {text} here",
            (4, 4 + len(text)),
            severity=severity,
            code=code,
            path=path,
            message=f"{text} is wrong: {text}",
            fix=fix_at(12, Applicability.SAFE, title=f"write {text}", text=text),
            notes=(note(3, path=path, message=f"see {text}"),),
        )
        for severity, code in ((Severity.ERROR, "BL103"), (Severity.INFO, "BL106"))
    )
    return run_of(*found, language=language, width=width)


def many(count: int) -> Run:
    return run_of(
        *(diagnostic(line=line, path=f"agents/{line % 7}/AGENTS.md") for line in range(1, count + 1))
    )


RUNS = {
    "empty": run_of(),
    "ordinary": run_of(*ORDINARY),
    "chinese": run_of(*ORDINARY, language="zh"),
    "two workspaces": Run((report_of(*ORDINARY), report_of(*ORDINARY, workspace="agents/ada")), "en"),
    "a thousand": many(1000),
    **{f"hostile {text!r}": hostile_run(text) for text in HOSTILE},
}


# Schemas


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("output_format", ["json", "sarif", "gitlab"])
def test_json_is_ascii_and_follows_its_schema(output_format: str, run: Run) -> None:
    text = render(output_format, run)
    assert text.isascii()
    schema = json.loads((HERE / "schemas" / f"{output_format}.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(text), schema, jsonschema.Draft202012Validator)
    text.encode("utf-8")
    json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8")  # no lone surrogate


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_sarif_agrees_with_itself(run: Run) -> None:
    scan = json.loads(render("sarif", run))["runs"][0]
    rules = scan["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({found.code for found in run.diagnostics})
    for result, found in zip(scan["results"], run.diagnostics, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == found.code
        place = result["locations"][0]["physicalLocation"]
        artifact, region = place["artifactLocation"], place["region"]
        assert artifact["uriBaseId"] in scan["originalUriBaseIds"]
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
        assert result["partialFingerprints"] == {"bootlint/v1": found.fingerprint}


@pytest.mark.parametrize(
    "path", ["AGENTS.md", "agents/小明/SOUL.md", "a b/100%/c#d?e:f/USER.md", "users/\udcff/USER.md"]
)
def test_sarif_names_files_relative_to_the_root_and_percent_encoded(path: str) -> None:
    place = json.loads(render("sarif", run_of(diagnostic(path=path))))["runs"][0]["results"][0]["locations"][
        0
    ]
    uri = place["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"([A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri)
    assert unquote(uri, errors="surrogateescape") == path


def test_sarif_names_files_elsewhere_by_their_whole_address() -> None:
    place = json.loads(render("sarif", run_of(diagnostic(path="/srv/小明/SOUL.md"))))["runs"][0]["results"][0]
    artifact = place["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///srv/%E5%B0%8F%E6%98%8E/SOUL.md"}


def test_sarif_offers_the_fixes_that_can_be_applied() -> None:
    results = json.loads(render("sarif", run_of(*ORDINARY)))["runs"][0]["results"]
    fixes = {
        result["locations"][0]["physicalLocation"]["region"]["startLine"]: result["fixes"]
        for result in results
        if "fixes" in result
    }
    assert {line: fix[0]["properties"]["applicability"] for line, fix in fixes.items()} == {
        2: "safe",
        3: "unsafe",
    }
    assert fixes[2][0]["artifactChanges"] == [
        {
            "artifactLocation": {"uri": "AGENTS.md", "uriBaseId": "%SRCROOT%"},
            "replacements": [
                {
                    "deletedRegion": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 3},
                    "insertedContent": {"text": "Must / "},
                }
            ],
        }
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_sarif_explains_the_rules_that_fired(language: Language) -> None:
    rules = json.loads(render("sarif", run_of(*ORDINARY, language=language)))["runs"][0]["tool"]["driver"][
        "rules"
    ]
    for rule in rules:
        info = catalog.rule(rule["id"])
        assert rule["help"] == {"text": info.localised_summary(language), "markdown": info.advice(language)}
        assert ("## Why" in rule["help"]["markdown"]) == (language == "en")
        assert "```" not in rule["help"]["markdown"]


def test_json_tells_what_a_run_was_made_of() -> None:
    document = json.loads(render("json", run_of(*ORDINARY)))
    assert document["release"] == "2026.9.6"
    assert [found["line"] for found in document["diagnostics"]] == [1, 2, 3, 4, 5, 6, 1]
    summary = document["summary"]
    assert (summary["errors"], summary["warnings"], summary["infos"]) == (1, 3, 3)
    (workspace,) = summary["workspaces"]
    assert (workspace["path"], workspace["priority_rules"], workspace["reached"]) == (".", 57, 41)
    assert workspace["situations"][0]["limits"]["origin"]["release"] == "--openclaw"


@pytest.mark.parametrize("output_format", ["json", "sarif"])
def test_edits_name_the_path_that_is_shown(output_format: str) -> None:
    ada = replace(diagnostic(line=2, fix=fix_at(2, Applicability.SAFE)), path="agents/ada/AGENTS.md")
    text = render(output_format, Run((report_of(ada, workspace="agents/ada"),), "en"))
    assert text.count("agents/ada/AGENTS.md") == 2


def test_gitlab_tells_equal_lines_of_two_workspaces_apart() -> None:
    ada = replace(diagnostic(), path="agents/ada/AGENTS.md")
    issues = json.loads(
        render("gitlab", Run((report_of(diagnostic()), report_of(ada, workspace="agents/ada")), "en"))
    )
    assert len({issue["fingerprint"] for issue in issues}) == 2


# Workflow commands

REGISTERED = {
    "error",
    "warning",
    "notice",
    "add-mask",
    "add-path",
    "stop-commands",
    "set-env",
    "set-output",
    "group",
}


def commands(log: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """What a GitHub runner obeys in a log: `::name key=value::text` at the start of a line, `##[name]` anywhere."""
    for line in re.split(r"\r\n|\r|\n", log):
        if match := re.match(r"\s*::([^ :]+)(?: ((?:(?!::).)*))?::(.*)", line):
            name, properties, text = match[1], match[2] or "", match[3]
            if name.lower() in REGISTERED:
                pairs = (pair.split("=", 1) for pair in properties.split(",") if "=" in pair)
                yield name, {key: unescaped(value) for key, value in pairs}, unescaped(text)
                continue
        if (old := re.search(r"##\[([^ \]]+)[^\]]*\](.*)", line)) and old[1].lower() in REGISTERED:
            yield old[1], {}, old[2]


def unescaped(text: str) -> str:
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def test_github_commands_are_read_back() -> None:
    assert list(commands(render("github", run_of(*ORDINARY)))) == [
        (
            "error",
            {"file": "AGENTS.md", "line": "1", "endLine": "4", "title": "BL103 content-dropped"},
            "something is wrong here\nline 1 dropped: the model does not receive it",
        ),
        *(
            (
                "warning",
                {
                    "file": "AGENTS.md",
                    "line": str(line),
                    "endLine": str(line),
                    "col": "3",
                    "endColumn": "5",
                    "title": "BL103 content-dropped",
                },
                f"something is wrong here\n{fate}\n{fix}",
            )
            for line, fate, fix in (
                (2, "line 2 in the digest only: the model receives it there", "safe fix: write Must"),
                (
                    3,
                    "line 3 cut in the digest: the model receives only its beginning, and only there",
                    "unsafe fix: write Must",
                ),
                (4, "line 4 cut: the model receives a part of it", "advice: write Must"),
            )
        ),
        (
            "notice",
            {
                "file": "AGENTS.md",
                "line": "5",
                "endLine": "5",
                "col": "3",
                "endColumn": "5",
                "title": "BL106 near-limit",
            },
            "something is wrong here (also line 6)\nline 5 kept: the model receives it whole\nunsafe fix: be brief",
        ),
        (
            "notice",
            {
                "file": "USER.md",
                "line": "1",
                "endLine": "1",
                "col": "1",
                "endColumn": "1",
                "title": "BL301 missing-file",
            },
            "something is wrong here",
        ),
    ]


@pytest.mark.parametrize("text", HOSTILE, ids=repr)
@pytest.mark.parametrize(
    ("output_format", "width"), [*((name, 80) for name in FORMATS), ("full", 20), ("full", 33)]
)
def test_a_log_obeys_bootlint_alone(output_format: str, text: str, width: int) -> None:
    found = list(commands(render(output_format, hostile_run(text, width=width))))
    if output_format != "github":
        assert found == []
        return
    assert [name for name, _, _ in found] == ["error", "notice"]
    for _, properties, message in found:
        assert properties["file"] == printable(f"{in_path(text)}/USER.md")
        assert message.startswith(printable(f"{text} is wrong: {text}"))


# Harmless text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", HOSTILE, ids=repr)
@pytest.mark.parametrize("output_format", FOR_PEOPLE)
def test_nothing_invisible_is_printed(output_format: str, text: str, language: Language) -> None:
    output = render(output_format, hostile_run(text, language))
    assert {char for char in output if printable(char) != char} <= {"\n"}
    assert output.endswith("\n")


@pytest.mark.parametrize("text", HOSTILE, ids=repr)
@pytest.mark.parametrize("output_format", ["concise", "github", "markdown"])
def test_no_text_makes_a_line_of_its_own(output_format: str, text: str) -> None:
    assert render(output_format, hostile_run(text)).count("\n") == render(
        output_format, hostile_run("x")
    ).count("\n")


CONCISE = re.compile(r"^(.*?):(\d+):(\d+): (BL\d{3}) ([a-z0-9-]+): (.*)$")


@pytest.mark.parametrize("run", [RUNS["ordinary"], RUNS["chinese"], RUNS["a thousand"]])
def test_concise_is_what_editors_read(run: Run) -> None:
    places = [
        match.group(1, 2, 3, 4)
        for line in render("concise", run).splitlines()
        if (match := CONCISE.match(line))
    ]
    each = [found for found in run.diagnostics if found.severity is not Severity.INFO]
    assert places[: len(each)] == [
        (found.path, str(found.start.line), str(found.start.column), found.code) for found in each
    ]
    assert len(places) == render("concise", run).count("\n")


@pytest.mark.parametrize(
    ("output_format", "text"), [("full", ""), ("concise", ""), ("github", ""), ("gitlab", "[]\n")]
)
def test_a_clean_run_needs_no_words(output_format: str, text: str) -> None:
    assert render(output_format, run_of()) == text


@pytest.mark.parametrize("output_format", FORMATS)
def test_the_order_of_workspaces_and_findings_does_not_matter(output_format: str) -> None:
    one, other = report_of(*ORDINARY[:4]), report_of(*ORDINARY[4:])
    turned = report_of(*reversed(ORDINARY[:4]))
    assert render(output_format, Run((one, other), "en")) == render(output_format, Run((turned, other), "en"))


# Markdown


def cells(markdown: str) -> list[list[str]]:
    """The texts in the tables' rows, as a reader sees them; fails on markup that bootlint did not write."""
    rows: list[list[str]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            children = token.children or []
            markup = {child.type for child in children} - {
                "text",
                "text_special",
                "strong_open",
                "strong_close",
            }
            assert markup <= {"html_inline"}, markup
            assert {child.content for child in children if child.type == "html_inline"} <= {"<br>"}
            text = "".join("\n" if child.type == "html_inline" else child.content for child in children)
            assert not re.search(r"@\w|#\d|://|www\.|\bGH-\d", text), text
            if rows:
                rows[-1].append(text.replace("\u200b", ""))
    return [row for row in rows if row[0] not in ("Line", "行")]


@pytest.mark.parametrize("text", HOSTILE, ids=repr)
def test_markdown_shows_texts_letter_by_letter(text: str) -> None:
    shown = printable(text)
    lines = ("line 12 dropped: the model does not receive it", f"safe fix: write {shown}")
    expected = "\n".join((f"{shown} is wrong: {shown}", *lines))
    rows = cells(render("markdown", hostile_run(text)).partition("| Line |")[2].join(("| Line |", "")))
    assert [row[1:] for row in rows] == [
        ["error BL103 content-dropped", expected.strip()],
        ["info BL106 near-limit", expected.strip()],
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown_fits_into_a_comment_and_counts_the_rest(language: Language) -> None:
    infos = [
        diagnostic(line=line, path=f"{line}.md", severity=Severity.INFO, message="小事" * 99)
        for line in range(1, 900)
    ]
    errors = [diagnostic(line=line, path="z.md", message="💥" * 99) for line in range(1, 100)]
    text = render("markdown", run_of(*infos, *errors, language=language))
    assert MAX_LENGTH - 2_000 < utf16_len(text) <= MAX_LENGTH
    rows = cells(text)
    assert sum(row[1].startswith(("error", "错误")) for row in rows) == 99  # the gravest have the first claim
    left_out = re.search(r"(\d+) (?:more|条)", text.splitlines()[-1])
    assert left_out is not None
    assert len(rows) + int(left_out[1]) == 998


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("1 error, 3 warnings, 3 infos in 1 workspace", "priority rules that reach the model: 41/57")),
        ("zh", ("1 个工作区：错误 1，警告 3，提示 3", "送达模型的硬性规则：41/57")),
    ],
)
def test_markdown_begins_with_what_the_model_receives(language: Language, words: tuple[str, ...]) -> None:
    text = render("markdown", run_of(*ORDINARY, language=language))
    for word in (*words, "OpenClaw 2026.9.6"):
        assert word in text.partition("####")[0]


@pytest.mark.parametrize(
    ("release", "verbose", "words"),
    [
        (
            "2026.9.6",
            False,
            ["OpenClaw 2026.9.6 (here), session main: limit 20,000 a file (there), 60,000 in all (there)"],
        ),
        ("2099.1.1", False, ["OpenClaw 2099.1.1 (here)", "OpenClaw 2099.1.1 is not on record"]),
        ("2026.9.6", True, ["OpenClaw 2026.9.6 (here)", "agent ada"]),
        ("2026.1.29", False, ["limit 20,000 a file (there), no total"]),
    ],
)
def test_the_basis_names_each_value_and_where_it_came_from(
    release: str, verbose: bool, words: list[str]
) -> None:
    there = Origin("place", "there")
    origins = {"openclaw": Origin("place", "here"), "max-chars": there, "total-max-chars": there}
    lines = list(
        basis_lines([Situation(contract(release), agent="ada", origins=origins)], "en", verbose=verbose)
    )
    assert len(lines) == len(words)
    assert all(word in line for word, line in zip(words, lines, strict=True))


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (Origin("place", "bootlint.toml"), ("bootlint.toml", "bootlint.toml")),
        (Origin("openclaw-json", "a.b"), ("a.b in openclaw.json", "openclaw.json 的 a.b")),
        (Origin("default", release="2026.6.1"), ("default of 2026.6.1", "2026.6.1 的默认值")),
        (
            Origin("default-instead", "a.b", "2026.6.1"),
            (
                "default of 2026.6.1, as a.b in openclaw.json is no positive number",
                "2026.6.1 的默认值，因为 openclaw.json 的 a.b 不是正数",
            ),
        ),
        (Origin("no-total", release="2026.1.29"), ("no total in 2026.1.29", "2026.1.29 没有总上限")),
        (Origin("latest-known"), ("latest known", "已知的最新版本")),
    ],
)
def test_an_origin_has_words_in_both_languages(origin: Origin, words: tuple[str, str]) -> None:
    assert tuple(origin_words(origin, language) for language in LANGUAGES) == words


# Full


@pytest.mark.parametrize("width", [60, 80, 160])
@pytest.mark.parametrize("language", LANGUAGES)
def test_full_looks_as_it_always_did(language: Language, width: int) -> None:
    long = "开头" * 60 + "绝不外传私事" + "尾巴" * 60
    found = (
        *ORDINARY,
        diagnostic(
            long,
            (121, 127),
            line=1204,
            message="一条很长的规则，OpenClaw 2026.9.6 收不到它的一部分：" + "理由" * 40,
        ),
        diagnostic(
            "\t- 👩‍👩‍👧 family\tand ❤️ then 必须", (27, 29), line=20, notes=tuple(map(note, range(1, 9)))
        ),
    )
    text = render("full", run_of(*found, language=language, width=width))
    snapshot = HERE / "snapshots" / f"full-{width}-{language}.txt"
    if os.environ.get("BOOTLINT_UPDATE_SNAPSHOTS"):
        snapshot.write_text(text, encoding="utf-8")
    assert text == snapshot.read_text(encoding="utf-8")


def columns_of(text: str) -> int:
    """Terminal columns by the Unicode tables of Python, for text without joined emoji."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def under(text: str, offset: int, width: int) -> str:
    """What stands in these columns of a line."""
    kept = ""
    for number, char in enumerate(text):
        if offset <= columns_of(text[:number]) < offset + width:
            kept += char
    return kept


ALPHABET = st.sampled_from("ab 1必须：，。（）🎉éが\t")


@given(st.text(ALPHABET, max_size=200), st.data(), st.integers(20, 120))
def test_carets_stand_under_the_span(line: str, data: st.DataObject, room: int) -> None:
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, len(line)))
    text, offset, width = window(line, start, end, room)
    assert columns_of(text) <= room
    assert offset + width <= room
    marked = under(text, offset, width)
    span = line[start:end].replace("\t", "    ")
    assert marked == span or (marked.endswith("...") and span.startswith(marked.removesuffix("...")))
    if columns_of(line.replace("\t", "    ")) <= room:
        assert text == line.replace("\t", "    ")


@pytest.mark.parametrize(
    ("line", "columns", "offset", "width"),
    [
        ("abc", (0, 1), 0, 1),
        ("必须 ok", (3, 5), 5, 2),
        ("必须 ok", (1, 2), 2, 2),
        ("🎉 ok", (2, 4), 3, 2),
        ("👩‍👩‍👧 ok", (6, 8), 3, 2),  # a family, joined: two columns
        ("❤️ ok", (3, 5), 3, 2),  # a narrow heart made an emoji: two columns
        ("e\u0301 ok", (3, 5), 2, 2),
        ("\tok", (1, 3), 4, 2),
        ("\x1b[0m ok", (5, 7), 8, 2),  # shown as \x1b[0m
        ("\u202eok", (1, 3), 6, 2),
        ("##[error]", (2, 3), 2, 4),  # shown as ##\x5berror]
        ("ok", (2, 2), 2, 0),
    ],
)
def test_window_counts_in_columns(line: str, columns: tuple[int, int], offset: int, width: int) -> None:
    assert window(line, *columns, 60)[1:] == (offset, width)


@pytest.mark.parametrize("unit", ["x", "必", "👩‍👩‍👧", "e\u0301", "\t", "\x1b"])
def test_a_window_onto_a_megabyte_costs_nothing(unit: str) -> None:
    line = unit * 300_000
    middle = 150_000 * len(unit)
    for _ in range(200):
        text, offset, width = window(line, middle, middle + len(unit), 77)
    assert cell_len(text) <= 77
    assert text.startswith("...")
    assert text.endswith("...")
    assert offset + width <= 77


@given(st.text(ALPHABET | st.sampled_from("《》/:-"), max_size=300), st.integers(10, 90))
def test_wrapping_loses_only_blanks_and_keeps_within_the_width(text: str, room: int) -> None:
    lines = wrap(text, room)
    assert all(cell_len(line) <= room for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize("width", [1, 40, 60, 80, 160])
@pytest.mark.parametrize(
    "name", ["ordinary", "chinese", *(name for name in RUNS if name.startswith("hostile"))]
)
def test_full_keeps_within_the_terminal_and_behind_its_frame(name: str, width: int) -> None:
    for block in render("full", replace(RUNS[name], width=width)).split("\n\n"):
        header, place, *lines = block.removesuffix("\n").split("\n")
        assert re.fullmatch(r"\S+ BL\d{3} [a-z-]+", header)
        assert re.match(r" +--> ", place)
        for line in lines:
            assert re.match(r" *\d* [|=]( |$)", line), line
            assert cell_len(line) <= max(width, 25)


def test_full_shows_colours_where_they_are_wanted_and_the_same_text() -> None:
    plain, coloured = (render("full", run_of(*ORDINARY, colour=colour)) for colour in (False, True))
    assert "\x1b" not in plain
    assert "\x1b[1;31merror\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


# What the engine tells the reports


def test_lines_that_a_cut_file_still_holds_are_one_entry_a_rule_for_people_and_each_its_own_for_programs() -> (
    None
):
    held = [
        replace(diagnostic(line=line, code=code, severity=Severity.WARNING), variant="kept")
        for code in ("BL202", "BL203")
        for line in (5, 6, 7)
    ]
    lost = [diagnostic(line=line, code="BL202", severity=Severity.WARNING) for line in (8, 9)]
    run = run_of(*held, *lost)
    told = [(line.split(":")[1], line.partition(" (")[2]) for line in render("concise", run).splitlines()]
    assert told == [("5", "also lines 6, 7)"), ("5", "also lines 6, 7)"), ("8", ""), ("9", "")]
    assert len(json.loads(render("json", run))["diagnostics"]) == len(held) + len(lost)


@pytest.mark.parametrize(
    ("language", "message", "told"),
    [
        ("en", "OpenClaw 2026.6.11 cuts it", "OpenClaw 2026.6.11 cuts it (also line 7)"),
        ("en", "it is long", "it is long (in OpenClaw 2026.6.11) (also line 7)"),
        ("zh", "太长", "太长（OpenClaw 2026.6.11）（另见第 7 行）"),
    ],
)
def test_infos_of_two_releases_stay_apart_and_say_which(language: Language, message: str, told: str) -> None:
    latest, older = SITUATION, replace(SITUATION, contract=contract("2026.6.11"))
    found = (
        *(diagnostic(line=line, code="BL106", severity=Severity.INFO, message="new") for line in (5, 6)),
        *(
            replace(
                diagnostic(line=line, code="BL106", severity=Severity.INFO, message=message),
                releases=("2026.6.11",),
            )
            for line in (5, 7)
        ),
    )
    run = Run((replace(report_of(*found), situations=(older, latest)),), language)
    assert sorted(line.split("near-limit: ")[1] for line in render("concise", run).splitlines()) == sorted(
        (
            told,
            "new (in OpenClaw 2026.9.6) (also line 6)"
            if language == "en"
            else "new（OpenClaw 2026.9.6）（另见第 6 行）",
        )
    )


@pytest.mark.parametrize(
    ("releases", "fate"),
    [
        (["2026.6.11"], "digest"),
        (["2026.4.15"], "dropped"),
        (["2026.4.15", "2026.4.14"], "dropped"),
        (["2026.4.15", "2026.6.11"], None),
    ],
)
def test_the_fate_of_a_line_is_told_where_the_releases_agree(releases: list[str], fate: Fate | None) -> None:
    filler = "- filler line of the middle\n" * 30
    files = {"AGENTS.md": f"{filler}- Never tell \u202e a lie\n{filler}"}
    (found,) = lint(files, select=["BL501"], openclaw=releases, max_chars=900).diagnostics
    assert (found.start.line, found.fate, found.releases) == (31, fate, tuple(releases))


def test_a_line_that_is_not_there_has_no_fate() -> None:
    assert {found.fate for found in lint({"SOUL.md": "x\n"}, select=["BL301"]).diagnostics} == {None}


# The command line


class Terminal(io.TextIOWrapper):
    """A stdout that keeps what it is given."""

    def __init__(self, encoding: str = "utf-8", *, is_terminal: bool = False) -> None:
        self._kept = io.BytesIO()
        self._is_terminal = is_terminal
        super().__init__(self._kept, encoding=encoding, newline="\n")

    def isatty(self) -> bool:
        return self._is_terminal

    @property
    def shown(self) -> bytes:
        self.flush()
        return self._kept.getvalue()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two workspaces that lose something."""
    for name in ("ada", "小明"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "SOUL.md").write_text(
            "# Soul\n" + "绝不说谎。Never lie 👍.\n" * 60, encoding="utf-8"
        )
    (tmp_path / "bootlint.toml").write_text('openclaw = "2026.9.6"\nmax-chars = 500\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def check(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., bytes]:
    """Runs `bootlint check` on both workspaces, whose loss makes it fail, and gives back what it printed."""

    def run(*options: str, paths: tuple[str, ...] = ("ada", "小明"), stdout: Terminal | None = None) -> bytes:
        stdout = stdout or Terminal()
        monkeypatch.setattr(sys, "stdout", stdout)
        assert main(["check", "--quiet", *options, *paths]) == 1
        return stdout.shown

    return run


@pytest.mark.parametrize("output_format", FORMATS)
def test_the_order_of_arguments_does_not_matter(output_format: str, check: Callable[..., bytes]) -> None:
    option = f"--output-format={output_format}"
    assert check(option) == check(option, paths=("小明", "ada", "小明/SOUL.md"))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk"])
@pytest.mark.parametrize("output_format", FORMATS)
def test_a_terminal_that_is_not_utf8_gets_every_line(
    output_format: str, encoding: str, check: Callable[..., bytes]
) -> None:
    options = (f"--output-format={output_format}", "--language=zh")
    expected = check(*options).decode().encode(encoding, "backslashreplace")
    assert check(*options, stdout=Terminal(encoding)) == expected


def test_one_run_writes_several_reports(folder: Path, check: Callable[..., bytes]) -> None:
    files = {output_format: f"reports/new/{output_format}.txt" for output_format in FORMATS}
    options = [f"--output-format={output_format}={file}" for output_format, file in files.items()]
    assert check(*options, "--output-format=concise") == check("--output-format=concise")
    for output_format, file in files.items():
        assert (folder / file).read_bytes() == check(f"--output-format={output_format}")


@pytest.mark.parametrize(
    ("formats", "error"),
    [
        (("sarif", "github"), "only one report goes to stdout"),
        (("json=a.json", "sarif=./a.json"), "a.json would hold two reports"),
        (("json=",), "after the = stands a file"),
        (("sarf=a",), 'did you mean "sarif"'),
        (("json=ada",), "ada: cannot be written: Is a directory"),
        (("json=ada/SOUL.md/a",), "ada/SOUL.md/a: cannot be written: "),
        (("json=../new/a.json",), "new/a.json: cannot be written: No such file or directory"),
    ],
)
def test_a_report_needs_a_place_of_its_own(
    formats: tuple[str, ...], error: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--quiet", *(f"--output-format={text}" for text in formats)]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert error in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("is_terminal", "environment", "coloured"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
        (False, {}, False),
    ],
)
def test_colours_are_for_terminals_that_want_them(
    is_terminal: bool,
    environment: dict[str, str],
    coloured: bool,
    check: Callable[..., bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stdout = Terminal(is_terminal=is_terminal)
    assert (b"\x1b[" in check("--output-format=full", stdout=stdout)) == coloured


def test_full_is_as_wide_as_the_terminal(
    check: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in (40, 100):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = check("--output-format=full").decode().splitlines()
        assert columns - 12 < max(map(cell_len, lines)) <= columns


def test_the_locale_c_stops_no_report(folder: Path) -> None:
    environment = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONPATH": str(HERE.parent),
    }
    options = [f"--output-format={name}={name}.txt" for name in FORMATS]
    command = [sys.executable, "-m", "bootlint", "check", "--language=zh", "--output-format=full", *options]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, cwd=folder)
    assert done.returncode == 1
    assert done.stdout.isascii()
    assert b"Traceback" not in done.stderr
    assert all((folder / f"{name}.txt").stat().st_size for name in FORMATS)


# --- in a folder of a repository ------------------------------------------------------------------------------


def paths_of(output_format: str, text: str) -> set[str]:
    """Every path that the report names, those of related places and edits included."""
    if output_format == "github":
        return {properties["file"] for _, properties, _ in commands(text)}
    document = json.loads(text)
    if output_format == "gitlab":
        return {issue["location"]["path"] for issue in document}
    return set(re.findall(r'"uri": "([^"]*)"', text))


@pytest.mark.parametrize("output_format", sorted(FROM_TOP))
def test_where_bootlint_ran_is_of_no_matter_to_those_who_look_from_the_top(
    output_format: str, repository: Repository
) -> None:
    text = "- 私事不外传\n" * 30 + "- Must keep 必须\n"
    repository.write(
        {"a/ws/AGENTS.md": text, "a/ws/SOUL.md": text, "a/b/x": "", "bootlint.toml": "max-chars = 200\n"}
    )
    found = {
        folder: repository.bootlint("check", path, "--output-format", output_format, folder=folder).out
        for folder, path in (
            (".", "a/ws"),
            ("a", "ws"),
            ("a/ws", "."),
            ("a/b", "../ws"),
            ("a/b", str(repository.root / "a/ws")),
        )
    }
    assert "a/ws/AGENTS.md" in paths_of(output_format, found["."])
    for folder, said in found.items():
        assert paths_of(output_format, said) == paths_of(output_format, found["."]), folder
    concise = repository.bootlint("check", "--output-format", "concise", folder="a/ws").out
    assert concise.startswith("AGENTS.md:"), "for editors and people, from here"


def test_without_a_repository_paths_count_from_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws/SOUL.md").write_text("password: plum42Tree\n")
    said = bootlint("check", "--output-format", "gitlab", folder=tmp_path).out
    assert paths_of("gitlab", said) >= {"ws/SOUL.md"}
