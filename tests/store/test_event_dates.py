"""A question may name a time by what happened then, and the memories know when that was."""

from __future__ import annotations

import pytest

from ebbing.engine import Engine
from ebbing.recall.event_dates import event_in
from ebbing.testing import FrozenClock
from tests.tables import each_row

HOMES = ("I live in a flat near the harbour", "I live in a house near the forest")


@pytest.fixture
def moved(engine: Engine, clock: FrozenClock) -> Engine:
    """Somebody who lived here, moved, and lives there; nothing is known to contradict anything."""
    for text in (HOMES[0], "We moved to the country with two cats", HOMES[1]):
        engine.remember(text, scope=f"/{text[-6:]}".replace(" ", "-"))
        clock.advance(days=30)
    return engine


def first(engine: Engine, question: str) -> str:
    return engine.recall(question, reinforce=False)[0].memory.text


@pytest.mark.parametrize("when", ["before the move", "before we moved", "until the move", "prior to our move"])
def test_before_an_event_comes_what_was_told_before_it(moved: Engine, when: str) -> None:
    assert first(moved, f"Where did I live {when}?") == HOMES[0]


@pytest.mark.parametrize("when", ["after the move", "since we moved", "ever since the move"])
def test_after_an_event_comes_what_was_told_since(moved: Engine, when: str) -> None:
    assert first(moved, f"Where did I live {when}?") == HOMES[1]


def test_the_parts_of_the_score_say_that_the_time_fits(moved: Engine) -> None:
    found = {one.memory.text: one.parts["dated"] for one in moved.recall("Where did I live before the move?")}
    assert found[HOMES[0]] > 1.0
    assert found[HOMES[1]] == 1.0


def test_an_event_that_nobody_told_of_changes_nothing(moved: Engine) -> None:
    found = moved.recall("Where did I live before the eclipse?", reinforce=False)
    assert {one.memory.text for one in found[:2]} == set(HOMES)
    assert all(one.parts["dated"] == 1.0 for one in found)


def test_an_event_that_only_another_may_see_says_nothing(moved: Engine) -> None:
    stranger = moved.for_owner("somebody else")
    stranger.remember(HOMES[0])
    assert stranger.recall("Where did I live before the move?")[0].parts["dated"] == 1.0


@each_row(
    ("question", "words", "earlier"),
    [
        ("What did I drive before the accident?", ("accid",), True),
        ("who helped since Anna's wedding", ("anna", "wed"), False),
        ("What changed after we hired a cook, in short?", ("hire", "cook"), False),
    ],
)
def test_what_happened_is_named_behind_before_or_since(question: str, words: tuple[str, ...], earlier: bool) -> None:
    found = event_in(question)
    assert found is not None
    assert set(words) <= set(found.words)
    assert found.earlier is earlier


@each_row(
    "question",
    [
        "What comes first?",
        "the day before",
        "before and after",
        "What did he say before the?",
        "since",
        "",
        "vor dem Umzug",
    ],
)
def test_most_questions_name_no_event(question: str) -> None:
    assert event_in(question) is None


@each_row(
    "question",
    [
        *("Who looks after my cat?", "Which server is named after the moon?", "How many days until our wedding?"),
        *(
            "Whom does she take after the most?",
            "How long has it been since the move?",
            "When did I live there before we moved?",
        ),
    ],
)
def test_not_everything_behind_such_a_word_is_a_time(question: str) -> None:
    assert event_in(question) is None


def test_who_looks_after_a_cat_is_answered_by_who_does(engine: Engine, clock: FrozenClock) -> None:
    for text in (
        "My cat is called Miso.",
        "Bob looks after my cat when I travel.",
        "Carla looks for a new job in Rome.",
    ):
        engine.remember(text)
        clock.advance(days=20)
    assert first(engine, "Who looks after my cat?").startswith("Bob")


def test_the_event_itself_stays_in_the_answer(engine: Engine, clock: FrozenClock) -> None:
    for text in ("The wedding is planned for June in Porto", "Flowers are cheap in spring"):
        engine.remember(text)
        clock.advance(days=20)
    assert first(engine, "what is to be done before the wedding").startswith("The wedding")


def test_what_was_told_in_the_first_days_of_the_calendar_breaks_nothing(engine: Engine) -> None:
    engine.remember("We moved to the hills", created_at="0001-01-03")
    engine.remember(HOMES[1])
    assert engine.recall("Where did I live before the move?")


def test_forgetting_by_a_question_does_not_guess_at_times(moved: Engine) -> None:
    found = moved.forget(query="where did I live before the move", dry_run=True).memories
    plain = moved.forget(query="where did I live the move", dry_run=True).memories
    assert {memory.id for memory in found} == {memory.id for memory in plain}
