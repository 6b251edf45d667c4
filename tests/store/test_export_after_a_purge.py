"""A backup can be restored whatever was purged before it was made: a purged memory leaves its events, emptied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ebbing.engine import Engine
from tests.conftest import OpenEngine


def kept(engine: Engine, text: str) -> str:
    id_ = engine.remember(text).id
    assert id_ is not None
    return id_


def test_an_export_is_imported_again_whatever_was_purged_from_it(open_engine: OpenEngine, tmp_path: Path) -> None:
    """It was refused as a forgery: what had been forgotten, restored or contradicted had no detail any more."""
    engine = open_engine("source")
    forgotten = kept(engine, "Standup is at nine.")
    engine.forget(ids=forgotten)
    restored = kept(engine, "The office is in Leiden.")
    engine.forget(ids=restored)
    engine.restore(restored)
    address: dict[str, Any] = {"subject": "mara", "attribute": "city"}
    rival = engine.remember("Mara lives in Porto.", **address).id
    assert rival is not None
    doubtful = engine.remember("Mara lives in Berlin.", trust=0.2, **address)
    assert doubtful.contested
    stays = kept(engine, "The lamp in the hall is green.")
    engine.forget(ids=stays)
    engine.purge(ids=[forgotten, restored, rival])
    engine.export(tmp_path / "backup.jsonl")
    target = open_engine("target")
    target.import_(tmp_path / "backup.jsonl", trusted=True)
    target.restore(stays)
    assert target.get(stays).text == "The lamp in the hall is green."
    assert len(target.events()) >= len(engine.events())
