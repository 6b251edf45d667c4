"""Sweeps that nobody waits for: each trigger is really given, no answer waits, and an error is told in the log."""

from __future__ import annotations

import dataclasses
import json
import logging
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ebbing.domain.errors import Invalid
from ebbing.domain.memory import Memory, Status
from ebbing.domain.policy import Policy
from ebbing.domain.policy.loader import load
from ebbing.domain.results import Sweep
from ebbing.engine import Engine
from ebbing.jobs.worker import ThreadedSweeper, Worker
from ebbing.ports import Vector
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.conftest import OpenEngine
from tests.store.test_compaction import noted, week_and_a_day
from tests.store.test_owner_fanout import watched
from tests.store.test_sweep import status

DEFAULT = load()
SMALL = dataclasses.replace(DEFAULT, sweep=dataclasses.replace(DEFAULT.sweep, soft_limit=5))
SWEEPER = "ebbing-sweep"


class Heard:
    """An sweeper that only listens."""

    def __init__(self) -> None:
        self.rings: list[tuple[str, str, int | None]] = []

    def notify(self, owner: str, trigger: str, active: int | None = None) -> None:
        self.rings.append((owner, trigger, active))

    def wait(self, owner: str) -> None:
        """Nothing is ever under way."""

    def close(self) -> None:
        """Nothing to end."""


def sweeper_of(engine: Engine) -> ThreadedSweeper:
    assert isinstance(engine.sweeper, ThreadedSweeper)
    return engine.sweeper


def expired(engine: Engine, clock: FrozenClock, **given: Any) -> Memory:
    """Something that the next sweep archives."""
    one = engine.remember("for an hour", expires_in="1h", **given).memories[0]
    clock.advance(hours=2)
    return one


def fill(engine: Engine, count: int, scope: str = "/") -> None:
    for number in range(count):
        engine.remember(f"note {number} of {engine.clock.now():%H%M}", scope=scope, importance=0.9)


def swept(engine: Engine, one: Memory) -> bool:
    """Whether a sweep came by, once none is under way."""
    sweeper_of(engine).wait(engine.owner)
    return status(engine, one) is Status.ARCHIVED


# What is given


def test_everything_said_is_told_with_how_full_its_scope_is(engine: Engine) -> None:
    heard = engine.sweeper = Heard()
    engine.remember("The lamp is green", scope="/a")
    engine.remember("The lamp is red", scope="/a")
    engine.remember_many([{"text": f"note {number}", "scope": "/b" if number else "/a"} for number in range(5)])
    engine.remember("The lamp is red", scope="/a")
    told = [("default", "ingest_complete", active) for active in (1, 2, 4)]
    assert heard.rings == told, "again is no more"


def test_everything_asked_is_told(engine: Engine) -> None:
    heard = engine.sweeper = Heard()
    engine.recall("lamp")
    engine.recall("lamp", reinforce=False)
    assert heard.rings == [("default", "query_complete", None)] * 2


def test_what_is_said_and_asked_for_another_owner_is_told_with_whose_it_is(engine: Engine) -> None:
    heard = engine.sweeper = Heard()
    engine.for_owner("anna", "bot").remember("The lamp is green")
    engine.for_owner("ben").recall("lamp")
    assert heard.rings == [("anna", "ingest_complete", 1), ("ben", "query_complete", None)]


# What follows


def test_a_scope_at_its_soft_limit_is_swept_after_something_was_said(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    engine = open_engine(policy=SMALL)
    one = expired(engine, clock)
    fill(engine, 3)
    assert not swept(engine, one), "four, with the one that is over"
    fill(engine, 4, scope="/other")
    assert not swept(engine, one), "each scope is counted by itself"
    engine.remember("one more", importance=0.9)
    assert swept(engine, one)


def test_a_full_scope_is_swept_after_something_was_asked(open_engine: OpenEngine, clock: FrozenClock) -> None:
    engine = open_engine(policy=SMALL)
    one = expired(engine, clock)
    engine.recall("note")
    assert not swept(engine, one), "nothing is full"
    patient = dataclasses.replace(SMALL.sweep, soft_limit=1000)
    fill(open_engine(policy=dataclasses.replace(SMALL, sweep=patient)), 6)
    engine.recall("note")
    assert not swept(engine, one), "it was looked at a moment ago"
    clock.advance(minutes=10)
    engine.recall("note")
    assert swept(engine, one)


def test_under_pressure_a_sweep_comes_at_once_however_little_there_is(engine: Engine, clock: FrozenClock) -> None:
    one = expired(engine, clock)
    sweep = engine.pressure()
    assert (sweep.trigger, [action.memory.id for action in sweep.actions]) == ("memory_pressure", [one.id])


def test_a_full_scope_asks_again_when_a_tenth_more_has_come_or_it_has_rested(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    engine = open_engine(policy=dataclasses.replace(SMALL, sweep=dataclasses.replace(SMALL.sweep, soft_limit=20)))
    fill(engine, 20)
    sweeper_of(engine).wait(engine.owner)
    first = expired(engine, clock)
    assert swept(engine, first) is False
    # Two hours have passed, so the scope has rested.
    engine.remember("one more", importance=0.9)
    assert swept(engine, first)
    second = engine.remember("for a minute", expires_in="1min").memories[0]
    clock.advance(minutes=2)
    engine.remember("and one more", importance=0.9)
    assert not swept(engine, second)
    fill(engine, 2)
    assert swept(engine, second)


# How it is done


class Held(FakeEmbedder):
    """In the thread of a sweep it waits until it is let go, and then does what it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.go = threading.Event(), threading.Event()
        self.fails = False

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        if threading.current_thread().name == SWEEPER:
            self.reached.set()
            assert self.go.wait(timeout=300)
            if self.fails:
                raise ZeroDivisionError("a model with a fault")
        return super().embed(texts, query=query)


def about_to_summarize(open_engine: OpenEngine, clock: FrozenClock) -> tuple[Engine, Held, list[Memory]]:
    """An engine whose next sentence starts a sweep that cannot go on."""
    held = Held()
    engine = open_engine(policy=SMALL, embedder=held)
    notes = noted(engine)
    week_and_a_day(clock)
    return engine, held, notes


def test_no_answer_waits_for_a_sweep(open_engine: OpenEngine, clock: FrozenClock) -> None:
    engine, held, notes = about_to_summarize(open_engine, clock)
    fill(engine, 2)
    assert held.reached.wait(timeout=300)
    one = engine.remember("said while a sweep is under way", importance=0.9).memories[0]
    assert engine.recall("said while a sweep is under way")[0].memory.id == one.id
    assert {status(engine, each) for each in notes} == {Status.ACTIVE}
    held.go.set()
    sweeper_of(engine).wait(engine.owner)
    assert {status(engine, each) for each in notes} == {Status.ARCHIVED}
    assert status(engine, one) is Status.ACTIVE


def test_who_asks_for_a_sweep_waits_for_the_one_under_way(open_engine: OpenEngine, clock: FrozenClock) -> None:
    engine, held, notes = about_to_summarize(open_engine, clock)
    fill(engine, 2)
    assert held.reached.wait(timeout=300)
    threading.Timer(0.05, held.go.set).start()
    assert engine.sweep().notes == ()
    assert {status(engine, each) for each in notes} == {Status.ARCHIVED}


def test_a_sweep_that_fails_beside_is_logged_and_the_next_one_goes_on(
    open_engine: OpenEngine, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    engine, held, notes = about_to_summarize(open_engine, clock)
    held.fails = True
    held.go.set()
    with caplog.at_level(logging.ERROR, "ebbing.jobs.worker"):
        fill(engine, 2)
        sweeper_of(engine).wait(engine.owner)
    assert [record.message for record in caplog.records] == [
        "a sweep after ingest_complete failed; the next one goes on where it stopped"
    ]
    assert "a model with a fault" in caplog.text
    assert {status(engine, each) for each in notes} == {Status.ACTIVE}
    held.fails = False
    clock.advance(minutes=11)
    engine.remember("another one", importance=0.9)
    sweeper_of(engine).wait(engine.owner)
    assert {status(engine, each) for each in notes} == {Status.ARCHIVED}


def test_closing_waits_for_the_sweep_under_way(open_engine: OpenEngine, clock: FrozenClock) -> None:
    engine, held, notes = about_to_summarize(open_engine, clock)
    fill(engine, 2)
    assert held.reached.wait(timeout=300)
    threading.Timer(0.05, held.go.set).start()
    engine.close()
    fresh = open_engine()
    assert {status(fresh, each) for each in notes} == {Status.ARCHIVED}
    sweeper_of(engine).notify(engine.owner, "memory_pressure", 0)
    assert SWEEPER not in [thread.name for thread in threading.enumerate()], "and begins nothing more"


# At the times of the policy


def at_night(cron: str = "0 4 * * *") -> Policy:
    return dataclasses.replace(DEFAULT, sweep=dataclasses.replace(DEFAULT.sweep, cron=cron))


@pytest.mark.parametrize(
    ("cron", "after", "at"),
    [
        ("0 4 * * *", "2026-01-01T09:00:00+00:00", "2026-01-02T04:00:00+00:00"),
        ("0 4 * * *", "2026-01-01T03:59:59+00:00", "2026-01-01T04:00:00+00:00"),
        ("0 4 * * *", "2026-01-01T05:00:00+02:00", "2026-01-01T04:00:00+00:00"),
        ("*/15 * * * *", "2026-01-01T09:00:00+00:00", "2026-01-01T09:15:00+00:00"),
        ("30 2 * * 0", "2026-01-01T09:00:00+00:00", "2026-01-04T02:30:00+00:00"),
    ],
)
def test_a_worker_knows_when_the_policy_wants_it(engine: Engine, cron: str, after: str, at: str) -> None:
    engine.policy = at_night(cron)
    assert Worker(engine).next_at(datetime.fromisoformat(after)) == datetime.fromisoformat(at)


def test_a_round_sweeps_every_owner_and_tells(open_engine: OpenEngine, clock: FrozenClock) -> None:
    engine = open_engine()
    owners = {name: expired(engine.for_owner(name), clock) for name in ("anna", "ben")}
    told: list[dict[str, Sweep]] = []
    swept = Worker(engine, threads=2, on_swept=told.append).step()
    assert told == [swept]
    assert {name: [a.memory.id for a in sweep.actions] for name, sweep in swept.items()} == {
        name: [one.id] for name, one in owners.items()
    }
    assert {sweep.trigger for sweep in swept.values()} == {"cron"}


class Leaping(FrozenClock):
    """A clock that is two hours on whenever somebody looks."""

    def now(self) -> datetime:
        return self.advance(hours=2)


def test_a_worker_goes_round_when_the_time_has_come_and_stops_when_told(open_engine: OpenEngine) -> None:
    engine = open_engine(policy=at_night("0 * * * *"))
    one = engine.remember("for a minute", expires_in="1min").memories[0]
    stop = threading.Event()
    rounds: list[dict[str, Sweep]] = []

    def tell(round_: dict[str, Sweep]) -> None:
        rounds.append(round_)
        if len(rounds) == 2:
            stop.set()

    engine.clock = Leaping(one.created_at)
    Worker(engine, on_swept=tell).run(stop)
    assert [[a.memory.id for sweep in round_.values() for a in sweep.actions] for round_ in rounds] == [[one.id], []]


def test_an_owner_who_cannot_be_swept_is_logged_and_the_others_are_told(
    open_engine: OpenEngine, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    """The next round finds him again."""
    engine = open_engine()
    owners = {name: expired(engine.for_owner(name), clock) for name in ("anna", "ben")}
    told: list[dict[str, Sweep]] = []
    with caplog.at_level(logging.ERROR, "ebbing.jobs.worker"):
        swept = Worker(watched(engine, failing=["anna"])[0], on_swept=told.append).step()
    assert [record.message for record in caplog.records] == [
        "owner 'anna' was not swept; the next round tries again: no room for anna"
    ]
    assert ([*swept], told) == (["ben"], [swept])
    assert [action.memory.id for action in Worker(engine).step()["anna"].actions] == [owners["anna"].id]


def test_where_nobody_could_be_swept_nothing_is_told_as_done(
    engine: Engine, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    expired(engine, clock)
    told: list[dict[str, Sweep]] = []
    with caplog.at_level(logging.ERROR, "ebbing.jobs.worker"):
        assert Worker(watched(engine, failing=[engine.owner])[0], on_swept=told.append).step() == {}
    assert "no room for default" in caplog.text
    assert told == []


def test_a_round_that_cannot_begin_is_logged_and_is_not_the_last(
    engine: Engine, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    expired(engine, clock)
    away, store = watched(engine)
    store.away = True
    worker = Worker(away)
    with caplog.at_level(logging.ERROR, "ebbing.jobs.worker"):
        assert worker.step() == {}
    assert "did not begin" in caplog.text
    store.away = False
    assert [len(sweep.actions) for sweep in worker.step().values()] == [1]
    assert timedelta(0) < worker.next_at(clock.now()) - clock.now() <= timedelta(days=1)


@pytest.mark.parametrize("threads", [0, -1, 65, True, "4"])
def test_a_worker_that_could_never_sweep_is_refused_at_once(engine: Engine, threads: Any) -> None:
    with pytest.raises(Invalid, match="threads"):
        Worker(engine, threads=threads)


def test_an_owner_without_a_day_of_use_on_record_is_visited_each_day_of_the_calendar(
    engine: Engine, clock: FrozenClock, tmp_path: Path
) -> None:
    """As what was imported without any: it fades by the calendar, and nobody else would come by."""
    engine.remember("Gone in a while", importance=0.3)
    engine.export(tmp_path / "all.jsonl")
    lines = (tmp_path / "all.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if json.loads(line)["kind"] != "day"]
    (tmp_path / "dayless.jsonl").write_text("".join(kept), encoding="utf-8")
    dayless = engine.for_owner("dayless")
    dayless.import_(tmp_path / "dayless.jsonl")
    worker = Worker(engine)
    worker.step()
    assert worker.step() == {}, "once a day is enough"
    visited = []
    for _ in range(60):
        clock.advance(days=1)
        visited.append([*worker.step()])
    assert visited == [["dayless"]] * 60, "of the other the days of use have not moved"
    assert dayless.list(status="active") == []
    assert dayless.sweep(dry_run=True).actions == []
