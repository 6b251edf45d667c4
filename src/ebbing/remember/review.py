"""What waits for a person: contradictions that may not settle themselves, merges, what looked like an instruction, and
what would have left recall although it would harm to lose it.

Each can be decided one way or the other, and every decision is an event of a batch of its own, which `restore`
undoes like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..domain.errors import Conflict, Denied, Invalid, NotFound, shown
from ..domain.event_values import Cause
from ..domain.events import EventKind, Merged
from ..domain.memory import Memory, Status, Visibility
from ..domain.results import Batch, Doubt, Unsettled
from ..lifecycle import transitions
from ..lifecycle.conflicts import conflicts_ended_by, judgements, open_rivals, values_at
from ..lifecycle.merged_fields import given_by, revert_edits
from ..lifecycle.operation_context import OperationContext
from ..lifecycle.reinforcement import count_uses
from ..lifecycle.unit_of_work import UnitOfWork
from ..ports import MemoryRows, ReadTransaction
from .resolve import refuse_core
from .write import archive_dependent_summaries, contest

BOTH = "both"
_REASONS = {
    Doubt.CONTESTED: (EventKind.CONTESTED, EventKind.EDITED),
    Doubt.MERGED: (EventKind.MERGED,),
    Doubt.QUARANTINED: (EventKind.REMEMBERED, EventKind.IMPORTED),
    Doubt.LEAVING: (EventKind.HELD,),
}


def review(work: OperationContext, *, limit: int, before: str | None = None) -> list[Unsettled]:
    """What waits, newest first, each with those it stands against."""
    with work.read() as tx:
        return [_unsettled(memory, tx) for memory in tx.memories.pending_review(before=before, limit=limit)]


def settle(id_: str, keep: bool | str, work: OperationContext) -> Batch:
    """Decide about one that waits.

    Quarantined: keep it, and it is remembered; or not, and it is forgotten. Merged: keep it as one of its own, or leave
    it merged. Contested: keep it and retire those it contradicts, or retire it; or keep both. About to leave recall:
    keep it, and it is as if used and restored now; or not, and it is archived. With the id of another memory, whatever
    the two are to each other: keep that one, which supersedes this one.
    """
    if not isinstance(keep, bool | str):
        raise Invalid(f"keep {shown(keep)} is neither True, False, 'both' nor the id of the memory to keep")
    with work.write() as unit:
        tx = unit.tx
        memory = tx.memories.get([id_]).get(id_)
        if memory is None:
            raise NotFound(f"there is no memory {id_}")
        if isinstance(keep, str) and keep != BOTH:
            changed, reason = _Decision(unit, work).replaced(memory, _kept(keep, memory, tx.memories))
            return Batch(unit.batch, changed, reason)
        doubt = _doubt(memory)
        if doubt is None:
            raise Conflict(f"memory {id_} has no pending review; `review` lists what does")
        if keep == BOTH and doubt is not Doubt.CONTESTED:
            raise Invalid(f"'both' settles a contradiction; memory {id_} is {doubt}: say True or False")
        decided = _Decision(unit, work)
        if doubt is Doubt.QUARANTINED and keep:
            _refuse_limited(f"memory {id_} looks like an injected instruction", work)
        if doubt is Doubt.QUARANTINED:
            changed, reason = decided.quarantined(memory, keep=bool(keep))
        elif doubt is Doubt.MERGED:
            changed, reason = decided.merged(memory, keep=bool(keep))
        elif doubt is Doubt.LEAVING:
            changed, reason = decided.leaving(memory, keep=bool(keep))
        else:
            changed, reason = decided.contested(memory, _others(memory, tx), keep)
    return Batch(unit.batch, changed, reason)


def _refuse_limited(what: str, work: OperationContext) -> None:
    """Refuse a decision that is the user's: whoever is limited in trust may not make its own word win by settling."""
    if work.writer.trust_max is not None and work.writer.source != "user":
        raise Denied(
            f"{what}, and this caller is trusted {work.writer.trust_max:g} at most: the user decides about it, with "
            "`ebbing review` or as a caller that may write as the user"
        )


class _Decision:
    """One decision being carried out."""

    def __init__(self, unit: UnitOfWork, work: OperationContext) -> None:
        self.change = unit
        self.tx = unit.tx
        self.work = work

    def quarantined(self, memory: Memory, *, keep: bool) -> tuple[list[Memory], str]:
        if not keep:
            reason = "refused after review"
            return self.change.apply([transitions.forget(memory, reason, settled=True)]), reason
        # It met nobody while it was kept apart.
        met = values_at(memory, self.tx.index)
        released = memory.with_(contested=bool(met))
        why = "it stood there when another value was released"
        self.change.apply([contest(rival, released, why) for rival in met])
        return self._released(memory, released, reason := "released after review"), reason

    def merged(self, memory: Memory, *, keep: bool) -> tuple[list[Memory], str]:
        if not keep:
            return self._settled([memory], [], reason := "the merge stands"), reason
        revert_edits(given_by(memory.id, self.tx.events), self.change, "what was merged into it stands by itself")
        reason = "it says something of its own"
        # A memory that was imported may have come without its history.
        changes = (event.change for event in self.tx.events.of_memory(memory.id))
        *_, merge = (Merged(), *(change for change in changes if isinstance(change, Merged)))
        alone = transitions.undo(memory.with_(status=Status.SUPERSEDED), merge, self.change.moment.at)
        more = {"into": memory.superseded_by, "was_valid_until": memory.valid_until}
        return self._released(memory, alone, reason, **more), reason

    def leaving(self, memory: Memory, *, keep: bool) -> tuple[list[Memory], str]:
        if not keep:
            self._refuse_trusted(memory)
            step = transitions.archive(memory, reason := "let go after review", settled=True)
            return self.change.apply([step]), reason
        reason = Cause.KEPT
        [kept] = count_uses([memory], self.change, reason)
        after = kept.with_(restored_at=self.change.moment.at)
        return self.change.apply([transitions.keep(memory, after, reason)]), reason

    def contested(self, memory: Memory, others: Sequence[Memory], keep: bool | str) -> tuple[list[Memory], str]:
        if keep == BOTH or not others:
            # One that is contested by nobody who still stands has won already.
            settled = [one for one in others if one.contested and not self._more(one, memory)]
            reason = "both hold" if others else "nothing contradicts it"
            changed = self._settled([memory], others, reason) + self._settled(settled, [memory], reason)
            return changed, reason
        winners, losers = ([memory], list(others)) if keep is True else (list(others), [memory])
        for loser in losers:
            self._refuse_trusted(loser)
        by = winners[0].id
        retired = [one for loser in losers for one in self._retire(loser, winners[0])]
        free = [w for w in winners if w.contested and not self._more(w, *losers)]
        ids = tuple(one.id for one in retired)
        # What is undone is taken off the one that it names.
        self._settled([w for w in free if w.id == by], losers, reason := "settled after review", ids)
        self._settled([w for w in free if w.id != by], losers, reason)
        return [*retired, *self.tx.memories.get([w.id for w in winners]).values()], reason

    def replaced(self, memory: Memory, winner: Memory) -> tuple[list[Memory], str]:
        """Supersede a memory by the one that is to be kept, and calm whoever stood against it alone."""
        self._refuse_trusted(memory)
        if memory.pinned:
            _refuse_limited(f"memory {memory.id} is pinned", self.work)
        reason = f"settled: {winner.id} is kept"
        if winner.contested and not self._more(winner, memory):
            self._settled([winner], [memory], reason, (memory.id,))
        else:
            linked = winner.with_(supersedes=tuple(dict.fromkeys((*winner.supersedes, memory.id))))
            self.change.apply([transitions.edit(winner, linked, reason)])
        free = conflicts_ended_by([memory], "what contradicted it was superseded", self.tx)
        step = transitions.supersede(memory, winner, self.change.moment.at, reason)
        retired, *_ = self.change.apply([step, *free])
        archive_dependent_summaries([memory], self.change)
        return [retired, *self.tx.memories.get([winner.id]).values()], reason

    def _refuse_trusted(self, loser: Memory) -> None:
        """Refuse to retire what is trusted more than the caller may be."""
        if self.work.writer.trust_max is not None and loser.trust > self.work.writer.trust_max:
            _refuse_limited(f"memory {loser.id} is trusted {loser.trust:g}", self.work)

    def _more(self, memory: Memory, *than: Memory) -> bool:
        """Whether somebody else still stands against it."""
        ids = {one.id for one in than}
        return any(one.id not in ids for one in _others(memory, self.tx))

    def _released(self, memory: Memory, released: Memory, reason: str, **more: Any) -> list[Memory]:
        """Put what was kept apart into use; `more`: what else its event says."""
        active = released.with_(status=Status.ACTIVE, restored_at=self.change.moment.at)
        return self.change.apply([transitions.restore(memory, active, reason, settled=True, **more)])

    def _retire(self, loser: Memory, winner: Memory) -> list[Memory]:
        at, why = self.change.moment.at, "settled after review"
        return self.change.apply([transitions.supersede(loser, winner, at, why, was_contested=True)])

    def _settled(
        self, memories: Sequence[Memory], others: Sequence[Memory], reason: str, supersedes: tuple[str, ...] = ()
    ) -> list[Memory]:
        """These are decided about, as far as those others go."""
        return self.change.apply([transitions.settle(memory, others, reason, supersedes) for memory in memories])


def _unsettled(memory: Memory, tx: ReadTransaction) -> Unsettled:
    doubt = _doubt(memory) or Doubt.CONTESTED
    named = [event for event in tx.events.of_memory(memory.id) if event.kind in _REASONS[doubt] and event.reason]
    others = _others(memory, tx)
    return Unsettled(doubt, memory, others, named[-1].reason if named else None, judgements(memory, others, tx.events))


def _kept(id_: str, memory: Memory, rows: MemoryRows) -> Memory:
    """The memory that is to be kept in the place of another, if it can be."""
    if id_ == memory.id:
        raise Invalid(
            f"memory {id_} cannot supersede itself; give the id of the memory to keep, or True, False or 'both'"
        )
    winner = rows.get([id_]).get(id_)
    if winner is None:
        raise NotFound(f"there is no memory {id_} to keep; keep is True, False, 'both' or the id of a memory")
    refuse_core((memory, winner))
    if not winner.status.live:
        raise Conflict(f"memory {id_} is {winner.status}, and only a memory in use can be kept in the place of another")
    if not (memory.status.live or memory.status is Status.ARCHIVED):
        raise Conflict(f"memory {memory.id} is {memory.status} already, so nothing needs to supersede it")
    if winner.visibility is Visibility.PRIVATE and memory.visibility is Visibility.SHARED:
        raise Invalid(f"memory {id_} is private to an agent and cannot supersede {memory.id}, which other agents see")
    return winner


def _doubt(memory: Memory) -> Doubt | None:
    if memory.status is Status.QUARANTINED:
        return Doubt.QUARANTINED
    if not memory.contested:
        return Doubt.LEAVING if memory.held_at is not None and memory.status.live else None
    return Doubt.CONTESTED if memory.status.live else Doubt.MERGED


def _others(memory: Memory, tx: ReadTransaction) -> list[Memory]:
    """Whom it stands against and who is still in use; of a merged one, whom it was merged with."""
    if not memory.status.live:
        found = tx.memories.get([memory.superseded_by] if memory.superseded_by is not None else [])
        return list(found.values())
    return open_rivals(memory, tx)
