"""What the model receives of a workspace, as plain values: the one source of `show` in text, JSON and HTML.

All lengths are UTF-16 units. Nothing is counted here: every number comes from the simulation.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from bootlint.openclaw.jstext import utf16_len
from bootlint.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bootlint.checks.context import Context
    from bootlint.openclaw.fates import Fate
    from bootlint.openclaw.truncation import InjectedFile
    from bootlint.simulation import Simulation, Status
    from bootlint.workspace import TextFile


@record
class FileOverview:
    """One bootstrap file: what stands on disk, what arrives, and the fate of each of its lines."""

    name: str
    path: str  # as OpenClaw prints it
    status: Status
    raw_chars: int
    injected_chars: int
    lost_chars: int
    headroom: int | None  # None where nothing of it is sent
    limit: int | None
    causes: tuple[str, ...]
    content: str | None
    parts: Mapping[str, int]  # kind of piece → units of the injected text
    fates: tuple[Fate, ...]
    headings: tuple[tuple[int, str], ...]  # 1-based line, `## Title`
    priority_lines: tuple[int, ...]

    @property
    def runs(self) -> Iterator[tuple[int, int, Fate]]:
        """Stretches of lines with one fate: first and last line, 1-based. Blank lines join what is around them."""
        line = 1
        for fate, group in groupby(_blanks_filled(self.fates)):
            count = len(list(group))
            yield line, line + count - 1, fate
            line += count


@record
class Overview:
    """A workspace in one situation."""

    release: str
    session: str
    max_chars: int
    total_max_chars: int | None
    origins: Mapping[str, str]
    files: tuple[FileOverview, ...]
    warnings: tuple[str, ...]

    @property
    def raw_chars(self) -> int:
        return sum(file.raw_chars for file in self.files if file.status in ("injected", "skipped"))

    @property
    def injected_chars(self) -> int:
        return sum(file.injected_chars for file in self.files)

    @property
    def lost_chars(self) -> int:
        return sum(file.lost_chars for file in self.files if file.status in ("injected", "skipped"))

    @property
    def priority_rules(self) -> int:
        return sum(len(file.priority_lines) for file in self.files if file.status in ("injected", "skipped"))

    @property
    def reached(self) -> int:
        return sum(
            file.fates[line - 1] in ("kept", "digest")
            for file in self.files
            if file.status == "injected"
            for line in file.priority_lines
        )


def overview(context: Context) -> Overview:
    """Every file of the release's list in load order, then every other bootstrap file that was found, each once."""
    simulation = context.simulation
    situation = simulation.situation
    total = situation.total_limit
    return Overview(
        release=simulation.contract.release,
        session=situation.session,
        max_chars=int(situation.limit),
        total_max_chars=None if total is None else int(total),
        origins=situation.origins,
        files=tuple(_file(context, path) for path in _paths(simulation)),
        warnings=tuple(simulation.injection.warnings),
    )


def _paths(simulation: Simulation) -> tuple[str, ...]:
    listed = (*simulation.loaded, *simulation.contract.loading.names)
    found = (path for path in simulation.workspace.files if _is_bootstrap_path(path))
    return tuple(dict.fromkeys((*listed, *found)))


def _is_bootstrap_path(path: str) -> bool:
    from bootlint.workspace import BOOTSTRAP_NAMES

    return path.rpartition("/")[2].lower() in {name.lower() for name in BOOTSTRAP_NAMES}


def _file(context: Context, path: str) -> FileOverview:
    simulation = context.simulation
    file = simulation.workspace.files.get(path)
    injected = simulation.injected.get(path)
    sent = path in simulation.texts
    return FileOverview(
        name=path.rpartition("/")[2],
        path=f"{simulation.production_path}/{path}",
        status=simulation.status(path),
        raw_chars=simulation.raw_chars(path),
        injected_chars=0 if injected is None else injected.injected_chars,
        lost_chars=simulation.lost_chars(path) if file is not None else 0,
        headroom=simulation.headroom(path) if sent else None,
        limit=None if injected is None or injected.limit is None else int(injected.limit),
        causes=() if injected is None else tuple(injected.causes),
        content=None if injected is None else injected.content,
        parts=_parts(injected),
        fates=simulation.fates(path) if file is not None else (),
        headings=() if file is None else _headings(file),
        priority_lines=() if file is None else context.priority_lines(file),
    )


def _parts(injected: InjectedFile | None) -> Mapping[str, int]:
    parts: dict[str, int] = {}
    for piece in () if injected is None else injected.pieces:
        text = injected.content[piece.start : piece.end] if injected else ""
        parts[piece.kind] = parts.get(piece.kind, 0) + utf16_len(text)
    return parts


def _headings(file: TextFile) -> tuple[tuple[int, str], ...]:
    return tuple(
        (heading.line, f"{'#' * heading.level} {heading.title}") for heading in file.document.headings
    )


def _blanks_filled(fates: tuple[Fate, ...]) -> Iterator[Fate]:
    """Blank lines take the fate of the line before them, at the start that of the first line that has one."""
    current: Fate = next((fate for fate in fates if fate != "blank"), "blank")
    for fate in fates:
        current = current if fate == "blank" else fate
        yield current
