"""A write transaction, and what every change in it has in common: the instant, the policy, the batch.

It marks the day as one of use, writes rows, events and alarms together, and says under which policy alarms were set, so
that nobody else has to think of any of these. Reading goes through `tx`, which sees what was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby, repeat
from operator import itemgetter
from typing import Any

from ..domain.clock import Moment
from ..domain.event_values import Cause
from ..domain.events import Change, Purged, Reembedded, Reinforced
from ..domain.ids import new_id
from ..domain.memory import Memory
from ..domain.policy import Policy
from ..domain.retention import with_next_due
from ..ports import NewEvent, Store, Vector, View, WriteTransaction
from .transitions import Transition

_NO_VECTORS: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class UnitOfWork:
    """One transaction on an owner's memories; nothing of it is kept if the block raises."""

    tx: WriteTransaction
    moment: Moment  # the instant, and the owner's day of use
    policy: Policy
    batch: str  # what is done together is undone together
    session: str | None = None
    reason: str | None = None  # of every change that gives none

    def in_session(self, session: str | None) -> UnitOfWork:
        """The same, with events that name this session."""
        return self if session == self.session else replace(self, session=session)

    def apply(
        self,
        transitions: Sequence[Transition],
        vectors: Mapping[str, Vector] = _NO_VECTORS,
        *,
        is_current: bool = False,
        sessions: Sequence[str | None] = (),
    ) -> list[Memory]:
        """Write these in their order: rows with their alarms, and one event for each. Gives each memory as it stands
        then. `vectors` are by the ids of new memories; `is_current`: `before` is certainly as stored, so that it need
        not be read again; `sessions`: what the event of each names, where that is not the same for all."""
        if not transitions:
            return []
        first: dict[str, Memory | None] = {}
        last: dict[str, Memory] = {}
        for one in transitions:
            first.setdefault(one.after.id, one.before)
            last[one.after.id] = one.after
        due = {one.after.id for one in transitions if one.sets_due}
        final = {
            id_: with_next_due(after, self.moment, self.policy) if id_ in due else after for id_, after in last.items()
        }
        self._tell_policy(final.values(), first)
        if added := [memory for id_, memory in final.items() if first[id_] is None]:
            self.tx.memories.add(added, {id_: vector for id_, vector in vectors.items() if id_ in final})
        earlier = {id_: before for id_, before in first.items() if before is not None}
        if changed := [final[id_] for id_, before in earlier.items() if final[id_] is not before]:
            self.tx.memories.update(changed, earlier if is_current else None)
        named = zip(transitions, sessions or repeat(self.session), strict=False)
        for session, of_session in groupby(named, itemgetter(1)):
            self.in_session(session).record((one.after.id, one.change, one.reason) for one, _ in of_session)
        return list(final.values())

    def replace(self, transitions: Sequence[Transition], vectors: Mapping[str, Vector]) -> None:
        """Write each memory wholly as given, with its text and vector, in the place of the one that has its id."""
        if not transitions:
            return
        last = {one.after.id: one.after for one in transitions}
        self.tx.owner.set_alarm_policy(self.policy.fingerprint)
        self.tx.memories.replace([with_next_due(memory, self.moment, self.policy) for memory in last.values()], vectors)
        self.record((one.after.id, one.change, one.reason) for one in transitions)

    def erase(self, memories: Sequence[Memory], reason: str | None) -> None:
        """Rows, words and vectors, and all that events say of them but that they were purged."""
        self.tx.memories.erase([memory.id for memory in memories])
        self.record((memory.id, Purged(), reason) for memory in memories)

    def count_use(self, ids: Sequence[str], cause: Cause) -> None:
        """A use of each of these, which changes nothing but its counters."""
        self.tx.memories.count_uses(ids, self.moment)
        self.record((id_, Reinforced(cause=cause), cause) for id_ in ids)

    def set_due(self, memories: Sequence[Memory]) -> None:
        """Only the next alarm of each, as given."""
        if memories:
            self.tx.owner.set_alarm_policy(self.policy.fingerprint)
            self.tx.memories.set_due(memories)

    def reset_due(self, limit: int, due: Callable[[Sequence[Memory]], Sequence[Memory]]) -> int:
        """Set the alarms of the next memories whose alarms another policy set, and give their number; fewer than
        `limit`: these were the last. `due` gives the same memories with their alarms."""
        page = self.tx.memories.next_to_recompute_due(self.policy.fingerprint, limit)
        self.tx.memories.set_due(due(page))
        return len(page)

    def reembed(self, memories: Sequence[Memory], vectors: Mapping[str, Vector], model: str) -> None:
        """Other vectors for live memories, made by the model with this fingerprint."""
        self.tx.memories.set_vectors([memory.with_(fingerprint=model) for memory in memories], vectors)
        self.record((one.id, Reembedded(from_model=one.fingerprint, to_model=model), None) for one in memories)

    def record(self, events: Iterable[tuple[str, Change, str | None]]) -> None:
        """Events about what has these ids: what happened, and why."""
        new_events = [NewEvent(c.kind, id_, self.reason if why is None else why, c.encode()) for id_, c, why in events]
        self.tx.events.record(new_events, at=self.moment.at, batch=self.batch, session=self.session)

    def _tell_policy(self, memories: Iterable[Memory], first: Mapping[str, Memory | None]) -> None:
        """Say under which policy alarms are set, where any is."""
        if any(memory.status.live and _has_other_alarm(memory, first[memory.id]) for memory in memories):
            self.tx.owner.set_alarm_policy(self.policy.fingerprint)


def _has_other_alarm(memory: Memory, before: Memory | None) -> bool:
    return before is None or (memory.due_at, memory.due_day) != (before.due_at, before.due_day)


@contextmanager
def unit_of_work(
    store: Store,
    view: View,
    policy: Policy,
    now: datetime,
    *,
    batch: str | None = None,
    session: str | None = None,
    reason: str | None = None,
    is_use: bool = True,
    durable: bool = True,
) -> Iterator[UnitOfWork]:
    """Open one. `is_use`: whether this makes today one of the owner's days of use; sweeps and imports do not."""
    with store.write(view, durable=durable) as tx:
        moment = tx.owner.mark_active_day(now) if is_use else Moment(now, tx.owner.activity.day_at(now))
        yield UnitOfWork(tx, moment, policy, batch or new_id(now), session, reason)
