"""One sweeper at a time for an owner: others leave it alone, and one that died is replaced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

from ebbing.domain.errors import Invalid
from ebbing.domain.memory import Memory, Status
from ebbing.domain.policy.loader import load
from ebbing.engine import Engine
from ebbing.ports import Vector, View
from ebbing.testing import Asked, FakeEmbedder, FakeJudge, FakeLlm, FrozenClock
from tests.conftest import OpenEngine
from tests.store.making import ids
from tests.store.test_compaction import noted, week_and_a_day
from tests.store.test_sweep import status

ALL = View("default", every_agent=True)
LEASE = load().sweep.lease


def with_something_due(engine: Engine, clock: FrozenClock) -> Memory:
    one = engine.remember("for a day", expires_in="1d").memories[0]
    clock.advance(days=2)
    return one


def take(engine: Engine, holder: str, *, now: timedelta = timedelta()) -> bool:
    """Whether a sweeper of that name gets the lease."""
    at = engine.clock.now() + now
    with engine.store.write(View(engine.owner, every_agent=True)) as tx:
        return tx.owner.acquire_lease(holder, at, at + LEASE)


def test_while_another_sweeps_nothing_is_done_and_the_answer_says_so(engine: Engine, clock: FrozenClock) -> None:
    one = with_something_due(engine, clock)
    assert take(engine, "somebody")
    sweep = engine.sweep()
    assert (sweep.actions, sweep.looked_at) == ([], 0)
    assert sweep.notes == ("another sweep of this owner is already running",)
    assert status(engine, one) is Status.ACTIVE
    assert [action.memory.id for action in engine.sweep(dry_run=True).actions] == [one.id], "a plan needs no lease"
    assert engine.for_owner("another").sweep().notes == (), "and it is one owner's"


def test_a_sweeper_that_died_is_replaced_when_its_lease_is_over(engine: Engine, clock: FrozenClock) -> None:
    one = with_something_due(engine, clock)
    assert take(engine, "somebody")
    clock.advance(seconds=59)
    assert engine.sweep().actions == []
    clock.advance(seconds=1)
    sweep = engine.sweep()
    assert (ids([action.memory for action in sweep.actions]), sweep.notes) == ([one.id], ())


def test_a_lease_is_given_back_at_the_end(engine: Engine, clock: FrozenClock) -> None:
    with_something_due(engine, clock)
    engine.sweep()
    assert take(engine, "somebody")
    assert not take(engine, "somebody else")
    assert take(engine, "somebody"), "its holder may renew it"


class Failing(FakeEmbedder):
    """Breaks its promise when told to."""

    broken = False

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        vectors = super().embed(texts, query=query)
        return vectors * float("nan") if self.broken else vectors


def test_a_lease_is_given_back_after_an_error_too(open_engine: OpenEngine, clock: FrozenClock) -> None:
    embedder = Failing()
    engine = open_engine(embedder=embedder)
    notes = noted(engine)
    week_and_a_day(clock)
    embedder.broken = True
    with pytest.raises(Invalid, match="not finite"):
        engine.sweep()
    assert {status(engine, one) for one in notes} == {Status.ACTIVE}
    embedder.broken = False
    sweep = engine.sweep()
    assert sweep.notes == ()
    assert len(sweep.summaries) == 1


def interrupted(open_engine: OpenEngine, clock: FrozenClock, what: Callable[[], None]) -> Engine:
    """An engine in whose next sweep, after everything is planned and before anything is written, something happens."""

    def answer(_: Asked) -> str:
        what()
        return ""

    engine = open_engine(llm=FakeLlm(answer), judge=FakeJudge())
    noted(engine)
    week_and_a_day(clock)
    return engine


def test_two_who_meet_in_the_middle_do_it_once(open_engine: OpenEngine, clock: FrozenClock) -> None:
    answers: list[tuple[str, ...]] = []
    engine = interrupted(open_engine, clock, lambda: answers.append(open_engine().sweep().notes))
    sweep = engine.sweep()
    assert [len(notes) for notes in answers] == [1]
    assert sweep.notes == ()
    assert len(engine.list(categories=["summary"])) == len(sweep.summaries) == 1


def test_one_who_was_slow_and_was_replaced_writes_nothing(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """Its lease is over, somebody else has it: what it planned is no longer its business."""
    other = open_engine()
    taken: list[bool] = []
    engine = interrupted(open_engine, clock, lambda: taken.append(take(other, "somebody", now=LEASE)))
    sweep = engine.sweep()
    assert taken == [True]
    assert (sweep.actions, sweep.summaries, len(sweep.notes)) == ([], [], 1)
    assert engine.list(categories=["summary"]) == []
    assert not take(other, "somebody else"), "and it did not give back what was not its own"


def test_what_changed_since_it_was_planned_is_left_out(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """And with it the summary that rests on it; the rest is done, and the next look finds what is left."""
    other = open_engine()
    pinned: list[str] = []

    def pin_one() -> None:
        if not pinned:
            pinned.append(other.pin(other.list(categories=["fact"])[-1].id).id)

    engine = interrupted(open_engine, clock, pin_one)
    expired = engine.remember("for an hour", expires_in="1h").memories[0]
    clock.advance(hours=2)
    sweep = engine.sweep()
    assert [action.memory.id for action in sweep.actions] == [expired.id]
    assert engine.list(categories=["summary"]) == []
    assert status(engine, engine.get(pinned[0])) is Status.ACTIVE
    assert len(engine.list(status="active")) == 3


def test_with_nothing_to_do_nobody_asks_for_a_lease(engine: Engine, clock: FrozenClock) -> None:
    engine.remember("The lamp is green", importance=0.9)
    engine.sweep()
    assert take(engine, "somebody")
    assert engine.sweep().notes == ()


def test_a_lease_that_a_wrong_clock_gave_holds_nobody_up(engine: Engine, clock: FrozenClock) -> None:
    """A year ahead is no lease of a minute."""
    one = with_something_due(engine, clock)
    assert take(engine, "somebody", now=timedelta(days=365))
    assert ids([action.memory for action in engine.sweep().actions]) == [one.id]


def test_one_who_was_slow_while_another_swept_under_another_policy_says_whose_alarms_it_sets(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    """The lease is free again: alarms of two policies stand there, and whoever sweeps next sees it."""
    other = open_engine(policy="hermes")

    def sweep_under_the_other() -> None:
        clock.advance(seconds=LEASE.total_seconds())
        assert other.sweep().notes == ()
        with other.store.read(ALL) as tx:
            assert tx.owner.alarms_current(other.policy.fingerprint)

    engine = interrupted(open_engine, clock, sweep_under_the_other)
    assert engine.sweep().notes == ()
    with other.store.read(ALL) as tx:
        assert not tx.owner.alarms_current(other.policy.fingerprint)
