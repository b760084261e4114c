"""What holds for every test, and the fixtures of several files."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from repositories import Repository

# Speed is measured in benchmarks/. Tests assert how time grows with a text (linear_time.py), no amount of it.
settings.register_profile("bootlint", deadline=None)
settings.load_profile("bootlint")

# Asked for by benchmarks/mutants.py, for which each run of the tests must say the same, and only whether they pass.
settings.register_profile(
    "mutants",
    deadline=None,
    max_examples=25,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """An empty git repository."""
    from repositories import Repository

    return Repository.at(tmp_path / "repository")


@pytest.fixture
def host_in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process in the zone in which the recordings were made."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, so that no workspace lies in it unless a test says so."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home
