"""Another embedding model: what is live is embedded again, whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from ebbing import Engine, EventKind, Invalid, Memory, Status, Unavailable
from ebbing.ports import Vector, View
from ebbing.testing import FakeEmbedder, FrozenClock

OpenEngine = Callable[..., Engine]
OLD = FakeEmbedder(fingerprint="old")


class Watched(FakeEmbedder):
    """A new model that lets something happen each time it embeds memories, before it answers."""

    def __init__(self, meanwhile: Callable[[int], object]) -> None:
        super().__init__(dimensions=32, fingerprint="new")
        self.meanwhile = meanwhile

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vector:
        vectors = super().embed(texts, query=query)
        self.meanwhile(self.calls)
        return vectors


def new_model() -> FakeEmbedder:
    return FakeEmbedder(dimensions=32, fingerprint="new")


def kinds(engine: Engine, memory: Memory) -> list[EventKind]:
    return [event.kind for event in engine.history(memory.id)]


def test_everything_live_is_embedded_by_the_new_model(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """And is found by meaning again, without a note; each memory's history says so."""
    memories = open_engine(embedder=OLD).remember_many(["The sky is blue", "Grass is green"]).memories
    engine = open_engine(embedder=new_model())
    assert engine.reembed() == 2
    found = engine.recall("the sky is blue", reinforce=False)
    assert found[0].memory.id == memories[0].id
    assert found[0].parts["semantic"] > 0.99
    assert found.notes == ()
    for memory in memories:
        assert engine.get(memory.id) == memory.with_(fingerprint="new")
        event = engine.history(memory.id)[-1]
        assert (event.kind, event.at, dict(event.detail)) == (
            EventKind.REEMBEDDED,
            clock.now(),
            {"from": "old", "to": "new"},
        )


def test_what_has_a_vector_already_is_left_alone(open_engine: OpenEngine) -> None:
    """A second run finds nothing, embeds nothing and writes nothing."""
    open_engine(embedder=OLD).remember("The sky is blue")
    embedder = new_model()
    engine = open_engine(embedder=embedder)
    memory = engine.remember("Grass is green").memories[0]
    assert engine.reembed() == 1
    calls = embedder.calls
    assert engine.reembed() == 0
    assert embedder.calls == calls
    assert kinds(engine, memory) == [EventKind.REMEMBERED]


def test_what_was_never_embedded_is_embedded(open_engine: OpenEngine) -> None:
    """It was remembered where no model was installed."""
    open_engine(embedder=None).remember("The sky is blue")
    engine = open_engine(embedder=new_model())
    assert engine.reembed() == 1
    assert engine.recall("the sky is blue")[0].parts["semantic"] > 0.99


def test_without_a_model_it_says_what_to_do(open_engine: OpenEngine) -> None:
    """There is nothing to embed with."""
    with pytest.raises(Invalid, match="no model to embed with; open with embedder='auto'"):
        open_engine(embedder=None).reembed()


def test_the_archive_keeps_its_vectors(open_engine: OpenEngine) -> None:
    """A memory that is brought back is found by words, recall says so, and the next run embeds it."""
    old = open_engine(embedder=OLD)
    memory = old.remember("The sky is blue").memories[0]
    old.remember("Grass is green")
    old.forget(ids=memory.id)
    engine = open_engine(embedder=new_model())
    assert engine.reembed() == 1
    assert engine.get(memory.id).fingerprint == "old"
    engine.restore(memory.id)
    found = engine.recall("sky", reinforce=False)
    assert (found[0].memory.id, found[0].parts["semantic"]) == (memory.id, 0.0)
    assert found.notes == ("1 of these were not embedded by this model and were found by words alone; run reembed",)
    assert engine.reembed() == 1
    found = engine.recall("sky", reinforce=False)
    assert found[0].parts["semantic"] > 0
    assert found.notes == ()


def test_recall_says_when_it_could_only_look_for_words(open_engine: OpenEngine) -> None:
    """All memories are another model's, and none has a word of the question; an empty store needs no such note."""
    assert open_engine("nobody", embedder=new_model()).recall("ocean").notes == ()
    open_engine(embedder=OLD).remember("The sky is blue")
    found = open_engine(embedder=new_model()).recall("ocean")
    assert (list(found), found.notes) == (
        [],
        ("nothing here was embedded by this model, so only words were looked for; run reembed",),
    )


def test_nothing_is_said_of_archived_results(open_engine: OpenEngine) -> None:
    """Embedding again would not touch them."""
    old = open_engine(embedder=OLD)
    memory = old.remember("The sky is blue", expires_in="1h").memories[0]
    engine = open_engine(embedder=new_model(), clock=FrozenClock("2026-02-01"))
    engine.sweep()
    found = engine.recall("sky", include=["archived"], reinforce=False)
    assert [(one.memory.id, one.memory.status) for one in found] == [(memory.id, Status.ARCHIVED)]
    assert found.notes == ()


def test_it_goes_on_where_it_was_stopped(open_engine: OpenEngine) -> None:
    """What was written stays written, and is not embedded twice."""
    open_engine(embedder=OLD).remember_many([f"fact number {number}" for number in range(600)])

    def fail_at_the_second(calls: int) -> None:
        if calls == 2:
            raise ConnectionError

    engine = open_engine(embedder=Watched(fail_at_the_second))
    with pytest.raises(Unavailable):
        engine.reembed()
    assert engine.stats().embedded == {"new": 256, "old": 344}
    told: list[tuple[int, int]] = []
    assert engine.reembed(progress=lambda done, total: told.append((done, total))) == 344
    assert told == [(256, 344), (344, 344)]
    assert engine.stats().embedded == {"new": 600}
    assert all(finding.ok for finding in engine.store.check())


def test_what_happens_meanwhile_is_not_undone(open_engine: OpenEngine) -> None:
    """Pinned, recalled, put away or purged while the model was at work: so it stays."""
    other = open_engine(embedder=OLD)
    texts = ["pinned meanwhile", "used meanwhile", "put away meanwhile", "purged meanwhile", "embedded meanwhile"]
    pinned, used, put_away, purged, embedded = other.remember_many(texts).memories

    def meanwhile(calls: int) -> None:
        if calls == 1:
            other.pin(pinned.id)
            other.used(used.id)
            other.forget(ids=put_away.id)
            other.purge(ids=purged.id)
            with other.store.write(View("default")) as tx:
                tx.memories.set_vectors(
                    [embedded.with_(fingerprint="new")], dict(zip([embedded.id], by_new_model(), strict=True))
                )

    def by_new_model() -> Vector:
        return new_model().embed([embedded.text])

    engine = open_engine(embedder=Watched(meanwhile))
    assert engine.reembed() == 2
    assert engine.get(pinned.id).pinned
    assert engine.get(used.id).recall_count == 1
    assert (engine.get(put_away.id).status, engine.get(put_away.id).fingerprint) == (Status.FORGOTTEN, "old")
    assert EventKind.REEMBEDDED not in [*kinds(engine, put_away), *kinds(engine, purged), *kinds(engine, embedded)]
    assert engine.stats().embedded == {"new": 3}
    assert all(finding.ok for finding in engine.store.check())


def test_a_text_replaced_meanwhile_does_not_get_the_vector_of_the_old_one(open_engine: OpenEngine) -> None:
    """It is embedded by the next run."""
    other = open_engine(embedder=OLD)
    memory = other.remember("The sky is blue").memories[0]

    def replace(calls: int) -> None:
        if calls == 1:
            with other.store.write(View("default")) as tx:
                new = memory.with_(text="Grass is green")
                tx.memories.replace([new], {new.id: OLD.embed([new.text])[0]})

    engine = open_engine(embedder=Watched(replace))
    assert engine.reembed() == 0
    assert engine.reembed() == 1
    assert engine.recall("grass is green")[0].parts["semantic"] > 0.99


def test_every_agents_memories_are_embedded(open_engine: OpenEngine) -> None:
    """Private ones too: it is the owner's store."""
    scout = open_engine(agent="scout", embedder=OLD)
    scout.remember("Only the scout knows", visibility="private")
    assert open_engine(embedder=new_model()).reembed() == 1
    assert open_engine(agent="scout", embedder=new_model()).recall("only the scout knows")[0].parts["semantic"] > 0.99


def test_another_width_under_the_same_name_is_refused(open_engine: OpenEngine) -> None:
    """Nothing is written: a different model needs a different fingerprint."""
    open_engine(embedder=FakeEmbedder(dimensions=16, fingerprint="new")).remember("The sky is blue")
    open_engine(embedder=OLD).remember("Grass is green")
    engine = open_engine(embedder=new_model())
    with pytest.raises(Invalid, match="gives 32 dimensions"):
        engine.reembed()
    assert engine.stats().embedded == {"new": 1, "old": 1}
