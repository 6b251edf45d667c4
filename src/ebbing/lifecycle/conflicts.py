"""Which memories contradict each other, and whether a person has decided about it: read from events, which name both.

The last event that names both of a pair decides. The event of a new memory names those that it contradicts, that of
`settle` those that were decided about, and undoing names them again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum, auto
from operator import itemgetter

from ..domain.events import Contested, Edited, Event, EventKind, Judged, Restored, Settled
from ..domain.judgement import RELATIONS, Judgement
from ..domain.memory import Memory, Tier
from ..ports import EventLog, Index, ReadTransaction, WriteTransaction
from .transitions import Transition, clear_conflict, reopen_conflict
from .unit_of_work import UnitOfWork

_COMINGS = (EventKind.REMEMBERED, EventKind.RESTORED)  # after which a memory may have conflicts


class ConflictState(Enum):
    """The state of the conflict between two memories."""

    OPEN = auto()  # they contradict each other
    SETTLED = auto()  # they did, and a person decided that both hold


class _ConflictsAtCreation:
    """What a memory contradicted when it was written or restored: the events of those name it, its own names none.
    Each batch is read once."""

    def __init__(self, tx: ReadTransaction) -> None:
        self._tx = tx
        self._batches: dict[str, dict[str, list[str]]] = {}

    def at(self, event: Event) -> list[str]:
        if event.kind not in _COMINGS:
            return []
        if event.batch not in self._batches:
            self._batches[event.batch] = self._read(event.batch)
        return self._batches[event.batch].get(str(event.memory), [])

    def _read(self, batch: str) -> dict[str, list[str]]:
        contested: dict[str, list[str]] = {}
        for event in self._tx.events.of_batch(batch):
            if event.kind is EventKind.CONTESTED and event.memory is not None:
                contested.setdefault(str(Contested.decode(event.detail).by), []).append(event.memory)
        return contested


def open_rivals(memory: Memory, tx: ReadTransaction, meetings: _ConflictsAtCreation | None = None) -> list[Memory]:
    """The live memories with which this one has an open conflict. Calls for several memories share `meetings`."""
    conflicts = meetings or _ConflictsAtCreation(tx)
    ids = dict.fromkeys(
        id_ for event in tx.events.of_memory(memory.id) for id_ in (*_others_named(event), *conflicts.at(event))
    )
    others = [
        other for other in tx.memories.get([id_ for id_ in ids if id_ != memory.id]).values() if other.status.live
    ]
    return [other for other in others if conflict_state(memory.id, other.id, tx.events) is ConflictState.OPEN]


def conflict_state(one: str, other: str, log: EventLog) -> ConflictState | None:
    """The state of the conflict between two memories; None when there was none."""
    return _conflict_states((one, other), log).get(frozenset((one, other)))


def open_pairs(ids: Collection[str], log: EventLog) -> set[frozenset[str]]:
    """Which of these memories contradict each other and wait for a decision. Reads the history of each once."""
    return {pair for pair, state in _conflict_states(ids, log).items() if state is ConflictState.OPEN}


def _conflict_states(ids: Collection[str], log: EventLog) -> dict[frozenset[str], ConflictState]:
    """The state of each pair of these memories: the last event that names both decides."""
    last: dict[frozenset[str], Event] = {}
    for id_ in ids:
        for event in log.of_memory(id_):
            for rival in _others_named(event):
                pair = frozenset((id_, rival))
                if rival in ids and rival != id_ and (pair not in last or last[pair].seq < event.seq):
                    last[pair] = event
    return {
        pair: ConflictState.SETTLED if event.kind is EventKind.SETTLED else ConflictState.OPEN
        for pair, event in last.items()
    }


def judgements(memory: Memory, others: Iterable[Memory], log: EventLog) -> tuple[Judgement, ...]:
    """What a judge read between a memory and each of those others: the last that is kept, where one is."""
    found = (_judgement(memory.id, other.id, log) for other in others)
    return tuple(one for one in found if one is not None)


def _judgement(one: str, other: str, log: EventLog) -> Judgement | None:
    found: tuple[int, Mapping[str, float], str | None] | None = None
    for id_, rival in ((one, other), (other, one)):
        for event in log.of_memory(id_):
            change = event.change
            if isinstance(change, Judged) and change.evidence is not None and change.other == rival:
                found = max(found or (0, {}, None), (event.seq, change.evidence, change.judge), key=itemgetter(0))
    if found is None:
        return None
    _, evidence, judge = found
    numbers = {name: float(share) for name, share in evidence.items() if name in RELATIONS}
    return Judgement(other, numbers, judge) if numbers else None


def values_at(memory: Memory, index: Index) -> list[Memory]:
    """What is in use at a memory's address: in its scope, and seen by the same agents."""
    if memory.subject is None or memory.attribute is None:
        return []
    return [
        other
        for other in index.by_subject(memory.subject, memory.attribute)
        if other.status.live
        and (other.scope, other.visibility) == (memory.scope, memory.visibility)
        and other.tier is not Tier.CORE
        and other.id != memory.id
    ]


def conflicts_ended_by(going: Sequence[Memory], why: str, tx: WriteTransaction) -> list[Transition]:
    """Before memories go out of use: clear the flag of those that contradict them and no memory that stays."""
    removed = {memory.id for memory in going}
    contested = [memory for memory in going if memory.contested]
    with tx.all_agents():
        meetings = _ConflictsAtCreation(tx)
        facing = {
            rival.id: rival
            for memory in contested
            for rival in open_rivals(memory, tx, meetings)
            if rival.id not in removed
        }
        return _cleared(facing.values(), why, tx, meetings, gone=removed)


def clear_ended_conflicts(ids: Sequence[str], why: str, unit: UnitOfWork) -> None:
    """Clear the flag of each of these that nothing in use contradicts any more."""
    with unit.tx.all_agents():
        unit.apply(_cleared(unit.tx.memories.get(ids).values(), why, unit.tx, _ConflictsAtCreation(unit.tx)))


def reopen_conflicts(back: Sequence[str], unit: UnitOfWork) -> None:
    """Flag memories that are back, and those that they contradict; clear the flag of one that contradicts none."""
    tx = unit.tx
    meetings = _ConflictsAtCreation(tx)
    with tx.all_agents():
        live = [memory for memory in tx.memories.get(back).values() if memory.status.live]
        for id_ in [memory.id for memory in live if memory.contested or _was_cleared(memory, tx.events)]:
            # As it stands by now: one before it may have flagged it.
            memory = tx.memories.get([id_])[id_]
            against = open_rivals(memory, tx, meetings)
            flagless = [one for one in (memory, *against) if not one.contested]
            unit.apply(
                [reopen_conflict(one, "what contradicted it is back") for one in flagless]
                if against
                else _cleared([memory], "what contradicted it is gone", tx, meetings)
            )


def _cleared(
    memories: Iterable[Memory],
    why: str,
    tx: ReadTransaction,
    meetings: _ConflictsAtCreation,
    *,
    gone: Collection[str] = (),
) -> list[Transition]:
    flagged = [one for one in memories if one.status.live and one.contested]
    alone = [one for one in flagged if all(rival.id in gone for rival in open_rivals(one, tx, meetings))]
    return [clear_conflict(memory, why) for memory in alone]


def _was_cleared(memory: Memory, log: EventLog) -> bool:
    """Whether it was flagged once, until what it contradicted was gone."""
    changes = (event.change for event in log.of_memory(memory.id) if event.kind is EventKind.EDITED)
    return any(change.found.get("contested") is True for change in changes)


def _others_named(event: Event) -> tuple[str, ...]:
    """The memories that an event names as contradicting its own."""
    match event.change:
        case Contested(by=str(by)):
            return (by,)
        case Settled(others=others):
            return others
        case Edited(against=tuple(against)) | Restored(against=tuple(against)):
            return against
        case _:
            return ()
