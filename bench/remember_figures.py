"""What is counted on the way in: sums by measure and group, the line a measure becomes, and the target it is held to.

The groups are mostly halves. Every second case of each data set, counted from its first, is there to be looked at while
rules are written (`even`); the others are only measured (`odd`). A figure that holds on the first alone was learned by
heart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

HALVES = ("even", "odd")


def half(place: int) -> str:
    """Which half the case at this place of its file is in."""
    return HALVES[place % 2]


@dataclass(slots=True)
class Tally:
    """Sums and counts by measure and group, so that parts measured apart can be added up; and single cases, told."""

    sums: dict[tuple[str, str], tuple[float, int]] = field(default_factory=dict)
    cases: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, measure: str, which: str, value: float, count: int = 1) -> None:
        """So much more of a measure, over so many more."""
        so_far, counted = self.sums.get((measure, which), (0.0, 0))
        self.sums[measure, which] = (so_far + float(value), counted + count)

    def mean(self, measure: str, which: str | None = None) -> float | None:
        """Of one group, or of everything; None where there is nothing."""
        count = self.count(measure, which)
        return sum(self._of(measure, which, 0)) / count if count else None

    def count(self, measure: str, which: str | None = None) -> int:
        """Over how many."""
        return int(sum(self._of(measure, which, 1)))

    def __iadd__(self, other: Tally) -> Self:
        for (measure, which), (value, count) in other.sums.items():
            self.add(measure, which, value, count)
        self.cases += other.cases
        self.notes += [note for note in other.notes if note not in self.notes]
        return self

    def _of(self, measure: str, which: str | None, place: Literal[0, 1]) -> list[float]:
        return [sums[place] for (name, one), sums in self.sums.items() if name == measure and which in (None, one)]


def total(tallies: Iterable[Tally]) -> Tally:
    """All of them as one."""
    result = Tally()
    for tally in tallies:
        result += tally
    return result


@dataclass(frozen=True, slots=True)
class Target:
    """At most or at least so much."""

    bound: Literal["≤", "≥", ">"]
    value: float

    def met(self, value: float) -> bool:
        if self.bound == "≤":
            return value <= self.value
        return value >= self.value if self.bound == "≥" else value > self.value

    def told(self, unit: str) -> str:
        return f"{self.bound} {written(self.value, unit)}"


Value = Callable[[Tally, str | None], float | None]


@dataclass(frozen=True, slots=True)
class Line:
    """One measure in a table: what is called how, in what unit, beside what, held to what."""

    label: str
    value: Value
    counted: str  # the measure whose count is told
    target: Target | None = None
    beside: str = ""
    unit: str = "%"
    halves: bool = True  # a time has none

    def by_group(self, tally: Tally, groups: Sequence[str] = HALVES) -> dict[str, float | None]:
        """The value of each group."""
        return {which: self.value(tally, which) if self.halves else None for which in groups}

    def met(self, tally: Tally) -> bool | None:
        """Whether the target is met; None when there is none, or nothing to hold to it."""
        value = self.value(tally, None)
        return self.target.met(value) if self.target and value is not None else None

    def plain(self, tally: Tally, groups: Sequence[str] = HALVES) -> dict[str, Any]:
        """As JSON types."""
        return {
            "name": self.label,
            "value": self.value(tally, None),
            **self.by_group(tally, groups),
            "of": tally.count(self.counted),
            "unit": self.unit,
            "beside": self.beside or None,
            "target": self.target.told(self.unit) if self.target else None,
            "met": self.met(tally),
        }


def share(label: str, measure: str, target: Target | None = None, *, beside: str = "", unit: str = "%") -> Line:
    """The line of a measure that is its mean."""
    return Line(label, lambda tally, which: tally.mean(measure, which), measure, target, beside, unit)


def harmonic(label: str, precision: str, recall: str, target: Target | None = None, *, beside: str = "") -> Line:
    """The line of F1 out of the two."""

    def value(tally: Tally, which: str | None) -> float | None:
        both = tally.mean(precision, which), tally.mean(recall, which)
        if both[0] is None or both[1] is None:
            return None
        return 2 * both[0] * both[1] / (both[0] + both[1]) if both[0] + both[1] else 0.0

    return Line(label, value, recall, target, beside)


def written(value: float | None, unit: str) -> str:
    """A figure as it stands in a table."""
    if value is None:
        return "–"
    if unit == "%":
        return f"{value:.1%}".replace("%", " %")
    return f"{value:,.0f}{unit}" if value >= 100 else f"{value:.3g}{unit}"
