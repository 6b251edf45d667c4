"""How strong a memory is at a moment, and when it will fall to a given strength.

Pure arithmetic: no clock, no I/O, nothing written back. Time arrives as days of *use*
(clock.py), so a holiday ages nothing. Each curve is one line of maths, what it tends to,
and that line solved for time; written once for one memory (floats in, a float out) and
for many (arrays in, an array out), so ranking, sweeping and explaining cannot disagree.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from math import inf
from typing import Annotated, Any, Final, Protocol, cast, get_args

import numpy as np
from numpy.typing import NDArray

Number = float | NDArray[np.float64]  # one memory's value, or one per memory; arrays broadcast
_LARGEST: Final = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Trace:
    """What a curve needs to know of a memory, or of many at once.

    Brought into range here, so no curve needs a guard: one from the future is a fresh one, for good.
    """

    importance: Number = 0.5  # 0..1, the memory's own value
    idle_days: Number = 0.0  # since it was last recalled, or made
    age_days: Number | None = None  # since it was made; idle_days when not given
    recalls: Number = 0  # how often it was recalled
    weight: Number = 0.5  # 0..1, its category's value; only `Relevance` reads it
    level: Number = 1.0  # 0..1, the height it fades from; only `Stretched` reads it

    def __post_init__(self) -> None:
        if self.age_days is None:
            object.__setattr__(self, "age_days", self.idle_days)
        for name, value in vars(self).items():
            highest = 1.0 if name in ("importance", "weight", "level") else _LARGEST
            object.__setattr__(self, name, _within(value, highest))

    def later(self, days: Number) -> "Trace":
        """The same memory after that many more days in which nobody recalled it."""
        return replace(self, idle_days=self.idle_days + days, age_days=cast(Number, self.age_days) + days)


class Curve(Protocol):
    """A way to fade. Never rises with time, never leaves 0..1."""

    def strength(self, trace: Trace) -> Number:
        """How strong the memory is now."""

    def days_until(self, trace: Trace, threshold: Number) -> Number:
        """How many more idle days until strength falls strictly below the threshold.

        That is the last moment it is kept: strength equals the threshold there, up to rounding, and
        is less any later. 0 if below already; infinity if never: where `lowest(trace) >= threshold`.
        """

    def lowest(self, trace: Trace) -> Number:
        """What strength tends to if nobody recalls the memory again (its greatest lower bound)."""


@dataclass(frozen=True)
class _Rule:
    """What a parameter must be, in words and in numbers; finite in any case."""

    words: str
    low: float = -inf
    high: float = inf

    def checked(self, name: str, value: Number) -> Number:
        """`value` if it follows the rule everywhere, otherwise a ValueError with both."""
        values = np.asarray(value)
        if values.dtype.kind not in "iuf":
            raise ValueError(f"{name} is {value!r}; it must be {self.words}")
        wrong = ~(np.isfinite(values) & (values >= self.low) & (values <= self.high))
        if wrong.any():
            raise ValueError(f"{name} is {values[wrong].flat[0]:g}; it must be {self.words}")
        return values.astype(np.float64, copy=False) if values.ndim else float(values)


_Amount = Annotated[Number, _Rule("a number of 0 or more", low=0.0)]
_Scale = Annotated[Number, _Rule("a number above 0", low=5e-324)]  # the least there is above 0
_Share = Annotated[Number, _Rule("a number from 0 to 1", low=0.0, high=1.0)]


@dataclass(frozen=True)
class _Fading(ABC):
    """What all curves share: parameters checked once, bounds, and the answers "already" and "never".

    A curve gives its formula (`_raw`, capped here), what that tends to, and the idle days at which
    it meets a threshold, read only where `_limit < threshold <= _raw`. A parameter may be an array,
    so that one call ranks many categories; such a curve can be used but not compared or hashed.
    """

    def __post_init__(self) -> None:
        for each in fields(self):
            rule: _Rule = get_args(each.type)[-1]  # a type, not a string: no `__future__` annotations here
            checked = rule.checked(f"{type(self).__name__}.{each.name}", getattr(self, each.name))
            object.__setattr__(self, each.name, checked)

    @abstractmethod
    def _raw(self, trace: Trace) -> Number: ...

    def _limit(self, trace: Trace) -> Number:
        return np.zeros_like(trace.importance)

    @abstractmethod
    def _crossing(self, trace: Trace, threshold: Number) -> Number: ...

    def strength(self, trace: Trace) -> Number:
        with np.errstate(over="ignore", under="ignore"):  # e^-huge is 0, which is the answer
            return _answer(np.minimum(1.0, self._raw(trace)), trace)

    def lowest(self, trace: Trace) -> Number:
        with np.errstate(over="ignore", under="ignore"):
            return _answer(np.minimum(1.0, self._limit(trace)), trace)

    def days_until(self, trace: Trace, threshold: Number) -> Number:
        threshold = np.asarray(_Rule("a finite number").checked("threshold", threshold))
        below, reached = self.strength(trace) < threshold, self.lowest(trace) < threshold
        with np.errstate(all="ignore"):  # solved for all, read only where there is a solution
            days = np.fmax(0.0, self._crossing(trace, threshold) - trace.idle_days)  # NaN (overflow): due now
        return _answer(np.where(below, 0.0, np.where(reached, days, inf)), trace)


@dataclass(frozen=True)
class Ebbinghaus(_Fading):
    """I · e^(−λ(1−0.8·I)·t) · (1 + 0.2·n): important memories fade slower, recalled ones stand higher."""

    rate: _Amount = 0.16  # λ per day; 0 never fades
    importance_shield: _Share = 0.8  # how much of the rate full importance takes away
    recall_effect: _Amount = 0.2  # gained with each recall

    def _height(self, trace: Trace) -> Number:
        # Kept finite: an infinite height times a fade of 0 would be NaN.
        return trace.importance * np.minimum(1.0 + self.recall_effect * trace.recalls, _LARGEST)

    def _speed(self, trace: Trace) -> Number:
        return self.rate * (1.0 - self.importance_shield * trace.importance)

    def _raw(self, trace: Trace) -> Number:
        return self._height(trace) * np.exp(-self._speed(trace) * trace.idle_days)

    def _limit(self, trace: Trace) -> Number:
        return np.where(np.greater(self._speed(trace), 0.0), 0.0, self._height(trace))

    def _crossing(self, trace: Trace, threshold: Number) -> Number:
        return np.log(self._height(trace) / threshold) / self._speed(trace)


@dataclass(frozen=True)
class HalfLife(_Fading):
    """I · 0.5^(t/h): half is gone every h days, whatever the memory."""

    half_life_days: _Scale = 30.0

    def _raw(self, trace: Trace) -> Number:
        return trace.importance * np.exp2(-(trace.idle_days / self.half_life_days))

    def _crossing(self, trace: Trace, threshold: Number) -> Number:
        return self.half_life_days * np.log2(trace.importance / threshold)


@dataclass(frozen=True)
class Linear(_Fading):
    """max(0.1, 1 − t/(2h)) + min(0.3, 0.1·ln(1+n)): a straight line to a floor; importance plays no part."""

    half_life_days: _Scale = 180.0
    floor: _Share = 0.1  # of a memory never recalled; recalls stand on top of it
    recall_effect: _Amount = 0.1  # per e-fold of recalls
    recall_effect_limit: _Share = 0.3

    def _boost(self, trace: Trace) -> Number:
        return np.minimum(self.recall_effect_limit, self.recall_effect * np.log1p(trace.recalls))

    def _raw(self, trace: Trace) -> Number:
        return np.maximum(self.floor, 1.0 - trace.idle_days / self.half_life_days / 2.0) + self._boost(trace)

    def _limit(self, trace: Trace) -> Number:
        return self.floor + self._boost(trace)

    def _crossing(self, trace: Trace, threshold: Number) -> Number:
        return self.half_life_days * (2.0 * (1.0 + self._boost(trace) - threshold))


@dataclass(frozen=True)
class Relevance(_Fading):
    """0.3/(1+a/30) + 0.3·min(n/10, 1) + 0.2/(1+t/7) + 0.2·weight: the young, the used, the fresh."""

    age_share: _Share = 0.3
    recall_share: _Share = 0.3
    idle_share: _Share = 0.2
    weight_share: _Share = 0.2
    age_half_days: _Scale = 30.0  # the age that halves its share
    idle_half_days: _Scale = 7.0  # the idleness that halves its share
    full_recalls: _Scale = 10.0  # the recalls that earn all of their share

    def __post_init__(self) -> None:
        super().__post_init__()
        total = np.max(self.age_share + self.recall_share + self.idle_share + self.weight_share)
        if total > 1.0 + 1e-9:  # four shares meant to make 1 may round to a hair above it
            raise ValueError(f"Relevance's four shares add up to {total:g}; they must add up to 1 or less")

    def _fading_parts(self, trace: Trace) -> tuple[Number, Number]:
        age = self.age_share / (1.0 + cast(Number, trace.age_days) / self.age_half_days)
        return age, self.idle_share / (1.0 + trace.idle_days / self.idle_half_days)

    def _raw(self, trace: Trace) -> Number:
        age, idle = self._fading_parts(trace)
        return age + idle + self._limit(trace)

    def _limit(self, trace: Trace) -> Number:
        recalled = self.recall_share * np.minimum(trace.recalls / self.full_recalls, 1.0)
        return recalled + self.weight_share * trace.weight

    def _crossing(self, trace: Trace, threshold: Number) -> Number:
        # In d days the two parts fade to age/(1 + d/x) and idle/(1 + d/y), which with z = d/y and r = y/x
        # add up to `rest` at the one positive root of
        #     rest·r·z² + (rest·(1 + r) − age − idle·r)·z − (age + idle − rest) = 0.
        # hypot keeps it from overflowing, the sign of the middle term picks the form that does not cancel.
        age, idle = self._fading_parts(trace)
        rest = threshold - self._limit(trace)
        gap = np.maximum(0.0, age + idle - rest)
        y = self.idle_half_days + trace.idle_days
        r = y / (self.age_half_days + cast(Number, trace.age_days))
        middle = rest * (1.0 + r) - age - idle * r
        root = np.hypot(middle, 2.0 * np.sqrt(rest * r * gap))
        z = np.where(middle > 0.0, 2.0 * gap / (middle + root), (root - middle) / (2.0 * rest * r))
        return trace.idle_days + y * z


@dataclass(frozen=True)
class Stretched(_Fading):
    """v · exp(−λ₀·e^(−μI)·t^β): below β = 1 the tail is long, above it the fall is sudden."""

    rate: _Amount = 0.1  # λ₀; 0 never fades
    importance_effect: _Amount = 1.0  # μ: importance 1 divides the rate by e^μ
    exponent: _Scale = 0.8  # β: 0.8 for long-term memories, 1.2 for short-term ones
    access_gain: _Share = 0.2  # of what is missing to full level, per access
    crowding_accesses: _Scale = 10.0  # recent accesses that divide the gain by e
    recent_days: _Scale = 7.0  # in which the caller of `raised` counts accesses

    def raised(self, level: Number, recent_accesses: Number) -> Number:
        """The level after an access: v + 0.2(1−v)·e^(−k/10), so that cramming teaches less than spacing.

        v is the strength just before, what is left of the last level; k are the recent accesses before this one.
        """
        level, recent_accesses = _within(level, 1.0), _within(recent_accesses, _LARGEST)
        with np.errstate(over="ignore", under="ignore"):
            gain = self.access_gain * (1.0 - level) * np.exp(-(recent_accesses / self.crowding_accesses))
        return _answer(np.minimum(1.0, level + gain))

    def _speed(self, trace: Trace) -> Number:
        return self.rate * np.exp(-self.importance_effect * trace.importance)

    def _raw(self, trace: Trace) -> Number:
        # Kept finite: a rate of 0 times an infinite time would be NaN.
        stretched_time = np.minimum(np.power(trace.idle_days, self.exponent), _LARGEST)
        return trace.level * np.exp(-self._speed(trace) * stretched_time)

    def _limit(self, trace: Trace) -> Number:
        return np.where(np.greater(self._speed(trace), 0.0), 0.0, trace.level)

    def _crossing(self, trace: Trace, threshold: Number) -> Number:
        return np.power(np.log(trace.level / threshold) / self._speed(trace), 1.0 / self.exponent)


@dataclass(frozen=True)
class Power(_Fading):
    """I · (1 + t/s)^(−e): the law of long memory; it loses much at first and little afterwards."""

    scale_days: _Scale = 1.0  # s, the days after which fading sets in
    exponent: _Scale = 0.5  # e

    def _raw(self, trace: Trace) -> Number:
        return trace.importance * np.power(1.0 + trace.idle_days / self.scale_days, -self.exponent)

    def _crossing(self, trace: Trace, threshold: Number) -> Number:
        return self.scale_days * np.expm1(np.log(trace.importance / threshold) / self.exponent)


CURVES: Final[dict[str, type[Any]]] = {  # by the names that policies use
    "ebbinghaus": Ebbinghaus,
    "half_life": HalfLife,
    "linear": Linear,
    "relevance": Relevance,
    "stretched": Stretched,
    "power": Power,
}


def _within(value: Number, highest: float) -> Number:
    if isinstance(value, (int, float)):  # many times quicker than numpy for one memory
        return min(max(value, 0.0), highest)
    # Not np.clip, which takes as long as all the rest of a curve.
    return np.minimum(np.maximum(np.asarray(value, dtype=np.float64), 0.0), highest)


def _answer(values: Number, trace: Trace | None = None) -> Number:
    """A float if all that came in were, else one value per memory, even if the curve read no array."""
    shape = np.broadcast(values, *(vars(trace).values() if trace is not None else ())).shape
    if not shape:
        return float(values)
    whole = isinstance(values, np.ndarray) and values.shape == shape
    return values if whole else np.array(np.broadcast_to(values, shape))
