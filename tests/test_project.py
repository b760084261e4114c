"""The parts of the project agree with each other: pages, checks, READMEs, imports, licences of words."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bootlint import __version__, catalog
from bootlint.checks import CHECKS

if TYPE_CHECKING:
    from bootlint.wording import Language

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "bootlint"

# Each module may import those of its own layer and of lower ones.
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"records", "lazyre", "diagnostics", "wording", "plainfiles", "tables", "typed", "lookalikes"}),
    frozenset({"source"}),
    frozenset({"blocks", "document", "inline", "openclaw", "git", "workspace", "lock", "past", "simulation"}),
    frozenset(
        {
            "catalog",
            "language",
            "clauses",
            "marks",
            "lexicon",
            "readings",
            "security",
            "user_patterns",
            "fixes",
            "checks",
        }
    ),
    frozenset({"cost", "overview", "changes", "upgrading", "explain"}),
    frozenset(
        {"config", "suppressions", "situations", "revisions", "engine", "baseline", "introduced", "reporters"}
    ),
    frozenset({"proof", "candidates", "choice", "rescue", "fixer", "initial", "precommit"}),
    frozenset({"api"}),
    frozenset({"cli", "__main__"}),
)

# By the engine, which watches what suppressions do, and by a comparison with a base.
FOUND_ELSEWHERE = {"BL002", "BL004"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> set[str]:
    """The parts of bootlint that a module imports at run time, wherever the import stands."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    names = [
        node.module or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node not in typing_only
        and (node.module or "").startswith("bootlint")
    ]
    parts = {name.split(".")[1] for name in names if "." in name}
    parts |= {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "bootlint" and node not in typing_only
        for alias in node.names
        if (PACKAGE / f"{alias.name}.py").exists() or (PACKAGE / alias.name).is_dir()
    }
    return parts


def layer_of(part: str) -> int:
    layers = [number for number, layer in enumerate(LAYERS) if part in layer]
    assert len(layers) == 1, f"{part} stands in {len(layers)} layers; put it in one"
    return layers[0]


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_downwards(path: Path) -> None:
    if path == PACKAGE / "__init__.py":
        return
    own = layer_of(part_of(path))
    assert {part for part in imports_of(path) if layer_of(part) > own} == set()


def test_openclaw_knows_nothing_of_linting() -> None:
    for path in (PACKAGE / "openclaw").rglob("*.py"):
        assert imports_of(path) <= {"openclaw", "diagnostics", "lazyre", "records", "plainfiles", "typed"}, (
            path
        )


@pytest.mark.parametrize(
    "path", [*PACKAGE.glob("cli/*.py"), *PACKAGE.glob("reporters/**/*.py")], ids=lambda path: path.name
)
def test_json_is_printed_by_one_function(path: Path) -> None:
    """The one that knows what a terminal and a CI log do to it."""
    assert path.name == "jsontext.py" or "json.dump" not in path.read_text(encoding="utf-8")


def test_every_page_has_a_check_and_every_check_a_page() -> None:
    checked = [code for code, _ in CHECKS]
    assert checked == sorted(set(checked)), "CHECKS is in the order of the codes"
    assert set(checked) | FOUND_ELSEWHERE == set(catalog.pages()), (
        "a page without a line in CHECKS, or the reverse"
    )


def test_every_check_is_named_after_its_rule() -> None:
    for code, check in CHECKS:
        assert getattr(check, "__name__", "") == catalog.names()[code].replace("-", "_"), code


_IN_CHINESE = {
    "error": "错误",
    "warning": "警告",
    "info": "提示",
    "none": "",
    "sometimes": "有时",
    "always": "总是",
}


@pytest.mark.parametrize(("readme", "language"), [("README.md", "en"), ("README.zh-CN.md", "zh")])
def test_readme_has_the_row_of_every_rule(readme: str, language: Language) -> None:
    expected = []
    for code, page in catalog.pages().items():
        info = catalog.rule(code)
        words = (info.severity.label, info.fix)
        severity, fix = words if language == "en" else map(_IN_CHINESE.__getitem__, words)
        cells = (
            f"[{code} {info.name}](rules/{page.name})",
            info.localised_summary(language),
            severity,
            fix.replace("none", ""),
        )
        expected.append(f"| {' | '.join(cells)} |")
    rows = re.findall(r"^\| \[BL\d{3} .*$", (ROOT / readme).read_text(encoding="utf-8"), re.MULTILINE)
    missing, wrong = sorted(set(expected) - set(rows)), sorted(set(rows) - set(expected))
    assert rows == expected, "\n".join(
        (f"put into the table of {readme}:", *missing, "and take out of it:", *wrong)
    )


@pytest.mark.parametrize("code", catalog.pages())
def test_messages_are_written_in_one_style(code: str) -> None:
    info = catalog.rule(code)
    assert info.summary.endswith(".")
    assert info.summary_zh.endswith("。")
    for key, message in info.messages.items():
        if "message" in key or "fix-title" in key:
            assert not message.endswith((".", "。")), key
            assert "  " not in message, key


def test_the_changelog_speaks_of_this_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_ci_command_is_the_one_in_the_readme() -> None:
    command = (ROOT / ".ci" / "run").read_text(encoding="utf-8").strip().splitlines()[-1]
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")
    assert command in (ROOT / "README.zh-CN.md").read_text(encoding="utf-8")
