"""The stand-ins for `typing`, and what a run over a quiet workspace leaves alone."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, get_args

import pytest

import samples
from bootlint.typed import Literal, NamedTuple, cast

if TYPE_CHECKING:
    from pathlib import Path


class Place(NamedTuple):
    """Where."""

    start: int
    end: int = 7

    def size(self) -> int:
        return self.end - self.start


def test_a_named_tuple_is_one() -> None:
    place = Place(3)
    assert (place, place.start, place.end, place.size()) == ((3, 7), 3, 7, 4)
    assert place._replace(end=9) == Place(start=3, end=9)
    assert pickle.loads(pickle.dumps(place)) == place
    assert type(pickle.loads(pickle.dumps(place))) is Place
    assert (repr(place), Place.__doc__) == ("Place(start=3, end=7)", "Where.")
    assert not hasattr(place, "__dict__")
    with pytest.raises(TypeError, match="start"):
        Place(end=1)  # type: ignore[call-arg]


def test_the_rest() -> None:
    assert get_args(Literal["a", "b"]) == ("a", "b")
    value: object = "x"
    assert cast("int", value) is value


UNNEEDED = {
    "typing",
    "dataclasses",
    "tomllib",
    "json",
    "pyjson5",
    "regex",
    "rich",
    "markdown_it",
    "subprocess",
}


def test_a_run_over_a_quiet_workspace_imports_little(tmp_path: Path) -> None:
    samples.write_quiet_workspace(tmp_path / "quiet")
    code = (
        "import sys; before = set(sys.modules)\n"
        "from bootlint.cli import main; status = main(sys.argv[1:])\n"
        "print(status, *sorted(set(sys.modules) - before))\n"
    )
    command = [sys.executable, "-c", code, "check", "--isolated", "-q", str(tmp_path / "quiet")]
    environment = {"PYTHONPYCACHEPREFIX": str(tmp_path / "cache")}
    for _ in range(2):  # the first run reads TOML
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    status, *imported = done.stdout.split()
    assert status == "0"
    assert UNNEEDED.isdisjoint(imported)
