"""What it would harm to lose does not leave recall unasked: it stays and waits in review, until somebody says so."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from ebbing.domain.errors import Invalid
from ebbing.domain.events import EventKind
from ebbing.domain.memory import Status
from ebbing.domain.policy import Budget, Policy
from ebbing.domain.policy.loader import load
from ebbing.domain.results import Doubt, Step
from ebbing.engine import Engine
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.store.test_sweep import live, plan_of
from tests.tables import each_row

DEFAULT = load()
PLUMBER = "The stopcock behind the boiler must stay shut"


def faded(engine: Engine, clock: FrozenClock, **given: Any) -> str:
    """A memory that is harmful to lose, at the end of its fading."""
    id_ = engine.remember(PLUMBER, **{"importance": 0.4, "harm": 2, **given}).memories[0].id
    live(engine, clock, 60)
    return id_


def test_what_is_harmful_to_lose_stays_and_waits_in_review(engine: Engine, clock: FrozenClock) -> None:
    harmful = faded(engine, clock)
    harmless = engine.remember("The kettle leaks", importance=0.4).memories[0].id
    live(engine, clock, 60)
    planned = engine.sweep(dry_run=True)
    swept = engine.sweep()
    assert plan_of(swept) == plan_of(planned)
    assert {action.memory.id: action.step for action in swept.actions} == {
        harmful: Step.REVIEW,
        harmless: Step.ARCHIVE,
    }
    assert engine.get(harmful).status is Status.ACTIVE
    (waiting,) = engine.review()
    assert (waiting.doubt, waiting.memory.id) == (Doubt.LEAVING, harmful)
    assert "harmful to lose" in (waiting.reason or "")
    assert engine.sweep().actions == [], "it asks once"
    assert [event.kind for event in engine.history(harmful)] == [EventKind.REMEMBERED, EventKind.HELD]


def test_kept_it_is_as_fresh_as_after_a_use_and_comes_up_again_when_it_has_faded(
    engine: Engine, clock: FrozenClock
) -> None:
    id_ = faded(engine, clock)
    engine.sweep()
    kept = engine.settle(id_, keep=True)
    memory = engine.get(id_)
    assert (memory.held_at, memory.recall_count, engine.review()) == (None, 1, [])
    assert engine.explain(id_).strength >= 0.4
    live(engine, clock, 60)
    engine.sweep()
    assert [one.memory.id for one in engine.review()] == [id_]
    engine.settle(id_, keep=True)
    engine.restore(batch=kept.id)


def test_let_go_it_is_archived_and_undoing_that_asks_again(engine: Engine, clock: FrozenClock) -> None:
    id_ = faded(engine, clock)
    engine.sweep()
    gone = engine.settle(id_, keep=False)
    assert (engine.get(id_).status, engine.review()) == (Status.ARCHIVED, [])
    engine.restore(batch=gone.id)
    assert (engine.get(id_).status, [one.memory.id for one in engine.review()]) == (Status.ACTIVE, [id_])


def test_undoing_what_kept_it_asks_again(engine: Engine, clock: FrozenClock) -> None:
    id_ = faded(engine, clock)
    swept = engine.sweep()
    engine.restore(batch=engine.settle(id_, keep=True).id)
    assert [one.memory.id for one in engine.review()] == [id_]
    engine.restore(batch=swept.batch)
    assert engine.review() == []
    assert engine.sweep().actions == [], "what was restored has a grace period"


@each_row(
    "act",
    [
        lambda engine, id_: engine.used(id_),
        lambda engine, id_: engine.pin(id_),
        lambda engine, id_: engine.update(id_, harm=3),
        lambda engine, id_: engine.forget(ids=[id_]),
        lambda engine, id_: engine.remember(PLUMBER),
    ],
)
def test_whoever_does_something_with_it_has_answered(open_engine: OpenEngine, clock: FrozenClock, act: Any) -> None:
    engine = open_engine(f"owner-{id(act)}")
    id_ = faded(engine, clock)
    engine.sweep()
    act(engine, id_)
    assert engine.review() == []


def test_both_does_not_answer_whether_it_stays(engine: Engine, clock: FrozenClock) -> None:
    id_ = faded(engine, clock)
    engine.sweep()
    with pytest.raises(Invalid, match="leaving"):
        engine.settle(id_, keep="both")


@each_row(
    "given, step",
    [
        ({"harm": 1}, Step.ARCHIVE),
        ({"harm": 2}, Step.REVIEW),
        ({"harm": 2, "expires_in": "10d"}, Step.REVIEW),
        ({"harm": 2, "lifetime": "weeks"}, Step.REVIEW),
        ({"harm": 2, "lifetime": "days"}, Step.ARCHIVE),  # it was over long before
        ({"harm": 2, "valid_until": "2026-01-20T00:00:00Z"}, Step.ARCHIVE),  # so was this
        ({"harm": 2, "source": "web"}, Step.ARCHIVE),  # not on the word of a stranger
    ],
)
def test_who_waits(open_engine: OpenEngine, clock: FrozenClock, given: dict[str, Any], step: Step) -> None:
    engine = open_engine("-".join(map(str, given.values())))
    engine.remember(PLUMBER, importance=0.4, **given)
    live(engine, clock, 200)
    assert [action.step for action in engine.sweep().actions] == [step]


def test_a_full_scope_lets_the_next_weakest_go_in_its_place(open_engine: OpenEngine, clock: FrozenClock) -> None:
    budgets = dataclasses.replace(DEFAULT.budgets, scopes={"/logs": Budget(memories=1)})
    engine = open_engine(policy=dataclasses.replace(DEFAULT, budgets=budgets))
    weak = engine.remember(PLUMBER, importance=0.5, harm=2, scope="/logs").memories[0].id
    others = [
        engine.remember(text, importance=importance, scope="/logs").memories[0].id
        for text, importance in (("The kettle leaks", 0.6), ("Ada likes tea", 0.9))
    ]
    clock.advance(days=8)
    assert {a.memory.id: a.step for a in engine.sweep().actions} == {
        weak: Step.REVIEW,
        others[0]: Step.ARCHIVE,
        others[1]: Step.ARCHIVE,
    }
    assert engine.sweep().actions == []
    assert engine.get(weak).status is Status.ACTIVE


def test_explain_tells_of_it_before_and_while_it_waits(engine: Engine, clock: FrozenClock) -> None:
    id_ = engine.remember(PLUMBER, importance=0.4, harm=2).memories[0].id
    before = engine.explain(id_)
    assert [forecast.rung for forecast in before.forecasts] == ["review"]
    assert any("waits in review on" in lever for lever in before.levers)
    live(engine, clock, 60)
    engine.sweep()
    waiting = engine.explain(id_)
    assert "waits in review since" in waiting.because
    assert any(lever.startswith("settle it: kept") for lever in waiting.levers)
    assert engine.stats().last_sweep == {"held": 1}
    assert engine.stats().in_review == 1


def test_a_policy_may_ask_nobody(open_engine: OpenEngine, clock: FrozenClock) -> None:
    unasked = dataclasses.replace(DEFAULT.protection, review_harm=None)
    engine = open_engine(policy=dataclasses.replace(DEFAULT, protection=unasked))
    id_ = faded(engine, clock)
    engine.sweep()
    assert engine.get(id_).status is Status.ARCHIVED


def test_another_policy_lets_go_what_waited(open_engine: OpenEngine, clock: FrozenClock) -> None:
    id_ = faded(open_engine("ada"), clock)
    open_engine("ada").sweep()
    unasked = dataclasses.replace(DEFAULT.protection, review_harm=None)
    lax: Policy = dataclasses.replace(DEFAULT, protection=unasked)
    engine = open_engine("ada", policy=lax)
    engine.sweep()
    assert engine.get(id_).status is Status.ARCHIVED
    assert engine.review() == []


def test_the_working_memory_of_a_session_lets_another_go(open_engine: OpenEngine, clock: FrozenClock) -> None:
    working = dataclasses.replace(DEFAULT.working, capacity=2)
    engine = open_engine(policy=dataclasses.replace(DEFAULT, working=working))
    kept = engine.remember(PLUMBER, tier="working", session="s", importance=0.1, harm=2).memories[0].id
    for text in ("The kettle leaks", "Ada likes tea"):
        clock.advance(minutes=1)
        engine.remember(text, tier="working", session="s", importance=0.5)
    assert engine.get(kept).status is Status.ACTIVE


def test_a_context_tells_what_has_faded_where_asked_and_marks_it(engine: Engine, clock: FrozenClock) -> None:
    id_ = faded(engine, clock, harm=0)
    engine.sweep()
    assert engine.context("Where is the stopcock?").text == ""
    told = engine.context("Where is the stopcock?", faded=True)
    assert [memory.id for memory in told.memories] == [id_]
    assert ", faded]" in told.text
    engine.remember("The stopcock was moved to the cellar")
    again = engine.context("Where is the stopcock?", faded=True)
    assert "faded" not in again.text, "what is in use answers"


def test_a_working_memory_outlives_its_session_and_asks_as_what_it_is_then(engine: Engine, clock: FrozenClock) -> None:
    """A working memory fades within hours: nobody is asked about it while its session may still go on."""
    id_ = engine.remember(PLUMBER, tier="working", session="s", importance=0.5, harm=2).memories[0].id
    clock.advance(hours=10)
    assert engine.sweep().actions == []
    clock.advance(hours=3)
    assert [action.step for action in engine.sweep().actions] == [Step.PROMOTE]
    live(engine, clock, 90)
    assert [action.step for action in engine.sweep().actions] == [Step.REVIEW]
    assert [one.memory.id for one in engine.review()] == [id_]
