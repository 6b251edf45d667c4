"""A summary never gives one person's words to another, and has what its originals have in common."""

from __future__ import annotations

from typing import Any

import pytest

from ebbing.domain.memory import Memory, Source, Status
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.testing import FrozenClock

ALL = View("default", every_agent=True)
NOTES = ("I like green tea with milk.", "I like green tea with honey.", "I like green tea with nothing.")


def noted(engine: Engine, texts: tuple[str, ...] = NOTES, **given: Any) -> list[Memory]:
    """Notes of one topic, kept apart from each other whatever they say."""
    return [engine.remember(text, importance=0.29, **given).memories[0] for text in texts]


def summaries(engine: Engine, clock: FrozenClock) -> list[Memory]:
    clock.advance(days=8)
    return engine.compact(scope="/").summaries


def test_a_summary_has_what_its_originals_share(engine: Engine, clock: FrozenClock) -> None:
    """Whoever filters by it finds the summary as they found its originals."""
    shared = {"project": "atlas", "stars": 5}
    notes = [
        *noted(engine, NOTES[:2], metadata={**shared, "page": 1}, tags=["tea", "one"], session="s"),
        *noted(engine, NOTES[2:], metadata={**shared, "page": 2}, tags=["tea"], session="s"),
    ]
    (summary,) = summaries(engine, clock)
    assert dict(summary.metadata) == shared
    assert summary.tags == ("tea", "one")
    assert (summary.source.actor, summary.source.session) == (notes[0].source.actor, "s")
    assert summary.text == "I like green tea with: milk; honey; nothing"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"source": Source(actor="ana")}, {"source": Source(actor="ben")}),
        ({"source": Source(kind="user")}, {"source": Source(kind="tool")}),
        ({"subject": "ana"}, {"subject": "ben"}),
        ({"subject": "ana"}, {"subject": None}),
    ],
    ids=["actor", "kind of source", "subject", "a subject and none"],
)
def test_what_two_people_said_never_goes_into_one_summary(
    engine: Engine, clock: FrozenClock, one: dict[str, Any], other: dict[str, Any]
) -> None:
    """`I` is somebody else in each."""
    notes = noted(engine)
    with engine.store.write(ALL) as tx:
        stored = tx.memories.get([note.id for note in notes])
        changed = [stored[note.id].with_(**(other if place == 1 else one)) for place, note in enumerate(notes)]
        tx.memories.update(changed, stored)
    assert summaries(engine, clock) == []
    assert {engine.get(note.id).status for note in notes} == {Status.ACTIVE}


def test_what_speaks_of_somebody_it_does_not_name_is_left_out_of_the_topic(engine: Engine, clock: FrozenClock) -> None:
    """The others become one without it; beside them it would seem to speak of Frank."""
    named = noted(engine, tuple(f"Frank likes green tea with {what}." for what in ("milk", "honey", "nothing")))
    unnamed = noted(engine, ("She likes green tea with lemon.",))
    (summary,) = summaries(engine, clock)
    assert summary.derived_from == tuple(note.id for note in named)
    assert "lemon" not in summary.text
    assert engine.get(unnamed[0].id).status is Status.ACTIVE


def test_where_no_summary_is_smaller_every_rung_is_still_reached(engine: Engine, clock: FrozenClock) -> None:
    """Each goes down the ladder by itself, in use until it is detached, and nothing is lost on the way."""
    texts = ("Ana prefers window seats.", "Ben prefers aisle seats.", "Eva takes whatever seats are left.")
    notes = noted(engine, texts)
    seen: list[set[Status]] = []
    for _ in range(120):
        with engine.store.write(ALL) as tx:
            tx.owner.mark_active_day(clock.advance(days=1))
        swept = engine.sweep()
        assert swept.summaries == []
        seen.append({engine.get(note.id).status for note in notes})
    assert [one for place, one in enumerate(seen) if not place or seen[place - 1] != one] == [
        {Status.ACTIVE},
        {Status.DETACHED},
        {Status.ARCHIVED},
    ]
    assert sorted(engine.get(note.id).text for note in notes) == sorted(texts)
