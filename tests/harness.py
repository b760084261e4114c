"""Workspaces for tests, and the invariants of bootlint asserted on every run."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, get_args

from bootlint import config
from bootlint.changes import compare
from bootlint.checks.context import Context
from bootlint.document import Document, same_structure
from bootlint.engine import Report, check
from bootlint.fixer import FixResult, fix
from bootlint.openclaw import jstext
from bootlint.openclaw.fates import Fate
from bootlint.openclaw.releases import contract, releases
from bootlint.records import replace
from bootlint.simulation import SESSION_KINDS, Simulation
from bootlint.situations import Basis, basis
from bootlint.source import SourceText
from bootlint.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bootlint.config import Settings
    from bootlint.diagnostics import Diagnostic

PRODUCTION = "/workspace"  # where the examples' workspaces live, for markers


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link in a case."""

    target: str


@dataclass(frozen=True, slots=True)
class HardLink:
    """A second name of another file of the case."""

    of: str


Entry = str | bytes | Link | HardLink


def era_releases() -> tuple[str, ...]:
    """One release of each truncation era, oldest first."""
    seen = {contract(release).truncation: release for release in releases()}
    return tuple(sorted(seen.values(), key=releases().index))


@contextmanager
def workspace_of(files: Mapping[str, Entry]) -> Iterator[Workspace]:
    """A real folder with these files; `openclaw.json` stands in its parent folder, as OpenClaw has it."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # for `unprivileged`
        root = Path(folder) / "workspace"
        root.mkdir()
        for path, content in files.items():
            target = root.parent / path if path == "openclaw.json" else root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            _make(target, content, root)
        yield Workspace.at(root)


def _make(target: Path, content: Entry, root: Path) -> None:
    match content:
        case Link():
            target.symlink_to(content.target)
        case HardLink():
            target.hardlink_to(root / content.of)
        case str():
            target.write_bytes(content.encode("utf-8", "surrogatepass"))
        case bytes():
            target.write_bytes(content)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Nothing is closed to root: run as somebody else."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def settings_of(toml: Entry = "", /, **options: object) -> Settings:
    """The settings of a bootlint.toml, the workspace living at `PRODUCTION` unless it says otherwise."""
    import tomllib

    assert isinstance(toml, str)
    data: dict[str, object] = {"workspace-path": PRODUCTION}
    data |= tomllib.loads(toml)
    data |= {key.replace("_", "-"): value for key, value in options.items()}
    return config.parse(data, "bootlint.toml")


def lint(files: Mapping[str, Entry], /, **options: object) -> Report:
    """The report of a case, its invariants asserted."""
    with workspace_of(files) as workspace:
        settings = settings_of(files.get("bootlint.toml", ""), **options)
        found = basis(workspace, settings)
        report = check(workspace, found, settings)
        assert_invariants(workspace, found, report)
        return report


def diagnostics(files: Mapping[str, Entry], code: str, /, **options: object) -> list[Diagnostic]:
    """The findings of one rule."""
    return list(lint(files, select=[code], **options).diagnostics)


def context_of(workspace: Workspace, release: str, /, **options: object) -> Context:
    """What a check sees of a workspace in one release."""
    found = basis(workspace, settings_of("", openclaw=release, **options))
    return Context(Simulation(workspace, found.situations[0]))


def assert_invariants(workspace: Workspace, found: Basis, report: Report) -> None:
    """What holds for every run on every input."""
    for diagnostic in report.diagnostics:
        source = workspace.text_at(diagnostic.path)
        assert diagnostic.span.end <= (len(source.text) if source else 0)
        assert diagnostic.message
        assert diagnostic.fingerprint
    assert len({diagnostic.fingerprint for diagnostic in report.diagnostics}) == len(report.diagnostics)
    for situation in found.situations:
        simulation = Simulation(workspace, situation)
        for injected in simulation.injection.files:
            pieces = [injected.content[piece.start : piece.end] for piece in injected.pieces]
            assert jstext.joined(pieces) == jstext.whole(injected.content)
        for name, file in workspace.files.items():
            fates = simulation.fates(name)
            assert len(fates) == len(file.source.lines)
            assert set(fates) <= set(get_args(Fate))


def repair(files: Mapping[str, Entry], /, *, unsafe: bool = False, **options: object) -> FixResult:
    """What `bootlint fix` would do to a case, its invariants asserted."""
    with workspace_of(files) as workspace:
        settings = settings_of(files.get("bootlint.toml", ""), **options)
        found = basis(workspace, settings)
        result = fix(workspace, found, settings, unsafe=unsafe)
        assert_repair_invariants(workspace, found, settings, result, unsafe=unsafe)
        return result


def repaired_text(result: FixResult, path: str) -> str:
    """The text of a file that is known to change."""
    return next(file.after for file in result.files if file.path == path)


def assert_repair_invariants(
    workspace: Workspace, found: Basis, settings: Settings, result: FixResult, *, unsafe: bool
) -> None:
    """What holds for every repair. Lines are matched by their text, not by the edits."""
    after = workspace.with_texts({file.path: file.after for file in result.files})
    assert fix(after, found, settings, unsafe=unsafe).files == ()
    left = {
        (found.code, found.path.removeprefix(workspace.shown), found.start.line)
        for found in result.report.diagnostics
    }
    assert {(held.code, held.path, held.line) for held in result.held} <= left
    for file in result.files:
        assert _silent_lines(file.before) <= _silent_lines(file.after)
        assert unsafe or same_structure(file.before, file.after)
    for situation in found.situations:
        for kind in SESSION_KINDS:
            own = replace(situation, session=kind)
            old, new = (Context(Simulation(side, own)) for side in (workspace, after))
            _assert_nothing_paid(old, new)


def _silent_lines(text: str) -> Counter[str]:
    """The lines that no fix may touch: code, comments and front matter."""
    document = Document.parse(SourceText(text.removeprefix("\ufeff")))
    silent = ("code", "comment", "front-matter")
    return Counter(
        line for line, kind in zip(document.source.lines, document.kinds, strict=True) if kind in silent
    )


def _assert_nothing_paid(old: Context, new: Context) -> None:
    change = compare(old, new, shown=".")
    assert not change.newly_lost
    reached_before, reached_after = (
        {path: reached for path, (_, reached) in side.reach.items()} for side in (old, new)
    )
    for path, injected in old.simulation.injected.items():
        if not injected.causes and path in old.simulation.texts:
            assert not new.simulation.injected[path].causes
    assert all(reached_after[path] >= count for path, count in reached_before.items())
    rank = get_args(Fate).index  # from `kept` to `dropped`
    fallen = [
        line for line in change.other_lines
        if line.before and line.after and rank(line.after) > rank(line.before)
    ]  # fmt: skip
    assert not fallen or sum(reached_after.values()) > sum(reached_before.values())
