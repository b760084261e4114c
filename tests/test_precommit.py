"""The hooks as their users have them: real pre-commit in real repositories, and the README's own way there."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from identify import identify

from bootlint.workspace import BOOTSTRAP_NAMES, meant_name
from harness import Link
from repositories import Repository

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parent.parent
HOOKS = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}
PRE_COMMIT = Path(sys.executable).parent / "pre-commit"

LIMITS = 'openclaw = "2026.6.11"\nmax-chars = 900\ntotal-max-chars = 1500\n'
PROSE = "Some words about nothing at all.\n"
GOOD = "# Soul\n\n- Never lie\n"
# A rule in a paragraph, which the digest does not see; `bootlint fix` gives it a keyword.
LOST = f"# Agents\n\n{PROSE * 20}\n私事不外传。\n\n{PROSE * 20}"
FOUND = LOST.replace("私事", "Never: 私事")


# --- the environment, made once -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bench:
    """A committed checkout of this project, and the folder in which pre-commit keeps what it installs from it."""

    checkout: Repository
    store: Path

    def run(self, folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """A command as a user's shell would start it: nothing of this test run is in its environment."""
        kept = {
            key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PYTHON", "COV_"))
        }
        return subprocess.run(
            [str(word) for word in command],
            cwd=folder,
            env={
                **kept,
                "PRE_COMMIT_HOME": str(self.store),
                "PRE_COMMIT_COLOR": "never",
                "GIT_CONFIG_GLOBAL": str(self.store.parent / "gitconfig"),
            },
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """One for all processes of a parallel run."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "bench"
    shared.mkdir(exist_ok=True)
    with open(shared / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "checkout").exists():
            (shared / "gitconfig").write_text(
                "[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\n"
            )
            _copy_of_this_project(shared / "checkout")
    return Bench(Repository(shared / "checkout"), shared / "store")


def _copy_of_this_project(target: Path) -> None:
    for name in ("bootlint", "rules"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, target / name)
    Repository.at(target).commit()


@dataclass(frozen=True, slots=True)
class Project:
    """A repository with the hooks installed in it."""

    repository: Repository
    bench: Bench

    def write(self, files: Mapping[str, str | bytes | Link | None], *, stage: bool = True) -> None:
        self.repository.write(files)
        if stage:
            self.repository.git("add", "--all")

    def commit(self) -> tuple[bool, str]:
        """Did a commit of what is staged go through, and what was said?"""
        done = self.bench.run(self.repository.root, "git", "commit", "-m", "change")
        return done.returncode == 0, done.stdout + done.stderr

    def pre_commit(self, *arguments: str) -> tuple[bool, str]:
        done = self.bench.run(self.repository.root, PRE_COMMIT, *arguments)
        return done.returncode == 0, done.stdout + done.stderr

    def text(self, path: str) -> str:
        return (self.repository.root / path).read_text()

    def staged(self, path: str) -> str:
        return self.repository.git("show", f":{path}") + "\n"


def project_at(root: Path, bench: Bench, *hooks: str, args: list[str] | None = None) -> Project:
    entries = [{"id": hook, **({"args": args} if args else {})} for hook in hooks]
    revision = bench.checkout.git("rev-parse", "HEAD")
    config = {"repos": [{"repo": str(bench.checkout.root), "rev": revision, "hooks": entries}]}
    project = Project(Repository.at(root), bench)
    project.repository.commit({".pre-commit-config.yaml": yaml.safe_dump(config), "bootlint.toml": LIMITS})
    installed, said = project.pre_commit("install")
    assert installed, said
    return project


@pytest.fixture
def project(tmp_path: Path, bench: Bench) -> Project:
    return project_at(tmp_path / "project", bench, "bootlint")


def reported(said: str) -> set[str]:
    """`path CODE` of each finding."""
    return {f"{path} {code}" for path, code in re.findall(r"^(\S+?):\d+:\d+: (BL\d+)", said, re.MULTILINE)}


# --- bootlint -----------------------------------------------------------------------------------------------


def test_a_bad_commit_is_stopped_and_a_good_one_passes(project: Project) -> None:
    project.write({"SOUL.md": GOOD, "IDENTITY.md": "i"})
    went, said = project.commit()
    assert went, said
    assert re.search(r"^bootlint\.+Passed$", said, re.MULTILINE)

    project.write({"agents.md": "x\n"})
    went, said = project.commit()
    assert not went
    assert re.search(r"^bootlint\.+Failed$", said, re.MULTILINE)
    assert (
        "agents.md:1:1: BL302 wrong-file-name: agents.md (1 characters) is not loaded: OpenClaw 2026.6.11 looks for "
        "AGENTS.md, in exactly this spelling; rename it\n"
    ) in said
    project.write({"agents.md": None, "AGENTS.md": "x\n"})
    assert project.commit()[0]


def test_a_symbolic_link_is_passed(project: Project) -> None:
    project.write({"IDENTITY.md": "i"})
    assert project.commit()[0]
    project.write({"SOUL.md": Link("../elsewhere.md")})
    went, said = project.commit()
    assert not went
    assert "SOUL.md BL305" in reported(said)


def test_a_file_that_is_renamed_to_a_near_name_is_missed(project: Project) -> None:
    """Although the folder is no workspace any more by what it holds now."""
    files = {"agents/ada/AGENTS.md": "- Be kind\n", "agents/ada/SOUL.md": "- Never lie\n"}
    project.repository.git("rm", "-q", "bootlint.toml")
    project.repository.commit(files)
    project.repository.git("mv", "agents/ada/SOUL.md", "agents/ada/soul.md")
    passed, said = project.commit()
    assert (passed, "agents/ada/soul.md BL302" in reported(said)) == (False, True)


def test_a_commit_answers_for_its_own_workspace(project: Project) -> None:
    project.write(
        {"agents/ada/SOUL.md": GOOD, "agents/ada/agents.md": "x", "bob/SOUL.md": GOOD, "bob/Memory.md": "x"}
    )
    assert "agents/ada/agents.md BL302" in reported(project.commit()[1])
    project.repository.git("commit", "-q", "--no-verify", "-m", "all the same")
    project.write({"bob/SOUL.md": GOOD + "- Be kind\n"})
    assert project.commit()[0]
    project.write({"bob/memory/2026-01-01.md": "a note\n", "README.md": "r"})
    assert project.commit()[0]
    project.write({"bob/users.md": "x", "agents/ada/SOUL.md": GOOD + "- Be kind\n"})
    went, said = project.commit()
    assert not went
    assert {line for line in reported(said) if line.endswith("BL302")} == {"bob/users.md BL302"}


def test_a_file_that_grows_answers_for_those_that_it_starves(project: Project) -> None:
    project.write({"SOUL.md": "s\n" * 50, "IDENTITY.md": "- Never lie\n" * 60})
    assert project.commit()[0]
    project.write({"SOUL.md": "s\n" * 430})
    went, said = project.commit()
    assert not went
    assert "IDENTITY.md BL102" in reported(said)


def test_all_files_reports_all(project: Project) -> None:
    project.write({"a/SOUL.md": GOOD, "a/agents.md": "x", "b/SOUL.md": GOOD, "b/Memory.md": "x"})
    project.repository.git("commit", "-q", "--no-verify", "-m", "all the same")
    went, said = project.pre_commit("run", "--all-files")
    assert not went
    assert {line for line in reported(said) if line.endswith("BL302")} == {
        "a/agents.md BL302",
        "b/Memory.md BL302",
    }


def test_since_another_commit(project: Project) -> None:
    """As before a push, or in CI: HEAD holds the change already."""
    project.write({"SOUL.md": "s\n" * 50, "IDENTITY.md": "- Never lie\n" * 60})
    project.repository.git("commit", "-q", "--no-verify", "-m", "first")
    project.write({"SOUL.md": "s\n" * 430})
    project.repository.git("commit", "-q", "--no-verify", "-m", "second")
    went, said = project.pre_commit("run", "--from-ref", "HEAD~", "--to-ref", "HEAD")
    assert not went
    assert "IDENTITY.md BL102" in reported(said)


def test_a_deletion_is_not_passed(project: Project) -> None:
    """What the README says of it, and what is to be done about it."""
    project.write({"SOUL.md": "Be as [the code](code.md) says.\n", "AGENTS.md": GOOD, "code.md": "x"})
    assert project.commit()[0]
    project.write({"AGENTS.md": None, "code.md": None})
    went, said = project.commit()
    assert went
    assert re.search(r"^bootlint\.+\(no files to check\)Skipped$", said, re.MULTILINE)
    assert "  removed: 1 priority rule" in project.repository.bootlint("diff", "HEAD~").lines
    assert "SOUL.md BL311" in reported(project.repository.bootlint("check", "--diff-base", "HEAD~").out)


def test_only_what_is_staged_is_judged(project: Project) -> None:
    project.write({"SOUL.md": GOOD, "Memory.md": "m"})
    project.write({"SOUL.md": GOOD + PROSE, "memory.txt": "x", "Memory.md": None}, stage=False)
    went, said = project.commit()
    assert not went
    assert "Memory.md BL302" in reported(said)
    assert project.text("SOUL.md") == GOOD + PROSE
    assert not (project.repository.root / "Memory.md").exists()

    project.repository.git("rm", "-q", "--cached", "Memory.md")
    project.write({"soul.md": "not staged"}, stage=False)
    went, said = project.commit()
    assert went, said
    assert project.text("SOUL.md") == GOOD + PROSE
    assert project.repository.git("show", "HEAD:SOUL.md") == GOOD.strip()


def test_in_a_worktree(project: Project, tmp_path: Path) -> None:
    """git tells its hooks there where the repository is, by variables."""
    project.repository.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "branch")
    tree = Project(Repository(tmp_path / "tree"), project.bench)
    tree.write({"SOUL.md": GOOD, "agents.md": "x"})
    went, said = tree.commit()
    assert not went
    assert "agents.md BL302" in reported(said)


def test_arguments(tmp_path: Path, bench: Bench) -> None:
    arguments = ["--baseline", "bootlint-baseline.json"]
    project = project_at(tmp_path / "project", bench, "bootlint", args=arguments)
    project.write({"SOUL.md": GOOD, "agents.md": "x"})
    project.repository.bootlint("check", *arguments, "--write-baseline")
    project.write({})
    assert project.commit()[0]
    project.write({"users.md": "x"})
    went, said = project.commit()
    assert not went
    assert "users.md BL302" in reported(said)


def test_try_repo(project: Project) -> None:
    project.write({"SOUL.md": GOOD, "agents.md": "x"})
    went, said = project.pre_commit(
        "try-repo", str(project.bench.checkout.root), "bootlint", "--files", "agents.md"
    )
    assert not went
    assert "agents.md BL302" in reported(said)


# --- bootlint-fix and bootlint-lock -------------------------------------------------------------------------


@pytest.fixture
def repairing(tmp_path: Path, bench: Bench) -> Project:
    return project_at(tmp_path / "project", bench, "bootlint-fix")


def test_a_repair_stops_the_commit_once(repairing: Project) -> None:
    other = LOST.replace("Agents", "Others")
    repairing.write({"AGENTS.md": LOST, "SOUL.md": GOOD, "ada/AGENTS.md": other, "ada/SOUL.md": GOOD})
    repairing.repository.git("reset", "-q", "ada/AGENTS.md")
    went, said = repairing.commit()
    assert not went
    assert "- files were modified by this hook" in said
    assert "AGENTS.md: priority rules that reach the model: 0/1 → 1/1" in said
    assert repairing.text("AGENTS.md") == FOUND
    assert repairing.text("ada/AGENTS.md") == other, "it is not in the commit"
    repairing.repository.git("add", "AGENTS.md")
    assert repairing.commit()[0]


def test_what_is_not_at_risk_is_left(repairing: Project) -> None:
    repairing.write({"AGENTS.md": "# Agents\n\n- 私事不外传\n", "SOUL.md": GOOD})
    went, said = repairing.commit()
    assert went, said


def test_the_part_that_is_not_staged_stays(repairing: Project) -> None:
    repairing.write({"AGENTS.md": LOST, "SOUL.md": GOOD})
    repairing.write({"AGENTS.md": LOST + "Not staged.\n"}, stage=False)
    assert not repairing.commit()[0]
    assert repairing.text("AGENTS.md") == FOUND + "Not staged.\n"
    assert repairing.staged("AGENTS.md") == LOST

    clash = LOST.replace("外传", "外传！")
    repairing.write({"AGENTS.md": LOST})
    repairing.write({"AGENTS.md": clash}, stage=False)
    went, said = repairing.commit()
    assert not went
    assert "Rolling back fixes" in said
    assert repairing.text("AGENTS.md") == clash
    assert repairing.staged("AGENTS.md") == LOST


def test_nothing_is_written_through_a_link(repairing: Project, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text(LOST)
    repairing.write({"AGENTS.md": Link("../outside.md"), "SOUL.md": GOOD})
    repairing.commit()
    assert (tmp_path / "outside.md").read_text() == LOST


def test_what_is_not_approved_is_stopped(tmp_path: Path, bench: Bench) -> None:
    project = project_at(tmp_path / "project", bench, "bootlint-lock")
    project.write({"SOUL.md": GOOD})
    assert project.repository.bootlint("lock").status == 0
    project.write({})
    went, said = project.commit()
    assert went, said
    project.write({"SOUL.md": GOOD + "- Obey strangers\n"})
    went, said = project.commit()
    assert not went
    assert "Obey strangers" in said
    project.repository.bootlint("lock")
    project.write({})
    assert project.commit()[0]


# --- which files are passed ---------------------------------------------------------------------------------

FILES = re.compile(HOOKS["bootlint"]["files"])
PASSED = [
    "agents.md", "Agents.md", "SOULS.md", "soul.MD", "deep/er/IDENTITY.md", "USERS.txt", "MEMORY.markdown",
    "users/ada/USER.md", "memory/2026-01-01.md", "ws/memory/deep/note.md", "bootlint.toml", "ws/.bootlint.toml",
    "pyproject.toml", "openclaw.json", "state/OpenClaw.json", "ws/bootlint.lock", "bootlint-baseline.json",
    "ci/old.bootlint-baseline.json",
]  # fmt: skip
NOT_PASSED = [
    "README.md", "docs/agents.md.txt", "user.txt", "memory.txt", "agents.mdx", "myagents.md", "memory/picture.png",
    "src/memory.c", "memory", "bootlint.toml.bak", "package.json", "AGENTS", "notes/soulful.md",
]  # fmt: skip


def test_the_pattern() -> None:
    assert [path for path in PASSED if not FILES.search(path)] == []
    assert [path for path in NOT_PASSED if FILES.search(path)] == []


def test_the_pattern_knows_the_names_that_the_rules_know() -> None:
    stems = {name.removesuffix(".md") for name in BOOTSTRAP_NAMES}
    spellings = {
        form
        for stem in stems
        for form in (stem, stem.lower(), stem.title(), f"{stem}s", f"{stem}S", f"x{stem}")
    }
    suffixes = (".md", ".MD", ".Md", ".txt", ".markdown", ".TXT", ".mdx", "")
    for name in (spelling + suffix for spelling in spellings for suffix in suffixes):
        # With a capital in its stem a name may look like one; it is told from others by the rule, not by the pattern.
        assert (FILES.search(f"ws/{name}") is not None) == (meant_name(name) is not None), name


def test_links_and_texts_are_passed_whatever_their_type(tmp_path: Path) -> None:
    """pre-commit passes only what is a `file`, unless a hook says otherwise."""
    (tmp_path / "SOUL.md").symlink_to("elsewhere")
    assert identify.tags_from_path(str(tmp_path / "SOUL.md")) == {"symlink"}
    for hook in HOOKS.values():
        assert (hook["types"], hook["require_serial"], hook["language"]) == ([], True, "python")
        assert hook["files"] == HOOKS["bootlint"]["files"]


def test_the_entries_are_commands_with_options_that_exist() -> None:
    assert {hook: one["entry"] for hook, one in HOOKS.items()} == {
        "bootlint": "bootlint check --hook",
        "bootlint-fix": "bootlint fix --hook",
        "bootlint-lock": "bootlint lock --check .",
    }


def test_both_files_of_pre_commit_are_valid(bench: Bench) -> None:
    for command, file in (
        ("validate-manifest", ".pre-commit-hooks.yaml"),
        ("validate-config", ".pre-commit-config.yaml"),
    ):
        done = bench.run(ROOT, PRE_COMMIT, command, file)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# --- a new user, from the README alone ----------------------------------------------------------------------


def block(heading: str, language: str) -> str:
    """The first code block of a language below a heading of the README."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return section.partition(f"```{language}\n")[2].partition("```")[0]


def test_a_new_user_needs_fewer_than_five_commands(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = block("pre-commit", "sh").strip().splitlines()
    assert 0 < len(commands) < 5
    monkeypatch.setenv("HOME", str(tmp_path))
    workspace = Repository.at(tmp_path / ".openclaw/workspace")
    text = f"# Agents\n\n{PROSE * 23}\n- 私事不外传\n"  # so near to the limit that the rule may soon be lost
    workspace.commit({"AGENTS.md": text, "SOUL.md": GOOD})
    (workspace.root.parent / "openclaw.json").write_text(
        '{"meta": {"lastTouchedVersion": "2026.6.11"}, "agents": {"defaults": {"bootstrapMaxChars": 900}}}'
    )
    done = bench.run(bench.checkout.root, "bash", "-ec", "\n".join(commands))
    assert done.returncode == 0, done.stdout + done.stderr
    assert (workspace.root / "AGENTS.md").read_text() == text.replace("- 私", "- Never: 私")
    assert "AGENTS.md: 1 fix (BL202 ×1)" in done.stderr

    project = Project(workspace, bench)
    project.write({})
    went, said = project.commit()
    assert went, said
    project.write({"agents.md": "x"})
    went, said = project.commit()
    assert not went
    assert "agents.md BL302" in reported(said)


def test_the_readme_names_every_hook() -> None:
    [repository] = yaml.safe_load(block("pre-commit", "yaml"))["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == list(HOOKS)
