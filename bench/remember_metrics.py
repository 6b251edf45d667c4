"""The arithmetic of the measures: words two texts share, the best one-to-one matching, plain BM25, plain sentences."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"\w+")
# Not behind an initial: nobody would call a splitter plain that makes two sentences of a middle name.
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])|\n+")
_SATURATION, _LENGTH_EFFECT = 1.2, 0.75  # of BM25 as it is commonly used


def words(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return _WORD.findall(text.lower())


def overlap_f1(one: str, other: str) -> float:
    """F1 of the words two texts share, each as often as both have it."""
    ours, theirs = Counter(words(one)), Counter(words(other))
    shared = sum((ours & theirs).values())
    return 2 * shared / (ours.total() + theirs.total()) if shared else 0.0


def best_matching(weights: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The one-to-one pairs of rows and columns whose weights sum to the most: the Hungarian algorithm.

    Each row in turn takes a column along the cheapest path that may move rows placed before, with prices on rows and
    columns that keep every cost seen so far at or above zero.
    """
    rows, columns = weights.shape
    if rows > columns:
        return sorted((row, column) for column, row in best_matching(weights.T))
    costs = -weights
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.zeros(columns + 1, dtype=int)  # of each column the row that has it, from 1; 0 is none, and column 0 …
    came_from = np.zeros(columns + 1, dtype=int)  # … stands for the row that is being placed
    for row in range(1, rows + 1):
        owner[0], column = row, 0
        least, used = np.full(columns + 1, np.inf), np.zeros(columns + 1, dtype=bool)
        while owner[column]:
            used[column] = True
            reduced = costs[owner[column] - 1] - row_price[owner[column]] - column_price[1:]
            nearer = ~used[1:] & (reduced < least[1:])
            least[1:][nearer] = reduced[nearer]
            came_from[1:][nearer] = column
            following = int(np.argmin(np.where(used, np.inf, least)[1:])) + 1
            step = least[following]
            row_price[owner[used]] += step
            column_price[used] -= step
            least[~used] -= step
            column = following
        while column:
            owner[column] = owner[came_from[column]]
            column = int(came_from[column])
    return sorted((int(owner[column]) - 1, column - 1) for column in range(1, columns + 1) if owner[column])


def matched(found: Sequence[str], wanted: Sequence[str]) -> float:
    """How much of what is wanted was found, one to one: the sum of F1 over the best matching."""
    if not found or not wanted:
        return 0.0
    weights = np.array([[overlap_f1(one, other) for other in wanted] for one in found])
    return float(sum(weights[pair] for pair in best_matching(weights)))


def sentences(text: str) -> list[str]:
    """What a plain splitter makes of a text: a line or a full stop before a capital ends a sentence."""
    parts = (part.strip() for part in _SENTENCE_END.split(text))
    return [part for part in parts if words(part)]


class PlainBm25:
    """BM25 over texts that are simply stored, the earliest first among equals."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._bags = [Counter(words(text)) for text in texts]
        self._lengths = np.array([bag.total() for bag in self._bags], dtype=float)
        self._rows: dict[str, list[int]] = {}
        for row, bag in enumerate(self._bags):
            for word in bag:
                self._rows.setdefault(word, []).append(row)

    def best(self, question: str, limit: int) -> list[int]:
        """The places of the texts that fit a question best."""
        scores = np.zeros(len(self._bags))
        damping = _SATURATION * (1 - _LENGTH_EFFECT + _LENGTH_EFFECT * self._lengths / max(self._lengths.mean(), 1.0))
        for word in dict.fromkeys(words(question)):
            rows = self._rows.get(word, [])
            information = math.log1p((len(self._bags) - len(rows) + 0.5) / (len(rows) + 0.5))
            often = np.array([self._bags[row][word] for row in rows], dtype=float)
            scores[rows] += information * often * (_SATURATION + 1) / (often + damping[rows])
        order = np.argsort(-scores, kind="stable")[:limit]
        return [int(place) for place in order if scores[place] > 0]
