"""Hypothesis strategies for what OpenClaw may meet: texts, bootstrap files, limits and the eras of truncation."""

from __future__ import annotations

from hypothesis import strategies as st

from bootlint.openclaw import BootstrapFile, contract
from bootlint.openclaw.jstext import whole
from golden_rows import eras

FRAGMENTS = (
    "must", "Never", "do not", "do  not", "secret", "secrets", "pr", "owner", "AGENTS.md", "必須", "禁止", "严禁", "🔴",
    "- ", "# ", "1. ", "```", "~~~", "a", "é", "中文", "😀", "\ud83d", "\ude00", "x" * 60, "中" * 125, "😀" * 61,
    " ", "\t", "\u00a0", "\ufeff", "\u0085", "\x1c", "\u2028", "\r", "\n", "\n\n", "\r\n",
)  # fmt: skip

anything = st.text(st.characters(exclude_categories=()), max_size=60)
texts = st.lists(st.sampled_from(FRAGMENTS) | anything, max_size=40).map(lambda parts: whole("".join(parts)))

NAMES = ("AGENTS.md", "agents.MD", "SOUL.md", "USER.md", "sub/USER.md", "MEMORY.md", "😀.md")
paths = st.sampled_from((None, "", " \t", "/ws/A.md", " /ws/B.md ", "/ws/" + "long/" * 30))
files = st.builds(
    BootstrapFile, st.sampled_from(NAMES), paths, st.none() | texts, st.booleans(), st.booleans()
)
workspaces = st.lists(files, min_size=1, max_size=6)

limits = st.none() | st.integers(-20, 700) | st.integers(-100, 5000).map(lambda eighths: eighths / 8)
contracts = st.sampled_from([contract(releases[0]) for releases in eras("truncation").values()])
