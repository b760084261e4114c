"""What the model receives of a workspace, as plain values: the one source of `show` in text, JSON and HTML.

All lengths are UTF-16 units, all columns code points. Nothing is simulated here, and nothing is worded.
"""

from __future__ import annotations

import sys
from functools import cached_property
from itertools import groupby

from bootlint.cost import ENCODING, cost
from bootlint.openclaw.fates import REACHED
from bootlint.openclaw.prompt import project_context
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bootlint.checks.context import Context
    from bootlint.cost import Cost, TokenCounter
    from bootlint.diagnostics import Position
    from bootlint.openclaw.fates import Fate
    from bootlint.openclaw.settings import Origin
    from bootlint.openclaw.truncation import InjectedFile, Piece
    from bootlint.simulation import Simulation, Status
    from bootlint.workspace import TextFile

Part = Literal["head", "digest", "marker", "tail"]  # `marker`: all that OpenClaw says itself
PARTS: tuple[Part, ...] = ("head", "digest", "marker", "tail")
_DIGEST_KINDS = {"digest", "prose", "join"}


@record
class Excerpt:
    """A stretch of an injected text. Its source ends before `end`; None where the words are OpenClaw's."""

    part: Part
    text: str
    source: tuple[Position, Position] | None


@record(lazy=True)
class FileOverview:
    """One bootstrap file: what stands on disk, what arrives, and the fate of each of its lines."""

    name: str  # its path in the workspace
    path: str  # as OpenClaw prints it
    status: Status
    in_context: bool  # whether it stands in Project Context; BOOTSTRAP.md may spend budget and not do so
    raw_chars: int
    injected: Cost
    lost_chars: int
    headroom: int | None  # None where nothing of it is sent
    limit: int | None
    causes: tuple[str, ...]
    parts: Mapping[Part, Cost]
    excerpts: tuple[Excerpt, ...]
    fates: tuple[Fate | None, ...]  # None: a line of a file that the session is not meant to get
    is_meant: bool  # does the session get it, or would it, had the release not refused to read it?
    file: TextFile | None  # None where bootlint has read none
    priority_lines: tuple[int, ...]

    @property
    def arrives_whole(self) -> bool:
        return self.status == "injected" and not self.causes

    @cached_property
    def lost_rules(self) -> frozenset[int]:
        """The 1-based lines of priority rules that a file of the session loses, in whole or in part."""
        lines = self.priority_lines if self.is_meant else ()
        return frozenset(line for line in lines if self.fates[line - 1] not in REACHED)

    @property
    def runs(self) -> Iterator[tuple[Fate | None, int, int]]:
        """Stretches of lines with one fate: the fate, the first and the last line, 1-based."""
        line = 1
        for fate, group in groupby(self.fates):
            count = sum(1 for _ in group)
            yield fate, line, line + count - 1
            line += count

    def held(self, line: int) -> Iterator[tuple[int, int]]:
        """The stretches of a 1-based line that arrive: offsets in the line, the last perhaps beyond its end."""
        for excerpt in self.excerpts:
            if excerpt.source is not None:
                start, end = excerpt.source
                if start.line <= line <= end.line:
                    first = start.column - 1 if start.line == line else 0
                    yield first, end.column - 1 if end.line == line else sys.maxsize


@record
class Overview:
    """A workspace in one situation."""

    release: str
    known_as: str  # the release on record whose behaviour it is; another one where the release is assumed
    session: str
    max_chars: int
    total_max_chars: int | None
    origins: Mapping[str, Origin]
    encoding: str | None  # of the tokens; None: no tokenizer
    files: tuple[FileOverview, ...]
    start: Cost  # of the files in Project Context, with their headings
    warnings: tuple[str, ...]

    @property
    def raw_chars(self) -> int:
        return sum(file.raw_chars for file in self.files if file.is_meant)

    @property
    def injected_chars(self) -> int:
        return sum(file.injected.chars for file in self.files)

    @property
    def lost_chars(self) -> int:
        return sum(file.lost_chars for file in self.files)

    @property
    def priority_rules(self) -> int:
        return sum(len(file.priority_lines) for file in self.files if file.is_meant)

    @property
    def reached(self) -> int:
        return self.priority_rules - sum(len(file.lost_rules) for file in self.files)


def overview(context: Context, count: TokenCounter | None = None) -> Overview:
    """Every file of the release's list in load order, then every other bootstrap file that was found, each once."""
    simulation = context.simulation
    situation = simulation.situation
    total = situation.total_limit
    return Overview(
        release=simulation.contract.release,
        known_as=simulation.contract.known_as,
        session=situation.session,
        max_chars=int(situation.limit),
        total_max_chars=None if total is None else int(total),
        origins=situation.origins,
        encoding=None if count is None else ENCODING,
        files=tuple(_file(context, path, count) for path in _paths(simulation)),
        start=cost([_start(simulation)], count),
        warnings=tuple(simulation.injection.warnings),
    )


def _start(simulation: Simulation) -> str:
    files = [file for file in simulation.injection.files if simulation.in_context(file.name)]
    sections = project_context(files, simulation.contract)
    return "\n".join(f"## {section.heading}\n{section.content}" for section in sections)


def _paths(simulation: Simulation) -> tuple[str, ...]:
    listed = (*simulation.loaded, *simulation.contract.loading.names)
    found = (path for path in simulation.workspace.files if _is_bootstrap_path(path))
    return tuple(dict.fromkeys((*listed, *found)))


def _is_bootstrap_path(path: str) -> bool:
    from bootlint.workspace import BOOTSTRAP_NAMES

    return path.rpartition("/")[2].lower() in {name.lower() for name in BOOTSTRAP_NAMES}


def _file(context: Context, path: str, count: TokenCounter | None) -> FileOverview:
    simulation = context.simulation
    file = simulation.workspace.files.get(path)
    injected = simulation.injected.get(path)
    is_meant = path in simulation.texts or path in simulation.refused
    return FileOverview(
        name=path,
        path=f"{simulation.production_path}/{path}",
        status=simulation.status(path),
        in_context=injected is not None and simulation.in_context(path),
        raw_chars=simulation.raw_chars(path),
        injected=cost([] if injected is None else [injected.content], count),
        lost_chars=simulation.lost_chars(path) if is_meant else 0,
        headroom=simulation.headroom(path) if path in simulation.texts else None,
        limit=None if injected is None or injected.limit is None else int(injected.limit),
        causes=() if injected is None else injected.causes,
        parts={} if injected is None else _parts(injected, count),
        excerpts=() if injected is None else tuple(_excerpts(injected, file)),
        fates=() if file is None else simulation.told_fates(path),
        is_meant=is_meant,
        file=file,
        priority_lines=() if file is None else context.priority_lines(file),
    )


def _parts(injected: InjectedFile, count: TokenCounter | None) -> Mapping[Part, Cost]:
    texts: dict[Part, list[str]] = {}
    for part, pieces in groupby(_with_parts(injected), key=lambda pair: pair[0]):
        text = "".join(injected.content[piece.start : piece.end] for _, piece in pieces)
        texts.setdefault(part, []).append(text)
    return {part: cost(texts[part], count) for part in PARTS if part in texts}


def _excerpts(injected: InjectedFile, file: TextFile | None) -> Iterator[Excerpt]:
    for part, piece in _with_parts(injected):
        source = None
        if file is not None and piece.source is not None:
            start, end = map(file.source.position, piece.source)
            source = start, end
        yield Excerpt(part, injected.content[piece.start : piece.end], source)


def _with_parts(injected: InjectedFile) -> Iterator[tuple[Part, Piece]]:
    """The pieces, each with its part. A line break between two lines of the digest belongs to the digest."""
    pieces = injected.pieces
    for at, piece in enumerate(pieces):
        match piece.kind:
            case "head" | "tail":
                yield piece.kind, piece
            case "digest" | "prose":
                yield "digest", piece
            case "join" if {other.kind for other in pieces[max(at - 1, 0) : at + 2]} <= _DIGEST_KINDS:
                yield "digest", piece
            case _:
                yield "marker", piece
