"""Times that are told by the calendar already: 5 May 2023, 2023-05-05, May 2023, Q3 2024, the 1990s, in 2019."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from ..lazy_regex import lazily
from .calendar import Days, day, decade, month, quarter, season, year
from .holidays import HOLIDAY, holiday
from .rules import MONTH_OR_SHORT, NTH, SEASON, WEEKDAY, Meaning, Rule, month_number, plain, rule

_YEAR = r"(?P<year>\d{4})"
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
_FROM = r"(?:(?:from|between)\ )?(?:the\ )?"
_UNTIL = r"(?:st|nd|rd|th)?(?:\ ?[–-]\ ?|\ (?:to|until|till|through|and)\ )(?:the\ )?(?P<until>\d{1,2})(?:st|nd|rd|th)?"
_NO_DAY = r"(?<!\d\s)(?<!\dst\s)(?<!\dnd\s)(?<!\drd\s)(?<!\dth\s)"  # a day that this month has not
# What makes a number of four digits a count rather than a year: what is counted behind it.
_NO_COUNT = (
    r"(?!\ (?!(?:was|is|has|as|this|does|plus|versus|across)\b)[a-z]+s\b|[.,:/]\d|\ ?%|\ (?:USD|EUR|km|kg|people)\b)"
)


def _full(match: re.Match[str], _: date) -> Meaning:
    return Meaning(day(date(int(match["year"]), month_number(match["month"]), int(match["day"]))))


def _digits(match: re.Match[str], _: date) -> Meaning:
    return Meaning(day(date(int(match["year"]), int(match["month"]), int(match["day"]))))


def _either_way(match: re.Match[str], _: date) -> Meaning | None:
    """Day and month in either order: told apart by a number above 12, or by dots, before which the day stands."""
    one, two = int(match["one"]), int(match["two"])
    if two > 12 and match["mark"] != ".":
        one, two = two, one
    elif one <= 12 and one != two and match["mark"] != ".":
        return None
    return Meaning(day(date(int(match["year"]), two, one)))


def _stretch(match: re.Match[str], today: date) -> Meaning | None:
    """From one day of a month to another; without a year, of the nearest."""
    number = month_number(match["month"])
    years = [int(match["year"])] if match["year"] else [today.year, today.year - 1, today.year + 1]
    near = [Days(date(one, number, int(match["day"])), date(one, number, int(match["until"]))) for one in years]
    days = min(near, key=lambda one: abs((one.first - today).days))
    return Meaning(days) if days.first <= days.last else None


def _months(match: re.Match[str], _: date) -> Meaning | None:
    first, last = month_number(match["since"]), month_number(match["month"])
    last_days = month(int(match["year"]), last)
    return Meaning(Days(month(last_days.first.year - (first > last), first).first, last_days.last))


def _month_of_year(match: re.Match[str], _: date) -> Meaning:
    return Meaning(month(int(match["year"]), month_number(match["month"])))


def _season_of_year(match: re.Match[str], _: date) -> Meaning:
    return Meaning(season(plain(match["season"]), int(match["year"])))


def _quarter_of_year(match: re.Match[str], today: date) -> Meaning:
    said = match.groupdict()
    number = _ORDINALS[plain(said["nth"])] if said.get("nth") else int(said["number"])
    return Meaning(quarter(int(said["year"]) if said.get("year") else today.year, number))


def _half_of_year(match: re.Match[str], _: date) -> Meaning:
    second = plain(match["half"]) in ("h2", "second half of")
    number = int(match["year"])
    return Meaning(
        Days(date(number, 7, 1), date(number, 12, 31)) if second else Days(date(number, 1, 1), date(number, 6, 30))
    )


def _holiday_of_year(match: re.Match[str], _: date) -> Meaning:
    return Meaning(holiday(match["holiday"], int(match["year"])))


def _decade(match: re.Match[str], _: date) -> Meaning:
    short = match["short"]
    begins = int(match["begins"]) if match["begins"] else (1900 if int(short) >= 30 else 2000) + int(short)
    return Meaning(decade(begins))


def _years(match: re.Match[str], _: date) -> Meaning | None:
    first, written = int(match["since"]), match["year"]
    last = int(written) + (first // 100 * 100 if len(written) == 2 else 0)
    return Meaning(Days(date(first, 1, 1), date(last, 12, 31))) if first < last else None


def _year(match: re.Match[str], _: date) -> Meaning:
    return Meaning(year(int(match["year"])))


_MONTH_SINCE = MONTH_OR_SHORT.replace("<month>", "<since>")
RULES: Sequence[Rule] = (
    rule(rf"(?:{WEEKDAY},?\ )?(?:the\ )?{NTH}\ (?:of\ )?{MONTH_OR_SHORT},?\ {_YEAR}", _full),
    rule(rf"(?:{WEEKDAY},?\ )?{MONTH_OR_SHORT}\ (?:the\ )?{NTH},?\ {_YEAR}", _full),
    (lazily(rf"(?<![\w/.-]){_YEAR}([-/])(?P<month>\d{{1,2}})\2(?P<day>\d{{1,2}})(?=T\d|(?![\w/-]))"), _digits),
    (
        lazily(rf"(?<![\w/.-])(?P<one>\d{{1,2}})(?P<mark>[./-])(?P<two>\d{{1,2}})(?P=mark){_YEAR}(?![\w/-])"),
        _either_way,
    ),
    rule(rf"{_FROM}(?P<day>\d{{1,2}}){_UNTIL}\ (?:of\ )?{MONTH_OR_SHORT}(?:,?\ {_YEAR})?", _stretch),
    rule(rf"(?:(?:from|between)\ )?{MONTH_OR_SHORT}\ (?P<day>\d{{1,2}}){_UNTIL}(?:,?\ {_YEAR})?", _stretch),
    rule(
        rf"(?:(?:from|between)\ )?{_MONTH_SINCE}\ ?(?:–|-|to|until|through|and)\ ?{MONTH_OR_SHORT},?\ {_YEAR}", _months
    ),
    rule(rf"{_NO_DAY}{MONTH_OR_SHORT},?\ (?:of\ )?{_YEAR}", _month_of_year),
    rule(rf"(?:the\ )?{SEASON}\ (?:of\ )?{_YEAR}(?:[–/-]\d{{2,4}})?", _season_of_year),
    rule(rf"Q(?P<number>[1-4])(?:\ ?(?:of\ )?{_YEAR})?", _quarter_of_year),
    rule(rf"{_YEAR}\ ?-?Q(?P<number>[1-4])", _quarter_of_year),
    rule(rf"(?:the\ )?(?P<nth>first|second|third|fourth|last)\ quarter\ of\ {_YEAR}", _quarter_of_year),
    rule(rf"(?:the\ )?(?P<half>H[12]|(?:first|second)\ half\ of)\ {_YEAR}", _half_of_year),
    rule(rf"{HOLIDAY},?\ (?:of\ )?{_YEAR}", _holiday_of_year),
    (
        lazily(
            r"(?<![\w.,])(?:the )?(?P<begins>\d{3}0)s\b|\b(?:the |mid-|the mid-)['’]?(?P<short>\d0)s\b", re.IGNORECASE
        ),
        _decade,
    ),
    rule(
        r"(?:from\ |between\ )?(?P<since>(?:1\d|20)\d\d)\ ?(?:–|-|to|until|through|and)\ ?"
        r"(?P<year>(?:1\d|20)\d\d|\d\d)",
        _years,
    ),
    (
        lazily(
            r"(?:\b(?:in|since|from|until|till|by|during|of|before|after|around|circa|early|late|mid|throughout|year|to"
            r"|through|for|and|the|my|our|his|her|their|your|back in|than)[ -]|^|(?<=[.,;:!?(\[—–-])\s?)"
            rf"(?P<core>(?P<year>(?:1\d|20)\d\d))(?![\w-]){_NO_COUNT}".replace(r"\ ", r"\s+"),
            re.IGNORECASE,
        ),
        _year,
    ),
)
