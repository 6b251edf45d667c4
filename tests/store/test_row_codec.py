"""What is written is what is read: every field, on both sides of the ladder, and across a move between them."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

import numpy as np
import pytest

from ebbing.domain.clock import Moment
from ebbing.domain.memory import Memory, Status, Tier
from ebbing.ports import Filter, Store, View
from tests.store.making import EMBEDDER, MINE, NOW, TODAY, add, differing, found, full_memory, ids, memory, question

LIVE = [status for status in Status if status.live]
AWAY = [status for status in Status if not status.live]


@pytest.mark.parametrize("status", Status)
def test_every_field_comes_back_as_it_was_given(store: Store, status: Status) -> None:
    given = full_memory(status=status)
    defaults = {entry.name for entry in dataclasses.fields(Memory) if getattr(given, entry.name) == entry.default}
    assert defaults <= {"status"}, "a field left at its default proves nothing here"
    with store.write(MINE) as tx:
        add(tx, given)
    with store.read(MINE) as tx:
        back = tx.memories.get([given.id])[given.id]
    assert differing(back, given) == []
    assert {type(getattr(back, entry.name)) for entry in dataclasses.fields(Memory)} == {
        type(getattr(given, entry.name)) for entry in dataclasses.fields(Memory)
    }


@pytest.mark.parametrize("status", Status)
def test_what_is_not_known_stays_unknown(store: Store, status: Status) -> None:
    given = memory(status=status, fingerprint=None)
    with store.write(MINE) as tx:
        add(tx, given)
    with store.read(MINE) as tx:
        assert tx.memories.get([given.id]) == {given.id: given}
        assert tx.index.vectors([given.id]) == {}


def test_times_keep_their_microseconds_and_are_in_utc(store: Store) -> None:
    given = memory(created_at=NOW + timedelta(microseconds=123_457))
    with store.write(MINE) as tx:
        add(tx, given)
    with store.read(MINE) as tx:
        at = tx.memories.get([given.id])[given.id].created_at
    assert at.microsecond == 123_457
    assert at.utcoffset() == timedelta(0)


def test_many_are_got_at_once_and_missing_ones_are_left_out(store: Store) -> None:
    several = [memory(status=status) for status in Status]
    with store.write(MINE) as tx:
        add(tx, *several)
    with store.read(MINE) as tx:
        assert tx.memories.get([*ids(several), "nobody"]) == {one.id: one for one in several}
        assert tx.memories.get([]) == {}


def test_vectors_come_back_at_half_precision_and_exactly_the_same_from_either_side(store: Store) -> None:
    live, away = memory("the same words"), memory("the same words", status=Status.ARCHIVED)
    with store.write(MINE) as tx:
        add(tx, live, away)
    with store.read(MINE) as tx:
        vectors = tx.index.vectors([live.id, away.id])
    expected = EMBEDDER.embed(["the same words"])[0].astype(np.float16).astype(np.float32)
    assert np.array_equal(vectors[live.id], expected)
    assert np.array_equal(vectors[away.id], expected)


@pytest.mark.parametrize("status", LIVE)
def test_a_change_that_stays_on_the_live_side_keeps_everything_else(store: Store, status: Status) -> None:
    before = full_memory(status=status)
    after = before.with_(pinned=False, contested=False, trust=0.25, tags=("one",), superseded_by=None, due_day=None)
    with store.write(MINE) as tx:
        add(tx, before)
        vector = tx.index.vectors([before.id])[before.id]
        tx.memories.update([after])
    with store.read(MINE) as tx:
        assert differing(tx.memories.get([before.id])[before.id], after) == []
        assert np.array_equal(tx.index.vectors([before.id])[before.id], vector)
        assert before.id in found(tx, question("quoted", near=before.text))


@pytest.mark.parametrize("to", Status)
@pytest.mark.parametrize("from_", Status)
def test_moving_to_any_status_and_back_changes_nothing_but_the_status(store: Store, from_: Status, to: Status) -> None:
    before = full_memory(status=from_)
    asked = question("quoted", near=before.text, archived=not from_.live)
    with store.write(MINE) as tx:
        add(tx, before, memory("a neighbour that is quoted too"))
    with store.read(MINE) as tx:
        vector = tx.index.vectors([before.id])[before.id]
        scores = found(tx, asked)[before.id]
    with store.write(MINE) as tx:
        tx.memories.update([before.with_(status=to)])
    with store.read(MINE) as tx:
        there = tx.memories.get([before.id])[before.id]
        assert differing(there, before) == (["status"] if to is not from_ else [])
        assert np.array_equal(tx.index.vectors([before.id])[before.id], vector)
        assert before.id in found(tx, question("quoted", near=before.text, archived=not to.live))
        if to.live is not from_.live:
            assert before.id not in found(tx, asked)
    with store.write(MINE) as tx:
        tx.memories.update([before])
    with store.read(MINE) as tx:
        assert tx.memories.get([before.id]) == {before.id: before}
        assert np.array_equal(tx.index.vectors([before.id])[before.id], vector)
        assert found(tx, asked)[before.id] == pytest.approx(scores)
    assert all(finding.ok for finding in store.check())


def test_what_leaves_the_live_side_is_there_as_it_was_given(store: Store) -> None:
    """More than the status may change on the way, whether or not the one who moves it says how it stood."""
    before = [full_memory(id=f"0{number}") for number in range(4)]
    after = [
        before[0].with_(status=Status.SUPERSEDED, superseded_by="another", contested=False, valid_until=NOW, tags=()),
        before[1].with_(status=Status.ARCHIVED, due_at=None, due_day=TODAY + 1),
        before[2].with_(status=Status.FORGOTTEN, tier=Tier.EPISODIC, due_at=NOW, recall_count=3, metadata={"new": 1}),
        before[3].with_(status=Status.ARCHIVED),
    ]
    with store.write(MINE) as tx:
        add(tx, *before)
        tx.memories.update(after[:2])
        tx.memories.update(after[2:], {one.id: one for one in before})
    with store.read(MINE) as tx:
        assert tx.memories.get(ids(after)) == {one.id: one for one in after}
    assert all(finding.ok for finding in store.check())


def test_several_move_in_both_directions_at_once(store: Store) -> None:
    going = [memory(status=Status.ACTIVE) for _ in range(3)]
    coming = [memory(status=Status.ARCHIVED) for _ in range(3)]
    staying = [memory(status=Status.DETACHED), memory(status=Status.FORGOTTEN)]
    with store.write(MINE) as tx:
        add(tx, *going, *coming, *staying)
        moved = [one.with_(status=Status.FORGOTTEN) for one in going]
        moved += [one.with_(status=Status.ACTIVE) for one in coming]
        tx.memories.update([*moved, *staying])
    with store.read(MINE) as tx:
        assert tx.memories.get(ids([*moved, *staying])) == {one.id: one for one in [*moved, *staying]}
        assert len(tx.index.vectors(ids([*moved, *staying]))) == 8
    assert all(finding.ok for finding in store.check())


def test_changing_nothing_is_allowed(store: Store) -> None:
    with store.write(MINE) as tx:
        tx.memories.add([], {})
        tx.memories.update([])
        tx.memories.count_uses([], Moment(NOW, TODAY))
        tx.memories.set_due([])
        tx.events.record([], at=NOW, batch="none")
        assert tx.memories.get([]) == {}


def test_a_touch_counts_and_never_goes_back_in_time(store: Store) -> None:
    given = memory(recall_count=3)
    later, earlier = Moment(NOW + timedelta(days=2), TODAY + 2), Moment(NOW + timedelta(days=1), TODAY + 1)
    with store.write(MINE) as tx:
        add(tx, given)
        tx.memories.count_uses([given.id], later)
        tx.memories.count_uses([given.id], earlier)
    with store.read(MINE) as tx:
        touched = tx.memories.get([given.id])[given.id]
    assert touched == given.with_(recall_count=5, last_accessed_at=later.at, used_day=later.day)


def test_a_page_goes_from_newest_to_oldest_across_both_sides(store: Store) -> None:
    several = [memory(status=list(Status)[index % len(Status)]) for index in range(25)]
    with store.write(MINE) as tx:
        add(tx, *several)
    newest_first = sorted(ids(several), reverse=True)
    with store.read(MINE) as tx:
        assert ids(tx.memories.page(Filter(), limit=1000)) == newest_first
        walked: list[str] = []
        while page := tx.memories.page(Filter(), before=walked[-1] if walked else None, limit=4):
            assert len(page) <= 4
            walked += ids(page)
    assert walked == newest_first


def test_a_page_holds_only_the_statuses_asked_for(store: Store) -> None:
    several = {status: memory(status=status) for status in Status}
    with store.write(MINE) as tx:
        add(tx, *several.values())
    with store.read(MINE) as tx:
        for status, one in several.items():
            assert tx.memories.page(Filter(statuses=(status,)), limit=10) == [one]
        assert tx.memories.page(Filter(statuses=()), limit=10) == []


def test_a_new_memory_is_found_by_a_cursor_that_was_taken_before_it(store: Store) -> None:
    first, second = memory(), memory()
    with store.write(MINE) as tx:
        add(tx, first)
    with store.read(MINE) as tx:
        cursor = tx.memories.page(Filter(), limit=1)[-1].id
    with store.write(MINE) as tx:
        add(tx, second)
    with store.read(MINE) as tx:
        assert tx.memories.page(Filter(), before=cursor, limit=10) == []
        assert ids(tx.memories.page(Filter(), limit=10)) == [second.id, first.id]


def test_the_same_id_is_two_memories_for_two_owners(store: Store) -> None:
    yours = View("yours")
    one = memory("mine alone")
    other = one.with_(owner="yours", text="yours alone")
    for view, each in ((MINE, one), (yours, other)):
        with store.write(view) as tx:
            add(tx, each)
    with store.write(yours) as tx:
        tx.memories.update([other.with_(status=Status.FORGOTTEN)])
    with store.read(MINE) as tx:
        assert tx.memories.get([one.id]) == {one.id: one}
    with store.read(yours) as tx:
        assert tx.memories.get([one.id])[one.id].text == "yours alone"
