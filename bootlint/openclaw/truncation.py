"""What the model gets of each bootstrap file once the limit and the total limit are through with it.

Owns the order in which files spend the total, which of them are cut or skipped and why, and OpenClaw's
warnings. How one text is cut is `cuts`'. Knows nothing of how files were found or how a prompt is built; what
is lost is read from the pieces (`fates`). Lengths and limits are UTF-16 units, offsets code points.
"""

from __future__ import annotations

import math
import os

from bootlint.openclaw.cuts import Part, PieceKind, clamped, cut, length
from bootlint.openclaw.jstext import Utf16, floor, number_text, trim, trim_end, whole
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bootlint.openclaw.contract import Contract, Truncation
    from bootlint.openclaw.loading import LoadedFile

Cause = Literal["limit", "user-cap", "total"]
SkipReason = Literal["no-path", "empty", "personal-user-too-long", "total-used-up"]


@record
class BootstrapFile:
    """A file as OpenClaw's loader hands it on. Halves of a pair that stand side by side are put together.

    A path may be a `Path`; one that is no text at all counts as none, as for OpenClaw.
    """

    name: str
    path: str | None
    content: str | None  # None: the file is missing
    personal_user: bool = False  # users/<id>/USER.md
    unreadable: bool = False  # the content is OpenClaw's own note that it could not read the file

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", whole(self.name))
        path: object = self.path
        path = os.fspath(path) if isinstance(path, os.PathLike) else path
        object.__setattr__(self, "path", whole(path) if isinstance(path, str) else None)
        object.__setattr__(self, "content", self.content and whole(self.content))


@record
class Piece:
    """A stretch of an injected text and where it came from.

    `start` and `end` count in the injected content, `source` in the content of the BootstrapFile. Head and
    tail hold exactly their source. A digest or prose line holds its source line, line end included, in normal
    form. The other kinds have no source.
    """

    kind: PieceKind
    start: int
    end: int
    source: tuple[int, int] | None
    is_cut: bool  # a digest or prose line of over 240 units: `source` ends where the line was cut


@record
class InjectedFile:
    """A file as the model gets it. The pieces, in order, make up the content without a gap."""

    name: str
    path: str | None
    raw_chars: int  # without trailing blanks; 0 for a missing file
    injected_chars: int
    limit: float | None  # what its text could have at most; None for a missing file
    causes: tuple[Cause, ...]  # which limits cut it; empty if it arrived whole
    content: str
    pieces: tuple[Piece, ...]


@record
class SkippedFile:
    """A file of which the model gets nothing, not even a heading."""

    file: BootstrapFile | LoadedFile
    reason: SkipReason

    @property
    def name(self) -> str:
        return self.file.name


@record
class Injection:
    """The result of one simulation: an outcome for each file, in the order in which the files were given."""

    outcomes: tuple[InjectedFile | SkippedFile, ...]
    warnings: tuple[str, ...]  # OpenClaw's own, in its order
    max_chars: float
    total_max_chars: float | None  # None: the release has no total

    @property
    def files(self) -> tuple[InjectedFile, ...]:
        """What OpenClaw returns."""
        return tuple(outcome for outcome in self.outcomes if isinstance(outcome, InjectedFile))

    @property
    def skipped(self) -> tuple[SkippedFile, ...]:
        return tuple(outcome for outcome in self.outcomes if isinstance(outcome, SkippedFile))


def inject(
    files: Iterable[BootstrapFile | LoadedFile],
    contract: Contract,
    *,
    max_chars: float | None = None,
    total_max_chars: float | None = None,
) -> Injection:
    """Cut files, given in load order, as a release does: those that `load` gives, or others.

    Limits may be fractional, negative or infinite as in JavaScript; None is the release's default. A release
    without a total ignores `total_max_chars`. Raises ValueError for NaN.
    """
    rules = contract.truncation
    limit = rules.default_max_chars if max_chars is None else max_chars
    total = _total(rules, limit, total_max_chars)
    if math.isnan(limit) or (total is not None and math.isnan(total)):
        raise ValueError("a limit must be a number")
    outcomes: list[InjectedFile | SkippedFile] = []
    warnings: list[str] = []
    room = opening_room(total)
    for file in files:
        outcome, warning = _Turn(file, rules, limit, room).outcome()
        outcomes.append(outcome)
        if isinstance(outcome, InjectedFile):
            room -= outcome.injected_chars
        elif outcome.reason == "total-used-up":
            room = 0  # OpenClaw stops here: what comes later is lost too, markers as well
        if warning:
            warnings.append(warning)
    return Injection(tuple(outcomes), tuple(warnings), limit, total)


def opening_room(total: float | None) -> float:
    """What the first file finds of a total."""
    return math.inf if total is None else max(1, floor(total))


MIN_ROOM = 64  # with less, a file that has a text is not even begun


def _total(rules: Truncation, limit: float, total: float | None) -> float | None:
    if rules.default_total_chars is None:
        return None
    return max(limit, rules.default_total_chars) if total is None else total


@record
class _Turn:
    """What a file meets when its turn comes. `room` is what is left of the total."""

    file: BootstrapFile | LoadedFile
    rules: Truncation
    max_chars: float
    room: float

    def outcome(self) -> tuple[InjectedFile | SkippedFile, str | None]:
        """What becomes of the file, and OpenClaw's warning."""
        file = self.file
        if self.room <= 0:
            return SkippedFile(file, "total-used-up"), None
        if self.rules.needs_path and not self.path:
            return SkippedFile(file, "no-path"), (
                f'skipping bootstrap file "{file.name}" — missing or invalid "path" field '
                '(hook may have used "filePath" instead)'
            )
        if file.content is None:
            return self._missing(), None
        if self.room < MIN_ROOM:
            return SkippedFile(file, "total-used-up"), (
                f"remaining bootstrap budget is {number_text(self.room)} chars (<{MIN_ROOM}); "
                "skipping additional bootstrap files"
            )
        return self._with_text(Utf16.of(trim_end(file.content)))

    @property
    def path(self) -> str | None:
        return trim(self.file.path or "") if self.rules.needs_path else self.file.path

    @property
    def cap(self) -> float:
        """What the file could have if no other file came before it."""
        most = self.rules.user_max_chars
        if most is None or self.file.name.lower() != "user.md":
            return self.max_chars
        return min(self.max_chars, most)

    @property
    def limit(self) -> float:
        return max(1, min(self.cap, self.room)) if self.rules.has_total else self.cap

    def _missing(self) -> InjectedFile:
        place = "undefined" if self.path is None else self.path
        marker = [Part("missing", f"[MISSING] Expected at: {place}")]
        parts = clamped(marker, self.room)
        return self._injected(parts, 0, None, () if parts == marker else ("total",))

    def _with_text(self, text: Utf16) -> tuple[InjectedFile | SkippedFile, str | None]:
        limit = self.limit
        if text.length <= limit:
            if not text.length:
                return SkippedFile(self.file, "empty"), None
            whole_text = [Part("head", text.text, (0, len(text.text)))]
            return self._injected(whole_text, text.length, limit, ()), None
        if self.file.personal_user and self.rules.drops_long_personal_user:
            return SkippedFile(self.file, "personal-user-too-long"), (
                "Personal USER.md exceeds the bootstrap budget; using shared defaults."
            )
        parts = cut(self.file.name, text, limit, self.rules)
        left = clamped(parts, self.room)
        causes: list[Cause] = []
        if text.length > self.cap:
            causes.append("limit" if self.cap == self.max_chars else "user-cap")
        if self.room < self.cap or left != parts:
            causes.append("total")
        return self._injected(left, text.length, limit, tuple(causes)), (
            f"workspace bootstrap file {self.file.name} is {text.length} chars (limit {number_text(limit)}); "
            "truncating in injected context"
        )

    def _injected(
        self, parts: list[Part], raw_chars: int, limit: float | None, causes: tuple[Cause, ...]
    ) -> InjectedFile:
        if self.file.unreadable:
            parts = [Part("unreadable", part.text) if part.source else part for part in parts]
        return InjectedFile(
            name=self.file.name,
            path=self.path if self.rules.has_total else self.file.name,
            raw_chars=raw_chars,
            injected_chars=length(parts),
            limit=limit,
            causes=causes,
            content="".join(part.text for part in parts),
            pieces=tuple(_pieces(parts)),
        )


def _pieces(parts: list[Part]) -> Iterator[Piece]:
    start = 0
    for part in parts:
        end = start + len(part.text)
        yield Piece(part.kind, start, end, part.source, part.is_cut)
        start = end
