"""Why a memory stands where it stands, and what will become of it: in words, and in the numbers behind them.

Asks the same functions as ranking and sweeping, so that an explanation cannot say anything else than
what happens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from ..answers import Action, Explanation, Forecast, Step
from ..clock import Moment
from ..fading import grace_until, on_the_wall, strength_of, trace_of
from ..importance import parts
from ..model import Event, EventKind, Memory, Status
from ..policy import Policy
from ..strength import Curve, Trace
from .ladder import decide, settled, taken

_DAYS_DRAWN = 90
_LOOKS_MOST = 24  # a memory rings four times on its way down, some more with times to live and tiers
_RUNGS = {Step.WAIT: "summarize"}  # what waits is summarized with its topic, if there is enough of it
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


def explain(
    memory: Memory, history: Sequence[Event], moment: Moment, policy: Policy, since: datetime | None = None
) -> Explanation:
    """Everything that decides about one memory, at one moment. `since`: it waits for others of its topic since then."""
    case = _Case(memory, moment, policy, since)
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
        because=_standing(memory, history) + ("" if since is None else ", and waits for others of its topic"),
        protected_by=tuple(protection),
        grace_until=case.grace if case.grace > moment.at and memory.status.live else None,
        forecasts=tuple(case.forecasts()),
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
    since: datetime | None

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

    def forecasts(self) -> list[Forecast]:
        """What happens to a memory that nobody touches, step by step: the way down walked ahead, by the functions that
        a sweep asks. Days of use are taken to come one after the other, from tomorrow on."""
        memory, moment, since = self.memory, self.moment, self.since
        found: list[Forecast] = []
        for _ in range(_LOOKS_MOST):
            upcoming = self._next(settled(memory, moment, self.policy, since))
            if upcoming is None or not memory.status.live:
                break
            moment = upcoming
            action = decide(memory, moment, self.policy, waiting=since is not None)
            if action is None:
                continue
            found.append(self._forecast(action, moment))
            if action.step is Step.WAIT:
                since = moment.at
            else:
                memory, since = taken(memory, action), since if action.step.status is None else None
        return found

    def _next(self, memory: Memory) -> Moment | None:
        """The moment of a memory's next alarm."""
        moments = []
        if memory.due_at is not None:
            days = (memory.due_at.astimezone(UTC).date() - self.moment.at.astimezone(UTC).date()).days
            moments.append(Moment(memory.due_at, self.moment.day + max(days, 0)))
        if memory.due_day is not None:
            midnight = self.moment.at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
            at = midnight + timedelta(days=memory.due_day - self.moment.day)
            moments.append(Moment(max(at, self.moment.at), memory.due_day))
        return min(moments, key=lambda moment: moment.at, default=None)

    def _forecast(self, action: Action, moment: Moment) -> Forecast:
        days = max((moment.at - self.moment.at) / _DAY, 0.0)
        return Forecast(_RUNGS.get(action.step, action.step.value), action.threshold, days, moment.at, action.reason)

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
