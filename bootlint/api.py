"""bootlint as a library: the same answers as the commands, as plain values that can be pickled.

Nothing is printed and nothing is written. Options are the keys of bootlint.toml with underscores; they win over the
closest bootlint.toml, which counts here as it does for the commands. Errors of the user are `UserError`s.
"""

from __future__ import annotations

from pathlib import Path

from bootlint import config, engine, fixer
from bootlint.simulation import Simulation
from bootlint.situations import basis
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import discover, the_workspace

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from bootlint.config import Settings
    from bootlint.engine import Report
    from bootlint.fixer import FixResult
    from bootlint.openclaw.truncation import Injection
    from bootlint.situations import Basis
    from bootlint.workspace import Workspace


def check(path: str | os.PathLike[str], **options: object) -> tuple[Report, ...]:
    """The report of every workspace at or below a path, a file meaning its workspace.

    >>> [found.code for report in check("agents/ada", openclaw="2026.9.6") for found in report.diagnostics]
    """
    return tuple(engine.check(*judged) for judged in _judged(path, options))


def simulate(path: str | os.PathLike[str], **options: object) -> Injection:
    """What the model receives of one workspace: in the first release asked for, in one session kind.

    >>> [(file.name, file.raw_chars, file.injected_chars) for file in simulate("agents/ada").files]
    """
    workspace = the_workspace(str(path))
    return Simulation(workspace, basis(workspace, _settings(workspace.root, options)).situations[0]).injection


def fix(path: str | os.PathLike[str], *, unsafe: bool = False, **options: object) -> tuple[FixResult, ...]:
    """What `bootlint fix` would write into every workspace at or below a path; the texts stand in the results."""
    return tuple(fixer.fix(*judged, unsafe=unsafe) for judged in _judged(path, options))


def _judged(
    path: str | os.PathLike[str], options: dict[str, object]
) -> Iterator[tuple[Workspace, Basis, Settings]]:
    for workspace in discover([str(path)]):
        settings = _settings(workspace.root, options)
        yield workspace, basis(workspace, settings), settings


def _settings(folder: Path, options: dict[str, object]) -> Settings:
    found = config.find(folder)
    named = {key.replace("_", "-"): _plain(value) for key, value in options.items()}
    return config.parse(named, "", config.read(found) if found else None)


def _plain(value: object) -> object:
    """Tuples and paths as TOML would give them."""
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, Path) else value
