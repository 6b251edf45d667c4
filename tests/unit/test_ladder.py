"""What should happen to a memory now: decided by plain values, so that a dry run and a real one cannot differ."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ebbing import Memory, Scope, Status, Tier
from ebbing.domain.clock import Moment, calendar_day
from ebbing.domain.policy import CurveChoice
from ebbing.domain.policy.loader import load
from ebbing.domain.results import Action, Step
from ebbing.domain.retention import strength_of
from ebbing.forget.ladder import decide, settled
from tests.tables import each_row

# The rates as published, whatever factor the default policy slows them by.
DEFAULT = dataclasses.replace(load(), curve=CurveChoice("ebbinghaus", 1.0))
HALVING = dataclasses.replace(DEFAULT, curve=CurveChoice("half_life", 1.0, {"half_life_days": 10.0}))
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
TODAY = calendar_day(NOW)
DAY = timedelta(days=1)


def made(**given: Any) -> Memory:
    times = {"created_at": NOW, "created_day": TODAY, "last_accessed_at": NOW, "used_day": TODAY}
    return Memory(**{"id": "m1", "owner": "ada", "text": "The sea ebbs", **times, **given})


def later(days: float) -> Moment:
    """So many days of use on."""
    return Moment(NOW + days * DAY, TODAY + int(days))


def act(memory: Memory, moment: Moment, policy: Any = HALVING) -> Action:
    """The action there must be."""
    action = decide(memory, moment, policy)
    assert action is not None
    return action


def step(memory: Memory, moment: Moment, policy: Any = HALVING, *, waiting: bool = False) -> Step | None:
    action = decide(memory, moment, policy, waiting=waiting)
    return action.step if action is not None else None


def test_a_memory_goes_down_rung_by_rung_as_it_fades() -> None:
    """0.6 halves every ten days: 0.3 on day 10, 0.15 on day 20, 0.05 on day 35.8."""
    active, detached = made(importance=0.6), made(importance=0.6, status=Status.DETACHED)
    assert [step(active, later(days)) for days in (0, 10, 11, 20, 21, 35, 36)] == [
        None,
        None,
        Step.WAIT,
        Step.WAIT,
        Step.DETACH,
        Step.DETACH,
        Step.ARCHIVE,
    ]
    assert [step(detached, later(days)) for days in (21, 35, 36)] == [None, None, Step.ARCHIVE]


def test_what_waits_for_its_topic_already_is_not_told_to_wait_again() -> None:
    """But the rungs below the first do not wait for it."""
    memory = made(importance=0.6)
    assert [step(memory, later(days), waiting=True) for days in (11, 20, 21, 36)] == [
        None,
        None,
        Step.DETACH,
        Step.ARCHIVE,
    ]


@each_row(
    "given",
    [
        {"subject": "Ada", "attribute": "city"},
        {"contested": True},
        {"compaction_depth": 2},
        {"status": Status.DETACHED},
    ],
)
def test_what_no_summary_may_take_in_does_not_wait(given: dict[str, Any]) -> None:
    """An addressed value, a contested one, a summary of summaries, what is out of use already."""
    assert step(made(importance=0.6), later(15)) is Step.WAIT
    assert step(made(importance=0.6, **given), later(15)) is None


def test_a_summary_may_be_summarized_once_more() -> None:
    """Depth 1 goes into one of depth 2; that one only fades."""
    assert step(made(importance=0.6, compaction_depth=1), later(15)) is Step.WAIT


# Schedules, tiers


def test_a_category_may_have_its_memories_summarized_at_an_age() -> None:
    """Findings are, after 30 days, however strong."""
    finding = made(category="finding", importance=1.0, used_day=TODAY + 29, last_accessed_at=NOW + 29 * DAY)
    assert step(finding, later(29.99), DEFAULT) is None
    action = act(finding, later(30), DEFAULT)
    assert (action.step, action.threshold) == (Step.WAIT, None)
    assert action.reason == "a finding of this age is summarized"
    assert step(finding.with_(category="fact"), later(30), DEFAULT) is None


def test_a_category_may_have_its_memories_archived_at_an_age() -> None:
    """Whatever the strength; but not what is protected, and not before the grace of what was brought back ends."""
    brief = dataclasses.replace(DEFAULT.categories["fact"], archive_after=20 * DAY)
    policy = dataclasses.replace(DEFAULT, categories={**DEFAULT.categories, "fact": brief})
    fresh = made(importance=1.0, used_day=TODAY + 19, last_accessed_at=NOW + 19 * DAY)
    assert step(fresh, later(19.99), policy) is None
    action = act(fresh, later(20), policy)
    assert (action.step, action.reason) == (Step.ARCHIVE, "a fact is kept active for 20 days")
    assert step(fresh.with_(pinned=True), later(20), policy) is None
    assert step(fresh.with_(restored_at=NOW + 10 * DAY), later(39.99), policy) is None
    assert step(fresh.with_(restored_at=NOW + 10 * DAY), later(40), policy) is Step.ARCHIVE


@each_row(
    ("given", "stays"),
    [({"importance": 0.6}, True), ({"importance": 0.59}, False), ({"importance": 0.1, "recall_count": 1}, True)],
)
def test_a_working_memory_that_is_worth_keeping_outlives_its_session(given: dict[str, Any], stays: bool) -> None:
    """Important, or of use at least once; its session is over when nobody touched it for twelve hours."""
    memory = made(tier=Tier.WORKING, **given)
    assert step(memory, Moment(NOW + DAY * 0.4999, TODAY), DEFAULT) is None
    assert step(memory, Moment(NOW + DAY * 0.5, TODAY), DEFAULT) is (Step.PROMOTE if stays else None)
    assert step(memory.with_(tier=Tier.EPISODIC), Moment(NOW + DAY * 0.5, TODAY), DEFAULT) is None


def test_with_hysteresis_a_known_fact_falls_back_among_what_happened() -> None:
    """Only where the policy has the two numbers, and only what is semantic."""
    layered = dataclasses.replace(HALVING, promotion=dataclasses.replace(HALVING.promotion, promote=0.7, demote=0.4))
    memory = made(importance=0.8)
    assert [step(memory, later(days), layered) for days in (7, 10, 11)] == [None, None, Step.DEMOTE]
    assert act(memory, later(11), layered).threshold == 0.4
    assert step(memory.with_(tier=Tier.EPISODIC), later(11), layered) is not Step.DEMOTE
    assert step(memory, later(11)) is None


def test_equal_is_kept() -> None:
    """A threshold is crossed strictly below it."""
    memory = made(importance=0.6)
    assert strength_of(memory, later(10), HALVING) == HALVING.ladder.summarize
    assert step(memory, later(10)) is None
    assert step(memory, later(11)) is Step.WAIT
    assert strength_of(memory, later(20), HALVING) == HALVING.ladder.detach
    assert step(memory, later(20), waiting=True) is None
    assert step(memory, later(21), waiting=True) is Step.DETACH
    lower = made(importance=0.2, status=Status.DETACHED)
    assert strength_of(lower, later(20), HALVING) == HALVING.ladder.archive
    assert step(lower, later(20)) is None
    assert step(lower, later(21)) is Step.ARCHIVE


def test_what_nobody_looked_at_for_long_goes_straight_to_its_rung() -> None:
    """Not one rung a sweep: how often sweeps run never shows."""
    action = act(made(importance=0.6), later(365), HALVING)
    assert (action.step, action.status, action.threshold) == (Step.ARCHIVE, Status.ARCHIVED, 0.05)


def test_an_action_carries_the_numbers_it_rests_on() -> None:
    """And a sentence that a person can check."""
    memory = made(importance=0.6)
    action = act(memory, later(30), HALVING)
    assert action.memory is memory
    assert action.strength == pytest.approx(0.075)
    assert action.threshold == 0.15
    assert action.reason == "strength 0.075 fell below 0.15 (detach)"


# Grace


@each_row("importance", [0.0, 0.01, 0.1])
def test_in_its_first_days_nothing_fades_away(importance: float) -> None:
    """However weak it is; and afterwards it goes where it belongs."""
    memory = made(importance=importance)
    assert step(memory, later(6.99)) is None
    assert step(memory, later(7)) is (Step.ARCHIVE if importance < 0.05 else Step.DETACH)


def test_what_was_brought_back_has_a_grace_of_its_own() -> None:
    """The next sweep must not undo a restore."""
    restored = made(importance=0.01, restored_at=NOW + 100 * DAY)
    assert step(restored, later(129.99)) is None
    assert step(restored, later(130)) is Step.ARCHIVE


def test_what_was_brought_back_after_its_time_is_left_alone_for_a_while() -> None:
    """Or nobody could ever restore what has expired."""
    restored = made(importance=1.0, expires_at=NOW + DAY, restored_at=NOW + 2 * DAY)
    assert step(restored, later(31.99), DEFAULT) is None
    action = act(restored, later(32), DEFAULT)
    assert action.reason == "its time to live ended on 2026-07-03"


# Time to live


def test_what_has_expired_is_archived_whatever_its_strength() -> None:
    """From the very instant on, and it says when that was."""
    memory = made(importance=1.0, expires_at=NOW + 30 * DAY)
    assert step(memory, later(29.999), DEFAULT) is None
    action = act(memory, later(30), DEFAULT)
    assert (action.step, action.threshold) == (Step.ARCHIVE, None)
    assert action.reason == "its time to live ended on 2026-07-01"
    assert step(memory.with_(status=Status.DETACHED), later(30)) is Step.ARCHIVE


def test_grace_does_not_hold_what_has_expired() -> None:
    """A session's state of an hour is gone after the hour."""
    assert step(made(expires_at=NOW + DAY / 24), later(1 / 24)) is Step.ARCHIVE


def test_a_pin_holds_what_has_expired() -> None:
    """The owner said so, and later than the expiry was set."""
    assert step(made(expires_at=NOW + DAY, pinned=True), later(400)) is None


def test_what_is_exempt_expires_only_if_somebody_said_so() -> None:
    """An expiry on an exempt memory can only be the caller's own: the policy gives it none."""
    assert step(made(category="identity", expires_at=NOW + DAY), later(2)) is Step.ARCHIVE


# Protection


@each_row(
    "given",
    [{"pinned": True}, {"category": "identity"}, {"category": "active_decision"}, {"scope": Scope("/user/ada")}],
)
def test_what_is_protected_never_fades(given: dict[str, Any]) -> None:
    """Not in a thousand years, however unimportant."""
    for status in (Status.ACTIVE, Status.DETACHED):
        assert step(made(importance=0.0, status=status, **given), later(365_000)) is None


def test_a_working_memory_fades_by_the_hour_but_not_before_its_grace() -> None:
    """Only a full buffer, its time or its owner reach it earlier."""
    memory = made(tier=Tier.WORKING, importance=0.5)
    assert step(memory, Moment(NOW + 6.9 * DAY, TODAY)) is None
    assert step(memory, Moment(NOW + 7 * DAY, TODAY)) is Step.ARCHIVE


def test_a_holiday_lowers_nothing() -> None:
    """Half a year away, and everything is where it was."""
    assert step(made(importance=0.3), Moment(NOW + 180 * DAY, TODAY)) is None


def test_a_category_that_the_policy_no_longer_names_fades_like_the_default_one() -> None:
    """Neither at once nor never."""
    gone, fact = made(category="long gone"), made(category="fact")
    for days in (10, 13, 24, 100):
        assert step(gone, later(days), DEFAULT) is step(fact, later(days), DEFAULT)


# Settling


def test_what_stays_gets_an_alarm_in_the_future() -> None:
    """Reinforced since its alarm was set, it is looked at again when it can matter."""
    memory = made(used_day=TODAY + 12, last_accessed_at=NOW + 12 * DAY, due_day=TODAY + 13)
    kept = settled(memory, later(13), DEFAULT)
    assert (kept.due_at, kept.due_day) == (None, TODAY + 12 + 6)
    assert strength_of(memory, later(12 + 6), DEFAULT) < DEFAULT.ladder.summarize


def test_what_waits_is_looked_at_again_when_the_day_is_over_and_then_at_the_next_rung() -> None:
    """All that fall on one day are summarized together."""
    memory = made()
    since = NOW + 6 * DAY
    over = datetime(2026, 6, 7, 23, 59, 59, 999_999, tzinfo=UTC)
    kept = settled(memory, later(6), DEFAULT, since)
    assert (kept.due_at, kept.due_day) == (over, TODAY + 13)
    kept = settled(memory, Moment(over, TODAY + 6), DEFAULT, since)
    assert (kept.due_at, kept.due_day) == (None, TODAY + 13)


def test_an_expired_but_pinned_memory_does_not_ring_for_ever() -> None:
    """Unpinning sets its alarm again."""
    memory = made(pinned=True, expires_at=NOW + DAY, due_at=NOW + DAY)
    kept = settled(memory, later(2), DEFAULT)
    assert (kept.due_at, kept.due_day) == (None, None)
    assert settled(memory, later(0), DEFAULT).due_at == NOW + DAY
