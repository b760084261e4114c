"""Every published OpenClaw release and its contract: the only place with limits, names and keyword lists.

Established by running the published code of all 132 releases; `tests/golden` holds the recordings. Eras are
not monotone in the version number (2026.7.33 to 2026.7.35 behave like 2026.7.2-beta.1), so releases stand
here in the order in which they were recorded, and each facet is a table: from this release on, this value.
"""

from __future__ import annotations

from functools import lru_cache

from bootlint.lazyre import lazy_pattern
from bootlint.openclaw.contract import (
    Bootstrap,
    Compaction,
    Contract,
    Digest,
    Heartbeat,
    Limits,
    Loading,
    Prompt,
    Sessions,
    Startup,
    Truncation,
)
from bootlint.records import replace
from bootlint.typed import TypeVar

# Versions without their year; beta and patch releases in the order of their behaviour, not of their number.
_VERSIONS = """
    1.29 1.30 2.1 2.2 2.2-3 2.3 2.3-1 2.6-3 2.9 2.12 2.17 2.19 2.21 2.22 2.22-1 2.23-beta.1 2.23
    2.24 2.25 2.26 3.1 3.2 3.7 3.8 3.11 3.13 3.22 3.23 3.23-1 3.23-2 3.24-beta.2 3.24 3.28 3.31 4.1
    4.2 4.5 4.7 4.8 4.9 4.10 4.11 4.12 4.14 4.15 4.20 4.21 4.22 4.23 4.24 4.25 4.26 4.27 4.29-beta.1
    4.29-beta.4 4.29 4.30-beta.1 5.2 5.3 5.3-1 5.4 5.5 5.6 5.7-beta.1 5.7 5.12 5.14-beta.1
    5.14-beta.2 5.16-beta.1 5.16-beta.2 5.16-beta.3 5.16-beta.4 5.16-beta.6 5.16-beta.7 5.18-beta.1
    5.18 5.19 5.20-beta.1 5.20 5.22 5.26 5.27 5.28 5.30-beta.1 5.31-beta.1 5.31-beta.2 5.31-beta.3
    5.31-beta.4 6.1-beta.1 6.1-beta.2 6.1-beta.3 6.1 6.5 6.6 6.8 6.9 6.10 6.11-beta.2 6.11 6.33 6.34
    6.35 7.1-beta.1 7.1-beta.2 7.1-beta.4 7.1-beta.5 7.1-beta.6 7.1 7.1-1 7.1-2 7.2-beta.1
    7.2-beta.2 7.2-beta.3 7.2-beta.4 7.2-beta.5 7.2-beta.6 7.2-beta.7 7.33 7.34 7.35 8.1-beta.1
    8.1-beta.2 8.1-beta.3 8.1 8.2 9.1-beta.1 9.1 9.2 9.3 9.4 9.5 9.6
"""
_RELEASES = tuple("2026." + version for version in _VERSIONS.split())

_T = TypeVar("_T")
_Table = tuple[tuple[str, _T], ...]  # (first release, value), in the order of _RELEASES

# --- truncation ------------------------------------------------------------------------------------------

_PRIORITY_WORDS = (
    "AGENTS.md", "scoped", "required", "must", "never", "do not", "before subtree", "read scoped", "security",
    "secret", "credential",
)  # fmt: skip
_CANDIDATE_WORDS = (
    *_PRIORITY_WORDS, "owner", "test", "validation", "command", "commit", "push", "github", "pr",
)  # fmt: skip
_PRIORITY_SIGNS = ("🔴", "禁止", "嚴禁", "不得", "絕不", "絕對不", "切勿")
_CANDIDATE_SIGNS = (*_PRIORITY_SIGNS, "必須", "務必", "一律", "紅線")

_ENGLISH_DIGEST = Digest(_CANDIDATE_WORDS, _PRIORITY_WORDS)
_CHINESE_DIGEST = replace(
    _ENGLISH_DIGEST, candidate_signs=_CANDIDATE_SIGNS, priority_signs=_PRIORITY_SIGNS, carries_prose=True
)

_E01 = Truncation(20_000, None, marker_fits_limit=False)
_E02 = replace(_E01, default_total_chars=150_000)
_E03 = replace(_E02, needs_path=True)
_E04 = replace(_E03, default_max_chars=12_000, default_total_chars=60_000)
_E05 = replace(_E04, marker_fits_limit=True)
_E06 = replace(_E05, digest=_ENGLISH_DIGEST)
_E07 = replace(_E06, default_max_chars=20_000)
_E08 = replace(_E07, safe_cuts=True)
_E09 = replace(_E08, user_max_chars=4_000)
_E10 = replace(_E09, digest=_CHINESE_DIGEST)
_E11 = replace(_E10, drops_long_personal_user=True)

_TRUNCATION: _Table[Truncation] = (
    ("1.29", _E01), ("2.17", _E02), ("2.22", _E03), ("4.15", _E04), ("4.20", _E05), ("5.19", _E06),
    ("5.31-beta.4", _E07), ("7.2-beta.1", _E08), ("7.2-beta.6", _E09), ("7.33", _E08), ("8.1-beta.1", _E09),
    ("9.4", _E10), ("9.6", _E11),
)  # fmt: skip

_LIST = Limits(agent_values=True, roster="list")
_LIMITS: _Table[Limits] = (
    ("1.29", Limits(agent_values=False, roster="list")), ("5.14-beta.2", _LIST),
    ("7.2-beta.4", replace(_LIST, roster="entries")),
    ("7.2-beta.7", replace(_LIST, roster="entries-even-null")), ("7.33", _LIST),
    ("8.1-beta.1", replace(_LIST, roster="entries-even-null")),
)  # fmt: skip

# --- loading ---------------------------------------------------------------------------------------------

_SEVEN = ("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md")


def _without(names: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    return tuple(name for name in names if name not in gone)


_D01 = Loading(
    names=(*_SEVEN, "MEMORY.md"),
    optional=frozenset({"MEMORY.md"}),
    lowercase_memory="beside",
    exact_optional=False,
    inner_links="read",
    outer_links="read",
    hard_links="read",
    max_bytes=None,
    failure="missing",
)
_D02 = replace(_D01, outer_links="fail", hard_links="fail", max_bytes=2_097_152)
_D03 = replace(_D02, lowercase_memory="instead")
_D04 = replace(_D03, lowercase_memory="never", exact_optional=True)
_D05 = replace(_D04, names=_without(_D04.names, "HEARTBEAT.md"))
_D06 = replace(_D04, names=_without(_D04.names, "HEARTBEAT.md", "TOOLS.md"))
_D07 = replace(_D06, optional=frozenset({"MEMORY.md", "USER.md"}))
_D08 = replace(_D07, inner_links="fail", linked_workspace_relaxes=True)
_D09 = replace(_D08, failure="unreadable")
_D10 = replace(_D09, linked_workspace_relaxes=False, verifies_workspace=True)

_LOADING: _Table[Loading] = (
    ("1.29", _D01), ("2.26", _D02), ("3.13", _D03), ("4.23", _D04), ("7.2-beta.4", _D05),
    ("7.2-beta.5", _D06), ("7.2-beta.6", _D07), ("7.33", _D04), ("8.1-beta.1", _D08), ("8.1-beta.3", _D09),
    ("9.5", _D10),
)  # fmt: skip

# --- sessions --------------------------------------------------------------------------------------------

_TWO = frozenset({"AGENTS.md", "TOOLS.md"})
_FIVE = _TWO | {"SOUL.md", "IDENTITY.md", "USER.md"}
_F1 = Sessions(
    _TWO, None, drops_empty_key_segments=True, agent_prefix_any_case=False, hides_memory_in_groups=False
)
_F2 = replace(_F1, cron=_TWO)
_F3 = replace(_F2, subagent=_FIVE, cron=_FIVE)
_F4 = replace(_F3, agent_prefix_any_case=True)
_F5 = replace(_F4, subagent=_TWO)
_F6 = replace(_F5, drops_empty_key_segments=False)
_F7 = replace(_F6, subagent=_TWO - {"TOOLS.md"}, cron=_FIVE - {"TOOLS.md"})
_F8 = replace(_F7, hides_memory_in_groups=True)

_SESSIONS: _Table[Sessions] = (
    ("1.29", _F1), ("2.17", _F2), ("2.23-beta.1", _F3), ("2.26", _F4), ("5.22", _F5), ("7.1-beta.1", _F6),
    ("7.2-beta.5", _F7), ("7.33", _F6), ("8.1-beta.1", _F8),
)  # fmt: skip

# --- prompt ----------------------------------------------------------------------------------------------

_C0 = Prompt(sorts=False)
_C1 = Prompt(sorts=True, splits_heartbeat=True)
_C2 = replace(_C1, heartbeat_text="read-file", squeezes_blank_lines=True)
_C6 = replace(_C2, splits_heartbeat=False, heartbeat_text="scratch")
_C7 = replace(_C6, project_entries=True, heartbeat_text="scratch-cron")
_C8 = replace(_C7, heartbeat_text="any")

_PROMPT: _Table[Prompt] = (
    ("1.29", _C0), ("4.5", _C1), ("4.10", _C2),
    ("7.2-beta.4", _C6), ("7.2-beta.5", replace(_C6, heartbeat_text="scratch-cron")), ("7.2-beta.6", _C7),
    ("7.33", _C2), ("8.1-beta.1", replace(_C7, heartbeat_text="scratch-automations")), ("8.1", _C8),
    ("9.6", replace(_C8, user_ties_keep_order=True)),
)  # fmt: skip

# --- after the session: compaction, heartbeat, daily notes --------------------------------------------------

_X1 = Compaction(
    trims_names=False,
    default_names=("Session Startup", "Red Lines"),
    fallback_names=(),
    configurable=False,
    on_by_default=True,
    max_chars=3_000,
)
_X1_SET = replace(_X1, fallback_names=("Every Session", "Safety"), configurable=True)
_X2 = replace(_X1_SET, trims_names=True)
_X2_SHORT = replace(_X2, max_chars=1_800)
_X2_OFF = replace(_X2_SHORT, on_by_default=False)

_COMPACTION: _Table[Compaction | None] = (
    ("1.29", None), ("2.17", _X1), ("3.7", _X1_SET), ("4.7", _X2), ("4.15", _X2_SHORT), ("5.26", _X2_OFF),
    ("8.1-beta.1", replace(_X2_OFF, max_bytes=2_097_152)),
)  # fmt: skip

_H1 = Heartbeat(skips_fences=False, skips_comments=False)
_H1_OPTIONAL = replace(_H1, may_leave_file_out=True)
_H2 = replace(_H1_OPTIONAL, skips_fences=True)
_H3 = replace(_H2, skips_comments=True)
_H3_UNREAD = replace(_H3, may_leave_file_out=False)

_HEARTBEAT: _Table[Heartbeat] = (
    ("1.29", _H1), ("4.7", _H1_OPTIONAL), ("4.10", _H2), ("6.5", _H3), ("7.2-beta.4", _H3_UNREAD),
    ("7.33", _H3), ("8.1-beta.1", _H3_UNREAD),
)  # fmt: skip

_S1 = Startup(2_000, 4_500, utc_day=False, slugged_files=False, safe_cuts=False)
_S2 = replace(_S1, file_chars=1_200, total_chars=2_800)
_S3 = replace(_S2, utc_day=True, slugged_files=True)
_S4 = replace(_S3, safe_cuts=True)

_STARTUP: _Table[Startup | None] = (
    ("1.29", None), ("4.12", _S1), ("4.15", _S2), ("4.22", _S3), ("7.2-beta.1", _S4),
)  # fmt: skip

# --- what a workspace and a configuration may hold -----------------------------------------------------

_BOOTSTRAP: _Table[Bootstrap] = (
    ("1.29", Bootstrap("like-any", leaves_after_setup=False)),
    ("4.20", Bootstrap("never-in-context", leaves_after_setup=False)),
    ("5.4", Bootstrap("while-setup", leaves_after_setup=False)),
    ("5.16-beta.2", Bootstrap("while-setup", leaves_after_setup=True)),
)

_CONTEXT_MODES: _Table[tuple[str, ...]] = (
    ("1.29", ()),
    ("4.7", ("always", "continuation-skip")),
    ("4.24", ("always", "continuation-skip", "never")),
)

_REPEATED_PATHS: _Table[bool] = (("1.29", False), ("4.26", True))

_PROVENANCE: _Table[bool] = (("1.29", False), ("7.33", True), ("8.1-beta.1", False), ("8.1-beta.3", True))

# (first, last or None, dotted key): keys that a release outside the range does not know.
_KEYS: tuple[tuple[str, str | None, str], ...] = (
    ("1.29", None, "agents.defaults.bootstrapMaxChars"),
    ("2.17", None, "agents.defaults.bootstrapTotalMaxChars"),
    ("2.17", None, "hooks.internal.entries.bootstrap-extra-files"),
    ("3.7", "7.2-beta.3", "agents.defaults.bootstrapPromptTruncationWarning"),
    ("7.33", "7.35", "agents.defaults.bootstrapPromptTruncationWarning"),
    ("3.7", None, "agents.defaults.compaction.postCompactionSections"),
    ("4.7", None, "agents.defaults.contextInjection"),
    ("4.12", None, "agents.defaults.startupContext"),
    ("4.15", None, "agents.defaults.contextLimits.postCompactionMaxChars"),
    ("4.30-beta.1", None, "agents.defaults.skipOptionalBootstrapFiles"),
    ("5.14-beta.2", None, "agents.list[].bootstrapMaxChars"),
    ("5.14-beta.2", None, "agents.list[].bootstrapTotalMaxChars"),
    ("5.14-beta.2", None, "agents.list[].contextInjection"),
    ("7.2-beta.4", "7.2-beta.7", "agents.entries"),
    ("8.1-beta.1", None, "agents.entries"),
)

# --- lookup ------------------------------------------------------------------------------------------------


def releases() -> tuple[str, ...]:
    """All recorded releases, oldest behaviour first."""
    return _RELEASES


def latest_release() -> str:
    """The newest recorded release."""
    return _RELEASES[-1]


def contract(release: str) -> Contract:
    """The contract of one release.

    A release that is not on record gets the nearest recorded one below it (the newest for a newer one, the
    oldest for an older one), and the contract says that it is `assumed`.

    Raises ValueError for a text that is no release at all.
    """
    return _contract(str(release).strip().removeprefix("v"))


@lru_cache(maxsize=256)
def _contract(release: str) -> Contract:
    known_as = release if release in _RELEASES else _nearest_below(release)
    at = _RELEASES.index(known_as)
    return Contract(
        release=release,
        known_as=known_as,
        truncation=_value(_TRUNCATION, at),
        limits=_value(_LIMITS, at),
        loading=_value(_LOADING, at),
        sessions=_value(_SESSIONS, at),
        prompt=_value(_PROMPT, at),
        compaction=_value(_COMPACTION, at),
        heartbeat=_value(_HEARTBEAT, at),
        startup=_value(_STARTUP, at),
        bootstrap=_value(_BOOTSTRAP, at),
        context_modes=_value(_CONTEXT_MODES, at),
        drops_repeated_paths=_value(_REPEATED_PATHS, at),
        tracks_memory_provenance=_value(_PROVENANCE, at),
        settings_keys=frozenset(
            key for first, last, key in _KEYS if _begun(first, at) and not _over(last, at)
        ),
    )


def settings_keys() -> frozenset[str]:
    """Every optional key of openclaw.json that some release knows, dotted."""
    return frozenset(key for _, _, key in _KEYS)


def releases_with(key: str) -> tuple[tuple[str, str | None], ...]:
    """The stretches of releases, first and last (None: still), that know an optional key of openclaw.json."""
    return tuple(
        ("2026." + first, None if last is None else "2026." + last)
        for first, last, known in _KEYS
        if known == key
    )


def _value(table: _Table[_T], at: int) -> _T:
    return next(value for first, value in reversed(table) if _begun(first, at))


def _begun(first: str, at: int) -> bool:
    return _RELEASES.index("2026." + first) <= at


def _over(last: str | None, at: int) -> bool:
    return last is not None and _RELEASES.index("2026." + last) < at


_VERSION = lazy_pattern(r"([0-9]{4})\.([0-9]{1,4})\.([0-9]{1,4})(?:-(?:(beta|alpha|rc)\.)?([0-9]{1,4}))?")


def _nearest_below(release: str) -> str:
    """The recorded release with the greatest number that is not above this one, else the oldest."""
    wanted = _sort_key(release)
    below = [known for known in _RELEASES if _sort_key(known) <= wanted]
    return max(below, key=_sort_key, default=_RELEASES[0])


def _sort_key(release: str) -> tuple[int, int, int, int, int]:
    """Year, month, patch, then betas before the release itself and `-1`, `-2` after it."""
    match = _VERSION.fullmatch(release)
    if match is None:
        raise ValueError(f"{release!r} is no OpenClaw release; they look like {latest_release()}")
    year, month, patch, stage, extra = match.groups()
    return int(year), int(month), int(patch), 0 if stage else 1, int(extra or 0)
