"""The patterns of the security rules: `rules/patterns.toml` as data.

Owns the grammar of that file. Knows nothing of how its words are looked for. The file is read once, late; word
lists are taken apart only when something asks for them.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from bootlint.lazyre import lazy_pattern
from bootlint.records import field, record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class PatternsError(ValueError):
    """The file does not follow its own grammar; the message names the place."""


@record
class Word:
    """A word to look for, in lower case. `parts` are the runs of a to z in it, or its characters if it has none."""

    text: str
    parts: tuple[str, ...]
    bordered: tuple[bool, bool]  # must no ASCII letter or digit stand before it, and behind it?


Words = tuple[Word, ...]


@record
class Chain:
    """Lists of words, one word of each in this order; `unless` are chains that take it back. Lists as written."""

    steps: tuple[str, ...]
    unless: tuple[tuple[str, ...], ...] = ()


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
    lists: Mapping[str, str]
    _split: dict[str, Words] = field(default_factory=dict)

    def words(self, listed: str) -> Words:
        """The words of a list as it is written, `@name` and `*` resolved, with their Traditional forms.

        Raises PatternsError for a name that is no list.
        """
        if listed not in self._split:
            self._split[listed] = tuple(self._words(listed))
        return self._split[listed]

    def _words(self, listed: str) -> Iterator[Word]:
        for text in split(listed):
            if text.startswith("@"):
                if text[1:] not in self.lists:
                    raise PatternsError(f"patterns.toml: {text} is no list under [lists]")
                yield from self.words(self.lists[text[1:]])
                continue
            word = text.replace("*", "") or text
            yield _word(word)
            if word != text:
                yield _word(text.replace("*", "s"))
            if (traditional := word.translate(self._traditional)) != word:
                yield _word(traditional)

    @cached_property
    def _traditional(self) -> dict[int, str]:
        """Simplified → Traditional, the first pair of the list counting."""
        pairs: dict[int, str] = {}
        for pair in self.lists.get("traditional", "").split():
            if len(pair) != 2:
                raise PatternsError(f"patterns.toml: [lists] traditional: {pair!r} is no pair of characters")
            pairs.setdefault(ord(pair[1]), pair[0])
        return pairs


def split(listed: str) -> list[str]:
    """The entries of a list as it is written."""
    return [" ".join(word.split()) for word in listed.split("|")]


@lru_cache(maxsize=1)
def patterns() -> Patterns:
    """The packaged file. Raises PatternsError if it does not follow its grammar."""
    from bootlint.catalog import rules_dir

    return parse_patterns((rules_dir() / "patterns.toml").read_text(encoding="utf-8"))


def parse_patterns(text: str) -> Patterns:
    """The patterns of a file's text. Raises PatternsError naming the place that is wrong."""
    import tomllib

    try:
        data: dict[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PatternsError(f"patterns.toml: {error}") from error
    keys = _tables("key", data.pop("key", []))
    disarming = data.pop("disarming", {})
    if not isinstance(disarming, dict):
        raise PatternsError("patterns.toml: a pattern is written as [[disarming.name]]")
    if unknown := sorted(set(data) - {"password", "shell", "stance", "lists"}):
        raise PatternsError(f"patterns.toml: [{unknown[0]}] is not known")
    return Patterns(
        keys=tuple(_key_format(entry) for entry in keys),
        password=_lists("password", data),
        shell=_lists("shell", data),
        stance=_lists("stance", data),
        disarming={
            name: tuple(_chain(name, entry) for entry in _tables(name, chains))
            for name, chains in disarming.items()
        },
        lists=_lists("lists", data),
    )


_LETTERS = lazy_pattern("[a-z]+")


def _word(text: str) -> Word:
    if not text or text != text.lower():
        raise PatternsError(f"patterns.toml: {text!r}: words are in lower case and not empty")
    letters = _LETTERS.findall(text)
    ends = (text[0].isascii() and text[0].isalnum(), text[-1].isascii() and text[-1].isalnum())
    return Word(text, tuple(letters) or tuple(text), ends)


def _tables(name: str, value: object) -> list[dict[str, object]]:
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise PatternsError(f"patterns.toml: {name} is written as [[{name}]]")
    return value


def _lists(name: str, data: Mapping[str, object]) -> Mapping[str, str]:
    table = data.get(name, {})
    if not isinstance(table, dict) or not all(isinstance(listed, str) for listed in table.values()):
        raise PatternsError(f"patterns.toml: [{name}] holds lists, words separated by |")
    return table


def _chain(name: str, entry: Mapping[str, object]) -> Chain:
    if "chain" not in entry or set(entry) - {"chain", "unless"}:
        raise PatternsError(f"patterns.toml: [[disarming.{name}]] has a chain, and may have an unless")
    unless = entry.get("unless", [])
    if not isinstance(unless, list):
        raise PatternsError(f"patterns.toml: [[disarming.{name}]] unless is a list of chains")
    return Chain(_steps(name, entry["chain"]), tuple(_steps(name, chain) for chain in unless))


def _steps(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(step, str) for step in value):
        raise PatternsError(f"patterns.toml: [[disarming.{name}]] {value!r} is no chain of word lists")
    return tuple(value)


def _key_format(entry: Mapping[str, object]) -> KeyFormat:
    texts = {key: value for key, value in entry.items() if isinstance(value, str)}
    if not {"name", "starts", "rest"} <= set(texts) or set(entry) - {"name", "starts", "rest", "before"}:
        raise PatternsError(
            f"patterns.toml: [[key]] {entry!r} has name, starts and rest, and may have before"
        )
    return KeyFormat(texts["name"], tuple(split(texts["starts"])), texts["rest"], texts.get("before", ""))
