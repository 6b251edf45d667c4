"""Where memory, policy, clock and curve meet: one strength for one and for many, and alarms that are never late."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from ebbing import Memory, Policy, Scope, Status, Tier
from ebbing.domain.clock import Calendar, Moment, calendar_day, micros
from ebbing.domain.memory import HARM_MAX, Lifetime
from ebbing.domain.policy import CurveChoice, Ladder, Time
from ebbing.domain.policy.loader import load
from ebbing.domain.retention import (
    Alarm,
    Traces,
    alarm,
    grace_until,
    strength_of,
    strengths,
    thresholds,
    trace_of,
    with_next_due,
)
from ebbing.forget.ladder import decide, settled
from ebbing.forget.planner import DueSnapshot, Replay
from ebbing.strength import CURVES
from tests.tables import each_row

# The rates as published, whatever factor the default policy slows them by.
DEFAULT = dataclasses.replace(load(), curve=CurveChoice("ebbinghaus", 1.0))
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
TODAY = calendar_day(NOW)
DAY = timedelta(days=1)
HERE = Moment(NOW, TODAY)


def policy_with(
    curve: Any = "ebbinghaus",
    clock: Any = "activity",
    slowdown: float = 1.0,
    ladder: Ladder = DEFAULT.ladder,
    grace: timedelta = 7 * DAY,
    **parameters: float,
) -> Policy:
    return dataclasses.replace(
        DEFAULT,
        curve=CurveChoice(curve, slowdown, parameters),
        time=Time(clock, grace, 30 * DAY),
        ladder=ladder,
    )


def made(**given_: Any) -> Memory:
    """A fact made and used at `NOW`, unless told otherwise."""
    times = {"created_at": NOW, "created_day": TODAY, "last_accessed_at": NOW, "used_day": TODAY}
    return Memory(**{"id": "m1", "owner": "ada", "text": "The sea ebbs", **times, **given_})


def later(days: float, used: int | None = None) -> Moment:
    """So many days on; on so many of them, or on all, the owner used the system."""
    return Moment(NOW + days * DAY, TODAY + int(days if used is None else used))


# Built once each: a policy remembers its curves.
policies = st.sampled_from(
    [
        policy_with(curve, clock, slowdown, ladder, grace)
        for curve in CURVES
        for clock in ("activity", "wall")
        for slowdown, ladder, grace in (
            (1.0, DEFAULT.ladder, 7 * DAY),
            (0.1, Ladder(0.5, 0.4, 0.3), timedelta(seconds=1)),
            (3.0, Ladder(0.9, 0.5, 0.25), 7 * DAY),
        )
    ]
)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """Any memory a sweep may meet: of any age on either clock, also from a future."""
    idle = draw(st.integers(-3, 400))
    age = idle + draw(st.integers(0, 400))
    hours = draw(st.integers(0, 23))
    return made(
        id=draw(st.uuids()).hex,
        importance=draw(st.sampled_from([0.0, 0.05, 0.15, 0.3, 0.5, 0.6, 1.0]) | st.floats(0, 1)),
        category=draw(st.sampled_from([*DEFAULT.categories, "long gone"])),
        tier=draw(st.sampled_from(Tier)),
        scope=Scope(draw(st.sampled_from(["/", "/user/ada", "/users", "/project"]))),
        status=draw(st.sampled_from([Status.ACTIVE, Status.DETACHED])),
        pinned=draw(st.booleans()) and draw(st.booleans()),
        lifetime=draw(st.none() | st.sampled_from(list(Lifetime))),
        harm=draw(st.integers(0, HARM_MAX)),
        recall_count=draw(st.integers(0, 20)),
        level=draw(st.sampled_from([0.2, 1.0]) | st.floats(0, 1)),
        created_at=NOW - age * DAY - timedelta(hours=hours),
        created_day=TODAY - draw(st.integers(min(0, age), max(0, age))),
        last_accessed_at=NOW - idle * DAY - timedelta(hours=hours),
        used_day=TODAY - draw(st.integers(min(0, idle), max(0, idle))),
        expires_at=draw(st.none() | st.integers(-5, 500).map(lambda days: NOW + days * DAY)),
        restored_at=draw(st.none() | st.integers(0, 60).map(lambda days: NOW - days * DAY)),
    )


def columns(several: list[Memory]) -> Traces:
    return Traces(
        handles=np.arange(len(several)),
        ids=[memory.id for memory in several],
        categories=[memory.category for memory in several],
        tiers=[memory.tier for memory in several],
        scopes=[memory.scope for memory in several],
        pinned=np.array([memory.pinned for memory in several], dtype=bool),
        importance=np.array([memory.importance for memory in several], dtype=float),
        created_at=np.array([micros(memory.created_at) for memory in several], dtype=float),
        created_day=np.array([memory.created_day for memory in several], dtype=float),
        last_accessed_at=np.array([micros(memory.last_accessed_at) for memory in several], dtype=float),
        used_day=np.array([memory.used_day for memory in several], dtype=float),
        recalls=np.array([memory.recall_count for memory in several], dtype=float),
        level=np.array([memory.level for memory in several], dtype=float),
        asks=np.zeros(len(several), dtype=bool),
        lifetimes=[memory.lifetime for memory in several],
        harms=[memory.harm for memory in several],
    )


# Strength


@given(st.lists(memories(), max_size=8), policies)
def test_the_strength_of_one_and_of_many_is_the_same_number(several: list[Memory], policy: Policy) -> None:
    """To the last bit: ranking, sweeping and explaining can never disagree."""
    assert strengths(columns(several), HERE, policy).tolist() == [strength_of(m, HERE, policy) for m in several]


@given(memories(), policies, st.integers(0, 300))
def test_strength_never_rises_while_nobody_touches_a_memory(memory: Memory, policy: Policy, days: int) -> None:
    """And never leaves 0 to 1, whenever one looks."""
    now, then = strength_of(memory, HERE, policy), strength_of(memory, later(days), policy)
    assert 0.0 <= then <= now <= 1.0


@given(memories(), policies)
def test_looking_changes_nothing(memory: Memory, policy: Policy) -> None:
    """Strength is computed when it is read: a thousand looks give the same number."""
    assert len({strength_of(memory, HERE, policy) for _ in range(5)}) == 1


@each_row(
    ("memory", "moment", "strength"),
    [
        (made(), HERE, 0.5),
        (made(), later(10), 0.191446442987556),
        (made(recall_count=3), later(10), 0.3063143087800896),
        (made(importance=1.0), later(30), 0.382892885975112),
        (made(category="failure", importance=0.6, recall_count=2), later(7), 0.2349568527194249),
        (made(), later(30, used=10), 0.191446442987556),
        (made(), later(300, used=0), 0.5),
        (made(pinned=True, importance=0.1), later(1000), 1.0),
        (made(category="identity", importance=0.7), later(1000), 0.7),
        (made(scope=Scope("/user/ada"), importance=0.7), later(1000), 0.7),
        (made(tier=Tier.WORKING, importance=0.8), later(2 / 24, used=0), 0.4),
        (made(tier=Tier.WORKING, importance=0.8), later(0.25, used=0), 0.1),
        (made(category="long gone"), later(10), 0.191446442987556),
        (made(last_accessed_at=NOW + 9 * DAY, used_day=TODAY + 9), HERE, 0.5),
    ],
)
def test_strengths_are_what_the_formulas_say(memory: Memory, moment: Moment, strength: float) -> None:
    """Golden, under the default policy: recalls, holidays, pins, exemptions, the working tier, the future."""
    assert strength_of(memory, moment, DEFAULT) == pytest.approx(strength, rel=1e-12)


def test_under_the_wall_clock_a_holiday_counts_to_the_hour() -> None:
    """Golden: half a day more is half a day more."""
    wall = policy_with("half_life", "wall")
    assert strength_of(made(importance=0.8), later(45, used=0), wall) == pytest.approx(0.8 * 0.5**1.5)
    assert strength_of(made(importance=0.8), later(0.5, used=0), wall) == pytest.approx(0.8 * 0.5 ** (0.5 / 30))


def test_the_relevance_curve_reads_the_weight_of_the_category() -> None:
    """And of the default category for one that is no longer named."""
    policy = policy_with("relevance")
    weights = {name: trace_of(made(category=name), HERE, policy).weight for name in ("decision", "tool_output", "gone")}
    assert weights == {"decision": 1.0, "tool_output": 0.3, "gone": 0.7}


# Grace


def test_a_new_memory_has_its_first_days_and_a_restored_one_its_own() -> None:
    """Whichever ends later."""
    assert grace_until(made(), DEFAULT) == NOW + 7 * DAY
    assert grace_until(made(restored_at=NOW + 2 * DAY), DEFAULT) == NOW + 32 * DAY
    assert grace_until(made(restored_at=NOW - 365 * DAY), DEFAULT) == NOW + 7 * DAY


def test_the_thresholds_are_the_next_rungs_down() -> None:
    """And none below the last that fading knows; the first rung is only for what a summary may take in."""
    rungs = {status: thresholds(made(status=status), DEFAULT, waiting=False) for status in Status}
    assert rungs == {
        Status.ACTIVE: [0.15, 0.30],
        Status.DETACHED: [0.05],
        Status.ARCHIVED: [],
        Status.SUPERSEDED: [],
        Status.FORGOTTEN: [],
        Status.QUARANTINED: [],
    }
    assert thresholds(made(), DEFAULT, waiting=True) == [0.15]
    for given_ in ({"subject": "s", "attribute": "a"}, {"contested": True}, {"compaction_depth": 2}):
        assert thresholds(made(**given_), DEFAULT, waiting=False) == [0.15]


# Alarms


def rings(set_: Alarm | Memory, moment: Moment) -> bool:
    """Whether a sweep at this moment would look at the memory."""
    at, day = set_ if isinstance(set_, Alarm) else (set_.due_at, set_.due_day)
    return (at is not None and at <= moment.at) or (day is not None and day <= moment.day)


def test_a_plain_fact_rings_on_the_day_it_falls_below() -> None:
    """Golden: at 0.30 or above for 5.32 days of use, so it rings on the 6th; at 0.15 for 12.54, at 0.05 for 23.98."""
    assert alarm(made(), HERE, DEFAULT) == Alarm(day=TODAY + 6)
    assert alarm(made(contested=True), HERE, DEFAULT) == Alarm(day=TODAY + 13)
    assert alarm(made(status=Status.DETACHED), HERE, DEFAULT) == Alarm(day=TODAY + 24)
    assert decide(made(contested=True), later(12), DEFAULT) is None
    assert decide(made(contested=True), later(13), DEFAULT) is not None


def test_what_waits_for_its_topic_rings_when_the_day_is_over_and_at_the_next_rung() -> None:
    """Whichever is first; once that day is over only the rung is left."""
    since = NOW + 8 * DAY
    over = datetime(2026, 6, 9, 23, 59, 59, 999_999, tzinfo=UTC)
    assert alarm(made(), later(8), DEFAULT, since) == Alarm(at=over, day=TODAY + 13)
    assert alarm(made(), later(9), DEFAULT, since) == Alarm(day=TODAY + 13)


def test_a_schedule_rings_at_its_age_on_the_wall() -> None:
    """Findings are summarized after 30 days; what was brought back not before its grace ends."""
    finding = made(category="finding", importance=1.0)
    assert alarm(finding, HERE, DEFAULT).at == NOW + 30 * DAY
    assert alarm(finding.with_(restored_at=NOW + 10 * DAY), HERE, DEFAULT).at == NOW + 40 * DAY
    assert alarm(finding.with_(contested=True), HERE, DEFAULT).at is None
    brief = dataclasses.replace(DEFAULT.categories["fact"], archive_after=20 * DAY)
    policy = dataclasses.replace(DEFAULT, categories={**DEFAULT.categories, "fact": brief})
    assert alarm(made(), HERE, policy).at == NOW + 20 * DAY


def test_a_working_memory_worth_keeping_rings_when_its_session_is_over() -> None:
    """Twelve hours after it was last touched."""
    assert alarm(made(tier=Tier.WORKING, importance=0.6), HERE, DEFAULT) == Alarm(at=NOW + DAY / 2)
    assert alarm(made(tier=Tier.WORKING, recall_count=1), HERE, DEFAULT) == Alarm(at=NOW + DAY / 2)


def test_a_working_memory_rings_by_the_wall() -> None:
    """After its grace, on the hour, whoever was there."""
    set_ = alarm(made(tier=Tier.WORKING), HERE, DEFAULT)
    assert set_ == Alarm(at=NOW + 7 * DAY)
    quick = policy_with(grace=timedelta(seconds=1))
    at = alarm(made(tier=Tier.WORKING), HERE, quick).at
    assert at is not None
    assert (at - NOW) / timedelta(hours=1) == pytest.approx(2 * np.log2(0.5 / 0.15))


@each_row("given_", [{"pinned": True}, {"category": "identity"}, {"scope": Scope("/user")}])
@each_row("clock", ["activity", "wall"])
def test_what_is_protected_has_no_alarm_of_fading(given_: dict[str, Any], clock: str) -> None:
    """Only the end of its time, if it has one."""
    policy = policy_with(clock=clock)
    assert alarm(made(**given_), HERE, policy) == Alarm()
    assert alarm(made(**given_, expires_at=NOW + DAY), HERE, policy) == Alarm(at=NOW + DAY)


def test_what_never_fades_that_far_has_no_alarm() -> None:
    """Neither what stands on the last rung, nor what would take a thousand years."""
    assert alarm(made(), HERE, policy_with("linear", floor=0.7)) == Alarm()
    assert alarm(made(status=Status.ARCHIVED), HERE, DEFAULT) == Alarm()
    assert alarm(made(importance=1.0), HERE, policy_with("power", exponent=0.01)) == Alarm()


def test_what_is_below_already_rings_when_its_grace_ends() -> None:
    """Nothing but the grace period holds it."""
    assert alarm(made(importance=0.01), HERE, DEFAULT) == Alarm(at=NOW + 7 * DAY)
    assert alarm(made(importance=0.01, expires_at=NOW + DAY), HERE, DEFAULT) == Alarm(at=NOW + DAY)


def test_a_strength_equal_to_the_threshold_keeps_its_alarm_over_a_holiday() -> None:
    """It is kept, and must be looked at again on the next day of use: a lost alarm would keep it for ever."""
    memory = with_next_due(made(importance=DEFAULT.ladder.detach, contested=True), HERE, DEFAULT)
    back_from_holiday = later(30, used=0)
    assert decide(memory, back_from_holiday, DEFAULT) is None
    kept = settled(memory, back_from_holiday, DEFAULT)
    assert (kept.due_at, kept.due_day) == (None, TODAY + 1)
    assert decide(kept, later(31, used=1), DEFAULT) is not None


# Waiting for its topic since some days ago, or not.
waits = st.none() | st.integers(0, 20).map(lambda days: NOW - days * DAY)


@given(memories(), policies, waits)
def test_an_alarm_is_set_in_the_future_once_nothing_was_to_be_done(
    memory: Memory, policy: Policy, since: datetime | None
) -> None:
    """Or a sweep would look at the same memory for ever."""
    assume(decide(memory, HERE, policy, waiting=since is not None) is None)
    kept = settled(memory, HERE, policy, since)
    assert not rings(kept, HERE)
    assert dataclasses.replace(kept, due_at=None, due_day=None) == dataclasses.replace(
        memory, due_at=None, due_day=None
    )


@given(memories(), policies, waits, st.lists(st.booleans(), min_size=60, max_size=60))
def test_no_alarm_is_later_than_what_it_announces(
    memory: Memory, policy: Policy, since: datetime | None, used: list[bool]
) -> None:
    """On either clock, whichever days are used: whenever the ladder would act, the alarm has rung."""
    waiting = since is not None
    assume(decide(memory, HERE, policy, waiting=waiting) is None)
    kept = settled(memory, HERE, policy, since)
    day = 0
    for days, use in enumerate(used, 1):
        day += use
        moment = later(days * 7, used=day * 7) if policy.curve.slowdown > 1 else later(days, used=day)
        if rings(kept, moment):
            break
        assert decide(kept, moment, policy, waiting=waiting) is None


class Kept(NamedTuple):
    """What a store keeps of its only memory: the memory, and since when it waits for its topic, if it does."""

    memory: Memory
    since: datetime | None = None


def swept(kept: Kept, moment: Moment, policy: Policy) -> Kept:
    """What the store keeps after a sweep. The owner has only this memory, and is here every day.

    A sweep in which no alarm has come reads nothing and writes nothing: who waits goes on waiting.
    """
    memory = kept.memory
    if not memory.status.live or not rings(memory, moment):
        return kept
    since = {} if kept.since is None else {memory.id: kept.since}
    look = DueSnapshot([memory], Calendar(), moment.at, more=False, version=0, since=since)
    plan = Replay(look, moment, policy, lambda *_: None).run()
    return Kept(plan.final.get(memory.id, memory), plan.since.get(memory.id))


@given(memories(), policies)
def test_what_can_fade_is_in_the_end_looked_at_and_lowered(memory: Memory, policy: Policy) -> None:
    """By sweeps that look only at what has rung, as many as it takes; and never more looks than there are reasons."""
    moment = HERE
    memory, since = Kept(with_next_due(memory, moment, policy))
    looks = 0
    while memory.status.live and (memory.due_at is not None or memory.due_day is not None):
        # The owner uses the system every day, so that both clocks move together.
        days = [] if memory.due_day is None else [float(memory.due_day - moment.day)]
        days += [] if memory.due_at is None else [float(np.ceil((memory.due_at - moment.at) / DAY))]
        ahead = int(max(0.0, min(days)))
        assume(ahead < 365_000)
        moment = Moment(moment.at + ahead * DAY, moment.day + ahead)
        assert rings(memory, moment)
        memory, since = swept(Kept(memory, since), moment, policy)
        looks += 1
        assert looks <= 12
    if memory.status.live:
        # Nothing will ever come for it: because it may not, or because it cannot fade that far.
        unreachable = policy.curve_of(memory.category, memory.tier).lowest(trace_of(memory, moment, policy))
        rungs = thresholds(memory, policy, waiting=since is not None)
        forever = alarm(memory, moment, policy, since)
        protected = policy.protects(memory.category, memory.scope, memory.pinned)
        assert protected or unreachable >= max(rungs) or forever == Alarm()


# In its grace period when it falls below the first rung: it begins to wait in the very hour of the last sweep.
WAITS_AT_THE_END = made(category="decision", importance=0.0, tier=Tier.WORKING, recall_count=1, level=0.2)


@given(memories(), policies, st.integers(1, 5), st.integers(1, 60))
@example(WAITS_AT_THE_END, policy_with("relevance", slowdown=3.0, ladder=Ladder(0.9, 0.5, 0.25)), 1, 1)
@example(WAITS_AT_THE_END, policy_with("stretched", "wall", 3.0, Ladder(0.9, 0.5, 0.25)), 1, 1)
@example(made(tier=Tier.EPISODIC), DEFAULT, 1, 1)
def test_how_often_sweeps_run_never_shows_in_where_memories_end(
    memory: Memory, policy: Policy, every: int, weeks: int
) -> None:
    """One sweep at the end, or one every few days: the same rung, the same tier, the same time of waiting."""
    start = Kept(with_next_due(memory, HERE, policy))
    end = weeks * 7
    often = start
    for day in [*range(0, end + 1, every), end]:
        often = swept(often, later(day), policy)
    once = swept(start, later(end), policy)
    assert (often.memory.status, often.memory.tier, often.since) == (once.memory.status, once.memory.tier, once.since)


@each_row("importance", [0.15, 0.3, 0.6])
def test_an_alarm_on_the_very_day_of_equality_is_not_late(importance: float) -> None:
    """Half-lives meet the threshold on whole days, where a rounding error could cost one."""
    policy = policy_with("half_life", half_life_days=30.0)
    set_ = alarm(made(importance=importance, contested=True), HERE, policy)
    assert set_.day is not None
    kept_days = set_.day - TODAY - 1
    assert strength_of(made(importance=importance), later(kept_days), policy) >= 0.15
    assert strength_of(made(importance=importance), later(kept_days + 1), policy) < 0.15


@pytest.mark.parametrize(("importance", "days"), [(0.19643805726989028, 2), (0.2792044824378171, 5)])
def test_an_alarm_is_not_late_by_a_rounding_error(importance: float, days: int) -> None:
    """Here the curve solved for time says that day, and the curve itself is below on it already, by one bit."""
    memory = made(importance=importance, contested=True)
    assert strength_of(memory, later(days), DEFAULT) < DEFAULT.ladder.detach
    assert alarm(memory, HERE, DEFAULT) == Alarm(day=TODAY + days)


@given(st.floats(0.3, 1), st.integers(0, 8), policies.filter(lambda policy: policy.time.clock == "activity"))
def test_the_day_of_the_alarm_is_the_first_below(importance: float, idle: int, policy: Policy) -> None:
    """Of the days of use; never one later, and earlier only by a rounding error of a whole day."""
    memory = made(importance=importance, used_day=TODAY - idle, created_day=TODAY - idle)
    day = alarm(memory, HERE, policy).day
    assume(day is not None)
    assert day is not None
    assert strength_of(memory, Moment(NOW, day - 1), policy) >= policy.ladder.summarize
    assert strength_of(memory, Moment(NOW, day + 1), policy) < policy.ladder.summarize
