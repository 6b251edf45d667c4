"""How properties are tried here: the same examples every time, and the one that falsifies a property is shown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import FUZZ, examples


def test_a_falsifying_example_is_shown() -> None:
    """A plugin can take the values out of Hypothesis's report, and nobody could then repeat what `make fuzz` found."""

    @given(st.integers(), st.text())
    def small(number: int, text: str) -> None:
        assert number < 5000

    with pytest.raises(AssertionError) as raised:
        small()
    assert "number=5000" in "\n".join(raised.value.__notes__)


def test_examples_do_not_depend_on_luck_nor_on_the_run_before() -> None:
    """Unless somebody explores, which has a seed of its own."""
    assert settings().derandomize is (FUZZ == 0)
    assert settings().database is None
    assert settings().deadline is None
    assert examples(7).max_examples == 7 * max(1, FUZZ)
