"""Memories that share no word with a question and have no similar vector, where they are few enough to be judged.

An answer need not resemble its question: `I go to work on foot` answers `do I own a car?`. In a small store, or within
a narrow filter, the judge has time to read all other memories too.
"""

from __future__ import annotations

from collections.abc import Collection

from ..domain.clock import Moment
from ..domain.policy import Policy
from ..domain.results import Recollection
from ..domain.retention import strength_of
from ..ports import Filter, ReadTransaction
from .calibration import Calibration
from .score import recency, scored

_NOTHING = ("lexical", "neighbours", "semantic")
_PLAIN = ("named", "dated", "asking")


def unlike(
    found: Collection[str],
    where: Filter,
    count: int,
    tx: ReadTransaction,
    moment: Moment,
    policy: Policy,
    fit: Calibration,
) -> list[Recollection]:
    """Up to so many memories that the filter leaves besides those found, the latest first; none of relevance."""
    rows = [memory for memory in tx.memories.page(where, limit=count + len(found)) if memory.id not in found][:count]
    results = []
    for memory in rows:
        strength = strength_of(memory, moment, policy)
        days = (moment.at - memory.last_accessed_at).total_seconds() / 86_400
        lately = float(recency(days, policy.recall))
        base = float(fit.base(0.0))
        parts = {**dict.fromkeys(_NOTHING, 0.0), **dict.fromkeys(_PLAIN, 1.0), "recency": lately, "probability": base}
        results.append(Recollection(memory, float(scored(base, strength, lately, policy.recall)), 0.0, strength, parts))
    return results
