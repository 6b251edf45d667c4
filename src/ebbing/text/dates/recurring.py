"""Times that come back every year, told without it: in May, last spring, on 5 May, the 5th, next Christmas.

Which one is meant the text tells (`last`, the tense) or it stays open; what is said of every year stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta

from .calendar import day, month, season, written_day, written_month, written_season
from .holidays import HOLIDAY, holiday, named
from .rules import (
    DIRECTIONS,
    MONTH,
    MONTH_NAME,
    MONTH_OR_SHORT,
    NTH,
    SEASON,
    WEEKDAY,
    WHICH,
    Meaning,
    Rule,
    aim,
    guess,
    month_number,
    of_day,
    of_month,
    plain,
    rule,
)
from .tenses import Tense

# What comes back every year says nothing of one of them.
_YEARLY = re.compile(r"\b(?:born|birthdays?|anniversar\w+|every|each|annual\w*|yearly|always|usually)\b", re.IGNORECASE)
_NEAR = 80  # characters
_NTH_BEFORE = r"(?:on|by|until|till|since|before|after|from|for)"
_NTH_BEHIND = (
    r"(?=\s*(?:[,.;!?)]|$)|\s+(?:at|and|or|for|with|to|in|i|we|you|he|she|they|it|because|but|so|when|is|was|will)\b)"
)


def _month(match: re.Match[str], today: date) -> Meaning:
    number, which = month_number(match["month"]), plain(match["which"])
    if DIRECTIONS.get(which) == -1:
        return of_month(month(today.year - (number >= today.month), number))
    if which == "this":
        return of_month(month(today.year, number))
    coming = of_month(month(today.year + (number <= today.month), number))
    # In March, `next May` is this year's for some and next year's for others.
    return coming if coming.days.first.year > today.year or which != "next" else guess(coming)


def _season(match: re.Match[str], today: date) -> Meaning:
    name, which = plain(match["season"]), plain(match["which"])
    near = [season(name, year_) for year_ in range(max(1, today.year - 2), today.year + 2)]
    if DIRECTIONS.get(which) == -1:
        days = max(one for one in near if one.last < today)
    elif which == "this":
        days = next((one for one in near if one.first <= today <= one.last), season(name, today.year))
    else:
        days = min(one for one in near if one.first > today)
    meaning = Meaning(days, written_season(name, days), "in")
    return guess(meaning) if which == "next" and days.first.year == today.year else meaning


def _holiday(match: re.Match[str], today: date) -> Meaning:
    which = plain(match["which"])
    near = [(holiday(match["holiday"], year_), year_) for year_ in (today.year - 1, today.year, today.year + 1)]
    if DIRECTIONS.get(which) == -1:
        days, year_ = max(one for one in near if one[0].last < today)
    elif which == "this":
        days, year_ = near[1]
    else:
        days, year_ = min(one for one in near if one[0].first > today)
    return named(match["holiday"], days, year_)


def _yearly(match: re.Match[str], today: date, inside: Callable[[int], Meaning]) -> Meaning:
    """What comes once a year: the one before or the one to come, where the text tells."""
    near = [inside(year_) for year_ in (today.year - 1, today.year, today.year + 1)]
    direction = aim(match)
    if direction is Tense.PAST:
        return max((one for one in near if one.days.first <= today), key=lambda one: one.days)
    if direction is Tense.FUTURE:
        return min((one for one in near if one.days.last >= today), key=lambda one: one.days)
    return guess(min(near, key=lambda one: abs((one.days.first - today).days)))


def _told_once(match: re.Match[str], meaning: Meaning) -> Meaning:
    beside = match.string[max(0, match.start() - _NEAR) : match.end() + _NEAR]
    return guess(meaning) if _YEARLY.search(beside) else meaning


def _in_month(match: re.Match[str], today: date) -> Meaning:
    number = month_number(match["month"])

    def inside(year_: int) -> Meaning:
        days = month(year_, number)
        return Meaning(days, written_month(days.first))

    return _told_once(match, _yearly(match, today, inside))


def _in_season(match: re.Match[str], today: date) -> Meaning:
    return guess(_yearly(match, today, lambda year_: Meaning(season(plain(match["season"]), year_))))


def _at_holiday(match: re.Match[str], today: date) -> Meaning:
    return guess(_yearly(match, today, lambda year_: Meaning(holiday(match["holiday"], year_))))


def _day_of_month(match: re.Match[str], today: date) -> Meaning:
    number = month_number(match["month"])

    def inside(year_: int) -> Meaning:
        then = date(year_, number, int(match["day"]))
        return Meaning(day(then), written_day(then))

    return _told_once(match, _yearly(match, today, inside))


def _nth(match: re.Match[str], today: date) -> Meaning | None:
    """`The 5th`, of this month or the one next to it."""
    near = [month(today.year, today.month + later).first for later in (-1, 0, 1)]
    days = [first + timedelta(days=int(match["day"]) - 1) for first in near]
    fit = [then for then, first in zip(days, near, strict=True) if then.month == first.month and match["day"] != "0"]
    direction = aim(match)
    if direction is Tense.PAST:
        return of_day(day(max(then for then in fit if then <= today)))
    if direction is Tense.FUTURE:
        return of_day(day(min(then for then in fit if then >= today)))
    return Meaning(day(min(fit, key=lambda then: abs((then - today).days))))


RULES: Sequence[Rule] = (
    rule(rf"{WHICH}\ {MONTH}(?!\ \d)", _month),
    rule(rf"{WHICH}\ {SEASON}", _season),
    rule(rf"{WHICH}\ {HOLIDAY}", _holiday),
    rule(
        rf"(?:in|since|by|until|till|before|after|from|during|early|late|mid)\ (?P<core>{MONTH})"
        r"(?!\s*,?\s*\d|\ (?:to|through|and)\ )",
        _in_month,
    ),
    rule(rf"(?:in|during|since|until|over)\ (?P<core>(?:the\ )?{SEASON})(?!\ (?:of\ )?\d)", _in_season),
    rule(rf"(?:at|on|over|for|since|by|before|after)\ (?P<core>{HOLIDAY})(?!,?\ \d)", _at_holiday),
    rule(rf"(?:{WEEKDAY},?\ )?(?:the\ )?{NTH}\ (?:of\ )?{MONTH_OR_SHORT}(?!,?\s*\d{{4}})", _day_of_month),
    rule(
        rf"(?:{WEEKDAY},?\ )?{MONTH_OR_SHORT}\ (?:the\ )?{NTH}"
        rf"(?!,?\s*\d{{4}}|[:.,]?\d|\s*[ap]\.?m\b|\s*[–-]|\ {MONTH_NAME})",
        _day_of_month,
    ),
    rule(rf"{_NTH_BEFORE}\ (?P<core>the\ (?P<day>[1-9]|[12]\d|3[01])(?:st|nd|rd|th)){_NTH_BEHIND}", _nth),
)
