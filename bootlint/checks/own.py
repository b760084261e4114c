"""BL0: what keeps bootlint itself from seeing a workspace as OpenClaw does. BL002 is found by the engine."""

from __future__ import annotations

import os

from bootlint.diagnostics import Finding, Params, Span
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.checks.context import Context
    from bootlint.openclaw.settings_check import InvalidValue


def unreadable_file(context: Context) -> Iterator[Finding]:
    """A bootstrap file is there, but cannot be read as text."""
    for file in context.workspace.files.values():
        if not file.source.valid_utf8 and context.is_loaded(file.path):
            at = file.source.text.index("\ufffd")
            params: Params = {"file": file.path, "line": file.source.line_of(at)}
            yield Finding(file.path, Span(at, at + 1), params)
    for path, refusal in context.refusals.items():
        if refusal in _NOT_TEXT:
            yield Finding(path, Span(0, 0), {"file": path}, variant=_NOT_TEXT[refusal])
    for path, reason in context.workspace.unreadable.items():
        if context.is_loaded(path) and path not in context.refusals:
            yield Finding(path, Span(0, 0), {"file": path}, variant=reason)


# Links are BL305's, which says what they cost.
_NOT_TEXT = {
    "not-a-file": "not-a-file",
    "fifo": "not-a-file",
    "no-permission": "no-permission",
    "too-large": "too-large",
}


def invalid_openclaw_config(context: Context) -> Iterator[Finding]:
    """openclaw.json cannot be used, or says something that the release does not understand."""
    situation = context.simulation.situation
    release = situation.contract.release
    if situation.config_error is not None:
        from bootlint.openclaw.config_file import NO_JSON5

        error = situation.config_error
        place = "" if error.line is None else f":{error.line}:{error.column}"
        params: Params = {
            "file": f"{error.path.name}{place}",
            "problem": error.message.removeprefix(NO_JSON5),
        }
        variant = "no-json5" if error.message.startswith(NO_JSON5) else "unusable"
        yield Finding(_from_workspace(context, error.path), Span(0, 0), params, variant=variant)
    if situation.config is None:
        return
    from bootlint.openclaw.settings_check import invalid_values, misspelt_keys, unknown_keys

    path = _from_workspace(context, situation.config.path)
    for unknown in unknown_keys(situation.config.data, situation.contract):
        params = {"key": unknown.key, "since": unknown.known_from, "release": release}
        yield Finding(path, Span(0, 0), params, variant=None if unknown.why == "not-yet" else unknown.why)
    for misspelt in misspelt_keys(situation.config.data):
        params = {"key": misspelt.key, "meant": misspelt.meant, "release": release}
        yield Finding(path, Span(0, 0), params, variant="misspelt")
    for invalid in invalid_values(situation.config.data, situation.contract):
        # A stranger's settings may name a file of this machine; its values are nobody's business.
        value = invalid.shown if context.workspace.has_beside(situation.config.path) else "…"
        params = {"key": invalid.key, "value": value, "release": release}
        yield Finding(path, Span(0, 0), {**params, **_wanted(invalid)}, variant=_variant(invalid))


def _from_workspace(context: Context, path: os.PathLike[str]) -> str:
    return os.path.relpath(path, context.workspace.root).replace(os.sep, "/")


def _variant(invalid: InvalidValue) -> str:
    if invalid.expected == "integer":
        return "number" if invalid.high is None else "range"
    if invalid.expected in ("boolean", "choice"):
        return "choice"
    return "choices" if invalid.choices else invalid.expected


def _wanted(invalid: InvalidValue) -> Params:
    match _variant(invalid):
        case "number":
            return {"low": invalid.low}
        case "range":
            return {"low": invalid.low, "high": invalid.high or invalid.low}
        case "choice" | "choices":
            return {"choices": invalid.choices or ("true", "false")}
        case _:
            return {}
