"""The way in: gate → match → resolve → write.

Slow work (reading the text, embedding it) comes first; then one short transaction in which
what is matched is still true when it is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from ..answers import Remembered, Skipped
from ..ids import new_id
from ..policy import Policy
from ..ports import Store, Vector, View
from .gate import Said, admit, buried_among
from .match import match
from .resolve import resolve
from .write import Draft, write

__all__ = ["Draft", "Said", "admit", "buried_among", "remember"]


def remember(
    drafts: Sequence[Draft],
    vectors: Mapping[str, Vector],
    *,
    store: Store,
    view: View,
    policy: Policy,
    now: datetime,
) -> Remembered:
    """Keep what is new, strengthen what is known, retire what it replaces: all of it or nothing.

    `vectors` are by text, made before: nothing slow happens in the transaction.
    """
    batch = new_id(now)
    outcome = Remembered(batch=batch)
    with store.write(view) as tx:
        moment = tx.use(now)
        buried = buried_among([draft.digest for draft in drafts], tx)
        for draft in drafts:
            tombstone = buried.get(draft.digest)
            if tombstone is not None:
                outcome.skipped.append(
                    Skipped(draft.said.text, f"it was purged; lift tombstone {tombstone} to allow it")
                )
                continue
            known = match(draft, tx)
            verdict = resolve(draft, known, tx)
            outcome += write(draft, verdict, vectors, tx, moment, policy, batch)
    return outcome
