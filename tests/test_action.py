"""action.yml: its steps are run as the shell that GitHub would run them with."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from repositories import Repository
from test_git import executable

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, object]] = {step["name"]: step for step in ACTION["runs"]["steps"]}
INSTALL, FIND, CHECK = STEPS


@dataclass(frozen=True, slots=True)
class Runner:
    """A runner's folders, and the repository that was checked out."""

    temp: Path
    repository: Repository

    def step(self, name: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run one step, with what its `env` would be given."""
        step = STEPS[name]
        wanted = step.get("env", {})
        assert isinstance(wanted, dict)
        assert environment.keys() <= wanted.keys()
        values = dict.fromkeys(wanted, "") | {"PATHS": ".", "SUMMARY": "true"} | environment
        own = {
            "RUNNER_TEMP": self.temp,
            "GITHUB_OUTPUT": self.temp / "output",
            "GITHUB_STEP_SUMMARY": self.summary,
        }
        path = f"{self.temp / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", str(step["run"])],
            cwd=self.repository.root,
            env={**os.environ, **{key: str(value) for key, value in own.items()}, **values, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def summary(self) -> Path:
        return self.temp / "summary"

    @property
    def outputs(self) -> Mapping[str, str]:
        lines = (self.temp / "output").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """With a bootlint that stands where the first step would install it."""
    runs = f'shift; PYTHONPATH={ROOT} exec {sys.executable} "$@"'  # without -I, which knows no PYTHONPATH
    executable(tmp_path / "temp/bootlint/bin/python", runs)
    repository = Repository.at(tmp_path / "repository")
    repository.commit({"ws/SOUL.md": "- Never lie\n", "ws/Memory.md": "an old fault\n"})
    return Runner(tmp_path / "temp", repository)


# --- what it says of itself ---------------------------------------------------------------------------------


def test_no_text_of_a_pull_request_reaches_a_shell() -> None:
    for step in ACTION["runs"]["steps"]:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]
        assert "uses" not in step
    used = set(re.findall(r"\$\{\{ ([\w.-]+) \}\}", (ROOT / "action.yml").read_text(encoding="utf-8")))
    given = {f"inputs.{name}" for name in ACTION["inputs"]}
    event = {"github.event.pull_request.base.sha", "github.event.pull_request.head.sha", "github.action_path"}
    assert used == given | event | {"steps.check.outputs.status", "steps.base.outputs.base"}


def test_it_asks_for_no_secret() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert not re.search(r"secrets\.|token|pull_request_target", text)
    assert ACTION["runs"]["using"] == "composite"
    assert all(isinstance(one["default"], str) for one in ACTION["inputs"].values())


# --- its steps ----------------------------------------------------------------------------------------------


def test_install(runner: Runner, tmp_path: Path) -> None:
    """Into an environment of its own, from where the action stands."""
    executable(
        tmp_path / "temp/bin/python3",
        f'[ "$2" = -c ] && exec {sys.executable} "$@"\necho "$PWD: $@" >> {tmp_path}/asked',
    )
    executable(tmp_path / "temp/bootlint/bin/python", f'echo "$@" >> {tmp_path}/asked')
    done = runner.step(INSTALL, ACTION_PATH="/an action's folder")
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "asked").read_text().splitlines() == [
        f"{runner.temp}: -I -m venv bootlint",
        "-I -m pip install --quiet --disable-pip-version-check /an action's folder",
    ]


# A package that builds without others: it makes the bootlint that is tested importable.
BUILDS = """
import zipfile

def build_wheel(folder, *_):
    with zipfile.ZipFile(f"{folder}/stub-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("stub.pth", PATHS)
        wheel.writestr("stub-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: stub\\nVersion: 1\\n")
        wheel.writestr("stub-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("stub-1.dist-info/RECORD", "")
    return "stub-1-py3-none-any.whl"
"""
SHADOWS = (
    "venv", "pip", "bootlint", "sitecustomize", "usercustomize", "ensurepip", "logging", "subprocess", "json", "rich",
    "stub_build",
)  # fmt: skip


def test_no_code_of_the_repository_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a real environment and a real pip, even in a workflow that leads Python to the checkout."""
    action = Repository(tmp_path / "action")
    paths = "\n".join([str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))])
    action.write({
        "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "stub_build"\nbackend-path = ["."]\n',
        "stub_build.py": f"PATHS = {paths!r}\n{BUILDS}",
    })  # fmt: skip
    repository = Repository.at(tmp_path / "repository")
    repository.commit({"ws/SOUL.md": "- Never lie\n"})
    sprung = tmp_path / "sprung"
    repository.commit(
        {"ws/agents.md": "x", **{f"{name}.py": f"open({str(sprung)!r}, 'w')\n" for name in SHADOWS}}
    )
    monkeypatch.setenv("PYTHONPATH", str(repository.root))
    runner = Runner(tmp_path / "temp", repository)
    executable(runner.temp / "bin/python3", f'exec {sys.base_prefix}/bin/python3 "$@"')
    done = runner.step(INSTALL, ACTION_PATH=str(action.root))
    assert done.returncode == 0, done.stderr
    assert runner.step(FIND, BASE="HEAD~1").returncode == 0
    done = runner.step(CHECK, BASE="HEAD~1")
    assert (done.returncode, annotated(done)) == (1, {"ws/agents.md"}), done.stderr
    assert not sprung.exists()


def test_an_old_python_is_named(runner: Runner) -> None:
    executable(runner.temp / "bin/python3", "exit 1")
    done = runner.step(INSTALL, ACTION_PATH=str(ROOT))
    assert done.returncode == 2
    assert done.stdout == "::error::bootlint needs Python 3.11 or newer; run actions/setup-python before it\n"


def pull_request(repository: Repository) -> tuple[str, str]:
    """A branch, merged as GitHub does for a check: its base and head. The main branch has moved on meanwhile."""
    repository.git("checkout", "-q", "-b", "branch")
    head = repository.commit({"ws/agents.md": "a new fault\n", "ws/USER.md": "- Never lie to them\n"})
    repository.git("checkout", "-q", "main")
    base = repository.commit({"ws/soul.md": "a fault of somebody else\n"})
    repository.git("merge", "-q", "--no-ff", "-m", "merge", "branch")
    return base, head


def test_a_pull_request_is_compared_with_what_it_is_merged_into(runner: Runner) -> None:
    old = runner.repository.git("rev-parse", "HEAD")
    base, head = pull_request(runner.repository)
    assert runner.step(FIND, PULL_REQUEST_BASE=old, PULL_REQUEST_HEAD=head).returncode == 0
    assert runner.outputs["base"] == base
    runner.repository.git("checkout", "-q", "branch")
    runner.step(FIND, PULL_REQUEST_BASE=old, PULL_REQUEST_HEAD=head)
    assert runner.outputs["base"] == old


def test_other_events_are_compared_with_nothing(runner: Runner) -> None:
    assert runner.step(FIND).returncode == 0
    assert runner.outputs["base"] == ""
    pull_request(runner.repository)
    runner.step(FIND, BASE="none", PULL_REQUEST_BASE="0" * 40)
    assert runner.outputs["base"] == ""
    runner.step(FIND, BASE="HEAD~1")
    assert runner.outputs["base"] == "HEAD~1"


@pytest.mark.parametrize("depth", ["1", "2"])
def test_in_a_shallow_clone(depth: str, runner: Runner, tmp_path: Path) -> None:
    """With one commit the base is fetched, with two it is there."""
    base, head = pull_request(runner.repository)
    clone = Repository(tmp_path / "clone")
    runner.repository.git("clone", "-q", f"--depth={depth}", runner.repository.root.as_uri(), str(clone.root))
    shallow = Runner(runner.temp, clone)
    done = shallow.step(FIND, PULL_REQUEST_BASE=base, PULL_REQUEST_HEAD=head)
    assert (done.returncode, shallow.outputs["base"]) == (0, base)
    assert shallow.step(CHECK, BASE=base).returncode == 1

    done = shallow.step(FIND, PULL_REQUEST_BASE="0" * 40)
    assert done.returncode == 2
    assert "::error::the commit to compare with is not here and cannot be fetched" in done.stdout


def test_no_name_is_taken_for_an_option(runner: Runner) -> None:
    done = runner.step(FIND, BASE="--upload-pack=touch sprung")
    assert done.returncode == 2
    done = runner.step(CHECK, BASE="--output=sprung", PATHS="--version\n")
    assert done.returncode == 2
    assert not (runner.repository.root / "sprung").exists()


def test_settings_that_a_pull_request_breaks_are_said(runner: Runner) -> None:
    runner.repository.commit({"bootlint.toml": "language = \n"})
    done = runner.step(CHECK, BASE="HEAD~1")
    assert (done.returncode, runner.outputs["status"]) == (2, "2")
    assert "bootlint: error: bootlint.toml: is no TOML" in done.stderr


def annotated(done: subprocess.CompletedProcess[str]) -> set[str]:
    return set(re.findall(r"^::(?:error|warning|notice) file=([^,]+),", done.stdout, re.MULTILINE))


def test_only_what_a_pull_request_brings_fails(runner: Runner) -> None:
    base, _ = pull_request(runner.repository)
    done = runner.step(CHECK, BASE=base, SARIF_FILE="out/report.sarif")
    assert (done.returncode, runner.outputs["status"]) == (1, "1")
    assert annotated(done) == {"ws/agents.md", "ws/USER.md"}
    sarif = json.loads((runner.repository.root / "out/report.sarif").read_text())
    places = {
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for one in sarif["runs"][0]["results"]
    }
    assert places == {"ws/agents.md", "ws/USER.md"}
    summary = runner.summary.read_text()
    assert "#### ws/agents.md" in summary
    assert "**added: 1 priority rule**" in summary


def test_everything_is_judged_without_a_base(runner: Runner) -> None:
    done = runner.step(CHECK)
    assert done.returncode == 1
    assert "ws/Memory.md" in annotated(done)
    assert "diff" not in runner.summary.read_text()


def test_inputs(runner: Runner) -> None:
    runner.repository.commit({"a b/SOUL.md": "s", "c/SOUL.md": "- Never lie\n", "c/agents.md": "x"})
    done = runner.step(CHECK, PATHS="a b\n\n", SUMMARY="false", FAIL_ON="info", BOOTLINT_LANGUAGE="zh")
    assert done.returncode == 1
    assert annotated(done) == {"a b/AGENTS.md", "a b/IDENTITY.md"}
    assert "缺失" in done.stdout
    assert not runner.summary.exists()
    assert runner.step(CHECK, PATHS="a b").returncode == 0
    assert annotated(runner.step(CHECK, PATHS="a b\nc")) == {
        "a b/AGENTS.md", "a b/IDENTITY.md", "c/IDENTITY.md", "c/SOUL.md", "c/agents.md",
    }  # fmt: skip


def test_a_faulty_setting_is_an_error_of_its_own(runner: Runner) -> None:
    runner.repository.write({"bootlint.toml": "no toml"})
    done = runner.step(CHECK)
    assert (done.returncode, runner.outputs["status"]) == (2, "2")
    assert "bootlint: error: bootlint.toml" in done.stderr
    assert not runner.summary.exists()


# --- the README's recipes -----------------------------------------------------------------------------------


def recipe(language: str, holding: str) -> str:
    """The code block of the README that holds a text."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"^```{language}\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    [found] = [block for block in blocks if holding in block]
    return str(found)


@pytest.fixture
def branch(runner: Runner, tmp_path: Path) -> Runner:
    """A clone in which a branch is checked out that is up to date and has a fault of its own."""
    clone = Repository(tmp_path / "clone")
    runner.repository.git("clone", "-q", str(runner.repository.root), str(clone.root))
    clone.git("checkout", "-q", "-b", "branch")
    clone.commit({"ws/agents.md": "a new fault\n", "ws/USER.md": "- Never lie to them\n"})
    executable(runner.temp / "bin/bootlint", f'PYTHONPATH={ROOT} exec {sys.executable} -m bootlint "$@"')
    return Runner(runner.temp, clone)


def shell(runner: Runner, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    path = f"{runner.temp / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=runner.repository.root,
        env={**os.environ, **environment, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_recipe_for_any_shell(branch: Runner) -> None:
    done = shell(branch, recipe("sh", "diff origin/main"))
    assert done.returncode == 1
    assert "ws/agents.md:1:1: BL302" in done.stdout
    assert "  added: 1 priority rule\n" in done.stdout
    assert "Memory.md:" not in done.stdout


def test_the_recipe_for_gitlab(branch: Runner) -> None:
    job = yaml.safe_load(recipe("yaml", "CI_MERGE_REQUEST"))["bootlint"]
    base = branch.repository.git("rev-parse", "origin/main")
    variables = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_DIFF_BASE_SHA": base}
    done = shell(branch, "\n".join(job["script"]), **variables)
    assert done.returncode == 1
    assert "  added: 1 priority rule\n" in done.stdout
    report = json.loads((branch.repository.root / job["artifacts"]["reports"]["codequality"]).read_text())
    assert "ws/agents.md" in {one["location"]["path"] for one in report}
    assert "ws/Memory.md" not in {one["location"]["path"] for one in report}


def test_the_recipe_for_github_gives_inputs_that_exist() -> None:
    workflow = yaml.safe_load(recipe("yaml", "OWNER/bootlint@COMMIT\n        with"))
    assert set(workflow[True]) == {"pull_request", "push"}  # YAML 1.1 takes `on` for a truth
    assert workflow["permissions"] == {"contents": "read"}
    checkout, own = workflow["jobs"]["bootlint"]["steps"]
    assert checkout["with"]["fetch-depth"] == 2
    named = re.search(r"other inputs: (.*)$", recipe("yaml", "other inputs"), re.MULTILINE)
    assert named is not None
    assert {*own["with"], *named[1].split(", ")} == set(ACTION["inputs"])
