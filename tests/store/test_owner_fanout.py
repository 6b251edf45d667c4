"""Rounds: many owners, several at a time, and one's trouble is not another's."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from ebbing import Engine, Invalid, Unavailable
from ebbing.jobs.owner_fanout import Round, reembed_owners, sweep_owners
from ebbing.ports import Store, Vector, View, WriteTransaction
from ebbing.testing import FakeEmbedder, FrozenClock, in_memory

OpenEngine = Callable[..., Engine]


def owner_names(count: int) -> list[str]:
    return [f"owner {number:02}" for number in range(count)]


def test_every_owner_with_something_due_is_swept(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """Those without are not even visited, and nothing of one is told as another's."""
    engine = open_engine()
    names = owner_names(10)
    for place, owner in enumerate(names):
        engine.for_owner(owner).remember("Gone soon", expires_in="1h" if place % 2 else "90d")
    # Their days of use have moved since they were last swept: never.
    assert set(sweep_owners(engine).complete()) == set(names)
    clock.advance(hours=2)
    swept = sweep_owners(engine, threads=3).complete()
    assert set(swept) == set(names[1::2])
    for owner, sweep in swept.items():
        assert [action.memory.owner for action in sweep.actions] == [owner]
        assert sweep.trigger == "cron"
    assert sweep_owners(engine) == Round({}, {})


def test_there_may_be_nobody_to_visit(open_engine: OpenEngine) -> None:
    """A new store has no owner."""
    engine = open_engine()
    assert (sweep_owners(engine), reembed_owners(engine)) == (Round({}, {}), Round({}, {}))


def test_every_owners_memories_are_embedded_again(open_engine: OpenEngine) -> None:
    """The round tells how many of each, and counts owners as they are done."""
    names = owner_names(5)
    for place, owner in enumerate(names):
        open_engine(owner, embedder=FakeEmbedder(fingerprint="old")).remember_many(
            [f"fact number {number}" for number in range(place)]
        )
    engine = open_engine(embedder=FakeEmbedder(fingerprint="new"))
    told: list[tuple[int, int]] = []
    here = threading.current_thread()

    def progress(done: int, total: int) -> None:
        assert threading.current_thread() is here
        told.append((done, total))

    # The first said nothing, so it never became an owner.
    expected = {owner: place for place, owner in enumerate(names) if place}
    assert reembed_owners(engine, progress=progress).complete() == expected
    assert told == [(done, 4) for done in (1, 2, 3, 4)]
    assert set(reembed_owners(engine).complete().values()) == {0}


class Meeting(FakeEmbedder):
    """Embeds only when two threads want something at the same time."""

    def __init__(self) -> None:
        super().__init__(fingerprint="new")
        self.barrier = threading.Barrier(2, timeout=300)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        self.barrier.wait()
        return super().embed(texts, query=query)


def test_owners_are_visited_at_the_same_time(open_engine: OpenEngine) -> None:
    """While a model works for one owner, another's turn comes."""
    for owner in ("one", "two"):
        open_engine(owner, embedder=None).remember("The sky is blue")
    assert reembed_owners(open_engine(embedder=Meeting()), threads=2).complete() == {"one": 1, "two": 1}


class WatchedStore:
    """A store that fails for some owners, or cannot name any, and sees which owners are written at the same time."""

    def __init__(self, store: Store, *, failing: Sequence[str] = ()) -> None:
        self._store = store
        self._failing = failing
        self._lock = threading.Lock()
        self._writing: set[str] = set()
        self.met: list[str] = []
        self.away = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def owners(self, **given: Any) -> list[str]:
        if self.away:
            raise Unavailable("nobody can be named")
        names = self._store.owners(**given)
        return [*names, *names]

    @contextlib.contextmanager
    def write(self, view: View, *, durable: bool = True) -> Iterator[WriteTransaction]:
        if view.owner in self._failing:
            raise Unavailable(f"no room for {view.owner}")
        with self._lock:
            if view.owner in self._writing:
                self.met.append(view.owner)
            self._writing.add(view.owner)
        with self._store.write(view, durable=durable) as tx:
            yield tx
        with self._lock:
            self._writing.discard(view.owner)


def watched(engine: Engine, **given: Any) -> tuple[Engine, WatchedStore]:
    store: Any = WatchedStore(engine.store, **given)
    return Engine(store=store, policy=engine.policy, clock=engine.clock, models=engine.models), store


def test_one_owners_trouble_does_not_stop_the_others(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """The round goes on to its end, and then tells all that failed, with whose it was."""
    engine = open_engine()
    names = owner_names(6)
    for owner in names:
        engine.for_owner(owner).remember("Gone soon", expires_in="1h")
    clock.advance(hours=2)
    failing = [names[0], names[3]]
    done = sweep_owners(watched(engine, failing=failing)[0], threads=2)
    assert (list(done.answers), list(done.errors)) == ([name for name in names if name not in failing], failing)
    with pytest.raises(ExceptionGroup, match="2 of 6 owners") as raised:
        done.complete()
    assert {type(error) for error in raised.value.exceptions} == {Unavailable}
    assert [error.__notes__ for error in raised.value.exceptions] == [[f"while visiting owner {o!r}"] for o in failing]
    for owner in names:
        assert bool(engine.for_owner(owner).list(status="archived")) is (owner not in failing)
    assert set(sweep_owners(engine).complete()) == set(failing)


def test_no_owner_is_visited_twice_in_a_round(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """Not even when a store names one twice."""
    engine, store = watched(open_engine())
    for owner in owner_names(8):
        engine.for_owner(owner).remember("Gone soon", expires_in="1h")
    clock.advance(hours=2)
    assert len(sweep_owners(engine, threads=8).complete()) == 8
    assert store.met == []


def test_an_interrupted_round_leaves_the_rest_for_the_next(clock: FrozenClock) -> None:
    """Visits under way are finished; those not begun do not begin."""
    with in_memory(embedder=None, clock=clock) as engine:
        names = owner_names(50)
        for owner in names:
            engine.for_owner(owner).remember("The sky is blue")
        gate = threading.Event()

        class Waiting(FakeEmbedder):
            def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
                if self.calls:
                    gate.wait(timeout=300)
                return super().embed(texts, query=query)

        engine.models.embedder = Waiting()

        def interrupt(*_: int) -> None:
            gate.set()
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            reembed_owners(engine, threads=1, progress=interrupt)
        assert any(count == 1 for count in reembed_owners(engine, threads=1).complete().values())
        assert sum(engine.for_owner(owner).stats().embedded == {"fake-256": 1} for owner in names) == 50


def test_without_a_model_no_owner_is_visited(open_engine: OpenEngine) -> None:
    """One error, not one for each owner."""
    engine = open_engine(embedder=None)
    engine.remember("The sky is blue")
    with pytest.raises(Invalid, match="no model to embed with"):
        reembed_owners(engine)


@pytest.mark.parametrize("threads", [0, -1, 1000, True, "4"])
def test_a_round_needs_some_threads_but_not_any_number(threads: Any) -> None:
    """A small whole number."""
    with in_memory() as engine, pytest.raises(Invalid, match="threads"):
        sweep_owners(engine, threads=threads)
