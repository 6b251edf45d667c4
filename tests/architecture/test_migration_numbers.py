"""Migrations are known by their numbers, so each number is given once."""

from __future__ import annotations

import pytest

from ebbing.store.migrations import scripts


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_migrations_are_numbered_one_by_one(engine: str) -> None:
    """Of two with one number only one is run, and the table that the other makes is missing from then on."""
    numbers = [number for number, _ in scripts(engine)]
    assert numbers == list(range(1, len(numbers) + 1))
