"""The store by itself, below the engine, on each kind of address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from ebbing.ports import Store
from ebbing.store import open_store

EveryByte = Callable[[], bytes]


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    """A fresh store of each kind."""
    opened = open_store(address)
    yield opened
    opened.close()


@pytest.fixture
def every_byte(address: str, request: pytest.FixtureRequest) -> EveryByte:
    """All that a store holds: every byte of its files, or every row of every table, past every wall."""
    if not address.startswith("postgres"):
        return lambda: b"".join(file.read_bytes() for file in sorted(Path(address).parent.glob("memory.db*")))
    superuser = request.getfixturevalue("postgres_server").as_superuser(address.partition("?")[0].rpartition("/")[2])

    def read() -> bytes:
        with psycopg.connect(superuser) as connection:
            tables = connection.execute("SELECT schemaname, relname FROM pg_stat_user_tables").fetchall()
            assert tables
            rows = [
                connection.execute(sql.SQL("SELECT t::text FROM {} AS t").format(sql.Identifier(*table))).fetchall()
                for table in tables
            ]
        return repr(rows).encode()

    return read
