"""Why a memory stands where it stands: in words, and with forecasts that are what sweeps then do."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

import pytest

from ebbing.domain.errors import NotFound
from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine

STEPS = {"detach", "archive", "promote", "demote"}  # `summarize` waits for others, and these memories have none


def use(engine: Engine, clock: FrozenClock, hours: float = 24) -> None:
    """Some time later, on which the owner uses the system for something else."""
    with engine.store.write(View(engine.owner)) as tx:
        tx.owner.mark_active_day(clock.advance(hours=hours))


KINDS: list[dict[str, Any]] = [
    {},
    {"importance": 0.9},
    {"importance": 0.1},
    {"tier": "working", "importance": 0.8},
    {"tier": "working", "importance": 0.2},
    {"category": "tool_output"},
    {"category": "finding", "importance": 0.9},
    {"expires_in": "10d"},
    {"tier": "semantic", "importance": 0.95},
]


@pytest.mark.parametrize("policy", ["default", "hermes", "yourmemory", "fademem", "graduated"])
def test_what_is_forecast_is_what_sweeps_then_do(open_engine: OpenEngine, clock: FrozenClock, policy: str) -> None:
    """Used every day and never touched: each step on the day that was told. Each memory is alone in its scope."""
    engine = open_engine(policy=policy)
    made = [
        engine.remember("The fuse box is behind the stairs", scope=f"/house-{number}", **given).memories[0].id
        for number, given in enumerate(KINDS)
    ]
    assert len(set(made)) == len(KINDS)
    start = clock.now()
    told = {id_: [(one.rung, one.at) for one in engine.explain(id_).forecasts if one.rung in STEPS] for id_ in made}
    swept: dict[str, list[tuple[str, float]]] = {id_: [] for id_ in made}
    for _ in range(140):
        use(engine, clock)
        for action in engine.sweep().actions:
            swept[action.memory.id].append((str(action.step), days_since(start, clock)))
    for id_, given in zip(made, KINDS, strict=True):
        expected = [
            (rung, (at - start) / timedelta(days=1)) for rung, at in told[id_] if at is not None and at < clock.now()
        ]
        # A sweep comes once a day, and of several steps within a day tells the last.
        last_of_each_day = {math.ceil(days): rung for rung, days in expected}
        assert {round(days): rung for rung, days in swept[id_]} == last_of_each_day, given
        out_of_use = bool({"detach", "archive"} & {rung for rung, _ in expected})
        assert (engine.get(id_).status is Status.ACTIVE) is not out_of_use, given


@pytest.mark.parametrize("other", ["yourmemory", "fademem", "graduated"])
def test_under_a_policy_that_has_not_swept_yet_it_tells_what_that_one_would_do(
    open_engine: OpenEngine, clock: FrozenClock, other: str
) -> None:
    """The alarms are still those of the policy before."""
    before = open_engine(policy="default")
    ids = []
    for number, importance in enumerate((0.1, 0.3, 0.5, 0.9)):
        said = before.remember(f"Fuse {number} is behind the stairs", scope=f"/fuse-{number}", importance=importance)
        ids.append(said.memories[0].id)
    for _ in range(100):
        use(before, clock)
    after = open_engine(policy=other)
    told = {
        (id_, step.rung, step.reason)
        for id_ in ids
        for step in after.explain(id_).forecasts
        if step.days == 0 and step.rung in STEPS
    }
    assert told
    swept = after.sweep(dry_run=True).actions
    assert told == {(action.memory.id, str(action.step), action.reason) for action in swept}


def days_since(start: datetime, clock: FrozenClock) -> float:
    return (clock.now() - start) / timedelta(days=1)


def test_an_explanation_is_words_and_numbers(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The API rate limit is 100 requests per minute", importance=0.5).memories[0]
    told = engine.explain(one.id)
    assert (told.strength, told.numbers["importance"], told.unit) == (0.5, 0.5, "days of use")
    assert [step.rung for step in told.forecasts] == ["summarize", "detach", "archive"]
    assert told.grace_until is not None
    said = str(told)
    assert "It is active: remembered on" in said
    assert "pin it: it never fades" in said
    engine.pin(one.id)
    pinned = engine.explain(one.id)
    assert (pinned.forecasts, pinned.protected_by, pinned.strength) == ((), ("it is pinned",), 1.0)


def test_one_that_waits_for_its_topic_says_so(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The fuse box is behind the stairs", importance=0.35).memories[0]
    for _ in range(9):
        use(engine, clock)
        engine.sweep()
    told = engine.explain(one.id)
    assert "waits for others of its topic" in told.because
    assert "summarize" not in [step.rung for step in told.forecasts]


def test_what_has_gone_down_tells_why_and_how_to_bring_it_back(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("for a day", expires_in="1d").memories[0]
    clock.advance(days=2)
    engine.sweep()
    told = engine.explain(one.id)
    assert "its time to live ended" in told.because
    assert told.forecasts == ()
    assert told.levers[0].startswith("restore it")
    with pytest.raises(NotFound):
        engine.explain("nothing")
