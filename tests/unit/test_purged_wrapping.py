"""A purged text stays out when something is put around its words; a text that only begins alike does not."""

from __future__ import annotations

import pytest

from ebbing.text.screening.tombstone_form import tombstone_hash, tombstone_hashes

SALT = b"s" * 32
TEXT = "Mara lives in Vaduz"


def barred(text: str, purged: str = TEXT) -> bool:
    return tombstone_hash(purged, SALT) in tombstone_hashes(text, [SALT])


@pytest.mark.parametrize(
    "wrapped",
    [
        "1. Mara lives in Vaduz",
        "12) Mara lives in Vaduz.",
        "a) Mara lives in Vaduz",
        "[1] Mara lives in Vaduz",
        "<b>Mara</b> lives in Vaduz",
        "<p class='x'>Mara lives in Vaduz</p>",
        "Mara lives in Vaduz 🙂",
        "🏠 Mara lives in Vaduz 👍🏽",
        "Note: Mara lives in Vaduz",
        "The user said: “Mara lives in Vaduz”",
        "I said that Mara lives in Vaduz",
        "“Mara lives in Vaduz” — me",
        "2. Note: Mara lives in Vaduz",
        "[Mara lives in Vaduz](https://x.test)",
        "&quot;Mara lives in Vaduz&quot;",
        "Mara lives in Vaduz<!-- seen -->",
        "=== Mara lives in Vaduz ===",
        "Mara-lives-in-Vaduz",
        "mara_lives_in_vaduz",
    ],
)
def test_the_same_words_in_a_wrapping_stay_out(wrapped: str) -> None:
    """An agent that writes a list, quotes the user or adds a smile learns nothing new: it learns what was purged."""
    assert barred(wrapped)


@pytest.mark.parametrize(
    ("purged", "other"),
    [
        ("3. May is a holiday", "4. May is a holiday"),
        ("Mara: tea", "Theo: tea"),
        ("She said that it rains", "He said that it rains"),
        ("I love 🍕 a lot", "I love 🍔 a lot"),
        ("Mara lives in Vaduz", "Mara lives in Vaduz with Theo"),
        ("Mara lives in Vaduz", "Theo knows that Mara lives in Vaduz-Nord"),
        ("tea", "Mara drinks tea"),
    ],
)
def test_what_was_purged_bars_nothing_that_differs_in_its_wrapping(purged: str, other: str) -> None:
    """A tombstone knows the whole text, so another date, name or speaker before the same words may be learned."""
    assert not barred(other, purged)


@pytest.mark.parametrize(
    ("purged", "longer"),
    [
        (TEXT, "It rains. Mara lives in Vaduz. Theo drinks tea."),
        (TEXT, "Some notes:\n- Mara lives in Vaduz\n- Theo drinks tea"),
        (TEXT, "Mara lives in Vaduz; Theo drinks tea"),
        ("Mara lives in Vaduz. She moved there.", "It rains. Mara lives in Vaduz. She moved there. Bye."),
        ("She met Dr. Adler on Monday.", "It rains. She met Dr. Adler on Monday. Bye."),
    ],
)
def test_a_purged_text_among_other_sentences_stays_out(purged: str, longer: str) -> None:
    """Two sentences more made another text of it."""
    assert barred(longer, purged)


@pytest.mark.parametrize(
    ("purged", "longer"), [("Thank you", "Theo drinks tea. Thank you."), ("tea", "Tea. And cake.")]
)
def test_a_short_text_bars_no_longer_one(purged: str, longer: str) -> None:
    """It stands in texts of all kinds."""
    assert not barred(longer, purged)


def test_a_plain_text_is_looked_for_in_two_forms_only() -> None:
    """Nearly every text has no wrapping: looking for it costs what it did."""
    assert len(tombstone_hashes(TEXT, [SALT])) == 2
