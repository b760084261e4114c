"""The findings as JSON, schema version 1. Offsets and columns are code points; lines and columns count from 1."""

from __future__ import annotations

from bootlint.diagnostics import Severity
from bootlint.reporters.basis import origin_words
from bootlint.reporters.jsontext import dump
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from bootlint.diagnostics import Diagnostic, Edit, Fix, Note, Position
    from bootlint.engine import Report
    from bootlint.reporters import Run
    from bootlint.simulation import Situation


def render(run: Run) -> str:
    releases = list(dict.fromkeys(s.contract.release for report in run.reports for s in report.situations))
    return dump(
        {
            "schema_version": 1,
            "release": releases[0] if len(releases) == 1 else releases,
            "diagnostics": [_diagnostic(diagnostic) for diagnostic in run.diagnostics_with_edits],
            "summary": {
                "errors": run.count(Severity.ERROR),
                "warnings": run.count(Severity.WARNING),
                "infos": run.count(Severity.INFO),
                "suppressed": sum(report.suppressed for report in run.reports),
                "workspaces": [_workspace(report) for report in run.reports],
            },
        },
        indent=2,
    )


def _diagnostic(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity.label,
        "path": diagnostic.path,
        **_place(diagnostic.start, diagnostic.end),
        "message": diagnostic.message,
        "fate": diagnostic.fate,
        "releases": list(diagnostic.releases),
        "fingerprint": diagnostic.fingerprint,
        "related": [_note(note) for note in diagnostic.notes],
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix),
    }


def _note(note: Note) -> dict[str, object]:
    return {"path": note.path, **_place(note.start, note.end), "message": note.message}


def _fix(fix: Fix) -> dict[str, object]:
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "edits": [_edit(edit) for edit in fix.edits],
    }


def _edit(edit: Edit) -> dict[str, object]:
    return {
        "path": edit.path,
        "start": edit.span.start,
        "end": edit.span.end,
        **_place(*edit.place),
        "text": edit.text,
    }


def _place(start: Position, end: Position) -> dict[str, int]:
    return {"line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column}


def _workspace(report: Report) -> dict[str, object]:
    return {
        "path": report.workspace,
        "priority_rules": report.priority_rules,
        "reached": report.reached,
        "situations": [_situation(situation) for situation in report.situations],
    }


def _situation(situation: Situation) -> dict[str, object]:
    """The keys of `show --output-format json`."""
    total = situation.total_limit
    return {
        "release": situation.contract.release,
        "known_as": situation.contract.known_as,
        "session": situation.session,
        "limits": {
            "max_chars": int(situation.limit),
            "total_max_chars": None if total is None else int(total),
            "origin": {
                "release": origin_words(situation.origins["openclaw"], "en"),
                "max_chars": origin_words(situation.origins["max-chars"], "en"),
                "total_max_chars": origin_words(situation.origins["total-max-chars"], "en"),
            },
        },
    }
