"""What cannot be called is refused before anything is written, and what names no file before it is opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ebbing.domain.errors import Invalid
from ebbing.engine import Engine
from tests.conftest import OpenEngine

CALLS: dict[str, Callable[[Engine, Path, Any], object]] = {
    "remember_many": lambda engine, _, progress: engine.remember_many(["Tea.", "Coffee."], progress=progress),
    "sweep": lambda engine, _, progress: engine.sweep(progress=progress),
    "simulate": lambda engine, _, progress: engine.simulate("default", progress=progress),
    "export": lambda engine, folder, progress: engine.export(folder / "new.jsonl", progress=progress),
    "import": lambda engine, folder, progress: engine.import_(folder / "old.jsonl", progress=progress),
    "reembed": lambda engine, _, progress: engine.reembed(progress=progress),
}


@pytest.mark.parametrize("call", CALLS)
def test_progress_that_cannot_be_called_is_an_error_of_ours_and_writes_nothing(
    open_engine: OpenEngine, tmp_path: Path, call: str
) -> None:
    """A TypeError in the middle would leave half of the work done, and is caught by nobody who catches ours."""
    engine = open_engine()
    engine.remember("The office is in Leiden.")
    engine.export(tmp_path / "old.jsonl")
    before = engine.events()
    with pytest.raises(Invalid, match="cannot be called"):
        CALLS[call](engine, tmp_path, [])
    assert engine.events() == before
    assert not (tmp_path / "new.jsonl").exists()


@pytest.mark.parametrize("path", ["/", "//", "."])
def test_an_export_to_a_path_without_a_name_is_refused(open_engine: OpenEngine, path: str) -> None:
    """The root of a file system is a folder, however often its slash is written."""
    with pytest.raises(Invalid, match="is a folder"):
        open_engine().export(path)
