"""How well words match, the same for both engines.

BM25 with one simplification: a word counts once however often a memory repeats it, because a
memory is a sentence or two. The engines only have to say which rows hold a word and how long
those rows are. Scores are shares of the question's information, so 1 is a short memory that
holds every word, and a question of words that nobody ever wrote scores low everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..ports import Column

SATURATION = 0.9  # k1 and b as measured on short conversational texts
LENGTH_EFFECT = 0.4


class Hits(NamedTuple):
    """The rows that hold each word, one word's after the other's, and how many words each row has.

    One pair of columns for all words: making a pair for each took longer than looking the word up.
    """

    counts: Mapping[str, int]  # how many of the rows are each word's, in their order
    handles: Column
    lengths: NDArray[np.float64]


def information(frequency: int, rows: int) -> float:
    """What finding a word tells, in nats: much for a rare one, little for one that stands everywhere."""
    return math.log1p((max(rows, frequency) - frequency + 0.5) / (frequency + 0.5))


def scores(hits: Hits, unknown: Sequence[str], rows: int, mean_length: float) -> tuple[Column, NDArray[np.float64]]:
    """Every row that holds a word, with the share of the question it covers. `unknown` words nobody wrote."""
    if not len(hits.handles):
        return np.empty(0, dtype=np.int64), np.empty(0)
    counts = list(hits.counts.values())
    weights = [information(count, rows) for count in counts]
    whole = sum(weights) + sum(information(0, rows) for _ in unknown)
    # Each row once, with the sum of its words: sorted, because numpy's own `unique` took longer than all the rest.
    order = np.argsort(hits.handles, kind="stable")
    every = hits.handles[order]
    first = np.flatnonzero(np.concatenate([[True], every[1:] != every[:-1]]))
    sums = np.add.reduceat(np.repeat(weights, counts)[order], first)
    lengths = hits.lengths[order[first]]
    damping = 1 + SATURATION * (1 - LENGTH_EFFECT + LENGTH_EFFECT * lengths / max(mean_length, 1.0))
    shortest = 1 + SATURATION * (1 - LENGTH_EFFECT)
    return every[first], sums / whole * shortest / damping


def affordable(frequencies: Mapping[str, int], matches_max: int) -> list[str]:
    """The rarest words until about `matches_max` rows match: every match costs, and common words tell little."""
    chosen: list[str] = []
    matches = 0
    for word, frequency in sorted(frequencies.items(), key=lambda pair: pair[1]):
        matches += frequency
        if chosen and matches > matches_max:
            break
        chosen.append(word)
    return chosen
