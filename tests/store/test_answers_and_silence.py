"""Recall answers or is silent: the floor, its notes, who is meant, and other wordings."""

from __future__ import annotations

from typing import Any

import pytest

from ebbing.engine import Engine
from ebbing.testing import FakeJudge, FrozenClock
from tests.conftest import OpenEngine

WHERE = "where do I live?"
ME, SISTER, WIFI = "I moved to Munich", "My sister Ana lives in Porto", "The wifi policy of the office has nine pages"


def texts(engine: Engine, question: str, **given: Any) -> list[str]:
    return [one.memory.text for one in engine.recall(question, reinforce=False, **given)]


@pytest.fixture
def engine(open_engine: OpenEngine) -> Engine:
    """An engine whose judge knows that one memory answers one question, and that nothing else answers anything."""
    return open_engine(judge=FakeJudge(answers={(WHERE, ME): 0.97}))


def test_what_answers_is_returned_and_nothing_beside_it(engine: Engine) -> None:
    engine.remember_many([SISTER, ME, WIFI])
    found = engine.recall(WHERE, reinforce=False)
    assert [one.memory.text for one in found] == [ME]
    assert found[0].parts["answers"] == pytest.approx(0.97)
    assert found[0].score >= engine.policy.recall.min_score


def test_where_nothing_answers_nothing_is_returned_and_the_notes_say_so(engine: Engine) -> None:
    engine.remember_many([SISTER, WIFI])
    found = engine.recall(WHERE, reinforce=False)
    assert found == []
    assert any("floor" in note and "min_score=0" in note for note in found.notes)


def test_the_long_list_is_there_for_whoever_asks(engine: Engine) -> None:
    engine.remember_many([SISTER, ME, WIFI])
    found = engine.recall("where do I live in Munich?", min_score=0, reinforce=False)
    assert {one.memory.text for one in found} >= {SISTER, ME}
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert not any("floor" in note for note in found.notes)


def test_context_never_pads(engine: Engine) -> None:
    engine.remember_many([SISTER, ME, WIFI])
    assert [memory.text for memory in engine.context(WHERE).memories] == [ME]
    assert engine.context("what is the alarm code?").text == ""
    assert len(engine.context("does my sister live in Munich?", min_score=0).memories) > 1


def test_an_answer_that_has_faded_stands_before_what_is_strong_and_answers_nothing(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    """Strength decides between answers, and never makes one."""
    question = "where do I live?"
    engine = open_engine(judge=FakeJudge(answers=lambda _, text: 0.9 if text == ME else 0.3))
    engine.remember(ME, importance=0.2)
    engine.remember(f"{WIFI}, and I live by it", pinned=True)
    clock.advance(days=6)
    found = engine.recall(question, min_score=0, reinforce=False)
    assert found[0].memory.text == ME
    assert found[0].strength <= 0.2 < found[1].strength


def test_of_two_that_answer_alike_the_stronger_stands_first(open_engine: OpenEngine) -> None:
    engine = open_engine(judge=FakeJudge(answers=lambda *_: 0.9))
    weak = engine.remember("The spare key hangs in the hall", importance=0.1).id
    strong = engine.remember("The spare key hangs in the shed", importance=1.0).id
    found = engine.recall("where is the spare key?", reinforce=False)
    assert [one.memory.id for one in found] == [strong, weak]


def test_what_was_superseded_is_hinted_at(open_engine: OpenEngine) -> None:
    answers = {("which editor did I use?", "My editor is Vim"): 0.95}
    engine = open_engine(judge=FakeJudge(answers=answers))
    old = engine.remember("My editor is Vim")
    engine.remember("Helix is what I write in", supersedes=old.id)
    found = engine.recall("which editor did I use?", reinforce=False)
    assert found == []
    assert any("1 superseded memory" in note and "include=['superseded']" in note for note in found.notes)
    assert texts(engine, "which editor did I use?", include=["superseded"]) == ["My editor is Vim"]


def test_what_lies_in_another_scope_is_hinted_at_and_not_quoted(open_engine: OpenEngine) -> None:
    answers = {("which port does the API listen on?", "The API listens on port 8080"): 0.95}
    engine = open_engine(judge=FakeJudge(answers=answers))
    engine.remember("The API listens on port 8080", scope="/project/api")
    found = engine.recall("which port does the API listen on?", scope="/project/web", reinforce=False)
    assert found == []
    assert any("/project/api" in note for note in found.notes)
    assert not any("8080" in note for note in found.notes)


def test_without_a_judge_that_answers_words_decide_and_the_notes_say_so(open_engine: OpenEngine) -> None:
    judge = FakeJudge(answers=lambda *_: 0.9)
    engine = open_engine(judge=judge)
    engine.remember(ME)
    judge.fails_after = 0
    found = engine.recall("who moved to Munich?", reinforce=False)
    assert [one.memory.text for one in found] == [ME]
    assert "answers" not in found[0].parts
    assert any("judge does not answer" in note for note in found.notes)


def test_the_judge_reads_the_best_few_whatever_is_stored(open_engine: OpenEngine) -> None:
    judge = FakeJudge(answers=lambda *_: 0.0)
    engine = open_engine(judge=judge)
    engine.remember_many(f"red apple number {number}" for number in range(60))
    judge.questions.clear()
    engine.recall("red apple", limit=50, min_score=0, reinforce=False)
    assert 0 < len(judge.questions) <= engine.policy.recall.judged_max


# Who is meant


def test_another_persons_fact_scores_less_than_that_of_the_one_who_is_named(open_engine: OpenEngine) -> None:
    engine = open_engine()
    engine.remember_many(["Ana has a dentist in Porto", "Rita has a dentist in Lisbon"])
    first, second = engine.recall("which dentist does rita have?", min_score=0, reinforce=False)
    assert first.memory.text == "Rita has a dentist in Lisbon"
    assert first.score > 2 * second.score


@pytest.mark.parametrize("question", ["where does Marisl live?", "where does Mairsol live?", "where does marisol live"])
def test_a_slip_in_a_name_still_finds_whom_it_means(open_engine: OpenEngine, question: str) -> None:
    engine = open_engine()
    engine.remember_many(["Marisol lives in Porto", "Rita lives in Lisbon"])
    assert texts(engine, question)[0] == "Marisol lives in Porto"


# Other wordings


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("My favourite colour is teal", "favorite color"),
        ("The theatre opens at eight", "theater"),
        ("We run Kubernetes in fra1", "k8s"),
        ("The k8s nodes are in fra1", "kubernetes"),
        ("The cupboards are organised by Pedro", "organized"),
    ],
)
def test_a_word_that_was_never_written_is_asked_for_as_it_was_written(
    open_engine: OpenEngine, told: str, asked: str
) -> None:
    engine = open_engine(embedder=None)
    engine.remember_many([told, "The train leaves at nine"])
    found = engine.recall(asked, reinforce=False)
    assert [one.memory.text for one in found] == [told]
    assert found[0].parts["lexical"] > 0.3


def test_an_alias_is_learned_from_use(open_engine: OpenEngine) -> None:
    """In both directions, for a subject of two words too."""
    engine = open_engine(embedder=None)
    engine.remember("gha", subject="GitHub Actions", attribute="alias")
    engine.remember_many(["The build runs on GitHub Actions", "gha minutes cost us 40 euros a month"])
    assert texts(engine, "what does gha run?")[0] == "The build runs on GitHub Actions"
    assert "gha minutes cost us 40 euros a month" in texts(engine, "what do GitHub Actions cost?")


def test_a_known_word_is_left_as_it_is(open_engine: OpenEngine) -> None:
    """A word that stands somewhere is no slip, however near it is to another."""
    engine = open_engine(embedder=None)
    engine.remember_many(["Mara plays the cello", "Maria plays the oboe"])
    assert texts(engine, "what does Maria play?")[0] == "Maria plays the oboe"


# What was


@pytest.mark.parametrize(
    "question", ["which editor did I use before?", "what was my previous editor?", "which editor did I used to use"]
)
def test_a_question_about_the_past_finds_what_was_superseded(open_engine: OpenEngine, question: str) -> None:
    """And says that it is; any other question does not."""
    engine = open_engine(judge=FakeJudge(answers=lambda _, text: 0.9 if "Vim" in text else 0.01))
    old = engine.remember("My editor is Vim")
    engine.remember("My editor is Helix now", supersedes=old.id)
    found = engine.recall(question, reinforce=False)
    assert [(one.memory.text, one.memory.status) for one in found] == [("My editor is Vim", "superseded")]
    assert texts(engine, "which editor do I use?") == []


def test_what_the_judge_has_not_read_stands_behind_what_it_has(open_engine: OpenEngine) -> None:
    """Words alone make nothing likelier than the least likely of what was read."""
    judge = FakeJudge(answers=lambda *_: 0.02)
    engine = open_engine(judge=judge)
    engine.remember_many(f"red apple number {number}" for number in range(40))
    found = engine.recall("red apple", limit=30, min_score=0, reinforce=False)
    read = ["answers" in one.parts for one in found]
    assert read == sorted(read, reverse=True)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)


def test_an_answer_need_not_resemble_its_question(open_engine: OpenEngine) -> None:
    """In a small store the judge reads what shares no word with the question too."""
    answers = {("do I own a car?", "Walking to the office takes forty minutes"): 0.95}
    engine = open_engine(judge=FakeJudge(answers=answers), embedder=None)
    engine.remember_many(["Walking to the office takes forty minutes", "My car insurance club meets monthly"])
    found = engine.recall("do I own a car?", reinforce=False)
    assert [one.memory.text for one in found] == ["Walking to the office takes forty minutes"]
    assert found[0].relevance == 0


@pytest.mark.parametrize("question", ["Wo wohne ich?", "¿Dónde vivo?", "Où est-ce que j'habite ?", "Onde é que moro?"])
def test_a_question_that_the_judge_cannot_read_is_answered_without_it(open_engine: OpenEngine, question: str) -> None:
    judge = FakeJudge(answers=lambda *_: 0.0)
    engine = open_engine(judge=judge)
    engine.remember_many(["Ich wohne in Kiel", "Vivo en Bilbao", "J'habite à Nantes", "Moro em Braga é bom"])
    judge.questions.clear()
    found = engine.recall(question, reinforce=False)
    assert judge.questions == []
    assert any("English" in note for note in found.notes)


def test_of_two_that_answer_as_well_the_later_told_stands_first(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """It may have taken the other's place, though nobody retired it. What answers worse stays where it is."""
    told = {"I live in Leeds": 0.97, "I live in Munich": 0.9, "I might live in Rome one day": 0.3}
    engine = open_engine(judge=FakeJudge(answers=lambda _, text: told[text]))
    for text in told:
        engine.remember(text)
        clock.advance(days=30)
    found = engine.recall("where do I live?", min_score=0, reinforce=False)
    assert [one.memory.text for one in found] == ["I live in Munich", "I live in Leeds", "I might live in Rome one day"]
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    past = engine.recall("where did I live before?", min_score=0, reinforce=False)
    assert past[0].memory.text == "I live in Leeds"


def test_of_a_long_text_the_judges_no_is_not_believed_over_words(open_engine: OpenEngine) -> None:
    """It was taught on short ones; a session of many sentences may answer all the same."""
    long = (
        "We spoke about the spare key of the boathouse, which hangs in the hall. "
        + "Then we spoke of rowing. " * 12
        + "The end."
    )
    engine = open_engine(judge=FakeJudge(answers=lambda *_: 0.001))
    engine.remember_many([long, "The spare key of the boathouse is old"])
    assert texts(engine, "where is the spare key of the boathouse?") == [long]
