"""`bootlint init`: pins what is in force, and puts an entry into a file of others without touching the rest of it."""

from __future__ import annotations

import json
import os
import tomllib
from importlib import metadata
from itertools import product
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bootlint import __version__, config, initial, precommit
from bootlint.initial import installed_from
from bootlint.precommit import Source, mentions_bootlint, with_entry
from harness import Link
from repositories import Repository
from test_git import executable

ROOT = Path(__file__).parent.parent
GITHUB = Source("https://github.com/somebody/bootlint", "0123abc")
INDEX = Source(None, __version__)
SOURCES = (
    GITHUB,
    INDEX,
    Source("/a folder/it's # here", "0123abc"),
    Source("git@example.org:a/b.git", "0123abc"),
    Source("file:///a%20folder/bootlint-1.whl", __version__),
)


def entry_of(source: Source) -> object:
    return yaml.safe_load("\n".join(precommit.entry(source)))[0]


# --- the entry ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
def test_the_entry_is_what_pre_commit_expects(source: Source) -> None:
    entry = entry_of(source)
    assert isinstance(entry, dict)
    [hook] = entry["hooks"]
    origin = f" @ {source.repository}" if source.is_local else f"=={__version__}"
    if entry["repo"] != "local":
        assert entry == {"repo": source.repository, "rev": "0123abc", "hooks": [{"id": "bootlint"}]}
        return
    [offered] = [
        one
        for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        if one["id"] == "bootlint"
    ]
    assert entry["repo"] == "local"
    assert hook.pop("additional_dependencies") == [f"bootlint{origin}"]
    own_files = "".join(offered.pop("files").split()).replace("(?ix)", "(?i)")
    assert hook.pop("files") == own_files
    assert hook == {key: value for key, value in offered.items() if key != "description"}


HEADS = (
    "",
    "# mine\n",
    "---\n",
    "# mine\n---\n",
    "ci:\n  skip: [x]\ndefault_stages: [pre-commit]\n\n",
    "\ufeff",
)
TAILS = (
    "",
    "ci: {}\n",
    "\n\n# the end",
    "exclude: |\n  (?x)(\n    a|b\n  )\n",
    "fail_fast: true\n",
    "extra: |+\n  x\n\n\n",
)
# Indentation of the items → items.
LISTS = {
    "": "- repo: https://example.org/a  # why\n  rev: '1'\n  hooks:\n  - id: a\n    args: [--x, 'y: z']\n",
    " ": " -   repo: https://example.org/a\n     rev: &v v1\n     hooks:\n     -   id: a\n"
    " -   repo: b\n     rev: *v\n     hooks: []\n",
    "  ": "  - repo: local\n    hooks:\n      - id: a\n        entry: |\n          repos:\n          - x\n",
    "      ": "\n  # about it\n\n      - {repo: a, rev: b, hooks: [{id: c}]}\n",
}
KEYS = ("repos:\n", "repos: \n", "repos:  # all of them\n")


@pytest.mark.parametrize("indent", LISTS)
def test_an_entry_goes_in_and_nothing_else_changes(indent: str) -> None:
    for head, key, tail, line_end, source in product(HEADS, KEYS, TAILS, ("\n", "\r\n"), SOURCES):
        before = (head + key + LISTS[indent] + tail).replace("\n", line_end)
        at = len((head + key).replace("\n", line_end))
        added = "".join(f"{indent}{line}{line_end}" for line in precommit.entry(source))
        assert with_entry(before, source) == before[:at] + added + before[at:]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("items", LISTS.values())
def test_to_yaml_it_is_one_entry_more(items: str, source: Source) -> None:
    for head, tail in product(HEADS, TAILS):
        before = head + "repos:\n" + items + tail
        old, new = yaml.safe_load(before), yaml.safe_load(with_entry(before, source) or "")
        assert new == {**old, "repos": [entry_of(source), *old["repos"]]}
        assert list(new) == list(old)


IN_DOUBT = {
    "nothing": "",
    "no list": "ci: {}\n",
    "an empty list": "repos: []\n",
    "no value": "repos:\nci: {}\n",
    "flow style": "repos: [{repo: a, rev: b, hooks: []}]\n",
    "flow style on lines of its own": "repos:\n  [\n  {repo: a}\n  ]\n",
    "a quoted key": '"repos":\n- repo: a\n',
    "an anchor": "repos: &all\n- repo: a\n",
    "a tag": "repos: !!seq\n- repo: a\n",
    "an item that begins on the next line": "repos:\n-\n  repo: a\n",
    "a list in a list": "repos:\n- - a\n",
    "tabs": "repos:\n\t- repo: a\n",
    "two keys": "repos:\n- repo: a\nrepos:\n- repo: b\n",
    "two documents": "repos:\n- repo: a\n---\nrepos:\n- repo: b\n",
    "a document before": "a: b\n---\nrepos:\n- repo: b\n---\n",
    "a directive": "%YAML 1.1\n---\nrepos:\n- repo: a\n",
    "an old line end": "repos:\r- repo: a\r",
    "another line end": "repos:\n- repo: a\u2028  b\n",
    "JSON": '{"repos": [{"repo": "a"}]}',
    "no YAML at all": "repos\n\0",
}


@pytest.mark.parametrize("name", IN_DOUBT)
def test_in_doubt_a_file_is_left_to_its_owner(name: str) -> None:
    assert with_entry(IN_DOUBT[name], GITHUB) is None


@given(
    st.text(alphabet="repos:- \n\r#a'\"[]{}|>&*!%\t.?", max_size=60),
    st.sampled_from(HEADS),
    st.sampled_from(sorted(LISTS.values())),
)
def test_whatever_stands_there_is_kept_or_left(noise: str, head: str, items: str) -> None:
    """Where the file was YAML and an entry went in, it is the same YAML with one entry more."""
    for before in (
        noise,
        f"{noise}\nrepos:\n{items}",
        f"{head}repos:\n{items}{noise}",
        f"repos:{noise}\n{items}",
    ):
        try:
            old = yaml.safe_load(before)
        except (yaml.YAMLError, ValueError):
            continue
        after = with_entry(before, GITHUB)
        if after is not None:
            assert yaml.safe_load(after) == {**old, "repos": [entry_of(GITHUB), *old["repos"]]}


@pytest.mark.parametrize(
    ("line", "there"),
    [
        ("      - id: bootlint", True),
        ("      - id: bootlint-fix  # too", True),
        ('      - id: "bootlint"', True),
        ("      - {id: bootlint, args: [x]}", True),
        ("      -   id:   'bootlint-lock'", True),
        ("      # - id: bootlint", False),
        ("      - id: bootlinter", False),
        ("      - id: my-bootlint", False),
        ("  - repo: https://github.com/somebody/bootlint", False),
    ],
)
def test_an_entry_that_is_there(line: str, there: bool) -> None:
    for end in ("\n", "\r\n", ""):
        assert mentions_bootlint(f"repos:{end or chr(10)}{line}{end}") is there


@pytest.mark.parametrize(
    ("before", "indent", "there"),
    [
        ("      entry: |", 8, False),
        ("      entry: >-  # a note", 7, False),
        ("    - entry: |2", 8, False),
        ("    - !tag |", 6, False),
        ("    - |", 5, False),
        ("    - entry: |", 6, True),
        ("      entry: '|'", 8, True),
        ("      entry: a |", 8, True),
        ("      # entry: |", 8, True),
    ],
)
def test_text_of_another_hook_is_no_entry(before: str, indent: int, there: bool) -> None:
    for end in ("\n", "\r\n"):
        text = end.join(("repos:", "  - hooks:", before, "", " " * indent + "id: bootlint", "- x", ""))
        assert mentions_bootlint(text) is there
        after = text + end.join(("    - id: other", "      entry: |", "        x", "    - id: bootlint", ""))
        assert mentions_bootlint(after)


# --- where it came from -------------------------------------------------------------------------------------


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What pip notes about an installation."""
    note: dict[str, object] = {}

    class Distribution:
        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return json.dumps(note) if note else None

    monkeypatch.setattr(metadata, "distribution", lambda _: Distribution())
    return note


@pytest.fixture
def checkout(tmp_path: Path) -> Repository:
    repository = Repository.at(tmp_path / "some where" / "bootlint")
    repository.commit({".pre-commit-hooks.yaml": "[]"})
    return repository


def test_from_version_control(noted: dict[str, object]) -> None:
    noted |= {
        "url": "https://github.com/somebody/bootlint",
        "vcs_info": {"vcs": "git", "commit_id": "0123abc"},
    }
    assert installed_from() == GITHUB
    noted["url"] = "https://user:token@github.com/somebody/bootlint"
    assert installed_from() == GITHUB


def test_from_a_checkout(noted: dict[str, object], checkout: Repository) -> None:
    noted |= {"url": checkout.root.as_uri(), "dir_info": {}}
    commit = checkout.git("rev-parse", "HEAD")
    assert installed_from() == Source(str(checkout.root), commit)
    checkout.git("remote", "add", "origin", "https://x-access-token:secret@example.org/somebody/bootlint.git")
    assert installed_from() == Source(str(checkout.root), commit), "nobody else has this commit"
    checkout.git("update-ref", "refs/remotes/origin/main", commit)
    assert installed_from() == Source("https://example.org/somebody/bootlint.git", commit)


def test_from_the_index(noted: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(initial, "__file__", str(tmp_path / "site-packages/bootlint/initial.py"))
    Repository.at(tmp_path)  # the virtual environment stands in a repository
    (tmp_path / "site-packages").mkdir()
    assert installed_from() == INDEX
    noted |= {"url": (tmp_path / "a.whl").as_uri(), "archive_info": {}}
    (tmp_path / "a.whl").touch()
    assert installed_from() == Source((tmp_path / "a.whl").as_uri(), __version__), "not what an index has"


# --- the command --------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setattr(initial, "installed_from", lambda: GITHUB)
    repository = Repository.at(tmp_path / "repository")
    repository.write({"ws/SOUL.md": "s"})
    return repository


def files(repository: Repository) -> dict[str, bytes]:
    return {
        os.path.relpath(path, repository.root): path.read_bytes()
        for path in repository.root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(repository.root).parts
    }


OWN = {"bootlint.toml", ".pre-commit-config.yaml", ".github/workflows/bootlint.yml"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_everything_is_made_once_and_shown(language: str, repository: Repository) -> None:
    before = files(repository)
    arguments = ("init", "--language", language)
    dry = repository.bootlint(*arguments, "--dry-run")
    assert files(repository) == before

    outcome = repository.bootlint(*arguments)
    made = files(repository)
    assert (outcome.status, outcome.err, dry.status) == (0, "", 0)
    assert set(made) == set(before) | OWN
    assert outcome.lines[:-1] == dry.lines[:-1]
    shown = [line[3:] for line in outcome.lines if line.startswith("  +")]
    assert shown == [line for name in ("bootlint.toml", ".pre-commit-config.yaml", ".github/workflows/bootlint.yml")
                     for line in made[name].decode().splitlines()]  # fmt: skip
    assert config.read(repository.root / "bootlint.toml").openclaw

    again = repository.bootlint(*arguments)
    assert (again.status, files(repository)) == (0, made)
    assert len(again.lines) == len(OWN) + 1
    assert repository.bootlint("check").status == 0


def test_what_is_there_stays(repository: Repository) -> None:
    there = {
        "ws/.bootlint.toml": "# mine\n",
        ".pre-commit-config.yaml": "repos:\n- repo: x\n  rev: y\n  hooks: [{id: bootlint-fix}]\n",
        ".github/workflows/bootlint.yml": "# mine\n",
    }
    repository.write(there)
    before = files(repository)
    outcome = repository.bootlint("init", "ws")
    assert (outcome.status, files(repository)) == (0, before)
    assert outcome.lines == [
        *(f"{name}: there already, left as it is" for name in there),
        "next: pre-commit install, and commit these files",
    ]


def test_settings_of_a_pyproject_are_settings(repository: Repository) -> None:
    repository.write({"pyproject.toml": '[tool.bootlint]\nopenclaw = "2026.6.11"\n'})
    outcome = repository.bootlint("init", "ws")
    assert outcome.lines[0] == "pyproject.toml: there already, left as it is"
    assert not (repository.root / "ws/bootlint.toml").exists()


def test_settings_above_the_repository_are_not_the_repositorys(repository: Repository) -> None:
    (repository.root.parent / "bootlint.toml").write_text('openclaw = "2026.6.11"\n')
    repository.bootlint("init")
    assert tomllib.loads(files(repository)["bootlint.toml"].decode()) == {"openclaw": "2026.6.11"}


def test_a_file_of_others_gains_an_entry(repository: Repository) -> None:
    text = "# ours\r\nrepos:\r\n-   repo: local\r\n    hooks: []\r\n"
    repository.write({".pre-commit-config.yaml": text})
    os.chmod(repository.root / ".pre-commit-config.yaml", 0o640)
    outcome = repository.bootlint("init")
    assert outcome.status == 0
    after = files(repository)[".pre-commit-config.yaml"].decode()
    assert after == text.replace(
        "repos:\r\n", "repos:\r\n" + "".join(f"{line}\r\n" for line in precommit.entry(GITHUB))
    )
    assert (repository.root / ".pre-commit-config.yaml").stat().st_mode & 0o777 == 0o640
    assert ".pre-commit-config.yaml: one entry more" in outcome.lines


@pytest.mark.parametrize("content", [b"repos: []\n", b"repos:\n- repo: \xff\n", None])
def test_in_doubt_it_says_what_to_add(content: bytes | None, repository: Repository) -> None:
    path = repository.root / ".pre-commit-config.yaml"
    if content is None:
        (repository.root / "elsewhere").write_text("repos:\n- repo: a\n")
        path.symlink_to("elsewhere")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    outcome = repository.bootlint("init")
    assert (outcome.status, path.read_bytes()) == (1, before)
    at = outcome.lines.index(
        ".pre-commit-config.yaml: left as it is, since the place for an entry is not clear; add this to it:"
    )
    assert outcome.lines[at + 1 : at + 6] == [f"  {line}" for line in precommit.new_file(GITHUB).splitlines()]
    assert "next:" not in outcome.out


def test_values_are_pinned_with_their_origin(repository: Repository) -> None:
    data = {
        "meta": {"lastTouchedVersion": "2026.6.11"},
        "agents": {
            "defaults": {"bootstrapMaxChars": 12000},
            "list": [{"id": "ada", "workspace": "./ws"}, {"id": "bob", "workspace": "./bob"}],
        },
    }
    repository.write({"openclaw.json": json.dumps(data), "bob/SOUL.md": "s"})
    outcome = repository.bootlint("init")
    assert 'openclaw = "2026.6.11"  # meta.lastTouchedVersion in openclaw.json' in outcome.out
    assert "max-chars = 12000  # agents.defaults.bootstrapMaxChars in openclaw.json" in outcome.out
    assert "# total-max-chars = 60000  # what this release does by itself" in outcome.out
    written = files(repository)["bootlint.toml"].decode()
    assert "What stood in openclaw.json" in written
    assert tomllib.loads(written) == {"openclaw": "2026.6.11", "max-chars": 12000}
    (repository.root / "openclaw.json").unlink()
    report = json.loads(repository.bootlint("show", "ws", "--output-format", "json").out)
    assert (report["release"], report["limits"]["max_chars"]) == ("2026.6.11", 12000)


def test_agents_with_limits_of_their_own_get_a_file_each(repository: Repository) -> None:
    agents = [
        {"id": "ada", "workspace": "./ws"},
        {"id": "bob", "workspace": "./bob", "bootstrapMaxChars": 7000},
    ]
    data = {"meta": {"lastTouchedVersion": "2026.9.6"}, "agents": {"list": agents}}
    repository.write({"openclaw.json": json.dumps(data), "bob/SOUL.md": "s"})
    repository.bootlint("init")
    pinned = {
        name: tomllib.loads(text.decode())
        for name, text in files(repository).items()
        if name.endswith(".toml")
    }
    assert pinned == {
        "ws/bootlint.toml": {"openclaw": "2026.9.6"},
        "bob/bootlint.toml": {"openclaw": "2026.9.6", "max-chars": 7000},
    }


def test_options_are_pinned_too(repository: Repository) -> None:
    repository.bootlint("init", "--openclaw", "2026.2.17", "--max-chars", "700")
    text = files(repository)["bootlint.toml"].decode()
    assert 'openclaw = "2026.2.17"  # as given to `bootlint init`\n' in text
    assert "max-chars = 700  # as given to `bootlint init`\n" in text
    assert "What stood in openclaw.json" not in text


def test_a_release_without_a_total_has_none_to_pin(repository: Repository) -> None:
    repository.bootlint("init", "--openclaw", "2026.2.12")
    assert "total-max-chars" not in files(repository)["bootlint.toml"].decode()


def test_outside_a_repository_there_are_settings_only(tmp_path: Path) -> None:
    folder = Repository(tmp_path / "folder")
    folder.write({"SOUL.md": "s"})
    outcome = folder.bootlint("init")
    assert set(files(folder)) == {"SOUL.md", "bootlint.toml"}
    assert outcome.lines[-1] == "not in a git repository: no hook and no workflow"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gone",), "gone: there is no such file or folder"),
        (("empty",), "empty: no OpenClaw workspace found; looked for AGENTS.md"),
        (("--openclaw-config", "gone.json"), "gone.json"),
    ],
)
def test_faults(arguments: tuple[str, ...], message: str, repository: Repository) -> None:
    (repository.root / "empty").mkdir()
    before = files(repository)
    outcome = repository.bootlint("init", *arguments)
    assert (outcome.status, outcome.out, files(repository)) == (2, "", before)
    assert outcome.err.startswith("bootlint: error: ")
    assert message in outcome.err


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        (".github", "a file", ".github is no folder that can be written to"),
        (".github/workflows", "a file", "workflows is no folder that can be written to"),
        (".github", Link("../elsewhere"), ".github: is a link that leads elsewhere, and bootlint writes through none"),
        (".github/workflows", Link("../../elsewhere"), "workflows: is a link that leads elsewhere"),
        ("bootlint.toml/x", "", "bootlint.toml: is a folder, where a file is to be; move it away"),
        (".pre-commit-config.yaml/x", "", ".pre-commit-config.yaml: is a folder, where"),
        (".github/workflows/bootlint.yml/x", "", "bootlint.yml: is a folder, where a file is to be"),
    ],
)  # fmt: skip
def test_nothing_is_written_where_one_file_cannot_be(
    path: str, content: str | Link, message: str, repository: Repository
) -> None:
    elsewhere = repository.root.parent / "elsewhere"
    elsewhere.mkdir()
    repository.write({path: content})
    before = files(repository)
    for options in ((), ("--dry-run",)):
        outcome = repository.bootlint("init", *options)
        assert (outcome.status, outcome.out, files(repository)) == (2, "", before)
        assert message in outcome.err
    assert not list(elsewhere.iterdir())


# --- the workflow -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
def test_the_workflow(source: Source, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(initial, "installed_from", lambda: source)
    said = repository.bootlint("init").out
    text = files(repository)[".github/workflows/bootlint.yml"].decode()
    out_of_reach = source not in (GITHUB, INDEX)
    assert (
        "bootlint.yml: fails until the line that installs bootlint names a place: CI" in said
    ) is out_of_reach
    assert "pull_request_target" not in text
    workflow = yaml.safe_load(text)
    assert set(workflow[True]) == {"pull_request", "push"}  # YAML 1.1 takes `on` for a truth
    assert workflow["permissions"] == {"contents": "read"}
    steps = workflow["jobs"]["bootlint"]["steps"]
    assert steps[0]["with"] == {"fetch-depth": 2, "persist-credentials": False}
    if source is GITHUB:
        assert steps[1:] == [{"uses": "somebody/bootlint@0123abc"}]
    elif source is INDEX:
        assert steps[2]["run"] == f'python -I -m pip install "bootlint=={__version__}"'
    else:
        assert "pip install" not in yaml.safe_dump(workflow), "that would run what anybody put on an index"
        assert '# - run: python -I -m pip install "bootlint @ git+https://HOST/OWNER/bootlint@COMMIT"' in text
        assert steps[2]["run"].startswith("bootlint check "), "without bootlint it fails, and says so"


def test_the_steps_of_the_workflow_run(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On a merge commit, as GitHub checks it out for a pull request."""
    import subprocess
    import sys

    monkeypatch.setattr(initial, "installed_from", lambda: INDEX)
    repository.bootlint("init")
    steps = yaml.safe_load(files(repository)[".github/workflows/bootlint.yml"])["jobs"]["bootlint"]["steps"]
    repository.commit({"retired/SOUL.md": "- Never cry\n"})
    repository.git("checkout", "-q", "-b", "branch")
    repository.commit({"ws/agents.md": "x", "ws/USER.md": "- Never lie\n", "retired/SOUL.md": None})
    repository.git("checkout", "-q", "main")
    repository.commit({"ws/memory.md": "fixed on main meanwhile"})
    repository.git("merge", "-q", "--no-ff", "-m", "merge", "branch")
    executable(tmp_path / "bin/bootlint", f'exec {sys.executable} -m bootlint "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary"))

    def run(step: dict[str, str]) -> subprocess.CompletedProcess[str]:
        expression = "${{ github.base_ref && '--diff-base HEAD^1' }}"
        script = step["run"].replace(expression, "--diff-base HEAD^1")
        assert "${{" not in script
        return subprocess.run(
            ["bash", "-e", "-c", script], cwd=repository.root, capture_output=True, text=True, check=False
        )

    check, diff = (run(step) for step in steps[3:])
    assert check.returncode == 1
    assert "::error file=ws/agents.md,line=1" in check.stdout
    assert "memory.md" not in check.stdout
    assert diff.returncode == 0, "what is lost is shown there, and no failure of the step"
    assert "retired is gone" in (tmp_path / "summary").read_text()
    assert "added: 1 priority rule" in (tmp_path / "summary").read_text()
