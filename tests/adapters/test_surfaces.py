"""The stand-ins of frameworks are what the frameworks are; `make test-adapters` asks the frameworks themselves."""

from __future__ import annotations

import pytest

from tests.adapters.surface import differs, frameworks, recorded
from tests.adapters.table import FRAMEWORKS, REAL

SHOWN = [REAL] if REAL else frameworks()


@pytest.mark.parametrize("framework", SHOWN)
def test_a_framework_has_the_recorded_signatures(framework: str) -> None:
    """An adapter that overrides or calls a method of another shape would fail in users' hands."""
    assert [name for name, wanted in recorded(framework).items() if differs(name, wanted)] == []


def test_every_framework_has_its_requirements_and_its_surface() -> None:
    """`make test-adapters` can set up and check each of them."""
    assert sorted(FRAMEWORKS) == frameworks()
    assert [one.name for one in FRAMEWORKS.values() if not one.requirements.exists()] == []
