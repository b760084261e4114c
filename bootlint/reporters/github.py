"""Workflow commands of GitHub Actions: each finding becomes an annotation at its line.

A command is one line. `%`, line ends and, in properties, `:` and `,` are written as `%25` and so on. The runner
refuses columns where a finding spans several lines.
"""

from __future__ import annotations

from bootlint.diagnostics import Severity
from bootlint.reporters.grouping import grouped
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import printable

if TYPE_CHECKING:
    from bootlint.reporters import Run
    from bootlint.reporters.grouping import Entry
    from bootlint.wording import Language

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(run: Run) -> str:
    return "".join(f"{_command(entry, run.language)}\n" for entry in grouped(run))


def _command(entry: Entry, language: Language) -> str:
    diagnostic = entry.first
    start, end = diagnostic.start, diagnostic.end
    properties: dict[str, object] = {
        "file": printable(diagnostic.path),
        "line": start.line,
        "endLine": end.line,
    }
    if start.line == end.line:
        properties |= {"col": start.column, "endColumn": end.column}
    properties["title"] = f"{diagnostic.code} {diagnostic.name}"
    written = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    text = "\n".join(filter(None, (entry.message(language), entry.fate(language), entry.fix(language))))
    return f"::{_COMMANDS[diagnostic.severity]} {written}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
