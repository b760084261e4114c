"""Under what a workspace is judged: agents of openclaw.json."""

from __future__ import annotations

import json

import pytest

from bootlint.diagnostics import UserError
from bootlint.openclaw.settings import FILE_NAME
from bootlint.situations import basis
from harness import settings_of, workspace_of

ROSTER = {"agents": {"list": [{"id": "ada", "bootstrapMaxChars": 500}, {"id": "ben"}]}}


def limit(config: object, **options: object) -> float:
    with workspace_of({"SOUL.md": "Be calm.\n", FILE_NAME: json.dumps(config)}) as workspace:
        return basis(workspace, settings_of(openclaw="2026.6.11", **options)).situations[0].limit


def test_the_agent_that_is_named_has_its_own_limit() -> None:
    assert limit(ROSTER, agent="Ada") == 500
    assert limit(ROSTER, agent="ben") == 20_000


def test_an_agent_that_is_not_in_the_file_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UserError, match='did you mean "ada"'):
        limit(ROSTER, agent="adda")


def test_without_a_roster_only_main_is_an_agent() -> None:
    assert limit({}, agent="main") == 20_000
    with pytest.raises(UserError, match="it has main"):
        limit({}, agent="ada")
