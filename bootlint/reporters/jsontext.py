"""JSON that any reader takes: plain ASCII, no lone surrogate, and nothing that a CI log would obey."""

from __future__ import annotations

import json


def dump(document: object, *, indent: int | None = None) -> str:
    """The document as JSON text with its final line end, on one line unless it is indented.

    ASCII, because a terminal that is not UTF-8 would break anything else. Lone surrogates, which undecodable
    file names hold, become the text `\\udcff`: strict readers refuse a whole document for one of them.
    """
    text = json.dumps(_sound(document), ensure_ascii=True, indent=indent)
    return text.replace("##[", "#\\u0023[") + "\n"  # `##[error]` is a command to a GitHub runner


def _sound(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _sound(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_sound(item) for item in value]
    return value
