"""How a time that is told by the calendar is fitted into a sentence that told it from where the speaker stood.

`Since yesterday` takes no further preposition, `tomorrow is my birthday` none at all, and `yesterday's meeting`
becomes `the 14 November 2026 meeting`. Where no wording is sure to read well the sentence stays as it was.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..lazy_regex import lazily
from .calendar import written_day
from .rules import Meaning, opens, plain, word_before

_PREPOSITIONS = frozenset(
    """since by until till before after from to through throughout for of than about between during toward towards like
    versus vs""".split()
)
# `On Monday`, `in May`; but `came in yesterday`, `went on last week`.
_PARTICLES = frozenset("on in at over around".split())
_COMES_BY = lazily(r"\b(?:c[ao]m|stopp?|dropp?|sw[iu]ng|pass|went|go|swing)\w*\s+by\s+$", re.IGNORECASE)
_TAKES_TIME = frozenset(
    """spend spends spent spending waste wasted wasting make makes making remember remembers remembered remembering
    enjoyed""".split()
)
_OPENS_CLAUSE = frozenset("and but because that if so think hope said says guess or when since sure whether".split())
_IS_SUBJECT = lazily(
    r"\s+(?:is|was|were|are|has|had|have|will|would|can|could|should|might|may|marks|works|suits|seems|looks|feels"
    r"|went|brought|turned|became|saw|(?:is|was|wo|has|did|does)n['’]t)\b",
    re.IGNORECASE,
)
_IS_ASKED = lazily(r"(?:(?:^|[.!?,:]\s+|\b(?:how|what)\s+)(?:is|was|were|are|will)|\bhow['’]s)\s+$", re.IGNORECASE)
_OFF = lazily(r"\s+(?:off|free)\b", re.IGNORECASE)
_OWNED = lazily(r"['’]s\s+([\w-]+)")
_IS = frozenset(  # behind `tomorrow's` these make it `tomorrow is`
    """a an the my your his her its our their this that going gonna not when where what fine good great okay
    looking""".split()
)
_AGES = frozenset(  # `today's youth` is of no day
    """world society generation generations youth market markets economy technology standards age era climate kids
    leaders day date""".split()
)
_CLOCK = lazily(r"\s+\d{1,2}(?::\d\d\b|\s*[ap]\.?m\b)", re.IGNORECASE)


class Fit(NamedTuple):
    written: str
    end: int  # where the text goes on: behind what was replaced


def fitted(text: str, start: int, end: int, meaning: Meaning) -> Fit | None:
    """What to write instead of the time at a place; None where it had better stay."""
    if meaning.noun is None:
        return None
    said = text[start:end]
    if text.startswith(("'", "’"), end):
        fit = _owned(text, end, meaning)
    elif word_before(text, start) == "all":
        fit = Fit(f"of {meaning.noun}", end)
    elif _is_bare(text, start, end, meaning.noun):
        fit = Fit(meaning.noun, end)
    else:
        fit = Fit(f"{meaning.preposition} {meaning.noun}".lstrip(), end)
    if fit is None:
        return None
    written = fit.written[0].upper() + fit.written[1:] if said[0].isupper() and opens(text, start) else fit.written
    return Fit(f"{written} at" if _CLOCK.match(text, end) and fit.end == end else written, fit.end)


def _owned(text: str, end: int, meaning: Meaning) -> Fit | None:
    """A time that stands before what belongs to it: the 2025 budget. A week does not go there."""
    behind = _OWNED.match(text, end)
    noun = meaning.noun or ""
    if behind is None or behind[1].lower() in _AGES:
        return None
    if behind[1].lower() in _IS:
        return Fit(f"{noun} is", end + len("'s"))
    if "week" in noun or noun.startswith("around"):
        return None
    if noun.startswith("the "):
        noun = written_day(meaning.days.first)
    return Fit(f"the {noun}", end + len("'s"))


def _is_bare(text: str, start: int, end: int, noun: str) -> bool:
    """Whether the noun stands there without a preposition of its own."""
    before, front = word_before(text, start), text[max(0, start - 40) : start]
    if before in _PARTICLES:
        particle = re.match(r"last|next|this|today|tonight|yesterday|tomorrow|\w+ \w+ ago", plain(text[start:end]))
        return particle is None or (before == "over" and noun.startswith("the week"))
    if before in _PREPOSITIONS:
        return not _COMES_BY.search(front)
    if before in _TAKES_TIME or (before in ("take", "took", "have", "had", "has", "taking") and _OFF.match(text, end)):
        return True
    if _IS_SUBJECT.match(text, end) and (opens(text, start) or before in _OPENS_CLAUSE or front.endswith(", ")):
        return True
    return bool(_IS_ASKED.search(front))
