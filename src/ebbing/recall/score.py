"""The score of a result: one function for top_k, as_of and judge_scores.

`score` is the probability that a memory answers the question (calibration.py). Strength and recency change its odds a
little: of two memories that answer equally well the one in use comes first, and a memory that does not answer never
comes before one that does, however strong it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..domain.policy import Recall

Numbers = NDArray[np.float64]
_LEAST = 1e-9  # probability: nothing is certain, or odds would be infinite


def scored(probability: Any, strength: Any, recency: Any, rules: Recall) -> Numbers:
    """The score of rows with these probabilities; never falls where one of the three rises."""
    sure = np.clip(np.asarray(probability, dtype=np.float64), _LEAST, 1.0 - _LEAST)
    share = rules.strength_share
    odds = sure / (1.0 - sure) * (1.0 - share + share * np.asarray(strength)) * (1.0 + np.asarray(recency))
    return np.asarray(odds / (1.0 + odds))


def recency(days: Any, rules: Recall) -> Numbers:
    """A little for what was used lately, by so many days on the calendar; a time in the future counts as now."""
    return np.asarray(rules.recency_boost * 0.5 ** (np.maximum(days, 0.0) / rules.recency_half_life_days))


def logit(probability: Any) -> Numbers:
    """The logarithm of the odds."""
    sure = np.clip(np.asarray(probability, dtype=np.float64), _LEAST, 1.0 - _LEAST)
    return np.asarray(np.log(sure / (1.0 - sure)))


def expit(log_odds: Any) -> Numbers:
    """The probability with that logarithm of its odds."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.asarray(log_odds, dtype=np.float64))))
