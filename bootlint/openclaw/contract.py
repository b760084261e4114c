"""The contract: all that one OpenClaw release does with bootstrap files, as data.

Behaviour lives beside this module (`truncation`, `loading`, `prompt`, ...) and asks these parts what to do.
The values of each release stand in `releases` and nowhere else. Lengths are UTF-16 code units throughout.
"""

from __future__ import annotations

from bootlint.records import record
from bootlint.typed import Literal


@record
class Digest:
    """The keyword digest that replaces the middle of a cut AGENTS.md."""

    candidate_words: tuple[str, ...]  # English; matched between word borders, in any case, as `/iu` does
    priority_words: tuple[str, ...]
    candidate_signs: tuple[str, ...] = ()  # matched anywhere, without word borders: 🔴 and Chinese words
    priority_signs: tuple[str, ...] = ()
    carries_prose: bool = False  # the prose line before a candidate comes with it; fences reset it


@record
class Truncation:
    """How files are cut to the limit and the total limit."""

    default_max_chars: int
    default_total_chars: int | None  # None: the release has no total limit
    marker_fits_limit: bool  # e05+: head and tail share what the marker leaves; before, it comes on top
    needs_path: bool = False  # e03+: a file without a path is skipped with a warning
    digest: Digest | None = None  # e06+
    safe_cuts: bool = False  # e08+: head and tail never end inside a surrogate pair
    user_max_chars: int | None = None  # e09+: the cap of user.md, which no setting lifts
    drops_long_personal_user: bool = False  # e11

    @property
    def has_total(self) -> bool:
        return self.default_total_chars is not None


Outcome = Literal["read", "fail"]


@record
class Loading:
    """Which files a workspace gives, in which order, and what becomes of entries that are no plain file."""

    names: tuple[str, ...]  # in load order
    optional: frozenset[str]  # absent: skipped. All others leave a marker
    lowercase_memory: Literal["beside", "instead", "never"]  # memory.md and MEMORY.md
    exact_optional: bool  # d04+: optional files are asked for in the directory listing, not with access()
    inner_links: Outcome  # a link whose final target is inside the workspace
    outer_links: Outcome
    hard_links: Outcome
    max_bytes: int | None  # None: no limit
    failure: Literal["missing", "unreadable"]  # what a refused entry becomes
    linked_workspace_relaxes: bool = False  # d08-d09: a workspace reached through a link admits inner links
    verifies_workspace: bool = False  # d10: a workspace that is no folder makes each file unreadable


@record
class Sessions:
    """Which loaded files each session kind keeps."""

    subagent: frozenset[str] | None  # canonical names that stay; None: all
    cron: frozenset[str] | None
    drops_empty_key_segments: bool  # f1-f5: `agent::main:x` parses like `agent:main:x`
    agent_prefix_any_case: bool
    hides_memory_in_groups: bool  # f8


HeartbeatText = Literal["none", "read-file", "scratch", "scratch-cron", "scratch-automations", "any"]


@record
class Prompt:
    """How the injected files become the Project Context section."""

    sorts: bool  # c1+: by rank and name; before, load order
    splits_heartbeat: bool = False  # c1-c5: HEARTBEAT.md in a second block
    project_entries: bool = False  # c7+: `<!-- project: ... -->`
    user_ties_keep_order: bool = False  # 9.6
    heartbeat_text: HeartbeatText = "none"  # the default heartbeat prompt that is removed
    squeezes_blank_lines: bool = False  # c2+


@record
class Compaction:
    """Which sections of AGENTS.md come back after a compaction."""

    trims_names: bool  # x2
    default_names: tuple[str, ...]
    fallback_names: tuple[str, ...]  # tried when the names asked for are the defaults and none is found
    configurable: bool  # 3.7+
    on_by_default: bool  # until 5.22; later only what openclaw.json names comes back
    max_chars: int
    max_bytes: int | None = None  # 8.1+: a larger AGENTS.md gives nothing


@record
class Heartbeat:
    """How a heartbeat text is judged effectively empty."""

    skips_fences: bool  # h2+
    skips_comments: bool  # h3
    may_leave_file_out: bool = False  # 4.7+: not sent in ordinary sessions while heartbeat guidance is off


@record
class Startup:
    """The daily notes that a bare /new or /reset puts in front of the user's turn.

    Which links and files are refused is the same as in `Loading`.
    """

    file_chars: int
    total_chars: int
    utc_day: bool  # s3+: the UTC day and slugged files `<day>-*.md` too
    slugged_files: bool
    safe_cuts: bool  # s4+


@record
class Limits:
    """Where openclaw.json may set the limits."""

    agent_values: bool  # l4+: agents.list[] or agents.entries{} may hold their own
    roster: Literal["list", "entries", "entries-even-null"]  # `entries` wins over `list` when the key exists


@record
class Bootstrap:
    """What becomes of BOOTSTRAP.md."""

    placement: Literal["like-any", "never-in-context", "while-setup"]
    leaves_after_setup: bool  # removed before the budget once the workspace says that setup is completed


@record
class Contract:
    """One release's whole behaviour. Releases that share every part share an era in every facet."""

    release: str  # the release that was asked for
    known_as: str  # the recorded release whose behaviour this is; differs from `release` when assumed
    truncation: Truncation
    limits: Limits
    loading: Loading
    sessions: Sessions
    prompt: Prompt
    compaction: Compaction | None  # None: nothing is re-injected
    heartbeat: Heartbeat
    startup: Startup | None  # None: no daily notes
    bootstrap: Bootstrap
    context_modes: tuple[str, ...]  # values of contextInjection; (): always
    drops_repeated_paths: bool  # 4.26+: a hook's extra file that is loaded already is not sent twice
    tracks_memory_provenance: bool  # an edit from outside can make OpenClaw distrust curated memory
    settings_keys: frozenset[str]  # optional keys of openclaw.json that this release knows, dotted

    @property
    def assumed(self) -> bool:
        """True when the release is not on record and the nearest known one stands in."""
        return self.release != self.known_as
