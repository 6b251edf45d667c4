"""What every measured memory speaks: a request on each line of stdin, its answer on a line of stdout, both JSON.

Each memory runs in a process of its own, in an environment of its own, so this imports numpy and nothing else.
The stopwatch is here, around the call alone: neither the pipe nor the making of a vector is in a figure.

    {"do": "open", "folder": …, "owner": …, "dimensions": …}   → {"version": …, "notes": […]}
    {"do": "load", "texts": file.json, "vectors": file.npy}     → {"count": …}
    {"do": "add", "text": …, "vector": […]}                     → {"seconds": …}
    {"do": "recall", "text": …, "vector": […], "limit": …}      → {"seconds": …, "texts": […]}
    {"do": "close"}                                             → {}

What goes wrong is not caught: the process ends, and its stderr tells why.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TextIO

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Opened(NamedTuple):
    """What was opened, and what should be known about it when its figures are read."""

    version: str
    notes: Sequence[str] = ()


class Subject(Protocol):
    """A memory to be measured. Its embedder looks up `given`, which holds a text's vector before the text arrives."""

    given: dict[str, Vectors]

    def open(self, folder: Path, owner: str, dimensions: int) -> Opened:
        """Make an empty store in the folder."""
        ...

    def load(self, texts: Sequence[str], vectors: Vectors) -> int:
        """Fill the store as many adds would have, by the quickest way there is; how many it then holds."""
        ...

    def add(self, text: str) -> None:
        """Keep one text: this is timed."""
        ...

    def recall(self, question: str, limit: int) -> list[str]:
        """The texts that answer best: this is timed."""
        ...

    def close(self) -> None:
        """Let go of the store."""
        ...


def run(subject: Subject) -> None:
    """Serve this process's pipes. Whatever the memory prints goes to stderr, or it would end up among the answers."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        serve(subject, sys.stdin, answers)


def serve(subject: Subject, requests: Iterable[str], answers: TextIO) -> None:
    """Answer line by line until asked to close, or until nobody asks any more."""
    for line in requests:
        asked = json.loads(line)
        answers.write(json.dumps(answer(subject, asked)) + "\n")
        answers.flush()
        if asked["do"] == "close":
            return


def answer(subject: Subject, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Do one thing, and tell what came of it and how long it took."""
    match asked["do"]:
        case "open":
            opened = subject.open(Path(asked["folder"]), asked["owner"], asked["dimensions"])
            return {"version": opened.version, "notes": list(opened.notes)}
        case "load":
            texts = json.loads(Path(asked["texts"]).read_text("utf-8"))
            return {"count": subject.load(texts, np.load(asked["vectors"]))}
        case "add":
            subject.given[asked["text"]] = np.array(asked["vector"], dtype=np.float32)
            since = time.perf_counter()
            subject.add(asked["text"])
            return {"seconds": time.perf_counter() - since}
        case "recall":
            subject.given[asked["text"]] = np.array(asked["vector"], dtype=np.float32)
            since = time.perf_counter()
            texts = subject.recall(asked["text"], asked["limit"])
            return {"seconds": time.perf_counter() - since, "texts": texts}
        case "close":
            subject.close()
            return {}
        case unknown:
            raise ValueError(f"nobody can {unknown!r}")
