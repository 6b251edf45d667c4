"""Rank the newer of two memories first where both may answer and they do not agree.

A superseded memory is not found beside its successor. But two contradicting memories both stay until a person decides,
and a long message of which one sentence gives a new number stays for its other sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..domain.memory import Memory
from ..domain.policy import Policy
from ..lifecycle.conflicts import open_pairs
from ..ports import Index, ReadTransaction
from ..text.quantities import retold, tells_a_quantity

_COMPARED = 20  # so many of the best are compared with each other


def may_differ(memories: Iterable[Memory]) -> bool:
    """Whether any two of these may contradict each other or give different quantities; told by the memories alone."""
    several = list(memories)
    return any(one.contested for one in several) or sum(tells_a_quantity(one.text) for one in several) > 1


def newest_first(ids: Sequence[str], memories: Mapping[str, Memory], tx: ReadTransaction, policy: Policy) -> list[str]:
    """The same, best first, with each newer one before older ones that it contradicts or gives a new quantity for."""
    ordered = [id_ for id_ in ids if id_ in memories]
    compared = ordered[:_COMPARED]
    contested = [id_ for id_ in compared if memories[id_].contested]
    contradicting = open_pairs(contested, tx.events) if len(contested) > 1 else set()
    telling = {id_ for id_ in compared if tells_a_quantity(memories[id_].text)}
    for place in range(1, len(compared)) if contradicting or len(telling) > 1 else ():
        newer = memories[ordered[place]]
        for at in range(place):
            older = memories[ordered[at]]
            pair = frozenset((older.id, newer.id))
            if _is_newer(newer, older) and (
                pair in contradicting or (pair <= telling and _tells_anew(older, newer, tx.index, policy))
            ):
                ordered.insert(at, ordered.pop(place))
                break
    return ordered


def _is_newer(one: Memory, other: Memory) -> bool:
    return (one.created_at, one.id) > (other.created_at, other.id) and one.scope == other.scope


def _tells_anew(older: Memory, newer: Memory, index: Index, policy: Policy) -> bool:
    shared = retold(older.text, newer.text)
    if shared < policy.recall.retold_words:
        return False
    vectors = index.vectors([older.id, newer.id])
    if len(vectors) < 2 or older.fingerprint != newer.fingerprint:
        return True
    return float(np.dot(vectors[older.id], vectors[newer.id])) >= policy.recall.retold_similarity
