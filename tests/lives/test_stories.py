"""Short lives, told from beginning to end, on each kind of store."""

from __future__ import annotations

import pytest

from ebbing.domain.errors import NotFound
from ebbing.domain.events import EventKind
from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.whole import whole

EVERY_STATUS = [status.value for status in Status]


def days_of_use(engine: Engine, clock: FrozenClock, days: int) -> None:
    for _ in range(days):
        clock.advance(days=1)
        engine.remember(f"The weather on {clock.now():%d %B} was fine", category="session_state")
        engine.sweep()


def best(engine: Engine, question: str, **given: object) -> str | None:
    found = engine.recall(question, limit=1, **given)  # type: ignore[arg-type]
    return found[0].memory.text if found else None


def test_a_holiday(engine: Engine, clock: FrozenClock) -> None:
    """Two who knew the same thing, one of them away for half a year: only the one who worked has forgotten it."""
    away, busy = engine.for_owner("away"), engine.for_owner("busy")
    key = "The spare key is under the third pot"
    fact = {each.owner: each.remember(key, importance=0.5).memories[0].id for each in (away, busy)}
    days_of_use(away, clock, 3)
    days_of_use(busy, clock, 60)
    clock.advance(days=120)
    for each in (away, busy):
        each.sweep()
    assert best(away, "where is the spare key") == key
    assert away.get(fact["away"]).status is Status.ACTIVE
    assert busy.get(fact["busy"]).status is Status.ARCHIVED
    assert best(busy, "spare key third pot") != key


def test_a_fact_replaced_again_and_again(engine: Engine, clock: FrozenClock) -> None:
    """The newest value is the answer, every older one says by what it was replaced, and the last can be undone."""
    cities = ["Rome", "Oslo", "Lima", "Kyoto"]
    outcomes = []
    for city in cities:
        outcomes.append(engine.remember(f"Ada lives in {city}", subject="Ada", attribute="city"))
        clock.advance(days=30)
    ids = [outcome.memories[0].id for outcome in outcomes]
    assert [r.memory.text for r in engine.recall("where does Ada live")] == ["Ada lives in Kyoto"]
    chain = [engine.get(id_) for id_ in ids]
    assert [one.superseded_by for one in chain] == [*ids[1:], None]
    assert [one.supersedes for one in chain] == [(), (ids[0],), (ids[1],), (ids[2],)]
    assert [one.valid_until for one in chain] == [*(one.created_at for one in chain[1:]), None]
    late = engine.remember("Ada lives in Bonn", subject="Ada", attribute="city", created_at="2020-05-05").memories[0]
    assert late.status is Status.SUPERSEDED
    assert [r.memory.text for r in engine.recall("where does Ada live")] == ["Ada lives in Kyoto"]

    engine.restore(batch=outcomes[-1].batch)
    engine.forget(ids=ids[-1], reason="it was a different Ada")
    assert [r.memory.text for r in engine.recall("where does Ada live")] == ["Ada lives in Lima"]
    asked = engine.recall("where does Ada live", include=["superseded"], reinforce=False)
    assert {r.memory.text for r in asked} == {
        "Ada lives in Lima",
        "Ada lives in Oslo",
        "Ada lives in Rome",
        "Ada lives in Bonn",
    }


def test_a_memory_forgotten_and_brought_back(engine: Engine, clock: FrozenClock) -> None:
    """It fades, is let go, is missed, comes back, proves itself, and stays."""
    one = engine.remember("The old intranet is at 10.0.0.7", category="fact", importance=0.5).memories[0]
    days_of_use(engine, clock, 19)
    assert engine.get(one.id).status is Status.DETACHED
    assert best(engine, "old intranet") != one.text
    assert best(engine, "old intranet", include=["detached"], reinforce=False) == one.text
    days_of_use(engine, clock, 20)
    assert engine.get(one.id).status is Status.ARCHIVED
    assert best(engine, "old intranet", include=["archived"]) == one.text

    engine.restore(one.id)
    assert best(engine, "old intranet") == one.text
    for _ in range(4):
        days_of_use(engine, clock, 7)
        assert best(engine, "old intranet", session=f"{clock.now()}") == one.text
    days_of_use(engine, clock, 10)
    assert engine.get(one.id).status is Status.ACTIVE
    kinds = [event.kind for event in engine.history(one.id)]
    assert kinds[:4] == [EventKind.REMEMBERED, EventKind.DETACHED, EventKind.ARCHIVED, EventKind.RESTORED]
    assert set(kinds[4:]) == {EventKind.REINFORCED}


def test_what_the_owner_can_still_see(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """Out of recall is not out of sight: everything is listed, and says where it went and why; until it is purged."""
    engine = open_engine(agent="scout")
    kept = engine.remember("The gate number is 4711", scope="/home", pinned=True).memories[0]
    faded = engine.remember("The neighbour's cat is called Minka", scope="/home", importance=0.5).memories[0]
    brief = engine.remember("The plumber comes today", scope="/home", expires_in="1d").memories[0]
    replaced = engine.remember("The rent is 900", scope="/home", subject="rent", attribute="amount").memories[0]
    engine.remember("The rent is 950", scope="/home", subject="rent", attribute="amount", pinned=True)
    unwanted = engine.remember("The landlord was rude", scope="/home").memories[0]
    engine.forget(ids=unwanted.id, reason="not to be kept")
    days_of_use(engine, clock, 60)

    listed = {one.id: one for one in engine.list(scope="/home", status=EVERY_STATUS)}
    statuses = {
        kept.id: Status.ACTIVE,
        faded.id: Status.ARCHIVED,
        brief.id: Status.ARCHIVED,
        replaced.id: Status.SUPERSEDED,
        unwanted.id: Status.FORGOTTEN,
    }
    assert {id_: listed[id_].status for id_ in statuses} == statuses
    why = {id_: engine.history(id_)[-1].reason or "" for id_ in listed}
    assert "fell below" in why[faded.id]
    assert "time to live" in why[brief.id]
    assert "newer value for rent / amount" in why[replaced.id]
    assert why[unwanted.id] == "not to be kept"
    assert [r.memory.text for r in engine.recall("gate number rent landlord", reinforce=False, scope="/home")] == [
        "The gate number is 4711",
        "The rent is 950",
    ]

    receipt = engine.purge(ids=unwanted.id, reason="asked by the landlord")
    assert (receipt.count, receipt.verified) == (1, True)
    with pytest.raises(NotFound):
        engine.get(unwanted.id)
    last = engine.history(unwanted.id)[-1]
    assert (last.kind, last.reason) == (EventKind.PURGED, "asked by the landlord")
    assert engine.remember("The landlord was rude").skipped
    with engine.store.read(View("default", "scout")) as tx:
        assert "rude" not in whole(tx.events.page(limit=10_000))
    engine.lift(receipt.tombstones[0])
    assert engine.remember("The landlord was rude").memories


def test_two_agents_of_one_person(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """They share what is shared, keep to themselves what is private, and age together."""
    coder, planner = open_engine(agent="coder"), open_engine(agent="planner")
    coder.remember("The tests run with make test")
    secret = coder.remember("The user is annoyed by long answers", visibility="private", importance=0.5).memories[0]
    assert best(planner, "how do the tests run") == "The tests run with make test"
    assert best(planner, "annoyed by long answers") != secret.text
    assert best(coder, "annoyed by long answers") == secret.text
    days_of_use(planner, clock, 60)
    assert coder.get(secret.id).status is Status.ARCHIVED
    coder.restore(secret.id)
    assert best(coder, "annoyed by long answers") == secret.text
    assert best(planner, "annoyed by long answers", include=["archived", "detached"]) != secret.text
