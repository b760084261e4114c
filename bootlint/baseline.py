"""The findings that a project has decided to live with for now: a file of fingerprints, sorted and diffable.

An entry silences one finding. Entries whose finding is gone are of no consequence; writing the file again drops
them. No text of a workspace stands in it.
"""

from __future__ import annotations

import json
import os

from bootlint.diagnostics import Diagnostic, UserError
from bootlint.plainfiles import read_plain
from bootlint.records import replace
from bootlint.source import write_over
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bootlint.engine import Report

SCHEMA_VERSION = 1

Known = frozenset[tuple[str, str]]  # path relative to the baseline's folder, fingerprint


class BaselineError(UserError):
    """A baseline that cannot be used. The text names the file and the remedy."""


def read(path: Path, shown: str) -> Known:
    """Raises BaselineError for a file that is not there or is no baseline, and says `shown` for it."""
    try:
        return parse(read_plain(path), shown)
    except OSError as error:
        raise BaselineError(
            f"{shown}: cannot be read: {error.strerror}; --write-baseline makes the file"
        ) from error


def parse(data: bytes, origin: str) -> Known:
    """Raises BaselineError. It quotes nothing: a link may have made any file a baseline."""
    try:
        document = json.loads(data)
    except json.JSONDecodeError as error:
        raise _fault(origin, f"it is no JSON from line {error.lineno} on") from None
    except (ValueError, RecursionError):  # no text, or a flood
        raise _fault(origin, "it is no JSON") from None
    if not isinstance(document, dict) or "schema_version" not in document:
        raise _fault(origin, "it has no schema_version")
    if document["schema_version"] != SCHEMA_VERSION:
        version = _told(document["schema_version"])
        raise _fault(origin, f"its schema_version is {version}, and this bootlint reads {SCHEMA_VERSION}")
    findings = document.get("findings")
    if not isinstance(findings, list):
        raise _fault(origin, "it has no list of findings")
    return frozenset(_entry(finding, number, origin) for number, finding in enumerate(findings, 1))


def _entry(finding: object, number: int, origin: str) -> tuple[str, str]:
    if isinstance(finding, dict):
        path, fingerprint = finding.get("path"), finding.get("fingerprint")
        if isinstance(path, str) and isinstance(fingerprint, str):
            return path, fingerprint
    raise _fault(origin, f"finding {number} has no path and fingerprint")


def _fault(origin: str, problem: str) -> BaselineError:
    return BaselineError(f"{origin}: is no baseline: {problem}; write it again with --write-baseline")


def _told(version: object) -> str:
    return f"{version:,}" if isinstance(version, int) and -(10**9) < version < 10**9 else "unknown"


def write(path: Path, diagnostics: Iterable[Diagnostic]) -> int:
    """Write the findings as a baseline; how many come back. Raises NotWrittenError where the file cannot be written."""
    entries = sorted(
        {
            (_relative(diagnostic.path, path), diagnostic.code, diagnostic.fingerprint)
            for diagnostic in diagnostics
        }
    )
    findings = [{"path": place, "code": code, "fingerprint": mark} for place, code, mark in entries]
    text = json.dumps({"schema_version": SCHEMA_VERSION, "findings": findings}, indent=1) + "\n"
    write_over(path, text)
    return len(entries)


def without_known(report: Report, known: Known, path: Path) -> Report:
    """The report without the findings of the baseline at `path`; they count as suppressed."""
    new = tuple(
        diagnostic
        for diagnostic in report.diagnostics
        if known.isdisjoint((_relative(diagnostic.path, path), mark) for mark in diagnostic.known_by)
    )
    silenced = len(report.diagnostics) - len(new)
    return replace(report, diagnostics=new, suppressed=report.suppressed + silenced)


def _relative(shown: str, baseline: Path) -> str:
    return os.path.relpath(shown, baseline.parent).replace(os.sep, "/")
