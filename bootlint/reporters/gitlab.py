"""GitLab's code quality report: each finding in the merge request, at its line."""

from __future__ import annotations

import hashlib

from bootlint.diagnostics import Severity
from bootlint.reporters.jsontext import dump
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import printable

if TYPE_CHECKING:
    from bootlint.diagnostics import Diagnostic
    from bootlint.reporters import Run

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(run: Run) -> str:
    return dump([_issue(diagnostic) for diagnostic in run.diagnostics])


def _issue(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "description": f"{diagnostic.code} {diagnostic.name}: {printable(diagnostic.message)}",
        "check_name": diagnostic.code,
        "fingerprint": _fingerprint(diagnostic),
        "severity": _SEVERITIES[diagnostic.severity],
        "location": {"path": diagnostic.path, "lines": {"begin": diagnostic.start.line}},
    }


def _fingerprint(diagnostic: Diagnostic) -> str:
    """GitLab drops findings with equal fingerprints; ours is equal where two workspaces hold the same line."""
    material = f"{diagnostic.path}\0{diagnostic.fingerprint}"
    return hashlib.sha256(material.encode("utf-8", "surrogatepass")).hexdigest()[:32]
