"""The future of a memory that is not used: a sweep now, then one at each of its next alarms, with nothing written.

The result of sweeps does not depend on when they run (`planner.py`). So the future is simulated with the code of real
sweeps. Two things that depend on other memories are left out: whether a topic has enough memories for a summary, and
whether the scope is over its budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from ..domain.clock import Calendar, Moment
from ..domain.memory import Memory
from ..domain.policy import Policy
from ..domain.results import Action, Step
from ..domain.retention import strength_of
from .ladder import decide
from .planner import DueSnapshot, Replay

_ALARMS_MOST = 24  # a memory has about four alarms on its way down, some more with times to live and tiers


class DailyUseCalendar(Calendar):
    """An owner's days of use so far, and every day from tomorrow on: the earliest that anything can happen."""

    def __init__(self, days: Sequence[tuple[date, int]], today: Moment) -> None:
        super().__init__(days)
        self._today = today

    def at(self, instant: datetime) -> Moment:
        ahead = instant.astimezone(UTC).date() - self._today.at.astimezone(UTC).date()
        return super().at(instant) if ahead < timedelta(0) else Moment(instant, self._today.day + ahead.days)

    def on(self, day: int) -> Moment:
        ahead = timedelta(days=day - self._today.day)
        midnight = self._today.at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        return super().on(day) if ahead <= timedelta(0) else Moment(midnight + ahead, day)


@dataclass(frozen=True, slots=True)
class ForecastStep:
    """One step down: what a sweep decides, when, and the memory after it."""

    moment: Moment
    action: Action
    memory: Memory

    @property
    def leaves(self) -> bool:
        """Whether it changes the status of the memory, or would, and a person is asked first."""
        return self.action.step.status is not None or self.action.step is Step.REVIEW


@dataclass(frozen=True, slots=True)
class LookAhead:
    """The steps ahead of a memory from a moment on."""

    memory: Memory
    moment: Moment
    steps: tuple[ForecastStep, ...]

    @property
    def first_exit(self) -> ForecastStep | None:
        """The first step that changes the status of the memory; None when none does."""
        return next((step for step in self.steps if step.leaves), None)

    def strength(self, days: int, policy: Policy) -> float:
        """The strength so many days from now, in the tier that the memory has then."""
        then = Moment(self.moment.at + timedelta(days=days), self.moment.day + days)
        passed = [step.memory for step in self.steps if step.moment.at < then.at]
        return strength_of(passed[-1] if passed else self.memory, then, policy)


def look_ahead_of(
    memory: Memory,
    moment: Moment,
    calendar: Calendar,
    policy: Policy,
    since: datetime | None,
    until: datetime | None = None,
) -> LookAhead:
    """Sweep a memory, with the alarm it carries, from a moment on. `since`: it waits for others of its topic. `until`:
    no farther than this, or than the step that takes it off its rung."""
    steps: list[ForecastStep] = []
    swept, waiting, now = memory, since, moment
    for _ in range(_ALARMS_MOST):
        was_waiting = waiting is not None
        swept, waiting, action = _swept(swept, waiting, now, calendar, policy)
        if action is not None:
            steps.append(ForecastStep(now, action, swept))
        if waiting is not None and not was_waiting and (waits := decide(swept, now, policy)) is not None:
            steps.append(ForecastStep(now, waits, swept))
        upcoming = _next(swept, calendar)
        if upcoming is None or upcoming.at <= now.at:
            break
        if until is not None and (upcoming.at > until or any(step.leaves for step in steps)):
            break
        now = upcoming
    return LookAhead(memory, moment, tuple(steps))


def _swept(
    memory: Memory, since: datetime | None, now: Moment, calendar: Calendar, policy: Policy
) -> tuple[Memory, datetime | None, Action | None]:
    """The memory after a sweep at this moment, since when it waits then, and what the sweep tells."""
    waiting = {} if since is None else {memory.id: since}
    seen = DueSnapshot(due=[memory], calendar=calendar, horizon=now.at, more=False, version=0, since=waiting)
    plan = Replay(seen, now, policy, lambda _group, _moment: None).run()
    return plan.final.get(memory.id, memory), plan.since.get(memory.id), plan.actions.get(memory.id)


def _next(memory: Memory, calendar: Calendar) -> Moment | None:
    """The moment of a memory's alarm; None where no alarm matters."""
    if not memory.status.live:
        return None
    by_the_wall = [] if memory.due_at is None else [calendar.at(memory.due_at)]
    by_use = [] if memory.due_day is None else [calendar.on(memory.due_day)]
    return min(by_the_wall + by_use, key=lambda moment: moment.at, default=None)
