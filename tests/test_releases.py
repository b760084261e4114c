"""Releases: all recorded ones, their eras, and what stands in for one that is not on record."""

from __future__ import annotations

import subprocess
import sys
from itertools import groupby
from typing import TYPE_CHECKING, cast

import pytest

import bootlint.openclaw as package
from bootlint.openclaw import contract, latest_release, releases
from bootlint.openclaw.releases import releases_with, settings_keys
from golden_rows import recorded_releases

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from bootlint.openclaw import Contract

RECORDED = recorded_releases()


def test_the_recorded_releases_in_their_order() -> None:
    assert list(releases()) == list(RECORDED)
    assert len(RECORDED) == 132
    assert latest_release() == "2026.9.6"


# Facet → what of the contract its recordings depend on.
PARTS: dict[str, Callable[[Contract], Hashable]] = {
    "truncation": lambda contract: contract.truncation,
    "limits": lambda contract: (
        contract.limits.agent_values,
        contract.truncation.default_max_chars,
        contract.truncation.default_total_chars,
    ),
    "load": lambda contract: contract.loading,
    "sessions": lambda contract: contract.sessions,
    "compaction": lambda contract: contract.compaction and contract.compaction.trims_names,
    "heartbeat": lambda contract: (contract.heartbeat.skips_fences, contract.heartbeat.skips_comments),
    "startup": lambda contract: (contract.startup, contract.startup and contract.loading.inner_links),
}


@pytest.mark.parametrize("facet", PARTS)
def test_releases_behave_alike_exactly_if_they_share_an_era(facet: str) -> None:
    alike = {(recorded[facet], PARTS[facet](contract(release))) for release, recorded in RECORDED.items()}
    assert len(alike) == len({era for era, _ in alike}) == len({part for _, part in alike})


@pytest.mark.parametrize(("facet", "attribute"), [("compaction", "compaction"), ("startup", "startup")])
def test_what_a_release_lacks(facet: str, attribute: str) -> None:
    for release, recorded in RECORDED.items():
        assert (getattr(contract(release), attribute) is None) is (recorded[facet] is None)


def test_prompt_is_sorted_where_it_was_recorded() -> None:
    for release, recorded in RECORDED.items():
        assert contract(release).prompt.sorts is (recorded["prompt"] is not None)


@pytest.mark.parametrize(
    ("release", "has_total"), [("2026.2.12", False), ("2026.2.17", True), ("2026.9.6", True)]
)
def test_old_releases_have_no_total_limit(release: str, has_total: bool) -> None:
    assert contract(release).truncation.has_total == has_total


# What no recording tells, and the releases at which it changes.
TURNS: dict[str, tuple[Callable[[Contract], object], list[tuple[str, object]]]] = {
    "placement of BOOTSTRAP.md": (
        lambda contract: contract.bootstrap.placement,
        [("2026.1.29", "like-any"), ("2026.4.20", "never-in-context"), ("2026.5.4", "while-setup")],
    ),
    "BOOTSTRAP.md leaves after the setup": (
        lambda contract: contract.bootstrap.leaves_after_setup,
        [("2026.1.29", False), ("2026.5.16-beta.2", True)],
    ),
    "values of contextInjection": (
        lambda contract: len(contract.context_modes),
        [("2026.1.29", 0), ("2026.4.7", 2), ("2026.4.24", 3)],
    ),
    "extra files are not loaded twice": (
        lambda contract: contract.drops_repeated_paths,
        [("2026.1.29", False), ("2026.4.26", True)],
    ),
    "who wrote into memory is kept": (
        lambda contract: contract.tracks_memory_provenance,
        [("2026.1.29", False), ("2026.7.33", True), ("2026.8.1-beta.1", False), ("2026.8.1-beta.3", True)],
    ),
}


@pytest.mark.parametrize("what", TURNS)
def test_what_changes_at_which_release(what: str) -> None:
    value_in, turns = TURNS[what]
    by_value = groupby(releases(), key=lambda release: value_in(contract(release)))
    assert [(next(same), value) for value, same in by_value] == turns


def test_the_stretches_of_releases_that_know_a_key() -> None:
    assert releases_with("agents.entries") == (
        ("2026.7.2-beta.4", "2026.7.2-beta.7"),
        ("2026.8.1-beta.1", None),
    )
    place = {release: at for at, release in enumerate(releases())}
    for key in settings_keys():
        stretches = [(place[first], place[last or latest_release()]) for first, last in releases_with(key)]
        for release, at in place.items():
            is_known = any(first <= at <= last for first, last in stretches)
            assert (key in contract(release).settings_keys) == is_known, (key, release)


@pytest.mark.parametrize("release", ["2026.1.29", "2026.7.33", "2026.9.6", "v2026.9.6", " 2026.9.6\n"])
def test_recorded_releases_are_not_assumed(release: str) -> None:
    known = contract(release)
    assert known.release == known.known_as == release.strip().removeprefix("v")
    assert not known.assumed


@pytest.mark.parametrize(
    ("release", "known_as"),
    [
        ("2026.9.7", "2026.9.6"),
        ("2027.1.1", "2026.9.6"),
        ("2026.9.6-1", "2026.9.6"),
        ("2026.9.6-beta.2", "2026.9.5"),
        ("2026.2.14", "2026.2.12"),
        ("2026.2.20", "2026.2.19"),
        ("2026.5.31-beta.9", "2026.5.31-beta.4"),
        ("2026.7.2", "2026.7.2-beta.7"),
        ("2026.7.36", "2026.7.35"),
        ("2026.1.28", "2026.1.29"),
        ("2025.12.31", "2026.1.29"),
    ],
)
def test_unknown_releases_are_taken_for_the_nearest_one_below(release: str, known_as: str) -> None:
    assumed = contract(release)
    assert (assumed.release, assumed.known_as, assumed.assumed) == (release, known_as, True)
    assert assumed.truncation == contract(known_as).truncation


@pytest.mark.parametrize(
    "text",
    ["", "latest", "2026", "2026.9", "2026.9.6.1", "2026.9.x", "２０２６.9.6", "9" * 5000, cast("str", None)],
)
def test_what_is_no_release(text: str) -> None:
    with pytest.raises(ValueError, match=r"no OpenClaw release.*2026\.9\.6"):
        contract(text)


# --- public names ----------------------------------------------------------------------------------------------


def test_every_public_name_is_there() -> None:
    assert all(getattr(package, name) is not None for name in package.__all__)
    with pytest.raises(AttributeError, match="no attribute 'bogus'"):
        _ = package.bogus  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "before",
    [
        "import bootlint.openclaw.contract",
        "import bootlint.openclaw.releases",
        "import bootlint.openclaw.truncation",
        "from bootlint.openclaw.contract import Contract",
        "import bootlint.openclaw, importlib; importlib.import_module('bootlint.openclaw.contract')",
    ],
)
def test_functions_hide_the_modules_of_their_names(before: str) -> None:
    code = f"{before}\nfrom bootlint.openclaw import contract, releases\nassert contract(releases()[-1])"
    subprocess.run([sys.executable, "-c", code], check=True)
