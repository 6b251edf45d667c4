"""For your tests: a clock that stands still, an embedder that needs no model, an engine in memory.

clock = FrozenClock("2026-01-01")
engine = in_memory(clock=clock)
clock.advance(days=30)
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from .engine import Engine
from .model import instant
from .ports import Vector
from .terms import terms
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


def in_memory(**given: Any) -> Engine:
    """An engine that leaves nothing behind: in memory, with a frozen clock and a fake embedder unless given others."""
    given.setdefault("clock", FrozenClock())
    given.setdefault("embedder", FakeEmbedder())
    return open_engine(":memory:", **given)
