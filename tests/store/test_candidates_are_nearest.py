"""Which stored memories a new text is compared with: the nearest few of its scope, wherever they stand in the store."""

from __future__ import annotations

import pytest

from ebbing.domain.policy.loader import load
from ebbing.testing import FakeJudge
from tests.conftest import OpenEngine

pytestmark = pytest.mark.every_layout

MOST = load().judge.candidates_max
NEAREST = "Mara parks the blue car behind the old harbour office"
NEW = "Mara parks the blue car behind the new harbour office"


def test_the_nearest_are_compared_whenever_they_were_written(open_engine: OpenEngine) -> None:
    """Many have a word in common with a text; the one it is about must not lose its place to older ones."""
    judge = FakeJudge()
    engine = open_engine(judge=judge)
    engine.remember_many([f"Somebody parks vehicle {number}" for number in range(4 * MOST)])
    engine.remember(NEAREST)
    judge.pairs.clear()
    engine.remember(NEW)
    assert judge.pairs[0] == (NEAREST, NEW)
    assert len(judge.pairs) == MOST


def test_other_scopes_take_no_places(open_engine: OpenEngine) -> None:
    """What holds in one project says nothing about another, however alike the words are."""
    judge = FakeJudge()
    engine = open_engine(judge=judge)
    engine.remember("Mara parks the car", scope="/here")
    engine.remember_many({"text": f"{NEAREST} {number}", "scope": "/elsewhere"} for number in range(5 * MOST))
    judge.pairs.clear()
    engine.remember(NEW, scope="/here")
    assert judge.pairs == [("Mara parks the car", NEW)]
