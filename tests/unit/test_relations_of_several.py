"""Of some relations a thing has several at once, whatever a data set says of them: nothing is retired by them."""

from __future__ import annotations

import pytest

from ebbing.reading.claims import conflict


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Rome is famous for Trastevere", "Rome is famous for Testaccio"),
        ("Anna is associated with Harbor Labs", "Anna is associated with Tide House"),
        ("Anna is affiliated with Harbor Labs", "Anna is affiliated with Tide House"),
        ("Anna is a citizen of Italy", "Anna is a citizen of Canada"),
        ("Anna was educated at Harbor School", "Anna was educated at Tide College"),
        ("The song was performed by Anna Berg", "The song was performed by Ben Moss"),
        ("The match was broadcast by Radio One", "The match was broadcast by Radio Two"),
    ],
)
def test_a_second_one_does_not_retire_the_first(older: str, newer: str) -> None:
    """A benchmark counts these as one value at a time; people have two passports and songs have two singers."""
    assert conflict(older, newer) is None


@pytest.mark.parametrize(
    ("older", "newer"),
    [("Anna lives in Rome", "Anna lives in Oslo now"), ("Anna plays for Harbor FC", "Anna plays for Tide FC now")],
)
def test_what_there_is_one_of_still_changes(older: str, newer: str) -> None:
    """The rows above would hold as well if nothing were ever read."""
    assert conflict(older, newer) is not None
