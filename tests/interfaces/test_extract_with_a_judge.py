"""What the judge makes of the facts that `extract` finds by rules, and what `explain` tells of its reading."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ebbing.domain.judgement import TextReading
from ebbing.domain.policy.loader import load
from ebbing.engine import Engine
from ebbing.testing import FakeJudge, in_memory

TALK = "Anna takes warfarin. Ben prefers green tea. The weather in Rome was lovely. The office is in Oslo."
CHAT = "The weather in Rome was lovely"
READINGS = {
    "Anna takes warfarin": TextReading("health", "years", 3, 0.0, 0.9, expected_harm=2.5),
    "Ben prefers green tea": TextReading("preference", "years", 1, 0.0, 0.9, expected_harm=0.5),
    CHAT: TextReading("chatter", "hours", 0, 0.0, 0.95),
    "The office is in Oslo": TextReading("state", "years", 0, 0.0, 0.6),
}


@pytest.fixture
def readings() -> dict[str, TextReading]:
    """What the judge reads; a test may change it."""
    return dict(READINGS)


@pytest.fixture
def judge(readings: dict[str, TextReading]) -> FakeJudge:
    return FakeJudge(readings=readings)


@pytest.fixture
def engine(judge: FakeJudge) -> Iterator[Engine]:
    with in_memory(judge=judge) as opened:
        yield opened


def test_facts_have_the_category_and_the_importance_of_their_kind(engine: Engine) -> None:
    """Nobody else says what a fact is worth when a whole text is handed over."""
    rules = load().judge
    found = {fact.text: fact for fact in engine.extract(TALK)}
    assert {text: fact.category for text, fact in found.items()} == {
        "Anna takes warfarin": "fact",  # what is dangerous to lose is pinned by its harm
        "Ben prefers green tea": "preference",
        "The office is in Oslo": "fact",
    }
    for text, fact in found.items():
        assert fact.importance == rules.importance_of(READINGS[text], 0.5)


@pytest.mark.parametrize(("kind", "certainty", "stays"), [("tool_output", 0.95, False), ("chatter", 0.5, True)])
def test_only_what_is_certainly_no_fact_is_left_out(
    engine: Engine, readings: dict[str, TextReading], kind: str, certainty: float, stays: bool
) -> None:
    """A memory too many fades; one that was never made cannot be found."""
    readings[CHAT] = TextReading(kind, "hours", 0, 0.0, certainty)
    assert (CHAT in [fact.text for fact in engine.extract(TALK)]) is stays


def test_without_a_judge_facts_have_the_defaults_of_the_policy() -> None:
    """Rules find statements and do not weigh them."""
    with in_memory() as engine:
        found = engine.extract(TALK)
    assert len(found) == len(READINGS)
    assert {(fact.category, fact.importance) for fact in found} == {("fact", 0.5)}


def test_a_judge_that_does_not_answer_leaves_the_defaults_and_a_note(engine: Engine, judge: FakeJudge) -> None:
    """Whatever was said is kept all the same."""
    judge.fails_after = 0
    found = engine.extract(TALK)
    assert {(fact.category, fact.importance) for fact in found} == {("fact", 0.5)}
    assert len(found) == len(READINGS)
    assert "does not answer" in found.notes[0]


def test_explain_shows_what_the_judge_read_when_it_was_written(
    engine: Engine, readings: dict[str, TextReading]
) -> None:
    """As it was read then, and nothing where nobody read it."""
    [told] = engine.remember("Anna takes warfarin").memories
    readings.clear()
    assert engine.explain(told.id).reading == {
        "kind": "health",
        "kind_probability": 0.9,
        "lifetime": "years",
        "harm": 3,
        "injected": 0.0,
    }
    with in_memory() as plain:
        [told] = plain.remember("Anna takes warfarin").memories
        assert plain.explain(told.id).reading == {}
