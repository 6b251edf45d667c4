"""What the trained model costs: remember and recall with the judge on beside the same with it off, and its size.

Made-up words would be cut into many more tokens than real ones, so here real statements (training/) are remembered and
real questions asked, by the big owner, among all its made-up memories. Everything runs on one core.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import ebbing
from ebbing.engine import Engine
from ebbing.ports import Judge, Vector
from ebbing.providers import make_judge
from ebbing.providers.judge import WEIGHTS
from ebbing.testing import FrozenClock
from training.examples import load

from .apart import measured_apart
from .corpus import BIG, Corpus
from .installed import installed
from .judge_lives import read_rows
from .measure import Figure, Pair, Spread

REMEMBER_MS_MAX, RECALL_MS_MAX = 25.0, 35.0
MANY_MIN = 100.0  # texts a second
LOAD_MS_MAX = 500.0
WEIGHTS_MB_MAX, INSTALL_MB_MAX, PACKAGES_MAX = 60.0, 200.0, 25.0

_TRAINING = Path(__file__).parent.parent / "training"
_OFF = 'the same with judge="off"'


@dataclass(frozen=True, slots=True)
class Said:
    """Real texts: what is known already, what is new, and what is asked."""

    known: list[str]
    new: list[str]
    questions: list[str]


def said() -> Said:
    """The lives of the training folder: those of the evaluation are known already, those of the data are new."""
    lives = read_rows(_TRAINING / "evaluation" / "lives_1.jsonl")
    known = _statements(lives)
    new = _statements([life for data in load(_TRAINING / "data") for life in data.lives])
    taken = set(known)
    questions = [asked["q"] for life in lives for asked in life["questions"]]
    return Said(known, [text for text in new if text not in taken], list(dict.fromkeys(questions)))


def _statements(lives: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(statement["text"] for life in lives for statement in life["statements"]))


class _Hearing:
    """The vectors of the corpus, and those of real texts made when first asked for: a tenth of a millisecond."""

    def __init__(self, corpus: Corpus) -> None:
        self.fingerprint, self.unrelated = corpus.fingerprint, corpus.unrelated
        self._corpus = corpus

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        self._corpus.hear(texts)
        return self._corpus.embed(texts, query=query)


class Judged:
    """One loaded store, opened once with the judge and once without; the two take turns."""

    def __init__(self, store: str, address: str, corpus: Corpus, now: datetime) -> None:
        self.store, self.size = store, corpus.size
        self.corpus = corpus
        self._address, self._clock = address, FrozenClock(now.isoformat())
        self.figures: list[Figure] = []

    def run(self, times: int, processes: int, judge: Judge | None = None, texts: Said | None = None) -> list[Figure]:
        """Every figure of this judge, or of the packaged one; none where its weights are not installed."""
        judge, texts = judge or make_judge("auto")[0], texts or said()
        if judge is None:
            return []
        with one_core(), self._opened(judge) as on, self._opened(None) as off:
            off.remember_many(texts.known)
            new = iter(texts.new)
            on.remember(next(new))  # loads it
            self._remember(on, off, new, times)
            self._recall(on, off, texts.questions[: 2 * times])
            self._remember_many(on, off, new, 2 * times)
        if processes:
            self._load(processes)
        return self.figures

    @contextlib.contextmanager
    def _opened(self, judge: Judge | None) -> Iterator[Engine]:
        opened = ebbing.open(self._address, owner=BIG, embedder=_Hearing(self.corpus), clock=self._clock, judge=judge)
        with opened as engine:
            engine.sweeper = None
            yield engine

    def _remember(self, on: Engine, off: Engine, new: Iterator[str], times: int) -> None:
        pair = Pair()
        for _ in range(times):
            self._clock.advance(minutes=1)
            with pair.product:
                on.remember(next(new))
            with pair.floor:
                off.remember(next(new))
        self._timed("remember, judge on", pair, most=REMEMBER_MS_MAX)

    def _recall(self, on: Engine, off: Engine, questions: Sequence[str]) -> None:
        pair = Pair()
        for question in questions:
            for engine, watch in ((on, pair.product), (off, pair.floor)):
                with watch:
                    engine.recall(question)
                engine.deferred.wait(BIG)
        self._timed("recall, judge on", pair, most=RECALL_MS_MAX)

    def _remember_many(self, on: Engine, off: Engine, new: Iterator[str], count: int) -> None:
        pair = Pair()
        for engine, watch in ((on, pair.product), (off, pair.floor)):
            texts = [next(new) for _ in range(count)]
            with watch:
                engine.remember_many(texts)
        rates = [Spread.once(count / watch.total) for watch in (pair.product, pair.floor)]
        self._figure("remember_many, judge on", "texts/s", *rates, against=_OFF, least=MANY_MIN)

    def _load(self, processes: int) -> None:
        """In a fresh process: importing the runtime, reading the weights, the first answer."""
        told = [measured_apart("judge", {}) for _ in range(processes)]
        loaded = Spread.of([one["load_ms"] for one in told])
        self._figure("load the judge, until its first answer", "ms", loaded, most=LOAD_MS_MAX)
        resident = Spread.of([one["resident_mb"] for one in told])
        self._figure("resident memory, the judge alone", "MB", resident)

    def _timed(self, name: str, pair: Pair, *, most: float) -> None:
        on, off = pair.product.milliseconds(), pair.floor.milliseconds()
        self._figure(name, "ms", on, off, against=_OFF, most=most)

    def _figure(
        self,
        name: str,
        unit: str,
        product: Spread,
        floor: Spread | None = None,
        *,
        against: str = "",
        most: float | None = None,
        least: float | None = None,
    ) -> None:
        figure = Figure(self.store, self.size, name, unit, product, floor, against, most=most, least=least)
        self.figures.append(figure)


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Everything inside runs on one core, where the system can say so."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def sizes() -> list[Figure]:
    """What is installed, in numbers: the weights, and everything that `pip install ebbing` brings."""
    weights = sum(file.stat().st_size for file in WEIGHTS.iterdir())
    packages, size = installed("ebbing")

    def figure(name: str, unit: str, value: float, most: float) -> Figure:
        return Figure("installed", 0, name, unit, Spread.once(value), most=most)

    return [
        figure("weights of the judge", "MB", weights / 1e6, WEIGHTS_MB_MAX),
        figure("pip install ebbing", "MB", size / 1e6, INSTALL_MB_MAX),
        figure("packages that it installs", "packages", len(packages), PACKAGES_MAX),
    ]
