"""Keys, tokens and passwords that stand in a text, and the mask that keeps them out of every report.

Owns what a secret looks like, beside the formats and words that `rules/patterns.toml` lists. What is found must
not be printed: whoever quotes a text passes it through a `Mask`. Offsets are code points.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache

from bootlint.diagnostics import Span
from bootlint.lazyre import lazy_pattern
from bootlint.records import record
from bootlint.security.patterns import KeyFormat, patterns
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bootlint.security.phrases import Haystack

    _Judge = Callable[[str], bool]

Kind = Literal["format", "label", "url", "private-key"]


@record
class Secret:
    """`name` is the maker's name for such a key, or the word before the colon as the author wrote it."""

    kind: Kind
    span: Span
    name: str = ""


def find(haystack: Haystack) -> tuple[Secret, ...]:
    """The secrets of a text, in order, none inside another."""
    found: list[Secret] = []
    text = haystack.text
    by_form = (*_private_keys(text), *_formatted(haystack), *_addresses(text))
    by_word = (*_labelled(haystack), *_below_headings(haystack))
    for secret in sorted((*by_form, *by_word), key=lambda secret: (secret.span.start, -secret.span.end)):
        if not found or secret.span.start >= found[-1].span.end:
            found.append(secret)
    return tuple(found)


class Mask:
    """Blots secrets out wherever they are quoted, an excerpt's cut-off end included; columns stay what they are.

    Takes pairs of a text and what `find` found in it.
    """

    def __init__(self, found: Iterable[tuple[str, tuple[Secret, ...]]]) -> None:
        values = {
            line
            for text, secrets in found
            for secret in secrets
            for line in text[secret.span.start : secret.span.end].split()
            if len(line) >= _SHORTEST
        }
        self._values = sorted(values, key=lambda value: (-len(value), value))

    def __bool__(self) -> bool:
        """Is there anything to blot out?"""
        return bool(self._values)

    def hides(self, text: str) -> bool:
        """Does the text hold a secret?"""
        return any(value in text for value in self._values)

    def __call__(self, text: str) -> str:
        for value in self._values:
            text = text.replace(value, _BLOT * len(value))
        return self._without_cut_ends(text) if self._values and "…" in text else text

    def _without_cut_ends(self, text: str) -> str:
        """Where an excerpt was cut, `…`, a part of a secret may stand on either side."""
        first, *others = text.split("…")
        parts = [first]
        for part in others:
            parts[-1] = self._without_cut_end(parts[-1])
            parts.append(self._without_cut_start(part))
        return "…".join(parts)

    def _without_cut_end(self, text: str) -> str:
        size = max((_overlap(text, value) for value in self._values), default=0)
        return text[: len(text) - size] + _BLOT * size

    def _without_cut_start(self, text: str) -> str:
        size = max((_overlap(value, text) for value in self._values), default=0)
        return _BLOT * size + text[size:]


def _overlap(text: str, following: str) -> int:
    """How long a stretch at the end of `text` the other text begins with; 0 where it says too little to matter."""
    sizes = range(min(len(text), len(following)), _TELLING - 1, -1)
    return next((size for size in sizes if text.endswith(following[:size])), 0)


_BLOT = "•"
_TELLING = 4  # code points of a secret
_SHORTEST = 6  # code points of a password
_SHORTEST_KEY = 12  # of what stands after `token:`


# --- by form -------------------------------------------------------------------------------------------------

_PRIVATE_KEY = lazy_pattern(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?P<body>[^-]+)(?:-----END|\Z)")


def _private_keys(text: str) -> Iterator[Secret]:
    if "PRIVATE KEY-----" not in text:
        return
    for match in _PRIVATE_KEY.finditer(text):
        body = match["body"]
        if len(body) > 60 and _is_random("".join(body.split())):
            start = match.start("body") + len(body) - len(body.lstrip())
            yield Secret("private-key", Span(start, start + len(body.strip())))


def _formatted(haystack: Haystack) -> Iterator[Secret]:
    if not haystack.long_runs:
        return
    for key in patterns().keys:
        for start in key.starts:
            if start.lstrip(":") in haystack.long_runs:
                for match in _pattern(key, start).finditer(haystack.text):
                    if _is_random(match["rest"]):
                        yield Secret("format", Span(*match.span()), key.name)


@lru_cache(maxsize=64)
def _pattern(key: KeyFormat, start: str) -> re.Pattern[str]:
    return re.compile(f"(?<![A-Za-z0-9_-]){key.before}{re.escape(start)}(?P<rest>{key.rest})(?![A-Za-z0-9])")


_ADDRESS = lazy_pattern(r"[a-z]://(?P<user>[^\s/:@\"'`<>]*):(?P<password>[^\s/@\"'`<>]+)@(?=[\w\[])")


def _addresses(text: str) -> Iterator[Secret]:
    """Passwords in URLs: `postgres://ada:…@host`."""
    if "://" not in text or "@" not in text:
        return
    for match in _ADDRESS.finditer(text):
        if _is_password(match["password"]):
            yield Secret("url", Span(*match.span("password")))


# --- by the word before -------------------------------------------------------------------------------------------


def _labelled(haystack: Haystack) -> Iterator[Secret]:
    for labels, judge in _judges():
        for label in filter(haystack.may_contain, labels):
            at = haystack.folded.find(label)
            while at >= 0:
                end = at + len(label)
                match = _AFTER_LABEL.match(haystack.text, end)
                if match and judge(value := match["value"].rstrip(_TRAILING)):
                    start = match.start("value")
                    yield Secret("label", Span(start, start + len(value)), haystack.text[at:end])
                at = haystack.folded.find(label, match.end() if match else end)


_TRAILING = "*_.,;:)]}\\"


def _below_headings(haystack: Haystack) -> Iterator[Secret]:
    """The cells of a table below a heading such as `密码`."""
    if "|" not in haystack.text:
        return
    labelled: list[tuple[int, str, _Judge]] = []
    above: list[Span] = []
    start = 0
    for line in haystack.text.split("\n"):
        cells = _cells(line, start) if "|" in line else []
        if not cells:
            labelled = []
        elif not labelled and "-" in line and _RULE_OF_TABLE.issuperset(line):
            labelled = list(_labelled_columns(haystack, above))
        for column, label, judge in labelled:
            span = cells[column] if column < len(cells) else Span(start, start)
            value = haystack.text[span.start : span.end]
            if not _BLANK.search(value) and judge(value):
                yield Secret("label", span, label)
        above = cells
        start += len(line) + 1


def _cells(line: str, start: int) -> list[Span]:
    """Those of a row that begins at `start`, without the marks around what is in them."""
    cells: list[Span] = []
    for cell in line.split("|"):
        inner = cell.strip(_AROUND_CELL)
        at = start + cell.find(inner)
        cells.append(Span(at, at + len(inner)))
        start += len(cell) + 1
    return cells[1:] if line.lstrip().startswith("|") else cells


def _labelled_columns(haystack: Haystack, headings: list[Span]) -> Iterator[tuple[int, str, _Judge]]:
    for column, span in enumerate(headings):
        heading = haystack.folded[span.start : span.end]
        for labels, judge in _judges():
            label = next((label for label in labels if heading.endswith(label)), None)
            if label is not None:
                yield column, haystack.text[span.end - len(label) : span.end], judge
                break


_AROUND_CELL = " \t\r*_`\"'“”"
_RULE_OF_TABLE = frozenset(" \t\r|:-")
_BLANK = lazy_pattern(r"\s")


def _judges() -> Iterator[tuple[tuple[str, ...], _Judge]]:
    """Words that stand before a secret, longer ones first, with what tells whether it is one."""
    for name, judge in (("passwords", _is_password), ("keys", _is_key)):
        yield tuple(sorted(_texts(name), key=len, reverse=True)), judge


def _texts(name: str) -> tuple[str, ...]:
    """The words of a list under `[password]`."""
    known = patterns()
    return known.words(known.password[name])


# From a label to its value: closing marks, a remark in brackets, a colon or the like, opening marks.
_AFTER_LABEL = lazy_pattern(
    r"(?:[ \t]?[(（][^()（）\n]{0,24}[)）])?[*_`\"'”’」\])]{0,4}[ \t]{0,4}"
    r"(?:[:：=＝|]|=>|->|→|[ \t]is[ \t]|是|为|為|(?<=[Bb]earer)[ \t]|(?<=[码碼令])[ \t]*(?=`))"
    r"[ \t*_`\"'“‘「]{0,8}"
    r"(?P<value>[^\s`\"'“”‘’「」<>|，。；、（）【】]+)"
)
_WORDS = lazy_pattern(r"[a-z]+[0-9]{0,5}(?:[-_.][a-z]*[0-9]{0,5})+")


def _is_password(value: str) -> bool:
    if len(value) < _SHORTEST or not _may_be_secret(value):
        return False
    kinds = _kinds(value)
    return value.isdigit() or ("digit" in kinds and len(kinds) > 1) or ("sign" in kinds and "letter" in kinds)


def _is_key(value: str) -> bool:
    """Longer than a password and no name made of words: behind `token:` stands many a thing that is no secret."""
    if len(value) < _SHORTEST_KEY or not _may_be_secret(value) or _WORDS.fullmatch(value):
        return False
    return {"digit", "letter"} <= _kinds(value) and _is_random(value)


def _kinds(value: str) -> set[str]:
    return {
        "digit" if char.isdigit() else "letter" if char.isalpha() else "sign"
        for char in value
        if char not in "-_./"
    }


_NO_SECRET = lazy_pattern(
    r"""
    [$%~/.{\[(@-] .*                # a variable, a path, a template, an option
    | \w+:// .* | [a-z]+:[^:]* @ .* # an address, op://
    | (?:env|vault|file|keychain|secret|pass|secretref|ssm|arn|aws-sm|gcp-sm): .*
    | [A-Z][A-Z0-9]* (?:_[A-Z0-9]+)+            # the name of an environment variable
    | [A-Za-z_]\w* (?:\.[A-Za-z_]\w*)+ (?:\(.*)? # an expression in code
    | \w+ [(\[] .*
    | [\d.,:/x×~-]{1,5} [a-z%+]{0,2}               # a number, a range
    """,
    re.VERBOSE,
)


def _may_be_secret(value: str) -> bool:
    if not value.isascii() or _NO_SECRET.fullmatch(value) or "${" in value or "{{" in value:
        return False
    return len(set(value)) > 3 and not _is_placeholder(value) and value.lower() not in _texts("names")


def _is_placeholder(value: str) -> bool:
    lower = value.lower()
    return any(word in lower for word in _texts("placeholders"))


_RUNS = ("abcdefgh", "12345678", "01234567", "fedcba98", "98765432")


def _is_random(value: str) -> bool:
    """Does it look as if a machine had made it up?"""
    lower = value.lower()
    if (
        not any(char.isdigit() for char in value)
        or _is_placeholder(value)
        or any(run in lower for run in _RUNS)
    ):
        return False
    counts = Counter(value)
    bits = -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
    return bits >= (3.0 if len(value) >= 20 else 2.5)
