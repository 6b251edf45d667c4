"""What time it is: the wall, and a counter of the days on which an owner used the system."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing.domain.clock import Activity, Moment, SystemClock, calendar_day
from tests.tables import each_row

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
FIRST = date(2026, 1, 1).toordinal()
uses = st.lists(st.integers(0, 100_000), max_size=30).map(lambda hours: [NOON + timedelta(hours=h) for h in hours])


def after(*days: int) -> Activity:
    """The counter after a use on each of these days of January."""
    activity = Activity()
    for day in days:
        activity = activity.used(datetime(2026, 1, day, 12, tzinfo=UTC))
    return activity


def test_the_first_day_of_use_has_its_number_in_the_calendar() -> None:
    """So that whatever is older is aged by the calendar, without a special case."""
    assert after(1) == Activity(FIRST, date(2026, 1, 1))


def test_each_further_day_of_use_counts_one_however_far_it_is() -> None:
    """A holiday ages nothing."""
    assert after(1, 2).day == FIRST + 1
    assert after(1, 31).day == FIRST + 1
    assert after(1, 5, 20, 31).day == FIRST + 3


def test_a_day_counts_once_however_often_it_is_used() -> None:
    """Distinct days, not uses; and the very same value, so that nothing need be written."""
    once = after(1, 2)
    assert once.used(datetime(2026, 1, 2, 23, 59, 59, tzinfo=UTC)) is once


def test_today_counts_nothing() -> None:
    """A memory touched today is fresh until the day ends."""
    today = after(1, 2, 3)
    touched_on = today.day_at(datetime(2026, 1, 3, 0, 0, tzinfo=UTC))
    assert today.day_at(datetime(2026, 1, 3, 23, 59, tzinfo=UTC)) - touched_on == 0


def test_the_counter_stands_still_while_nobody_uses_it() -> None:
    """A sweep at night, a month later, is not a use."""
    activity = after(1, 2)
    assert activity.day_at(NOON + timedelta(days=30)) == activity.day


def test_the_counter_never_goes_back() -> None:
    """A clock that is a little behind changes nothing."""
    activity = after(10, 11)
    assert activity.used(datetime(2026, 1, 10, tzinfo=UTC)) is activity


def test_one_wrong_clock_does_not_stop_forgetting_for_good() -> None:
    """A single use dated far ahead was a mistake; the days after it count again."""
    activity = after(10).used(datetime(2099, 1, 1, tzinfo=UTC))
    wrong = activity.day
    for day in (11, 12, 12, 13):
        activity = activity.used(datetime(2026, 1, day, tzinfo=UTC))
    assert activity.day == wrong + 3


def test_with_no_use_on_record_the_calendar_counts() -> None:
    """An import into an empty store ages by real days."""
    assert Activity().day_at(NOON) == FIRST
    assert Activity().day_at(NOON + timedelta(days=9)) - Activity().day_at(NOON) == 9


def test_what_is_older_than_the_first_use_is_aged_by_the_calendar() -> None:
    """Thirty days before the first day of use are thirty days."""
    before = calendar_day(NOON - timedelta(days=30))
    assert after(1).day_at(NOON) - before == 30
    assert after(1, 15).day_at(NOON) - before == 31


@given(uses)
def test_the_counter_counts_distinct_days_and_never_falls(several: list[datetime]) -> None:
    """In whatever order the uses arrive, it only rises, and by one at most."""
    activity, seen = Activity(), []
    for at in several:
        used = activity.used(at)
        seen.append(used.day)
        assert used.day - activity.day in (0, 1) or activity.date is None
        assert used.date is not None
        activity = used
    assert seen == sorted(seen)


@given(uses)
def test_uses_in_order_make_the_number_of_distinct_days(several: list[datetime]) -> None:
    """The counter is exactly how many different days there were."""
    activity = Activity()
    for at in sorted(several):
        activity = activity.used(at)
    days = {at.date() for at in several}
    assert activity.day == (min(days).toordinal() + len(days) - 1 if days else 0)


@each_row("hours", [-12, -5, 0, 5.75, 14])
def test_a_day_is_a_utc_day_wherever_the_clock_stands(hours: float) -> None:
    """Two agents of one owner in two places count the same days."""
    zone = timezone(timedelta(hours=hours))
    assert calendar_day(NOON.astimezone(zone)) == FIRST
    assert Activity().used(NOON.astimezone(zone)) == after(1)
    assert after(1).used(NOON.astimezone(zone)) == after(1)


def test_midnight_is_utc_midnight() -> None:
    """Half past eleven at night in New York is the next day already."""
    new_york = timezone(timedelta(hours=-5))
    assert calendar_day(datetime(2026, 1, 1, 23, 30, tzinfo=new_york)) == FIRST + 1


def test_a_moment_and_a_counter_are_frozen() -> None:
    """A present does not change while it is acted on."""
    for value, field in ((Moment(NOON, 5), "day"), (Activity(), "day")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, field, 6)


def test_the_system_clock_knows_its_zone() -> None:
    """An instant without one would be a guess."""
    assert SystemClock().now().tzinfo is UTC
