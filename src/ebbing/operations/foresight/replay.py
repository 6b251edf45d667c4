"""Replay an owner's log under another policy, where other memories may be archived than were then.

What the owner did is repeated: remember, restate, pin, forget, restore. What sweeps did is not: `simulated_store.py`
decides that anew. A recall finds what it found then, unless that is out of use in the simulation: that is a miss. A
restated memory may be archived here and not then: it is created again. Or it was archived then and is active here: the
memory that was created then is a duplicate of it here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import assert_never

from ...domain.clock import Calendar, Moment
from ...domain.event_values import Cause
from ...domain.events import Archived, Event, EventKind, Merged, Restored, Superseded
from ...domain.memory import Memory, Status, Tier, Visibility
from ...domain.policy import Policy
from ...domain.retention import ends_at
from ...lifecycle.history import batch_undone_by, cause_of
from .history import Past, as_given
from .simulated_store import SimulatedStore

_DAY = timedelta(days=1)
_RUNGS = (Status.ACTIVE, Status.DETACHED, Status.ARCHIVED)
# By these the owner uses the system; the rest is written by sweeps and imports.
_OF_USE = (
    EventKind.REMEMBERED,
    EventKind.REINFORCED,
    EventKind.PINNED,
    EventKind.UNPINNED,
    EventKind.FORGOTTEN,
    EventKind.RESTORED,
    EventKind.PURGED,
)


@dataclass(frozen=True, slots=True)
class Miss:
    """A recall that would not have found what it found, and the memory that it needed."""

    at: datetime
    session: str | None
    memory: str
    text: str
    status: Status  # of that memory at the time, in the simulation
    since: datetime
    reason: str  # why it had that status


class PolicyReplay:
    """Applies a log event by event to a simulated store."""

    def __init__(
        self, past: Past, policy: Policy, recorded: Policy | None, calendar: Calendar, used_days: set[date]
    ) -> None:
        self.past = past
        self.policy = policy
        self.born = {id_: as_given(memory, recorded or policy, policy) for id_, memory in past.born.items()}
        self.calendar = calendar
        self.used_days = used_days
        self.used_on: date | None = None  # the latest day of use so far
        self.store = SimulatedStore(policy, calendar)
        self.misses: list[Miss] = []
        self.recalls = 0
        self.reached = 0  # uses of what was detached here and was not then
        self._ids_by_digest: defaultdict[str, list[str]] = defaultdict(list)  # by digest, the memories with that text
        self._known_under: dict[
            str, str
        ] = {}  # ids created then of which a duplicate is active here, by that duplicate
        self._counted: dict[tuple[str, str | None], datetime] = {}  # the last use of a memory in a session
        self._put_away: dict[
            tuple[str, Status], Status
        ] = {}  # by id and status, the status before the owner changed it

    def sweep(self, at: datetime) -> None:
        """Sweep. A day counts as a day of use from the owner's first event on it, not before."""
        today = at.astimezone(UTC).date()
        known = self.calendar.at(at if today not in self.used_days or self.used_on == today else at - _DAY)
        self.store.sweep(Moment(at, known.day))

    def apply_batch(self, batch: Sequence[Event]) -> None:
        """Apply the events of one batch."""
        moment = self.calendar.at(batch[0].at)
        working: dict[
            tuple[str | None, str | None], str
        ] = {}  # the latest memory of each working buffer that was added to
        for event in batch:
            if event.kind in _OF_USE:
                self.used_on = event.at.astimezone(UTC).date()
            if event.memory is not None:
                self._apply(event, moment)
            memory = self.store.memories.get(event.memory or "")
            if event.kind is EventKind.REMEMBERED and memory is not None and memory.tier is Tier.WORKING:
                working[memory.agent, memory.source.session] = memory.id
        for latest in working.values():
            self.store.make_room(latest, moment)

    def _apply(self, event: Event, moment: Moment) -> None:
        match event.kind:
            case EventKind.REMEMBERED | EventKind.IMPORTED | EventKind.SUMMARIZED:
                self._create(event, moment)
            case EventKind.REINFORCED:
                self._use(event, moment)
            case EventKind.FORGOTTEN:
                self._take_out(event, Status.FORGOTTEN, moment)
            case EventKind.ARCHIVED if isinstance(event.change, Archived) and event.change.settled:
                self._take_out(event, Status.ARCHIVED, moment)
            case EventKind.SUPERSEDED | EventKind.MERGED:
                self._take_out(event, Status.SUPERSEDED, moment)
            case EventKind.RESTORED:
                self._restore(event, moment)
            case EventKind.EDITED | EventKind.PINNED | EventKind.UNPINNED:
                self._edit(event, moment)
            case EventKind.DETACHED | EventKind.ARCHIVED | EventKind.PROMOTED | EventKind.DEMOTED | EventKind.HELD:
                pass  # sweeps did this; the simulated policy decides it anew
            case EventKind.CONTESTED | EventKind.SETTLED | EventKind.REEMBEDDED | EventKind.PURGED | EventKind.LIFTED:
                pass  # no memory that is simulated changes by these
            case _:
                assert_never(event.kind)

    def _targets(self, event: Event) -> list[str]:
        """The memories that an event is about here: for a summary, its sources."""
        ids = self.past.originals.get(event.memory or "", (event.memory or "",))
        known = dict.fromkeys(self._known_under.get(id_, id_) for id_ in ids)
        return [id_ for id_ in known if id_ in self.store.memories]

    # Creating and restating

    def _create(self, event: Event, moment: Moment) -> None:
        memory = self.born.get(event.memory or "")
        if memory is None or self._targets(event):
            return
        duplicate = self._duplicate_of(memory) if event.kind is EventKind.REMEMBERED else None
        if duplicate is None:
            self.store.put(memory, moment, "remembered")
            self._ids_by_digest[memory.digest].append(memory.id)
            return
        self._known_under[memory.id] = duplicate.id
        more = {
            "importance": max(duplicate.importance, memory.importance),
            "harm": max(duplicate.harm, memory.harm),
            "trust": max(duplicate.trust, memory.trust),
            "pinned": duplicate.pinned or memory.pinned,
        }
        self.store.put(duplicate.with_(**more), moment, "said again")
        self._restate(duplicate.id, event, moment)
        self._count_use(duplicate.id, event, moment)

    def _duplicate_of(self, memory: Memory) -> Memory | None:
        """The live memory here with the same text as one that was created because this one was not live then."""
        if memory.status is not Status.ACTIVE or memory.tier is Tier.CORE:
            return None
        same = [
            known
            for known in map(self.store.memories.__getitem__, self._ids_by_digest[memory.digest])
            if known.status.live and _kind(known) == _kind(memory) and _compatible(known, memory)
        ]
        return min(same, key=lambda known: (known.status is not Status.ACTIVE, known.id), default=None)

    def _restate(self, id_: str, event: Event, moment: Moment) -> None:
        """A restated memory is restored where it is detached, and created again where it is archived."""
        memory = self.store.memories[id_]
        if memory.status is Status.DETACHED:
            self.store.put(memory.with_(status=Status.ACTIVE, restored_at=moment.at), moment, "said again")
        elif memory.status is Status.ARCHIVED:
            lifetime = None if memory.expires_at is None else memory.expires_at - memory.created_at
            anew = self.born[id_].with_(
                status=Status.ACTIVE,
                created_at=moment.at,
                created_day=moment.day,
                last_accessed_at=moment.at,
                used_day=moment.day,
                recall_count=0,
                expires_at=None if lifetime is None else moment.at + lifetime,
                importance=memory.importance,
                harm=memory.harm,
                trust=memory.trust,
                pinned=memory.pinned,
            )
            self.store.put(anew, moment, "said again, and learned anew")
            self.store.uses.pop(id_, None)  # a new memory has no uses
            self._counted[id_, event.session] = moment.at

    # Uses

    def _use(self, event: Event, moment: Moment) -> None:
        targets = self._targets(event)
        if not targets:
            return
        found = targets
        if cause_of(event) is Cause.RESTATED:
            for id_ in targets:
                self._restate(id_, event, moment)
        else:
            self.recalls += 1
            found = [id_ for id_ in targets if self._is_found(id_, event, moment)]
            if not found:
                self._miss(event, targets)
        for id_ in found:
            self._count_use(id_, event, moment)

    def _is_found(self, id_: str, event: Event, moment: Moment) -> bool:
        """Whether the recall finds the memory here too. A recall that included detached ones does so again."""
        end = ends_at(self.store.memories[id_], self.policy)
        is_reported = cause_of(event) is Cause.USED
        if end is not None and end <= moment.at and not is_reported:
            self.store.sweep_one(id_, moment)  # recall finds nothing past its time to live, swept or not
        memory = self.store.memories[id_]
        if memory.status is not Status.DETACHED:
            return memory.status is Status.ACTIVE
        asked_for = (event.batch, event.memory or "", EventKind.RESTORED) in self.past.together
        self.reached += is_reported and not asked_for
        return is_reported or asked_for

    def _count_use(self, id_: str, event: Event, moment: Moment) -> None:
        """Count a use as the policy counts them: once per session and window, and never of what is not trusted."""
        rules = self.policy.reinforcement
        last = self._counted.get((id_, event.session))
        if self.store.memories[id_].trust < rules.trust_floor or (last and last > moment.at - rules.window):
            return
        self._counted[id_, event.session] = moment.at
        self.store.use(id_, moment)

    def _miss(self, event: Event, targets: Sequence[str]) -> None:
        """Record a miss: of a summary's sources, the one that is least far down the ladder."""
        statuses = {id_: self.store.memories[id_].status for id_ in targets}
        id_ = min(targets, key=lambda id_: (*(statuses[id_] is not rung for rung in _RUNGS), id_))
        needed = self.store.memories[id_]
        since, why = self.store.standing[id_]
        self.misses.append(Miss(event.at, event.session, needed.id, needed.text, needed.status, since, why))

    # Out of use and back

    def _take_out(self, event: Event, to: Status, moment: Moment) -> None:
        if self._was_caused(event):
            return
        for id_ in self._targets(event):
            memory = self.store.memories[id_]
            by = change.by if isinstance(change := event.change, Superseded) else None
            if memory.status is not to and (by is None or self._known_under.get(by) != id_):
                self._put_away[id_, to] = memory.status
                self.store.put(memory.with_(status=to), moment, event.reason or str(event.kind))

    def _was_caused(self, event: Event) -> bool:
        """Whether the owner did not ask for it: a sweep merged duplicates, or a summary went with a source."""
        if isinstance(change := event.change, Merged):
            return change.policy is not None
        originals = self.past.originals.get(event.memory or "", ())
        return event.kind is EventKind.FORGOTTEN and any(
            (event.batch, id_, kind) in self.past.together
            for id_ in originals
            for kind in (EventKind.FORGOTTEN, EventKind.RESTORED)
        )

    def _restore(self, event: Event, moment: Moment) -> None:
        """Restore what the owner asked for; a restore that a use or a pin caused happens with that use or pin."""
        why, change, cause = event.reason or "", Restored.decode(event.detail), cause_of(event)
        batch = batch_undone_by(event)
        for id_ in self._targets(event):
            memory = self._undone(id_, batch)
            to, settled = change.status, change.settled
            if cause is Cause.RESTATED:
                self._restate(id_, event, moment)
            elif not (settled or cause in (Cause.UNDONE, Cause.REQUESTED)) or _is_only_flagged(change):
                continue
            elif to not in _RUNGS:
                # The restore was undone.
                if memory.status is not to:
                    self._put_away[id_, to] = memory.status
                    self.store.put(memory.with_(status=to), moment, why)
            elif memory.status in _RUNGS:
                falls_short = to in _RUNGS and _RUNGS.index(to) < _RUNGS.index(memory.status)
                back = {"status": to, "restored_at": moment.at} if falls_short else {}
                self.store.put(memory.with_(**back), moment, why)
            else:
                was = self._put_away.pop((id_, memory.status), to)
                anew = batch is None and (settled or memory.status is Status.SUPERSEDED)
                back = {"status": Status.ACTIVE, "restored_at": moment.at} if anew else {"status": was}
                self.store.put(memory.with_(**back), moment, why)

    def _undone(self, id_: str, batch: str | None) -> Memory:
        """The memory in the tier that it had before the batch that is undone."""
        memory = self.store.memories[id_]
        was, now = self.past.tiers.get((batch or "", id_), (memory.tier, memory.tier))
        return memory.with_(tier=was) if memory.tier is now is not was else memory

    def _edit(self, event: Event, moment: Moment) -> None:
        made = self.past.edits.get(event.seq, {})
        if event.kind is not EventKind.EDITED:
            made = {"pinned": event.kind is EventKind.PINNED}
        for id_ in self._targets(event):
            if cause_of(event) is Cause.RESTATED:
                self._restate(id_, event, moment)
            memory = self.store.memories[id_]
            if event.kind is EventKind.PINNED and memory.status is Status.DETACHED:
                memory = memory.with_(status=Status.ACTIVE)
            self.store.put(memory.with_(**made), moment, "pinned")

    def notes(self, ahead_days: int) -> Iterator[str]:
        """The assumptions of the simulation."""
        yield "A sweep is taken to come at most once a day, when the policy's schedule names one."
        if ahead_days:
            pace = "; each day counts as a day of use, the fastest that fading can go"
            yield f"From now on nobody touches anything{pace if self.policy.time.clock == 'activity' else ''}."
        yield "A recall is taken to find what it found then, if that is active: ranking is not simulated."
        if self.policy.compaction.depth_max:
            yield "Nothing is summarized or merged: what would be counts as active until it is detached."
        if self.past.originals:
            of_one = "a use of one counts as a use of the memories that it was made of"
            yield f"Summaries left out: {len(self.past.originals)}; {of_one}."
        if self.past.purged:
            yield f"Purged, and so left out: {self.past.purged}; nothing is known of them any more."
        if self._known_under:
            yield f"Told anew then because they had gone, and known here, where they had not: {len(self._known_under)}."
        if self.reached:
            no_miss = "that brings it back and is no miss, though a recall would not have found it"
            yield f"Used by an agent while detached here, and not detached then: {self.reached}; {no_miss}."


def _is_only_flagged(change: Restored) -> bool:
    """Whether it only undid a decision: the status stays, and the memory is contested again."""
    return change.against is not None and change.was is change.to


def _kind(memory: Memory) -> tuple[object, ...]:
    """What two memories must share for one to be a restatement of the other."""
    private = memory.agent if memory.visibility is Visibility.PRIVATE else None
    return memory.scope, memory.category, memory.visibility, memory.tier, private


def _compatible(one: Memory, other: Memory) -> bool:
    return None in (one.subject, other.subject) or (one.subject, one.attribute) == (other.subject, other.attribute)
