"""`bootlint releases`."""

from __future__ import annotations

import sys
from pathlib import Path

from bootlint.cli.common import Parser, SettingsReader, add_general, add_situation
from bootlint.config import releases_named
from bootlint.diagnostics import UserError
from bootlint.openclaw.history import Change, changes, facts, history
from bootlint.openclaw.releases import contract, releases
from bootlint.reporters.basis import assumed_lines
from bootlint.reporters.jsontext import dump
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase

if TYPE_CHECKING:
    from argparse import Namespace

    from bootlint.openclaw.contract import Contract
    from bootlint.upgrading import Upgrade
    from bootlint.wording import Language

_EXAMPLES = """\
  bootlint releases                                     the releases at which something changed
  bootlint releases --all                               every release on record
  bootlint releases --compare 2026.6.11 latest          what changed between two
  bootlint releases --compare 2026.6.11 latest ~/agent  what that upgrade does to a workspace
"""


def run(argv: list[str]) -> int:
    """List the releases, or compare two of them; nothing is judged, so the exit status is 0."""
    arguments = _parser().parse_args(argv)
    as_json = arguments.output_format == "json"
    if arguments.compare is None:
        if arguments.path is not None:
            raise UserError("a PATH goes with --compare A B")
        _print_history(arguments, as_json=as_json)
    else:
        _compare(arguments, as_json=as_json)
    return 0


def _parser() -> Parser:
    parser = Parser("releases", "List the known OpenClaw releases and what changed between them.", _EXAMPLES)
    parser.add_argument("path", nargs="?", metavar="PATH", help="with --compare: the workspace to look at")
    parser.add_argument(
        "--all", action="store_true", help="every release, not only those that changed something"
    )
    parser.add_argument("--compare", nargs=2, metavar=("A", "B"), help="what the step from A to B changes")
    parser.add_argument(
        "--output-format", choices=("text", "json"), default="text", help="text (default) or json"
    )
    add_situation(parser)
    add_general(parser)
    return parser


def _print_history(arguments: Namespace, *, as_json: bool) -> None:
    first = releases()[0]
    rows = [row for row in history() if arguments.all or row[1] or row[0] == first]
    if as_json:
        document = {"schema_version": 1, "releases": [_row(*row) for row in rows]}
        sys.stdout.write(dump(document, indent=2))
        return
    from bootlint.reporters import upgrade as report

    language = _language(arguments)
    present = {fact: value for fact, value in facts(contract(first)).items() if value}
    for release, changed in rows:
        print(release)
        lines = (
            report.facts(present, language) if release == first else report.changed_facts(changed, language)
        )
        print("".join(f"  {line}\n" for line in lines), end="")
    left = len(releases()) - len(rows)
    if left and not arguments.quiet:
        print(phrase("releases-not-listed", language, count=left), file=sys.stderr)


def _language(arguments: Namespace) -> Language:
    """Where no workspace is looked at."""
    reader = SettingsReader(arguments, for_people=True)
    return reader.of(Path()).language or "en"


def _compare(arguments: Namespace, *, as_json: bool) -> None:
    from bootlint.reporters import upgrade as report

    try:
        ((before,), (after,)) = (releases_named([release]) for release in arguments.compare)
    except ValueError as error:
        raise UserError(f"--compare: {error}") from error
    sides = contract(before), contract(after)
    if arguments.path is None:
        changed = changes(*sides)
        if as_json:
            rows = [{"fact": one.fact, "before": one.before, "after": one.after} for one in changed]
            document = {"schema_version": 1, "before": before, "after": after, "facts": rows}
            sys.stdout.write(dump(document, indent=2))
        else:
            language = _language(arguments)
            lines = report.changed_facts(changed, language)
            print("\n".join((f"OpenClaw {before} → {after}", *(f"  {line}" for line in lines))))
            _print_assumed(sides, arguments, language)
        return
    reader = SettingsReader(arguments, for_people=not as_json)
    upgrade = _upgrade(arguments.path, before, after, reader)
    if as_json:
        sys.stdout.write(dump(report.document(upgrade), indent=2))
    else:
        language = reader.of(Path(arguments.path)).language or "en"
        sys.stdout.write("".join(f"{line}\n" for line in report.lines(upgrade, language)))
        _print_assumed(sides, arguments, language)


def _print_assumed(sides: tuple[Contract, ...], arguments: Namespace, language: Language) -> None:
    if not arguments.quiet:
        for line in assumed_lines(sides, language):
            print(line, file=sys.stderr)


def _upgrade(path: str, before: str, after: str, reader: SettingsReader) -> Upgrade:
    from bootlint.records import replace
    from bootlint.situations import basis
    from bootlint.upgrading import upgrade
    from bootlint.workspace import the_workspace

    workspace = the_workspace(path)
    settings = reader.of(workspace.root)
    sides = (
        replace(settings, openclaw=(release,), origins={**settings.origins, "openclaw": "--compare"})
        for release in (before, after)
    )
    old, new = (basis(workspace, side).situations[0] for side in sides)
    return upgrade(workspace, old, new)


def _row(release: str, changed: tuple[Change, ...]) -> dict[str, object]:
    return {
        "release": release,
        "facts": dict(facts(contract(release))),
        "changes": [
            {"fact": change.fact, "before": change.before, "after": change.after} for change in changed
        ],
    }
