"""How strong a memory was on each day of its life and will be, with everything that happened to it.

Nothing of that is stored. The past is told by the events (`lifecycle/history.py`), the future by sweeping the memory
ahead (`forecast.py`), and every strength by the function that ranks and sweeps.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ..domain.clock import Calendar, Moment
from ..domain.events import Event, EventKind
from ..domain.memory import Memory, Status
from ..domain.overviews import Life, Mark, Strength
from ..domain.policy import Policy
from ..domain.retention import strength_of, used, with_next_due
from ..lifecycle.history import rewound, status_after
from ..lifecycle.operation_context import OperationContext
from .forecast import DailyUseCalendar, look_ahead_of

DAYS_AHEAD = 90
_SAMPLES = 120
_EVENTS_MOST = 400  # of the latest; a memory has a few dozen
_INSTANT = timedelta(microseconds=1)
_REWOUND = ("importance", "lifetime", "harm", "pinned", "category", "tier", "level", "scope")


def life(memory: Memory, work: OperationContext) -> Life:
    """Everything that a memory's curve shows, at this moment."""
    policy = work.policy
    with work.read() as tx:
        moment, activity, days = work.moment(tx.owner), tx.owner.activity, tx.owner.active_days()
        history = tx.events.of_memory(memory.id)
        since = tx.queue.since([memory.id]).get(memory.id)
        related = tx.memories.get([*memory.derived_from, *memory.supersedes])
        summaries = tx.memories.summaries_of([memory.id])
        seen = [one for one in summaries if tx.view.sees(one)]
    told = history[-_EVENTS_MOST:]
    past = _Past(memory, told, Calendar(days), policy)
    touched = Moment(work.now, activity.used(work.now).day)
    days_then = sorted((dict(days) | {work.now.astimezone(UTC).date(): touched.day}).items())
    ahead = look_ahead_of(
        with_next_due(memory, moment, policy, since), moment, DailyUseCalendar(days, moment), policy, since
    )
    after = None
    if _use_counts(memory, policy):
        earlier = [event.at for event in history if event.kind is EventKind.REINFORCED]
        stronger = with_next_due(used(memory, touched, policy, earlier), touched, policy)
        after = look_ahead_of(stronger, touched, DailyUseCalendar(days_then, touched), policy, None)
    drawn = range(DAYS_AHEAD + 1)
    ladder = policy.ladder
    return Life(
        memory=memory,
        now=work.now,
        past=past.drawn(moment),
        ahead=tuple((day, ahead.strength(day, policy)) for day in drawn) if memory.status.live else (),
        after_use=() if after is None else tuple((day, after.strength(day, policy)) for day in drawn),
        marks=past.marks(),
        thresholds={"summarize": ladder.summarize, "detach": ladder.detach, "archive": ladder.archive},
        made_of=tuple(related[id_] for id_ in memory.derived_from if id_ in related),
        replaces=tuple(related[id_] for id_ in memory.supersedes if id_ in related),
        summaries=tuple(seen),
        earlier_events=len(told) < len(history),
    )


def _use_counts(memory: Memory, policy: Policy) -> bool:
    """Whether a use now would change when the memory fades."""
    if not memory.status.live or policy.protects(memory.category, memory.scope, memory.pinned):
        return False
    return memory.trust >= policy.reinforcement.trust_floor


@dataclass(frozen=True, slots=True)
class _Past:
    """A memory between each two of its events."""

    memory: Memory
    history: Sequence[Event]
    calendar: Calendar
    policy: Policy

    def drawn(self, now: Moment) -> tuple[Strength, ...]:
        """Evenly spaced from the first instant to now, and on both sides of each use."""
        states = self._states()
        begins = [self.memory.created_at, *(event.at for event in self.history)]
        first = min(self.memory.created_at, now.at)
        step = (now.at - first) / _SAMPLES
        instants = {first + number * step for number in range(_SAMPLES)} | {now.at}
        for event in self.history:
            if first < event.at <= now.at:
                instants |= {event.at, event.at - _INSTANT}
        return tuple(self._at(at, states, begins) for at in sorted(instants))

    def marks(self) -> tuple[Mark, ...]:
        """Each event with the strength that the memory had just after it."""
        states = self._states()
        return tuple(
            Mark(
                event.seq,
                event.at,
                event.kind,
                self._strength(states[number + 1], event.at),
                states[number + 1].status,
                event.batch,
                event.actor,
                event.reason,
                getattr(event.change, "other", None),
            )
            for number, event in enumerate(self.history)
        )

    def _at(self, at: datetime, states: Sequence[Memory], begins: Sequence[datetime]) -> Strength:
        state = states[max(bisect.bisect_right(begins, at) - 1, 0)]
        return Strength(at, self._strength(state, at), state.status)

    def _strength(self, state: Memory, at: datetime) -> float:
        return min(max(strength_of(state, self.calendar.at(at), self.policy), 0.0), 1.0)

    def _states(self) -> list[Memory]:
        """The memory before its first event and after each."""
        values, made = rewound(self.memory, self.history, _REWOUND)
        uses = sum(event.kind is EventKind.REINFORCED for event in self.history)
        recalls = max(self.memory.recall_count - uses, 0)  # counted by events that are not told here
        values |= {
            "status": Status.ACTIVE,
            "recall_count": recalls,
            "last_accessed_at": self.memory.created_at,
            "used_day": self.memory.created_day,
        }
        states = [self.memory.with_(**values)]
        for event in self.history:
            values |= made.get(event.seq, {})
            values["status"] = status_after([event], values["status"])
            if event.kind is EventKind.REINFORCED:
                recalls += 1
                day = self.calendar.at(event.at).day
                values |= {"recall_count": recalls, "last_accessed_at": event.at, "used_day": day}
            states.append(self.memory.with_(**values))
        states[-1] = self.memory
        return states
