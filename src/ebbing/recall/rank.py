"""The best few, exactly, for `score = relevance · (1 − share + share · strength) + recency`.

Strength is known only for rows that have been read, and reading every row would cost what is
stored. But no row can score more than its relevance plus the whole recency boost. So rows are
read in the order of their relevance, a piece at a time, until the k-th best score in hand is
more than anything unread could still reach. That is exact, not a re-ordering of a list already cut.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..clock import Moment
from ..fading import strengths
from ..policy import Policy
from ..ports import Column, Found, Search, Traces

_PIECE_MIN = 48


class Ranked(NamedTuple):
    """A candidate with its score and the parts of it."""

    id: str
    score: float
    relevance: float
    strength: float
    lexical: float
    semantic: float
    recency: float


def best(search: Search, limit: int, moment: Moment, policy: Policy) -> list[Ranked]:
    """The `limit` best rows of one search, best first."""
    words = search.lexical()
    piece = max(_PIECE_MIN, 2 * limit)
    nearest_wanted = piece
    ranked: dict[str, Ranked] = {}
    seen: set[object] = set()
    while True:
        nearest = search.semantic(nearest_wanted)
        exhausted = len(nearest.handles) < nearest_wanted
        candidates = _joined(words, nearest, policy)
        # What is in neither list has no word of the question and is farther than the farthest listed.
        beyond = 0.0 if exhausted else policy.recall.semantic_weight * float(nearest.semantic[-1])
        if _read_on(search, candidates, beyond, limit, piece, moment, policy, ranked, seen) or exhausted:
            return sorted(ranked.values(), key=lambda one: (-one.score, one.id))[:limit]
        nearest_wanted *= 4


class _Candidates(NamedTuple):
    """Rows in the order of their relevance."""

    handles: Column
    relevance: NDArray[np.float64]
    lexical: NDArray[np.float64]
    semantic: NDArray[np.float64]


def _joined(words: Found, nearest: Found, policy: Policy) -> _Candidates:
    """Both lists as one, best first. A row in both is taken from the list of words, which knows both scores."""
    # Neither list names a row twice; told so, numpy need not look, which would take longer than all the rest.
    only_near = ~np.isin(nearest.handles, words.handles, assume_unique=True)
    handles = np.concatenate([words.handles, nearest.handles[only_near]]) if len(words.handles) else nearest.handles
    lexical = np.concatenate([words.lexical, nearest.lexical[only_near]])
    semantic = np.concatenate([words.semantic, nearest.semantic[only_near]])
    relevance = policy.recall.lexical_weight * lexical + policy.recall.semantic_weight * semantic
    order = np.argsort(-relevance, kind="stable")
    return _Candidates(handles[order], relevance[order], lexical[order], semantic[order])


def _read_on(
    search: Search,
    candidates: _Candidates,
    beyond: float,
    limit: int,
    piece: int,
    moment: Moment,
    policy: Policy,
    ranked: dict[str, Ranked],
    seen: set[object],
) -> bool:
    """Read candidates until nothing unread can matter; False when rows beyond the candidates still could."""
    boost = policy.recall.recency_boost
    unread = np.arange(len(candidates.handles))
    if seen:
        unread = unread[[handle not in seen for handle in candidates.handles.tolist()]]
    while len(unread):
        reachable = max(candidates.relevance[unread[0]], beyond)
        if reachable <= 0 or _kth(ranked, limit) >= reachable + boost:
            return True
        if candidates.relevance[unread[0]] < beyond:
            # Rows not listed yet may be better than all that are left here: those come first.
            return False
        rows, unread = unread[:piece], unread[piece:]
        # Where many are alike the bound lies far down the list: getting there takes few, ever larger steps.
        piece *= 2
        seen.update(candidates.handles[rows].tolist())
        traces = search.traces(candidates.handles[rows])
        for one in _scored(traces, candidates, rows, moment, policy):
            ranked[one.id] = one
    return beyond <= 0 or _kth(ranked, limit) >= beyond + boost


def _kth(ranked: dict[str, Ranked], limit: int) -> float:
    """The score that a newcomer has to beat; below everything while there is room."""
    if len(ranked) < limit:
        return -1.0
    return sorted((one.score for one in ranked.values()), reverse=True)[limit - 1]


def _scored(
    traces: Traces, candidates: _Candidates, rows: NDArray[np.intp], moment: Moment, policy: Policy
) -> list[Ranked]:
    if not traces.ids:
        return []
    place = dict(zip(candidates.handles[rows].tolist(), rows.tolist(), strict=True))
    at = np.array([place[handle] for handle in traces.handles.tolist()])
    relevance = candidates.relevance[at]
    strength = strengths(traces, moment, policy)
    recency = _recency(traces, moment, policy)
    share = policy.recall.strength_share
    score = relevance * (1 - share + share * strength) + recency * (relevance > 0)
    columns = (score, relevance, strength, candidates.lexical[at], candidates.semantic[at], recency)
    rows_scored = map(Ranked._make, zip(traces.ids, *(column.tolist() for column in columns), strict=True))
    return [one for one in rows_scored if one.relevance > 0]


def _recency(traces: Traces, moment: Moment, policy: Policy) -> NDArray[np.float64]:
    """A little for what was used lately, by the calendar: between equals the fresher one comes first."""
    days = np.array([(moment.at - at).total_seconds() / 86_400 for at in traces.last_accessed_at])
    boost: NDArray[np.float64] = policy.recall.recency_boost * 0.5 ** (
        np.maximum(days, 0.0) / policy.recall.recency_half_life_days
    )
    return boost
