"""How a run is written down. One module per format; each turns a `Run` into text and knows nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from bootlint.diagnostics import Diagnostic, Severity
from bootlint.wording import Language

if TYPE_CHECKING:
    from bootlint.engine import Report

FORMATS = ("full", "concise", "json")


@dataclass(frozen=True, slots=True)
class Run:
    """Everything a report is made of."""

    reports: tuple[Report, ...]
    language: Language
    colour: bool = False
    width: int = 80  # columns of the terminal

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return sorted(
            (diagnostic for report in self.reports for diagnostic in report.diagnostics),
            key=lambda diagnostic: diagnostic.sort_key,
        )

    def count(self, severity: Severity) -> int:
        return sum(report.count(severity) for report in self.reports)


def render(output_format: str, run: Run) -> str:
    """The report in one of `FORMATS`, with its final line end; empty when there is nothing to say."""
    renderer: Callable[[Run], str] = import_module(f"bootlint.reporters.{output_format}").render
    return renderer(run)
