"""An engine in a shell or a log is one short line that says whose memories it reaches."""

from __future__ import annotations

from tests.conftest import OpenEngine


def test_an_engine_says_whose_memories_it_reaches(open_engine: OpenEngine) -> None:
    """Two engines in a shell are told apart by their owners."""
    engine = open_engine()
    assert repr(engine.for_owner("mara")) == "<Engine of mara>"
    assert repr(engine.for_owner("mara", "scout")) == "<Engine of mara for agent scout>"
