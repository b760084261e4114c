"""For a pull-request comment and a step summary: what the model receives, and the findings in a table a file.

Texts of a workspace are escaped until nothing in them is markup, a mention, a reference or a link. A comment holds
65,536 characters: the gravest findings have the first claim to them, and what finds no room is counted.
"""

from __future__ import annotations

import re
from itertools import groupby

from bootlint.diagnostics import Severity
from bootlint.lazyre import lazy_pattern
from bootlint.openclaw.jstext import utf16_len
from bootlint.reporters.basis import basis_lines
from bootlint.reporters.grouping import grouped
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bootlint.reporters import Run
    from bootlint.reporters.grouping import Entry
    from bootlint.wording import Language

MAX_LENGTH = 65_536  # of a comment on GitHub, here in UTF-16 units: no other count gives more but bytes
_RESERVE = 200  # for the sentence that counts what is not shown
_MAX_BASIS_LINES = 10


def render(run: Run) -> str:
    head = "".join(f"{line}\n\n" for line in _head(run))
    entries = list(grouped(run))
    shown = _chosen(entries, run.language, MAX_LENGTH - _RESERVE - utf16_len(head))
    tables = [
        _table_head(path, run.language) + "".join(_row(entry, run.language) for entry in group) + "\n"
        for path, group in groupby(shown, key=lambda entry: entry.first.path)
    ]
    count = sum(entry.count for entry in entries) - sum(entry.count for entry in shown)
    rest = [phrase("not-shown", run.language, count=count) + "\n"] if count else []
    return "".join([head, *tables, *rest]).rstrip("\n") + "\n"


def _head(run: Run) -> Iterator[str]:
    language = run.language
    yield "### bootlint"
    severities = {f"{severity.label}s": run.count(severity) for severity in Severity}
    yield f"**{phrase('summary', language, workspaces=len(run.reports), **severities)}**"
    rules = sum(report.priority_rules for report in run.reports)
    if rules:
        yield phrase("reached", language, reached=sum(report.reached for report in run.reports), rules=rules)
    lines = dict.fromkeys(line for report in run.reports for line in basis_lines(report.situations, language))
    for line in list(lines)[:_MAX_BASIS_LINES]:
        yield escaped(line)


def _chosen(entries: list[Entry], language: Language, room: int) -> list[Entry]:
    """The entries that fit in `room` UTF-16 units, the gravest first; in their old order."""
    chosen: set[int] = set()
    paths: set[str] = set()
    for number in sorted(range(len(entries)), key=lambda number: -entries[number].first.severity):
        entry = entries[number]
        path = entry.first.path
        table = "" if path in paths else _table_head(path, language) + "\n"
        cost = utf16_len(table + _row(entry, language))
        if cost <= room:
            room -= cost
            chosen.add(number)
            paths.add(path)
    return [entry for number, entry in enumerate(entries) if number in chosen]


def _table_head(path: str, language: Language) -> str:
    columns = (phrase(f"column-{column}", language) for column in ("line", "rule", "finding"))
    return f"#### {escaped(path)}\n\n{_cells(columns)}|---:|---|---|\n"


def _row(entry: Entry, language: Language) -> str:
    first = entry.first
    severity = phrase(f"severity-{first.severity.label}", language)
    texts = (entry.message(language), entry.fate(language), entry.fix(language))
    finding = "<br>".join(escaped(text) for text in texts if text)
    return _cells((str(first.start.line), f"**{severity}** {first.code} {first.name}", finding))


def _cells(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |\n"


_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
_SPECIAL = lazy_pattern(
    r"(?P<entity>[&<>|])"
    r"|(?P<markup>[\\`*_\[\]~$!])"
    r"|(?P<reference>@(?=\w)|#(?=\d)|\bgh-(?=\d)|:(?=//)|\bwww(?=\.))",
    re.IGNORECASE,
)


def escaped(text: str) -> str:
    """The text as GitHub and GitLab show it letter by letter.

    Mentions, issue numbers and addresses are found after the escapes are gone: an invisible space breaks them.
    """
    return _SPECIAL.sub(_escape, printable(text))


def _escape(match: re.Match[str]) -> str:
    text = match[0]
    if match["entity"]:
        return _ENTITIES[text]
    return f"\\{text}" if match["markup"] else f"{text}&#8203;"
