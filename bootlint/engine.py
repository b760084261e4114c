"""From workspaces to diagnostics: run the checks, stamp and word what they find, silence what was asked to be.

The only place where a finding gets its code, name, severity, words and fingerprint.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from bootlint import catalog
from bootlint.checks import CHECKS
from bootlint.checks.context import Context
from bootlint.diagnostics import Diagnostic, Edit, Finding, Note, Related, Severity, Span
from bootlint.readings import mask_of_workspace
from bootlint.records import record, replace
from bootlint.simulation import Simulation, Situation
from bootlint.source import SourceText
from bootlint.suppressions import Suppressions
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import LOCK_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bootlint.catalog import RuleInfo
    from bootlint.config import Settings
    from bootlint.openclaw.contract import Contract
    from bootlint.openclaw.fates import Fate
    from bootlint.past import Past
    from bootlint.security.secrets import Mask
    from bootlint.situations import Basis
    from bootlint.wording import Language
    from bootlint.workspace import Workspace


@record
class Report:
    """What a run found in one workspace. Holds no text of it, so that a run over many stays small."""

    workspace: str  # as shown: `.` or `agents/ada`
    situations: tuple[Situation, ...]
    diagnostics: tuple[Diagnostic, ...]
    suppressed: int
    priority_rules: int  # in the files that the first situation sends
    reached: int  # of these, how many the model receives whole

    def count(self, severity: Severity) -> int:
        return sum(diagnostic.severity is severity for diagnostic in self.diagnostics)


# What a rule's page may ask of the contract: without it the rule is silent.
NEEDS: dict[str, Callable[[Contract], bool]] = {
    "digest": lambda contract: contract.truncation.digest is not None,
    "cjk-digest": lambda contract: bool(
        contract.truncation.digest and contract.truncation.digest.priority_signs
    ),
    "prose-digest": lambda contract: bool(
        contract.truncation.digest and contract.truncation.digest.carries_prose
    ),
    "total": lambda contract: contract.truncation.has_total,
    "user-cap": lambda contract: contract.truncation.user_max_chars is not None,
    "retired-files": lambda contract: "TOOLS.md" not in contract.loading.names,
    "re-injection": lambda contract: contract.compaction is not None,
}


def check(
    workspace: Workspace,
    basis: Basis,
    settings: Settings,
    *,
    also: Iterable[tuple[str, Finding]] = (),
    past: Past | None = None,
    heed_comments: bool = True,
    bare: bool = False,
) -> Report:
    """The diagnostics of one workspace. A finding that holds under several situations is reported once.

    `also` are findings with their codes that stem from no check of the workspace itself. `past` is what the
    workspace is held against, by default its own lock. Comments that are not heeded silence nothing, and are told of.
    `bare`: nobody asks for the lines of findings, their fingerprints, fixes and related places: they are left out.
    """
    if past is None and LOCK_NAME in workspace.entries:
        from bootlint.past import Past

        past = Past.of(workspace)
    simulations = tuple(Simulation(workspace, situation) for situation in basis.situations)
    found = _Found(workspace, settings, heed_comments=heed_comments, bare=bare)
    for simulation in simulations:
        context = Context(simulation, settings.rules, settings.prefix_style, past, bare)
        for code, finding in _findings(context, settings):
            found.add(code, finding, simulation)
    for code, finding in also:
        if _selected(code, settings):
            found.add(code, finding)
    if _selected("BL004", settings):
        for finding in found.suppressions.overruled():
            found.add("BL004", finding)
    contracts = [simulation.contract for simulation in simulations]
    if _selected("BL002", settings):
        for finding in found.suppressions.unused(lambda code: _ran(code, contracts, settings)):
            found.add("BL002", finding)
    reach = Context(simulations[0]).reach.values()
    return Report(
        workspace.shown.rstrip("/") or ".",
        basis.situations,
        tuple(found.diagnostics()),
        len(found.silenced),
        sum(rules for rules, _ in reach),
        sum(reached for _, reached in reach),
    )


_Key = tuple[str, str, Span, str]  # code, path, span, message


class _Found:
    """The diagnostics of one workspace as they come in, each once, those that were silenced counted.

    No secret of the workspace stands in them: what they quote is masked.
    """

    def __init__(self, workspace: Workspace, settings: Settings, *, heed_comments: bool, bare: bool) -> None:
        self.suppressions = Suppressions(workspace, settings, heed_comments=heed_comments)
        self.silenced: set[_Key] = set()
        self._workspace = workspace
        self._settings = settings
        self._bare = bare
        self._kept: dict[_Key, tuple[Diagnostic, tuple[str, ...], Fate | None]] = {}
        self._last_related: tuple[Related, ...] = ()
        self._last_info: RuleInfo | None = None
        self._last_notes: tuple[Note, ...] = ()

    def add(self, code: str, finding: Finding, simulation: Simulation | None = None) -> None:
        """Take a finding in; with a simulation, it holds under that release and the line has its fate there."""
        diagnostic = _masked(self._diagnostic(code, finding), self._mask)
        key = (code, diagnostic.path, diagnostic.span, diagnostic.message)
        if self.suppressions.silence(code, finding):
            self.silenced.add(key)
        elif simulation is None:
            self._kept[key] = diagnostic, (), None
        else:
            release = simulation.contract.release
            fate = _fate(simulation, finding.path, diagnostic.start.line)
            if key in self._kept:
                _, releases, other_fate = self._kept[key]
                self._kept[key] = diagnostic, (*releases, release), fate if fate == other_fate else None
            else:
                self._kept[key] = diagnostic, (release,), fate

    @cached_property
    def _mask(self) -> Mask:
        return mask_of_workspace(self._workspace)

    def _diagnostic(self, code: str, finding: Finding) -> Diagnostic:
        info = catalog.rule(code)
        language: Language = self._settings.language or "en"
        source = _source(self._workspace, finding.path)
        start = source.position(finding.span.start)
        fix = None if self._bare else finding.fix
        if fix is not None:
            title = info.fix_title({**finding.params, **fix.params}, language)
            fix = replace(
                fix, title=title, edits=tuple(_located(edit, self._workspace) for edit in fix.edits)
            )
        severity = self._settings.severity.get(code)
        if severity is None:
            severity = info.severity if finding.severity is None else finding.severity
        return Diagnostic(
            path=self._workspace.shown_path(finding.path),
            span=finding.span,
            code=code,
            name=info.name,
            severity=severity,
            message=info.message(finding.params, language, variant=finding.variant),
            start=start,
            end=source.position(finding.span.end),
            fingerprint="",
            line_text=source.lines[start.line - 1],
            fix=fix,
            notes=self._notes(info, finding.related, language),
            variant=finding.variant,
            of_file=finding.of_file,
        )

    def _notes(self, info: RuleInfo, related: tuple[Related, ...], language: Language) -> tuple[Note, ...]:
        """The related places in words; findings of a rule that share them share their words."""
        if self._bare or not related:
            return ()
        if self._last_related is not related or self._last_info is not info:
            self._last_related, self._last_info = related, info
            self._last_notes = tuple(self._note(info, place, language) for place in related)
        return self._last_notes

    def _note(self, info: RuleInfo, related: Related, language: Language) -> Note:
        source = _source(self._workspace, related.path)
        return Note(
            path=self._workspace.shown_path(related.path),
            span=related.span,
            start=source.position(related.span.start),
            end=source.position(related.span.end),
            message=info.related(related.params, language, variant=related.variant),
        )

    def diagnostics(self) -> Iterator[Diagnostic]:
        """In order, each with the releases under which it holds, its line's fate and its fingerprint."""
        kept = sorted(self._kept.values(), key=lambda entry: entry[0].sort_key)
        if self._bare:
            yield from (
                replace(diagnostic, releases=releases, fate=fate, line_text="")
                for diagnostic, releases, fate in kept
            )
            return
        fingerprints = _fingerprints((diagnostic for diagnostic, _, _ in kept), self._workspace)
        for (diagnostic, releases, fate), (fingerprint, worse) in zip(kept, fingerprints, strict=True):
            yield replace(diagnostic, releases=releases, fate=fate, fingerprint=fingerprint, worse=worse)


def _findings(context: Context, settings: Settings) -> Iterator[tuple[str, Finding]]:
    for code, run in CHECKS:
        if _may_run(code, settings):
            for finding in run(context):
                if _selected(code, settings) and _has_what_it_needs(code, context.simulation.contract):
                    yield code, finding


def _has_what_it_needs(code: str, contract: Contract) -> bool:
    return all(NEEDS[need](contract) for need in catalog.rule(code).needs)


def _ran(code: str, contracts: Iterable[Contract], settings: Settings) -> bool:
    """Could the rule have found something?"""
    if code not in dict(CHECKS) or not _selected(code, settings):
        return False
    return any(_has_what_it_needs(code, contract) for contract in contracts)


def _may_run(code: str, settings: Settings) -> bool:
    """Without reading the page: is the rule ruled out by name?"""
    if code in settings.ignore:
        return False
    return not settings.select or code in settings.select or code in settings.extend_select


def _selected(code: str, settings: Settings) -> bool:
    if not _may_run(code, settings):
        return False
    named = code in settings.select or code in settings.extend_select
    return named or catalog.rule(code).default


def _masked(diagnostic: Diagnostic, mask: Mask) -> Diagnostic:
    """Without a secret of the workspace. A fix that would write one is not offered: reports show what it writes."""
    if not mask:
        return diagnostic
    fix = diagnostic.fix
    return replace(
        diagnostic,
        message=mask(diagnostic.message),
        line_text=mask(diagnostic.line_text),
        fix=None if fix is not None and any(mask.hides(edit.text) for edit in fix.edits) else fix,
        notes=tuple(replace(note, message=mask(note.message)) for note in diagnostic.notes),
    )


def _fate(simulation: Simulation, path: str, line: int) -> Fate | None:
    file = simulation.workspace.files.get(path)
    return None if file is None or file.source.is_garbled(line) else simulation.told_fates(path)[line - 1]


def _located(edit: Edit, workspace: Workspace) -> Edit:
    source = _source(workspace, edit.path)
    return replace(edit, start=source.position(edit.span.start), end=source.position(edit.span.end))


_NO_TEXT = SourceText("")


def _source(workspace: Workspace, path: str) -> SourceText:
    return workspace.text_at(path) or _NO_TEXT


_WORSE = {"BL105": "BL104"}  # a rule that is cut, and one that is lost


def _fingerprints(diagnostics: Iterable[Diagnostic], workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Rule, file, normalised text of the line and which occurrence of these it is: stable when lines move.

    Where a secret stands in the line, a trace of it as well: another one of the same length is another finding. With
    each goes what it would be if it were worse, "" where nothing is.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    for diagnostic in diagnostics:
        path = diagnostic.path.removeprefix(workspace.shown)
        key = (diagnostic.code, path, "" if diagnostic.of_file else " ".join(diagnostic.line_text.split()))
        seen[key] += 1
        material = "\0".join((*key[1:], str(seen[key])))
        source = _source(workspace, path)
        line = source.lines[diagnostic.start.line - 1]
        if line != diagnostic.line_text and not diagnostic.of_file:
            secret = source.text[diagnostic.span.start : diagnostic.span.end]
            material += "\0" + _trace(f"{path}\0{line.strip()}\0{secret}")
        worse = _WORSE.get(diagnostic.code)
        yield _hashed(f"{diagnostic.code}\0{material}"), _hashed(f"{worse}\0{material}") if worse else ""


def _hashed(material: str) -> str:
    import hashlib  # opens OpenSSL: not for a run that finds nothing

    return hashlib.sha256(_encoded(material)).hexdigest()[:32]


def _trace(secret: str) -> str:
    """16 bits of a hash: enough to tell a new secret from the old, too little to know a right guess by."""
    import hashlib

    return hashlib.sha256(_encoded(secret)).hexdigest()[:4]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
