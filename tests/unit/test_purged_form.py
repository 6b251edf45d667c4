"""The form in which purged texts are recognised: the same words in another dress are the same, other words are not."""

from __future__ import annotations

import pytest

from ebbing.text.screening.tombstone_form import purged_form, tombstone_hash, tombstone_hashes
from ebbing.text.terms import digest, salted

TEXT = "Mara's sister lives in Łódź, near the café."
SALT = b"s" * 32

SAME = [
    f'"{TEXT}"',
    f"“{TEXT}”",
    f"«{TEXT}»",
    f"'{TEXT}'",
    f"‘{TEXT}’",
    f"`{TEXT}`",
    f"({TEXT})",
    f"「{TEXT}」",
    f"**{TEXT}**",
    f"_{TEXT}_",
    f"- {TEXT}",
    f"> {TEXT}",
    f"# {TEXT}",
    f"• {TEXT}",
    f"“{TEXT[:-1]}”.",
    f'"{TEXT}" ...',
    TEXT.upper(),
    TEXT.replace(" ", "  \n\t"),
    TEXT.replace(",", ""),
    TEXT.replace(",", " –"),
    TEXT.replace(".", "!!!"),
    TEXT.replace("'", "’"),
    TEXT.replace("é", "e\u0301"),
    TEXT.replace("é", "e").replace("ó", "o").replace("ź", "z").replace("Ł", "L"),
    TEXT.replace("a", "а"),  # Cyrillic
    TEXT.replace("lives", "li\u200bves"),
    "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in TEXT),  # full-width
]
OTHER = [
    ("I know C", "I know C++"),
    ("It costs 3.5", "It costs 35"),
    ("It costs .5", "It costs 5"),
    ("The room has 10² tiles", "The room has 102 tiles"),
    ("The offset is -5", "The offset is 5"),
    ("She pays $5", "She pays 5"),
    ("a/b", "ab"),
    ("v1,200", "v1 200"),
    ("Meet at 10:30", "Meet at 10 30"),
    ("He is not here", "He is here"),
    ("100% sure", "100 sure"),
    ("#42 is open", "42 is open"),
    ("re-sign", "resign"),
    ("x >= 3", "x 3"),
]


@pytest.mark.parametrize("variant", SAME)
def test_the_same_words_in_another_dress_have_one_form(variant: str) -> None:
    """Whoever repeats a purged text in quotation marks repeats it."""
    assert purged_form(variant) == purged_form(TEXT)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_signs_that_carry_meaning_tell_two_texts_apart(one: str, other: str) -> None:
    """A tombstone bars one text from being learned, not its neighbours."""
    assert purged_form(one) != purged_form(other)


def test_japanese_in_its_own_quotation_marks_is_the_same() -> None:
    """Scripts without spaces and with their own punctuation are purged too."""
    assert purged_form("「私は東京に住んでいます。」") == purged_form("私は東京に住んでいます")


@pytest.mark.parametrize("text", ["!!!", "…", "\u200b", '""'])
def test_a_text_of_signs_alone_has_a_tombstone_of_its_own(text: str) -> None:
    """An empty form would be shared by every such text."""
    assert purged_form(text) == ""
    assert tombstone_hash(text, SALT) == salted(digest(text), SALT)
    assert tombstone_hash(text, SALT) != tombstone_hash("??", SALT)


def test_a_tombstone_of_an_earlier_version_is_looked_for_too() -> None:
    """What was purged before the form changed stays purged."""
    assert salted(digest(TEXT), SALT) in tombstone_hashes(TEXT, [b"o" * 32, SALT])
    assert tombstone_hash(TEXT, SALT) in tombstone_hashes(TEXT, [b"o" * 32, SALT])
