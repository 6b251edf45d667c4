"""Events as callers ask for them: of one memory, and of everything a view sees, page by page."""

from __future__ import annotations

from ..domain.errors import NotFound
from ..domain.events import Event, EventKind
from .operation_context import OperationContext


def events_of(id_: str, work: OperationContext) -> list[Event]:
    """Everything that happened to a memory, oldest first; also to one that was purged.

    Raises NotFound where there is no such memory, or the view does not see it.
    """
    with work.read() as tx:
        events = tx.events.of_memory(id_)
        found = tx.memories.get([id_])
    is_purged = bool(events) and events[-1].kind is EventKind.PURGED
    if id_ not in found and not is_purged:
        raise NotFound(f"there is no memory {id_}")
    return events


def events_after(seq: int, work: OperationContext, *, limit: int) -> list[Event]:
    """The owner's next events behind a number, oldest first; for a view that does not see every agent's memories, those
    of what it sees."""
    view, found = work.view, list[Event]()
    with work.read() as tx:
        while len(found) < limit and (page := tx.events.page(after=seq, limit=limit)):
            seq = page[-1].seq
            if view.every_agent:
                found += page
                continue
            seen = tx.memories.get([event.memory for event in page if event.memory is not None])
            found += [event for event in page if event.memory in seen]
    return found[:limit]
