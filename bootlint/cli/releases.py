"""`bootlint releases`."""

from __future__ import annotations

import json

from bootlint.cli.common import Parser
from bootlint.openclaw.history import Change, facts, history
from bootlint.openclaw.releases import contract, releases

_EXAMPLES = """\
  bootlint releases                        the releases at which something changed
  bootlint releases --all                  every release on record
  bootlint releases --output-format json
"""


def run(argv: list[str]) -> int:
    """List the releases; by default those at which something that a workspace notices changed."""
    parser = Parser("releases", "List the known OpenClaw releases and what changed between them.", _EXAMPLES)
    parser.add_argument(
        "--all", action="store_true", help="every release, not only those that changed something"
    )
    parser.add_argument(
        "--output-format", choices=("text", "json"), default="text", help="text (default) or json"
    )
    arguments = parser.parse_args(argv)
    first = releases()[0]
    rows = [row for row in history() if arguments.all or row[1] or row[0] == first]
    if arguments.output_format == "json":
        print(json.dumps({"schema_version": 1, "releases": [_row(*row) for row in rows]}, indent=2))
        return 0
    for release, changed in rows:
        print(release)
        if release == first:
            print(
                "".join(f"  {fact}: {value}\n" for fact, value in facts(contract(release)).items() if value),
                end="",
            )
        for change in changed:
            print(f"  {change.fact}: {change.before or 'none'} → {change.after or 'none'}")
    return 0


def _row(release: str, changed: tuple[Change, ...]) -> dict[str, object]:
    return {
        "release": release,
        "facts": dict(facts(contract(release))),
        "changes": [
            {"fact": change.fact, "before": change.before, "after": change.after} for change in changed
        ],
    }
