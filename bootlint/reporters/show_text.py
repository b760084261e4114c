"""What the model receives, for a terminal: sizes of each file and a map of its lines by fate, with the headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bootlint.openclaw.fates import Fate
from bootlint.overview import FileOverview, Overview
from bootlint.wording import Language, phrase, printable

_SIGNS: dict[Fate, str] = {"kept": "+", "digest": "*", "digest-cut": "~", "cut": "~", "dropped": "-", "blank": " "}
_SHOWN_HEADINGS = 4


def render(overviews: Sequence[Overview], language: Language) -> str:
    return "".join(f"{line}\n" for view in overviews for line in _lines(view, language, several=len(overviews) > 1))


def _lines(view: Overview, language: Language, *, several: bool) -> Iterator[str]:
    if several:
        yield phrase("show-session", language, session=view.session)
    for file in view.files:
        yield from _file(file, language)
    yield phrase(
        "show-total",
        language,
        raw=view.raw_chars,
        injected=view.injected_chars,
        lost=view.lost_chars,
        rules=view.priority_rules,
        reached=view.reached,
    )


def _file(file: FileOverview, language: Language) -> Iterator[str]:
    if file.status != "injected":
        status = phrase(f"status-{file.status}", language)
        yield phrase("show-absent", language, file=file.name, status=status, raw=file.raw_chars, cost=file.injected_chars)
        return
    yield phrase(
        "show-file",
        language,
        file=file.name,
        raw=file.raw_chars,
        injected=file.injected_chars,
        lost=file.lost_chars,
        headroom=file.headroom or 0,
        limit=file.limit or 0,
    )
    if file.causes:
        yield phrase("show-causes", language, causes=tuple(phrase(f"cause-{cause}", language) for cause in file.causes))
    width = len(str(len(file.fates)))
    for first, last, fate in file.runs:
        headings = [printable(title) for line, title in file.headings if first <= line <= last]
        more = f" … (+{len(headings) - _SHOWN_HEADINGS})" if len(headings) > _SHOWN_HEADINGS else ""
        lines = f"{first:>{width}}-{last:<{width}}"
        word = phrase(f"fate-{fate}", language)
        yield f"  {_SIGNS[fate]} {lines} {word}  {' · '.join(headings[:_SHOWN_HEADINGS])}{more}".rstrip()
