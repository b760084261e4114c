"""SARIF 2.1.0, as GitHub code scanning and editors read it. Columns are code points, as everywhere in bootlint."""

from __future__ import annotations

import os
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from bootlint import __version__, catalog
from bootlint.diagnostics import Applicability, Severity
from bootlint.reporters.jsontext import dump
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import printable

if TYPE_CHECKING:
    from bootlint.diagnostics import Diagnostic, Edit, Fix, Note, Position
    from bootlint.reporters import Run
    from bootlint.wording import Language

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"  # the name that GitHub knows for the repository's root
_ROOT_IS = "The top of the repository; where there is none, the folder in which bootlint ran."
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_LANGUAGES: dict[Language, str] = {"en": "en-US", "zh": "zh-CN"}


def render(run: Run) -> str:
    diagnostics = run.diagnostics_with_edits
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    rules = [_rule(code, run.language) for code in codes]
    driver = {"name": "bootlint", "semanticVersion": __version__, "rules": rules}
    scan = {
        "tool": {"driver": driver},
        "language": _LANGUAGES[run.language],
        "invocations": [{"executionSuccessful": True}],
        "originalUriBaseIds": {_ROOT: {"description": {"text": _ROOT_IS}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, codes.index(diagnostic.code)) for diagnostic in diagnostics],
    }
    return dump({"$schema": _SCHEMA, "version": "2.1.0", "runs": [scan]})


def _rule(code: str, language: Language) -> dict[str, object]:
    info = catalog.rule(code)
    summary = {"text": info.localised_summary(language)}
    return {
        "id": code,
        "name": info.name,
        "shortDescription": summary,
        "fullDescription": summary,
        "help": summary | {"markdown": info.advice(language)},
        "defaultConfiguration": {"level": _LEVELS[info.severity]},
    }


def _result(diagnostic: Diagnostic, rule_index: int) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[diagnostic.severity],
        "message": _message(diagnostic.message),
        "locations": [_location(diagnostic.path, diagnostic.start, diagnostic.end)],
        # A key of our own: GitHub's upload computes `primaryLocationLineHash` and warns of every other value there.
        "partialFingerprints": {"bootlint/v1": diagnostic.fingerprint},
    }
    if diagnostic.notes:
        result["relatedLocations"] = [_related(note) for note in diagnostic.notes]
    if diagnostic.fix is not None and _can_be_applied(diagnostic.fix):
        result["fixes"] = [_fix(diagnostic.fix)]
    return result


def _message(text: str) -> dict[str, object]:
    """Plain text: `[words](target)` in it would become a link."""
    return {"text": printable(text).replace("](", "] (")}


def _location(path: str, start: Position, end: Position) -> dict[str, object]:
    return {"physicalLocation": {"artifactLocation": _artifact(path), "region": _region(start, end)}}


def _related(note: Note) -> dict[str, object]:
    return _location(note.path, note.start, note.end) | {"message": _message(note.message)}


def _artifact(path: str) -> dict[str, object]:
    if os.path.isabs(path):
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(os.fsencode(path)), "uriBaseId": _ROOT}


def _region(start: Position, end: Position) -> dict[str, object]:
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _can_be_applied(fix: Fix) -> bool:
    return bool(fix.edits) and fix.applicability is not Applicability.DISPLAY


def _fix(fix: Fix) -> dict[str, object]:
    by_path = groupby(fix.edits, key=lambda edit: edit.path)
    return {
        "description": _message(fix.title),
        "artifactChanges": [
            {"artifactLocation": _artifact(path), "replacements": [_replacement(edit) for edit in edits]}
            for path, edits in by_path
        ],
        "properties": {"applicability": fix.applicability.value},
    }


def _replacement(edit: Edit) -> dict[str, object]:
    return {"deletedRegion": _region(*edit.place), "insertedContent": {"text": edit.text}}
