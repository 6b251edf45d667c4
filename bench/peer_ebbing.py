"""Ebbing as a user opens it, behind the same pipe as its peers: a file, the default policy, reinforcement included."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np

import ebbing

from .peer_lines import Opened, Vectors, run


class GivenVectors:
    """An embedder that costs nothing."""

    fingerprint = "bench-given"
    unrelated = 0.0

    def __init__(self, given: dict[str, Vectors]) -> None:
        self._given = given

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:  # noqa: ARG002 - one way for both
        return np.stack([self._given[text] for text in texts])


class Ebbing:
    """`remember` and `recall`."""

    def __init__(self) -> None:
        self.given: dict[str, Vectors] = {}

    def open(self, folder: Path, owner: str, dimensions: int) -> Opened:  # noqa: ARG002 - a vector brings its own
        given = GivenVectors(self.given)
        # No memory here reads its texts with a model: the others are given vectors too, and ask no language model.
        self.engine = ebbing.open(str(folder / "memory.db"), owner=owner, embedder=given, judge="off")
        return Opened(version("ebbing"))

    def load(self, texts: Sequence[str], vectors: Vectors) -> int:
        self.given |= dict(zip(texts, vectors, strict=True))
        return len(self.engine.remember_many(texts).memories)

    def add(self, text: str) -> None:
        self.engine.remember(text)

    def recall(self, question: str, limit: int) -> list[str]:
        return [found.memory.text for found in self.engine.recall(question, limit=limit)]

    def close(self) -> None:
        self.engine.close()


if __name__ == "__main__":
    run(Ebbing())
