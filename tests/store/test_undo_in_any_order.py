"""Whatever was done to a few memories, undoing all of it in any order leaves them as if nothing had happened."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ebbing.domain.errors import Conflict, NotFound
from ebbing.domain.ids import new_id
from ebbing.domain.memory import Memory, Status
from ebbing.domain.policy.loader import load
from ebbing.domain.results import Doubt
from ebbing.engine import Engine
from ebbing.testing import FrozenClock, in_memory
from tests.properties import examples

POLICY = load()
POLICY = dataclasses.replace(
    POLICY,
    match=dataclasses.replace(POLICY.match, merge_on_write=False),
    compaction=dataclasses.replace(POLICY.compaction, group_min=2),
)
TEXTS = (
    "The deploy of the billing api to staging number 1 failed",
    "The deploy of the billing api to staging number 2 failed",
    "The deploy of the billing api to staging number 3 failed",
    "The kettle in kitchen 4 leaks",
    "Mara prefers dark mode in the editor",
    "Mara really prefers dark mode in the editor",
)
QUESTION = "deploy of the billing api, kettle in the kitchen, dark mode in the editor"
# What undoing may leave otherwise: an alarm may ring sooner, and what comes back from a rung has a grace period. What
# was superseded and its winner both stand again, and contradict each other until somebody decides.
MAY_DIFFER = {"due_at", "due_day", "restored_at", "contested"}


@pytest.fixture(scope="module")
def store() -> Iterator[Engine]:
    with in_memory() as engine:
        yield engine


def started(store: Engine) -> tuple[Engine, FrozenClock, list[str]]:
    """An owner of its own, and four memories of which three are of one topic."""
    clock = FrozenClock("2026-01-01T06:00:00Z")
    owner = new_id(clock.now()) + str(id(clock))
    engine = Engine(store=store.store, policy=POLICY, clock=clock, models=store.models, owner=owner)
    made = engine.remember_many([{"text": text, "importance": 0.35} for text in TEXTS]).memories
    return engine, clock, [memory.id for memory in made]


def forgotten(engine: Engine, clock: FrozenClock, ids: list[str], first: int, second: int) -> str:
    return engine.forget(ids=ids[first]).id


def superseded(engine: Engine, clock: FrozenClock, ids: list[str], first: int, second: int) -> str:
    return engine.settle(ids[first], keep=ids[second]).id


def compacted(engine: Engine, clock: FrozenClock, ids: list[str], first: int, second: int) -> str:
    clock.advance(days=9)
    return engine.compact(scope="/").id


def swept(engine: Engine, clock: FrozenClock, ids: list[str], first: int, second: int) -> str:
    for _ in range(9):
        clock.advance(days=1)
        engine.recall("another matter")
    return engine.sweep().batch


def updated(engine: Engine, clock: FrozenClock, ids: list[str], first: int, second: int) -> str:
    new = engine.update(ids[first], text=f"{TEXTS[first]}, as of {clock.advance(hours=1):%H:%M}")
    return engine.history(new.id)[0].batch


Deed = Callable[[Engine, FrozenClock, list[str], int, int], str]
DEEDS: list[Deed] = [forgotten, superseded, compacted, swept, updated]
PLACES = st.integers(0, len(TEXTS) - 1)


def state(engine: Engine, ids: list[str]) -> dict[str, Any]:
    """What can be seen of these memories, what recall finds of them, and which summaries stand."""
    listed = {memory.id: memory for memory in engine.list(status=[status.value for status in Status], limit=100)}
    found = {one.memory.id for one in engine.recall(QUESTION, reinforce=False, limit=50)}
    summaries = [memory for memory in listed.values() if memory.derived_from and memory.status.live]
    return {
        "memories": {id_: seen(listed[id_]) for id_ in ids},
        "found": sorted(found.intersection(ids)),
        "summaries": summaries,
    }


def seen(memory: Memory) -> dict[str, Any]:
    return {name: value for name, value in memory.to_dict().items() if name not in MAY_DIFFER}


@pytest.mark.parametrize("deed", [compacted, swept])
def test_undoing_an_undo_does_it_again(store: Engine, deed: Deed) -> None:
    """What was merged is merged with the same memory again, and what was summarized is in the same summary."""
    engine, clock, ids = started(store)
    batch = deed(engine, clock, ids, 0, 1)
    done = state(engine, ids)
    undone = engine.restore(batch=batch)
    engine.restore(batch=undone.id)
    again = state(engine, ids)
    assert again["memories"] == done["memories"]
    assert list(map(seen, again["summaries"])) == list(map(seen, done["summaries"]))


@examples(100)
@given(
    st.lists(st.tuples(st.sampled_from(DEEDS), PLACES, PLACES), min_size=2, max_size=3),
    st.permutations(range(3)),
)
@example(deeds=[(superseded, 0, 1), (forgotten, 0, 0)], order=[0, 1, 2])
@example(deeds=[(compacted, 0, 0), (forgotten, 0, 0)], order=[0, 1, 2])
@example(deeds=[(compacted, 0, 0), (superseded, 0, 3)], order=[0, 1, 2])
@example(deeds=[(swept, 0, 0), (swept, 0, 0), (forgotten, 0, 0)], order=[0, 1, 2])
@example(deeds=[(swept, 0, 0), (swept, 0, 0), (superseded, 0, 3)], order=[0, 1, 2])
def test_undone_in_any_order_it_is_as_if_nothing_had_happened(
    store: Engine, deeds: list[tuple[Deed, int, int]], order: list[int]
) -> None:
    """An order in which undoing leaves a memory behind would lose it, though nobody asked for that."""
    engine, clock, ids = started(store)
    before = state(engine, ids)
    batches = []
    for deed, first, second in deeds:
        if deed is superseded and first == second:
            continue
        try:
            batches.append(deed(engine, clock, ids, first, second))
        except Conflict:
            continue  # it cannot be done to what stands so by now
    for number in [number for number in order if number < len(batches)]:
        try:
            engine.restore(batch=batches[number])
        except (Conflict, NotFound):
            continue  # it had put nothing away
    after = state(engine, ids)
    for id_ in ids:
        assert after["memories"][id_] == before["memories"][id_], f"{id_} of {[d[0].__name__ for d in deeds]}"
    assert after == before
    assert [one.memory.id for one in engine.review() if one.doubt is Doubt.CONTESTED and not one.others] == []
    assert all(finding.ok for finding in engine.store.check())
