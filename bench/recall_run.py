"""One task through the engine's own verbs: told session by session at their dates, then asked, in several ways.

*As it is*: nothing was swept, a day after the last session. *Strength off*: the same memories, by relevance alone.
*Swept*: the same life with a sweep before each session and one at the end, when the last memory is out of its grace
period, so that what has faded has left; summaries count for nothing here.
"""

from __future__ import annotations

import dataclasses
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from pathlib import Path

import ebbing
from ebbing.domain.policy import Policy
from ebbing.domain.policy.loader import load
from ebbing.ports import Embedder
from ebbing.testing import FrozenClock
from ebbing.text.terms import question_terms, terms

from . import recall_metrics as metrics
from .recall_tasks import SESSIONS, SUMMARIES, TURNS, Ask, Task

AS_IT_IS, STRENGTH_OFF, SWEPT, BM25 = "as it is", "strength off", "swept", "BM25 alone"
WAYS = (AS_IT_IS, STRENGTH_OFF, SWEPT)
_DAY = timedelta(days=1)

Found = list[tuple[str, str]]  # (key, text) of each, best first: what recall returns at its floor, then the others
Search = Callable[[str, int], tuple[Found, int]]  # with how many of them recall returns at its floor
Metric = Callable[[Found, Ask], float]


def _keyed(measure: Callable[[Sequence[str], Sequence[str], int], float], top: int) -> Metric:
    return lambda found, ask: measure([key for key, _ in found], ask.evidence, top)


# Of what recall returns when nobody gives a floor; the others are of the long list.
AT_FLOOR: dict[str, Metric] = {
    "precision at the floor": lambda found, ask: metrics.precision([key for key, _ in found], ask.evidence),
    "recall at the floor": lambda found, ask: metrics.share([key for key, _ in found], ask.evidence, len(found)),
}
METRICS: dict[str, dict[str, Metric]] = {
    TURNS: {"recall@5": _keyed(metrics.share, 5), "recall@10": _keyed(metrics.share, 10)},
    SUMMARIES: {"YourMemory's rule": lambda found, ask: metrics.says([text for _, text in found[:5]], ask.answer)},
    SESSIONS: {
        "recall_all@5": _keyed(metrics.all_of, 5),
        "recall_any@5": _keyed(metrics.any_of, 5),
        "recall@5": _keyed(metrics.share, 5),
        "nDCG@5": _keyed(metrics.gain, 5),
    },
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One question's outcome by every measure of its corpus."""

    corpus: str
    half: str
    kind: str
    embedder: str
    way: str
    values: dict[str, float]
    seconds: float


def measured(task: Task, name: str, embedder: Embedder | None, ways: Sequence[str]) -> Iterator[Figure]:
    """A task in every way that is asked for."""
    with tempfile.TemporaryDirectory(prefix="bench-recall-") as folder:
        for way in ways:
            yield from _way(task, name, embedder, way, Path(folder) / f"{way == SWEPT}.db")


def floor(task: Task) -> Iterator[Figure]:
    """Plain BM25, without the engine."""
    texts = [terms(one.text) for one in task.told]

    def search(question: str, limit: int) -> tuple[Found, int]:
        scores = metrics.bm25(texts, question_terms(question))
        order = sorted(range(len(texts)), key=lambda place: -scores[place])[:limit]
        return [(task.told[place].key, task.told[place].text) for place in order], limit

    yield from _asked(task, "", BM25, search)


def policy_of(way: str) -> Policy:
    """The default policy, without strength where that is the way."""
    policy = load("default")
    if way != STRENGTH_OFF:
        return policy
    return dataclasses.replace(policy, recall=dataclasses.replace(policy.recall, strength_share=0.0))


def _way(task: Task, name: str, embedder: Embedder | None, way: str, path: Path) -> Iterator[Figure]:
    policy = policy_of(way)
    clock = FrozenClock(task.told[0].at)
    is_new = not path.exists()
    with ebbing.open(path, clock=clock, policy=policy, embedder=embedder) as engine:
        # Sweeps come when they are called, and never by themselves.
        engine.sweeper = None
        if is_new:
            _live(task, engine, clock, swept=way == SWEPT)
        clock.set(task.told[-1].at)
        clock.advance(days=policy.time.grace / _DAY + 1 if way == SWEPT else 1)
        if way == SWEPT:
            engine.sweep()

        def search(question: str, limit: int) -> tuple[Found, int]:
            found = engine.recall(question, limit=limit, min_score=0, reinforce=False)
            rules = engine.policy.recall
            is_read = any("answers" in one.parts for one in found)
            floor = rules.min_score if is_read else rules.min_score_unjudged
            listed = [(next(iter(one.memory.tags), ""), one.memory.text) for one in found]
            return listed, sum(one.score >= floor for one in found)

        yield from _asked(task, name, way, search)


def _live(task: Task, engine: ebbing.Engine, clock: FrozenClock, *, swept: bool) -> None:
    for at, day in groupby(task.told, key=lambda one: one.at):
        clock.set(at)
        if swept:
            engine.sweep()
        engine.remember_many(
            {"text": one.text, "tags": [one.key], "session": one.session, "created_at": one.at} for one in day
        )


def _asked(task: Task, name: str, way: str, search: Search) -> Iterator[Figure]:
    limit = 10 if task.corpus == TURNS else 5
    for ask in task.asked:
        start = time.perf_counter()
        found, kept = search(ask.text, limit)
        seconds = time.perf_counter() - start
        values = {measure: score(found, ask) for measure, score in METRICS[task.corpus].items()}
        if task.corpus != SUMMARIES:
            values |= {measure: score(found[:kept], ask) for measure, score in AT_FLOOR.items()}
        yield Figure(task.corpus, task.half, ask.kind, name, way, values, seconds)
