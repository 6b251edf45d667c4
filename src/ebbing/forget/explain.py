"""Why a memory stands where it stands, and what will become of it: in words, and in the numbers behind them.

Asks the same functions as ranking and sweeping, so that an explanation cannot say anything else than
what happens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..answers import Explanation, Forecast
from ..clock import Moment
from ..fading import (
    archives_at,
    compactable,
    compacts_at,
    ends_at,
    grace_until,
    on_the_wall,
    session_ends_at,
    strength_of,
    trace_of,
)
from ..importance import parts
from ..model import Event, EventKind, Memory, Status
from ..policy import Policy
from ..strength import Curve, Trace

_DAYS_DRAWN = 90
_MOVES = (
    EventKind.REMEMBERED,
    EventKind.SUMMARIZED,
    EventKind.IMPORTED,
    EventKind.DETACHED,
    EventKind.ARCHIVED,
    EventKind.SUPERSEDED,
    EventKind.MERGED,
    EventKind.FORGOTTEN,
    EventKind.RESTORED,
)
_DAY = timedelta(days=1)


def explain(memory: Memory, history: Sequence[Event], moment: Moment, policy: Policy) -> Explanation:
    """Everything that decides about one memory, at one moment."""
    case = _Case(memory, moment, policy)
    protection = protections(memory, policy)
    trace = case.trace
    return Explanation(
        memory=memory,
        strength=strength_of(memory, moment, policy),
        curve=policy.curve.name if not case.working else "half_life",
        unit=case.unit,
        numbers={
            "importance": memory.importance,
            "idle_days": float(trace.idle_days),
            "age_days": float(trace.age_days or 0.0),
            "recalls": float(memory.recall_count),
            "trust": memory.trust,
            "weight": float(trace.weight),
        },
        importance_parts=dict(parts(memory.text)),
        because=_standing(memory, history),
        protected_by=tuple(protection),
        grace_until=case.grace if case.grace > moment.at and memory.status.live else None,
        forecasts=tuple(case.forecasts(protected=bool(protection))),
        levers=tuple(case.levers(protected=bool(protection))),
        drawn=tuple(case.drawn(still=bool(protection))),
    )


def protections(memory: Memory, policy: Policy) -> list[str]:
    """Why nothing may lower a memory, if that is so."""
    reasons = []
    if memory.pinned:
        reasons.append("it is pinned")
    if memory.category in policy.protection.categories:
        reasons.append(f"the policy protects the category {memory.category}")
    scopes = [scope for scope in policy.protection.scopes if scope.contains(memory.scope)]
    if scopes:
        reasons.append(f"the policy protects the scope {scopes[0]}")
    return reasons


@dataclass(frozen=True)
class _Case:
    """One memory, one moment, one policy."""

    memory: Memory
    moment: Moment
    policy: Policy

    @property
    def trace(self) -> Trace:
        return trace_of(self.memory, self.moment, self.policy)

    @property
    def curve(self) -> Curve:
        return self.policy.curve_of(self.memory.category, self.memory.tier)

    @property
    def wall(self) -> bool:
        return on_the_wall(self.memory.tier, self.policy)

    @property
    def working(self) -> bool:
        return self.memory.tier.value == "working"

    @property
    def unit(self) -> str:
        return "days" if self.wall else "days of use"

    @property
    def grace(self) -> datetime:
        return grace_until(self.memory, self.policy)

    def forecasts(self, *, protected: bool) -> list[Forecast]:
        """When an untouched memory reaches each rung below it, and what else has a date."""
        memory, policy = self.memory, self.policy
        if not memory.status.live:
            return []
        found = []
        end = ends_at(memory, policy)
        if end is not None and not memory.pinned:
            found.append(self._dated("expire", end))
        if protected:
            return found
        found += [self._crossing(name, threshold) for name, threshold in self._rungs()]
        found += [
            self._dated(name, at)
            for name, at in (
                ("archive by schedule", archives_at(memory, policy)),
                ("summarize by schedule", compacts_at(memory, policy) if compactable(memory, policy) else None),
                ("promote to episodic", session_ends_at(memory, policy)),
            )
            if at is not None
        ]
        return sorted(found, key=lambda one: math.inf if one.days is None else one.days)

    def _rungs(self) -> list[tuple[str, float]]:
        ladder, memory = self.policy.ladder, self.memory
        rungs = [("archive", ladder.archive)]
        if memory.status is Status.ACTIVE:
            rungs.insert(0, ("detach", ladder.detach))
            if compactable(memory, self.policy):
                rungs.insert(0, ("summarize", ladder.summarize))
        return rungs

    def _crossing(self, rung: str, threshold: float) -> Forecast:
        days = float(self.curve.days_until(self.trace, threshold))
        if math.isinf(days):
            return Forecast(rung, threshold, None, None)
        # Days of use come on no date that is known; with use every day they come as soon as this.
        at = max(self.moment.at + min(days, 10_000_000) * _DAY, self.grace) if days < 1_000_000 else None
        held = 0.0 if at is None else (at - self.moment.at) / _DAY
        return Forecast(rung, threshold, max(days, held if self.wall else days), at)

    def _dated(self, rung: str, at: datetime) -> Forecast:
        return Forecast(rung, None, max((at - self.moment.at) / _DAY, 0.0), at)

    def levers(self, *, protected: bool) -> list[str]:
        """What its owner could do about it, with what that would change."""
        memory, policy = self.memory, self.policy
        if not memory.status.live:
            days = policy.time.restored_grace.days
            return [f"restore it: it comes back into use, and fading leaves it alone for {days} days"]
        if protected:
            return ["unpin it: it fades again"] if memory.pinned else ["the policy would have to protect it no longer"]
        if memory.trust < policy.reinforcement.trust_floor:
            return ["pin it: it never fades (its source is not trusted enough for a use to strengthen it)"]
        used = replace(self.trace, idle_days=0.0, recalls=memory.recall_count + 1)
        now = float(self.curve.days_until(self.trace, policy.ladder.detach))
        then = float(self.curve.days_until(used, policy.ladder.detach))
        use = f"one more use: it leaves recall {_in(then, self.unit)}"
        if memory.status is Status.ACTIVE:
            use += f" instead of {_in(now, self.unit)}"
        return [use, "pin it: it never fades"]

    def drawn(self, *, still: bool) -> list[tuple[int, float]]:
        if self.memory.pinned:
            return [(day, 1.0) for day in range(_DAYS_DRAWN + 1)]
        return [
            (day, float(self.curve.strength(self.trace if still else self.trace.later(day))))
            for day in range(_DAYS_DRAWN + 1)
        ]


def _standing(memory: Memory, history: Sequence[Event]) -> str:
    """Since when and why it is where it is."""
    moves = [event for event in history if event.kind in _MOVES]
    if not moves:
        return f"it is {memory.status}"
    last = moves[-1]
    why = f", because {last.reason}" if last.reason else ""
    by = f" by {last.actor}" if last.actor else ""
    return f"it is {memory.status}: {last.kind} on {last.at:%Y-%m-%d}{by}{why}"


def _in(days: float, unit: str) -> str:
    if math.isinf(days):
        return "never"
    return "at once" if days <= 0 else f"after {max(1, math.ceil(days))} {unit}"
