"""Explicit forgetting: exactly what every given filter names, softly, as one batch."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from ..answers import Batch
from ..contests import leave
from ..errors import Invalid
from ..fading import armed
from ..filters import everything
from ..ids import new_id
from ..model import EventKind, Memory, Status, Tier
from ..ports import Change, Filter
from ..resting import bring_back, left_alone, resting_on
from ..work import Work

_PAGE = 500
_FORGETTABLE = (Status.ACTIVE, Status.DETACHED, Status.ARCHIVED, Status.SUPERSEDED, Status.QUARANTINED)


def forget(
    where: Filter,
    work: Work,
    *,
    limit: int | None = None,
    reason: str | None = None,
    dry_run: bool = False,
) -> Batch:
    """Put away what is chosen, in bounded transactions. Nothing is lost: `restore` of the batch undoes it, and so it
    does when the process died halfway."""
    if where == Filter():
        raise Invalid(
            "forget needs at least one filter: scope, older_than, categories, ids, tags, query or everything=True"
        )
    batch = new_id(work.now)
    if where.statuses is None:
        where = replace(where, statuses=_FORGETTABLE)
    with work.read() as tx:
        # What always stands in the context goes only when it is named.
        named = where.ids is not None
        meant = (memory for memory in everything(tx, where) if named or memory.tier is not Tier.CORE)
        chosen = list(islice(meant, limit))
        summaries = [memory for memory in resting_on(chosen, tx) if memory.status in _FORGETTABLE]
    if dry_run:
        return Batch(batch, chosen + [memory for memory in summaries if work.view.sees(memory)], reason, True)
    put_away: list[Memory] = []
    for start in range(0, len(chosen), _PAGE):
        ids = tuple(memory.id for memory in chosen[start : start + _PAGE])
        # Looked at again in the transaction that acts: what has changed since may no longer be meant.
        put_away += _put_away(replace(where, ids=ids), work, batch, reason or "asked to forget")
    return Batch(batch, put_away, reason, False)


def _put_away(where: Filter, work: Work, batch: str, why: str) -> list[Memory]:
    """One page, with the summaries that would go on saying it; the other originals of those come back."""
    with work.write() as tx:
        moment = tx.use(work.now)
        tx.under(work.policy.fingerprint)
        meant = tx.page(where, limit=_PAGE)
        summaries = [memory for memory in resting_on(meant, tx) if memory.status in _FORGETTABLE]
        going = [*meant, *summaries]
        put_away = [memory.with_(status=Status.FORGOTTEN) for memory in going]
        calmed = leave(going, "what contradicted it was forgotten", tx, moment, work.policy)
        back = left_alone(summaries, {memory.id for memory in going}, tx)
        tx.change(put_away, {memory.id: memory for memory in going})
        changes = [Change(EventKind.FORGOTTEN, memory.id, why, {"was": memory.status}) for memory in going]
        back = {id_: armed(memory, moment, work.policy) for id_, memory in back.items()}
        changes += calmed
        changes += bring_back(back, "its summary was forgotten with another memory", tx)
        tx.record(changes, at=work.now, batch=batch)
    return [memory for memory in put_away if work.view.sees(memory)]
