"""`bootlint show`."""

from __future__ import annotations

import sys

from bootlint.cli import show_after
from bootlint.cli.common import (
    Parser,
    SettingsReader,
    add_general,
    add_situation,
    stdout_look,
    write_exactly,
    write_report,
)
from bootlint.config import suggestion
from bootlint.diagnostics import UserError
from bootlint.openclaw.prompt import project_context, render_prompt
from bootlint.records import replace
from bootlint.reporters.basis import basis_lines
from bootlint.simulation import SESSION_KINDS, Simulation
from bootlint.situations import basis
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import the_workspace

if TYPE_CHECKING:
    from argparse import Namespace

    from bootlint.simulation import Situation
    from bootlint.wording import Language

_EXAMPLES = """\
  bootlint show ~/.openclaw/workspace          sizes, what is lost, and a map of each file
  bootlint show --full                         every source line, with what became of it
  bootlint show --all-sessions                 a table: which session kind receives what
  bootlint show --html context.html            the same to look around in, in a browser
  bootlint show --raw AGENTS.md | less         the text that the model receives of one file
  bootlint show --prompt --session group       the whole Project Context of a group chat
  bootlint show --compaction                   what of AGENTS.md comes back after a compaction
  bootlint show --startup                      the daily notes that a bare /new adds
  bootlint show --openclaw 2026.6.11 --output-format json
"""


def run(argv: list[str]) -> int:
    """Show one workspace in one release; nothing is judged, so the exit status is 0."""
    arguments = _parser().parse_args(argv)
    if arguments.all_sessions and (arguments.raw is not None or arguments.full):
        raise UserError("--raw and --full show one session kind; --session says which")
    reader = SettingsReader(arguments, for_people=True)
    workspace = the_workspace(arguments.path)
    settings = reader.of(workspace.root)
    situations = basis(workspace, settings).situations
    if len(situations) > 1:
        raise UserError("show takes one release; --openclaw names several")
    several = arguments.all_sessions or arguments.html is not None
    kinds = SESSION_KINDS if several else (situations[0].session,)
    simulations = [Simulation(workspace, replace(situations[0], session=kind)) for kind in kinds]
    if show_after.is_wanted(arguments):
        write_exactly(show_after.show(arguments, simulations[0], settings.language or "en"))
    elif arguments.raw is not None:
        write_exactly(_raw(simulations[0], arguments.raw))
    elif arguments.prompt:
        _print_prompts(simulations)
    else:
        _report(simulations, situations[0], arguments, settings.language or "en")
    return 0


def _report(
    simulations: list[Simulation], situation: Situation, arguments: Namespace, language: Language
) -> None:
    from bootlint.checks.context import Context
    from bootlint.cost import token_counter
    from bootlint.overview import overview

    count = token_counter()
    views = [overview(Context(simulation), count) for simulation in simulations]
    if arguments.output_format == "json":
        from bootlint.reporters import jsontext, show_json

        sys.stdout.write(jsontext.dump(show_json.document(views), indent=2))
        return
    if arguments.html is not None:
        from bootlint.reporters import show_html

        write_report(show_html.render(views, language, situation.session), arguments.html)
    else:
        from bootlint.reporters import show_text

        colour, width = stdout_look()
        look = show_text.Look(language, colour=colour, width=width, full=arguments.full)
        sys.stdout.write(show_text.render(views, look))
    if not arguments.quiet:
        lines = basis_lines([situation], language, verbose=arguments.verbose)
        print("\n".join(lines), file=sys.stderr)


def _parser() -> Parser:
    parser = Parser("show", "Show what the model receives of a workspace, byte for byte.", _EXAMPLES)
    parser.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="a workspace, or a file in one (default: .)"
    )
    what = parser.add_argument_group("what to show")
    form = what.add_mutually_exclusive_group()
    form.add_argument(
        "--raw", metavar="FILE", help="the injected text of one file, exactly, and nothing else"
    )
    form.add_argument("--prompt", action="store_true", help="the whole Project Context as the model reads it")
    form.add_argument("--full", action="store_true", help="every source line, with what became of it")
    form.add_argument(
        "--html", metavar="OUT", help="a file for the browser that holds all of it, for every session kind"
    )
    form.add_argument("--output-format", choices=("text", "json"), help="text (default) or json")
    show_after.add_options(what)
    what.add_argument("--all-sessions", action="store_true", help="for every session kind")
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


def _print_prompts(simulations: list[Simulation]) -> None:
    for simulation in simulations:
        if len(simulations) > 1:
            print(f"===== {simulation.situation.session} =====")
        files = [file for file in simulation.injection.files if simulation.in_context(file.name)]
        text = render_prompt(tuple(project_context(files, simulation.contract)))
        write_exactly(text if text.endswith("\n") else text + "\n")
