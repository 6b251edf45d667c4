"""Being recalled makes a memory stronger: once per session and window, only what fits, never what is not trusted."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from datetime import timedelta
from itertools import pairwise
from math import exp

import pytest

from ebbing.domain.errors import NotFound
from ebbing.domain.event_values import Cause
from ebbing.domain.events import EventKind
from ebbing.domain.memory import Status, Tier
from ebbing.domain.policy.loader import load
from ebbing.domain.retention import strength_of
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.recall import reinforce
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.store.test_days import moment_of


def test_a_recall_counts_resets_the_age_and_strengthens(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The lamp is green", importance=0.5).memories[0]
    for _ in range(4):
        clock.advance(days=1)
        engine.recall("something else")
    weak = strength_of(engine.get(one.id), moment_of(engine), engine.policy)
    found = engine.recall("green lamp")
    assert found[0].strength == weak, "an answer tells the strength before it"
    after = engine.get(one.id)
    assert (after.recall_count, after.last_accessed_at) == (1, clock.now())
    assert after.created_at == one.created_at
    assert strength_of(after, moment_of(engine), engine.policy) == pytest.approx(0.5 * 1.2)


def test_within_the_window_a_session_counts_once(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The lamp is green").memories[0]
    for _ in range(3):
        engine.recall("green lamp", session="s")
        engine.used(one.id, session="s")
    assert engine.get(one.id).recall_count == 1
    window = engine.policy.reinforcement.window
    clock.advance(seconds=window.total_seconds() - 1)
    engine.recall("green lamp", session="s")
    assert engine.get(one.id).recall_count == 1
    clock.advance(seconds=1)
    engine.recall("green lamp", session="s")
    assert engine.get(one.id).recall_count == 2


def test_every_session_counts_for_itself_and_no_session_is_one_too(engine: Engine) -> None:
    one = engine.remember("The lamp is green").memories[0]
    for session in ("a", "b", None, "a", "b", None):
        engine.recall("green lamp", session=session)
    assert engine.get(one.id).recall_count == 3
    sessions = [event.session for event in engine.history(one.id) if event.kind is EventKind.REINFORCED]
    assert sessions == ["a", "b", None]


def test_a_result_below_the_floor_does_not_count(engine: Engine) -> None:
    one = engine.remember("The green lamp stands on the big table in the kitchen of the house by the sea").memories[0]
    found = engine.recall("green aeroplane engine maintenance schedule and other unrelated things")
    assert [r.memory.id for r in found] == [one.id]
    assert 0 < found[0].relevance < engine.policy.reinforcement.relevance_floor
    assert engine.get(one.id).recall_count == 0
    engine.used(one.id)
    assert engine.get(one.id).recall_count == 1, "said to be used, it counts whatever the question was"


@pytest.mark.parametrize("trust", [0.0, 0.49])
def test_what_is_not_trusted_never_gains(engine: Engine, trust: float) -> None:
    one = engine.remember("The lamp is green", trust=trust).memories[0]
    engine.recall("green lamp")
    engine.used(one.id)
    after = engine.get(one.id)
    assert (after.recall_count, after.last_accessed_at) == (0, one.last_accessed_at)
    assert len(engine.history(one.id)) == 1


def test_what_is_trusted_just_enough_gains(engine: Engine) -> None:
    one = engine.remember("The lamp is green", trust=engine.policy.reinforcement.trust_floor).memories[0]
    engine.recall("green lamp")
    assert engine.get(one.id).recall_count == 1


def test_only_looking_changes_nothing(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The lamp is green").memories[0]
    clock.advance(days=1)
    before = moment_of(engine)
    engine.recall("green lamp", reinforce=False)
    assert engine.get(one.id) == one
    assert moment_of(engine) == before


def test_what_stands_lower_on_the_ladder_is_not_strengthened_by_being_seen(engine: Engine) -> None:
    one = engine.remember("The lamp is green").memories[0]
    new = engine.remember("The lamp is red", supersedes=one.id).memories[0]
    found = engine.recall("lamp red green", include=["superseded", "detached", "archived"])
    assert all(r.relevance >= engine.policy.reinforcement.relevance_floor for r in found)
    assert engine.get(one.id).status is Status.SUPERSEDED
    assert engine.get(one.id).recall_count == 0
    assert engine.get(new.id).recall_count == 1


def test_every_good_result_counts_and_not_only_the_best(engine: Engine) -> None:
    several = engine.remember_many([f"Lamp {number} is green" for number in range(5)]).memories
    engine.recall("which lamp is green", limit=3)
    assert sum(engine.get(one.id).recall_count for one in several) == 3


def test_saying_it_again_counts_each_time(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The lamp is green").memories[0]
    clock.advance(days=1)
    outcome = engine.remember("  the LAMP is green. ")
    assert outcome.memories == []
    assert outcome.reinforced == [engine.get(one.id)]
    assert (outcome.reinforced[0].recall_count, outcome.reinforced[0].last_accessed_at) == (1, clock.now())


@pytest.mark.parametrize(
    "given", [{"scope": "/b"}, {"category": "gotcha"}, {"tier": "episodic"}, {"visibility": "private"}]
)
def test_the_same_words_elsewhere_are_another_memory(open_engine: OpenEngine, given: dict[str, str]) -> None:
    engine = open_engine(agent="scout")
    one = engine.remember("The lamp is green").memories[0]
    other = engine.remember("The lamp is green", **given).memories
    assert len(other) == 1
    assert engine.get(one.id) == one


def test_being_used_in_a_batch_twice_counts_once(engine: Engine) -> None:
    one, two = engine.remember_many(["one", "two"]).memories
    engine.used([one.id, two.id, one.id])
    assert [engine.get(each.id).recall_count for each in (one, two)] == [1, 1]


def test_using_what_is_not_there_counts_nothing(engine: Engine) -> None:
    one = engine.remember("one").memories[0]
    with pytest.raises(NotFound, match="nobody"):
        engine.used([one.id, "nobody"])
    assert engine.get(one.id).recall_count == 0


# Where a use raises a memory from the strength that it has faded to


def faded(level: float, days: float, exponent: float) -> float:
    """The strength of a memory of importance 0.5 under `fademem`, so many days after its last use."""
    return level * exp(-0.1 * exp(-0.5) * days**exponent)


def raised(strength: float, recent: int = 0) -> float:
    """The published gain: a fifth of what is missing, and less the more uses the last seven days have seen."""
    return strength + 0.2 * (1 - strength) * exp(-recent / 10)


@pytest.mark.parametrize("how", ["used", "recalled", "said again"])
def test_each_use_raises_a_memory_from_the_strength_it_had(
    open_engine: OpenEngine, clock: FrozenClock, how: str
) -> None:
    """Whichever way it is of use: on the eighth day, and again on the tenth, when one of seven days was such a day."""
    engine = open_engine(policy="fademem")
    text = "The fuse box is behind the stairs"
    one = engine.remember(text, importance=0.5).memories[0]
    ways = {
        "used": lambda: engine.used(one.id),
        "recalled": lambda: engine.recall(text),
        "said again": lambda: engine.remember(text, importance=0.5),
    }
    level = 1.0
    for days, recent in ((8, 0), (2, 1), (8, 0)):
        clock.advance(days=days)
        weak = strength_of(engine.get(one.id), moment_of(engine), engine.policy)
        assert weak == pytest.approx(faded(level, days, 1.2))
        ways[how]()
        level = raised(weak, recent)
        after = engine.get(one.id)
        assert (after.level, after.tier) == (pytest.approx(level), Tier.EPISODIC)
        assert strength_of(after, moment_of(engine), engine.policy) == after.level
    assert engine.get(one.id).recall_count == 3


def test_the_log_tells_from_where_to_where_a_use_raised_a_memory(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """So that its strength at an earlier time can be told; and under curves without levels it says nothing of them."""
    engine = open_engine(policy="fademem")
    text = "The fuse box is behind the stairs"
    one = engine.remember(text, importance=0.5).memories[0]
    levels, strengths = [1.0], {}
    for days in (8, 3, 4):
        clock.advance(days=days)
        (found,) = engine.recall(text, reinforce=False)
        strengths[clock.now() - timedelta(seconds=1)] = found.strength
        engine.used(one.id)
        levels.append(engine.get(one.id).level)
    uses = [event.detail for event in engine.history(one.id) if event.kind is EventKind.REINFORCED]
    assert [(use["was_level"], use["level"]) for use in uses] == list(pairwise(levels))
    for at, strength in strengths.items():
        (then,) = engine.recall(text, as_of=at)
        assert then.strength == pytest.approx(strength, abs=1e-5)
    plain = open_engine(owner="another")
    other = plain.remember(text).memories[0]
    plain.used(other.id)
    assert [dict(event.detail) for event in plain.history(other.id)][1:] == [{"cause": "used"}]


def test_a_use_in_both_of_two_processes_counts_twice_and_the_second_from_where_the_first_left_it(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    """What was found is older than what is counted: the strength is that of the memory as it stands."""
    engine, other = open_engine(policy="fademem"), open_engine(policy="fademem")
    one = engine.remember("The fuse box is behind the stairs", importance=0.5).memories[0]
    clock.advance(days=8)
    stale = [engine.get(one.id)]
    other.used(one.id, session="other")
    reinforce(stale, engine._context(), session="own", cause=Cause.USED)
    expected = raised(raised(faded(1.0, 8, 1.2)), 1)
    assert (engine.get(one.id).level, engine.get(one.id).recall_count) == (pytest.approx(expected), 2)


def test_a_use_that_makes_an_alarm_too_late_sets_it_anew(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """A long-term memory fades fastest at first. Where a use raises it by nothing, it only begins to do so again."""
    policy = load("fademem")
    gainless = {**policy.curve.parameters, "access_gain": 0.0}
    policy = dataclasses.replace(policy, curve=dataclasses.replace(policy.curve, parameters=gainless))
    engine = open_engine(policy=policy)
    one = engine.remember("The fuse box is behind the stairs", importance=0.5, tier="semantic").memories[0]
    before = engine.get(one.id).due_at
    clock.advance(days=15)
    engine.used(one.id)
    after = engine.get(one.id)
    assert before is not None
    assert after.due_at is not None
    assert clock.now() < after.due_at < before
    clock.set(after.due_at)
    assert strength_of(after, moment_of(engine), policy) < policy.ladder.summarize
    with engine.store.read(View(engine.owner)) as tx:
        assert [memory.id for memory in tx.memories.due(moment_of(engine), 10).memories] == [one.id]


def test_what_a_use_leaves_faint_waits_for_its_topic_again(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """A use takes it out of the waiting room, and brings back only a part of what is missing."""
    engine = open_engine(policy="fademem")
    one = engine.remember("The fuse box is behind the stairs", importance=0.5).memories[0]

    def waits() -> bool:
        engine.sweep()
        with engine.store.read(View(engine.owner)) as tx:
            return one.id in tx.queue.since([one.id])

    clock.advance(days=7, hours=1)
    assert not waits()
    clock.advance(days=4)
    assert waits()
    engine.used(one.id)
    assert strength_of(engine.get(one.id), moment_of(engine), engine.policy) < engine.policy.ladder.summarize
    assert waits()


# Nobody waits for it


def test_an_answer_does_not_wait_until_its_uses_are_counted(open_engine: OpenEngine) -> None:
    engine, other = open_engine(), open_engine()
    memory = engine.remember("the kettle is blue").memories[0]
    with other.store.write(View("default")):
        # Somebody else is writing for this owner, so nothing can be counted now.
        assert [one.memory.id for one in engine.recall("kettle")] == [memory.id]
    assert engine.get(memory.id).recall_count == 1


def test_whatever_comes_next_sees_the_uses_counted(engine: Engine) -> None:
    memory = engine.remember("the kettle is blue").memories[0]
    for session in ("one", "two", "three"):
        engine.recall("kettle", session=session)
    assert engine.recall("kettle", reinforce=False)[0].memory.recall_count == 3
    assert engine.for_owner("default").get(memory.id).recall_count == 3
    assert [event.kind for event in engine.history(memory.id)].count(EventKind.REINFORCED) == 3


def test_closing_waits_until_the_uses_are_counted(open_engine: OpenEngine) -> None:
    engine = open_engine()
    memory = engine.remember("the kettle is blue").memories[0]
    engine.recall("kettle")
    engine.close()
    assert open_engine().get(memory.id).recall_count == 1


def test_a_program_that_just_ends_has_counted_its_uses(address: str, open_engine: OpenEngine) -> None:
    memory = open_engine().remember("the kettle is blue").memories[0]
    program = "import ebbing, sys; ebbing.open(sys.argv[1], embedder=None).recall('kettle')"
    subprocess.run([sys.executable, "-c", program, address], check=True, timeout=300)
    assert open_engine().get(memory.id).recall_count == 1


def test_what_a_caller_does_with_the_answer_changes_nothing_about_it(engine: Engine) -> None:
    memory = engine.remember("the kettle is blue").memories[0]
    for number in range(20):
        engine.recall("kettle", session=f"{number}").clear()
    assert engine.get(memory.id).recall_count == 20
