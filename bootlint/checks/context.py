"""What a check may ask: the workspace, its simulation, the readings of its lines and its own options."""

from __future__ import annotations

import math
from functools import cached_property

from bootlint import catalog
from bootlint.diagnostics import Span
from bootlint.records import field, record, replace
from bootlint.typed import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bootlint.catalog import OptionValue
    from bootlint.checks.agents import Agents
    from bootlint.language import LineReading, PrefixStyle
    from bootlint.openclaw.reading import Refusal
    from bootlint.openclaw.truncation import InjectedFile
    from bootlint.past import Past
    from bootlint.security.phrases import Haystack
    from bootlint.security.secrets import Mask, Secret
    from bootlint.simulation import Simulation
    from bootlint.workspace import TextFile, Workspace

_T = TypeVar("_T")

NEAR_SHARE = 0.85  # OpenClaw's own near-limit share


def once_a_file(work: Callable[[TextFile], _T]) -> Callable[[TextFile], _T]:
    """What a function makes of a file is kept with the file: for other checks, situations and workspaces."""

    def remembered(file: TextFile) -> _T:
        if work not in file.known:
            file.known[work] = work(file)
        return cast("_T", file.known[work])

    return remembered


class Readings:
    """What the texts of workspaces say, each read once whatever the number of releases, checks and workspaces."""

    def of(self, file: TextFile) -> Mapping[int, LineReading]:
        """1-based line → reading, for the lines that are rules."""
        return _rule_lines(file)

    def texts(self, file: TextFile) -> Mapping[int, str]:
        """1-based line → what the rule there says, for comparison: whatever its marks, its case and its blanks.

        Without headings, and without rules so short that they mean something else in each place.
        """
        return _rule_texts(file)

    def haystack(self, file: TextFile) -> Haystack:
        """The file's text, ready for the search for words."""
        return _haystack(file)

    def secrets(self, file: TextFile) -> tuple[Secret, ...]:
        """Keys and passwords in the file. Whoever quotes a file passes what he quotes through `mask`."""
        return _secrets(file)

    def mask(self, workspace: Workspace) -> Mask:
        """Hides every secret of a workspace's files and daily notes."""
        return self.mask_of(*workspace.files.values(), *workspace.daily_notes.values())

    def mask_of(self, *files: TextFile) -> Mask:
        from bootlint.security.secrets import Mask

        return Mask((file.source.text, self.secrets(file)) for file in files)


@record(lazy=True)
class Context:
    """One workspace in one situation, as the checks see it."""

    simulation: Simulation
    readings: Readings
    rule_options: Mapping[str, Mapping[str, OptionValue]] = field(default_factory=dict)
    prefix_style: PrefixStyle = "english"
    past: Past | None = None  # None: it is not asked what was approved, and what stood there before
    bare: bool = False  # nobody asks for fixes and related places: a check may leave them out

    @property
    def workspace(self) -> Workspace:
        return self.simulation.workspace

    @cached_property
    def sent(self) -> tuple[tuple[TextFile, InjectedFile | None], ...]:
        """The files of the session that bootlint has read, each with what arrives of it, in load order."""
        injected = self.simulation.injected
        return tuple((file, injected.get(name)) for name, file in self.simulation.texts.items())

    @property
    def meant(self) -> tuple[TextFile, ...]:
        """The files of the session, in load order, then those that it would get had the release not refused them."""
        return (*self.simulation.texts.values(), *self.simulation.refused.values())

    def is_loaded(self, path: str) -> bool:
        """Does the release look for a file at this path, in some session?"""
        return path in self.simulation.loaded or (self._has_personal_files and _is_personal(path))

    def is_curated(self, path: str) -> bool:
        """Does the release keep who wrote the file, so that an edit from outside may cost it its trust?"""
        named = path in ("MEMORY.md", "memory.md", "USER.md") or path.startswith(("users/", "memory/"))
        return named and self.simulation.contract.tracks_memory_provenance

    @cached_property
    def refusals(self) -> Mapping[str, Refusal]:
        """Path → what stands there that the release does not read, for each path at which it looks."""
        from bootlint.openclaw.reading import Root, read

        refused = {file.name: file.refusal for file in self.simulation.loaded.values()}
        if self._has_personal_files:
            root, rules = Root.of(self.workspace.root), self.simulation.contract.loading
            found = (*self.workspace.files, *self.workspace.unreadable)
            for path in filter(_is_personal, found):
                refused[path] = read(root, path, rules, max_bytes=rules.max_bytes).refusal
        return {path: refusal for path, refusal in refused.items() if refusal is not None}

    @property
    def _has_personal_files(self) -> bool:
        return self.simulation.contract.truncation.drops_long_personal_user

    @cached_property
    def agents(self) -> Agents | None:
        """AGENTS.md as the digest sees it; None where the release has no digest or the session no AGENTS.md."""
        from bootlint.checks.agents import Agents

        return Agents.of(self)

    def near_limit_from(self, file: TextFile, injected: InjectedFile) -> int:
        """The size in UTF-16 units from which on a file is near its limit."""
        threshold = math.ceil(NEAR_SHARE * (injected.limit or 0))
        return (
            min(threshold, self.number("near-limit", "advise-chars"))
            if file.name == "AGENTS.md"
            else threshold
        )

    def could_lose(self, file: TextFile, injected: InjectedFile) -> bool:
        """Is the file cut already, or so near to its limit that it soon may be?"""
        return bool(injected.causes) or injected.raw_chars >= self.near_limit_from(file, injected)

    def after_upgrade(self, texts: Mapping[str, str]) -> Context:
        """The same workspace in the newest known release, some texts replaced."""
        from bootlint.openclaw.releases import contract, latest_release
        from bootlint.simulation import Simulation

        newest = self.simulation.situation.under(contract(latest_release()))
        return replace(self, simulation=Simulation(self.workspace.with_texts(texts), newest))

    def rule_lines(self, file: TextFile) -> Mapping[int, LineReading]:
        """1-based line → reading, for every line in which the author instructs the agent."""
        return self.readings.of(file)

    def rule_texts(self, file: TextFile) -> Mapping[int, str]:
        """1-based line → what the rule there says, to be compared with others (see `Readings.texts`)."""
        return self.readings.texts(file)

    def priority_lines(self, file: TextFile) -> tuple[int, ...]:
        """The 1-based lines that command or forbid."""
        return _priority_lines(file)

    def number(self, rule: str, option: str) -> int:
        """A whole-number option of a rule, from the settings or its page."""
        value = self._option(rule, option)
        if not isinstance(value, int):
            raise TypeError(f"{rule}.{option} is no number")
        return value

    def texts(self, rule: str, option: str) -> list[str]:
        """A list option of a rule, from the settings or its page."""
        value = self._option(rule, option)
        if not isinstance(value, list):
            raise TypeError(f"{rule}.{option} is no list")
        return value

    def given_texts(self, rule: str, option: str) -> list[str]:
        """A list option of a rule, from the settings; empty unless it is given. Its page is not read (start-up time)."""
        return self.texts(rule, option) if option in self.rule_options.get(rule, {}) else []

    def _option(self, rule: str, option: str) -> OptionValue:
        given = self.rule_options.get(rule, {})
        if option in given:
            return given[option]
        code = catalog.code_of(rule)
        if code is None:
            raise KeyError(rule)
        return catalog.rule(code).options[option]


def _is_personal(path: str) -> bool:
    return path.startswith("users/")


def line_text_span(file: TextFile, line: int) -> Span:
    """The span of a line without its indentation and trailing blanks: what a finding about a line points at."""
    text = file.source.lines[line - 1]
    start = file.source.line_starts[line - 1] + len(text) - len(text.lstrip())
    return Span(start, max(start, start + len(text.strip())))


def file_start(file: TextFile) -> Span:
    """Where a finding about a whole file points: its first line."""
    return file.source.line_span(1)


@once_a_file
def _rule_lines(file: TextFile) -> Mapping[int, LineReading]:
    from bootlint.language import read_line

    kinds, lines = file.document.kinds, file.source.lines
    # A line such as `##规则` is a heading to its author alone: the reading knows by its shape.
    readings = (
        (line, read_line(lines[line - 1], in_heading=kinds[line - 1] == "heading" or None))
        for line in file.document.prose_lines()
    )
    return {line: reading for line, reading in readings if reading.is_rule}


@once_a_file
def _priority_lines(file: TextFile) -> tuple[int, ...]:
    return tuple(line for line, reading in _rule_lines(file).items() if reading.is_priority)


@once_a_file
def _rule_texts(file: TextFile) -> Mapping[int, str]:
    kinds, lines = file.document.kinds, file.source.lines
    texts: dict[int, str] = {}
    for line, reading in _rule_lines(file).items():
        if kinds[line - 1] == "heading":
            continue
        words = lines[line - 1][reading.text_start :].replace("*", "").replace("`", "").split()
        text = " ".join(words).casefold().strip(" |.,;:!。，；：！、")
        # Five Chinese characters say as much as three words.
        if len(text) >= (15 if text.isascii() else 5):
            texts[line] = text
    return texts


@once_a_file
def _haystack(file: TextFile) -> Haystack:
    from bootlint.security.phrases import Haystack

    return Haystack(file.source.text)


@once_a_file
def _secrets(file: TextFile) -> tuple[Secret, ...]:
    from bootlint.security.secrets import find

    return find(_haystack(file))
