"""A receipt names the memories that go on holding an erased text."""

from __future__ import annotations

from typing import Any

import pytest

from ebbing.engine import Engine
from ebbing.testing import in_memory
from tests.conftest import OpenEngine

TEXT = 'Mara\'s "diagnosis" is Bräune.'
OTHER = "Mara saw the doctor."


@pytest.mark.parametrize(
    "given",
    [
        {"evidence": TEXT},
        {"metadata": {"deep": [{"quote": f"She said: {TEXT}"}]}},
        {"tags": [TEXT.strip(".")]},
        {"subject": TEXT, "attribute": "note"},
        {"scope": f"/notes/{TEXT}"},
        {"session": TEXT},
    ],
    ids=lambda given: next(iter(given)),
)
def test_a_memory_that_quotes_what_is_purged_is_named(engine: Engine, given: dict[str, Any]) -> None:
    """The evidence comes back with every recall of the other memory: whoever erases a text must be told of it."""
    (quoting,) = engine.remember(OTHER, **given).memories
    engine.remember("Mara plays chess.")
    receipt = engine.purge(ids=engine.remember(TEXT).memories[0].id)
    assert [note for note in receipt.notes if quoting.id in note and "purge that too" in note]


def test_a_longer_text_that_holds_it_is_named_and_a_longer_word_is_not(engine: Engine) -> None:
    """A note that names memories without the text would be read once and never again. Archived ones are named too."""
    (longer,) = engine.remember("Mara drinks tea. It is green.").memories
    engine.forget(ids=longer.id)
    (word,) = engine.remember("The steam engine stands in the team room.").memories
    receipt = engine.purge(ids=engine.remember("Tea").memories[0].id)
    assert longer.id in str(receipt.notes)
    assert word.id not in str(receipt.notes)


def test_what_another_agent_keeps_to_itself_and_another_owner_has_is_not_named(
    engine: Engine, open_engine: OpenEngine
) -> None:
    """A purge must not tell an agent what others know."""
    scout, other = open_engine(agent="scout"), engine.for_owner("other")
    private = scout.remember(OTHER, evidence=TEXT, visibility="private").memories[0]
    foreign = other.remember(OTHER, evidence=TEXT).memories[0]
    notes = str(open_engine(agent="cook").purge(ids=engine.remember(TEXT).memories[0].id).notes)
    assert private.id not in notes
    assert foreign.id not in notes
    assert "same words" not in notes


def test_a_purge_of_very_many_says_how_many_were_looked_up() -> None:
    """The search is bounded, so a receipt that could not look for everything says so."""
    with in_memory() as engine:
        engine.remember(OTHER)
        engine.remember_many([{"text": f"Box {number} holds screws.", "scope": "/boxes"} for number in range(65)])
        assert "64 of 65" in str(engine.purge(scope="/boxes").notes)
        assert engine.purge(everything=True).notes == ()
