"""BL3, second half: what the files of a workspace say that OpenClaw handles otherwise than people think."""

from __future__ import annotations

from bootlint.checks.context import file_start, line_text_span
from bootlint.diagnostics import Applicability, Edit, Finding, Fix, Params, Related, Span
from bootlint.openclaw.jstext import utf16_len
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.checks.context import Context
    from bootlint.workspace import TextFile

_BOM = "\ufeff"
# What they say is meant for one kind of run: hidden from others, it is where it belongs.
_FOR_ONE_KIND_OF_RUN = ("HEARTBEAT.md", "BOOTSTRAP.md")


def byte_order_mark(context: Context) -> Iterator[Finding]:
    """A file begins with a byte order mark, which OpenClaw keeps."""
    for file in _loaded(context):
        text = file.source.text
        if text.startswith(_BOM):
            span = Span(0, len(text) - len(text.lstrip(_BOM)))
            fix = Fix((Edit(file.path, span, ""),), Applicability.SAFE)
            yield Finding(file.path, span, _named(context, file), fix=fix)


def hidden_from_session(context: Context) -> Iterator[Finding]:
    """Priority rules stand in a file that sub-agents or cron runs never get."""
    sessions = context.simulation.contract.sessions
    for file in _loaded(context):
        kinds = [
            (kind, names)
            for kind, names in (("subagent", sessions.subagent), ("cron", sessions.cron))
            if names is not None and file.name not in names
        ]
        if not kinds or file.name in _FOR_ONE_KIND_OF_RUN:
            continue
        seen = {
            rule
            for other in _loaded(context)
            if all(other.name in names for _, names in kinds)
            for rule in context.rule_texts(other).values()
        }
        rules = context.rule_texts(file)
        lines = [line for line in context.priority_lines(file) if rules.get(line) not in seen]
        if lines:
            first, *rest = (line_text_span(file, line) for line in lines)
            params = {**_named(context, file), "rules": len(lines), "kinds": tuple(kind for kind, _ in kinds)}
            yield Finding(file.path, first, params, related=tuple(Related(file.path, span) for span in rest))


def leaks_into_group(context: Context) -> Iterator[Finding]:
    """MEMORY.md is injected into group chats, too."""
    if context.simulation.contract.sessions.hides_memory_in_groups:
        return
    for file in _loaded(context):
        if file.name.lower() == "memory.md" and (chars := context.simulation.raw_chars(file.name)):
            yield Finding(
                file.path, file_start(file), {**_named(context, file), "chars": chars}, of_file=True
            )


def front_matter_injected(context: Context) -> Iterator[Finding]:
    """Front matter is injected like all other text."""
    for file in _loaded(context):
        if file.source.text.startswith(("---", f"{_BOM}---")) and file.document.front_matter is not None:
            first, last = (file.source.line_span(line) for line in file.document.front_matter)
            span = Span(first.start, last.end)
            chars = utf16_len(file.source.text[span.start : span.end])
            yield Finding(file.path, span, {**_named(context, file), "chars": chars})


def duplicate_rule(context: Context) -> Iterator[Finding]:
    """The same rule line stands twice, in one file or in two."""
    first: dict[str, tuple[TextFile, int]] = {}
    for file, _ in context.sent:
        for line, rule in context.rule_texts(file).items():
            other, there = first.setdefault(rule, (file, line))
            if (other, there) != (file, line):
                related = Related(other.path, line_text_span(other, there))
                params = {**_named(context, file), "other": other.path, "line": there}
                yield Finding(file.path, line_text_span(file, line), params, related=(related,))


def _loaded(context: Context) -> list[TextFile]:
    """The readable files that the release looks for in some session, in load order, personal ones last."""
    files = context.workspace.files
    order = [*context.simulation.loaded, *(path for path in files if "/" in path)]
    return [
        files[path]
        for path in order
        if path in files and context.is_loaded(path) and path not in context.refusals
    ]


def _named(context: Context, file: TextFile) -> Params:
    return {"file": file.path, "release": context.simulation.contract.release}
