"""A newer telling of the same thing stands before the older one.

What a newer statement retires is never found beside it. But much that is told is no single statement: a message of
five sentences of which one gives a new date. Both stay, because the older says other things too; and where both
answer a question, the newer answers it better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..model import Memory
from ..policy import Policy
from ..ports import Reading
from ..reading.quantities import retold, tells_a_quantity

_COMPARED = 20  # of the best so many each with each: whoever asks for hundreds reads them all


def newest_first(ids: Sequence[str], memories: Mapping[str, Memory], tx: Reading, policy: Policy) -> list[str]:
    """The same, best first, with each newer telling of a quantity before the older tellings of it."""
    ordered = [id_ for id_ in ids if id_ in memories]
    telling = {id_ for id_ in ordered[:_COMPARED] if tells_a_quantity(memories[id_].text)}
    for place in range(1, min(len(ordered), _COMPARED)) if len(telling) > 1 else ():
        newer = memories[ordered[place]]
        if newer.id not in telling:
            continue
        before = ((at, memories[ordered[at]]) for at in range(place) if ordered[at] in telling)
        above = next((at for at, older in before if _tells_anew(older, newer, tx, policy)), None)
        if above is not None:
            ordered.insert(above, ordered.pop(place))
    return ordered


def _tells_anew(older: Memory, newer: Memory, tx: Reading, policy: Policy) -> bool:
    if (newer.created_at, newer.id) <= (older.created_at, older.id) or newer.scope != older.scope:
        return False
    shared = retold(older.text, newer.text)
    if shared < policy.recall.retold_words:
        return False
    vectors = tx.vectors([older.id, newer.id])
    if len(vectors) < 2 or older.fingerprint != newer.fingerprint:
        return True
    return float(np.dot(vectors[older.id], vectors[newer.id])) >= policy.recall.retold_similarity
