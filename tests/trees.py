"""Builds the folders that the golden rows of `load` and `startup` describe."""

from __future__ import annotations

import base64
import os
from typing import TYPE_CHECKING

from golden_rows import number, optional_number, optional_text, records, text

if TYPE_CHECKING:
    from pathlib import Path

    from golden_rows import JsonObject


def build(data: JsonObject, base: Path) -> Path:
    """Makes a row's entries in `base/ws` and beside it. Returns the path that is given to the loader."""
    given = _given(data, base)
    if data.get("workspace_file"):
        given.write_text("")
    if data.get("no_workspace") or data.get("workspace_file"):
        return given
    workspace = base / "ws"
    workspace.mkdir(exist_ok=True)
    entries = records(data["entries"])
    for entry in entries:
        _make(entry, workspace, given)
    for entry in entries:
        if "mode" in entry:
            (workspace / text(entry["path"])).chmod(int(text(entry["mode"]), 8))
    return given


def _given(data: JsonObject, base: Path) -> Path:
    linked = data.get("workspace_link")
    if linked == "parent":
        (base / "to-base").symlink_to(base)
        return base / "to-base" / "ws"
    if linked:
        (base / "to-ws").symlink_to(base / "ws")
        return base / "to-ws"
    return base / "ws"


def _make(entry: JsonObject, workspace: Path, given: Path) -> None:
    path = workspace / text(entry["path"])
    path.parent.mkdir(parents=True, exist_ok=True)
    match entry["kind"]:
        case "file":
            path.write_bytes(_content(entry))
        case "symlink":
            path.symlink_to(text(entry["target"]).replace("{ws}", str(given)))
        case "hardlink":
            path.hardlink_to(workspace / text(entry["of"]))
        case "fifo":
            os.mkfifo(path)
        case _:
            path.mkdir(exist_ok=True)
    mtime = optional_number(entry.get("mtime"))
    if mtime is not None:
        os.utime(path, (mtime, mtime))


def _content(entry: JsonObject) -> bytes:
    if "size" in entry:
        return b"a" * int(number(entry["size"]))
    encoded = optional_text(entry.get("bytes_b64"))
    return text(entry["text"]).encode() if encoded is None else base64.b64decode(encoded)
