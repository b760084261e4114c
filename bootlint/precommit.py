"""The entry of a .pre-commit-config.yaml that runs bootlint, and how it is put into a file that is there already.

Text goes into text: a YAML library would write comments, quotes and blank lines of others anew, and bootlint needs
none otherwise. Where the place of the entry is not beyond doubt the file is left to its owner.
"""

from __future__ import annotations

import re

from bootlint.records import record
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_NAME = ".pre-commit-config.yaml"

# The `files:` of .pre-commit-hooks.yaml in one line, for a hook without a repository.
HOOK_FILES = (
    r"(?i)(^|/)((agents?|souls?|tools?|identitys?|users?|heartbeats?|bootstraps?|memorys?)\.md"
    r"|(?-i:(AGENTS?|SOULS?|TOOLS?|IDENTITYS?|USERS?|HEARTBEATS?|BOOTSTRAPS?|MEMORYS?)\.(txt|markdown))"
    r"|memory/(.*/)?[^/]+\.md"
    r"|\.?bootlint\.toml|pyproject\.toml|bootlint\.lock|[^/]*bootlint-baseline\.json|openclaw\.json)$"
)


@record
class Source:
    """From where others can install this bootlint: a git repository, or without one the package index.

    What pip took from elsewhere on this machine, such as a wheel, has its `file:` address as `repository`.
    """

    repository: str | None
    revision: str  # a commit; without a git repository the version

    @property
    def is_local(self) -> bool:
        """Does it name a place of this machine?"""
        return (self.repository or "").startswith(("/", "file:"))


def entry(source: Source) -> tuple[str, ...]:
    """The lines of the item below `repos:`."""
    if source.repository is None or source.repository.startswith("file:"):
        origin = f" @ {source.repository}" if source.repository else f"=={source.revision}"
        return (
            "- repo: local",
            "  hooks:",
            "    - id: bootlint",
            "      name: bootlint",
            "      entry: bootlint check --hook",
            "      language: python",
            f"      additional_dependencies: [{_quoted(f'bootlint{origin}')}]",
            "      require_serial: true",
            "      types: []",
            f"      files: '{HOOK_FILES}'",
        )
    return (
        f"- repo: {_quoted(source.repository)}",
        f"  rev: {source.revision}",
        "  hooks:",
        "    - id: bootlint",
    )


def new_file(source: Source) -> str:
    """A file that holds the entry alone."""
    return "".join(f"{line}\n" for line in ("repos:", *_indented(entry(source), "  ")))


def mentions_bootlint(text: str) -> bool:
    """Does a hook of bootlint stand in the file already? Comments do not count, nor does what is text to YAML."""
    return _OWN_ID.search("".join(_outside_block_scalars(text))) is not None


def _outside_block_scalars(text: str) -> Iterator[str]:
    """The lines that are no part of a `key: |` or `key: >`, which ends where a line stands no deeper than the key."""
    key_at: int | None = None
    for line in text.splitlines(keepends=True):
        if key_at is not None and (not line.strip() or len(line) - len(line.lstrip(" ")) > key_at):
            continue
        yield line
        found = _BLOCK_SCALAR.match(line)
        key_at = None
        if found is not None:
            key_at = len(found["before"]) if found["key"] else len(found["before"].rstrip()) - 1


def with_entry(text: str, source: Source) -> str | None:
    """The file with the entry as the first of its `repos`, and not a character changed; None where that is in doubt."""
    if len(_REPOS.findall(text)) != 1 or _DOUBTFUL.search(text):
        return None
    found = _PLACE.search(text)
    starts = [match.start() for match in _DOCUMENT.finditer(text)]
    if found is None or len(starts) > 1 or any(start > found.start() for start in starts):
        return None
    line_end = "\r\n" if found["repos"].endswith("\r\n") else "\n"
    added = "".join(f"{line}{line_end}" for line in _indented(entry(source), found["indent"]))
    at = found.end("repos")
    return text[:at] + added + text[at:]


_OWN_ID = re.compile(
    r"""^[^#\n]*\bid:\s*["']?bootlint(?:-fix|-lock)?["']?\s*(?:[#,}\r\n]|\Z)""", re.MULTILINE
)
_BLOCK_SCALAR = re.compile(
    r"(?P<before>[ ]*(?:-[ ]+)*)(?P<key>[^\s#][^\r\n]*?:[ ]+)?(?:[!&]\S+[ ]+)*[|>][-+0-9]*[ \t]*(?:#.*)?[\r\n]*\Z"
)
_REPOS = re.compile(r"""^\ufeff?["']?repos["']?[ \t]*:""", re.MULTILINE)
# The list in block style, its first item on the next line that says something.
_PLACE = re.compile(
    r"^(?P<repos>\ufeff?repos:[ ]*(?:[ ]#[^\r\n]*)?\r?\n)"
    r"(?:[ ]*(?:#[^\r\n]*)?\r?\n)*"
    r"(?P<indent>[ ]*)-[ ]+[^\s\-]",
    re.MULTILINE,
)
_DOCUMENT = re.compile(r"^---", re.MULTILINE)
# Directives, ends of documents, and line ends that YAML knows and this module does not.
_DOUBTFUL = re.compile("^(?:%|[.]{3})|\\r(?!\\n)|[\\x85\\u2028\\u2029]", re.MULTILINE)


def _indented(lines: tuple[str, ...], indent: str) -> Iterator[str]:
    return (indent + line for line in lines)


def _quoted(text: str) -> str:
    """A plain scalar where YAML takes it for one, else in single quotes."""
    is_plain = re.fullmatch(r"[A-Za-z/.][A-Za-z0-9/._~@+:-]*[A-Za-z0-9/_~]", text)
    return text if is_plain else "'" + text.replace("'", "''") + "'"
