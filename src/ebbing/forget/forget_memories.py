"""Explicit forgetting: exactly what every given filter names, softly, as one batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..domain.errors import Invalid, TooLarge
from ..domain.ids import new_id
from ..domain.memory import Memory, Status, Tier
from ..domain.policy import Policy
from ..domain.results import Batch, Recollection
from ..lifecycle import transitions
from ..lifecycle.filters import everything
from ..lifecycle.operation_context import OperationContext
from ..lifecycle.summary_links import dependent_summaries, remove
from ..ports import Filter, MemoryRows
from . import query_targets

_PAGE = 500
_FORGETTABLE = (Status.ACTIVE, Status.DETACHED, Status.ARCHIVED, Status.SUPERSEDED, Status.QUARANTINED)


def forget(
    where: Filter,
    work: OperationContext,
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
        meant = (memory for memory in everything(tx.memories, where) if named or memory.tier is not Tier.CORE)
        # Originals before summaries: within a limit a summary that matches too is not taken instead of them.
        chosen = sorted(meant, key=lambda memory: bool(memory.derived_from))[:limit]
        summaries = _said_by(chosen, tx.memories)
    if dry_run:
        ids_ = {memory.id for memory in chosen}
        dependent = [memory for memory in summaries if memory.id not in ids_ and work.view.sees(memory)]
        return Batch(batch, chosen + dependent, reason, True)
    put_away: list[Memory] = []
    for start in range(0, len(chosen), _PAGE):
        ids = tuple(memory.id for memory in chosen[start : start + _PAGE])
        # Looked at again in the transaction that acts: what has changed since may no longer be meant.
        put_away += _put_away(replace(where, ids=ids), work, batch, reason or "asked to forget")
    return Batch(batch, put_away, reason, False)


def _said_by(chosen: Sequence[Memory], rows: MemoryRows) -> list[Memory]:
    """The summaries that would go on saying what goes, also where they are chosen themselves: their other originals
    are to come back. A summary chosen without any of its originals is not among them."""
    originals = [memory for memory in chosen if not memory.derived_from]
    found = {
        memory.id: memory for memory in (*dependent_summaries(originals, rows), *dependent_summaries(chosen, rows))
    }
    return [memory for memory in found.values() if memory.status in _FORGETTABLE]


def check_query(query: Any, policy: Policy) -> None:
    """Refuse a question that would have to be cut: the end of it may name what is meant."""
    most = policy.limits.text_bytes
    if isinstance(query, str) and len(query) > most:
        raise TooLarge(f"the query has {len(query):,} characters, and the limit is {most:,}")


def narrowed_to_query(
    query: str, found: Sequence[Recollection], where: Filter, work: OperationContext, *, limit: int | None
) -> Filter:
    """The filter narrowed to those memories, of what was found for a question, that it means: not more than the policy
    allows, because a question is only a description.

    Not what always stands in the context: a question does not name anything. And no summary whose originals are there:
    it may speak of others too, and goes when one of its originals is meant.
    """
    limits = work.policy.limits
    near = [one.memory for one in found if one.relevance >= limits.query_relevance]
    sources = [id_ for memory in near for id_ in memory.derived_from]
    with work.read() as tx:
        known = tx.memories.get(sources) if sources else {}
    single = [memory for memory in near if not any(id_ in known for id_ in memory.derived_from)]
    meant = [memory for memory in query_targets.meant_by(query, single) if memory.tier is not Tier.CORE]
    most = min(limit or limits.query_forget, limits.query_forget)
    return replace(where, ids=tuple(memory.id for memory in meant[:most]))


def _put_away(where: Filter, work: OperationContext, batch: str, why: str) -> list[Memory]:
    """One page, with the summaries that would go on saying it; the other originals of those come back."""
    with work.write(batch) as unit:
        meant = unit.tx.memories.page(where, limit=_PAGE)
        summaries = _said_by(meant, unit.tx.memories)
        going = list({memory.id: memory for memory in (*meant, *summaries)}.values())
        steps = [transitions.forget(memory, why) for memory in going]
        remove(
            going,
            summaries,
            unit,
            lambda _: unit.apply(steps, is_current=True),
            orphaned="its summary was forgotten with another memory",
            uncontested="what contradicted it was forgotten",
        )
    return [step.after for step in steps if work.view.sees(step.after)]
