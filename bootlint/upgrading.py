"""What the step from one OpenClaw release to another does to a workspace."""

from __future__ import annotations

from bootlint.changes import WorkspaceChange, compare
from bootlint.checks.context import Context
from bootlint.openclaw.digest import is_priority
from bootlint.openclaw.history import Change, changes
from bootlint.openclaw.upgrade import merge_tools
from bootlint.readings import mask_of_workspace
from bootlint.records import record
from bootlint.simulation import Simulation, Situation
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.workspace import Workspace

_AGENTS = "AGENTS.md"
_TOOLS = "TOOLS.md"


@record
class RankChange:
    """A priority rule of AGENTS.md that the digest of one of the two releases looks for first, and not the other's."""

    line: int  # 1-based
    text: str
    now_ranked: bool


@record
class Upgrade:
    before: str
    after: str
    facts: tuple[Change, ...]  # what changed in OpenClaw
    no_longer_loaded: tuple[str, ...]  # files that stand in the workspace
    newly_loaded: tuple[str, ...]
    merges_tools: bool  # the upgrade moves the text of TOOLS.md into AGENTS.md
    effect: WorkspaceChange
    ranks: tuple[RankChange, ...]


def upgrade(workspace: Workspace, before: Situation, after: Situation) -> Upgrade:
    """The effect on one workspace. Where the upgrade merges TOOLS.md, the merged AGENTS.md is what comes after."""
    old = Context(Simulation(workspace, before))
    merges = _merges_tools(workspace, before, after)
    new = Context(Simulation(_merged(workspace) if merges else workspace, after))
    stands = [path for path in workspace.files if "/" not in path]
    gone = tuple(
        name for name in stands if name in old.simulation.loaded and name not in new.simulation.loaded
    )
    came = tuple(
        name for name in stands if name not in old.simulation.loaded and name in new.simulation.loaded
    )
    return Upgrade(
        before=before.contract.release,
        after=after.contract.release,
        facts=changes(before.contract, after.contract),
        no_longer_loaded=gone,
        newly_loaded=came,
        merges_tools=merges,
        effect=compare(old, new, shown=workspace.shown.rstrip("/") or "."),
        ranks=tuple(_ranks(old, before, after)),
    )


def _merges_tools(workspace: Workspace, before: Situation, after: Situation) -> bool:
    retired = _TOOLS in before.contract.loading.names and _TOOLS not in after.contract.loading.names
    return retired and {_AGENTS, _TOOLS} <= workspace.files.keys()


def _merged(workspace: Workspace) -> Workspace:
    agents, tools = (workspace.files[name].source.text for name in (_AGENTS, _TOOLS))
    return workspace.with_texts({_AGENTS: merge_tools(agents, tools).text})


def _ranks(context: Context, before: Situation, after: Situation) -> Iterator[RankChange]:
    file = context.simulation.texts.get(_AGENTS)
    old, new = before.contract.truncation.digest, after.contract.truncation.digest
    if file is None or old == new:
        return
    mask = mask_of_workspace(context.workspace)
    for line in context.priority_lines(file):
        text = file.source.lines[line - 1]
        ranked = new is not None and is_priority(text, new)
        if ranked != (old is not None and is_priority(text, old)):
            yield RankChange(line, mask(text.strip()), ranked)
