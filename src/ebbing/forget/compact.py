"""Compaction on request: the topics of a scope become summaries now, without waiting for them to fade.

In pages, each planned and carried out by itself: however much a scope holds, only so many are compared with each
other, and no writer waits for more than a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from ..domain.clock import Calendar, Moment
from ..domain.ids import new_id
from ..domain.memory import Memory, Scope, Status
from ..domain.results import Batch
from ..domain.retention import compactable, grace_until
from ..lifecycle.filters import everything
from ..lifecycle.operation_context import OperationContext
from ..ports import Filter, MemoryRows
from .apply_plan import carry_out
from .clustering import Kind, kind_of, topics
from .planner import DueSnapshot, Plan, Replay
from .summarize import reworded, summarizer


def compact(work: OperationContext, *, scope: Scope, dry_run: bool) -> Batch:
    """Summarize the topics of a scope and of each scope below it; one batch, so that it is undone as one."""
    batch = new_id(work.now)
    with work.read() as tx:
        moment = work.moment(tx.owner)
        pages = list(_pages(tx.memories, scope, work))
    originals: list[Memory] = []
    summaries: list[Memory] = []
    notes: list[str] = []
    for ids in pages:
        devised = _devised(ids, moment, work)
        if not dry_run and devised.actions:
            # A language model that does not answer is not asked again for every page.
            notes = notes or reworded(devised, work)
            with work.write(batch) as unit:
                carry_out(devised, unit)
        originals += [action.memory for action in devised.actions.values()]
        summaries += devised.made.values()
    return Batch(batch, originals, "asked to summarize", dry_run, summaries, tuple(notes))


def _pages(rows: MemoryRows, scope: Scope, work: OperationContext) -> Iterator[list[str]]:
    """What may go into one summary, oldest first, at most as many as a sweep looks through at a time."""
    rules = work.policy.compaction
    kinds: dict[Kind, list[tuple[datetime, str]]] = {}
    for memory in everything(rows, Filter(scope=scope, statuses=(Status.ACTIVE,))):
        if _is_old(memory, work):
            kinds.setdefault(kind_of(memory), []).append((memory.created_at, memory.id))
    for alike in kinds.values():
        in_order = [id_ for _, id_ in sorted(alike)]
        for start in range(0, len(in_order), rules.lookback):
            page = in_order[start : start + rules.lookback]
            if len(page) >= rules.group_min:
                yield page


def _devised(ids: Sequence[str], moment: Moment, work: OperationContext) -> Plan:
    with work.read() as tx:
        # Looked at again: much may have happened while other pages were summarized.
        old = [memory for memory in tx.memories.get(ids).values() if _is_old(memory, work)]
        vectors = tx.index.vectors([memory.id for memory in old]) if old else {}
        seen = DueSnapshot(
            due=(), calendar=Calendar(tx.owner.active_days()), horizon=work.now, more=False, version=tx.owner.version
        )
    replay = Replay(seen, moment, work.policy, summarizer(work))
    replay.add_memories(old)
    for group in list(topics(old, vectors, work.policy)):
        replay.make(group, moment)
    return replay.run()


def _is_old(memory: Memory, work: OperationContext) -> bool:
    return compactable(memory, work.policy) and grace_until(memory, work.policy) <= work.now
