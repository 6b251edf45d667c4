"""The curves: golden values worked out from the formulas of the spec, and what must hold for any memory.

The literals come from 40-digit arithmetic on the spec's formulas, not from this code.
"""

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ebbing.strength import (
    CURVES,
    Curve,
    Ebbinghaus,
    HalfLife,
    Linear,
    Number,
    Power,
    Relevance,
    Stretched,
    Trace,
)
from tests.tables import each_row

ALL_CURVES: list[Curve] = [
    Ebbinghaus(),
    Ebbinghaus(rate=0.005, importance_shield=0.95, recall_effect=0.0),
    HalfLife(),
    HalfLife(half_life_days=0.25),
    Linear(),
    Linear(half_life_days=10, floor=0.0, recall_effect=0.5, recall_effect_limit=0.6),
    Relevance(),
    Relevance(age_share=0.1, recall_share=0.0, idle_share=0.9, weight_share=0.0, age_half_days=2),
    Stretched(),
    Stretched(rate=0.4, importance_effect=0.0, exponent=1.2),
    Stretched(rate=0.01, importance_effect=3.0, exponent=2.0),
    Power(),
    Power(scale_days=20, exponent=2.0),
]

shares = st.floats(0.0, 1.0)
days = st.floats(0.0, 1000.0)
counts = st.integers(0, 50)
curves = st.sampled_from(ALL_CURVES)
anything = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def traces(draw: st.DrawFn, importance: st.SearchStrategy[float] = shares) -> Trace:
    idle_days = draw(days)
    age_days = idle_days + draw(days)
    return Trace(draw(importance), idle_days, age_days, draw(counts), weight=draw(shares), level=draw(shares))


def stacked(many: list[Trace], stride: int = 1) -> Trace:
    """Many traces, or every `stride`th, as one trace of arrays."""
    return Trace(*np.array([dataclasses.astuple(trace) for trace in many]).T[:, ::stride])


def listed(found: Number) -> list[Any]:
    """What an array of answers holds."""
    assert isinstance(found, np.ndarray)
    assert found.dtype == np.float64
    assert found.flags.writeable  # an answer is the caller's own
    return list(found.tolist())


@each_row(
    ("curve", "trace", "strength"),
    [
        (Ebbinghaus(), Trace(), 0.5),
        (Ebbinghaus(), Trace(importance=0.5, idle_days=10), 0.191446442987556),
        (Ebbinghaus(), Trace(importance=0.5, idle_days=10, recalls=3), 0.3063143087800896),
        (Ebbinghaus(), Trace(importance=1.0, idle_days=30), 0.382892885975112),
        (Ebbinghaus(), Trace(importance=0.2, idle_days=0.5, recalls=12), 0.6358055630794331),
        (Ebbinghaus(), Trace(importance=0.9, recalls=1), 1.0),
        (Ebbinghaus(rate=0.35), Trace(importance=0.6, idle_days=7, recalls=2), 0.2349568527194249),
        (Ebbinghaus(rate=0), Trace(importance=0.7, idle_days=1000), 0.7),
        (HalfLife(), Trace(importance=0.8, idle_days=30), 0.4),
        (HalfLife(), Trace(importance=0.5, idle_days=45, recalls=9), 0.1767766952966369),
        (HalfLife(half_life_days=7), Trace(importance=0.6, idle_days=10), 0.2228991433705423),
        (Linear(), Trace(idle_days=180), 0.5),
        (Linear(), Trace(idle_days=1000), 0.1),
        (Linear(), Trace(idle_days=180, recalls=1), 0.5693147180559945),
        (Linear(), Trace(idle_days=180, recalls=5), 0.6791759469228055),
        (Linear(), Trace(idle_days=180, recalls=100), 0.8),
        (Linear(), Trace(idle_days=1000, recalls=3), 0.2386294361119891),
        (Linear(), Trace(idle_days=10, recalls=4), 1.0),
        (Linear(half_life_days=10, floor=0.25), Trace(idle_days=12, recalls=2), 0.509861228866811),
        (Relevance(), Trace(), 0.6),
        (Relevance(), Trace(idle_days=7, age_days=30), 0.35),
        (Relevance(), Trace(idle_days=14, age_days=90, recalls=4, weight=0.7), 0.4016666666666667),
        (Relevance(), Trace(idle_days=100, age_days=365, recalls=25, weight=1.0), 0.535868922276115),
        (Relevance(), Trace(idle_days=10, recalls=1, weight=0.3), 0.3973529411764706),
        (Stretched(), Trace(importance=0.5, idle_days=10), 0.6820209013973483),
        (Stretched(), Trace(importance=0.5, idle_days=10, level=0.6), 0.409212540838409),
        (Stretched(), Trace(importance=1.0, idle_days=100), 0.2311809748465884),
        (Stretched(), Trace(importance=0.0, idle_days=30), 0.2188241034817812),
        (Stretched(exponent=1.2), Trace(importance=0.3, idle_days=20, level=0.9), 0.06064156179997514),
        (Stretched(0.25, 2.0), Trace(importance=0.4, idle_days=5, level=0.8), 0.5324724229211405),
        (Power(), Trace(importance=0.5, idle_days=3), 0.25),
        (Power(), Trace(importance=0.9, idle_days=99), 0.09),
        (Power(scale_days=10, exponent=1.5), Trace(importance=0.8, idle_days=30), 0.1),
    ],
)
def test_strength_is_what_the_formula_says(curve: Curve, trace: Trace, strength: float) -> None:
    found = curve.strength(trace)
    assert type(found) is float
    assert found == pytest.approx(strength, rel=1e-13)


@each_row(
    ("curve", "trace", "threshold", "left"),
    [
        (Ebbinghaus(), Trace(importance=0.5), 0.15, 12.541383378395167),
        (Ebbinghaus(), Trace(importance=0.5, idle_days=10, recalls=3), 0.05, 18.881132523331055),
        (HalfLife(), Trace(importance=0.8, idle_days=12), 0.2, 48.0),
        (HalfLife(), Trace(importance=0.5), 0.05, 99.65784284662087),
        (Linear(), Trace(), 0.3, 252.0),
        (Linear(), Trace(idle_days=20, recalls=4), 0.5, 217.9397648476276),
        (Relevance(), Trace(weight=0.5), 0.2, 77.79729111356585),
        (Relevance(), Trace(idle_days=14, age_days=60, recalls=2, weight=0.7), 0.3, 32.16861365402362),
        (Relevance(), Trace(weight=0.0), 1e-10, 103999999973.09615),  # far out, where one root form cancels
        (Relevance(), Trace(age_days=1e9, weight=0.0), 0.1, 7.000001260000067),  # and where the other does
        (Stretched(), Trace(importance=0.5), 0.3, 41.89911960194203),
        (Power(), Trace(importance=0.5, idle_days=9), 0.05, 90.0),
    ],
)
def test_days_until_is_the_inverse(curve: Curve, trace: Trace, threshold: float, left: float) -> None:
    found = curve.days_until(trace, threshold)
    assert type(found) is float
    assert found == pytest.approx(left, rel=1e-12)


@each_row(
    ("level", "recent", "raised"),
    [(0.5, 0, 0.6), (0.5, 10, 0.5367879441171442), (0.9, 3, 0.9148163644136344), (1.0, 5, 1.0)],
)
def test_an_access_raises_less_the_more_there_were(level: float, recent: int, raised: float) -> None:
    found = Stretched().raised(level, recent)
    assert type(found) is float
    assert found == pytest.approx(raised, rel=1e-13)


@given(level=shares, fewer=counts, more=counts)
def test_a_raised_level_is_never_lower_and_never_above_one(level: float, fewer: int, more: int) -> None:
    fewer, more = sorted((fewer, more))
    after_fewer, after_more = listed(Stretched().raised(level, np.array([fewer, more])))
    assert level <= after_more <= after_fewer <= 1.0


def test_age_is_idleness_unless_it_is_given() -> None:
    assert Trace(idle_days=12).age_days == 12
    assert Trace(idle_days=12, age_days=40).age_days == 40
    assert Relevance().strength(Trace(idle_days=12)) == Relevance().strength(Trace(idle_days=12, age_days=12))


@given(curve=curves, trace=traces(), more_days=days)
def test_strength_never_rises_with_time(curve: Curve, trace: Trace, more_days: float) -> None:
    assert curve.strength(trace.later(more_days)) <= curve.strength(trace) + 1e-12


@given(
    curve=curves,
    fields=st.fixed_dictionaries({each.name: anything for each in dataclasses.fields(Trace)}),
    threshold=anything,
)
def test_any_finite_input_gives_a_strength_from_0_to_1_and_a_time_from_0_on(
    curve: Curve, fields: dict[str, float], threshold: float
) -> None:
    """Out of range, huge or tiny: never NaN, never a warning."""
    trace = Trace(**fields)
    assert 0.0 <= curve.lowest(trace) <= curve.strength(trace) <= 1.0
    assert curve.days_until(trace, threshold) >= 0.0


@each_row("days_idle", [1e300, math.inf])
@each_row("curve", [Ebbinghaus(rate=0), Stretched(rate=0, exponent=1.2)])
def test_a_rate_of_zero_outlasts_any_time(curve: Curve, days_idle: float) -> None:
    assert curve.strength(Trace(importance=0.7, level=0.7, idle_days=days_idle)) == 0.7


def test_recalls_beyond_counting_do_not_revive_what_is_gone() -> None:
    assert Ebbinghaus(recall_effect=1e10).strength(Trace(idle_days=1e6, recalls=10**400)) == 0.0


@given(curve=curves, trace=traces(importance=st.floats(0.05, 1.0)), position=st.floats(0.01, 1.0))
def test_the_inverse_is_an_inverse(curve: Curve, trace: Trace, position: float) -> None:
    """Equal to the threshold at the returned time, kept just before it, below it just after."""
    now, lowest = float(curve.strength(trace)), float(curve.lowest(trace))
    assume(now - lowest > 1e-9 * now > 1e-200)
    threshold = lowest + position * (now - lowest)
    left = float(curve.days_until(trace, threshold))
    a_moment = 1e-6 * (float(trace.idle_days) + left) + 1e-4
    assert math.isfinite(left)
    assert curve.strength(trace.later(left)) == pytest.approx(threshold, rel=1e-9)
    assert left < a_moment or curve.strength(trace.later(left - a_moment)) >= threshold
    assert curve.strength(trace.later(left + a_moment)) < threshold


@given(curve=curves, trace=traces(), threshold=st.floats(-0.5, 0.0) | st.floats(1e-9, 1.5))
def test_never_means_that_the_lowest_is_not_below(curve: Curve, trace: Trace, threshold: float) -> None:
    """Not asked for 1e-160: the power law gets there after more days than a float can hold."""
    never = curve.days_until(trace, threshold) == math.inf
    assert never == (curve.lowest(trace) >= threshold)


@given(curve=curves, trace=traces())
def test_strength_approaches_the_lowest(curve: Curve, trace: Trace) -> None:
    assert curve.strength(trace.later(1e14)) == pytest.approx(curve.lowest(trace), abs=1e-6)


@each_row(
    ("curve", "trace", "lowest"),
    [
        (Ebbinghaus(), Trace(importance=1.0, recalls=9), 0.0),
        (Ebbinghaus(rate=0), Trace(importance=0.5, recalls=3), 0.8),
        (Ebbinghaus(rate=0), Trace(importance=0.9, recalls=3), 1.0),
        (Ebbinghaus(importance_shield=1.0), Trace(importance=1.0), 1.0),
        (HalfLife(), Trace(importance=1.0), 0.0),
        (Linear(), Trace(importance=0.0), 0.1),
        (Linear(), Trace(recalls=3), 0.2386294361119891),
        (Linear(), Trace(recalls=1000), 0.4),
        (Linear(floor=0.9), Trace(recalls=1000), 1.0),
        (Relevance(), Trace(weight=1.0), 0.2),
        (Relevance(), Trace(weight=0.5, recalls=5), 0.25),
        (Stretched(), Trace(importance=1.0), 0.0),
        (Stretched(rate=0), Trace(level=0.4), 0.4),
        (Power(), Trace(importance=1.0), 0.0),
    ],
)
def test_the_lowest_is_what_the_formula_tends_to(curve: Curve, trace: Trace, lowest: float) -> None:
    found = curve.lowest(trace)
    assert type(found) is float
    assert found == pytest.approx(lowest, rel=1e-13)
    assert found == 0.0 or curve.days_until(trace, found) == math.inf
    assert found == 1.0 or curve.days_until(trace, math.nextafter(found, 1.0) + 1e-12) < math.inf


@given(curve=curves, trace=traces(), ahead=st.floats(0.001, 1e6))
def test_a_trace_from_the_future_is_a_fresh_one(curve: Curve, trace: Trace, ahead: float) -> None:
    future = dataclasses.replace(trace, idle_days=-ahead, age_days=-ahead)
    fresh = dataclasses.replace(trace, idle_days=0.0, age_days=0.0)
    assert curve.strength(future) == curve.strength(fresh)
    assert curve.days_until(future, 0.2) == curve.days_until(fresh, 0.2)


def test_values_out_of_range_count_as_the_nearest_in_range_one_by_one_and_in_arrays() -> None:
    wild = [2.0, -3.0, -1.0, -4.0, 7.0, -1.0]
    tame = Trace(1.0, 0.0, 0.0, 0, 1.0, 0.0)
    assert Trace(*wild) == tame
    assert vars(Trace(*(np.array([value]) for value in wild))) == vars(tame)


@each_row(
    ("curve", "trace", "threshold"),
    [
        (Ebbinghaus(rate=0), Trace(importance=0.5), 0.5),
        (Linear(), Trace(idle_days=1000), 0.1),
        (Relevance(idle_share=0.0, age_share=0.0), Trace(weight=1.0), 0.2),
        (Stretched(rate=0), Trace(level=0.3), 0.3),
    ],
)
def test_equal_is_kept_for_ever_where_nothing_fades(curve: Curve, trace: Trace, threshold: float) -> None:
    assert curve.strength(trace) == threshold
    assert curve.days_until(trace, threshold) == math.inf
    assert curve.days_until(trace, math.nextafter(threshold, 1.0)) == 0.0


def test_full_strength_is_kept_as_long_as_recalls_hold_it_at_the_cap() -> None:
    """0.9 · (1 + 0.2·3) = 1.44: it is ln(1.44)/(0.16·0.28) days above 1 before it starts to show."""
    trace = Trace(importance=0.9, recalls=3)
    assert Ebbinghaus().days_until(trace, 1.0) == pytest.approx(8.139355214015832, rel=1e-12)
    assert Ebbinghaus().strength(trace.later(8.13)) == 1.0
    assert Ebbinghaus().strength(trace.later(8.15)) < 1.0


@given(curve=curves, trace=traces(), threshold=st.floats(0.0, 2.0))
def test_what_is_below_already_has_no_days_left(curve: Curve, trace: Trace, threshold: float) -> None:
    assume(curve.strength(trace) < threshold)
    assert curve.days_until(trace, threshold) == 0.0


@pytest.mark.parametrize("name", ["importance", "recalls", "weight", "level"])
@given(curve=curves, trace=traces(), more=st.floats(0.0, 1.0))
def test_more_of_what_strengthens_never_weakens(name: str, curve: Curve, trace: Trace, more: float) -> None:
    stronger = dataclasses.replace(trace, **{name: getattr(trace, name) + more})
    assert curve.strength(stronger) >= curve.strength(trace) - 1e-12
    assert curve.days_until(stronger, 0.2) >= curve.days_until(trace, 0.2) * (1 - 1e-9) - 1e-9


@given(
    curve=curves,
    many=st.lists(st.tuples(traces(), st.floats(-0.1, 1.1)), min_size=1, max_size=40),
    stride=st.sampled_from([1, 3]),
)
def test_one_memory_and_many_get_exactly_the_same_numbers(
    curve: Curve, many: list[tuple[Trace, float]], stride: int
) -> None:
    """Explaining reads one, ranking reads an array, perhaps a strided one: no digit may differ."""
    together = stacked([trace for trace, _ in many], stride)
    thresholds = np.array([threshold for _, threshold in many])[::stride]
    one_by_one = many[::stride]
    assert listed(curve.strength(together)) == [curve.strength(trace) for trace, _ in one_by_one]
    assert listed(curve.lowest(together)) == [curve.lowest(trace) for trace, _ in one_by_one]
    assert listed(curve.days_until(together, thresholds)) == [curve.days_until(*each) for each in one_by_one]


@given(many=st.lists(st.tuples(traces(), st.floats(0.0, 2.0)), min_size=1, max_size=20))
def test_each_memory_may_have_the_rate_of_its_category(many: list[tuple[Trace, float]]) -> None:
    together = stacked([trace for trace, _ in many])
    rates = np.array([rate for _, rate in many])
    for curve in (Ebbinghaus, Stretched):
        strengths, left = curve(rate=rates).strength(together), curve(rate=rates).days_until(together, 0.2)
        assert listed(strengths) == [curve(rate=rate).strength(trace) for trace, rate in many]
        assert listed(left) == [curve(rate=rate).days_until(trace, 0.2) for trace, rate in many]


@each_row("name", [each.name for each in dataclasses.fields(Trace)])
@each_row("curve", ALL_CURVES)
def test_an_array_in_any_field_gives_an_array_of_its_shape(curve: Curve, name: str) -> None:
    """Also where the curve does not read that field: a caller ranks by position."""
    trace = Trace(**{name: np.full((2, 3), 0.5)})
    alone = Trace(**{name: 0.5})
    for many, one in (
        (curve.strength(trace), curve.strength(alone)),
        (curve.lowest(trace), curve.lowest(alone)),
        (curve.days_until(trace, 0.2), curve.days_until(alone, 0.2)),
    ):
        assert listed(many) == [[one] * 3] * 2


def test_fields_and_thresholds_broadcast() -> None:
    trace = Trace(importance=np.array([[0.4], [0.8]]), idle_days=np.array([0.0, 30.0, 60.0]))
    assert listed(HalfLife().strength(trace)) == [[0.4, 0.2, 0.1], [0.8, 0.4, 0.2]]
    left = HalfLife().days_until(Trace(importance=0.8), np.array([0.4, 0.2, 0.9, 0.0]))
    assert listed(left) == [30.0, 60.0, 0.0, math.inf]


def test_whole_numbers_and_short_floats_are_read_at_full_precision() -> None:
    short: Any = np.array([0.25], dtype=np.float32)
    expected = Ebbinghaus(rate=0.25).strength(Trace(importance=0.25, idle_days=10.0, recalls=3))
    assert Ebbinghaus(rate=short).strength(Trace(importance=0.25, idle_days=10.0, recalls=3)) == expected
    assert Ebbinghaus(rate=0.25).strength(Trace(short, np.array([10]), recalls=np.array([3]))) == expected


@each_row(
    ("curve", "parameters", "sentence"),
    [
        (Ebbinghaus, {"rate": -0.1}, "Ebbinghaus.rate is -0.1; it must be a number of 0 or more"),
        (Ebbinghaus, {"rate": math.nan}, "Ebbinghaus.rate is nan; it must be a number of 0 or more"),
        (Ebbinghaus, {"rate": math.inf}, "Ebbinghaus.rate is inf; it must be a number of 0 or more"),
        (Ebbinghaus, {"rate": "fast"}, "Ebbinghaus.rate is 'fast'; it must be a number of 0 or more"),
        (Ebbinghaus, {"rate": np.array([0.1, -2.0])}, "Ebbinghaus.rate is -2; it must be"),
        (Ebbinghaus, {"importance_shield": 1.1}, "importance_shield is 1.1; it must be a number from 0 to 1"),
        (HalfLife, {"half_life_days": 0}, "HalfLife.half_life_days is 0; it must be a number above 0"),
        (Linear, {"floor": 1.5}, "Linear.floor is 1.5; it must be a number from 0 to 1"),
        (Relevance, {"age_half_days": 0}, "Relevance.age_half_days is 0; it must be a number above 0"),
        (Relevance, {"age_share": 0.5}, "four shares add up to 1.2; they must add up to 1 or less"),
        (Stretched, {"rate": -1}, "Stretched.rate is -1; it must be a number of 0 or more"),
        (Stretched, {"exponent": 0}, "Stretched.exponent is 0; it must be a number above 0"),
        (Power, {"scale_days": 0}, "Power.scale_days is 0; it must be a number above 0"),
        (Power, {"exponent": -0.5}, "Power.exponent is -0.5; it must be a number above 0"),
    ],
)
def test_a_nonsense_parameter_is_refused_with_what_would_be_right(
    curve: Callable[..., Curve], parameters: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ValueError) as refusal:
        curve(**parameters)
    assert sentence in str(refusal.value)


@each_row("threshold", [math.nan, math.inf, -math.inf, np.array([0.1, math.nan])])
@each_row("curve", ALL_CURVES)
def test_a_threshold_that_is_no_finite_number_is_refused(curve: Curve, threshold: Number) -> None:
    with pytest.raises(ValueError, match=r"threshold is (nan|-?inf); it must be a finite number"):
        curve.days_until(Trace(), threshold)


def test_names_and_parameters_are_those_of_the_spec() -> None:
    assert list(CURVES) == ["ebbinghaus", "half_life", "linear", "relevance", "stretched", "power"]
    assert list(CURVES.values()) == [Ebbinghaus, HalfLife, Linear, Relevance, Stretched, Power]
    assert Ebbinghaus() == Ebbinghaus(0.16)
    assert HalfLife() == HalfLife(30)
    assert Linear() == Linear(180, 0.1)
    assert Stretched() == Stretched(0.1, 1.0, 0.8)
    assert Power() == Power(1.0, 0.5)
    assert Trace() == Trace(0.5, 0.0, None, 0, 0.5, 1.0)


@each_row("value", [Trace(), *(curve() for curve in CURVES.values())])
def test_traces_and_curves_are_frozen_and_can_be_keys(value: Any) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, dataclasses.fields(value)[0].name, 0.9)
    assert {value: "kept"}[dataclasses.replace(value)] == "kept"
