"""The idle intervals in an owner's log: how long each memory went without use, and how that ended.

An interval begins when a memory is written or used, and ends with its next use. It is observed only while recall can
find the memory. So it is cut (censored) where the memory was taken out of use, where its time to live ended and where
the log ends; it continues where the memory was restored. Lengths are whole days of the policy's clock. Two uses on one
day count as one, because strength does not change within a day.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from ...domain.clock import Calendar, Moment, calendar_day
from ...domain.events import PUTS_AWAY, Event, EventKind, Stepped
from ...domain.memory import Memory, Status, Tier
from ...domain.policy import Policy
from ...domain.retention import ends_at
from ...lifecycle.history import rewound, status_after

_PUT_AWAY = (*PUTS_AWAY, EventKind.PURGED)


@dataclass(frozen=True, slots=True)
class IdleInterval:
    """One stretch in which a memory could have been recalled; its days are counted from its last use."""

    memory: Memory
    category: str  # whose rate it fades by: its own, or the default's where the policy no longer names it
    tier: Tier  # as it was then; never working, which has a curve and a clock of its own
    recalled: bool  # had it ever been recalled when the interval began
    since: int  # the day from which it was watched: 0, unless it was brought back or came with a past
    until: int  # the day on which it was used, or the last on which it was watched
    used: bool  # whether a use ended it
    put_away: bool = False  # whether being put away did


@dataclass(frozen=True, slots=True)
class History:
    """The intervals of a log, and how many memories have none."""

    intervals: list[IdleInterval]
    purged: int  # neither category nor importance is known any more
    unfit: int  # those that do not fade by a category's rate, or whose recalls are not counted


def read(
    events: Iterable[Event],
    memories: Mapping[str, Memory],
    days: Sequence[tuple[date, int]],
    policy: Policy,
    now: Moment,
) -> History:
    """Every interval up to `now`; later events are ignored."""
    by_memory: defaultdict[str, list[Event]] = defaultdict(list)
    for event in events:
        if event.memory is not None and event.kind is not EventKind.LIFTED and event.at <= now.at:
            by_memory[event.memory].append(event)
    known = {id_: memories[id_] for id_ in by_memory if id_ in memories}
    fading = {id_: memory for id_, memory in known.items() if _fades(memory, policy)}
    calendar = Calendar(sorted(days))
    wall = policy.time.clock == "wall"
    day_of = calendar_day if wall else lambda at: calendar.at(at).day
    intervals: list[IdleInterval] = []
    for id_, memory in fading.items():
        # What was imported has its old times and new numbers.
        events_of_one = sorted(by_memory[id_], key=lambda event: (event.at, event.seq))
        watch = _IntervalReader(memory, events_of_one, policy, day_of)
        for event in events_of_one:
            intervals += watch.intervals_ended_by(event)
        intervals += watch.stopped(day_of(now.at) if wall else now.day)
    return History(intervals, purged=len(by_memory) - len(known), unfit=len(known) - len(fading))


def fading_category(memory: Memory, policy: Policy) -> str:
    """The category whose rate a memory fades by."""
    return memory.category if memory.category in policy.categories else policy.defaults.category


def _fades(memory: Memory, policy: Policy) -> bool:
    """Whether its intervals say something about a category's rate.

    The recalls of what is not trusted are never counted: it would look as if nobody needed it.
    """
    return (
        memory.tier is not Tier.WORKING
        and memory.status is not Status.QUARANTINED
        and memory.trust >= policy.reinforcement.trust_floor
        and not policy.protects(memory.category, memory.scope, memory.pinned)
        and policy.categories[fading_category(memory, policy)].decay_per_day > 0
    )


class _IntervalReader:
    """Reads one memory's events in order. A memory whose creation is not in the log counts from its first use."""

    def __init__(
        self, memory: Memory, events: Sequence[Event], policy: Policy, day_of: Callable[[datetime], int]
    ) -> None:
        self.memory = memory
        self.category = fading_category(memory, policy)
        self.day_of = day_of
        expiry = ends_at(memory, policy)
        self.last_day = math.inf if expiry is None else day_of(expiry)
        self.tier = rewound(memory, events, ["tier"])[0]["tier"]
        self.recalled = False
        self.used_on: int | None = None
        self.since: int | None = None  # the day from which it could be recalled; None: it cannot

    def intervals_ended_by(self, event: Event) -> Iterator[IdleInterval]:
        """The intervals that the event ends."""
        day = self.day_of(event.at)
        if event.kind is EventKind.REMEMBERED:
            self.used_on = min(day, self.day_of(self.memory.created_at))  # it may have come with a date of its own
            self.since = day if status_after([event]) is Status.ACTIVE else None
        elif event.kind is EventKind.REINFORCED:
            yield from self.stopped(day, used=True)
            self.used_on = self.since = day
            self.recalled = True
        elif event.kind in _PUT_AWAY:
            yield from self.stopped(day, put_away=True)
            self.since = None
        elif event.kind is EventKind.RESTORED and self.since is None:
            self.since = day if status_after([event]) is Status.ACTIVE else None
        change = event.change
        if isinstance(change, Stepped) and change.tier is not None:
            yield from self.stopped(day)
            self.tier = change.tier
            self.since = None if self.since is None else day

    def stopped(self, day: int, *, used: bool = False, put_away: bool = False) -> Iterator[IdleInterval]:
        """The interval observed until that day, if there was one."""
        until = day if used else int(min(day, self.last_day))
        if self.used_on is None or self.since is None or until <= self.since or self.tier is Tier.WORKING:
            return
        since, until = self.since - self.used_on, until - self.used_on
        yield IdleInterval(self.memory, self.category, self.tier, self.recalled, since, until, used, put_away)
