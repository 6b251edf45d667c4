"""What waits for a person: contradictions that may not settle themselves, merges, and what looked like an instruction.

Each can be decided one way or the other, and every decision is an event of a batch of its own, which `restore`
undoes like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..domain.clock import Moment
from ..domain.errors import Conflict, Denied, Invalid, NotFound, shown
from ..domain.events import Edited, EventKind
from ..domain.ids import new_id
from ..domain.memory import Memory, Status, Visibility
from ..domain.results import Batch, Doubt, Unsettled
from ..domain.retention import armed
from ..lifecycle.conflicts import judgements, leave, rivals, values_at
from ..lifecycle.edit_log import fields_of, given_by, take_back
from ..lifecycle.operation_context import Work
from ..ports import NewEvent, Reading, Writing
from .resolve import refuse_core
from .write import contest, retire, unsay

BOTH = "both"
_REASONS = {
    Doubt.CONTESTED: (EventKind.CONTESTED, EventKind.EDITED),
    Doubt.MERGED: (EventKind.MERGED,),
    Doubt.QUARANTINED: (EventKind.REMEMBERED, EventKind.IMPORTED),
}


def review(work: Work, *, limit: int, before: str | None = None) -> list[Unsettled]:
    """What waits, newest first, each with those it stands against."""
    with work.read() as tx:
        return [_unsettled(memory, tx) for memory in tx.unsettled(before=before, limit=limit)]


def settle(id_: str, keep: bool | str, work: Work, *, session: str | None = None) -> Batch:
    """Decide about one that waits.

    Quarantined: keep it, and it is remembered; or not, and it is forgotten. Merged: keep it as one of its own, or leave
    it merged. Contested: keep it and retire those it contradicts, or retire it; or keep both. With the id of another
    memory, whatever the two are to each other: keep that one, which supersedes this one.
    """
    if not isinstance(keep, bool | str):
        raise Invalid(f"keep {shown(keep)} is neither True, False, 'both' nor the id of the memory to keep")
    batch = new_id(work.now)
    with work.write() as tx:
        moment = tx.use(work.now)
        tx.under(work.policy.fingerprint)
        memory = tx.get([id_]).get(id_)
        if memory is None:
            raise NotFound(f"there is no memory {id_}")
        if isinstance(keep, str) and keep != BOTH:
            changed, reason = _Decision(tx, work, moment, batch, session).replaced(memory, _kept(keep, memory, tx))
            return Batch(batch, changed, reason)
        doubt = _doubt(memory)
        if doubt is None:
            raise Conflict(f"memory {id_} has no pending review; `review` lists what does")
        if keep == BOTH and doubt is not Doubt.CONTESTED:
            raise Invalid(f"'both' settles a contradiction; memory {id_} is {doubt}: say True or False")
        decided = _Decision(tx, work, moment, batch, session)
        if doubt is Doubt.QUARANTINED and keep:
            _refuse_limited(f"memory {id_} looks like an injected instruction", work)
        if doubt is Doubt.QUARANTINED:
            changed, reason = decided.quarantined(memory, keep=bool(keep))
        elif doubt is Doubt.MERGED:
            changed, reason = decided.merged(memory, keep=bool(keep))
        else:
            changed, reason = decided.contested(memory, _others(memory, tx), keep)
    return Batch(batch, changed, reason)


def _refuse_limited(what: str, work: Work) -> None:
    """Refuse a decision that is the user's: whoever is limited in trust may not make its own word win by settling."""
    if work.writer.trust_max is not None and work.writer.source != "user":
        raise Denied(
            f"{what}, and this caller is trusted {work.writer.trust_max:g} at most: the user decides about it, with "
            "`ebbing review` or as a caller that may write as the user"
        )


class _Decision:
    """One decision being carried out."""

    def __init__(self, tx: Writing, work: Work, moment: Moment, batch: str, session: str | None) -> None:
        self.tx = tx
        self.work = work
        self.moment = moment
        self.batch = batch
        self.session = session

    def quarantined(self, memory: Memory, *, keep: bool) -> tuple[list[Memory], str]:
        if not keep:
            return self._put(memory, Status.FORGOTTEN, EventKind.FORGOTTEN, reason := "refused after review"), reason
        # It met nobody while it was kept apart.
        met = values_at(memory, self.tx)
        released = memory.with_(contested=bool(met))
        for rival in met:
            why = "it stood there when another value was released"
            contest(rival, released, why, self.tx, self.moment, self.batch, self.session)
        return self._put(released, Status.ACTIVE, EventKind.RESTORED, reason := "released after review"), reason

    def merged(self, memory: Memory, *, keep: bool) -> tuple[list[Memory], str]:
        if not keep:
            return self._settled([memory], [], reason := "the merge stands"), reason
        kept = memory.with_(contested=False, superseded_by=None, valid_until=None)
        reason = "it says something of its own"
        why = "what was merged into it stands by itself"
        back = take_back(given_by(memory.id, self.tx), self.tx, self.moment, self.work.policy, why)
        self.tx.record(back, at=self.moment.at, batch=self.batch, session=self.session)
        return self._put(kept, Status.ACTIVE, EventKind.RESTORED, reason, into=memory.superseded_by), reason

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
        retired = [one for loser in losers for one in self._retire(loser, by)]
        free = [w for w in winners if w.contested and not self._more(w, *losers)]
        ids = tuple(one.id for one in retired)
        # What is undone is taken off the one that it names.
        self._settled([w for w in free if w.id == by], losers, reason := "settled after review", ids)
        self._settled([w for w in free if w.id != by], losers, reason)
        return [*retired, *self.tx.get([w.id for w in winners]).values()], reason

    def replaced(self, memory: Memory, winner: Memory) -> tuple[list[Memory], str]:
        """Supersede a memory by the one that is to be kept, and calm whoever stood against it alone."""
        self._refuse_trusted(memory)
        if memory.pinned:
            _refuse_limited(f"memory {memory.id} is pinned", self.work)
        policy, reason = self.work.policy, f"settled: {winner.id} is kept"
        if winner.contested and not self._more(winner, memory):
            self._settled([winner], [memory], reason, (memory.id,))
        else:
            linked = winner.with_(supersedes=tuple(dict.fromkeys((*winner.supersedes, memory.id))))
            self.tx.change([linked])
            self._record(
                NewEvent(EventKind.EDITED, winner.id, reason, Edited(was=fields_of(winner, ["supersedes"])).encode())
            )
        calmed = leave([memory], "what contradicted it was superseded", self.tx, self.moment, policy)
        retired = retire(memory, winner, reason, {}, self.tx, self.moment, self.batch, self.session)
        self.tx.record(calmed, at=self.moment.at, batch=self.batch, session=self.session)
        unsay([memory], self.tx, self.moment, policy, self.batch, self.session)
        return [retired, *self.tx.get([winner.id]).values()], reason

    def _refuse_trusted(self, loser: Memory) -> None:
        """Refuse to retire what is trusted more than the caller may be."""
        if self.work.writer.trust_max is not None and loser.trust > self.work.writer.trust_max:
            _refuse_limited(f"memory {loser.id} is trusted {loser.trust:g}", self.work)

    def _more(self, memory: Memory, *than: Memory) -> bool:
        """Whether somebody else still stands against it."""
        ids = {one.id for one in than}
        return any(one.id not in ids for one in _others(memory, self.tx))

    def _put(
        self, memory: Memory, status: Status, kind: EventKind, reason: str, *, into: str | None = None
    ) -> list[Memory]:
        was = self.tx.standing([memory.id])[memory.id]
        moved = memory.with_(status=status)
        if status is Status.ACTIVE:
            moved = armed(moved.with_(restored_at=self.moment.at), self.moment, self.work.policy)
        self.tx.change([moved])
        detail: dict[str, Any] = {"was": was, "to": status, "settled": True}
        self._record(NewEvent(kind, memory.id, reason, detail if into is None else {**detail, "into": into}))
        return [moved]

    def _retire(self, loser: Memory, by: str) -> list[Memory]:
        retired = loser.with_(status=Status.SUPERSEDED, superseded_by=by, contested=False, valid_until=self.moment.at)
        self.tx.change([retired])
        until = None if loser.valid_until is None else loser.valid_until.isoformat()
        detail = {"was": loser.status, "was_valid_until": until, "by": by, "was_contested": True}
        self._record(NewEvent(EventKind.SUPERSEDED, loser.id, "settled after review", detail))
        return [retired]

    def _settled(
        self, memories: Sequence[Memory], others: Iterable[Memory], reason: str, supersedes: tuple[str, ...] = ()
    ) -> list[Memory]:
        """These are decided about, as far as those others go."""
        detail = {"was_contested": True, "with": [other.id for other in others]}
        settled = [
            memory.with_(contested=False, supersedes=tuple(dict.fromkeys((*memory.supersedes, *supersedes))))
            for memory in memories
        ]
        # What is contested is not summarized, so from now on something may happen to it sooner.
        settled = [armed(one, self.moment, self.work.policy) if one.status.live else one for one in settled]
        self.tx.change(settled)
        for memory in settled:
            self._record(NewEvent(EventKind.SETTLED, memory.id, reason, detail))
        return settled

    def _record(self, change: NewEvent) -> None:
        self.tx.record([change], at=self.moment.at, batch=self.batch, session=self.session)


def _unsettled(memory: Memory, tx: Reading) -> Unsettled:
    doubt = _doubt(memory) or Doubt.CONTESTED
    named = [event for event in tx.history(memory.id) if event.kind in _REASONS[doubt] and event.reason]
    others = _others(memory, tx)
    return Unsettled(doubt, memory, others, named[-1].reason if named else None, judgements(memory, others, tx))


def _kept(id_: str, memory: Memory, tx: Reading) -> Memory:
    """The memory that is to be kept in the place of another, if it can be."""
    if id_ == memory.id:
        raise Invalid(
            f"memory {id_} cannot supersede itself; give the id of the memory to keep, or True, False or 'both'"
        )
    winner = tx.get([id_]).get(id_)
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
        return None
    return Doubt.CONTESTED if memory.status.live else Doubt.MERGED


def _others(memory: Memory, tx: Reading) -> list[Memory]:
    """Whom it stands against and who is still in use; of a merged one, whom it was merged with."""
    if not memory.status.live:
        found = tx.get([memory.superseded_by] if memory.superseded_by is not None else [])
        return list(found.values())
    return rivals(memory, tx)
