"""The one place where a fix is made: edits for one line or file, and how safe they are.

A fix says what may be written; whether it helps is for the simulation to judge, and so it is not asked here.
"""

from __future__ import annotations

import re
from collections import Counter

from bootlint.diagnostics import Applicability, Edit, Fix, Span
from bootlint.openclaw.digest import MAX_LINE_UNITS, full_units, is_priority
from bootlint.openclaw.jstext import trim_end
from bootlint.records import replace
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.checks.agents import Agents
    from bootlint.language import LineReading
    from bootlint.workspace import TextFile


# --- a keyword in a line -----------------------------------------------------------------------------------


def keyword_fix(agents: Agents, line: int) -> Fix | None:
    """What makes the release rank a priority rule: `do not` for `don't`, else a keyword in front of its text.

    `line` counts from 1. None where the release ranks the line already, nothing would do, or nobody asks.
    """
    if agents.context.bare or line not in agents.gaps:
        return None
    return _spelled_out(agents, line) or _prefixed(agents, line)


def _spelled_out(agents: Agents, line: int) -> Fix | None:
    from bootlint.language import near_misses

    file = agents.file
    text = file.source.lines[line - 1]
    for miss in near_misses(text, agents.context.rule_lines(file)[line]):
        written = miss.replacement or miss.text
        changed = text[: miss.start] + written + text[miss.end :]
        if miss.replacement and is_priority(changed, agents.digest):
            return _line_fix(
                file, line, Span(miss.start, miss.end), written, Applicability.SAFE, keyword=written
            )
    return None


def _prefixed(agents: Agents, line: int) -> Fix | None:
    from bootlint.language import suggest_prefix

    reading = agents.context.rule_lines(agents.file)[line]
    style = agents.context.prefix_style
    text = agents.file.source.lines[line - 1]
    insertion = suggest_prefix(replace(reading, ambiguous=False), text, style=style, digest=agents.digest)
    if insertion is None:
        return None
    is_safe = not reading.ambiguous and line not in agents.named_headings
    return _line_fix(
        agents.file,
        line,
        Span(insertion.offset, insertion.offset),
        insertion.text,
        Applicability.SAFE if is_safe else Applicability.UNSAFE,
        keyword=insertion.text.rstrip(" :/"),
    )


def _line_fix(file: TextFile, line: int, at: Span, text: str, safety: Applicability, *, keyword: str) -> Fix:
    """`at` counts in the line."""
    start = file.source.line_starts[line - 1]
    edit = Edit(file.path, Span(start + at.start, start + at.end), text)
    return Fix((edit,), safety, params={"keyword": keyword})


# --- a long line -------------------------------------------------------------------------------------------


def split_fix(file: TextFile, line: int, reading: LineReading) -> Fix | None:
    """A list item of more than 240 units as several, cut at the ends of sentences.

    A label that holds the rule's word (`Never: `, `**必须**：`) is repeated in each. None where the line is no
    unordered item or has no sentence end at which to cut it.
    """
    text = file.source.lines[line - 1]
    item = re.match(_ITEM, text)
    if item is None:
        return None
    label = _label(text, item.end(), reading)
    parts = _packed(text[item.end() :], len(item[0]) + len(label))
    if len(parts) < 2:
        return None
    edits = []
    at = file.source.line_starts[line - 1] + item.end()
    for part in parts[:-1]:
        at += len(part)
        blank = len(part) - len(part.rstrip())
        edits.append(Edit(file.path, Span(at - blank, at), f"{file.source.line_end}{item[0]}{label}"))
    return Fix(tuple(edits), Applicability.UNSAFE)


# Patterns are texts: `re` compiles and keeps them when the first fix of the kind is made.
_ITEM = r"\s*[-*+]\s+(?:\[[ xX]\]\s+)?"
_SENTENCE_END = r"(?:[。！？]+[”」』）)]*|[.!?]+[\"')”]*(?=\s))\s*"  # what follows a semicolon leans on it
_LABEL = r"[^：:。.]{1,24}[：:](?:\*\*|__)?\s*"


def _label(text: str, start: int, reading: LineReading) -> str:
    pattern = re.compile(_LABEL)
    label = pattern.match(text, start)
    while label and reading.word and label.end() < reading.word.end:  # `**语气**：Never: `
        label = pattern.match(text, label.end())
    return text[start : label.end()] if label and reading.word else ""


def _packed(text: str, marks: int) -> list[str]:
    """The text in as few parts of whole sentences as the 240 units of a line allow; one part if they allow none."""
    parts = [""]
    for sentence in _sentences(text):
        if parts[-1] and marks + full_units(parts[-1] + sentence) > MAX_LINE_UNITS:
            parts.append("")
        parts[-1] += sentence
    return parts


def _sentences(text: str) -> Iterator[str]:
    """The sentences with the blanks after them. None ends inside code, brackets or emphasis."""
    start = counted = 0
    seen: Counter[str] = Counter()
    marks = re.compile(_MARKS)
    for end in re.finditer(_SENTENCE_END, text):
        seen.update(marks.findall(text, counted, end.end()))
        counted = end.end()
        if counted < len(text) and _is_balanced(seen):
            yield text[start:counted]
            start = counted
    yield text[start:]


_MARKS = r"`|\*\*|__|[()\[\]（）“”]"


def _is_balanced(seen: Counter[str]) -> bool:
    even = all(seen[mark] % 2 == 0 for mark in ("`", "**", "__"))
    return even and all(seen[opening] == seen[closing] for opening, closing in ("()", "[]", "（）", "“”"))


# --- blanks ------------------------------------------------------------------------------------------------


def blank_line_fix(file: TextFile, line: int) -> Fix:
    """A blank line between the 1-based `line` and the line of prose above it.

    Safe where a Markdown reader sees the same: a paragraph outside lists, and below it a heading or a list item that
    ends the paragraph anyway. Prose that ends in a colon introduces what follows, and to part the two is not safe.
    """
    document, lines = file.document, file.source.lines
    prose = lines[line - 2]
    ends_prose = lines[line - 1].lstrip().startswith("#") or line in document.item_starts
    in_item = line - 1 in document.lines_in_items
    introduces = prose.rstrip(" \t*_").endswith((":", "："))
    is_safe = document.kinds[line - 2] == "text" and ends_prose and not in_item and not introduces
    at = file.source.line_starts[line - 1]
    return Fix(
        (Edit(file.path, Span(at, at), file.source.line_end),),
        Applicability.SAFE if is_safe else Applicability.UNSAFE,
    )


def waste_fix(file: TextFile) -> Fix | None:
    """Takes out all but one of each run of blank lines, and trailing blanks that are no hard line break.

    Only outside code, HTML, comments and front matter. Blanks at the end of the file are free, and stay.
    """
    text = file.source.text
    if not any(sign in text for sign in ("\n\n\n", " \n", "\t\n", "\r\n")):
        return None
    edits = tuple(_wasted(file))
    return Fix(edits, Applicability.SAFE) if edits else None


_TRIMMED_KINDS = frozenset({"blank", "text", "heading", "table", "rule"})


def _wasted(file: TextFile) -> Iterator[Edit]:
    source, kinds = file.source, file.document.kinds
    items = file.document.item_starts
    was_blank = False
    for line in range(1, source.line_of(len(trim_end(source.text)))):
        kind, text, start = kinds[line - 1], source.lines[line - 1], source.line_starts[line - 1]
        is_blank = kind == "blank" and not text.strip(" \t")
        kept = len(text.rstrip(" \t"))
        goes_on = kind == kinds[line] and line + 1 not in items
        if is_blank and was_blank:
            yield Edit(file.path, Span(start, source.line_starts[line]), "")
        elif (
            kind in _TRIMMED_KINDS
            and kept < len(text)
            and not (goes_on and text.endswith("  ") and not is_blank)
        ):
            yield Edit(file.path, Span(start + kept, start + len(text)), "")
        was_blank = is_blank
