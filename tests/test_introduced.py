"""`check --diff-base` and `check --hook`: what a change introduced, under a policy that it cannot change."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

import pytest

from harness import Link
from repositories import Outcome, Repository

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

RULES = "".join(f"- Never do thing {number}\n\n" for number in range(60))
LIMITS = 'openclaw = "2026.6.11"\nmax-chars = 900\ntotal-max-chars = 1500\n'
FEW = 'select = ["BL102", "BL104", "BL302", "BL004"]\n'
POLICY = LIMITS + FEW
QUIET = 'per-file-ignores = { "ws/SOUL.md" = ["BL1"] }\n'


def found(outcome: Outcome) -> list[str]:
    """`path:line CODE` of each finding, and what was said instead of findings."""
    lines = [line.split(" ")[:2] for line in outcome.lines]
    places = [f"{':'.join(place.split(':')[:2])} {code}" for place, code in lines]
    return places or ([] if outcome.status == 0 else [outcome.err])


def base(repository: Repository, *arguments: str, folder: str = ".") -> Outcome:
    return repository.bootlint("check", "--diff-base", "main", *arguments, folder=folder)


def hook(repository: Repository, *paths: str) -> Outcome:
    return repository.bootlint("check", "--hook", *paths)


# --- what counts as introduced ------------------------------------------------------------------------------


def test_only_what_the_change_brought(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, "SOUL.md": RULES})
    assert base(repository).status == 0
    old = repository.bootlint("check")
    assert old.status == 1
    lines = RULES.splitlines(keepends=True)
    repository.write({"SOUL.md": "".join([*lines[:60], "- Never do anything new\n\n", *lines[60:]])})
    outcome = base(repository)
    assert outcome.status == 1
    new = set(found(outcome))
    assert "SOUL.md:61 BL104" in new
    assert len(new) < len(found(old))


def test_lines_that_move_are_not_new(repository: Repository) -> None:
    repository.commit({"bootlint.toml": FEW, "SOUL.md": "- Be kind\n", "agents.md": "x\n"})
    repository.write({"agents.md": "x\n\n\n", "SOUL.md": "\n\n- Be kind\n"})
    assert found(base(repository)) == []


def test_a_new_workspace_is_new_altogether(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, "a/SOUL.md": RULES})
    repository.write({"b/SOUL.md": RULES})
    outcome = base(repository)
    assert outcome.status == 1
    assert {line.split("/")[0] for line in found(outcome)} == {"b"}


def test_a_folder_that_moves_takes_its_findings_along(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, "a/SOUL.md": RULES, "a/IDENTITY.md": "x\n" * 30})
    repository.git("mv", "a", "b")
    assert found(base(repository)) == []
    repository.write({"a/SOUL.md": RULES})  # copied, not moved
    assert {line.split("/")[0] for line in found(base(repository))} == {"b"}


@pytest.mark.parametrize("place", ["ws", "moved"])
def test_line_ends_of_a_checkout_are_no_change(place: str, repository: Repository) -> None:
    """The commit has 880 characters of the file, the work tree 920. No filter is run to find that out."""
    attributes = "*.md text eol=crlf filter=theirs\n*.toml text eol=crlf\n"
    files = {"ws/SOUL.md": "- Never do a thing 01\n" * 40, "ws/IDENTITY.md": "x\n", "ws/USER.md": "x\n" * 9}
    repository.commit(
        {".gitattributes": attributes, "bootlint.toml": POLICY.replace("BL102", "BL1"), **files}
    )
    repository.write(dict.fromkeys([*files, "bootlint.toml"]))
    repository.git("checkout", "--", ".")
    if place == "moved":
        repository.git("mv", "ws", "moved")
    repository.git("config", "filter.theirs.clean", "touch ran; cat")
    assert len((repository.root / place / "SOUL.md").read_bytes()) == 920
    assert found(base(repository)) == []
    assert not (repository.root / "ran").exists()
    path = repository.root / place / "SOUL.md"
    path.write_bytes(path.read_bytes().replace(b"01\r\n", b"01 at all\r\n", 1))
    assert "SOUL.md: 918 → 925 characters" in repository.bootlint("diff", "HEAD").out


def test_line_ends_that_a_change_makes_count(repository: Repository) -> None:
    repository.commit(
        {"bootlint.toml": POLICY.replace("BL102", "BL1"), "SOUL.md": "- Never do a thing 01\n" * 40}
    )
    repository.write({"SOUL.md": "- Never do a thing 01\r\n" * 40})
    repository.git("add", "--all")
    assert "SOUL.md:1 BL101" in found(base(repository))


def test_deleted_files_cause_no_fault(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, "b/SOUL.md": "x", "b/USER.md": "y"})
    repository.write({"b/USER.md": None})
    assert found(base(repository)) == []


def test_a_flood_of_files_hides_none_that_changed(repository: Repository) -> None:
    notes = {f"memory/2002-{month:02}-{day:02}.md": "x\n" for month in range(1, 5) for day in range(1, 29)}
    people = {f"users/a{number:04}/USER.md": "- Kim\n" for number in range(1_000)}
    old, touched = "memory/2001-01-01.md", ("memory/2001-01-02.md", "users/zoe/USER.md")
    bad = "- password: plum42Tree\n"
    repository.commit({"SOUL.md": "x\n", "bootlint.toml": 'select = ["BL502"]\n', old: bad, touched[0]: bad})
    repository.write({**notes, **people, touched[0]: bad + "- password: oak7Leaf99\n", touched[1]: bad})
    outcome = base(repository)
    assert found(outcome) == [f"{touched[0]}:2 BL502", f"{touched[1]}:1 BL502"]
    assert "passed over" not in outcome.err
    repository.git("add", "-A")
    assert {line.split(":")[0] for line in found(hook(repository, *touched))} == set(touched)
    everything = repository.bootlint("check")
    assert found(everything) == []
    assert ".: so many daily notes or personal USER.md that 15 were passed over; " in everything.err


def test_old_notes_that_come_into_view_bring_nothing_new(repository: Repository) -> None:
    notes = {f"memory/2002-{month:02}-{day:02}.md": "x\n" for month in range(1, 5) for day in range(1, 29)}
    repository.commit({"SOUL.md": "x\n", "memory/2001-01-01.md": "- password: plum42Tree\n", **notes})
    repository.write(dict.fromkeys(notes))
    assert found(base(repository, "--select", "BL502")) == []


# --- workspaces that a change does away with ----------------------------------------------------------------

AGENT = {"ada/SOUL.md": "- Be kind\n" * 9, "ada/IDENTITY.md": "Ada\n", "ada/AGENTS.md": "- Never lie\n" * 9}


@pytest.fixture
def agents(repository: Repository) -> Repository:
    """Two workspaces, one of them locked."""
    repository.write({**AGENT, **{path.replace("ada", "bob"): text for path, text in AGENT.items()}})
    repository.bootlint("lock", "bob")
    repository.commit({"bootlint.toml": LIMITS + 'select = ["BL004", "BL302", "BL505"]\n'})
    return repository


def moved_away(repository: Repository, agent: str) -> None:
    for name in ("SOUL.md", "IDENTITY.md", "bootlint.lock"):
        if (repository.root / agent / name).exists():
            repository.git("mv", f"{agent}/{name}", f"{agent}/old-{name}")


def deleted(repository: Repository, agent: str) -> None:
    repository.git("rm", "-rq", agent)


def made_a_link(repository: Repository, agent: str) -> None:
    repository.git("rm", "-rq", agent)
    repository.write({agent: Link({"ada": "bob", "bob": "ada"}[agent])})


def made_a_submodule(repository: Repository, agent: str) -> None:
    commit = repository.git("rev-parse", "HEAD")
    repository.git("rm", "-rq", agent)
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},{agent}")
    other = Repository.at(repository.root / agent)
    other.commit({path.removeprefix("ada/"): text for path, text in AGENT.items()})


def replaced(repository: Repository, agent: str) -> None:
    """Some of it is saved, which is no move."""
    repository.write({"eve/SOUL.md": "# S\n"})
    repository.git("mv", f"{agent}/IDENTITY.md", "eve/IDENTITY.md")
    repository.git("rm", "-rq", agent)


def moved_where_nobody_looks(repository: Repository, agent: str) -> None:
    (repository.root / "build").mkdir()
    repository.git("mv", agent, f"build/{agent}")
    if agent == "bob":
        repository.git("rm", "-qf", "build/bob/bootlint.lock")


VANISHING = [moved_away, deleted, replaced, made_a_link, made_a_submodule, moved_where_nobody_looks]


@pytest.mark.parametrize("agent", ["ada", "bob"])
@pytest.mark.parametrize("vanish", VANISHING)
def test_a_workspace_that_vanishes_is_missed(
    vanish: Callable[[Repository, str], None], agent: str, agents: Repository
) -> None:
    vanish(agents, agent)
    outcome = base(agents, "--output-format", "json")
    assert outcome.status == 1
    [missed] = [one for one in json.loads(outcome.out)["diagnostics"] if "was a workspace" in one["message"]]
    assert (missed["code"], missed["severity"], missed["path"]) == ("BL004", "error", agent)
    assert missed["message"].startswith(f"{agent} was a workspace in main and is none any more")
    if vanish is not moved_away:  # a folder that is named needs less to be one
        assert f"{agent} was a workspace in main" in base(agents, "ada", "bob").out
    agents.commit()
    assert base(agents).status == 0, "it is said once"


def test_what_remains_of_a_workspace_is_held_against_what_it_was(agents: Repository) -> None:
    moved_away(agents, "bob")
    agents.write({"bob/AGENTS.md": "- Lie\n"})
    assert {f"bob/{name}:1 BL505" for name in ("AGENTS.md", "IDENTITY.md", "SOUL.md")} <= set(
        found(base(agents))
    )


@pytest.mark.parametrize("proof", ["bootlint.toml", "bootlint.lock"])
def test_a_file_of_ours_proves_a_workspace(proof: str, agents: Repository) -> None:
    """Two steps are not enough either."""
    agents.write({f"ada/{proof}": "", "ada/SOUL.md": None, "ada/IDENTITY.md": None})
    assert "was a workspace" not in base(agents).out
    agents.commit()
    agents.write({"ada/soul.md": "x"})
    assert "ada/soul.md:1 BL302" in found(base(agents))


def test_a_locked_workspace_counts_whatever_its_folder_is_called(agents: Repository) -> None:
    (agents.root / "vendor").mkdir()
    agents.git("mv", "bob", "vendor/bob")
    assert found(base(agents)) == []
    agents.commit()
    agents.write({"vendor/bob/SOUL.md": "- Be cruel\n"})
    assert found(base(agents)) == ["vendor/bob/SOUL.md:1 BL505"]


def test_a_lock_holds_for_a_workspace_that_moves(agents: Repository) -> None:
    agents.git("mv", "bob", "eve")
    agents.write(
        {"bob": Link("eve"), "eve/SOUL.md": AGENT["ada/SOUL.md"] + "- Be cruel\n", "eve/bootlint.lock": None}
    )
    agents.git("add", "--all")
    assert found(base(agents)) == ["eve/SOUL.md:10 BL505", "eve/bootlint.lock:1 BL004"]


def test_what_a_sparse_checkout_leaves_out_has_not_vanished(agents: Repository) -> None:
    agents.git("sparse-checkout", "set", "ada")
    assert not (agents.root / "bob").exists()
    assert found(base(agents)) == []
    deleted(agents, "ada")
    assert found(base(agents)) == ["ada:1 BL004"]


def test_the_base_can_say_that_a_workspace_is_to_go(agents: Repository) -> None:
    """As the message has it: with the folder, seen from where the settings stand."""
    deleted(agents, "ada")
    named = re.search(r'file = "[^"]+"', base(agents, "../ada", folder="bob").out)
    assert named is not None
    assert named[0] == 'file = "ada"'
    agents.git("reset", "-q", "--hard")
    for file, gone in ((named[0], ["bob:1 BL004"]), ("", ["ada:1 BL004", "bob:1 BL004"])):
        meant = f'[[ignore-finding]]\nrule = "policy-changed"\nreason = "retired"\n{file}\n'
        agents.commit({"bootlint.toml": LIMITS + 'select = ["BL004"]\n' + meant})
        moved_away(agents, "ada")
        assert (base(agents).status == 0) == bool(file)
        agents.git("rm", "-rqf", "ada", "bob")
        assert found(base(agents)) == gone
        agents.git("reset", "-q", "--hard")
    agents.git("checkout", "-q", "-b", "branch")
    agents.git("rm", "-rqf", "ada", "bob")
    agents.commit({"README.md": "r"})
    agents.git("checkout", "-q", "main")
    agents.commit({"bootlint.toml": LIMITS + 'select = ["BL004"]\n' + meant.rstrip() + '\nfile = "ada"\n'})
    agents.git("checkout", "-q", "branch")
    assert found(base(agents)) == ["bob:1 BL004"]


@pytest.mark.parametrize("file", ["AGENTS.md", "ada/AGENTS.md", "ada/*"])
def test_a_pattern_for_files_lets_no_workspace_go(file: str, agents: Repository) -> None:
    meant = f'[[ignore-finding]]\nrule = "policy-changed"\nreason = "retired"\nfile = "{file}"\n'
    agents.commit({"bootlint.toml": LIMITS + 'select = ["BL004"]\n' + meant})
    deleted(agents, "ada")
    assert found(base(agents)) == ["ada:1 BL004"]


@pytest.mark.parametrize("elsewhere", ["a workspace", "an approval", "policy", "a deletion"])
def test_a_branch_that_is_behind_does_not_answer_for_others(elsewhere: str, agents: Repository) -> None:
    agents.git("checkout", "-q", "-b", "branch")
    agents.commit({"README.md": "r"} if elsewhere != "a deletion" else dict.fromkeys(AGENT))
    agents.git("checkout", "-q", "main")
    if elsewhere == "an approval":
        agents.write({"bob/SOUL.md": RULES})
        agents.bootlint("lock", "bob")
    done: Mapping[str, Mapping[str, str | None]] = {
        "a workspace": {path.replace("ada", "eve"): text for path, text in AGENT.items()},
        "policy": {"bootlint.toml": LIMITS.replace("900", "50"), "openclaw.json": "{}"},
        "a deletion": {"README.md": "other", **dict.fromkeys(AGENT)},
    }
    agents.commit(done.get(elsewhere, {}))
    agents.git("checkout", "-q", "branch")
    assert found(base(agents)) == []
    assert agents.bootlint("diff", "main").status == (elsewhere == "a deletion")


def test_a_branch_that_is_behind_cannot_approve_itself(agents: Repository) -> None:
    agents.git("checkout", "-q", "-b", "branch")
    agents.write({"bob/SOUL.md": RULES})
    agents.bootlint("lock", "bob")
    agents.commit({"bootlint.toml": LIMITS, **dict.fromkeys(AGENT)})
    agents.git("checkout", "-q", "main")
    agents.commit({"README.md": "r", "bob/USER.md": "- Never lie\n"})
    agents.git("checkout", "-q", "branch")
    told = {line.split(":")[0] for line in found(base(agents))}
    assert {"bob/SOUL.md", "bootlint.toml", "bob/bootlint.lock"} < told
    assert "none any more" in base(agents).out


def test_a_vanished_workspace_that_nobody_names_is_of_no_matter(agents: Repository) -> None:
    deleted(agents, "ada")
    assert found(base(agents, "bob")) == []
    assert base(agents, "eve").err == "bootlint: error: eve: there is no such file or folder\n"


def test_a_reference_dangles_from_the_deletion_on(repository: Repository) -> None:
    files = {
        "bootlint.toml": 'select = ["BL311"]\nfail-on = "warning"\n',
        "SOUL.md": "See [faq](notes/faq.md).\n",
    }
    repository.commit({**files, "notes/faq.md": "x"})
    assert found(base(repository)) == []
    repository.write({"notes/faq.md": None})
    assert found(base(repository)) == ["SOUL.md:1 BL311"]


def test_what_git_ignores_is_part_of_no_change(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, ".gitignore": "MEMORY.md\n", "SOUL.md": "s"})
    repository.write({"MEMORY.md": RULES})
    assert repository.bootlint("check").status == 1
    assert found(base(repository)) == []
    assert found(hook(repository, "SOUL.md")) == []


def test_links_are_judged_as_links_before_too(repository: Repository) -> None:
    policy = 'openclaw = "2026.4.20"\nmax-chars = 900\nselect = ["BL103", "BL305"]\n'
    repository.commit({"bootlint.toml": policy, "SOUL.md": Link("texts/soul"), "texts/soul": RULES})
    assert found(base(repository)) == []
    repository.write({"texts/soul": "- Be kind\n", "USER.md": Link("texts/gone")})
    assert found(base(repository)) == ["USER.md:1 BL305"]


@pytest.mark.parametrize("folder", [".", "agents", "agents/ada"])
def test_from_a_sub_folder(folder: str, repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, "agents/ada/SOUL.md": "s"})
    repository.write({"agents/ada/agents.md": "x"})
    path = os.path.relpath("agents/ada/agents.md", folder)
    assert found(base(repository, folder=folder)) == [f"{path}:1 BL302"]


def test_in_a_worktree_and_on_a_detached_head(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"bootlint.toml": POLICY, "SOUL.md": "s"})
    repository.git("worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    tree = Repository(tmp_path / "tree")
    tree.commit({"agents.md": "x"})
    assert found(base(tree)) == ["agents.md:1 BL302"]
    assert found(base(repository)) == []


def test_submodules_are_left_to_themselves(repository: Repository, tmp_path: Path) -> None:
    other = Repository.at(tmp_path / "other")
    other.commit({"SOUL.md": "s", "agents.md": "x"})
    repository.commit({"bootlint.toml": POLICY, "ws/SOUL.md": "s"})
    repository.git("submodule", "add", "-q", str(other.root), "sub", GIT_ALLOW_PROTOCOL="file")
    outcome = base(repository)
    assert found(outcome) == []
    assert "bootlint: sub/: belongs to another repository" in outcome.err
    assert found(repository.bootlint("check", "--diff-base", "HEAD", folder="sub")) == []
    (repository.root / "sub/user.md").write_text("x")
    assert repository.bootlint("check", "--diff-base", "HEAD", folder="sub").status == 1


FAULTS = [
    (("--diff-base", "gone"), "gone: git knows no such commit"),
    (("--diff-base", ""), "the commit to compare with is an empty text; is a variable of the CI unset?"),
    (("--diff-base=--output=x",), "--output=x: git knows no such commit"),
    (("--diff-base", "main", ".."), "..: is not in the repository of main; run bootlint there"),
    (("--diff-base", "main", "--hook"), "--hook and --diff-base exclude each other; give one of them"),
    (
        ("--diff-base", "main", "--baseline", "b", "--write-baseline"),
        "--diff-base and --write-baseline exclude each other; give one of them",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), FAULTS)
def test_what_cannot_be_compared(arguments: tuple[str, ...], message: str, repository: Repository) -> None:
    repository.commit({"SOUL.md": "s"})
    (repository.root.parent / "SOUL.md").write_text("s")
    outcome = repository.bootlint("check", *arguments)
    assert (outcome.status, outcome.out, outcome.err) == (2, "", f"bootlint: error: {message}\n")


def test_outside_a_repository(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("s")
    for arguments in (("--diff-base", "main"), ("--hook", "SOUL.md")):
        outcome = Repository(tmp_path).bootlint("check", *arguments)
        assert outcome.status == 2
        assert "is in no git work tree" in outcome.err


# --- the policy is that of the base -------------------------------------------------------------------------

# In the order in which they win.
PERMISSIVE = {
    "ws/bootlint.toml": 'ignore = ["BL"]\n',
    "bootlint.toml": LIMITS.replace("900", "90000").replace("1500", "90000"),
    ".bootlint.toml": 'ignore = ["BL"]\n',
    "pyproject.toml": '[tool.bootlint]\nignore = ["BL"]\n',
}


@pytest.mark.parametrize("before", [*PERMISSIVE, "nothing"])
@pytest.mark.parametrize("after", PERMISSIVE)
def test_no_change_approves_itself_by_settings(before: str, after: str, repository: Repository) -> None:
    rules = "".join(f"- Never do thing {number}\n\n" for number in range(2_000))
    strict = f"[tool.bootlint]\n{FEW}" if before == "pyproject.toml" else FEW
    repository.commit({"ws/SOUL.md": "s", **({} if before == "nothing" else {before: strict})})
    repository.write({"ws/SOUL.md": rules, after: PERMISSIVE[after]})
    outcome = base(repository)
    assert outcome.status == 1
    assert "BL104" in outcome.out
    ranks = [*PERMISSIVE, "nothing"]
    comes_into_force = ranks.index(after) <= ranks.index(before)
    assert (f"{after}:1 BL004" in found(outcome)) is comes_into_force


def test_no_change_approves_itself_by_a_baseline(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, "ws/SOUL.md": RULES})
    arguments = ("--baseline", "bootlint-baseline.json")
    repository.bootlint("check", *arguments, "--write-baseline")
    repository.commit()
    assert found(base(repository, *arguments)) == []

    repository.write({"ws/SOUL.md": RULES * 2})
    repository.bootlint("check", *arguments, "--write-baseline")
    assert repository.bootlint("check", *arguments).status == 0
    outcome = base(repository, *arguments)
    assert outcome.status == 1
    assert {line.split(" ")[1] for line in found(outcome)} == {"BL104", "BL004"}
    assert "bootlint-baseline.json:1 BL004" in found(outcome)


def test_a_baseline_of_the_base_is_named_with_its_commit(repository: Repository) -> None:
    repository.commit({"ws/SOUL.md": "s", "known.json": "x"})
    outcome = base(repository, "--baseline", "known.json")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("bootlint: error: main:known.json: is no baseline: ")


COMMENT = "<!-- bootlint: ignore[BL102, BL104] on purpose -->\n"


def test_no_change_approves_itself_by_a_comment(repository: Repository) -> None:
    grown = {"SOUL.md": COMMENT + "s\n" * 430}
    starved = {"IDENTITY.md": "".join(f"- Never do thing {number}\n" for number in range(30))}
    policy = POLICY + 'workspace-path = "/w"\n'  # the markers of missing files hold it
    repository.commit({"bootlint.toml": policy, "SOUL.md": "s\n", **starved})
    repository.write({**grown, "IDENTITY.md": COMMENT + starved["IDENTITY.md"]})
    assert repository.bootlint("check").status == 0
    outcome = base(repository)
    assert outcome.status == 1
    assert {"BL102", "BL104"} <= {line.split(" ")[1] for line in found(outcome)}
    assert "IDENTITY.md:1 BL004" in found(outcome)
    assert "this comment counts once the change is merged" in outcome.out

    repository.commit()  # approved
    repository.write({"IDENTITY.md": COMMENT + starved["IDENTITY.md"].replace("thing 0", "deed 0")})
    assert found(base(repository)) == []
    repository.write({"IDENTITY.md": COMMENT + "- Never do anything new\n" + starved["IDENTITY.md"]})
    assert repository.bootlint("check").status == 0
    assert found(base(repository)) == ["IDENTITY.md:16 BL104"]


def test_no_change_approves_itself_by_a_named_file(repository: Repository) -> None:
    repository.commit({"ci/policy.toml": POLICY, "ws/SOUL.md": "s"})
    repository.write({"ci/policy.toml": 'ignore = ["BL"]\n', "ws/agents.md": "x"})
    outcome = base(repository, "--config", "ci/policy.toml")
    assert sorted(found(outcome)) == ["ci/policy.toml:1 BL004", "ws/agents.md:1 BL302"]
    assert found(base(repository, "--isolated", "--select", "BL302,BL004")) == ["ws/agents.md:1 BL302"]


def test_a_changed_policy_is_said_once_for_all_workspaces(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, "a/SOUL.md": "s", "b/SOUL.md": "s"})
    repository.write({"bootlint.toml": POLICY + "# a word\n"})
    outcome = base(repository, "--output-format", "json")
    assert outcome.status == 0
    assert [
        (one["code"], one["path"], one["severity"], one["message"])
        for one in json.loads(outcome.out)["diagnostics"]
    ] == [
        (
            "BL004",
            "bootlint.toml",
            "warning",
            "bootlint.toml differs from main; the policy of main is in force until somebody has approved this change",
        )
    ]
    assert "1 warning" in outcome.err


def test_other_parts_of_pyproject_are_no_policy(repository: Repository) -> None:
    own = f"[tool.bootlint]\n{FEW}"
    repository.commit({"pyproject.toml": own, "SOUL.md": "s"})
    repository.write({"pyproject.toml": f'[project]\nname = "x"\n{own}'})
    assert found(base(repository)) == []
    repository.write({"pyproject.toml": own.replace("BL104", "BL105")})
    assert found(base(repository)) == ["pyproject.toml:1 BL004"]


def test_settings_outside_the_repository_hold_before_and_after(repository: Repository) -> None:
    (repository.root.parent / "bootlint.toml").write_text(POLICY)
    repository.commit({"SOUL.md": RULES})
    assert repository.bootlint("check").status == 1
    assert found(base(repository)) == []
    assert found(hook(repository, "IDENTITY.md")) == []


def test_a_configuration_outside_the_repository_holds_before_and_after(repository: Repository) -> None:
    """OpenClaw's own layout: the workspace is the repository, openclaw.json stands beside it."""
    data = {
        "agents": {"defaults": {"bootstrapMaxChars": 900, "unknown": 1}},
        "meta": {"lastTouchedVersion": "2026.6.11"},
    }
    (repository.root.parent / "openclaw.json").write_text(json.dumps(data))
    repository.commit({"SOUL.md": RULES, "IDENTITY.md": "x"})
    assert repository.bootlint("check", "--extend-select", "BL003").status == 1
    assert found(base(repository)) == []
    repository.write({"IDENTITY.md": "y"})
    assert found(hook(repository, "IDENTITY.md")) == []


CONFIG = '{"agents": {"defaults": {"bootstrapMaxChars": 900}}, "meta": {"lastTouchedVersion": "2026.6.11"}}\n'
LARGER = [CONFIG.replace("900", "90000"), CONFIG.replace("2026.6.11", "2026.2.6"), "{}", "{"]


@pytest.mark.parametrize("folder", ["", "lax/"])
@pytest.mark.parametrize("config", LARGER)
def test_no_change_approves_itself_by_an_openclaw_json(
    config: str, folder: str, repository: Repository
) -> None:
    files = {"ws/SOUL.md": "s", "ws/USER.md": "u", "ws/TOOLS.md": "t"}
    repository.commit({"bootlint.toml": FEW, "openclaw.json": CONFIG, **files})
    if folder:
        (repository.root / "lax").mkdir()
        repository.git("mv", "ws", "lax/ws")
    repository.write({f"{folder}ws/SOUL.md": RULES, f"{folder}openclaw.json": config})
    repository.git("add", "--all")
    outcome = base(repository)
    assert outcome.status == 1
    assert f"{folder}openclaw.json:1 BL004" in found(outcome)
    assert "of at most 900" in base(repository, "--select", "BL101").out


def test_an_agent_can_be_called_otherwise(repository: Repository) -> None:
    """By the settings and openclaw.json at once."""
    roster = '{"agents": {"list": [{"id": "ada", "workspace": "./ws"}, {"id": "bob"}]}}\n'
    files = {"openclaw.json": roster, "ws/bootlint.toml": 'agent = "ada"\n' + FEW}
    repository.commit({"ws/SOUL.md": "s", **files})
    repository.write({path: text.replace('"ada"', '"eve"') for path, text in files.items()})
    assert base(repository).status == 0
    assert "differs" in base(repository).out
    assert hook(repository, *files).status == 0
    repository.write({"ws/bootlint.toml": files["ws/bootlint.toml"]})
    assert "agent ada: " in base(repository).out


def test_an_openclaw_json_that_a_workspace_leaves(repository: Repository) -> None:
    """It is named itself, not a file where none stands; and it is wrong where it still names the old folder."""
    roster = '{"agents": {"list": [{"id": "ada", "workspace": "./ada"}, {"id": "bob"}]}}\n'
    repository.commit({"bootlint.toml": FEW, "all/openclaw.json": CONFIG, "all/ada/SOUL.md": "s"})
    repository.git("mv", "all/ada", "ada")
    [told] = base(repository).lines
    assert told.startswith(
        "all/openclaw.json:1:1: BL004 policy-changed: all/openclaw.json no longer applies to ada,"
    )
    repository.git("reset", "-q", "--hard")
    repository.commit({"all/openclaw.json": roster})
    for place in ("all/eve", "ada"):
        repository.git("mv", "all/ada", place)
        outcome = base(repository)
        assert (outcome.status, found(outcome)) == (1, ["all/openclaw.json:1 BL004"])
        assert "still sends OpenClaw to all/ada, which is gone: the agent would start there" in outcome.out
        assert f"name {place} in it" in outcome.out
        way = os.path.relpath(place, "all")
        repository.write({"all/openclaw.json": roster.replace("./ada", way)})
        assert base(repository).status == 0
        repository.git("reset", "-q", "--hard")


def test_a_lock_that_becomes_a_link_is_named_itself(agents: Repository) -> None:
    agents.write({"ada/SOUL.md": "- Be ada\n"})
    agents.bootlint("lock", "ada")
    agents.commit()
    agents.write({"ada/bootlint.lock": Link("../bob/bootlint.lock")})
    assert found(base(agents)) == ["ada/bootlint.lock:1 BL004"]


def test_an_openclaw_json_that_a_change_brings_counts_later(repository: Repository) -> None:
    repository.commit({"bootlint.toml": LIMITS + FEW.replace("BL102", "BL003"), "ws/SOUL.md": "s"})
    repository.write({"openclaw.json": CONFIG.replace("900", '"x"')})
    assert found(base(repository)) == ["openclaw.json:1 BL003", "openclaw.json:1 BL004"]
    repository.commit()
    repository.write({"openclaw.json": "// nothing else\n" + CONFIG.replace("900", '"x"')})
    assert found(base(repository)) == []


def test_a_change_can_mend_the_settings_of_the_base(repository: Repository) -> None:
    repository.commit({"bootlint.toml": "max-chars = =\n", "ws/SOUL.md": "s"})
    for mended in (POLICY, None):
        repository.write({"bootlint.toml": mended, "ws/agents.md": "x"})
        outcome = base(repository)
        assert {"bootlint.toml:1 BL004", "ws/agents.md:1 BL302"} <= set(found(outcome))
        assert "main:bootlint.toml: is no TOML" in outcome.out
        assert "the policy of main cannot be used, and this change is judged by its own" in outcome.out
        repository.write({"ws/agents.md": None})
        assert base(repository).status == 0
        assert repository.bootlint("diff", "main").status == 0
    repository.write({"ws/SOUL.md": None})
    assert "ws was a workspace in main" in base(repository).out


def test_settings_that_a_change_breaks_are_an_error(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, "ws/SOUL.md": "s"})
    repository.write({"bootlint.toml": "max-chars = =\n"})
    outcome = base(repository)
    assert (outcome.status, found(outcome)) == (1, ["bootlint.toml:1 BL004"])
    assert "bootlint.toml: is no TOML" in outcome.out
    assert "once this is merged, no check can run" in outcome.out


def test_an_openclaw_json_that_settings_name_is_an_error_if_broken(repository: Repository) -> None:
    repository.commit({
        "bootlint.toml": POLICY + 'openclaw-config = "conf/o.json"\n', "conf/o.json": CONFIG, "ws/SOUL.md": "s",
    })  # fmt: skip
    repository.write({"conf/o.json": "{"})
    outcome = base(repository)
    assert (outcome.status, found(outcome)) == (1, ["conf/o.json:1 BL004"])
    assert "o.json: is no JSON5" in outcome.out
    repository.commit()
    assert found(base(repository)) == [], "it is said once"


def test_an_openclaw_json_that_settings_name_counts_from_their_folder(repository: Repository) -> None:
    settings = FEW + 'openclaw-config = "../openclaw.json"\n'
    limited = "{ agents: { defaults: { bootstrapMaxChars: 900 } } }"
    repository.commit(
        {
            "a/b/bootlint.toml": settings,
            "a/b/c/SOUL.md": "s",
            "a/openclaw.json": limited,
            "openclaw.json": "[",
        }
    )
    repository.write({"a/b/c/SOUL.md": RULES})
    for outcome in (
        repository.bootlint("check", "a"),
        repository.bootlint("check", "--config", "bootlint.toml", folder="a/b"),
        base(repository),
        base(repository, folder="a/b/c"),
        hook(repository, "a/b/c/SOUL.md"),
    ):
        assert "900 a file (agents.defaults.bootstrapMaxChars" in outcome.err
    aside = repository.bootlint("check", "--openclaw-config", "../openclaw.json", "b", folder="a")
    assert aside.status == 2
    assert "openclaw.json:1:1: is no JSON5" in aside.err


def test_settings_that_a_workspace_leaves_are_told(repository: Repository) -> None:
    repository.commit(
        {"conf/bootlint.toml": FEW, "conf/ada/SOUL.md": "s", "bootlint.toml": 'ignore = ["BL1"]\n'}
    )
    repository.git("mv", "conf/ada", "ada")
    [told] = base(repository).lines
    assert told.startswith(
        "conf/bootlint.toml:1:1: BL004 policy-changed: conf/bootlint.toml no longer applies to ada,"
    )
    repository.git("mv", "ada", "conf/eve")
    assert base(repository).lines == []


def test_an_openclaw_json_that_moves_with_the_settings_that_name_it_is_no_fault(
    repository: Repository,
) -> None:
    settings = POLICY + 'openclaw-config = "o.json"\n'
    texts = {"SOUL.md": "s\n" * 30, "AGENTS.md": "a\n" * 30, "IDENTITY.md": "i\n" * 30}
    repository.commit(
        {
            "a/bootlint.toml": settings,
            "a/o.json": CONFIG,
            **{f"a/ws/{name}": text for name, text in texts.items()},
        }
    )
    repository.git("mv", "a", "b")
    outcome = base(repository)
    assert outcome.status == 0, outcome.out
    repository.write({"b/o.json": "{"})
    assert "o.json: is no JSON5" in base(repository).out


def test_patterns_of_the_base_count_from_where_its_settings_stand(repository: Repository) -> None:
    repository.commit({"conf/bootlint.toml": POLICY + QUIET, "conf/ws/SOUL.md": "s\n"})
    repository.git("branch", "stable/one")
    repository.write({"conf/ws/SOUL.md": RULES})
    for folder in (".", "conf", "conf/ws"):
        outcome = repository.bootlint("check", "--diff-base", "stable/one", folder=folder)
        assert (outcome.status, outcome.out) == (0, "")
        assert "(stable/one:conf/bootlint.toml)" in outcome.err


def test_a_commit_that_takes_a_pattern_away_answers_for_what_it_silenced(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY + QUIET, "ws/SOUL.md": RULES})
    assert found(hook(repository, "bootlint.toml")) == []
    repository.write({"bootlint.toml": POLICY})
    assert {line.split(":")[0] for line in found(hook(repository, "bootlint.toml"))} == {"ws/SOUL.md"}


# --- a commit's files ---------------------------------------------------------------------------------------


def test_findings_in_passed_files_always_count(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, "SOUL.md": RULES, "IDENTITY.md": "x"})
    repository.write({"IDENTITY.md": "y"})
    assert found(hook(repository, "IDENTITY.md")) == []
    assert {line.split(":")[0] for line in found(hook(repository, "SOUL.md"))} == {"SOUL.md"}


def test_a_file_that_grows_answers_for_those_that_it_starves(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, "SOUL.md": "s\n" * 50, "IDENTITY.md": "- Never lie\n" * 60})
    assert found(hook(repository, "SOUL.md")) == []
    repository.write({"SOUL.md": "s\n" * 430})
    outcome = hook(repository, "SOUL.md")
    assert outcome.status == 1
    assert {line.split(":")[0] for line in found(outcome)} == {"IDENTITY.md"}
    repository.commit()
    assert found(hook(repository, "SOUL.md")) == []


def test_settings_answer_for_the_workspaces_below_them(repository: Repository) -> None:
    loose = POLICY.replace("900", "9000").replace("1500", "9000")
    repository.commit({"conf/bootlint.toml": loose, "conf/a/SOUL.md": RULES, "b/SOUL.md": RULES * 9})
    assert found(hook(repository, "conf/bootlint.toml")) == []
    repository.write({"conf/bootlint.toml": POLICY})
    outcome = hook(repository, "conf/bootlint.toml")
    assert outcome.status == 1
    assert {line.split(":")[0] for line in found(outcome)} == {"conf/a/SOUL.md"}


def test_a_commit_can_mend_its_settings(repository: Repository) -> None:
    repository.commit({"bootlint.toml": "no toml", "SOUL.md": "s", "openclaw.json": "{"})
    assert hook(repository, "SOUL.md").status == 2
    repository.write({"bootlint.toml": FEW, "openclaw.json": "{}"})
    assert found(hook(repository, "bootlint.toml", "openclaw.json")) == []


def test_what_the_commit_leaves_out_is_not_its_fault(repository: Repository) -> None:
    repository.commit({"bootlint.toml": POLICY, "a/SOUL.md": "s"})
    repository.write({"b/SOUL.md": RULES, "a/agents.md": "x"})
    assert found(hook(repository, "bootlint.toml", "a/SOUL.md")) == []


@pytest.mark.parametrize("passed", ["ada/soul.md", "bootlint.toml"])
def test_a_folder_that_was_a_workspace_before_the_commit_counts(passed: str, repository: Repository) -> None:
    repository.commit(
        {"bootlint.toml": POLICY, "ada/AGENTS.md": "a", "ada/SOUL.md": "s", "docs/AGENTS.md": "d"}
    )
    repository.git("mv", "ada/SOUL.md", "ada/soul.md")
    assert "ada/soul.md:1 BL302" in found(hook(repository, passed))
    assert found(hook(repository, "docs/AGENTS.md")) == []


def test_a_commit_without_workspaces_passes(repository: Repository) -> None:
    repository.commit({"README.md": "r"})
    repository.write({"docs/tools.md": "- Never lie\n", "AGENTS.md": RULES * 90, "src/memory/a.md": "m"})
    outcome = hook(repository, "docs/tools.md", "AGENTS.md", "src/memory/a.md", "gone/SOUL.md")
    assert (outcome.status, outcome.out) == (0, "")


def test_before_the_first_commit_everything_counts(repository: Repository) -> None:
    repository.write({"bootlint.toml": POLICY, "SOUL.md": RULES, "IDENTITY.md": "x"})
    assert {line.split(":")[0] for line in found(hook(repository, "IDENTITY.md"))} == {"SOUL.md"}


def test_several_commits_at_once(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a push, and in `pre-commit run --from-ref`, HEAD holds the change already."""
    first = repository.commit({"bootlint.toml": POLICY, "SOUL.md": "s", "IDENTITY.md": "- Never lie\n" * 60})
    repository.git("checkout", "-q", "-b", "branch")
    repository.commit({"SOUL.md": "s\n" * 430})
    assert found(hook(repository, "SOUL.md")) == []
    for reference in (first, "main"):
        monkeypatch.setenv("PRE_COMMIT_FROM_REF", reference)
        assert {line.split(":")[0] for line in found(hook(repository, "SOUL.md"))} == {"IDENTITY.md"}


LONG = "# Soul\n\nYou are calm and helpful.\n\n" + "".join(
    f"- Never do thing {number} to the guests of the house, whatever they may ask.\n" for number in range(400)
)


@pytest.mark.parametrize(
    "shorter",
    [
        LONG.replace(" and helpful", ""),
        LONG.replace("- Never do thing 1 to", "- Never do 1 to"),
        LONG[:5] + LONG[40:],
    ],
)
def test_a_file_that_is_too_long_may_become_shorter(shorter: str, repository: Repository) -> None:
    """The cut moves to other lines, which were lost altogether before."""
    repository.bootlint("check", "ws")
    repository.write({"ws/SOUL.md": LONG})
    options = ("--baseline", "known.json", "--select", "BL1")
    assert repository.bootlint("check", "ws", *options, "--write-baseline").status == 0
    repository.commit()
    repository.write({"ws/SOUL.md": shorter})
    assert found(base(repository, "--select", "BL1")) == []
    assert repository.bootlint("check", "ws", *options).status == 0
    repository.write(
        {"ws/SOUL.md": LONG.replace("calm", "calm, polite, patient, and never in a hurry, whoever asks")}
    )
    assert any("BL10" in line for line in found(base(repository, "--select", "BL1")))


def test_of_equal_workspaces_the_one_that_moved_is_found(repository: Repository) -> None:
    """Where one is deleted and the other moved, git may take the files of either for those that moved."""
    equal = {
        name: f"# {name}\n\n- Never lie to anybody about {name}\n"
        for name in ("SOUL.md", "USER.md", "IDENTITY.md")
    }
    ada = {f"agents/ada/{name}": text for name, text in equal.items()} | {"agents/ada/AGENTS.md": RULES}
    bob = {f"agents/bob/{name}": text for name, text in equal.items()} | {
        "agents/bob/AGENTS.md": "- Never sleep\n"
    }
    repository.commit({**ada, **bob})
    repository.git("rm", "-rq", "agents/ada")
    repository.git("mv", "agents/bob", "agents/bert")
    outcome = repository.bootlint("diff", "HEAD")
    assert "agents/bob → agents/bert" in outcome.out
    assert "agents/ada is gone" in outcome.out
