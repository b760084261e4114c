"""Moving a section whose rules are lost to where the model receives it: the beginning or the end of what holds it.

Owns which moves there are and what they do to the text. A section stays below its heading, keeps its words, and
stays linked; whether a move helps is for `proof` to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bootlint.document import Document, anchor, link_targets
from bootlint.openclaw.jstext import utf16_len
from bootlint.proof import Rewrite
from bootlint.records import record
from bootlint.source import SourceText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bootlint.document import Heading
    from bootlint.proof import Place, Proof
    from bootlint.workspace import TextFile, Workspace

_MOST_TRIES = 60  # simulations for one move; the smallest come first

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
    tries = 0
    for file, section, to in sorted(_moves(proof.workspace, lost), key=_size):
        rewrite = _moved(file, section, to, proof.workspace)
        if rewrite is None:
            continue
        if tries == _MOST_TRIES:
            return None
        tries += 1
        verdict = proof.verdict({file.path: rewrite})
        gained = {place for place in verdict.arriving if place[1] in proof.priority[place[0]]}
        if gained:
            heading, holder = section.heading, section.holder
            return Move(
                path=file.path,
                title=heading.title,
                first=heading.line,
                last=heading.end_line,
                chars=_chars(file, heading),
                to=to,
                within=None if holder is None else holder.title,
                gained=len(gained),
            ), rewrite
    return None


@record
class _Section:
    heading: Heading
    holder: Heading | None  # the heading above it
    start: int  # the 1-based line at which the sections of its holder begin, this one or a sister
    end: int  # the last line of its holder


_Step = tuple["TextFile", _Section, Target]


def _moves(workspace: Workspace, lost: Iterable[Place]) -> Iterator[_Step]:
    """Every move of a section in which a lost rule stands, each once."""
    seen: set[tuple[str, int]] = set()
    for path, line in lost:
        file = workspace.files[path]
        for section in _sections(file.document):
            heading = section.heading
            if heading.line <= line <= heading.end_line and (path, heading.line) not in seen:
                seen.add((path, heading.line))
                if section.start < heading.line:
                    yield file, section, "start"
                if heading.end_line < section.end:
                    yield file, section, "end"


def _size(step: _Step) -> tuple[int, str, int, bool]:
    file, section, to = step
    return _chars(file, section.heading), file.path, section.heading.line, to == "end"


def _chars(file: TextFile, heading: Heading) -> int:
    return utf16_len("\n".join(file.source.lines[heading.line - 1 : heading.end_line]).rstrip())


def _sections(document: Document) -> Iterator[_Section]:
    headings = document.headings
    above: list[Heading] = []
    holders: list[Heading | None] = []
    first_below: dict[int, int] = {}  # line of the holder, 0 for none → where its sections begin
    for heading in headings:
        while above and above[-1].level >= heading.level:
            above.pop()
        holders.append(above[-1] if above else None)
        first_below.setdefault(above[-1].line if above else 0, heading.line)
        above.append(heading)
    has_title = bool(headings) and headings[0].level == 1  # it stays where it is, and nothing goes before it
    for heading, holder in zip(headings, holders, strict=True):
        if holder is not None:
            yield _Section(heading, holder, first_below[holder.line], holder.end_line)
        elif heading is not headings[0] or not has_title:
            start = headings[0].end_line + 1 if has_title else headings[0].line
            yield _Section(heading, None, start, len(document.kinds))


def _moved(file: TextFile, section: _Section, to: Target, workspace: Workspace) -> Rewrite | None:
    """The file after the move; None where it would change what Markdown sees, or where a link leads."""
    heading = section.heading
    before = section.start if to == "start" else section.end + 1
    order = _order(file.source.lines, heading.line - 1, heading.end_line, before - 1)
    text = _written(file.source, order)
    places = [range(0)] * len(file.source.lines)
    for new, old in enumerate(order):
        if old is not None:
            places[old] = range(new, new + 1)
    document = Document.parse(SourceText(text))
    if any(
        file.document.kinds[old] != document.kinds[new] for new, old in enumerate(order) if old is not None
    ):
        return None
    if _moved_anchors(file.document, document, places) & _linked(workspace, file):
        return None
    return Rewrite(text, tuple(places))


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


def _linked(workspace: Workspace, file: TextFile) -> frozenset[str]:
    """The fragments of the file that links anywhere in the workspace name."""
    found: set[str] = set()
    for other in workspace.files.values():
        if "#" in other.source.text:
            for _, target in link_targets(other.source.text):
                path, _, fragment = target.partition("#")
                if path.rpartition("/")[2] == file.name if path else other is file:
                    found.add(fragment.lower())
    return frozenset(found)
