"""A sweep that has nothing to do changes nothing: above all not who waits to be summarized."""

from __future__ import annotations

from datetime import datetime

from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.store.test_sweep import live


def waits_since(engine: Engine, id_: str) -> datetime | None:
    """Since when a memory waits for others of its topic, as it is stored."""
    with engine.store.read(View(engine.owner)) as tx:
        return tx.queue.since([id_]).get(id_)


def test_more_sweeps_leave_a_waiting_memory_waiting_since_the_same_moment(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    """Swept every day and twice on the last, or once at the end: a later summary takes in the same memories."""
    began = clock.now()
    stored = []
    for owner, often in (("once", False), ("often", True)):
        clock.set(began)
        engine = open_engine(owner)
        one = engine.remember("The deploy to staging failed", importance=0.29).memories[0]
        for _ in range(7):
            live(engine, clock, 1)
            if often:
                engine.sweep()
        engine.sweep()
        engine.sweep()
        stored.append(waits_since(engine, one.id))
    assert stored[0] is not None
    assert stored[0] == stored[1]
