"""How strong memories are at a moment under a policy, and when to look at one again.

The one place where a memory, a policy, a clock and a curve meet. Ranking, sweeping and
explaining all ask here, so they can never disagree. Nothing computed here is stored but the
alarm: a moment no later than the one at which the memory crosses its next threshold.
"""

from __future__ import annotations

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
from .strength import Trace

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
    kinds = list(zip(traces.categories, traces.tiers, strict=True))
    protected = np.array([policy.protects(c, s, False) for c, s in zip(traces.categories, traces.scopes, strict=True)])
    for kind in set(kinds):
        rows = np.array([index for index, other in enumerate(kinds) if other == kind])
        category, tier = kind
        wall = _on_the_wall(tier, policy)
        idle = _days_since(traces.last_accessed_at, traces.used_day, rows, moment, wall)
        age = _days_since(traces.created_at, traces.created_day, rows, moment, wall)
        trace = Trace(
            importance=traces.importance[rows],
            idle_days=np.where(protected[rows], 0.0, idle),
            age_days=np.where(protected[rows], 0.0, age),
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
    expiry = memory.expires_at
    threshold = next_threshold(memory, policy)
    if threshold is None or policy.protects(memory.category, memory.scope, memory.pinned):
        return Alarm(at=expiry)
    trace = trace_of(memory, moment, policy)
    days = float(policy.curve_of(memory.category, memory.tier).days_until(trace, threshold))
    if days > _FARTHEST_DAYS:
        return Alarm(at=expiry)
    if _on_the_wall(memory.tier, policy):
        crossing = moment.at + max(days, 0.0) * _DAY + timedelta(microseconds=1)
        return Alarm(at=_earliest(expiry, max(crossing, grace_until(memory, policy))))
    crossing_day = moment.day + math.floor(days) + 1 if days > 0 else moment.day
    if crossing_day <= moment.day:
        # Below already: only the grace period holds it.
        return Alarm(at=_earliest(expiry, grace_until(memory, policy)))
    return Alarm(at=expiry, day=crossing_day)


def armed(memory: Memory, moment: Moment, policy: Policy) -> Memory:
    """The memory with its alarm set."""
    at, day = alarm(memory, moment, policy)
    return memory.with_(due_at=at, due_day=day)


def _on_the_wall(tier: Tier, policy: Policy) -> bool:
    return tier is Tier.WORKING or policy.time.clock == "wall"


def _weight(category: str, policy: Policy) -> float:
    known = policy.categories.get(category)
    return known.weight if known else policy.categories[policy.defaults.category].weight


def _days_since(
    instants: Sequence[datetime], days: NDArray[np.int64], rows: NDArray[np.intp], moment: Moment, wall: bool
) -> NDArray[np.float64]:
    if wall:
        return np.array([(moment.at - instants[row]) / _DAY for row in rows])
    return (moment.day - days[rows]).astype(np.float64)


def _earliest(*moments: datetime | None) -> datetime | None:
    return min((moment for moment in moments if moment is not None), default=None)
