"""Codes that open, numbers that pay, and passwords in unusual letters or marks: told as such, they are not kept."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ebbing.text.screening.request import screen
from ebbing.text.screening.secret_assignments import named_secrets
from ebbing.text.screening.secrets import redacted
from tests.steps import faster_than_linear
from tests.unit.secret_code_rows import NEGATIVE, POSITIVE
from tests.unit.secret_family_rows import rows


def test_a_code_that_is_named_goes_whole_and_alone() -> None:
    """A door code or an IBAN in a memory is read by every agent that recalls the sentence."""
    wrong = []
    for row in rows(POSITIVE):
        found = re.sub(r"\[redacted: [^\]]*\]", "[redacted]", redacted(re.sub("[⟦⟧]", "", row)).text)
        if found != re.sub("⟦.*?⟧", "[redacted]", row):
            wrong.append((row, found))
    assert wrong == []


def test_numbers_that_open_and_pay_nothing_stay() -> None:
    """Exit codes, years, sizes and code reviews are what people remember every day."""
    assert [(row, redacted(row).text) for row in rows(NEGATIVE) if redacted(row).kinds] == []


def test_a_token_in_full_width_letters_is_a_token() -> None:
    """Whoever pastes from a Japanese keyboard gives away the same key."""
    token = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zaB3dE6gH"
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in token)
    assert redacted(wide).text == "[redacted: GitHub token]"


@pytest.mark.parametrize(
    "fields",
    [
        {"metadata": {"door_code": 7713}},
        {"metadata": {"door": {"code": "7713"}}},
        {"metadata": {"pin": "1985"}},
        {"metadata": {"iban": "DE89 3704 0044 0532 0130 00"}},
        {"metadata": {"wifi_key": "larch-larch-9"}},
        {"metadata": {"cardNumber": "4532015112830367"}},
        {"text": "7713", "subject": "front door", "attribute": "code"},
        {"text": "7713", "scope": "/house/alarm code"},
    ],
)
def test_a_name_beside_a_code_says_what_it_is(fields: dict[str, Any]) -> None:
    """A key, an address or a scope names a code as a sentence does."""
    screened = screen(fields)
    assert screened.redacted
    assert not re.search(r"7713|1985|0532|larch|0367", repr(screened.fields))


@pytest.mark.parametrize("fields", [{"metadata": {"exit": {"code": 7713}}}, {"metadata": {"zip_code": "90210"}}])
def test_other_codes_beside_a_name_stay(fields: dict[str, Any]) -> None:
    """What the code is of decides."""
    assert screen(fields).fields == fields


@pytest.mark.parametrize("unit", ["PIN, ", "the door code is ", "IBAN DE89 ", "pin ", "code of the "])
def test_names_in_a_row_are_searched_once_each(unit: str) -> None:
    """What follows a name is looked at for a bounded stretch; else one request of many names occupies a thread."""
    assert faster_than_linear(redacted, unit, 1_024) is None


@pytest.mark.parametrize("unit", ['password=a"b"', "password='a''b'", "密码是ab1,"])
def test_a_value_without_blanks_is_followed_for_a_bounded_stretch(unit: str) -> None:
    """Where each of thousands of names was followed to the end of the text, 32,000 characters took sixteen seconds."""
    found = list(named_secrets(unit * 2_000))
    assert max(one.end - one.start for one in found) < 1_024
