"""Whether a newer text tells a quantity anew that an older one told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ebbing.text.quantities import retold
from tests.tables import each_row


@each_row(
    ("older", "newer"),
    [
        ("The response time of the dashboard API is 300 ms.", "The dashboard API response time improved to 250 ms."),
        ("My budget for the kitchen is $500, what fits?", "With my increased kitchen budget of $650, what fits?"),
        ("I visit the dentist in town at 3 PM.", "I had to reschedule: the dentist in town sees me at 4 PM."),
        ("The release of the mobile app is on May 3.", "The mobile app release has been moved to May 10."),
        ("Our team has five developers in Porto.", "Our team in Porto has grown to seven developers."),
    ],
)
def test_a_changed_number_of_the_same_thing_is_told_anew(older: str, newer: str) -> None:
    assert retold(older, newer) >= 2


@each_row(
    ("older", "newer"),
    [
        ("The API takes 300 ms.", "The API takes 250 ms."),  # no word of change
        ("The API takes 300 ms.", "The API now takes 300 ms."),  # no change
        ("The API takes 300 ms.", "The new API has 12 endpoints."),  # of something else
        ("I like tea.", "I now like 3 teas."),  # nothing was told before
        ("The API takes 300 ms.", "I moved to Munich."),
    ],
)
def test_what_is_the_same_or_of_something_else_is_not(older: str, newer: str) -> None:
    assert retold(older, newer) == 0


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_breaks_it(older: str, newer: str) -> None:
    assert retold(older, newer) >= 0
