"""What a workspace gives: the recorded folders, and hostile ones beyond them."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bootlint.openclaw import loading
from bootlint.openclaw.loading import LoadedFile, load, setup_completed, with_personal_user
from bootlint.openclaw.reading import absolute_path
from bootlint.openclaw.releases import contract, latest_release
from bootlint.openclaw.truncation import BootstrapFile, inject
from bootlint.plainfiles import SANE_BYTES
from golden_rows import Row, records, rows, text
from trees import build

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OLDEST = "2026.1.29"  # d01: follows links out, knows no limits
GUARDED = "2026.4.23"  # d04: follows links inside only
STRICT = "2026.8.1-beta.2"  # d08: follows no link
TELLING = "2026.8.1"  # d09: says why a file is unreadable
LATEST = latest_release()  # d10

IS_ROOT = os.name == "posix" and os.geteuid() == 0

# --- recorded -------------------------------------------------------------------------------------------

ROWS = list(rows("load"))


pytestmark = pytest.mark.usefixtures("home")


@pytest.mark.parametrize("row", [row for row in ROWS if "user" not in row.data], ids=str)
def test_recorded_folder(row: Row, tmp_path: Path) -> None:
    workspace = build(row.data, tmp_path)
    assert outcome(load(workspace, contract(row.release)), row) == expected(row, workspace)


def test_recorded_folders_as_another_user_than_root(open_tmp_path: Path) -> None:
    others = [row for row in ROWS if "user" in row.data]
    folders = [open_tmp_path / str(number) for number in range(len(others))]
    for folder in folders:
        folder.mkdir()
    workspaces = [build(row.data, folder) for row, folder in zip(others, folders, strict=True)]
    asked = [(str(workspace), row.release) for row, workspace in zip(others, workspaces, strict=True)]
    assert others
    for row, workspace, loaded in zip(others, workspaces, load_unprivileged(asked), strict=True):
        assert outcome(loaded, row) == expected(row, workspace), row


def outcome(loaded: tuple[LoadedFile, ...], row: Row) -> list[dict[str, object]]:
    """In the form of the recordings: big contents by their size."""
    by_size = {text(record["name"]) for record in records(row.data["expected"]) if "size" in record}
    found: list[dict[str, object]] = []
    for file in loaded:
        record: dict[str, object] = {"name": file.name, "path": file.path, "status": file.status}
        if file.status == "unreadable":
            assert file.content == f"[UNREADABLE: {file.reason}]"
            record["reason"] = file.reason
        elif file.content is not None:
            record |= {"size": len(file.content)} if file.name in by_size else {"content": file.content}
        found.append(record)
    return found


def expected(row: Row, workspace: Path) -> list[dict[str, object]]:
    recorded = json.dumps(row.data["expected"])
    real = os.path.realpath(workspace)
    filled = recorded.replace("{ws}", str(workspace)).replace("{real}", real)
    return records(json.loads(filled))


@pytest.fixture
def open_tmp_path() -> Iterator[Path]:
    """A folder that every user can enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def load_unprivileged(asked: list[tuple[str, str]]) -> list[tuple[LoadedFile, ...]]:
    """`load` for each workspace and release, as a user whom permissions bind: not as root."""
    if not IS_ROOT:
        return [load(workspace, contract(release)) for workspace, release in asked]
    command = [sys.executable, "-c", AS_NOBODY]
    checkout = Path(__file__).parent.parent
    done = subprocess.run(command, input=json.dumps(asked).encode(), stdout=-1, check=True, cwd=checkout)
    found: list[tuple[LoadedFile, ...]] = pickle.loads(done.stdout)
    return found


AS_NOBODY = """
import json, os, pickle, sys
from bootlint.openclaw.loading import load
from bootlint.openclaw.releases import contract
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
asked = json.load(sys.stdin)
found = [load(folder, contract(release)) for folder, release in asked]
pickle.dump(found, sys.stdout.buffer)
"""


# --- why a file is not read -------------------------------------------------------------------------------


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    workspace = tmp_path / "ws"
    workspace.mkdir()
    (workspace / "real.md").write_text("inside")
    (tmp_path / "outside.md").write_text("outside")
    return workspace


def link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def nothing(path: Path) -> None:
    """Leaves the place empty."""


def plain_file(path: Path) -> None:
    path.write_text("plain")


def hard_link(path: Path) -> None:
    path.hardlink_to(path.with_name("real.md"))


def large_file(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2_097_153)


def listening_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


# entry → what each release makes of it: content, or None, and the refusal
REFUSALS: dict[str, tuple[Callable[[Path], object], dict[str, tuple[str | None, str | None]]]] = {
    "a plain file": (
        plain_file,
        {OLDEST: ("plain", None), LATEST: ("plain", None)},
    ),
    "nothing": (nothing, {OLDEST: (None, None), LATEST: (None, None)}),
    "a link inside": (
        link("real.md"),
        {OLDEST: ("inside", None), GUARDED: ("inside", None), STRICT: (None, "link-inside")},
    ),
    "a link outside": (
        link("../outside.md"),
        {OLDEST: ("outside", None), GUARDED: (None, "link-outside"), STRICT: (None, "link-outside")},
    ),
    "a dangling link": (link("gone.md"), {OLDEST: (None, "dangling"), STRICT: (None, "dangling")}),
    "a link to itself": (link("SOUL.md"), {OLDEST: (None, "loop"), STRICT: (None, "loop")}),
    "a hard link": (hard_link, {OLDEST: ("inside", None), GUARDED: (None, "hard-link")}),
    "a large file": (large_file, {GUARDED: (None, "too-large"), LATEST: ("File exceeds", "too-large")}),
    "a folder": (
        Path.mkdir,
        {OLDEST: (None, "not-a-file"), LATEST: ("path does not", "not-a-file")},
    ),
    "a FIFO": (os.mkfifo, {OLDEST: (None, "fifo"), LATEST: ("path does not", "fifo")}),
    "a link to a FIFO": (link("fifo"), {OLDEST: (None, "fifo"), GUARDED: (None, "fifo")}),
    "a socket": (listening_socket, {OLDEST: (None, "not-a-file"), GUARDED: (None, "not-a-file")}),
    "a link to an endless device": (
        link("/dev/zero"),
        {OLDEST: (None, "not-a-file"), GUARDED: (None, "link-outside")},
    ),
}


@pytest.mark.parametrize(
    ("entry", "release"), [(entry, release) for entry in REFUSALS for release in REFUSALS[entry][1]]
)
def test_what_stands_there(entry: str, release: str, workspace: Path) -> None:
    make, releases = REFUSALS[entry]
    os.mkfifo(workspace / "fifo")
    make(workspace / "SOUL.md")
    content, refusal = releases[release]
    soul = one(load(workspace, contract(release)), "SOUL.md")
    assert soul.refusal == refusal
    if content is None or soul.status == "ok":
        assert soul.content == content
    else:
        assert content in (soul.content or "")


@pytest.mark.parametrize("release", [OLDEST, GUARDED, LATEST])
def test_no_permission(release: str, open_tmp_path: Path) -> None:
    for name in ("SOUL.md", "IDENTITY.md"):
        (open_tmp_path / name).write_text("x")
    (open_tmp_path / "SOUL.md").chmod(0)
    (loaded,) = load_unprivileged([(str(open_tmp_path), release)])
    assert one(loaded, "SOUL.md").refusal == "no-permission"
    assert one(loaded, "IDENTITY.md").refusal is None


def test_reading_out_of_the_workspace_is_marked(workspace: Path) -> None:
    (workspace / "SOUL.md").symlink_to("../outside.md")
    (workspace / "USER.md").symlink_to("real.md")
    loaded = load(workspace, contract(OLDEST))
    assert [file.name for file in loaded if file.leaves_workspace] == ["SOUL.md"]


def test_folder_with_a_longer_name_is_outside(workspace: Path) -> None:
    (workspace.parent / "ws2").mkdir()
    (workspace.parent / "ws2" / "x.md").write_text("x")
    (workspace / "SOUL.md").symlink_to("../ws2/x.md")
    assert one(load(workspace, contract(GUARDED)), "SOUL.md").refusal == "link-outside"


def test_file_beyond_all_reason_is_not_read_by_a_release_without_limit(workspace: Path) -> None:
    with (workspace / "SOUL.md").open("wb") as file:
        file.truncate(SANE_BYTES + 1)
    assert one(load(workspace, contract(OLDEST)), "SOUL.md").refusal == "too-large"


def test_file_that_grows_while_it_is_read(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large_file(workspace / "SOUL.md")
    empty = os.stat_result((0o100644, 1, 1, 1, 0, 0, 0, 0, 0, 0))
    monkeypatch.setattr(os, "fstat", lambda _: empty)
    real_lstat = os.lstat
    monkeypatch.setattr(
        os, "lstat", lambda path: empty if str(path).endswith("SOUL.md") else real_lstat(path)
    )
    assert one(load(workspace, contract(LATEST)), "SOUL.md").reason == "File exceeds 2097152 bytes"


@pytest.mark.parametrize("entry", ["a link outside", "a FIFO", "a hard link", "a folder"])
def test_file_swapped_after_it_was_checked(
    entry: str, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = (workspace / "real.md").lstat()
    REFUSALS[entry][0](workspace / "SOUL.md")
    monkeypatch.setattr(os, "lstat", lambda _: plain)
    assert one(load(workspace, contract(LATEST)), "SOUL.md").status == "unreadable"


NO_FOLDER = "canonical root directory identity changed or could not be verified"


@pytest.mark.parametrize(("release", "reason"), [(GUARDED, None), (TELLING, None), (LATEST, NO_FOLDER)])
def test_file_in_place_of_the_workspace(release: str, reason: str | None, workspace: Path) -> None:
    loaded = load(workspace / "real.md", contract(release))
    assert {file.reason for file in loaded} == {reason}
    assert {file.name for file in loaded}.isdisjoint(contract(release).loading.optional)


def test_reason_shows_the_home_folder_as_tilde_and_stays_on_one_line(home: Path) -> None:
    workspace = home / "real" / "new\n line"
    workspace.mkdir(parents=True)
    (home / "linked").symlink_to(home / "real")
    (workspace / "SOUL.md").symlink_to(home)
    reason = "Path escapes workspace root (~/linked/new line): ~/real/new line/SOUL.md"
    assert one(load(home / "linked" / "new\n line", contract(TELLING)), "SOUL.md").reason == reason


@pytest.mark.parametrize(
    ("reason", "kept"),
    [
        (" a\t\n\u3000b ", "a b"),
        ("x" * 301, "x" * 300),
        ("😀" * 151, "😀" * 150),
        ("x" + "😀" * 150, "x" + "😀" * 149),
    ],
)
def test_reason_is_shortened(reason: str, kept: str) -> None:
    assert loading._shortened(reason) == kept


# --- hostile folders ------------------------------------------------------------------------------------


def test_names_that_are_no_utf8_and_names_with_line_breaks(workspace: Path) -> None:
    (workspace / os.fsdecode(b"AGENTS\xff.md")).write_text("x")
    (workspace / "SOUL\n.md").write_text("x")
    (workspace / "MEMORY.md").write_text("memory")
    assert one(load(workspace, contract(LATEST)), "MEMORY.md").content == "memory"


def test_chain_of_more_links_than_any_system_follows(workspace: Path) -> None:
    for number in range(1500):
        (workspace / f"l{number}").symlink_to(f"l{number + 1}")
    (workspace / "SOUL.md").symlink_to("l0")
    assert one(load(workspace, contract(GUARDED)), "SOUL.md").refusal == "loop"
    assert one(load(workspace / "l0", contract(GUARDED)), "SOUL.md").status == "missing"


@pytest.mark.parametrize("folder", ["a\0b", "\ud800", "", "x" * 5000, os.fsdecode(b"\xff")])
@pytest.mark.parametrize("release", [OLDEST, GUARDED, LATEST])
def test_no_path_at_all_is_too_strange(folder: str, release: str, tmp_path: Path) -> None:
    assert all(file.status != "ok" for file in load(f"{tmp_path}/{folder}", contract(release)))


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("/a/b", "/a/b"),
        (" /a/./b//c/../d/ \n", "/a/b/d"),
        ("//a", "/a"),
        ("/", "/"),
        ("~", "{home}"),
        ("~/x", "{home}/x"),
        ("~x", "{cwd}/~x"),
        ("x", "{cwd}/x"),
        ("\ufeffx", "{cwd}/x"),
    ],
)
def test_folder_as_openclaw_writes_it(
    given: str, path: str, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute_path(given) == path.format(home=home, cwd=tmp_path)


# --- personal files and the state of the setup ----------------------------------------------------------


def personal(workspace: Path, person: str, release: str = LATEST) -> list[str]:
    known = contract(release)
    files = with_personal_user(load(workspace, known), workspace, person, known)
    return [f"{file.name}*" if file.personal_user else file.name for file in files if file.status == "ok"]


def test_personal_file_stands_after_user_md_or_last(workspace: Path) -> None:
    (workspace / "users" / "ada").mkdir(parents=True)
    (workspace / "users" / "ada" / "USER.md").write_text("ada")
    (workspace / "MEMORY.md").write_text("memory")
    assert personal(workspace, "ada") == ["MEMORY.md", "USER.md*"]
    (workspace / "USER.md").write_text("all")
    assert personal(workspace, "ada") == ["USER.md", "USER.md*", "MEMORY.md"]
    assert personal(workspace, "ada", "2026.9.5") == ["USER.md", "MEMORY.md"]


def test_nothing_stands_between_user_md_and_the_personal_file(workspace: Path) -> None:
    (workspace / "users" / "ada").mkdir(parents=True)
    for folder in (".", "users/ada"):
        (workspace / folder / "USER.md").write_text("x")
    known = contract(LATEST)
    files = with_personal_user(load(workspace, known), workspace, "ada", known)
    assert [file.name for file in files[3:6]] == ["USER.md", "USER.md", "BOOTSTRAP.md"]


@pytest.mark.parametrize("person", ["bob", "", ".", "..", "../users/ada", "a/b", "a\\b", "a\0"])
def test_no_personal_file_for(person: str, workspace: Path) -> None:
    (workspace / "users" / "ada").mkdir(parents=True)
    for folder in (".", "users", "users/ada"):
        (workspace / folder / "USER.md").write_text("x")
    assert personal(workspace, person) == ["USER.md"]


@pytest.mark.parametrize("linked", ["users", "users/ada", "users/ada/USER.md"])
def test_personal_file_behind_any_link_is_skipped(linked: str, workspace: Path) -> None:
    (workspace / "users" / "ada").mkdir(parents=True)
    (workspace / "users" / "ada" / "USER.md").write_text("ada")
    shutil.move(workspace / linked, workspace / "moved")
    (workspace / linked).symlink_to(workspace / "moved")
    assert personal(workspace, "ada") == []


OLD_STATE, STATE = ".openclaw/workspace-state.json", "openclaw-workspace-state.json"


@pytest.mark.parametrize(
    ("states", "completed"),
    [
        ({}, None),
        ({OLD_STATE: '{"setupCompletedAt": "2026-05-01T00:00:00Z"}'}, True),
        ({OLD_STATE: '{"onboardingCompletedAt": "2026-05-01T00:00:00Z"}'}, True),
        ({STATE: '{"setupCompletedAt": "2026-05-01T00:00:00Z"}'}, True),
        ({STATE: '{"bootstrapSeededAt": "2026-05-01T00:00:00Z"}'}, False),
        ({STATE: "{}", OLD_STATE: '{"setupCompletedAt": "2026-05-01T00:00:00Z"}'}, True),
        ({STATE: '{"setupCompletedAt": " "}'}, False),
        ({STATE: '{"setupCompletedAt": 1}'}, False),
        ({STATE: "{"}, None),
        ({STATE: "[]"}, None),
        ({STATE: "[" * 30_000}, None),
        ({STATE: " " * 65_537 + "{}"}, None),
    ],
)
def test_setup_is_completed(states: dict[str, str], completed: bool | None, workspace: Path) -> None:
    (workspace / ".openclaw").mkdir()
    for name, state in states.items():
        (workspace / name).write_text(state)
    assert setup_completed(workspace) is completed


def test_state_of_the_setup_behind_a_link_is_unknown(workspace: Path) -> None:
    (workspace.parent / "state.json").write_text('{"setupCompletedAt": "2026-05-01T00:00:00Z"}')
    (workspace / STATE).symlink_to("../state.json")
    assert setup_completed(workspace) is None


@pytest.mark.parametrize("release", [OLDEST, GUARDED, STRICT, TELLING, LATEST])
def test_what_is_loaded_can_be_injected(release: str, workspace: Path) -> None:
    (workspace / "AGENTS.md").write_text("# Agents\n")
    (workspace / "SOUL.md").mkdir()
    (workspace / "MEMORY.md").write_text("")
    loaded = load(workspace, contract(release))
    given = [
        BootstrapFile(file.name, file.path, file.content, unreadable=file.status == "unreadable")
        for file in loaded
    ]
    injection, by_hand = inject(loaded, contract(release)), inject(given, contract(release))
    assert injection.files == by_hand.files
    assert [file.name for file in injection.skipped] == ["MEMORY.md"]


def one(loaded: tuple[LoadedFile, ...], name: str) -> LoadedFile:
    return next(file for file in loaded if file.name == name)
