"""The best few read again by a model that sees question and text together, where there is one.

It is slow, so it reads only what is already best, after the look at the store is over; it changes their relevance and
never brings in another. Its numbers are on a scale of its own, so they are taken from the worst of these to the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..domain.policy import Policy
from ..domain.results import Recollection
from ..lifecycle.operation_context import OperationContext


def reranked(query: str, found: Sequence[Recollection], work: OperationContext) -> tuple[list[Recollection], list[str]]:
    """These in the order of their new relevance, the first so many of them; and what there is to say about it."""
    rules = work.policy.recall
    first, rest = found[: rules.reranked_max], found[rules.reranked_max :]
    scores, notes = work.models.reranked(query, [one.memory.text for one in first])
    if scores is None or len(first) < 2:
        return list(found), notes
    low, high = float(scores.min()), float(scores.max())
    fits = (scores - low) / (high - low) if high > low else np.ones(len(scores))
    best = max(one.relevance for one in first)
    again = [_again(one, float(fit), best, work.policy) for one, fit in zip(first, fits, strict=True)]
    return [*sorted(again, key=lambda one: (-one.relevance, one.memory.id)), *rest], notes


def _again(one: Recollection, fit: float, best: float, policy: Policy) -> Recollection:
    """A result with the model's word counted in, on the scale of the others."""
    rules = policy.recall
    relevance = (1 - rules.reranked_share) * one.relevance + rules.reranked_share * fit * best
    return replace(one, relevance=relevance, parts={**one.parts, "reranked": fit})
