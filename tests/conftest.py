"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# Speed is measured in benchmarks/, never asserted by the clock of a test.
settings.register_profile("bootlint", deadline=None)
settings.load_profile("bootlint")
