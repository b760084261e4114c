"""Infos in reports for people: one entry a rule and file, with the line numbers; errors and warnings one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bootlint.diagnostics import Diagnostic, Severity


def grouped(diagnostics: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, tuple[int, ...]]]:
    """Each entry to print, with the further lines at which the same info holds."""
    entries: dict[tuple[str, str] | int, list[Diagnostic]] = {}
    for number, diagnostic in enumerate(diagnostics):
        alone = diagnostic.severity is not Severity.INFO
        entries.setdefault(number if alone else (diagnostic.path, diagnostic.code), []).append(diagnostic)
    for first, *others in entries.values():
        lines = sorted({other.start.line for other in others} - {first.start.line})
        yield first, tuple(lines)
