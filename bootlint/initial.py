"""What `bootlint init` gives a project: settings with what is in force now, the hook, and a check of pull requests.

Plans and writes nothing. What is there already is never planned anew.
"""

from __future__ import annotations

import json
import os
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bootlint import __version__, config, git, precommit
from bootlint.diagnostics import UserError
from bootlint.plainfiles import read_plain
from bootlint.precommit import Source
from bootlint.records import record, replace
from bootlint.reporters.basis import origin_words
from bootlint.situations import basis
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bootlint.config import Settings
    from bootlint.openclaw.settings import Origin
    from bootlint.simulation import Situation
    from bootlint.wording import Language
    from bootlint.workspace import Workspace

SETTINGS_NAME = "bootlint.toml"
WORKFLOW_NAME = ".github/workflows/bootlint.yml"

What = Literal["new", "merged", "left", "in-doubt"]


@record
class Planned:
    """One file: made, added to, left as it is, or in doubt. `text` is its new text; in doubt, what is to be added."""

    path: Path
    what: What
    before: str
    text: str
    here_only: bool = False  # it names a folder of this machine
    no_source: bool = (
        False  # it says of no place from which to take bootlint: CI can reach none that is known
    )


def plan(
    folder: Path, workspaces: Sequence[Workspace], settings_of: Callable[[Path], Settings], language: Language
) -> Iterator[Planned]:
    """For a folder with its workspaces. Outside a git repository there are no hook and no workflow to plan."""
    try:
        repository = git.toplevel(folder)
    except git.GitError:
        repository = None
    for place, situation in _places(folder, workspaces, settings_of):
        yield _settings(place, repository, situation, language)
    if repository is not None:
        source = installed_from()
        yield _hook(repository / precommit.FILE_NAME, source)
        workflow = _new(repository, WORKFLOW_NAME, _workflow(source, language))
        yield replace(workflow, no_source=workflow.what == "new" and _is_out_of_reach(source))


def _new(root: Path, name: str, text: str) -> Planned:
    """A file below `root`. Raises UserError where none can be made, before anything is written."""
    path = root / name
    if os.path.lexists(path):
        if path.is_dir():
            raise UserError(f"{path}: is a folder, where a file is to be; move it away")
        return Planned(path, "left", "", "")
    folder = next(parent for parent in path.parents if os.path.lexists(parent))
    if not Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(root)):
        raise UserError(f"{folder}: is a link that leads elsewhere, and bootlint writes through none")
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise UserError(f"{path}: cannot be made: {folder} is no folder that can be written to")
    return Planned(path, "new", "", text)


# --- bootlint.toml -----------------------------------------------------------------------------------------


def _places(
    folder: Path, workspaces: Sequence[Workspace], settings_of: Callable[[Path], Settings]
) -> Iterator[tuple[Path, Situation]]:
    """One file for the folder where all its workspaces have the same release and limits, else one for each."""
    found = [basis(workspace, settings_of(workspace.root)).situations[0] for workspace in workspaces]
    if len({(one.contract.release, one.limit, one.total_limit) for one in found}) == 1:
        yield folder, found[0]
    else:
        yield from zip((workspace.root for workspace in workspaces), found, strict=True)


def _settings(folder: Path, repository: Path | None, situation: Situation, language: Language) -> Planned:
    present = config.find(folder, Path(os.path.abspath(folder)) if repository is None else repository)
    if present is not None:
        return Planned(present, "left", "", "")
    return _new(folder, SETTINGS_NAME, _toml(folder, situation, language))


def _toml(folder: Path, situation: Situation, language: Language) -> str:
    contract, origins = situation.contract, situation.origins
    own, total = contract.truncation.default_max_chars, contract.truncation.default_total_chars
    words = _TOML_WORDS[language]
    found = situation.config
    release_from = words["latest"]
    if origins["openclaw"].key.startswith("--"):
        release_from = words["option"]
    elif found is not None and found.last_touched_version:
        release_from = words["written-by"].format(os.path.relpath(found.path, folder))
    lines = [
        words["head"],
        *(() if found is None else (words["pinned"],)),
        f"openclaw = {json.dumps(contract.release)}  # {release_from}",
        _limit("max-chars", situation.limit, own, origins["max-chars"], language),
    ]
    if situation.total_limit is not None:
        origin = origins["total-max-chars"]
        lines.append(_limit("total-max-chars", situation.total_limit, total, origin, language))
    return "\n".join([*lines, *words["tail"].splitlines()]) + "\n"


def _limit(key: str, value: float, default: int | None, origin: Origin, language: Language) -> str:
    """Pinned where it is not what the release does by itself."""
    words = _TOML_WORDS[language]
    if value == default:
        return f"# {key} = {int(value)}  # {words['default']}"
    source = words["option"] if origin.key.startswith("--") else origin_words(origin, language)
    return f"{key} = {int(value)}  # {source}"


_TOML_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "head": "# Written by `bootlint init`. The keys are those of the command line; `bootlint rule` lists the rules.",
        "pinned": "# What stood in openclaw.json then is pinned here, so that a laptop and CI agree. Change both together.",
        "latest": "the newest release that this bootlint knows; no openclaw.json said which one runs",
        "written-by": "meta.lastTouchedVersion in {}",
        "option": "as given to `bootlint init`",
        "default": "what this release does by itself",
        "tail": "\n# Where the workspace lives in production: markers of missing files hold that path and cost budget.\n"
        '# workspace-path = "/home/ada/.openclaw/workspace"\n'
        "\n# From which severity on a run fails: error, warning or info.\n"
        '# fail-on = "error"\n'
        "\n# Rules that do not fit here, by code, prefix or name, and findings that are meant as they are.\n"
        '# ignore = ["BL301"]\n'
        "# [[ignore-finding]]\n"
        '# rule = "duplicate-rule"\n'
        '# file = "AGENTS.md"\n'
        '# text = "back up first"\n'
        '# reason = "repeated on purpose"',
    },
    "zh": {
        "head": "# 由 `bootlint init` 生成。键名与命令行选项相同；`bootlint rule` 列出全部规则。",
        "pinned": "# 当时 openclaw.json 里的值固定在这里，让本机和 CI 结果一致；以后请两边一起改。",
        "latest": "本版 bootlint 已知的最新版本；没有 openclaw.json 说明实际运行的版本",
        "written-by": "取自 {} 的 meta.lastTouchedVersion",
        "option": "运行 `bootlint init` 时给出",
        "default": "该版本的默认值",
        "tail": "\n# 工作区在生产环境中的位置：缺失文件的标记里含有这个路径，会占用额度。\n"
        '# workspace-path = "/home/ada/.openclaw/workspace"\n'
        "\n# 从哪个级别起算失败：error、warning 或 info。\n"
        '# fail-on = "error"\n'
        "\n# 这里不适用的规则（编号、前缀或名称），以及有意为之的问题。\n"
        '# ignore = ["BL301"]\n'
        "# [[ignore-finding]]\n"
        '# rule = "duplicate-rule"\n'
        '# file = "AGENTS.md"\n'
        '# text = "先备份"\n'
        '# reason = "有意重复"',
    },
}


# --- the hook ----------------------------------------------------------------------------------------------


def _hook(path: Path, source: Source) -> Planned:
    to_add, here_only = precommit.new_file(source), source.is_local
    made = replace(_new(path.parent, path.name, to_add), here_only=here_only)
    if made.what == "new":
        return made
    try:
        text = read_plain(path, follow_links=False).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        text = None
    if text is None:
        return Planned(path, "in-doubt", "", to_add, here_only)
    if precommit.mentions_bootlint(text):
        return Planned(path, "left", "", "")
    merged = precommit.with_entry(text, source)
    if merged is None:
        return Planned(path, "in-doubt", "", to_add, here_only)
    return Planned(path, "merged", text, merged, here_only)


def installed_from() -> Source:
    """The repository from which this bootlint was installed, as others reach it; else the package index."""
    origin = _direct_url()
    url, version_control = origin.get("url"), origin.get("vcs_info")
    if isinstance(url, str) and isinstance(version_control, dict):
        return Source(_without_password(url), str(version_control.get("commit_id")))
    is_local = isinstance(url, str) and url.startswith("file:")
    folder = Path(unquote(urlsplit(str(url)).path)) if is_local else Path(__file__).parent.parent
    return _checkout(folder) or Source(str(url) if is_local else None, __version__)


def _direct_url() -> dict[str, object]:
    """What pip noted about the installation (PEP 610); nothing where it took a package from an index."""
    try:
        noted = json.loads(metadata.distribution("bootlint").read_text("direct_url.json") or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _checkout(folder: Path) -> Source | None:
    """A checkout of bootlint: where it was cloned from, if its commit is there too; else the folder itself."""
    try:
        if (
            git.toplevel(folder) != Path(os.path.realpath(folder))
            or not (folder / ".pre-commit-hooks.yaml").is_file()
        ):
            return None
        commit = git.commit(folder, "HEAD")
        published = git.origin(folder) if git.is_published(folder, commit) else None
    except (git.GitError, OSError):
        return None
    return Source(_without_password(published) if published else str(folder), commit)


def _without_password(url: str) -> str:
    """An address without who uses it: CI clones with tokens in it."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or "@" not in parts.netloc:
        return url
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


# --- the workflow ------------------------------------------------------------------------------------------


def _workflow(source: Source, language: Language) -> str:
    comment = {
        "en": "What the model does not receive of the OpenClaw workspaces here; in a pull request, what it changes.",
        "zh": "模型收不到 OpenClaw 工作区的哪些内容；在拉取请求中，改动带来了什么变化。",
    }[language]
    steps = _action_steps(source) or _shell_steps(source, language)
    return _WORKFLOW.format(comment=comment, steps="".join(f"      {line}\n" for line in steps))


_WORKFLOW = """\
# {comment}
name: bootlint
on:
  pull_request:
  push:
    branches: [main, master]
permissions:
  contents: read
jobs:
  bootlint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 2  # the merge commit of a pull request, and what it merges into
          persist-credentials: false
{steps}"""


def _action_steps(source: Source) -> tuple[str, ...] | None:
    """With bootlint's own action, where GitHub has it."""
    url = (source.repository or "").removesuffix(".git").replace("git@github.com:", "https://github.com/")
    if not url.startswith("https://github.com/"):
        return None
    return (f"- uses: {url.removeprefix('https://github.com/')}@{source.revision}",)


def _shell_steps(source: Source, language: Language) -> tuple[str, ...]:
    url = source.repository or ""
    package = f"bootlint @ git+{url}@{source.revision}" if url else f"bootlint=={source.revision}"
    install = (f'- run: python -I -m pip install "{package}"',)  # -I: no module of the checkout is run
    return (
        "- uses: actions/setup-python@v5",
        "  with:",
        '    python-version: "3.12"',
        *(_NO_SOURCE[language] if _is_out_of_reach(source) else install),
        "- run: bootlint check --output-format github ${{ github.base_ref && '--diff-base HEAD^1' }}",
        "- if: always() && github.base_ref",
        '  run: bootlint diff HEAD^1 --output-format markdown >> "$GITHUB_STEP_SUMMARY" || test $? -eq 1',
    )


_NO_SOURCE: dict[Language, tuple[str, ...]] = {
    "en": (
        "# CI cannot reach the bootlint that wrote this, and a package of that name on an index may be anybody's.",
        "# Put the code where CI can get it, name that place here, and take away the mark:",
        '# - run: python -I -m pip install "bootlint @ git+https://HOST/OWNER/bootlint@COMMIT"',
    ),
    "zh": (
        "# CI 访问不到生成本文件的 bootlint，而软件包索引上同名的包可能属于任何人。",
        "# 请把代码放到 CI 能访问的地方，在这里写上地址，再去掉注释符：",
        '# - run: python -I -m pip install "bootlint @ git+https://HOST/OWNER/bootlint@COMMIT"',
    ),
}


def _is_out_of_reach(source: Source) -> bool:
    """Is it a repository that CI cannot clone without a key: a folder, or one behind SSH?"""
    return source.repository is not None and not (
        source.repository.startswith("https://") or _action_steps(source)
    )
