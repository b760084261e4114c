"""Commands that fetch something and run it unseen, and payloads that nobody can read.

Owns the shapes of such commands; their names stand in `rules/patterns.toml`. Offsets are code points.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bootlint.diagnostics import Span
from bootlint.lazyre import lazy_pattern
from bootlint.records import record
from bootlint.security.patterns import patterns
from bootlint.security.stance import Stances
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.security.phrases import Haystack
    from bootlint.workspace import TextFile


@record
class Command:
    """A command that runs what it has just fetched or decoded."""

    span: Span


@record
class Payload:
    """A long text in an encoding. `chars` counts it without line ends."""

    span: Span
    encoding: Literal["base64", "hex"]
    chars: int


def find_commands(file: TextFile, haystack: Haystack) -> Iterator[Command]:
    """Once a line, unless the author forbids, quotes or warns of it, or wants to be asked before."""
    known = patterns()
    triggers = ("fetchers", "decoders", "powershell-fetchers", "code")
    if not any(haystack.held(known.words(known.shell[name])) for name in triggers):
        return
    stances = Stances(file, haystack, known)
    told = -1
    for start, end in sorted(_commands(haystack.text)):
        line = file.source.line_of(start)
        if line == told or _is_made_of_cells(file, line, start, end):
            continue
        if stances.rejects((start, end)) or stances.guards((start, end)):
            continue
        told = line
        yield Command(Span(start, end))


def find_payloads(file: TextFile, haystack: Haystack) -> Iterator[Payload]:
    """Long texts in base64 or hex, pictures, hashes, keys and addresses left out."""
    stances = Stances(file, haystack, patterns())
    for payload in _payloads(haystack):
        if not stances.rejects((payload.span.start, payload.span.end)):
            yield payload


# --- commands ---------------------------------------------------------------------------------------------------


def _commands(text: str) -> Iterator[tuple[int, int]]:
    for shape in _shapes():
        for match in shape.finditer(text):
            yield match.span()
    for match in _fetch_then_run().finditer(text):
        name = match["run"].rpartition("/")[2]
        if len(name) >= _SHORTEST_NAME and name in match["fetch"]:
            yield match.span()


_SHORTEST_NAME = 4  # of a file that is fetched, then run: `i.sh`


@lru_cache(maxsize=1)
def _shapes() -> tuple[re.Pattern[str], ...]:
    shell = patterns().shell
    fetch, decode, runner = _fetch(), rf"\b(?:{_any(shell['decoders'])})\b", _runner("shells", "languages")
    # A shell that reads its commands from the pipe, not from a file or an argument; a language likewise.
    reading = (
        rf"(?:{_runner('shells')}(?!\s+-c\b)(?!\s+[\w~-]*[./])(?:\s+-[a-bd-z]+)*"
        rf"|{_runner('languages')}(?=\s*(?:$|[`\"'|;&)]|-\s|-$|[^\x00-\x7f])))"
    )
    get = rf"(?:{_any(shell['powershell-fetchers'])})\b"
    evaluate = rf"\b(?:{_any(shell['powershell-evaluators'])})\b"
    ask = rf"(?:{_any(shell['code'])})\s*\("
    shapes = (
        rf"(?:{fetch}|{decode}){_REST}\\?\|(?:{_REST}\\?\|){{0,2}}\s*{reading}",  # curl … | sh
        rf"(?:\b{runner}|\bsource|(?<![\w.])\.)\s+<\(\s*{fetch}[^\n)]{{0,240}}\)?",  # bash <(curl …)
        rf"(?:\b{runner}\s+-[ce]|\beval|\bexec|\bsource|\b{runner}\s+<<<)"
        rf"\s+[\"']?(?:\$\(|`)\s*{fetch}[^\n)]{{0,240}}\)?",  # eval "$(curl …)"
        rf"\b{get}[^\n|]{{0,240}}\\?\|\s*{evaluate}",  # iwr … | iex
        rf"{evaluate}[^\n]{{0,80}}?\b{get}[^\n`]{{0,240}}",  # iex (iwr …)
        r"\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,80}?\s-e(?:nc(?:odedcommand)?)?\s+[A-Za-z0-9+/=]{16,}",
        rf"\b(?:exec|eval)\s*\([^\n]{{0,80}}?{ask}[^\n)]{{0,240}}\)",  # exec(requests.get(…).text)
    )
    return tuple(re.compile(shape, re.IGNORECASE | re.MULTILINE) for shape in shapes)


# The rest of a command up to a pipe; a line may go on behind a backslash.
_REST = r"(?:[^\n|;&\\]|&(?!&)|\\(?!\|)[\s\S]){0,240}"


@lru_cache(maxsize=1)
def _fetch_then_run() -> re.Pattern[str]:
    """`curl -O …/install.sh && sh install.sh`, on one line or two."""
    command = (
        rf"(?:\b{_runner('shells', 'languages')}(?:\s+-\w+)*\s+|\bsource\s+|\./)(?P<run>[\w.~/][\w.~/-]*)"
    )
    fetch = rf"(?P<fetch>{_fetch()}(?:[^\n;&]|&(?!&)){{0,240}})"
    return re.compile(rf"{fetch}(?:&&|;|\n)[^\n]{{0,80}}?{command}", re.IGNORECASE)


def _fetch() -> str:
    return rf"\b(?:{_any(patterns().shell['fetchers'])})\b"


def _runner(*kinds: str) -> str:
    names = "|".join(_any(patterns().shell[kind]) for kind in kinds)
    return rf"(?:sudo\s+(?:-\w+\s+)*)?(?:/usr/bin/env\s+|env\s+)?(?:/(?:\w+/)*)?(?:{names})(?![\w-])"


def _any(listed: str) -> str:
    words = sorted((word.strip() for word in listed.split("|")), key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in words)


def _is_made_of_cells(file: TextFile, line: int, start: int, end: int) -> bool:
    """Is the pipe of the command the border of two cells of a table?"""
    if file.document.kinds[line - 1] != "table":
        return False
    return re.search(r"(?<!\\)\|", file.source.text[start:end]) is not None


# --- payloads ---------------------------------------------------------------------------------------------------

_LINE = 40  # characters that a line of a payload has at least
_RUN = lazy_pattern(
    rf"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{{{_LINE},}}(?:\r?\n[ \t>]*[A-Za-z0-9+/]{{{_LINE},}})*={{0,2}}"
)
_ESCAPES = lazy_pattern(r"(?:\\x[0-9A-Fa-f]{2}){16,}")
_HEX = lazy_pattern(r"[0-9a-f]+|[0-9A-F]+")
_FEWEST = 5  # different characters
_HASHES = frozenset((40, 48, 56, 64, 96, 128))
# What may stand before it, in the same word or line, and makes it something that is no payload.
_HARMLESS = lazy_pattern(
    r"data:(?:image|font|audio|video)/[\w.+-]+;base64,$|(?:ssh-[\w-]+|ecdsa-[\w-]+)\s+$|sha(?:256|384|512)[-:]$"
    r"|://[^\s\"'`<>]*$|-----BEGIN [A-Z ]+-----\s*$",
    re.IGNORECASE,
)


def _payloads(haystack: Haystack) -> Iterator[Payload]:
    text = haystack.text
    if any(len(run) >= _LINE for run in haystack.long_runs.split()):
        for match in _RUN.finditer(text):
            run = "".join(re.split(r"[\s>]+", match[0]))
            if encoding := _encoding(run):
                before = text[max(0, match.start() - 200) : match.start()]
                is_token = run.startswith("eyJ") and text.startswith(".", match.end())
                if not is_token and not _HARMLESS.search(before):
                    yield Payload(Span(*match.span()), encoding, len(run))
    if "\\x" in text:
        for match in _ESCAPES.finditer(text):
            yield Payload(Span(*match.span()), "hex", len(match[0]))


def _encoding(run: str) -> Literal["base64", "hex"] | None:
    if _HEX.fullmatch(run):
        return None if len(run) in _HASHES or len(set(run)) < _FEWEST or run.isdigit() else "hex"
    kinds = (str.isupper, str.islower, str.isdigit)
    return "base64" if all(any(map(kind, run)) for kind in kinds) else None
