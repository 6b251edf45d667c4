"""Orders to forget, said to remember: what they mean is put away, reversibly, and the order keeps nothing of it."""

from __future__ import annotations

import dataclasses

import pytest

import ebbing
from ebbing.domain.judgement import TextReading
from ebbing.domain.memory import Memory, Status
from ebbing.domain.policy.loader import load
from ebbing.domain.results import Remembered
from ebbing.engine import Engine
from ebbing.testing import FakeEmbedder, FakeJudge
from tests.conftest import OpenEngine

TOKEN = "The staging token is tok_ABC-123"
FRIDAY = "We meet on Friday at the pub"
ANNA = "Anna's birthday is on 3 May"
TEA = "Anna drinks green tea"


@pytest.fixture
def told(engine: Engine) -> dict[str, Memory]:
    """Four facts, by their words."""
    return {memory.text: memory for memory in engine.remember_many([TOKEN, FRIDAY, ANNA, TEA]).memories}


def texts(several: list[Memory]) -> set[str]:
    return {memory.text for memory in several}


@pytest.mark.parametrize(
    ("order", "gone"),
    [
        ("please delete the token tok_ABC-123 from memory", {TOKEN}),
        ("Scrap what I said about Friday", {FRIDAY}),
        ("Forget what I told you about Anna's birthday", {ANNA}),
        ("Forget everything about Anna except her birthday", {TEA}),
        ("Forget everything about Anna", {ANNA, TEA}),
    ],
)
def test_what_an_order_names_is_forgotten(engine: Engine, told: dict[str, Memory], order: str, gone: set[str]) -> None:
    """In the same call; the answer says what went, and restore brings it back."""
    outcome = engine.remember(order)
    assert texts(outcome.forgotten) == gone
    assert texts(engine.list()) == set(told) - gone
    batch = engine.history(outcome.forgotten[0].id)[-1].batch
    assert any(batch in note for note in outcome.notes)
    engine.restore(batch=batch)
    assert texts(engine.list()) == set(told)


def test_the_order_itself_keeps_nothing_of_what_it_names(engine: Engine, told: dict[str, Memory]) -> None:
    """Nor does what is said beside it about the same thing; other facts are stored."""
    outcome = engine.remember("Delete the token tok_ABC-123 from memory. The pub is in Mill Road. That token is dead.")
    assert texts(outcome.memories) == {"The pub is in Mill Road."}
    everything = engine.list(status=[status.value for status in Status if status is not Status.FORGOTTEN])
    assert all("tok_ABC" not in memory.text for memory in everything)
    assert engine.remember("Forget tok_ABC-123").memories == []


def test_a_statement_that_it_was_deleted_brings_nothing_back(engine: Engine, told: dict[str, Memory]) -> None:
    """ "Confirmed: … is deleted from memory" names it once more."""
    engine.remember("Delete the token tok_ABC-123 from memory")
    outcome = engine.remember("Confirmed. The token tok_ABC-123 is deleted from memory.")
    assert outcome.memories == []


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("Forget everything about zebras", "nothing stored is what the order names"),
        ("forget that", "nothing stored is what the order names"),
    ],
)
def test_where_nothing_fits_nothing_is_forgotten_and_the_result_says_so(
    engine: Engine, told: dict[str, Memory], order: str, why: str
) -> None:
    outcome = engine.remember(order)
    assert outcome.forgotten == []
    assert any(why in note for note in outcome.notes)
    assert texts(engine.list()) == set(told)


def test_where_too_much_fits_nothing_is_forgotten(engine: Engine) -> None:
    engine.remember_many(f"Anna owns boat number {number}" for number in range(30))
    outcome = engine.remember("Forget everything about Anna")
    assert outcome.forgotten == []
    assert any("more than the 20" in note for note in outcome.notes)


def test_forget_that_means_what_was_said_last_in_the_session(engine: Engine, told: dict[str, Memory]) -> None:
    said = engine.remember("I like jazz", session="s").memories[0]
    engine.remember("I like rock", session="other")
    assert [memory.id for memory in engine.remember("forget that", session="s").forgotten] == [said.id]


def test_what_is_pinned_or_trusted_more_is_left_and_named(open_engine: OpenEngine) -> None:
    engine = open_engine()
    pinned = engine.remember(FRIDAY, pinned=True).memories[0]
    outcome = engine.remember("Forget what I said about Friday")
    assert outcome.forgotten == []
    assert any(pinned.id in note for note in outcome.notes)
    engine.remember(ANNA)
    agent = engine.limited_to("agent")
    assert agent.remember("Forget what I said about Anna's birthday").forgotten == []
    assert engine.get(pinned.id).status is Status.ACTIVE


def test_a_page_or_a_caller_without_the_right_gives_no_orders(engine: Engine, told: dict[str, Memory]) -> None:
    outcome = engine.remember("Forget everything about Anna", source="web")
    assert outcome.forgotten == []
    bound = engine.limited_to("user", may_forget=False)
    outcome = bound.remember("Forget everything about Anna")
    assert (outcome.forgotten, outcome.memories) == ([], [])
    assert any("may not forget" in note for note in outcome.notes)
    assert set(told) <= texts(engine.list())


def test_another_owners_memories_are_never_meant(open_engine: OpenEngine) -> None:
    mine, other = open_engine(), open_engine("other")
    other.remember(ANNA)
    assert mine.remember("Forget everything about Anna").forgotten == []
    assert texts(other.list()) == {ANNA}


def test_an_order_that_does_not_speak_of_memory_needs_the_judge(open_engine: OpenEngine) -> None:
    """ "Delete the branch" may be a task: it is stored as one."""
    order = TextReading("forget", "days", 1, 0.0, kind_probability=0.9)
    judge = FakeJudge(readings={"Drop the Friday thing": order})
    engine = open_engine(judge=judge)
    engine.remember(FRIDAY)
    assert texts(engine.remember("Delete the branch after merging").memories) == {"Delete the branch after merging"}
    assert texts(engine.remember("Drop the Friday thing").forgotten) == {FRIDAY}


def test_erasing_for_good_is_for_policies_that_allow_it(address: str) -> None:
    """By default an order in words can always be undone."""
    for erase, count in ((False, 1), (True, 0)):
        default = load()
        policy = dataclasses.replace(default, orders=dataclasses.replace(default.orders, erase=erase))
        owner = f"erase {erase}"
        with ebbing.open(address, owner=owner, policy=policy, embedder=FakeEmbedder(), judge="off") as engine:
            engine.remember(FRIDAY)
            outcome: Remembered = engine.remember("Permanently erase what I said about Friday from memory")
            assert len(outcome.forgotten) == 1
            assert len(engine.list(status="forgotten")) == count


def test_orders_are_heard_in_a_compacted_conversation(engine: Engine, told: dict[str, Memory]) -> None:
    engine.on_compaction([{"role": "user", "content": "Please forget what I told you about Friday."}])
    assert FRIDAY not in texts(engine.list())
