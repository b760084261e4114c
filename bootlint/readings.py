"""What the texts of a workspace say: which lines are rules, and what must not be quoted.

Each text is read once, whatever the number of releases, checks and workspaces.
"""

from __future__ import annotations

from bootlint.typed import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bootlint.language import LineReading
    from bootlint.security.phrases import Haystack
    from bootlint.security.secrets import Mask, Secret
    from bootlint.workspace import TextFile, Workspace

_T = TypeVar("_T")


def once_a_file(work: Callable[[TextFile], _T]) -> Callable[[TextFile], _T]:
    """What a function makes of a file is kept with the file: for other checks, situations and workspaces."""

    def remembered(file: TextFile) -> _T:
        if work not in file.known:
            file.known[work] = work(file)
        return cast("_T", file.known[work])

    return remembered


@once_a_file
def rule_lines(file: TextFile) -> Mapping[int, LineReading]:
    """1-based line → reading, for every line in which the author instructs the agent."""
    from bootlint.language import read_line

    kinds, lines = file.document.kinds, file.source.lines
    # A line such as `##规则` is a heading to its author alone: the reading knows by its shape.
    readings = (
        (line, read_line(lines[line - 1], in_heading=kinds[line - 1] == "heading" or None))
        for line in file.document.prose_lines()
    )
    return {line: reading for line, reading in readings if reading.is_rule}


@once_a_file
def priority_lines(file: TextFile) -> tuple[int, ...]:
    """The 1-based lines that command or forbid."""
    return tuple(line for line, reading in rule_lines(file).items() if reading.is_priority)


@once_a_file
def parts_of_rules(file: TextFile) -> Mapping[int, int]:
    """1-based line → line of the priority rule that it is a part of, itself none.

    The other lines of its paragraph or list item; and the items below a rule that ends with a colon.
    """
    priority = set(priority_lines(file))
    parts: dict[int, int] = {}
    opened: int | None = None  # the rule whose colon the next list follows
    for block in _paragraphs(file):
        rule = next((line for line in block if line in priority), None)
        if block[0] not in file.document.lines_in_items:
            opened = None
        rule = opened if rule is None else rule
        if rule is not None:
            parts.update((line, rule) for line in block if line not in priority)
            if file.source.lines[block[-1] - 1].rstrip(" \t*_").endswith((":", "：")):
                opened = rule
    return parts


def _paragraphs(file: TextFile) -> Iterator[list[int]]:
    """The lines of each heading, paragraph and list item; those of a table or of HTML one by one."""
    block: list[int] = []
    for line, kind in enumerate(file.document.kinds, 1):
        if block and (kind != "text" or line in file.document.item_starts):
            yield block
            block = []
        if kind == "text":
            block.append(line)
        elif kind in ("heading", "table", "html"):
            yield [line]
    if block:
        yield block


@once_a_file
def rule_texts(file: TextFile) -> Mapping[int, str]:
    """1-based line → what the rule there says, for comparison: whatever its marks, its case and its blanks.

    Without headings, and without rules so short that they mean something else in each place.
    """
    kinds, lines = file.document.kinds, file.source.lines
    texts: dict[int, str] = {}
    for line, reading in rule_lines(file).items():
        if kinds[line - 1] == "heading":
            continue
        words = lines[line - 1][reading.text_start :].replace("*", "").replace("`", "").split()
        text = " ".join(words).casefold().strip(" |.,;:!。，；：！、")
        # Five Chinese characters say as much as three words.
        if len(text) >= (15 if text.isascii() else 5):
            texts[line] = text
    return texts


@once_a_file
def haystack(file: TextFile) -> Haystack:
    """The file's text, ready for the search for words."""
    from bootlint.security.phrases import Haystack

    return Haystack(file.source.text)


@once_a_file
def secrets(file: TextFile) -> tuple[Secret, ...]:
    """Keys and passwords in the file. Whoever quotes a file passes what he quotes through a mask."""
    from bootlint.security.secrets import find

    return find(haystack(file))


def mask_of(*files: TextFile) -> Mask:
    """Hides every secret of some files."""
    from bootlint.security.secrets import Mask

    return Mask((file.source.text, secrets(file)) for file in files)


def mask_of_workspace(workspace: Workspace) -> Mask:
    """Hides every secret of a workspace's files and daily notes."""
    return mask_of(*workspace.files.values(), *workspace.daily_notes.values())
