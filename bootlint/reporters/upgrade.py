"""What an upgrade of OpenClaw does to a workspace: as text or JSON (schema version 1)."""

from __future__ import annotations

from bootlint.reporters.diff import change_document, change_lines
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import Language, phrase, printable, templates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bootlint.openclaw.history import Change
    from bootlint.upgrading import Upgrade


def facts(values: Mapping[str, str], language: Language) -> Iterator[str]:
    """One line a fact of OpenClaw."""
    for fact, value in values.items():
        shown = _value(fact, value, language)
        yield phrase("fact", language, fact=phrase(f"fact-{fact}", language), value=shown)


def changed_facts(changes: Sequence[Change], language: Language) -> Iterator[str]:
    """One line a fact of OpenClaw that differs."""
    for change in changes:
        before, after = (_value(change.fact, value, language) for value in (change.before, change.after))
        name = phrase(f"fact-{change.fact}", language)
        yield phrase("fact-change", language, fact=name, before=before, after=after)


def _value(fact: str, value: str, language: Language) -> str:
    """In words where it has some, of this fact or of any; else the numbers, names or signs that it is."""
    if value.isdecimal():
        return f"{int(value):,}"
    words = templates(language, (f"fact-{fact}-{value}", f"fact-{value or 'none'}"))
    return words.get(f"fact-{fact}-{value}") or words.get(f"fact-{value or 'none'}") or value


def lines(upgrade: Upgrade, language: Language) -> Iterator[str]:
    yield f"OpenClaw {upgrade.before} → {upgrade.after}"
    yield from (f"  {fact}" for fact in changed_facts(upgrade.facts, language))
    if upgrade.effect.state == "same":
        yield phrase("diff-nothing", language)
    else:
        yield from change_lines(upgrade.effect, language)
    if upgrade.no_longer_loaded:
        yield "  " + phrase("upgrade-gone", language, files=upgrade.no_longer_loaded)
    if upgrade.newly_loaded:
        yield "  " + phrase("upgrade-came", language, files=upgrade.newly_loaded)
    if upgrade.merges_tools:
        yield "  " + phrase("upgrade-merge", language)
    for ranked, key in ((True, "upgrade-ranked"), (False, "upgrade-unranked")):
        changed = [rank for rank in upgrade.ranks if rank.now_ranked is ranked]
        if changed:
            yield "  " + phrase(key, language, count=len(changed))
            yield from (f"    AGENTS.md:{rank.line}: {printable(rank.text)}" for rank in changed)


def document(upgrade: Upgrade) -> dict[str, object]:
    return {
        "schema_version": 1,
        "before": upgrade.before,
        "after": upgrade.after,
        "facts": [{"fact": one.fact, "before": one.before, "after": one.after} for one in upgrade.facts],
        "no_longer_loaded": list(upgrade.no_longer_loaded),
        "newly_loaded": list(upgrade.newly_loaded),
        "merges_tools": upgrade.merges_tools,
        "effect": change_document(upgrade.effect),
        "ranks": [
            {"line": one.line, "text": one.text, "now_ranked": one.now_ranked} for one in upgrade.ranks
        ],
    }
