"""Stretches of days on the calendar, and how they are written in English. Pure arithmetic: no clock, no text.

Weeks begin on Monday. Seasons are those of the northern half of the world; a winter belongs to the year it
begins in. What would lie outside the calendar raises, as the arithmetic of dates does.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SEASON_BEGINS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_ORDINALS = ("first", "second", "third", "fourth")


class Days(NamedTuple):
    """From one day to another, both included."""

    first: date
    last: date


def day(of: date, later: int = 0) -> Days:
    of += timedelta(days=later)
    return Days(of, of)


def week(of: date, later: int = 0) -> Days:
    monday = of + timedelta(days=7 * later - of.weekday())
    return Days(monday, monday + timedelta(days=6))


def weekend(of: date, later: int = 0) -> Days:
    """Saturday and Sunday of the week a day lies in."""
    monday = week(of, later).first
    return Days(monday + timedelta(days=5), monday + timedelta(days=6))


def month(year_: int, number: int) -> Days:
    """A month by its number; 0 is the December before, 13 the January after."""
    years, number = divmod(number - 1, 12)
    first = date(year_ + years, number + 1, 1)
    after = date(first.year + (number == 11), (number + 1) % 12 + 1, 1)
    return Days(first, after - timedelta(days=1))


def quarter(year_: int, number: int) -> Days:
    return Days(month(year_, 3 * number - 2).first, month(year_, 3 * number).last)


def season(name: str, year_: int) -> Days:
    begins = _SEASON_BEGINS[name]
    return Days(month(year_, begins).first, month(year_, begins + 2).last)


def year(number: int) -> Days:
    return Days(date(number, 1, 1), date(number, 12, 31))


def decade(begins: int) -> Days:
    return Days(date(begins, 1, 1), date(begins + 9, 12, 31))


def shifted(of: date, months: int) -> date:
    """The same day of another month, or the last there is."""
    whole = month(of.year, of.month + months)
    return min(whole.first + timedelta(days=of.day - 1), whole.last)


def nearest_weekday(of: date, number: int, direction: int) -> date:
    """The closest day of that name before (-1) or after (1) a day; never the day itself."""
    away = (number - of.weekday()) * direction % 7 or 7
    return of + timedelta(days=direction * away)


def part(of: Days, name: str, today: date) -> Days:
    """What `early`, `the end of` or `earlier` makes of a stretch of days."""
    length = (of.last - of.first).days
    third = timedelta(days=length // 3)
    if name in ("early", "beginning", "start"):
        return Days(of.first, of.first + third)
    if name in ("mid", "middle"):
        return Days(of.first + third, of.last - third)
    if name in ("late", "end"):
        return Days(of.last - third, of.last)
    if name == "earlier" and of.first <= today:
        return Days(of.first, min(today, of.last))
    if name in ("later", "rest") and today <= of.last:
        return Days(max(today, of.first), of.last)
    return of


def written_day(of: date) -> str:
    return f"{of.day} {written_month(of)}"


def written_month(of: date) -> str:
    return f"{MONTHS[of.month - 1]} {of.year:04}"


def written_quarter(of: date) -> str:
    return f"the {_ORDINALS[(of.month - 1) // 3]} quarter of {of.year:04}"


def written_season(name: str, of: Days) -> str:
    years = f"{of.first.year:04}"
    return f"{name} {years}" if of.last.year == of.first.year else f"{name} {years}–{of.last.year % 100:02}"
