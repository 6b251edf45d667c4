"""How well words match, the same for both engines.

BM25 with one simplification: a word counts once however often a memory repeats it, because a
memory is a sentence or two. The engines only have to say which rows hold a word and how long
those rows are. Scores are shares of the question's information, so 1 is a short memory that
holds every word, and a question of words that nobody ever wrote scores low everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..ports import Column

SATURATION = 0.9  # k1 and b as measured on short conversational texts
LENGTH_EFFECT = 0.4
HEAD = "__"  # stands before a name by which the texts that begin with it are found; no word begins with a stroke


class Hits(NamedTuple):
    """The rows that hold each word, one word's after the other's.

    One column for all words: making one for each took longer than looking the word up.
    """

    counts: Mapping[str, int]  # how many of the rows are each word's, in their order
    handles: Column

    def of(self, words: Collection[str]) -> Hits:
        """The hits of some of the words."""
        if len(words) == len(self.counts):
            return self
        wanted = frozenset(words)  # a question may have thousands
        kept = np.repeat([word in wanted for word in self.counts], list(self.counts.values()))
        return Hits({word: count for word, count in self.counts.items() if word in wanted}, self.handles[kept])

    def parted(self) -> tuple[Hits, Column]:
        """The hits of words; and, each once and in ascending order, the rows that begin with a name."""
        heads = [word for word in self.counts if word.startswith(HEAD)]
        if not heads:
            return self, np.empty(0, dtype=np.int64)
        return self.of(self.counts.keys() - heads), np.unique(self.of(heads).handles)


def information(frequency: int, rows: int) -> float:
    """The information of a word, in nats: much for a rare one, little for a frequent one."""
    return math.log1p((max(rows, frequency) - frequency + 0.5) / (frequency + 0.5))


def shares(hits: Hits, unknown: Sequence[str], rows: int) -> tuple[Column, NDArray[np.float64]]:
    """Every row that holds a word, once and in ascending order, with the share of the question's information that its
    words make up. `unknown` words nobody wrote."""
    if not len(hits.handles):
        return np.empty(0, dtype=np.int64), np.empty(0)
    counts = list(hits.counts.values())
    weights = [information(count, rows) for count in counts]
    whole = sum(weights) + len(unknown) * information(0, rows)
    # Each row once, with the sum of its words: sorted, because numpy's own `unique` took longer than all the rest.
    order = np.argsort(hits.handles, kind="stable")
    every = hits.handles[order]
    first = np.flatnonzero(np.concatenate([[True], every[1:] != every[:-1]]))
    return every[first], np.add.reduceat(np.repeat(weights, counts)[order], first) / whole


def damped(shares_: NDArray[np.float64], lengths: NDArray[np.float64], mean_length: float) -> NDArray[np.float64]:
    """Scores: a word counts less in a row of many words."""
    damping = 1 + SATURATION * (1 - LENGTH_EFFECT + LENGTH_EFFECT * lengths / max(mean_length, 1.0))
    shortest = 1 + SATURATION * (1 - LENGTH_EFFECT)
    return shares_ * shortest / damping


def affordable(frequencies: Mapping[str, int], matches_max: int) -> list[str]:
    """The rarest words until about `matches_max` rows match: every match costs, and common words tell little.

    Names that texts begin with come on top, up to half as many rows: with more, too much begins with them to tell.
    """
    words = sorted((count, word) for word, count in frequencies.items() if not word.startswith(HEAD))
    names = sorted((count, word) for word, count in frequencies.items() if word.startswith(HEAD))
    return [*(_within(words, matches_max) or [word for _, word in words[:1]]), *_within(names, matches_max // 2)]


def _within(several: Sequence[tuple[int, str]], matches_max: int) -> list[str]:
    """The longest prefix of a list whose rows are together no more than the limit."""
    matches = np.cumsum([count for count, _ in several])
    return [word for (_, word), reached in zip(several, matches, strict=True) if reached <= matches_max]
