"""BL3, first half: which files stand in the workspace's folder, and under which names. Not what they say."""

from __future__ import annotations

import os
import re

from bootlint.checks.context import file_start
from bootlint.diagnostics import Finding, Params, Related, Severity, Span
from bootlint.lazyre import lazy_pattern
from bootlint.lookalikes import latin
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import BOOTSTRAP_NAMES, meant_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bootlint.checks.context import Context
    from bootlint.workspace import TextFile

# OpenClaw tells people to delete it once set-up is done: its absence is no fault.
_MEANT_TO_GO = "BOOTSTRAP.md"
_FEW_CHARS = 1_000  # below this, a retired file is a stock template or a few notes
_MOST_AGENTS = 200


def missing_file(context: Context) -> Iterator[Finding]:
    """A file that the release asks for is absent, and a marker that costs budget stands in its place."""
    there = {
        meant_name(name) for name in context.workspace.entries
    }  # refused or misspelt: other rules say so
    for file in context.simulation.sent:
        injected = context.simulation.injected.get(file.name)
        if file.content is None and injected is not None and file.name not in {*there, _MEANT_TO_GO}:
            params = {**_named(context, file.name), "cost": injected.injected_chars}
            yield Finding(file.name, Span(0, 0), params)


def wrong_file_name(context: Context) -> Iterator[Finding]:
    """A file is named nearly like a bootstrap file, so that OpenClaw does not load it."""
    for name, file in context.workspace.files.items():
        expected = meant_name(name)
        if (
            expected in (None, name, _MEANT_TO_GO)
            or expected not in context.simulation.contract.loading.names
        ):
            continue
        params = {**_named(context, name), "expected": expected, "chars": context.simulation.raw_chars(name)}
        if latin(name) != name:
            from bootlint.security.hidden import names

            codes = names("".join(char for char in name if not char.isascii()))
            yield Finding(
                name, file_start(file), {**params, "codes": codes}, variant="look-alike", of_file=True
            )
        elif expected not in context.workspace.entries:
            if not context.is_loaded(name):
                yield Finding(name, file_start(file), params, of_file=True)
        elif name.lower() == expected.lower() and not _is_alias(context.workspace.root, name, expected):
            if context.is_loaded(name):
                yield Finding(
                    name, file_start(file), params, variant="both", severity=Severity.WARNING, of_file=True
                )
            else:
                yield Finding(name, file_start(file), params, variant="beside", of_file=True)


def retired_file(context: Context) -> Iterator[Finding]:
    """A file that older releases injected, and this one does not."""
    names = context.simulation.contract.loading.names
    for name in BOOTSTRAP_NAMES:
        file = context.workspace.files.get(name)
        if file is not None and name not in names and meant_name(name) == name:
            chars = context.simulation.raw_chars(name)
            rules = len(context.priority_lines(file))
            yield Finding(
                name,
                file_start(file),
                {**_named(context, name), "chars": chars, "rules": rules},
                variant="heartbeat" if name == "HEARTBEAT.md" else None,
                severity=Severity.INFO if chars < _FEW_CHARS or _says_nothing(context, file) else None,
                of_file=True,
            )


def bootstrap_left_behind(context: Context) -> Iterator[Finding]:
    """BOOTSTRAP.md still starts the onboarding of an agent that has long been set up."""
    file = context.simulation.texts.get(_MEANT_TO_GO)
    if file is None:
        return
    notes = tuple(f"memory/{name}" for name in context.workspace.notes if name.endswith(".md"))
    known = [
        (other, span)
        for name in ("USER.md", "IDENTITY.md")
        if (other := context.workspace.files.get(name)) is not None
        and (span := _filled_in(other.source.text)) is not None
    ]
    if notes or known:
        evidence = (*(other.path for other, _ in known), *notes[:1])
        yield Finding(
            file.path,
            file_start(file),
            {**_named(context, file.name), "evidence": evidence},
            related=tuple(Related(other.path, span, {"other": other.path}) for other, span in known),
            of_file=True,
        )


def refused_link(context: Context) -> Iterator[Finding]:
    """A bootstrap file is a link that this release does not follow."""
    for path, refusal in context.refusals.items():
        if refusal not in _LINKS:
            continue
        loaded = context.simulation.loaded.get(path)
        if loaded is None:
            yield Finding(path, Span(0, 0), _named(context, path), variant="personal")
        else:
            params = {**_named(context, path), "instead": loaded.content or "[MISSING]"}
            yield Finding(path, Span(0, 0), params, variant=_LINKS[refusal])


_LINKS = {
    "link-inside": None,
    "link-outside": "outside",
    "dangling": "dangling",
    "loop": "dangling",
    "hard-link": "hard-link",
}


def misplaced_file(context: Context) -> Iterator[Finding]:
    """A bootstrap file stands where OpenClaw never looks."""
    for path, file in context.workspace.files.items():
        if "/" in path and not context.is_loaded(path):
            yield Finding(path, file_start(file), _named(context, path), variant="personal", of_file=True)
    looked_at, added = _folders_in_use(context), context.simulation.situation.extra_files
    for folder in _plausible_folders(context):
        place = os.path.join(context.workspace.root, folder)
        for name in sorted(_names_in(place).intersection(BOOTSTRAP_NAMES)):
            if os.path.realpath(place) not in looked_at and f"{folder}/{name}" not in added:
                yield Finding(f"{folder}/{name}", Span(0, 0), _named(context, f"{folder}/{name}"))


def _named(context: Context, path: str) -> Params:
    return {"file": path, "release": context.simulation.contract.release}


def _is_alias(root: Path, name: str, other: str) -> bool:
    """Are both names of one file, on purpose or on a disk that does not tell them apart?"""
    try:
        return os.path.samefile(root / name, root / other)
    except OSError:
        return False


def _says_nothing(context: Context, file: TextFile) -> bool:
    from bootlint.openclaw.heartbeat import heartbeat_is_empty

    return heartbeat_is_empty(file.source.text, context.simulation.contract)


# --- set-up done? ----------------------------------------------------------------------------------------

# A line `- **Name:** Ada` of the templates; what is asked for may stand on the next line.
_FIELD = lazy_pattern(
    r"^[ \t]*[-*+][ \t]+\**[^\n:：*]{1,40}[:：]\**(?:[ \t]*\n[ \t]+(?![-*+\s]))?(?P<value>[^\n]*)$",
    re.MULTILINE,
)
_HINT = lazy_pattern(
    r"[_*（(\[<].*[_*)）\]>]|[-—.…?？]*|tbd|todo|n/?a|unknown|未知|待定|待填写?", re.IGNORECASE
)
_OWN_WORDS = lazy_pattern(r"^(?![ \t]*(?:#|[_*(<]|---))[^\n]*\w[^\n]*$", re.MULTILINE)


def _filled_in(text: str) -> Span | None:
    """Where the owner has answered what a template asks for, or written a text without such questions."""
    fields = list(_FIELD.finditer(text))
    for field in fields:
        if not _HINT.fullmatch(field["value"].strip()):
            return Span(*field.span("value"))
    own = None if fields else _OWN_WORDS.search(text)
    return Span(*own.span()) if own else None


# --- places where people put files --------------------------------------------------------------------------


def _plausible_folders(context: Context) -> Iterator[str]:
    """Folders, relative to the workspace, that look as if OpenClaw read bootstrap files there."""
    root, entries = context.workspace.root, context.workspace.entries
    if ".openclaw" in entries:
        yield ".openclaw"
    inside = ["agents"] if "agents" in entries else []
    beside = ["../agents"] if _stands_in_state_folder(context) else []
    for folder in (*inside, *beside):
        agents = sorted(_names_in(os.path.join(root, folder)))
        yield from (f"{folder}/{agent}/agent" for agent in agents[:_MOST_AGENTS])


def _stands_in_state_folder(context: Context) -> bool:
    config = context.simulation.situation.config
    return config is not None and config.path.parent == context.workspace.root.absolute().parent


def _folders_in_use(context: Context) -> set[str]:
    """The real paths of the workspaces that openclaw.json names."""
    situation = context.simulation.situation
    if situation.config is None:
        return set()
    return {os.path.realpath(folder) for folder in situation.config.workspaces(situation.contract).values()}


def _names_in(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()
