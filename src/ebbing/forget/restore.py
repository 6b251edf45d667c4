"""Bring memories back: exactly where they were before a batch, or, one by one, back into use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..domain.errors import Conflict
from ..domain.event_values import Cause
from ..domain.events import Archived, Forgotten, Merged, Moved, Restored, Settled, Undoable
from ..domain.ids import new_id
from ..domain.memory import Memory, Status
from ..domain.results import Batch
from ..lifecycle import transitions
from ..lifecycle.conflicts import (
    ConflictState,
    clear_ended_conflicts,
    conflict_state,
    conflicts_ended_by,
    reopen_conflicts,
    values_at,
)
from ..lifecycle.history import changes_in_force
from ..lifecycle.merged_fields import giver, revert_edits
from ..lifecycle.operation_context import OperationContext
from ..lifecycle.summary_links import dependent_summaries, remove
from ..lifecycle.transitions import Transition, bring_into_use, undo, undo_below
from ..lifecycle.unit_of_work import UnitOfWork
from ..ports import EventLog, MemoryRows
from .summary_restore_guard import blocked_summaries, without_blocked_summaries
from .undo_log import of_batch, of_ids


def restore(work: OperationContext, *, ids: Sequence[str] | None, batch: str | None) -> Batch:
    """Undo a batch, or bring back the memories named.

    Of a batch, each memory that the view sees and that still stands where the batch put it goes back to where it
    was, and the summaries that the batch made are put away; what was purged since, or belongs to another agent, is
    left alone. A memory named by id comes back from `forgotten` to where it was, and from a rung of the ladder into
    use. What had faded gets a grace period of its own, so that the next sweep does not put it straight back.
    """
    undoing = new_id(work.now)
    why = f"undo of {batch}" if batch is not None else "asked to restore"
    with work.read() as looking:
        pages = of_batch(batch, looking) if batch is not None else of_ids(ids or (), looking)
    restored: list[Memory] = []
    for page in pages:
        with work.write(undoing, reason=why) as unit:
            back_in_use = _bring_back(page.changes, unit, batch)
            back = [memory.id for memory in back_in_use]
            restored += back_in_use + _unmake(page.made, back_in_use, unit, batch)
            # Named by its id one may have come back already, and then given nothing to anybody.
            edits = [edit for edit in page.edits if batch is not None or giver(edit) in back]
            revert_edits(edits, unit, why)
            clear_ended_conflicts(page.contested, "what contradicted it is gone again", unit)
            reopen_conflicts(back, unit)
    return Batch(undoing, restored, why, False)


def _bring_back(undone: Mapping[str, Undoable | None], unit: UnitOfWork, batch: str | None) -> list[Memory]:
    """Those that come back, by the batch that took them out or, without one, by their ids."""
    tx, at = unit.tx, unit.moment.at
    memories = tx.memories.get(list(undone))
    below: list[Transition] = []
    back: dict[str, Memory] = {}
    for id_, memory in memories.items():
        what = undone[id_]
        if batch is None or what is None:
            back[id_] = bring_into_use(memory, what, at)
            continue
        in_force = _changes_in_force(memory, what, tx.events)
        was_superseded = isinstance(what, Forgotten) and what.was is Status.SUPERSEDED
        if was_superseded and in_force and batch not in in_force:
            continue  # undone already: its present status comes from later changes
        what = in_force.get(batch, what)
        back[id_] = undo(memory, what, at)
        if batch in in_force and isinstance(what, Moved) and memory.status is not what.status:
            below.append(undo_below(memory, what, batch))
    if batch is None:
        _refuse_blocked(blocked_summaries(back, memories, tx))
    back = without_blocked_summaries(back, memories, undone, unit.moment, tx)
    moved = [memory for id_, memory in back.items() if memory != memories[id_]]
    stayed = [memory for memory in moved if memory.status is memories[memory.id].status]
    moved_back = _contested([memory for memory in moved if memory.status is not memories[memory.id].status], unit)
    going = [memories[memory.id] for memory in moved_back if memory.status is Status.FORGOTTEN]
    free = conflicts_ended_by(going, "what contradicted it is forgotten again", tx)
    steps = [_restored(memories[memory.id], memory, undone[memory.id], batch) for memory in (*stayed, *moved_back)]
    restored = unit.apply(steps)
    unit.apply(free)
    unit.apply(below)
    pairs = [(memories[after.id], after) for after in (*moved_back, *(one.after for one in below))]
    merged = {id_ for id_, what in undone.items() if isinstance(what, Merged)}
    _unlink([pair for pair in pairs if pair[1].id not in merged], unit)
    return restored


def _changes_in_force(memory: Memory, what: Undoable, log: EventLog) -> dict[str, Undoable]:
    """What still holds of a memory, by batch; looked up only where it is not simply undone."""
    simple = isinstance(what, Moved) and what.was in (None, Status.ACTIVE) and memory.status is what.status
    return {} if simple or not isinstance(what, Moved) else dict(changes_in_force(log.of_memory(memory.id)))


def _refuse_blocked(summaries: Sequence[Memory]) -> None:
    if summaries:
        named = ", ".join(memory.id for memory in summaries)
        raise Conflict(
            f"memory {named} sums up what is forgotten or said elsewhere; restore what it was made of (derived_from)"
        )


def _restored(was: Memory, now: Memory, undone: Undoable | None, batch: str | None) -> Transition:
    """The transition between the two, with the memories that it contradicts again; a merged one contradicts none."""
    against = undone.others if isinstance(undone, Settled) else None
    if was.superseded_by is not None and now.superseded_by is None and not isinstance(undone, Merged | Settled):
        against = (was.superseded_by,)
    into = undone.into if isinstance(undone, Archived | Restored) and now.status is Status.ARCHIVED else None
    if isinstance(undone, Merged) and was.superseded_by != now.superseded_by:
        into = undone.into
    until = was.valid_until if was.superseded_by != now.superseded_by else None
    cause = Cause.REQUESTED if batch is None else Cause.UNDONE
    details = {"against": against, "into": into, "was_valid_until": until}
    return transitions.restore(was, now, None, cause=cause, batch=batch, **details)


def _contested(restored: Sequence[Memory], unit: UnitOfWork) -> list[Memory]:
    """Flag conflicts with the values that are now at the address of a restored memory; a person should settle them."""
    flagged: list[Memory] = []
    for memory in restored:
        there = values_at(memory, unit.tx.index) if memory.status.live else []
        others = [
            rival for rival in there if conflict_state(memory.id, rival.id, unit.tx.events) is not ConflictState.SETTLED
        ]
        why = "another value came back to its address"
        unit.apply([transitions.flag_conflict(rival, memory, why) for rival in others])
        flagged.append(memory.with_(contested=memory.contested or bool(others)))
    return flagged


def _unlink(pairs: Sequence[tuple[Memory, Memory]], unit: UnitOfWork) -> None:
    """Take restored memories off the `supersedes` of their successor; where both are active, both are contested."""
    back: dict[str, list[Memory]] = {}
    for before, after in pairs:
        if before.superseded_by is not None and after.superseded_by is None:
            back.setdefault(before.superseded_by, []).append(after)
    for winner in unit.tx.memories.get(sorted(back)).values():
        freed = back[winner.id]
        contested = any(memory.status is not Status.FORGOTTEN for memory in freed)
        unit.apply([transitions.unlink(winner, freed, "what it superseded was restored", contested=contested)])


def _unmake(made: Sequence[str], restored: Sequence[Memory], unit: UnitOfWork, batch: str | None) -> list[Memory]:
    """Remove summaries whose sources are restored, and summaries made of those; the other sources of these are
    restored too. Summaries of what this restore put out of use again are removed as well."""
    tx = unit.tx
    forgotten = [memory for memory in restored if memory.status is Status.FORGOTTEN]
    summaries = {
        memory.id: memory for memory in _with_edits(tx.memories.get(made).values() if made else (), tx.memories)
    }
    summaries |= {memory.id: memory for memory in dependent_summaries([*summaries.values(), *forgotten], tx.memories)}
    going = [memory for memory in summaries.values() if memory.status is not Status.FORGOTTEN]
    if batch is not None:
        # Forgotten already: it must not come back when that is undone, as nothing was made then.
        away = [memory for memory in summaries.values() if memory.id in made and memory not in going]
        unit.apply([undo_below(memory, Forgotten(was=memory.status), batch) for memory in away])
    return remove(
        going,
        going,
        unit,
        lambda _: unit.apply(
            [transitions.forget(memory, None, undoes=batch if memory.id in made else None) for memory in going]
        ),
        orphaned="its summary went with another that it was made of",
        gone={memory.id for memory in forgotten},
    )


def _with_edits(summaries: Iterable[Memory], rows: MemoryRows) -> Iterator[Memory]:
    """Summaries, each with the versions that an edit made of it."""
    for summary in summaries:
        seen: set[str] = set()
        edited: Memory | None = summary
        while edited is not None and edited.id not in seen and edited.derived_from == summary.derived_from:
            yield edited
            seen.add(edited.id)
            by = edited.superseded_by
            edited = None if by is None else rows.get([by]).get(by)
