"""What an import brings joins no batch of this store."""

from __future__ import annotations

from pathlib import Path

import pytest

from ebbing.domain.memory import Status
from ebbing.engine import Engine


@pytest.fixture
def forged(engine: Engine, tmp_path: Path) -> tuple[str, str, Path]:
    """A batch that forgot a memory here, the id of another, and a file in which that batch forgot the other one."""
    other = engine.for_owner("other")
    (planted,) = other.remember("The lamp is green.").memories
    theirs = other.forget(ids=planted.id)
    other.export(tmp_path / "theirs.jsonl")
    (own,) = engine.remember("The staging host is called heron.").memories
    batch = engine.forget(ids=own.id).id
    file = tmp_path / "forged.jsonl"
    file.write_text((tmp_path / "theirs.jsonl").read_text().replace(theirs.id, batch))
    return batch, planted.id, file


def test_undoing_a_batch_does_not_bring_back_what_was_imported(engine: Engine, forged: tuple[str, str, Path]) -> None:
    """Whoever knows the id of a batch could plant a memory that comes into use when the user undoes it."""
    batch, planted, file = forged
    assert engine.import_(file).added == 1
    restored = engine.restore(batch=batch)
    assert [memory.text for memory in restored.memories] == ["The staging host is called heron."]
    assert engine.get(planted).status is Status.FORGOTTEN


def test_importing_the_file_again_writes_no_event_twice(engine: Engine, forged: tuple[str, str, Path]) -> None:
    """An import that was stopped is run again and ends as if it had not been stopped."""
    _, planted, file = forged
    engine.import_(file)
    before = len(engine.history(planted))
    engine.import_(file)
    assert len(engine.history(planted)) == before
    assert {event.batch.endswith("-imported") for event in engine.history(planted)} == {True, False}


def test_a_batch_of_the_file_is_still_undone_as_one(engine: Engine, tmp_path: Path) -> None:
    """A store that moves to another machine takes its batches along, and its backup brings them back."""
    ids = [memory.id for memory in engine.remember_many(["The lamp is green.", "Mara plays chess."]).memories]
    batch = engine.forget(ids=ids).id
    engine.export(tmp_path / "all.jsonl")
    elsewhere = engine.for_owner("elsewhere")
    elsewhere.import_(tmp_path / "all.jsonl")
    assert len(elsewhere.restore(batch=batch).memories) == 2
