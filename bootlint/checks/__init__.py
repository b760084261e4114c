"""How each rule decides. One or more modules per family, one function per rule; the words stand on the rule's page.

A check is a short generator over a `Context` that yields `Finding`s. To add a rule: write its page in `rules/`,
its function here, and one line in `CHECKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bootlint.checks import (
    approval,
    budget,
    contents,
    continuity,
    digest,
    own,
    references,
    security,
    workspace,
)
from bootlint.checks.context import Context
from bootlint.diagnostics import Finding

Check = Callable[[Context], Iterator[Finding]]

CHECKS: tuple[tuple[str, Check], ...] = (
    ("BL001", own.unreadable_file),
    ("BL003", own.invalid_openclaw_config),
    ("BL101", budget.file_over_limit),
    ("BL102", budget.total_over_limit),
    ("BL103", budget.content_dropped),
    ("BL104", budget.priority_rule_dropped),
    ("BL105", budget.rule_cut),
    ("BL106", budget.near_limit),
    ("BL107", budget.merge_over_limit),
    ("BL108", budget.wasted_budget),
    ("BL201", digest.line_too_long),
    ("BL202", digest.cjk_rule_unranked),
    ("BL203", digest.rule_not_candidate),
    ("BL204", digest.keyword_near_miss),
    ("BL205", digest.digest_overflow),
    ("BL206", digest.digest_crowded),
    ("BL207", digest.quoted_imperative),
    ("BL208", digest.framing_crowds_digest),
    ("BL301", workspace.missing_file),
    ("BL302", workspace.wrong_file_name),
    ("BL303", workspace.retired_file),
    ("BL304", workspace.bootstrap_left_behind),
    ("BL305", workspace.refused_link),
    ("BL306", contents.byte_order_mark),
    ("BL307", contents.hidden_from_session),
    ("BL308", contents.leaks_into_group),
    ("BL309", contents.front_matter_injected),
    ("BL310", contents.duplicate_rule),
    ("BL311", references.dangling_reference),
    ("BL312", workspace.misplaced_file),
    ("BL401", continuity.no_compaction_section),
    ("BL402", continuity.compaction_section_mismatch),
    ("BL403", continuity.compaction_section_too_long),
    ("BL404", continuity.heartbeat_empty),
    ("BL405", continuity.memory_too_long),
    ("BL406", continuity.memory_junk),
    ("BL407", continuity.daily_note_name),
    ("BL501", security.hidden_unicode),
    ("BL502", security.secret),
    ("BL503", security.persistence_instruction),
    ("BL504", security.pipe_to_shell),
    ("BL505", approval.unapproved_change),
    ("BL506", security.truncation_marker_in_source),
    ("BL507", approval.shrunk),
)
