"""How strong memories are at a moment under a policy, and when to look at one again.

The one place where a memory, a policy, a clock and a curve meet. Ranking, sweeping and
explaining all ask here, so they can never disagree. Nothing computed here is stored but the
alarm: a moment no later than the one at which the memory crosses its next threshold.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .clock import Moment
from .model import Memory, Status, Tier
from .policy import Policy
from .ports import Traces
from .strength import Curve, Trace

_DAY = timedelta(days=1)
_FARTHEST_DAYS = 365_000.0  # an alarm a thousand years off is none


class Alarm(NamedTuple):
    """When to look at a memory again: at an instant, on a day of use, or never."""

    at: datetime | None = None
    day: int | None = None


def strength_of(memory: Memory, moment: Moment, policy: Policy) -> float:
    """How strong one memory is, from 0 to 1. What is pinned is at full strength."""
    if memory.pinned:
        return 1.0
    return float(policy.curve_of(memory.category, memory.tier).strength(trace_of(memory, moment, policy)))


def strengths(traces: Traces, moment: Moment, policy: Policy) -> NDArray[np.float64]:
    """How strong each candidate is: the same function, over columns."""
    result = np.ones(len(traces.ids))
    protected = _protected(traces, policy)
    any_protected = bool(protected.any())
    # By the tier's identity: the hash of an enumeration's member is computed in Python, for every row.
    by_kind: dict[tuple[str, int], list[int]] = {}
    for row, kind in enumerate(zip(traces.categories, map(id, traces.tiers), strict=True)):
        by_kind.setdefault(kind, []).append(row)
    for (category, _), members in by_kind.items():
        rows = np.array(members)
        tier = traces.tiers[members[0]]
        wall = _on_the_wall(tier, policy)
        idle = _days_since(traces.last_accessed_at, traces.used_day, rows, moment, wall)
        age = _days_since(traces.created_at, traces.created_day, rows, moment, wall)
        trace = Trace(
            importance=traces.importance[rows],
            idle_days=np.where(protected[rows], 0.0, idle) if any_protected else idle,
            age_days=np.where(protected[rows], 0.0, age) if any_protected else age,
            recalls=traces.recalls[rows],
            weight=_weight(category, policy),
            level=traces.level[rows],
        )
        result[rows] = policy.curve_of(category, tier).strength(trace)
    result[traces.pinned] = 1.0
    return result


def trace_of(memory: Memory, moment: Moment, policy: Policy) -> Trace:
    """What the curve needs to know of a memory. What is protected does not age."""
    idle = age = 0.0
    if not policy.protects(memory.category, memory.scope, memory.pinned):
        if _on_the_wall(memory.tier, policy):
            idle = (moment.at - memory.last_accessed_at) / _DAY
            age = (moment.at - memory.created_at) / _DAY
        else:
            idle = float(moment.day - memory.used_day)
            age = float(moment.day - memory.created_day)
    return Trace(
        importance=memory.importance,
        idle_days=idle,
        age_days=age,
        recalls=memory.recall_count,
        weight=_weight(memory.category, policy),
        level=memory.level,
    )


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


def next_threshold(memory: Memory, policy: Policy) -> float | None:
    """The threshold a memory falls below next; None when it stands on the lowest rung fading knows."""
    if memory.status is Status.ACTIVE:
        return policy.ladder.detach
    if memory.status is Status.DETACHED:
        return policy.ladder.archive
    return None


def alarm(memory: Memory, moment: Moment, policy: Policy) -> Alarm:
    """No later than the moment at which something happens to a memory that nobody touches.

    Called when a memory is written, and again whenever an alarm rang and nothing was to be done. It
    must then lie in the future, or a sweep would look at the same memory for ever: a strength equal to
    the threshold is kept, so the next look is strictly after it.
    """
    expiry = ends_at(memory, policy)
    threshold = next_threshold(memory, policy)
    if threshold is None or policy.protects(memory.category, memory.scope, memory.pinned):
        return Alarm(at=expiry)
    trace = trace_of(memory, moment, policy)
    curve = policy.curve_of(memory.category, memory.tier)
    if _on_the_wall(memory.tier, policy):
        days = float(curve.days_until(trace, threshold))
        if days > _FARTHEST_DAYS:
            return Alarm(at=expiry)
        crossing = moment.at + max(days, 0.0) * _DAY + timedelta(microseconds=1)
        return Alarm(at=_earliest(expiry, max(crossing, grace_until(memory, policy))))
    kept_days = _days_kept(curve, trace, threshold)  # type: ignore[arg-type] # curves are frozen values, so hashable
    if kept_days is None:
        # Below already: only the grace period holds it.
        return Alarm(at=_earliest(expiry, grace_until(memory, policy)))
    return Alarm(at=expiry, day=None if kept_days > _FARTHEST_DAYS else moment.day + int(kept_days) + 1)


def armed(memory: Memory, moment: Moment, policy: Policy) -> Memory:
    """The memory with its alarm set."""
    at, day = alarm(memory, moment, policy)
    return memory.with_(due_at=at, due_day=day)


@functools.lru_cache(maxsize=4096)
def _days_kept(curve: Curve, trace: Trace, threshold: float) -> float | None:
    """For how many whole days a strength stays at or above a threshold; None when it is below already.

    Kept, because memories just written are much alike: solving a curve takes longer than writing a row.
    """
    if float(curve.strength(trace)) < threshold:
        return None
    days = float(curve.days_until(trace, threshold))
    if days > _FARTHEST_DAYS:
        return days
    whole = math.floor(days)
    if whole and float(curve.strength(trace.later(whole))) < threshold:
        # The solution lies a rounding error behind the day on which the strength itself is below.
        whole -= 1
    return whole


def _on_the_wall(tier: Tier, policy: Policy) -> bool:
    return tier is Tier.WORKING or policy.time.clock == "wall"


def _weight(category: str, policy: Policy) -> float:
    known = policy.categories.get(category)
    return known.weight if known else policy.categories[policy.defaults.category].weight


def _protected(traces: Traces, policy: Policy) -> NDArray[np.bool_]:
    """Which candidates do not age; asked once for each category and scope, of which there are few."""
    places = list(zip(traces.categories, traces.scopes, strict=True))
    answers = {place: policy.protects(*place, False) for place in set(places)}
    return np.array([answers[place] for place in places])


def _days_since(
    instants: Sequence[datetime], days: NDArray[np.int64], rows: NDArray[np.intp], moment: Moment, wall: bool
) -> NDArray[np.float64]:
    if wall:
        return np.array([(moment.at - instants[row]) / _DAY for row in rows])
    return (moment.day - days[rows]).astype(np.float64)


def _earliest(*moments: datetime | None) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)
