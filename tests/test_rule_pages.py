"""Every example of every rule page is run, and its output compared to the letter."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from bootlint import catalog
from bootlint.engine import NEEDS
from bootlint.openclaw.releases import contract, releases
from bootlint.reporters import Run, render
from bootlint.reporters.patch import patch
from harness import Entry, Link, lint, repair

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FENCE = re.compile(r"^(`{3,4})([a-z]+) ([^\n`]+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_ANY_FENCE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
_CASE = re.compile(r"^### ([^\n]+)\n(.*?)(?=^### |^## |\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Case:
    page: Path
    code: str
    title: str
    files: dict[str, Entry]
    output: str | None
    fixes: dict[str, str]  # "fix" and "unsafe-fix" blocks

    @property
    def id(self) -> str:
        return f"{self.code} {self.title}"

    def lint(self, **options: object) -> str:
        return render("concise", Run((lint(self.files, **self.own(options)),), "en"))

    def diff(self, *, unsafe: bool) -> str:
        """The output of `bootlint fix --diff`; a page has line feeds alone."""
        result = repair(self.files, unsafe=unsafe, **self.own({}))
        diff = "".join(patch(file.path, file.before, file.after) for file in result.files)
        return diff.replace("\r\n", "\n")

    def own(self, options: dict[str, object]) -> dict[str, object]:
        """The options, and only the page's own rule unless the case selects others."""
        selects = "select" in str(self.files.get("bootlint.toml", ""))
        return options if selects else {**options, "select": [self.code]}


FIRES_AGAINST_A_BASE = {"BL004"}  # a page holds no commits; tests/test_diff.py does


def cases() -> list[Case]:
    found = []
    for code, page in catalog.pages().items():
        for title, body in _titles_and_bodies(page.read_text(encoding="utf-8")):
            fences = [(language, name, text) for _, language, name, text in _FENCE.findall(body)]
            files = {
                name: _entry(language, text)
                for language, name, text in fences
                if not _is_answer(language, name)
            }
            fixes = {
                name: text
                for language, name, text in fences
                if language == "diff" and _is_answer(language, name)
            }
            output = next(
                (text for language, name, text in fences if (language, name) == ("text", "output")), None
            )
            found.append(Case(page, code, title, files, output, fixes))
    return found


def _titles_and_bodies(page: str) -> Iterator[tuple[str, str]]:
    """Each `###` below `## Examples`; headings inside fences are the example's own."""
    outline = _ANY_FENCE.sub(lambda fence: fence[0].replace("#", "."), page)
    # Without either heading there is no case; the test of the sections says so.
    start = outline.find("\n## Examples\n")
    for case in _CASE.finditer(outline, start, outline.find("\n## References\n", start)):
        yield case[1], page[case.start(2) : case.end(2)]


def _is_answer(language: str, name: str) -> bool:
    """Not a file of the case, but what bootlint says about it."""
    return (language, name) in {("text", "output"), ("diff", "fix"), ("diff", "unsafe-fix")}


def _entry(language: str, text: str) -> Entry:
    match language:
        case "link":
            return Link(text.strip())
        case "hex":
            return bytes.fromhex(text)
        case _:
            return text


CASES = cases()
UPDATES = bool(os.environ.get("BOOTLINT_UPDATE_PAGES"))
HOW_TO_UPDATE = "if the new text is right, BOOTLINT_UPDATE_PAGES=1 writes it into the page"


def cases_of(code: str) -> list[Case]:
    """Those of one page, as they stand there now: the tests above may just have rewritten it."""
    return [case for case in (cases() if UPDATES else CASES) if case.code == code]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_example_gives_exactly_the_output_on_the_page(case: Case) -> None:
    output = case.lint()
    if UPDATES and case.output is not None and output:
        _rewrite(case, "text output", case.output, output)
        return
    if case.output is None:
        assert output == "", "a case without an output block must be quiet"
    else:
        assert output, "a case with an output block must fire; does the rule stand in CHECKS?"
        assert output == case.output, HOW_TO_UPDATE


@pytest.mark.parametrize("case", [case for case in CASES if case.output], ids=lambda case: case.id)
def test_firing_example_is_silent_where_the_contract_lacks_what_the_rule_needs(case: Case) -> None:
    needs = catalog.rule(case.code).needs
    assert set(needs) <= set(NEEDS), f"`needs` may hold {', '.join(NEEDS)}"
    for release in releases():
        if any(not NEEDS[need](contract(release)) for need in needs):
            assert f" {case.code} " not in case.lint(openclaw=release), release


@pytest.mark.parametrize("code", catalog.pages())
def test_page_has_a_firing_and_a_quiet_example(code: str) -> None:
    own = cases_of(code)
    assert any(case.output is None for case in own), "no case without a ```text output block"
    if code not in FIRES_AGAINST_A_BASE:
        fires = any(case.output and f" {code} " in case.output for case in own)
        assert fires, f"no case with a ```text output block that holds {code}"


@pytest.mark.parametrize(
    ("case", "kind"),
    [(case, kind) for case in CASES for kind in case.fixes],
    ids=lambda value: value.id if isinstance(value, Case) else value,
)
def test_fix_gives_exactly_the_diff_on_the_page(case: Case, kind: str) -> None:
    diff = case.diff(unsafe=kind == "unsafe-fix")
    if UPDATES and diff:
        _rewrite(case, f"diff {kind}", case.fixes[kind], diff)
        return
    assert diff == case.fixes[kind], HOW_TO_UPDATE


@pytest.mark.parametrize("code", catalog.pages())
def test_page_shows_its_fix_in_a_firing_example(code: str) -> None:
    shown = any(case.fixes and case.output for case in CASES if case.code == code)
    fix = catalog.rule(code).fix
    assert shown == (fix != "none"), f"fix = {fix!r}, but the cases that fire say otherwise"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_findings_have_the_fixes_that_the_page_declares(case: Case) -> None:
    report = lint(case.files, **case.own({}))
    declared = catalog.rule(case.code).fix
    has_fix = {found.fix is not None for found in report.diagnostics if found.code == case.code}
    assert has_fix <= {"none": {False}, "sometimes": {True, False}, "always": {True}}[declared]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_no_two_fixes_fight(case: Case) -> None:
    """Each pair of rules that have something to repair, and all together: a second run finds nothing to do."""
    codes = {found.code for found in lint(case.files, select=["ALL"]).diagnostics if found.fix is not None}
    for chosen in (*combinations(sorted(codes), 2), ("ALL",)):
        for unsafe in (False, True):
            repair(case.files, unsafe=unsafe, select=list(chosen))


@pytest.mark.parametrize("code", catalog.pages())
def test_every_word_of_a_page_stands_in_both_languages(code: str) -> None:
    messages = catalog.rule(code).messages
    english = {key for key in messages if re.search(r"(message|related|fix-title)$", key)}
    for key in english:
        assert f"{key}-zh" in messages
        fields = [set(re.findall(r"{(\w+)", messages[name])) for name in (key, f"{key}-zh")]
        assert fields[0] == fields[1], f"the {{fields}} of {key} and {key}-zh differ"
    assert catalog.rule(code).summary_zh


@pytest.mark.parametrize("code", catalog.pages())
def test_page_has_its_sections_in_order(code: str) -> None:
    info = catalog.rule(code)
    text = info.text
    assert text.startswith(f"# {code} {info.name}\n\n{info.summary}\n\n```toml rule\n")
    sections = re.findall(
        r"^## (.+)$", re.sub(r"^(`{3,4}).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    )
    expected = ["Why", "How to fix"]
    expected += ["Fix safety"] if info.fix != "none" else []
    expected += ["Options"] if info.options else []
    assert sections == [*expected, "Examples", "References", "中文"]


@pytest.mark.parametrize("code", catalog.pages())
def test_page_is_explained_in_chinese_too(code: str) -> None:
    info = catalog.rule(code)
    expected = ["原因", "如何修复"]
    expected += ["修复的安全性"] if info.fix != "none" else []
    expected += ["选项"] if info.options else []
    assert re.findall(r"^### (.+)$", info.text.partition("\n## 中文\n")[2], re.MULTILINE) == expected
    assert "## Why" not in info.explanation("zh")
    assert "原因" not in info.explanation("en")


def test_every_file_among_the_pages_is_one() -> None:
    """A page under a name such as `BL101-File_over.md` would not be found at all."""
    others = {path.name for path in catalog.rules_dir().glob("*.md")} - {"README.md"}
    assert others == {page.name for page in catalog.pages().values()}, "a page is BLnnn-lower-case-name.md"


def _rewrite(case: Case, kind: str, old: str, new: str) -> None:
    text = case.page.read_text(encoding="utf-8")
    start = text.index(f"\n### {case.title}\n")
    head, body = text[:start], text[start:]
    block = f"```{kind}\n{old}```"
    assert block in body
    case.page.write_text(head + body.replace(block, f"```{kind}\n{new}```", 1), encoding="utf-8")
