"""What `bootlint fix` did: the plan of moves and the summary in words, and the same as JSON, schema version 1."""

from __future__ import annotations

from collections import Counter, defaultdict

from bootlint.diagnostics import Severity
from bootlint.reporters.jsontext import dump
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bootlint.config import Settings
    from bootlint.fixer import FixResult, HeldBack, Reach, StillLost
    from bootlint.proof import Objection
    from bootlint.rescue import Move
    from bootlint.simulation import Situation
    from bootlint.wording import Language

FORMATS = ("text", "json")

_MOST_LINES = 10  # of one kind that are named


def plan(results: Iterable[FixResult], language: Language) -> Iterator[str]:
    """The moves of sections, one line each."""
    for result in results:
        for move in result.moves:
            key = f"fix-move-{move.to}" if move.within is None else f"fix-move-{move.to}-within"
            yield phrase(
                key,
                language,
                file=_shown(result, move.path),
                title=move.title,
                within=move.within or "",
                first=move.first,
                last=move.last,
                chars=move.chars,
                gained=move.gained,
            )


def summary(
    results: Sequence[FixResult],
    language: Language,
    *,
    offers_unsafe: bool = False,
    offers_scope: bool = False,
    verbose: bool = False,
) -> Iterator[str]:
    """What was done to each file, what was held back and why, and how many priority rules arrive.

    `offers_unsafe`: say what unsafe fixes could still do; `offers_scope`: where all rules arrived already, say how
    to do less. `verbose` names every line.
    """
    for result in results:
        yield from _repairs(result, language)
        yield from _held_back(result, language, verbose=verbose)
    yield from _reach(results, language)
    if offers_scope and any(result.repairs for result in results) and _all_arrived(results):
        yield phrase("fix-offer-scope", language)
    unsafe = sum(result.unsafe for result in results)
    if unsafe:
        yield phrase("fix-more-unsafe", language, count=unsafe)
    for result in results:
        for lost in result.still_lost:
            yield still_lost(lost, result, language, offers_unsafe=offers_unsafe)
    left = {severity: sum(result.report.count(severity) for result in results) for severity in Severity}
    if any(left.values()):
        yield phrase(
            "fix-left",
            language,
            errors=left[Severity.ERROR],
            warnings=left[Severity.WARNING],
            infos=left[Severity.INFO],
        )


def style_notes(settings: Settings, situations: Iterable[Situation], language: Language) -> Iterator[str]:
    """That the style asked for can write no keyword, for each release in which it is so."""
    for situation in situations:
        digest = situation.contract.truncation.digest
        if settings.prefix_style == "cjk" and digest is not None and not digest.priority_signs:
            yield phrase("fix-no-signs", language, release=situation.contract.release)


def why(objection: Objection, result: FixResult, language: Language) -> str:
    """What stands against a fix, in words."""
    return phrase(
        f"fix-held-{objection.kind}",
        language,
        file=_shown(result, objection.path),
        line=objection.line or 0,
        release=objection.release,
    )


def still_lost(lost: StillLost, result: FixResult, language: Language, *, offers_unsafe: bool) -> str:
    """How many priority rules of a file are lost still, and what can be done or why nothing was."""
    file = _shown(result, lost.path)
    if lost.why is not None:
        way_out = why(lost.why, result, language)
    elif offers_unsafe and lost.moves:
        way_out = phrase("fix-offer-moves", language)
    else:
        moves = phrase("fix-moves-in-vain" if lost.moves else "fix-no-moves", language, count=lost.moves)
        rest = phrase("fix-over" if lost.over else "fix-no-room-left", language, over=lost.over)
        way_out = phrase("fix-in-vain", language, moves=moves, rest=rest)
    return phrase("fix-still-lost", language, file=file, count=lost.rules, why=way_out)


def _repairs(result: FixResult, language: Language) -> Iterator[str]:
    by_file: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for repair in result.repairs:
        by_file[repair.path][repair.code] += 1
    for path, codes in by_file.items():
        counted = tuple(f"{code} ×{count}" for code, count in sorted(codes.items()))
        yield phrase("fix-file", language, file=_shown(result, path), count=codes.total(), codes=counted)


def _held_back(result: FixResult, language: Language, *, verbose: bool) -> Iterator[str]:
    """One line for a file, rule and reason, whatever the number of fixes."""
    groups: defaultdict[tuple[str, str, str, bool], list[HeldBack]] = defaultdict(list)
    for held in result.held:
        groups[held.path, held.code, held.why.kind, held.arrives].append(held)
    for (path, code, _, arrives), group in groups.items():
        lines = sorted({held.line for held in group})
        most = len(lines) if verbose else 0 if arrives else _MOST_LINES
        shown = tuple(map(str, lines[:most])) + (("…",) if most < len(lines) else ())
        yield phrase(
            f"fix-held{'-arrives' if arrives else ''}{'-lines' if most else ''}",
            language,
            file=_shown(result, path),
            code=code,
            count=len(group),
            lines=shown,
            why=why(group[0].why, result, language),
        )


def _reach(results: Sequence[FixResult], language: Language) -> Iterator[str]:
    """For each release each file, and the sum where there are several."""
    releases = dict.fromkeys(reach.release for result in results for reach in result.reach)
    for release in releases:
        prefix = phrase("fix-release", language, release=release) if len(releases) > 1 else ""
        found = [
            (_shown(result, reach.path), reach)
            for result in results
            for reach in result.reach
            if reach.release == release and (reach.rules_before or reach.rules_after)
        ]
        for file, reach in found:
            yield prefix + phrase("fix-reach-file", language, file=file, reach=_reached([reach], language))
        if not found:
            yield prefix + phrase("fix-no-rules", language)
        elif len(found) > 1:
            yield prefix + _reached([reach for _, reach in found], language)


def _reached(reaches: Sequence[Reach], language: Language) -> str:
    counts = _counts(reaches)
    arrived_already = counts["before"] == counts["rules_before"]
    return phrase("fix-reach-all" if arrived_already else "fix-reach", language, **counts)


def _all_arrived(results: Sequence[FixResult]) -> bool:
    return all(reach.reached_before == reach.rules_before for result in results for reach in result.reach)


def _counts(reaches: Sequence[Reach]) -> dict[str, int]:
    return {
        "before": sum(reach.reached_before for reach in reaches),
        "rules_before": sum(reach.rules_before for reach in reaches),
        "after": sum(reach.reached_after for reach in reaches),
        "rules_after": sum(reach.rules_after for reach in reaches),
    }


def _shown(result: FixResult, path: str) -> str:
    return path if result.workspace == "." else f"{result.workspace}/{path}"


# --- JSON ----------------------------------------------------------------------------------------------------


def render(
    results: Sequence[FixResult], language: Language, *, written: Iterable[str], diff: str | None
) -> str:
    """`written` are the files that were written, as shown; `diff` is None where nobody asked for one."""
    done = frozenset(written)
    document: dict[str, object] = {
        "schema_version": 1,
        "workspaces": [_workspace(result, language, done) for result in results],
        "summary": {
            "fixes": sum(len(result.repairs) for result in results),
            "moves": sum(len(result.moves) for result in results),
            "held_back": sum(len(result.held) for result in results),
            "unsafe": sum(result.unsafe for result in results),
            "errors": sum(result.report.count(Severity.ERROR) for result in results),
            "warnings": sum(result.report.count(Severity.WARNING) for result in results),
            "infos": sum(result.report.count(Severity.INFO) for result in results),
        },
    }
    if diff is not None:
        document["diff"] = diff
    return dump(document)


def _workspace(result: FixResult, language: Language, written: frozenset[str]) -> dict[str, object]:
    shown = (_shown(result, file.path) for file in result.files)
    return {
        "path": result.workspace,
        "files": [{"path": path, "written": path in written} for path in shown],
        "fixes": [
            {
                "code": repair.code,
                "name": repair.name,
                "path": _shown(result, repair.path),
                "line": repair.line,
                "title": repair.title,
            }
            for repair in result.repairs
        ],
        "moves": [_move(move, result) for move in result.moves],
        "held_back": [
            {
                "code": held.code,
                "name": held.name,
                "path": _shown(result, held.path),
                "line": held.line,
                "arrives": held.arrives,
                "reason": held.why.kind,
                "message": why(held.why, result, language),
            }
            for held in result.held
        ],
        "still_lost": [
            {
                "path": _shown(result, lost.path),
                "rules": lost.rules,
                "reason": None if lost.why is None else lost.why.kind,
                "moves": lost.moves,
                "over": lost.over,
            }
            for lost in result.still_lost
        ],
        "priority_rules": [
            {
                "path": _shown(result, reach.path),
                "release": reach.release,
                "before": reach.rules_before,
                "reached_before": reach.reached_before,
                "after": reach.rules_after,
                "reached_after": reach.reached_after,
            }
            for reach in result.reach
        ],
    }


def _move(move: Move, result: FixResult) -> dict[str, object]:
    return {
        "path": _shown(result, move.path),
        "section": move.title,
        "line": move.first,
        "end_line": move.last,
        "chars": move.chars,
        "to": move.to,
        "within": move.within,
        "gained": move.gained,
    }
