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


def read(path: Path) -> Known:
    """Raises BaselineError for a file that is not there or is no baseline."""
    try:
        return parse(read_plain(path), str(path))
    except OSError as error:
        raise BaselineError(
            f"{path}: cannot be read: {error.strerror}; --write-baseline makes the file"
        ) from error


def parse(data: bytes, origin: str) -> Known:
    try:
        document = json.loads(data)
        if document["schema_version"] != SCHEMA_VERSION:
            raise ValueError(f"schema version {_told(document['schema_version'])}")
        return frozenset((str(entry["path"]), str(entry["fingerprint"])) for entry in document["findings"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BaselineError(
            f"{origin}: is no baseline ({error}); write it again with --write-baseline"
        ) from error


def _told(version: object) -> str:
    """A number as it stands there. Any other value may be part of a file that only a link made a baseline."""
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
        if (_relative(diagnostic.path, path), diagnostic.fingerprint) not in known
    )
    silenced = len(report.diagnostics) - len(new)
    return replace(report, diagnostics=new, suppressed=report.suppressed + silenced)


def _relative(shown: str, baseline: Path) -> str:
    return os.path.relpath(shown, baseline.parent).replace(os.sep, "/")
