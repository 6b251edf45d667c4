"""What a memory was given by one that was merged with it, and how it gives that back.

One that says the same as another gives it its tags, its weight and what else was said with it. Where it turns out to
say something of its own, the other gives that back, unless somebody has changed it since.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..domain.events import Edited, Event, EventKind
from ..ports import EventLog
from .transitions import edit, undo_edit
from .unit_of_work import UnitOfWork


def giver(event: Event) -> str | None:
    """The memory that was merged with an edited one and gave it what was new; None for any other event."""
    return Edited.decode(event.detail).given_by if event.kind is EventKind.EDITED else None


def given_by(merged: str, log: EventLog) -> list[Event]:
    """How the one that it was merged with was edited, when that was done."""
    batches = [event.batch for event in log.of_memory(merged) if event.kind is EventKind.MERGED]
    return [event for event in log.of_batch(batches[-1]) if giver(event) == merged] if batches else []


def take_back(edits: Iterable[Event], unit: UnitOfWork, why: str) -> None:
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
