"""A purged text is not learned again, however it is dressed, through any way in."""

from __future__ import annotations

import pytest

from ebbing.domain.errors import Conflict
from ebbing.domain.ids import new_id
from ebbing.engine import Engine
from ebbing.ports import Tombstone, View
from ebbing.text.terms import digest, salted

TEXT = "Mara's diagnosis is asthma."
DRESSED = ['"Mara\'s diagnosis is asthma."', "“mara’s DIAGNOSIS is asthma”", "- **Mara's diagnosis is asthma**"]


@pytest.mark.parametrize("again", DRESSED)
def test_a_purged_text_in_another_dress_is_not_learned_again(engine: Engine, again: str) -> None:
    """Erasure that a pair of quotation marks undoes is no erasure; lifting the tombstone allows every dress."""
    receipt = engine.purge(ids=engine.remember(TEXT).memories[0].id)
    outcome = engine.remember(again)
    assert (outcome.memories, len(outcome.skipped)) == ([], 1)
    assert receipt.tombstones[0] in outcome.skipped[0].reason
    assert engine.remember_many([again, "Mara plays chess."]).memories[0].text == "Mara plays chess."
    with pytest.raises(Conflict, match="purged"):
        engine.set_block("human", again)
    engine.lift(receipt.tombstones[0])
    assert engine.remember(again).memories


def test_a_tombstone_of_an_earlier_version_still_bars_its_text(engine: Engine) -> None:
    """Stores written before the form changed hold the older digest; upgrading must not undo a purge."""
    at = engine.clock.now()
    with engine.store.write(View(engine.owner, every_agent=True)) as tx:
        tx.tombstones.add([Tombstone(new_id(at), salted(digest(TEXT), tx.tombstones.salts[0]), new_id(at), at)])
    assert len(engine.remember(TEXT).skipped) == 1


def test_purging_two_dresses_of_one_text_leaves_one_tombstone(engine: Engine) -> None:
    """One thing was erased, so one tombstone is lifted to allow it."""
    ids = [engine.remember(text, scope=f"/{place}").memories[0].id for place, text in enumerate((TEXT, DRESSED[0]))]
    assert len(engine.purge(ids=ids).tombstones) == 1
