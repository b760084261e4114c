"""The fate of one line in each situation, as text and as plain values for JSON."""

from __future__ import annotations

from bootlint.typed import TYPE_CHECKING
from bootlint.wording import inert, phrase, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bootlint.explain import Explanation
    from bootlint.wording import Language


def render(place: str, text: str, explanations: Sequence[Explanation], language: Language) -> str:
    """Session kinds of one release in which the same holds are told together."""
    lines = [inert(f"{printable(place)}: {printable(text.strip())}")]
    groups: dict[tuple[str, ...], list[Explanation]] = {}
    for one in explanations:
        groups.setdefault((one.release, *_sentences(one, language)), []).append(one)
    for same in groups.values():
        sessions = tuple(one.session for one in same)
        fate = phrase(f"fate-{same[0].fate or 'not-sent'}", language)
        lines.append(phrase("why-situation", language, release=same[0].release, sessions=sessions, fate=fate))
        lines += (f"  {sentence}" for sentence in _sentences(same[0], language))
    return "".join(f"{line}\n" for line in lines)


def document(place: str, line: int, text: str, explanations: Sequence[Explanation]) -> dict[str, object]:
    """JSON, schema version 1. `changed_chars` are UTF-16 units."""
    return {
        "schema_version": 1,
        "path": place,
        "line": line,
        "text": text,
        "explanations": [
            {
                "release": one.release,
                "session": one.session,
                "fate": one.fate,
                "reached": one.reached,
                "reasons": [{"reason": reason.key, **reason.params} for reason in one.reasons],
                "remedy": None
                if one.remedy is None
                else {"change": one.remedy.kind, "changed_chars": one.remedy.cost, **one.remedy.params},
                "curated": one.curated,
                "saved_by_fix": one.saved_by_fix,
            }
            for one in explanations
        ],
    }


def _sentences(one: Explanation, language: Language) -> Iterator[str]:
    for reason in one.reasons:
        yield phrase(f"why-{reason.key}", language, **reason.params)
    if one.remedy is not None:
        if one.saved_by_fix:
            yield phrase("remedy-fix-too", language)
        change = phrase(f"remedy-{one.remedy.kind}", language, **one.remedy.params)
        yield phrase("remedy", language, change=change)
        if one.curated is not None:
            yield phrase("fix-held-curated", language, file=one.curated, release=one.release)
    elif one.no_single_change:
        yield phrase("remedy-none", language)
        yield phrase("remedy-fix" if one.saved_by_fix else "remedy-no-fix", language)
