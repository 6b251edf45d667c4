"""What a rule that finds times in a text is made of: a pattern, and what its match means on the calendar."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ..lazy_regex import lazily
from .calendar import MONTHS, WEEKDAYS, Days, written_day, written_month
from .tenses import Tense, tense


@dataclass(frozen=True, slots=True)
class Meaning:
    """Which days are meant, and how to say so to whoever reads it on another day."""

    days: Days
    noun: str | None = None  # `14 November 2026`; None: the text stays as it is
    preposition: str = ""  # what stands before the noun where nothing else does


Read = Callable[[re.Match[str], date], Meaning | None]  # the match, and the day of the text
Rule = tuple[re.Pattern[str], Read]  # where the pattern has a group `core`, that is what means something

WEEKDAY = rf"(?P<weekday>{'|'.join(WEEKDAYS)})"
MONTH_NAME = f"(?:{'|'.join(MONTHS)})"
# In small letters these two are other words; the rest of a pattern does not look at capitals.
MONTH = rf"(?P<month>{'|'.join(name for name in MONTHS if name not in ('May', 'March'))}|(?-i:May|March))"
DOT = r"(?:\.(?=,|\s*(?-i:[a-z\d])))?"  # of an abbreviation: not the one that ends the sentence
MONTH_OR_SHORT = rf"{MONTH[:-1]}|(?-i:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b{DOT})"
SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
NTH = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_COUNTS = {
    **dict.fromkeys(("a", "an", "one"), 1),
    **dict.fromkeys(("a couple", "a couple of", "couple of", "two"), 2),
    **{word: number for number, word in enumerate("three four five six seven eight nine ten eleven twelve".split(), 3)},
    "fifteen": 15,
    "eighteen": 18,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
}
COUNT = rf"(?P<count>\d{{1,4}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})".replace(" ", r"\ ")

_OPENS = lazily(r"(?:^|[.!?…:;。！？\n]|[-*•>#|])[\s\"'“‘«(\[*_]*$")
WORD_REACH = 30  # characters in which the word before a place is looked for
_AIMS = frozenset({"for", "to", "until", "till", "by"})  # what was arranged for Monday may be ahead still

DIRECTIONS = {"last": -1, "this past": -1, "past": -1, "next": 1, "this coming": 1, "coming": 1}
WHICH = r"(?P<which>last|this\ past|this\ coming|this|next|past|coming)"


def rule(written: str, read: Read) -> Rule:
    """In the pattern `\\ ` is any space or line end; a letter or a hyphen may go on at neither side."""
    whole = rf"(?<![\w’'/-])(?:{written})(?![\w/-])".replace(r"\ ", r"(?:\s{1,9})")
    return lazily(whole, re.IGNORECASE), read


def plain(said: str | None) -> str:
    return " ".join((said or "").lower().split())


def count(said: str) -> int:
    said = plain(said)
    return int(said) if said.isdecimal() else _COUNTS[said]


def month_number(said: str) -> int:
    return next(number for number, name in enumerate(MONTHS, 1) if name.lower().startswith(said[:3].lower()))


def weekday_number(said: str) -> int:
    return next(number for number, name in enumerate(WEEKDAYS) if name.lower().startswith(said[:3].lower()))


def looks(match: re.Match[str]) -> Tense:
    """Where the clause around a match looks."""
    return tense(match.string, match.start(), match.end())


def word_before(text: str, place: int) -> str:
    """The word in front of a place, in small letters; nothing where a sentence begins or a mark stands between."""
    found = re.search(r"([\w’']+)[ \t\n]{1,9}$", text[max(0, place - WORD_REACH) : place])
    return found[1].lower() if found else ""


def opens(text: str, place: int) -> bool:
    """Whether a sentence begins at a place."""
    return place == 0 or bool(_OPENS.search(text[max(0, place - 12) : place]))


def of_day(days: Days, part: str | None = None) -> Meaning:
    written = written_day(days.first)
    return Meaning(days, f"the {part.lower()} of {written}" if part else written, "on")


def of_week(days: Days) -> Meaning:
    return Meaning(days, f"the week of {written_day(days.first)}", "in")


def of_weekend(days: Days) -> Meaning:
    return Meaning(days, f"the weekend of {written_day(days.first)}", "on")


def of_month(days: Days) -> Meaning:
    return Meaning(days, written_month(days.first), "in")


def of_year(days: Days) -> Meaning:
    return Meaning(days, f"{days.first.year:04}", "in")


def guess(meaning: Meaning) -> Meaning:
    """The days may be these; the text does not say, and stays."""
    return replace(meaning, noun=None)


def around(meaning: Meaning, days: int) -> Meaning:
    near = timedelta(days=days)
    return Meaning(Days(meaning.days.first - near, meaning.days.last + near), f"around {meaning.noun}")


def aim(match: re.Match[str]) -> Tense:
    """Where a weekday, a month or a date without its year is to be looked for."""
    start = match.start("core") if "core" in match.re.groupindex else match.start()
    before, direction = word_before(match.string, start), looks(match)
    if before == "since":
        return Tense.PAST
    if before in _AIMS:
        return Tense.UNKNOWN if direction is Tense.PAST else Tense.FUTURE
    return direction
