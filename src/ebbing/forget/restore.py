"""Bring memories back: exactly where they were before a batch, or, one by one, back into use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..domain.clock import Moment
from ..domain.errors import Conflict
from ..domain.events import (
    Archived,
    Change,
    Contested,
    Demoted,
    Detached,
    Edited,
    EventKind,
    Forgotten,
    Merged,
    Moved,
    Promoted,
    Restored,
    Settled,
    Stepped,
    Superseded,
)
from ..domain.ids import new_id
from ..domain.memory import Memory, Status
from ..domain.policy import Policy
from ..domain.results import Batch
from ..domain.retention import armed
from ..lifecycle.conflicts import Contest, between, calm, leave, stir, values_at
from ..lifecycle.edit_log import given_by_of, take_back
from ..lifecycle.operation_context import Work
from ..lifecycle.summary_links import bring_back, left_alone, resting_on
from ..ports import NewEvent, Reading, Writing
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
        with work.write() as tx:
            moment = tx.use(work.now)
            tx.under(work.policy.fingerprint)
            came = _bring_back(
                page.changes, tx, moment, work.policy, exactly=batch is not None, undoing=undoing, why=why
            )
            back = [memory.id for memory in came]
            restored += came + _unmake(page.made, came, tx, moment, work.policy, undoing, why)
            # Named by its id one may have come back already, and then given nothing to anybody.
            edits = [edit for edit in page.edits if batch is not None or given_by_of(edit) in back]
            changes = take_back(edits, tx, moment, work.policy, why)
            changes += calm(page.contested, "what contradicted it is gone again", tx, moment, work.policy)
            changes += stir(back, tx, moment, work.policy)
            tx.record(changes, at=moment.at, batch=undoing)
    return Batch(undoing, restored, why, False)


def _bring_back(
    undone: Mapping[str, Change | None],
    tx: Writing,
    moment: Moment,
    policy: Policy,
    *,
    exactly: bool,
    undoing: str,
    why: str,
) -> list[Memory]:
    memories = tx.get(list(undone))
    back = {id_: come_back(memory, undone[id_], exactly=exactly, moment=moment) for id_, memory in memories.items()}
    if not exactly:
        _refuse_hushed(hushed(back, memories, tx))
    back = without_hushed(back, memories, undone, moment, tx)
    moved = [armed(memory, moment, policy) for id_, memory in back.items() if memory != memories[id_]]
    stayed = [memory for memory in moved if memory.status is memories[memory.id].status]
    came, changes = _contested([memory for memory in moved if memory.status is not memories[memory.id].status], tx)
    restored = [*stayed, *came]
    going = [memories[memory.id] for memory in came if memory.status is Status.FORGOTTEN]
    changes += leave(going, "what contradicted it is forgotten again", tx, moment, policy)
    tx.change(restored)
    changes += [
        NewEvent(EventKind.RESTORED, m.id, why, _moved(memories[m.id], m, undone[m.id]).encode()) for m in restored
    ]
    merged = {id_ for id_, change in undone.items() if isinstance(change, Merged)}
    freed = [memory.id for memory in came if memory.id not in merged and memory.status is not Status.FORGOTTEN]
    changes += _unlinked([memories[id_] for id_ in freed], tx)
    tx.record(changes, at=moment.at, batch=undoing)
    return restored


def _refuse_hushed(summaries: Sequence[Memory]) -> None:
    if summaries:
        named = ", ".join(memory.id for memory in summaries)
        raise Conflict(
            f"memory {named} sums up what is forgotten or said elsewhere; restore what it was made of (derived_from)"
        )


def _moved(was: Memory, now: Memory, undone: Change | None) -> Restored:
    """From where to where, and against whom it stands again; what was merged never stood against the other."""
    against = undone.others if isinstance(undone, Settled) else None
    if was.superseded_by is not None and now.superseded_by is None and not isinstance(undone, Merged | Settled):
        against = (was.superseded_by,)
    into = undone.into if isinstance(undone, Archived | Merged | Restored) else None
    return Restored(
        was=was.status, to=now.status, against=against, into=into if now.status is Status.ARCHIVED else None
    )


def _contested(restored: Sequence[Memory], tx: Writing) -> tuple[list[Memory], list[NewEvent]]:
    """What comes back to an address where another value stands by now: both stay, and a person should settle it."""
    flagged: list[Memory] = []
    changes: list[NewEvent] = []
    for memory in restored:
        there = values_at(memory, tx) if memory.status.live else []
        others = [rival for rival in there if between(memory.id, rival.id, tx) is not Contest.SETTLED]
        tx.change([rival.with_(contested=True) for rival in others if not rival.contested])
        changes += [
            NewEvent(
                EventKind.CONTESTED,
                rival.id,
                "another value came back to its address",
                Contested(by=memory.id).encode(),
            )
            for rival in others
        ]
        flagged.append(memory.with_(contested=memory.contested or bool(others)))
    return flagged, changes


def _unlinked(restored: Sequence[Memory], tx: Writing) -> list[NewEvent]:
    """A winner no longer claims to supersede what is back; where both now stand, both are contested."""
    back = {memory.id for memory in restored if memory.status is Status.SUPERSEDED}
    winners = tx.get(
        sorted({memory.superseded_by for memory in restored if memory.id in back and memory.superseded_by})
    )
    freed = [
        winner.with_(
            supersedes=tuple(id_ for id_ in winner.supersedes if id_ not in back),
            contested=winner.contested or winner.status.live,
        )
        for winner in winners.values()
    ]
    if freed:
        tx.change(freed)
    changes = {
        winner.id: Edited(
            supersedes=winner.supersedes,
            against=tuple(m.id for m in restored if m.id in back and m.superseded_by == winner.id),
        )
        for winner in winners.values()
    }
    return [NewEvent(EventKind.EDITED, w.id, "what it superseded was restored", changes[w.id].encode()) for w in freed]


def _unmake(
    made: Sequence[str],
    came: Sequence[Memory],
    tx: Writing,
    moment: Moment,
    policy: Policy,
    undoing: str,
    why: str,
) -> list[Memory]:
    """Put away summaries whose originals are back, edited or not: nobody asked for both. Those made of them since go
    too, like whatever rests on what is forgotten again; and what else these were made of comes back."""
    gone = [memory for memory in came if memory.status is Status.FORGOTTEN]
    standing = {memory.id: memory for memory in _with_edits(tx.get(made).values() if made else (), tx)}
    standing |= {memory.id: memory for memory in resting_on([*standing.values(), *gone], tx)}
    going = [memory for memory in standing.values() if memory.status is not Status.FORGOTTEN]
    back = left_alone(going, {memory.id for memory in (*going, *gone)}, tx)
    back = {id_: armed(memory, moment, policy) for id_, memory in back.items()}
    tx.change([memory.with_(status=Status.FORGOTTEN) for memory in going])
    changes = [NewEvent(EventKind.FORGOTTEN, memory.id, why, Forgotten(was=memory.status).encode()) for memory in going]
    changes += bring_back(back, "its summary went with another that it was made of", tx)
    tx.record(changes, at=moment.at, batch=undoing)
    return list(back.values())


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


def come_back(memory: Memory, undone: Change | None, *, exactly: bool, moment: Moment) -> Memory:
    """The memory as it comes back; itself when it is no longer where the change put it."""
    if not exactly and memory.status is Status.ACTIVE:
        return memory
    if exactly and undone is not None and memory.status is not (undone.status or memory.status):
        return memory
    if exactly and isinstance(undone, Stepped) and undone.was_tier is not None and undone.tier is memory.tier:
        memory = memory.with_(tier=undone.was_tier)
    if isinstance(undone, Settled):
        # It waits again, if there is still something to decide.
        return memory.with_(contested=memory.status.live or memory.status is Status.SUPERSEDED)
    if isinstance(undone, Promoted | Demoted):
        # Wherever it has come to since, that batch did not put it there.
        return memory
    was = (undone.was if isinstance(undone, Moved) else None) or Status.ACTIVE
    if memory.status is Status.SUPERSEDED and was is not Status.FORGOTTEN:
        until = undone.was_valid_until if isinstance(undone, Superseded | Merged) else None
        memory = memory.with_(superseded_by=None, valid_until=until, contested=not isinstance(undone, Merged))
    if exactly and was is Status.SUPERSEDED and isinstance(undone, Restored | Archived) and undone.into is not None:
        memory = memory.with_(superseded_by=undone.into, contested=True)
    if exactly or memory.status is Status.FORGOTTEN:
        faded = exactly and isinstance(undone, Detached | Archived)
        return memory.with_(status=was, restored_at=moment.at if faded else memory.restored_at)
    return memory.with_(status=Status.ACTIVE, restored_at=moment.at)
