"""Things of one kind that are told apart by a number or a letter never replace each other."""

from __future__ import annotations

from ebbing.text.paraphrase import about_different_things
from tests.tables import each_row


@each_row(
    "first, second, different",
    [
        ("Lamp 17 is red", "Lamp 18 is green", True),
        ("Boiler A was serviced in May", "Boiler B was replaced", True),
        ("T-302: export prints a blank page. Open.", "T-301 is fixed in 8.4.1", True),
        ("The room 4 is free on Mondays", "Room 5 is taken from now on", True),
        ("lamp 17 is red", "Lamp 17 is green", False),
        ("The budget is 50", "The budget is 60", False),
        ("We have 12 seats", "We have 14 seats now", False),
        ("Lamp 17 is red", "Bulb 18 is green", False),
        ("I live in Berlin", "I moved to Munich", False),
    ],
)
def test_numbers_and_letters_tell_things_apart(first: str, second: str, different: bool) -> None:
    """A judge that reads fluently still takes lamp 18 for news of lamp 17; this rule never does."""
    assert about_different_things(first, second) is different
