"""Recall: relevance → top_k → what stood then → rerank → judged → floor → reinforce.

Reading and reinforcing are two transactions, and models are asked between them: the answer is complete before anything
is written. What scores below the floor is not returned, and the notes say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from ..domain.clock import Activity
from ..domain.memory import Memory, Status
from ..domain.overviews import RecallReport
from ..domain.policy import Policy
from ..domain.results import Recollection, Recollections
from ..lifecycle.operation_context import OperationContext
from ..ports import Filter, Question, ReadTransaction
from ..text import dates
from ..text.language import is_english
from ..text.terms import question_names, question_terms
from .as_of import LOOKED_AT_MIN, results_as_of
from .calibration import Calibration
from .context import BUDGET_TOKENS_MAX, FADED, context, lines_of
from .event_dates import event_in, times_around
from .hints import elsewhere, silence
from .judge_scores import answered, calibrated
from .lookup import by_words
from .past import asks_about_past, behind_present
from .prefer_newer import may_differ, newest_first
from .recall_request import RecallRequest, exact_request, recall_request
from .reinforce import reinforce, reinforce_later, reinforce_placed
from .report import report as left_out_report
from .report import widened
from .rerank import reranked
from .top_k import Ranked, best
from .unlike import unlike
from .wordings import ALIAS, other_wording

_INSTANT = timedelta(microseconds=1)  # what was said at that very moment was known
_NAMED_MIN = 50  # results that are gathered where the question has a name: the best few may be another person's

__all__ = [
    "BUDGET_TOKENS_MAX",
    "FADED",
    "by_words",
    "context",
    "exact",
    "lines_of",
    "recall",
    "recall_report",
    "recall_request",
    "reinforce",
    "reinforce_later",
    "reinforce_placed",
]


def exact(query: str, where: Filter, work: OperationContext) -> Recollections:
    """What a description could mean, the likeliest first; for what is to be forgotten, so that nothing is guessed."""
    return recall(exact_request(query, where, work), work)[0]


def recall(request: RecallRequest, work: OperationContext) -> tuple[Recollections, Activity]:
    """The memories that answer, best first, each at its strength of the moment; and how far the owner's days have
    come."""
    rules, is_served = work.policy.recall, is_english(request.query)
    is_judged = not request.exact and work.models.judge is not None and is_served
    if request.as_of is None:
        read = rules.judged_max if is_judged else 0
        reread = 0 if work.models.reranker is None else rules.reranked_max
        # A name may put others in front, and only what was gathered.
        spread = _NAMED_MIN if question_names(request.query) else 0
        gathered = _gathered(replace(request, limit=max(request.limit, read, reread, spread)), work, fill=read)
        found = gathered.found
    else:
        # Whatever stands anywhere by now, by relevance alone; then each as it was.
        looked_at = max(request.limit, min(max(5 * request.limit, LOOKED_AT_MIN), rules.limit_max))
        by_then = request.as_of + _INSTANT
        earlier = request.where.created_before
        wider = replace(
            request,
            limit=looked_at,
            include=(Status.DETACHED, Status.ARCHIVED, Status.SUPERSEDED),
            where=replace(request.where, created_before=by_then if earlier is None else min(earlier, by_then)),
        )
        gathered = _gathered(wider, work)
        found = results_as_of(gathered.found, request.include, work, request.as_of)
    found, more = reranked(request.query, found, work)
    found, again = answered(gathered.wordings, found, work, vectors=request.vector is not None, judged=is_judged)
    floor = _floor(found, request, work.policy)
    good = _ordered([one for one in found if one.score >= floor], work)
    good, past = behind_present(good, request.as_of or work.now, work.policy)
    good = good[: request.limit]
    notes = [*gathered.notes, *more, *again, *past]
    if not is_served and work.models.judge is not None and found:
        notes.append("the judge reads English questions only: these scores rest on words and vectors alone")
    if not good and request.min_score is None:
        notes += [silence(max(one.score for one in found), floor)] if found else []
        live = _questions(request, tuple(question_terms(request.query)), work.policy, work.now)[0]
        if request.as_of is None and live.terms and not live.archived:
            notes += elsewhere(request.query, live, work, floor, judged=is_judged)
    return Recollections(good, tuple(notes)), gathered.activity


def recall_report(request: RecallRequest, work: OperationContext) -> RecallReport:
    """What a question finds, and what it leaves out, with the reason for each."""
    found, _ = recall(request, work)
    wide, _ = recall(widened(request), work)
    return left_out_report(request, found, found.notes, wide, _floor(wide, request, work.policy), work)


def _floor(found: Sequence[Recollection], request: RecallRequest, policy: Policy) -> float:
    """What a result must score to be returned."""
    if request.min_score is not None:
        return request.min_score
    is_read = any("answers" in one.parts for one in found)
    return policy.recall.min_score if is_read else policy.recall.min_score_unjudged


def _ordered(found: Sequence[Recollection], work: OperationContext) -> list[Recollection]:
    """The same with each newer one before older ones that it contradicts or gives a new quantity for."""
    memories = {one.memory.id: one.memory for one in found}
    if not may_differ(memories.values()):
        return list(found)
    by_id = {one.memory.id: one for one in found}
    with work.read() as tx:
        return [by_id[id_] for id_ in newest_first(list(by_id), memories, tx, work.policy)]


class _Gathered(NamedTuple):
    """What words and vectors tell."""

    found: list[Recollection]
    wordings: tuple[str, ...]  # of the question: as it was asked, and as the owner would have written it
    notes: list[str]
    activity: Activity


def _gathered(request: RecallRequest, work: OperationContext, *, fill: int = 0) -> _Gathered:
    """The best by relevance and strength, as many as are asked for: what words and vectors tell; filled up to so many
    with others."""
    words = tuple(question_terms(request.query))
    policy = _weighing(request, work)
    fit = calibrated(work.models, vectors=request.vector is not None, judged=False)
    unrelated = 0.0 if request.vector is None else work.models.unrelated
    times = [(when.first, when.last) for when in dates.found(request.query, work.now)]
    event = None if times or request.exact else event_in(request.query)
    questions = [*_questions(request, words, policy, work.now), *_past(request, words, policy, work.now)]
    with work.read() as tx:
        moment = work.moment(tx.owner)
        if event is not None:
            times = times_around(event, questions, tx, moment, policy)
        other = None if request.exact else other_wording(request.query, tx.index)
        if other is not None:
            in_other = replace(request, query=other)
            questions = [*questions, *_questions(in_other, tuple(question_terms(other)), policy, work.now)]
        ranked: dict[str, Ranked] = {}
        for question in questions:
            for one in best(
                tx.index.search(question), request.limit, moment, policy, fit, unrelated=unrelated, times=times
            ):
                if one.id not in ranked or one.score > ranked[one.id].score:
                    ranked[one.id] = one
        found = sorted(ranked.values(), key=lambda one: (-one.score, one.id))[: request.limit]
        memories = tx.memories.get([ranked.id for ranked in found])
        notes = _notes(request, words, list(memories.values()), tx)
        activity = tx.owner.activity
        recollections = [
            Recollection(memories[one.id], one.score, one.relevance, one.strength, _parts(one, fit, policy))
            for one in found
            if one.id in memories and (other is None or memories[one.id].attribute != ALIAS)
        ]
        room = fill - len(recollections)
        if room > 0 and words and not questions[0].archived:
            recollections += unlike(memories.keys(), questions[0].filter, room, tx, moment, policy, fit)
    wordings = (request.query,) if other is None else (request.query, other)
    return _Gathered(recollections, wordings, list(notes), activity)


def _weighing(request: RecallRequest, work: OperationContext) -> Policy:
    """The policy with the weights that fit what there is to ask."""
    if request.vector is None:
        return work.policy.words_alone
    return work.policy.averaging if work.models.averages else work.policy


def _parts(ranked: Ranked, fit: Calibration, policy: Policy) -> dict[str, float]:
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
        "probability": float(fit.base(ranked.relevance)),
    }


def _questions(request: RecallRequest, words: tuple[str, ...], policy: Policy, now: datetime) -> Sequence[Question]:
    """One question for the live side, and one for the other when it is asked for."""
    statuses = {Status.ACTIVE, *request.include}
    asking = Question(
        terms=words,
        names=tuple(question_names(request.query)),
        vector=request.vector,
        fingerprint=request.fingerprint,
        matches_max=policy.recall.lexical_matches_max,
    )
    # What has expired is not found among what is live, whether or not a sweep has come by.
    living = replace(request.where, unexpired=now, restored_since=now - policy.time.restored_grace)
    sides = []
    for archived in (False, True):
        side = tuple(sorted(status for status in statuses if status.live is not archived))
        if side:
            where = replace(request.where if archived else living, statuses=side)
            sides.append(replace(asking, filter=where, archived=archived))
    return sides


def _past(request: RecallRequest, words: tuple[str, ...], policy: Policy, now: datetime) -> Sequence[Question]:
    """What is superseded, by its words, where the question asks about the past."""
    if (
        request.exact
        or request.as_of is not None
        or Status.SUPERSEDED in request.include
        or not asks_about_past(request.query)
    ):
        return []
    by_words = replace(request, include=(Status.SUPERSEDED,), vector=None)
    return [one for one in _questions(by_words, words, policy, now) if one.archived]


def _notes(
    request: RecallRequest, words: tuple[str, ...], found: Sequence[Memory], tx: ReadTransaction
) -> tuple[str, ...]:
    if not words:
        return ("the question has no words to look for",)
    if request.vector is None:
        why = "no embedder" if request.fingerprint is None else f"embedder {request.fingerprint} does not answer"
        return (f"{why}: found by words alone",)
    return _foreign(request.fingerprint or "", found, tx)


def _foreign(fingerprint: str, found: Sequence[Memory], tx: ReadTransaction) -> tuple[str, ...]:
    """That another model's vectors are in the way, as far as it costs nothing to know; `stats` counts them all."""
    foreign = sum(memory.status.live and memory.fingerprint != fingerprint for memory in found)
    if foreign:
        return (f"{foreign} of these were not embedded by this model and were found by words alone; run reembed",)
    if (
        not found
        and tx.index.dimension(fingerprint) is None
        and tx.memories.page(Filter(statuses=(Status.ACTIVE,)), limit=1)
    ):
        return ("nothing here was embedded by this model, so only words were looked for; run reembed",)
    return ()
