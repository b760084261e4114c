"""What OpenClaw does with the bootstrap files of a workspace, release by release. Knows nothing of linting.

The names below are public; each is imported when it is first asked for.
"""

from __future__ import annotations

# Bound at once: two of these functions share their names with the modules `contract` and `releases`, and to
# import a module binds its name as well. When this line is through, both are imported and never bound again.
from bootlint.openclaw.releases import contract, latest_release, releases
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from bootlint.openclaw.compaction import compaction_sections
    from bootlint.openclaw.contract import Contract
    from bootlint.openclaw.heartbeat import heartbeat_is_empty
    from bootlint.openclaw.loading import LoadedFile, load, with_personal_user
    from bootlint.openclaw.prompt import project_context
    from bootlint.openclaw.sessions import visible_files
    from bootlint.openclaw.settings import resolve_limits
    from bootlint.openclaw.startup import startup_notes
    from bootlint.openclaw.truncation import BootstrapFile, InjectedFile, Injection, Piece, inject
else:
    _HOMES = {
        "BootstrapFile": "truncation",
        "Contract": "contract",
        "InjectedFile": "truncation",
        "Injection": "truncation",
        "LoadedFile": "loading",
        "Piece": "truncation",
        "compaction_sections": "compaction",
        "heartbeat_is_empty": "heartbeat",
        "inject": "truncation",
        "load": "loading",
        "project_context": "prompt",
        "resolve_limits": "settings",
        "startup_notes": "startup",
        "visible_files": "sessions",
        "with_personal_user": "loading",
    }

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


__all__ = [
    "BootstrapFile",
    "Contract",
    "InjectedFile",
    "Injection",
    "LoadedFile",
    "Piece",
    "compaction_sections",
    "contract",
    "heartbeat_is_empty",
    "inject",
    "latest_release",
    "load",
    "project_context",
    "releases",
    "resolve_limits",
    "startup_notes",
    "visible_files",
    "with_personal_user",
]
