"""Forgetting by a question takes what the question names, and nothing that only resembles it."""

from __future__ import annotations

from typing import Any

import pytest

from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.testing import FrozenClock

STORE = (
    "The mail address of the buyer is alice@acme.test",
    "The mail address of the seller is alice.smith@acme.test",
    "Frank works at Harbor HQ on the third floor",
    "Grace works at Harbor HQ on the third floor",
    "Deploys of release v2.3 happen on Tuesdays",
    "Deploys of release v2.3.1 happen on Tuesdays",
    "The crimson lamp in the hall flickers",
)


@pytest.mark.parametrize(
    ("question", "going"),
    [
        ("alice@acme.test", STORE[:1]),
        ("alice.smith@acme.test", STORE[1:2]),
        ("Frank Harbor HQ", STORE[2:3]),
        ("frank harbor hq", STORE[2:3]),
        ("where Grace works at Harbor HQ", STORE[3:4]),
        ("deploys of release v2.3 happen on tuesdays", STORE[4:5]),
        ("crimson lamp in the hall", STORE[6:]),
        ("Heidi Harbor HQ", ()),
        ("bob@acme.test", ()),
    ],
)
def test_a_question_forgets_what_it_names(engine: Engine, question: str, going: tuple[str, ...]) -> None:
    """A dry run shows the same, and what resembles it stays in use."""
    engine.remember_many(STORE)
    looked = [one.text for one in engine.forget(query=question, dry_run=True).memories]
    assert looked == list(going)
    assert [one.text for one in engine.forget(query=question).memories] == looked
    assert {one.text for one in engine.list()} == set(STORE) - set(going)


def test_the_one_that_is_named_is_found_behind_many_that_resemble_it(engine: Engine) -> None:
    """However few may be taken at once."""
    engine.remember_many(f"The pager of shift {number} is 0171-55{number}" for number in range(100, 250))
    batch = engine.forget(query="the pager of shift 249", limit=1)
    assert [one.text for one in batch.memories] == ["The pager of shift 249 is 0171-55249"]


def summarized(engine: Engine, clock: FrozenClock) -> dict[str, str]:
    """Three notes of one topic and the one summary of them: their ids by text."""
    texts = [f"Desk of {name} at Harbor HQ is by the window" for name in ("Frank", "Grace", "Heidi")]
    notes = [engine.remember(text, importance=0.29, tags=[text.split()[2]]).memories[0] for text in texts]
    clock.advance(days=8)
    (summary,) = engine.compact(scope="/").summaries
    return {"summary": summary.id, **{note.text.split()[2]: note.id for note in notes}}


@pytest.mark.parametrize("chosen", ["query", "tags", "ids"])
def test_what_a_summary_says_of_others_stays_in_use(engine: Engine, clock: FrozenClock, chosen: str) -> None:
    """It holds the name and has the tag too; it goes with Frank's note, and the notes about the others come back."""
    by_name = summarized(engine, clock)
    given: dict[str, Any] = {
        "query": "desk of Frank at Harbor HQ",
        "tags": ["Frank"],
        "ids": [by_name["Frank"], by_name["summary"]],
    }
    looked = {one.id for one in engine.forget(**{chosen: given[chosen]}, dry_run=True).memories}
    batch = engine.forget(**{chosen: given[chosen]})
    assert {one.id for one in batch.memories} == looked == {by_name["Frank"], by_name["summary"]}
    assert [engine.get(by_name[name]).status for name in ("Frank", "summary", "Grace", "Heidi")] == [
        Status.FORGOTTEN,
        Status.FORGOTTEN,
        Status.ACTIVE,
        Status.ACTIVE,
    ]
    engine.restore(batch=batch.id)
    assert [engine.get(by_name[name]).status for name in ("Frank", "summary", "Grace", "Heidi")] == [
        Status.ARCHIVED,
        Status.ACTIVE,
        Status.ARCHIVED,
        Status.ARCHIVED,
    ]


def test_names_that_only_a_summary_brings_together_mean_nothing(engine: Engine, clock: FrozenClock) -> None:
    """No note is about both, so none is meant."""
    summarized(engine, clock)
    assert engine.forget(query="desk of Frank and Grace at Harbor HQ").memories == []


def test_a_limit_takes_an_original_and_not_a_summary_in_its_place(engine: Engine, clock: FrozenClock) -> None:
    """Both have the tag; the summary alone would take the others out of use, which nobody asked for."""
    by_name = summarized(engine, clock)
    engine.forget(tags=["Frank"], limit=1)
    assert [engine.get(by_name[name]).status for name in ("Frank", "summary", "Grace", "Heidi")] == [
        Status.FORGOTTEN,
        Status.FORGOTTEN,
        Status.ACTIVE,
        Status.ACTIVE,
    ]
