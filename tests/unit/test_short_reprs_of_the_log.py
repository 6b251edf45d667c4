"""Events and simulations are shown in one short line, as every other answer is."""

from __future__ import annotations

from datetime import UTC, datetime

from ebbing.domain.events import Event, EventKind
from ebbing.operations.foresight import Simulation

AT = datetime(2026, 1, 1, 9, 30, tzinfo=UTC)


def test_an_event_says_what_happened_to_which_memory_and_why() -> None:
    """A history of twenty events is read line by line."""
    event = Event(7, AT, EventKind.FORGOTTEN, "01a", "01b", reason="it\nmoved " * 100, detail={"was": "active"})
    shown = repr(event)
    assert shown.startswith("<Event 7 forgotten of 01a at 2026-01-01 09:30 ")
    assert len(shown) < 140
    assert "\n" not in shown
    assert repr(Event(8, AT, EventKind.FORGOTTEN, None, "01b")) == "<Event 8 forgotten at 2026-01-01 09:30>"


def test_a_simulation_says_what_came_of_it() -> None:
    """Its points and its fallen are thousands."""
    simulation = Simulation("default", AT, AT, AT, (), (), (), 4, {}, ())
    assert repr(simulation) == "<Simulation of default until 2026-01-01: 0 fallen, 0 of 4 recalls missed>"
