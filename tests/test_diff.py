"""`bootlint diff`: what each of ten commits does to what the model receives, and wherever it is asked."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from time import process_time
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from bootlint.changes import _alike
from harness import Link
from repositories import Repository

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from repositories import Outcome

LIMITS = 'openclaw = "2026.6.11"\nmax-chars = 1000\ntotal-max-chars = 2000\nworkspace-path = "/w"\n'
SOUL = "# Soul\n\n- Never lie\n- Must be kind\n"
PROSE = "Some words about nothing at all.\n" * 30  # 990 characters


def promises(*numbers: int) -> str:
    return "".join(f"- Must keep promise {number}\n" for number in numbers)


# No digest is made of IDENTITY.md: 667 characters of its head stay, 222 of its tail.
IDENTITY = "# Identity\n\n" + promises(*range(10, 20))
STRETCHED = (
    "# Identity\n\n" + promises(10, 11, 12) + PROSE + promises(13, 14) + PROSE + promises(*range(15, 20))
)


@dataclass(frozen=True, slots=True)
class Step:
    """One commit: what it writes, and what `bootlint diff` must say of it. Rules go by the file where they stand."""

    name: str
    files: Mapping[str, str | bytes | Link | None]
    states: Mapping[str, str] = field(default_factory=lambda: {"ada": "changed"})  # workspaces that change
    newly_lost: Mapping[str, str] = field(default_factory=dict)
    newly_reached: Mapping[str, str] = field(default_factory=dict)
    added: Mapping[str, str] = field(default_factory=dict)
    removed: Mapping[str, str] = field(default_factory=dict)
    grown: tuple[str, ...] = ()


STEPS = (
    Step(
        "a workspace is made",
        {"bootlint.toml": LIMITS, "ada/SOUL.md": SOUL, "ada/IDENTITY.md": IDENTITY},
        {"ada": "new"},
        added={"SOUL.md": "- Never lie\n- Must be kind\n", "IDENTITY.md": promises(*range(10, 20))},
    ),
    Step("files that are none of OpenClaw's change", {"README.md": "other", "ada/notes.md": "n"}, {}),
    Step(
        "a rule is added, another reworded",
        {"ada/SOUL.md": SOUL.replace("be kind", "be patient") + "- Never hurry\n"},
        added={"SOUL.md": "- Must be patient\n- Never hurry\n"},
        removed={"SOUL.md": "- Must be kind\n"},
    ),
    Step(
        "prose pushes rules out of the head and tail of their own file",
        {"ada/IDENTITY.md": STRETCHED},
        newly_lost={"IDENTITY.md": promises(13, 14)},
        grown=("IDENTITY.md",),
    ),
    Step(
        "the prose goes again",
        {"ada/IDENTITY.md": IDENTITY},
        newly_reached={"IDENTITY.md": promises(13, 14)},
    ),
    Step(
        "files before it starve one that nobody touched",
        {"ada/AGENTS.md": PROSE[:900], "ada/SOUL.md": SOUL + PROSE[:900], "ada/MEMORY.md": PROSE},
        newly_lost={"IDENTITY.md": promises(*range(10, 20))},
        removed={"SOUL.md": "- Must be patient\n- Never hurry\n"},
        added={"SOUL.md": "- Must be kind\n"},
        grown=("AGENTS.md", "SOUL.md"),
    ),
    Step(
        "lost rules move to a file that arrives whole",
        {
            "ada/AGENTS.md": promises(12, 13),
            "ada/IDENTITY.md": IDENTITY.replace(promises(12, 13), ""),
            "ada/MEMORY.md": None,
        },
        newly_reached={"AGENTS.md": promises(12, 13), "IDENTITY.md": promises(10, 11, *range(14, 20))},
    ),
    Step(
        "the workspace moves",
        {
            "eve/AGENTS.md": promises(12, 13),
            "eve/SOUL.md": SOUL + PROSE[:900],
            "eve/IDENTITY.md": IDENTITY.replace(promises(12, 13), ""),
            **dict.fromkeys(("ada/AGENTS.md", "ada/SOUL.md", "ada/IDENTITY.md", "ada/notes.md")),
        },
        {},
    ),
    Step(
        "the limit is lowered, no file changes",
        {"bootlint.toml": LIMITS.replace("1000", "150")},
        {"eve": "changed"},
        newly_lost={"IDENTITY.md": promises(10, 11, *range(14, 20))},
    ),
    Step(
        "one workspace goes, another comes",
        {**dict.fromkeys(("eve/AGENTS.md", "eve/SOUL.md", "eve/IDENTITY.md")), "bob/SOUL.md": SOUL},
        {"bob": "new", "eve": "deleted"},
        added={"SOUL.md": "- Never lie\n- Must be kind\n"},
        removed={
            "AGENTS.md": promises(12, 13),
            "SOUL.md": "- Never lie\n- Must be kind\n",
            "IDENTITY.md": promises(10, 11, *range(14, 20)),
        },
    ),
)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """The ten commits; the tag `stepN` is the one before step N, and `step10` the last."""
    repository = Repository.at(tmp_path_factory.mktemp("history") / "repository")
    repository.commit(message="nothing")
    for number, step in enumerate(STEPS):
        repository.git("tag", f"step{number}")
        repository.commit(step.files, message=step.name)
    repository.git("tag", f"step{len(STEPS)}")
    return repository


Json = dict[str, object]


def workspaces(outcome: Outcome) -> list[Json]:
    document = json.loads(outcome.out)
    assert document["schema_version"] == 1
    found: list[Json] = document["workspaces"]
    return found


def rules(found: list[Json], group: str) -> dict[str, str]:
    """File → the rules of a group, in order."""
    texts: dict[str, str] = {}
    for workspace in found:
        lines = workspace[group]
        assert isinstance(lines, list)
        for line in sorted(lines, key=lambda line: str(line["text"])):
            texts[line["path"]] = texts.get(line["path"], "") + f"{line['text']}\n"
    return texts


def in_order(group: Mapping[str, str]) -> dict[str, str]:
    return {path: "".join(sorted(text.splitlines(keepends=True))) for path, text in group.items()}


@pytest.mark.parametrize("number", range(len(STEPS)), ids=[step.name for step in STEPS])
def test_what_a_commit_does(number: int, history: Repository) -> None:
    step = STEPS[number]
    outcome = history.bootlint("diff", f"step{number}", f"step{number + 1}", "--output-format", "json")
    found = workspaces(outcome)
    assert {one["workspace"]: one["state"] for one in found if one["state"] != "same"} == step.states
    for group in ("newly_lost", "newly_reached", "added", "removed"):
        assert rules(found, group) == in_order(getattr(step, group)), group
    assert [path for one in found for path in one["grown"]] == list(step.grown)  # type: ignore[attr-defined]
    assert outcome.status == int(bool(step.newly_lost) or "deleted" in step.states.values())


def test_a_commit_and_its_undoing_are_opposites(history: Repository) -> None:
    for number in range(len(STEPS)):
        there, back = (
            workspaces(history.bootlint("diff", *ends, "--output-format", "json"))
            for ends in ((f"step{number}", f"step{number + 1}"), (f"step{number + 1}", f"step{number}"))
        )
        assert rules(there, "added") == rules(back, "removed")
        assert rules(there, "removed") == rules(back, "added")


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_a_work_tree_is_what_was_checked_out(number: int, history: Repository, tmp_path: Path) -> None:
    tree = Repository(tmp_path / "tree")
    history.git("worktree", "add", "-q", "--detach", str(tree.root), f"step{number}")
    outcomes = {
        tree.bootlint("diff", "step1", *head, "--output-format", "json", folder=folder)
        for head in ((), ("HEAD",), (f"step{number}",))
        for folder in (".", os.path.relpath(next(tree.root.glob("*/SOUL.md")).parent, tree.root))
    }
    assert len(outcomes) == 1


def test_as_text(history: Repository) -> None:
    assert history.bootlint("diff", "step3", "step4").lines[:8] == [
        "ada: OpenClaw 2026.6.11, session main: priority rules that reach the model 13/13 → 11/13",
        "  SOUL.md: 51 → 51 characters, lost 0 → 0, headroom 949 → 880",
        "  IDENTITY.md: 241 → 2,221 characters, lost 0 → 1,332, headroom 759 → 0",
        "  newly lost: 2 priority rules; what grew: IDENTITY.md +1,980",
        "    IDENTITY.md:36 (kept → dropped): - Must keep promise 13",
        "    IDENTITY.md:37 (kept → dropped): - Must keep promise 14",
        "  changed inside of priority rules: 60 lines",  # to Markdown, the prose goes on the item above
        "    IDENTITY.md:6 (· → kept): Some words about nothing at all.",
    ]
    moved = history.bootlint("diff", "step6", "step7").lines
    at = moved.index("  newly reached: 10 priority rules")
    assert moved[at + 1 : at + 4] == [
        "    IDENTITY.md → AGENTS.md:1 (dropped → kept): - Must keep promise 12",
        "    IDENTITY.md → AGENTS.md:2 (dropped → kept): - Must keep promise 13",
        "    IDENTITY.md:3 (cut → kept): - Must keep promise 10",
    ]
    assert history.bootlint("diff", "step8", "step9").lines[:2] == [
        "eve: OpenClaw 2026.6.11, session main: priority rules that reach the model 12/12 → 4/12",
        "  limit of a file 1,000 → 150, of all 2,000 → 2,000",
    ]
    assert history.bootlint("diff", "step1", "step2").lines == ["nothing changes in what the model receives"]


def test_in_chinese(history: Repository) -> None:
    assert history.bootlint("diff", "step3", "step4", "--language", "zh").lines[3:5] == [
        "  新丢失的硬性规则：2 条；变长的文件：IDENTITY.md +1,980",
        "    IDENTITY.md:36 (保留 → 丢失): - Must keep promise 13",
    ]


# --- between the lines --------------------------------------------------------------------------------------


def test_whatever_a_line_holds_comes_through_inert(repository: Repository) -> None:
    hostile = "- Never `x` | </b> ::error:: @somebody \x1b[31m \u202e <!-- " + "long " * 50
    repository.commit({"ada/SOUL.md": "s"})
    repository.write({"ada/SOUL.md": hostile + "\n", "a|b\nc/SOUL.md": "- Never lie\n"})
    for language in ("en", "zh"):
        text = repository.bootlint("diff", "HEAD", "--language", language).out
        assert not set(text) & {"\x1b", "\u202e", "\r"}
        assert max(map(len, text.splitlines())) < 250
        markdown = repository.bootlint(
            "diff", "HEAD", "--output-format", "markdown", "--language", language
        ).out
        tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(markdown)
        children = [child.type for token in tokens for child in token.children or ()]
        assert set(children) <= {"text", "strong_open", "strong_close", "text_special"}
        assert {token.type for token in tokens} <= {
            f"{kind}_{end}" for kind in ("heading", "paragraph", "list_item", "bullet_list") for end in ("open", "close")
        } | {"inline"}  # fmt: skip


def test_secrets_are_masked(repository: Repository) -> None:
    secret = "hunter2hunter2x"
    repository.commit({"ada/SOUL.md": f"- Never tell, password: {secret}\n"})
    repository.write({"ada/SOUL.md": f"- Must know, password: {secret}\n"})
    for output_format in ("text", "json", "markdown"):
        out = repository.bootlint("diff", "HEAD", "--output-format", output_format).out
        assert "Never tell" in out
        assert "Must know" in out
        assert secret not in out


def test_long_groups_are_cut_and_start_with_what_is_lost(repository: Repository) -> None:
    repository.commit({"bootlint.toml": LIMITS, "ada/SOUL.md": "s"})
    repository.write({"ada/SOUL.md": promises(*range(100, 200))})
    lines = repository.bootlint("diff", "HEAD").lines
    assert lines[2] == "  added: 100 priority rules, of which 63 do not reach the model"
    assert lines[3] == "    SOUL.md:29 (· → cut): - Must keep promise 128"
    assert len(lines) == 3 + 20 + 1
    assert lines[-1] == "    … and 80 more lines"


def test_untouched_lines_that_are_no_rules(repository: Repository) -> None:
    repository.commit({"bootlint.toml": LIMITS, "ada/SOUL.md": "one\ntwo\n"})
    repository.write({"ada/SOUL.md": "one\n" + PROSE + "two\n" + PROSE})
    assert repository.bootlint("diff", "HEAD").lines[2:] == [
        "  1 other untouched line whose fate changed",
        "    SOUL.md:32 (kept → dropped): two",
    ]


@pytest.mark.parametrize(("before", "after"), [("<!--\n", "-->\n"), ("```\n", "```\n")])
def test_rules_that_are_put_into_a_comment_or_a_code_block_are_told(
    before: str, after: str, repository: Repository
) -> None:
    """Their words reach the model as they did, so that no fate changes."""
    kept = "# Soul\n\n- Be kind\n\n"
    repository.commit({"ada/SOUL.md": kept + promises(1, 2)})
    repository.commit({"ada/SOUL.md": kept + before + promises(1, 2) + after})
    assert repository.bootlint("diff", "HEAD~", "HEAD").lines[2:] == [
        "  removed: 2 priority rules, of which 2 still stand there and are no rules now: "
        "in a comment, in code, in another sense",
        "    SOUL.md:6 (kept → kept): - Must keep promise 1",
        "    SOUL.md:7 (kept → kept): - Must keep promise 2",
    ]
    assert "- Must keep promise 2\n" in repository.bootlint(
        "diff", "HEAD~", "HEAD", "--output-format", "markdown"
    ).out.replace("\\", "")
    for ends, group in ((("HEAD~", "HEAD"), "removed"), (("HEAD", "HEAD~"), "added")):
        found = workspaces(repository.bootlint("diff", *ends, "--output-format", "json"))
        assert rules(found, group) == {"SOUL.md": promises(1, 2)}


WRAPPED = "When Kim asks\nyou must never answer\nwith a secret.\n"
LISTED = "You must never touch:\n\n- the door\n  of the house\n- the window\n\nBe calm.\n"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (WRAPPED, WRAPPED.replace("a secret", "no secret"), ["with no secret.", "with a secret."]),
        (WRAPPED, WRAPPED.replace("Kim", "nobody"), ["When nobody asks", "When Kim asks"]),
        (
            WRAPPED,
            WRAPPED.replace("answer", "speak"),
            [],
        ),  # which is told as a rule that went and one that came
        (LISTED, LISTED.replace("window", "wall"), ["- the wall", "- the window"]),
        (LISTED, LISTED.replace("house", "shop"), ["of the shop", "of the house"]),
        (LISTED, LISTED.replace("- the window\n", ""), ["- the window"]),
        (LISTED, LISTED.replace("calm", "kind"), []),
        (LISTED, LISTED + "- the roof\n", []),
        (LISTED, LISTED + "\n" + WRAPPED, []),
    ],
)
def test_a_rule_of_several_lines_is_compared_whole(
    before: str, after: str, expected: list[str], repository: Repository
) -> None:
    repository.commit({"ada/SOUL.md": f"# Soul\n\n{before}"})
    repository.write({"ada/SOUL.md": f"# Soul\n\n{after}"})
    found = workspaces(repository.bootlint("diff", "HEAD", "--output-format", "json"))
    assert rules(found, "reworded").get("SOUL.md", "").splitlines() == sorted(expected)


@pytest.mark.parametrize(
    "rest",
    [
        pytest.param(promises(*range(12, 20)), id="among lines that stay"),
        pytest.param(promises(*range(12, 20)).replace("promise", "every promise"), id="each rule edited"),
    ],
)
def test_a_rule_that_is_edited_and_pushed_out_is_newly_lost(rest: str, repository: Repository) -> None:
    head = "# Identity\n\n" + promises(10, 11)
    edited = "- Must keep promise 7, always\n"
    repository.commit({"bootlint.toml": LIMITS, "ada/IDENTITY.md": head + promises(7, *range(12, 20))})
    repository.write({"ada/IDENTITY.md": head + PROSE + edited + PROSE + rest})
    outcome = repository.bootlint("diff", "HEAD", "--output-format", "json")
    assert edited in rules(workspaces(outcome), "newly_lost")["IDENTITY.md"]
    assert outcome.status == 1
    repository.commit()
    back = repository.bootlint("diff", "HEAD", "HEAD~", "--output-format", "json")
    assert promises(7) in rules(workspaces(back), "newly_reached")["IDENTITY.md"]
    assert back.status == 0


def test_what_an_edited_line_was_is_found_in_time() -> None:
    """Among as many lines as are compared, long ones that are all a little alike."""
    texts = [PROSE[number % 33 :].replace("\n", f" {number} ") for number in range(199)]
    olds, news = ([("AGENTS.md", text, 1) for text in part] for part in (texts[:99], texts[99:]))
    start = process_time()
    assert list(_alike(olds, news))
    assert process_time() - start < 5


def test_a_rule_that_takes_the_place_of_another_is_new(repository: Repository) -> None:
    """An edit that arrives as before loses nothing, and neither does a rule that was never sent."""
    repository.commit({"bootlint.toml": LIMITS, "ada/SOUL.md": SOUL, "ada/USER.md": "u"})
    repository.write({"ada/SOUL.md": SOUL.replace("kind", "good")})
    outcome = repository.bootlint("diff", "HEAD", "--output-format", "json")
    assert outcome.status == 0
    assert rules(workspaces(outcome), "removed") == {"SOUL.md": "- Must be kind\n"}
    assert rules(workspaces(outcome), "added") == {"SOUL.md": "- Must be good\n"}


def test_text_of_the_same_length_is_a_change(repository: Repository) -> None:
    text = "# Soul\n\n- You may spend 10 EUR\n- You may sleep\n"
    repository.commit({"ada/SOUL.md": text})
    repository.write({"ada/SOUL.md": text.replace("10", "99")})
    said = {
        "en": "  SOUL.md: 1 line of text changed, sizes as before",
        "zh": "  SOUL.md：有 1 行文字改动，大小不变",
    }
    for language, line in said.items():
        outcome = repository.bootlint("diff", "HEAD", "--language", language)
        assert outcome.status == 0
        assert outcome.lines[1:] == [line]
    [found] = workspaces(repository.bootlint("diff", "HEAD", "--output-format", "json"))
    assert found["state"] == "changed"
    assert [file["changed_lines"] for file in found["files"] if file["path"] == "SOUL.md"] == [1]  # type: ignore[attr-defined]
    moved = "# Soul\n\n- You may sleep\n- You may spend 10 EUR\n"
    repository.write({"ada/SOUL.md": moved})
    assert repository.bootlint("diff", "HEAD").lines[1:] == [
        "  SOUL.md: 2 lines of text changed, sizes as before"
    ]


def test_text_that_the_model_never_gets_is_no_change(repository: Repository) -> None:
    text = "# Soul\n" + PROSE + "in the middle 10\n" + PROSE
    repository.commit({"bootlint.toml": LIMITS, "ada/SOUL.md": text})
    repository.write({"ada/SOUL.md": text.replace("10", "99")})
    assert repository.bootlint("diff", "HEAD").lines == ["nothing changes in what the model receives"]


# --- where it is asked --------------------------------------------------------------------------------------


def test_what_stands_outside_the_repository_is_the_same_on_both_sides(repository: Repository) -> None:
    data = {"agents": {"defaults": {"bootstrapMaxChars": 900}}, "meta": {"lastTouchedVersion": "2026.6.11"}}
    (repository.root.parent / "openclaw.json").write_text(json.dumps(data))
    (repository.root.parent / "bootlint.toml").write_text("total-max-chars = 1800\n")
    repository.commit({"SOUL.md": "s"})
    repository.commit({"SOUL.md": "t"})
    for head in ((), ("HEAD",)):
        [found] = workspaces(repository.bootlint("diff", "HEAD~", *head, "--output-format", "json"))
        for side in ("before", "after"):
            conditions = found[side]
            assert isinstance(conditions, dict)
            assert conditions["release"] == "2026.6.11"
            assert conditions["limits"] == {"max_chars": 900, "total_max_chars": 1800}


def test_both_sides_stand_in_the_same_place(repository: Repository) -> None:
    """The markers of missing files hold the path of the workspace, and leave less room the longer it is."""
    repository.commit({"bootlint.toml": "total-max-chars = 900\n", "ada/SOUL.md": SOUL, "README.md": "r"})
    repository.commit({"README.md": "other"})
    for head in ((), ("HEAD",)):
        assert repository.bootlint("diff", "HEAD~", *head).lines == [
            "nothing changes in what the model receives"
        ]


@pytest.mark.parametrize("names", ["relative", "absolute"])
def test_each_side_has_its_own_agent(names: str, repository: Repository) -> None:
    """Found by its folder: after the change an agent may be called otherwise, or be gone."""
    root = "." if names == "relative" else str(repository.root / "agents")

    def roster(**limits: int) -> str:
        agents = [
            {"id": name, "workspace": f"{root}/{name[:3]}", "bootstrapMaxChars": limit}
            for name, limit in limits.items()
        ]
        return json.dumps({"agents": {"list": agents}})

    texts = {"agents/ada/SOUL.md": SOUL, "agents/bob/SOUL.md": SOUL}
    repository.commit({**texts, "agents/openclaw.json": roster(ada=900, bob=800)})
    defaults = '{"agents": {"defaults": {"bootstrapMaxChars": 800}}}'
    for now, limits in ((roster(ada2=900, bob=800), []), (defaults, ["agents/ada", "900 → 800"])):
        repository.write({"agents/openclaw.json": now})
        for command in (("diff", "HEAD"), ("check", "--hook", "agents/openclaw.json", "--select", "BL1")):
            assert repository.bootlint(*command).status == 0
        assert repository.bootlint("diff", "HEAD", "--agent", "ada2").status == (0 if "ada2" in now else 2)
        told = repository.bootlint("diff", "HEAD").out
        assert all(text in told for text in limits or ["nothing changes in what the model receives"])
        assert "bob" not in told


def test_files_that_move_to_a_new_workspace_do_not_move_the_old_one(repository: Repository) -> None:
    texts = {
        "AGENTS.md": "".join(f"{n}\n" for n in range(50)),
        "USER.md": "".join(f"- {n}\n" for n in range(50)),
    }
    repository.commit({"ada/SOUL.md": SOUL, **{f"ada/{name}": text for name, text in texts.items()}})
    repository.write(dict.fromkeys(f"ada/{name}" for name in texts))
    repository.commit({f"bob/{name}": text for name, text in texts.items()})
    for head in ((), ("HEAD",)):
        found = workspaces(repository.bootlint("diff", "HEAD~", *head, "--output-format", "json"))
        assert {one["workspace"]: one["state"] for one in found} == {"ada": "changed", "bob": "new"}


def test_a_workspace_that_moves_is_told(repository: Repository) -> None:
    before = repository.commit({"ada/SOUL.md": SOUL, "ada/USER.md": "Kim\n"})
    repository.git("mv", "ada", "eve")
    after = repository.commit()
    for head in ((), (after,)):
        assert repository.bootlint("diff", before, *head).out.startswith("ada → eve: OpenClaw ")
    assert repository.bootlint("diff", before, "--output-format", "markdown").out.startswith(
        "### ada → eve: "
    )
    [found] = workspaces(repository.bootlint("diff", before, "--output-format", "json"))
    assert (found["workspace"], found["moved_from"], found["state"]) == ("eve", "ada", "same")


def test_a_workspace_with_rules_that_is_gone_counts(repository: Repository) -> None:
    repository.commit({"ada/SOUL.md": "- Never lie\n", "bob/SOUL.md": "Be kind\n", "eve/SOUL.md": "s"})
    repository.write({"bob/SOUL.md": None})
    outcome = repository.bootlint("diff", "HEAD")
    assert outcome.status == 0
    assert outcome.out.startswith("bob is gone: ")
    repository.git("rm", "-rqf", "ada")
    repository.write({"ada": Link("eve")})
    outcome = repository.bootlint("diff", "HEAD")
    assert outcome.status == 1
    assert outcome.out.startswith("ada is gone: ")


def test_a_workspace_that_is_emptied_counts(repository: Repository) -> None:
    repository.commit(
        {"ada/SOUL.md": "- Never lie\n", "ada/USER.md": "- Never cry\n", "bob/SOUL.md": "Be kind\n"}
    )
    repository.write({"ada/SOUL.md": "", "bob/SOUL.md": ""})
    assert repository.bootlint("diff", "HEAD").status == 0
    repository.write({"ada/USER.md": ""})
    outcome = repository.bootlint("diff", "HEAD")
    assert (outcome.status, "2/2 → 0/0" in outcome.out) == (1, True)


def test_what_a_sparse_checkout_leaves_out_is_not_gone(repository: Repository) -> None:
    repository.commit({"ada/SOUL.md": "- Never lie\n", "bob/SOUL.md": "- Never lie\n"})
    repository.git("sparse-checkout", "set", "bob")
    outcome = repository.bootlint("diff", "HEAD")
    assert (outcome.status, outcome.out) == (0, "nothing changes in what the model receives\n")


def test_what_remains_of_a_workspace_is_compared(repository: Repository) -> None:
    settings = {"bootlint.toml": 'openclaw = "2026.3.1"\nmax-chars = 1000\n'}
    rule, words = "- Never lie\n", "words\n" * 300
    before = repository.commit({**settings, "ada/SOUL.md": "s\n", "ada/AGENTS.md": rule})
    repository.write({"ada/SOUL.md": None, "ada/AGENTS.md": words + rule + words})
    outcome = repository.bootlint("diff", "HEAD")
    assert outcome.status == 1
    assert "  newly lost: 1 priority rule; what grew: AGENTS.md +3,600" in outcome.lines
    after = repository.commit()
    assert repository.bootlint("diff", before, after) == outcome


def test_an_upgrade_is_a_change_too(repository: Repository) -> None:
    """TOOLS.md stays where it is, and the new release does not load it."""
    repository.commit(
        {"bootlint.toml": 'openclaw = "2026.6.11"\n', "ada/TOOLS.md": "- Never lie\n", "ada/SOUL.md": "s"}
    )
    repository.write({"bootlint.toml": 'openclaw = "2026.9.6"\n'})
    outcome = repository.bootlint("diff", "HEAD")
    assert outcome.status == 1
    assert outcome.lines[0].startswith("ada: OpenClaw 2026.6.11 → 2026.9.6, session main: ")
    assert outcome.lines[-2:] == [
        "  newly lost: 1 priority rule",
        "    TOOLS.md:1 (kept → dropped): - Never lie",
    ]


def test_each_release_that_is_asked_for(repository: Repository) -> None:
    repository.commit({"ada/TOOLS.md": "- Never lie\n", "ada/SOUL.md": "s"})
    repository.write({"ada/TOOLS.md": "- Never\n"})
    outcome = repository.bootlint(
        "diff", "HEAD", "--openclaw", "2026.6.11,2026.9.6", "--output-format", "json"
    )
    assert [one["state"] for one in workspaces(outcome)] == ["changed", "same"]


def test_what_git_ignores_is_no_change(repository: Repository) -> None:
    repository.commit({".gitignore": "MEMORY.md\nprivate/\n", "ada/SOUL.md": "s"})
    repository.write({"ada/MEMORY.md": "- Never lie\n", "private/SOUL.md": "- Never lie\n"})
    repository.write({"bob/AGENTS.md": "a", "bob/MEMORY.md": "m"})
    assert repository.bootlint("diff", "HEAD").lines[0].startswith("bob is new: ")
    repository.commit()
    assert repository.bootlint("diff", "HEAD").lines == ["nothing changes in what the model receives"]
    repository.write({"ada/USER.md": "- Never lie\n"})
    assert "  added: 1 priority rule" in repository.bootlint("diff", "HEAD").lines


def test_submodules_are_left_out_and_have_a_diff_of_their_own(repository: Repository, tmp_path: Path) -> None:
    other = Repository.at(tmp_path / "other")
    other.commit({"SOUL.md": "s"})
    repository.commit({"ada/SOUL.md": "s"})
    repository.git("submodule", "add", "-q", str(other.root), "sub", GIT_ALLOW_PROTOCOL="file")
    assert repository.bootlint("diff", "HEAD").lines == ["nothing changes in what the model receives"]
    repository.write({"sub/SOUL.md": "- Never lie\n"})
    assert "  added: 1 priority rule" in repository.bootlint("diff", "HEAD", folder="sub").lines


def test_a_shallow_clone(history: Repository, tmp_path: Path) -> None:
    shallow = Repository(tmp_path / "shallow")
    history.git("clone", "-q", "--depth=1", history.root.as_uri(), str(shallow.root))
    outcome = shallow.bootlint("diff", history.git("rev-parse", "step1"))
    assert outcome.status == 2
    assert outcome.err.endswith(
        ": not in this shallow clone; fetch more of it first "
        "(git fetch --unshallow, or fetch-depth: 0 in actions/checkout)\n"
    )


def test_before_the_first_commit_and_in_a_bare_repository(repository: Repository, tmp_path: Path) -> None:
    outcome = repository.bootlint("diff", "HEAD")
    assert (outcome.status, outcome.err) == (
        2,
        "bootlint: error: HEAD: there is no commit in this repository yet\n",
    )
    bare = Repository(tmp_path / "bare")
    repository.git("init", "-q", "--bare", str(bare.root))
    outcome = bare.bootlint("diff", "HEAD")
    assert (outcome.status, outcome.out) == (2, "")
    assert "is in no git work tree (fatal: this operation must be run in a work tree)" in outcome.err
