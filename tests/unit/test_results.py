"""What the verbs answer: frozen, and the same JSON on every face."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from ebbing.domain import results
from ebbing.domain.events import Event, EventKind
from ebbing.domain.import_results import Imported
from ebbing.domain.memory import Memory, Scope, Status
from ebbing.domain.results import (
    Action,
    Batch,
    Block,
    Context,
    Doubt,
    Explanation,
    Fact,
    Facts,
    Forecast,
    Receipt,
    Recollection,
    Recollections,
    RelatedMemory,
    Remembered,
    Skipped,
    Stats,
    Step,
    Sweep,
    Unsettled,
    plain,
)
from tests.tables import each_row

NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)
MEMORY = Memory(
    id="m1",
    owner="ada",
    text="The sea ebbs",
    scope=Scope("/sea"),
    created_at=NOW,
    created_day=1,
    last_accessed_at=NOW,
    used_day=1,
)
ACTION = Action(MEMORY, Step.ARCHIVE, "faded", 0.04, 0.05)
FORECAST = Forecast("detached", 0.15, 18.8, NOW)
ANSWERS: list[Any] = [
    Skipped("text", "reason"),
    Remembered(memories=[MEMORY], skipped=[Skipped("text", "reason")], batch="b1"),
    Recollection(MEMORY, 0.5, 0.6, 0.7, {"lexical": 0.1}),
    Recollections([Recollection(MEMORY, 0.5, 0.6, 0.7, {"lexical": 0.1})], ("a note",)),
    Batch("b1", [MEMORY], "reason", True),
    Receipt("r1", 1, ["t1"], True, NOW, "reason", ("a note",)),
    ACTION,
    Sweep("b1", [ACTION], False, "cron", 5),
    FORECAST,
    Explanation(
        memory=MEMORY,
        strength=0.5,
        curve="ebbinghaus",
        unit="days of use",
        numbers={"importance": 0.5, "idle_days": 0.0, "recalls": 0.0},
        reading={"kind": "event", "kind_probability": 0.9, "lifetime": "years", "harm": 1, "injected": 0.01},
        because="it is active since it was remembered",
        protected_by=(),
        grace_until=NOW,
        forecasts=(FORECAST,),
        levers=("use it",),
        drawn=((0, 0.5), (7, 0.3)),
    ),
    Stats(1, {"active": 1}, {"fact": 1}, {"semantic": 1}, 5, 0, {"none": 1}, 1, {"archive": 1}, NOW, 1, 4096),
    Imported(1, 2, 3, 4),
    Block("identity", "I am Ebb", 4, 50, "m1", NOW),
    Context("<ebbing-memory>", [MEMORY], 12, ("a note",)),
    Unsettled(Doubt.MERGED, MEMORY, [MEMORY], "says the same"),
    RelatedMemory("m1", "The sea ebbs", NOW, "updates", 0.4, "m2"),
    Fact("Mara moved to Munich", "fact", 0.6, "mara", "lives in"),
    Facts([Fact("Mara moved to Munich")], by="rules", notes=("a note",)),
    Event(1, NOW, EventKind.ARCHIVED, "m1", "b1", detail={"was": Status.ACTIVE}),
    MEMORY,
    None,
    [MEMORY, {"at": NOW}],
]


@each_row("answer", ANSWERS)
def test_every_answer_can_be_said_as_json(answer: Any) -> None:
    """And nothing is lost on the way through a real encoder."""
    assert json.loads(json.dumps(plain(answer), allow_nan=False)) == plain(answer)


def test_every_kind_of_answer_is_tried_above() -> None:
    """One added later must be sayable too."""
    kinds = {
        value for value in vars(results).values() if isinstance(value, type) and value.__module__ == results.__name__
    }
    assert kinds - {type(answer) for answer in ANSWERS} == {Doubt, Step}


@each_row("answer", [a for a in ANSWERS if dataclasses.is_dataclass(a)])
def test_an_answer_is_frozen(answer: Any) -> None:
    """What was answered is not edited afterwards."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(answer, dataclasses.fields(answer)[0].name, None)


def test_answers_of_several_batches_add_up() -> None:
    """List by list; the first batch names the whole."""
    other = MEMORY.with_(id="m2")
    both = Remembered(memories=[MEMORY], batch="b1") + Remembered(
        memories=[other], reinforced=[MEMORY], skipped=[Skipped("x", "y")], batch="b2"
    )
    assert both == Remembered(memories=[MEMORY, other], reinforced=[MEMORY], skipped=[Skipped("x", "y")], batch="b1")
    assert Remembered() + both == both


def test_adding_answers_changes_neither() -> None:
    """Their lists stay their own."""
    one, other = Remembered(memories=[MEMORY]), Remembered(memories=[MEMORY])
    assert len((one + other).memories) == 2
    assert len(one.memories) == len(other.memories) == 1


def test_recollections_are_a_list_with_notes() -> None:
    """Plain code may loop over them and never know."""
    found = Recollections([], ("no embedder: found by words alone",))
    assert found == []
    assert plain(found) == {"recollections": [], "notes": ["no embedder: found by words alone"]}


def test_an_action_knows_where_it_leads() -> None:
    """Each step to its rung."""
    assert dataclasses.replace(ACTION, step=Step.DETACH).status is Status.DETACHED
    assert ACTION.status is Status.ARCHIVED
