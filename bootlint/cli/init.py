"""`bootlint init`."""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path

from bootlint.cli.common import Parser, SettingsReader, add_general, add_situation
from bootlint.diagnostics import UserError
from bootlint.initial import Planned, plan
from bootlint.source import write_atomically, write_new
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import inert, phrase, printable
from bootlint.workspace import discover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.wording import Language

_EXAMPLES = """\
  bootlint init                       for the workspaces here and below
  bootlint init --dry-run             show what would be written
  bootlint init --openclaw-config ~/.openclaw/openclaw.json agents/ada
"""


def run(argv: list[str]) -> int:
    """Write what is not there yet, and show it."""
    arguments = _parser().parse_args(argv)
    reader = SettingsReader(arguments, for_people=True)
    workspaces = discover([arguments.path])
    folder = Path(arguments.path) if os.path.isdir(arguments.path) else workspaces[0].root
    language = reader.of(folder).language or "en"
    planned = list(plan(folder, workspaces, reader.of, language))
    for one in planned:
        if not arguments.dry_run:
            _write(one)
        print("\n".join(_told(one, language)))
    print("\n".join(_closing(planned, language, dry_run=arguments.dry_run)))
    return int(any(one.what == "in-doubt" for one in planned))


def _parser() -> Parser:
    parser = Parser(
        "init",
        "Write bootlint.toml with release and limits pinned, the pre-commit entry and a GitHub workflow. What is there "
        "already stays as it is.",
        _EXAMPLES,
        "0 everything is there now, 1 something is left to do by hand",
    )
    parser.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="a folder with workspaces (default: .)"
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing, show what would be written")
    add_situation(parser)
    add_general(parser)
    return parser


def _write(planned: Planned) -> None:
    if planned.what == "merged":
        write_atomically(planned.path, planned.before, planned.text)
    elif planned.what == "new":
        _make_folder(planned.path.parent)
        write_new(planned.path, planned.text)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: cannot be made: {error.strerror}") from error


def _told(planned: Planned, language: Language) -> Iterator[str]:
    shown = _shown(planned.path)
    yield phrase(f"init-{planned.what}", language, file=shown)
    if planned.what == "in-doubt":
        yield from (f"  {inert(printable(line))}" for line in planned.text.splitlines())
    elif planned.what != "left":
        old, new = planned.before.splitlines(), planned.text.splitlines()
        _, _, *lines = unified_diff(old, new, lineterm="", n=2)  # without the names of the files
        yield from (f"  {inert(printable(line))}" for line in lines)
    if planned.here_only:
        yield phrase("init-here-only", language, file=shown)
    if planned.no_source:
        yield phrase("init-no-source", language, file=shown)


def _closing(planned: list[Planned], language: Language, *, dry_run: bool) -> Iterator[str]:
    hooks = [one for one in planned if one.path.name == ".pre-commit-config.yaml"]
    if dry_run:
        yield phrase("init-dry-run", language)
    elif not hooks:
        yield phrase("init-no-repository", language)
    elif hooks[0].what != "in-doubt":
        yield phrase("init-next", language)


def _shown(path: Path) -> str:
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative
