"""What the model receives, as one HTML file that needs nothing else: no network, no font, no script but its own.

Puts the page of `html/` together with the JSON of `show` and what only a page needs: phrases, signs, the places of
the map. Knows how to keep hostile text inside its data; the page itself makes nothing but text nodes of it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from bootlint.reporters.jsontext import dump
from bootlint.reporters.show_json import page_document
from bootlint.reporters.signs import LINE_SIGNS, SHARE_SIGNS
from bootlint.reporters.treemap import cells
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import LANGUAGES, templates

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bootlint.overview import Overview
    from bootlint.wording import Language

_PAGE = Path(__file__).parent / "html"
_PHRASES = (
    "html-",
    "fate-",
    "part-",
    "status-",
    "cause-",
    "show-cell-whole",
    "show-not-in-context",
    "lost-rule",
    "assumed",
)
_SHAPES = {"wide": (5, 2), "narrow": (4, 5)}  # width and height of the map, as in page.css


def render(views: Sequence[Overview], language: Language, session: str) -> str:
    """The page for all views of one workspace; it opens in a language and a session kind that it holds."""
    style, script = (_read(name) for name in ("page.css", "page.js"))
    texts = {
        "policy": _policy(style, script),
        "style": style,
        "script": script,
        "data": _embedded(page_document(views)),
        "setup": _embedded(_setup(views, language, session)),
    }
    # In one pass, so that no text that is put in is searched for places.
    return re.sub(r"\{(\w+)\}", lambda place: texts[place[1]], _read("page.html"))


def _read(name: str) -> str:
    return (_PAGE / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Nothing may be fetched, and nothing runs or styles but these two texts."""
    return (
        f"default-src 'none'; img-src data:; style-src {_source(style)}; script-src {_source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _embedded(value: object) -> str:
    r"""JSON that ends no script element and opens no comment: `<` can only stand in strings, where `\u003c` is the same."""
    return dump(value).replace("<", "\\u003c")


def _setup(views: Sequence[Overview], language: Language, session: str) -> dict[str, object]:
    return {
        "language": language,
        "session": session,
        "phrases": {one: templates(one, _PHRASES) for one in LANGUAGES},
        "signs": dict([*LINE_SIGNS.items(), *SHARE_SIGNS.items()]),
        "layouts": {
            view.session: {name: _layout(view, *shape) for name, shape in _SHAPES.items()} for view in views
        },
    }


def _layout(view: Overview, width: float, height: float) -> Iterable[dict[str, object]]:
    """The cells in percent of the map."""
    return [
        {
            "file": file,
            "part": part,
            "x": round(100 * rect.x / width, 4),
            "y": round(100 * rect.y / height, 4),
            "width": round(100 * rect.width / width, 4),
            "height": round(100 * rect.height / height, 4),
        }
        for file, part, rect in cells(view.files, width, height)
    ]
