"""The same texts, questions and vectors given to every memory in turn, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from .corpus import DIMENSIONS, Corpus
from .measure import Spread
from .peer_lines import Vectors

WIDTH = 768  # YourMemory's schema knows no other; the same vectors for all means the same width for all
LIMIT = 10
OWNER = "bench"
OPERATIONS = ("recall", "add")
_ROOT = Path(__file__).parents[1]
# What begins like a question is refused by YourMemory, so nobody gets it.
_ASKING = ("What ", "Who ", "Where ", "When ", "Why ", "How ", "Which ", "Whose ", "Whom ")
_WARM = 3  # questions before the first that counts
_SETTINGS = ("EBBING_", "YOURMEMORY_", "MEM0_", "DATABASE_URL", "PYTHONPATH", "QDRANT_", "GRAPH_BACKEND")


class PeerEnded(Exception):
    """A memory's process ended without an answer."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """How often: in each round every memory is asked, and then told, so many times in a row."""

    rounds: int = 6
    calls: int = 5


@dataclass(slots=True)
class Timed:
    """What one memory took at one size."""

    name: str
    version: str = ""
    notes: Sequence[str] = ()
    seconds: dict[str, list[float]] = field(default_factory=lambda: {operation: [] for operation in OPERATIONS})
    returned: list[int] = field(default_factory=list)
    ended: str = ""  # why it was not measured to the end

    def milliseconds(self, operation: str) -> Spread:
        return Spread.of([1000 * seconds for seconds in self.seconds[operation]])


class Peer:
    """A memory's process: asked on a line, answering on a line."""

    def __init__(self, name: str, command: Sequence[str], folder: Path) -> None:
        self.name = name
        self.folder = folder
        folder.mkdir(parents=True)
        self._stderr = (folder / "stderr.txt").open("w+", encoding="utf-8")
        # Nobody's settings and nobody's home: what is measured is what a first user gets.
        settings = {key: value for key, value in os.environ.items() if not key.startswith(_SETTINGS)}
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            text=True,
            encoding="utf-8",
            cwd=_ROOT,
            env=settings | {"HOME": str(folder)},
        )

    def ask(self, do: str, **given: Any) -> dict[str, Any]:
        """One request, and its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **given}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise PeerEnded(self._last_words()) from None
        line = self._process.stdout.readline()
        if not line:
            raise PeerEnded(self._last_words())
        told: dict[str, Any] = json.loads(line)
        return told

    def _last_words(self) -> str:
        self._process.wait()
        self._stderr.seek(0)
        said = [line.strip() for line in self._stderr if line.strip()]
        return said[-1] if said else f"it ended with {self._process.returncode} and said nothing"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()
        self._stderr.close()


Tell = Callable[[str, int, int], None]  # (what, done, of how many)


class Contest:
    """Several memories at one size; whoever ends early is left out of what follows, and says why."""

    def __init__(self, peers: Sequence[Peer], corpus: Corpus, often: Rounds, folder: Path, tell: Tell) -> None:
        self.peers = list(peers)
        self.corpus = corpus
        self.often = often
        self.folder = folder
        self.tell = tell
        self.timed = {peer.name: Timed(peer.name) for peer in peers}

    def run(self) -> list[Timed]:
        """What each took, in the order they were given."""
        self.load()
        for question in self.corpus.questions(next(iter(self.corpus.texts)), _WARM):
            for peer in list(self.peers):
                self._ask(peer, "recall", **self._given(question), limit=LIMIT)
        for number in range(self.often.rounds):
            self.tell("measure", number, self.often.rounds)
            self.round(number)
        for peer in list(self.peers):
            self._ask(peer, "close")
        return list(self.timed.values())

    def load(self) -> None:
        """Everything there is, for one owner, out of one pair of files."""
        texts = [text for several in self.corpus.texts.values() for text in several]
        files = {"texts": self.folder / "texts.json", "vectors": self.folder / "vectors.npy"}
        files["texts"].write_text(json.dumps(texts), "utf-8")
        np.save(files["vectors"], wide(self.corpus.embed(texts)))
        for peer in list(self.peers):
            self.tell(f"load {peer.name}", 0, 1)
            opened = self._ask(peer, "open", folder=str(peer.folder), owner=OWNER, dimensions=WIDTH)
            loaded = self._ask(peer, "load", **{name: str(file) for name, file in files.items()})
            timed = self.timed[peer.name]
            timed.version, timed.notes = opened.get("version", ""), opened.get("notes", ())
            if not timed.ended and loaded["count"] != len(texts):
                self._drop(peer, f"{len(texts)} texts were to be loaded, and it holds {loaded['count']}")

    def round(self, number: int) -> None:
        """The same questions and then the same new texts to each, another one going first each time."""
        questions = self.corpus.questions(next(iter(self.corpus.texts)), self.often.calls)
        requests = {
            "recall": [self._given(question) | {"limit": LIMIT} for question in questions],
            "add": [self._given(text) for text in statements(self.corpus, self.often.calls)],
        }
        for operation in OPERATIONS:
            for peer in turned(self.peers, number):
                for request in requests[operation]:
                    told = self._ask(peer, operation, **request)
                    if not told:
                        break
                    self.timed[peer.name].seconds[operation].append(told["seconds"])
                    if operation == "recall":
                        self.timed[peer.name].returned.append(len(told["texts"]))

    def _given(self, text: str) -> dict[str, Any]:
        return {"text": text, "vector": wide(self.corpus.embed([text]))[0].tolist()}

    def _ask(self, peer: Peer, do: str, **given: Any) -> Mapping[str, Any]:
        """An answer; an empty one from whoever is out."""
        if peer not in self.peers:
            return {}
        try:
            return peer.ask(do, **given)
        except PeerEnded as ended:
            self._drop(peer, f"while asked to {do}: {ended}")
            return {}

    def _drop(self, peer: Peer, why: str) -> None:
        self.peers.remove(peer)
        self.timed[peer.name].ended = why


def turned(peers: Sequence[Peer], number: int) -> Iterator[Peer]:
    """All of them, beginning with another one each time; a copy, so that one may leave meanwhile."""
    first = number % max(1, len(peers))
    yield from [*peers[first:], *peers[:first]]


def statements(corpus: Corpus, count: int) -> list[str]:
    """Texts nobody has seen yet and nobody could take for questions."""
    found: list[str] = []
    while len(found) < count:
        found += [text for text in corpus.more(count - len(found)) if not text.startswith(_ASKING)]
    return found


def wide(vectors: Vectors) -> Vectors:
    """The same directions and cosines in as many dimensions as the widest peer insists on."""
    return np.pad(vectors, ((0, 0), (0, WIDTH - DIMENSIONS)))
