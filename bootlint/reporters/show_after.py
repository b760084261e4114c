"""What reaches the model after the prompt: sections of AGENTS.md after a compaction, notes after a bare /new.

The text is what OpenClaw adds, its own introductions left out; the notes about it are for people. As JSON,
schema version 1.
"""

from __future__ import annotations

from bootlint.records import record
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bootlint.openclaw.startup import NoteSection
    from bootlint.simulation import Simulation
    from bootlint.wording import Language


@record
class Addition:
    """What is added, why not where that is nothing, and the same for programs."""

    text: str
    why_nothing: str  # "" where there is a text
    notes: tuple[str, ...]
    document: Mapping[str, object]


def after_compaction(simulation: Simulation, language: Language) -> Addition:
    """The sections that come back."""
    outcome, release = simulation.after_compaction, simulation.contract.release
    why = ""
    if outcome.state != "on":
        unseen = outcome.state == "not-asked-for" and simulation.situation.config is None
        key = "after-compaction-no-config" if unseen else f"after-compaction-{outcome.state}"
        why = phrase(key, language, release=release, names=outcome.names)
    document = {
        "schema_version": 1,
        "release": release,
        "state": outcome.state,
        "configured": outcome.configured,
        "names": list(outcome.names),
        "found": list(outcome.found),
        "missing": list(outcome.missing),
        "max_chars": outcome.max_chars,
        "full_chars": outcome.full_chars,
        "truncated": outcome.truncated,
        "text": outcome.text,
    }
    return Addition(outcome.text, why, tuple(_about_sections(simulation, language)), document)


def _about_sections(simulation: Simulation, language: Language) -> Iterator[str]:
    outcome = simulation.after_compaction
    if outcome.state != "on":
        return
    yield phrase(
        "after-compaction",
        language,
        release=simulation.contract.release,
        count=len(outcome.found),
        names=outcome.found,
    )
    if outcome.truncated:
        yield phrase("after-compaction-cut", language, full=outcome.full_chars, limit=outcome.max_chars)
    if outcome.missing:
        yield phrase("after-compaction-missing", language, names=outcome.missing)


def after_new(simulation: Simulation, now_ms: int, language: Language) -> Addition:
    """The daily notes that a bare /new adds at a time, in milliseconds since 1970."""
    from bootlint.openclaw.startup import MORE, note_days, startup_notes, startup_state

    situation = simulation.situation
    config = situation.config.data if situation.config else None
    contract, state = situation.contract, startup_state(situation.contract, config)
    sections: tuple[NoteSection, ...] = ()
    more = False
    if state == "on":
        sections, more = startup_notes(simulation.workspace.root, contract, config=config, now_ms=now_ms)
    days = tuple(map(str, note_days(contract, config, now_ms=now_ms)))
    parts = [*(section.block for section in sections), *([MORE] if more else [])]
    shown_state = "no-notes" if state == "on" and not sections else state
    facts: dict[str, str | tuple[str, ...]] = {"release": contract.release, "days": days}
    labels = tuple(section.label for section in sections)
    notes = [phrase("after-new", language, **facts, count=len(sections), names=labels)]
    document = {
        "schema_version": 1,
        "release": contract.release,
        "state": shown_state,
        "days": list(days),
        "notes": [{"label": section.label, "content": section.content} for section in sections],
        "more": more,
        "text": "\n".join(parts),
    }
    return Addition(
        text="\n".join(parts),
        why_nothing="" if parts else phrase(f"after-new-{shown_state}", language, **facts),
        notes=tuple(notes) if parts else (),
        document=document,
    )
