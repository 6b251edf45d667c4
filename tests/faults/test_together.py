"""Eight processes at work on one store: no error, no lost update, every counter exact, every index in step."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ebbing.domain.events import EventKind
from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.store import open_store
from tests import postgres
from tests.faults.conftest import Nursery

pytestmark = pytest.mark.every_layout

ALL = View("default", every_agent=True)
PROCESSES, ROUNDS = 8, 12


def test_eight_processes_lose_nothing(address: str, engine: Engine, nursery: Nursery) -> None:
    shared = [one.id for one in engine.remember_many([f"shared fact {number}" for number in range(3)]).memories]
    rope = [one.id for one in engine.remember_many(
        {"text": f"tug of war rope {number}", "scope": "/tug"} for number in range(5)
    ).memories]  # fmt: skip
    said, ended = nursery.together("live", PROCESSES, address=address, rounds=ROUNDS, shared=shared)

    assert ended == [0] * PROCESSES
    kept = [line["kept"] for line in said if "kept" in line]
    assert len(set(kept)) == PROCESSES * ROUNDS
    with engine.store.read(ALL) as tx:
        memories = tx.memories.get([*kept, *shared, *rope])
        log = tx.events.page(limit=100_000)
    assert set(memories) == {*kept, *shared, *rope}
    assert {memory.status for memory in memories.values()} == {Status.ACTIVE}, "whoever forgot also restored"

    # Every session used each shared fact once, and each of those uses counted.
    assert [memories[id_].recall_count for id_ in shared] == [PROCESSES * ROUNDS] * 3
    uses = Counter(event.memory for event in log if event.kind is EventKind.REINFORCED)
    for id_ in (*shared, *rope):
        assert memories[id_].recall_count == uses[id_]

    # What everybody said is one memory, counted each time it was said again.
    same = engine.list(scope="/same")
    assert len(same) == 1
    assert same[0].recall_count == uses[same[0].id] == PROCESSES * ROUNDS - 1

    # Of all the values written to one address one stands, and the others know by what they were replaced.
    assert len(engine.list(scope="/port")) == 1
    replaced = engine.list(scope="/port", status="superseded", limit=1000)
    assert len(replaced) == PROCESSES * ROUNDS - 1
    values = {one.id: one for one in [*replaced, *engine.list(scope="/port")]}
    assert all(values[one.superseded_by or ""].supersedes == (one.id,) for one in replaced)

    numbers = [event.seq for event in log]
    assert numbers == sorted(set(numbers))
    assert [finding for finding in engine.store.check() if not finding.ok] == []
    found = {r.memory.id for r in engine.recall("note of process turn", scope="/own", limit=1000, reinforce=False)}
    assert found == set(kept)


def test_processes_that_erase_beside_each_other_lose_nothing_else(
    address: str, engine: Engine, nursery: Nursery
) -> None:
    """That nobody's locks are taken is shown in tests/store/test_purge.py: here it would seldom come to light."""
    rounds = 4 if address.startswith("postgres") else 8  # on a server a purge waits until nobody reads what it erased
    said, ended = nursery.together("erase", 4, address=address, rounds=rounds)
    assert ended == [0] * 4
    kept = {line["kept"] for line in said if "kept" in line}
    gone = {line["gone"] for line in said if "gone" in line}
    assert len(kept) == len(gone) == 4 * rounds
    with engine.store.read(ALL) as tx:
        assert set(tx.memories.get([*kept, *gone])) == kept
    assert [finding for finding in engine.store.check() if not finding.ok] == []


def test_a_new_file_is_made_once_by_whoever_comes_first(nursery: Nursery, tmp_path: Path) -> None:
    for number in range(8):
        path = str(tmp_path / f"{number}.db")
        said, ended = nursery.together("open_first", 2 if number % 2 else 6, address=path)
        assert set(ended) == {0}
        assert_opened(path, [line["done"] for line in said])


def test_new_tables_are_made_once_by_whoever_comes_first(nursery: Nursery, postgres_server: postgres.Server) -> None:
    for number in range(8):
        database = postgres_server.create()
        address = postgres_server.address(database)
        said, ended = nursery.together("open_first", 2 if number % 2 else 6, address=address)
        assert set(ended) == {0}
        assert_opened(address, [line["done"] for line in said])
        postgres_server.drop(database)


def assert_opened(address: str, ids: list[str]) -> None:
    store = open_store(address)
    with store.read(ALL) as tx:
        assert set(tx.memories.get(ids)) == set(ids)
    assert [finding for finding in store.check() if not finding.ok] == []
    store.close()
