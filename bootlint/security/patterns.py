"""The patterns of the security rules: `rules/patterns.toml` as data.

Owns the grammar of that file. Knows nothing of how its words are looked for. The file is read once, late; word
lists are taken apart only when something asks for them.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from bootlint.lazyre import lazy_pattern
from bootlint.records import field, record
from bootlint.tables import table
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class PatternsError(ValueError):
    """The file does not follow its own grammar; the message names the place."""


_ARROW = lazy_pattern("(>>?)")
_CLAUSE_END = "."  # as the last list of a chain
# A list of words as it is written, and whether its word stands in the clause of the one before.
Step = tuple[str, bool]


@record(lazy=True)
class Chain:
    """One word of each step in this order; `unless` are chains, lists as written, that take it back."""

    steps: tuple[Step, ...]
    unless: tuple[tuple[str, ...], ...] = ()
    ends_clause: bool = False  # nothing of the clause may follow

    @cached_property
    def lists(self) -> frozenset[str]:
        """Those of its steps."""
        return frozenset([listed for listed, _ in self.steps])


@record
class KeyFormat:
    """A key that its maker made recognisable. `before` and `rest` are regular expressions, compiled by who needs them."""

    name: str
    starts: tuple[str, ...]
    rest: str
    before: str = ""


@record(lazy=True)
class Patterns:
    """The whole file. `words` takes a list apart."""

    keys: tuple[KeyFormat, ...]
    password: Mapping[str, str]
    shell: Mapping[str, str]
    stance: Mapping[str, str]
    disarming: Mapping[str, tuple[Chain, ...]]  # by what the text does to the agent
    in_chains: Mapping[str, tuple[str, ...]]  # word → the lists of chains, as written, that hold it
    lists: Mapping[str, str]
    traditional: Mapping[str, str]  # `pairs`: a Traditional and a Simplified character each
    _split: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def listed(self, text: str) -> str:
        """The list that `@name` stands for, as it is written; any other list as it is.

        Raises PatternsError for a name that is no list.
        """
        if not text.startswith("@") or "|" in text:
            return text
        if text[1:].strip() not in self.lists:
            raise PatternsError(f"patterns.toml: {text} is no list under [lists]")
        return self.lists[text[1:].strip()]

    def words(self, listed: str) -> tuple[str, ...]:
        """The words of a list as it is written, `@name` and `*` resolved, with their Traditional forms.

        Raises PatternsError for a name that is no list.
        """
        if listed not in self._split:
            self._split[listed] = tuple(self._words(listed))
        return self._split[listed]

    def _words(self, listed: str) -> Iterator[str]:
        for entry in split(listed):
            if entry.startswith("@"):
                yield from self.words(self.listed(entry))
            elif not entry.isascii():
                yield entry
                if (traditional := entry.translate(self._traditional)) != entry:
                    yield traditional
            elif "*" in entry and entry.strip("*"):
                yield entry.replace("*", "")
                yield entry.replace("*", "s")
            else:
                yield entry

    @cached_property
    def _traditional(self) -> dict[int, str]:
        """Simplified → Traditional, the first pair of the list counting."""
        pairs: dict[int, str] = {}
        for pair in self.traditional.get("pairs", "").split():
            if len(pair) != 2:
                raise PatternsError(f"patterns.toml: [traditional] {pair!r} is no pair of characters")
            pairs.setdefault(ord(pair[1]), pair[0])
        return pairs


def split(listed: str) -> list[str]:
    """The entries of a list as it is written."""
    return [word for entry in listed.split("|") if (word := " ".join(entry.split()))]


@lru_cache(maxsize=1)
def patterns() -> Patterns:
    """The packaged file. Raises PatternsError if it does not follow its grammar."""
    from bootlint.catalog import rules_dir

    return _patterns(table(rules_dir() / "patterns.toml", _parsed))


def parse_patterns(text: str) -> Patterns:
    """The patterns of a file's text. Raises PatternsError naming the place that is wrong."""
    return _patterns(_parsed(text))


def _parsed(text: str) -> _Parsed:
    """The formats of keys, the tables of lists, what disarms, and the words of that, each with its lists."""
    written = _written(text)
    known = _patterns((*written, {}))
    in_chains: dict[str, tuple[str, ...]] = {}
    for listed in sorted(
        {listed for chains in known.disarming.values() for chain in chains for listed in chain.lists}
    ):
        for word in known.words(listed):
            in_chains[word] = (*in_chains.get(word, ()), listed)
    return (*written, in_chains)


_Chain = tuple[tuple[Step, ...], tuple[tuple[str, ...], ...], bool]
_Written = tuple[list[dict[str, str]], dict[str, dict[str, str]], dict[str, tuple[_Chain, ...]]]
_Parsed = tuple[
    list[dict[str, str]],
    dict[str, dict[str, str]],
    dict[str, tuple[_Chain, ...]],
    dict[str, tuple[str, ...]],
]


def _patterns(parsed: _Parsed) -> Patterns:
    keys, lists, disarming, in_chains = parsed
    return Patterns(
        keys=tuple(
            KeyFormat(key["name"], tuple(split(key["starts"])), key["rest"], key.get("before", ""))
            for key in keys
        ),
        disarming={name: tuple(Chain(*chain) for chain in chains) for name, chains in disarming.items()},
        in_chains=in_chains,
        password=lists["password"],
        shell=lists["shell"],
        stance=lists["stance"],
        lists=lists["lists"],
        traditional=lists["traditional"],
    )


_LISTS = ("password", "shell", "stance", "lists", "traditional")


def _written(text: str) -> _Written:
    """The formats of keys, the tables of lists, and the chains that disarm."""
    import tomllib

    try:
        data: dict[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PatternsError(f"patterns.toml: {error}") from error
    keys = data.pop("key", [])
    if not isinstance(keys, list) or not all(map(_is_key_format, keys)):
        raise PatternsError(
            "patterns.toml: a format of keys is written as [[key]]; it has name, starts and rest, and may have before"
        )
    if unknown := sorted(data.keys() - {*_LISTS, "disarming"}):
        raise PatternsError(f"patterns.toml: [{unknown[0]}] is not known")
    disarming = _lists("disarming", data)
    return (
        keys,
        {name: _lists(name, data) for name in _LISTS},
        {name: tuple(_chains(name, listed)) for name, listed in disarming.items()},
    )


def _is_key_format(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and all(isinstance(value, str) for value in entry.values())
        and {"name", "starts", "rest"} <= entry.keys() <= {"name", "starts", "rest", "before"}
    )


def _lists(name: str, data: Mapping[str, object]) -> dict[str, str]:
    table = data.get(name, {})
    if not isinstance(table, dict) or not all(isinstance(listed, str) for listed in table.values()):
        raise PatternsError(f"patterns.toml: [{name}] holds lists, words separated by |")
    return table


def _chains(name: str, text: str) -> Iterator[_Chain]:
    """The patterns of one name, a paragraph each."""
    for paragraph in text.strip().split("\n\n"):
        chain, *unless = paragraph.strip().split("\nunless ")
        steps = tuple(_steps(name, chain))
        ends_clause = len(steps) > 1 and steps[-1][0] == _CLAUSE_END
        yield (
            steps[:-1] if ends_clause else steps,
            tuple(tuple(listed for listed, _ in _steps(name, other)) for other in unless),
            ends_clause,
        )


def _steps(name: str, text: str) -> Iterator[Step]:
    parts = _ARROW.split(">" + text)
    for arrow, listed in zip(parts[1::2], parts[2::2], strict=True):
        if not listed.strip():
            raise PatternsError(f"patterns.toml: [disarming] {name}: an empty list in {text[:40]!r}")
        yield listed.strip(), arrow == ">>"
