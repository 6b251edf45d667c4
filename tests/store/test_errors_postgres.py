"""A server that cannot be used: what is wrong, what to do about it, no password in it, and nothing half written."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

import ebbing
from ebbing.domain.errors import Conflict, Invalid, Locked, NewerFile, StorageFull, Unavailable
from ebbing.engine import Engine
from ebbing.ports import Filter, View
from ebbing.testing import FakeEmbedder, FrozenClock
from tests import postgres
from tests.store.making import add, memory
from tests.store.test_transactions import state

ME = View("default", every_agent=True)


def opened(address: str) -> Engine:
    return ebbing.open(address, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off")


@pytest.fixture
def engine(postgres_address: str) -> Iterator[Engine]:
    """An engine on a database of its own, with a memory in it."""
    with opened(postgres_address) as engine:
        engine.remember("The lamp is green")
        yield engine


@pytest.fixture
def superuser(postgres_superuser_address: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(postgres_superuser_address, autocommit=True) as connection:
        yield connection


def all_of(engine: Engine) -> dict[str, Any]:
    with engine.store.read(ME) as tx:
        return state(tx)


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.mark.parametrize("place", ["127.0.0.1:{port}", "no-such-host.invalid:5432"])
def test_a_server_that_does_not_answer_is_unavailable(place: str) -> None:
    address = f"postgresql://ada:topsecret@{place.format(port=closed_port())}/memories?connect_timeout=2"
    with pytest.raises(Unavailable) as caught:
        opened(address)
    assert caught.value.code == "unavailable"
    assert place.partition(":")[0] in str(caught.value)
    assert "check" in str(caught.value)
    assert "topsecret" not in str(caught.value)


def test_a_database_that_is_not_there_is_unavailable(postgres_server: postgres.Server) -> None:
    with pytest.raises(Unavailable, match="nowhere"):
        opened(postgres_server.address("nowhere"))


@pytest.mark.parametrize(
    ("option", "right"),
    [
        ("ebbing_partition=8", "ebbing_partitions"),
        ("ebbing_partitions=many", "whole number"),
        ("ebbing_partitions=-1", "whole number"),
        ("ebbing_schema=Robert'); DROP TABLE", "small letters"),
        ("ebbing_schema=pg_catalog", "small letters"),
        ("nonsense=1", "postgresql://"),
    ],
)
def test_an_address_with_a_wrong_option_is_refused_with_the_right_ones(
    postgres_address: str, superuser: psycopg.Connection[Any], option: str, right: str
) -> None:
    with pytest.raises(Invalid) as caught:
        opened(f"{postgres_address}{'&' if '?' in postgres_address else '?'}{option}")
    assert caught.value.code == "invalid"
    assert right in str(caught.value)
    assert tables(superuser) == 0


def tables(superuser: psycopg.Connection[Any]) -> int:
    row = superuser.execute("SELECT count(*) FROM pg_stat_user_tables").fetchone()
    assert row is not None
    return int(row[0])


def test_a_newer_schema_is_refused_and_left_alone(
    engine: Engine, postgres_address: str, superuser: psycopg.Connection[Any]
) -> None:
    before = tables(superuser)
    superuser.execute("INSERT INTO ebbing.migrations (number) VALUES (99)")
    with pytest.raises(NewerFile, match="upgrade"):
        opened(postgres_address)
    assert tables(superuser) == before


def test_without_the_extension_and_the_right_to_add_it_the_error_says_whom_to_ask(
    postgres_server: postgres.Server, postgres_superuser_address: str, superuser: psycopg.Connection[Any]
) -> None:
    superuser.execute("DROP EXTENSION vector")
    superuser.execute(f"ALTER DATABASE {superuser.info.dbname} OWNER TO {superuser.info.user}")
    with pytest.raises(Unavailable) as caught:
        opened(postgres_server.address(superuser.info.dbname))
    assert "CREATE EXTENSION vector" in str(caught.value)
    assert tables(superuser) == 0


def test_on_a_full_disk_nothing_is_written_and_questions_are_answered(
    engine: Engine, superuser: psycopg.Connection[Any], caplog: pytest.LogCaptureFixture
) -> None:
    """The server says that its disk is full when the last row of a change is written."""
    before = all_of(engine)
    superuser.execute(
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
    )
    superuser.execute(
        "CREATE TRIGGER full_disk AFTER INSERT ON ebbing.events FOR EACH ROW EXECUTE FUNCTION full_disk()"
    )
    one = engine.list()[0].id
    for call in (
        lambda: engine.remember("The lamp is red"),
        lambda: engine.forget(ids=one),
        lambda: engine.pin(one),
        lambda: engine.used(one),
        lambda: engine.purge(ids=one),
    ):
        with pytest.raises(StorageFull) as caught:
            call()
        assert caught.value.code == "unavailable"
        assert "make room" in str(caught.value)
    with caplog.at_level(logging.WARNING, logger="ebbing"):
        assert [r.memory.id for r in engine.recall("green lamp")] == [one]
        engine.deferred.wait(engine.owner)
    assert "full" in caplog.text
    assert all_of(engine) == before
    superuser.execute("DROP TRIGGER full_disk ON ebbing.events")
    assert engine.remember("The lamp is red").memories


def test_tables_that_were_changed_meanwhile_are_told_as_such(
    engine: Engine, superuser: psycopg.Connection[Any]
) -> None:
    """As when another process brings them up to date: what the server had prepared for us no longer fits."""
    (one,) = engine.list()
    assert engine.get(one.id) == one
    (view,) = superuser.execute("SELECT pg_get_viewdef('ebbing.live')").fetchone() or ("",)
    superuser.execute(f"CREATE OR REPLACE VIEW ebbing.live AS SELECT *, 0 AS more FROM ({view.rstrip(';')}) AS was")
    with pytest.raises(Unavailable, match="were changed meanwhile"):
        engine.get(one.id)


def test_a_server_that_may_only_be_read_answers_and_refuses_to_write(
    engine: Engine, postgres_address: str, superuser: psycopg.Connection[Any], caplog: pytest.LogCaptureFixture
) -> None:
    superuser.execute(f"ALTER DATABASE {superuser.info.dbname} SET default_transaction_read_only = on")
    with opened(postgres_address) as reader:
        with pytest.raises(Unavailable, match="read"):
            reader.remember("The lamp is red")
        with caplog.at_level(logging.WARNING, logger="ebbing"):
            assert [r.memory.text for r in reader.recall("green lamp")] == ["The lamp is green"]
            reader.deferred.wait(reader.owner)
        assert "not reinforced" in caplog.text
    superuser.execute(f"ALTER DATABASE {superuser.info.dbname} RESET default_transaction_read_only")


KILL = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def test_connections_that_the_server_dropped_while_idle_are_replaced_unnoticed(
    engine: Engine, superuser: psycopg.Connection[Any]
) -> None:
    for _ in range(3):
        superuser.execute(KILL)
        assert engine.recall("green lamp")
        superuser.execute(KILL)
        engine.remember("The lamp is red")


def test_a_connection_lost_halfway_writes_nothing(engine: Engine, superuser: psycopg.Connection[Any]) -> None:
    before = all_of(engine)

    def lose() -> None:
        with engine.store.write(ME) as tx:
            add(tx, memory(owner="default", fingerprint=None))
            superuser.execute(KILL)
            tx.memories.page(Filter(), limit=10)

    with pytest.raises(Unavailable) as caught:
        lose()
    assert caught.value.code == "unavailable"
    assert all_of(engine) == before


def test_a_connection_lost_before_the_commit_writes_nothing(engine: Engine, superuser: psycopg.Connection[Any]) -> None:
    def lose() -> None:
        with engine.store.write(ME) as tx:
            add(tx, memory(owner="default", fingerprint=None))
            superuser.execute(KILL)

    with pytest.raises(Unavailable):
        lose()
    assert len(engine.list()) == 1


def test_a_writer_that_waits_too_long_for_its_turn_is_told_so(
    engine: Engine, superuser: psycopg.Connection[Any]
) -> None:
    """What a lock's timeout does, done by hand as soon as the writer waits."""
    before = all_of(engine)
    outcome: list[BaseException] = []

    def write() -> None:
        try:
            engine.remember("The lamp is red")
        except Locked as error:
            outcome.append(error)

    waiting = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    with engine.store.write(ME):
        thread = threading.Thread(target=write)
        thread.start()
        while not superuser.execute(f"{waiting} AND datname = current_database()").fetchall():
            assert thread.is_alive()
        thread.join()
    assert [type(error) for error in outcome] == [Locked]
    assert "try again" in str(outcome[0])
    assert all_of(engine) == before


def test_a_store_that_is_closed_says_so_without_its_password(postgres_address: str) -> None:
    engine = opened(postgres_address)
    engine.close()
    with pytest.raises(Conflict) as caught:
        engine.list()
    password = postgres_address.partition("@")[0].rpartition(":")[2]
    assert password not in str(caught.value)
    assert password not in engine.store.url
    assert password not in repr(engine.store)


def test_the_server_itself_keeps_owners_apart(engine: Engine, superuser: psycopg.Connection[Any]) -> None:
    """Row-level security, the second wall: a session sees the rows of the owner it named, whatever it asks for."""
    with engine.store.read(View("somebody else")) as tx:
        for table in ("memories", "vitals", "vectors", "words", "archive", "archive_words", "events", "activity"):
            assert tx.db.run(f"SELECT count(*) FROM {table}", {}) == [(0,)], table
    with engine.store.read(ME) as tx:
        assert tx.db.run("SELECT count(*) FROM memories", {}) == [(1,)]
    unprotected = superuser.execute(
        "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'ebbing'"
        " AND relkind IN ('r', 'p') AND NOT (relrowsecurity AND relforcerowsecurity)"
    ).fetchall()
    # Whose a token is, is found out by it, before an owner is known.
    assert {name for (name,) in unprotected} == {"migrations", "tokens", "tokens_revoked"}


def test_names_are_compared_byte_by_byte_whatever_the_server_speaks(
    engine: Engine, superuser: psycopg.Connection[Any]
) -> None:
    """Pages and scopes are ranges of names; another order of letters would cut them elsewhere."""
    rows = superuser.execute(
        "SELECT c.relname, a.attname, l.collname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
        " JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_collation l ON l.oid = a.attcollation"
        " WHERE n.nspname = 'ebbing' AND c.relkind IN ('r', 'p') AND a.attname IN ('id', 'scope', 'owner')"
    ).fetchall()
    assert len(rows) > 10
    assert {collation for _, _, collation in rows} == {"C"}
