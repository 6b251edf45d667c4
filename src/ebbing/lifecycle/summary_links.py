"""Links between summaries and the memories they were made of.

A summary repeats its sources. When one of them is forgotten or erased, the summary must go too; its other sources get
the status that they had before they were summarized, and the next sweep decides about them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ..domain.events import Archived, Restored
from ..domain.memory import Memory, Status
from ..ports import EventLog, MemoryRows, ReadTransaction
from .conflicts import conflicts_ended_by
from .history import last_archived
from .transitions import Transition, restore
from .unit_of_work import UnitOfWork


def dependent_summaries(memories: Sequence[Memory], rows: MemoryRows) -> list[Memory]:
    """The summaries made of these, and those made of them in turn."""
    gathered = {memory.id for memory in memories}
    found: list[Memory] = []
    frontier = list(gathered)
    while frontier:
        derived = [memory for memory in rows.summaries_of(frontier) if memory.id not in gathered]
        gathered |= {memory.id for memory in derived}
        found += derived
        frontier = [memory.id for memory in derived]
    return found


def archived_for(id_: str, log: EventLog) -> Archived | Restored | None:
    """The change that last archived a memory; its `into` names the summary, if one replaced it."""
    return last_archived(log.of_memory(id_))


def originals_reactivated(
    summaries: Sequence[Memory], going: Collection[str], why: str, tx: ReadTransaction
) -> list[Transition]:
    """Restore the sources of summaries that are removed: each to its status before it was summarized, but not above
    the present status of the summary that replaced it last."""
    back: dict[str, Transition] = {}
    says = {summary.id: summary for summary in summaries}
    for summary in summaries:
        highest = _last(summary, says, tx.events).status
        originals = tx.memories.get([id_ for id_ in summary.derived_from if id_ not in going])
        for memory in originals.values():
            last = archived_for(memory.id, tx.events)
            if memory.status is Status.ARCHIVED and last is not None and last.into == summary.id:
                was = last.was or Status.ACTIVE
                status = highest if was is Status.ACTIVE else was
                if status.live:
                    back[memory.id] = restore(memory, memory.with_(status=status), why, into=summary.id)
    return list(back.values())


def _last(summary: Memory, says: Mapping[str, Memory], log: EventLog) -> Memory:
    """Of the removed summaries, the last one that replaced this one, by an edit or by a further summary."""
    seen = {summary.id}
    while True:
        last = archived_for(summary.id, log) if summary.status is Status.ARCHIVED else None
        into = summary.superseded_by if last is None else last.into
        if into not in says or into in seen:
            return summary
        summary = says[str(into)]
        seen.add(summary.id)


def remove(
    going: Sequence[Memory],
    summaries: Sequence[Memory],
    unit: UnitOfWork,
    out: Callable[[Sequence[Memory]], object],
    *,
    orphaned: str,
    uncontested: str | None = None,
    gone: Collection[str] = (),
) -> list[Memory]:
    """Take memories out of use, with the summaries among them that would go on saying what others of them say.

    The other originals of those summaries come back, for the reason `orphaned`, and are returned; memories that
    contradict only what goes wait for no decision any more, for the reason `uncontested`. `out` takes them out, and
    `gone` names what went already.
    """
    back = originals_reactivated(summaries, {*gone, *(memory.id for memory in going)}, orphaned, unit.tx)
    free = [] if uncontested is None else conflicts_ended_by(going, uncontested, unit.tx)
    out(going)
    unit.apply(free)
    return unit.apply(back)
