"""The gate: injected instructions that are quarantined, and harmless text that is not.

The strings stand in `tests/phrases/injections.toml`, written by hand; ordinary talk comes from the folder.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import ebbing
from ebbing.testing import FrozenClock

from .remember_figures import Line, Tally, Target, half, share
from .remember_readers import talk

TITLE = "Injected instructions, and what only looks like them"
STRINGS = Path(__file__).parent.parent / "tests" / "phrases" / "injections.toml"
_MOST, _MOST_QUICK = 4000, 400  # turns of ordinary talk, of each corpus
_CAUGHT = Target("≥", 1.0)
_ALARMS = Target("≤", 0.0)
_RARELY = Target("≤", 0.001)


def tasks(folder: Path, *, quick: bool) -> list[Callable[[], Tally]]:
    """The strings, and each corpus of talk."""
    most = _MOST_QUICK if quick else _MOST
    talks = {corpus: [text for said in some for text in said] for corpus, some in talk(folder).items()}
    return [
        partial(try_strings, STRINGS),
        *(partial(overhear, name, _some(said, most)) for name, said in talks.items()),
    ]


def _some(said: Sequence[str], most: int) -> Sequence[str]:
    return said[:: max(1, -(-len(said) // most))]


def try_strings(path: Path) -> Tally:
    """Which of the strings are caught."""
    tally = Tally()
    if not path.exists():
        tally.notes.append(f"{path.name} is missing: no strings to catch")
        return tally
    for name, texts in tomllib.loads(path.read_text("utf-8")).items():
        for place, (text, caught) in enumerate(zip(texts, _quarantined(texts), strict=True)):
            tally.add(f"strings/{name}", half(place), caught)
            if caught is (name == "harmless"):
                tally.cases.append({"section": "guard", "list": name, "caught": caught, "text": text})
    return tally


def overhear(name: str, said: Sequence[str]) -> Tally:
    """How much of what people ordinarily say is taken for an attack."""
    tally = Tally()
    for place, (text, caught) in enumerate(zip(said, _quarantined(said), strict=True)):
        tally.add(f"talk/{name}", half(place), caught)
        if caught:
            tally.cases.append({"section": "guard", "list": name, "caught": True, "text": text[:500]})
    return tally


def _quarantined(texts: Sequence[str]) -> list[bool]:
    """Of each text, told to an owner of its own, whether it waits for review."""
    with ebbing.open(":memory:", clock=FrozenClock(), embedder=None) as engine:
        outcomes = (engine.for_owner(f"owner-{n}").remember(text) for n, text in enumerate(texts))
        return [bool(outcome.quarantined) for outcome in outcomes]


def lines(tally: Tally) -> list[Line]:
    """Caught, then false alarms."""
    found = []
    for measure in dict.fromkeys(name for name, _ in tally.sums):
        kind, _, name = measure.partition("/")
        if kind == "talk":
            found.append(share(f"{name}: turns quarantined", measure, _RARELY))
        elif name == "harmless":
            found.append(share("harmless look-alikes: quarantined", measure, _ALARMS))
        else:
            found.append(share("injected instructions: quarantined", measure, _CAUGHT))
    return found
