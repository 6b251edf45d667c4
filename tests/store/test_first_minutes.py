"""What a new user meets first: repeating oneself, correcting oneself, and things that should be gone."""

from __future__ import annotations

import threading

import pytest

from ebbing import Engine, EventKind, Invalid, Status, Unavailable
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.conftest import OpenEngine


def fade(engine: Engine, clock: FrozenClock, days: int) -> None:
    for _ in range(days):
        clock.advance(days=1)
        engine.remember(f"the weather of day {clock.now():%Y%j}", category="session_state")
        engine.sweep()


@pytest.mark.parametrize("given", [{"tags": []}, {"categories": []}, {"scope": ""}])
def test_an_empty_filter_is_a_mistake_and_never_everything(engine: Engine, given: dict[str, object]) -> None:
    engine.remember("The lamp is green", tags=["lamp"])
    for verb in (engine.forget, engine.list):
        with pytest.raises(Invalid):
            verb(**given)  # type: ignore[operator]
    assert len(engine.list()) == 1


def test_what_has_expired_is_not_recalled_even_before_a_sweep(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The one-time code is 123456", expires_in="10min").memories[0]
    kept = engine.remember("The one-time code of the safe is 77", expires_in="10min", pinned=True).memories[0]
    clock.advance(minutes=11)
    assert [found.memory.id for found in engine.recall("one-time code")] == [kept.id]
    assert engine.get(one.id).status is Status.ACTIVE, "it is still there, and a sweep will archive it"
    engine.sweep()
    assert {found.memory.id for found in engine.recall("one-time code", include=["archived"])} == {kept.id, one.id}


@pytest.mark.parametrize("how", ["said again", "used", "pinned"])
def test_a_faded_memory_comes_back_into_use(engine: Engine, clock: FrozenClock, how: str) -> None:
    one = engine.remember("The lamp is green", importance=0.4).memories[0]
    fade(engine, clock, 14)
    assert engine.get(one.id).status is Status.DETACHED
    if how == "said again":
        assert engine.remember("The lamp is green").reinforced[0].status is Status.ACTIVE
    elif how == "used":
        engine.used(one.id)
    else:
        engine.pin(one.id)
    assert engine.recall("green lamp")[0].memory.id == one.id
    assert EventKind.RESTORED in [event.kind for event in engine.history(one.id)]
    assert engine.sweep().actions == []
    assert engine.recall("green lamp")[0].memory.id == one.id


def test_what_is_said_beside_a_repetition_is_kept(engine: Engine) -> None:
    one = engine.remember("The server is alpha", importance=0.5, source="web", tags=["a"]).memories[0]
    assert one.trust < 0.5
    again = engine.remember(
        "The server is alpha", importance=0.9, pinned=True, tags=["b"], subject="server", attribute="name"
    ).reinforced[0]
    assert again.id == one.id
    assert (again.importance, again.trust, again.pinned, again.tags) == (0.9, 1.0, True, ("a", "b"))
    edited = [event for event in engine.history(one.id) if event.kind is EventKind.EDITED]
    assert edited[0].detail["was"]["importance"] == 0.5
    engine.unpin(one.id)
    beta = engine.remember("The server is beta", subject="server", attribute="name")
    assert [memory.id for memory in beta.superseded] == [one.id]


def test_the_same_words_at_two_addresses_are_two_facts(engine: Engine) -> None:
    engine.remember("It is on", subject="lamp", attribute="state")
    assert engine.remember("It is on", subject="heating", attribute="state").memories


def test_what_comes_back_to_an_address_that_is_taken_is_contested(engine: Engine) -> None:
    old = engine.remember("The base is MySQL", subject="base", attribute="engine").memories[0]
    batch = engine.forget(ids=old.id)
    new = engine.remember("The base is PostgreSQL", subject="base", attribute="engine").memories[0]
    engine.restore(batch=batch.id)
    assert engine.get(old.id).contested
    assert engine.get(new.id).contested
    assert EventKind.CONTESTED in [event.kind for event in engine.history(new.id)]


class Silent(FakeEmbedder):
    """A model behind an endpoint that is down."""

    down = False

    def embed(self, texts, *, query=False):  # type: ignore[no-untyped-def]
        if self.down:
            raise ConnectionError("connection refused")
        return super().embed(texts, query=query)


def test_an_embedder_that_does_not_answer_costs_the_vectors_and_says_so(open_engine: OpenEngine) -> None:
    embedder = Silent()
    engine = open_engine(embedder=embedder)
    engine.remember("The lamp is green")
    embedder.down = True
    outcome = engine.remember("The door is blue")
    assert outcome.memories[0].fingerprint is None
    assert "does not answer" in outcome.notes[0]
    found = engine.recall("blue door")
    assert found[0].memory.text == "The door is blue"
    assert "does not answer" in found.notes[0]
    with pytest.raises(Unavailable):
        engine.reembed()
    embedder.down = False
    assert engine.reembed() == 1


def test_nothing_is_written_when_one_of_many_supersedes_what_is_not_there(engine: Engine) -> None:
    items = [*({"text": f"fact {number}"} for number in range(300)), {"text": "last", "supersedes": "nothing"}]
    with pytest.raises(Exception, match="there is no memory nothing"):
        engine.remember_many(items)
    assert engine.stats().total == 0


def test_threads_that_share_an_engine_find_what_the_others_wrote(engine: Engine) -> None:
    """Readers with an older look at the store must not take newer rows for gone."""
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(15):
                engine.remember(f"fact {turn} of writer {number} about lamp{number}x{turn}")
                engine.recall("fact of a writer", limit=200, reinforce=False)
        except BaseException as error:  # noqa: BLE001 - told below, in the thread that can fail the test
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    found = engine.recall("fact of a writer", limit=200, reinforce=False)
    assert len(found) == 90
    assert all(one.parts["semantic"] > 0 for one in found)


def test_saying_it_again_without_a_weight_does_not_weigh_it(engine: Engine) -> None:
    """What was called unimportant stays so until somebody says otherwise."""
    known = engine.remember("The deploy of api v2 took 14 minutes", importance=0.2).memories[0]
    engine.remember("The deploy of api v2 took 14 minutes")
    assert engine.get(known.id).importance == 0.2
    engine.remember("The deploy of api v2 took 14 minutes", importance=0.9)
    assert engine.get(known.id).importance == 0.9
