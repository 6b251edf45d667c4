"""Which stored memories a new text could repeat, replace or contradict: a few, however many are stored.

The nearest by vector and the best by words, in the same scope and seen by the same agents; and the texts that are
written before it in the same batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..domain.memory import Memory, Status, Tier
from ..ports import Filter, Question, ReadTransaction, Vector
from ..text.terms import terms
from .admit import NewMemoryRequest
from .write import PreparedMemory

_TERMS_MAX = 48  # of a long text the first so many distinct words are searched for
_LOOKED_AT = 3  # times as many are looked at as are wanted: some stand in other scopes
_WORDS = 0.3  # what words in common count beside the nearness of vectors
_ARCHIVED = 2  # archived memories that are compared, by words alone
_LIVE = (Status.ACTIVE, Status.DETACHED)


def find_candidates(
    draft: PreparedMemory, vector: Vector | None, tx: ReadTransaction, unrelated: float, limit: int
) -> list[Memory]:
    """The live memories that have most in common with a draft, at most `limit`, the nearest first; and a few archived
    ones that share its words, because what comes back from the archive must not be out of date.

    All scopes are searched first: listing the rows of a scope costs as much as it holds. Only where other scopes took
    the places, the draft's own is searched by itself.
    """
    fitting: list[Memory] = []
    for where in (Filter(statuses=_LIVE), Filter(scope=draft.request.scope, statuses=_LIVE)):
        near = _nearest(draft, vector, tx, unrelated, where, _LOOKED_AT * limit)
        fitting = [memory for memory in near if could_conflict(memory, draft.request)]
        if len(fitting) >= limit or len(near) < _LOOKED_AT * limit:
            break
    archived = _nearest(draft, None, tx, unrelated, Filter(statuses=(Status.ARCHIVED,)), _ARCHIVED, archived=True)
    return [*fitting[:limit], *(memory for memory in archived if could_conflict(memory, draft.request))]


def find_near_duplicates(
    draft: PreparedMemory, vector: Vector, tx: ReadTransaction, similarity: float, limit: int
) -> list[Memory]:
    """The live memories whose vectors are so near that they may say the same: all that exact rules can use."""
    where = Filter(statuses=_LIVE)
    search = tx.index.search(Question(vector=vector, fingerprint=draft.fingerprint, filter=where))
    nearest = search.semantic(_LOOKED_AT * limit)
    near = nearest.handles[nearest.semantic >= similarity]
    found = tx.memories.get(search.traces(near).ids) if len(near) else {}
    return [memory for memory in found.values() if could_conflict(memory, draft.request)][:limit]


def _nearest(
    draft: PreparedMemory,
    vector: Vector | None,
    tx: ReadTransaction,
    unrelated: float,
    where: Filter,
    most: int,
    *,
    archived: bool = False,
) -> list[Memory]:
    """The memories among those of a filter that have most in common with a draft by words and vectors."""
    words = tuple(dict.fromkeys(terms(draft.request.text)))[:_TERMS_MAX]
    search = tx.index.search(
        Question(terms=words, vector=vector, fingerprint=draft.fingerprint, filter=where, archived=archived)
    )
    by_words = search.lexical()
    nearest = search.semantic(most) if vector is not None else None
    handles, lexical, semantic = by_words.handles, by_words.lexical, by_words.semantic
    if nearest is not None:
        new = ~np.isin(nearest.handles, handles)
        handles = np.concatenate([handles, nearest.handles[new]])
        lexical = np.concatenate([lexical, np.zeros(int(new.sum()))])
        semantic = np.concatenate([semantic, nearest.semantic[new]])
    # Vectors first: long texts share words with everything, and a change is often told in other words.
    near = (semantic - unrelated) / max(1.0 - unrelated, 1e-6)
    common = near + _WORDS * lexical if vector is not None else lexical
    order = np.argsort(-common, kind="stable")[:most]
    traces = search.traces(handles[order])
    by_handle = dict(zip(traces.handles.tolist(), traces.ids, strict=True))
    ids = [by_handle[handle] for handle in handles[order].tolist() if handle in by_handle]
    found = tx.memories.get(ids)
    return [found[id_] for id_ in ids if id_ in found]


def earlier_in_batch(
    drafts: Sequence[PreparedMemory], vectors: Mapping[str, Vector], limit: int
) -> dict[str, list[PreparedMemory]]:
    """For each draft of a batch, by its digest, the drafts before it that are nearest to it."""
    known = [draft for draft in drafts if draft.request.text in vectors]
    if len(known) < 2:
        return {}
    matrix = np.stack([vectors[draft.request.text] for draft in known])
    cosines = matrix @ matrix.T
    found: dict[str, list[PreparedMemory]] = {}
    for number, draft in enumerate(known):
        order = np.argsort(-cosines[number, :number], kind="stable")
        near = (known[k] for k in order)
        found[draft.digest] = [other for other in near if _same_place(other.request, draft.request)][:limit]
    return found


def could_conflict(memory: Memory, request: NewMemoryRequest) -> bool:
    """Whether a memory stands in the same scope, is seen by the same agents, and can still change its status."""
    return (
        memory.scope == request.scope
        and memory.visibility is request.visibility
        and memory.tier is not Tier.CORE
        and (memory.status.live or memory.status is Status.ARCHIVED)
    )


def _same_place(one: NewMemoryRequest, other: NewMemoryRequest) -> bool:
    return one.scope == other.scope and one.visibility is other.visibility and one.suspicion is None
