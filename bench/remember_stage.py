"""An engine in memory to tell things to, on a clock moved by hand, and which memory came of which telling."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

import ebbing
from ebbing.domain.errors import Invalid
from ebbing.domain.memory import Memory
from ebbing.domain.results import Recollections, Remembered
from ebbing.ports import Embedder
from ebbing.providers import make_embedder
from ebbing.testing import FrozenClock

from .forget_replay import EmbeddedOnce

_START = "2024-01-01T09:00:00Z"
_cached: list[EmbeddedOnce] = []  # of this process


class Stage:
    """What was told, by keys that say where it came from."""

    def __init__(self, engine: ebbing.Engine, clock: FrozenClock) -> None:
        self.engine = engine
        self.clock = clock
        self._keys: dict[str, set[str]] = {}  # of what each memory, by its id, was told
        self.made: dict[str, list[Memory]] = {}  # by key, the memories as they were when told

    def tell(
        self,
        key: str,
        text: str,
        *,
        at: datetime | None = None,
        extract: bool = False,
        source: str = "user",
        session: str | None = None,
    ) -> Remembered:
        """Remember a text: at a time, unless it is over, or a minute after the last."""
        next_minute = self.clock.now() + timedelta(minutes=1)
        self.clock.set(next_minute if at is None else max(at, next_minute))
        outcome = self.engine.remember(text, metadata={"told": key}, source=source, extract=extract, session=session)
        standing = [self._standing(memory) for memory in outcome.merged]
        for memory in [*outcome.memories, *outcome.reinforced, *outcome.merged, *standing]:
            self._keys.setdefault(memory.id, set()).add(key)
            self.made.setdefault(key, []).append(memory)
        return outcome

    def keys(self, memory: Memory) -> set[str]:
        """What told a memory; one that was made besides inherits what it was made of."""
        told = memory.metadata.get("told")
        return self._keys.get(memory.id, set()) | ({told} if isinstance(told, str) else set())

    def recall(self, question: str, limit: int = 10, include: Sequence[str] = ()) -> Recollections:
        return self.engine.recall(question, limit=limit, include=include, reinforce=False)

    def now(self, memories: Sequence[Memory]) -> list[Memory]:
        """The same memories as they are by now."""
        return [self.engine.get(id_) for id_ in dict.fromkeys(memory.id for memory in memories)]

    def _standing(self, memory: Memory) -> Memory:
        """The one that a merged memory was taken into, or itself."""
        found = self.engine.get(memory.id)
        while found.superseded_by is not None:
            found = self.engine.get(found.superseded_by)
        return found


@contextlib.contextmanager
def stage(embedder: Embedder | None = None, judge: str = "auto") -> Iterator[Stage]:
    """An empty one, with the packaged models unless others are given. Nothing is swept: this is about the way in."""
    clock = FrozenClock(_START)
    with ebbing.open(":memory:", clock=clock, embedder=embedder or packaged(), judge=judge) as engine:
        engine.sweeper = None
        yield Stage(engine, clock)


def packaged() -> EmbeddedOnce:
    """The model that ships, each text embedded once for all that this process measures."""
    if not _cached:
        model = make_embedder("auto")
        if model is None:
            raise SystemExit("this measures the packaged embedder, and there is none")
        _cached.append(EmbeddedOnce(model))
    return _cached[0]


def extractor(engine: ebbing.Engine) -> Callable[[str], list[str]] | None:
    """The engine's `extract` as texts; None where it has none yet."""
    extract = getattr(engine, "extract", None)
    if extract is None:
        return None
    return lambda text: [fact.text for fact in extract(text)]


def extracts() -> bool:
    """Whether this engine takes `extract=True` yet."""
    with ebbing.open(":memory:", clock=FrozenClock(_START), embedder=None) as engine:
        try:
            engine.remember("Ada moved to Porto in May.", extract=True)
        except Invalid as refused:
            if "extract" in str(refused):
                return False
            raise
    return True


def processes() -> int:
    return os.cpu_count() or 1
