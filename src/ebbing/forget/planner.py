"""Plan a sweep: process all due alarms in the order of their times, in memory, with nothing written.

This is the one hard algorithm of forgetting. Each memory has an alarm: a moment no later than the one at which its
status changes. A sweep may run long after it. To make the result independent of when and how often sweeps run, the
planner does not ask which status memories should have *now*: it takes the alarms in the order of their times and
decides at each what was to be done *then*. The memory is lowered or not, and gets its next alarm; if that is in the
past too, it goes back into the queue. So three notes that fell below the first threshold last Tuesday are summarized
as of the end of Tuesday, whether the sweep runs on Wednesday or at Christmas, and later alarms of their summary are
processed too.

Scopes do not depend on each other, so each is planned by itself, and only its own summary queue is held in memory. With
a limit, all scopes are planned together, the longest overdue first.

A plan is made from one consistent snapshot. `apply_plan.py` carries it out and leaves out what has changed since. A dry
run is a plan that is not carried out.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from operator import attrgetter

from ..domain.clock import Calendar, Moment
from ..domain.memory import Memory, Scope, Status
from ..domain.policy import Policy
from ..domain.results import Action, Step
from ..domain.retention import compactable, compacts_at, strength_of, topic_at
from ..lifecycle.transitions import merged
from ..ports import BEHIND_EVERY_ID, Progress, Vector
from .clustering import kind_of, topics, twins
from .ladder import below, decide, settled, taken
from .summary_queue import NONE_QUEUED, AttemptCache, QueuedMemories

_at = attrgetter("at")
_REPORT_EVERY = 64  # alarms

# Makes one memory of several, at a moment, with its vector if it has one; None when it would not be smaller.
Summarize = Callable[[Sequence[Memory], Moment], tuple[Memory, Vector | None] | None]


@dataclass(frozen=True, slots=True)
class DueSnapshot:
    """One consistent snapshot of what a sweep needs."""

    due: Sequence[Memory]
    calendar: Calendar
    horizon: datetime  # `due` holds every alarm up to here
    more: bool  # there are alarms behind it
    version: int  # of the owner's memories at the snapshot
    since: Mapping[str, datetime] = field(default_factory=dict)  # which of them wait for their topic, since when
    queued: QueuedMemories = NONE_QUEUED  # others in the queue


@dataclass(slots=True)
class Plan:
    """What to do, and the state that it was planned from."""

    version: int
    read: dict[str, Memory] = field(default_factory=dict)  # everything touched, as it was read
    final: dict[str, Memory] = field(default_factory=dict)  # and as it is to be
    actions: dict[str, Action] = field(default_factory=dict)  # by memory: the last step is the one that counts
    made: dict[str, Memory] = field(default_factory=dict)  # summaries
    became: dict[str, Action] = field(default_factory=dict)  # the last action on those of them that did not stay
    vectors: dict[str, Vector] = field(default_factory=dict)  # of summaries
    since: dict[str, datetime] = field(default_factory=dict)  # the queue after the plan
    recovered: list[str] = field(default_factory=list)  # queued memories that are strong again
    looked_at: int = 0
    relieved_at: datetime | None = None  # when a scope that stays over its budget can be relieved

    def without(self, changed: Collection[str]) -> None:
        """Leave out memories that have changed since they were read, and everything that depends on them."""
        dropped = set(changed)
        while True:
            rests = {id_ for id_, made in self.made.items() if dropped.intersection(made.derived_from)}
            steps = (*self.actions.items(), *self.became.items())
            rests |= {id_ for id_, action in steps if action.into in dropped}
            if rests <= dropped:
                break
            dropped |= rests
        for kept in (self.final, self.actions, self.made, self.became, self.vectors, self.read, self.since):
            for id_ in dropped & kept.keys():
                del kept[id_]


class Replay:
    """Processes the alarms of one snapshot."""

    def __init__(
        self,
        snapshot: DueSnapshot,
        now: Moment,
        policy: Policy,
        summarize: Summarize,
        limit: int | None = None,
        attempts: AttemptCache | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.now = now
        self.policy = policy
        self.summarize = summarize
        self.limit = limit
        self.attempts = AttemptCache() if attempts is None else attempts
        self.plan = Plan(snapshot.version, looked_at=len(snapshot.due))
        self.memories: dict[str, Memory] = {memory.id: memory for memory in snapshot.due}
        self.plan.read = dict(self.memories)
        self.queue: list[tuple[str, datetime, str]] = []
        self.day_starts: dict[int, Moment] = {}
        self.alarms: dict[str, tuple[Memory, Moment | None]] = {}  # as last looked up
        self.last_alarms: dict[str, Moment] = {}  # the time of the last alarm of each
        self.acted: dict[str, datetime] = {}  # the time of the first action on each
        self.summarized_at: dict[str, datetime] = {}  # by scope, the time of the last search for topics
        self.waiting: dict[str, set[str]] = {}  # by scope, the ids of queued memories that were read
        self.vectors: dict[str, Vector] = {}
        self.read_to: dict[str, str | None] = {}  # by scope, the lowest id read from its queue; None: all were read
        self.read_from_queue: list[str] = []  # ids read from the queue
        self.plan.since = dict(snapshot.since)
        for memory in snapshot.due:
            if memory.id in snapshot.since:
                self._enqueue(memory, snapshot.since[memory.id])
            self._queue(memory)

    def run(self, progress: Progress | None = None) -> Plan:
        """Process every alarm up to the horizon, in order."""
        current, processed = "", 0
        while self.queue and not self._is_limit_reached():
            scope, at, id_ = heapq.heappop(self.queue)
            if scope != current:
                self._finish_scope(current)
                current = scope
            processed += 1
            if progress is not None and processed % _REPORT_EVERY == 0:
                progress(min(len(self.last_alarms), len(self.snapshot.due)), len(self.snapshot.due))
            memory = self.memories[id_]
            moment = self._alarm(memory)
            # An alarm that was set again since has another place in the queue.
            if moment is not None and moment.at == at:
                self._process_alarm(memory, moment)
        if progress is not None:
            progress(len(self.snapshot.due), len(self.snapshot.due))
        return self._planned()

    def _planned(self) -> Plan:
        plan = self.plan
        plan.final = {id_: self.memories[id_] for id_, read in plan.read.items() if _differs(self.memories[id_], read)}
        plan.made = {id_: self.memories[id_] for id_ in plan.made}
        # The longest overdue first, whatever the order of scopes.
        in_order = sorted(plan.actions, key=lambda id_: (self.acted[id_], id_))
        actions = {id_: self._with_reason(plan.actions[id_]) for id_ in in_order}
        plan.actions = {id_: action for id_, action in actions.items() if id_ in plan.read}
        plan.became = {id_: action for id_, action in actions.items() if id_ in plan.made}
        plan.vectors = {id_: self.vectors[id_] for id_ in plan.made if id_ in self.vectors}
        return plan

    def _is_limit_reached(self) -> bool:
        return self.limit is not None and len(self.plan.actions) >= self.limit

    def _alarm(self, memory: Memory) -> Moment | None:
        """The time of a memory's alarm; None when it has none, or its status needs none."""
        if not memory.status.live:
            return None
        kept, moment = self.alarms.get(memory.id, (None, None))
        if kept is not memory:
            moment = self._next(memory)
            self.alarms[memory.id] = memory, moment
        return moment

    def _next(self, memory: Memory) -> Moment | None:
        moments = []
        if memory.due_at is not None:
            moments.append(self.snapshot.calendar.at(memory.due_at))
        if memory.due_day is not None and memory.due_day <= self.now.day:
            moments.append(self._start_of(memory.due_day))
        return min(moments, key=_at, default=None)

    def _start_of(self, day: int) -> Moment:
        """When a day of use began; cached, because many memories have an alarm on one."""
        if day not in self.day_starts:
            # One that begins after now was counted by a clock that was wrong.
            self.day_starts[day] = Moment(min(self.snapshot.calendar.on(day).at, self.now.at), day)
        return self.day_starts[day]

    def _queue(self, memory: Memory) -> None:
        moment = self._alarm(memory)
        if moment is not None and moment.at <= self._until(memory):
            heapq.heappush(self.queue, (memory.scope if self.limit is None else "", moment.at, memory.id))

    def _until(self, memory: Memory) -> datetime:
        """How far to process a memory: to the end; one that can be summarized only as far as all others are known that
        might be summarized with it."""
        alone = memory.status is not Status.ACTIVE or not compactable(memory, self.policy)
        return self.now.at if alone else self.snapshot.horizon

    def _process_alarm(self, memory: Memory, moment: Moment) -> None:
        """Decide what is to be done with one memory at the moment of its alarm, and set the next."""
        # A use does not change the alarm, but the memory was strong until that use. And time never goes back for a
        # memory, even if a clock was wrong when its days were counted.
        asked, before = moment, self.last_alarms.get(memory.id, moment)
        moment = Moment(max(asked.at, memory.last_accessed_at, before.at), max(asked.day, memory.used_day, before.day))
        self.last_alarms[memory.id] = moment
        if moment.at > asked.at or moment.at > self._until(memory):
            # Processed later, in order; a clock ahead of ours may have set that time.
            self.memories[memory.id] = memory.with_(due_at=moment.at, due_day=None)
            self._queue(self.memories[memory.id])
            return
        since = self.plan.since.get(memory.id)
        stepped = self._step(memory, moment)
        if stepped is memory and since is not None and topic_at(since) <= moment.at:
            self._summarize_scope(memory.scope, moment)
            stepped = self.memories[memory.id]
        if stepped.status.live:
            self._settle(stepped, moment)

    def _step(self, memory: Memory, moment: Moment) -> Memory:
        """Apply all steps that are due at a moment; otherwise the next alarm would be in the past."""
        again = True
        while again and (action := self._decided(memory, moment)) is not None:
            memory = self._take(memory, action, moment)
            # In another tier it may be below a threshold already.
            again = action.step in (Step.PROMOTE, Step.DEMOTE)
        return memory

    def _decided(self, memory: Memory, moment: Moment) -> Action | None:
        return decide(memory, moment, self.policy, waiting=memory.id in self.plan.since)

    def _take(self, memory: Memory, action: Action, moment: Moment) -> Memory:
        if action.step is Step.WAIT:
            self._enqueue(memory, moment.at)
            return memory
        memory = taken(memory, action, moment.at)
        if action.step.status is not None:
            self._dequeue(memory)
        self._act(memory, action, moment)
        return memory

    def _act(self, memory: Memory, action: Action, moment: Moment) -> None:
        """Record one action for each memory, the last one; a step down replaces a step between tiers."""
        self.memories[memory.id] = memory
        self.acted.setdefault(memory.id, moment.at)
        read = self.plan.read.get(memory.id) or self.plan.made[memory.id]
        self.plan.actions[memory.id] = action if action.memory is read else replace(action, memory=read)

    def _settle(self, memory: Memory, moment: Moment) -> None:
        memory = settled(memory, moment, self.policy, self.plan.since.get(memory.id))
        self.memories[memory.id] = memory
        self._queue(memory)

    # Topics

    def _summarize_scope(self, scope: Scope, moment: Moment) -> None:
        """Summarize the topics of a scope's queue; duplicates are merged first."""
        if self.summarized_at.get(scope) == moment.at:
            return
        self.summarized_at[scope] = moment.at
        # When some have left, older ones are among the latest: repeat until a second search would find nothing.
        while self._summarize_latest(scope, moment):
            pass

    def _summarize_latest(self, scope: Scope, moment: Moment) -> bool:
        """Whether older memories may have moved up among the latest."""
        waiting = self._latest(scope)
        found = len(waiting)
        for memory in [memory for memory in waiting if not self._still_waits(memory, moment)]:
            self._dequeue(memory)
            self.plan.recovered.append(memory.id)
            waiting.remove(memory)
            self._settle(memory, moment)
        before = self.attempts.in_scope(scope)
        for stays, goes in list(twins(waiting, self.vectors, self.policy, before.apart)):
            self._take_out(
                merged(goes, stays.id, self.now.at), Step.MERGE, f"it says the same as {stays.id}", moment, stays.id
            )
            waiting.remove(goes)
        refused, made = [], 0
        for group in topics(waiting, self.vectors, self.policy):
            ids = tuple(memory.id for memory in group)
            if ids in before.refused or self.make(group, moment) is None:
                refused.append(ids)
            else:
                made += 1
        self.attempts.keep(scope, {(memory.id, kind_of(memory)) for memory in waiting}, refused)
        return found == self.policy.compaction.lookback and (made > 0 or len(waiting) < found)

    def _latest(self, scope: Scope) -> list[Memory]:
        """The latest queued memories of a scope, as many as are searched for topics; oldest first.

        Only this method limits them, so that the result does not depend on how much of the queue was read before.
        """
        lookback = self.policy.compaction.lookback
        known = self.waiting.setdefault(scope, set())
        while True:
            latest = heapq.nlargest(lookback, known)
            before = self.read_to.get(scope, BEHIND_EVERY_ID)
            if before is None or (len(latest) == lookback and latest[-1] >= before):
                break
            page = self.snapshot.queued.waiting_before(scope, before, lookback)
            stored = [(memory, since) for memory, since in page if memory.id not in self.memories]
            self.add_memories([memory for memory, _ in stored])
            for memory, since in stored:
                self.read_from_queue.append(memory.id)
                self._enqueue(memory, since)
            self.read_to[scope] = page[-1][0].id if len(page) == lookback else None
        waiting = [self.memories[id_] for id_ in reversed(latest)]
        if len(waiting) > 1:
            self.vectors |= self.snapshot.queued.vectors([one for one in waiting if one.id not in self.vectors])
        return waiting

    def _finish_scope(self, scope: str) -> None:
        """A scope is done: drop the memories that were read from its queue and did not change."""
        for id_ in self.read_from_queue:
            if self.memories[id_] is self.plan.read[id_]:
                del self.memories[id_], self.plan.read[id_], self.plan.since[id_]
        self.read_from_queue.clear()
        self.waiting.pop(scope, None)
        self.read_to.pop(scope, None)
        self.vectors = {id_: self.vectors[id_] for id_ in self.plan.made if id_ in self.vectors}

    def _enqueue(self, memory: Memory, since: datetime) -> None:
        self.plan.since[memory.id] = since
        self.waiting.setdefault(memory.scope, set()).add(memory.id)

    def _dequeue(self, memory: Memory) -> None:
        if self.plan.since.pop(memory.id, None) is not None:
            self.waiting[memory.scope].discard(memory.id)

    def add_memories(self, memories: Sequence[Memory]) -> None:
        """Add memories to the plan although their alarms have not come."""
        for memory in memories:
            self.memories[memory.id] = self.plan.read[memory.id] = memory

    def make(self, group: Sequence[Memory], moment: Moment) -> Memory | None:
        """Summarize a group if the summary is smaller; the sources are archived."""
        made = self.summarize(group, moment)
        if made is None:
            return None
        summary, vector = made
        self.plan.made[summary.id] = summary
        if vector is not None:
            self.vectors[summary.id] = vector
        for memory in group:
            why = f"summarized with {len(group) - 1} others of its topic"
            self._take_out(memory.with_(status=Status.ARCHIVED), Step.SUMMARIZE, why, moment, summary.id)
        # It may be below a threshold from the start, so its first alarm comes right after.
        summary = summary.with_(due_at=moment.at + timedelta(microseconds=1))
        self.memories[summary.id] = summary
        self._queue(summary)
        return summary

    def _still_waits(self, memory: Memory, moment: Moment) -> bool:
        if not compactable(memory, self.policy):
            return False
        if strength_of(memory, moment, self.policy) < self.policy.ladder.summarize:
            return True
        scheduled = compacts_at(memory, self.policy)
        return scheduled is not None and scheduled <= moment.at

    def _take_out(self, memory: Memory, step: Step, why: str, moment: Moment, into: str) -> None:
        self._dequeue(memory)
        strength = strength_of(memory, moment, self.policy)
        self._act(memory, Action(memory, step, why, strength, None, into), moment)

    def _with_reason(self, action: Action) -> Action:
        """The action with the strength of now, because now it is carried out."""
        strength = strength_of(self.memories[action.memory.id], self.now, self.policy)
        if strength == action.strength:
            return action
        if action.threshold is None:
            return replace(action, strength=strength)
        return replace(action, strength=strength, reason=below(action.step, strength, action.threshold))


def _differs(memory: Memory, read: Memory) -> bool:
    """Whether a memory was changed; compares the likeliest fields first, because a memory has forty."""
    return memory is not read and (memory.status is not read.status or memory != read)
