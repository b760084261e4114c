"""`bootlint why`."""

from __future__ import annotations

import os
import sys

from bootlint.checks.context import Context
from bootlint.cli.common import Parser, SettingsReader, add_general, add_situation
from bootlint.config import whole_number
from bootlint.diagnostics import UserError
from bootlint.explain import explain
from bootlint.openclaw.fates import REACHED
from bootlint.readings import mask_of_workspace
from bootlint.records import replace
from bootlint.reporters.basis import assumed_lines
from bootlint.reporters.fix import style_notes
from bootlint.reporters.jsontext import dump
from bootlint.reporters.why import document, render
from bootlint.simulation import SESSION_KINDS, Simulation
from bootlint.situations import basis
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import discover

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bootlint.fixer import FixResult
    from bootlint.simulation import Situation
    from bootlint.workspace import TextFile, Workspace

_EXAMPLES = """\
  bootlint why AGENTS.md:120                           the fate of line 120 in each session kind
  bootlint why AGENTS.md:先备份                        of the line that holds this text
  bootlint why --session subagent SOUL.md:7            in one session kind
  bootlint why --openclaw 2026.6.11,latest AGENTS.md:120
"""


def run(argv: list[str]) -> int:
    """Explain one line; nothing is judged, so the exit status is 0."""
    arguments = _parser().parse_args(argv)
    as_text = arguments.output_format == "text"
    reader = SettingsReader(arguments, "prefix-style", for_people=as_text)
    path, what = _split(arguments.line)
    workspace, file = _file(path)
    settings = reader.of(workspace.root)
    line = _line(file, path, what)
    found = basis(workspace, settings)
    situations = found.situations
    if settings.origin("session") is None:
        situations = tuple(replace(one, session=kind) for one in situations for kind in SESSION_KINDS)
    contexts = (
        Context(Simulation(workspace, situation), settings.rules, settings.prefix_style)
        for situation in situations
    )
    explanations = [explain(context, file, line) for context in contexts]
    if any(one.tried for one in explanations):
        from bootlint.fixer import fix

        saved = _saved_by_fix(fix(workspace, found, settings), workspace, situations, file.path, line)
        explanations = [
            replace(one, saved_by_fix=is_saved) if one.tried else one
            for one, is_saved in zip(explanations, saved, strict=True)
        ]
    text = mask_of_workspace(workspace)(file.source.lines[line - 1])
    shown = workspace.shown_path(file.path)
    if as_text:
        language = settings.language or "en"
        sys.stdout.write(render(f"{shown}:{line}", text, explanations, language))
        if not arguments.quiet:
            notes = style_notes(settings, found.situations, language)
            contracts = (situation.contract for situation in found.situations)
            for said in (*notes, *assumed_lines(contracts, language)):
                print(said, file=sys.stderr)
    else:
        sys.stdout.write(dump(document(shown, line, text, explanations), indent=2))
    return 0


def _saved_by_fix(
    result: FixResult, workspace: Workspace, situations: Iterable[Situation], path: str, line: int
) -> Iterator[bool]:
    """For each situation: does the line arrive once the fixes are made, which change several lines at once?"""
    after, place = result.applied(workspace), result.place(path, line)
    for situation in situations:
        fates = Simulation(after, situation).fates(path)
        yield all(fates[index] in REACHED for index in place)


def _parser() -> Parser:
    parser = Parser(
        "why",
        "Tell why a line reaches the model or does not, and a change that would save it.",
        _EXAMPLES,
    )
    parser.add_argument(
        "line", metavar="FILE:LINE", help="a line of a bootstrap file, by number or by a piece of its text"
    )
    parser.add_argument(
        "--output-format", choices=("text", "json"), default="text", help="text (default) or json"
    )
    parser.add_argument(
        "--prefix-style", metavar="STYLE", help="english (default) or cjk: keywords that are tried"
    )
    add_situation(parser)
    add_general(parser)
    return parser


def _split(target: str) -> tuple[str, str]:
    """File and line at the first colon behind which a file ends, for names and texts may hold colons."""
    for at, char in enumerate(target):
        if char == ":" and os.path.isfile(target[:at]):
            return target[:at], target[at + 1 :]
    path = target.partition(":")[0]
    if os.path.isfile(target):
        raise UserError(f"{target}: which line? Give FILE:LINE or FILE:TEXT")
    raise UserError(f"{path}: there is no such file (give FILE:LINE or FILE:TEXT)")


def _file(path: str) -> tuple[Workspace, TextFile]:
    for workspace in discover([path]):
        name = os.path.relpath(path, workspace.root).replace(os.sep, "/")
        file = workspace.files.get(name)
        if file is not None:
            return workspace, file
    raise UserError(f"{path}: is no bootstrap file that bootlint can read")


def _line(file: TextFile, path: str, what: str) -> int:
    lines = file.source.lines
    line = whole_number(what)
    if line is not None:
        if 1 <= line <= len(lines):
            return line
        raise UserError(f"{path}: has {len(lines)} lines, so no line {what}")
    found = [number for number, text in enumerate(lines, 1) if what and what in text]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UserError(f"{path}: no line holds {what!r}")
    shown = ", ".join(map(str, found[:10]))
    raise UserError(f"{path}: {len(found)} lines hold {what!r} ({shown}); give the number of one")
