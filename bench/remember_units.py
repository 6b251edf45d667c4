"""Decomposition: the facts that `extract` finds in a text, matched one to one to the claims that people found in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import ebbing
from ebbing.testing import FrozenClock

from .remember_figures import Line, Tally, Target, half, harmonic, share
from .remember_metrics import matched, sentences
from .remember_readers import Claimed, claimed
from .remember_stage import extractor

TITLE = "Decomposition: matched to people's claims one to one, by the F1 of their words"
_QUICK = 20  # texts of each
_CHUNK = 50
_EBBING, _PLAIN = "Ebbing", "sentences"


def tasks(folder: Path, *, quick: bool) -> list[Callable[[], Tally]]:
    """Some texts each."""
    return [
        partial(measure, name, texts[start : start + _CHUNK], start)
        for name, some in claimed(folder).items()
        for texts in [some[:_QUICK] if quick else some]
        for start in range(0, len(texts), _CHUNK)
    ]


def measure(name: str, texts: Sequence[Claimed], first: int) -> Tally:
    """Take every text apart, by the engine and at its full stops."""
    tally = Tally()
    with ebbing.open(":memory:", clock=FrozenClock(), embedder=None) as engine:
        extract = extractor(engine)
        if extract is None:
            tally.notes.append("this engine has no extract() yet: the plain sentence splitter stands alone")
        for place, one in enumerate(texts, first):
            plain = sentences(one.text)
            _count(tally, f"{name}/{_PLAIN}", half(place), plain, one, len(plain))
            if extract is not None:
                found = extract(one.text)
                _count(tally, f"{name}/{_EBBING}", half(place), found, one, len(plain))
                case = {"section": "units", "corpus": name, "half": half(place), "text": one.text}
                tally.cases.append(case | {"found": found, "claims": one.claims})
    return tally


def _count(tally: Tally, prefix: str, which: str, found: Sequence[str], one: Claimed, sentence_count: int) -> None:
    shared = matched(found, one.claims)
    tally.add(f"{prefix}/precision", which, shared, len(found))
    tally.add(f"{prefix}/recall", which, shared, len(one.claims))
    tally.add(f"{prefix}/a sentence", which, len(found), sentence_count)
    tally.add(f"{prefix}/claims a sentence", which, len(one.claims), sentence_count)


def lines(tally: Tally) -> list[Line]:
    """The engine beside the splitter; the target is to be clearly above it."""
    found: list[Line] = []
    for name in dict.fromkeys(measure.partition("/")[0] for measure, _ in tally.sums):
        ours, plain = f"{name}/{_EBBING}", f"{name}/{_PLAIN}"
        splitter = harmonic("", f"{plain}/precision", f"{plain}/recall").value(tally, None) or 0.0
        if tally.count(f"{ours}/recall"):
            beside = f"sentence splitter {splitter:.1%}".replace("%", " %")
            target = Target(">", splitter)
            found += [
                harmonic(f"{name}: F1", f"{ours}/precision", f"{ours}/recall", target, beside=beside),
                share(f"{name}: precision", f"{ours}/precision", beside=_beside(tally, f"{plain}/precision")),
                share(f"{name}: recall", f"{ours}/recall", beside=_beside(tally, f"{plain}/recall")),
                share(
                    f"{name}: facts a sentence",
                    f"{ours}/a sentence",
                    beside=f"claims {tally.mean(f'{plain}/claims a sentence') or 0:.2f}",
                    unit="",
                ),
            ]
        else:
            found += [
                harmonic(f"{name}, sentence splitter: F1", f"{plain}/precision", f"{plain}/recall"),
                share(f"{name}, sentence splitter: precision", f"{plain}/precision"),
                share(f"{name}, sentence splitter: recall", f"{plain}/recall"),
                share(f"{name}: claims a sentence", f"{plain}/claims a sentence", unit=""),
            ]
    return found


def _beside(tally: Tally, measure: str) -> str:
    return f"sentence splitter {tally.mean(measure) or 0.0:.1%}".replace("%", " %")
