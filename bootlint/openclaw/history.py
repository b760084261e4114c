"""What differs between releases, as a handful of facts that a person understands. `wording` has their words."""

from __future__ import annotations

from itertools import pairwise

from bootlint.openclaw.releases import contract, releases
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bootlint.openclaw.contract import Compaction, Contract, Digest


@record
class Change:
    """One fact before and after. `fact` is a key of `facts`."""

    fact: str
    before: str
    after: str


def facts(behaviour: Contract) -> Mapping[str, str]:
    """Fact → value, "" where it does not apply; the same keys for every release. Numbers are UTF-16 units."""
    cut, loading, sessions = behaviour.truncation, behaviour.loading, behaviour.sessions
    compaction, startup = behaviour.compaction, behaviour.startup
    digest = cut.digest
    return {
        "limit": str(cut.default_max_chars),
        "total-limit": str(cut.default_total_chars or ""),
        "user-limit": str(cut.user_max_chars or ""),
        "long-personal-user": "dropped" if cut.drops_long_personal_user else "",
        "cut": "75-25-and-marker-fit" if cut.marker_fits_limit else "70-20-marker-on-top",
        "pairs": "whole" if cut.safe_cuts else "may-be-split",
        "digest": "english-keywords" if digest else "",
        "digest-signs": " ".join(digest.priority_signs) if digest else "",
        "digest-lesser-signs": _lesser_signs(digest) if digest else "",
        "digest-prose": "line-before-candidate" if digest and digest.carries_prose else "",
        "files": " ".join(loading.names),
        "lowercase-memory": loading.lowercase_memory,
        "skipped-when-absent": " ".join(sorted(loading.optional)),
        "links-inside": loading.inner_links,
        "links-outside": loading.outer_links,
        "hard-links": loading.hard_links,
        "refused-file": loading.failure,
        "subagent-files": _names(sessions.subagent),
        "cron-files": _names(sessions.cron),
        "groups-see-memory": _yes_or_no(not sessions.hides_memory_in_groups),
        "prompt-order": "rank-and-name" if behaviour.prompt.sorts else "load-order",
        "project-entries": _yes_or_no(behaviour.prompt.project_entries),
        "bootstrap-file": behaviour.bootstrap.placement,
        "sections-after-compaction": _sections(compaction),
        "compaction-chars": str(compaction.max_chars) if compaction else "",
        "daily-note-chars": str(startup.file_chars) if startup else "",
        "daily-notes-chars": str(startup.total_chars) if startup else "",
        "memory-provenance": "kept" if behaviour.tracks_memory_provenance else "",
    }


def changes(before: Contract, after: Contract) -> tuple[Change, ...]:
    """The facts that differ."""
    old, new = facts(before), facts(after)
    return tuple(Change(fact, old[fact], new[fact]) for fact in old if old[fact] != new[fact])


def history() -> Iterator[tuple[str, tuple[Change, ...]]]:
    """Every recorded release with what changed at it, oldest first."""
    known = releases()
    yield known[0], ()
    for earlier, later in pairwise(known):
        yield later, changes(contract(earlier), contract(later))


def _sections(compaction: Compaction | None) -> str:
    if compaction is None:
        return ""
    return ", ".join(compaction.default_names) if compaction.on_by_default else "named-in-openclaw-json"


def _lesser_signs(digest: Digest) -> str:
    """Those that make a line a candidate, and give it no priority."""
    return " ".join(sign for sign in digest.candidate_signs if sign not in digest.priority_signs)


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def _names(names: frozenset[str] | None) -> str:
    return "all" if names is None else " ".join(sorted(names))
