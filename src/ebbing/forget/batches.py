"""What was put away together: the batches that a person may look at and undo, newest first.

Batches are found by an index of what put memories away alone, one look-up for each; their members are read a page at
a time, and counted up to a limit.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..domain.errors import NotFound
from ..domain.events import Event, EventKind
from ..domain.memory import Memory
from ..domain.overviews import BatchContents, BatchMember, BatchOverview
from ..lifecycle.operation_context import OperationContext
from ..ports import ReadTransaction

COUNTED_MOST = 1000
_SAMPLE = 20  # members that tell of what a batch did, and whether it was undone


def batches(work: OperationContext, *, purged: bool, before: str | None, limit: int) -> list[BatchOverview]:
    """The latest batches that put memories away, or that erased them, of which the view sees a member."""
    found: list[BatchOverview] = []
    with work.read() as tx:
        while len(found) < limit:
            before = tx.events.batch_before(before, purged=purged)
            if before is None:
                break
            events = tx.events.put_away_by(before, limit=_SAMPLE)
            one = _overview(before, events, tx, purged=purged)
            found += [one] if one is not None else []
    return found


def batch(id_: str, work: OperationContext, *, after: int, limit: int) -> BatchContents:
    """One batch, and a page of what it did."""
    with work.read() as tx:
        first = tx.events.put_away_by(id_, limit=_SAMPLE)
        overview = _overview(id_, first, tx, purged=all(event.kind is EventKind.PURGED for event in first))
        if not first or overview is None:
            raise NotFound(f"there is no batch {id_} that put anything away")
        events = tx.events.put_away_by(id_, after=after, limit=limit)
        memories = _seen(events, tx)
    members = tuple(
        BatchMember(event, memories.get(event.memory or ""))
        for event in events
        if event.memory in memories or event.kind is EventKind.PURGED
    )
    return BatchContents(overview, members, events[-1].seq if len(events) == limit else None)


def _overview(id_: str, events: Sequence[Event], tx: ReadTransaction, *, purged: bool) -> BatchOverview | None:
    if not events:
        return None
    memories, first = _seen(events, tx), events[0]
    # Whose an erased memory was is not known any more: an agent is told of what it erased itself.
    if not memories and not (purged and tx.view.agent in (None, first.actor)):
        return None
    standing = sum(
        event.memory in memories and memories[str(event.memory)].status is event.change.status for event in events
    )
    return BatchOverview(
        id=id_,
        at=first.at,
        kinds=tuple(dict.fromkeys(event.kind for event in events)),
        reason=first.reason,
        actor=first.actor,
        count=tx.events.count_put_away_by(id_, most=COUNTED_MOST),
        counted_most=COUNTED_MOST,
        undone=not purged and not standing,
        sample=tuple(memories.values())[:3],
    )


def _seen(events: Sequence[Event], tx: ReadTransaction) -> dict[str, Memory]:
    return tx.memories.get(list(dict.fromkeys(event.memory for event in events if event.memory is not None)))
