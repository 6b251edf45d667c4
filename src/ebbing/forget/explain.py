"""Why a memory has its status, and what will become of it: in words and in numbers.

It uses the functions of ranking and sweeping, so an explanation cannot differ from what happens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, timedelta

from ..domain.clock import Moment
from ..domain.events import BIRTHS, PUTS_AWAY, Archived, Created, Event, EventKind
from ..domain.memory import Memory, Status, Tier
from ..domain.policy import Policy
from ..domain.results import Explanation, Forecast, Step
from ..domain.retention import grace_until, on_the_wall, raised_by, strength_of, trace_of, with_next_due
from ..lifecycle.conflicts import judgements, open_rivals
from ..lifecycle.operation_context import OperationContext
from ..ports import EventLog, ReadTransaction
from .forecast import DailyUseCalendar, ForecastStep, look_ahead_of
from .what_if import Levers

_DAYS_DRAWN = 90
_RUNGS = {Step.WAIT: "summarize"}  # what waits is summarized with its topic, if there is enough of it
_MOVES = (*BIRTHS, *PUTS_AWAY, EventKind.RESTORED)
_DAY = timedelta(days=1)


def explain(memory: Memory, work: OperationContext) -> Explanation:
    """Everything that decides about one memory, at this moment."""
    policy, now = work.policy, work.now
    with work.read() as tx:
        moment, activity, days = work.moment(tx.owner), tx.owner.activity, tx.owner.active_days()
        history = tx.events.of_memory(memory.id)
        replaced_by = _replacement(memory, history, tx)
        against = open_rivals(memory, tx) if memory.contested and memory.status.live else []
        judged = judgements(memory, against if replaced_by is None else [replaced_by], tx.events)
        purged = replaced_by is None and _is_purged(memory.superseded_by, tx.events)
        since = tx.queue.since([memory.id]).get(memory.id)
        # Alarms of another policy say nothing: a sweep would set them first.
        ringing = (
            memory if tx.owner.alarms_current(policy.fingerprint) else with_next_due(memory, moment, policy, since)
        )
    ahead = look_ahead_of(ringing, moment, DailyUseCalendar(days, moment), policy, since)
    touched = Moment(now, activity.used(now).day)
    days_then = sorted((dict(days) | {now.astimezone(UTC).date(): touched.day}).items())
    levers = Levers(ahead, history, touched, DailyUseCalendar(days_then, touched), policy)
    protection = protections(memory, policy)
    trace = trace_of(memory, moment, policy)
    grace = grace_until(memory, policy)
    return Explanation(
        memory=memory,
        strength=strength_of(memory, moment, policy),
        curve="half_life" if memory.tier is Tier.WORKING else policy.curve.name,
        unit="days" if on_the_wall(memory.tier, policy) else "days of use",
        numbers={
            "importance": memory.importance,
            "idle_days": float(trace.idle_days),
            "age_days": float(trace.age_days or 0.0),
            "recalls": float(memory.recall_count),
            "trust": memory.trust,
            "weight": float(trace.weight),
            **({} if raised_by(memory, policy) is None else {"level": memory.level}),
        },
        reading=_reading(history),
        because=_status_sentence(memory, history)
        + ("" if since is None else ", and waits for others of its topic")
        + (", and what replaced it was purged" if purged else "")
        + _waiting_in_review(memory),
        protected_by=tuple(protection),
        grace_until=grace if grace > moment.at and memory.status.live else None,
        forecasts=tuple(_forecast(step, moment) for step in ahead.steps),
        levers=tuple(levers.sentences(protected=policy.protects(memory.category, memory.scope, pinned=False))),
        replaced_by=replaced_by,
        judgements=judged,
        drawn=tuple((day, ahead.strength(day, policy)) for day in range(_DAYS_DRAWN + 1)),
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


def _reading(history: Sequence[Event]) -> Mapping[str, float | int | str]:
    """What the judge read in the text when it was written, as the event of that has it; nothing without a judge."""
    changes = (event.change for event in history if event.kind is EventKind.REMEMBERED)
    return next((change.reading for change in changes if isinstance(change, Created) and change.reading), {})


def _forecast(step: ForecastStep, now: Moment) -> Forecast:
    action, at = step.action, step.moment.at
    days = max((at - now.at) / _DAY, 0.0)
    return Forecast(_RUNGS.get(action.step, action.step.value), action.threshold, days, at, action.reason)


def _replacement(memory: Memory, history: Sequence[Event], tx: ReadTransaction) -> Memory | None:
    """The memory that replaced it: what superseded it, what it was merged into, or its summary."""
    last = next((event.change for event in reversed(history) if event.kind in _MOVES), None)
    summed_up = memory.status is Status.ARCHIVED and isinstance(last, Archived)
    id_ = memory.superseded_by or (last.into if summed_up and isinstance(last, Archived) else None)
    found = tx.memories.get([id_]).get(id_) if id_ is not None else None
    # A caller that may not see it does not get it.
    return found if found is not None and tx.view.sees(found) else None


def _waiting_in_review(memory: Memory) -> str:
    if memory.held_at is None or not memory.status.live:
        return ""
    return f", and waits in review since {memory.held_at:%Y-%m-%d}: it would have left recall, and is harmful to lose"


def _is_purged(id_: str | None, log: EventLog) -> bool:
    return id_ is not None and any(event.kind is EventKind.PURGED for event in log.of_memory(id_))


def _status_sentence(memory: Memory, history: Sequence[Event]) -> str:
    """One sentence: its status, since when and why."""
    moves = [event for event in history if event.kind in _MOVES]
    if not moves:
        return f"it is {memory.status}"
    last = moves[-1]
    why = f", because {last.reason.rstrip('.')}" if last.reason else ""
    by = f" by {last.actor}" if last.actor else ""
    return f"it is {memory.status}: {last.kind} on {last.at:%Y-%m-%d}{by}{why}"
