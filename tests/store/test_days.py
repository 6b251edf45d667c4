"""Days of use: today counts nothing, a holiday ages nothing, and before the first day the calendar counts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ebbing
from ebbing.domain.clock import Activity, Calendar, Moment, calendar_day
from ebbing.domain.ids import new_id
from ebbing.domain.memory import Status
from ebbing.domain.policy.loader import load
from ebbing.domain.retention import strength_of, trace_of
from ebbing.engine import Engine
from ebbing.ports import Store, View
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.properties import examples
from tests.store.making import MINE, NOW, TODAY
from tests.store.traffic import measured


def moment_of(engine: Engine) -> Moment:
    now = engine.clock.now()
    with engine.store.read(View(engine.owner)) as tx:
        return Moment(now, tx.owner.activity.day_at(now))


def strength(engine: Engine, id_: str) -> float:
    return strength_of(engine.get(id_), moment_of(engine), engine.policy)


def idle_days(engine: Engine, id_: str) -> float:
    return float(trace_of(engine.get(id_), moment_of(engine), engine.policy).idle_days)


def test_today_counts_nothing(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The lamp is green", importance=0.7).memories[0]
    assert strength(engine, one.id) == 0.7
    clock.set("2026-01-01T23:59:59Z")
    engine.remember("something else")
    assert idle_days(engine, one.id) == 0
    assert strength(engine, one.id) == 0.7
    clock.set("2026-01-02T00:00:00Z")
    assert idle_days(engine, one.id) == 0, "a day counts once it is used"
    engine.remember("a third thing")
    assert idle_days(engine, one.id) == 1


def test_a_holiday_ages_nothing(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The lamp is green").memories[0]
    for _ in range(3):
        clock.advance(days=1)
        engine.recall("something else")
    before = strength(engine, one.id)
    assert before < one.importance
    clock.advance(days=90)
    assert strength(engine, one.id) == before
    for _ in range(10):
        assert engine.sweep().actions == [], "a sweep is no use"
    assert strength(engine, one.id) == before
    engine.recall("something else")
    assert idle_days(engine, one.id) == 4


def test_what_is_use_and_what_is_not(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The lamp is green").memories[0]

    def counts(verb: str, *given: object, **named: object) -> bool:
        clock.advance(days=1)
        before = moment_of(engine).day
        getattr(engine, verb)(*given, **named)
        return moment_of(engine).day > before

    for verb, given_, named in (
        ("remember", ["The lamp is green"], {}),
        ("recall", ["lamp"], {}),
        ("recall", ["nothing of the kind"], {}),
        ("used", [one.id], {}),
        ("pin", [one.id], {}),
        ("unpin", [one.id], {}),
        ("forget", [], {"ids": one.id}),
        ("restore", [one.id], {}),
    ):
        assert counts(verb, *given_, **named), verb
    for verb, given_, named in (
        ("recall", ["lamp"], {"reinforce": False}),
        ("get", [one.id], {}),
        ("list", [], {}),
        ("history", [one.id], {}),
        ("sweep", [], {}),
        ("sweep", [], {"dry_run": True}),
        ("forget", [], {"everything": True, "dry_run": True}),
    ):
        assert not counts(verb, *given_, **named), verb


def test_with_no_use_on_record_the_calendar_counts(store: Store) -> None:
    with store.read(MINE) as tx:
        assert tx.owner.activity == Activity()
        assert tx.owner.active_day_at(NOW) == tx.owner.activity.day_at(NOW) == TODAY
        assert tx.owner.active_day_at(NOW + timedelta(days=40)) == TODAY + 40
        assert tx.owner.active_days() == []


def test_the_days_before_the_first_use_age_nothing(engine: Engine, clock: FrozenClock) -> None:
    """What is told of an earlier time was not neglected then: nobody could ask for it."""
    old = engine.remember("an old lamp", created_at="2024-12-02T09:00:00Z", importance=0.9).memories[0]
    assert (idle_days(engine, old.id), engine.explain(old.id).strength) == (0, 0.9)
    clock.advance(days=1)
    engine.remember("a use")
    assert idle_days(engine, old.id) == 1


@pytest.mark.parametrize(("share", "days"), [(1.0, 30), (0.5, 15), (0.0, 0)])
def test_a_policy_may_let_the_days_before_the_first_use_count(
    share: float, days: int, address: str, clock: FrozenClock
) -> None:
    """1: an import ages by the calendar up to the day the owner began."""
    default = load()
    policy = replace(default, time=replace(default.time, age_before_use=share))
    with ebbing.open(address, policy=policy, clock=clock, embedder=None, judge="off") as engine:
        old = engine.remember("an old lamp", created_at="2025-12-02T09:00:00Z").memories[0]
        assert idle_days(engine, old.id) == days


def test_a_backdated_memory_counts_the_days_of_use_since_its_date(engine: Engine, clock: FrozenClock) -> None:
    """Used on 1, 2, 3 January and 1, 2 March; dated 15 January, it has seen two days of use."""
    for day in ("2026-01-01", "2026-01-02", "2026-01-03", "2026-03-01", "2026-03-02"):
        clock.set(f"{day}T10:00:00Z")
        engine.recall("anything")
    in_the_gap = engine.remember("dated in the gap", created_at="2026-01-15").memories[0]
    on_a_day = engine.remember("dated on a day of use", created_at="2026-01-02T23:00:00Z").memories[0]
    before_all = engine.remember("dated before all", created_at="2025-12-31").memories[0]
    in_future = engine.remember("dated ahead", created_at="2026-05-05").memories[0]
    assert [idle_days(engine, one.id) for one in (in_the_gap, on_a_day, before_all, in_future)] == [2, 3, 4, 0]
    assert in_the_gap.created_at.date() == date(2026, 1, 15)


@examples(25)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=12).map(sorted))
def test_the_counter_counts_distinct_days_however_often_each_is_used(store: Store, offsets: list[int]) -> None:
    view = View(new_id(NOW))
    expected = Activity()
    for offset in offsets:
        now = NOW + timedelta(days=offset)
        expected = expected.used(now)
        with store.write(view) as tx:
            assert tx.owner.mark_active_day(now) == Moment(now, expected.day)
    with store.read(view) as tx:
        assert tx.owner.activity == expected
        days = tx.owner.active_days()
        first = offsets[0]
        for day, number in days:
            assert tx.owner.active_day_at(NOW.replace(year=day.year, month=day.month, day=day.day)) == number
    assert [day for day, _ in days] == sorted({day for day, _ in days})
    assert [number for _, number in days] == list(range(TODAY + first, TODAY + first + len(days)))
    assert days[0] == (NOW.date() + timedelta(days=first), calendar_day(NOW) + first)


def test_a_day_of_use_is_written_once_however_often_it_is_used(
    address: str, open_engine: OpenEngine, clock: FrozenClock
) -> None:
    def a_day(engine: Engine) -> None:
        for number in range(10):
            engine.remember(f"note {number} of {clock.now():%d %B}")
            engine.recall("note", session=f"s{number}")

    first = measured(address, open_engine, a_day)
    assert first.written["activity"] == 1
    assert measured(address, open_engine, a_day).written["activity"] == 0
    clock.advance(days=1)
    assert measured(address, open_engine, a_day).written["activity"] == 1
    with open_engine().store.read(View("default")) as tx:
        assert [day for day, _ in tx.owner.active_days()] == [date(2026, 1, 1), date(2026, 1, 2)]


def test_each_owner_has_days_of_its_own(engine: Engine, clock: FrozenClock) -> None:
    other = engine.for_owner("other")
    one = engine.remember("mine").memories[0]
    two = other.remember("theirs").memories[0]
    for _ in range(5):
        clock.advance(days=1)
        other.recall("anything")
    assert idle_days(engine, one.id) == 0
    assert idle_days(other, two.id) == 5


def test_on_the_wall_clock_every_day_counts(open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path) -> None:
    policy = tmp_path / "wall.toml"
    policy.write_text('[time]\nclock = "wall"\n')
    engine = open_engine(policy=policy)
    one = engine.remember("The lamp is green").memories[0]
    clock.advance(days=3, hours=12)
    assert idle_days(engine, one.id) == pytest.approx(3.5)
    working = open_engine().remember("at hand", tier="working").memories[0]
    clock.advance(hours=2)
    assert strength(open_engine(), working.id) == pytest.approx(working.importance / 2)


def test_a_clock_that_was_ahead_for_once_stops_no_sweep(engine: Engine, clock: FrozenClock) -> None:
    """A date out of turn in the calendar: the memory fades by the days of use all the same."""
    engine.remember("Ada lives in Porto", pinned=True)
    clock.advance(days=10)
    one = engine.remember("The spare key is under the third pot", importance=0.5).memories[0]
    clock.advance(days=-10)
    for day in range(10):
        clock.advance(days=1)
        engine.remember(f"Something of day {day}", importance=1.0)
    clock.advance(days=10)
    assert {a.memory.id for a in engine.sweep(dry_run=True).actions} == {a.memory.id for a in engine.sweep().actions}
    for day in range(100):
        clock.advance(days=1)
        engine.remember(f"Something of day {day} after", importance=1.0)
    engine.sweep()
    assert engine.get(one.id).status is Status.ARCHIVED


@given(
    st.lists(
        st.tuples(st.dates(date(2026, 1, 1), date(2026, 12, 31)), st.integers(739_000, 740_000)),
        min_size=1,
        max_size=20,
        unique_by=lambda one: one[0],
    )
)
def test_in_a_calendar_no_moment_lies_before_itself(days: list[tuple[date, int]]) -> None:
    """Whatever clocks were wrong: later instants have no smaller counters, and a counter is reached when it is."""
    calendar = Calendar(sorted(days))
    noons = [datetime.combine(day, time(12), UTC) for day, _ in sorted(days)]
    counters = [calendar.at(noon).day for noon in noons]
    assert counters == sorted(counters)
    for noon, counter in zip(noons, counters, strict=True):
        assert calendar.on(counter).at <= noon


@pytest.mark.parametrize("preset", ["hermes", "memstate", "vitamem", "fademem", "graduated"])
def test_the_first_sweep_under_another_clock_forgets_what_is_overdue(
    open_engine: OpenEngine, clock: FrozenClock, preset: str
) -> None:
    """Not only the second; and its dry run says so."""
    lasting = open_engine()
    several = [lasting.remember(f"alpha{n} beta{n * 7} is number {n}", importance=0.5).memories[0] for n in range(6)]
    clock.advance(days=1000)
    engine = open_engine(policy=preset)
    planned = engine.sweep(dry_run=True).actions
    assert {action.memory.id for action in planned} == {one.id for one in several}
    assert [(a.memory.id, a.step) for a in engine.sweep().actions] == [(a.memory.id, a.step) for a in planned]
    assert engine.sweep().actions == []
