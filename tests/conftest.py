"""What holds for every test; fixtures live beside the tests that need them."""

from __future__ import annotations

from hypothesis import settings

# A deadline per example measures the machine, not the code, and fails on a busy one.
settings.register_profile("ebbing", deadline=None)
settings.load_profile("ebbing")
