"""A year in which nobody asks for anything: what lasts is kept, what passes is gone, what is over is marked."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import ebbing
from ebbing.domain.judgement import TextReading
from ebbing.domain.memory import Lifetime, Status, Tier
from ebbing.engine import Engine
from ebbing.testing import FakeEmbedder, FakeJudge, FrozenClock

READINGS: Mapping[str, TextReading] = {
    "My name is Max": TextReading("identity", "life", 2, 0.0, 0.99),
    "I am celiac": TextReading("health", "years", 2, 0.0, 0.95),
    "I carry an EpiPen, one cashew closes my throat": TextReading("health", "life", 3, 0.0, 0.99),
    "Always answer in German": TextReading("rule", "years", 1, 0.0, 0.98),
    "I work at the brewery": TextReading("fact", "years", 1, 0.0, 0.9),
    "I am not allergic to cats": TextReading("health", "life", 0, 0.0, 0.9),
    "I take a pottery class this term": TextReading("event", "months", 0, 0.0, 0.9),
    "Ben is visiting": TextReading("state", "weeks", 0, 0.0, 0.9),
    "The kitchen tap drips": TextReading("state", "days", 0, 0.0, 0.9),
    "Ugh, what a day": TextReading("chatter", "hours", 0, 0.0, 0.95),
    "Build 4711 failed": TextReading("tool_output", "hours", 0, 0.0, 0.95),
}
LEAVE = "I am on leave until January 20"
EVENT = TextReading("event", "months", 1, 0.0, 0.9)
NOISE = TextReading("chatter", "hours", 0, 0.0, 0.99)
LASTS = [text for text, reading in READINGS.items() if reading.lifetime in ("years", "life")]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-01-01T09:00:00")


@pytest.fixture
def engine(clock: FrozenClock) -> Engine:
    judge = FakeJudge(readings=lambda text: READINGS.get(text, EVENT if text == LEAVE else NOISE))
    return ebbing.open(":memory:", clock=clock, embedder=FakeEmbedder(), judge=judge)


def lived(engine: Engine, clock: FrozenClock, days: int) -> None:
    """Every day a sweep and small talk."""
    for _ in range(days):
        clock.advance(days=1)
        engine.sweep()
        engine.remember(f"Good morning, it is {clock.now():%d %B}")
    engine.sweep()


def active(engine: Engine) -> set[str]:
    return {memory.text for memory in engine.list(status="active", limit=1000)} & READINGS.keys()


def test_after_a_year_what_lasts_is_active_and_what_passes_is_not(engine: Engine, clock: FrozenClock) -> None:
    """Each told once; nobody asked for any of it."""
    engine.remember_many(list(READINGS))
    lived(engine, clock, 14)
    assert active(engine) == READINGS.keys() - {"Ugh, what a day", "Build 4711 failed", "The kitchen tap drips"}
    lived(engine, clock, 60)
    assert active(engine) == {*LASTS, "I take a pottery class this term"}
    lived(engine, clock, 291)
    assert active(engine) == set(LASTS)
    assert len(engine.list(status="active", limit=1000)) < 40, "a year of mornings is gone"


def test_what_is_filled_in_is_shown(engine: Engine) -> None:
    """Category, tier, lifetime, harm and protection, where the caller gave none."""
    told = {memory.text: memory for memory in engine.remember_many(list(READINGS)).memories}
    name, celiac, rule = (told[text] for text in ("My name is Max", "I am celiac", "Always answer in German"))
    pen = told["I carry an EpiPen, one cashew closes my throat"]
    assert (name.category, name.lifetime, name.tier) == ("identity", Lifetime.LIFE, Tier.SEMANTIC)
    assert (celiac.lifetime, celiac.harm, celiac.pinned) == (Lifetime.LIFE, 2, False)
    assert (pen.harm, pen.pinned) == (3, True)
    assert not told["I am not allergic to cats"].pinned
    assert (rule.category, rule.lifetime) == ("gotcha", Lifetime.LIFE)
    assert told["Build 4711 failed"].tier is Tier.EPISODIC
    assert "for a life; its harm is 3" in str(engine.explain(pen.id))


def test_what_the_caller_gives_stands(engine: Engine) -> None:
    given = engine.remember("Ugh, what a day", lifetime="life", harm=3, category="fact", tier="semantic").memory
    assert given is not None
    assert (given.lifetime, given.harm, given.pinned, given.category) == (Lifetime.LIFE, 3, True, "fact")
    plain = engine.update(given.id, lifetime="days", harm=1)
    assert (plain.lifetime, plain.harm) == (Lifetime.DAYS, 1)


def test_what_was_true_until_a_day_is_marked_and_then_archived(engine: Engine, clock: FrozenClock) -> None:
    """As of an earlier time it is found as it was."""
    leave = engine.remember(LEAVE).memories[0]
    assert leave.valid_until is not None
    assert leave.valid_until.date().isoformat() == "2026-01-20"
    asked = "who is on leave until January?"
    assert not any("day that is over" in note for note in engine.recall(asked, min_score=0).notes)
    lived(engine, clock, 21)
    found = engine.recall(asked, min_score=0, limit=100, reinforce=False)
    assert leave.id in [one.memory.id for one in found]
    assert any("day that is over" in note for note in found.notes)
    lived(engine, clock, 10)
    assert engine.get(leave.id).status is Status.ARCHIVED
    assert engine.history(leave.id)[-1].reason == "it was true until 2026-01-20"
    then = engine.recall(asked, as_of="2026-01-10T12:00:00", min_score=0, limit=100)
    assert leave.id in [one.memory.id for one in then]
    assert engine.stats().last_sweep.get("archived", 0) >= 0


def test_a_told_past_is_not_forgotten_on_arrival(engine: Engine, clock: FrozenClock) -> None:
    """Whoever moves in with a history keeps it."""
    old = engine.remember("The boat is red", created_at="2023-05-01", lifetime="years").memories[0]
    passing = engine.remember("The tap drips again", created_at="2023-05-01", lifetime="weeks").memories[0]
    lived(engine, clock, 20)
    assert {engine.get(one.id).status for one in (old, passing)} == {Status.ACTIVE}


def test_without_a_judge_words_protect_and_categories_fade(clock: FrozenClock) -> None:
    with ebbing.open(":memory:", clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        allergy = engine.remember("Anna is allergic to nuts").memories[0]
        assert (allergy.pinned, allergy.lifetime, allergy.harm) == (True, None, 0)
        sale = engine.remember("The sale ends Friday").memories[0]
        assert sale.valid_until is not None
