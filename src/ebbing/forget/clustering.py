"""Which memories belong to one topic, and which of them say the same. Pure: vectors and words arrive with them."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, time

import numpy as np
from numpy.typing import NDArray

from ..domain.memory import Memory
from ..domain.policy import Policy
from ..ports import Vector
from ..text.dates import found
from ..text.extractive_summary.segments import is_incomplete, is_quoted_speech
from ..text.paraphrase import same
from ..text.terms import STOP_WORDS, terms

Kind = tuple[object, ...]  # equal for memories that may become one

_SHARED_WORDS = 0.5  # of the shorter text: one topic, where there are no vectors to compare …
_SAME_WORDS = 0.8  # … and perhaps the same


def topics(memories: Sequence[Memory], vectors: Mapping[str, Vector], policy: Policy) -> Iterator[list[Memory]]:
    """Groups large enough to be summarized, oldest first. Each gathers round its oldest member.

    Never across agents, visibilities, scopes, speakers, subjects, trust, tiers, categories or times to live: a summary
    must not show to one agent what another kept to itself, nor give one person's words to another, nor trust what came
    from a stranger, nor outlive a time to live or cut it short. And never of a text that speaks of somebody it does not
    name: beside others it would seem to speak of theirs. `Ada: I like tea` and `I like milk` stay apart too, and so
    does `Ana left yesterday` from what was written on another day: a summary is dated like its oldest text.
    """
    rules = policy.compaction
    whole = [memory for memory in memories if not _is_incomplete(memory.text)]
    for alike in _voices(_kinds(whole)):
        in_order = sorted(alike, key=lambda memory: (memory.created_at, memory.id))
        left = list(range(len(in_order)))
        near = _nearness(in_order, vectors, rules.similarity, _SHARED_WORDS) if len(left) >= rules.group_min else None
        while near is not None and len(left) >= rules.group_min:
            similar = near[left[0]].tolist()
            # Models differ widely in what is near for them, words do not: all share one with the oldest.
            oldest = in_order[left[0]]
            words = _words(oldest.text)
            others = [
                place
                for place in left[1:]
                if similar[place]
                and words & _words(in_order[place].text)
                and _means_the_same_days(in_order[place], oldest.created_at)
            ]
            group = [left[0], *others][: rules.group_max]
            if len(group) >= rules.group_min:
                yield [in_order[place] for place in group]
            else:
                group = left[:1]
            taken = set(group)
            left = [place for place in left if place not in taken]


def twins(
    memories: Sequence[Memory],
    vectors: Mapping[str, Vector],
    policy: Policy,
    apart: Collection[tuple[str, Kind]] = frozenset(),
) -> Iterator[tuple[Memory, Memory]]:
    """Pairs that say the same, as (the one that stays, the one that goes); similarity proposes, the texts decide.

    The more used stays, then the older. Each goes once, so a merge never touches a third memory. Of those `apart` it is
    known that no two say the same.
    """
    for alike in _kinds(memories):
        kind = kind_of(alike[0])
        in_order = sorted(alike, key=lambda memory: (-memory.recall_count, memory.created_at, memory.id))
        known = np.array([(memory.id, kind) in apart for memory in in_order])
        if len(in_order) < 2 or known.all():
            continue
        near = _nearness(in_order, vectors, policy.match.merge_similarity, _SAME_WORDS)
        near &= ~(known[:, None] & known)
        removed: set[int] = set()
        for stays, goes in np.argwhere(np.triu(near, 1)).tolist():
            if not removed & {stays, goes} and same(in_order[stays].text, in_order[goes].text):
                removed.add(goes)
                yield in_order[stays], in_order[goes]


def kind_of(memory: Memory) -> Kind:
    """What memories must have in common to become one."""
    lifetime = None if memory.expires_at is None else (memory.expires_at - memory.created_at).days
    who = (memory.scope, memory.agent, memory.visibility, memory.trust)
    speaker = (memory.source.kind, memory.source.actor, memory.subject)
    return (*who, *speaker, memory.tier, memory.category, lifetime, memory.valid_from, memory.valid_until)


def _kinds(memories: Sequence[Memory]) -> list[list[Memory]]:
    by_kind: dict[Kind, list[Memory]] = {}
    for memory in memories:
        by_kind.setdefault(kind_of(memory), []).append(memory)
    return list(by_kind.values())


def _voices(kinds: Sequence[list[Memory]]) -> Iterator[list[Memory]]:
    """Each kind, parted into what somebody says behind their name and all else."""
    for alike in kinds:
        quoted = {memory.id for memory in alike if _is_quoted_speech(memory.text)}
        yield [memory for memory in alike if memory.id not in quoted]
        yield [memory for memory in alike if memory.id in quoted]


def _means_the_same_days(memory: Memory, at: datetime) -> bool:
    """Whether the times in a text are the same when it is taken as written at another instant: not `yesterday`."""
    return memory.created_at.date() == at.date() or _days(memory.text, memory.created_at.date()) == _days(
        memory.text, at.date()
    )


@functools.lru_cache(maxsize=1024)
def _days(text: str, today: date) -> tuple[tuple[date, date], ...]:
    return tuple((when.first, when.last) for when in found(text, datetime.combine(today, time())))


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
    if not compared.all():
        near |= ~compared & (_shared([_words(memory.text) for memory in memories]) >= least_words)
    return near


def _shared(terms: Sequence[frozenset[str]]) -> NDArray[np.float64]:
    """For each two texts: the share of the words of the shorter one that are in the other."""
    rows: dict[str, list[int]] = {}
    for row, words in enumerate(terms):
        for word in words:
            rows.setdefault(word, []).append(row)
    counts = np.zeros((len(terms), len(terms)))
    for having in rows.values():
        if len(having) > 1:
            counts[np.ix_(having, having)] += 1
    lengths = np.array([len(words) for words in terms])
    return np.asarray(counts / np.maximum(np.minimum(lengths[:, None], lengths), 1))


_is_quoted_speech = functools.lru_cache(maxsize=1024)(is_quoted_speech)
_is_incomplete = functools.lru_cache(maxsize=1024)(is_incomplete)  # asked again of whatever waits


@functools.lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    """Kept, because what waits in a scope is looked through again and again."""
    return frozenset(terms(text)) - STOP_WORDS
