"""A purged text does not come back beside another text: in evidence, metadata, tags, an address or a scope."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ebbing.domain.errors import Conflict
from ebbing.domain.memory import Source
from ebbing.engine import Engine

TEXT = "Mara's diagnosis is asthma."
OTHER = "Mara saw the doctor."
FIELDS: list[dict[str, Any]] = [
    {"evidence": TEXT},
    {"evidence": f'"{TEXT}"'},
    {"metadata": {"quote": TEXT}},
    {"metadata": {"deep": [{"er": [TEXT.upper()]}]}},
    {"metadata": {TEXT: True}},
    {"tags": ["health", TEXT]},
    {"subject": TEXT, "attribute": "note"},
    {"subject": "Mara", "attribute": TEXT},
    {"scope": f"/notes/{TEXT}"},
    {"session": TEXT},
    {"source": Source("user", actor=TEXT)},
]


def purged(engine: Engine) -> str:
    """The tombstone of TEXT."""
    (stone,) = engine.purge(ids=engine.remember(TEXT).memories[0].id).tombstones
    return stone


@pytest.mark.parametrize("given", FIELDS, ids=lambda given: next(iter(given)))
def test_a_purged_text_is_refused_in_every_field(engine: Engine, given: dict[str, Any]) -> None:
    """Evidence and metadata are read back with the memory, so erasure holds for them as well; lifting allows them."""
    stone = purged(engine)
    outcome = engine.remember(OTHER, **given)
    assert (outcome.memories, outcome.skipped[0].text) == ([], OTHER)
    assert f"purged; lift tombstone {stone}" in outcome.skipped[0].reason
    engine.lift(stone)
    assert engine.remember(OTHER, **given).memories


def test_of_many_only_the_one_that_quotes_what_was_purged_is_skipped(engine: Engine) -> None:
    """Two requests with the same text are two requests."""
    purged(engine)
    outcome = engine.remember_many([{"text": OTHER, "evidence": TEXT}, OTHER, "Mara plays chess."])
    assert [memory.text for memory in outcome.memories] == [OTHER, "Mara plays chess."]
    assert len(outcome.skipped) == 1


@pytest.mark.parametrize("given", [{"tags": [TEXT]}, {"metadata": {"a": TEXT}}, {"scope": f"/{TEXT}"}])
def test_an_update_does_not_bring_a_purged_text_back(engine: Engine, given: dict[str, Any]) -> None:
    """An edit is a way in like any other."""
    purged(engine)
    (memory,) = engine.remember(OTHER).memories
    with pytest.raises(Conflict, match="holds a text that was purged"):
        engine.update(memory.id, **given)
    assert engine.get(memory.id) == memory


def test_an_import_does_not_bring_a_purged_text_back_beside_another(engine: Engine, tmp_path: Path) -> None:
    """A file from before the purge may quote the text."""
    (quoting,) = engine.remember(OTHER, evidence=TEXT).memories
    engine.export(tmp_path / "before.jsonl")
    (stone,) = engine.purge(ids=quoting.id).tombstones
    engine.lift(stone)
    purged(engine)
    assert engine.import_(tmp_path / "before.jsonl").blocked == 1


@pytest.mark.parametrize("again", [f"{TEXT} {TEXT}", f"{TEXT}\n{TEXT}\n{TEXT}", f"Note: {TEXT} {TEXT}"])
def test_a_purged_text_said_several_times_is_not_learned_again(engine: Engine, again: str) -> None:
    """Repeating a text says nothing that the text did not say, and what stands beside it says it too."""
    purged(engine)
    assert (engine.remember(again).memories, engine.remember(f"{OTHER} {TEXT}").memories) == ([], [])
    assert engine.remember(OTHER).skipped == []


def test_purging_one_word_does_not_close_a_scope_or_a_source(engine: Engine) -> None:
    """Whoever may purge could otherwise stop everybody from writing: every memory has a source."""
    for word in ("user", "work", "s-1"):
        engine.purge(ids=engine.remember(word).memories[0].id)
    assert engine.remember(OTHER, scope="/work", session="s-1").memories
    assert engine.remember(OTHER, tags=["work"]).skipped
