"""The way back: relevance → top_k → rerank → reinforce.

Reading and reinforcing are two transactions: the answer is complete before anything is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..domain.clock import Activity
from ..domain.memory import Memory, Status
from ..domain.policy import Policy
from ..domain.results import Recollection, Recollections
from ..lifecycle.operation_context import Work
from ..ports import Filter, Question, Reading, Vector
from ..text import dates
from ..text.terms import question_names, question_terms
from .as_of import LOOKED_AT_MIN, ranked_then
from .context import context
from .event_dates import event_in, times_around
from .prefer_newer import newest_first
from .reinforce import changes_anything, earned, reinforce, reinforce_found
from .rerank import reranked
from .top_k import Ranked, best

_INSTANT = timedelta(microseconds=1)  # what was said at that very moment was known

__all__ = ["Asked", "changes_anything", "context", "earned", "recall", "reinforce", "reinforce_found"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a caller asks, checked, with its vector already made."""

    query: str
    limit: int
    where: Filter
    include: tuple[Status, ...] = ()
    vector: Vector | None = None
    fingerprint: str | None = None
    min_score: float = 0.0
    as_of: datetime | None = None
    by_events: bool = True  # whether what happened may name a time: a guess, and too little to forget something for


def recall(asked: Asked, work: Work) -> tuple[Recollections, Activity]:
    """The memories that answer best, each at its strength of the moment; and how far the owner's days have come."""
    if asked.as_of is None:
        return _recall(asked, work)
    # Whatever stands anywhere by now, by relevance alone; then each as it was.
    looked_at = min(max(5 * asked.limit, LOOKED_AT_MIN), work.policy.recall.limit_max)
    wider = replace(
        asked,
        as_of=None,
        limit=max(asked.limit, looked_at),
        min_score=0.0,
        include=(Status.DETACHED, Status.ARCHIVED, Status.SUPERSEDED),
        where=replace(asked.where, created_before=asked.as_of + _INSTANT),
    )
    found, activity = _recall(wider, work)
    then = ranked_then(found, asked.include, work, asked.as_of)
    good = [one for one in then if one.score >= asked.min_score]
    return Recollections(good[: asked.limit], found.notes), activity


def _recall(asked: Asked, work: Work) -> tuple[Recollections, Activity]:
    words = tuple(question_terms(asked.query))
    policy = _weighing(asked, work)
    unrelated = 0.0 if asked.vector is None else work.models.unrelated
    times = [(when.first, when.last) for when in dates.found(asked.query, work.now)]
    event = None if times or not asked.by_events else event_in(asked.query)
    limit = asked.limit if work.models.reranker is None else max(asked.limit, policy.recall.reranked_max)
    questions = _questions(asked, words, policy, work.now)
    with work.read() as tx:
        moment = work.moment(tx)
        if event is not None:
            times = times_around(event, questions, tx, moment, policy)
        found: list[Ranked] = []
        for question in questions:
            found += best(tx.search(question), limit, moment, policy, unrelated=unrelated, times=times)
        found = sorted(found, key=lambda ranked: (-ranked.score, ranked.id))[:limit]
        memories = tx.get([ranked.id for ranked in found])
        by_id = {ranked.id: ranked for ranked in found}
        found = [by_id[id_] for id_ in newest_first(list(by_id), memories, tx, policy)]
        notes = _notes(asked, words, list(memories.values()), tx)
        activity = tx.activity
    recollections = [
        Recollection(memories[ranked.id], ranked.score, ranked.relevance, ranked.strength, _parts(ranked, policy))
        for ranked in found
    ]
    recollections, more = reranked(asked.query, recollections, work)
    good = [one for one in recollections if one.score >= asked.min_score]
    return Recollections(good[: asked.limit], (*notes, *more)), activity


def _weighing(asked: Asked, work: Work) -> Policy:
    """The policy with the weights that fit what there is to ask."""
    if asked.vector is None:
        return work.policy.words_alone
    return work.policy.averaging if work.models.averages else work.policy


def _parts(ranked: Ranked, policy: Policy) -> dict[str, float]:
    """What a score is made of, in the order it is put together."""
    rules = policy.recall
    return {
        "lexical": ranked.lexical,
        "neighbours": ranked.neighbours,
        "semantic": ranked.semantic,
        "named": 1.0 + rules.named_first * ranked.named,
        "dated": 1.0 + rules.dated * ranked.dated,
        "asking": 1.0 - rules.asking * ranked.asks,
        "recency": ranked.recency,
    }


def _questions(asked: Asked, words: tuple[str, ...], policy: Policy, now: datetime) -> Sequence[Question]:
    """One question for the live side, and one for the other when it is asked for."""
    statuses = {Status.ACTIVE, *asked.include}
    asking = Question(
        terms=words,
        names=tuple(question_names(asked.query)),
        vector=asked.vector,
        fingerprint=asked.fingerprint,
        matches_max=policy.recall.lexical_matches_max,
    )
    # What has expired is not found among what is live, whether or not a sweep has come by.
    living = replace(asked.where, unexpired=now, restored_since=now - policy.time.restored_grace)
    sides = []
    for archived in (False, True):
        side = tuple(sorted(status for status in statuses if status.live is not archived))
        if side:
            where = replace(asked.where if archived else living, statuses=side)
            sides.append(replace(asking, filter=where, archived=archived))
    return sides


def _notes(asked: Asked, words: tuple[str, ...], found: Sequence[Memory], tx: Reading) -> tuple[str, ...]:
    if not words:
        return ("the question has no words to look for",)
    if asked.vector is None:
        why = "no embedder" if asked.fingerprint is None else f"embedder {asked.fingerprint} does not answer"
        return (f"{why}: found by words alone",)
    return _foreign(asked.fingerprint or "", found, tx)


def _foreign(fingerprint: str, found: Sequence[Memory], tx: Reading) -> tuple[str, ...]:
    """That another model's vectors are in the way, as far as it costs nothing to know; `stats` counts them all."""
    foreign = sum(memory.status.live and memory.fingerprint != fingerprint for memory in found)
    if foreign:
        return (f"{foreign} of these were not embedded by this model and were found by words alone; run reembed",)
    if not found and tx.width(fingerprint) is None and tx.page(Filter(statuses=(Status.ACTIVE,)), limit=1):
        return ("nothing here was embedded by this model, so only words were looked for; run reembed",)
    return ()
