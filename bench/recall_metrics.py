"""What counts as found: a share of the evidence, all of it or any, how early it comes, or the words of the answer."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

_LONG = 3  # characters; a token of an answer counts when it has more


def share(found: Sequence[str], evidence: Collection[str], top: int) -> float:
    """How much of the evidence is among the first so many."""
    return len(set(found[:top]) & set(evidence)) / len(evidence)


def precision(found: Sequence[str], evidence: Collection[str]) -> float:
    """How much of what was found is evidence; 0 where nothing was."""
    return sum(key in evidence for key in found) / len(found) if found else 0.0


def any_of(found: Sequence[str], evidence: Collection[str], top: int) -> float:
    """1 when some of the evidence is among the first so many."""
    return float(not set(found[:top]).isdisjoint(evidence))


def all_of(found: Sequence[str], evidence: Collection[str], top: int) -> float:
    """1 when all of the evidence is among the first so many."""
    return float(set(evidence) <= set(found[:top]))


def gain(found: Sequence[str], evidence: Collection[str], top: int) -> float:
    """Normalised discounted cumulative gain: evidence that comes later counts for less."""
    got = sum(_discount(place) for place, key in enumerate(dict.fromkeys(found[:top])) if key in evidence)
    return got / sum(_discount(place) for place in range(min(len(set(evidence)), top)))


def _discount(place: int) -> float:
    return 1 / math.log2(place + 2)


def says(texts: Sequence[str], answer: str) -> float:
    """YourMemory's rule: the answer stands in what came back, or at least half of its longer tokens do."""
    joined = " ".join(texts).lower()
    wanted = answer.lower().strip()
    if wanted in joined:
        return 1.0
    tokens = [token for token in wanted.split() if len(token) > _LONG]
    return float(bool(tokens) and sum(token in joined for token in tokens) >= len(tokens) / 2)


def bm25(texts: Sequence[Sequence[str]], question: Collection[str], *, k1: float = 0.9, b: float = 0.4) -> list[float]:
    """Plain Okapi BM25 of every text, given as words: the floor that any search stands on."""
    mean = sum(map(len, texts)) / max(1, len(texts))
    scores = [0.0] * len(texts)
    for word in set(question):
        counts = [text.count(word) for text in texts]
        holding = sum(count > 0 for count in counts)
        weight = math.log1p((len(texts) - holding + 0.5) / (holding + 0.5))
        for place, count in enumerate(counts):
            if count:
                damping = k1 * (1 - b + b * len(texts[place]) / max(mean, 1.0))
                scores[place] += weight * count * (k1 + 1) / (count + damping)
    return scores
