"""What differs between releases, as a handful of facts that a person understands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bootlint.openclaw.contract import Contract
from bootlint.openclaw.releases import contract, releases
from bootlint.records import record


@record
class Change:
    """One fact before and after, "" where it does not apply. `fact` is a key of `facts`."""

    fact: str
    before: str
    after: str


def facts(behaviour: Contract) -> Mapping[str, str]:
    """Fact → value, the same keys for every release. Numbers are UTF-16 units."""
    cut, loading, sessions = behaviour.truncation, behaviour.loading, behaviour.sessions
    compaction, startup = behaviour.compaction, behaviour.startup
    lower = {"beside": "memory.md too", "instead": "memory.md instead", "never": ""}[loading.lowercase_memory]
    return {
        "limit": str(cut.default_max_chars),
        "total-limit": str(cut.default_total_chars or ""),
        "user-limit": str(cut.user_max_chars or ""),
        "long-personal-user": "dropped" if cut.drops_long_personal_user else "",
        "cut": "75/25 of what the marker leaves" if cut.marker_fits_limit else "70/20, marker on top",
        "pairs": "whole" if cut.safe_cuts else "may be split",
        "digest": _digest(behaviour),
        "files": " ".join(loading.names),
        "lowercase-memory": lower,
        "skipped-when-absent": " ".join(sorted(loading.optional)),
        "links-inside": loading.inner_links,
        "links-outside": loading.outer_links,
        "hard-links": loading.hard_links,
        "refused-file": loading.failure,
        "subagent-files": _names(sessions.subagent),
        "cron-files": _names(sessions.cron),
        "groups-see-memory": "no" if sessions.hides_memory_in_groups else "yes",
        "prompt-order": "by rank and name" if behaviour.prompt.sorts else "load order",
        "project-entries": "yes" if behaviour.prompt.project_entries else "no",
        "bootstrap-file": behaviour.bootstrap.placement,
        "sections-after-compaction": ", ".join(compaction.default_names) if compaction else "",
        "compaction-chars": str(compaction.max_chars) if compaction else "",
        "daily-notes": f"{startup.file_chars} a file, {startup.total_chars} in all" if startup else "",
        "memory-provenance": "tracked" if behaviour.tracks_memory_provenance else "",
    }


def changes(before: Contract, after: Contract) -> tuple[Change, ...]:
    """The facts that differ."""
    old, new = facts(before), facts(after)
    return tuple(Change(fact, old[fact], new[fact]) for fact in old if old[fact] != new[fact])


def history() -> Iterator[tuple[str, tuple[Change, ...]]]:
    """Every recorded release with what changed at it, oldest first."""
    known = releases()
    yield known[0], ()
    for earlier, later in zip(known, known[1:], strict=False):
        yield later, changes(contract(earlier), contract(later))


def _digest(behaviour: Contract) -> str:
    digest = behaviour.truncation.digest
    if digest is None:
        return ""
    return f"English and {' '.join(digest.candidate_signs)}" if digest.candidate_signs else "English"


def _names(names: frozenset[str] | None) -> str:
    return "all" if names is None else " ".join(sorted(names))
