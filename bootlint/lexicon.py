"""The lexicon: `rules/lexicon.toml`, and where its words stand in a text.

Owns the grammar of that file and the search. Knows nothing of Markdown, nor what a find means for its line.
The file is read when the first line asks for it, and the words of a script when a line in that script does: a hook
has no time for more. For the same reason the words are kept as they are indexed, and the search is no regular
expression, which would take longer to compile than to use.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from bootlint.lazyre import lazy_pattern
from bootlint.records import record
from bootlint.tables import packed, table, unpacked
from bootlint.typed import TYPE_CHECKING, Literal, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Meaning(Enum):
    """What a word does in a rule, strongest first."""

    NEVER = "never"  # an absolute ban
    DO_NOT = "do-not"  # a ban
    MUST = "must"  # a duty
    REQUIRED = "required"  # a need
    SECURITY = "security"
    SECRET = "secret"  # noqa: S105
    CREDENTIAL = "credential"
    GUARD = "guard"  # asks to protect: of a topic beside it, it makes a rule that counts
    ADVICE = "advice"  # asks without commanding


BANS = (Meaning.NEVER, Meaning.DO_NOT)
DUTIES = (Meaning.MUST, Meaning.REQUIRED)
STRONG = BANS + DUTIES

# The keyword of the digest that says the same.
KEYWORDS = {
    Meaning.NEVER: "Never",
    Meaning.DO_NOT: "Do not",
    Meaning.MUST: "Must",
    Meaning.REQUIRED: "Required",
    Meaning.SECURITY: "Security",
    Meaning.SECRET: "Secret",
    Meaning.CREDENTIAL: "Credential",
}


class Signal(Enum):
    """What a word says about the words around it."""

    NOT_A_DUTY = "not-a-duty"
    PERMISSION = "permission"
    FALSE_FRIEND = "false-friends"
    QUOTED = "quoted"
    REPORTED = "reported"
    STORY = "story"
    LESSON = "lesson"
    HEDGE = "hedge"
    PRODUCT = "product"
    HABIT = "habit"
    SCOPE = "scope"
    NO_SCOPE = "no-scope"


Kind = Meaning | Signal
Script = Literal["latin", "han", "kana", "hangul"]

TABLES: Mapping[Script, tuple[str, ...]] = {
    "latin": ("english",),
    "han": ("simplified", "traditional", "japanese"),
    "kana": ("japanese",),
    "hangul": ("korean",),
}


class LexiconError(ValueError):
    """The lexicon breaks its own grammar. The message names the table, the list and the word."""


class Find(NamedTuple):
    """A word of the lexicon in a text: half-open, in code points."""

    start: int
    end: int
    kind: Kind


@lru_cache(maxsize=len(TABLES))
def words(script: Script) -> Words:
    """The words of every table that lines in this script are read with."""
    return Words(*_index(_lexicon()[0][script][0]), script == "latin")


@lru_cache(maxsize=len(TABLES))
def scope(script: Script) -> Words:
    """The words by which a clause says only when or where another one holds, and those that only look like them."""
    return Words(*_index(_lexicon()[0][script][1]), script == "latin")


def conjunctions(script: Script) -> tuple[str, ...]:
    """The words by which a second order follows the first one within a clause."""
    return _lexicon()[0][script][2]


def near_misses() -> Mapping[str, str]:
    """English words, in lower case, that look like keywords and are none → the keyword that would count."""
    return _lexicon()[1]


@record
class Words:
    """Words of the lexicon, indexed for the search."""

    heads: Mapping[str, _Head]  # by the word, or what of it stands before its gap
    beginnings: Mapping[str, tuple[int, ...]]  # by how heads begin: how long they are, longest first
    firsts: frozenset[str]  # their first characters
    joiners: tuple[str, ...]
    bordered: bool  # as in English, blanks set the words apart

    def find(self, text: str, start: int, end: int) -> list[Find]:
        """The words between two offsets, left to right without overlap, the longest at each place.

        English is found in small letters only. `start` and `end` are also where a clause begins and ends.
        """
        head_of = self.heads.get
        found: list[Find] = []
        after = start
        for at, lengths in self._places(text, start, end):
            if at < after:
                continue
            for length in lengths:
                head = head_of(text[at : at + length])
                if head is not None and (word := self._word(head, text, at, at + length, start, end)):
                    found.append(word)
                    after = word.end
                    break
        return found

    def _places(self, text: str, start: int, end: int) -> list[tuple[int, tuple[int, ...]]]:
        """Where heads may stand, and how long they would be."""
        firsts, lengths_of = self.firsts, self.beginnings.get
        if self.bordered:
            return [
                (word.start(), lengths)
                for word in _WORD.finditer(text, start, end)
                if (lengths := lengths_of(word.group()))
            ]
        return [
            (at, lengths)
            for at, char in enumerate(text[start:end], start)
            if char in firsts and (lengths := lengths_of(text[at : at + 2]) or lengths_of(char))
        ]

    def _word(self, head: _Head, text: str, at: int, stop: int, start: int, end: int) -> Find | None:
        """The word that begins with a head between `at` and `stop`."""
        if stop > end:
            return None
        if not isinstance(head, tuple):
            goes_on = self.bordered and _joins_word(text[stop : stop + 1])
            return None if goes_on else Find(at, stop, _KINDS[head])
        for kind, tail, opens, ends in head:
            reached = self._reach(text, stop, end, tail, ends=ends)
            if reached is not None and not (
                opens and self._continues(text[max(start, at - _LOOK_BACK) : at])
            ):
                return Find(at, reached, _KINDS[kind])
        return None

    def _reach(self, text: str, at: int, end: int, tail: str, *, ends: bool) -> int | None:
        """Where the word ends whose first part ends at `at`; None if it is not this word after all."""
        if tail:
            found = text.find(tail, at, min(end, at + _WIDEST_GAP + len(tail)))
            if found < 0 or not _CLAUSE_ENDS.isdisjoint(text[at:found]):
                return None
            at = found + len(tail)
        if self.bordered and _joins_word(text[at : at + 1]):
            return None
        return None if ends and _first_letter(text, at, end) else at

    def _continues(self, before: str) -> bool:
        """Has the clause begun before this place?"""
        before = before.rstrip()
        if self.bordered:
            return before[-1:].isascii() and _ends_in_word(before) and before.split()[-1] not in self.joiners
        return _ends_in_word(before) and not before.endswith(self.joiners)


_Kind = int  # its place in `_KINDS`
# A word that holds one of the signs, or shares its first part with one that does: what comes after the gap, "" for
# none, and whether it opens and ends its clause.
_Special = tuple[_Kind, str, bool, bool]
_Head = _Kind | tuple[_Special, ...]  # what a text may mean that could go on as one of several words
# The first fields of `Words`.
_Index = tuple[dict[str, _Head], dict[str, tuple[int, ...]], frozenset[str], tuple[str, ...]]

_WIDEST_GAP = 24  # code points between the two parts of a word such as `絶対に…ない`
_LOOK_BACK = 16  # code points in which a joiner is looked for
_WORD = lazy_pattern(r"(?<![a-z0-9_])(?:[a-z0-9][a-z0-9_]*|\*)")
_CLAUSE_ENDS = frozenset("。！？!?；;，,|")


def _ends_in_word(text: str) -> bool:
    return text[-1:].isalnum() or text.endswith(("_", "'", ")", "）", "”", "」"))


def _joins_word(char: str) -> bool:
    """Would this character make a longer English word? To OpenClaw `必` sets a word apart."""
    return char.isascii() and (char.isalnum() or char == "_")


def _first_letter(text: str, at: int, end: int) -> bool:
    """Is the first thing between two offsets, blanks aside, a letter or figure?"""
    while at < end and text[at].isspace():
        at += 1
    return at < end and text[at].isalnum()


# --- the file --------------------------------------------------------------------------------------------------

_KINDS: tuple[Kind, ...] = (*Meaning, *Signal)
_SCOPE_KINDS = (Signal.SCOPE, Signal.NO_SCOPE)
_LISTS = frozenset({"joiners", "conjunctions", *(kind.value for kind in _KINDS)})
_SIGNS = frozenset("^$…_")
_KANA = frozenset(map(chr, range(0x3040, 0x3100)))

_Table = dict[str, tuple[str, ...]]


def parse_lexicon(text: str) -> tuple[dict[str, _Table], dict[str, str]]:
    """A lexicon from its text: table → list → words, and the near misses.

    Raises LexiconError naming what breaks the grammar.
    """
    import tomllib

    try:
        data: dict[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LexiconError(f"lexicon.toml: {error}") from error
    near = data.pop("near-misses", {})
    if not isinstance(near, dict) or not all(isinstance(keyword, str) for keyword in near.values()):
        raise LexiconError("lexicon.toml: [near-misses] gives each word one keyword")
    return {name: _table(name, lists) for name, lists in data.items()}, near


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    from bootlint.catalog import rules_dir

    return table(rules_dir() / "lexicon.toml", _prepared)


# By script: the packed indexes of its words and of its words of scope, and its conjunctions. And the near misses.
_Lexicon = tuple[dict[Script, tuple[bytes, bytes, tuple[str, ...]]], dict[str, str]]


def _prepared(text: str) -> _Lexicon:
    tables, near = parse_lexicon(text)
    scripts: dict[Script, tuple[bytes, bytes, tuple[str, ...]]] = {}
    for script, names in TABLES.items():
        lists = [tables[name] for name in names]
        scripts[script] = (
            packed(_indexed(script, lists, [kind for kind in _KINDS if kind not in _SCOPE_KINDS])),
            packed(_indexed(script, lists, _SCOPE_KINDS)),
            tuple(word for table in lists for word in table.get("conjunctions", ())),
        )
    return scripts, near


def _index(part: bytes) -> _Index:
    return cast("_Index", unpacked(part))


def _table(name: str, lists: object) -> _Table:
    if not isinstance(lists, dict) or not any(name in tables for tables in TABLES.values()):
        raise LexiconError(f"lexicon.toml: [{name}] is no language")
    return {key: _listed(name, key, text) for key, text in lists.items()}


def _listed(name: str, key: str, text: object) -> tuple[str, ...]:
    if key not in _LISTS or not isinstance(text, str):
        raise LexiconError(f"lexicon.toml: [{name}] {key} is no list of words that bootlint knows")
    listed = tuple(word for part in text.replace("\n", ",").split(",") if (word := part.strip()))
    for word in listed:
        inner = word.strip("^$_")
        if not inner or inner.count("…") > 1 or inner.strip("…") != inner:
            raise LexiconError(
                f"lexicon.toml: [{name}] {key}: {word} is wrong; one … may stand inside a word"
            )
    return listed


def _indexed(script: Script, tables: Sequence[_Table], kinds: Iterable[Kind]) -> _Index:
    listed = (
        (word, _KINDS.index(kind)) for kind in kinds for table in tables for word in table.get(kind.value, ())
    )
    plain: dict[str, _Kind] = {}
    special: dict[str, list[_Special]] = {}
    for word, kind in listed:
        if script == "han" and not _KANA.isdisjoint(word):
            continue
        if _SIGNS.isdisjoint(word):
            plain.setdefault(word, kind)
        else:
            head, _, tail = _with_blanks(word.removeprefix("^").removesuffix("$")).partition("…")
            special.setdefault(head, []).append((kind, tail, word[0] == "^", word[-1] == "$"))
    heads: dict[str, _Head] = {**plain}
    for head, same in special.items():
        if head in plain:
            same.append((plain[head], "", False, False))
        heads[head] = tuple(sorted(same, key=_particular))
    joiners = tuple(word for table in tables for word in table.get("joiners", ()))
    return (
        heads,
        _beginnings(heads, bordered=script == "latin"),
        frozenset(head[0] for head in heads),
        joiners,
    )


def _with_blanks(word: str) -> str:
    inner = word.strip("_")
    return " " * word.startswith("_") + inner + " " * word.endswith("_")


def _particular(special: _Special) -> tuple[int, int]:
    _, tail, opens, ends = special
    return -len(tail), -(opens + ends)


def _beginnings(heads: Iterable[str], *, bordered: bool) -> dict[str, tuple[int, ...]]:
    """By the first English word of heads, else their first two characters, or the one of a head that has no more."""
    beginnings: dict[str, set[int]] = {}
    for head in heads:
        first = _WORD.match(head) if bordered else None
        beginnings.setdefault(head[:2] if first is None else first.group(), set()).add(len(head))
    for beginning, lengths in beginnings.items():
        if not bordered and beginning[0] in beginnings:
            lengths.add(1)
    return {beginning: tuple(sorted(lengths, reverse=True)) for beginning, lengths in beginnings.items()}
