"""The way back: gather → rank → reinforce.

Reading and reinforcing are two transactions: the answer is complete before anything is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..answers import Recollection, Recollections
from ..clock import Activity, Moment
from ..model import Status
from ..policy import Policy
from ..ports import Filter, Question, Store, Vector, View
from ..terms import question_terms
from .rank import Ranked, best
from .reinforce import earned, reinforce

__all__ = ["Asked", "earned", "recall", "reinforce"]


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


def recall(asked: Asked, *, store: Store, view: View, policy: Policy, now: datetime) -> tuple[Recollections, Activity]:
    """The memories that answer best, each at its strength of the moment; and how far the owner's days have come."""
    with store.read(view) as tx:
        moment = Moment(now, tx.activity.day_at(now))
        found: list[Ranked] = []
        for question in _questions(asked, policy):
            found += best(tx.search(question), asked.limit, moment, policy)
        found = [ranked for ranked in found if ranked.score >= asked.min_score]
        found = sorted(found, key=lambda ranked: (-ranked.score, ranked.id))[: asked.limit]
        memories = tx.get([ranked.id for ranked in found])
        notes = _notes(asked)
        activity = tx.activity
    recollections = [
        Recollection(
            memories[ranked.id],
            ranked.score,
            ranked.relevance,
            ranked.strength,
            {"lexical": ranked.lexical, "semantic": ranked.semantic, "recency": ranked.recency},
        )
        for ranked in found
        if ranked.id in memories
    ]
    return Recollections(recollections, notes), activity


def _questions(asked: Asked, policy: Policy) -> Sequence[Question]:
    """One question for the live side, and one for the other when it is asked for."""
    statuses = {Status.ACTIVE, *asked.include}
    asking = Question(
        terms=tuple(question_terms(asked.query)),
        vector=asked.vector,
        fingerprint=asked.fingerprint,
        matches_max=policy.recall.lexical_matches_max,
    )
    sides = []
    for archived in (False, True):
        side = tuple(sorted(status for status in statuses if status.live is not archived))
        if side:
            sides.append(replace(asking, filter=replace(asked.where, statuses=side), archived=archived))
    return sides


def _notes(asked: Asked) -> tuple[str, ...]:
    if not question_terms(asked.query):
        return ("the question has no words to look for",)
    if asked.vector is None:
        return ("no embedder: found by words alone",)
    return ()
