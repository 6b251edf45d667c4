"""Times told from where the speaker stands: yesterday, last week, on Monday, two years ago.

A meaning has words of its own where it is sure. Where a text leaves open which Monday is meant it has none, and its
days are a guess for whoever asks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from .calendar import (
    MONTHS,
    Days,
    day,
    month,
    nearest_weekday,
    quarter,
    shifted,
    week,
    weekend,
    written_day,
    written_quarter,
    year,
)
from .rules import (
    COUNT,
    DIRECTIONS,
    DOT,
    WEEKDAY,
    WHICH,
    Meaning,
    Read,
    Rule,
    aim,
    around,
    count,
    guess,
    looks,
    of_day,
    of_month,
    of_week,
    of_weekend,
    of_year,
    plain,
    rule,
    weekday_number,
)
from .tenses import Tense

_PART = r"(?P<part>(?-i:morning|afternoon|evening|night))"
_SHORT = rf"(?P<short>(?-i:Mon|Tues?|Wed|Thu|Thurs?|Fri|Sat|Sun))\b{DOT}"
_PERIOD = r"(?P<unit>week|month|year|weekend|quarter)"
_LENGTH = r"(?P<unit>day|week|fortnight|month|year|decade)s?"
_ROUGHLY = r"(?:(?P<roughly>about|around|roughly|approximately|almost|nearly|maybe)\ )?"
_VAGUE = r"(?:a\ few|few|several|some|many)"
_NOT_OF = rf"(?!\ of\b|\ in\ (?:the\ month|{'|'.join(MONTHS)}))"  # `last week of May`, `last Friday in June`
# `Monday to Friday`, `Friday the 13th`, `Sunday Times`, `Monday.com` are no day on a calendar.
_ALONE = r"(?!['’]|\.\w|\ (?:to|through|the)\ |\ (?:morning|afternoon|evening|night)s|\ (?-i:[A-Z][a-z])|\ ?[–/])"
_NOT_EVERY = (
    r"(?<!last\s)(?<!next\s)(?<!this\s)(?<!past\s)(?<!coming\s)(?<!that\s)"
    r"(?<!every\s)(?<!each\s)(?<!the\s)(?<!a\s)(?<!one\s)(?<!most\s)(?<!good\s)(?<!black\s)(?<!cyber\s)(?<!\w[–/])"
    r"(?<!day\sto\s)(?<!day\sthrough\s)"
)
_AS_IF = re.compile(r"\b(?:like|as if|as though)\s+(?:it was\s+)?(?:just\s+|only\s+)?$", re.IGNORECASE)  # … yesterday
_LENGTHS = {"day": 1, "week": 7, "fortnight": 14, "month": 31, "year": 366, "decade": 3660}  # in days, at most


def _day_word(match: re.Match[str], today: date) -> Meaning | None:
    word = plain(match["word"])
    if _AS_IF.search(match.string[max(0, match.start() - 40) : match.start()]):
        return None
    later = {"the day before yesterday": -2, "yesterday": -1, "tomorrow": 1, "the day after tomorrow": 2}.get(word, 0)
    return of_day(day(today, later), match["part"] or ("evening" if word == "tonight" else None))


def _part_of_day(match: re.Match[str], today: date) -> Meaning:
    return of_day(day(today, DIRECTIONS.get(plain(match["which"]), 0)), match["part"])


def _period(match: re.Match[str], today: date) -> Meaning:
    return _period_away(plain(match["unit"]), DIRECTIONS.get(plain(match["which"]), 0), today)


def _period_beyond(match: re.Match[str], today: date) -> Meaning:
    return _period_away(plain(match["unit"]), -2 if plain(match["beyond"]) == "before last" else 2, today)


def _period_at_hand(match: re.Match[str], today: date) -> Meaning:
    """`The end of the month`: of this one, unless it is told of another time."""
    meaning = _period_away(plain(match["unit"]), 0, today)
    return guess(meaning) if looks(match) is Tense.PAST else meaning


def _the_weekend(match: re.Match[str], today: date) -> Meaning:
    direction = looks(match)
    if direction is Tense.FUTURE:
        return of_weekend(weekend(today))
    over = of_weekend(weekend(today, 0 if today.weekday() == 6 else -1))
    return over if direction is Tense.PAST else guess(over)


def _period_away(unit: str, later: int, today: date) -> Meaning:
    if unit == "week":
        return of_week(week(today, later))
    if unit == "weekend":
        return of_weekend(weekend(today, later))
    if unit == "month":
        return of_month(month(today.year, today.month + later))
    if unit == "quarter":
        first = month(today.year, 3 * ((today.month - 1) // 3) + 1 + 3 * later).first
        return Meaning(quarter(first.year, (first.month + 2) // 3), written_quarter(first), "in")
    return of_year(year(today.year + later))


def _weekday(match: re.Match[str], today: date) -> Meaning:
    said = match.groupdict()
    number, part = weekday_number(said.get("weekday") or said["short"]), said.get("part")
    which = plain(said.get("which"))
    if said.get("week"):
        return of_day(day(week(today, DIRECTIONS.get(plain(said["week"]), 0)).first, number), part)
    if which == "next":
        # Of next week: one that comes before that is `this Friday`, or just `Friday`.
        return of_day(day(week(today, 1).first, number), part)
    direction = DIRECTIONS.get(which) or int(aim(match))
    if which == "this" and direction >= 0:
        return of_day(day(today, (number - today.weekday()) % 7), part)
    meaning = of_day(day(nearest_weekday(today, number, direction or -1)), part)
    return meaning if direction or which else guess(meaning)


def _away(direction: int) -> Read:
    def read(match: re.Match[str], today: date) -> Meaning:
        said = match.groupdict()
        if said.get("exactly"):
            today += timedelta(days={"yesterday": -1, "tomorrow": 1}.get(said["exactly"].lower(), 0))
            return of_day(_exactly(count(match["count"]) * direction, plain(match["unit"]), today))
        rough = bool(said.get("roughly")) or "couple" in match["count"].lower()
        return _about(direction * count(match["count"]), plain(match["unit"]), today, rough=rough)

    return read


def _exactly(number: int, unit: str, today: date) -> Days:
    months = {"month": number, "year": 12 * number, "decade": 120 * number}.get(unit)
    return day(today, number * _LENGTHS[unit]) if months is None else day(shifted(today, months))


def _about(number: int, unit: str, today: date, *, rough: bool) -> Meaning:
    if unit == "day":
        meaning = of_day(day(today, number))
        return around(meaning, 1) if rough else meaning
    if unit in ("week", "fortnight"):
        return around(of_day(_exactly(number, unit, today)), 3)
    if unit == "month":
        meaning = of_month(month(today.year, today.month + number))
        return around(meaning, 31) if rough or abs(number) > 12 else meaning
    number *= 10 if unit == "decade" else 1
    meaning = of_year(year(today.year + number))
    return around(meaning, 366) if rough or abs(number) >= 10 else meaning


def _and_a_half(match: re.Match[str], today: date) -> Meaning:
    months = 12 * count(match["count"]) + 6 if match["count"] else 6
    return around(of_month(month(today.year, today.month - months)), 31)


def _in_a_while(match: re.Match[str], today: date) -> Meaning | None:
    """`In three days` is when, or how long it took."""
    direction, meaning = looks(match), _away(1)(match, today)
    if direction is Tense.FUTURE:
        return meaning
    return (
        None if direction is Tense.PAST or match["count"].lower() in ("a", "an") or meaning is None else guess(meaning)
    )


def _this_time(match: re.Match[str], today: date) -> Meaning:
    then = _exactly(DIRECTIONS[plain(match["which"])], plain(match["unit"]), today)
    return around(of_day(then), 3)


def _rolling(match: re.Match[str], today: date) -> Meaning:
    """The last three weeks, up to now."""
    said = match.groupdict()
    number = count(said["count"]) if said.get("count") else 5 if said.get("vague") else 1
    far = _exactly(number * DIRECTIONS[plain(match["which"])], plain(match["unit"]), today).first
    return Meaning(Days(min(far, today), max(far, today)))


def a_few_ago(unit: str, today: date) -> Days:
    """A few weeks before a day: from two to six of them."""
    return Days(_exactly(-6, unit, today).first, _exactly(-2, unit, today).last)


def _vaguely_ago(match: re.Match[str], today: date) -> Meaning:
    days = a_few_ago(plain(match["unit"]), today)
    return Meaning(days, f"{plain(match[0].rsplit(maxsplit=1)[0])} before {written_day(today)}")


RULES: Sequence[Rule] = (
    rule(
        r"(?P<word>the\ day\ before\ yesterday|the\ day\ after\ tomorrow|today|yesterday|tomorrow|tonight)"
        rf"(?:\ {_PART})?",
        _day_word,
    ),
    rule(r"(?P<which>this)\ (?P<part>morning|afternoon|evening)", _part_of_day),
    rule(r"(?P<which>last)\ (?P<part>night|evening)", _part_of_day),
    rule(rf"{WHICH}\ {_PERIOD}{_NOT_OF}", _period),
    rule(rf"the\ {_PERIOD}\ (?P<beyond>before\ last|after\ next)", _period_beyond),
    rule(
        rf"(?:end|beginning|start|middle|rest)\ of\ (?P<core>the\ (?P<unit>week|month|year|quarter)){_NOT_OF}",
        _period_at_hand,
    ),
    rule(rf"(?:over|on|at|for|during|until|till|by)\ (?P<core>the\ weekend){_NOT_OF}", _the_weekend),
    rule(rf"{WHICH}\ (?:{WEEKDAY}|{_SHORT})(?:\ {_PART})?{_NOT_OF}", _weekday),
    rule(rf"{WEEKDAY}(?:\ {_PART})?,?(?:\ of)?\ (?P<week>last|this|next)\ week", _weekday),
    rule(rf"(?:on|by|until|till|since|for)\ (?P<core>(?:{WEEKDAY}|{_SHORT})(?:\ {_PART})?){_ALONE}", _weekday),
    rule(rf"{_NOT_EVERY}{WEEKDAY}(?:\ {_PART})?{_ALONE}", _weekday),
    rule(rf"{_ROUGHLY}{COUNT}\ {_LENGTH}\ ago(?:\ (?P<exactly>today|yesterday))?", _away(-1)),
    rule(rf"{COUNT}\ weekends\ ago", lambda match, today: of_weekend(weekend(today, -count(match["count"])))),
    rule(rf"{_ROUGHLY}(?:{COUNT}\ years?\ and\ a\ half|half\ a\ year)\ ago", _and_a_half),
    rule(rf"{_VAGUE}\ {_LENGTH}\ ago", _vaguely_ago),
    rule(rf"{_ROUGHLY}{COUNT}\ {_LENGTH}\ from\ (?:now|(?P<exactly>today|tomorrow))", _away(1)),
    rule(rf"in\ {_ROUGHLY}{COUNT}\ {_LENGTH}['’]?\ time", _away(1)),
    rule(rf"in\ {_ROUGHLY}{COUNT}\ {_LENGTH}(?!\ or\ )", _in_a_while),
    rule(r"(?:(?:at|around|about)\ )?this\ time\ (?P<which>last|next)\ (?P<unit>week|month|year)", _this_time),
    rule(
        rf"(?:(?:the|these|this)\ )?(?P<which>last|past|next|coming)\ (?:{COUNT}|(?P<vague>{_VAGUE}))\ {_LENGTH}",
        _rolling,
    ),
    rule(rf"(?:over|in|for|during|within)\ (?P<core>the\ (?P<which>last|past|next)\ {_LENGTH}){_NOT_OF}", _rolling),
)
