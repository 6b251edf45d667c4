"""What is PostgreSQL's own: row-level security, partitions, indexes for big owners, and files without a trace."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from psycopg import sql

import ebbing
from ebbing.domain.clock import Moment
from ebbing.domain.errors import Invalid, TooLarge
from ebbing.domain.memory import Status
from ebbing.engine import Engine
from ebbing.ports import Finding, View
from ebbing.store.postgres.maintenance import near_index
from ebbing.store.postgres.store import PostgresStore
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.store.making import EMBEDDER, NOW, TODAY, HalfEmbedder, add, found, memory, question

ME = View("default", every_agent=True)
OPTIONS = ["", "ebbing_partitions=4"]
OWNED = {
    *(
        "activity",
        "archive",
        "archive_words",
        "events",
        "memories",
        "owners",
        "tombstones",
        "vectors",
        "vitals",
        "words",
    ),
}


def with_option(address: str, option: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}{option}" if option else address


def opened(address: str, **given: Any) -> Engine:
    return ebbing.open(address, **{"clock": FrozenClock(), "embedder": FakeEmbedder(), "judge": "off", **given})


@pytest.fixture
def superuser(postgres_superuser_address: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(postgres_superuser_address, autocommit=True) as connection:
        yield connection


@pytest.fixture(params=OPTIONS)
def address(request: pytest.FixtureRequest, postgres_address: str) -> str:
    """A fresh database whose tables are, and are not, partitioned."""
    return with_option(postgres_address, request.param)


@pytest.fixture
def store(address: str) -> Iterator[PostgresStore]:
    opened_store = PostgresStore(address)
    yield opened_store
    opened_store.close()


def tables(connection: psycopg.Connection[Any]) -> list[str]:
    """Every table and partition that holds rows of owners."""
    rows = connection.execute(
        "SELECT table_name FROM information_schema.columns"
        " JOIN information_schema.tables USING (table_schema, table_name)"
        " WHERE table_schema = 'ebbing' AND column_name = 'owner' AND table_type = 'BASE TABLE' ORDER BY 1"
    )
    return [name for (name,) in rows if name != "tokens"]


def counts(connection: psycopg.Connection[Any]) -> dict[str, int]:
    counted = {}
    for table in tables(connection):
        statement = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier("ebbing", table))
        counted[table] = connection.execute(statement).fetchall()[0][0]
    return counted


def lived_in(address: str, owner: str) -> None:
    """A row of this owner's in every table."""
    with opened(address, owner=owner) as engine:
        engine.remember(f"The lamp of {owner} is green")
        engine.forget(ids=engine.remember(f"The door of {owner} is red").memories[0].id)
        engine.purge(ids=engine.remember(f"The window of {owner} is blue").memories[0].id)


def test_a_query_without_an_owner_sees_nothing_until_one_is_named(
    address: str, postgres_address: str, superuser: psycopg.Connection[Any]
) -> None:
    """The second wall: no predicate in the query, partitions asked directly, and still only one owner's rows."""
    lived_in(address, "ada")
    lived_in(address, "bob")
    everything = counts(superuser)
    assert {table for table, count in everything.items() if count} >= OWNED
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        assert set(counts(connection).values()) == {0}
        connection.execute("SET ebbing.owner = 'ada'")
        seen = counts(connection)
        assert all(0 < seen[table] < everything[table] for table in OWNED)
        assert connection.execute("SELECT DISTINCT owner FROM ebbing.everything").fetchall() == [("ada",)]


def test_a_row_cannot_be_written_to_another_owner_nor_taken_from_one(address: str, postgres_address: str) -> None:
    lived_in(address, "ada")
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute("SET ebbing.owner = 'bob'")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("INSERT INTO ebbing.activity VALUES ('ada', '2026-01-02', 1)")
        for table in OWNED:
            statement = sql.SQL("DELETE FROM {}").format(sql.Identifier("ebbing", table))
            assert connection.execute(statement).rowcount == 0


def test_an_owner_s_name_may_hold_anything_but_another_owner_s_rows(store: PostgresStore) -> None:
    """The name is written into the statement that begins a transaction."""
    names = ["it's", "back\\slash", "'; SET ebbing.owner = 'ada", "%(owner)s", "100%", "größe", '"quoted"', "\n"]
    for name in names:
        with store.write(View(name)) as tx:
            add(tx, memory(name, owner=name, fingerprint=None))
    assert sorted(store.owners()) == sorted(names)
    for name in names:
        with store.read(View(name)) as tx:
            assert tx.db.run("SELECT owner, text FROM memories", {}) == [(name, name)]


def test_partitions_are_made_when_asked_for_and_share_the_owners(
    postgres_address: str, superuser: psycopg.Connection[Any]
) -> None:
    for number in range(16):
        lived_in(with_option(postgres_address, "ebbing_partitions=4"), f"owner {number}")
    counted = counts(superuser)
    for table in OWNED:
        parts = [counted[f"{table}_{part}"] for part in range(4)]
        assert sum(parts) == counted[table] >= 16
        assert sum(count > 0 for count in parts) > 1
    with opened(postgres_address, owner="owner 3") as without_the_option:
        assert [one.text for one in without_the_option.list()] == ["The lamp of owner 3 is green"]


def test_two_schemas_in_one_database_know_nothing_of_each_other(postgres_address: str) -> None:
    with (
        opened(with_option(postgres_address, "ebbing_schema=first")) as first,
        opened(with_option(postgres_address, "ebbing_schema=second&ebbing_partitions=2")) as second,
    ):
        one = first.remember("The lamp is green").memories[0]
        assert second.list() == []
        assert second.remember("The lamp is green").memories
        assert first.purge(ids=one.id).verified
        assert len(second.recall("green lamp")) == 1


def test_many_may_open_an_empty_database_at_once(address: str) -> None:
    start = threading.Barrier(8)
    outcome: list[object] = []

    def open_and_write(number: int) -> None:
        start.wait()
        try:
            with opened(address) as engine:
                outcome.append(len(engine.remember(f"thing number {number}").memories))
        except Exception as error:  # noqa: BLE001 - told below, in the thread that asserts
            outcome.append(error)

    threads = [threading.Thread(target=open_and_write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcome == [1] * 8
    with opened(address) as engine:
        assert len(engine.list()) == 8


def test_owners_are_written_side_by_side(store: PostgresStore) -> None:
    """A lock is one owner's: what maintains many owners may do so in as many threads."""
    with store.write(View("ada")) as one, store.write(View("bob")) as other:
        add(one, memory(owner="ada"))
        add(other, memory(owner="bob"))


def test_what_need_not_be_durable_does_not_wait_for_the_disk(store: PostgresStore) -> None:
    with store.write(ME, durable=False) as tx:
        assert tx.db.run("SELECT current_setting('synchronous_commit')", {}) == [("off",)]
    with store.write(ME) as tx:
        assert tx.db.run("SELECT current_setting('synchronous_commit')", {}) != [("off",)]


def test_a_write_that_changed_nothing_leaves_the_row_of_the_owner_alone(
    store: PostgresStore, superuser: psycopg.Connection[Any]
) -> None:
    with store.write(ME) as tx:
        add(tx, memory(owner="default"))
    before = superuser.execute("SELECT xmin::text, owner FROM ebbing.owners").fetchall()
    with store.write(ME) as tx:
        assert tx.memories.due(Moment(NOW, TODAY), 10).memories == []
        tx.memories.set_due([])
    assert superuser.execute("SELECT xmin::text, owner FROM ebbing.owners").fetchall() == before


def test_only_what_has_one_good_plan_for_every_owner_is_prepared(address: str) -> None:
    """Also of what is done to several rows at once, which the driver would prepare unasked."""
    with opened(address, embedder=EMBEDDER) as engine:
        engine.sweeper = None  # it would look from a connection of its own
        for number in range(3):
            learned = engine.remember_many([f"lamp {number} is green", f"door {number} is red"]).memories
            engine.recall("which lamp is green")
            engine.restore(batch=engine.forget(ids=[one.id for one in learned]).id)
        with engine.store.read(View("default")) as tx:
            rows = tx.db.driver.execute("SELECT statement FROM pg_prepared_statements").fetchall()  # type: ignore[attr-defined]
    prepared = [statement for (statement,) in rows]
    assert any("FROM live" in statement for statement in prepared)
    assert not [statement for statement in prepared if "DELETE" in statement or "ORDER BY distance" in statement]


def test_what_was_prepared_outlives_the_transaction_that_needed_it(store: PostgresStore) -> None:
    """The driver throws it away when a transaction is taken back, so one that only reads is not."""
    one = memory(owner="default")
    with store.write(ME) as tx:
        add(tx, one)
        written = set(tx.db.run("SELECT statement FROM pg_prepared_statements", {}))
    with store.read(ME) as tx:
        tx.memories.get([one.id])
    with store.read(ME) as tx:
        prepared = set(tx.db.run("SELECT statement FROM pg_prepared_statements", {}))
    assert written < prepared
    assert [statement for (statement,) in prepared if "FROM live" in statement]


def test_metadata_is_kept_as_it_was_given(store: PostgresStore) -> None:
    given = {"z": 1e300, "a": 1.0, "half": -0.0, "big": 2**70, "deep": [{"b": 1, "a": 2}]}
    one = memory(owner="default", metadata=given)
    with store.write(ME) as tx:
        add(tx, one)
    with store.read(ME) as tx:
        assert repr(tx.memories.get([one.id])[one.id].metadata) == repr(given)


def test_names_too_long_for_an_index_are_too_large(address: str) -> None:
    """A few thousand bytes that do not compress: more than one entry of an index may have."""
    letters = [chr(0x20000 + number * 7919 % 40_000) for number in range(1000)]
    with opened(address, owner="".join(letters[:256])) as engine, pytest.raises(TooLarge, match="shorter"):
        engine.remember("something", subject="".join(letters[300:556]), attribute="".join(letters[600:856]))


# Big owners


def crowd(store: PostgresStore, owner: str, count: int) -> None:
    random = np.random.default_rng(7)
    several = [memory(f"{owner} note {number}", owner=owner) for number in range(count)]
    rows = random.normal(size=(count, EMBEDDER.dimensions)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    with store.write(View(owner, every_agent=True)) as tx:
        tx.memories.add(several, dict(zip([one.id for one in several], rows, strict=True)))


def nearest(store: PostgresStore, owner: str, limit: int) -> tuple[list[int], list[float]]:
    with store.read(View(owner, every_agent=True)) as tx:
        part = tx.index.search(question(near="the far away note")).semantic(limit)
    return part.handles.tolist(), part.semantic.tolist()


def uses(connection: psycopg.Connection[Any], index: str) -> int | None:
    """How often an index has been followed; None when there is none."""
    connection.execute("SELECT pg_stat_clear_snapshot()")
    rows = connection.execute("SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = %s", [index]).fetchall()
    return rows[0][0] if rows else None


def was_used(connection: psycopg.Connection[Any], index: str, store: PostgresStore) -> bool:
    """Whether an index was followed; a session tells its numbers when it ends."""
    store.close()
    sessions = (
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND backend_type = 'client backend'"
    )
    while connection.execute(sessions).fetchall():
        pass
    return bool(uses(connection, index))


def test_a_big_owner_gets_an_index_and_is_searched_through_it(
    store: PostgresStore, superuser: psycopg.Connection[Any]
) -> None:
    crowd(store, "it's big", 600)
    crowd(store, "small", 30)
    exact = nearest(store, "it's big", 40)
    assert store.index_big_owners(threshold=500) == ["it's big"]
    index = near_index("it's big", EMBEDDER.fingerprint)
    assert uses(superuser, index) == 0
    indexed = nearest(store, "it's big", 40)
    assert indexed[1] == sorted(indexed[1], reverse=True)
    assert len(set(indexed[0]) & set(exact[0])) >= 38
    assert indexed[1][:10] == pytest.approx(exact[1][:10])
    assert len(nearest(store, "it's big", 5000)[0]) == 600
    assert len(nearest(store, "small", 40)[0]) == 30
    assert store.index_big_owners(threshold=500) == []
    assert was_used(superuser, index, store)


def test_what_a_big_owner_learns_and_forgets_is_at_once_so_in_its_index(store: PostgresStore) -> None:
    crowd(store, "big", 300)
    store.index_big_owners(threshold=200)
    view = View("big", every_agent=True)
    new = memory("the far away note", owner="big")
    asked = question("note", near="the far away note")
    with store.write(view) as tx:
        add(tx, new)
        assert found(tx, asked, nearest=1)[new.id][1] == pytest.approx(1.0, abs=1e-3)
    with store.write(view) as tx:
        tx.memories.update([new.with_(status=Status.ARCHIVED)])
    with store.read(view) as tx:
        assert new.id not in found(tx, asked, nearest=20)
        assert new.id in found(tx, question("note", near="the far away note", archived=True))


def test_a_narrow_question_to_a_big_owner_is_answered_exactly(store: PostgresStore) -> None:
    """Behind a filter an index would run out of rows that pass: those are compared one by one."""
    crowd(store, "big", 400)
    hidden = [memory(f"hidden {number}", owner="big", scope="/rare") for number in range(5)]
    view = View("big", every_agent=True)
    with store.write(view) as tx:
        add(tx, *hidden)
    store.index_big_owners(threshold=200)
    with store.read(view) as tx:
        part = tx.index.search(question(near="nothing like them", scope=hidden[0].scope)).semantic(100)
    assert len(part.handles) == 5


def test_an_index_goes_when_its_owner_has_grown_small_or_changed_its_model(
    store: PostgresStore, superuser: psycopg.Connection[Any]
) -> None:
    crowd(store, "big", 300)
    store.index_big_owners(threshold=200)
    view = View("big", every_agent=True)
    other = HalfEmbedder(dimensions=24)
    with store.write(view) as tx:
        foreign = tx.index.not_embedded_by(other.fingerprint, after="", limit=1000)
        again = [one.with_(fingerprint=other.fingerprint) for one in foreign]
        tx.memories.set_vectors(
            again, dict(zip([m.id for m in again], other.embed([m.text for m in again]), strict=True))
        )
    assert store.index_big_owners(threshold=200) == ["big"]
    assert uses(superuser, near_index("big", EMBEDDER.fingerprint)) is None
    assert uses(superuser, near_index("big", other.fingerprint)) == 0
    with store.write(view) as tx:
        tx.memories.erase([one.id for one in again[:250]])
    assert store.index_big_owners(threshold=200) == []
    assert uses(superuser, near_index("big", other.fingerprint)) is None
    with store.read(view) as tx:
        assert len(found(tx, question("note"))) == 50


# Purge

TEXT = "Zanzibar treasure under palm seventeen"


def test_a_purge_leaves_nothing_in_the_files_nor_in_the_planner_s_samples(
    address: str, superuser: psycopg.Connection[Any]
) -> None:
    with opened(address) as engine:
        engine.remember("The lamp is green")
        kept = engine.remember(TEXT, metadata={"map": TEXT}, subject="Zanzibar", attribute="chest")
        engine.forget(ids=kept.memories[0].id, reason=TEXT)
        superuser.execute("ANALYZE")
        superuser.execute("CHECKPOINT")
        assert holding(superuser, b"Zanzibar")
        assert engine.purge(ids=kept.memories[0].id).verified
        superuser.execute("CHECKPOINT")
        assert holding(superuser, b"Zanzibar") == []
        assert holding(superuser, b"zanzibar") == []
        samples = superuser.execute("SELECT stavalues1::text, stavalues2::text FROM pg_statistic").fetchall()
        assert "anzibar" not in repr(samples)
        assert len(engine.recall("green lamp")) == 1


def holding(superuser: psycopg.Connection[Any], text: bytes) -> list[str]:
    """Which files of our tables, their indexes and their TOAST hold these bytes."""
    rows = superuser.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE (n.nspname = 'ebbing' OR n.nspname = 'pg_toast') AND c.relkind IN ('r', 'i', 't')"
        " AND position(%s IN pg_read_binary_file(pg_relation_filepath(c.oid))) > 0",
        [text],
    )
    return [name for (name,) in rows]


def test_a_purge_is_not_verified_while_somebody_could_still_see_what_was_erased(
    postgres_address: str, superuser: psycopg.Connection[Any]
) -> None:
    with opened(postgres_address) as engine:
        one = engine.remember(TEXT).memories[0]
        with psycopg.connect(postgres_address) as old:
            old.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            old.execute("SELECT 1 FROM ebbing.owners")
            assert not engine.purge(ids=one.id).verified
        assert engine.store.scrub([TEXT]).clean
        superuser.execute("CHECKPOINT")
        assert holding(superuser, b"Zanzibar") == []


def test_what_another_owner_says_too_is_no_trace_of_what_was_erased(address: str) -> None:
    with opened(address, owner="ada") as ada, opened(address, owner="bob") as bob:
        one = ada.remember(TEXT).memories[0]
        bob.remember(TEXT)
        assert ada.purge(ids=one.id).verified
        assert [found_.memory.text for found_ in bob.recall("treasure")] == [TEXT]


# Care


def faults(findings: Iterator[Finding]) -> dict[str, str]:
    return {finding.check: finding.detail for finding in findings if not finding.ok}


@pytest.mark.parametrize(
    ("damage", "check"),
    [
        ("DELETE FROM ebbing.vitals", "vitals"),
        ("DELETE FROM ebbing.words WHERE term = 'lamp'", "words"),
        ("UPDATE ebbing.words SET status = 'd'", "words"),
        ("DELETE FROM ebbing.vectors", "vector"),
        ("UPDATE ebbing.words SET key = 999 WHERE term = 'lamp'", "stray words"),
        ("UPDATE ebbing.vectors SET key = 999", "stray vectors"),
        ("DELETE FROM ebbing.archive_words", "stored words"),
        ("UPDATE ebbing.archive_words SET key = 999", "stray stored words"),
        ("UPDATE ebbing.owners SET sizes = '{\"active\": [7, 7]}'", "sizes"),
        ("UPDATE ebbing.owners SET sizes = '{}'", "sizes"),
    ],
)
def test_damage_is_found_and_mended(address: str, superuser: psycopg.Connection[Any], damage: str, check: str) -> None:
    with opened(address) as engine:
        one = engine.remember("The lamp is green").memories[0]
        away = engine.remember("The door is red").memories[0]
        engine.forget(ids=away.id)
        assert faults(engine.store.check()) == {}
        superuser.execute(damage)
        assert check in faults(engine.store.check())
        assert all(finding.ok for finding in engine.store.repair())
        assert faults(engine.store.check()) == {}
        assert [found_.memory.id for found_ in engine.recall("green lamp")] == [one.id]
        assert engine.restore(away.id).memories
        assert faults(engine.store.check()) == {}


def test_doctor_tells_of_a_wall_that_is_open_and_of_a_role_that_walks_through(
    postgres_address: str, postgres_superuser_address: str, superuser: psycopg.Connection[Any]
) -> None:
    lived_in(postgres_address, "ada")
    with opened(postgres_superuser_address) as engine:
        assert "passes through" in faults(engine.store.check())["row security"]
    superuser.execute("ALTER TABLE ebbing.memories NO FORCE ROW LEVEL SECURITY")
    with opened(postgres_address) as engine:
        assert "memories" in faults(engine.store.check())["row security"]


def test_a_backup_is_left_to_the_server_s_own_tools(store: PostgresStore, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="pg_dump"):
        store.backup(tmp_path / "copy")


def test_the_size_is_that_of_the_tables_and_grows_with_them(store: PostgresStore) -> None:
    before = store.size_bytes()
    crowd(store, "big", 500)
    assert store.size_bytes() > before > 0
