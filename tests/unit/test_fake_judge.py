"""The judge that is given to people for their own tests does what it says."""

from __future__ import annotations

import pytest

from ebbing import Invalid, Unavailable
from ebbing.domain.judgement import Relation, TextReading
from ebbing.ports import Judge
from ebbing.testing import FakeJudge, in_memory

ZOOM, TEAMS = "Our calls are on Zoom", "Our calls are on Teams"


def test_a_fake_judge_reads_from_a_table_and_finds_everything_else_unrelated() -> None:
    """A test names the pairs it is about, and no others; a name alone is certain."""
    judge: Judge = FakeJudge({(ZOOM, TEAMS): "updates"})
    assert judge.relate([(ZOOM, TEAMS), (TEAMS, ZOOM)]) == [Relation(updates=1.0, unrelated=0.0), Relation()]


def test_a_fake_judge_can_be_unsure() -> None:
    """With a probability of one relation, or with all of them."""
    whole = Relation(same=0.2, updates=0.5, unrelated=0.3)
    judge = FakeJudge({("a", "b"): ("contradicts", 0.6), ("a", "c"): whole})
    assert judge.relate([("a", "b"), ("a", "c")]) == [Relation(contradicts=0.6, unrelated=0.4), whole]


def test_a_fake_judge_follows_a_function() -> None:
    """For a rule over many texts."""
    judge = FakeJudge(lambda older, newer: "same" if older.casefold() == newer.casefold() else "adds")
    assert [one.likeliest for one in judge.relate([("A", "a"), ("a", "b")])] == ["same", "adds"]


def test_a_fake_judge_reads_texts_and_takes_the_others_for_plain_facts() -> None:
    """Nothing of consequence and no attack, unless the table says otherwise."""
    allergy = TextReading("health", "life", 3, 0.0, expected_harm=3.0)
    judge = FakeJudge(readings={"Allergic to nuts": allergy}, answers={("Where?", "In Porto"): 0.9})
    read = judge.read(["Allergic to nuts", "The sea ebbs"])
    assert read[0] is allergy
    assert (read[1].kind, read[1].harm, read[1].injected) == ("fact", 0, 0.0)
    assert judge.answers("Where?", ["In Porto", "At noon"]) == [0.9, 0.0]
    assert FakeJudge(readings=lambda _: allergy).read(["anything"]) == [allergy]


def test_a_fake_judge_remembers_what_it_was_asked() -> None:
    """How often a model runs is what its time depends on."""
    judge = FakeJudge()
    judge.relate([(ZOOM, TEAMS)])
    judge.read([ZOOM])
    judge.answers("Where?", [TEAMS])
    assert judge.calls == 3
    assert (judge.pairs, judge.texts, judge.questions) == ([(ZOOM, TEAMS)], [ZOOM], [("Where?", TEAMS)])


def test_a_fake_judge_fails_when_it_is_told_to() -> None:
    """At once, after some calls, and no more."""
    judge = FakeJudge(fails_after=1)
    judge.read(["a"])
    with pytest.raises(Unavailable, match="fake-judge was told to fail"):
        judge.relate([("a", "b")])
    judge.fails_after = None
    judge.relate([("a", "b")])
    assert judge.calls == 3


@pytest.mark.parametrize(("told", "wrong"), [("replaces", "not one of same, updates"), (("same", 2.0), "between 0")])
def test_a_relation_that_nobody_knows_is_refused(told: str | tuple[str, float], wrong: str) -> None:
    """Otherwise the test would pass without it."""
    with pytest.raises(Invalid, match=wrong):
        FakeJudge(lambda *_: told).relate([("a", "b")])


def test_an_engine_in_memory_takes_a_fake_judge_and_has_none_by_default() -> None:
    """A test that is not about language needs no model; one that is says what is read."""
    with in_memory() as engine, in_memory(judge=FakeJudge({(ZOOM, TEAMS): "updates"})) as judging:
        assert engine.models.judge is None
        for one in (engine, judging):
            one.remember(ZOOM)
        assert engine.remember(TEAMS).superseded == []
        assert [memory.text for memory in judging.remember(TEAMS).superseded] == [ZOOM]
