"""The fields that a memory took over from one merged into it, and reverting them.

A merged duplicate adds its tags, its importance and other fields to the surviving memory. When a review splits the two,
the survivor gets its earlier values back, except for fields that were changed since.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..domain.events import Edited, Event, EventKind
from ..ports import EventLog
from .transitions import edit, undo_edit
from .unit_of_work import UnitOfWork


def giver(event: Event) -> str | None:
    """The merged memory whose fields this edit took over; None for any other event."""
    return Edited.decode(event.detail).given_by if event.kind is EventKind.EDITED else None


def given_by(merged: str, log: EventLog) -> list[Event]:
    """The edits of the surviving memory that the merge of this one made."""
    batches = [event.batch for event in log.of_memory(merged) if event.kind is EventKind.MERGED]
    return [event for event in log.of_batch(batches[-1]) if giver(event) == merged] if batches else []


def revert_edits(edits: Iterable[Event], unit: UnitOfWork, why: str) -> None:
    """Put fields back to what they were before they were edited, the last edit first."""
    for event in sorted(edits, key=lambda event: event.seq, reverse=True):
        if event.kind is not EventKind.EDITED or event.memory is None:
            continue
        memory = unit.tx.memories.get([event.memory]).get(event.memory)
        if memory is None:
            continue
        later = [other for other in unit.tx.events.of_memory(memory.id) if other.seq > event.seq]
        if (after := undo_edit(memory, event, later)) != memory:
            unit.apply([edit(memory, after, why)])
