"""What time it is: on the wall, and in days an owner has used the system.

The only module that asks the system for the time. Everything else receives it.

An owner's days of use are a counter. It starts, on the first day of use, at that day's
calendar number, and goes up by one on each further day of use. Two things follow. A
holiday ages nothing, because the counter stands still. And whatever is older than the first
day of use is aged by the calendar, because before it the counter *is* the calendar; with
no use on record at all, everything is. Days are UTC days.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Protocol

from .errors import Invalid, shown
from .memory import LATEST_YEAR

CLOCKS_DIFFER = timedelta(days=2)  # at most, between machines that mean the same day


MICROS_A_DAY = 86_400_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def micros(at: datetime) -> int:
    """An instant as microseconds since 1970, which is exact."""
    return (at - _EPOCH) // _MICROSECOND


def from_micros(number: int) -> datetime:
    return _EPOCH + timedelta(0, 0, number)


class Clock(Protocol):
    """Anything that knows what time it is."""

    def now(self) -> datetime:
        """The present instant, with its zone."""
        ...


class SystemClock:
    """The time of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class CheckedClock:
    """A clock whose every answer is checked: an instant with a zone, in a year that ids and spans can reach."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def now(self) -> datetime:
        """The present instant; `Invalid` when the clock says what cannot be one."""
        at: Any = self._clock.now()
        if not isinstance(at, datetime) or at.utcoffset() is None:
            raise Invalid(f"the clock says {shown(at)}, which is no time with a zone; let now() give datetime.now(UTC)")
        if at < _EPOCH or at.year > LATEST_YEAR:
            raise Invalid(
                f"the clock says {shown(str(at))}; a clock is right when it is between the years {_EPOCH.year} "
                f"and {LATEST_YEAR}: set it"
            )
        return at


@dataclass(frozen=True, slots=True)
class Activity:
    """How far an owner's counter of days of use has come."""

    day: int = 0  # the counter on `date`; meaningless while there is no date
    date: date | None = None  # the last day of use; None: no use on record

    def day_at(self, now: datetime) -> int:
        """The counter as it stands now; the calendar where no use is on record."""
        return calendar_day(now) if self.date is None else self.day

    def used(self, now: datetime) -> Activity:
        """The counter after a use at `now`: unchanged within a day, and never lower.

        A date a little behind the last is another machine's clock. One far behind means that the last was a
        wrong clock's, and waiting for it to come would stop all forgetting: it counts as a new day.
        """
        today = now.astimezone(UTC).date()
        if self.date is None:
            return Activity(today.toordinal(), today)
        if today > self.date or self.date - today > CLOCKS_DIFFER:
            return Activity(self.day + 1, today)
        return self


@dataclass(frozen=True, slots=True)
class Moment:
    """A present: the instant on the wall and the owner's day of use."""

    at: datetime
    day: int


class Calendar:
    """An owner's days of use by date: which counter an instant had, and when a counter was reached.

    A clock that was wrong may have left a date out of turn, with a counter below an earlier date's. Read in the order
    of dates the counter never falls, or a moment could lie before itself.
    """

    def __init__(self, days: Sequence[tuple[date, int]] = ()) -> None:
        self._dates = [date_ for date_, _ in days]
        self._days = list(itertools.accumulate((day for _, day in days), max))

    def at(self, instant: datetime) -> Moment:
        """An instant with the counter it had; before the first day of use that is the calendar."""
        place = bisect.bisect_right(self._dates, instant.astimezone(UTC).date())
        return Moment(instant, self._days[place - 1] if place else calendar_day(instant))

    def on(self, day: int) -> Moment:
        """The first moment of a day of use."""
        place = bisect.bisect_left(self._days, day)
        known = 0 < place < len(self._days) or (place == 0 and self._days[:1] == [day])
        return Moment(_midnight(self._dates[place] if known else date.fromordinal(day)), day)


def next_midnight(at: datetime) -> datetime:
    """The first instant of the UTC day after."""
    return _midnight(at.astimezone(UTC).date() + timedelta(days=1))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def calendar_day(at: datetime) -> int:
    """The number of the UTC day that `at` falls on."""
    return at.astimezone(UTC).date().toordinal()
