"""A log read as silences: what begins one, what ends it, and when nobody could have spoken."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from ebbing import Event, Memory, Policy
from ebbing.domain.clock import Moment
from ebbing.domain.events import EventKind
from ebbing.domain.memory import Scope, Status, Tier
from ebbing.domain.policy import Time
from ebbing.domain.policy.loader import load
from ebbing.operations.foresight.idle_intervals import History, read
from tests.tables import each_row

DEFAULT = load()
START = datetime(2026, 1, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
REMEMBERED, REINFORCED, RESTORED = EventKind.REMEMBERED, EventKind.REINFORCED, EventKind.RESTORED
Told = tuple[float, EventKind] | tuple[float, EventKind, dict[str, Any]]


def made(**given: Any) -> Memory:
    first = START.toordinal()
    times = {"created_at": START, "created_day": first, "last_accessed_at": START, "used_day": first}
    return Memory(**{"id": "m", "owner": "ada", "text": "The sea ebbs", **times, **given})


def history(
    *told: Told,
    memory: Memory | None = None,
    now: float = 50,
    used_days: list[int] | None = None,
    policy: Policy = DEFAULT,
) -> History:
    """What is read from events so many days after the start, by an owner who came on those days, or daily."""
    memory = memory or made()
    days = [(START.date() + day * DAY, START.toordinal() + n) for n, day in enumerate(used_days or range(60))]
    events = [
        Event(seq, START + each[0] * DAY, each[1], "m", "b", detail=each[2] if len(each) > 2 else {})
        for seq, each in enumerate(told, 1)
    ]
    at = START + now * DAY
    return read(events, {memory.id: memory}, days, policy, Moment(at, day_number(at.date(), days)))


def day_number(day: date, days: list[tuple[date, int]]) -> int:
    return max(number for each, number in days if each <= day)


def spans(found: History) -> list[tuple[int, int, bool]]:
    return [(interval.since, interval.until, interval.used) for interval in found.intervals]


def test_uses_end_silences_and_the_last_has_not_ended() -> None:
    found = history((0, REMEMBERED), (3, REINFORCED), (10, REINFORCED))
    assert spans(found) == [(0, 3, True), (0, 7, True), (0, 40, False)]
    assert [interval.recalled for interval in found.intervals] == [False, True, True]


def test_two_uses_on_one_day_are_one() -> None:
    """Within a day strength does not move; but the memory has been recalled."""
    found = history((0, REMEMBERED), (0.1, REINFORCED), (5, REINFORCED), (5.2, REINFORCED))
    assert spans(found) == [(0, 5, True), (0, 45, False)]
    assert found.intervals[0].recalled


def test_days_are_days_of_use() -> None:
    """On days without use nothing ages, not even where a sweep did something on one."""
    came = [0, 1, 2, 30, 31, 50]
    found = history((0, REMEMBERED), (31, REINFORCED), used_days=came)
    assert spans(found) == [(0, 4, True), (0, 1, False)]
    put_away = history((0, REMEMBERED), (20, EventKind.ARCHIVED), used_days=came)
    assert spans(put_away) == [(0, 2, False)]


def test_under_the_wall_clock_days_are_those_of_the_calendar() -> None:
    wall = dataclasses.replace(DEFAULT, time=Time("wall", DEFAULT.time.grace, DEFAULT.time.restored_grace))
    found = history((0, REMEMBERED), (31, REINFORCED), used_days=[0, 31], policy=wall)
    assert spans(found) == [(0, 31, True), (0, 19, False)]


@each_row("kind", ["detached", "archived", "forgotten", "superseded", "merged", "purged"])
def test_a_silence_is_cut_where_the_memory_was_put_away(kind: str) -> None:
    found = history((0, REMEMBERED), (4, REINFORCED), (20, EventKind(kind)))
    assert spans(found) == [(0, 4, True), (0, 16, False)]
    assert found.intervals[-1].put_away


def test_what_was_brought_back_is_watched_from_there() -> None:
    """The days behind the rung are not days in which it was not needed."""
    found = history((0, REMEMBERED), (10, EventKind.ARCHIVED), (30, RESTORED, {"to": "active"}), (34, REINFORCED))
    assert spans(found) == [(0, 10, False), (30, 34, True), (0, 16, False)]


def test_what_was_brought_back_by_half_is_not_watched() -> None:
    found = history((0, REMEMBERED), (10, EventKind.FORGOTTEN), (30, RESTORED, {"to": "detached"}))
    assert spans(found) == [(0, 10, False)]


@pytest.mark.parametrize("order", [(REINFORCED, RESTORED), (RESTORED, REINFORCED)])
def test_a_use_from_behind_a_rung_is_no_gap(order: tuple[EventKind, EventKind]) -> None:
    """It was asked for by name, or said again; the next silence begins there, whichever is told first."""
    found = history((0, REMEMBERED), (10, EventKind.DETACHED), (30, order[0]), (30, order[1]))
    assert spans(found) == [(0, 10, False), (0, 20, False)]


def test_a_silence_is_told_in_the_tier_it_was_spent_in() -> None:
    """Raised by a use, or lowered by a sweep in the midst of a silence, which then goes on in the other tier."""
    promoted = {"was_tier": "semantic", "tier": "procedural"}
    demoted = {"was_tier": "procedural", "tier": "semantic"}
    found = history(
        *[(0, REMEMBERED), (8, REINFORCED), (8, EventKind.PROMOTED, promoted), (20, EventKind.DEMOTED, demoted)]
    )
    assert spans(found) == [(0, 8, True), (0, 12, False), (12, 42, False)]
    assert [interval.tier for interval in found.intervals] == [Tier.SEMANTIC, Tier.PROCEDURAL, Tier.SEMANTIC]


def test_working_memory_is_watched_once_it_is_more_than_that() -> None:
    """Its own curve counts hours on the wall; a category's rate has no part in it."""
    promoted = {"was_tier": "working", "tier": "episodic"}
    found = history(
        *[(0, REMEMBERED), (1, REINFORCED), (3, EventKind.PROMOTED, promoted), (9, REINFORCED)],
        memory=made(tier=Tier.EPISODIC),
    )
    assert spans(found) == [(2, 8, True), (0, 41, False)]
    assert {interval.tier for interval in found.intervals} == {Tier.EPISODIC}


def test_nobody_finds_what_has_outlived_its_time() -> None:
    """Though a sweep may be late."""
    found = history((0, REMEMBERED), (20, EventKind.ARCHIVED), memory=made(expires_at=START + 7 * DAY))
    assert spans(found) == [(0, 7, False)]


def test_a_memory_that_came_with_a_past_is_watched_from_its_coming() -> None:
    """Before it was told, nobody could recall it; its silence is as old as it is."""
    found = history((5, REMEMBERED), (9, REINFORCED), memory=made(created_at=START - 10 * DAY))
    assert spans(found) == [(15, 19, True), (0, 41, False)]


def test_what_was_born_superseded_is_not_watched() -> None:
    assert history((0, REMEMBERED, {"status": "superseded"})).intervals == []


def test_without_its_beginning_a_memory_counts_from_its_first_use() -> None:
    assert spans(history((4, EventKind.IMPORTED), (8, REINFORCED), (9, REINFORCED))) == [(0, 1, True), (0, 41, False)]


def test_imported_events_are_read_in_the_order_of_their_times() -> None:
    """Their numbers are those of the import."""
    assert spans(history((8, REINFORCED), (0, REMEMBERED))) == [(0, 8, True), (0, 42, False)]


def test_what_comes_after_now_has_not_happened() -> None:
    assert spans(history((0, REMEMBERED), (8, REINFORCED), now=6)) == [(0, 6, False)]


@each_row(
    "given",
    [
        {"pinned": True},
        {"category": "identity"},
        {"scope": Scope("/user/health")},
        {"tier": Tier.WORKING},
        {"status": Status.QUARANTINED},
        {"trust": 0.2},
    ],
)
def test_what_does_not_fade_or_is_not_counted_says_nothing(given: dict[str, Any]) -> None:
    """What is not trusted is never reinforced: taken at its word, the log would say that nobody needs it."""
    found = history((0, REMEMBERED), (5, REINFORCED), memory=made(**given))
    assert (found.intervals, found.unfit, found.purged) == ([], 1, 0)


def test_of_what_is_gone_only_its_number_is_told() -> None:
    found = history((0, REMEMBERED), (5, REINFORCED), (6, EventKind.PURGED), memory=made(id="another"))
    assert (found.intervals, found.unfit, found.purged) == ([], 0, 1)


def test_a_category_that_the_policy_does_not_name_fades_as_the_default_does() -> None:
    [interval] = history((0, REMEMBERED), memory=made(category="sea lore")).intervals
    assert interval.category == DEFAULT.defaults.category
