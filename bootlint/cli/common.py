"""What the commands share: options, and the settings of each workspace."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from pathlib import Path

from bootlint import config
from bootlint.config import Settings
from bootlint.diagnostics import UserError
from bootlint.plainfiles import strays
from bootlint.records import replace
from bootlint.simulation import SESSION_KINDS
from bootlint.typed import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bootlint.revisions import Snapshot
    from bootlint.wording import Language


# bootlint's help is in English: to look for argparse's words in the machine's language takes 2 % of a short run.
argparse._ = str  # type: ignore[attr-defined]

_FAULTS = "             2 usage, settings, or files that cannot be read or written; 130 Ctrl-C"
_WIDEST_HELP = 110  # columns


class Parser(argparse.ArgumentParser):
    """argparse with bootlint's manners: one line and a suggestion instead of the whole usage."""

    def __init__(self, command: str, summary: str, examples: str, exit_status: str = "0") -> None:
        super().__init__(
            prog=f"bootlint {command}",
            description=summary,
            epilog=f"examples:\n{examples}\nexit status: {exit_status}\n{_FAULTS}",
            formatter_class=_help_formatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        options = tuple(option for action in self._actions for option in action.option_strings)
        hint = ""
        if message.startswith("unrecognized arguments: "):
            hint = config.suggestion(message.split(": ", 1)[1].split()[0].partition("=")[0], options)
        raise UserError(f"{message}{hint} ({self.prog} --help explains)")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Faults of an option's value are worded like those of a setting."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            raise UserError(
                f"{action.option_strings[0]}: {config.not_one_of(tuple(action.choices or ()), value)}"
            ) from error


def _help_formatter(prog: str) -> argparse.HelpFormatter:
    """Without a width argparse asks shutil for it with each option that is added, and imports that for it."""
    return argparse.RawDescriptionHelpFormatter(prog, width=_columns())


def _columns() -> int:
    try:
        return min(os.get_terminal_size().columns, _WIDEST_HELP)
    except OSError:
        return _WIDEST_HELP


def add_paths(parser: Parser) -> None:
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="workspaces or files in them (default: .)"
    )


def add_situation(parser: Parser) -> None:
    """The options that say which OpenClaw is simulated. Their names are the keys of bootlint.toml."""
    group = parser.add_argument_group("what is simulated")
    group.add_argument(
        "--openclaw", metavar="RELEASE[,…]", help="OpenClaw releases, such as 2026.6.11,latest"
    )
    group.add_argument(
        "--max-chars", metavar="N", help="limit of one file, in UTF-16 units (bootstrapMaxChars)"
    )
    group.add_argument("--total-max-chars", metavar="N", help="limit of all files (bootstrapTotalMaxChars)")
    group.add_argument("--session", metavar="KIND", help=f"session kind: {', '.join(SESSION_KINDS)}")
    group.add_argument("--agent", metavar="ID", help="the agent whose values in openclaw.json count")
    group.add_argument(
        "--openclaw-config", metavar="FILE", help="the openclaw.json that sets release and limits"
    )
    group.add_argument("--workspace-path", metavar="PATH", help="where the workspace lives in production")


def add_general(parser: Parser) -> None:
    group = parser.add_argument_group("general")
    group.add_argument("--config", metavar="FILE", help="this bootlint.toml instead of the closest one")
    group.add_argument("--isolated", action="store_true", help="read no bootlint.toml at all")
    group.add_argument("--language", metavar="LANG", help="en or zh (中文)")
    group.add_argument("-q", "--quiet", action="store_true", help="no summary")
    group.add_argument("-v", "--verbose", action="store_true", help="say where each value came from")


_SITUATION_KEYS = (
    "openclaw",
    "max-chars",
    "total-max-chars",
    "session",
    "agent",
    "openclaw-config",
    "workspace-path",
)
_GENERAL_KEYS = ("language",)


class SettingsReader:
    """The settings of each workspace: the closest file, under the options of the command line.

    Their language is settled here: option, file, for people on a terminal the locale, else English.
    """

    def __init__(self, arguments: argparse.Namespace, *extra_keys: str, for_people: bool = False) -> None:
        keys = (*_SITUATION_KEYS, *_GENERAL_KEYS, *extra_keys)
        values = ((key, getattr(arguments, key.replace("-", "_"), None)) for key in keys)
        self._options: Mapping[str, object] = {key: value for key, value in values if value is not None}
        self._named: str | None = arguments.config
        self._isolated: bool = arguments.isolated
        self._for_people = for_people
        self._read: dict[Path | None, Settings] = {}
        if self._named is not None and not os.path.isfile(self._named):
            raise UserError(f"--config {self._named}: there is no such file")

    def of(self, folder: Path, past: Snapshot | None = None) -> Settings:
        """The settings that hold for a folder; with a snapshot, those that held for it there."""
        path = self.file(folder, past)
        if path not in self._read:
            read = Settings()
            if path is not None:
                read = config.read(path, shown_file(path, past), past.today(path) if past else None)
            settings = config.parse(self._options, "", read)
            language = language_of(settings, for_people=self._for_people)
            self._read[path] = replace(settings, language=language)
        return self._read[path]

    def file(self, folder: Path, past: Snapshot | None = None) -> Path | None:
        """The file from which those settings come. One outside the repository is no part of any commit."""
        if self._isolated:
            return None
        named = Path(self._named) if self._named else None
        if past is None:
            return named or config.find(folder)
        if named is not None:
            return named if past.relative(named) is None else past.file(named)
        return config.find(past.place(folder), past.root) or config.find(past.repository.parent)


def shown_file(path: Path, past: Snapshot | None) -> str:
    """A settings file as it is printed: from here, or with the commit that it was read from."""
    if past is not None and path.is_relative_to(past.root):
        return f"{past.revision}:{path.relative_to(past.root)}"
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def language_of(settings: Settings, *, for_people: bool) -> Language:
    """Option, bootlint.toml, the locale for a report that a person reads on a terminal, else English."""
    if settings.language is not None:
        return settings.language
    if for_people and sys.stdout.isatty():
        name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
        if not name:
            import locale

            name = locale.getlocale()[0] or ""
        return "zh" if name.lower().startswith("zh") else "en"
    return "en"


def stdout_look() -> tuple[bool, int]:
    """Whether colours are wanted on stdout, and its width in cells."""
    from shutil import get_terminal_size

    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain, get_terminal_size().columns


def write_exactly(text: str) -> None:
    """To stdout as bytes, because an encoding would change them. Half a character becomes U+FFFD, as in OpenClaw.

    On a terminal all is written out that one would obey.
    """
    if sys.stdout.isatty():
        from bootlint.wording import for_terminal

        text = for_terminal(text)
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode())
    sys.stdout.buffer.flush()


def write_report(text: str, path: str) -> None:
    """Write a file that the command line names, below the current folder with the folders that lead to it.

    Raises UserError, for a link and for a folder elsewhere that is not there too.
    """
    refuse_to_stray(path)
    folder = os.path.dirname(path) or "."
    try:
        if Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(".")):
            os.makedirs(folder, exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n", opener=_own_file) as stream:
            stream.write(text)
    except OSError as error:
        why = "it is a link; name the file itself" if error.errno == errno.ELOOP else error.strerror
        raise UserError(f"{path}: cannot be written: {why}") from error


def refuse_to_stray(path: str) -> None:
    """A stranger's repository may hold a link in the place of `reports/`. Raises UserError."""
    if strays(path):
        raise UserError(f"{path}: cannot be written: a link leads out of this folder; name the place itself")


def _own_file(path: str, flags: int) -> int:
    """For `open`: no link of a stranger's repository leads to a file outside; those of the system may (/dev/stdout)."""
    is_system = os.path.abspath(path).startswith(("/dev/", "/proc/"))
    return os.open(path, flags if is_system else flags | os.O_NOFOLLOW, 0o666)
