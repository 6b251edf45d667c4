"""Days that have a name, and when they are in a year."""

from __future__ import annotations

from datetime import date, timedelta

from .calendar import Days, nearest_weekday
from .rules import Meaning, plain

_FIXED = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "boxing day": (12, 26),
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "new year's": (1, 1),
    "halloween": (10, 31),
    "valentine's day": (2, 14),
}
_THURSDAY = 3
# With a capital: `christmas` alone is as often an adjective, and the name of a day is written as a name.
HOLIDAY = (
    r"(?P<holiday>(?-i:Christmas(?:\ Eve|\ Day)?|Boxing\ Day|New\ Year['’]s(?:\ Eve|\ Day)?|Halloween"
    r"|Valentine['’]s\ Day|Thanksgiving|Easter))"
)


def holiday(name: str, year: int) -> Days:
    """The days of a holiday in a year."""
    name = plain(name).replace("’", "'")
    if name in _FIXED:
        only = date(year, *_FIXED[name])
        return Days(only, only)
    if name == "thanksgiving":  # the fourth Thursday of November
        only = nearest_weekday(date(year, 10, 31), _THURSDAY, 1) + timedelta(days=21)
        return Days(only, only)
    if name == "easter":
        sunday = _easter(year)
        return Days(sunday - timedelta(days=2), sunday + timedelta(days=1))
    return Days(date(year, 12, 24), date(year, 12, 26))


def named(name: str, days: Days, year: int) -> Meaning:
    """A holiday as it is written for whoever reads it in another year."""
    whole = plain(name) in ("christmas", "easter", "thanksgiving")
    return Meaning(days, f"{' '.join(name.split())} {year:04}", "at" if whole else "on")


def _easter(year: int) -> date:
    """The Sunday after the first full moon of spring, by the reckoning of the western churches."""
    century, rest = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    shift = (year % 19 + 11 * moon + 22 * sunday) // 451
    number, day = divmod(moon + sunday - 7 * shift + 114, 31)
    return date(year, number, day + 1)
