"""What the numbers of a result mean as a probability: a logistic function of a few of them.

Its coefficients are data (calibration.json), fitted by training/calibrate_recall.py for each judge and embedder that
ships, so that a score means the same with a judge and without one, with vectors and with words alone.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from types import MappingProxyType
from typing import Any

import numpy as np

from .score import Numbers, expit, logit

AVERAGES, READS, WORDS = "averages", "reads", "words"  # an embedder that adds up words, one that reads sentences, none
_ANSWERS_MAX = 7.0  # log odds: beyond, a judge's certainty says no more


@dataclass(frozen=True, slots=True)
class Calibration:
    """The log odds that a memory answers: each number of it by its coefficient."""

    intercept: float = 0.0
    relevance: float = 0.0  # how well words and meaning fit
    answers: float = 0.0  # the log odds that the judge reads
    absent: float = 0.0  # the question names somebody who stands nowhere in the memory
    unknown: float = 0.0  # … and nowhere in anything that was found
    about: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), compare=False)

    def base(self, relevance: Any) -> Numbers:
        """The probability by relevance alone, before a text is read; it rises with it."""
        return expit(self.intercept + self.relevance * np.asarray(relevance))

    def probability(self, relevance: float, answers: float | None, *, absent: bool, unknown: bool) -> float:
        """The probability that a memory answers; `answers` is the judge's reading, where there is one."""
        read = 0.0 if answers is None else float(np.clip(logit(answers), -_ANSWERS_MAX, _ANSWERS_MAX))
        odds = self.intercept + self.relevance * relevance + self.answers * read
        return float(expit(odds + self.absent * absent + self.unknown * unknown))


# A judge that nobody has measured is taken at its word; relevance decides between what it finds alike.
AT_ITS_WORD = Calibration(intercept=-2.0, relevance=4.0, answers=1.0)


def calibration(kind: str, embedder: str | None, judge: str | None) -> Calibration:
    """The one fitted for these two; for an embedder that nobody has measured, that of the same kind."""
    fits = [fit for fit in _fits() if fit.about["judge"] == judge]
    if judge is not None and not fits:
        return AT_ITS_WORD
    same = [fit for fit in fits if fit.about["embedder"] == embedder]
    alike = [fit for fit in fits if fit.about["kind"] == kind]
    return (same or alike or fits)[0]


@functools.cache
def _fits() -> tuple[Calibration, ...]:
    data = json.loads((resources.files(__package__) / "calibration.json").read_text("utf-8"))
    return tuple(Calibration(**row["coefficients"], about=MappingProxyType(row["fitted_for"])) for row in data["fits"])
