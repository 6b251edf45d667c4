"""One life through the real engine on a frozen clock: told day by day, swept, and asked after the end.

Every day of a conversation is a day of use. When the last of it is out of its grace period the questions are put,
without reinforcing. What happens to memories in between is one of two lives. *Left alone*, nothing is ever recalled:
only importance and age decide. *Lived with*, the agent recalls with each text that it hears, before it is stored, as
agents do with each message; the questions at the end take no part in that. The judge weighs texts and retires none, so
that what is gone was forgotten.
"""

from __future__ import annotations

import dataclasses
import functools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import Any

import numpy as np

import ebbing
from ebbing.domain.memory import Memory, Status
from ebbing.domain.policy import Policy
from ebbing.domain.policy.loader import load
from ebbing.ports import Embedder, Vector
from ebbing.providers.judge import PackagedJudge
from ebbing.testing import FrozenClock
from ebbing.text.terms import question_terms

from .forget_lives import Life, Question, Told

NEVER = 1000.0  # the slowest a policy can be told to forget; besides, nothing is swept
TOP = (5, 10)
_PAGE = 1000
_SEEDS = 5  # of forgetting at random
_OWN_WORDS = 0.8  # of the words of what it summarizes: with fewer a summary does not hold it


@dataclass(frozen=True, slots=True)
class Way:
    """How a life is led."""

    name: str
    importance: Callable[[str], float] | None  # None: every memory is worth the policy's default
    lived_with: bool


@functools.cache
def estimate(text: str) -> float:
    """What the default policy makes of the judge's reading of a text."""
    policy = load("default")
    [reading] = _judge().read([text])
    return policy.judge.importance_of(reading, policy.defaults.importance)


@functools.cache
def _judge() -> PackagedJudge:
    return PackagedJudge()


WAYS = (
    Way("constant", None, False),
    Way("estimated", estimate, False),
    Way("estimated, recalled", estimate, True),
)


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of one life under one policy; counts and sums, so that lives can be added up."""

    told: int
    active: int  # summaries counted too
    told_tokens: int
    active_tokens: int
    evidence: int
    evidence_active: int
    questions: int
    found: tuple[float, ...]  # sums over the questions, one per place of TOP, of the share of evidence found …
    in_summaries: tuple[float, ...]  # … and of these, what only a summary held
    returned_tokens: float
    by_age: tuple[float, ...] = ()  # the same sums where as many memories were kept, the youngest …
    at_random: tuple[float, ...] = ()  # … or any, the mean of several draws

    def __add__(self, other: Tally) -> Tally:
        return Tally(**{field.name: _sum(field.name, self, other) for field in dataclasses.fields(Tally)})


def _sum(name: str, *tallies: Tally) -> Any:
    values = [getattr(tally, name) for tally in tallies]
    return tuple(map(sum, zip(*values, strict=True))) if isinstance(values[0], tuple) else sum(values)


class EmbeddedOnce:
    """The packaged model's vectors, each text embedded once for all replays."""

    def __init__(self, model: Embedder) -> None:
        self.fingerprint = model.fingerprint
        self.averages = bool(getattr(model, "averages", False))
        self._model = model
        self._known: dict[str, Vector] = {}

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._model.embed(new, query=query), strict=True))
        return np.stack([self._known[text] for text in texts])


@dataclass(frozen=True, slots=True)
class Whole:
    """A life of which nothing was forgotten: for each question everything there is, best first."""

    rankings: tuple[tuple[str, ...], ...]
    tally: Tally

    def kept(self, life: Life, keys: set[str]) -> tuple[float, ...]:
        """What would be found if these were all there is."""
        left = [[key for key in ranking if key in keys] for ranking in self.rankings]
        asked = list(zip(life.questions, left, strict=True))
        return tuple(sum(_share(question, ranking[:top]) for question, ranking in asked) for top in TOP)


def remember_all(life: Life, embedder: Embedder) -> Whole:
    """Replay a life without forgetting."""
    policy = slowed(NEVER)
    clock = FrozenClock(life.told[0].at)
    with ebbing.open(":memory:", clock=clock, policy=policy, embedder=embedder, judge="off") as engine:
        for day in _days(life):
            clock.set(day[-1].at)
            engine.remember_many([{"text": one.text, "tags": [one.key]} for one in day])
        clock.advance(days=_after_grace(policy))
        memories = [memory for page in _pages(engine, [Status.ACTIVE]) for memory in page]
        rankings, tokens = [], 0
        for question in life.questions:
            found = engine.recall(question.text, limit=policy.recall.limit_max, reinforce=False)
            rankings.append(tuple(key for one in found for key in one.memory.tags))
            tokens += sum(one.memory.tokens for one in found[: TOP[-1]])
    whole = Whole(tuple(rankings), _EMPTY)
    held = sum(memory.tokens for memory in memories)
    evidence = len({key for question in life.questions for key in question.evidence})
    found_sums = whole.kept(life, {one.key for one in life.told})
    tally = Tally(
        told=len(life.told),
        active=len(life.told),
        told_tokens=held,
        active_tokens=held,
        evidence=evidence,
        evidence_active=evidence,
        questions=len(life.questions),
        found=found_sums,
        in_summaries=_NONE,
        returned_tokens=tokens,
        by_age=found_sums,
        at_random=found_sums,
    )
    return dataclasses.replace(whole, tally=tally)


def replay(life: Life, slowdown: float, way: Way, whole: Whole, embedder: Embedder) -> Tally:
    """Lead a life in a way, forgetting as the default policy does at this slowdown, and ask."""
    policy = slowed(slowdown)
    clock = FrozenClock(life.told[0].at)
    with ebbing.open(":memory:", clock=clock, policy=policy, embedder=embedder, judge="off") as engine:
        for day in _days(life):
            clock.set(day[0].at)
            engine.sweep()
            _spend(day, way, engine, clock)
        clock.advance(days=_after_grace(policy))
        engine.sweep()
        return _asked(life, whole, engine)


def slowed(slowdown: float | None) -> Policy:
    """The default policy at another slowdown; None leaves its own. What a memory is worth each way says itself:
    left open, all are worth the same."""
    policy = load("default")
    policy = dataclasses.replace(policy, defaults=dataclasses.replace(policy.defaults, estimate_importance=False))
    if slowdown is None:
        return policy
    return dataclasses.replace(policy, curve=dataclasses.replace(policy.curve, slowdown=slowdown))


def _spend(day: Sequence[Told], way: Way, engine: ebbing.Engine, clock: FrozenClock) -> None:
    items = [
        {"text": one.text, "tags": [one.key]} | ({"importance": way.importance(one.text)} if way.importance else {})
        for one in day
    ]
    if not way.lived_with:
        engine.remember_many(items)
        return
    for one, item in zip(day, items, strict=True):
        clock.set(max(one.at, clock.now() + timedelta(seconds=20)))
        engine.recall(one.text, session=str(one.at.date()))
        engine.remember_many([item])


def _asked(life: Life, whole: Whole, engine: ebbing.Engine) -> Tally:
    everything = [memory for page in _pages(engine, list(Status)) for memory in page]
    named = {memory.id: memory for memory in everything}
    active = [memory for memory in everything if memory.status is Status.ACTIVE]
    keys_active = {key for memory in active if not memory.derived_from for key in memory.tags}
    texts = {one.key: one.text for one in life.told}
    found, summed, tokens = np.zeros(len(TOP)), np.zeros(len(TOP)), 0
    for question in life.questions:
        answers = [one.memory for one in engine.recall(question.text, limit=TOP[-1], reinforce=False)]
        tokens += sum(memory.tokens for memory in answers)
        for place, top in enumerate(TOP):
            direct = {key for memory in answers[:top] if not memory.derived_from for key in memory.tags}
            held = {key for key in question.evidence if held_by_summary(key, texts[key], answers[:top], named)} - direct
            found[place] += _share(question, direct | held)
            summed[place] += _share(question, held)
    evidence = {key for question in life.questions for key in question.evidence}
    # A summary takes a place as a memory does, so age and chance may keep one more for each.
    standing = min(len(keys_active) + sum(bool(memory.derived_from) for memory in active), len(life.told))
    youngest = {one.key for one in life.told[len(life.told) - standing :]}
    return Tally(
        told=len(life.told),
        active=standing,
        told_tokens=whole.tally.told_tokens,
        active_tokens=sum(memory.tokens for memory in active),
        evidence=len(evidence),
        evidence_active=len(evidence & keys_active),
        questions=len(life.questions),
        found=tuple(found.tolist()),
        in_summaries=tuple(summed.tolist()),
        returned_tokens=tokens,
        by_age=whole.kept(life, youngest),
        at_random=_drawn(life, whole, standing),
    )


def _drawn(life: Life, whole: Whole, kept: int) -> tuple[float, ...]:
    keys = [one.key for one in life.told]
    draws = [whole.kept(life, set(random.Random(seed).sample(keys, kept))) for seed in range(_SEEDS)]
    return tuple(float(mean) for mean in np.mean(draws, axis=0))


def held_by_summary(key: str, text: str, answers: Sequence[Memory], named: Mapping[str, Memory]) -> bool:
    """Whether a summary among the answers was made of what has this key, and still says it."""
    words = set(question_terms(text))
    for memory in answers:
        if memory.derived_from and any(key in named[id_].tags for id_ in _origins(memory, named) if id_ in named):
            said = set(question_terms(memory.text))
            if len(words & said) >= _OWN_WORDS * len(words):
                return True
    return False


def _origins(memory: Memory, named: Mapping[str, Memory]) -> Iterator[str]:
    for id_ in memory.derived_from:
        yield id_
        if id_ in named:
            yield from _origins(named[id_], named)


def _share(question: Question, found: Sequence[str] | set[str]) -> float:
    return len(set(question.evidence) & set(found)) / len(question.evidence)


def _days(life: Life) -> list[list[Told]]:
    return [list(day) for _, day in groupby(life.told, key=lambda one: one.at.date())]


def _after_grace(policy: Policy) -> float:
    return policy.time.grace / timedelta(days=1) + 1


def _pages(engine: ebbing.Engine, statuses: Sequence[Status]) -> Iterator[list[Memory]]:
    page = engine.list(status=[status.value for status in statuses], limit=_PAGE)
    while page:
        yield page
        page = engine.list(status=[status.value for status in statuses], limit=_PAGE, before=page[-1].id)


_NONE = (0.0,) * len(TOP)
_EMPTY = Tally(0, 0, 0, 0, 0, 0, 0, _NONE, _NONE, 0.0, _NONE, _NONE)
