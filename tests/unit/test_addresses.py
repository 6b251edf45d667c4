"""The address of a statement: whose, and what of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ebbing.reading.addresses import address
from tests.tables import each_row


@each_row(
    ("text", "found"),
    [
        ("I live in Berlin", ("user", "lives")),
        ("My phone number is 555-1234", ("user", "phone number")),
        ("Anna works at Google", ("Anna", "works")),
        ("The deadline of the billing project is Friday", ("deadline of the billing project", "date")),
        ("Tom's manager is Anna", ("tom", "manager")),
        ("The capital of France is Paris", ("France", "capital")),
        ("My name is Anna", ("user", "name")),
        ("I am 34 years old", ("user", "how old")),
        ("The staging database is on port 5432", ("staging database", "port")),
        ("I work as a nurse", ("user", "works as")),
        ("My editor is Vim", ("user", "editor")),
    ],
)
def test_the_one_value_of_one_thing_has_an_address(text: str, found: tuple[str, str]) -> None:
    assert address(text) == found


@each_row(
    "text",
    [
        "I like tea",
        "I speak German",
        "I no longer live in Berlin",
        "I lived in Berlin in 2019",
        "I might live in Berlin",
        "If it rains, the meeting is in Berlin",
        "Thanks a lot!",
        "Where do I live?",
        "I live in Berlin and Anna lives in Rome",
        "I'm using Flask 2.3.1",
        "DevOps prefers managed services over self-hosted",
        "The number of outcomes is 3",
        "The server is down",
        "The deadline is Friday",
        "The day was full of love",
        "I am on page 200",
        "Kim and Ben are 74",
        "I have a deadline of April 1 for the first sprint, which covers the layout",
        "I've set a goal to read 3 books",
    ],
)
def test_what_has_many_values_or_only_perhaps_holds_has_none(text: str) -> None:
    assert address(text) is None


@given(st.text(max_size=80))
def test_no_text_breaks_it(text: str) -> None:
    assert address(text) is None or all(address(text) or ())
