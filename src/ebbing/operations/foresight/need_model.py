"""How fast the need for memories falls, from idle intervals (here: silences). Pure arithmetic.

A recall gap is not a life. How soon a memory is used again says how often it is used, not for how long it will be
needed: one asked for daily for a week has short gaps and a short life, one asked for each spring has long ones and a
long life. Uses divided by days of exposure, the obvious estimate, measures the first and would forget the second.
What forgetting needs to know is another quantity:

    N(t)    the chance that a memory is used on some later day, after t days of silence.

Take the curve at its word and this is what strength says: it begins at some height and falls as e^(−k·t) with
k = λ(1 − 0.8·I), and a threshold is the chance of being needed below which keeping is not worth it. So we ask which
λ makes N(t) = N₀·e^(−k·t) true of the history. The height N₀ is left free: importance and recalls speak for it.

That one assumption fixes the law of the gaps. Let S(t) be the chance that a silence outlasts t days. A share S(∞) of
them never ends, so N(t) = (S(t) − S(∞)) / S(t), and solved for S

    S(t) = (1 − N₀) / (1 − N₀·e^(−k·t)),        P(used after exactly t days) = S(t−1) − S(t).

A picture of it: a memory just used has a geometric number of needs ahead (N₀ is the chance of one more), each waits
for an exponential time with rate k, and the gap is the wait for the first of them. The chance per day of being
used, k·N/(1−N), falls like 1/t at first: daily and yearly memories side by side do not disturb it, and λ is read off
where returns cease. Silences that have not ended count with S(until), and one that was watched only from a day on
with its chance given S(since): this is how what was put away, or is still silent, is not taken for unneeded.

N₀ differs between categories, and between what was just written and what was just recalled; each has its own, and all
are maximised away (given λ they are independent of each other). What is left has one number, the `pace`: how many
times faster than the published rates. Its interval is where the profile likelihood has not dropped far from its top.
The silences of one memory resemble each other, which a likelihood does not know; so the allowed drop is scaled by the
variance of the score, summed memory by memory, over what the likelihood believes it to be. That only ever widens the
interval.

Checked by simulation (tests/lives/test_fit.py): where the law holds, the intervals cover as they should; where it does
not (uses at rates that differ between memories, until the need ends), N₀·e^(−k·t) still follows the true N(t).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .idle_intervals import IdleInterval

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_PACE_LEAST: Final = 1 / 500  # slower than this is never, within anybody's history
_PACE_MOST: Final = 20.0  # faster than this is gone by tomorrow, whatever the category
_LOG_LEAST: Final = float(np.log(_PACE_LEAST))
_LOG_MOST: Final = float(np.log(_PACE_MOST))
_CHI_SQUARE_90: Final = 2.7055  # one degree of freedom
_CHI_SQUARE_99: Final = 6.6349
_LOGIT_MOST: Final = 9.0  # a chance of 0.9999: nobody's history tells it from 1
_STEP: Final = 0.05  # in the logarithm of the pace, for derivatives
_BEND: Final = 1.25  # by how much the exponent is varied to see whether another shape fits better


@dataclass(frozen=True)
class Table:
    """Silences in columns; alike ones stand in one row with their count."""

    rate: Floats  # published, times 1 − 0.8·importance
    since: Floats
    until: Floats
    used: Floats  # 1 where a use ended it
    group: Ints  # those of one group share the chance N₀
    count: Floats
    row_of: Ints  # for each silence, its row …
    memory_of: Ints  # … and its memory


@dataclass(frozen=True)
class Estimate:
    """The pace that makes the history most likely, and between which two it is with 90 %."""

    pace: float
    low: float
    high: float
    returning: Floats  # N₀ of each group
    bend: float  # the exponent of t that would fit better; 1 where none does

    @property
    def is_informative(self) -> bool:
        """Whether the history says anything: the best pace is not simply an end of the search."""
        return _PACE_LEAST * 1.01 < self.pace < _PACE_MOST / 1.01

    @property
    def open_low(self) -> bool:
        return self.low < _PACE_LEAST * 1.01

    @property
    def open_high(self) -> bool:
        return self.high > _PACE_MOST / 1.01


class _Top(NamedTuple):
    """The likelihood at one pace, with every N₀ at its best."""

    total: float
    rows: Floats  # the logarithm for one silence of each row
    logits: Floats  # of N₀


def tabulate(intervals: Sequence[IdleInterval], rates: Sequence[float], groups: Sequence[int]) -> Table:
    """The silences with the rate and the group of each."""
    numbers = {id_: number for number, id_ in enumerate({interval.memory.id: None for interval in intervals})}
    columns = [(s.since, s.until, s.used) for s in intervals]
    # A rate to one part in a thousand: enough, and alike silences become one row.
    rounded = [float(f"{rate:.3g}") for rate in rates]
    every = np.column_stack([rounded, groups, np.array(columns, dtype=np.float64)])
    rows, row_of, count = np.unique(every, axis=0, return_inverse=True, return_counts=True)
    rate, group, since, until, used = rows.T
    return Table(
        rate=rate,
        since=since,
        until=until,
        used=used,
        group=group.astype(np.intp),
        count=count.astype(np.float64),
        row_of=row_of.ravel(),
        memory_of=np.array([numbers[s.memory.id] for s in intervals], dtype=np.intp),
    )


def estimate(table: Table, *, shape: bool = False) -> Estimate:
    """The pace and its interval; with `shape`, also whether a curve that is no exponential would fit better."""
    best, top = _peak(partial(_top, table), _LOG_LEAST, _LOG_MOST, looks=25)
    widening = _widening(table, best, top)
    floor = top.total - _CHI_SQUARE_90 / 2 * widening

    def stands(log_pace: float) -> bool:
        return _top(table, log_pace).total >= floor

    return Estimate(
        pace=float(np.exp(best)),
        low=float(np.exp(_edge(stands, best, _LOG_LEAST))),
        high=float(np.exp(_edge(stands, best, _LOG_MOST))),
        returning=1 / (1 + np.exp(-top.logits)),
        bend=_bend(table, best, top, widening) if shape else 1.0,
    )


def _top(table: Table, log_pace: float, bend: float = 1.0) -> _Top:
    """Newton's method for the logit of each group's N₀, all groups at once, kept between bounds that close in.

    The likelihood is concave in that logit for silences watched from their beginning, and need not be for others.
    """
    speed = table.rate * np.exp(log_pace)
    fall_before = (speed * (table.until - 1)) ** bend
    fall = (speed * table.until) ** bend
    # What is left of N₀ when watching began, on the day before the last, and on the last.
    began, before, last = np.exp(-((speed * table.since) ** bend)), np.exp(-fall_before), np.exp(-fall)
    used = table.used
    size = int(table.group.max()) + 1
    logits, lowest, highest = np.zeros(size), np.full(size, -_LOGIT_MOST), np.full(size, _LOGIT_MOST)
    for _ in range(50):
        chance = (1 / (1 + np.exp(-logits)))[table.group]
        (slope_a, bow_a), (slope_b, bow_b), (slope_c, bow_c) = (_pull(chance, q) for q in (began, before, last))
        slope = used * (1 - chance + slope_b) + slope_c - slope_a
        bow = used * (-chance * (1 - chance) + bow_b) + bow_c - bow_a
        slopes = np.bincount(table.group, table.count * slope, size)
        bows = np.minimum(np.bincount(table.group, table.count * bow, size), -1e-9)
        lowest, highest = np.where(slopes > 0, logits, lowest), np.where(slopes > 0, highest, logits)
        moved = logits - slopes / bows
        moved = np.where((lowest <= moved) & (moved <= highest), moved, (lowest + highest) / 2)
        settled = np.abs(moved - logits).max() < 1e-6
        logits = moved
        if settled:
            break
    chance = (1 / (1 + np.exp(-logits)))[table.group]
    ended = np.log(chance) - fall_before + np.log(-np.expm1(fall_before - fall)) - np.log1p(-chance * before)
    rows = np.log1p(-chance * began) - np.log1p(-chance * last) + used * ended
    return _Top(float(table.count @ rows), rows, logits)


def _pull(chance: Floats, left: Floats) -> tuple[Floats, Floats]:
    """The first and second derivatives of −log(1 − N₀·left) by the logit of N₀."""
    rest = 1 - chance * left
    slope = chance * (1 - chance) * left / rest
    return slope, slope * (1 - 2 * chance + chance * chance * left) / rest


def _widening(table: Table, best: float, top: _Top) -> float:
    """How much more the score varies from memory to memory than independent silences would make it; never below 1.

    Along the profile every N₀ follows the pace, so a difference along it is the score with the N₀ already allowed for.
    """
    above, below = _top(table, best + _STEP), _top(table, best - _STEP)
    believed = -(above.total - 2 * top.total + below.total) / _STEP**2
    scores = ((above.rows - below.rows) / (2 * _STEP))[table.row_of]
    by_memory = np.bincount(table.memory_of, scores)
    if believed <= 0 or len(by_memory) < 2:
        return 1.0
    varies = float(by_memory @ by_memory) * len(by_memory) / (len(by_memory) - 1)
    return max(1.0, varies / believed)


def _bend(table: Table, best: float, top: _Top, widening: float) -> float:
    """The exponent β with which e^(−(k·t)^β) fits clearly better than e^(−k·t); 1 where none does."""
    found, height = 1.0, top.total
    for factor in (1 / _BEND, _BEND):
        bend = factor
        while 0.3 < bend < 3.5:
            _, bent = _peak(partial(_top, table, bend=bend), best - 1.5, best + 1.5, looks=5)
            if bent.total <= height:
                break
            found, height = bend, bent.total
            bend *= factor
    return found if 2 * (height - top.total) / widening > _CHI_SQUARE_99 else 1.0


def _peak(height: Callable[[float], _Top], low: float, high: float, looks: int) -> tuple[float, _Top]:
    """Where a function is highest: a look at evenly spaced places, then the golden section around the best."""
    places = np.linspace(low, high, looks)
    middle = int(np.argmax([height(float(place)).total for place in places]))
    left, right = float(places[max(middle - 1, 0)]), float(places[min(middle + 1, looks - 1)])
    golden = (5**0.5 - 1) / 2
    one, other = right - golden * (right - left), left + golden * (right - left)
    at_one, at_other = height(one), height(other)
    while right - left > 1e-3:
        if at_one.total > at_other.total:
            right, other, at_other = other, one, at_one
            one = right - golden * (right - left)
            at_one = height(one)
        else:
            left, one, at_one = one, other, at_other
            other = left + golden * (right - left)
            at_other = height(other)
    return (one, at_one) if at_one.total > at_other.total else (other, at_other)


def _edge(stands: Callable[[float], bool], inside: float, outside: float) -> float:
    """Where it ceases to stand between the two; `outside` where it never does."""
    if stands(outside):
        return outside
    while abs(outside - inside) > 1e-3:
        middle = (inside + outside) / 2
        if stands(middle):
            inside = middle
        else:
            outside = middle
    return (inside + outside) / 2
