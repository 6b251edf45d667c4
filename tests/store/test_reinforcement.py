"""Being recalled makes a memory stronger: once per session and window, only what fits, never what is not trusted."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ebbing.engine import Engine
from ebbing.errors import NotFound
from ebbing.fading import strength_of
from ebbing.model import EventKind, Status
from ebbing.ports import View
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
    subprocess.run([sys.executable, "-c", program, address], check=True, timeout=60)
    assert open_engine().get(memory.id).recall_count == 1


def test_what_a_caller_does_with_the_answer_changes_nothing_about_it(engine: Engine) -> None:
    memory = engine.remember("the kettle is blue").memories[0]
    for number in range(20):
        engine.recall("kettle", session=f"{number}").clear()
    assert engine.get(memory.id).recall_count == 20
