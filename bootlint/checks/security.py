"""BL5: what hides in the files, leaks out of them, or tells the agent to drop its guard.

All texts are judged that a release might read, sent in this session or not, daily notes among them.
"""

from __future__ import annotations

from bootlint import readings
from bootlint.diagnostics import Applicability, Edit, Finding, Fix, Params, Related, Severity, Span
from bootlint.readings import once_a_file
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bootlint.checks.context import Context
    from bootlint.security.disarming import Disarming
    from bootlint.security.hidden import Hidden
    from bootlint.workspace import TextFile

_QUOTED = 60  # code points of a quotation in a message


def _texts(context: Context) -> tuple[TextFile, ...]:
    """The bootstrap files, and the daily notes where the release has a bare /new add them."""
    workspace = context.workspace
    has_notes = context.simulation.contract.startup is not None
    return (*workspace.files.values(), *(workspace.daily_notes.values() if has_notes else ()))


def _is_note(file: TextFile) -> bool:
    return file.path.startswith("memory/")


def hidden_unicode(context: Context) -> Iterator[Finding]:
    """Characters that a reader does not see, or takes for others, and the model does not."""
    from bootlint.security import hidden

    for file in _texts(context):
        hidden_here = _hidden(file)
        removable = frozenset() if _is_note(file) else _removable(file, hidden_here)
        for found in hidden_here:
            params: Params = {
                "count": len(found.chars),
                "codes": hidden.names(found.chars),
                "reader": found.reader,
                "model": found.model,
            }
            yield Finding(
                file.path,
                found.span,
                params,
                fix=_removal(file, found, removable),
                variant=None if found.kind == "zero-width" else found.kind,
                # Icons of a font, more than are usual: they need not hide anything.
                severity=Severity.WARNING if found.kind == "private" else None,
            )

    yield from _brought_unrendered(context)


def _brought_unrendered(context: Context) -> Iterator[Finding]:
    """Orders that a change hides from who looks at the rendered page. Who keeps notes in comments is not asked twice."""
    past = context.past
    if past is None or past.before is None:
        return
    from bootlint.security import unrendered

    had = (*past.before.files.values(), *past.before.daily_notes.values())
    known = {_quoted(file, span) for file in had for span in unrendered.find(file)}
    for file in _texts(context):
        for span in unrendered.find(file):
            text = _quoted(file, span)
            if text not in known:
                yield Finding(
                    file.path, span, {"text": text}, variant="unrendered", severity=Severity.WARNING
                )


@once_a_file
def _hidden(file: TextFile) -> tuple[Hidden, ...]:
    from bootlint.security.hidden import find

    return tuple(find(file.source.text))


def secret(context: Context) -> Iterator[Finding]:
    """A key, a token or a password stands in a file that goes to the model in each session."""
    for file in _texts(context):
        for found in readings.secrets(file):
            params: Params = {"file": file.path, "name": found.name}
            variant = None if found.kind == "format" else found.kind
            yield Finding(file.path, found.span, params, variant="note" if _is_note(file) else variant)


def persistence_instruction(context: Context) -> Iterator[Finding]:
    """A sentence disarms the agent, or makes it rewrite what it is."""
    for file in _texts(context):
        for found in _disarming(file):
            params: Params = {"text": _quoted(file, found.span)}
            yield Finding(file.path, found.span, params, variant=found.kind)
    for pattern in context.given_texts("persistence-instruction", "patterns"):
        yield from _matches(context, pattern)


@once_a_file
def _disarming(file: TextFile) -> tuple[Disarming, ...]:
    from bootlint.security.disarming import find

    return tuple(find(file, readings.haystack(file)))


def pipe_to_shell(context: Context) -> Iterator[Finding]:
    """A command runs what it has just fetched, or a text is in an encoding that nobody reads."""
    from bootlint.security import shell

    for file in _texts(context):
        haystack = readings.haystack(file)
        for command in shell.find_commands(file, haystack):
            yield Finding(file.path, command.span, {"text": _quoted(file, command.span)})
        for payload in shell.find_payloads(file, haystack):
            if payload.chars >= context.number("pipe-to-shell", "payload-chars"):
                params: Params = {"chars": payload.chars, "encoding": payload.encoding}
                yield Finding(file.path, payload.span, params, variant="payload")


def truncation_marker_in_source(context: Context) -> Iterator[Finding]:
    """OpenClaw's own mark stands in a file: an agent wrote back what it had received."""
    from bootlint.security import markers

    for file in context.workspace.files.values():
        marks = list(markers.find(file))
        if not marks:
            continue
        first = marks[0]
        params: Params = {"file": file.path, "text": _quoted(file, first.span)}
        variant = "whole-file" if first.replaces_file else None
        for mark in marks:
            if mark.kept is not None and mark.total is not None:
                params = {**params, "kept": mark.kept, "total": mark.total, "gone": mark.total - mark.kept}
                variant = "counted"
                break
        related = tuple(Related(file.path, mark.span) for mark in marks[1:])
        yield Finding(file.path, first.span, params, related=related, variant=variant)


def _removable(file: TextFile, found: Iterable[Hidden]) -> frozenset[Span]:
    """The stray characters of no width that can go without a change of what Markdown makes of the text.

    Whatever else is hidden may be an attack: a person must look at it.
    """
    text = file.source.text
    candidates = [
        place
        for hidden in found
        if hidden.kind == "zero-width"
        for place in hidden.places
        if not _is_markup(text[place.start - 1 : place.start])
        and not _is_markup(text[place.end : place.end + 1])
    ]
    if not candidates:
        return frozenset()
    from bootlint.document import same_structure
    from bootlint.source import apply_edits

    without = apply_edits(text, [Edit(file.path, place, "") for place in candidates])
    return frozenset(candidates if same_structure(text, without) else ())


def _is_markup(char: str) -> bool:
    return char.isascii() and char.isprintable() and char != " " and not char.isalnum() and char != ""


def _removal(file: TextFile, found: Hidden, removable: frozenset[Span]) -> Fix | None:
    if not removable.issuperset(found.places):
        return None
    return Fix(tuple(Edit(file.path, place, "") for place in found.places), Applicability.SAFE)


def _matches(context: Context, pattern: str) -> Iterator[Finding]:
    """The lines that one of the user's own patterns matches."""
    from bootlint import user_patterns

    files = _texts(context)
    found = user_patterns.search(pattern, tuple(file.source.text for file in files))
    for file, spans in zip(files, found, strict=False):
        first_of_line = {file.source.line_of(span.start): span for span in reversed(spans)}
        for _, span in sorted(first_of_line.items()):
            yield Finding(file.path, span, {"pattern": pattern, "text": _quoted(file, span)})
    if len(found) < len(files):
        path = files[len(found)].path
        params: Params = {"file": path, "pattern": pattern, "seconds": user_patterns.SECONDS}
        yield Finding(path, Span(0, 0), params, variant="too-slow", severity=Severity.ERROR)


def _quoted(file: TextFile, span: Span) -> str:
    text = " ".join(file.source.text[span.start : span.end].split())
    return text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"
