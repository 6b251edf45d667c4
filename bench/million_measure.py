"""What one owner's operations cost in a large file of many owners, beside the same in a file of its own.

Both files are asked in turn with the same questions and told the same texts, and each goes first every other time.
What the ratio pays for is other people's data: an owner should not feel it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ebbing.engine import Engine
from ebbing.testing import FrozenClock

from .apart import measured_apart
from .measure import Figure, Spread, Watch
from .million_load import KEPT, Files, Progress, opened
from .million_owners import measured, speech
from .operations import OPEN_MS_MAX, Repetitions

RECALL_MAX = 1.5  # times what it is alone
SWEEP_MAX = 3.0
MEMORY_MAX = 1.1  # "not more": a process is never of the very same size twice
EMPTY_SWEEP_MS_MAX = 1.0

_FADING: dict[str, Any] = {"category": "failure", "importance": 0.2}  # archived once the week of grace is over
_DUE_MAX = 1000
_DAYS = 8
_SWEEPS_IN_A_ROW = 10
_QUESTIONS_A_PROCESS = 20


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two files, open."""

    engine: Engine
    watch: Watch


class Measured:
    """The two files of one run."""

    def __init__(self, files: Files, size: int, measured_count: int, often: Repetitions, tell: Progress) -> None:
        self.files = files
        self.size = size
        self.often = often
        self.tell = tell
        self.owner = measured(measured_count)
        self.corpus = self.owner.corpus(speech())
        self.due = min(_DUE_MAX, measured_count // 2)
        self.clock = FrozenClock()
        self.engines = [opened(file, self.owner.name, self.corpus, self.clock) for file in files]
        self.figures: list[Figure] = []
        self.asked = self.answered_alike = 0

    def run(self) -> list[Figure]:
        """Every figure, in the order of the table."""
        for step in (self.add, self.recall, self.sweep):
            self.tell(step.__name__, 0, 1)
            step()
        for engine in self.engines:
            engine.close()
        self.tell("open", 0, 1)
        self.processes()
        return self.figures

    def add(self) -> None:
        among, alone = self._sides()
        for place, text in enumerate(self.corpus.more(self.often.adds)):
            for side in _in_turn(among, alone, place):
                with side.watch:
                    side.engine.remember(text, **KEPT)
        self._timed("add one, durable", among, alone)

    def recall(self) -> None:
        for question in self.corpus.questions(self.owner.name, 3):
            for engine in self.engines:
                engine.recall(question)
        for reinforce in (True, False):
            among, alone = self._sides()
            for place, question in enumerate(self.corpus.questions(self.owner.name, self.often.recalls)):
                found = []
                for side in _in_turn(among, alone, place):
                    with side.watch:
                        answer = side.engine.recall(question, reinforce=reinforce, session=f"session-{place}")
                    side.engine.deferred.wait(self.owner.name)  # else the other side would pay for it
                    found.append([one.memory.text for one in answer])
                self.asked += 1
                self.answered_alike += found[0] == found[1]
            self._timed("recall" + ("" if reinforce else ", reinforce=False"), among, alone, ratio_max=RECALL_MAX)

    def sweep(self) -> None:
        among, alone = self._sides()
        for place in range(self.often.sweeps):
            # Several in a row: the first finds the processor's caches full of the other file.
            for side in _in_turn(among, alone, place):
                for _ in range(_SWEEPS_IN_A_ROW):
                    with side.watch:
                        _lowered(side.engine, 0)
        self._timed("sweep, nothing due", among, alone, most=EMPTY_SWEEP_MS_MAX)
        self._timed("sweep, nothing due, beside alone", among, alone, ratio_max=SWEEP_MAX)
        self._due()

    def _due(self) -> None:
        """Sweep, and bring back what it put away, as often as it takes."""
        fading = [{"text": text, **_FADING} for text in self.corpus.more(self.due)]
        # Each day something is of use, and never one of those: a question might find one, and keep it from fading.
        of_use = [engine.list(limit=1)[0].id for engine in self.engines]
        for engine in self.engines:
            engine.remember_many(fading)
        for _ in range(_DAYS):
            self.clock.advance(days=1)
            for engine, id_ in zip(self.engines, of_use, strict=True):
                engine.used(id_)
        among, alone = self._sides()
        for place in range(self.often.sweeps):
            for side in _in_turn(among, alone, place):
                with side.watch:
                    batch = _lowered(side.engine, self.due)
                side.engine.restore(batch=batch)
            # What was brought back is left alone for a while.
            self.clock.advance(days=self.engines[0].policy.time.restored_grace.days)
        self._timed(f"sweep, {self.due} due", among, alone, ratio_max=SWEEP_MAX)

    def processes(self) -> None:
        """What only a fresh process shows; the two files take turns."""
        first, *more = self.corpus.questions(self.owner.name, _QUESTIONS_A_PROCESS)
        given = {
            "owner": self.owner.name,
            "now": self.clock.now().isoformat(),
            "question": first,
            "more_questions": more,
            "vector": self.corpus.embed([first])[0].tolist(),
            "fingerprint": self.corpus.fingerprint,
        }
        # The first process to come finds alarms that another policy set, and sets them again beside the caller.
        for file in self.files:
            measured_apart("ebbing", {**given, "address": str(file)})
        told: dict[Path, list[dict[str, float]]] = {file: [] for file in self.files}
        for _ in range(self.often.processes):
            for file, answers in told.items():
                answers.append(measured_apart("ebbing", {**given, "address": str(file)}))
        for name, key, unit, ratio_max, most in (
            ("open, import excluded", "open_ms", "ms", None, OPEN_MS_MAX),
            ("first recall of a process", "first_recall_ms", "ms", None, None),
            (f"resident memory, {_QUESTIONS_A_PROCESS} recalls", "resident_mb", "MB", None, None),
            ("… without pages of the file", "own_mb", "MB", MEMORY_MAX, None),
        ):
            among, alone = (Spread.of([answer[key] for answer in told[file]]) for file in self.files)
            self._figure(name, among, alone, unit=unit, ratio_max=ratio_max, most=most)

    def _sides(self) -> tuple[Side, Side]:
        among, alone = (Side(engine, Watch()) for engine in self.engines)
        return among, alone

    def _timed(
        self, name: str, among: Side, alone: Side, *, ratio_max: float | None = None, most: float | None = None
    ) -> None:
        self._figure(name, among.watch.milliseconds(), alone.watch.milliseconds(), ratio_max=ratio_max, most=most)

    def _figure(
        self,
        name: str,
        among: Spread,
        alone: Spread,
        *,
        unit: str = "ms",
        ratio_max: float | None = None,
        most: float | None = None,
    ) -> None:
        self.figures.append(Figure("sqlite", self.size, name, unit, among, alone, ratio_max=ratio_max, most=most))


def _in_turn(among: Side, alone: Side, place: int) -> Iterator[Side]:
    yield from (among, alone) if place % 2 else (alone, among)


def _lowered(engine: Engine, due: int) -> str | None:
    """Sweep; tells the batch, if it is as large as it should be."""
    swept = engine.sweep()
    if len(swept.actions) != due:
        raise RuntimeError(f"{due} were due, and {len(swept.actions)} were lowered")
    return swept.batch
