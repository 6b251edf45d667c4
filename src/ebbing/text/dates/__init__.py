"""The times a text speaks of, as days on the calendar, and the text with those that will not stay true written out.

`Yesterday` is true for a day, and a memory is read on others. Pure: the instant of the text is an argument. What is
understood is plain English; what is in doubt, quoted, code or a name stays as it stands.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from ..lazy_regex import lazily
from . import absolute, recurring, relative
from .calendar import MONTHS, WEEKDAYS, Days, day, month, nearest_weekday, part, week, weekend, year
from .relative import a_few_ago
from .rewrite import fitted
from .rules import WORD_REACH, Meaning, Read, opens, plain, weekday_number, word_before


@dataclass(frozen=True, slots=True)
class When:
    """A stretch of text that speaks of a time, and the days it means."""

    start: int
    end: int
    first: date
    last: date  # included
    said: str


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    end: int
    meaning: Meaning


_PASSES_MAX = 5  # what stood beside one time may be plain once that is written out; more than two are rare
_RULES = (*relative.RULES, *recurring.RULES, *absolute.RULES)
# What must stand somewhere in a text, in small letters, for a rule to fit there, by the groups of the rule's pattern:
# most rules are left out so, and of most texts all.
_TRACES = {
    name: tuple(words.split())
    for name, words in {
        "month": "jan feb mar apr may jun jul aug sep oct nov dec",
        "weekday": "mon tue wed thu fri sat sun",
        "unit": "day week fortnight month year decade quarter",
        "season": "spring summer autumn fall winter",
        "holiday": "christmas boxing year hallow valentine thanksg easter",
        "count": "ago",
        "word": "day tomorrow tonight",
        "part": "morning afternoon evening night",
        "nth": "quarter",
        "half": "h1 h2 half",
    }.items()
}
_GROUP = re.compile(r"\(\?P<(\w+)>")
_DIGIT = lazily(r"\d")
_YEAR = lazily(r"\d{4}")


def _needs(groups: Collection[str], pattern: str) -> frozenset[str]:
    needs = {name for name in ("unit", "season", "holiday", "word", "nth", "half") if name in groups}
    if "part" in groups and not {"weekday", "word"} & set(groups):
        needs.add("part")
    if "month" in groups and "January" in pattern:
        needs.add("month")
    elif "weekday" in groups:
        needs.add("weekday")
    if "count" in groups and "unit" not in groups:
        needs.add("count")
    if "year" in groups and not {"number", "until"} & set(groups):  # in Q3 and in `1 to 3 May` it may be left out
        needs.add("year")
    if {"day", "begins", "number"} & set(groups):
        needs.add("digit")
    return frozenset(needs)


_GATED = tuple((pattern, read, _needs(_GROUP.findall(pattern.pattern), pattern.pattern)) for pattern, read in _RULES)
_CODE = lazily(r"```[\s\S]*?(?:```|\Z)|`[^`\n]*`|\b[a-z][a-z0-9+.-]{0,20}://\S+|(?<!\S)[~.]?/[\w./-]+", re.IGNORECASE)
_QUOTED = lazily(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|„[^“”\n]{1,300}[“”]|(?<!\w)['‘][^'‘’\n]{2,300}['’](?!\w)"
)
_NAMES = frozenset(
    name[:3].lower()
    for name in (*MONTHS, *WEEKDAYS, *"Boxing Christmas Easter Halloween New Thanksgiving Valentine".split())
)
_DETERMINERS = frozenset("the my your his its our their a an every each any that whose no at".split())
_BEFORE_OWN = frozenset("in of for during at on with from is was after before since until to".split())
_WIDENED = lazily(
    r"\b(?:(?P<part>early|earlier|late|later|mid)(?:\s+in|\s+on)?|(?:the\s+)?(?P<side>end|beginning|start|middle|rest)\s+of"
    r"|the\s+(?P<whole>week|weekend)\s+of"
    rf"|(?:the\s+)?(?P<beside>day|week|weekend|month|year|{'|'.join(WEEKDAYS)})\s+(?P<side_of>before|after)"
    r"|(?:a\s+few|few|several|some|many)\s+(?P<units>day|week|month|year)s\s+before)(?:\s+|-)$",
    re.IGNORECASE,
)
_NAMED = lazily(r"\w[,;]?\s+[A-Z][a-z]{2,}\s+$")  # Maundy Thursday
_JOINED = lazily(r"\s*(?:–|-|to|until|till|through)\s*", re.IGNORECASE)


def found(text: str, at: datetime) -> list[When]:
    """Every time in a text that has a place on the calendar, seen from an instant; with a guess where it is open."""
    today = at.date()
    whens: list[When] = []
    for place in _places(text, today):
        start, days = _widened(text, place, today)
        before = whens[-1] if whens else None
        if before and before.last <= days.last and _is_joined(text, before, start):
            whens[-1] = When(before.start, place.end, before.first, days.last, text[before.start : place.end])
        elif before is None or start >= before.end:
            whens.append(When(start, place.end, *days, text[start : place.end]))
    return whens


def resolved(text: str, at: datetime) -> str:
    """The text with what is told from where the speaker stands told by the calendar instead."""
    for _ in range(_PASSES_MAX):
        before, text = text, _rewritten(text, at.date())
        if text == before:
            break
    return text


def _rewritten(text: str, today: date) -> str:
    pieces, upto = [], 0
    for place in _places(text, today):
        fit = fitted(text, place.start, place.end, place.meaning)
        if fit is not None:
            pieces += [text[upto : place.start], fit.written]
            upto = fit.end
    return "".join([*pieces, text[upto:]])


def _places(text: str, today: date) -> Iterator[_Place]:
    """What is meant where, from left to right; of what overlaps the first and longest."""
    there = _there(text)
    if not there:
        return
    code = _Spans(_CODE.finditer(text))
    quoted = _Spans(_QUOTED.finditer(text))
    is_shouted = text.isupper()
    upto = 0
    for start, end, match, read in _matches(text, there):
        if start < upto or code.meet(start, end) or _is_foreign(match[0]):
            continue
        if _is_name(text, start, end, is_shouted=is_shouted):
            continue
        try:
            meaning = read(match, today)
        except (ValueError, OverflowError):  # no such day, or none on the calendar
            continue
        if meaning is not None and not (meaning.noun and quoted.meet(start, end)):
            yield _Place(start, end, meaning)
            upto = end


def _there(text: str) -> set[str]:
    """Which traces of a time a text has."""
    small = text.lower()
    there = {name for name, words in _TRACES.items() if any(word in small for word in words)}
    if _DIGIT.search(text):
        there.add("digit")
        if _YEAR.search(text):
            there.add("year")
    return there


def _matches(text: str, there: set[str]) -> list[tuple[int, int, re.Match[str], Read]]:
    """Where the rules fit, the first and longest first."""
    fitting = [
        (*match.span("core" if "core" in pattern.groupindex else 0), match, read)
        for pattern, read, needs in _GATED
        if needs <= there
        for match in pattern.finditer(text)
    ]
    return sorted(fitting, key=lambda one: (one[0], -one[1]))


class _Spans:
    """Where the matches of one pattern stand: in order, and apart from each other."""

    def __init__(self, matches: Iterable[re.Match[str]]) -> None:
        spans = [match.span() for match in matches]
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def meet(self, start: int, end: int) -> bool:
        """Whether one of them overlaps a stretch: the last that begins before its end is the only one that may."""
        near = bisect.bisect_left(self._starts, end) - 1
        return near >= 0 and start < self._ends[near]


def _is_foreign(said: str) -> bool:
    """Whether letters of another script stand in it, which a pattern that does not look at capitals takes for ours."""
    return any(letter.isalnum() and not letter.isascii() for letter in said)


def _is_name(text: str, start: int, end: int, *, is_shouted: bool) -> bool:
    """Whether capitals make it a name (the Today Show), or a word before it makes it another's (the next day)."""
    said = text[start:end]
    first, *others = re.findall(r"[^\W\d_]+", said) or [""]
    if plain(first) in ("last", "next", "past", "coming") and _is_determined(text, start):
        return True
    if is_shouted or not said[0].isalpha():
        return False
    if first.capitalize() in WEEKDAYS and _NAMED.search(text[max(0, start - 30) : start]):
        return True
    if any(word[0].isupper() and word[:3].lower() not in _NAMES for word in others[:1]):
        return True
    return first[:1].isupper() and first[:3].lower() not in _NAMES and not opens(text, start) and said[0].isupper()


def _is_determined(text: str, start: int) -> bool:
    before = word_before(text, start)
    if before != "her":
        return before in _DETERMINERS
    # `I met her last year`, but `in her last year`.
    begin = max(0, start - WORD_REACH)
    front = begin + len(text[begin:start].rstrip()) - len("her")
    return opens(text, front) or word_before(text, front) in _BEFORE_OWN


def _widened(text: str, place: _Place, today: date) -> tuple[int, Days]:
    """`Early` and `the end of` belong to what they stand before."""
    before = _WIDENED.search(text[max(0, place.start - 30) : place.start])
    days = place.meaning.days
    if before is None:
        return place.start, days
    start = place.start - (before.end() - before.start())
    if before["beside"]:
        return start, _beside(before["beside"].lower(), days, -1 if before["side_of"].lower() == "before" else 1)
    if before["units"]:
        return start, a_few_ago(before["units"].lower(), days.first)
    if before["whole"]:
        return start, week(days.first) if before["whole"].lower() == "week" else weekend(days.first)
    return start, part(days, (before["part"] or before["side"]).lower(), today)


def _beside(unit: str, days: Days, direction: int) -> Days:
    """The Sunday before a day, the week after it."""
    edge = days.first if direction < 0 else days.last
    if unit == "day":
        return day(edge, direction)
    if unit == "week":
        return week(edge, direction)
    if unit == "weekend":
        return weekend(edge, -1 if direction < 0 else int(edge.weekday() >= 5))
    if unit == "month":
        return month(edge.year, edge.month + direction)
    if unit == "year":
        return year(edge.year + direction)
    return day(nearest_weekday(edge, weekday_number(unit), direction))


def _is_joined(text: str, before: When, start: int) -> bool:
    between = text[before.end : start]
    if _JOINED.fullmatch(between):
        return True
    return plain(between) == "and" and word_before(text, before.start) == "between"
