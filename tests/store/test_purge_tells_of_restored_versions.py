"""An earlier version that was brought back is a memory of its own: a purge of the later one says that it stays."""

from __future__ import annotations

from ebbing.engine import Engine


def kept(engine: Engine, text: str) -> str:
    id_ = engine.remember(text).id
    assert id_ is not None
    return id_


def test_a_restored_version_is_named_in_the_receipt(engine: Engine) -> None:
    """It still says what the purged versions were made of, and the receipt said nothing of it."""
    first = kept(engine, "The island is called Pelorus.")
    second = engine.update(first, text="The island is called Brisk.")
    third = engine.update(second.id, text="The island has no name.")
    engine.restore(first)
    receipt = engine.purge(ids=third.id)
    assert receipt.count == 2
    assert any(first in note and "brought back" in note for note in receipt.notes)
    assert engine.get(first).text == "The island is called Pelorus."


def test_versions_that_went_along_are_not_named(engine: Engine) -> None:
    """There is nothing left to purge."""
    first = kept(engine, "The island is called Pelorus.")
    second = engine.update(first, text="The island is called Brisk.")
    receipt = engine.purge(ids=second.id)
    assert receipt.count == 2
    assert not any("brought back" in note for note in receipt.notes)
