"""Which memories are earlier versions of another one: `purge` erases them with it.

A version is made when the same memory is given another text: by `update(text=…)`, or by writing a block again. A
memory that was superseded by a different statement is not a version, and neither is one that was merged because it
says the same in other words; those are memories of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..domain.events import EventKind, Merged, Superseded
from ..domain.memory import Memory, Tier, Visibility
from ..lifecycle.filters import everything
from ..ports import EventLog, Filter, MemoryRows, ReadTransaction


def earlier_versions(memories: Sequence[Memory], tx: ReadTransaction) -> list[Memory]:
    """Every version of these memories that was written before them, and the versions before those."""
    known = {memory.id for memory in memories}
    found: list[Memory] = []
    frontier = list(memories)
    while frontier:
        replaced = [memory for memory in superseded_by_these(frontier, tx.memories) if memory.id not in known]
        before = [memory for memory in replaced if is_updated(memory, tx.events)]
        before += [memory for memory in _block_versions(frontier, tx.memories) if memory.id not in known]
        frontier = list({memory.id: memory for memory in before}.values())
        known |= {memory.id for memory in frontier}
        found += frontier
    return found


def superseded_by_these(memories: Sequence[Memory], rows: MemoryRows) -> list[Memory]:
    """The memories that these superseded, whatever their status."""
    return rows.archived_copies([memory.id for memory in memories], []) if memories else []


def replaced_once(memories: Sequence[Memory], log: EventLog) -> set[str]:
    """The ids of what gave way to these memories when they were written, also where it was brought back since."""
    gave_way: set[str] = set()
    wrote = {
        memory.id: [one.batch for one in log.of_memory(memory.id) if one.kind is EventKind.REMEMBERED]
        for memory in memories
    }
    for batch in sorted({batch for batches in wrote.values() for batch in batches}):
        gave_way |= {
            str(event.memory)
            for event in log.of_batch(batch)
            if isinstance(change := event.change, Superseded | Merged) and change.other in wrote
        }
    return gave_way


def is_updated(memory: Memory, log: EventLog) -> bool:
    """Whether the memory that replaced it is its next version: it is a block, or an update made it."""
    if memory.superseded_by is None:
        return False
    if memory.tier is Tier.CORE:
        return True
    return any(
        isinstance(change := event.change, Superseded | Merged)
        and change.update
        and change.other == memory.superseded_by
        for event in log.of_memory(memory.id)
    )


def _block_versions(memories: Iterable[Memory], rows: MemoryRows) -> list[Memory]:
    """Earlier texts of the same blocks of core memory, also of a block that was cleared in between."""
    blocks = [memory for memory in memories if memory.tier is Tier.CORE]
    return [
        memory
        for block in blocks
        for memory in everything(rows, Filter(subject=block.subject, tier=Tier.CORE))
        if memory.id < block.id and _same_block(memory, block)
    ]


def _same_block(memory: Memory, block: Memory) -> bool:
    """The label is the same, and so is who sees it: an agent has blocks of its own beside those that all share."""
    if (memory.attribute, memory.visibility) != (block.attribute, block.visibility):
        return False
    return block.visibility is Visibility.SHARED or memory.agent == block.agent
