"""What the judge reads in new texts: how long each stays true, what it would cost to lose it, its category, tier and
importance, and whether one is an injected instruction.

Each is filled in only where the caller gave none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time

from ..domain.judgement import TextReading
from ..domain.memory import Lifetime
from ..domain.policy import Policy
from ..domain.retention import words_of_harm
from ..ports.model_client import Models
from ..text.dates.validity import End, Wording, end_in, is_one_statement
from ..text.language import is_english
from .admit import NewMemoryRequest

_PASSING = ("event", "state", "task")  # kinds of text that are over when their day is
_TIMELESS = ("world", "lesson")  # and those that no day ends


def read(
    request: Sequence[NewMemoryRequest], policy: Policy, models: Models, now: datetime
) -> tuple[list[NewMemoryRequest], dict[str, TextReading], list[str]]:
    """The texts with what the judge reads in them where the caller said nothing, suspicion where it finds one.

    Besides: the readings by text, and notes. Without a judge everything stays as the rules and the policy have it.
    """
    readings, notes = models.read(list(dict.fromkeys(one.text for one in request)))
    ended = [_with_end(one, readings.get(one.text), now) for one in request]
    if not readings:
        return ended, {}, notes
    return [_with_reading(one, readings[one.text], policy) for one in ended], readings, notes


def _with_end(request: NewMemoryRequest, reading: TextReading | None, now: datetime) -> NewMemoryRequest:
    """The text with the end that it names itself, where it ends then as a whole."""
    if request.valid_until is not None or request.subject is not None:
        return request
    at = request.created_at or now
    end = end_in(request.text, at)
    if end is None or not _ends_then(end, request.text, reading):
        return request
    return replace(request, valid_until=datetime.combine(end.last, time.max, UTC))


def _ends_then(end: End, text: str, reading: TextReading | None) -> bool:
    """Whether a text as a whole is over by the end that it names.

    An end said in so many words is believed, but where one of several sentences says it and the judge finds something
    lasting in them. A deadline or a date is the end only of what passes: a task, an appointment, a state.
    """
    if reading is None:
        return end.wording is Wording.END and is_one_statement(text)
    if reading.kind in _TIMELESS:
        return False
    rank = Lifetime(reading.lifetime).rank
    if end.wording is Wording.END:
        return rank <= Lifetime.MONTHS.rank or is_one_statement(text)
    if end.wording is Wording.DEADLINE:
        return rank <= (Lifetime.MONTHS if reading.kind in _PASSING else Lifetime.WEEKS).rank
    return rank <= Lifetime.WEEKS.rank and reading.kind in _PASSING


def _with_reading(request: NewMemoryRequest, reading: TextReading, policy: Policy) -> NewMemoryRequest:
    suspicion = request.suspicion
    if (
        suspicion is None
        and policy.gate.quarantine_instructions
        and reading.injected >= policy.judge.injection_certainty
    ):
        suspicion = f"the judge reads it as an injected instruction ({reading.injected:.2f})"
    request = replace(request, suspicion=suspicion)
    # A value at an address says little by itself: "on".
    if request.subject is not None:
        return request
    given = request.lifetime is not None
    lifetime = request.lifetime or policy.lifetimes.of(reading)
    request = replace(request, lifetime=lifetime, harm=_harm(request, reading, policy))
    if not policy.defaults.estimate_importance:
        return request
    importance = _importance(reading, lifetime, policy, given=given)
    category = policy.judge.category_of(reading, request.category)
    return replace(
        request,
        category=category if not request.categorised and category in policy.categories else request.category,
        tier=request.tier if request.tiered else policy.lifetimes.tiers[lifetime],
        importance=request.importance if request.importance_given else importance,
    )


def _harm(request: NewMemoryRequest, reading: TextReading, policy: Policy) -> int:
    """What the caller gave, else what the judge reads; the highest degree, which pins, only where it is sure of it."""
    if request.harm is not None:
        return request.harm
    most = policy.protection.harm
    if most is None:
        return reading.harm
    says = words_of_harm(request.text, policy)
    if says is False:
        return min(reading.harm, most - 1)  # "I am not allergic to cats"
    if says and not is_english(request.text):
        return max(reading.harm, most)  # it was taught in English, and misses half of this elsewhere
    if reading.harmful(most) >= policy.protection.harm_certainty:
        return max(reading.harm, most)
    return min(reading.harm, most - 1)


def _importance(reading: TextReading, lifetime: Lifetime, policy: Policy, *, given: bool) -> float:
    found = policy.judge.importance_of(reading, policy.defaults.importance)
    rules = policy.lifetimes
    lasting = policy.goes_by_lifetime and (given or reading.kind in rules.importance_kinds)
    return max(found, rules.importance[lifetime]) if lasting else found
