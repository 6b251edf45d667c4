"""The runner of tables: it must never let a row fail unseen, or a thousand phrases would guard nothing."""

from __future__ import annotations

import inspect

import pytest

from tests.tables import each_row


def test_every_row_that_fails_is_reported_and_the_others_are_run() -> None:
    """With its number and its values, whichever way it fails."""
    seen = []

    @each_row("number, word", [(0, "none"), (1, "asserts"), (2, "raises"), (3, "fails"), (4, "none")])
    def check(number: int, word: str) -> None:
        seen.append(number)
        assert word != "asserts"
        if word == "fails":
            pytest.fail("DID NOT RAISE")
        if word == "raises":
            raise KeyError(word)

    with pytest.raises(ExceptionGroup) as raised:
        check()
    assert seen == [0, 1, 2, 3, 4]
    assert [error.__notes__ for error in raised.value.exceptions] == [
        ["row 1: 1, 'asserts'"],
        ["row 2: 2, 'raises'"],
        ["row 3: 3, 'fails'"],
    ]
    assert [type(error) for error in raised.value.exceptions] == [AssertionError, KeyError, AssertionError]
    assert "3 of 5 rows failed" in str(raised.value)
    assert all(row in str(raised.value) for row in ("row 1: ", "row 2: ", "row 3: "))


def test_tables_can_be_crossed_and_leave_fixtures_to_pytest() -> None:
    """As stacked `parametrize` do."""
    seen = []

    @each_row("first", [1, 2])
    @each_row(("second", "third"), [("a", "b"), ("c", "d")])
    def check(place: str, first: int, second: str, third: str) -> None:
        seen.append((place, first, second, third))

    assert list(inspect.signature(check).parameters) == ["place"]
    check(place="here")
    assert seen == [("here", 1, "a", "b"), ("here", 1, "c", "d"), ("here", 2, "a", "b"), ("here", 2, "c", "d")]


def test_a_table_that_would_test_nothing_is_refused() -> None:
    """Without rows, with a row of another width, or with a column that the test does not take."""
    with pytest.raises(AssertionError, match="without rows"):
        each_row("number", [])
    with pytest.raises(AssertionError, match="2 values are needed, not 3"):
        each_row("number, word", [(1, "one", "more")])
    with pytest.raises(AssertionError, match="takes no word"):
        each_row("number, word", [(1, "one")])(lambda number: None)
