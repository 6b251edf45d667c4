"""For your tests: a clock that stands still, models that need no weights, an engine in memory.

clock = FrozenClock("2026-01-01")
judge = FakeJudge({("Our calls are on Zoom", "We meet on Teams"): "updates"})
engine = in_memory(clock=clock, judge=judge, llm=FakeLlm(["Ada moved to Porto in May."]))
clock.advance(days=30)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import numpy as np

from .domain.errors import Invalid, Unavailable
from .domain.judgement import RELATIONS, Relation, TextReading
from .domain.memory import instant
from .engine import Engine
from .ports import Vector, llm_reply
from .ports.llm_reply import Answer, Usage
from .text.terms import terms
from .wiring import open as open_engine


class FrozenClock:
    """A clock that moves only when told to."""

    def __init__(self, start: datetime | str = "2026-01-01T09:00:00Z") -> None:
        self._now = instant(start)

    def now(self) -> datetime:
        return self._now

    def advance(self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0) -> datetime:
        """Move on, and tell the new time."""
        self._now += timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        return self._now

    def set(self, to: datetime | str) -> datetime:
        """Jump to an instant."""
        self._now = instant(to)
        return self._now


class FakeEmbedder:
    """Vectors out of the words themselves: texts that share words are near, always and everywhere the same."""

    unrelated = 0.0

    def __init__(self, dimensions: int = 256, fingerprint: str | None = None) -> None:
        self.dimensions = dimensions
        self.fingerprint = fingerprint or f"fake-{dimensions}"
        self.calls = 0

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:  # noqa: ARG002 - one way for both
        self.calls += 1
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for term in terms(text):
                row[self._place(term)] += 1.0
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

    def _place(self, term: str) -> int:
        return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest()) % self.dimensions


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that a fake language model was asked."""

    prompt: str
    system: str
    schema: Mapping[str, Any] | None
    tokens_max: int


class Trouble(StrEnum):
    """How a fake language model disappoints."""

    FAIL = "fail"  # it does not answer at all
    GARBAGE = "garbage"  # it answers with something that nobody asked for
    BREAK_OFF = "break_off"  # it stops in the middle of what the script says


Scripted = str | Mapping[str, Any] | Exception
Script = Scripted | Iterable[Scripted] | Callable[[Asked], Scripted]


class FakeLlm:
    """A language model that follows a script, and remembers what it was asked.

    llm = FakeLlm(["Ada lives in Porto.", {"facts": []}])  # one answer after the other; a mapping is JSON
    llm = FakeLlm("yes")  # always the same
    llm = FakeLlm(lambda asked: {"topic": asked.prompt[:20]})  # whatever a function says
    llm = FakeLlm([TimeoutError("too slow"), "yes"])  # an exception is raised

    llm.trouble = "break_off"  # from here on; also "fail" and "garbage"; None ends it
    llm.asked[0].prompt, llm.asked[0].system
    """

    def __init__(self, script: Script = "yes", *, trouble: str | None = None, name: str = "fake-llm") -> None:
        self.name = name
        self.asked: list[Asked] = []
        self.usage = Usage()
        self.trouble = trouble
        self._next = self._reader(script)

    @property
    def trouble(self) -> str | None:
        return self._trouble

    @trouble.setter
    def trouble(self, kind: str | None) -> None:
        if kind is not None and kind not in tuple(Trouble):
            raise Invalid(f"trouble {kind!r} is not one of {', '.join(Trouble)}")
        self._trouble = kind

    def answer(self, prompt: str, *, system: str, schema: Mapping[str, Any] | None = None, tokens_max: int) -> Answer:
        """What the script says next; what does not fit the schema is Malformed, as with a real one."""
        asked = Asked(prompt, system, schema, tokens_max)
        self.asked.append(asked)
        if self.trouble == Trouble.FAIL:
            raise Unavailable(f"language model {self.name} was told to fail")
        reply = "}] As a language model, {" if self.trouble == Trouble.GARBAGE else self._next(asked)
        if isinstance(reply, Exception):
            raise reply
        text = reply if isinstance(reply, str) else json.dumps(reply)
        broken = self.trouble == Trouble.BREAK_OFF
        text = text[: max(1, len(text) // 2)] if broken else text
        usage = Usage(1, len(f"{system} {prompt}".split()), len(text.split()))
        self.usage += usage
        return Answer(text, None if schema is None else llm_reply.read(text, schema), not broken, usage)

    def _reader(self, script: Script) -> Callable[[Asked], Scripted]:
        if callable(script):
            return script
        if isinstance(script, str | Mapping | Exception):
            return lambda _: script
        answers: Iterator[Scripted] = iter(script)

        def next_answer(_: Asked) -> Scripted:
            for said in answers:
                return said
            raise AssertionError(f"{self.name} was asked {len(self.asked)} times, and its script ends before that")

        return next_answer


# What a fake judge is told of a pair: a whole Relation, the name of one (then it is certain), or name and probability.
Relating = Relation | str | tuple[str, float]
_PLAIN_FACT = TextReading(kind="fact", lifetime="months", harm=0, injected=0.0)


def _in_doubt(question: str, text: str) -> float:  # noqa: ARG001 - the same of all
    """Of a judge that was told nothing about answers: words and vectors decide."""
    return 0.5


class FakeJudge:
    """A judge that reads from tables, and remembers what it was asked.

    judge = FakeJudge({(older, newer): "updates"})  # certain; pairs that the table does not have are unrelated
    judge = FakeJudge({(older, newer): ("updates", 0.5)})  # the rest of the probability is "unrelated"
    judge = FakeJudge(lambda older, newer: Relation(same=0.9, unrelated=0.1))  # whatever a function says
    judge = FakeJudge(readings={text: TextReading("health", "life", 3, 0.0)})  # other texts are plain facts
    judge = FakeJudge(answers={(question, text): 0.9})  # other texts answer nothing; without a table all are doubtful

    judge.fails_after = 1  # answers one more call and then raises Unavailable; 0: at once; None: never
    judge.calls, judge.pairs, judge.texts, judge.questions
    """

    def __init__(
        self,
        relations: Mapping[tuple[str, str], Relating] | Callable[[str, str], Relating] = MappingProxyType({}),
        *,
        readings: Mapping[str, TextReading] | Callable[[str], TextReading] = MappingProxyType({}),
        answers: Mapping[tuple[str, str], float] | Callable[[str, str], float] = _in_doubt,
        fails_after: int | None = None,
        fingerprint: str = "fake-judge",
    ) -> None:
        self.fingerprint = fingerprint
        self.fails_after = fails_after
        self.calls = 0
        self.pairs: list[tuple[str, str]] = []  # every pair it was asked about: (older, newer)
        self.texts: list[str] = []  # every text it was given to read
        self.questions: list[tuple[str, str]] = []  # every (question, text) it was asked about
        self._relations = relations
        self._readings = readings
        self._answers = answers

    def relate(self, pairs: Sequence[tuple[str, str]]) -> list[Relation]:
        """How the newer (second) text of each pair relates to the older (first), by the table or the function."""
        self._called()
        self.pairs += pairs
        table = self._relations
        return [_relation(table(*pair) if callable(table) else table.get(pair, "unrelated")) for pair in pairs]

    def read(self, texts: Sequence[str]) -> list[TextReading]:
        """What each text is, by the table or the function."""
        self._called()
        self.texts += texts
        table = self._readings
        return [table(text) if callable(table) else table.get(text, _PLAIN_FACT) for text in texts]

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        """The probability, for each text, that it answers the question, by the table or the function."""
        self._called()
        asked = [(question, text) for text in texts]
        self.questions += asked
        table = self._answers
        return [float(table(*one) if callable(table) else table.get(one, 0.0)) for one in asked]

    def _called(self) -> None:
        self.calls += 1
        if self.fails_after is None:
            return
        if self.fails_after <= 0:
            raise Unavailable(f"judge {self.fingerprint} was told to fail")
        self.fails_after -= 1


def _relation(relating: Relating) -> Relation:
    """What a fake judge was told of a pair, as probabilities that add up to one."""
    if isinstance(relating, Relation):
        return relating
    name, probability = (relating, 1.0) if isinstance(relating, str) else relating
    if name not in RELATIONS:
        raise Invalid(f"relation {name!r:.40} is not one of {', '.join(RELATIONS)}")
    if not 0.0 <= probability <= 1.0:
        raise Invalid(f"the probability {probability!r:.40} of {name!r} is not between 0 and 1")
    rest = {"unrelated": 1.0 - probability}
    return Relation(**{**rest, name: probability if name != "unrelated" else 1.0})


def in_memory(**given: Any) -> Engine:
    """An engine that leaves nothing behind: in memory, with a frozen clock and a fake embedder, without a judge, unless
    given others."""
    given.setdefault("clock", FrozenClock())
    given.setdefault("embedder", FakeEmbedder())
    given.setdefault("judge", "off")
    return open_engine(":memory:", **given)
