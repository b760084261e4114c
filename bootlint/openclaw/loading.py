"""Which files a workspace gives and what becomes of each: read, missing or unreadable, in load order.

How one entry is opened or refused is `reading`; which files a session keeps of them is `sessions`.
"""

from __future__ import annotations

import os
import re

from bootlint.openclaw import jstext
from bootlint.openclaw.reading import Reading, Root, read
from bootlint.openclaw.releases import contract as contract_of
from bootlint.openclaw.releases import latest_release
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bootlint.openclaw.contract import Contract, Loading
    from bootlint.openclaw.reading import Refusal

Status = Literal["ok", "missing", "unreadable"]


@record
class LoadedFile:
    """A bootstrap file as a release loads it.

    `path` is workspace and name, a link's own path and never its target's. `content` is what goes on to the
    budget: None when missing, the `[UNREADABLE: ...]` text when unreadable. `reason` is OpenClaw's, for
    unreadable files only. `refusal` says what stands there that the release does not read; a missing file
    without one is simply not there.
    """

    name: str
    path: str
    status: Status
    content: str | None
    reason: str | None = None
    refusal: Refusal | None = None
    personal_user: bool = False
    leaves_workspace: bool = False  # the oldest releases read through links that lead out of the workspace

    @property
    def unreadable(self) -> bool:
        """As in a BootstrapFile: `inject` takes what `load` gives."""
        return self.status == "unreadable"


def load(workspace_dir: str | os.PathLike[str], contract: Contract) -> tuple[LoadedFile, ...]:
    """The files that this release loads from a workspace folder, in its order. Never waits, never fails.

    Two deviations, both in the oldest releases: a FIFO, on which OpenClaw waits for ever, and a file over
    `plainfiles.SANE_BYTES` are missing, with a refusal.
    """
    root = Root.of(workspace_dir)
    return tuple(_load_one(root, name, contract.loading) for name in _names(root, contract.loading))


def with_personal_user(
    files: Sequence[LoadedFile], workspace_dir: str | os.PathLike[str], user_id: str, contract: Contract
) -> tuple[LoadedFile, ...]:
    """`files` and the person's `users/<id>/USER.md`: right after USER.md, at the end where that is absent.

    Unchanged for a release that knows no personal files, for an id that is no folder name, and where the file
    is absent or refused.
    """
    if not contract.truncation.drops_long_personal_user or not _is_folder_name(user_id):
        return tuple(files)
    root = Root.of(workspace_dir)
    relative = f"users/{user_id}/USER.md"
    reading = read(root, relative, contract.loading, max_bytes=contract.loading.max_bytes)
    if reading.text is None:
        return tuple(files)
    personal = LoadedFile("USER.md", root.inner(relative), "ok", reading.text, personal_user=True)
    at = next((i for i, file in enumerate(files, 1) if file.name == "USER.md"), len(files))
    return (*files[:at], personal, *files[at:])


def setup_completed(workspace_dir: str | os.PathLike[str]) -> bool | None:
    """Does the workspace say that its setup is completed? None: it does not say.

    Releases from 2026.8 on keep this in a database, which is not read.
    """
    root = Root.of(workspace_dir)
    states = [_setup_state(root, name) for name in STATE_FILES]
    known = [state for state in states if state is not None]
    return any(known) if known else None


STATE_FILES = (".openclaw/workspace-state.json", "openclaw-workspace-state.json")
_STATE_BYTES = 65_536
_REASON_UNITS = 300
_NO_FOLDER = Reading(None, "not-a-file", "canonical root directory identity changed or could not be verified")


def _names(root: Root, rules: Loading) -> tuple[str, ...]:
    fixed = [name for name in rules.names if name not in rules.optional]
    if not rules.exact_optional:
        return (*fixed, *_memory_names(root, rules))
    there = _listed(root.path, rules.optional)
    return tuple(name for name in rules.names if name in fixed or name in there)


def _memory_names(root: Root, rules: Loading) -> list[str]:
    """Of MEMORY.md and memory.md, the ones that can be accessed, links followed."""
    found = [name for name in ("MEMORY.md", "memory.md") if _exists(root.inner(name))]
    if rules.lowercase_memory == "instead":
        return found[:1]
    same = len({os.path.realpath(root.inner(name)) for name in found}) == 1
    return found[:1] if same else found


def _exists(path: str) -> bool:
    try:
        return os.access(path, os.F_OK)
    except ValueError:
        return False


def _listed(folder: str, wanted: frozenset[str]) -> frozenset[str]:
    """Those names that stand in the folder's listing, in this case. Nothing for one that cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return wanted.intersection(entry.name for entry in entries)
    except (OSError, ValueError):
        return frozenset()


def _load_one(root: Root, name: str, rules: Loading) -> LoadedFile:
    if rules.verifies_workspace and root.is_something_else:
        reading = _NO_FOLDER
    else:
        reading = read(root, name, rules, max_bytes=rules.max_bytes)
    path = root.inner(name)
    if reading.text is not None:
        return LoadedFile(name, path, "ok", reading.text, leaves_workspace=reading.leaves_workspace)
    if reading.refusal is None or rules.failure == "missing":
        return LoadedFile(name, path, "missing", None, refusal=reading.refusal)
    reason = _shortened(reading.reason)
    return LoadedFile(name, path, "unreadable", f"[UNREADABLE: {reason}]", reason, reading.refusal)


def _shortened(reason: str) -> str:
    one_line = re.sub(f"[{jstext.SPACE_CLASS}]+", " ", reason)
    return jstext.safe_head(jstext.trim(one_line), _REASON_UNITS)


def _is_folder_name(text: str) -> bool:
    return text not in ("", ".", "..") and not set(text) & {"/", "\\", "\0"}


def _setup_state(root: Root, name: str) -> bool | None:
    strictest = contract_of(latest_release()).loading
    text = read(root, name, strictest, max_bytes=_STATE_BYTES).text
    if text is None:
        return None
    import json

    try:
        state = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(state, dict):
        return None
    stamps = (state.get("setupCompletedAt"), state.get("onboardingCompletedAt"))
    return any(isinstance(stamp, str) and jstext.trim(stamp) for stamp in stamps)
