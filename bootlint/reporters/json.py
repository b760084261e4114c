"""The findings as JSON, schema version 1. Offsets and columns are code points; lines and columns count from 1."""

from __future__ import annotations

import json

from bootlint.diagnostics import Diagnostic, Edit, Fix, Severity
from bootlint.reporters import Run


def render(run: Run) -> str:
    releases = list(dict.fromkeys(s.contract.release for report in run.reports for s in report.situations))
    document = {
        "schema_version": 1,
        "release": releases[0] if len(releases) == 1 else releases,
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in run.diagnostics],
        "summary": {
            "errors": run.count(Severity.ERROR),
            "warnings": run.count(Severity.WARNING),
            "infos": run.count(Severity.INFO),
            "suppressed": sum(report.suppressed for report in run.reports),
            "workspaces": [
                {"path": report.workspace, "priority_rules": report.priority_rules, "reached": report.reached}
                for report in run.reports
            ],
        },
    }
    return json.dumps(document, ensure_ascii=True, indent=2) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity.label,
        "path": diagnostic.path,
        "line": diagnostic.start.line,
        "column": diagnostic.start.column,
        "end_line": diagnostic.end.line,
        "end_column": diagnostic.end.column,
        "message": diagnostic.message,
        "releases": list(diagnostic.releases),
        "fingerprint": diagnostic.fingerprint,
        "related": [
            {
                "path": note.path,
                "line": note.start.line,
                "column": note.start.column,
                "end_line": note.end.line,
                "end_column": note.end.column,
                "message": note.message,
            }
            for note in diagnostic.notes
        ],
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix),
    }


def _fix(fix: Fix) -> dict[str, object]:
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "edits": [_edit(edit) for edit in fix.edits],
    }


def _edit(edit: Edit) -> dict[str, object]:
    place = {"path": edit.path, "start": edit.span.start, "end": edit.span.end, "text": edit.text}
    if edit.start is not None and edit.end is not None:
        place |= {
            "line": edit.start.line,
            "column": edit.start.column,
            "end_line": edit.end.line,
            "end_column": edit.end.column,
        }
    return place
