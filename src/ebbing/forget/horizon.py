"""What the sweeps of the next days will do, memory by memory: looked up by their alarms, a bounded number at a time.

An alarm comes no later than what it is for. So memories are read in the order of their alarms, and what happens to
each is found as for one memory (`forecast.py`): by sweeping it ahead.
"""

from __future__ import annotations

from datetime import timedelta

from ..domain.clock import Moment
from ..domain.errors import Invalid
from ..domain.memory import Memory, instant
from ..domain.overviews import Horizon, Upcoming
from ..domain.results import Step
from ..domain.retention import on_the_wall, strength_of, with_next_due
from ..lifecycle.operation_context import OperationContext
from ..ports import DueCursor
from .forecast import DailyUseCalendar, ForecastStep, LookAhead, look_ahead_of

_FOREIGN_ALARMS = (
    "the policy has changed since the last sweep: what is due is looked up by the alarms of the former one, and the "
    "next sweep sets them anew"
)


def horizon(work: OperationContext, *, days: int, limit: int, after: str | None) -> Horizon:
    """What happens within so many days, of the next memories by their alarms: up to `limit` by the wall clock, and as
    many by days of use."""
    policy, until = work.policy, work.now + timedelta(days=days)
    with work.read() as tx:
        moment = work.moment(tx.owner)
        by_then = Moment(until, moment.day + days)
        found, read = tx.memories.upcoming(by_then, limit, None if after is None else _cursor(after))
        since = tx.queue.since([memory.id for memory in found])
        calendar = DailyUseCalendar(tx.owner.active_days(), moment) if found else None
        is_current = tx.owner.alarms_current(policy.fingerprint)
    upcoming = []
    for memory in found:
        waiting = since.get(memory.id)
        ringing = memory if is_current else with_next_due(memory, moment, policy, waiting)
        if calendar is None:
            continue
        ahead = look_ahead_of(ringing, moment, calendar, policy, waiting, until)
        step = _told(ahead)
        if step is not None and step.moment.at <= until:
            upcoming.append(_upcoming(step, ringing, moment, work))
    ended = (read.at, read.day) == (by_then.at, by_then.day)
    return Horizon(
        now=work.now,
        until=until,
        upcoming=tuple(sorted(upcoming, key=lambda one: (one.at, one.memory.id))),
        looked_at=len(found),
        next=None if ended else _written(read),
        notes=() if is_current or not found else (_FOREIGN_ALARMS,),
    )


def _told(ahead: LookAhead) -> ForecastStep | None:
    """The step that takes a memory off its rung; else the first that changes anything."""
    return ahead.first_exit or next((step for step in ahead.steps if step.action.step is not Step.PROMOTE), None)


def _upcoming(step: ForecastStep, memory: Memory, moment: Moment, work: OperationContext) -> Upcoming:
    action = step.action
    by_use = action.threshold is not None and not on_the_wall(action.memory.tier, work.policy)
    return Upcoming(
        memory,
        action.step,
        step.moment.at,
        action.reason,
        action.threshold,
        strength_of(memory, moment, work.policy),
        by_use,
    )


def _written(cursor: DueCursor) -> str:
    return f"{cursor.at.isoformat()},{cursor.at_id},{cursor.day},{cursor.day_id}"


def _cursor(text: str) -> DueCursor:
    parts = text.split(",")
    if len(parts) != 4 or "\0" in text or not (parts[2].isascii() and parts[2].isdigit() and len(parts[2]) < 9):
        raise Invalid("after is not a place in the horizon; take it from `next` of the page before")
    return DueCursor(instant(parts[0]), parts[1], int(parts[2]), parts[3])
