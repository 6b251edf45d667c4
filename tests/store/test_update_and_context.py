"""Changing a memory, and the block of memories that is placed before a model."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing.domain.errors import Conflict, Invalid
from ebbing.domain.events import EventKind
from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.testing import FrozenClock, in_memory
from tests.conftest import OpenEngine
from tests.properties import examples

DEPLOY = "Deploys of the billing api happen on Tuesdays"


# Changing a memory


def test_another_text_is_a_new_memory_in_the_old_ones_place(engine: Engine) -> None:
    old = engine.remember(DEPLOY, importance=0.8, tags=["ops"], scope="/project", metadata={"by": "Mara"}).memories[0]
    new = engine.update(old.id, text="Deploys of the billing api happen on Mondays")
    assert (new.importance, new.tags, new.scope, dict(new.metadata)) == (0.8, ("ops",), "/project", {"by": "Mara"})
    assert (new.supersedes, engine.get(old.id).status) == ((old.id,), Status.SUPERSEDED)


def test_a_pinned_memory_is_changed_by_whoever_asks_for_it_by_name(engine: Engine) -> None:
    old = engine.remember(DEPLOY, pinned=True).memories[0]
    new = engine.update(old.id, text="Deploys of the billing api happen on Mondays")
    assert new.pinned
    assert not new.contested
    assert engine.get(old.id).status is Status.SUPERSEDED


def test_everything_else_changes_in_place_and_the_history_says_what_it_was(engine: Engine, clock: FrozenClock) -> None:
    memory = engine.remember(DEPLOY, importance=0.5, tags=["a"]).memories[0]
    changed = engine.update(memory.id, importance=0.9, tags=["b"], expires_in="10d", category="decision")
    assert (changed.id, changed.importance, changed.tags, changed.category) == (memory.id, 0.9, ("b",), "decision")
    assert changed.expires_at == clock.now() + timedelta(days=10)
    event = engine.history(memory.id)[-1]
    assert event.kind is EventKind.EDITED
    assert event.detail["was"]["importance"] == 0.5
    assert event.detail["was"]["tags"] == ["a"]
    assert engine.update(memory.id, importance=0.9) == changed, "nothing changed, nothing told"
    assert len(engine.history(memory.id)) == 2


def test_what_somebody_else_has_changed_since_is_left_alone(engine: Engine) -> None:
    memory = engine.remember(DEPLOY).memories[0]
    engine.update(memory.id, importance=0.1, version=memory.version)
    for given_ in ({"importance": 0.2}, {"text": "Something else entirely"}):
        with pytest.raises(Conflict, match="has changed since it was read"):
            engine.update(memory.id, version=memory.version, **given_)
    assert engine.get(memory.id).importance == 0.1


def test_a_use_changes_no_version(engine: Engine) -> None:
    memory = engine.remember(DEPLOY).memories[0]
    engine.used(memory.id)
    assert engine.get(memory.id).version == memory.version


def test_what_gave_way_is_restored_before_it_is_changed(engine: Engine) -> None:
    old = engine.remember(DEPLOY).memories[0]
    engine.update(old.id, text="Deploys of the billing api happen on Mondays")
    with pytest.raises(Conflict, match="restore it before"):
        engine.update(old.id, importance=0.2)


def test_one_that_is_moved_to_where_another_value_stands_waits_with_it_for_a_decision(engine: Engine) -> None:
    here = engine.remember("blue", subject="door", attribute="color", scope="/house").memories[0]
    there = engine.remember("green", subject="door", attribute="color", scope="/barn").memories[0]
    moved = engine.update(there.id, scope="/house")
    assert moved.contested
    assert {one.memory.id: [other.id for other in one.others] for one in engine.review()} == {
        here.id: [there.id],
        there.id: [here.id],
    }
    engine.settle(moved.id, keep=True)
    assert engine.get(here.id).status is Status.SUPERSEDED
    assert engine.review() == []


def test_bad_values_are_refused_as_when_they_are_remembered(engine: Engine) -> None:
    memory = engine.remember(DEPLOY).memories[0]
    for wrong in ({"importance": 2}, {"category": "mood"}, {"text": ""}, {"expires_in": "soon"}):
        with pytest.raises(Invalid):
            engine.update(memory.id, **wrong)
    assert engine.get(memory.id) == memory


# Before a model


def test_core_memory_comes_first_then_what_is_pinned_then_the_best(engine: Engine) -> None:
    engine.set_block("persona", "brisk and kind")
    engine.set_block("identity", "I am Ebb")
    engine.remember(DEPLOY)
    engine.remember("Mara is allergic to peanuts")
    text = engine.context("when are deploys of the billing api?", budget_tokens=400).text
    places = [text.index(part) for part in ("I am Ebb", "brisk and kind", "allergic", "Tuesdays")]
    assert places == sorted(places)


def test_each_line_says_when_and_from_whom_and_how_far_to_be_believed(engine: Engine) -> None:
    engine.remember(DEPLOY, source="web")
    text = engine.context("deploys of the billing api").text
    assert "[2026-01-01, from web, unverified] Deploys" in text
    assert text.startswith("<ebbing-memory ")
    assert text.endswith("</ebbing-memory>")


def test_a_topic_is_told_as_it_happened(engine: Engine, clock: FrozenClock) -> None:
    for number, what in enumerate(("began", "stalled", "ended")):
        engine.remember(f"The migration of the billing database {what}", importance=0.3 + 0.2 * number)
        clock.advance(days=1)
    told = [memory.text.rsplit(" ", 1)[1] for memory in engine.context("migration of the billing database").memories]
    assert told == ["began", "stalled", "ended"]


def test_what_repeats_another_is_left_out(engine: Engine) -> None:
    engine.remember(DEPLOY, scope="/a")
    engine.remember(f"{DEPLOY}.", scope="/b")
    engine.remember(f"{DEPLOY} and never on Fridays", scope="/c")
    told = engine.context("deploys of the billing api")
    assert [memory.text for memory in told.memories].count(DEPLOY) + len(told.memories) <= 3


def test_nothing_to_say_is_no_block(engine: Engine) -> None:
    told = engine.context("anything?")
    assert (told.text, told.memories, told.tokens) == ("", [], 0)


def test_being_placed_strengthens_and_only_looking_does_not(engine: Engine) -> None:
    memory = engine.remember(DEPLOY).memories[0]
    engine.context("deploys of the billing api", reinforce=False)
    assert engine.get(memory.id).recall_count == 0
    engine.context("deploys of the billing api", session="s")
    assert engine.get(memory.id).recall_count == 1


def test_a_scope_holds_for_what_is_pinned_too(engine: Engine) -> None:
    engine.remember("The vault opens at noon", scope="/bank", pinned=True)
    engine.remember(DEPLOY, scope="/project")
    assert "vault" not in engine.context("deploys", scope="/project").text


def test_an_agents_context_holds_nothing_private_of_another(open_engine: OpenEngine) -> None:
    scout, other = open_engine(agent="scout"), open_engine(agent="other")
    scout.remember("The vault opens at noon", visibility="private", pinned=True)
    assert "vault" in scout.context("vault").text
    assert "vault" not in other.context("vault").text


WORDS = st.sampled_from("tide harbour deploy billing Mara port raven ebb moon staging kettle".split())


@examples(30)
@given(
    st.lists(st.lists(WORDS, min_size=2, max_size=30).map(" ".join), min_size=1, max_size=12, unique=True),
    st.integers(1, 400),
)
def test_no_block_is_longer_than_its_budget_and_the_same_state_gives_the_same(texts: list[str], budget: int) -> None:
    clock = FrozenClock()
    with in_memory(clock=clock) as engine:
        engine.sweeper = None
        engine.set_block("human", "Mara, in Porto")
        engine.remember_many({"text": text, "pinned": number % 4 == 0} for number, text in enumerate(texts))
        told = engine.context("deploy of the harbour", budget_tokens=budget, reinforce=False)
        assert told.tokens <= budget
        assert told.tokens == (engine.models.count_tokens(told.text) if told.text else 0)
        assert engine.context("deploy of the harbour", budget_tokens=budget, reinforce=False) == told
