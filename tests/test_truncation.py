"""Truncation: the recordings, pieces, causes, skipped files, limits, and any files at all."""

from __future__ import annotations

import math
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given

import strategies
from bootlint.openclaw import (
    BootstrapFile,
    Contract,
    InjectedFile,
    Injection,
    contract,
    inject,
    project_context,
    visible_files,
)
from bootlint.openclaw.digest import normal_form
from bootlint.openclaw.jstext import utf16_len, whole
from golden_rows import (
    JsonObject,
    Row,
    optional_number,
    optional_text,
    record,
    records,
    rows,
    text,
    texts,
)
from linear_time import assert_linear

if TYPE_CHECKING:
    from bootlint.openclaw.cuts import PieceKind

RECORDED = [list(group) for _, group in groupby(rows("truncation"), key=lambda row: row.file)]


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: recorded[0].file)
def test_golden(recorded: list[Row]) -> None:
    for row in recorded:
        injection = simulated(row)
        expected = record(row.data["expected"])
        assert (
            [(file.path, file.content) for file in injection.files]
            == [(optional_text(file.get("path")), text(file["content"])) for file in records(expected["injected"])]
        ), row  # fmt: skip
        assert list(injection.warnings) == texts(expected["warnings"]), row


def test_every_recording_is_there() -> None:
    assert len({(row.file, row.id) for recorded in RECORDED for row in recorded}) == 2_343


def simulated(row: Row) -> Injection:
    return inject(
        [as_file(file) for file in records(row.data["files"])],
        contract(row.release),
        max_chars=optional_number(row.data.get("maxChars")),
        total_max_chars=optional_number(row.data.get("totalMaxChars")),
    )


def as_file(data: JsonObject) -> BootstrapFile:
    content = None if data.get("missing") else text(data["content"])
    return BootstrapFile(
        text(data["name"]), optional_text(data.get("path")), content, bool(data.get("personalUser"))
    )


# --- any files at all ----------------------------------------------------------------------------------------

simulations = given(
    files=strategies.workspaces,
    rules=strategies.contracts,
    max_chars=strategies.limits,
    total=strategies.limits,
)


@simulations
def test_pieces_make_up_the_content(
    files: list[BootstrapFile], rules: Contract, max_chars: float | None, total: float | None
) -> None:
    injection = inject(files, rules, max_chars=max_chars, total_max_chars=total)
    assert len(injection.outcomes) == len(files)
    for file, outcome in zip(files, injection.outcomes, strict=True):
        if isinstance(outcome, InjectedFile):
            assert outcome.content == whole(outcome.content)
            assert outcome.injected_chars == utf16_len(outcome.content)
            assert_pieces(outcome, file.content or "")
        else:
            assert outcome.file == file


def assert_pieces(outcome: InjectedFile, source: str) -> None:
    at = 0
    for piece in outcome.pieces:
        assert piece.start == at < piece.end
        at = piece.end
        shown = outcome.content[piece.start : piece.end]
        held = None if piece.source is None else source[slice(*piece.source)]
        if piece.kind in ("head", "tail"):
            assert shown == held
        elif piece.kind in ("digest", "prose"):
            assert piece.source is not None and held is not None
            line = source[piece.source[0] :].split("\n")[0]
            assert shown == normal_form(line)
            assert held == line[: len(held)] if piece.is_cut else held.rstrip("\n") == line.rstrip("\n")
        else:
            assert held is None
    assert at == len(outcome.content)


@simulations
def test_budget_is_kept(
    files: list[BootstrapFile], rules: Contract, max_chars: float | None, total: float | None
) -> None:
    injection = inject(files, rules, max_chars=max_chars, total_max_chars=total)
    truncation = rules.truncation
    if injection.total_max_chars is not None:
        assert sum(file.injected_chars for file in injection.files) <= max(1, injection.total_max_chars)
    if truncation.marker_fits_limit:
        assert all(file.injected_chars <= file.limit for file in injection.files if file.limit is not None)
    if truncation.safe_cuts:
        assert not any(piece.kind == "half" for file in injection.files for piece in file.pieces)


# --- what became of a file, and why ---------------------------------------------------------------------------

OLDEST, FIRST_DIGEST, SAFE, LATEST = (
    "2026.1.29", "2026.5.19", "2026.7.2-beta.1", "2026.9.6",
)  # fmt: skip


def one(release: str, name: str, content: str | None, **limits: float) -> InjectedFile:
    injection = inject([BootstrapFile(name, f"/ws/{name}", content)], contract(release), **limits)
    return injection.files[0]


@pytest.mark.parametrize(
    ("release", "name", "length", "limits", "limit", "causes"),
    [
        (LATEST, "SOUL.md", 20_000, {}, 20_000, ()),
        (LATEST, "SOUL.md", 20_001, {}, 20_000, ("limit",)),
        (LATEST, "SOUL.md", 501, {"total_max_chars": 500}, 500, ("total",)),
        (LATEST, "SOUL.md", 900, {"max_chars": 800, "total_max_chars": 500}, 500, ("limit", "total")),
        (LATEST, "USER.md", 4_000, {}, 4_000, ()),
        (LATEST, "USER.md", 4_001, {"max_chars": 90_000}, 4_000, ("user-cap",)),
        (LATEST, "USER.md", 4_001, {"max_chars": 3_000}, 3_000, ("limit",)),
        (LATEST, "sub/USER.md", 4_001, {}, 20_000, ()),
        (SAFE, "USER.md", 4_001, {}, 20_000, ()),
        (OLDEST, "SOUL.md", 99_999, {"max_chars": 100_000, "total_max_chars": 500}, 100_000, ()),
        # The marker comes on top of the limit and meets the end of the total.
        ("2026.4.14", "SOUL.md", 101, {"max_chars": 100, "total_max_chars": 120}, 100, ("limit", "total")),
        (LATEST, "SOUL.md", 200, {"max_chars": 150.75}, 150.75, ("limit",)),
    ],
)  # fmt: skip
def test_causes(
    release: str, name: str, length: int, limits: dict[str, float], limit: float, causes: tuple[str, ...]
) -> None:
    file = one(release, name, "x" * length + " \n", **limits)
    assert (file.raw_chars, file.limit, file.causes) == (length, limit, causes)


def test_marker_of_a_missing_file_is_cut_by_the_total() -> None:
    file = one(LATEST, "SOUL.md", None, total_max_chars=20)
    assert (file.content, file.raw_chars, file.injected_chars) == ("[MISSING] Expected …", 0, 20)
    assert (file.limit, file.causes) == (None, ("total",))


def test_a_path_may_be_a_path_and_what_is_no_text_is_none() -> None:
    files = [
        BootstrapFile("MEMORY.md", cast("str", Path("/ws/MEMORY.md")), "x"),
        BootstrapFile("SOUL.md", cast("str", 5), "y"),
    ]
    injection = inject(files, contract(LATEST))
    assert [file.path for file in injection.files] == ["/ws/MEMORY.md"]
    assert [(file.name, file.reason) for file in injection.skipped] == [("SOUL.md", "no-path")]
    assert 'missing or invalid "path" field' in injection.warnings[0]
    assert [section.heading for section in project_context(injection.files, contract(LATEST))] == [
        "/ws/MEMORY.md"
    ]
    group = visible_files(
        files, contract(LATEST), session_key=None, chat_type="group", workspace_dir=Path("/ws")
    )
    assert [file.name for file in group] == ["SOUL.md"]


def test_skipped_files_and_their_reasons() -> None:
    files = [
        BootstrapFile("AGENTS.md", " ", "x"),
        BootstrapFile("SOUL.md", "/ws/SOUL.md", " \n\ufeff"),
        BootstrapFile("USER.md", "/ws/users/ada/USER.md", "p" * 4_001, personal_user=True),
        BootstrapFile("USER.md", "/ws/USER.md", "u" * 30),
        BootstrapFile("MEMORY.md", "/ws/MEMORY.md", "m" * 10),
        BootstrapFile("TOOLS.md", "/ws/TOOLS.md", None),
    ]
    injection = inject(files, contract(LATEST), total_max_chars=90)
    assert [(file.name, file.reason) for file in injection.skipped] == [
        ("AGENTS.md", "no-path"),
        ("SOUL.md", "empty"),
        ("USER.md", "personal-user-too-long"),
        ("MEMORY.md", "total-used-up"),
        ("TOOLS.md", "total-used-up"),  # its marker would fit, but OpenClaw has stopped
    ]
    assert [file.content for file in injection.files] == ["u" * 30]
    assert injection.warnings == (
        (
            'skipping bootstrap file "AGENTS.md" — missing or invalid "path" field '
            '(hook may have used "filePath" instead)'
        ),
        "Personal USER.md exceeds the bootstrap budget; using shared defaults.",
        "remaining bootstrap budget is 60 chars (<64); skipping additional bootstrap files",
    )


def shown(file: InjectedFile) -> list[tuple[PieceKind, str, tuple[int, int] | None]]:
    """The pieces that are no line break between two others."""
    return [
        (piece.kind, file.content[piece.start : piece.end], piece.source)
        for piece in file.pieces
        if piece.kind != "join"
    ]


def test_pieces_of_a_digest() -> None:
    lines = ("h" * 450, "Framed by", "- Never  push \r", "", "must " + "y " * 200, "# Title", "t" * 150)
    starts = [sum(len(line) + 1 for line in lines[:at]) for at in range(len(lines))]
    file = one(LATEST, "AGENTS.md", "\n".join(lines), max_chars=1_000)
    assert shown(file) == [
        ("head", "h" * 450, (0, 450)),
        ("marker", "[...truncated, read AGENTS.md for full content...]", None),
        ("notice", "[Policy digest from AGENTS.md]", None),
        ("prose", "Framed by", (starts[1], starts[2])),
        ("digest", "- Never push", (starts[2], starts[3])),
        ("digest", "must " + "y " * 117 + "…", (starts[4], starts[4] + 239)),
        ("digest", "# Title", (starts[5], starts[6])),
        ("marker", "…(truncated AGENTS.md: kept 450+policy 271+132 chars of 1042)…", None),
        ("tail", "t" * 132, (starts[6] + 18, starts[6] + 150)),  # 15 % less what the markers took
    ]
    assert [piece.is_cut for piece in file.pieces if piece.kind == "digest"] == [False, True, False]


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        (
            FIRST_DIGEST,
            [
                ("head", "😀" * 7, (0, 7)),
                ("half", "\ud83d", None),
                ("marker", "[…truncated 15+5/400]", None),
                ("half", "\ude00", None),
                ("tail", "😀" * 2, (198, 200)),
            ],
        ),
        (
            SAFE,
            [
                ("head", "😀" * 7, (0, 7)),
                ("marker", "[…truncated 15+5/400]", None),
                ("tail", "😀" * 2, (198, 200)),
            ],
        ),
    ],
)
def test_old_releases_halve_characters(
    release: str, expected: list[tuple[PieceKind, str, tuple[int, int] | None]]
) -> None:
    assert shown(one(release, "SOUL.md", "😀" * 200, max_chars=41)) == expected


def test_text_of_an_unreadable_file_is_openclaws() -> None:
    file = BootstrapFile("SOUL.md", "/ws/SOUL.md", "[UNREADABLE: permission denied]", unreadable=True)
    assert [piece.kind for piece in inject([file], contract(LATEST)).files[0].pieces] == ["unreadable"]


@pytest.mark.parametrize("limits", [{"max_chars": math.nan}, {"total_max_chars": math.nan}])
def test_a_limit_must_be_a_number(limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="number"):
        inject([], contract(LATEST), **limits)


def test_without_limits_everything_arrives() -> None:
    file = one(LATEST, "SOUL.md", "x" * 100_000, max_chars=math.inf, total_max_chars=math.inf)
    assert (file.content, file.causes) == ("x" * 100_000, ())


def test_halves_of_a_pair_are_put_together() -> None:
    file = one(LATEST, "SOUL.md", "\ud83d\ude00")
    assert (file.content, file.raw_chars) == ("😀", 2)


def test_old_releases_count_a_negative_limit_from_the_other_end() -> None:
    file = one(OLDEST, "SOUL.md", "abcdef", max_chars=-1)
    assert [piece for piece in shown(file) if piece[0] != "marker"] == [
        ("head", "abcde", (0, 5)),
        ("tail", "bcdef", (1, 6)),
    ]


def test_a_tail_of_half_a_character_gives_way_before_the_head_does() -> None:
    file = one(LATEST, "AGENTS.md", "h" * 200 + "t" * 90, max_chars=199.5)
    assert [(kind, source) for kind, _, source in shown(file)] == [
        ("head", (0, 89)),
        ("marker", None),
        ("marker", None),
    ]


@pytest.mark.parametrize("below", [1e-9, 1e-3, 0.999_999])
def test_limit_just_below_a_whole_number_takes_no_longer(below: float) -> None:
    for limit in range(150, 400):
        file = one(LATEST, "AGENTS.md", "- must ask\n- push\nplain words\n" * 30, max_chars=limit - below)
        assert file.injected_chars < limit


@pytest.mark.parametrize(
    "unit", ["- a\n", "must ", "\n", " ", "x", "禁止，不得\n", "😀 must\n", "```\n", "1"]
)
@pytest.mark.parametrize("max_chars", [150, 20_000])
def test_time_grows_with_the_text(unit: str, max_chars: int) -> None:
    assert_linear(lambda text: one(LATEST, "AGENTS.md", text + "x", max_chars=max_chars), unit)
