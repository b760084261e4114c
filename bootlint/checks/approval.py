"""BL5, second half: files against what was approved of them, and against how long they were."""

from __future__ import annotations

from bootlint.checks.context import file_start, line_text_span
from bootlint.diagnostics import Finding, Params, Related, Span
from bootlint.readings import mask_of
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import LOCK_NAME, TextFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.checks.context import Context
    from bootlint.past import Difference, Drift, Lines, Past

_MOST_QUOTED = 3  # lines of each kind in a message; `bootlint lock --check` prints all
_QUOTED = 60  # code points of each
_MOST_RELATED = 10
_COME_AND_GO = ("HEARTBEAT.md", "BOOTSTRAP.md")  # emptied on purpose


def unapproved_change(context: Context) -> Iterator[Finding]:
    """An approved file is no longer what was approved, or the lock that says so cannot be used."""
    past = context.past
    if past is None:
        return
    if past.fault is not None:
        params: Params = {"lock": past.lock_name, "line": past.fault.line}
        yield Finding(LOCK_NAME, _place_of_fault(past), params, variant=f"lock-{past.fault.fault}")
    for drift in past.drifts:
        yield _drifted(context, drift)


def shrunk(context: Context) -> Iterator[Finding]:
    """A file has lost more than half of what it held before the change, or when it was approved."""
    past = context.past
    if past is None or not (past.lock or past.before):
        return
    least = context.number("shrunk", "from-bytes")
    for path, file in context.workspace.files.items():
        size = past.size_now(path)
        if (
            size is None
            or not context.is_loaded(path)
            or file.name in _COME_AND_GO
            or past.is_untouched(path)
        ):
            continue
        params: Params = {"file": path, "size": size}
        before, approval = past.size_before(path), past.lock.get(path)
        if before is not None and before >= least and size * 2 < before:
            yield Finding(path, file_start(file), {**params, "before": before}, of_file=True)
        elif approval is not None and approval.size >= least and size * 2 < approval.size:
            told = {**params, "before": approval.size, "date": approval.date}
            yield Finding(path, file_start(file), told, variant="since-approval", of_file=True)


def _place_of_fault(past: Past) -> Span:
    """The line of the lock; its beginning where the lock is that of another commit."""
    text = None if past.base else past.workspace.text_at(LOCK_NAME)
    if text is None or past.fault is None or not past.fault.line:
        return Span(0, 0)
    return text.line_span(min(past.fault.line, len(text.lines)))


def _drifted(context: Context, drift: Drift) -> Finding:
    path = drift.approval.path
    file = context.workspace.files.get(path)
    start = Span(0, 0) if file is None else file_start(file)
    # As it is printed: the message names it in a command.
    shown = context.workspace.shown_path(path)
    params: Params = {"file": shown, "date": drift.approval.date, "before": drift.approval.size}
    own = "own-lock" if drift.by_change else None
    if isinstance(drift.now, str):
        return Finding(path, start, params, variant=f"{own}-gone" if own else drift.now)
    if file is None or drift.difference is None:
        return Finding(path, start, {**params, "size": drift.now}, variant=own or "unknown")
    added, removed = drift.difference.added, drift.difference.removed
    told = {**params, **_told(path, drift.difference)}
    if not added:
        return Finding(path, start, told, variant=own or ("removed" if removed else "rearranged"))
    first, *others = (line_text_span(file, line) for line, _ in added)
    related = tuple(Related(path, span) for span in others[:_MOST_RELATED])
    return Finding(path, first, told, related, variant=own or (None if removed else "added"))


def _told(path: str, difference: Difference) -> Params:
    # What is quoted of the file now, the engine masks.
    mask = mask_of(TextFile(path, difference.before))
    return {
        "added": len(difference.added),
        "removed": len(difference.removed),
        "new": _quoted(difference.added),
        "old": tuple(map(mask, _quoted(difference.removed))),
    }


def _quoted(lines: Lines) -> tuple[str, ...]:
    texts = [text.strip() for _, text in lines[:_MOST_QUOTED]]
    shown = (text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…" for text in texts)
    return (*shown, *(["…"] if len(lines) > _MOST_QUOTED else []))
