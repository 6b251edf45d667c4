"""Families of secrets in a table: every secret goes, whole and alone; what only resembles one stays."""

from __future__ import annotations

import re

from ebbing.text.screening.secrets import redacted
from tests.unit.secret_family_rows import NEGATIVE, POSITIVE, rows


def test_every_secret_of_the_table_goes_whole_and_alone() -> None:
    """Half a password is a hint at the rest, and what stands around it is what was worth remembering."""
    wrong = []
    for row in rows(POSITIVE):
        found = re.sub(r"\[redacted: [^\]]*\]", "[redacted]", redacted(re.sub("[⟦⟧]", "", row)).text)
        if found != re.sub("⟦.*?⟧", "[redacted]", row):
            wrong.append((row, found))
    assert wrong == []


def test_what_only_resembles_a_secret_stays() -> None:
    """Numbers, versions, hashes, flags and talk about passwords are what people remember every day."""
    assert [(row, redacted(row).text) for row in rows(NEGATIVE) if redacted(row).text != row] == []


def test_redacting_again_changes_nothing() -> None:
    """An import screens what was screened before."""
    for row in rows(POSITIVE):
        once = redacted(re.sub("[⟦⟧]", "", row)).text
        assert redacted(once).text == once


def test_the_search_grows_with_the_text_and_not_faster() -> None:
    """Thousands of cues in a row, each of which begins a bounded look: counted in found spans, not in seconds."""
    many = "seed " * 2000 + "mysql -u a " * 1000 + "password. It " * 1000 + "a:b@ " * 1000
    assert redacted(many).kinds == ()
