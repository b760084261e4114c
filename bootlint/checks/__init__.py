"""How each rule decides. One module per family, one function per rule; the words stand on the rule's page.

A check is a short generator over a `Context` that yields `Finding`s. To add a rule: write its page in `rules/`,
its function here, and one line in `CHECKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bootlint.checks import budget, own, workspace
from bootlint.checks.context import Context
from bootlint.diagnostics import Finding

Check = Callable[[Context], Iterator[Finding]]

CHECKS: tuple[tuple[str, Check], ...] = (
    ("BL001", own.unreadable_file),
    ("BL101", budget.file_over_limit),
    ("BL102", budget.total_over_limit),
    ("BL103", budget.content_dropped),
    ("BL106", budget.near_limit),
    ("BL301", workspace.missing_file),
)
