"""How strong memories are at a moment under a policy, and when to look at one again.

The one place where a memory, a policy, a clock and a curve meet. Ranking, sweeping and
explaining all ask here, so they can never disagree. Nothing computed here is stored but the
alarm: a moment no later than the one at which the memory crosses its next threshold.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .clock import MICROS_A_DAY, Moment, micros, next_midnight
from .curves import Curve, Stretched, Trace
from .memory import Lifetime, Memory, Status, Tier
from .policy import Category, Policy

_DAY = timedelta(days=1)
# "No nuts, I am allergic", "never forget that I am allergic": what is denied stands in another clause.
_CLAUSE_END = re.compile(
    r"[.!?;:,()\n]|\s[-–—]\s|\b(?:because|since|as|but|and|that|due|weil|denn|da|aber|und|dass|porque|pero|que|car|mais|et|perch[eé]|che|ma|pois|mas)\b",
    re.IGNORECASE,
)
_DENIED_WITHIN = 3  # words
_FARTHEST_DAYS = 365_000.0  # an alarm a thousand years off is none

_Numbers = tuple[float, float, float, int, float, float]  # the fields of a trace, in their order


class Traces(NamedTuple):
    """What strength and rank need of candidates, in parallel columns."""

    handles: NDArray[Any]
    ids: Sequence[str]
    categories: Sequence[str]
    tiers: Sequence[Tier]
    scopes: Sequence[str]
    pinned: NDArray[np.bool_]
    importance: NDArray[np.float64]
    created_at: NDArray[np.float64]  # microseconds since 1970
    created_day: NDArray[np.float64]
    last_accessed_at: NDArray[np.float64]  # the same
    used_day: NDArray[np.float64]
    recalls: NDArray[np.float64]
    level: NDArray[np.float64]
    asks: NDArray[np.bool_]  # the text has a question in it
    lifetimes: Sequence[Lifetime | None] = ()  # (): nobody said of any
    harms: Sequence[int] = ()


class Alarm(NamedTuple):
    """When to look at a memory again: at an instant, on a day of use, or never."""

    at: datetime | None = None
    day: int | None = None


def curve_of(memory: Memory, policy: Policy) -> Curve:
    """The curve that a memory follows under a policy."""
    return policy.curve_of(memory.category, memory.tier, memory.lifetime, memory.harm)


def strength_of(memory: Memory, moment: Moment, policy: Policy) -> float:
    """How strong one memory is, from 0 to 1. What is pinned is at full strength."""
    if memory.pinned:
        return 1.0
    curve = curve_of(memory, policy)
    return _strength(curve, _numbers(memory, moment, policy))  # type: ignore[arg-type] # frozen values, so hashable


def strengths(traces: Traces, moment: Moment, policy: Policy) -> NDArray[np.float64]:
    """How strong each candidate is: the same function, over columns."""
    result = np.ones(len(traces.ids))
    ages = 1.0 - _protected(traces, policy)
    # By the tier's identity: the hash of an enumeration's member is computed in Python, for every row.
    lifetimes, harms = traces.lifetimes or [None] * len(traces.ids), traces.harms or [0] * len(traces.ids)
    kinds = list(zip(traces.categories, map(id, traces.tiers), map(id, lifetimes), harms, strict=True))
    for kind in dict.fromkeys(kinds):
        members = [row for row, other in enumerate(kinds) if other == kind]
        rows = slice(None) if len(members) == len(kinds) else np.array(members)
        category, tier, lifetime = kind[0], traces.tiers[members[0]], lifetimes[members[0]]
        wall = on_the_wall(tier, policy)
        now, day = (micros(moment.at), MICROS_A_DAY) if wall else (moment.day, 1)
        used, made = (traces.last_accessed_at, traces.created_at) if wall else (traces.used_day, traces.created_day)
        trace = Trace(
            importance=traces.importance[rows],
            idle_days=(now - used[rows]) / day * ages[rows],
            age_days=(now - made[rows]) / day * ages[rows],
            recalls=traces.recalls[rows],
            weight=_weight(category, policy),
            level=traces.level[rows],
        )
        result[rows] = policy.curve_of(category, tier, lifetime, kind[3]).strength(trace)
    result[traces.pinned] = 1.0
    return result


def trace_of(memory: Memory, moment: Moment, policy: Policy) -> Trace:
    """What the curve needs to know of a memory. What is protected does not age."""
    return Trace(*_numbers(memory, moment, policy))


def grace_until(memory: Memory, policy: Policy) -> datetime:
    """Until when fading leaves a memory alone: it is new, or was brought back not long ago."""
    until = memory.created_at + policy.time.grace
    if memory.restored_at is not None:
        until = max(until, memory.restored_at + policy.time.restored_grace)
    return until


def ends_at(memory: Memory, policy: Policy) -> datetime | None:
    """When a memory's time to live is over; one that was brought back is first left alone for its grace period."""
    if memory.expires_at is None or memory.restored_at is None:
        return memory.expires_at
    return max(memory.expires_at, memory.restored_at + policy.time.restored_grace)


def day_told_of(day: int, first_day: int, policy: Policy) -> int:
    """The day of use that a memory of an earlier day is counted from. `day` is its own, by the calendar where it lies
    before the first day of use."""
    return day if day >= first_day else first_day - round((first_day - day) * policy.time.age_before_use)


def is_past(memory: Memory, at: datetime) -> bool:
    """Whether what a memory says was true until a time that is over."""
    return memory.valid_until is not None and memory.valid_until < at and memory.superseded_by is None


def past_at(memory: Memory, policy: Policy) -> datetime | None:
    """When what was true until a time is archived; what was brought back is first left alone for its grace period."""
    if memory.valid_until is None or not memory.status.live:
        return None
    at = memory.valid_until + policy.time.past_after
    return at if memory.restored_at is None else max(at, memory.restored_at + policy.time.restored_grace)


def pins_itself(text: str, harm: int | None, trust: float, policy: Policy) -> bool:
    """What it would be dangerous to lose is protected from the start; not on the word of a source that is not trusted.

    Where nobody has said what it would cost (`harm` is None), or the policy does not go by that, the words decide.
    """
    rules = policy.protection
    if trust < policy.reinforcement.trust_floor:
        return False
    if harm is not None and rules.harm is not None:
        return harm >= rules.harm
    return bool(words_of_harm(text, policy))


def words_of_harm(text: str, policy: Policy) -> bool | None:
    """Whether the words of a text say what may hurt somebody when it is forgotten (`auto_pin`); False: they deny all of
    it; None: they say nothing of that."""
    rules = policy.protection
    found = [match.start() for rule in rules.auto_pin for match in rule.finditer(text)]
    before = [" ".join(_CLAUSE_END.split(text[:start])[-1].split()[-_DENIED_WITHIN:]) for start in found]
    return not all(any(denial.search(words) for denial in rules.denials) for words in before) if before else None


def held_for_review(memory: Memory, policy: Policy) -> bool:
    """Whether a memory must not leave unasked: it would harm to lose it, its source is trusted, and it is not of a kind
    that is over by the time it leaves."""
    rules = policy.protection
    return (
        rules.review_harm is not None
        and memory.harm >= rules.review_harm
        and memory.trust >= policy.reinforcement.trust_floor
        and (memory.lifetime is None or memory.lifetime.rank >= rules.review_from.rank)
    )


def time_to_live(category: str, scope: str, pinned: bool, trust: float, policy: Policy) -> timedelta | None:
    """What the category gives, and no more than a source deserves that is not trusted; none for what is protected."""
    if policy.protects(category, scope, pinned):
        return None
    ttl = _settings(category, policy).ttl
    least = policy.trust.lifetime if trust < policy.reinforcement.trust_floor else None
    return min((span for span in (ttl, least) if span is not None), default=None)


def session_ends_at(memory: Memory, policy: Policy) -> datetime | None:
    """When a working memory that is worth keeping outlives its session; None for any other memory."""
    rules = policy.promotion
    if memory.tier is not Tier.WORKING or not memory.status.live:
        return None
    worth_keeping = memory.recall_count > 0 or memory.importance >= rules.session_importance
    worth_keeping = worth_keeping or held_for_review(memory, policy)
    return memory.last_accessed_at + rules.session_ends_after if worth_keeping else None


def archives_at(memory: Memory, policy: Policy) -> datetime | None:
    """When the schedule of its category archives a memory, regardless of strength."""
    after = _settings(memory.category, policy).archive_after
    return None if after is None else max(memory.created_at + after, grace_until(memory, policy))


def compacts_at(memory: Memory, policy: Policy) -> datetime | None:
    """When the schedule of its category summarizes a memory, regardless of strength."""
    after = _settings(memory.category, policy).compact_after
    return None if after is None else max(memory.created_at + after, grace_until(memory, policy))


def compactable(memory: Memory, policy: Policy) -> bool:
    """Whether a memory may go into a summary.

    Not what stands at an address, where a newer value would leave the summary saying the old one; not
    what is contested, which a person should settle first; not what it would harm to lose, of which a summary may leave
    out a part; and nothing that is a summary of summaries already.
    """
    return (
        memory.status is Status.ACTIVE
        and memory.tier is not Tier.WORKING
        and memory.attribute is None
        and not memory.contested
        and not held_for_review(memory, policy)
        and memory.compaction_depth < policy.compaction.depth_max
        and not policy.protects(memory.category, memory.scope, memory.pinned)
    )


def used(memory: Memory, moment: Moment, policy: Policy, earlier: Iterable[datetime] = ()) -> Memory:
    """The memory after a use: counted, in use, raised from the strength it had, and in the tier that it has earned.

    `earlier`: when it was used before, as far as its curve asks for it. The alarm is still to be set.
    """
    after = memory.with_(
        status=Status.ACTIVE,
        held_at=None,
        recall_count=memory.recall_count + 1,
        last_accessed_at=max(memory.last_accessed_at, moment.at),
        used_day=max(memory.used_day, moment.day),
    )
    curve = raised_by(memory, policy)
    if curve is not None:
        since = moment.at - timedelta(days=float(curve.recent_days))
        recent = sum(at >= since for at in earlier)
        after = after.with_(level=float(curve.raised(strength_of(memory, moment, policy), recent)))
    return after.with_(tier=earned_tier(after, moment, policy))


def raised_by(memory: Memory, policy: Policy) -> Stretched | None:
    """The curve by which each use raises a memory from where it had faded to; None: a use brings it back whole.

    Raised a little, a memory fades anew from there, at first perhaps faster than it did: only under such a curve can
    a use make an alarm come too late.
    """
    curve = curve_of(memory, policy)
    return curve if isinstance(curve, Stretched) else None


def as_strong_as(memory: Memory, strength: float, moment: Moment, policy: Policy) -> Memory:
    """The memory at the level at which it has this strength, where its curve has levels; at most at the full one."""
    full = strength_of(memory.with_(level=1.0), moment, policy)
    if raised_by(memory, policy) is None or full <= 0.0:
        return memory
    return memory.with_(level=min(1.0, math.nextafter(strength / full, 1.0)))


def earned_tier(memory: Memory, moment: Moment, policy: Policy) -> Tier:
    """The tier that a memory just used belongs to by now: what is confirmed again and again lives longer."""
    rules = policy.promotion
    if memory.tier is Tier.SEMANTIC:
        confirmed = memory.recall_count >= rules.confirmed_recalls
        return Tier.PROCEDURAL if confirmed and moment.day - memory.created_day >= rules.confirmed_days else memory.tier
    if memory.tier is Tier.EPISODIC and rules.promote is not None:
        return Tier.SEMANTIC if strength_of(memory, moment, policy) >= rules.promote else memory.tier
    return memory.tier


def topic_at(since: datetime) -> datetime:
    """When a memory that waits since then is summarized with its topic: at the last moment of that day.

    So all of a day go together however often a sweep comes by; and before anything that the next day of use brings,
    since a sweep that comes in its first hours cannot know yet whether it will be one.
    """
    return next_midnight(since) - timedelta(microseconds=1)


def thresholds(memory: Memory, policy: Policy, *, waiting: bool) -> list[float]:
    """The thresholds that a memory can fall below in its status; below the highest of them there is something to do."""
    if memory.status is Status.DETACHED:
        return [policy.ladder.archive]
    if memory.status is not Status.ACTIVE:
        return []
    found = [policy.ladder.detach]
    if not waiting and compactable(memory, policy):
        found.append(policy.ladder.summarize)
    if policy.promotion.demote is not None and memory.tier is Tier.SEMANTIC:
        found.append(policy.promotion.demote)
    return found


def alarm(memory: Memory, moment: Moment, policy: Policy, since: datetime | None = None) -> Alarm:
    """No later than the moment at which something happens to a memory that nobody touches.

    `since`: it waits to be summarized since then. Called when a memory is written, and again whenever an
    alarm rang. It must then lie in the future, or a sweep would look at the same memory for ever: a strength
    equal to the threshold is kept, so the next look is strictly after it.
    """
    if (memory.held_at is not None or memory.tier is Tier.WORKING) and held_for_review(memory, policy):
        # Only a person lowers it, or the end of what it says; what is of a session waits for the end of that.
        return Alarm(at=_earliest(session_ends_at(memory, policy), past_at(memory, policy)))
    ends: list[datetime | None] = [ends_at(memory, policy), session_ends_at(memory, policy)]
    rungs = thresholds(memory, policy, waiting=since is not None)
    if not rungs or policy.protects(memory.category, memory.scope, memory.pinned):
        return Alarm(at=_earliest(*ends))
    ends += [archives_at(memory, policy), past_at(memory, policy)]
    if since is not None:
        ends.append(topic_at(since) if moment.at < topic_at(since) else None)
    elif compactable(memory, policy):
        ends.append(compacts_at(memory, policy))
    numbers = _numbers(memory, moment, policy)
    curve = curve_of(memory, policy)
    if _strength(curve, numbers) < max(rungs):  # type: ignore[arg-type] # frozen values, so hashable
        # Below already: only the grace period holds it.
        return Alarm(at=_earliest(*ends, grace_until(memory, policy)))
    if on_the_wall(memory.tier, policy):
        days = float(curve.days_until(Trace(*numbers), max(rungs)))
        if days <= _FARTHEST_DAYS:
            crossing = moment.at + max(days, 0.0) * _DAY + timedelta(microseconds=1)
            ends.append(max(crossing, grace_until(memory, policy)))
        return Alarm(at=_earliest(*ends))
    kept_days = _days_kept(curve, numbers, max(rungs))  # type: ignore[arg-type]
    return Alarm(at=_earliest(*ends), day=None if kept_days > _FARTHEST_DAYS else moment.day + int(kept_days) + 1)


def with_next_due(memory: Memory, moment: Moment, policy: Policy, since: datetime | None = None) -> Memory:
    """The memory with its alarm set."""
    at, day = alarm(memory, moment, policy, since)
    return memory.with_(due_at=at, due_day=day)


def _numbers(memory: Memory, moment: Moment, policy: Policy) -> _Numbers:
    """The numbers of a memory's trace, as a key: looking a trace up takes less time than making it."""
    idle = age = 0.0
    if not policy.protects(memory.category, memory.scope, memory.pinned):
        if on_the_wall(memory.tier, policy):
            idle = (moment.at - memory.last_accessed_at) / _DAY
            age = (moment.at - memory.created_at) / _DAY
        else:
            idle = float(moment.day - memory.used_day)
            age = float(moment.day - memory.created_day)
    return memory.importance, idle, age, memory.recall_count, _weight(memory.category, policy), memory.level


@functools.lru_cache(maxsize=4096)
def _strength(curve: Curve, numbers: _Numbers) -> float:
    """Kept, because what is due together was often written together and is much alike."""
    return float(curve.strength(Trace(*numbers)))


@functools.lru_cache(maxsize=4096)
def _days_kept(curve: Curve, numbers: _Numbers, threshold: float) -> float:
    """For how many whole days a strength that is not below a threshold stays so.

    Kept, because memories just written are much alike: solving a curve takes longer than writing a row.
    """
    trace = Trace(*numbers)
    days = float(curve.days_until(trace, threshold))
    if days > _FARTHEST_DAYS:
        return days
    whole = math.floor(days)
    if whole and float(curve.strength(trace.later(whole))) < threshold:
        # The solution lies a rounding error behind the day on which the strength itself is below.
        whole -= 1
    return whole


def on_the_wall(tier: Tier, policy: Policy) -> bool:
    """Whether fading counts calendar time for this tier."""
    return tier is Tier.WORKING or policy.time.clock == "wall"


def _settings(category: str, policy: Policy) -> Category:
    """Of a category; of the default one where the policy no longer names it."""
    return policy.categories.get(category) or policy.categories[policy.defaults.category]


def _weight(category: str, policy: Policy) -> float:
    return _settings(category, policy).weight


def _protected(traces: Traces, policy: Policy) -> NDArray[np.bool_]:
    """Which candidates do not age; asked once for each category and scope, of which there are few."""
    places = list(zip(traces.categories, traces.scopes, strict=True))
    answers = {place: policy.protects(*place, False) for place in set(places)}
    if not any(answers.values()):
        return np.zeros(len(places), dtype=bool)
    return np.array([answers[place] for place in places])


def _earliest(*moments: datetime | None) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)
