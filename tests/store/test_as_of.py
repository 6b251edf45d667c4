"""Asking as of an earlier time: what was known and held then, at the strength it had."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ebbing.domain.errors import Invalid
from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.testing import FakeJudge, FrozenClock
from tests.conftest import OpenEngine

OLD, NEW = "Mara lives in Berlin", "Mara moved to Munich"


@pytest.fixture
def engine(open_engine: OpenEngine) -> Engine:
    """An engine whose judge knows that the one makes the other untrue."""
    return open_engine(judge=FakeJudge({(OLD, NEW): "updates"}))


def texts(engine: Engine, at: object, **given: object) -> list[str]:
    found = engine.recall("where does Mara live in", as_of=at, **given)  # type: ignore[arg-type]
    return [one.memory.text for one in found]


def test_what_was_retired_later_still_holds_then_and_what_came_later_is_unknown(
    engine: Engine, clock: FrozenClock
) -> None:
    before = clock.now() - timedelta(days=1)
    engine.remember(OLD)
    clock.advance(days=10)
    between = clock.now()
    clock.advance(days=10)
    assert engine.remember(NEW).superseded
    assert texts(engine, before) == []
    assert texts(engine, between) == [OLD]
    assert texts(engine, clock.now()) == [NEW]
    assert texts(engine, between.isoformat()) == [OLD]
    (then,) = engine.recall("where does Mara live in", as_of=between)
    assert (then.memory.status, then.memory.superseded_by) == (Status.ACTIVE, None)


def test_facts_told_late_hold_from_the_time_they_were_told_of(engine: Engine, clock: FrozenClock) -> None:
    """Both are remembered today; each has its own time."""
    first, second = clock.now() - timedelta(days=300), clock.now() - timedelta(days=100)
    engine.remember(OLD, created_at=first)
    engine.remember(NEW, created_at=second)
    assert texts(engine, clock.now() - timedelta(days=200)) == [OLD]
    assert texts(engine, clock.now() - timedelta(days=50)) == [NEW]


def test_what_was_archived_since_was_in_use_then_and_what_had_expired_was_not(
    engine: Engine, clock: FrozenClock
) -> None:
    memory = engine.remember(OLD, expires_in="5d").memories[0]
    clock.advance(days=2)
    then = clock.now()
    clock.advance(days=10)
    engine.sweep()
    assert engine.get(memory.id).status is Status.ARCHIVED
    assert texts(engine, then) == [OLD]
    assert texts(engine, then + timedelta(days=6)) == []


def test_strength_is_that_of_the_time(engine: Engine, clock: FrozenClock) -> None:
    memory = engine.remember(OLD, importance=0.5).memories[0]
    start = clock.now()
    for day in range(6):
        clock.advance(days=1)
        engine.used(memory.id, session=str(day))
    (now,) = engine.recall("where does Mara live in", reinforce=False)
    (then,) = engine.recall("where does Mara live in", as_of=start)
    assert then.memory.recall_count == 0
    assert then.strength == pytest.approx(0.5, abs=0.01)
    assert now.strength > then.strength


def test_what_was_pinned_or_changed_since_was_not_then(engine: Engine, clock: FrozenClock) -> None:
    memory = engine.remember(OLD, importance=0.4).memories[0]
    start = clock.now()
    clock.advance(days=1)
    engine.pin(memory.id)
    engine.update(memory.id, importance=0.9)
    (then,) = engine.recall("where does Mara live in", as_of=start)
    assert (then.memory.pinned, then.memory.importance) == (False, 0.4)


def test_asking_about_the_past_strengthens_nothing(engine: Engine, clock: FrozenClock) -> None:
    memory = engine.remember(OLD).memories[0]
    clock.advance(days=1)
    assert texts(engine, clock.now()) == [OLD]
    assert engine.get(memory.id).recall_count == 0


def test_what_its_owner_asked_to_forget_stays_forgotten(engine: Engine, clock: FrozenClock) -> None:
    memory = engine.remember(OLD).memories[0]
    then = clock.now()
    clock.advance(days=1)
    engine.forget(ids=memory.id)
    assert texts(engine, then) == []


def test_a_time_nobody_can_read_is_refused(engine: Engine) -> None:
    with pytest.raises(Invalid, match="is not understood"):
        engine.recall("where?", as_of="last spring")


def test_a_newer_telling_of_a_quantity_stands_before_the_older(engine: Engine, clock: FrozenClock) -> None:
    """Long messages say other things too, so the older one stays; but the newer answers better."""
    older = "The response time of the dashboard API is 300 ms, and the charts are drawn by the server as Mara asked."
    newer = "Somebody asked again: the response time of the dashboard API has improved to 250 ms since the cache came."
    for text in (older, newer):
        engine.remember(text)
        clock.advance(days=1)
    found = engine.recall("response time of the dashboard API, charts drawn by the server", reinforce=False)
    assert [one.memory.text for one in found] == [newer, older]
    assert found[1].score > found[0].score, "by the score alone it would be the other way round"
    then = engine.recall("response time of the dashboard API, charts drawn by the server", as_of=clock.now())
    assert [one.memory.text for one in then] == [newer, older], "as of an earlier time, too"
