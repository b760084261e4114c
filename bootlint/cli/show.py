"""`bootlint show`."""

from __future__ import annotations

import json
import sys

from bootlint.checks.context import Context, Readings
from bootlint.cli import show_after
from bootlint.cli.common import (
    Parser,
    SettingsReader,
    add_general,
    add_situation,
    language_of,
)
from bootlint.config import suggestion
from bootlint.diagnostics import UserError
from bootlint.openclaw.prompt import project_context, render_prompt
from bootlint.overview import overview
from bootlint.records import replace
from bootlint.reporters.basis import basis_lines
from bootlint.reporters.show_json import document
from bootlint.reporters.show_text import render
from bootlint.simulation import SESSION_KINDS, Simulation
from bootlint.situations import basis
from bootlint.workspace import the_workspace

_EXAMPLES = """\
  bootlint show ~/.openclaw/workspace          sizes, what is lost, and a map of the lines
  bootlint show --raw AGENTS.md | less         the text that the model receives of one file
  bootlint show --prompt --session group       the whole Project Context of a group chat
  bootlint show --all-sessions                 the same for each session kind
  bootlint show --compaction                   what of AGENTS.md comes back after a compaction
  bootlint show --startup                      the daily notes that a bare /new adds
  bootlint show --openclaw 2026.6.11 --output-format json
"""


def run(argv: list[str]) -> int:
    """Show one workspace in one release; nothing is judged, so the exit status is 0."""
    arguments = _parser().parse_args(argv)
    reader = SettingsReader(arguments)
    workspace = the_workspace(arguments.path)
    settings = reader.of(workspace.root)
    found = basis(workspace, settings)
    if len(found.situations) > 1:
        raise UserError("show takes one release; --openclaw names several")
    kinds = SESSION_KINDS if arguments.all_sessions else (found.situations[0].session,)
    simulations = [Simulation(workspace, replace(found.situations[0], session=kind)) for kind in kinds]
    if show_after.is_wanted(arguments):
        _print_exactly(show_after.show(arguments, simulations[0], language_of(settings, for_people=True)))
        return 0
    if arguments.raw is not None:
        _print_exactly(_raw(simulations[0], arguments.raw))
        return 0
    if arguments.prompt:
        _print_prompts(simulations)
        return 0
    readings = Readings()
    overviews = [overview(Context(simulation, readings)) for simulation in simulations]
    if arguments.output_format == "json":
        print(json.dumps(document(overviews), indent=2))
        return 0
    language = language_of(settings, for_people=True)
    sys.stdout.write(render(overviews, language))
    if not arguments.quiet:
        print("\n".join(basis_lines(found.situations, language, verbose=arguments.verbose)), file=sys.stderr)
    return 0


def _parser() -> Parser:
    parser = Parser("show", "Show what the model receives of a workspace, byte for byte.", _EXAMPLES)
    parser.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="a workspace, or a file in one (default: .)"
    )
    what = parser.add_argument_group("what to show")
    what.add_argument(
        "--raw", metavar="FILE", help="the injected text of one file, exactly, and nothing else"
    )
    what.add_argument("--prompt", action="store_true", help="the whole Project Context as the model reads it")
    show_after.add_options(what)
    what.add_argument("--all-sessions", action="store_true", help="for every session kind")
    what.add_argument(
        "--output-format", choices=("text", "json"), default="text", help="text (default) or json"
    )
    add_situation(parser)
    add_general(parser)
    return parser


def _raw(simulation: Simulation, name: str) -> str:
    injected = simulation.injected.get(name)
    if injected is None:
        known = tuple(simulation.injected)
        raise UserError(
            f"{name}: OpenClaw {simulation.contract.release} injects nothing of it in session kind "
            f"{simulation.situation.session}{suggestion(name, known)} (injected: {', '.join(known) or 'nothing'})"
        )
    return injected.content


def _print_exactly(text: str) -> None:
    """As bytes, because a terminal's encoding would change them. Half a character becomes U+FFFD, as in OpenClaw."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode())


def _print_prompts(simulations: list[Simulation]) -> None:
    for simulation in simulations:
        if len(simulations) > 1:
            print(f"===== {simulation.situation.session} =====")
        files = [file for file in simulation.injection.files if simulation.in_context(file.name)]
        text = render_prompt(tuple(project_context(files, simulation.contract)))
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
