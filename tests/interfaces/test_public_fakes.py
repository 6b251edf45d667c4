"""What is given to people for their own tests does what it says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing import Invalid, Malformed, Unavailable
from ebbing.domain.clock import Clock
from ebbing.ports import Embedder, Llm
from ebbing.ports.llm_reply import Usage
from ebbing.testing import Asked, FakeEmbedder, FakeLlm, FrozenClock, Scripted, Trouble, in_memory
from ebbing.text.terms import terms
from tests.tables import each_row


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


SCHEMA = {"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"]}


def test_a_fake_language_model_follows_its_script() -> None:
    """One answer after the other: text, or a mapping as JSON. It remembers what it was asked, and what that cost."""
    fake = FakeLlm(["Low tide.", {"topic": "tides"}])
    llm: Llm = fake
    first = llm.answer("Which tide?", system="Be brief.", tokens_max=9)
    second = llm.answer("Which topic?", system="Be brief.", schema=SCHEMA, tokens_max=20)
    assert (first.text, first.value, first.complete) == ("Low tide.", None, True)
    assert (second.text, second.value) == ('{"topic": "tides"}', {"topic": "tides"})
    assert fake.asked == [Asked("Which tide?", "Be brief.", None, 9), Asked("Which topic?", "Be brief.", SCHEMA, 20)]
    assert first.usage == Usage(1, 4, 2)
    assert fake.usage == first.usage + second.usage


def test_a_fake_language_model_says_the_same_always_or_what_a_function_says() -> None:
    """For tests that do not count their questions."""
    always, echo = FakeLlm({"topic": "tides"}), FakeLlm(lambda asked: {"topic": asked.prompt})
    for prompt in ("moon", "sea", "moon"):
        assert always.answer(prompt, system="", schema=SCHEMA, tokens_max=9).value == {"topic": "tides"}
        assert echo.answer(prompt, system="", schema=SCHEMA, tokens_max=9).value == {"topic": prompt}
    assert FakeLlm(name="mine").name == "mine"


def test_a_fake_language_model_raises_what_the_script_says() -> None:
    """Then goes on."""
    fake = FakeLlm([TimeoutError("too slow"), "yes"])
    with pytest.raises(TimeoutError, match="too slow"):
        fake.answer("?", system="", tokens_max=9)
    assert fake.answer("?", system="", tokens_max=9).text == "yes"


def test_a_script_that_ends_too_early_fails_the_test() -> None:
    """An error that the product would catch could pass unseen."""
    fake = FakeLlm(["only one"])
    fake.answer("?", system="", tokens_max=9)
    with pytest.raises(AssertionError, match="fake-llm was asked 2 times, and its script ends before that"):
        fake.answer("?", system="", tokens_max=9)


@each_row(("trouble", "error"), [("fail", Unavailable), ("garbage", Malformed), (Trouble.BREAK_OFF, Malformed)])
def test_a_fake_language_model_can_be_told_to_disappoint(trouble: str, error: type[Unavailable]) -> None:
    """From the beginning, or in the middle; and to stop it. The question is remembered all the same."""
    good: list[Scripted] = [{"topic": "tides"}] * 5
    fake = FakeLlm(good, trouble=trouble)
    for kind in (trouble, None, trouble):
        fake.trouble = kind
        if kind is None:
            assert fake.answer("?", system="", schema=SCHEMA, tokens_max=9).complete
            continue
        with pytest.raises(error) as caught:
            fake.answer("?", system="", schema=SCHEMA, tokens_max=9)
        assert type(caught.value) is error
    assert len(fake.asked) == 3


def test_a_fake_language_model_disappoints_in_words_too() -> None:
    """Where no schema would show it."""
    fake = FakeLlm("The tide is low today.", trouble="break_off")
    half = fake.answer("?", system="", tokens_max=9)
    assert (half.text, half.complete) == ("The tide is", False)
    fake.trouble = "garbage"
    assert "tide" not in fake.answer("?", system="", tokens_max=9).text


def test_a_trouble_nobody_knows_is_refused() -> None:
    """Otherwise the test would pass without it."""
    with pytest.raises(Invalid, match="fail, garbage, break_off"):
        FakeLlm(trouble="explode")


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
    """Owner, clock, policy, embedder, language model."""
    clock = FrozenClock("2030-06-01")
    with in_memory(owner="ada", clock=clock, embedder=None, llm=FakeLlm()) as engine:
        assert isinstance(engine.models.llm, FakeLlm)
        memory = engine.remember("The sea ebbs").memories[0]
        clock.advance(days=1)
        assert (memory.owner, memory.fingerprint) == ("ada", None)
        assert engine.remember("The moon pulls").memories[0].created_at - memory.created_at == timedelta(days=1)
