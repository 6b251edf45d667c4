"""A past that happens again under a policy: what each event means where other memories may have fallen.

What the owner did is done as it was done: telling, saying again, pinning, forgetting, restoring. What sweeps did is
not: `simulated_store.py` decides that. A recall finds again what it found, unless that has fallen by then, and then it
is a miss. What was said again may have gone here and not then: it is learned anew. Or it had gone then and has not
here: what was told as something new is then one with what is there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import assert_never

from ...domain.clock import Calendar, Moment
from ...domain.event_values import Cause
from ...domain.events import Event, EventKind, Merged, Restored, Superseded
from ...domain.memory import Memory, Status, Tier, Visibility
from ...domain.policy import Policy
from ...domain.retention import ends_at
from ...lifecycle.history import batch_undone_by, cause_of
from .history import Past, as_given
from .simulated_store import World

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
    """A recall that would not have found what it found, and the memory that would have been needed."""

    at: datetime
    session: str | None
    memory: str
    text: str
    status: Status  # where it stood by then …
    since: datetime
    reason: str  # … and why


class Life:
    """A past that happens again, event by event."""

    def __init__(
        self, past: Past, policy: Policy, recorded: Policy | None, calendar: Calendar, used_days: set[date]
    ) -> None:
        self.past = past
        self.policy = policy
        self.born = {id_: as_given(memory, recorded or policy, policy) for id_, memory in past.born.items()}
        self.calendar = calendar
        self.used_days = used_days
        self.used_on: date | None = None  # the last of them that has begun
        self.world = World(policy, calendar)
        self.misses: list[Miss] = []
        self.recalls = 0
        self.reached = 0  # uses of what was detached here and was not then
        self._said: defaultdict[str, list[str]] = defaultdict(list)  # by digest, who says it
        self._known_as: dict[str, str] = {}  # born then, because another had gone that is still here
        self._counted: dict[tuple[str, str | None], datetime] = {}  # the last use of a memory in a session
        self._put_away: dict[tuple[str, Status], Status] = {}  # what its owner put there, and where it was before

    def sweep(self, at: datetime) -> None:
        """A sweep, which knows nothing of a use later that day: it begins with its owner's first event."""
        today = at.astimezone(UTC).date()
        known = self.calendar.at(at if today not in self.used_days or self.used_on == today else at - _DAY)
        self.world.sweep(Moment(at, known.day))

    def happen(self, batch: Sequence[Event]) -> None:
        """What was done together."""
        moment = self.calendar.at(batch[0].at)
        working: dict[tuple[str | None, str | None], str] = {}  # the latest of each buffer that was added to
        for event in batch:
            if event.kind in _OF_USE:
                self.used_on = event.at.astimezone(UTC).date()
            if event.memory is not None:
                self._take(event, moment)
            memory = self.world.memories.get(event.memory or "")
            if event.kind is EventKind.REMEMBERED and memory is not None and memory.tier is Tier.WORKING:
                working[memory.agent, memory.source.session] = memory.id
        for latest in working.values():
            self.world.make_room(latest, moment)

    def _take(self, event: Event, moment: Moment) -> None:
        match event.kind:
            case EventKind.REMEMBERED | EventKind.IMPORTED | EventKind.SUMMARIZED:
                self._bear(event, moment)
            case EventKind.REINFORCED:
                self._use(event, moment)
            case EventKind.FORGOTTEN:
                self._lower(event, Status.FORGOTTEN, moment)
            case EventKind.SUPERSEDED | EventKind.MERGED:
                self._lower(event, Status.SUPERSEDED, moment)
            case EventKind.RESTORED:
                self._restore(event, moment)
            case EventKind.EDITED | EventKind.PINNED | EventKind.UNPINNED:
                self._edit(event, moment)
            case EventKind.DETACHED | EventKind.ARCHIVED | EventKind.PROMOTED | EventKind.DEMOTED:
                pass  # sweeps did this; the simulated policy decides it anew
            case EventKind.CONTESTED | EventKind.SETTLED | EventKind.REEMBEDDED | EventKind.PURGED | EventKind.LIFTED:
                pass  # no memory that is simulated changes by these
            case _:
                assert_never(event.kind)

    def _meant(self, event: Event) -> list[str]:
        """Whom an event is about: what is done to a summary is done to what it was made of."""
        ids = self.past.originals.get(event.memory or "", (event.memory or "",))
        known = dict.fromkeys(self._known_as.get(id_, id_) for id_ in ids)
        return [id_ for id_ in known if id_ in self.world.memories]

    # The way in

    def _bear(self, event: Event, moment: Moment) -> None:
        memory = self.born.get(event.memory or "")
        if memory is None or self._meant(event):
            return
        twin = self._twin(memory) if event.kind is EventKind.REMEMBERED else None
        if twin is None:
            self.world.put(memory, moment, "remembered")
            self._said[memory.digest].append(memory.id)
            return
        self._known_as[memory.id] = twin.id
        more = {
            "importance": max(twin.importance, memory.importance),
            "harm": max(twin.harm, memory.harm),
            "trust": max(twin.trust, memory.trust),
            "pinned": twin.pinned or memory.pinned,
        }
        self.world.put(twin.with_(**more), moment, "said again")
        self._say_again(twin.id, event, moment)
        self._touch(twin.id, event, moment)

    def _twin(self, memory: Memory) -> Memory | None:
        """Who is live here and says what is told anew because it was not live then."""
        if memory.status is not Status.ACTIVE or memory.tier is Tier.CORE:
            return None
        same = [
            known
            for known in map(self.world.memories.__getitem__, self._said[memory.digest])
            if known.status.live and _kind(known) == _kind(memory) and _compatible(known, memory)
        ]
        return min(same, key=lambda known: (known.status is not Status.ACTIVE, known.id), default=None)

    def _say_again(self, id_: str, event: Event, moment: Moment) -> None:
        """What is said again comes back from where it was detached, and is learned anew when it was archived."""
        memory = self.world.memories[id_]
        if memory.status is Status.DETACHED:
            self.world.put(memory.with_(status=Status.ACTIVE, restored_at=moment.at), moment, "said again")
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
            self.world.put(anew, moment, "said again, and learned anew")
            self.world.uses.pop(id_, None)  # of one that is new, nothing is known
            self._counted[id_, event.session] = moment.at

    # The way back

    def _use(self, event: Event, moment: Moment) -> None:
        meant = self._meant(event)
        if not meant:
            return
        found = meant
        if cause_of(event) is Cause.RESTATED:
            for id_ in meant:
                self._say_again(id_, event, moment)
        else:
            self.recalls += 1
            found = [id_ for id_ in meant if self._finds(id_, event, moment)]
            if not found:
                self._miss(event, meant)
        for id_ in found:
            self._touch(id_, event, moment)

    def _finds(self, id_: str, event: Event, moment: Moment) -> bool:
        """Whether a memory is where it was found. What was found among the detached is looked for there again."""
        end = ends_at(self.world.memories[id_], self.policy)
        is_reported = cause_of(event) is Cause.USED
        if end is not None and end <= moment.at and not is_reported:
            self.world.visit(id_, moment)  # recall finds nothing past its time to live, swept or not
        memory = self.world.memories[id_]
        if memory.status is not Status.DETACHED:
            return memory.status is Status.ACTIVE
        asked_for = (event.batch, event.memory or "", EventKind.RESTORED) in self.past.together
        self.reached += is_reported and not asked_for
        return is_reported or asked_for

    def _touch(self, id_: str, event: Event, moment: Moment) -> None:
        """Count a use as the policy counts them: once per session and window, and never of what is not trusted."""
        rules = self.policy.reinforcement
        last = self._counted.get((id_, event.session))
        if self.world.memories[id_].trust < rules.trust_floor or (last and last > moment.at - rules.window):
            return
        self._counted[id_, event.session] = moment.at
        self.world.use(id_, moment)

    def _miss(self, event: Event, meant: Sequence[str]) -> None:
        """Of a summary, the original that stands highest tells where it is."""
        standing = {id_: self.world.memories[id_].status for id_ in meant}
        id_ = min(meant, key=lambda id_: (*(standing[id_] is not rung for rung in _RUNGS), id_))
        needed = self.world.memories[id_]
        since, why = self.world.standing[id_]
        self.misses.append(Miss(event.at, event.session, needed.id, needed.text, needed.status, since, why))

    # The way down

    def _lower(self, event: Event, to: Status, moment: Moment) -> None:
        if self._follows(event):
            return
        for id_ in self._meant(event):
            memory = self.world.memories[id_]
            by = change.by if isinstance(change := event.change, Superseded) else None
            if memory.status is not to and (by is None or self._known_as.get(by) != id_):
                self._put_away[id_, to] = memory.status
                self.world.put(memory.with_(status=to), moment, event.reason or str(event.kind))

    def _follows(self, event: Event) -> bool:
        """Whether nobody asked for it: a sweep merged twins, or a summary went because of what it was made of."""
        if isinstance(change := event.change, Merged):
            return change.policy is not None
        originals = self.past.originals.get(event.memory or "", ())
        return event.kind is EventKind.FORGOTTEN and any(
            (event.batch, id_, kind) in self.past.together
            for id_ in originals
            for kind in (EventKind.FORGOTTEN, EventKind.RESTORED)
        )

    def _restore(self, event: Event, moment: Moment) -> None:
        """What its owner asked for comes back; what came back with a use or a pin does so with that."""
        why, change, cause = event.reason or "", Restored.decode(event.detail), cause_of(event)
        batch = batch_undone_by(event)
        for id_ in self._meant(event):
            memory = self._undone(id_, batch)
            to, settled = change.status, change.settled
            if cause is Cause.RESTATED:
                self._say_again(id_, event, moment)
            elif not (settled or cause in (Cause.UNDONE, Cause.REQUESTED)) or _waits_again(change):
                continue
            elif to not in _RUNGS:
                # What was brought back was put away again.
                if memory.status is not to:
                    self._put_away[id_, to] = memory.status
                    self.world.put(memory.with_(status=to), moment, why)
            elif memory.status in _RUNGS:
                falls_short = to in _RUNGS and _RUNGS.index(to) < _RUNGS.index(memory.status)
                back = {"status": to, "restored_at": moment.at} if falls_short else {}
                self.world.put(memory.with_(**back), moment, why)
            else:
                was = self._put_away.pop((id_, memory.status), to)
                anew = batch is None and (settled or memory.status is Status.SUPERSEDED)
                back = {"status": Status.ACTIVE, "restored_at": moment.at} if anew else {"status": was}
                self.world.put(memory.with_(**back), moment, why)

    def _undone(self, id_: str, batch: str | None) -> Memory:
        """A memory, back in the tier in which the batch that is undone found it."""
        memory = self.world.memories[id_]
        was, now = self.past.tiers.get((batch or "", id_), (memory.tier, memory.tier))
        return memory.with_(tier=was) if memory.tier is now is not was else memory

    def _edit(self, event: Event, moment: Moment) -> None:
        made = self.past.edits.get(event.seq, {})
        if event.kind is not EventKind.EDITED:
            made = {"pinned": event.kind is EventKind.PINNED}
        for id_ in self._meant(event):
            if cause_of(event) is Cause.RESTATED:
                self._say_again(id_, event, moment)
            memory = self.world.memories[id_]
            if event.kind is EventKind.PINNED and memory.status is Status.DETACHED:
                memory = memory.with_(status=Status.ACTIVE)
            self.world.put(memory.with_(**made), moment, "pinned")

    def notes(self, ahead_days: int) -> Iterator[str]:
        """What the numbers rest on."""
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
        if self.past.gone:
            yield f"Purged, and so left out: {self.past.gone}; nothing is known of them any more."
        if self._known_as:
            yield f"Told anew then because they had gone, and known here, where they had not: {len(self._known_as)}."
        if self.reached:
            no_miss = "that brings it back and is no miss, though a recall would not have found it"
            yield f"Used by an agent while detached here, and not detached then: {self.reached}; {no_miss}."


def _waits_again(change: Restored) -> bool:
    """Whether only a decision was undone: it stands where it stood, and is contested again."""
    return change.against is not None and change.was is change.to


def _kind(memory: Memory) -> tuple[object, ...]:
    """What must be the same of two memories for one to be the other said again."""
    private = memory.agent if memory.visibility is Visibility.PRIVATE else None
    return memory.scope, memory.category, memory.visibility, memory.tier, private


def _compatible(one: Memory, other: Memory) -> bool:
    return None in (one.subject, other.subject) or (one.subject, one.attribute) == (other.subject, other.attribute)
