"""The log of an imported file is read again by restore, explain and simulate: nonsense in it is refused at the door."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ebbing.domain.errors import Invalid
from ebbing.engine import Engine
from tests.conftest import OpenEngine


def exported(engine: Engine, folder: Path) -> Path:
    """A memory that was superseded, one that was edited and forgotten, and their log."""
    old = engine.remember("Standup is at nine.")
    assert old.id is not None
    engine.update(old.id, text="Standup is at ten.")
    other = engine.remember("The office is in Leiden.", tags=["office"])
    assert other.id is not None
    engine.update(other.id, tags=["place"], importance=0.3)
    engine.forget(ids=other.id)
    engine.restore(ids=other.id)
    engine.forget(ids=other.id)
    engine.export(folder / "all.jsonl")
    return folder / "all.jsonl"


def forged(path: Path, event: str, change: dict[str, Any]) -> Path:
    """The file with the last event of a kind changed; None takes a field of the detail away."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    line = [line for line in lines if line.get("event") == event][-1]
    line |= {name: value for name, value in change.items() if name != "detail"}
    detail = {**line["detail"], **change.get("detail", {})}
    line["detail"] = {name: value for name, value in detail.items() if value is not None}
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


@pytest.mark.parametrize(
    ("event", "change", "fault"),
    [
        ("remembered", {"detail": {"status": True}}, "detail.status"),
        ("superseded", {"detail": {"was": "shared"}}, "detail.was"),
        ("superseded", {"detail": {"was_valid_until": "tomorrow"}}, "detail.was_valid_until"),
        ("forgotten", {"detail": {"was": []}}, "detail.was"),
        ("forgotten", {"detail": {"was": None}}, "has no was"),
        ("restored", {"detail": {"to": 5}}, "detail.to"),
        ("restored", {"detail": {"to": None}}, "has no to"),
        ("edited", {"detail": {"was": "active"}}, "detail.was of an edit"),
        ("edited", {"detail": {"was": {"importance": "high"}}}, "detail.was.importance"),
        ("edited", {"detail": {"was": {"tags": "office"}}}, "detail.was.tags"),
        ("edited", {"detail": {"was_tier": "semantic"}}, "needs detail.tier"),
        ("edited", {"detail": {"was_level": -1}}, "detail.was_level"),
        ("superseded", {"detail": {"evidence": "certain"}}, "detail.evidence"),
        ("superseded", {"detail": {"evidence": {"contradicts": [0.9]}}}, "detail.evidence"),
        ("superseded", {"detail": {"judge": 5}}, "detail.judge"),
        ("remembered", {"detail": {"reading": [1]}}, "detail.reading"),
        ("remembered", {"detail": {"reading": {"importance": {}}}}, "detail.reading"),
        ("remembered", {"at": "0001-01-01T00:00:00+00:00"}, "before the year 1970"),
    ],
)
def test_a_log_that_could_not_be_read_again_is_refused(
    open_engine: OpenEngine, tmp_path: Path, event: str, change: dict[str, Any], fault: str
) -> None:
    """It would be found out by whoever restores, explains or simulates next, with an error that is none of ours."""
    path = forged(exported(open_engine("source"), tmp_path), event, change)
    target = open_engine("target")
    with pytest.raises(Invalid, match=fault):
        target.import_(path, trusted=True)
    assert target.events() == []


def test_restoring_an_imported_edit_gives_no_more_trust_than_an_import(open_engine: OpenEngine, tmp_path: Path) -> None:
    """An edit in the log says what a field was: a forged one would hand out trust at the first `restore`."""
    path = forged(exported(open_engine("source"), tmp_path), "edited", {"detail": {"was": {"trust": 1.0}}})
    target = open_engine("target")
    target.import_(path)
    edited = [event for event in target.events() if event.kind == "edited"]
    assert [event.detail["was"]["trust"] for event in edited] == [target.policy.trust.of("import")]


def test_a_log_that_this_program_wrote_comes_back_whole(open_engine: OpenEngine, tmp_path: Path) -> None:
    """What the rules ask for is what every verb writes."""
    source = open_engine("source")
    path = exported(source, tmp_path)
    target = open_engine("target")
    target.import_(path, trusted=True)
    told = [(event.kind, event.memory, dict(event.detail)) for event in target.events() if event.kind != "imported"]
    assert told == [(event.kind, event.memory, dict(event.detail)) for event in source.events()]
