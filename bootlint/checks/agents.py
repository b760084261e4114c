"""AGENTS.md in a release with a digest: which of its rules the digest ranks, how the digest was filled, and which
headings have a name that others rely on. Worked out once for all checks and fixes of a situation.
"""

from __future__ import annotations

import re
from functools import cached_property

from bootlint.document import anchor, link_targets
from bootlint.openclaw.digest import Candidates, is_priority
from bootlint.openclaw.digest_use import DigestUse
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bootlint.checks.context import Context
    from bootlint.language import LineReading
    from bootlint.openclaw.contract import Digest
    from bootlint.openclaw.truncation import InjectedFile
    from bootlint.workspace import TextFile, Workspace

NAME = "AGENTS.md"


@record
class Gap:
    """What keeps a priority rule from being ranked: the most helpful of the things that can be said of it."""

    kind: Literal["near-miss", "not-candidate", "unranked"]
    words: tuple[str, ...] = ()  # near misses, as they are written
    keywords: tuple[str, ...] = ()  # those that would count in their place


@record(lazy=True)
class Agents:
    """AGENTS.md as the digest sees it. Lines count from 1."""

    context: Context
    file: TextFile
    injected: InjectedFile
    digest: Digest

    @classmethod
    def of(cls, context: Context) -> Agents | None:
        """None where the release has no digest, or the session receives nothing of AGENTS.md."""
        file = context.simulation.texts.get(NAME)
        injected = context.simulation.injected.get(NAME)
        digest = context.simulation.contract.truncation.digest
        return (
            None
            if file is None or injected is None or digest is None
            else cls(context, file, injected, digest)
        )

    @cached_property
    def use(self) -> DigestUse | None:
        """How the digest was filled; None while the file arrives whole."""
        return DigestUse.of(self.file.source.text, self.injected, self.digest)

    @cached_property
    def candidates(self) -> Mapping[int, bool]:
        """Where a line begins that the digest looks at → whether it ranks it."""
        found = self.use.candidates if self.use else Candidates.of(self.file.source.text, self.digest).ranked
        return {candidate.start: candidate.priority for candidate in found}

    @cached_property
    def gaps(self) -> Mapping[int, Gap]:
        """Line → what keeps it from being ranked, for the priority rules that are not."""
        readings = self.context.rule_lines(self.file)
        found = (
            (line, self._gap(line, reading)) for line, reading in readings.items() if reading.is_priority
        )
        return {line: gap for line, gap in found if gap is not None}

    @cached_property
    def named_headings(self) -> frozenset[int]:
        """The lines of headings that a link of the workspace, or the list of sections for after a compaction, names."""
        links = fragments_into(self.file, self.context.workspace)
        sections = self._compaction_sections()
        seen: dict[str, int] = {}
        return frozenset(
            heading.line
            for heading in self.file.document.headings
            if (links and anchor(heading.title, seen) in links) or heading.title.lower() in sections
        )

    def _gap(self, line: int, reading: LineReading) -> Gap | None:
        from bootlint.language import near_misses

        ranked = self.candidates.get(self.file.source.line_starts[line - 1])
        if ranked:
            return None
        text = self.file.source.lines[line - 1]
        missed = [miss for miss in near_misses(text, reading) if is_priority(miss.keyword, self.digest)]
        if missed:
            return Gap(
                "near-miss", _unique(miss.text for miss in missed), _unique(miss.keyword for miss in missed)
            )
        return Gap("not-candidate" if ranked is None else "unranked")

    def _compaction_sections(self) -> frozenset[str]:
        from bootlint.openclaw.settings import post_compaction_names

        compaction = self.context.simulation.contract.compaction
        config = self.context.simulation.situation.config
        asked_for = post_compaction_names(config.data) if config else None
        own = (*compaction.default_names, *compaction.fallback_names) if compaction else ()
        return frozenset(name.strip().lower() for name in (*own, *(asked_for or ())))


def fragments_into(file: TextFile, workspace: Workspace) -> frozenset[str]:
    """The fragments by which links anywhere in the workspace name headings of a file, in lower case."""
    return frozenset(_fragments(file, workspace))


def _fragments(file: TextFile, workspace: Workspace) -> Iterator[str]:
    for other in workspace.files.values():
        if re.search(_FRAGMENT_LINK, other.source.text):
            from urllib.parse import unquote

            for _, target in link_targets(other.source.text):
                path, _, fragment = target.partition("#")
                if path.rpartition("/")[2] == file.name if path else other.path == file.path:
                    yield unquote(fragment).lower()


_FRAGMENT_LINK = r"\]\([^)\s]*#|\]:\s*\S*#"


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
