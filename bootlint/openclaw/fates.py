"""What became of a source text: the fate of each line, what is lost, and what may still be added.

Read from the outcome of a simulation and its pieces; nothing is simulated here. Offsets are code points,
amounts UTF-16 units. `source` is the content of the BootstrapFile that the outcome came from.
"""

from __future__ import annotations

import math

from bootlint.openclaw.jstext import trim_end, trim_start, utf16_len
from bootlint.openclaw.truncation import MIN_ROOM, InjectedFile, SkippedFile, opening_room
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.openclaw.cuts import PieceKind
    from bootlint.openclaw.truncation import Injection

Fate = Literal["blank", "kept", "digest", "digest-cut", "cut", "dropped"]
REACHED: tuple[Fate, ...] = ("kept", "digest")  # the model receives the line whole
Outcome = InjectedFile | SkippedFile | None  # None: the file never came as far as the budget


def line_fates(source: str, outcome: Outcome) -> tuple[Fate, ...]:
    r"""The fate of each line: the first that applies to its text, blanks at both ends aside.

    - blank: there is no text
    - kept: whole in the head or whole in the tail
    - digest, digest-cut: in the digest only, whole or without what follows its 240 units
    - cut: in part in head or tail
    - dropped: nowhere

    Lines end at `\n` or `\r\n`; an end at the end of the source opens no further line.
    """
    _, head_end = _span(outcome, "head")
    tail_start, tail_end = _span(outcome, "tail")
    digest = {start: is_cut for (start, _), is_cut in _sources(outcome, "digest", "prose")}
    fates: list[Fate] = []
    start = 0
    for line in _lines(source):
        last = start + len(trim_end(line))
        if last == start:
            fates.append("blank")
        elif last <= head_end:
            fates.append("kept")
        else:
            first = start + len(line) - len(trim_start(line))
            if tail_start <= first and last <= tail_end:
                fates.append("kept")
            elif start in digest:
                fates.append("digest-cut" if digest[start] else "digest")
            elif first < head_end or (tail_start < last and first < tail_end):
                fates.append("cut")
            else:
                fates.append("dropped")
        start += len(line) + 1
    return tuple(fates)


def lost_spans(source: str, outcome: Outcome) -> tuple[tuple[int, int], ...]:
    """The stretches of the source that no piece holds, in order. Blanks at its very end are not missed.

    A digest line holds its source line with all blanks and the line end. A character of which an old release
    keeps half is lost.
    """
    lost: list[tuple[int, int]] = []
    reached = 0
    end_of_text = len(trim_end(source))
    held = sorted(span for span, _ in _sources(outcome, "head", "tail", "digest", "prose"))
    for start, end in (*held, (end_of_text, end_of_text)):
        if start > reached:
            lost.append((reached, start))
        reached = max(reached, end)
    return tuple(lost)


def lost_chars(source: str, outcome: Outcome) -> int:
    """How much of the source no piece holds."""
    return sum(utf16_len(source[start:end]) for start, end in lost_spans(source, outcome))


def headroom(injection: Injection, index: int) -> int | None:
    """By how much the text of the file at `index`, trailing blanks aside, can grow at no file's expense.

    In UTF-16 units. With one more, this file or a later one is cut or skipped, or a later one that is cut
    already gets a smaller limit. 0 for a file that does not arrive whole; None where there is no text that
    could grow (missing, unreadable, empty), or nothing limits it.
    """
    outcome = injection.outcomes[index]
    if isinstance(outcome, SkippedFile):
        return None if outcome.reason == "empty" else 0
    if outcome.limit is None or outcome.pieces[0].kind == "unreadable":
        return None
    if outcome.causes:
        return 0
    free = min([outcome.limit - outcome.raw_chars, *_spare_room(injection, index)])
    return None if math.isinf(free) else math.floor(free)


def _spare_room(injection: Injection, index: int) -> Iterator[float]:
    """For each text after the one at `index`: what is left of the total beyond what it needs."""
    room = opening_room(injection.total_max_chars)
    for at, outcome in enumerate(injection.outcomes):
        if isinstance(outcome, SkippedFile):
            continue
        if at > index and outcome.limit is not None:
            yield room - max(MIN_ROOM, outcome.injected_chars, outcome.limit if outcome.causes else 0)
        room -= outcome.injected_chars


def _sources(outcome: Outcome, *kinds: PieceKind) -> Iterator[tuple[tuple[int, int], bool]]:
    """The source of each piece of these kinds, and whether it is a digest line that was cut."""
    if isinstance(outcome, InjectedFile):
        for piece in outcome.pieces:
            if piece.kind in kinds and piece.source is not None:
                yield piece.source, piece.is_cut


def _span(outcome: Outcome, kind: Literal["head", "tail"]) -> tuple[int, int]:
    """The source of the one head or tail that a file can have, empty where it has none."""
    return next((span for span, _ in _sources(outcome, kind)), (0, 0))


def _lines(source: str) -> list[str]:
    r"""The lines; a `\r` before the break counts as one of the blanks at the end."""
    lines = source.split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines
