"""bootlint as a library."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import bootlint
from bootlint.diagnostics import UserError
from bootlint.openclaw import jstext
from bootlint.openclaw.config_file import ConfigError
from bootlint.source import NotWrittenError
from bootlint.workspace import NoWorkspaceError

SHOP = Path(__file__).parent / "workspaces" / "shop"


def test_check_gives_what_the_command_finds() -> None:
    (report,) = bootlint.check(SHOP)
    assert {"BL101", "BL104"} <= {found.code for found in report.diagnostics}
    assert report.reached < report.priority_rules


def test_options_win_over_the_file() -> None:
    (report,) = bootlint.check(
        SHOP, max_chars=20_000, total_max_chars=60_000, openclaw=("2026.6.11",), select=["BL1"]
    )
    assert [found.code for found in report.diagnostics if found.severity.label == "error"] == []


def test_an_option_that_is_none_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UserError, match="max-chars"):
        bootlint.check(SHOP, max_char=1)


def test_simulate_gives_the_injection() -> None:
    agents = next(file for file in bootlint.simulate(SHOP).files if file.name == "AGENTS.md")
    assert agents.injected_chars == jstext.utf16_len(agents.content) <= (agents.limit or 0)
    assert "limit" in agents.causes


def test_fix_writes_nothing_and_says_what_it_would_write() -> None:
    before = (SHOP / "AGENTS.md").read_bytes()
    (result,) = bootlint.fix(SHOP)
    assert (SHOP / "AGENTS.md").read_bytes() == before
    assert [file.path for file in result.files] == ["AGENTS.md"]
    assert result.report.reached > bootlint.check(SHOP)[0].reached


@pytest.mark.parametrize("results", [bootlint.check(SHOP), bootlint.simulate(SHOP), bootlint.fix(SHOP)])
def test_results_can_be_pickled(results: object) -> None:
    assert pickle.loads(pickle.dumps(results)) == results


@pytest.mark.parametrize(
    "fault",
    [
        UserError("why"),
        NoWorkspaceError("nowhere"),
        NotWrittenError(Path("SOUL.md"), "why"),
        ConfigError(Path("openclaw.json"), 1, 2, "why"),
    ],
)
def test_faults_can_be_pickled(fault: UserError) -> None:
    again = pickle.loads(pickle.dumps(fault))
    assert (type(again), str(again), vars(again)) == (type(fault), str(fault), vars(fault))


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="repair"):
        bootlint.repair  # noqa: B018
