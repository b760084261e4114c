"""BL1: what the limits take away. Reads the injection; never counts a loss in any other way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bootlint.checks.context import Context, file_start
from bootlint.diagnostics import Finding, Params, Related, Span

if TYPE_CHECKING:
    from bootlint.openclaw.truncation import InjectedFile
    from bootlint.workspace import TextFile

_NEAR_SHARE = 0.85  # OpenClaw's own near-limit share


def file_over_limit(context: Context) -> Iterator[Finding]:
    """A file is longer than the limit of one file, so OpenClaw cuts it."""
    for file, injected in context.sent:
        if injected is not None and "limit" in injected.causes:
            yield Finding(file.path, file_start(file), _numbers(context, file, injected))
        elif injected is not None and "user-cap" in injected.causes:
            yield Finding(file.path, file_start(file), _numbers(context, file, injected), variant="user-cap")


def total_over_limit(context: Context) -> Iterator[Finding]:
    """Earlier files used so much of the total limit that this one is cut or left out."""
    total = context.simulation.situation.total_limit or 0
    arrived = context.simulation.injection.files
    for file, injected in context.sent:
        position = next((at for at, other in enumerate(arrived) if other is injected), len(arrived))
        used = tuple(f"{other.name} {other.injected_chars:,}" for other in arrived[:position])
        if injected is not None and "total" in injected.causes:
            numbers = _numbers(context, file, injected)
            yield Finding(file.path, file_start(file), {**numbers, "total": int(total), "used": used})
        elif injected is None and _starved(context, file):
            params: Params = {
                "file": file.name,
                "raw": context.simulation.raw_chars(file.name),
                "release": context.simulation.contract.release,
                "total": int(total),
                "used": used,
            }
            yield Finding(file.path, file_start(file), params, variant="left-out")


def content_dropped(context: Context) -> Iterator[Finding]:
    """Lines between head and tail reach the model nowhere."""
    for file, injected in context.sent:
        if injected is None:
            continue
        runs = context.simulation.lost_spans(file.name)
        if not runs:
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
        )


def near_limit(context: Context) -> Iterator[Finding]:
    """A file arrives whole, but is close to a size at which it will not."""
    for file, injected in context.sent:
        if injected is None or injected.causes or injected.limit is None:
            continue
        threshold = math.ceil(_NEAR_SHARE * injected.limit)
        if file.name == "AGENTS.md":
            threshold = min(threshold, context.number("near-limit", "advise-chars"))
        if injected.raw_chars >= threshold:
            yield Finding(
                file.path,
                file_start(file),
                {
                    "file": file.name,
                    "raw": injected.raw_chars,
                    "limit": int(injected.limit),
                    "release": context.simulation.contract.release,
                    "headroom": context.simulation.headroom(file.name) or 0,
                },
            )


def _numbers(context: Context, file: TextFile, injected: InjectedFile) -> Params:
    fates = context.simulation.fates(file.name)
    return {
        "file": file.name,
        "raw": injected.raw_chars,
        "injected": injected.injected_chars,
        "limit": int(injected.limit or 0),
        "lost": context.simulation.lost_chars(file.name),
        "rules": sum(fates[line - 1] not in ("kept", "digest") for line in context.priority_lines(file)),
        "release": context.simulation.contract.release,
    }


def _starved(context: Context, file: TextFile) -> bool:
    return any(
        skipped.file.name == file.name and skipped.reason == "total-used-up"
        for skipped in context.simulation.injection.skipped
    )


def _run(file: TextFile, run: Span) -> Related:
    first, last = (file.source.line_of(at) for at in (run.start, max(run.start, run.end - 1)))
    return Related(file.path, run, {"first": first, "last": last})
