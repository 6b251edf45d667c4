"""Stopwatches, and figures: a product's number beside its floor's, with the target it is held to."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self


class Watch:
    """Times each `with` block."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._since = 0.0

    def __enter__(self) -> Self:
        self._since = time.perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.seconds.append(time.perf_counter() - self._since)

    @property
    def total(self) -> float:
        return sum(self.seconds)

    def milliseconds(self) -> Spread:
        return Spread.of([1000 * seconds for seconds in self.seconds])


@dataclass(frozen=True, slots=True)
class Spread:
    """Many measurements of one thing: the middle one, and one that only a twentieth exceeds."""

    p50: float
    p95: float
    count: int = 1

    @classmethod
    def of(cls, samples: list[float]) -> Spread:
        ordered = sorted(samples)
        last = len(ordered) - 1
        return cls(ordered[last // 2], ordered[min(last, round(0.95 * last))], len(ordered))

    @classmethod
    def once(cls, value: float) -> Spread:
        return cls(value, value)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement of one store at one size."""

    store: str
    size: int
    name: str
    unit: str  # ms, rows/s, texts/s, B, MB or packages
    product: Spread
    floor: Spread | None = None
    against: str = ""  # what the floor is
    ratio_max: float | None = None  # the target: at most so many times the floor …
    most: float | None = None  # … or at most so much …
    least: float | None = None  # … or at least

    @property
    def ratio(self) -> float | None:
        """How many times its floor the product costs; above 1 is worse, for rates too."""
        if self.floor is None or not self.floor.p50 or not self.product.p50:
            return None
        quotient = self.product.p50 / self.floor.p50
        return 1 / quotient if self.unit.endswith("/s") else quotient

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None when there is none."""
        if self.most is not None:
            return self.product.p50 <= self.most
        if self.least is not None:
            return self.product.p50 >= self.least
        if self.ratio_max is None or self.ratio is None:
            return None
        return self.ratio <= self.ratio_max

    @property
    def target(self) -> str:
        if self.most is not None:
            return f"≤ {self.most:g} {self.unit}"
        if self.least is not None:
            return f"≥ {self.least:g} {self.unit}"
        return "" if self.ratio_max is None else f"≤ {self.ratio_max:g}×"

    def plain(self) -> dict[str, Any]:
        """As JSON types."""
        spread = {"p50": self.product.p50, "p95": self.product.p95, "count": self.product.count}
        floor = None if self.floor is None else {"p50": self.floor.p50, "p95": self.floor.p95, "of": self.against}
        return {
            "store": self.store,
            "size": self.size,
            "name": self.name,
            "unit": self.unit,
            "product": spread,
            "floor": floor,
            "ratio": self.ratio,
            "target": self.target or None,
            "met": self.met,
        }


@dataclass(slots=True)
class Pair:
    """Two stopwatches whose blocks alternate, so that the machine's noise hits both alike."""

    product: Watch = field(default_factory=Watch)
    floor: Watch = field(default_factory=Watch)
