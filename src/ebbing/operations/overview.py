"""An owner's memories in numbers that are kept, and not counted: the same cost for ten memories and for a million."""

from __future__ import annotations

from ..domain.overviews import Overview, ScopeOverview
from ..lifecycle.filters import filter_of
from ..lifecycle.operation_context import OperationContext
from .stats import last_sweep


def overview(work: OperationContext) -> Overview:
    """What the owner's row, the models and the store tell."""
    models = work.models
    with work.read() as tx:
        return Overview(
            now=work.now,
            by_status={status.value: count for status, count in tx.owner.counts.items()},
            size_bytes=work.store.size_bytes(),
            days_of_use=len(tx.owner.active_days()),
            swept_at=tx.owner.swept_at,
            last_sweep=last_sweep(tx),
            swept_by_policy=tx.owner.alarms_current(work.policy.fingerprint),
            embedder=models.fingerprint,
            judge=None if models.judge is None else models.judge.fingerprint,
            no_judge=None if models.judge is not None else models.no_judge,
            policy=work.policy.name,
            words_current=tx.index.is_current,
        )


def scopes(work: OperationContext, *, after: str, limit: int) -> list[ScopeOverview]:
    """A page of scopes with what each holds itself, in the order of their names; for a view that does not see every
    agent's memories, those below which it sees one."""
    found: list[ScopeOverview] = []
    with work.read() as tx:
        while len(found) < limit and (page := tx.scopes.page(after=after, limit=limit)):
            after = str(page[-1].scope)
            found += [
                ScopeOverview(str(one.scope), one.active, one.detached, one.active_tokens)
                for one in page
                if work.view.every_agent or tx.memories.page(filter_of(work.policy, scope=str(one.scope)), limit=1)
            ]
    return found[:limit]
