"""What a sweep has to look at: the alarms that have come, and who of those waits. Reads; decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from ..domain.clock import Calendar, Moment
from ..domain.memory import Memory, Tier
from ..domain.policy import Policy
from ..domain.retention import compactable, with_next_due
from ..lifecycle.operation_context import OperationContext
from ..ports import MemoryRows, ReadTransaction, SummaryQueue
from .planner import DueSnapshot
from .summary_queue import StoredQueue


def look(tx: ReadTransaction, moment: Moment, work: OperationContext, limit: int) -> DueSnapshot:
    """The next alarms that have come, up to about `limit` of each kind, with what is needed to decide about them."""
    due = tx.memories.due(moment, limit)
    calendar = Calendar(tx.owner.active_days() if due.memories else ())
    horizon = min(
        moment.at,
        moment.at if due.last_at is None else due.last_at,
        moment.at if due.last_day is None else calendar.on(due.last_day).at,
    )
    more = due.last_at is not None or due.last_day is not None
    return _complete(due.memories, calendar, horizon, tx, work, more=more)


def look_ahead(tx: ReadTransaction, moment: Moment, work: OperationContext) -> DueSnapshot:
    """The same for a policy that has not set the alarms yet: as if it had."""
    due = [
        memory
        for page in pages(tx.memories, work.policy.sweep.batch)
        for memory in rearmed(page, tx.queue, moment, work.policy)
        if (memory.due_at is not None and memory.due_at <= moment.at)
        or (memory.due_day is not None and memory.due_day <= moment.day)
    ]
    return _complete(due, Calendar(tx.owner.active_days()), moment.at, tx, work, more=False)


def pages(rows: MemoryRows, limit: int) -> Iterator[list[Memory]]:
    """Everything that is live, a page at a time."""
    page = rows.page_live(after="", limit=limit)
    while page:
        yield page
        page = rows.page_live(after=page[-1].id, limit=limit)


def rearmed(page: Sequence[Memory], queue: SummaryQueue, moment: Moment, policy: Policy) -> list[Memory]:
    """Memories with the alarms that this policy sets."""
    since = queue.since([memory.id for memory in page])
    return [with_next_due(memory, moment, policy, since.get(memory.id)) for memory in page]


def _complete(
    due: Sequence[Memory],
    calendar: Calendar,
    horizon: datetime,
    tx: ReadTransaction,
    work: OperationContext,
    *,
    more: bool,
) -> DueSnapshot:
    # A working memory may outlive its session on the way, and then look for its topic like any other.
    fading = [memory.id for memory in due if compactable(_outliving(memory), work.policy)]
    queued = StoredQueue(work, tx.owner.version)
    return DueSnapshot(due, calendar, horizon, more, tx.owner.version, tx.queue.since(fading), queued)


def _outliving(memory: Memory) -> Memory:
    return memory.with_(tier=Tier.EPISODIC) if memory.tier is Tier.WORKING else memory
