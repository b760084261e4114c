"""What holds for every test."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings

# Speed is measured in benchmarks/, never asserted by the clock of a test.
settings.register_profile("bootlint", deadline=None)
settings.load_profile("bootlint")

# Asked for by benchmarks/mutants.py, for which each run of the tests must say the same, and only whether they pass.
settings.register_profile(
    "mutants",
    deadline=None,
    max_examples=25,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
