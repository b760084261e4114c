"""BL1: what the limits take away. Reads the injection; never counts a loss in any other way."""

from __future__ import annotations

import math
from operator import itemgetter

from bootlint.checks.agents import NAME
from bootlint.checks.context import NEAR_SHARE, Context, file_start, line_text_span
from bootlint.diagnostics import Finding, Params, Related, Span
from bootlint.fixes import keyword_fix, split_fix, waste_fix
from bootlint.openclaw.jstext import utf16_len
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.checks.agents import Agents
    from bootlint.openclaw.digest_use import DigestUse
    from bootlint.openclaw.truncation import InjectedFile
    from bootlint.openclaw.upgrade import Merged
    from bootlint.workspace import TextFile


def file_over_limit(context: Context) -> Iterator[Finding]:
    """A file is longer than the limit of one file, so OpenClaw cuts it."""
    caps = {
        "limit": context.simulation.situation.limit,
        "user-cap": context.simulation.contract.truncation.user_max_chars or 0,
    }
    for file, injected in context.sent:
        cause = next((one for one in injected.causes if one in caps), None) if injected else None
        if injected is not None and cause is not None:
            cap = max(
                caps[cause], injected.limit or 0
            )  # the total may have left it less, and a limit of 0 is 1
            numbers = {**_numbers(context, file, injected), "limit": int(cap)}
            yield Finding(
                file.path,
                file_start(file),
                numbers,
                variant=None if cause == "limit" else cause,
                of_file=True,
            )
    yield from _long_personal_files(context)


def total_over_limit(context: Context) -> Iterator[Finding]:
    """Earlier files used so much of the total limit that this one is cut or left out."""
    total = context.simulation.situation.total_limit or 0
    arrived = context.simulation.injection.files
    for file, injected in context.sent:
        position = next((at for at, other in enumerate(arrived) if other is injected), len(arrived))
        used = tuple(f"{other.name} {other.injected_chars:,}" for other in arrived[:position])
        if injected is not None and "total" in injected.causes:
            numbers = _numbers(context, file, injected)
            yield Finding(
                file.path, file_start(file), {**numbers, "total": int(total), "used": used}, of_file=True
            )
        elif injected is None and _starved(context, file):
            params: Params = {
                "file": file.name,
                "raw": context.simulation.raw_chars(file.name),
                "release": context.simulation.contract.release,
                "total": int(total),
                "used": used,
            }
            yield Finding(file.path, file_start(file), params, variant="left-out", of_file=True)


def content_dropped(context: Context) -> Iterator[Finding]:
    """Lines between head and tail reach the model nowhere."""
    for file, injected in context.sent:
        if injected is None:
            continue
        text = file.source.text
        runs = [run for run in context.simulation.lost_spans(file.name) if text[run.start : run.end].strip()]
        if not runs:  # nothing, or blank lines
            continue
        fates = context.simulation.fates(file.name)
        lines = [line for line, fate in enumerate(fates, 1) if fate in ("dropped", "cut", "digest-cut")]
        gone = {line for line, fate in enumerate(fates, 1) if fate == "dropped"}
        headings = tuple(heading.title for heading in file.document.headings if heading.line in gone)
        yield Finding(
            file.path,
            runs[0],
            {
                "file": file.name,
                "release": context.simulation.contract.release,
                "chars": context.simulation.lost_chars(file.name),
                "lines": len(lines),
                "headings": len(headings),
                "rules": len(gone.intersection(context.priority_lines(file))),
            },
            related=tuple(_run(file, run) for run in runs),
            of_file=True,
        )


def priority_rule_dropped(context: Context) -> Iterator[Finding]:
    """A rule that commands or forbids reaches the model nowhere."""
    yield from _refused_rules(context)
    for file, injected in context.sent:
        fates = context.simulation.fates(file.name)
        lost = [line for line in context.priority_lines(file) if fates[line - 1] == "dropped"]
        if not lost:
            continue
        agents = context.agents if file.name == NAME else None
        use = agents.use if agents else None
        related = () if context.bare else tuple(_users(context, file, injected, use))
        for line in lost:
            variant, params = _why_dropped(context, file, line, injected, agents)
            yield Finding(
                file.path,
                line_text_span(file, line),
                {"file": file.name, "release": context.simulation.contract.release, **params},
                related=related,
                fix=keyword_fix(agents, line) if agents else None,
                variant=variant,
            )


def rule_cut(context: Context) -> Iterator[Finding]:
    """A rule line arrives in part."""
    for file, injected in context.sent:
        if injected is None or not injected.causes:
            continue
        fates = context.simulation.fates(file.name)
        for line, reading in context.rule_lines(file).items():
            if fates[line - 1] in ("cut", "digest-cut"):
                in_digest = fates[line - 1] == "digest-cut"
                span = line_text_span(file, line)
                yield Finding(
                    file.path,
                    span,
                    {
                        "release": context.simulation.contract.release,
                        "missing": _missing_in(context, file, span),
                        "length": utf16_len(file.source.text[span.start : span.end]),
                    },
                    fix=split_fix(file, line, reading) if in_digest else None,
                    variant="digest" if in_digest else None,
                )


def near_limit(context: Context) -> Iterator[Finding]:
    """A file arrives whole, or all files do, but close to a size at which they will not."""
    for file, injected in context.sent:
        if injected is None or injected.causes or injected.limit is None:
            continue
        if injected.raw_chars >= context.near_limit_from(file, injected):
            headroom = context.simulation.headroom(file.name) or 0
            yield Finding(
                file.path,
                file_start(file),
                {
                    "file": file.name,
                    "raw": injected.raw_chars,
                    "limit": int(injected.limit),
                    "release": context.simulation.contract.release,
                    "headroom": headroom,
                },
                variant=None if headroom else "full",
                of_file=True,
            )
    yield from _near_total(context)


def merge_over_limit(context: Context) -> Iterator[Finding]:
    """The upgrade merges TOOLS.md into AGENTS.md, and the result passes the limit."""
    texts = context.simulation.texts
    if not {"AGENTS.md", "TOOLS.md"} <= texts.keys() or not texts["TOOLS.md"].source.text.strip():
        return
    from bootlint.openclaw.upgrade import merge_tools

    merged = merge_tools(texts["AGENTS.md"].source.text, texts["TOOLS.md"].source.text)
    later = context.after_upgrade({"AGENTS.md": merged.text})
    injected = later.simulation.injected.get("AGENTS.md")
    if injected is None or not injected.causes:
        return
    file = later.workspace.files["AGENTS.md"]
    yield Finding(
        "TOOLS.md",
        file_start(texts["TOOLS.md"]),
        {
            "release": later.simulation.contract.release,
            "merged": injected.raw_chars,
            "limit": int(injected.limit or 0),
            "lost": later.simulation.lost_chars("AGENTS.md"),
            "rules": _count_lost_rules(later, file),
        },
        related=tuple(_would_be_lost(context, merged, later.simulation.lost_spans("AGENTS.md"))),
        of_file=True,
    )


def wasted_budget(context: Context) -> Iterator[Finding]:
    """Blank lines and trailing blanks show nothing and count against the limit."""
    least = context.number("wasted-budget", "min-chars")
    for file, injected in context.sent:
        fix = waste_fix(file) if injected is not None else None
        if injected is None or fix is None:
            continue
        units = sum(edit.span.end - edit.span.start for edit in fix.edits)  # blanks are one unit each
        if units >= least:
            params: Params = {"file": file.name, "chars": units, "limit": int(injected.limit or 0)}
            yield Finding(file.path, fix.edits[0].span, params, fix=fix)


def _numbers(context: Context, file: TextFile, injected: InjectedFile) -> Params:
    return {
        "file": file.name,
        "raw": injected.raw_chars,
        "injected": injected.injected_chars,
        "limit": int(injected.limit or 0),
        "lost": context.simulation.lost_chars(file.name),
        "rules": _count_lost_rules(context, file),
        "release": context.simulation.contract.release,
    }


def _count_lost_rules(context: Context, file: TextFile) -> int:
    """The priority rules of which nothing reaches the model."""
    fates = context.simulation.fates(file.name)
    return sum(fates[line - 1] == "dropped" for line in context.priority_lines(file))


def _starved(context: Context, file: TextFile) -> bool:
    return any(
        skipped.file.name == file.name and skipped.reason == "total-used-up"
        for skipped in context.simulation.injection.skipped
    )


def _run(file: TextFile, run: Span) -> Related:
    lines = _lines_of(file, run)
    return Related(file.path, run, lines, "one-line" if lines["first"] == lines["last"] else None)


def _long_personal_files(context: Context) -> Iterator[Finding]:
    """`users/<id>/USER.md` is not cut but dropped, in the sessions of the person to whom it belongs."""
    rules = context.simulation.contract.truncation
    if not rules.drops_long_personal_user or rules.user_max_chars is None:
        return
    limit = int(min(rules.user_max_chars, context.simulation.situation.limit))
    for path, file in context.workspace.files.items():
        raw = context.simulation.raw_chars(path)
        if path.startswith("users/") and raw > limit:
            params: Params = {
                "file": path,
                "raw": raw,
                "limit": limit,
                "release": context.simulation.contract.release,
            }
            yield Finding(path, file_start(file), params, variant="personal", of_file=True)


def _near_total(context: Context) -> Iterator[Finding]:
    """All files arrive whole, and together they are near the total limit. Points at the largest."""
    situation = context.simulation.situation
    total = situation.total_limit
    arrived = context.simulation.injection.files
    injected = sum(file.injected_chars for file in arrived)
    if total is None or injected < math.ceil(NEAR_SHARE * total):
        return
    if any("total" in file.causes for file in arrived) or any(
        _starved(context, file) for file, _ in context.sent
    ):
        return
    texts = [(own.injected_chars, file) for file, own in context.sent if own is not None]
    if not texts:  # nothing arrives but the markers of missing files
        return
    _, largest = max(texts, key=itemgetter(0))
    has_markers = any(file.pieces[0].kind == "missing" for file in arrived)
    yield Finding(
        largest.path,
        file_start(largest),
        {
            "file": largest.name,
            "injected": injected,
            "total": int(total),
            "release": context.simulation.contract.release,
            "room": int(total) - injected,
            "path": context.simulation.production_path,
        },
        variant="total-assumed" if has_markers and situation.workspace_path is None else "total",
        of_file=True,
    )


# --- a rule that is dropped ----------------------------------------------------------------------------------


def _why_dropped(
    context: Context, file: TextFile, line: int, injected: InjectedFile | None, agents: Agents | None
) -> tuple[str | None, Params]:
    """The variant of the message, and its numbers."""
    if injected is None:
        return ("left-out" if _starved(context, file) else None), {}
    if agents is None or agents.use is None:
        return None, {}
    gap = agents.gaps.get(line)
    if gap is not None:
        return gap.kind, {"words": gap.words, "keywords": gap.keywords}
    start = file.source.line_starts[line - 1]
    candidate, room = agents.use.by_start.get(start), agents.use.rooms.get(start)
    if candidate is None or room is None:
        return None, {}
    return "digest-full", {"room": max(0, room), "budget": agents.use.budget or 0, "needs": candidate.length}


def _refused_rules(context: Context) -> Iterator[Finding]:
    """The rules of files that the release does not read at all."""
    for file in context.simulation.refused.values():
        for line in context.priority_lines(file):
            params: Params = {"file": file.name, "release": context.simulation.contract.release}
            yield Finding(file.path, line_text_span(file, line), params, variant="refused")


def _users(
    context: Context, file: TextFile, injected: InjectedFile | None, use: DigestUse | None
) -> Iterator[Related]:
    """What used the room: head, tail and digest of the file, or the files before it."""
    if injected is None:
        yield from _earlier_files(context)
        return
    limit = int(injected.limit or 0)
    for piece in injected.pieces:
        if piece.kind in ("head", "tail") and piece.source is not None:
            span = Span(*piece.source)
            units = utf16_len(injected.content[piece.start : piece.end])
            yield Related(file.path, span, {**_lines_of(file, span), "chars": units, "limit": limit})
    if use is not None and use.taken:
        span = Span(min(use.taken).start, max(use.taken).end)
        budget = use.used if use.budget is None else use.budget
        yield Related(
            file.path, span, {**_lines_of(file, span), "chars": use.used, "limit": budget}, "digest"
        )


def _earlier_files(context: Context) -> Iterator[Related]:
    total = int(context.simulation.situation.total_limit or 0)
    for file, injected in context.sent:
        if injected is not None:
            params: Params = {"file": file.name, "chars": injected.injected_chars, "limit": total}
            yield Related(file.path, file_start(file), params, "left-out")


def _missing_in(context: Context, file: TextFile, span: Span) -> int:
    """UTF-16 units of a stretch of the file that reach the model nowhere."""
    return sum(
        utf16_len(file.source.text[max(run.start, span.start) : min(run.end, span.end)])
        for run in context.simulation.lost_spans(file.name)
        if run.start < span.end and span.start < run.end
    )


def _lines_of(file: TextFile, span: Span) -> Params:
    first, last = (file.source.line_of(at) for at in (span.start, max(span.start, span.end - 1)))
    return {"first": first, "last": last}


# --- the upgrade ---------------------------------------------------------------------------------------------


def _would_be_lost(context: Context, merged: Merged, runs: tuple[Span, ...]) -> Iterator[Related]:
    """Where the stretches that the merged file would lose stand today."""
    texts = context.simulation.texts
    agents, tools = texts["AGENTS.md"], texts["TOOLS.md"]
    inner = len(tools.source.text) - len(tools.source.text.lstrip())
    rest = len(agents.source.text) - (len(merged.text) - merged.after)
    stretches = (
        (agents, 0, merged.before, 0),
        (tools, merged.start, merged.end, inner - merged.start),
        (agents, merged.after, len(merged.text), rest - merged.after),
    )
    for run in runs:
        for file, start, end, shift in stretches:
            if max(run.start, start) < min(run.end, end):
                yield _run(file, Span(max(run.start, start) + shift, min(run.end, end) + shift))
