"""One sign for each fate and each part of a file, the same in a terminal and in the HTML: a map without colour."""

from __future__ import annotations

from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

LineMark = Literal["blank", "kept", "digest", "digest-cut", "cut", "dropped", "lost-rule", "not-sent"]
Share = Literal["head", "digest", "marker", "tail", "lost", "free"]

LINE_SIGNS: Mapping[LineMark, str] = {
    "blank": " ",
    "kept": "+",
    "digest": "*",
    "digest-cut": "~",
    "cut": "~",
    "dropped": "-",
    "lost-rule": "!",
    "not-sent": " ",
}
SHARE_SIGNS: Mapping[Share, str] = {
    "head": "+",
    "digest": "*",
    "marker": "=",
    "tail": "+",
    "lost": "-",
    "free": ".",
}
