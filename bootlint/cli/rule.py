"""`bootlint rule`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bootlint import catalog
from bootlint.cli.common import Parser, SettingsReader, add_general, language_of
from bootlint.config import rule_words, suggestion
from bootlint.diagnostics import UserError
from bootlint.reporters.jsontext import dump
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase

if TYPE_CHECKING:
    from bootlint.catalog import RuleInfo
    from bootlint.wording import Language

_EXAMPLES = """\
  bootlint rule                       all rules
  bootlint rule BL103                 why it matters and how to fix it, with examples
  bootlint rule content-dropped --language zh
  bootlint rule --output-format json
"""


def run(argv: list[str]) -> int:
    """Print one page, or the list of rules."""
    parser = Parser("rule", "Explain a rule, or list all rules.", _EXAMPLES)
    parser.add_argument("rule", nargs="?", metavar="CODE|NAME")
    parser.add_argument(
        "--output-format", choices=("text", "json"), default="text", help="text (default) or json"
    )
    add_general(parser)
    arguments = parser.parse_args(argv)
    language = language_of(SettingsReader(arguments).of(Path()), for_people=True)
    if arguments.rule is None:
        infos = [catalog.rule(code) for code in catalog.pages()]
        sys.stdout.write(
            dump([_fields(info) for info in infos], indent=2)
            if arguments.output_format == "json"
            else _list(infos, language)
        )
        return 0
    code = catalog.code_of(arguments.rule)
    if code is None:
        hint = suggestion(arguments.rule, rule_words(arguments.rule))
        raise UserError(f"{arguments.rule!r} is no rule{hint} (bootlint rule lists them)")
    info = catalog.rule(code)
    if arguments.output_format == "json":
        sys.stdout.write(dump({**_fields(info), "page": info.text}, indent=2))
    else:
        _show(info, language)
    return 0


def _list(infos: list[RuleInfo], language: Language) -> str:
    severities = [phrase(f"severity-{info.severity.label}", language) for info in infos]
    name_width, severity_width = max(len(info.name) for info in infos), max(map(len, severities))
    return "".join(
        f"{info.code}  {info.name:<{name_width}}  {severity:<{severity_width}}  {info.localised_summary(language)}\n"
        for info, severity in zip(infos, severities, strict=True)
    )


def _show(info: RuleInfo, language: Language) -> None:
    """The page as rendered Markdown on a terminal, as it is in a pipe."""
    text = info.explanation(language)
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        print(text, end="")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))


def _fields(info: RuleInfo) -> dict[str, object]:
    return {
        "code": info.code,
        "name": info.name,
        "severity": info.severity.label,
        "summary": info.summary,
        "summary_zh": info.summary_zh,
        "since": info.since,
        "needs": list(info.needs),
        "fix": info.fix,
        "default": "on" if info.default else "off",
        "options": dict(info.options),
    }
