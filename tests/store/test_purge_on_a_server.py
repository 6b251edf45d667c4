"""What a purge can and cannot do about a PostgreSQL server's write-ahead log, and who may see the owners."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

import ebbing
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.store import query_loader
from ebbing.store.migrations import scripts
from ebbing.store.postgres.connection import Address, connect
from ebbing.store.postgres.schema import literally, prepare_extension
from ebbing.testing import FakeEmbedder, FrozenClock

_OWNERS_APART = 8  # the migration that put row-level security around the owners
SALT = bytes(range(32))
TEXT = "Zanzibar treasure under palm seventeen"


def opened(address: str, **given: Any) -> Engine:
    return ebbing.open(address, clock=FrozenClock(), embedder=FakeEmbedder(), judge="off", **given)


@pytest.fixture
def superuser(postgres_superuser_address: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(postgres_superuser_address, autocommit=True) as connection:
        yield connection


@pytest.fixture
def plain(postgres_address: str) -> Iterator[psycopg.Connection[Any]]:
    """A session of the role that Ebbing uses, to which nobody has said whose rows are meant."""
    for owner in ("ada", "bob"):
        with opened(postgres_address, owner=owner) as engine:
            engine.purge(ids=engine.remember(f"The lamp of {owner} is green").memories[0].id)
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        yield connection


def test_a_receipt_says_that_the_write_ahead_log_was_not_looked_at(postgres_address: str) -> None:
    """`verified` is about the tables; whoever needs more has to know that more is needed."""
    with opened(postgres_address) as engine:
        receipt = engine.purge(ids=engine.remember(TEXT).memories[0].id)
    assert receipt.verified
    [note] = receipt.notes
    assert note.startswith("verified are the tables alone")
    assert "pg_switch_wal() or CHECKPOINT" in note


def test_a_role_that_may_has_the_server_retire_the_segments_that_hold_the_text(
    postgres_superuser_address: str, superuser: psycopg.Connection[Any]
) -> None:
    """A new segment is begun and a checkpoint made behind it: from then on the old ones may be reused."""
    with opened(postgres_superuser_address) as engine:
        one = engine.remember(TEXT).memories[0]
        [(written, segment)] = superuser.execute(
            "SELECT l, pg_walfile_name(l) FROM pg_current_wal_lsn() AS l"
        ).fetchall()
        receipt = engine.purge(ids=one.id)
    [(redo, now)] = superuser.execute(
        "SELECT pg_walfile_name(redo_lsn), redo_lsn > %s::pg_lsn FROM pg_control_checkpoint()", [written]
    ).fetchall()
    assert redo > segment
    assert now
    assert "may not run" not in receipt.notes[0]


def test_a_transaction_of_one_owner_neither_reads_nor_changes_the_salt_of_another(
    plain: psycopg.Connection[Any],
) -> None:
    """With the salt of another tenant its tombstones could be guessed at, and without it they could be voided."""
    assert plain.execute("SELECT owner, salt FROM ebbing.owners").fetchall() == []
    plain.execute("SET ebbing.owner = 'bob'")
    assert plain.execute("SELECT owner FROM ebbing.owners").fetchall() == [("bob",)]
    assert plain.execute("UPDATE ebbing.owners SET salt = '' WHERE owner = 'ada'").rowcount == 0
    assert plain.execute("DELETE FROM ebbing.owners WHERE owner = 'ada'").rowcount == 0
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        plain.execute("INSERT INTO ebbing.owners (owner, salt) VALUES ('eve', '')")


def test_maintenance_lists_the_owners_and_changes_none(plain: psycopg.Connection[Any], postgres_address: str) -> None:
    """A sweep over all owners has to know who there is; it acts as each of them in turn."""
    with opened(postgres_address) as engine:
        assert engine.store.owners() == ["ada", "bob"]
    plain.execute("SET ebbing.maintenance = 'on'")
    assert plain.execute("SELECT owner FROM ebbing.owners ORDER BY 1").fetchall() == [("ada",), ("bob",)]
    assert plain.execute("UPDATE ebbing.owners SET salt = ''").rowcount == 0
    assert plain.execute("DELETE FROM ebbing.owners").rowcount == 0


def make_tables_before(number: int, address: Address) -> None:
    """The tables as the migrations below this number leave them."""
    queries = query_loader.queries("postgres", query_loader.postgres_dialect)
    clause = "PARTITION BY HASH (owner)" if address.partitions else ""
    with connect(address) as connection, connection.transaction():
        extension_schema, _ = prepare_extension(connection, address.shown)
        values = {"schema": address.schema, "extension_schema": extension_schema, "partitions": str(address.partitions)}
        literally(connection, queries["begin_migration"], values)
        for one, script in scripts("postgres"):
            if one < number:
                connection.execute(script.replace("/*partitioned*/", clause))
                connection.execute(queries["add_migration"], {"number": one})


@pytest.mark.parametrize("option", ["ebbing_partitions=0", "ebbing_partitions=4"])
def test_tables_of_the_version_before_are_closed_when_they_are_opened(
    option: str, postgres_address: str, superuser: psycopg.Connection[Any]
) -> None:
    """With the owners that stand in them."""
    address = f"{postgres_address}{'&' if '?' in postgres_address else '?'}{option}"
    make_tables_before(_OWNERS_APART, Address.parse(address))
    superuser.execute("INSERT INTO ebbing.owners (owner, salt) VALUES ('ada', %s)", [SALT])
    with opened(address, owner="ada") as engine:
        one = engine.remember(TEXT).memories[0]
        assert engine.get(one.id).text == TEXT
        assert engine.store.owners() == ["ada"]
        assert [finding for finding in engine.store.check() if finding.check == "row security" and not finding.ok] == []
        with engine.store.read(View("ada")) as tx:
            assert tx.tombstones.salts == [SALT]
    tables = superuser.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'ebbing'::regnamespace AND relkind IN ('r', 'p')"
        " AND relname ~ '^owners'"
    ).fetchall()
    assert len(tables) == (5 if option.endswith("4") else 1)
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        for (table,) in tables:
            assert connection.execute(f"SELECT owner FROM ebbing.{table}").fetchall() == []
