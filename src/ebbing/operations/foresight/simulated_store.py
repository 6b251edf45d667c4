"""An in-memory store for simulations: the status of each memory under a policy, and sweeps over them.

It has no database and no log. The functions that decide in a real sweep decide here too. A sweep looks only at
memories whose alarm has come, so a day without events costs nothing.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from ...domain.clock import Calendar, Moment
from ...domain.memory import Memory, Scope, Status, Tier
from ...domain.policy import Policy
from ...domain.results import Step
from ...domain.retention import raised_by, used, with_next_due
from ...forget.budgets import over_budget, over_budget_scopes
from ...forget.ladder import decide, settled, taken
from ...ports import ScopeUsage, counters
from ...remember.working_buffer import full, surplus

# Every memory is taken to wait for its topic since then, and nobody gathers it: summaries are not simulated.
_WAITING_SINCE = datetime(1970, 1, 1, tzinfo=UTC)
_STEPS = {Status.DETACHED: Step.DETACH, Status.ARCHIVED: Step.ARCHIVE}


@dataclass(frozen=True, slots=True)
class Fallen:
    """The first time that a memory was detached or archived."""

    memory: str
    text: str
    step: Step  # detach or archive
    at: datetime
    reason: str


class StatusSince(NamedTuple):
    """Since when and why a memory has its status."""

    since: datetime
    reason: str


class SimulatedStore:
    """Every memory that was created so far."""

    def __init__(self, policy: Policy, calendar: Calendar) -> None:
        self.policy = policy
        self.calendar = calendar
        self.memories: dict[str, Memory] = {}
        self.standing: dict[str, StatusSince] = {}
        self.fallen: dict[tuple[str, Step], Fallen] = {}  # in the order in which they fell
        self.counts: Counter[Status] = Counter()
        self.active_tokens = 0
        self.uses: defaultdict[str, list[datetime]] = defaultdict(list)  # when each was of use
        self._scopes = _ScopeContents(self.memories)
        self._buffers: defaultdict[tuple[str | None, str | None], set[str]] = defaultdict(set)
        self._instants: list[tuple[datetime, str]] = []  # alarms by the wall …
        self._days: list[tuple[int, str]] = []  # … and by days of use; one that was set anew since rings for nobody

    def put(self, memory: Memory, moment: Moment, why: str) -> None:
        """A memory as it is from this moment on, with its alarm set; what it waited for in review is looked at anew."""
        memory = memory.with_(held_at=None)
        known = self.memories.get(memory.id)
        if known is None or known.status is not memory.status:
            self.standing[memory.id] = StatusSince(moment.at, why)
        self._place(with_next_due(memory, moment, self.policy, _WAITING_SINCE))

    def use(self, id_: str, moment: Moment) -> None:
        """Count a use, which may bring a memory back and up a tier."""
        memory = self.memories[id_]
        after = used(memory, moment, self.policy, self.uses[id_])
        self.uses[id_].append(moment.at)
        stays = memory.status is Status.ACTIVE and after.tier is memory.tier is not Tier.WORKING
        if stays and raised_by(memory, self.policy) is None:
            self._place(after)  # its alarm may stand: a use only moves the true one later
        else:
            self.put(after, moment, "of use again")

    def make_room(self, latest: str, moment: Moment) -> None:
        """Archive what the buffer of a session, to which this was added last, holds too many of; weakest first."""
        held = [self.memories[id_] for id_ in self._buffers[_session(self.memories[latest])]]
        for memory in surplus(held, latest, moment, self.policy):
            self._lower(memory.with_(status=Status.ARCHIVED), moment.at, full(self.policy))

    def sweep(self, now: Moment) -> None:
        """What a sweep at this moment does: ring the alarms that have come, then relieve the scopes that are full."""
        for id_ in sorted(self._due(now)):
            self.sweep_one(id_, now)
        for crowd in over_budget_scopes(self._scopes, self.policy):
            for action in over_budget(crowd, now, self.policy):
                moved = taken(self.memories[action.memory.id], action, now.at)
                if action.step is Step.REVIEW:
                    self._place(settled(moved, now, self.policy, _WAITING_SINCE))
                else:
                    self._lower(moved, now.at, action.reason)

    def sweep_one(self, id_: str, now: Moment) -> None:
        """Apply the alarms of one memory up to now."""
        memory, last = self.memories[id_], None
        while (moment := self._alarm(memory, now)) is not None:
            # As in a real sweep: a memory that was used after its alarm was strong until then.
            moment = Moment(max(moment.at, memory.last_accessed_at), max(moment.day, memory.used_day))
            again = moment.at <= now.at
            while again and (action := decide(memory, moment, self.policy, waiting=True)) is not None:
                memory, last = taken(memory, action, moment.at), action
                # In another tier it may be below a threshold already.
                again = action.step in (Step.PROMOTE, Step.DEMOTE)
            memory = settled(memory, moment, self.policy, _WAITING_SINCE)
        if memory.status is self.memories[id_].status or last is None:
            self._place(memory)
        else:
            self._lower(memory, now.at, last.reason)

    def _lower(self, memory: Memory, at: datetime, why: str) -> None:
        self.standing[memory.id] = StatusSince(at, why)
        step = _STEPS[memory.status]
        passed = self.fallen.get((memory.id, Step.DETACH))
        if passed is not None and passed.at == at:
            # Two steps in one sweep count as the last one.
            del self.fallen[memory.id, Step.DETACH]
        self.fallen.setdefault((memory.id, step), Fallen(memory.id, memory.text, step, at, why))
        self._place(memory)

    def _alarm(self, memory: Memory, now: Moment) -> Moment | None:
        """The alarm that has come for a memory; None when none has."""
        if not memory.status.live:
            return None
        moments = []
        if memory.due_at is not None and memory.due_at <= now.at:
            moment = self.calendar.at(memory.due_at)
            # The calendar already counts today, which the simulation may not have reached.
            moments.append(Moment(moment.at, min(moment.day, now.day)))
        if memory.due_day is not None and memory.due_day <= now.day:
            moments.append(self.calendar.on(memory.due_day))
        return min(moments, key=lambda moment: moment.at, default=None)

    def _due(self, now: Moment) -> Iterator[str]:
        """Ids whose alarm has come; an id may come twice."""
        while self._instants and self._instants[0][0] <= now.at:
            at, id_ = heapq.heappop(self._instants)
            if self.memories[id_].due_at == at:
                yield id_
        while self._days and self._days[0][0] <= now.day:
            day, id_ = heapq.heappop(self._days)
            if self.memories[id_].due_day == day:
                yield id_

    def _place(self, memory: Memory) -> None:
        """Keep a memory as it is now, its alarms in the queues and its weight in the counts."""
        known = self.memories.get(memory.id)
        self.memories[memory.id] = memory
        if memory.status.live:
            queued = known if known is not None and known.status.live else None
            if memory.due_at is not None and (queued is None or queued.due_at != memory.due_at):
                heapq.heappush(self._instants, (memory.due_at, memory.id))
            if memory.due_day is not None and (queued is None or queued.due_day != memory.due_day):
                heapq.heappush(self._days, (memory.due_day, memory.id))
        if known is None or (known.status, known.tier) != (memory.status, memory.tier):
            if known is not None:
                self._count(known, -1)
            self._count(memory, 1)

    def _count(self, memory: Memory, times: int) -> None:
        self.counts[memory.status] += times
        if memory.status is Status.ACTIVE:
            self.active_tokens += times * memory.tokens
            if memory.tier is Tier.WORKING:
                # Once in and once out again, so the symmetric difference is either.
                self._buffers[_session(memory)] ^= {memory.id}
        if memory.status.live:
            self._scopes.count(memory, times)


def _session(memory: Memory) -> tuple[str | None, str | None]:
    return memory.agent, memory.source.session


class _ScopeContents:
    """What each scope holds: `tx.scopes`, as far as budgets use it."""

    def __init__(self, memories: Mapping[str, Memory]) -> None:
        self._all = memories
        self._holdings: defaultdict[Scope, Counter[str]] = defaultdict(Counter)
        self._members: defaultdict[tuple[Scope, Status], set[str]] = defaultdict(set)

    def count(self, memory: Memory, times: int) -> None:
        """One more, or one less."""
        holding, members = self._holdings[memory.scope], self._members[memory.scope, memory.status]
        for name in counters(memory.status, memory.tier):
            holding[name] += times
            holding[f"{name}_tokens"] += times * memory.tokens
        if times > 0:
            members.add(memory.id)
        else:
            members.remove(memory.id)

    def exceeding(self, *, active: int, active_tokens: int, detached_tokens: int) -> list[ScopeUsage]:
        """The scopes that hold more than one of these."""
        return [
            ScopeUsage(scope, **{name: held[name] for name in _HELD})
            for scope, held in self._holdings.items()
            if held["active"] > active
            or held["active_tokens"] > active_tokens
            or held["detached_tokens"] > detached_tokens
        ]

    def memories(self, scope: Scope, status: Status) -> list[Memory]:
        """The memories of a scope itself that have this status, oldest first."""
        return [self._all[id_] for id_ in sorted(self._members[scope, status])]


_HELD = tuple(name for name in ScopeUsage.__dataclass_fields__ if name != "scope")
