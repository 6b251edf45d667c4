"""PostgreSQL with pgvector: the same tables on a server, for when one machine is not enough.

Every transaction belongs to one owner and says so to the server, whose row-level security then
shows it no other's rows. Reaching the server is in `connection.py`, what a transaction does in `transaction.py`,
searching in `search.py`, what the driver is told of a statement in `statements.py`, checking and repairing in
`maintenance.py`, bringing a schema up to date in `schema.py`.
"""

from __future__ import annotations

import contextlib
import functools
import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg

from ...domain.errors import Invalid, Unavailable
from ...ports import Finding, Progress, Scrubbed, View
from ...ports.cancellation import check_before_commit
from ..credentials import TokenTable
from ..owner_table import SALT_BYTES
from ..store_findings import owners_of
from .connection import LOCK_MS, Address, Connection, Connections, connect, translated
from .maintenance import BIG, Care
from .owner_connection import PostgresConnection
from .schema import migrate, prepare_extension, together, written_out
from .statements import teach
from .transaction import PostgresTransaction

_BEGINS_MAX = 1000  # owners whose beginnings are kept, at most


class PostgresStore:
    """The tables of Ebbing in one schema of one database, for any number of threads, processes and machines."""

    def __init__(self, url: str) -> None:
        self.address = Address.parse(url)
        self.url = self.address.shown
        self.care = Care(self)
        self.tokens = TokenTable(self.outside, PostgresConnection.codec)
        # Owners something was erased from and the tables not yet cleared after.
        self.erased: set[str] = set()
        self._begins: dict[tuple[str, str], str] = {}
        with translated(self.url), contextlib.closing(connect(self.address)) as connection:
            self.extension_schema, halfvec = prepare_extension(connection, self.url)
            migrate(connection, self.address, self.extension_schema)
        # A new connection learns about vectors without a question to the server.
        self.connections = Connections(self.address, functools.partial(teach, halfvec=halfvec))

    @contextlib.contextmanager
    def read(self, view: View) -> Iterator[PostgresTransaction]:
        begun = self.connections.begun(self._start("begin_reading", view))
        with translated(self.url), begun as (connection, rows), connection.pipeline():
            transaction = PostgresTransaction(view, connection)
            if rows:
                transaction.owner.take(rows[0])
            yield transaction
            # Not taken back: with that the driver throws away whatever it has prepared.
            transaction.end()

    @contextlib.contextmanager
    def write(self, view: View, *, durable: bool = True) -> Iterator[PostgresTransaction]:
        begun = self.connections.begun(self._start("begin_writing", view))
        with translated(self.url), begun as (connection, rows):
            transaction = PostgresTransaction(view, connection)
            with self._told_of_doubt(transaction), connection.pipeline():
                if not durable:
                    connection.execute("SET LOCAL synchronous_commit = off")
                if rows:
                    transaction.owner.take(rows[0])
                else:
                    transaction.db.execute("add_owner", salt=secrets.token_bytes(SALT_BYTES))
                    transaction.owner.load()
                yield transaction
                transaction.save()
                check_before_commit()
                transaction.end()
            transaction.ended()
            if transaction.memories.has_erased:
                self.erased.add(view.owner)

    @contextlib.contextmanager
    def _told_of_doubt(self, transaction: PostgresTransaction) -> Iterator[None]:
        try:
            yield
        except psycopg.OperationalError as error:
            if not (transaction.ending and transaction.db.driver.broken):
                raise
            raise Unavailable(
                f"the connection to {self.url} broke while a change was being committed: look whether it is there "
                "before you make it again"
            ) from error

    def _start(self, name: str, view: View | None = None) -> Callable[[Connection], list[tuple[Any, ...]]]:
        """What begins a transaction."""
        owner = view.owner if view else ""
        return lambda connection: together(connection, self._written_out(name, owner, connection))

    def _written_out(self, name: str, owner: str, connection: Connection) -> str:
        """What begins a transaction, for an owner: the same each time, and not quick to write."""
        text = self._begins.get((name, owner))
        if text is None:
            if len(self._begins) >= _BEGINS_MAX:
                self._begins.clear()
            values = {
                "schema": self.address.schema,
                "extension_schema": self.extension_schema,
                "owner": owner,
                "lock_ms": LOCK_MS,
            }
            text = written_out(connection, PostgresConnection.queries[name], values)
            self._begins[name, owner] = text
        return text

    @contextlib.contextmanager
    def maintenance(self) -> Iterator[Connection]:
        """A connection that speaks for no owner: it sees the table of owners, and what the server says of itself."""
        with self.connections.begun(self._start("begin_maintenance")) as (connection, _):
            yield connection

    def outside(self, query: str, *, writes: bool = False, **values: Any) -> list[tuple[Any, ...]]:
        """A statement about no owner in particular."""
        begin = self._start("begin_changing" if writes else "begin_maintenance")
        with translated(self.url), self.connections.begun(begin) as (connection, _):
            rows = connection.execute(PostgresConnection.queries[query], values).fetchall()
            if writes:
                connection.execute("COMMIT")
            return rows

    def owners(
        self, *, due: datetime | None = None, policy: str | None = None, budgets: str | None = None
    ) -> list[str]:
        return owners_of(self.outside, due=due, policy=policy, budgets=budgets)

    def check(self) -> Iterator[Finding]:
        with translated(self.url):
            yield from self.care.check()

    def repair(self, progress: Progress | None = None) -> Iterator[Finding]:
        with translated(self.url):
            yield from self.care.repair(progress)

    def backup(self, path: Path) -> None:
        raise Invalid(
            f"{self.url} is a server and backs up with its own tools; run: pg_dump --format=custom "
            f"--schema={self.address.schema} --file={path} (as a role that row-level security does not hold)"
        )

    def scrub(self, texts: Sequence[str]) -> Scrubbed:
        with translated(self.url):
            return self.care.scrub(texts)

    def size_bytes(self) -> int:
        with translated(self.url):
            return self.care.size_bytes()

    def index_big_owners(self, threshold: int = BIG) -> list[str]:
        """Give every owner with so many vectors an index of its own, and take away what nobody needs any more; tells
        whose were made. For maintenance: an index takes a while to build, and nobody waits for it."""
        with translated(self.url):
            return self.care.index_big_owners(threshold)

    def close(self) -> None:
        self.connections.close()
