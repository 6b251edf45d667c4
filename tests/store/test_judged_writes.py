"""What the judge's numbers do to what is written: retire, contest, tell, or nothing; and what is kept of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from ebbing.domain.events import EventKind
from ebbing.domain.judgement import Relation
from ebbing.domain.memory import Memory, Source, Status
from ebbing.engine import Engine
from ebbing.testing import FakeJudge, FakeLlm, FrozenClock
from tests.conftest import OpenEngine

ZOOM, TEAMS = "Our weekly calls are on Zoom", "Our weekly calls are on Teams"


def told(engine: Engine, text: str, **given: Any) -> Memory:
    (memory,) = engine.remember(text, **given).memories
    return memory


def said_again(engine: Engine, text: str) -> Engine:
    """The same engine after a text, for tests that need one that is stored."""
    engine.remember(text)
    return engine


# How sure the judge has to be


def test_a_certain_change_retires_and_keeps_the_numbers_and_the_judge(open_engine: OpenEngine) -> None:
    """Whoever asks later why it was retired reads by whom, how sure, and which model."""
    engine = open_engine(judge=FakeJudge({(ZOOM, TEAMS): Relation(updates=0.97, unrelated=0.03)}))
    old = told(engine, ZOOM)
    new = told(engine, TEAMS)
    event = engine.history(old.id)[-1]
    assert (event.kind, event.detail["by"], event.detail["judge"]) == (EventKind.SUPERSEDED, new.id, "fake-judge")
    assert event.detail["evidence"]["updates"] == 0.97
    explained = engine.explain(old.id)
    assert "because a newer statement makes it untrue (0.97)" in str(explained)
    assert f"It was replaced by {new.id}" in str(explained)
    assert f"Between it and {new.id} the judge fake-judge read: updates 0.97, unrelated 0.03." in str(explained)
    assert explained.judgements[0].probabilities["updates"] == 0.97


def test_between_certain_and_unlikely_both_stay_and_somebody_is_asked(open_engine: OpenEngine) -> None:
    """Nothing is lost on a guess: both are found, both are flagged, and the writer is told which one to look at."""
    engine = open_engine(judge=FakeJudge({(ZOOM, TEAMS): ("updates", 0.4)}))
    old = told(engine, ZOOM)
    outcome = engine.remember(TEAMS)
    (new,), (contested,), (related,) = outcome.memories, outcome.contested, outcome.related
    assert outcome.superseded == []
    assert (contested.id, new.contested) == (old.id, True)
    assert (related.id, related.text, related.created_at, related.new_id) == (old.id, ZOOM, old.created_at, new.id)
    assert (related.relation, related.certainty) == ("updates", 0.4)
    event = engine.history(old.id)[-1]
    assert (event.kind, event.detail["judge"]) == (EventKind.CONTESTED, "fake-judge")
    for waiting in engine.review():
        (judgement,) = waiting.judgements
        assert judgement.other == waiting.others[0].id
        assert judgement.numbers == "unrelated 0.60, updates 0.40"
    assert "the judge fake-judge read: unrelated 0.60, updates 0.40" in str(engine.explain(old.id))
    assert "the judge fake-judge read: unrelated 0.60, updates 0.40" in str(engine.explain(new.id))


def test_what_is_only_perhaps_about_the_same_is_told_and_not_contested(open_engine: OpenEngine) -> None:
    """Nobody has to decide; whoever wrote it may."""
    engine = open_engine(judge=FakeJudge({(ZOOM, TEAMS): ("contradicts", 0.12)}))
    old = told(engine, ZOOM)
    outcome = engine.remember(TEAMS)
    assert (outcome.superseded, outcome.contested, engine.review()) == ([], [], [])
    assert [(one.id, one.relation, one.certainty) for one in outcome.related] == [(old.id, "contradicts", 0.12)]
    engine.settle(outcome.related[0].id, keep=outcome.related[0].new_id)
    assert engine.get(old.id).status is Status.SUPERSEDED


@pytest.mark.parametrize("relation", ["adds", "unrelated", ("updates", 0.05)])
def test_what_has_nothing_to_do_with_it_is_not_told(open_engine: OpenEngine, relation: Any) -> None:
    """A list of everything that is near would be read by nobody."""
    engine = said_again(open_engine(judge=FakeJudge({(ZOOM, TEAMS): relation})), ZOOM)
    outcome = engine.remember(TEAMS)
    assert (outcome.superseded, outcome.contested, outcome.related) == ([], [], [])


def test_the_same_in_other_words_is_merged_with_the_judges_numbers(open_engine: OpenEngine) -> None:
    """And a number that differs is never the same, whatever the judge reads."""
    engine = open_engine(judge=FakeJudge(lambda *_: ("same", 0.95)))
    told(engine, "The staging port of the service is 5432")
    outcome = engine.remember("On staging the service listens at port 5432")
    (merged,) = outcome.merged
    event = engine.history(merged.id)[-1]
    assert (event.kind, event.detail["judge"]) == (EventKind.MERGED, "fake-judge")
    assert event.detail["evidence"]["same"] == 0.95
    outcome = engine.remember("The staging port of the service is 5433")
    assert (outcome.merged, outcome.superseded) == ([], [])
    assert [one.relation for one in outcome.related] == ["same"]


# Which one of several

TALKS, FRIDAYS = "Whoever talks to the vendor uses Zoom", "On Friday we talk, over Zoom as always"


@pytest.mark.parametrize(("second", "retired"), [(0.8, [ZOOM]), (0.99, [ZOOM, TALKS])])
def test_a_statement_replaces_the_likeliest_and_others_only_when_that_is_certain(
    open_engine: OpenEngine, second: float, retired: list[str]
) -> None:
    """A statement seldom changes two things; the second one most often is another thing of the same kind."""
    judge = FakeJudge({(ZOOM, TEAMS): ("updates", 0.995), (TALKS, TEAMS): ("updates", second)})
    engine = open_engine(judge=judge)
    first, other = told(engine, ZOOM), told(engine, TALKS)
    outcome = engine.remember(TEAMS)
    assert sorted(memory.text for memory in outcome.superseded) == sorted(retired)
    if retired == [ZOOM]:
        assert [memory.id for memory in outcome.contested] == [other.id]
        assert "replaces another memory more likely than this one (0.80)" in (engine.history(other.id)[-1].reason or "")
    assert engine.get(first.id).status is Status.SUPERSEDED


def test_what_says_the_same_as_the_replaced_one_is_replaced_with_it(open_engine: OpenEngine) -> None:
    """Whoever said it three times in other words does not have to take it back three times."""
    judge = FakeJudge(
        {
            (ZOOM, TEAMS): ("updates", 0.95),
            (TALKS, TEAMS): ("updates", 0.8),
            (FRIDAYS, TEAMS): ("updates", 0.7),
            (ZOOM, TALKS): ("same", 0.7),
        }
    )
    engine = open_engine(judge=judge)
    for text in (ZOOM, TALKS, FRIDAYS):
        told(engine, text)
    outcome = engine.remember(TEAMS)
    assert sorted(memory.text for memory in outcome.superseded) == sorted([ZOOM, TALKS])
    assert [memory.text for memory in outcome.contested] == [FRIDAYS]


@pytest.mark.parametrize(("updates", "retired"), [(0.85, False), (0.95, True)])
def test_another_value_in_the_same_words_retires_only_when_that_is_certain(
    open_engine: OpenEngine, updates: float, retired: bool
) -> None:
    """Guitar and piano may both be played; of a favourite colour there is one."""
    old, new = "I play the guitar", "I play the piano"
    engine = said_again(open_engine(judge=FakeJudge({(old, new): ("updates", updates)})), old)
    outcome = engine.remember(new)
    assert (len(outcome.superseded), len(outcome.contested)) == ((1, 0) if retired else (0, 1))


def test_a_message_that_ends_in_a_question_can_change_something(open_engine: OpenEngine) -> None:
    """People tell an assistant what happened and ask in the same breath; a question alone changes nothing."""
    old, told_so, asks = "I own a boat", "I sold the boat, what now?", "Do I own a boat?"
    judge = FakeJudge({(old, told_so): "updates", (old, asks): "updates"})
    engine = said_again(open_engine(judge=judge), old)
    assert engine.remember(asks).superseded == []
    assert [memory.text for memory in engine.remember(told_so).superseded] == [old]


# Who said it


def test_another_actor_retires_nothing(open_engine: OpenEngine) -> None:
    """Two people have two numbers; where they contradict each other, somebody decides."""
    old, new = "My phone number ends in 12", "My phone number ends in 34"
    engine = open_engine(judge=FakeJudge({(old, new): "updates"}))
    first = told(engine, old, source=Source("user", actor="alice"))
    outcome = engine.remember(new, source=Source("user", actor="bob"))
    assert outcome.superseded == []
    assert [memory.id for memory in outcome.contested] == [first.id]
    assert "somebody else said it" in (engine.history(first.id)[-1].reason or "")


@pytest.mark.parametrize(("certainty", "retires"), [(0.75, False), (0.9, True)])
def test_another_speaker_of_a_talk_retires_what_is_almost_certain(
    open_engine: OpenEngine, certainty: float, retires: bool
) -> None:
    """Anybody may say that the meeting was moved. The judge reads the names, and doubts more between two speakers."""
    old, new = "Alice: the meeting is in room 4", "Bob: they moved us to the library for good"
    engine = open_engine(judge=FakeJudge({(old, new): ("updates", certainty)}))
    first = told(engine, old)
    outcome = engine.remember(new)
    ended = outcome.superseded if retires else outcome.contested
    assert [memory.id for memory in ended] == [first.id]
    assert engine.get(first.id).status.value == ("superseded" if retires else "active")


def test_the_same_speaker_corrects_what_was_said(open_engine: OpenEngine) -> None:
    """A name in front of both changes nothing."""
    old, new = "Alice: my phone number ends in 12", "Alice: my phone number ends in 34"
    engine = said_again(open_engine(judge=FakeJudge({(old, new): "updates"})), old)
    assert [memory.text for memory in engine.remember(new).superseded] == [old]


# What is told late


def test_late_news_is_compared_as_the_older_and_says_why_it_is_history(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    """The judge reads the two in the order in which they were said, not in which they came."""
    judge = FakeJudge({(ZOOM, TEAMS): ("updates", 0.95)})
    engine = open_engine(judge=judge)
    current = told(engine, TEAMS)
    (late,) = engine.remember(ZOOM, created_at=clock.now() - timedelta(days=30)).memories
    assert judge.pairs == [(ZOOM, TEAMS)]
    assert (late.status, late.superseded_by) == (Status.SUPERSEDED, current.id)
    (event,) = engine.history(late.id)
    assert (event.detail["by"], event.detail["judge"], event.detail["evidence"]["updates"]) == (
        current.id,
        "fake-judge",
        0.95,
    )
    assert "stood already when this was told" in str(engine.explain(late.id))
    assert "updates 0.95" in str(engine.explain(late.id))


def test_late_news_in_doubt_stays(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """The same doubt that keeps an older memory in use keeps an older statement that comes later."""
    engine = open_engine(judge=FakeJudge({(ZOOM, TEAMS): ("updates", 0.5)}))
    current = told(engine, TEAMS)
    outcome = engine.remember(ZOOM, created_at=clock.now() - timedelta(days=30))
    assert outcome.memories[0].status is Status.ACTIVE
    assert [memory.id for memory in outcome.contested] == [current.id]


# Many at once


def test_texts_of_one_batch_are_compared_with_each_other(open_engine: OpenEngine) -> None:
    """A chat that is imported holds the change and what it changed."""
    judge = FakeJudge({(ZOOM, TEAMS): "updates"})
    engine = open_engine(judge=judge)
    outcome = engine.remember_many([ZOOM, "Ravens can count", TEAMS])
    assert (ZOOM, TEAMS) in judge.pairs
    assert [memory.text for memory in outcome.superseded] == [ZOOM]
    assert sorted(memory.text for memory in engine.list(status="active")) == [TEAMS, "Ravens can count"]


def test_a_batch_told_backwards_is_read_in_the_order_in_which_it_was_said(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    """An export often begins with what is newest."""
    judge = FakeJudge({(ZOOM, TEAMS): "updates"})
    engine = open_engine(judge=judge)
    then = (clock.now() - timedelta(days=30)).isoformat()
    engine.remember_many([TEAMS, {"text": ZOOM, "created_at": then}])
    assert judge.pairs == [(ZOOM, TEAMS)]
    assert [memory.text for memory in engine.list(status="active")] == [TEAMS]


def test_related_memories_of_a_batch_name_the_text_they_are_related_to(open_engine: OpenEngine) -> None:
    """So that each can be settled with the right one."""
    cats, dogs = "The cat is called Tom", "The dog is called Rex"
    judge = FakeJudge({(ZOOM, TEAMS): ("updates", 0.2), (cats, "The cat is called Kit"): ("updates", 0.25)})
    engine = open_engine(judge=judge)
    first, second = told(engine, ZOOM), told(engine, cats)
    outcome = engine.remember_many([dogs, TEAMS, "The cat is called Kit"])
    ids = {memory.text: memory.id for memory in outcome.memories}
    assert {(one.id, one.new_id) for one in outcome.related} == {
        (first.id, ids[TEAMS]),
        (second.id, ids["The cat is called Kit"]),
    }


def test_a_batch_is_read_in_one_call_of_each_kind(open_engine: OpenEngine) -> None:
    """A model is loaded with many rows at a time, not asked row by row."""
    judge = FakeJudge()
    open_engine(judge=judge).remember_many([f"The {animal} sleeps in the barn" for animal in ("cat", "dog", "cow")])
    assert judge.calls == 2
    assert len(judge.texts) == 3


# A judge that does not answer, and none


@pytest.mark.parametrize("answered", [0, 1])
def test_a_judge_that_fails_loses_nothing_and_the_answer_says_so(open_engine: OpenEngine, answered: int) -> None:
    """At once, or between reading the text and comparing it: what was said is kept, and nothing is retired."""
    judge = FakeJudge({(ZOOM, TEAMS): "updates"})
    engine = said_again(open_engine(judge=judge), ZOOM)
    judge.fails_after = answered
    outcome = engine.remember(TEAMS)
    assert [memory.text for memory in outcome.memories] == [TEAMS]
    assert outcome.superseded == []
    assert any("judge" in note and "was told to fail" in note for note in outcome.notes)
    assert sorted(memory.text for memory in engine.list(status="active")) == [TEAMS, ZOOM]


def test_without_a_judge_exact_rules_decide_alone_and_stats_say_so(open_engine: OpenEngine) -> None:
    """The same words, the same address, a name given by the caller: nothing else is retired or merged."""
    engine = open_engine(judge="off")
    first = told(engine, ZOOM)
    outcome = engine.remember(TEAMS)
    assert (outcome.superseded, outcome.contested, outcome.merged, outcome.related) == ([], [], [], [])
    assert [memory.id for memory in engine.remember(ZOOM.upper()).reinforced] == [first.id]
    told(engine, "8080", subject="API", attribute="port")
    assert [memory.text for memory in engine.remember("8081", subject="API", attribute="port").superseded] == ["8080"]
    assert [memory.id for memory in engine.remember("No calls any more", supersedes=first.id).superseded] == [first.id]
    counted = engine.stats()
    assert counted.judge is None
    assert "no judge: exact rules decide alone, because it is switched off with judge='off'" in counted.notes


def test_without_a_judge_a_language_model_is_asked_about_near_pairs_alone(open_engine: OpenEngine) -> None:
    """Each question costs somebody's tokens, and most of what has a word in common has nothing else in common."""
    llm = FakeLlm({"verdicts": [{"pair": 1, "verdict": "compatible"}]})
    engine = said_again(open_engine(judge="off", llm=llm), ZOOM)
    engine.remember("Our new printer is on the second floor")
    assert llm.asked == []
    engine.remember(TEAMS)
    assert len(llm.asked) == 1


def test_a_policy_may_switch_the_judge_off(open_engine: OpenEngine) -> None:
    """The preset `fast` does, whatever the caller gives; stats say where it was switched off."""
    judge = FakeJudge({(ZOOM, TEAMS): "updates"})
    engine = said_again(open_engine(judge=judge, policy="fast"), ZOOM)
    assert engine.remember(TEAMS).superseded == []
    assert judge.calls == 0
    assert any("because the policy says [judge] enabled = false" in note for note in engine.stats().notes)


def test_stats_name_the_judge_in_use(open_engine: OpenEngine) -> None:
    """Two stores that decide differently can be told apart."""
    counted = open_engine(judge=FakeJudge(fingerprint="mine-2")).stats()
    assert counted.judge == "mine-2"
    assert not any("judge" in note for note in counted.notes)


def test_another_judge_reads_what_is_new_and_never_the_past_again(open_engine: OpenEngine) -> None:
    """A decision stands as it was made: a model that changes must not retire memories that nobody spoke of."""
    engine = said_again(said_again(open_engine(judge=FakeJudge(fingerprint="one")), ZOOM), TEAMS)
    before = [(memory.id, memory.status) for memory in engine.list()]
    judge = FakeJudge({(ZOOM, TEAMS): "updates"}, fingerprint="two")
    engine = open_engine(judge=judge)
    engine.recall("weekly calls")
    engine.sweep()
    engine.stats()
    engine.review()
    assert judge.texts == judge.pairs == []
    new = told(engine, "Our weekly calls are at noon")
    assert judge.texts == [new.text]
    assert {newer for _, newer in judge.pairs} == {new.text}
    assert [(memory.id, memory.status) for memory in engine.list() if memory.id != new.id] == before


# What is in doubt, asked for


def test_of_two_that_contradict_each_other_the_newer_is_found_first(open_engine: OpenEngine) -> None:
    """Both stay until somebody decides. The older one fits the question better, and the newer one is likelier true."""
    old, new = "The team meeting room is room 4", "Our meetings moved upstairs to the library"
    engine = open_engine(judge=FakeJudge({(old, new): ("updates", 0.4)}))
    told(engine, old)
    assert [memory.text for memory in engine.remember(new).contested] == [old]
    question = "which room is the team meeting room?"
    assert [found.memory.text for found in engine.recall(question, limit=2)] == [new, old]


def test_two_of_which_both_hold_are_ordered_by_the_question_again(open_engine: OpenEngine) -> None:
    """Whoever settled that both hold wants the one that fits."""
    old, new = "The team meeting room is room 4", "Our meetings moved upstairs to the library"
    engine = open_engine(judge=FakeJudge({(old, new): ("updates", 0.4)}))
    first = told(engine, old)
    engine.remember(new)
    engine.settle(first.id, keep="both")
    question = "which room is the team meeting room?"
    assert [found.memory.text for found in engine.recall(question, limit=2)] == [old, new]
