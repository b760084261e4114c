"""Fates, losses and headroom: what the pieces of an injection say about its source."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

import strategies
from bootlint.openclaw import BootstrapFile, Contract, InjectedFile, Injection, contract, inject
from bootlint.openclaw.digest import normal_form
from bootlint.openclaw.fates import headroom, line_fates, lost_chars, lost_spans
from bootlint.openclaw.jstext import WHITESPACE, trim, trim_end, utf16_len
from bootlint.openclaw.truncation import SkippedFile
from bootlint.records import replace

LATEST = "2026.9.6"


def simulated(text: str, name: str = "AGENTS.md", release: str = LATEST, **limits: float) -> InjectedFile:
    return inject([BootstrapFile(name, f"/ws/{name}", text)], contract(release), **limits).files[0]


LINES = (
    "h" * 445,
    "the head ends here",
    "",
    "framed by",
    "- never push",
    "\t",
    "never " + "y " * 200,
    "plain",
    "t" * 150,
    "  ",
)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_fates(line_end: str) -> None:
    text = line_end.join(LINES) + line_end
    fates = line_fates(text, simulated(text, max_chars=1_000))
    assert fates == (
        "kept",
        "cut",
        "blank",
        "digest",
        "digest",
        "blank",
        "digest-cut",
        "dropped",
        "cut",
        "blank",
    )


def test_losses() -> None:
    text = "\n".join(LINES)
    injected = simulated(text, max_chars=1_000)
    lost = [text[start:end] for start, end in lost_spans(text, injected)]
    assert lost == ["head ends here\n\n", "\t\n", " y" * 83 + " \nplain\n" + "t" * 10]
    assert lost_chars(text, injected) == sum(map(len, lost))
    assert lost_chars(text, injected) > injected.raw_chars - injected.injected_chars  # so this is no measure


@pytest.mark.parametrize(
    ("line", "fate"),
    [
        ("   1234567", "kept"),  # indentation is no part of what a line says
        ("   01234567", "cut"),
        ("0123\r1234567", "cut"),  # a lone \r ends no line
    ],
)
def test_line_at_a_tail_of_seven(line: str, fate: str) -> None:
    text = "x" * 60 + "\n" + line
    injected = simulated(text, "SOUL.md", max_chars=50)
    assert injected.content.endswith("]1234567")
    assert line_fates(text, injected)[-1] == fate


@pytest.mark.parametrize("text", ["", "\n", "a", "a\n", "a\r\n\r\n", "a\rb\u2028c\n\n", "\ufeff\n"])
def test_a_final_line_end_opens_no_line(text: str) -> None:
    lines = text.replace("\r\n", "\n").split("\n")
    assert len(line_fates(text, None)) == len(lines) - (len(lines) > 1 and not lines[-1])


def test_what_never_came_is_dropped_and_lost() -> None:
    file = BootstrapFile("SOUL.md", None, "one\n\n\u3000\ntwo 😀\n")
    for outcome in (None, SkippedFile(file, "no-path")):
        assert line_fates("one\n\n\u3000\ntwo 😀\n", outcome) == ("dropped", "blank", "blank", "dropped")
        assert lost_chars("one\n\n\u3000\ntwo 😀\n", outcome) == 13


def test_half_a_character_is_lost() -> None:
    text = "😀" * 200
    injected = simulated(text, "SOUL.md", "2026.5.19", max_chars=41)
    assert [piece.kind for piece in injected.pieces] == ["head", "half", "marker", "half", "tail"]
    assert lost_spans(text, injected) == ((7, 198),)
    assert lost_chars(text, injected) == 2 * 191


@given(strategies.workspaces, strategies.contracts, strategies.limits, strategies.limits)
def test_fates_and_losses_agree_with_the_pieces(
    files: list[BootstrapFile], rules: Contract, max_chars: float | None, total: float | None
) -> None:
    injection = inject(files, rules, max_chars=max_chars, total_max_chars=total)
    for file, outcome in zip(files, injection.outcomes, strict=True):
        if file.content is not None and not file.unreadable:
            injected = outcome if isinstance(outcome, InjectedFile) else None
            assert_fates(file.content, injected)
            assert_losses(file.content, injected)


def assert_fates(source: str, injected: InjectedFile | None) -> None:
    content = injected.content if injected else ""
    fates = line_fates(source, injected)
    lines = source.split("\n")
    assert len(fates) == len(lines) - (len(lines) > 1 and not lines[-1])
    lost = lost_spans(source, injected)
    start = 0
    for fate, line in zip(fates, lines, strict=False):
        text = trim(line)
        first = start + line.find(text)
        missing = sum(max(0, min(end, first + len(text)) - max(begin, first)) for begin, end in lost)
        assert (fate == "blank") is (not text)
        if fate == "kept":
            assert text in content
            assert missing == 0
        elif fate in ("digest", "digest-cut"):
            assert normal_form(line) in content
            assert (missing > 0) is (fate == "digest-cut")
        elif fate == "cut":
            assert 0 < missing < len(text)
        elif fate == "dropped":
            assert missing == len(text)
        start += len(line) + 1


def assert_losses(source: str, injected: InjectedFile | None) -> None:
    lost = lost_spans(source, injected)
    assert all(start < end for start, end in lost)
    assert all(end < start for (_, end), (start, _) in pairwise(lost))
    pieces = injected.pieces if injected else ()
    held = [range(*piece.source) for piece in pieces if piece.source]
    gone = {at for start, end in lost for at in range(start, end)}
    assert gone == set(range(len(trim_end(source)))).difference(*held)
    assert lost_chars(source, injected) == sum(utf16_len(source[at]) for at in gone)


# --- headroom ------------------------------------------------------------------------------------------------


def workspace(*sizes: int | None) -> list[BootstrapFile]:
    names = ("AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md")
    return [
        BootstrapFile(name, f"/ws/{name}", None if size is None else "x" * size + "\n")
        for name, size in zip(names, sizes, strict=False)
    ]


@pytest.mark.parametrize(
    ("sizes", "limits", "expected"),
    [
        ((19_000, 0, 3_999), {}, (1_000, None, 1)),
        ((20_001, 9, None), {}, (0, 19_991, None)),
        ((300, 200), {"total_max_chars": 600}, (100, 100)),  # each may take what is left
        ((300, 200, None), {"total_max_chars": 600}, (100, 100, None)),  # a marker may be lost
        ((300, 20), {"total_max_chars": 400}, (36, 80)),  # the next file is begun with 64 left, not with 63
        ((500, 500, 100), {"max_chars": 400, "total_max_chars": 1_000}, (0, 0, 149)),
        ((100, 500), {"max_chars": 400, "total_max_chars": 600}, (100, 0)),  # SOUL.md is cut, but not by the total
        ((100, 500), {"max_chars": 400, "total_max_chars": 450}, (0, 0)),
        ((940, 100), {"total_max_chars": 1_000}, (60, 0)),  # what is skipped anyway cannot lose more
        ((100,), {"max_chars": 150.75}, (50,)),
        ((100,), {"max_chars": float("inf"), "total_max_chars": float("inf")}, (None,)),
    ],
)  # fmt: skip
def test_headroom(
    sizes: tuple[int | None, ...], limits: dict[str, float], expected: tuple[int | None, ...]
) -> None:
    files = workspace(*sizes)
    before = inject(files, contract(LATEST), **limits)
    assert tuple(headroom(before, index) for index in range(len(sizes))) == expected
    for index, room in enumerate(expected):
        if room:
            grown = [*files[:index], longer(files[index], room + 1), *files[index + 1 :]]
            after = inject(grown, contract(LATEST), **limits)
            assert sum(losses(grown, after)) > sum(losses(files, before))


@given(strategies.workspaces, strategies.contracts, strategies.limits, strategies.limits)
def test_headroom_is_exact(
    files: list[BootstrapFile], rules: Contract, max_chars: float | None, total: float | None
) -> None:
    before = inject(files, rules, max_chars=max_chars, total_max_chars=total)
    for index, (file, outcome) in enumerate(zip(files, before.outcomes, strict=True)):
        room = headroom(before, index)
        if (
            not isinstance(outcome, InjectedFile)
            or outcome.causes
            or not outcome.raw_chars
            or file.unreadable
        ):
            assert not room
            continue
        assert room is not None
        for added in (room, room + 1):
            grown = [*files[:index], longer(file, added), *files[index + 1 :]]
            after = inject(grown, rules, max_chars=max_chars, total_max_chars=total)
            suffering = any(map(suffers, before.outcomes, after.outcomes))
            assert suffering is (added > room)
            if not suffering:
                assert losses(files, before) == losses(grown, after)


def losses(files: list[BootstrapFile], injection: Injection) -> list[int]:
    return [
        lost_chars(file.content or "", outcome)
        for file, outcome in zip(files, injection.outcomes, strict=True)
        if not file.unreadable
    ]


def longer(file: BootstrapFile, units: int) -> BootstrapFile:
    """The file with so many units more at the end of its text."""
    text = (file.content or "").rstrip(WHITESPACE)
    return replace(file, content=text + "x" * units)


def suffers(before: InjectedFile | SkippedFile, after: InjectedFile | SkippedFile) -> bool:
    """Does a text arrive in part or not at all that was whole, or find a smaller limit where it is cut?"""
    if isinstance(before, SkippedFile) or before.limit is None:
        return False
    if isinstance(after, SkippedFile) or after.limit is None:
        return True
    return bool(after.causes) and (not before.causes or after.limit < before.limit)
