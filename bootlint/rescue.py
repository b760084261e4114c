"""Moving a section whose rules are lost to where the model receives it: the beginning or the end of what holds it.

Owns which moves there are and what they do to the text. A section stays below its heading, keeps its words, and
stays linked; whether a move helps is for `proof` to say.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from bootlint.checks.agents import fragments_into
from bootlint.document import Document, anchor
from bootlint.openclaw.jstext import utf16_len
from bootlint.proof import Rewrite
from bootlint.records import record
from bootlint.source import SourceText
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bootlint.document import Heading
    from bootlint.proof import Place, Proof
    from bootlint.workspace import TextFile, Workspace

_MOST_TRIES = 60  # of the smallest moves, to find one that helps

Target = Literal["start", "end"]


@record
class Move:
    """A section that was moved. Lines are 1-based and those before the move."""

    path: str
    title: str  # of the section
    first: int
    last: int
    chars: int  # UTF-16 units of its text
    to: Target
    within: str | None  # the title of the section that holds it; None: the whole file
    gained: int  # priority rules that reach the model by it


def smallest_move(proof: Proof, lost: Iterable[Place]) -> tuple[Move, Rewrite] | None:
    """The smallest move that brings one of the `lost` priority rules to the model and that can be accepted."""
    for step in _steps_to_try(proof.workspace, lost):
        rewrite = _rewritten(step)
        verdict = proof.verdict({step.file.path: rewrite})
        gained = {place for place in verdict.arriving if place[1] in proof.priority[place[0]]}
        if gained and _keeps_meaning(step.file, rewrite, proof.workspace):
            return Move(
                path=step.file.path,
                title=step.heading.title,
                first=step.heading.line,
                last=step.last,
                chars=step.chars,
                to=step.to,
                within=step.within,
                gained=len(gained),
            ), rewrite
    return None


def count_moves(workspace: Workspace, lost: Iterable[Place]) -> Counter[str]:
    """Path → how many moves are tried in search of one that helps."""
    return Counter(step.file.path for step in _steps_to_try(workspace, lost))


@record
class _Step:
    """A move that could be made. Lines are 1-based."""

    file: TextFile
    heading: Heading
    to: Target
    before: int  # the line in front of which the section goes
    within: str | None

    @property
    def last(self) -> int:
        """The last line of the section that holds a text."""
        lines = self.file.source.lines
        return next(line for line in range(self.heading.end_line, 0, -1) if lines[line - 1].strip())

    @property
    def chars(self) -> int:
        return utf16_len("\n".join(self.file.source.lines[self.heading.line - 1 : self.last]))

    @property
    def sort_key(self) -> tuple[int, str, int, bool]:
        return self.chars, self.file.path, self.heading.line, self.to == "end"


def _steps_to_try(workspace: Workspace, lost: Iterable[Place]) -> Sequence[_Step]:
    return sorted(_steps(workspace, lost), key=lambda step: step.sort_key)[:_MOST_TRIES]


def _steps(workspace: Workspace, lost: Iterable[Place]) -> Iterator[_Step]:
    """Every move of a section in which a lost rule stands."""
    by_file: defaultdict[str, list[int]] = defaultdict(list)
    for path, line in lost:
        by_file[path].append(line)
    for path, lines in by_file.items():
        for step in _steps_in(workspace.files[path]):
            if any(step.heading.line <= line <= step.heading.end_line for line in lines):
                yield step


def _steps_in(file: TextFile) -> Iterator[_Step]:
    """Each section to the beginning and to the end of the section that holds it. The title of a file stays."""
    headings = file.document.headings
    title = headings[0] if headings and headings[0].level == 1 else None
    above: list[Heading] = []
    starts: dict[int, int] = {}  # line of a holder, 0 for the file → where the first section in it begins
    for heading in headings:
        while above and above[-1].level >= heading.level:
            above.pop()
        holder = above[-1] if above else None
        above.append(heading)
        if heading is title:
            starts[0] = heading.end_line + 1
            continue
        start = starts.setdefault(holder.line if holder else 0, heading.line)
        end = holder.end_line if holder else len(file.document.kinds)
        within = holder.title if holder and holder is not title else None
        if start < heading.line:
            yield _Step(file, heading, "start", start, within)
        if heading.end_line < end:
            yield _Step(file, heading, "end", end + 1, within)


def _rewritten(step: _Step) -> Rewrite:
    source = step.file.source
    order = _order(source.lines, step.heading.line - 1, step.heading.end_line, step.before - 1)
    places = [range(0)] * len(source.lines)
    for new, old in enumerate(order):
        if old is not None:
            places[old] = range(new, new + 1)
    return Rewrite(_written(source, order), tuple(places))


def _keeps_meaning(file: TextFile, rewrite: Rewrite, workspace: Workspace) -> bool:
    """Does Markdown see in each line what it saw, and does each link to a heading lead where it led?"""
    if not rewrite.keeps_kinds(file.document):
        return False
    after = Document.parse(SourceText(rewrite.text))
    return not _moved_anchors(file.document, after, rewrite.places) & fragments_into(file, workspace)


def _order(lines: Sequence[str], first: int, end: int, to: int) -> list[int | None]:
    """The old indexes of the new lines, None for a blank line that is put between two parts."""
    others = [*range(first), *range(end, len(lines))]
    at = to if to <= first else to - (end - first)
    order: list[int | None] = []
    for part in (others[:at], list(range(first, end)), others[at:]):
        if order and part:
            order.append(None)
        while part and not lines[part[-1]].strip():
            part.pop()
        order += part
    return order


def _written(source: SourceText, order: Sequence[int | None]) -> str:
    """The lines in their new order, each with its own end; the file ends as it did, in a line end or without."""
    bounds = [*source.line_starts, len(source.text)]
    parts = []
    for index in order:
        line = source.line_end if index is None else source.text[bounds[index] : bounds[index + 1]]
        parts.append(line if line.endswith("\n") else line + source.line_end)
    text = "".join(parts)
    return text if source.text.endswith("\n") else text[: -1 - text.endswith("\r\n")]


def _moved_anchors(before: Document, after: Document, places: Sequence[range]) -> frozenset[str]:
    """The fragments that led to a heading and now lead to another one, or nowhere."""
    new = _anchors(after)
    return frozenset(
        name for line, name in _anchors(before).items() if new.get(places[line - 1].start + 1) != name
    )


def _anchors(document: Document) -> Mapping[int, str]:
    """1-based line of a heading → the fragment by which it is linked."""
    seen: dict[str, int] = {}
    return {heading.line: anchor(heading.title, seen) for heading in document.headings}
