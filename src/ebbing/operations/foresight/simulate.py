"""Simulate another policy: replay the owner's log under it, and go on for some days without events.

`history.py` prepares the log, `replay.py` applies its events, `simulated_store.py` sweeps. This module moves the clock
from one event to the next, with a sweep on each day of the policy's schedule, so the cost grows with the number of
events and not with the time between them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Any

from cronsim import CronSim

from ...domain.clock import Calendar, next_midnight
from ...domain.events import Event
from ...domain.memory import Memory, Status
from ...domain.policy import Policy
from ...ports import Progress
from .history import gather, read
from .replay import Miss, PolicyReplay
from .simulated_store import Fallen, SimulatedStore

__all__ = ["Fallen", "Miss", "Point", "Simulation", "gather", "simulate"]

POINTS_MAX = 200
_DAY = timedelta(days=1)
_TELL_EVERY = 1000  # steps
_HIDDEN = "(private to another agent)"
_COUNT, _DEED, _SWEEP = range(3)  # the order of entries at one instant


@dataclass(frozen=True, slots=True)
class Point:
    """Counts at the end of a day."""

    date: date
    active: int
    detached: int
    archived: int
    active_tokens: int


@dataclass(frozen=True, slots=True)
class Simulation:
    """What a policy would have done until now, and would do until the end if no memory were used."""

    policy: str
    since: datetime  # the first event
    now: datetime  # from here on no memory is used
    until: datetime
    points: tuple[Point, ...]  # evenly spaced, and the last day
    fallen: tuple[Fallen, ...]  # in the order in which they fell
    misses: tuple[Miss, ...]  # in the order of the recalls
    recalls: int  # how often recalls found a memory, or an agent said that it used one
    standing: Mapping[str, Status]  # of each memory, by id, at the end
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        fates = f"{len(self.fallen)} fallen, {len(self.misses)} of {self.recalls} recalls missed"
        return f"<Simulation of {self.policy} until {self.until:%Y-%m-%d}: {fates}>"

    def silent_about(self, hidden: Collection[str]) -> Simulation:
        """The same without the words of some memories, which are private to another agent; they still count."""
        return replace(
            self,
            fallen=tuple(replace(one, text=_HIDDEN) if one.memory in hidden else one for one in self.fallen),
            misses=tuple(
                replace(one, text=_HIDDEN, session=None) if one.memory in hidden else one for one in self.misses
            ),
        )

    @property
    def share_active(self) -> float:
        """Of what is on the ladder at the end, how much is active."""
        last = self.points[-1]
        return last.active / max(last.active + last.detached + last.archived, 1)

    @property
    def share_found(self) -> float:
        """Of what recalls found, how much they would have found."""
        return 1 - len(self.misses) / max(self.recalls, 1)


def simulate(
    memories: Sequence[Memory],
    events: Sequence[Event],
    days: Sequence[tuple[date, int]],
    policy: Policy,
    *,
    now: datetime,
    ahead_days: int,
    recorded: Policy | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Replay the past under `policy`, then go on for `ahead_days` without any use.

    `memories` are all that the owner has, in their present state, `events` the whole log and `days` the days of use.
    `recorded` is the policy under which they were written: what it gave a memory by default (a time to live, a tier, a
    pin by rule) is given by the simulated policy instead. Left out, these stay as stored.
    """
    past = read(memories, events, now)
    since = past.events[0].at if past.events else now
    until = now + ahead_days * _DAY
    used = sorted(day for day in days if day[0] <= _date(now))
    replay = PolicyReplay(past, policy, recorded, Calendar(_and_ahead(used, now, until)), {day for day, _ in used})
    whole_days = _spaced(_date(since), _date(until))
    batches = [list(batch) for _, batch in groupby(past.events, key=lambda event: (event.batch, event.at))]
    agenda: list[tuple[datetime, int, Any]] = [
        *((next_midnight(_start(day)), _COUNT, day) for day in whole_days[:-1]),
        *((batch[0].at, _DEED, batch) for batch in batches),
        *((at, _SWEEP, None) for at in _sweeps(policy, since, until)),
    ]
    agenda.sort(key=lambda entry: entry[:2])
    points: list[Point] = []
    for done, (at, kind, what) in enumerate(agenda, 1):
        if kind == _COUNT:
            points.append(_point(what, replay.store))
        elif kind == _DEED:
            replay.apply_batch(what)
        else:
            replay.sweep(at)
        if progress is not None and (done % _TELL_EVERY == 0 or done == len(agenda)):
            progress(done, len(agenda))
    return Simulation(
        policy=policy.name,
        since=since,
        now=now,
        until=until,
        points=(*points, _point(whole_days[-1], replay.store)),
        fallen=tuple(replay.store.fallen.values()),
        misses=tuple(replay.misses),
        recalls=replay.recalls,
        standing={id_: memory.status for id_, memory in replay.store.memories.items()},
        notes=tuple(replay.notes(ahead_days)),
    )


def _point(day: date, store: SimulatedStore) -> Point:
    counts = store.counts
    on_the_ladder = (counts[Status.ACTIVE], counts[Status.DETACHED], counts[Status.ARCHIVED])
    return Point(day, *on_the_ladder, store.active_tokens)


def _and_ahead(used: Sequence[tuple[date, int]], now: datetime, until: datetime) -> list[tuple[date, int]]:
    """The days of use, and every later day as one: under this assumption fading is fastest."""
    today, number = _date(now), Calendar(used).at(now).day
    ahead = range(1, (_date(until) - today).days + 1)
    return [*used, *((today + count * _DAY, number + count) for count in ahead)]


def _sweeps(policy: Policy, since: datetime, until: datetime) -> Iterator[datetime]:
    """The times of sweeps: on each day that the policy's schedule names, the first of its times."""
    day = _start(_date(since))
    while True:
        # The next time strictly after an instant: a minute before the day begins, so that midnight counts.
        at = next(CronSim(policy.sweep.cron, day - timedelta(minutes=1)), None)
        if at is None or at > until:
            return
        yield at
        day = next_midnight(at)


def _spaced(first: date, last: date) -> list[date]:
    """Evenly spaced days from the first to the last, both included."""
    step = math.ceil(((last - first).days + 1) / (POINTS_MAX - 1))
    return [*(first + count * _DAY for count in range(0, (last - first).days, step)), last]


def _date(at: datetime) -> date:
    return at.astimezone(UTC).date()


def _start(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
