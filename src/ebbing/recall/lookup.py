"""Memories by their words alone, in any status: for a person who looks for something, not for an answer.

Nothing is guessed and nothing is strengthened; how well the words fit and how strong a memory is decide the order.
"""

from __future__ import annotations

from dataclasses import replace

from ..domain.memory import Memory, Status
from ..lifecycle.operation_context import OperationContext
from ..ports import Filter, Question
from ..text.terms import question_names, question_terms
from .calibration import WORDS, calibration
from .top_k import best


def by_words(words: str, where: Filter, work: OperationContext, *, limit: int) -> list[Memory]:
    """The `limit` best memories that have one of these words, best first."""
    words = words[: work.policy.limits.text_bytes]
    terms = tuple(question_terms(words))
    if not terms:
        return []
    policy = work.policy.words_alone
    asked = Question(
        terms=terms, names=tuple(question_names(words)), matches_max=work.policy.recall.lexical_matches_max
    )
    statuses = tuple(Status) if where.statuses is None else where.statuses
    fit = calibration(WORDS, None, None)
    with work.read() as tx:
        moment = work.moment(tx.owner)
        ranked = []
        for live in (True, False):
            side = tuple(status for status in statuses if status.live is live)
            if side:
                question = replace(asked, filter=replace(where, statuses=side), archived=not live)
                ranked += best(tx.index.search(question), limit, moment, policy, fit)
        ids = [one.id for one in sorted(ranked, key=lambda one: (-one.score, one.id))[:limit]]
        memories = tx.memories.get(ids)
    return [memories[id_] for id_ in ids if id_ in memories]
