"""Spans of time as people write them, and sentences for those that cannot be meant."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing import Invalid
from ebbing.domain.durations import LONGEST, duration, written
from ebbing.domain.memory import LATEST_YEAR, instant
from tests.tables import each_row


@each_row(
    ("text", "span"),
    [
        ("12h", timedelta(hours=12)),
        ("30d", timedelta(days=30)),
        ("2w", timedelta(weeks=2)),
        ("6mo", timedelta(days=180)),
        ("6m", timedelta(days=180)),
        ("1y", timedelta(days=365)),
        ("90min", timedelta(minutes=90)),
        ("45s", timedelta(seconds=45)),
        ("1.5h", timedelta(minutes=90)),
        ("0.5s", timedelta(milliseconds=500)),
        (" 30 d ", timedelta(days=30)),
        ("30D", timedelta(days=30)),
        ("6MO", timedelta(days=180)),
        ("5MIN", timedelta(minutes=5)),
        ("P30D", timedelta(days=30)),
        ("p30d", timedelta(days=30)),
        ("P1Y2M3DT4H", timedelta(days=365 + 60 + 3, hours=4)),
        ("PT90M", timedelta(minutes=90)),
        ("P2W", timedelta(weeks=2)),
        ("P1M", timedelta(days=30)),
        ("PT1M", timedelta(minutes=1)),
        ("PT36H", timedelta(hours=36)),
        ("P0,5D", timedelta(hours=12)),
        ("PT1.5S", timedelta(seconds=1.5)),
        ("P1YT1S", timedelta(days=365, seconds=1)),
        ("1000y", LONGEST),
    ],
)
def test_a_span_is_what_people_mean_by_it(text: str, span: timedelta) -> None:
    """Every form of the spec, and the ways in which people vary them."""
    assert duration(text) == span


def test_six_m_is_six_months_and_never_six_minutes() -> None:
    """The one unit people could take for another; minutes have a word of their own."""
    assert duration("6m") == duration("6mo") == duration("P6M") == timedelta(days=180)
    assert duration("6min") == duration("PT6M") == timedelta(minutes=6)


@each_row(
    "text",
    [
        *("", " ", "30", "d", "30 days", "1h30min", "30x", "-3d", "+3d", "3d4h", "1e3d", ".5d", "1.d", "30 d d"),
        *("P", "PT", "P1", "P1DT", "P30", "PD", "P1D2Y", "P-1D", "PT1H1D", "T1H", "P1H", "P1DT "),
        *("inf", "nan", "never", "30d\x00", "30d;", "٣٠ يوم"),
    ],
)
def test_what_is_no_span_is_told_what_would_be_one(text: str) -> None:
    """The sentence quotes what was given and shows the forms there are."""
    with pytest.raises(Invalid, match="is not understood; write '90min', '12h', '30d'") as caught:
        duration(text)
    assert repr(text) in str(caught.value)
    assert caught.value.code == "invalid"


@each_row("value", [None, 30, 1.5, True, b"30d", ["30d"], {"days": 30}])
def test_a_number_has_no_unit_and_is_refused(value: Any) -> None:
    """Thirty what? A guess would be wrong for somebody."""
    with pytest.raises(Invalid, match="is not text; write one such as '12h'"):
        duration(value)


@each_row("value", ["0d", "0.0h", "P0D", "0.0000001s", timedelta(0), timedelta(days=-1)])
def test_nothing_is_not_a_span(value: str | timedelta) -> None:
    """What lasts no time would forget at once, or never."""
    with pytest.raises(Invalid, match="must be positive"):
        duration(value)


@each_row(
    "value", ["1001y", "9999y", "P9999Y", "99999999999999d", "9" * 400 + "d", timedelta(days=365_001), timedelta.max]
)
def test_a_span_beyond_the_calendar_is_refused_rather_than_overflowing(value: str | timedelta) -> None:
    """`now - span` must always be an instant, whoever computes it."""
    with pytest.raises(Invalid, match="longer than"):
        duration(value)


def test_the_longest_span_and_the_latest_instant_stay_in_the_calendar_together() -> None:
    """The two bounds stand in two modules; this is what they promise each other."""
    latest = instant(f"{LATEST_YEAR}-12-31T23:59:59Z")
    assert (latest + LONGEST).year <= 9999
    assert instant("2026-01-01") - LONGEST


def test_a_span_that_is_one_already_passes_through() -> None:
    """Python callers may say it in Python."""
    assert duration(timedelta(hours=5)) == timedelta(hours=5)


spans = st.timedeltas(min_value=timedelta(microseconds=1), max_value=timedelta(days=365 * 200))


@given(spans)
def test_what_is_written_reads_back(span: timedelta) -> None:
    """Exactly, down to the microsecond."""
    assert duration(written(span)) == span


@given(st.integers(1, 5000), st.sampled_from(["s", "min", "h", "d", "w", "m", "mo", "y"]))
def test_whole_numbers_of_a_unit_add_up(number: int, unit: str) -> None:
    """n units are n times one unit, without the error of a float."""
    one = duration(f"1{unit}")
    if number * one <= LONGEST:
        assert duration(f"{number}{unit}") == number * one


@each_row(
    ("span", "text"),
    [
        (timedelta(days=730), "2y"),
        (timedelta(days=30), "30d"),
        (timedelta(days=14), "2w"),
        (timedelta(hours=36), "36h"),
        (timedelta(minutes=90), "90min"),
        (timedelta(seconds=61), "61s"),
        (timedelta(milliseconds=1500), "1.500000s"),
        (timedelta(microseconds=1), "0.000001s"),
    ],
)
def test_a_span_is_written_in_the_largest_unit_that_says_it_exactly(span: timedelta, text: str) -> None:
    """So that an explanation reads like the policy it explains."""
    assert written(span) == text


@given(st.text(max_size=20))
def test_any_text_at_all_is_a_span_or_one_clear_error(text: str) -> None:
    """No other exception, whatever is typed."""
    with contextlib.suppress(Invalid):
        assert timedelta(0) < duration(text) <= LONGEST
