"""What bootlint says about a text: spans, edits, fixes, findings and diagnostics. Knows no file and no rule."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum

from bootlint.records import field, record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from bootlint.openclaw.fates import Fate

Value = str | int | float | tuple[str, ...]
Params = Mapping[str, Value]


class UserError(Exception):
    """Something that the user can mend. The text is one line that names the place and the remedy; exit status 2.

    It travels between processes whatever its `__init__` takes: left to itself, an exception is made anew of its text.
    """

    def __reduce__(self) -> tuple[Callable[..., UserError], tuple[object, ...]]:
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[UserError], args: tuple[object, ...], attributes: dict[str, object]) -> UserError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class Severity(IntEnum):
    """Ordered: `Severity.ERROR > Severity.INFO`."""

    INFO = 0
    WARNING = 1
    ERROR = 2

    @property
    def label(self) -> str:
        return self.name.lower()


class Applicability(Enum):
    SAFE = "safe"  # repeats what the text says, or removes what carries nothing
    UNSAFE = "unsafe"  # splits, moves, rewrites
    DISPLAY = "display"  # advice, never applied


@record(order=True)
class Span:
    """A half-open range of code point offsets in a decoded text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")


@record
class Position:
    """1-based line, and 1-based column in code points."""

    line: int
    column: int


@record
class Edit:
    """Replace `span` of the file at `path` (relative to the workspace) by `text`.

    The engine fills in where that is; a check leaves `start` and `end` alone.
    """

    path: str
    span: Span
    text: str
    start: Position | None = None
    end: Position | None = None

    @property
    def place(self) -> tuple[Position, Position]:
        """Where the edit starts and ends. Raises ValueError where the engine has not filled that in."""
        if self.start is None or self.end is None:
            raise ValueError("an edit without its place")
        return self.start, self.end


@record
class Fix:
    """Edits that belong together, sorted and disjoint. `title` is filled in by the engine from the rule page.

    Raises ValueError when edits overlap or stand out of order.
    """

    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.UNSAFE
    title: str = ""
    params: Params = field(default_factory=dict)

    def __post_init__(self) -> None:
        for before, after in zip(self.edits, self.edits[1:], strict=False):
            if before.path > after.path or (before.path == after.path and before.span.end > after.span.start):
                raise ValueError("edits of a fix must be sorted and disjoint")


@record
class Related:
    """A second place that explains a finding. `params` fill the page's `related` template, or that of a variant."""

    path: str
    span: Span
    params: Params = field(default_factory=dict)
    variant: str | None = None


@record
class Finding:
    """What a check yields: a place and the numbers. The engine adds code, severity and words.

    `path` is relative to the workspace, with `/`. `variant` picks one of the page's messages, None the first.
    `severity` is set only where consequences decide it (lost, could be lost, arrives); a user's override wins.
    """

    path: str
    span: Span
    params: Params = field(default_factory=dict)
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    variant: str | None = None
    severity: Severity | None = None
    of_file: bool = False  # it is one of its file, wherever in it it points, and stays the same if that moves


@record
class Note:
    """A related location with its words."""

    path: str
    span: Span
    start: Position
    end: Position
    message: str


@record
class Diagnostic:
    """A finding, stamped, located and worded. `path` is the path shown to the user."""

    path: str
    span: Span
    code: str
    name: str
    severity: Severity
    message: str
    start: Position
    end: Position
    fingerprint: str  # "" where nobody asks for it
    line_text: str = ""  # the source line at `start`, for reports that quote it
    fate: Fate | None = None  # what becomes of that line; None where there is none, or the releases differ
    fix: Fix | None = None
    notes: tuple[Note, ...] = ()
    releases: tuple[str, ...] = ()  # those of the run under which it holds; empty: all of them
    variant: str | None = None  # which of the page's messages it is; None the first
    worse: str = ""  # the fingerprint of what would be worse; "" for nothing
    of_file: bool = False  # see `Finding`

    @property
    def known_by(self) -> tuple[str, ...]:
        """The fingerprints by which somebody may know it already: whoever knew of worse knows of this."""
        return (self.fingerprint, self.worse) if self.worse else (self.fingerprint,)

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return self.path, self.span.start, self.span.end, self.code, self.message
