"""What a run says of its release and limits: which they are, where each comes from, and in which language."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bootlint.cli import main
from repositories import Repository, bootlint

if TYPE_CHECKING:
    from pathlib import Path

OPENCLAW_JSON = {
    "meta": {"lastTouchedVersion": "2026.6.11"},
    "agents": {"defaults": {"bootstrapMaxChars": 9000, "bootstrapTotalMaxChars": "much"}},
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "SOUL.md").write_text("Be calm.\n")
    return folder


def test_without_any_settings(workspace: Path) -> None:
    assert bootlint("check", folder=workspace).err.splitlines()[-1] == (
        "OpenClaw 2026.9.6 (latest known), session main: limit 20,000 a file (default of 2026.9.6), "
        "60,000 in all (default of 2026.9.6)"
    )
    assert bootlint("check", "--language", "zh", folder=workspace).err.splitlines()[-1] == (
        "OpenClaw 2026.9.6（已知的最新版本），会话类型 main：单文件上限 20,000（2026.9.6 的默认值），"
        "总上限 60,000（2026.9.6 的默认值）"
    )


def test_values_of_openclaw_json_are_named_and_bootlint_says_how_to_pin_them(workspace: Path) -> None:
    (workspace.parent / "openclaw.json").write_text(json.dumps(OPENCLAW_JSON))
    assert bootlint("check", folder=workspace).err.splitlines()[-2:] == [
        "OpenClaw 2026.6.11 (meta.lastTouchedVersion in openclaw.json), session main: limit 9,000 a file "
        "(agents.defaults.bootstrapMaxChars in openclaw.json), 60,000 in all (default of 2026.6.11, as "
        "agents.defaults.bootstrapTotalMaxChars in openclaw.json is no positive number)",
        "what openclaw.json says can change without a commit; pin it in bootlint.toml (bootlint init writes one)",
    ]
    assert bootlint("check", "--language", "zh", folder=workspace).err.splitlines()[-2:] == [
        "OpenClaw 2026.6.11（openclaw.json 的 meta.lastTouchedVersion），会话类型 main：单文件上限 9,000"
        "（openclaw.json 的 agents.defaults.bootstrapMaxChars），总上限 60,000（2026.6.11 的默认值，因为 "
        "openclaw.json 的 agents.defaults.bootstrapTotalMaxChars 不是正数）",
        "openclaw.json 里的值可能不经提交就改变；请固定在 bootlint.toml 里（可用 bootlint init 生成）",
    ]


@pytest.mark.parametrize("options", [(), ("--diff-base", "HEAD")])
def test_what_git_tracks_changes_with_a_commit(options: tuple[str, ...], repository: Repository) -> None:
    files = {"openclaw.json": json.dumps(OPENCLAW_JSON), "ada/SOUL.md": "Be calm.\n"}
    repository.write(files)
    assert "can change without a commit" in repository.bootlint("check").err
    repository.commit(files)
    err = repository.bootlint("check", *options).err
    assert "agents.defaults.bootstrapMaxChars in openclaw.json" in err
    assert "can change without a commit" not in err


def test_what_stood_in_a_commit_alone_needs_no_pinning(repository: Repository) -> None:
    repository.commit({"home/openclaw.json": json.dumps(OPENCLAW_JSON), "home/ada/SOUL.md": "Be calm.\n"})
    repository.git("rm", "-rq", "home")
    outcome = repository.bootlint("check", "--diff-base", "HEAD")
    assert outcome.status == 1
    assert "agents.defaults.bootstrapMaxChars in openclaw.json" in outcome.err
    assert "can change without a commit" not in outcome.err


def test_what_is_pinned_is_pinned(workspace: Path) -> None:
    (workspace.parent / "openclaw.json").write_text(json.dumps(OPENCLAW_JSON))
    (workspace / "bootlint.toml").write_text(
        'openclaw = "2026.6.11"\nmax-chars = 9000\ntotal-max-chars = 60000\nlanguage = "zh"\n'
    )
    assert bootlint("check", folder=workspace).err.splitlines()[-1] == (
        "OpenClaw 2026.6.11（bootlint.toml），会话类型 main：单文件上限 9,000（bootlint.toml），"
        "总上限 60,000（bootlint.toml）"
    )


def test_documents_for_programs_have_the_origins_in_english(workspace: Path) -> None:
    (workspace.parent / "openclaw.json").write_text(json.dumps(OPENCLAW_JSON))
    for command in ("check", "show"):
        document = json.loads(
            bootlint(command, "--output-format", "json", "--language", "zh", folder=workspace).out
        )
        if command == "check":
            (document,) = document["summary"]["workspaces"][0]["situations"]
        assert document["limits"]["origin"] == {
            "release": "meta.lastTouchedVersion in openclaw.json",
            "max_chars": "agents.defaults.bootstrapMaxChars in openclaw.json",
            "total_max_chars": "default of 2026.6.11, as agents.defaults.bootstrapTotalMaxChars in openclaw.json "
            "is no positive number",
        }


@pytest.mark.parametrize("written", ["2026.9", "", 5])
def test_a_version_that_is_none_is_not_silently_the_latest(workspace: Path, written: object) -> None:
    (workspace.parent / "openclaw.json").write_text(json.dumps({"meta": {"lastTouchedVersion": written}}))
    assert (
        "OpenClaw 2026.9.6 (latest known, as meta.lastTouchedVersion in openclaw.json is no release), "
        in (bootlint("check", folder=workspace).err)
    )


@pytest.mark.parametrize(("release", "known_as"), [("2026.2.14", "2026.2.12"), ("2027.1.1", "2026.9.6")])
def test_a_release_that_is_assumed_is_told_as_such(workspace: Path, release: str, known_as: str) -> None:
    said = f"OpenClaw {release} is not on record; assumed to behave like {known_as}\n"
    for command in (("show",), ("check",), ("why", "SOUL.md:1")):
        assert said in bootlint(*command, "--openclaw", release, folder=workspace).err
    options = ("--output-format", "json", "--openclaw", release)
    shown, checked = (
        json.loads(bootlint(command, *options, folder=workspace).out) for command in ("show", "check")
    )
    (situation,) = checked["summary"]["workspaces"][0]["situations"]
    for document in (shown, situation):
        assert (document["release"], document["known_as"]) == (release, known_as)
        assert document["limits"]["origin"]["max_chars"] == f"default of {known_as}"


@pytest.mark.parametrize("path", [(), (".",)])
def test_a_comparison_says_which_of_its_releases_are_assumed(workspace: Path, path: tuple[str, ...]) -> None:
    said = bootlint("releases", "--compare", "2026.2.14", "latest", *path, folder=workspace).err
    assert said == "OpenClaw 2026.2.14 is not on record; assumed to behave like 2026.2.12\n"


def test_files_that_a_hook_adds_are_named_as_not_simulated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = tmp_path / "workspace"
    (workspace / "team").mkdir(parents=True)
    for path in ("SOUL.md", "team/AGENTS.md"):
        (workspace / path).write_text("Be calm.\n")
    hook = {"enabled": True, "paths": ["team/AGENTS.md", "gone/AGENTS.md"]}
    config = {"hooks": {"internal": {"enabled": True, "entries": {"bootstrap-extra-files": hook}}}}
    (tmp_path / "openclaw.json").write_text(json.dumps(config))
    assert main(["check", str(workspace), "--output-format", "concise"]) in (0, 1)
    said = capsys.readouterr().err
    assert "not simulated: the hook bootstrap-extra-files adds team/AGENTS.md behind all other files" in said
