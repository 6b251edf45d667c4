"""What is given to people for their own tests does what it says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing import Invalid
from ebbing.clock import Clock
from ebbing.ports import Embedder
from ebbing.terms import terms
from ebbing.testing import FakeEmbedder, FrozenClock, in_memory


def test_a_frozen_clock_moves_only_when_told_to() -> None:
    """A year in a millisecond."""
    clock: Clock = FrozenClock("2026-01-01")
    assert clock.now() == clock.now() == datetime(2026, 1, 1, tzinfo=UTC)


def test_a_frozen_clock_advances_and_tells_the_time() -> None:
    """By days, hours, minutes and seconds together; back as well."""
    clock = FrozenClock("2026-01-01")
    assert clock.advance(days=1, hours=2, minutes=3, seconds=4) == datetime(2026, 1, 2, 2, 3, 4, tzinfo=UTC)
    assert clock.advance(days=0.5) == datetime(2026, 1, 2, 14, 3, 4, tzinfo=UTC)
    assert clock.advance(days=-1) == clock.now() == datetime(2026, 1, 1, 14, 3, 4, tzinfo=UTC)
    assert clock.set("2030-01-01T00:00:00+01:00") == datetime(2029, 12, 31, 23, tzinfo=UTC)


def test_a_frozen_clock_starts_anywhere_a_time_can_be() -> None:
    """Text, a datetime, or a morning of its own choice."""
    assert FrozenClock().now() == datetime(2026, 1, 1, 9, tzinfo=UTC)
    assert FrozenClock(datetime(2026, 5, 31, tzinfo=UTC)).now() == datetime(2026, 5, 31, tzinfo=UTC)
    with pytest.raises(Invalid, match="ISO 8601"):
        FrozenClock("tomorrow")


@given(st.lists(st.text(max_size=20), min_size=1, max_size=5))
def test_a_fake_embedder_gives_the_same_vectors_always_and_everywhere(texts: list[str]) -> None:
    """Two of them, alone or together, question or not."""
    one: Embedder = FakeEmbedder()
    other = FakeEmbedder()
    together = one.embed(texts)
    assert together.shape == (len(texts), 256)
    assert together.dtype == np.float32
    for row, text in zip(together, texts, strict=True):
        assert np.array_equal(row, other.embed([text], query=True)[0])
        assert np.linalg.norm(row) == pytest.approx(1.0 if terms(text) else 0.0)


def test_a_fake_embedder_finds_texts_near_that_share_words() -> None:
    """Near enough to meaning for a test; and the number is the same on every machine."""
    cat, cats, tax = FakeEmbedder().embed(["the cat sleeps", "a cat sleeps", "file taxes"])
    assert cat @ cats > 0.6 > cat @ tax
    assert FakeEmbedder(dimensions=8).embed(["cat"])[0].tolist() == [0, 0, 0, 0, 0, 0, 0, 1]


def test_a_fake_embedder_says_which_it_is_and_how_often_it_was_asked() -> None:
    """So that a test can count model calls, and change the model."""
    fake = FakeEmbedder(dimensions=16)
    fake.embed(["a"])
    fake.embed(["b"])
    assert (fake.fingerprint, fake.calls) == ("fake-16", 2)
    assert FakeEmbedder(fingerprint="mine").fingerprint == "mine"


def test_an_engine_in_memory_needs_nothing_and_leaves_nothing() -> None:
    """With a frozen clock and a fake embedder, unless given others."""
    with in_memory() as engine:
        memory = engine.remember("The sea ebbs").memories[0]
        assert memory.created_at == FrozenClock().now()
        assert memory.fingerprint == "fake-256"
        assert engine.recall("sea")[0].memory.id == memory.id


def test_engines_in_memory_are_strangers_to_each_other() -> None:
    """Two tests, two worlds."""
    with in_memory() as one, in_memory() as other:
        one.remember("The sea ebbs")
        assert other.list() == []


def test_an_engine_in_memory_takes_what_any_engine_takes() -> None:
    """Owner, clock, policy, embedder."""
    clock = FrozenClock("2030-06-01")
    with in_memory(owner="ada", clock=clock, embedder=None) as engine:
        memory = engine.remember("The sea ebbs").memories[0]
        clock.advance(days=1)
        assert (memory.owner, memory.fingerprint) == ("ada", None)
        assert engine.remember("The moon pulls").memories[0].created_at - memory.created_at == timedelta(days=1)
