"""Which fixes of a report come into question: in scope, in files that may be written, not in each other's way.

Knows what may be tried, not what helps: that is for `choice` and `proof`.
"""

from __future__ import annotations

import os
import stat
from bisect import bisect_left, insort
from collections import defaultdict

from bootlint.diagnostics import Applicability
from bootlint.proof import LOST, Objection, rewritten
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

    from bootlint.checks.context import Context
    from bootlint.config import Scope
    from bootlint.diagnostics import Diagnostic, Edit, Span
    from bootlint.engine import Report
    from bootlint.proof import Proof, Rewrite
    from bootlint.workspace import TextFile, Workspace

    _Test = Callable[[Sequence["Candidate"]], bool]


@record
class Candidate:
    """A fix that may be made, no other one equal to it.

    `target` is the 1-based line of the rule that it is for; None: it makes room.
    """

    diagnostic: Diagnostic
    path: str  # relative to the workspace
    edits: tuple[Edit, ...]
    is_safe: bool
    target: int | None

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def line(self) -> int:
        return self.diagnostic.start.line

    @property
    def needs_gain(self) -> bool:
        """Does it add something for the sake of others, as a blank line before a rule does?"""
        return self.target is None and any(edit.text for edit in self.edits)


@record
class Collected:
    """The fixes that may be made together, what stands against others, and how many more would be unsafe."""

    candidates: tuple[Candidate, ...]
    held: Mapping[Candidate, Objection]
    unsafe: int


@record
class Wanted:
    """How far repairs go: what is lost now; what is at risk, in a file that is cut or near a limit; or all."""

    scope: Scope
    unsafe: bool
    only: Set[str] | None = None  # the paths that may change; None: any

    def may_change(self, path: str) -> bool:
        return self.only is None or path in self.only

    def holds(self, candidate: Candidate, proof: Proof, contexts: Iterable[Context]) -> bool:
        if self.scope == "all" or _is_lost(candidate, proof):
            return True
        return self.scope == "at-risk" and any(_is_at_risk(candidate.path, context) for context in contexts)


def collect(report: Report, proof: Proof, contexts: Sequence[Context], wanted: Wanted) -> Collected:
    """The contexts are those of the situations asked for, on the workspace of the report and the proof."""
    candidates: list[Candidate] = []
    held: dict[Candidate, Objection] = {}
    unsafe: set[tuple[Edit, ...]] = set()
    free = _Free()
    for candidate in _with_fixes(report, contexts[0]):
        if not wanted.may_change(candidate.path) or not wanted.holds(candidate, proof, contexts):
            continue
        objection = refusal(candidate.path, contexts)
        if objection is not None:
            held[candidate] = objection
        elif not candidate.is_safe and not wanted.unsafe:
            unsafe.add(candidate.edits)
        elif free.take(candidate):
            candidates.append(candidate)
    for candidate in _restructuring(proof.workspace, candidates):
        held[candidate] = Objection("structure", candidate.path, candidate.line)
    return Collected(tuple(one for one in candidates if one not in held), held, len(unsafe))


def refusal(path: str, contexts: Iterable[Context]) -> Objection | None:
    """Why nothing may be written into a file at all."""
    for context in contexts:
        if _is_linked(context.workspace, path):
            return Objection("link", path)
        if context.is_curated(path):
            return Objection("curated", path, release=context.simulation.contract.release)
        if not context.workspace.files[path].source.valid_utf8:
            return Objection("encoding", path)
    return None


def _with_fixes(report: Report, context: Context) -> Iterator[Candidate]:
    """Every fix of the report that can be made, with the rule that it is for."""
    for diagnostic in report.diagnostics:
        fix = diagnostic.fix
        if fix is None or not fix.edits or fix.applicability is Applicability.DISPLAY:
            continue
        path, line = fix.edits[0].path, diagnostic.start.line
        says_more = any(edit.text.strip() for edit in fix.edits)
        is_for_rule = says_more and line in context.rule_lines(context.workspace.files[path])
        is_safe = fix.applicability is Applicability.SAFE
        yield Candidate(diagnostic, path, fix.edits, is_safe, line if is_for_rule else None)


# --- scope ---------------------------------------------------------------------------------------------------


def _is_lost(candidate: Candidate, proof: Proof) -> bool:
    if candidate.target is None:
        return proof.loses(candidate.path)
    return proof.worst_fate(candidate.path, candidate.target) in LOST


def _is_at_risk(path: str, context: Context) -> bool:
    return any(
        injected is None or context.could_lose(file, injected)
        for file, injected in context.sent
        if file.path == path
    )


# --- files that are not written ------------------------------------------------------------------------------


def _is_linked(workspace: Workspace, path: str) -> bool:
    """Is the file, or a folder on the way to it, a link, or has the file another name?"""
    place = workspace.root
    for part in path.split("/"):
        place = place / part
        try:
            status = os.lstat(place)
        except OSError:
            return False  # the text of an editor, not on disk yet
        if stat.S_ISLNK(status.st_mode) or (stat.S_ISREG(status.st_mode) and status.st_nlink > 1):
            return True
    return False


# --- fixes in each other's way -------------------------------------------------------------------------------


class _Free:
    """Which stretches of the files no fix of this round edits yet. What finds no place waits for the next round."""

    def __init__(self) -> None:
        self._taken: defaultdict[str, list[tuple[Span, str]]] = defaultdict(list)

    def take(self, candidate: Candidate) -> bool:
        if any(self._is_taken(edit) for edit in candidate.edits):
            return False
        for edit in candidate.edits:
            insort(self._taken[edit.path], (edit.span, edit.text))
        return True

    def _is_taken(self, edit: Edit) -> bool:
        taken = self._taken[edit.path]
        at = bisect_left(taken, (edit.span, edit.text))
        return any(_clash(edit, *other) for other in taken[max(0, at - 2) : at + 2])


def _clash(edit: Edit, span: Span, text: str) -> bool:
    """Two insertions at one place clash unless one of them is the line break that goes first."""
    if edit.span == span and span.start == span.end:
        return edit.text.isspace() == text.isspace()
    return edit.span.start < span.end and span.start < edit.span.end


# --- structure -----------------------------------------------------------------------------------------------


def _restructuring(workspace: Workspace, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """The fixes after which Markdown would read other things.

    After safe ones it sees the same structure, after unsafe ones in each line still what it saw: text, code, a heading.
    """
    by_file: defaultdict[tuple[str, bool], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_file[candidate.path, candidate.is_safe].append(candidate)
    for (path, is_safe), own in by_file.items():
        file = workspace.files[path]
        yield from _rest(own, _keeps_structure(file) if is_safe else _keeps_kinds(file))


def _keeps_structure(file: TextFile) -> _Test:
    from bootlint.document import same_structure

    return lambda group: same_structure(file.source.text, _rewritten(file, group).text)


def _keeps_kinds(file: TextFile) -> _Test:
    return lambda group: _rewritten(file, group).keeps_kinds(file.document)


def _rewritten(file: TextFile, group: Sequence[Candidate]) -> Rewrite:
    return rewritten(file.source, (edit for one in group for edit in one.edits))


def _rest(group: Sequence[Candidate], holds: _Test) -> list[Candidate]:
    """What has to go so that the others together `holds`, found by halving."""
    kept: list[Candidate] = []
    gone: list[Candidate] = []

    def keep(part: Sequence[Candidate]) -> None:
        if holds([*kept, *part]):
            kept.extend(part)
        elif len(part) == 1:
            gone.extend(part)
        else:
            keep(part[: len(part) // 2])
            keep(part[len(part) // 2 :])

    keep(group)
    return gone
