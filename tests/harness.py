"""Workspaces for tests, and the invariants of bootlint asserted on every run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bootlint import config
from bootlint.checks.context import Context, Readings
from bootlint.config import Settings
from bootlint.diagnostics import Diagnostic
from bootlint.engine import Report, check
from bootlint.openclaw import jstext
from bootlint.openclaw.fates import FATES
from bootlint.openclaw.releases import contract, releases
from bootlint.simulation import Simulation
from bootlint.situations import Basis, basis
from bootlint.workspace import Workspace

PRODUCTION = "/workspace"  # where the examples' workspaces live, for markers


def era_releases() -> tuple[str, ...]:
    """One release of each truncation era, oldest first."""
    seen = {contract(release).truncation: release for release in releases()}
    return tuple(sorted(seen.values(), key=releases().index))


@contextmanager
def workspace_of(files: Mapping[str, str | bytes]) -> Iterator[Workspace]:
    """A real folder with these files; `openclaw.json` stands in its parent folder, as OpenClaw has it."""
    with TemporaryDirectory() as folder:
        root = Path(folder) / "workspace"
        root.mkdir()
        for path, content in files.items():
            target = root.parent / path if path == "openclaw.json" else root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
        yield Workspace(root)


def settings_of(files: Mapping[str, str | bytes] = {}, **options: object) -> Settings:  # noqa: B006 - never changed
    """The settings of the case's bootlint.toml, the workspace living at `PRODUCTION` unless it says otherwise."""
    import tomllib

    text = files.get("bootlint.toml", "")
    data: dict[str, object] = {"workspace-path": PRODUCTION}
    data |= tomllib.loads(text if isinstance(text, str) else text.decode())
    data |= {key.replace("_", "-"): value for key, value in options.items()}
    return config.parse(data, "bootlint.toml")


def lint(files: Mapping[str, str | bytes], **options: object) -> Report:
    """The report of a case, its invariants asserted."""
    with workspace_of(files) as workspace:
        settings = settings_of(files, **options)
        found = basis(workspace, settings)
        report = check(workspace, found, settings)
        assert_invariants(workspace, found, report)
        return report


def diagnostics(files: Mapping[str, str | bytes], code: str, **options: object) -> list[Diagnostic]:
    """The findings of one rule."""
    return list(lint(files, select=[code], **options).diagnostics)


def context_of(workspace: Workspace, release: str, **options: object) -> Context:
    """What a check sees of a workspace in one release."""
    found = basis(workspace, settings_of(openclaw=release, **options))
    return Context(Simulation(workspace, found.situations[0]), Readings())


def assert_invariants(workspace: Workspace, found: Basis, report: Report) -> None:
    """What holds for every run on every input (design: section 10)."""
    for diagnostic in report.diagnostics:
        file = workspace.files.get(diagnostic.path)
        assert diagnostic.span.end <= (len(file.source.text) if file else 0)
        assert diagnostic.message
        assert diagnostic.fingerprint
    assert len({diagnostic.fingerprint for diagnostic in report.diagnostics}) <= len(report.diagnostics)
    for situation in found.situations:
        simulation = Simulation(workspace, situation)
        for injected in simulation.injection.files:
            pieces = [injected.content[piece.start : piece.end] for piece in injected.pieces]
            assert jstext.joined(pieces) == jstext.whole(injected.content)
        for name, file in workspace.files.items():
            fates = simulation.fates(name)
            assert len(fates) == len(file.source.lines)
            assert set(fates) <= set(FATES)
