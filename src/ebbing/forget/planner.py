"""Plan a sweep: process all due alarms in the order of their times, in memory, with nothing written.

The one hard algorithm of forgetting. Each memory carries an alarm: a moment no later than the
one at which something happens to it. A sweep comes by later, perhaps much later. To make the
result independent of when and how often sweeps run, it does not ask where memories belong *now*:
it takes the alarms in the order of their moments and decides at each moment what was to be
done *then*. A memory rings, falls a rung or not, and gets its next alarm; if that too lies in
the past, it takes its place in the queue again. So three notes that fell below the first rung
last Tuesday are summarized as of the end of Tuesday, whether the sweep came on Wednesday
or at Christmas, and what became of their summary since then is lived through as well.

No scope has to do with another, so each is lived through by itself, and only its own waiting
room is held in memory. Only where few are asked for, all go on together, the longest overdue first.

A plan is made from one consistent look and is carried out by `apply_plan.py`, which leaves out what
has changed since. A dry run is a plan that nobody carries out.
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
from .summary_queue import NOBODY, AttemptCache, Room

_at = attrgetter("at")
_TOLD_EVERY = 64  # alarms

# Makes one memory of several, at a moment, with its vector if it has one; None when it would not be smaller.
Summarize = Callable[[Sequence[Memory], Moment], tuple[Memory, Vector | None] | None]


@dataclass(frozen=True, slots=True)
class DueSnapshot:
    """One consistent look at what a sweep needs to know."""

    due: Sequence[Memory]
    calendar: Calendar
    horizon: datetime  # every alarm up to here is among `due`
    more: bool  # there are alarms behind it
    version: int  # of the owner's memories when looked at
    since: Mapping[str, datetime] = field(default_factory=dict)  # which of them wait for their topic, since when
    room: Room = NOBODY  # others in the queue


@dataclass(slots=True)
class Plan:
    """What to do, and what it rests on."""

    version: int
    read: dict[str, Memory] = field(default_factory=dict)  # everything touched, as it was read
    final: dict[str, Memory] = field(default_factory=dict)  # and as it is to be
    actions: dict[str, Action] = field(default_factory=dict)  # by memory: the last step is the one that counts
    made: dict[str, Memory] = field(default_factory=dict)  # summaries
    became: dict[str, Action] = field(default_factory=dict)  # what happened to those of them that did not stay
    vectors: dict[str, Vector] = field(default_factory=dict)  # of summaries
    since: dict[str, datetime] = field(default_factory=dict)  # who waits for its topic when all is done
    recovered: list[str] = field(default_factory=list)  # who waited, and is strong again
    looked_at: int = 0
    relieved_at: datetime | None = None  # when a scope that stays too full can be relieved

    def without(self, changed: Collection[str]) -> None:
        """Leave out what has changed since it was read, and with it whatever rests on it."""
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
    """Lives through the alarms of one look."""

    def __init__(
        self,
        look: DueSnapshot,
        now: Moment,
        policy: Policy,
        summarize: Summarize,
        limit: int | None = None,
        tried: AttemptCache | None = None,
    ) -> None:
        self.look = look
        self.now = now
        self.policy = policy
        self.summarize = summarize
        self.limit = limit
        self.tried = AttemptCache() if tried is None else tried
        self.plan = Plan(look.version, looked_at=len(look.due))
        self.memories: dict[str, Memory] = {memory.id: memory for memory in look.due}
        self.plan.read = dict(self.memories)
        self.queue: list[tuple[str, datetime, str]] = []
        self.begun: dict[int, Moment] = {}
        self.alarms: dict[str, tuple[Memory, Moment | None]] = {}  # as last looked up
        self.rung: dict[str, Moment] = {}  # when the last alarm of each rang
        self.acted: dict[str, datetime] = {}  # when something was first done with each
        self.gathered: dict[str, datetime] = {}  # scopes, and the moment at which their topics were last looked for
        self.waiting: dict[str, set[str]] = {}  # by scope, of those that are known here
        self.vectors: dict[str, Vector] = {}
        self.read_to: dict[str, str | None] = {}  # how far back each scope's waiting room was read; None: to its end
        self.beside: list[str] = []  # who was read from there
        self.plan.since = dict(look.since)
        for memory in look.due:
            if memory.id in look.since:
                self._wait(memory, look.since[memory.id])
            self._queue(memory)

    def run(self, progress: Progress | None = None) -> Plan:
        """Ring every alarm up to the horizon, in order."""
        turn, rings = "", 0
        while self.queue and not self._enough():
            scope, at, id_ = heapq.heappop(self.queue)
            if scope != turn:
                self._leave_room(turn)
                turn = scope
            rings += 1
            if progress is not None and rings % _TOLD_EVERY == 0:
                progress(min(len(self.rung), len(self.look.due)), len(self.look.due))
            memory = self.memories[id_]
            moment = self._alarm(memory)
            # An alarm that was set again since has another place in the queue.
            if moment is not None and moment.at == at:
                self._ring(memory, moment)
        if progress is not None:
            progress(len(self.look.due), len(self.look.due))
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

    def _enough(self) -> bool:
        return self.limit is not None and len(self.plan.actions) >= self.limit

    def _alarm(self, memory: Memory) -> Moment | None:
        """When a memory's alarm rings; None when it has none, or stands where none matters."""
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
            moments.append(self.look.calendar.at(memory.due_at))
        if memory.due_day is not None and memory.due_day <= self.now.day:
            moments.append(self._begun(memory.due_day))
        return min(moments, key=_at, default=None)

    def _begun(self, day: int) -> Moment:
        """When a day of use began; asked once for each, because many memories ring on one."""
        if day not in self.begun:
            # One that begins after now was counted by a clock that was wrong.
            self.begun[day] = Moment(min(self.look.calendar.on(day).at, self.now.at), day)
        return self.begun[day]

    def _queue(self, memory: Memory) -> None:
        moment = self._alarm(memory)
        if moment is not None and moment.at <= self._until(memory):
            heapq.heappush(self.queue, (memory.scope if self.limit is None else "", moment.at, memory.id))

    def _until(self, memory: Memory) -> datetime:
        """How far to live through a memory: to the end, but what can go into a summary only as far as all others are
        known who might go with it."""
        alone = memory.status is not Status.ACTIVE or not compactable(memory, self.policy)
        return self.now.at if alone else self.look.horizon

    def _ring(self, memory: Memory, moment: Moment) -> None:
        """Decide what is to be done with one memory at the moment of its alarm, and set the next."""
        # A use leaves the alarm alone, and what was used since it was set was strong until then. Nor does time go back
        # for a memory, whatever clocks were wrong when its days were counted.
        asked, before = moment, self.rung.get(memory.id, moment)
        moment = Moment(max(asked.at, memory.last_accessed_at, before.at), max(asked.day, memory.used_day, before.day))
        self.rung[memory.id] = moment
        if moment.at > asked.at or moment.at > self._until(memory):
            # To be looked at then, in its turn; a clock ahead of ours may have set that moment.
            self.memories[memory.id] = memory.with_(due_at=moment.at, due_day=None)
            self._queue(self.memories[memory.id])
            return
        since = self.plan.since.get(memory.id)
        stepped = self._step(memory, moment)
        if stepped is memory and since is not None and topic_at(since) <= moment.at:
            self._gather(memory.scope, moment)
            stepped = self.memories[memory.id]
        if stepped.status.live:
            self._settle(stepped, moment)

    def _step(self, memory: Memory, moment: Moment) -> Memory:
        """Bring a memory to where it belongs at a moment; left short of it, its next alarm would lie in the past."""
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
            self._wait(memory, moment.at)
            return memory
        memory = taken(memory, action, moment.at)
        if action.step.status is not None:
            self._wait_no_more(memory)
        self._act(memory, action, moment)
        return memory

    def _act(self, memory: Memory, action: Action, moment: Moment) -> None:
        """One action a memory: where it ends is what happened to it; a step down hides a step between tiers."""
        self.memories[memory.id] = memory
        self.acted.setdefault(memory.id, moment.at)
        read = self.plan.read.get(memory.id) or self.plan.made[memory.id]
        self.plan.actions[memory.id] = action if action.memory is read else replace(action, memory=read)

    def _settle(self, memory: Memory, moment: Moment) -> None:
        memory = settled(memory, moment, self.policy, self.plan.since.get(memory.id))
        self.memories[memory.id] = memory
        self._queue(memory)

    # Topics

    def _gather(self, scope: Scope, moment: Moment) -> None:
        """Summarize what waits in a scope and belongs together; merge first what says the same."""
        if self.gathered.get(scope) == moment.at:
            return
        self.gathered[scope] = moment.at
        # Where some have left, older ones move up among the latest: so looking again at the same moment finds nothing.
        while self._gather_latest(scope, moment):
            pass

    def _gather_latest(self, scope: Scope, moment: Moment) -> bool:
        """Whether others may have moved up into what is looked through."""
        waiting = self._latest(scope)
        found = len(waiting)
        for memory in [memory for memory in waiting if not self._still_waits(memory, moment)]:
            self._wait_no_more(memory)
            self.plan.recovered.append(memory.id)
            waiting.remove(memory)
            self._settle(memory, moment)
        before = self.tried.in_scope(scope)
        for stays, goes in list(twins(waiting, self.vectors, self.policy, before.apart)):
            self._leave(
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
        self.tried.keep(scope, {(memory.id, kind_of(memory)) for memory in waiting}, refused)
        return found == self.policy.compaction.lookback and (made > 0 or len(waiting) < found)

    def _latest(self, scope: Scope) -> list[Memory]:
        """The latest of those who wait in a scope, as many as are looked through for a topic; oldest first.

        Counted here and nowhere else, so that all who look see the same, however much or little of it they had read.
        """
        lookback = self.policy.compaction.lookback
        known = self.waiting.setdefault(scope, set())
        while True:
            latest = heapq.nlargest(lookback, known)
            before = self.read_to.get(scope, BEHIND_EVERY_ID)
            if before is None or (len(latest) == lookback and latest[-1] >= before):
                break
            page = self.look.room.waiters(scope, before, lookback)
            stored = [(memory, since) for memory, since in page if memory.id not in self.memories]
            self.know([memory for memory, _ in stored])
            for memory, since in stored:
                self.beside.append(memory.id)
                self._wait(memory, since)
            self.read_to[scope] = page[-1][0].id if len(page) == lookback else None
        waiting = [self.memories[id_] for id_ in reversed(latest)]
        if len(waiting) > 1:
            self.vectors |= self.look.room.vectors([one for one in waiting if one.id not in self.vectors])
        return waiting

    def _leave_room(self, scope: str) -> None:
        """A scope is lived through: let go of what was read from its waiting room and still waits there as it did."""
        for id_ in self.beside:
            if self.memories[id_] is self.plan.read[id_]:
                del self.memories[id_], self.plan.read[id_], self.plan.since[id_]
        self.beside.clear()
        self.waiting.pop(scope, None)
        self.read_to.pop(scope, None)
        self.vectors = {id_: self.vectors[id_] for id_ in self.plan.made if id_ in self.vectors}

    def _wait(self, memory: Memory, since: datetime) -> None:
        self.plan.since[memory.id] = since
        self.waiting.setdefault(memory.scope, set()).add(memory.id)

    def _wait_no_more(self, memory: Memory) -> None:
        if self.plan.since.pop(memory.id, None) is not None:
            self.waiting[memory.scope].discard(memory.id)

    def know(self, memories: Sequence[Memory]) -> None:
        """Memories to make something of, although no alarm of theirs has come."""
        for memory in memories:
            self.memories[memory.id] = self.plan.read[memory.id] = memory

    def make(self, group: Sequence[Memory], moment: Moment) -> Memory | None:
        """One memory of a group, if it is smaller; its originals are archived."""
        made = self.summarize(group, moment)
        if made is None:
            return None
        summary, vector = made
        self.plan.made[summary.id] = summary
        if vector is not None:
            self.vectors[summary.id] = vector
        for memory in group:
            why = f"summarized with {len(group) - 1} others of its topic"
            self._leave(memory.with_(status=Status.ARCHIVED), Step.SUMMARIZE, why, moment, summary.id)
        # It may stand below a rung from the start. A moment later, it is looked at among what the next day brings.
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

    def _leave(self, memory: Memory, step: Step, why: str, moment: Moment, into: str) -> None:
        self._wait_no_more(memory)
        strength = strength_of(memory, moment, self.policy)
        self._act(memory, Action(memory, step, why, strength, None, into), moment)

    def _with_reason(self, action: Action) -> Action:
        """An action as it is told: with the strength of now, since that is when it is done."""
        strength = strength_of(self.memories[action.memory.id], self.now, self.policy)
        if strength == action.strength:
            return action
        if action.threshold is None:
            return replace(action, strength=strength)
        return replace(action, strength=strength, reason=below(action.step, strength, action.threshold))


def _differs(memory: Memory, read: Memory) -> bool:
    """Whether a memory was changed; compares the likeliest fields first, because a memory has forty."""
    return memory is not read and (memory.status is not read.status or memory != read)
