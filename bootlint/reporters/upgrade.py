"""What an upgrade of OpenClaw does to a workspace: as text or JSON (schema version 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bootlint.reporters.diff import change_document, change_lines
from bootlint.wording import Language, phrase, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bootlint.openclaw.history import Change
    from bootlint.upgrading import Upgrade


def facts(changes: Sequence[Change]) -> Iterator[str]:
    """One line a fact of OpenClaw that differs."""
    for change in changes:
        yield f"{change.fact}: {change.before or 'none'} → {change.after or 'none'}"


def lines(upgrade: Upgrade, language: Language) -> Iterator[str]:
    yield f"OpenClaw {upgrade.before} → {upgrade.after}"
    yield from (f"  {fact}" for fact in facts(upgrade.facts))
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
