"""Opening plain files, and nothing else, whatever takes their place meanwhile."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

import pytest

from bootlint.plainfiles import TooLargeError, leads_out, read_plain, real_path

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "file").write_bytes(b"text")
    (tmp_path / "outside").write_bytes(b"outside")
    for name, target in LINKS.items():
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "fifo")
    for number in range(1500):
        (folder / f"chain{number}").symlink_to(f"chain{number + 1}")
    return folder


LINKS = {
    "near": "file",
    "far": "../outside",
    "by way": "far",
    "away": "../folder-too",
    "gone": "nowhere",
    "loop": "loop",
}


@pytest.mark.parametrize("name", ["file", "near", "inner/../file"])
def test_a_plain_file_is_read_through_links_too(name: str, folder: Path) -> None:
    assert read_plain(folder / name, 4) == b"text"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("inner", "no plain file"),
        ("fifo", "no plain file"),
        ("gone", "No such file or directory"),
        ("a\0b", "No such file or directory"),
        ("\ud800", "No such file or directory"),
        ("loop", "Too many levels of symbolic links"),
        ("chain0", "Too many levels of symbolic links"),
        ("file/x", "Not a directory"),
        ("x" * 5_000, "File name too long"),
    ],
)
def test_nothing_else_is(name: str, reason: str, folder: Path) -> None:
    with pytest.raises(OSError, match=reason) as refused:
        read_plain(folder / name)
    assert refused.value.strerror == reason


def test_links_are_not_followed_where_they_were_resolved_before(folder: Path) -> None:
    with pytest.raises(OSError, match="no plain file"):
        read_plain(folder / "near", follow_links=False)


def test_a_large_file_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLargeError, match="larger than 3 bytes"):
        read_plain(folder / "file", 3)
    empty = os.stat_result((0o100644, 1, 1, 1, 0, 0, 0, 0, 0, 0))  # as it was before it grew
    monkeypatch.setattr(os, "lstat", lambda _: empty)
    monkeypatch.setattr(os, "fstat", lambda _: empty)
    with pytest.raises(TooLargeError, match="larger than 3 bytes"):
        read_plain(folder / "file", 3, follow_links=False)


@pytest.mark.parametrize("name", ["fifo", "inner", "far"])
def test_what_takes_the_place_of_a_file_is_not_read(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = (folder / "file").lstat()
    monkeypatch.setattr(os, "lstat", lambda _: plain)
    with pytest.raises(OSError, match=r"no plain file|symbolic links|Is a directory"):
        read_plain(folder / name, follow_links=False)


@pytest.mark.parametrize("name", ["file", *LINKS, "chain0", "not there"])
def test_which_links_lead_out(name: str, folder: Path) -> None:
    (folder.parent / "folder-too").mkdir()  # its path begins like the folder's
    assert leads_out(folder / name) == (name in ("far", "by way", "away"))


def test_the_real_path_of_what_is_not_there(folder: Path) -> None:
    assert real_path(folder / "gone") == str(folder / "nowhere")
    with pytest.raises(OSError, match="symbolic links"):
        real_path(folder / "chain0")


def test_a_file_that_has_nothing_to_give_yet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of /proc call themselves plain files, and answer like a pipe without a writer."""

    class Silent(io.FileIO):
        def readinto(self, _: object) -> None:
            return None

    monkeypatch.setattr(
        "bootlint.plainfiles.open",
        lambda path, mode, opener: io.BufferedReader(Silent(path, mode, opener=opener)),
        raising=False,
    )
    with pytest.raises(OSError, match="no plain file"):
        read_plain(folder / "file")
