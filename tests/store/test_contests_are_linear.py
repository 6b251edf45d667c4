"""What it costs to forget and restore memories that contradict each other."""

from __future__ import annotations

import functools

import ebbing
from ebbing.engine import Engine
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.store.traffic import measured


def contradict(engine: Engine, count: int) -> None:
    """Remember so many pairs of memories that contradict each other."""
    for way in ({"pinned": True}, {}):
        engine.remember_many(
            {"text": f"Town {n} is called {len(way)}", "subject": f"town {n}", "attribute": "name", **way}
            for n in range(count)
        )
    assert sum(one.contested for one in engine.list(limit=1000)) == 2 * count


def forget_and_restore(engine: Engine) -> None:
    engine.restore(batch=engine.forget(everything=True).id)


def test_four_times_the_contradictions_cost_about_four_times_as_much(sqlite_address: str, clock: FrozenClock) -> None:
    """The events of the batch that brought them used to be read anew for each memory of it, whatever the store."""
    costs = {}
    for count in (12, 48):
        opening = functools.partial(
            ebbing.open, sqlite_address, owner=f"{count}", clock=clock, embedder=FakeEmbedder(), judge="off"
        )
        with opening() as engine:
            contradict(engine, count)
        costs[count] = measured(sqlite_address, opening, forget_and_restore).steps
    assert costs[48] < 5 * costs[12], costs
