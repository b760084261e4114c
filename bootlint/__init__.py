"""bootlint: what an OpenClaw agent really receives of its workspace files.

`check`, `simulate` and `fix` answer as the commands do; `bootlint.openclaw` is the simulation of OpenClaw by itself.
"""

from __future__ import annotations

from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from bootlint.api import check, fix, simulate
    from bootlint.diagnostics import Diagnostic
    from bootlint.openclaw.truncation import BootstrapFile, Injection

__version__ = "0.1.0"
__all__ = ["BootstrapFile", "Diagnostic", "Injection", "__version__", "check", "fix", "simulate"]

_HOMES = {
    "check": "bootlint.api",
    "fix": "bootlint.api",
    "simulate": "bootlint.api",
    "Diagnostic": "bootlint.diagnostics",
    "BootstrapFile": "bootlint.openclaw.truncation",
    "Injection": "bootlint.openclaw.truncation",
}


def __getattr__(name: str) -> object:
    """The public names, imported when they are asked for: the command line imports this package at every start."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
