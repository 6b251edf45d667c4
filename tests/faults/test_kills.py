"""kill -9 in the middle of anything: what was acknowledged is there, nothing is half there, and the rest goes on."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

import ebbing
from ebbing.domain.errors import NotFound
from ebbing.domain.events import EventKind
from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.ports import Filter, Store, View
from ebbing.store import open_store
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.faults.conftest import KILLED, Nursery
from tests.store.test_budgets import holdings, recounted
from tests.store.traffic import plain

pytestmark = pytest.mark.every_layout

ALL = View("default", every_agent=True)
LONGEST_LOG_BYTES = 16 << 20  # a log is written back every thousand pages, so reading it again stays cheap


def times(address: str, on_file: int, on_server: int) -> int:
    """How often a test kills: a hundred times is cheap on a file, and a server is not what is killed here."""
    return on_server if address.startswith("postgres") else on_file


def killed(nursery: Nursery, address: str, deed: str, after: int, **given: Any) -> list[dict[str, Any]]:
    """What a process said before it was killed; and whatever it had begun is over."""
    said, ended = nursery.killed(deed, after, address=address, **given)
    assert ended == KILLED
    if address.startswith("postgres"):
        # A server notices that its client is gone when it next speaks to it.
        others = (
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        with psycopg.connect(plain(address), autocommit=True) as connection:
            while connection.execute(others).fetchall():
                pass
    return said


def everything(store: Store) -> dict[str, Any]:
    with store.read(ALL) as tx:
        found: list[Any] = []
        while page := tx.memories.page(Filter(), before=found[-1].id if found else None, limit=1000):
            found += page
    return {one.id: one for one in found}


def assert_sound(store: Store) -> None:
    assert [finding for finding in store.check() if not finding.ok] == []


@pytest.fixture
def statements() -> Iterator[Counter[str]]:
    """What is asked of SQLite on every connection that is opened from now on."""
    asked: Counter[str] = Counter()

    def watch(connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: asked.update([event["sql"]]))

    apsw.connection_hooks.append(watch)
    yield asked
    apsw.connection_hooks.remove(watch)


def test_a_hundred_killed_writers_lose_nothing_they_acknowledged(
    address: str, nursery: Nursery, chance: random.Random, statements: Counter[str]
) -> None:
    acknowledged: set[str] = set()
    slowest = 0.0
    for round_ in range(times(address, 100, 20)):
        said = killed(nursery, address, "write", chance.randint(1, 12), round_=round_)
        acknowledged.update(id_ for line in said for id_ in line["ids"])
        if not address.startswith("postgres"):
            assert Path(address + "-wal").stat().st_size < LONGEST_LOG_BYTES
        statements.clear()
        began = time.perf_counter()
        store = open_store(address)
        slowest = max(slowest, time.perf_counter() - began)
        assert sum(statements.values()) <= 25, "reopening asks a few questions, however much is stored"
        if round_ % 10 == 9:
            assert_sound(store)
        store.close()
    print(f"slowest reopening {slowest * 1000:.1f} ms, {len(acknowledged)} acknowledged")  # noqa: T201 - shown with -s
    assert len(acknowledged) > 100
    store = open_store(address)
    there = everything(store)
    assert acknowledged - set(there) == set()
    with store.read(ALL) as tx:
        log = tx.events.page(limit=1_000_000)
    remembered = Counter(event.memory for event in log if event.kind is EventKind.REMEMBERED)
    assert remembered == Counter(list(there)), "every memory has its event, and every event its memory"
    assert_whole_batches(there, log)
    assert_sound(store)
    store.close()


def assert_whole_batches(there: dict[str, Any], log: list[Any]) -> None:
    """What was written together is there together, the replaced with what replaced it."""
    batches = Counter(event.batch for event in log if event.kind is EventKind.REMEMBERED)
    assert set(batches.values()) == {1, 12}
    for one in there.values():
        if one.status is Status.SUPERSEDED:
            assert one.id in there[one.superseded_by].supersedes
    addressed = Counter(one.subject for one in there.values() if one.subject and one.status is Status.ACTIVE)
    assert set(addressed.values()) == {1}


def test_killed_sweeps_are_finished_by_the_next(
    address: str, nursery: Nursery, chance: random.Random, tmp_path: Path
) -> None:
    policy = tmp_path / "small.toml"
    policy.write_text("[sweep]\nbatch = 3\n")
    clock = FrozenClock()
    with ebbing.open(address, clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        weak = engine.remember_many({"text": f"weak {n}", "importance": 0.2} for n in range(240)).memories
        strong = engine.remember_many({"text": f"strong {n}", "importance": 1.0} for n in range(20)).memories
        with engine.store.write(ALL) as tx:
            for _ in range(12):
                tx.owner.mark_active_day(clock.advance(days=1))
        plan = {action.memory.id: action.status for action in engine.sweep(dry_run=True).actions}
        assert set(plan) == {one.id for one in weak}
    lowered: set[str] = set()
    for _ in range(times(address, 30, 8)):
        now = clock.advance(minutes=6).isoformat()  # who died holds the lease for five
        said = killed(nursery, address, "sweep", chance.randint(1, 4), now=now, policy=str(policy))
        told = {id_ for line in said for id_ in line.get("lowered", ())}
        assert lowered.isdisjoint(told), "what is lowered is not lowered again"
        lowered |= told
        store = open_store(address)
        there = everything(store)
        assert all(there[id_].status is plan[id_] for id_ in lowered)
        assert_sound(store)
        store.close()
    clock.advance(minutes=6)
    with ebbing.open(address, clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        engine.sweep()
        assert {one.id: engine.get(one.id).status for one in weak} == plan
        assert {engine.get(one.id).status for one in strong} == {Status.ACTIVE}
        with engine.store.read(ALL) as tx:
            events = Counter(
                e.memory for e in tx.events.page(limit=100_000) if e.kind in (EventKind.DETACHED, EventKind.ARCHIVED)
            )
        assert events == Counter(list(plan)), "one event for each step, however often it was begun"
        assert_sound(engine.store)


def test_killed_in_the_middle_of_summarizing_no_summary_is_half_there(
    address: str, nursery: Nursery, chance: random.Random, tmp_path: Path
) -> None:
    policy = tmp_path / "small.toml"
    policy.write_text("[sweep]\nbatch = 5\n")
    clock = FrozenClock()
    topics = 40
    with ebbing.open(address, clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        notes = engine.remember_many(
            {
                "text": f"The deploy of api {topic} to staging {how}",
                "scope": f"/topic/{topic}",
                "importance": 0.29,
            }
            for topic in range(topics)
            for how in ("failed because disk 3 was full", "was repeated by Mara", "took 14 minutes")
        ).memories
    clock.advance(days=8)
    made: list[int] = []
    for after in (*chance.sample(range(1, 12), times(address, 9, 3)), 12):
        now = clock.advance(minutes=6).isoformat()
        killed(nursery, address, "summarize", after, now=now, policy=str(policy))
        store = open_store(address)
        made.append(sum(bool(one.derived_from) for one in everything(store).values()))
        assert_no_half_summary(store)
        assert_sound(store)
        store.close()
    assert made == sorted(made)
    assert 0 < made[-1], "a killed sweep has done some of its work"
    clock.advance(minutes=6)
    with ebbing.open(address, clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        engine.sweep()
        assert_no_half_summary(engine.store)
        assert len(engine.list(categories=["summary"], limit=1000)) == topics
        assert {engine.get(one.id).status for one in notes} == {Status.ARCHIVED}
        with engine.store.read(ALL) as tx:
            events = Counter(e.memory for e in tx.events.page(limit=100_000) if e.kind is EventKind.ARCHIVED)
        assert events == Counter(one.id for one in notes), "one event for each, however often it was begun"


def test_killed_while_undoing_or_purging_what_was_summarized_nothing_is_half_done(
    address: str, nursery: Nursery, chance: random.Random
) -> None:
    for round_ in range(times(address, 24, 6)):
        said = killed(nursery, address, "unsummarize", chance.randint(1, 13), round_=round_)
        last = {line["scope"]: line["state"] for line in said}
        store = open_store(address)
        assert_no_half_summary(store)
        assert_sound(store)
        there = everything(store)
        for scope, state in last.items():
            here = [one for one in there.values() if one.scope == scope]
            summaries = [one.status for one in here if one.derived_from]
            active = sum(one.status is Status.ACTIVE for one in here if not one.derived_from)
            ends = [(active, summaries)]
            if state == "noted":
                assert ends in ([(3, [])], [(0, [Status.ACTIVE])])
            else:
                undone, purged = [(3, [Status.FORGOTTEN])], [(2, [])]
                turn = int(scope.rpartition("/")[2])
                after = undone if turn % 2 else purged
                assert ends in ([after] if state == "over" else [after, [(0, [Status.ACTIVE])]])
        store.close()


def assert_no_half_summary(store: Store) -> None:
    """A summary stands where its originals are archived and nowhere else, and what is counted and awaited is so."""
    there = everything(store)
    with store.read(ALL) as tx:
        into = {
            one.id: next(
                (e.detail.get("into") for e in reversed(tx.events.of_memory(one.id)) if "into" in e.detail), None
            )
            for one in there.values()
        }
        for one in there.values():
            originals = [there[id_] for id_ in one.derived_from if id_ in there]
            if one.derived_from and one.status is Status.ACTIVE:
                assert len(originals) == len(one.derived_from)
                assert {(each.status, into[each.id]) for each in originals} == {(Status.ARCHIVED, one.id)}
            elif one.derived_from:
                assert {each.status for each in originals} == {Status.ACTIVE}
            if one.status is Status.ARCHIVED:
                assert there[str(into[one.id])].status is Status.ACTIVE
        waiting = [
            waiter.id for scope in {one.scope for one in there.values()} for waiter in tx.queue.page(scope, 1000)
        ]
    assert {there[id_].status for id_ in waiting} <= {Status.ACTIVE}
    assert holdings(store, ALL.owner) == recounted(store, ALL.owner)


NEXT = {"active": "forgotten", "forgotten": "restored", "restored": "purged", "purged": "purged"}
STATUS = {"active": Status.ACTIVE, "forgotten": Status.FORGOTTEN, "restored": Status.ACTIVE, "purged": None}


def test_killed_while_forgetting_restoring_and_purging_a_memory_is_in_one_state_or_the_next(
    address: str, nursery: Nursery, chance: random.Random
) -> None:
    for round_ in range(times(address, 40, 10)):
        said = killed(nursery, address, "undo", chance.randint(1, 14), round_=round_)
        last = {line["id"]: line for line in said}
        with ebbing.open(address, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off") as engine:
            for id_, line in last.items():
                assert status_of(engine, id_) in (STATUS[line["state"]], STATUS[NEXT[line["state"]]])
                assert_whole(engine, id_, line["text"])
                contested = [one.contested for one in engine.list(limit=1000) if one.id in (id_, line["rival"])]
                assert contested in ([True, True], [False]), "whoever is left alone waits for no decision"
            assert_sound(engine.store)


def status_of(engine: Engine, id_: str) -> Status | None:
    try:
        return engine.get(id_).status
    except NotFound:
        return None


def assert_whole(engine: Engine, id_: str, text: str) -> None:
    """Either everything of a memory is there, or all of it is gone and buried."""
    status = status_of(engine, id_)
    events = engine.history(id_)
    found = [r.memory.id for r in engine.recall(text, reinforce=False, limit=1000)]
    if status is None:
        assert events[-1].kind is EventKind.PURGED
        assert id_ not in found
        assert engine.remember(text).skipped
    else:
        assert events[-1].kind is (EventKind.FORGOTTEN if status is Status.FORGOTTEN else events[-1].kind)
        assert events[-1].kind is not EventKind.PURGED
        assert (id_ in found) is (status is Status.ACTIVE)
        with engine.store.read(ALL) as tx:
            assert id_ in tx.index.vectors([id_])
