"""Every change leaves one event in the same transaction: who, what, why, and together with what."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest

from ebbing.domain.errors import NotFound
from ebbing.domain.events import Event, EventKind
from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.ports import NewEvent, Store, View
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.store.making import MINE, NOW, add, memory
from tests.whole import whole


def whole_log(engine: Engine) -> list[Event]:
    with engine.store.read(View(engine.owner, every_agent=True)) as tx:
        return tx.events.page()


def test_an_event_comes_back_as_it_was_recorded_and_is_counted_per_owner(store: Store) -> None:
    one = memory()
    detail = {"strength": 0.123456, "was": Status.ACTIVE, "list": [1, None, "ü"], "deep": {"a": True}}
    changes = [
        NewEvent(EventKind.ARCHIVED, one.id, 'why "not"', detail),
        NewEvent(EventKind.RESTORED, one.id),
        NewEvent(EventKind.PINNED, "another"),
    ]
    view = View("mine", agent="scout")
    with store.write(view) as tx:
        add(tx, one)
        tx.events.record(changes, at=NOW, batch="first", session="s")
    with store.write(View("yours")) as tx:
        tx.events.record([NewEvent(EventKind.PINNED, one.id)], at=NOW, batch="first")
    with store.read(view) as tx:
        history, batch, log = tx.events.of_memory(one.id), tx.events.of_batch("first"), tx.events.page()
    assert batch == log
    assert history == log[:2]
    first, second, third = log
    assert first == Event(first.seq, NOW, EventKind.ARCHIVED, one.id, "first", "scout", "s", 'why "not"', detail)
    assert second == Event(second.seq, NOW, EventKind.RESTORED, one.id, "first", "scout", "s", None, {})
    assert (third.memory, third.kind) == ("another", EventKind.PINNED)
    assert first.seq < second.seq < third.seq


def test_the_log_is_read_a_page_at_a_time(store: Store) -> None:
    with store.write(MINE) as tx:
        for number in range(7):
            tx.events.record(
                [NewEvent(EventKind.PINNED, f"m{number}")], at=NOW + timedelta(seconds=number), batch=f"b{number}"
            )
    seen: list[str | None] = []
    after = 0
    with store.read(MINE) as tx:
        while page := tx.events.page(after=after, limit=3):
            seen += [event.memory for event in page]
            after = page[-1].seq
    assert seen == [f"m{number}" for number in range(7)]


def test_every_verb_that_changes_a_memory_writes_exactly_one_event_for_it(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    engine = open_engine(agent="scout")

    def kinds(since: list[Event]) -> Counter[tuple[EventKind, str | None]]:
        return Counter((event.kind, event.memory) for event in whole_log(engine)[len(since) :])

    log = whole_log(engine)
    one = engine.remember("The lamp is green", session="s1").memories[0]
    assert kinds(log) == {(EventKind.REMEMBERED, one.id): 1}

    log = whole_log(engine)
    engine.remember("the lamp is green.", session="s2")
    assert kinds(log) == {(EventKind.REINFORCED, one.id): 1}

    clock.advance(hours=2)
    log = whole_log(engine)
    engine.recall("green lamp", session="s3")
    assert kinds(log) == {(EventKind.REINFORCED, one.id): 1}

    log = whole_log(engine)
    engine.used(one.id, session="s4")
    assert kinds(log) == {(EventKind.REINFORCED, one.id): 1}

    log = whole_log(engine)
    engine.pin(one.id)
    engine.pin(one.id)
    assert kinds(log) == {(EventKind.PINNED, one.id): 1}, "pinning what is pinned changes nothing"

    log = whole_log(engine)
    other = engine.remember("The lamp is red", supersedes=one.id).memories[0]
    assert kinds(log) == {(EventKind.REMEMBERED, other.id): 1, (EventKind.CONTESTED, one.id): 1}

    log = whole_log(engine)
    engine.unpin(one.id)
    assert kinds(log) == {(EventKind.UNPINNED, one.id): 1}

    log = whole_log(engine)
    third = engine.remember("The lamp is blue", supersedes=[one.id, other.id]).memories[0]
    assert kinds(log) == {
        (EventKind.REMEMBERED, third.id): 1,
        (EventKind.SUPERSEDED, one.id): 1,
        (EventKind.SUPERSEDED, other.id): 1,
    }

    log = whole_log(engine)
    batch = engine.forget(ids=third.id)
    assert kinds(log) == {(EventKind.FORGOTTEN, third.id): 1}

    log = whole_log(engine)
    engine.restore(batch=batch.id)
    engine.restore(third.id)
    assert kinds(log) == {(EventKind.RESTORED, third.id): 1}, "restoring what stands changes nothing"

    log = whole_log(engine)
    for _ in range(60):
        clock.advance(days=1)
        engine.recall("something else entirely")
    plan = engine.sweep(dry_run=True)
    assert kinds(log) == {}, "neither a fruitless question nor a dry run changes a memory"
    swept = engine.sweep()
    assert [action.memory.id for action in swept.actions] == [action.memory.id for action in plan.actions] == [third.id]
    assert kinds(log) == {(EventKind.ARCHIVED, third.id): 1}

    log = whole_log(engine)
    receipt = engine.purge(ids=third.id)
    assert kinds(log) == {(EventKind.PURGED, third.id): 1}

    log = whole_log(engine)
    engine.lift(receipt.tombstones[0])
    assert kinds(log) == {(EventKind.LIFTED, receipt.tombstones[0]): 1}

    assert {event.actor for event in whole_log(engine)} == {"scout"}
    numbers = [event.seq for event in whole_log(engine)]
    assert numbers == sorted(set(numbers))


def test_an_event_says_who_why_when_and_in_which_session(open_engine: OpenEngine, clock: FrozenClock) -> None:
    engine = open_engine(agent="scout")
    one = engine.remember("The lamp is green", session="morning").memories[0]
    clock.advance(days=1)
    batch = engine.forget(ids=one.id, reason="spring cleaning")
    remembered, forgotten = engine.history(one.id)
    assert (remembered.kind, remembered.actor, remembered.session) == (EventKind.REMEMBERED, "scout", "morning")
    assert remembered.at == one.created_at
    assert (forgotten.kind, forgotten.reason, forgotten.batch) == (EventKind.FORGOTTEN, "spring cleaning", batch.id)
    assert forgotten.detail == {"was": "active"}
    assert forgotten.at == clock.now()


def test_a_sweep_says_the_numbers_it_rested_on(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The build took 14 minutes", category="observation", importance=0.4).memories[0]
    for _ in range(12):
        clock.advance(days=1)
        engine.recall("nothing like it")
    action = engine.sweep().actions[0]
    event = engine.history(one.id)[-1]
    assert event.kind is EventKind.DETACHED
    assert event.detail["was"] == "active"
    assert event.detail["threshold"] == engine.policy.ladder.detach
    assert event.detail["strength"] == pytest.approx(action.strength, abs=1e-6)
    assert event.detail["strength"] < event.detail["threshold"]
    assert event.detail["policy"] == "default"
    assert event.reason == action.reason


def test_what_is_done_together_is_one_batch(open_engine: OpenEngine) -> None:
    engine = open_engine()
    outcome = engine.remember_many(["one", "two", "three"])
    with engine.store.read(View("default")) as tx:
        assert [event.memory for event in tx.events.of_batch(outcome.batch or "")] == [
            one.id for one in outcome.memories
        ]
    batch = engine.forget(everything=True)
    with engine.store.read(View("default")) as tx:
        events = tx.events.of_batch(batch.id)
    assert {event.memory for event in events} == {one.id for one in outcome.memories}
    assert {event.kind for event in events} == {EventKind.FORGOTTEN}


def test_a_superseded_memory_says_by_what(engine: Engine) -> None:
    old = engine.remember("Ada lives in Rome", subject="Ada", attribute="city").memories[0]
    outcome = engine.remember("Ada lives in Oslo", subject="Ada", attribute="city", session="s")
    new = outcome.memories[0]
    event = engine.history(old.id)[-1]
    assert event.kind is EventKind.SUPERSEDED
    assert event.batch == outcome.batch
    assert event.session == "s"
    assert event.detail["by"] == new.id
    assert event.detail["was"] == "active"
    assert "Ada / city" in (event.reason or "")


def test_history_of_nothing_is_not_found(engine: Engine) -> None:
    with pytest.raises(NotFound, match="nobody"):
        engine.history("nobody")


def test_no_event_ever_holds_a_text(engine: Engine, clock: FrozenClock) -> None:
    texts = ["The lamp is violet", "The lamp is crimson"]
    one = engine.remember(texts[0], subject="lamp", attribute="colour").memories[0]
    engine.recall("violet lamp")
    engine.remember(texts[1], subject="lamp", attribute="colour")
    engine.forget(query="crimson lamp")
    engine.restore(one.id)
    clock.advance(days=400)
    engine.sweep()
    log = whole(whole_log(engine))
    assert "violet" not in log
    assert "crimson" not in log
