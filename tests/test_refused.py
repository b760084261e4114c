"""A file that the release looks for and refuses to read is lost, and every command says so with the same numbers."""

from __future__ import annotations

import pytest

from bootlint.changes import compare
from bootlint.explain import explain
from bootlint.overview import overview
from harness import Entry, HardLink, Link, context_of, diagnostics, repair, workspace_of

RULES = "# User\n\n- Never call before nine.\n- Must be greeted.\n"
KEPT = {"AGENTS.md": "- Never lie.\n- Must be kind.\n", "SOUL.md": "- Never call before nine.\n"}


def with_user(user: Entry) -> dict[str, Entry]:
    return {**KEPT, "kept/user.md": RULES, "USER.md": user}


REFUSED = [
    (Link("kept/user.md"), "2026.9.6", "unreadable"),
    (HardLink("kept/user.md"), "2026.9.6", "unreadable"),
    (HardLink("kept/user.md"), "2026.6.11", "missing"),
]


@pytest.mark.parametrize(("user", "release", "status"), REFUSED)
def test_show_check_and_why_agree(user: Entry, release: str, status: str) -> None:
    with workspace_of(with_user(user)) as workspace:
        context = context_of(workspace, release)
        view = overview(context)
        file = next(file for file in view.files if file.name == "USER.md")
        why = explain(context, workspace.files["USER.md"], 3)
        assert (view.reached, view.priority_rules) == (3, 5)
        assert context.reach == {"AGENTS.md": (2, 2), "SOUL.md": (1, 1), "USER.md": (2, 0)}
    assert (file.status, file.lost_chars, view.lost_chars) == (status, len(RULES) - 1, len(RULES) - 1)
    assert file.lost_rules == {3, 4}
    assert file.fates == ("dropped", "blank", "dropped", "dropped")
    assert (why.fate, [reason.key for reason in why.reasons]) == ("dropped", ["refused"])
    assert why.remedy is not None
    assert (why.remedy.kind, why.remedy.params) == ("plain-file", {"file": "USER.md"})
    lost = diagnostics(with_user(user), "BL104", openclaw=release)
    assert [(found.path, found.start.line) for found in lost] == [("USER.md", 3), ("USER.md", 4)]
    assert all("refuses to read USER.md" in found.message for found in lost)


@pytest.mark.parametrize(("user", "release", "status"), REFUSED)
def test_what_is_refused_is_judged_as_nothing_that_arrives(user: Entry, release: str, status: str) -> None:
    for code in ("BL103", "BL108", "BL310"):  # cut, wasteful, said twice
        assert diagnostics(with_user(user), code, openclaw=release) == []


def test_a_session_that_would_not_get_the_file_loses_nothing() -> None:
    with workspace_of(with_user(Link("kept/user.md"))) as workspace:
        context = context_of(workspace, "2026.9.6", session="subagent")
        view = overview(context)
        file = next(file for file in view.files if file.name == "USER.md")
        why = explain(context, workspace.files["USER.md"], 3)
    assert (file.status, file.lost_chars, file.lost_rules) == ("not-loaded", 0, frozenset())
    assert file.fates == (None, "blank", None, None)
    assert (view.lost_chars, view.priority_rules) == (0, 2)
    assert (why.fate, [reason.key for reason in why.reasons]) == (None, ["private"])


def test_a_file_that_becomes_a_link_loses_its_rules_and_one_that_was_one_loses_none() -> None:
    link = with_user(Link("kept/user.md"))
    with workspace_of(with_user(RULES)) as plain, workspace_of(link) as linked:
        before, after = (context_of(side, "2026.9.6") for side in (plain, linked))
        assert [line.line for line in compare(before, after, shown=".").newly_lost] == [3, 4]
        same = compare(after, after, shown=".")
    assert (same.state, same.reached_after, same.rules_after) == ("same", 3, 5)


def test_fix_says_that_it_is_a_link_not_that_openclaw_watches_the_file() -> None:
    (lost,) = repair(with_user(Link("kept/user.md")), openclaw="2026.9.6").still_lost
    assert lost.why is not None
    assert (lost.path, lost.rules, lost.why.kind) == ("USER.md", 2, "link")
