"""Throughput: `remember_many` of thousands of turns into a file with the packaged model, and the share of embedding."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import ebbing
from ebbing.ports import Embedder, Vector
from ebbing.providers import make_embedder
from ebbing.testing import FrozenClock

from .measure import Watch
from .remember_figures import HALVES, Line, Tally
from .remember_readers import talk
from .remember_stage import extracts

TITLE = "Throughput of remember_many, into a file, the packaged model embedding"
_TEXTS, _TEXTS_QUICK = 5000, 1000
_ALONE = HALVES[0]  # a time has no halves


class _Timed:
    """A model, and how long it took."""

    def __init__(self, model: Embedder) -> None:
        self.fingerprint = model.fingerprint
        self.averages = bool(getattr(model, "averages", False))
        self._model = model
        self.watch = Watch()

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        with self.watch:
            return self._model.embed(texts, query=query)


def tasks(folder: Path, *, quick: bool) -> list[Callable[[], Tally]]:
    """Whole turns, and facts out of them. Alone in their process, but not on the machine: see the README."""
    count = _TEXTS_QUICK if quick else _TEXTS
    said = [text for some in talk(folder).values() for conversation in some for text in conversation]
    texts = list(dict.fromkeys(said))[:: max(1, len(set(said)) // count)][:count]
    ways = (False, True) if texts and extracts() else (False,)
    return [partial(measure, texts, extract=extract) for extract in ways if texts]


def measure(texts: Sequence[str], *, extract: bool) -> Tally:
    """Remember all of them at once."""
    model = make_embedder("auto")
    if model is None:
        raise SystemExit("this measures the packaged embedder, and there is none")
    model.embed(["loaded before the watch runs"])
    tally, timed, watch = Tally(), _Timed(model), Watch()
    name = "extract=True" if extract else "whole"
    with (
        tempfile.TemporaryDirectory(prefix="ebbing-bench-") as folder,
        ebbing.open(Path(folder) / "memory.db", clock=FrozenClock(), embedder=timed) as engine,
    ):
        engine.sweeper = None
        with watch:
            outcome = engine.remember_many([{"text": text, "extract": extract} for text in texts])
    tally.add(f"{name}/texts", _ALONE, len(texts), len(texts))
    tally.add(f"{name}/memories", _ALONE, len(outcome.memories), len(texts))
    tally.add(f"{name}/seconds", _ALONE, watch.total, len(texts))
    tally.add(f"{name}/embedding", _ALONE, timed.watch.total, len(texts))
    return tally


def lines(tally: Tally) -> list[Line]:
    """Rates first."""
    found = []
    for name in dict.fromkeys(measure.partition("/")[0] for measure, _ in tally.sums):
        found += [
            _quotient(f"{name}: texts a second", f"{name}/texts", f"{name}/seconds", ""),
            _quotient(f"{name}: memories a second", f"{name}/memories", f"{name}/seconds", ""),
            _quotient(f"{name}: of which embedding", f"{name}/embedding", f"{name}/seconds", "%"),
        ]
    return found


def _quotient(label: str, over: str, under: str, unit: str) -> Line:
    def value(tally: Tally, _: str | None) -> float | None:
        above, below = tally.mean(over), tally.mean(under)
        return above / below if above is not None and below else None

    return Line(label, value, over, unit=unit, halves=False)
