"""Every step down can be undone, and undone means: as if it had not happened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ebbing.domain.errors import Conflict, Invalid, NotFound
from ebbing.domain.memory import Memory, Status
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.stopping import stopping
from tests.store.making import differing, ids

ALL = View("default", every_agent=True)
EVERY_STATUS = [status.value for status in Status]


def snapshot(engine: Engine, query: str) -> dict[str, Any]:
    """All that anybody can see of an owner's memories, but for the alarms that only tell when to look again."""
    listed = engine.list(status=EVERY_STATUS, limit=1000)
    with engine.store.read(ALL) as tx:
        vectors = {id_: vector.tolist() for id_, vector in tx.index.vectors(ids(listed)).items()}
    return {
        "memories": {one.id: one.with_(due_at=None, due_day=None) for one in listed},
        "vectors": vectors,
        "recalled": [(r.memory.id, r.score, r.parts) for r in engine.recall(query, reinforce=False, limit=100)],
        "included": [
            (r.memory.id, r.score)
            for r in engine.recall(query, reinforce=False, limit=100, include=["detached", "archived", "superseded"])
        ],
    }


def populated(engine: Engine, clock: FrozenClock) -> list[Memory]:
    """A few memories of every status that is not a request of its own."""
    engine.remember("the lamp of Ada is red", subject="lamp", attribute="colour", tags=["t"])
    made = engine.remember("the lamp of Ada is green", subject="lamp", attribute="colour", session="s").memories
    made += engine.remember("the lamp stood there", category="observation", importance=0.4).memories
    made += engine.remember("the lamp cost 30 euros", category="failure", importance=0.4).memories
    made += engine.remember("the lamp is pinned", pinned=True, metadata={"a": [1]}).memories
    engine.used([made[0].id], session="u")
    for _ in range(14):
        clock.advance(days=1)
        engine.recall("another matter")
    engine.sweep()
    assert {engine.get(one.id).status for one in made} == {Status.ACTIVE, Status.DETACHED, Status.ARCHIVED}
    return made


@pytest.mark.parametrize("how", ["batch", "ids"])
def test_forget_and_restore_is_as_if_nothing_had_happened(engine: Engine, clock: FrozenClock, how: str) -> None:
    populated(engine, clock)
    engine.store.scrub([])
    before = snapshot(engine, "the lamp of Ada")
    batch = engine.forget(everything=True, reason="a mistake")
    assert len(batch.memories) == 5
    assert engine.list() == []
    assert engine.recall("lamp", include=["detached", "archived", "superseded"]) == []
    back = engine.restore(batch=batch.id) if how == "batch" else engine.restore(ids(batch.memories))
    assert sorted(ids(back.memories)) == sorted(ids(batch.memories))
    assert snapshot(engine, "the lamp of Ada") == before
    assert all(finding.ok for finding in engine.store.check())
    assert engine.sweep().actions == [], "nothing was due before, and nothing is due now"


def test_forgetting_moves_out_of_recall_and_keeps_everything_else(engine: Engine) -> None:
    one = engine.remember("The lamp is green", tags=["t"], metadata={"k": 1}).memories[0]
    engine.used(one.id)
    before = engine.get(one.id)
    batch = engine.forget(ids=one.id)
    gone = engine.get(one.id)
    assert differing(gone, before) == ["status"]
    assert gone.status is Status.FORGOTTEN
    assert batch.memories == [gone]
    assert engine.list() == []
    assert engine.list(status="forgotten") == [gone]


def test_a_dry_run_of_forget_changes_nothing_and_names_the_same(engine: Engine) -> None:
    engine.remember_many([{"text": f"note {number}", "scope": "/n"} for number in range(5)])
    planned = engine.forget(scope="/n", dry_run=True)
    assert planned.dry_run
    assert len(engine.list(scope="/n")) == 5
    done = engine.forget(scope="/n")
    assert ids(planned.memories) == ids(done.memories)
    assert not done.dry_run


def test_forget_goes_no_further_than_its_limit(engine: Engine) -> None:
    engine.remember_many([f"note {number}" for number in range(7)])
    newest = ids(engine.list())
    assert ids(engine.forget(everything=True, limit=3).memories) == newest[:3]
    assert ids(engine.list()) == newest[3:]


def test_forget_pages_through_more_than_it_reads_at_once(engine: Engine) -> None:
    engine.remember_many([f"note {number}" for number in range(600)])
    batch = engine.forget(everything=True)
    assert len({one.id for one in batch.memories}) == 600
    assert len(engine.restore(batch=batch.id).memories) == 600
    assert len(engine.list(limit=1000)) == 600


def test_forget_by_question_takes_only_what_fits_well(engine: Engine) -> None:
    fits = engine.remember("Deploys happen on Tuesdays").memories[0]
    other = engine.remember("Lunch is at noon on most working days in the big canteen").memories[0]
    batch = engine.forget(query="deploys happen on tuesdays")
    assert ids(batch.memories) == [fits.id]
    assert engine.get(other.id).status is Status.ACTIVE
    assert engine.get(fits.id).recall_count == 0, "asking what to forget is no use of it"


def test_forget_without_any_filter_is_refused(engine: Engine) -> None:
    engine.remember("stay")
    for dry_run in (False, True):
        with pytest.raises(Invalid, match="at least one filter"):
            engine.forget(dry_run=dry_run)
    assert len(engine.list()) == 1


def test_a_question_that_finds_nothing_forgets_nothing(open_engine: OpenEngine) -> None:
    engine = open_engine(embedder=None)
    engine.remember("stay")
    assert engine.forget(query="quantum zebra").memories == []
    assert engine.forget(query="").memories == []
    assert engine.forget(ids=[]).memories == []
    assert len(engine.list()) == 1


def test_superseding_and_restoring_the_batch_leaves_no_link(engine: Engine) -> None:
    old = engine.remember("Ada lives in Rome", subject="Ada", attribute="city").memories[0]
    outcome = engine.remember("Ada lives in Oslo", subject="Ada", attribute="city")
    new = outcome.memories[0]
    assert new.supersedes == (old.id,)
    gone = engine.get(old.id)
    assert (gone.status, gone.superseded_by, gone.valid_until) == (Status.SUPERSEDED, new.id, new.created_at)
    assert ids([r.memory for r in engine.recall("Ada lives")]) == [new.id]
    assert ids([r.memory for r in engine.recall("Rome", include=["superseded"])])[0] == old.id
    back = engine.restore(batch=outcome.batch)
    assert ids(back.memories) == [old.id]
    assert differing(engine.get(old.id), old) == ["contested"]
    assert engine.get(new.id).supersedes == ()
    assert {r.memory.id for r in engine.recall("Ada lives")} == {old.id, new.id}


def test_a_superseded_memory_comes_back_by_its_id(engine: Engine) -> None:
    old = engine.remember("Ada lives in Rome", subject="Ada", attribute="city").memories[0]
    new = engine.remember("Ada lives in Oslo", subject="Ada", attribute="city").memories[0]
    engine.restore(old.id)
    back = engine.get(old.id)
    assert (back.status, back.superseded_by, back.valid_until) == (Status.ACTIVE, None, None)
    assert engine.get(new.id).supersedes == ()


def test_a_fact_older_than_the_stored_one_is_born_superseded(engine: Engine) -> None:
    new = engine.remember("Ada lives in Oslo", subject="Ada", attribute="city").memories[0]
    outcome = engine.remember("Ada lives in Rome", subject="Ada", attribute="city", created_at="2020-01-01")
    old = outcome.memories[0]
    assert old.status is Status.SUPERSEDED
    assert old.superseded_by == new.id
    assert outcome.superseded == [old]
    assert engine.get(new.id) == new
    assert ids([r.memory for r in engine.recall("where does Ada live")]) == [new.id]


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [({"pinned": True}, {}, "pinned"), ({"trust": 0.9}, {"trust": 0.2}, "trusted more")],
)
def test_what_may_not_be_overwritten_stays_beside_its_rival_and_both_are_contested(
    engine: Engine, first: dict[str, Any], second: dict[str, Any], why: str
) -> None:
    old = engine.remember("Ada lives in Rome", subject="Ada", attribute="city", **first).memories[0]
    outcome = engine.remember("Ada lives in Oslo", subject="Ada", attribute="city", **second)
    assert ids(outcome.contested) == [old.id]
    assert outcome.superseded == []
    assert {one.contested for one in engine.list()} == {True}
    assert len(engine.list()) == 2
    assert why in (engine.history(old.id)[-1].reason or "")


def test_a_sweep_is_undone_as_a_batch(engine: Engine, clock: FrozenClock) -> None:
    several = engine.remember_many(
        [{"text": "short lived", "category": "session_state"}, {"text": "a faint trace", "importance": 0.3}]
    ).memories
    for _ in range(10):
        clock.advance(days=1)
        engine.recall("another matter")
    before = {one.id: engine.get(one.id) for one in several}
    swept = engine.sweep()
    assert {action.memory.id: action.status for action in swept.actions} == {
        several[0].id: Status.ARCHIVED,
        several[1].id: Status.DETACHED,
    }
    engine.restore(batch=swept.batch)
    for one in several:
        back = engine.get(one.id)
        assert set(differing(back, before[one.id])) <= {"due_at", "due_day", "restored_at"}
        assert back.restored_at == clock.now(), "or the next sweep would put it straight back"
    assert engine.sweep().actions == []


def test_only_what_still_stands_where_the_batch_put_it_goes_back(engine: Engine) -> None:
    one, two, three, four = engine.remember_many(["one", "two", "three", "four"]).memories
    batch = engine.forget(everything=True)
    engine.restore(one.id)
    engine.purge(ids=two.id)
    engine.restore(three.id)
    again = engine.forget(ids=three.id)
    back = engine.restore(batch=batch.id)
    assert sorted(ids(back.memories)) == sorted([three.id, four.id])
    assert engine.restore(batch=again.id).memories == []
    with pytest.raises(NotFound):
        engine.get(two.id)


def test_restoring_twice_restores_once(engine: Engine) -> None:
    one = engine.remember("one").memories[0]
    batch = engine.forget(ids=one.id)
    assert ids(engine.restore(batch=batch.id).memories) == [one.id]
    assert engine.restore(batch=batch.id).memories == []
    assert engine.restore(one.id).memories == []
    assert len(engine.history(one.id)) == 3


def test_restore_wants_ids_or_a_batch_that_exist(engine: Engine) -> None:
    one = engine.remember("one")
    for given in ({}, {"ids": "x", "batch": "y"}):
        with pytest.raises(Invalid, match="either ids or a batch"):
            engine.restore(**given)
    with pytest.raises(NotFound, match="nobody"):
        engine.restore(["nobody"])
    with pytest.raises(NotFound, match="no batch nothing"):
        engine.restore(batch="nothing")
    with pytest.raises(Conflict, match="put nothing away"):
        engine.restore(batch=one.batch)


def test_one_missing_id_restores_none(engine: Engine) -> None:
    one = engine.remember("one").memories[0]
    engine.forget(ids=one.id)
    with pytest.raises(NotFound):
        engine.restore([one.id, "nobody"])
    assert engine.get(one.id).status is Status.FORGOTTEN


def test_undoing_leaves_the_indexes_as_they_were(open_engine: OpenEngine) -> None:
    engine = open_engine()
    several = engine.remember_many([f"lamp number {number}" for number in range(40)]).memories
    with engine.store.read(ALL) as tx:
        before = {id_: vector.copy() for id_, vector in tx.index.vectors(ids(several)).items()}
    for start in range(0, 40, 10):
        batch = engine.forget(ids=ids(several[start : start + 10]))
        engine.restore(batch=batch.id)
    fresh = open_engine()
    for each in (engine, fresh):
        assert {r.memory.id for r in each.recall("lamp", limit=100, reinforce=False)} == set(ids(several))
    with fresh.store.read(ALL) as tx:
        after = tx.index.vectors(ids(several))
    assert all(np.array_equal(before[id_], after[id_]) for id_ in before)
    assert all(finding.ok for finding in engine.store.check())


def test_a_new_value_also_replaces_an_archived_one(engine: Engine, clock: FrozenClock) -> None:
    """What faded away must not come back beside what replaced it."""
    old = engine.remember("The lamp is green", subject="lamp", attribute="colour").memories[0]
    named = engine.remember("The door is blue", importance=0.5).memories[0]
    for _ in range(60):
        clock.advance(days=1)
        engine.remember(f"the day is {clock.now():%j}")
    engine.sweep()
    assert {engine.get(one.id).status for one in (old, named)} == {Status.ARCHIVED}
    new = engine.remember("The lamp is red", subject="lamp", attribute="colour")
    assert [memory.id for memory in new.superseded] == [old.id]
    assert [memory.id for memory in engine.remember("The door is red", supersedes=named.id).superseded] == [named.id]
    found = engine.recall("which colour is the lamp?", include=["archived"], limit=50)
    assert old.id not in [one.memory.id for one in found]


def test_what_comes_back_beside_its_winner_is_contested(engine: Engine) -> None:
    """Restoring an old value does not silently leave two truths."""
    old = engine.remember("The lamp is green", subject="lamp", attribute="colour").memories[0]
    new = engine.remember("The lamp is red", subject="lamp", attribute="colour").memories[0]
    engine.restore(old.id)
    assert engine.get(old.id).contested
    assert engine.get(new.id).contested
    assert engine.get(new.id).supersedes == ()


def test_undoing_a_promotion_leaves_alone_what_became_of_it_since(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("worth keeping", tier="working", importance=0.7).memories[0]
    clock.advance(days=1)
    promoted = engine.sweep()
    assert [(action.memory.id, action.step.value) for action in promoted.actions] == [(one.id, "promote")]
    batch = engine.forget(ids=one.id)
    engine.restore(batch=promoted.batch)
    assert (engine.get(one.id).status, engine.get(one.id).tier.value) == (Status.FORGOTTEN, "working")
    engine.restore(batch=batch.id)
    assert engine.get(one.id).status is Status.ACTIVE


# Stopped halfway


def rivals(engine: Engine) -> tuple[Memory, Memory]:
    """Two values of one thing, of which neither may replace the other."""
    old = engine.remember("Ada lives in Rome", subject="Ada", attribute="city", pinned=True).memories[0]
    new = engine.remember("Ada lives in Oslo", subject="Ada", attribute="city").memories[0]
    return engine.get(old.id), engine.get(new.id)


@pytest.mark.parametrize("going", [0, 1])
def test_whoever_stood_against_it_changes_in_the_same_transaction(engine: Engine, going: int) -> None:
    """So nobody who dies in between leaves one waiting for a decision between itself and nobody."""
    pair = rivals(engine)
    gone, left = pair[going], pair[1 - going]
    assert (gone.contested, left.contested) == (True, True)
    batch = stopping(engine, writes=1).forget(ids=gone.id)
    assert not engine.get(left.id).contested
    stopping(engine, writes=1).restore(batch=batch.id)
    assert [differing(engine.get(one.id), one) for one in pair] == [[], []]
    batch = stopping(engine, writes=1).forget(ids=gone.id)
    stopping(engine, writes=1).restore(gone.id)
    assert [differing(engine.get(one.id), one) for one in pair] == [[], []]
    stopping(engine, writes=1).purge(ids=gone.id)
    assert not engine.get(left.id).contested


def test_more_than_one_transaction_takes_comes_back_with_those_it_stood_against(engine: Engine) -> None:
    """Each stands against another of a later page, and the other way round."""
    count = 300
    for way in ({"pinned": True}, {}):
        engine.remember_many(
            {"text": f"Town {n} is called {len(way)}", "subject": f"town {n}", "attribute": "name", **way}
            for n in range(count)
        )
    before = snapshot(engine, "town")
    assert sum(one.contested for one in before["memories"].values()) == 2 * count
    engine.restore(batch=engine.forget(everything=True).id)
    assert snapshot(engine, "town") == before


@pytest.mark.parametrize("verb", ["forget", "purge"])
def test_what_comes_back_for_another_under_another_policy_fades_under_the_next(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path, verb: str
) -> None:
    """Alarms that a slower policy has set are set anew."""
    policy = tmp_path / "slow.toml"
    policy.write_text("[curve]\nslowdown = 1000.0\n")
    engine = open_engine()
    notes = engine.remember_many(
        {"text": f"The nightly backup of the depot took {n} minutes. It ran without errors.", "scope": "/ops"}
        for n in (3, 5, 8, 13)
    ).memories
    clock.advance(days=8)
    assert engine.compact(scope="/ops").summaries
    engine.sweep()
    getattr(open_engine(policy=policy), verb)(ids=notes[0].id)
    assert {engine.get(one.id).status for one in notes[1:]} == {Status.ACTIVE}
    for _ in range(150):
        with engine.store.write(ALL) as tx:
            tx.owner.mark_active_day(clock.advance(days=1))
    engine.sweep()
    assert {engine.get(one.id).status for one in notes[1:]} == {Status.ARCHIVED}


def test_a_question_does_not_forget_what_always_stands_in_the_context(engine: Engine) -> None:
    """It is forgotten only when it is named."""
    engine.set_block("critical", "Ada is allergic to penicillin")
    asked = engine.remember("The clinic asked whether Ada is allergic to penicillin on Monday").memories[0]
    batch = engine.forget(query="Ada is allergic to penicillin")
    assert ids(batch.memories) == [asked.id]
    assert "penicillin" in engine.context("anything").text


def test_a_batch_that_was_undone_already_takes_nothing_from_a_later_one(engine: Engine) -> None:
    """Undone a second time it made superseded, by nobody, what was forgotten after it stood in use again."""
    old = engine.remember("My bank is in Basel").memories[0].id
    new = engine.update(old, text="My bank is in Bern").id
    replaced = engine.history(new)[0].batch
    first = engine.forget(ids=old).id
    engine.restore(batch=first)
    assert replaced is not None
    engine.restore(batch=replaced)
    engine.forget(ids=old)
    assert engine.restore(batch=first).memories == []
    assert engine.get(old).status is Status.FORGOTTEN
