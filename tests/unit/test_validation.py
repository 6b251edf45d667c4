"""What callers give, checked once: the right value, or one sentence that says what would be right."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing import Invalid, Status, Tier, TooLarge
from ebbing.domain.memory import storable
from ebbing.domain.validation import NAME_CHARACTERS_MAX, count, member, name, several, share
from tests.tables import each_row

anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.lists(st.text())


@each_row("value", ["ada", "Ada Lovelace", "  ada ", "猫", "🐈", "a/b", "O'Brien; DROP TABLE", "x" * 256])
def test_a_name_is_text_without_space_around_it(value: str) -> None:
    """Any plain text is somebody's name."""
    assert name(value, "owner") == value.strip()


@each_row("value", [None, 5, True, b"ada", "", "   ", "\t\n", ["ada"], {}])
def test_no_name_is_refused(value: Any) -> None:
    """Empty, blank, or not text."""
    with pytest.raises(Invalid, match=r"owner .* is not a name; give a few words of text"):
        name(value, "owner")


@each_row("value", ["a\x00b", "a\ud800", "\udfffx", "a\nb", "a\x1b[31m", "a\x7fb"])
def test_a_name_holds_no_control_or_half_characters(value: str) -> None:
    """A store would break on some, a terminal or a log on others."""
    with pytest.raises(Invalid, match="holds control or half characters"):
        name(value, "owner")


def test_a_name_has_a_longest_length() -> None:
    """Both numbers are told."""
    with pytest.raises(TooLarge, match="owner has 257 characters and the limit is 256") as caught:
        name("x" * (NAME_CHARACTERS_MAX + 1), "owner")
    assert caught.value.code == "too_large"


@given(anything)
def test_a_name_is_one_a_store_can_keep_or_an_error(value: Any) -> None:
    """Nothing else, whatever is given."""
    try:
        found = name(value, "owner")
    except Invalid:
        return
    assert storable(found)
    assert found == name(found, "owner")


def test_one_or_several_are_several_and_each_once() -> None:
    """A caller with one need not make a list of it."""
    assert several("a", "tag") == ("a",)
    assert several(["a", "b", "a"], "tag") == ("a", "b")
    assert several((letter for letter in "ab"), "tag") == ("a", "b")
    assert several([], "tag") == ()


@each_row("value", [None, 5, 1.5, True, [5], ["a", None], [b"a"], b"ab", ["\ud800"], ["a\x00"], "\ud800"])
def test_several_are_texts(value: Any) -> None:
    """Each of them, and ones a store can compare with."""
    with pytest.raises(Invalid, match=r"^tag "):
        several(value, "tag")


def test_a_member_is_found_by_its_word() -> None:
    """Or given as itself."""
    assert member(Tier, "working", "tier") is Tier.WORKING
    assert member(Tier, Tier.WORKING, "tier") is Tier.WORKING


@each_row("value", [None, "", "Working", "eternal", 5, [], {}, b"working"])
def test_what_is_no_member_is_told_which_there_are(value: Any) -> None:
    """All of them, to choose from."""
    with pytest.raises(Invalid, match=r"tier .* is not one of working, episodic, semantic, procedural"):
        member(Tier, value, "tier")


def test_a_member_may_have_to_be_of_a_part() -> None:
    """Not every status can be asked for everywhere."""
    part = (Status.DETACHED, Status.ARCHIVED)
    assert member(Status, "archived", "include", part) is Status.ARCHIVED
    with pytest.raises(Invalid, match="include 'forgotten' is not one of detached, archived"):
        member(Status, "forgotten", "include", part)


@each_row(("value", "found"), [(0, 0.0), (1, 1.0), (0.25, 0.25), (None, 0.5), (np.float64(0.3), 0.3), (-0.0, 0)])
def test_a_share_is_a_number_from_0_to_1(value: Any, found: float) -> None:
    """Both ends included; none given is the default."""
    assert share(value, "importance", 0.5) == found
    assert type(share(value, "importance", 0.5)) is float


@each_row(
    "value",
    [
        *(
            True,
            False,
            "0.5",
            "high",
            float("nan"),
            float("inf"),
            -float("inf"),
            -0.01,
            1.01,
            2,
            -1,
            10**400,
            -(10**400),
        ),
        *([0.5], {}, 1j, Decimal("0.5"), b"1"),
    ],
)
def test_what_is_no_share_is_refused(value: Any) -> None:
    """True is not 1, NaN is not a number, and a huge integer is an error of ours, not of the arithmetic."""
    with pytest.raises(Invalid, match="is not a number between 0 and 1"):
        share(value, "importance", 0.5)


def test_a_count_is_a_whole_number_from_1() -> None:
    """Up to the most there may be."""
    assert count(1, "limit", 1000) == 1
    assert count(1000, "limit", 1000) == 1000


@pytest.mark.parametrize(
    "value", [0, -1, 1001, 10**400, pytest.param(10**5000, id="huge"), 1.0, "5", None, True, float("nan"), [1]]
)
def test_what_is_no_count_is_refused(value: Any) -> None:
    """With both ends told."""
    with pytest.raises(Invalid, match="is not a whole number between 1 and 1,000"):
        count(value, "limit", 1000)
