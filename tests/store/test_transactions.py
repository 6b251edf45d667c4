"""All or nothing: a block that fails writes nothing, and what two do at once is as if one had done it first."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import pytest

from ebbing.domain.errors import Conflict, Invalid, NotFound
from ebbing.domain.events import EventKind
from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.ports import Filter, NewEvent, ReadTransaction, Store, Tombstone, View
from ebbing.store import open_store
from tests.conftest import OpenEngine
from tests.store.making import MINE, NOW, add, found, ids, memory, question


class Failed(Exception):
    """What goes wrong in these tests."""


def state(tx: ReadTransaction) -> dict[str, Any]:
    """All there is of an owner."""
    every = tx.memories.page(Filter(), limit=1000)
    return {
        "memories": every,
        "vectors": {id_: vector.tolist() for id_, vector in tx.index.vectors(ids(every)).items()},
        "found": found(tx, question("thing", near="thing number")),
        "away": found(tx, question("thing", near="thing number", archived=True)),
        "log": tx.events.page(),
        "stones": tx.tombstones.all(),
        "days": tx.owner.active_days(),
        "activity": tx.owner.activity,
        "salts": tx.tombstones.salts,
    }


def everything_at_once(tx: Any, standing: list[Any]) -> None:
    """A use of every way to write."""
    moment = tx.owner.mark_active_day(NOW.replace(month=3))
    add(tx, memory(), memory(status=Status.ARCHIVED))
    tx.memories.update([standing[0].with_(status=Status.FORGOTTEN), standing[1].with_(pinned=True)])
    tx.memories.count_uses([standing[2].id], moment)
    tx.memories.set_due([standing[3].with_(due_at=NOW)])
    tx.memories.erase([standing[4].id])
    tx.events.record([NewEvent(EventKind.PINNED, standing[1].id)], at=NOW, batch="b")
    tx.tombstones.add([Tombstone("new", "hash", "receipt", NOW)])
    assert tx.tombstones.remove("old")
    tx.tombstones.add_salt(b"s" * 32)
    tx.owner.mark_swept(moment)


def test_a_block_that_fails_leaves_nothing_of_what_it_wrote(address: str, store: Store) -> None:
    standing = [memory() for _ in range(6)] + [memory(status=Status.ARCHIVED)]
    with store.write(MINE) as tx:
        tx.owner.mark_active_day(NOW)
        add(tx, *standing)
        tx.tombstones.add([Tombstone("old", "old hash", "receipt", NOW)])
    with store.read(MINE) as tx:
        before = state(tx)

    def fail() -> None:
        with store.write(MINE) as tx:
            everything_at_once(tx, standing)
            found(tx, question("thing", near="thing number"))
            raise Failed

    with pytest.raises(Failed):
        fail()
    with store.read(MINE) as tx:
        assert state(tx) == before
    assert all(finding.ok for finding in store.check())
    with store.write(MINE) as tx:
        everything_at_once(tx, standing)
    with store.read(MINE) as tx:
        after = state(tx)
    assert {name for name in before if after[name] != before[name]} == set(before)
    with contextlib.closing(open_store(address)) as fresh, fresh.read(MINE) as tx:
        assert state(tx) == after, "what a failed block took into memory is not taken for what is stored"


def test_what_a_failed_block_searched_through_is_not_taken_for_what_is_stored(store: Store) -> None:
    def fail() -> None:
        with store.write(MINE) as tx:
            add(tx, memory("never stored"))
            assert len(found(tx, question(near="never stored"))) == 2
            raise Failed

    first, second = memory("stored before"), memory("stored after")
    with store.write(MINE) as tx:
        add(tx, first)
    with pytest.raises(Failed):
        fail()
    with store.write(MINE) as tx:
        add(tx, second)
    with store.read(MINE) as tx:
        near = found(tx, question(near="stored after"))
    assert set(near) == {first.id, second.id}
    assert near[second.id][1] == pytest.approx(1, abs=1e-3), "by its own vector, not by the other's"


def test_a_first_block_that_fails_leaves_no_owner(store: Store) -> None:
    def fail() -> None:
        with store.write(View("somebody")) as tx:
            tx.owner.mark_active_day(NOW)
            add(tx, memory(owner="somebody"))
            raise Failed

    with pytest.raises(Failed):
        fail()
    assert store.owners() == []


def test_numbers_of_events_and_vectors_go_on_after_a_failure(store: Store) -> None:
    for fails in (False, True, False, True, False):
        try:
            with store.write(MINE) as tx:
                one = memory()
                add(tx, one)
                tx.events.record([NewEvent(EventKind.PINNED, one.id)], at=NOW, batch="b")
                if fails:
                    raise Failed
        except Failed:
            continue
    with store.read(MINE) as tx:
        assert len({event.seq for event in tx.events.page()}) == 3
        assert len(found(tx, question("thing", near="thing number"))) == 3


def test_a_transaction_reads_what_it_wrote(store: Store) -> None:
    one = memory("a thing", subject="s", attribute="a")
    with store.write(MINE) as tx:
        tx.owner.mark_active_day(NOW)
        add(tx, one)
        tx.events.record([NewEvent(EventKind.PINNED, one.id)], at=NOW, batch="b")
        assert tx.memories.get([one.id]) == {one.id: one}
        assert ids(tx.index.by_digest([one.digest])) == [one.id]
        assert ids(tx.index.by_subject("s", "a")) == [one.id]
        assert [event.memory for event in tx.events.of_memory(one.id)] == [one.id]
        assert tx.owner.activity.date == NOW.date()


def test_a_reader_sees_one_moment_whatever_is_written_meanwhile(store: Store) -> None:
    one = memory("a thing")
    with store.write(MINE) as tx:
        add(tx, one)
    with store.read(MINE) as tx:
        first = state(tx)
        with store.write(MINE) as other:
            add(other, memory("another thing"))
            other.memories.update([one.with_(status=Status.ARCHIVED)])
        assert state(tx) == first
    with store.read(MINE) as tx:
        assert state(tx) != first


def test_what_is_not_committed_is_seen_by_nobody_else(store: Store) -> None:
    with store.write(MINE) as tx:
        add(tx, memory("a thing"))
        with store.read(MINE) as other:
            assert other.memories.page(Filter(), limit=10) == []
            assert found(other, question("thing", near="thing")) == {}
            assert other.events.page() == []


def test_a_verb_that_fails_halfway_writes_nothing(open_engine: OpenEngine) -> None:
    engine = open_engine()
    one = engine.remember("The lamp is green", subject="lamp", attribute="colour").memories[0]
    with engine.store.read(View("default")) as tx:
        before = state(tx)
    for fails, call in (
        (NotFound, lambda: engine.remember("The lamp is red", subject="lamp", attribute="colour", supersedes="nobody")),
        (NotFound, lambda: engine.purge(ids=[one.id, "nobody"])),
        (NotFound, lambda: engine.restore([one.id, "nobody"])),
        (NotFound, lambda: engine.forget(ids=[one.id, "nobody"])),
        (Invalid, lambda: engine.remember_many(["fine", {"text": "not fine", "category": "nonsense"}])),
        (Invalid, lambda: engine.remember_many(["fine", ""])),
        (Invalid, lambda: engine.remember_many(["fine", {"text": "not fine", "colour": "red"}])),
        (Invalid, lambda: engine.remember_many(["fine", {"scope": "/only"}])),
    ):
        with pytest.raises(fails):
            call()
    with engine.store.read(View("default")) as tx:
        assert state(tx) == before


def test_threads_share_an_engine(engine: Engine) -> None:
    """No use is lost, and every memory is there."""
    shared = engine.remember("The lamp is green").memories[0]
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(5):
                engine.remember(f"note {number} {turn}")
                engine.used(shared.id, session=f"{number} {turn}")
                assert engine.recall("green lamp", session="all")
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert engine.get(shared.id).recall_count == 6 * 5 + 1
    assert len(engine.list(limit=1000)) == 6 * 5 + 1
    assert all(finding.ok for finding in engine.store.check())


def test_a_closed_engine_says_so(open_engine: OpenEngine) -> None:
    engine = open_engine()
    engine.remember("one")
    engine.close()
    engine.close()
    for call in (lambda: engine.remember("two"), lambda: engine.recall("one"), engine.list):
        with pytest.raises(Conflict, match="closed"):
            call()


def test_an_engine_is_closed_by_its_block(open_engine: OpenEngine) -> None:
    with open_engine() as engine:
        engine.remember("one")
    with pytest.raises(Conflict):
        engine.list()
