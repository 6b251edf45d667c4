"""Tiers: a buffer of fixed size for each session, and the ways up from it and down again."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing.domain.events import EventKind
from ebbing.domain.ids import new_id
from ebbing.domain.memory import Memory, Status, Tier
from ebbing.domain.policy import Policy
from ebbing.domain.policy.loader import load
from ebbing.domain.results import Step
from ebbing.domain.retention import strength_of
from ebbing.engine import Engine
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.properties import examples
from tests.store.making import ids
from tests.store.test_days import moment_of
from tests.store.test_sweep import live, status

DEFAULT = load()
SMALL = dataclasses.replace(DEFAULT, working=dataclasses.replace(DEFAULT.working, capacity=3))


def jotted(engine: Engine, importances: Sequence[float], **given: Any) -> list[Memory]:
    """Working memories, one after the other."""
    given = {"tier": "working", "session": "s", **given}
    return [
        engine.remember(f"jotted {new_id(engine.clock.now())}", importance=importance, **given).memories[0]
        for importance in importances
    ]


def in_use(engine: Engine, several: Sequence[Memory]) -> list[bool]:
    return [status(engine, one) is Status.ACTIVE for one in several]


# The buffer


@pytest.mark.parametrize(
    ("importances", "stays"),
    [
        ([0.2, 0.9, 0.8, 0.5], [False, True, True, True]),
        ([0.9, 0.2, 0.8, 0.5], [True, False, True, True]),
        ([0.9, 0.8, 0.2, 0.5], [True, True, False, True]),
        ([0.9, 0.8, 0.7, 0.0], [True, True, False, True]),
    ],
    ids=["first", "middle", "last", "not the newest"],
)
def test_a_full_buffer_lets_its_weakest_go_whatever_its_position(
    open_engine: OpenEngine, importances: list[float], stays: list[bool]
) -> None:
    engine = open_engine(policy=SMALL)
    several = jotted(engine, importances)
    assert in_use(engine, several) == stays
    gone = several[stays.index(False)]
    last = engine.history(gone.id)[-1]
    assert (status(engine, gone), last.kind) == (Status.ARCHIVED, EventKind.ARCHIVED)
    assert last.reason == "the working memory of its session holds 3; the weakest goes first"
    assert last.detail["was"] == "active"
    engine.restore(gone.id)
    assert status(engine, gone) is Status.ACTIVE, "nothing is lost"


def test_at_its_capacity_a_buffer_is_not_over_it(open_engine: OpenEngine) -> None:
    engine = open_engine(policy=SMALL)
    assert in_use(engine, jotted(engine, [0.1, 0.1, 0.1])) == [True, True, True]


def test_what_was_not_touched_for_hours_is_weaker_than_what_is_fresh(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    engine = open_engine(policy=SMALL)
    old = jotted(engine, [0.8])
    clock.advance(hours=6)
    fresh = jotted(engine, [0.3, 0.3, 0.3])
    assert in_use(engine, [*old, *fresh]) == [False, True, True, True]


def test_each_session_of_each_agent_has_a_buffer_of_its_own(open_engine: OpenEngine) -> None:
    scout, other = open_engine(agent="scout", policy=SMALL), open_engine(agent="other", policy=SMALL)
    several = [
        *jotted(scout, [0.3, 0.3, 0.3], session="one"),
        *jotted(scout, [0.3, 0.3, 0.3], session="two"),
        *jotted(scout, [0.3, 0.3, 0.3], session=None),
        *jotted(other, [0.3, 0.3, 0.3], session="one"),
    ]
    assert in_use(scout, several) == [True] * 12
    jotted(other, [0.9], session="one")
    assert in_use(scout, several) == [True] * 9 + [False, True, True]
    jotted(scout, [0.9], session=None)
    assert in_use(scout, several) == [True] * 6 + [False, True, True] * 2


def test_only_what_is_working_counts(open_engine: OpenEngine) -> None:
    engine = open_engine(policy=SMALL)
    others = jotted(engine, [0.1] * 5, tier="semantic")
    several = jotted(engine, [0.3] * 3)
    assert all(in_use(engine, [*others, *several]))
    engine.forget(ids=several[0].id)
    assert in_use(engine, jotted(engine, [0.3])) == [True]
    assert in_use(engine, several) == [False, True, True], "what is out of use takes no room"


def test_what_is_pinned_or_protected_stays_and_the_new_one_too(open_engine: OpenEngine) -> None:
    engine = open_engine(policy=SMALL)
    pinned = jotted(engine, [0.0, 0.0], pinned=True)
    exempt = jotted(engine, [0.0, 0.0], scope="/user")
    several = jotted(engine, [0.5, 0.4])
    assert in_use(engine, [*pinned, *exempt, *several]) == [True] * 4 + [False, True]


def test_many_at_once_leave_the_strongest_and_the_last(open_engine: OpenEngine) -> None:
    engine = open_engine(policy=SMALL)
    several = engine.remember_many(
        {"text": f"jotted {number}", "importance": importance, "tier": "working", "session": "s"}
        for number, importance in enumerate([0.5, 0.9, 0.1, 0.8, 0.7, 0.2])
    ).memories
    assert in_use(engine, several) == [False, True, False, True, False, True]


@examples(10)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.integers(0, 3)), min_size=1, max_size=12))
def test_a_full_buffer_never_refuses(engine: Engine, jottings: list[tuple[float, bool, int]]) -> None:
    clock = FrozenClock()
    owner = Engine(store=engine.store, policy=SMALL, clock=clock, models=engine.models, owner=new_id(clock.now()))
    for importance, pinned, hours in jottings:
        (one,) = jotted(owner, [importance], pinned=pinned)
        assert status(owner, one) is Status.ACTIVE
        held = owner.list(tier="working", status="active")
        free = [memory for memory in held if not memory.pinned]
        assert len(held) <= 3 or len(free) <= 1
        clock.advance(hours=hours)


# Up


def test_what_is_worth_keeping_outlives_its_session(engine: Engine, clock: FrozenClock) -> None:
    important, used, idle = jotted(engine, [0.6, 0.2, 0.59])
    engine.used(used.id)
    clock.advance(hours=11, minutes=59)
    assert engine.sweep().actions == []
    clock.advance(minutes=1)
    planned = engine.sweep(dry_run=True)
    sweep = engine.sweep()
    assert [action.memory.id for action in planned.actions] == [action.memory.id for action in sweep.actions]
    assert {action.memory.id: (action.step, action.status) for action in sweep.actions} == dict.fromkeys(
        (important.id, used.id), (Step.PROMOTE, Status.ACTIVE)
    )
    tiers = [engine.get(one.id).tier for one in (important, used, idle)]
    assert tiers == [Tier.EPISODIC, Tier.EPISODIC, Tier.WORKING]
    last = engine.history(important.id)[-1]
    assert (last.kind, last.detail["was_tier"], last.detail["tier"]) == (EventKind.PROMOTED, "working", "episodic")
    assert last.reason == "its session is over, and it is worth keeping"
    clock.advance(days=7)
    engine.sweep()
    assert status(engine, idle) is Status.ARCHIVED, "what was not is gone with its grace"
    engine.restore(batch=sweep.batch)
    assert engine.get(important.id).tier is Tier.WORKING


def test_a_session_that_goes_on_is_not_over(engine: Engine, clock: FrozenClock) -> None:
    (one,) = jotted(engine, [0.9])
    for turn in range(4):
        clock.advance(hours=6)
        engine.used(one.id, session=str(turn))
        assert engine.sweep().actions == []
    clock.advance(hours=12)
    assert [action.step for action in engine.sweep().actions] == [Step.PROMOTE]


def test_what_rises_when_it_is_faint_already_goes_on_down(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """It was kept working for longer than its grace: in the tier it rises to it is below a rung from the start."""
    engine = open_engine()
    (one,) = jotted(engine, [0.01])
    for turn in range(8):
        live(engine, clock, 1)
        engine.used(one.id, session=str(turn))
    live(engine, clock, 10)
    engine.sweep()
    assert status(engine, one) is not Status.ACTIVE


@pytest.mark.parametrize(("every", "risen"), [(2, True), (1, False)], ids=["a fortnight", "a week"])
def test_what_is_confirmed_again_and_again_becomes_procedural(
    engine: Engine, clock: FrozenClock, every: int, risen: bool
) -> None:
    """Eight uses over two weeks of use; eight within one are an afternoon's work."""
    one = engine.remember("Releases are made with make release", importance=0.9).memories[0]
    other = engine.remember("Lunch is at noon", importance=0.9).memories[0]
    for turn in range(8):
        live(engine, clock, every)
        engine.used(one.id, session=str(turn))
    assert engine.get(one.id).tier is (Tier.PROCEDURAL if risen else Tier.SEMANTIC)
    assert engine.get(other.id).tier is Tier.SEMANTIC
    kinds = [event.kind for event in engine.history(one.id)]
    assert kinds.count(EventKind.PROMOTED) == risen


def test_being_said_again_and_again_confirms_too(engine: Engine, clock: FrozenClock) -> None:
    text = "Releases are made with make release"
    one = engine.remember(text, importance=0.9).memories[0]
    for turn in range(8):
        live(engine, clock, 2)
        engine.remember(text, importance=0.9, session=str(turn))
    assert engine.get(one.id).tier is Tier.PROCEDURAL


def test_what_is_procedural_lives_longer(engine: Engine, clock: FrozenClock) -> None:
    known, confirmed = (
        engine.remember(text, importance=0.5, tier=tier).memories[0]
        for text, tier in (("Lunch is at noon", "semantic"), ("Ravens can count", "procedural"))
    )
    live(engine, clock, 10)
    moment = moment_of(engine)
    assert strength_of(known, moment, engine.policy) < strength_of(confirmed, moment, engine.policy)
    live(engine, clock, 20)
    engine.sweep()
    assert in_use(engine, [known, confirmed]) == [False, True]


# Up and down again, between two numbers


@pytest.fixture
def layered(tmp_path: Path) -> Policy:
    policy = tmp_path / "layers.toml"
    policy.write_text(
        '[promotion]\npromote = 0.7\ndemote = 0.5\n[curve]\nslowdown = 1.0\n[defaults]\ntier = "episodic"\n'
    )
    return load(policy)


def test_between_promotion_and_demotion_a_memory_stays_where_it_is(
    open_engine: OpenEngine, clock: FrozenClock, layered: Policy
) -> None:
    engine = open_engine(policy=layered)
    one, weak = (
        engine.remember(text, importance=importance).memories[0]
        for text, importance in (("Lunch is at noon", 0.6), ("Ravens can count", 0.5))
    )
    assert one.tier is Tier.EPISODIC
    engine.used([one.id, weak.id])
    risen = engine.get(one.id)
    assert risen.tier is Tier.SEMANTIC, "0.6 was of use once: 0.72 is above 0.7"
    assert engine.get(weak.id).tier is Tier.EPISODIC, "0.5 was too: 0.6 is between"
    assert engine.history(one.id)[-1].kind is EventKind.PROMOTED
    steps = []
    while not steps:
        live(engine, clock, 1)
        strength = strength_of(risen, moment_of(engine), layered)
        steps = [action for action in engine.sweep().actions if action.memory.id == one.id]
        assert bool(steps) is (strength < 0.5 and clock.now() >= one.created_at + layered.time.grace)
    (action,) = steps
    assert (action.step, action.threshold, action.status) == (Step.DEMOTE, 0.5, Status.ACTIVE)
    assert engine.get(one.id).tier is Tier.EPISODIC
    last = engine.history(one.id)[-1]
    assert (last.kind, last.detail["was_tier"], last.detail["tier"]) == (EventKind.DEMOTED, "semantic", "episodic")
    live(engine, clock, 60)
    engine.sweep()
    assert status(engine, one) is Status.ARCHIVED, "and goes on down from there"


def test_a_demotion_is_undone_with_its_batch(open_engine: OpenEngine, clock: FrozenClock, layered: Policy) -> None:
    engine = open_engine(policy=layered)
    one = engine.remember("Lunch is at noon", importance=0.55, tier="semantic").memories[0]
    clock.advance(days=8)
    live(engine, clock, 2)
    sweep = engine.sweep()
    assert [action.step for action in sweep.actions] == [Step.DEMOTE]
    assert ids(engine.restore(batch=sweep.batch).memories) == [one.id]
    assert engine.get(one.id).tier is Tier.SEMANTIC
