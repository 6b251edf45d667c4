"""A caller that is limited in trust cannot date a memory far ahead."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ebbing.domain.errors import Invalid
from ebbing.engine import Engine
from ebbing.testing import FrozenClock

TEXT = "The staging host is called heron."


def test_a_limited_caller_cannot_date_a_memory_more_than_a_day_ahead(engine: Engine, clock: FrozenClock) -> None:
    """The later of two statements wins: one of the year 2099 would win until then, whatever the user says."""
    agent = engine.limited_to("agent")
    for at in ("2099-01-01", clock.now() + timedelta(days=1, seconds=1)):
        with pytest.raises(Invalid, match="more than a day ahead"):
            agent.remember(TEXT, created_at=at)
        with pytest.raises(Invalid, match="more than a day ahead"):
            agent.remember_many(["The lamp is green.", {"text": TEXT, "created_at": at}])
    assert engine.list() == []


def test_a_day_ahead_and_any_time_before_stay_allowed(engine: Engine, clock: FrozenClock) -> None:
    """Clocks differ, and an agent may tell when something was said; the program itself may give any time."""
    agent = engine.limited_to("agent")
    assert agent.remember(TEXT, created_at=clock.now() + timedelta(hours=23)).memories
    assert agent.remember("The lamp is green.", created_at="2019-05-01").memories
    assert engine.remember("The fair opens in 2099.", created_at="2099-01-01").memories
