"""The desk where every face calls tools: whoever comes by is swept for as the engine's own owner is."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from ebbing.domain.policy.loader import load
from ebbing.engine import Engine
from ebbing.interfaces.access import Caller, ToolDispatcher
from ebbing.ports import BackgroundSweeper, Vector
from ebbing.testing import FakeEmbedder, FrozenClock, in_memory
from tests.store.test_compaction import noted, week_and_a_day

DEFAULT = load()
SMALL = dataclasses.replace(DEFAULT, sweep=dataclasses.replace(DEFAULT.sweep, soft_limit=5))
SWEEPER = "ebbing-sweep"
CALLERS = [Caller("default"), Caller("default", "bot"), Caller("anna"), Caller("anna", "bot")]


@pytest.fixture
def engine(clock: FrozenClock) -> Iterator[Engine]:
    with in_memory(policy=SMALL, clock=clock) as engine:
        yield engine


def sweeper_of(engine: Engine) -> BackgroundSweeper:
    assert engine.sweeper is not None
    return engine.sweeper


def remember(desk: ToolDispatcher, caller: Caller, text: str, **given: Any) -> str:
    id_: str = desk.call("remember", {"text": text, "importance": 0.9, **given}, caller).memories[0].id
    return id_


def status(desk: ToolDispatcher, caller: Caller, id_: str) -> str:
    return str(desk.call("get_memory", {"id": id_}, caller).status)


@pytest.mark.parametrize("caller", CALLERS, ids=lambda caller: f"{caller.owner}-{caller.agent}")
def test_a_full_scope_is_swept_after_anybody_said_something(engine: Engine, clock: FrozenClock, caller: Caller) -> None:
    """Whoever the owner is, and whichever of his agents it was."""
    desk = ToolDispatcher(engine)
    gone = remember(desk, caller, "for an hour", expires_in="1h")
    clock.advance(hours=2)
    for number in range(3):
        remember(desk, caller, f"note {number}")
    sweeper_of(engine).wait(caller.owner)
    assert status(desk, caller, gone) == "active", "not full yet"
    remember(desk, caller, "one more")
    sweeper_of(engine).wait(caller.owner)
    assert status(desk, caller, gone) == "archived"


@pytest.mark.parametrize("caller", CALLERS, ids=lambda caller: f"{caller.owner}-{caller.agent}")
def test_a_full_scope_is_swept_after_anybody_asked_something(
    engine: Engine, clock: FrozenClock, caller: Caller
) -> None:
    desk = ToolDispatcher(engine)
    for number in range(4):
        remember(desk, caller, f"note {number}")
    gone = remember(desk, caller, "for an hour", expires_in="1h")
    sweeper_of(engine).wait(caller.owner)
    clock.advance(hours=2)
    desk.call("recall", {"query": "note"}, caller)
    sweeper_of(engine).wait(caller.owner)
    assert status(desk, caller, gone) == "archived"


def test_the_agents_of_an_owner_share_one_rest(engine: Engine, clock: FrozenClock) -> None:
    """What one of them asked for a minute ago is not done again for another."""
    desk = ToolDispatcher(engine)
    one, other = Caller("anna", "one"), Caller("anna", "other")
    for number in range(5):
        remember(desk, one, f"note {number}", expires_in="1min" if not number else "90d")
    desk.call("recall", {"query": "note"}, one)
    sweeper_of(engine).wait("anna")
    clock.advance(minutes=2)
    desk.call("recall", {"query": "note"}, other)
    sweeper_of(engine).wait("anna")
    first = desk.engine(one).list(status=["active", "archived"])[-1]
    assert status(desk, one, first.id) == "active"
    clock.advance(minutes=10)
    desk.call("recall", {"query": "note"}, other)
    sweeper_of(engine).wait("anna")
    assert status(desk, one, first.id) == "archived"


class Held(FakeEmbedder):
    """In the thread of a sweep it waits until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.go = threading.Event(), threading.Event()

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        if threading.current_thread().name == SWEEPER:
            self.reached.set()
            assert self.go.wait(timeout=300)
        return super().embed(texts, query=query)


def test_nobodys_answer_waits_for_a_sweep_and_closing_the_first_engine_waits_for_all(clock: FrozenClock) -> None:
    """A sweep that words a summary takes long; the same owner's agents are answered meanwhile."""
    held = Held()
    anna, ben = Caller("anna", "bot"), Caller("ben")
    with in_memory(policy=SMALL, clock=clock, embedder=held) as engine:
        desk = ToolDispatcher(engine)
        notes = noted(desk.engine(anna))
        week_and_a_day(clock)
        for number in range(2):
            remember(desk, anna, f"note {number}")
        assert held.reached.wait(timeout=300)
        assert {status(desk, anna, note.id) for note in notes} == {"active"}
        for caller in (anna, ben):
            id_ = remember(desk, caller, "said while a sweep is under way")
            assert desk.call("recall", {"query": "said while"}, caller)[0].memory.id == id_
        threading.Timer(0.05, held.go.set).start()
    assert SWEEPER not in [thread.name for thread in threading.enumerate()]


def test_nothing_is_kept_of_those_who_came_by(engine: Engine) -> None:
    """A million owners are a million names in the store and none here."""
    desk = ToolDispatcher(engine)
    own = desk.engine(Caller(engine.owner, engine.agent))
    assert own.store is engine.store
    before = vars(desk).copy()
    for number in range(50):
        remember(desk, Caller(f"owner {number}"), "The lamp is green")
    assert vars(desk) == before
