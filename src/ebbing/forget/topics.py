"""Which memories belong to one topic, and which of them say the same. Pure: vectors and words arrive with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..model import Memory
from ..policy import Policy
from ..ports import Vector
from ..sameness import same
from ..terms import STOP_WORDS, terms

_SHARED_WORDS = 0.5  # of the shorter text: one topic, where there are no vectors to compare …
_SAME_WORDS = 0.8  # … and perhaps the same


def topics(memories: Sequence[Memory], vectors: Mapping[str, Vector], policy: Policy) -> Iterator[list[Memory]]:
    """Groups large enough to be summarized, oldest first. Each gathers round its oldest member.

    Never across agents, visibilities, scopes, trust, tiers or categories: a summary must not show to one
    agent what another kept to itself, nor trust what came from a stranger, nor outlive a time to live.
    """
    rules = policy.compaction
    for alike in _kinds(memories):
        in_order = sorted(alike, key=lambda memory: (memory.created_at, memory.id))
        near = _nearness(in_order, vectors, rules.similarity, _SHARED_WORDS) & _related(in_order)
        left = list(range(len(in_order)))
        while len(left) >= rules.group_min:
            group = [place for place in left if near[left[0], place]][: rules.group_max]
            if len(group) >= rules.group_min:
                yield [in_order[place] for place in group]
            else:
                group = left[:1]
            left = [place for place in left if place not in group]


def twins(memories: Sequence[Memory], vectors: Mapping[str, Vector], policy: Policy) -> Iterator[tuple[Memory, Memory]]:
    """Pairs that say the same, as (the one that stays, the one that goes); similarity proposes, the texts decide.

    The more used stays, then the older. Each goes once, so a merge never touches a third memory.
    """
    for alike in _kinds(memories):
        in_order = sorted(alike, key=lambda memory: (-memory.recall_count, memory.created_at, memory.id))
        near = _nearness(in_order, vectors, policy.match.merge_similarity, _SAME_WORDS)
        gone: set[int] = set()
        for stays, goes in np.argwhere(np.triu(near, 1)).tolist():
            if not gone & {stays, goes} and same(in_order[stays].text, in_order[goes].text):
                gone.add(goes)
                yield in_order[stays], in_order[goes]


def _kinds(memories: Sequence[Memory]) -> list[list[Memory]]:
    by_kind: dict[tuple[object, ...], list[Memory]] = {}
    for memory in memories:
        who = (memory.scope, memory.agent, memory.visibility, memory.trust)
        kind = (*who, memory.tier, memory.category, memory.expires_at is None)
        by_kind.setdefault(kind, []).append(memory)
    return list(by_kind.values())


def _nearness(
    memories: Sequence[Memory], vectors: Mapping[str, Vector], least: float, least_words: float
) -> NDArray[np.bool_]:
    """Whether each is near each: by vectors where one model made both, else by words."""
    near = np.eye(len(memories), dtype=bool)
    models: dict[str, list[int]] = {}
    for place, memory in enumerate(memories):
        if memory.fingerprint is not None and memory.id in vectors:
            models.setdefault(memory.fingerprint, []).append(place)
    compared = np.zeros_like(near)
    for places in models.values():
        several = np.stack([vectors[memories[place].id] for place in places])
        compared[np.ix_(places, places)] = True
        near[np.ix_(places, places)] |= several @ several.T >= least
    for first, second in np.argwhere(np.triu(~compared, 1)).tolist():
        near[first, second] = near[second, first] = _shared(memories[first], memories[second]) >= least_words
    return near


def _related(memories: Sequence[Memory]) -> NDArray[np.bool_]:
    """Whether each shares a word with each: models differ widely in what is near for them, words do not."""
    words = [_words(memory) for memory in memories]
    vocabulary = {word: column for column, word in enumerate(sorted(frozenset().union(*words)))}
    table = np.zeros((len(words), len(vocabulary)), dtype=np.float32)
    for row, said in enumerate(words):
        table[row, [vocabulary[word] for word in said]] = 1
    return (table @ table.T > 0) | np.eye(len(words), dtype=bool)


def _shared(first: Memory, second: Memory) -> float:
    """Of the words of the shorter text, how many stand in the other."""
    mine, others = _words(first), _words(second)
    shorter = min(len(mine), len(others))
    return len(mine & others) / shorter if shorter else 0.0


def _words(memory: Memory) -> frozenset[str]:
    return frozenset(terms(memory.text)) - STOP_WORDS
