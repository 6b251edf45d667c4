"""Explicit forgetting: exactly what every given filter names, softly, as one batch."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from ..answers import Batch
from ..errors import Invalid
from ..ids import new_id
from ..model import EventKind, Memory, Status
from ..ports import Change, Filter, Reading, Store, View

_PAGE = 500
_FORGETTABLE = (Status.ACTIVE, Status.DETACHED, Status.ARCHIVED, Status.SUPERSEDED, Status.QUARANTINED)


def forget(
    where: Filter,
    *,
    store: Store,
    view: View,
    now: datetime,
    limit: int | None = None,
    reason: str | None = None,
    dry_run: bool = False,
) -> Batch:
    """Put away what is chosen. Nothing is lost: `restore` of the batch undoes it."""
    if where == Filter():
        raise Invalid("forget needs at least one filter: scope, older_than, categories, ids, tags or query")
    batch = new_id(now)
    if where.statuses is None:
        where = replace(where, statuses=_FORGETTABLE)
    if dry_run:
        with store.read(view) as tx:
            return Batch(batch, _chosen(where, limit, tx), reason, True)
    with store.write(view) as tx:
        tx.use(now)
        chosen = _chosen(where, limit, tx)
        put_away = [memory.with_(status=Status.FORGOTTEN) for memory in chosen]
        tx.change(put_away)
        why = reason or "asked to forget"
        changes = [Change(EventKind.FORGOTTEN, memory.id, why, {"was": memory.status}) for memory in chosen]
        tx.record(changes, at=now, batch=batch)
    return Batch(batch, put_away, reason, False)


def _chosen(where: Filter, limit: int | None, tx: Reading) -> list[Memory]:
    found: list[Memory] = []
    before = None
    while limit is None or len(found) < limit:
        most = _PAGE if limit is None else min(_PAGE, limit - len(found))
        page = tx.page(where, before=before, limit=most)
        found += page
        if len(page) < most:
            break
        before = page[-1].id
    return found
