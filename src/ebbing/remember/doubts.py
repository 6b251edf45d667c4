"""Pairs of statements that rules cannot tell apart, put before a language model where there is one.

Before the transaction, because asking is slow; what comes back is an opinion, and only holds for a memory that
still stands when it is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import Unavailable
from ..model import Memory, Status
from ..ports import Filter, Question, Reading, Vector
from ..reading.claims import Relation, claims, conflict
from ..sameness import same
from ..work import Work
from .ask import judged
from .match import Company, beside, sought
from .resolve import Opinions
from .write import Draft

_NEIGHBOURS = 4  # of the nearest memories, so many are looked at
_NEAR = 0.75  # and none that is less alike: of those hardly any is about the same thing
_PAIRS_MAX = 40  # for one batch: each costs somebody's tokens


def opinions(drafts: Sequence[Draft], vectors: Mapping[str, Vector], work: Work) -> tuple[Opinions, list[str]]:
    """What the language model makes of the doubtful pairs, and notes; nothing when there is none, or no doubt."""
    policy, models = work.policy, work.models
    if models.llm is None or not policy.match.find_contradictions:
        return {}, []
    pairs: list[tuple[Memory, Draft]] = []
    with work.read() as tx:
        company = Company(tx.meeting(*sought(drafts, policy)), policy)
        for draft in drafts:
            near = _neighbours(draft, vectors.get(draft.said.text), tx)
            met = {memory.id: memory for memory in company.of(draft)}
            pairs += [(memory, draft) for memory in met.values() if _doubtful(memory, draft)]
            pairs += [(memory, draft) for memory in near if memory.id not in met and _unread(memory, draft)]
    pairs = pairs[:_PAIRS_MAX]
    if not pairs:
        return {}, []
    try:
        told = judged([(memory.text, draft.said.text) for memory, draft in pairs], models)
    except Unavailable as error:
        return {}, [f"{error}; statements it was to compare were both kept"]
    return {(memory.id, draft.digest): told[place] for place, (memory, draft) in enumerate(pairs)}, []


def _doubtful(memory: Memory, draft: Draft) -> bool:
    judgement = conflict(memory.text, draft.said.text)
    return judgement is not None and judgement.relation in (Relation.DOUBTFUL, Relation.CONTRADICTS)


def _unread(memory: Memory, draft: Draft) -> bool:
    """Whether two that are near say something that no rule reads, so that none could find them at odds."""
    return not (claims(memory.text) and claims(draft.said.text)) and not same(memory.text, draft.said.text)


def _neighbours(draft: Draft, vector: Vector | None, tx: Reading) -> list[Memory]:
    if vector is None:
        return []
    where = Filter(scope=draft.said.scope, statuses=(Status.ACTIVE, Status.DETACHED))
    search = tx.search(Question(vector=vector, fingerprint=draft.fingerprint, filter=where))
    nearest = search.semantic(_NEIGHBOURS)
    ids = search.traces(nearest.handles[nearest.semantic >= _NEAR]).ids
    return [memory for memory in tx.get(ids).values() if beside(memory, draft.said)]
