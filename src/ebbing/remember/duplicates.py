"""What is known already: memories that say exactly the same, or the same in other words.

Equal words are the same. Other words are the same when the judge reads them so and every number, name, time,
condition and negation agrees (text/paraphrase.py); without a judge, when they agree word for word. In doubt they stay
two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..domain.judgement import Relation
from ..domain.memory import Memory, Status
from ..domain.policy import Policy
from ..ports import Index, Vector
from ..text.paraphrase import agree, same
from .admit import NewMemoryRequest
from .write import NearDuplicate, PreparedMemory


def find_exact_duplicate(draft: PreparedMemory, index: Index) -> Memory | None:
    """The live memory that this text repeats, in the same scope and category and seen by the same agents.

    Not the one that it is to be written in the place of: whoever changes a capital wants it changed.
    """
    replaced = draft.request.supersedes if draft.request.is_update else ()
    found = [memory for memory in index.by_digest([draft.digest]) if memory.id not in replaced]
    same_words = [memory for memory in found if _mergeable(memory, draft.request)]
    # An active one before a detached one: strengthening what recall can find.
    return min(same_words, key=lambda memory: (memory.status is not Status.ACTIVE, memory.id), default=None)


def find_near_duplicate(
    draft: PreparedMemory,
    candidates: Sequence[Memory],
    relations: Mapping[tuple[str, str], Relation],
    vectors: Mapping[str, Vector],
    index: Index,
    policy: Policy,
) -> NearDuplicate | None:
    """The live memory that says the same in other words, the oldest of several; none that it is to replace."""
    alike = [
        memory
        for memory in candidates
        if memory.status.live and memory.id not in draft.request.supersedes and _mergeable(memory, draft.request)
    ]
    if not alike:
        return None
    own = vectors.get(draft.request.text)
    theirs = index.vectors([memory.id for memory in alike]) if own is not None else {}
    for memory in sorted(alike, key=lambda one: one.id):
        comparable = memory.fingerprint == draft.fingerprint and memory.id in theirs
        similarity = float(np.dot(own, theirs[memory.id])) if comparable and own is not None else None
        relation = relations.get((memory.digest, draft.digest))
        if relation is not None and _judged_same(relation, memory.text, draft.request.text, policy):
            return NearDuplicate(memory, similarity, relation)
        near = similarity is None or similarity >= policy.match.merge_similarity
        if near and same(memory.text, draft.request.text):
            return NearDuplicate(memory, similarity, relation)
    return None


def _judged_same(relation: Relation, first: str, second: str, policy: Policy) -> bool:
    return relation.same >= policy.judge.same_certainty and agree(first, second)


def _mergeable(memory: Memory, request: NewMemoryRequest) -> bool:
    """Whether two could be one: of one kind and place, and not at two addresses, where one word says two things."""
    return (
        memory.scope == request.scope
        and memory.category == request.category
        and memory.visibility is request.visibility
        and memory.tier is request.tier
        # "on" is not the same about the lamp and about the heating.
        and (None in (memory.subject, request.subject) or _address(memory) == _address(request))
        and memory.source.actor == request.source.actor
    )


def _address(of: Memory | NewMemoryRequest) -> tuple[str | None, str | None]:
    return of.subject, of.attribute
