"""A file that somebody else wrote cannot date what it brings far ahead of now."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ebbing.engine import Engine
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine

TEXT = "The staging host is called heron."


@pytest.fixture
def theirs(open_engine: OpenEngine, tmp_path: Path) -> Path:
    source = open_engine("source")
    source.remember(TEXT, subject="staging", attribute="host")
    source.export(tmp_path / "theirs.jsonl")
    return tmp_path / "theirs.jsonl"


def rewritten(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for line in lines:
        change(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


@pytest.mark.parametrize("field", ["created_at", "last_accessed_at", "restored_at"])
def test_a_memory_of_an_untrusted_file_is_not_dated_ahead(
    open_engine: OpenEngine, clock: FrozenClock, theirs: Path, field: str
) -> None:
    """The later of two statements wins, and a use in 2099 would keep it from fading until then."""

    def ahead(line: dict[str, Any]) -> None:
        if line["kind"] == "memory":
            line[field] = (clock.now() + timedelta(days=1, seconds=1)).isoformat()

    target = open_engine("target")
    brought = target.import_(rewritten(theirs, ahead))
    assert (brought.added, brought.skipped) == (0, 1)
    assert any("more than a day ahead" in note for note in brought.notes)
    assert target.list() == []
    assert target.import_(theirs, trusted=True).added == 1  # one's own backup may hold what the program dated so


def test_an_event_of_an_untrusted_file_is_not_dated_ahead(
    open_engine: OpenEngine, clock: FrozenClock, theirs: Path
) -> None:
    """A history that goes on in 2099 would be told as what happened last."""

    def ahead(line: dict[str, Any]) -> None:
        if line["kind"] == "event":
            line["at"] = "2099-01-01T00:00:00+00:00"

    target = open_engine("target")
    assert target.import_(rewritten(theirs, ahead)).added == 1
    assert all(event.at <= clock.now() for event in target.events())


def test_what_was_said_within_a_day_ahead_comes_in(open_engine: OpenEngine, clock: FrozenClock, theirs: Path) -> None:
    """Clocks and time zones differ."""

    def soon(line: dict[str, Any]) -> None:
        if line["kind"] == "memory":
            line["created_at"] = (clock.now() + timedelta(hours=23)).isoformat()

    target: Engine = open_engine("target")
    assert target.import_(rewritten(theirs, soon)).added == 1
