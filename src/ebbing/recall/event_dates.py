"""A time that a question names by an event: `before the move`, `since I changed jobs`.

The event is searched by its words, and the day of the best memory found divides the time. Where no memory tells of the
event, the question is searched unchanged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from ..domain.clock import Moment
from ..domain.policy import Policy
from ..ports import Index, Question, ReadTransaction, Search
from ..text.lazy_regex import lazily
from ..text.terms import STOP_WORDS, question_terms
from .calibration import WORDS, calibration
from .top_k import best

_EVENT = lazily(
    r"\b(?P<side>before|prior to|until|till|after|since|following|ever since)\s+"
    r"(?P<event>(?:the|my|our|his|her|their|its|this|that|i|we|he|she|they|you|it|(?-i:[A-Z])\w+(?:['’]s)?)\s+[^?.!,;]+)",
    re.IGNORECASE,
)
# `Who looks after my cat`, `named after the moon`; `how many days until our wedding` asks when, not what was before.
_NO_TIME = lazily(
    r"(?i)\b(?:look|looks|looked|looking|name|names|named|call|called|take|takes|took|taking|taken|ask|asks|asked|asking"
    r"|care|run|runs|ran|running|go|goes|went|seek|seeks|chase|chases|clean|cleans|model|modelled|modeled)\s+after$"
    r"|\bhow\s+(?:long|many|much|soon|far)\b|\bwhen\b"
)
_EARLIER = ("before", "prior to", "until", "till")
_WORDS_MAX = 5  # what follows more words than these is seldom the name of an event
_TOLD = 0.5  # share of the information of the event's words that a memory must hold


class Event(NamedTuple):
    """What happened, as it is looked for, and on which side of it the question lies."""

    words: tuple[str, ...]
    earlier: bool


def event_in(question: str) -> Event | None:
    """The event by which a question names a time, if it does."""
    found = _EVENT.search(question)
    if found is None or _NO_TIME.search(question[: found.end("side")]):
        return None
    words = tuple(question_terms(found["event"]))
    if len(words) > _WORDS_MAX or STOP_WORDS.issuperset(words):
        return None
    return Event(words, found["side"].lower() in _EARLIER)


def times_around(
    event: Event, questions: Sequence[Question], tx: ReadTransaction, moment: Moment, policy: Policy
) -> list[tuple[date, date]]:
    """The days on the question's side of the event; none where no memory tells of it.

    A row also counts as dated if it was written a little later. For `before` the time ends that much sooner instead.
    """
    by_words, fit = policy.words_alone, calibration(WORDS, None, None)
    mentions = [
        found
        for question in questions
        for found in best(_words_of(event, question, tx.index), 1, moment, by_words, fit)
        if found.lexical >= _TOLD
    ]
    if not mentions:
        return []
    best_one = max(mentions, key=lambda found: found.lexical)
    memory = tx.memories.get([best_one.id]).get(best_one.id)
    if memory is None:
        return []
    day = memory.created_at.date()
    if not event.earlier:
        return [(day, date.max)]
    last = day.toordinal() - math.ceil(policy.recall.dated_days_after) - 1
    return [(date.min, date.fromordinal(max(last, 1)))]


def _words_of(event: Event, question: Question, index: Index) -> Search:
    return index.search(replace(question, terms=event.words, names=(), vector=None))
