"""What a check may ask: the workspace, its simulation, the readings of its lines and its own options."""

from __future__ import annotations

import math
from functools import cached_property

from bootlint import catalog, readings
from bootlint.diagnostics import Span
from bootlint.openclaw.fates import REACHED
from bootlint.records import field, record, replace
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bootlint.catalog import OptionValue
    from bootlint.checks.agents import Agents
    from bootlint.language import LineReading, PrefixStyle
    from bootlint.openclaw.reading import Refusal
    from bootlint.openclaw.truncation import InjectedFile
    from bootlint.past import Past
    from bootlint.simulation import Simulation
    from bootlint.workspace import TextFile, Workspace

NEAR_SHARE = 0.85  # OpenClaw's own near-limit share


@record(lazy=True)
class Context:
    """One workspace in one situation, as the checks see it."""

    simulation: Simulation
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

    @cached_property
    def reach(self) -> Mapping[str, tuple[int, int]]:
        """Path → how many priority rules a file of `meant` holds, and how many of them the model receives whole."""
        return {file.path: self._reach_of(file) for file in self.meant}

    def _reach_of(self, file: TextFile) -> tuple[int, int]:
        fates = self.simulation.fates(file.path)
        lines = self.priority_lines(file)
        return len(lines), sum(fates[line - 1] in REACHED for line in lines)

    def is_loaded(self, path: str) -> bool:
        """Does the release look for a file at this path, in some session?"""
        return path in self.simulation.loaded or (self._has_personal_files and _is_personal(path))

    def is_curated(self, path: str) -> bool:
        """Does the release keep who wrote the file, so that an edit from outside may cost it its trust?"""
        return is_memory(path) and self.simulation.contract.tracks_memory_provenance

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
        return readings.rule_lines(file)

    def rule_texts(self, file: TextFile) -> Mapping[int, str]:
        """1-based line → what the rule there says, to be compared with others (see `readings.rule_texts`)."""
        return readings.rule_texts(file)

    def priority_lines(self, file: TextFile) -> tuple[int, ...]:
        """The 1-based lines that command or forbid."""
        return readings.priority_lines(file)

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


def is_memory(path: str) -> bool:
    """Is it one of the files that hold what is private to a person: memory, and what is known of the user?"""
    return path in ("MEMORY.md", "memory.md", "USER.md") or path.startswith(("users/", "memory/"))


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
