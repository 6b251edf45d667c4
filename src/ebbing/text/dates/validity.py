"""Until when a text says that it holds: "on leave until June 1", "for the next three weeks", "the sale ends Friday".

Three kinds of wording are told apart. An *end* is said in so many words: until, through, ends, expires, today only, for
the next three weeks. A *deadline* is the last day for doing something: by Friday, due Friday. A *date* only says when
something is: dentist on the 12th. The first holds for any text; the other two say when a task or an appointment is
over, and nothing about a fact ("by 2030 the plant will be closed"), so the caller, who knows what kind of text it is,
decides about them. Hours that come back every week (open until 8 pm on weekdays, Monday through Friday) end nothing,
and neither does what is told of the past. Pure: the instant of the text is an argument.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import IntEnum
from itertools import islice

from ..lazy_regex import lazily
from . import calendar, found
from .calendar import WEEKDAYS
from .holidays import HOLIDAY, holiday
from .rules import COUNT, count, plain
from .tenses import Tense, tense
from .validity_languages import english_ends

_FARTHEST = timedelta(days=366 * 40)  # what is said to hold for longer has no end that matters


class Wording(IntEnum):
    """How an end is said; the surest first."""

    END = 0
    DEADLINE = 1
    DATE = 2


@dataclass(frozen=True, slots=True)
class End:
    """The last day on which a text holds, by its own words."""

    last: date
    wording: Wording


_TO_A_DAY = r"(?:\s+(?:on|at|by|around|about|next\s+on))?\s+"
_END = lazily(
    r"\b(?:(?P<until>until|untill|till|til|up\s+to|through(?:out)?|thru|not\s+before)"
    r"|(?:ends?|ending|expires?|expiring|runs?\s+out|running\s+out|closes|finishes|is\s+over|are\s+over|lapses|terminates"
    r"|best\s+before|use\s+by|good\s+for\s+use\s+by|last\s+day(?:\s+is)?|last\s+chance(?:\s+is)?)[:,]?)" + _TO_A_DAY,
    re.IGNORECASE,
)
_DEADLINE = lazily(
    r"\b(?:by|before|due(?:\s+(?:on|by))?|deadline(?:\s+is)?:?|no\s+later\s+than|not\s+later\s+than|at\s+the\s+latest)"
    + _TO_A_DAY,
    re.IGNORECASE,
)
_ONLY = lazily(
    r"\b(?:(?P<before>just|only)\s+(?:for\s+)?(?P<day>today|tonight|tomorrow|this\s+(?:week(?:end)?|morning|afternoon|evening"
    r"|month))"
    r"|(?:for\s+)?(?P<day_>today|tonight|tomorrow|this\s+(?:week(?:end)?|morning|afternoon|evening|month))\s+only)\b",
    re.IGNORECASE,
)
_SPAN = rf"{COUNT}\s+(?:more\s+|whole\s+)?(?P<unit>day|night|week|weekend|fortnight|month|year)s?\b".replace(
    r"\ ", r"\s+"
)
_NEXT_SPAN = lazily(
    rf"\b(?:(?:for|over|during|in|these|within)\s+)?(?:the\s+)?(?:next|coming|following)\s+{_SPAN}"
    r"|\b(?:for|over|during)\s+the\s+(?:next|coming)\s+(?P<one>week|month|year)\b"
    rf"|\bfor\s+another\s+{_SPAN.replace('<count>', '<count_>').replace('<unit>', '<unit_>')}",
    re.IGNORECASE,
)
_FOR_SPAN = lazily(
    rf"\b(?:for|lasts?|takes?)\s+(?:about\s+|around\s+|roughly\s+|at\s+least\s+|up\s+to\s+)?{_SPAN}", re.IGNORECASE
)
_STANDS_NOW = lazily(
    r"(?:\b(?:am|is|are|will\s+be|going|staying|visiting|away|off|out|closed|here|borrowing|housesitting|wears?|wearing"
    r"|lent|borrowed|taking|on\s+(?:leave|holiday|vacation|call|loan|trial))\b|(?<=\w)['’](?:m|re|s|ll)\b)",
    re.IGNORECASE,
)
_WAS = lazily(
    r"\b(?:have|has|had|haven['’]t|hasn['’]t|been|was|were|wasn['’]t|weren['’]t|did|ago|used\s+to"
    r"|lived|worked|stayed|studied|rented|dated|played|served|taught|owned|drove|slept|waited|kept|ran|went|spent)\b"
    r"|(?<=\w)['’](?:ve|d)\b",
    re.IGNORECASE,
)
_COMES_BACK = lazily(
    rf"\b(?:every|each|always|usually|normally|generally|daily|weekly|monthly|yearly|annually|weekdays|weekends"
    rf"|per\s+week|(?:{'|'.join(WEEKDAYS)})s|office\s+hours|opening\s+hours"
    r"|open(?:s|ing)?(?=\b[^.]{0,60}\b(?:to|until|till|through|-|–)\b)(?=[^.]{0,60}\d))\b",
    re.IGNORECASE,
)
_WEEKDAY_BEFORE = lazily(
    rf"\b(?:{'|'.join(f'{day[:3]}(?:{day[3:]})?' for day in WEEKDAYS)}|Tues|Thurs?)\.?,?\s*$", re.IGNORECASE
)
_IS_WEEKDAY = lazily(
    rf"(?:this\s+|next\s+|coming\s+)*(?:{'|'.join(WEEKDAYS)}|(?:mon|tues?|wed|thu|thurs?|fri|sat|sun)\b)", re.IGNORECASE
)
_CLOCK = lazily(
    r"(?:\d{1,2}(?::\d\d)?\s?(?:am|pm|a\.m\.|p\.m\.|o['’]clock)|\d{1,2}:\d\d|noon|midnight|lunch|dinner|bedtime|tonight)\b",
    re.IGNORECASE,
)
_TODAY = lazily(r"\b(?:today|tonight|right\s+now|this\s+(?:morning|afternoon|evening))\b", re.IGNORECASE)
_NAMES_A_DAY = lazily(r"(?:the\s+)?(?:\d|[A-Z][a-z]{2}|end\s+of)")
_TO_COME = lazily(r"\b(?:tomorrow|next|in\s+\w+\s+(?:days?|weeks?|months?))\b", re.IGNORECASE)
_END_OF_WHAT = lazily(r"(?:the\s+)?end\s+of\s+(?!the\b|this\b)", re.IGNORECASE)
_END_OF = lazily(
    r"(?:(?:the\s+)?end\s+of\s+(?:the\s+|this\s+)?(?=day|week|month|quarter|year)|(?:after\s+)?the\s+(?=weekend))"
    r"(?P<unit>day|week(?:end)?|month|quarter|year)\b",
    re.IGNORECASE,
)
_MONTH_OF_YEAR = lazily(r"(?P<month>0?[1-9]|1[0-2])[/.](?P<year>20\d\d)\b")
_HOLIDAY = lazily(HOLIDAY.replace(r"\ ", " "), re.IGNORECASE)
_CODE = lazily(r"`[^`\n]*`|\b[a-z][a-z0-9+.-]{0,20}://\S+", re.IGNORECASE)
_SENTENCE = lazily(r"(?<!\b\d)(?<!\b\d\d)[.!?]\s+(?=[A-Z\"“'])|\n+")  # no date is cut: "bis 1. Juni"
_MONTH = 31  # days: a longer time is none that something is on
_CHARACTERS_MAX = 2000  # a longer text is no single statement, and is not read
_CUES_MAX = 20  # in a sentence; further ones are not read
_READ_MOST = 60  # characters behind a cue in which its day stands


def end_in(text: str, at: datetime) -> End | None:
    """The last day on which a text holds, with the surest wording it has for that; None: it says nothing of an end.

    Of several ends the latest: what holds "until June, then until July" holds until July.
    """
    if len(text) > _CHARACTERS_MAX:
        return None
    today = at.date()
    by_wording: dict[Wording, list[date]] = {}
    for sentence in _SENTENCE.split(_CODE.sub(" ", text)):
        ends = [
            *_ends(sentence, today, at),
            *(end for said in english_ends(sentence) for end in _ends(said, today, at)),
        ]
        for wording, last in ends:
            if today <= last <= today + _FARTHEST:
                by_wording.setdefault(wording, []).append(last)
    if not by_wording:
        return None
    wording = min(by_wording)
    return End(max(by_wording[wording]), wording)


def is_one_statement(text: str) -> bool:
    """Whether a text is one sentence: of several, one may hold for longer than the end that another one names."""
    return len([part for part in _SENTENCE.split(text.strip()) if part.strip()]) <= 1


def _ends(sentence: str, today: date, at: datetime) -> list[tuple[Wording, date]]:
    comes_back = bool(_COMES_BACK.search(sentence))
    told: list[tuple[Wording, date]] = []
    for wording, cue in ((Wording.END, _END), (Wording.DEADLINE, _DEADLINE)):
        for match in islice(cue.finditer(sentence), _CUES_MAX):
            told += _behind(sentence, match, wording, at, comes_back=comes_back)
    for match in _ONLY.finditer(sentence):
        last = _day_of((match["day"] or match["day_"]).lower(), at)
        told += [] if last is None else [(Wording.END, last)]
    for match in _NEXT_SPAN.finditer(sentence):
        said = match.groupdict()
        number, unit = said["count"] or said["count_"] or "one", said["unit"] or said["unit_"] or said["one"]
        told.append((Wording.END, _after(number, unit, today)))
    if _STANDS_NOW.search(sentence) and not _WAS.search(sentence) and not comes_back:
        told += [
            (Wording.DEADLINE, _after(match["count"], match["unit"], today)) for match in _FOR_SPAN.finditer(sentence)
        ]
    if not told and not comes_back:
        told = _dates(sentence, at)
    return told


def _behind(
    sentence: str, cue: re.Match[str], wording: Wording, at: datetime, *, comes_back: bool
) -> list[tuple[Wording, date]]:
    """What stands behind a cue, as a day."""
    rest = sentence[cue.end() : cue.end() + _READ_MOST]
    is_weekday = bool(_IS_WEEKDAY.match(rest))
    if is_weekday and (comes_back or _WEEKDAY_BEFORE.search(sentence[: cue.start()])):
        return []  # Monday through Friday
    if _CLOCK.match(rest):
        # A time of the day ends something only where the day is today: shops close at eight every day.
        return [(wording, at.date())] if _TODAY.search(sentence) and not comes_back else []
    if comes_back and not _NAMES_A_DAY.match(rest):
        return []
    if tense(sentence, cue.start(), cue.end()) is Tense.PAST and _WAS.search(sentence[: cue.start()]):
        return []  # "I lived there until June": over, whichever June it was
    last = _day_of(rest, at)
    return [] if last is None else [(wording, last)]


def _day_of(said: str, at: datetime) -> date | None:
    """The last day of the time at the beginning of some words, the next one there is."""
    if match := _END_OF.match(said):
        return _period_end(plain(match["unit"]), at.date())
    if match := _MONTH_OF_YEAR.match(said):
        return calendar.month(int(match["year"]), int(match["month"])).last
    if match := _HOLIDAY.match(said):
        days = (holiday(match["holiday"], at.year + more) for more in (0, 1))
        named = [one.last for one in days if one.last >= at.date()]
        if named and not re.match(r"\s*,?\s*(?:of\s+)?\d{4}", said[match.end() :]):
            return named[0]
    if match := _END_OF_WHAT.match(said):
        return _day_of(said[match.end() :], at)
    # Behind "until" a day is one to come; that is how these rules read it.
    lead = "until "
    whens = [when for when in found(lead + said, at) if when.start <= len(lead) + len("the ")]
    return whens[0].last if whens else None


def _period_end(unit: str, today: date) -> date:
    if unit == "day":
        return today
    if unit == "week":
        return calendar.week(today).last
    if unit == "weekend":
        return calendar.weekend(today).last
    if unit == "month":
        return calendar.month(today.year, today.month).last
    if unit == "quarter":
        return calendar.quarter(today.year, (today.month + 2) // 3).last
    return calendar.year(today.year).last


def _after(counted: str, unit: str, today: date) -> date:
    number, unit = count(counted), plain(unit)
    if unit in ("month", "year"):
        return calendar.shifted(today, number * (12 if unit == "year" else 1))
    length = {"day": 1, "night": 1, "week": 7, "weekend": 7, "fortnight": 14}[unit]
    return today + timedelta(days=number * length)


def _dates(sentence: str, at: datetime) -> list[tuple[Wording, date]]:
    """The days that something is on, where the sentence does not look back."""
    told = []
    for when in found(sentence, at):
        looks_back = tense(sentence, when.start, when.end) is Tense.PAST and not _TO_COME.search(when.said)
        if looks_back or (when.last - when.first).days > _MONTH:
            continue
        last = when.last if when.last >= at.date() else _day_of(sentence[when.start :][:_READ_MOST], at)
        if last is not None:
            told.append((Wording.DATE, last))
    return told
