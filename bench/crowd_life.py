"""One process of the crowd, run as `python -m bench.crowd_life`: it lives beside others on one store, then looks back.

It is told what to open on one line of standard input and answers in lines. At the sign it recalls, remembers, uses and
forgets until its time is up, and tells what it was told was done: an operation that returned is a promise. Then it is
given what others did, and tells what of that it does not find as it should, with the engine it had all along.
"""

from __future__ import annotations

import collections
import itertools
import json
import logging
import random
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import ebbing
from ebbing.domain.errors import EbbingError
from ebbing.engine import Engine
from ebbing.testing import FakeEmbedder

from .corpus import Language

ROUND = ("recall", "remember", "recall", "used", "recall", "remember", "used", "forget")
_SEED = 7
_USED_AT_ONCE = 3
_BEST = 5  # a memory asked for by a word of its own is among so many
_PIECE = 256  # sentences made together


class Sought(NamedTuple):
    """A memory that somebody was told is there, or is gone, and a question that only it answers."""

    id: str
    question: str
    gone: bool = False


def opened(address: str) -> Engine:
    """The product with vectors that cost next to nothing, and without the trained model."""
    return ebbing.open(address, embedder=FakeEmbedder(), judge="off")


def sentences(language: Language) -> Iterator[str]:
    """Texts without end."""
    while True:
        for numbers in language.sentences(_PIECE):
            yield language.text(numbers)


def own_word(number: int, turn: int) -> str:
    """A word that no other memory has, and that no stemmer shortens."""
    return f"x{_spelled(number)}z{_spelled(turn)}k"


def _spelled(value: int) -> str:
    return "".join("abcdefghij"[int(digit)] for digit in str(value))


def question(text: str) -> str:
    """What is asked about a text that begins with a word of its own."""
    own, *rest = text.rstrip(".").split()
    return f"what about {own} {rest[0]} {rest[-1]}?"


class Life:
    """What one process does, and what it was told."""

    def __init__(self, engine: Engine, number: int, shared: Sequence[str], language: Language) -> None:
        self.engine = engine
        self.number = number
        self.shared = list(shared)
        self.chance = random.Random(number)
        self.texts = sentences(language.spoken([_SEED, number]))
        self.turn = 0
        self.remembered: dict[str, str] = {}
        self.standing: list[str] = []
        self.forgotten: list[str] = []
        self.uses: collections.Counter[str] = collections.Counter()
        self.seconds: dict[str, list[float]] = {name: [] for name in ROUND}
        self.errors: collections.Counter[str] = collections.Counter()

    def live(self, seconds: float) -> None:
        """One thing after the other, until the time is up; each process begins at another place of the round."""
        began = time.perf_counter()
        while time.perf_counter() - began < seconds:
            name = ROUND[(self.turn + self.number) % len(ROUND)]
            self.turn += 1
            since = time.perf_counter()
            try:
                getattr(self, name)()
            except EbbingError as error:
                self.errors[f"{name}: {type(error).__name__}: {error}"] += 1
            self.seconds[name].append(time.perf_counter() - since)

    def recall(self) -> None:
        known = [*itertools.islice(reversed(self.remembered.values()), 20)]
        about = question(self.chance.choice(known)) if known else "what do all of them use?"
        self.engine.recall(about, session=f"{self.number}.{self.turn}")

    def remember(self) -> None:
        text = f"{own_word(self.number, self.turn)} {next(self.texts).lower()}"
        [memory] = self.engine.remember(text, scope=f"/of/{self.number}").memories
        self.remembered[memory.id] = memory.text
        self.standing.append(memory.id)

    def used(self) -> None:
        chosen = self.chance.sample(self.shared, _USED_AT_ONCE)
        self.engine.used(chosen, session=f"{self.number}.{self.turn}")
        self.uses.update(chosen)

    def forget(self) -> None:
        if self.standing:
            chosen = self.standing.pop(self.chance.randrange(len(self.standing)))
            self.engine.forget(ids=chosen)
            self.forgotten.append(chosen)

    def plain(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "remembered": self.remembered,
            "forgotten": self.forgotten,
            "uses": self.uses,
            "seconds": self.seconds,
        }


def amiss(engine: Engine, sought: Sequence[Sought]) -> list[str]:
    """What is not found though it is there, by words or by meaning, and what is found though it is gone."""
    told = []
    for one in sought:
        found = {each.memory.id: each for each in engine.recall(one.question, limit=_BEST, reinforce=False)}
        if one.gone:
            if one.id in found:
                told.append(f"{one.id} is gone, and was found")
        elif one.id not in found:
            told.append(f"{one.id} was not found")
        else:
            parts = found[one.id].parts
            told += [
                f"{one.id} was not found by its {part} part" for part in ("lexical", "semantic") if not parts[part]
            ]
    return told


class _Complaints(logging.Handler):
    """Counts what the product only warns of: a reinforcement that was not written raises nothing."""

    def __init__(self, errors: collections.Counter[str]) -> None:
        super().__init__(logging.WARNING)
        self.errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        self.errors[f"warning: {record.getMessage()}"] += 1


def _tell(**said: Any) -> None:
    print(json.dumps(said), flush=True)


def main() -> None:
    """One life."""
    given = json.loads(sys.stdin.readline())
    with opened(given["address"]) as engine:
        life = Life(engine, given["number"], given["shared"], Language(np.random.default_rng(_SEED)))
        logging.getLogger("ebbing").addHandler(_Complaints(life.errors))
        engine.recall("is anybody there?", reinforce=False)
        _tell(ready=True)
        seconds = json.loads(sys.stdin.readline())
        life.live(seconds)
        _tell(**life.plain())
        sought = [Sought(*one) for one in json.loads(sys.stdin.readline())]
        _tell(amiss=amiss(engine, sought))
    # What is written beside the caller is written by now.
    _tell(errors=life.errors)


if __name__ == "__main__":
    main()
