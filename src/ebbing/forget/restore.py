"""Bring memories back: exactly where they were before a batch, or, one by one, back into use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from ..domain.errors import Conflict
from ..domain.events import Archived, Change, Merged, Restored, Settled
from ..domain.ids import new_id
from ..domain.memory import Memory, Status
from ..domain.results import Batch
from ..lifecycle import transitions
from ..lifecycle.conflicts import (
    Contest,
    between,
    clear_ended_conflicts,
    conflicts_ended_by,
    reopen_conflicts,
    values_at,
)
from ..lifecycle.edit_log import giver, take_back
from ..lifecycle.operation_context import Work
from ..lifecycle.summary_links import dependent_summaries, remove
from ..lifecycle.transitions import Transition, bring_into_use, undo
from ..lifecycle.unit_of_work import UnitOfWork
from ..ports import Reading
from .summary_restore_guard import hushed, without_hushed
from .undo_log import of_batch, of_ids


def restore(work: Work, *, ids: Sequence[str] | None, batch: str | None) -> Batch:
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
        with work.write(undoing, reason=why) as change:
            came = _bring_back(page.changes, change, exactly=batch is not None)
            back = [memory.id for memory in came]
            restored += came + _unmake(page.made, came, change)
            # Named by its id one may have come back already, and then given nothing to anybody.
            edits = [edit for edit in page.edits if batch is not None or giver(edit) in back]
            take_back(edits, change, why)
            clear_ended_conflicts(page.contested, "what contradicted it is gone again", change)
            reopen_conflicts(back, change)
    return Batch(undoing, restored, why, False)


def _bring_back(undone: Mapping[str, Change | None], change: UnitOfWork, *, exactly: bool) -> list[Memory]:
    tx, at = change.tx, change.moment.at
    memories = tx.get(list(undone))
    back = {id_: _comes_back(memory, undone[id_], at, exactly=exactly) for id_, memory in memories.items()}
    if not exactly:
        _refuse_hushed(hushed(back, memories, tx))
    back = without_hushed(back, memories, undone, change.moment, tx)
    moved = [memory for id_, memory in back.items() if memory != memories[id_]]
    stayed = [memory for memory in moved if memory.status is memories[memory.id].status]
    came = _contested([memory for memory in moved if memory.status is not memories[memory.id].status], change)
    going = [memories[memory.id] for memory in came if memory.status is Status.FORGOTTEN]
    free = conflicts_ended_by(going, "what contradicted it is forgotten again", tx)
    steps = [_restored(memories[memory.id], memory, undone[memory.id]) for memory in (*stayed, *came)]
    restored = change.apply(steps)
    change.apply(free)
    merged = {id_ for id_, what in undone.items() if isinstance(what, Merged)}
    freed = [memory.id for memory in came if memory.id not in merged and memory.status is not Status.FORGOTTEN]
    _unlink([memories[id_] for id_ in freed], change)
    return restored


def _comes_back(memory: Memory, what: Change | None, at: datetime, *, exactly: bool) -> Memory:
    return undo(memory, what, at) if exactly and what is not None else bring_into_use(memory, what, at)


def _refuse_hushed(summaries: Sequence[Memory]) -> None:
    if summaries:
        named = ", ".join(memory.id for memory in summaries)
        raise Conflict(
            f"memory {named} sums up what is forgotten or said elsewhere; restore what it was made of (derived_from)"
        )


def _restored(was: Memory, now: Memory, undone: Change | None) -> Transition:
    """From where to where, and against whom it stands again; what was merged never stood against the other."""
    against = undone.others if isinstance(undone, Settled) else None
    if was.superseded_by is not None and now.superseded_by is None and not isinstance(undone, Merged | Settled):
        against = (was.superseded_by,)
    into = undone.into if isinstance(undone, Archived | Merged | Restored) else None
    return transitions.restore(was, now, None, against=against, into=into if now.status is Status.ARCHIVED else None)


def _contested(restored: Sequence[Memory], change: UnitOfWork) -> list[Memory]:
    """What comes back to an address where another value stands by now: both stay, and a person should settle it."""
    flagged: list[Memory] = []
    for memory in restored:
        there = values_at(memory, change.tx) if memory.status.live else []
        others = [rival for rival in there if between(memory.id, rival.id, change.tx) is not Contest.SETTLED]
        why = "another value came back to its address"
        change.apply([transitions.flag_conflict(rival, memory, why) for rival in others])
        flagged.append(memory.with_(contested=memory.contested or bool(others)))
    return flagged


def _unlink(restored: Sequence[Memory], change: UnitOfWork) -> None:
    """A winner no longer claims to supersede what is back; where both now stand, both are contested."""
    back: dict[str, list[Memory]] = {}
    for memory in restored:
        if memory.status is Status.SUPERSEDED and memory.superseded_by:
            back.setdefault(memory.superseded_by, []).append(memory)
    why = "what it superseded was restored"
    winners = change.tx.get(sorted(back)).values()
    change.apply([transitions.unlink(winner, back[winner.id], why) for winner in winners])


def _unmake(made: Sequence[str], came: Sequence[Memory], change: UnitOfWork) -> list[Memory]:
    """Put away summaries whose originals are back, edited or not: nobody asked for both. Those made of them since go
    too, like whatever rests on what is forgotten again; and what else these were made of comes back."""
    tx = change.tx
    gone = [memory for memory in came if memory.status is Status.FORGOTTEN]
    standing = {memory.id: memory for memory in _with_edits(tx.get(made).values() if made else (), tx)}
    standing |= {memory.id: memory for memory in dependent_summaries([*standing.values(), *gone], tx)}
    going = [memory for memory in standing.values() if memory.status is not Status.FORGOTTEN]
    return remove(
        going,
        going,
        change,
        lambda _: change.apply([transitions.forget(memory, None) for memory in going]),
        orphaned="its summary went with another that it was made of",
        gone={memory.id for memory in gone},
    )


def _with_edits(summaries: Iterable[Memory], tx: Reading) -> Iterator[Memory]:
    """Summaries, each with what it was edited to."""
    for summary in summaries:
        seen: set[str] = set()
        edited: Memory | None = summary
        while edited is not None and edited.id not in seen and edited.derived_from == summary.derived_from:
            yield edited
            seen.add(edited.id)
            by = edited.superseded_by
            edited = None if by is None else tx.get([by]).get(by)
