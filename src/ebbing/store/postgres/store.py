"""PostgreSQL with pgvector: the same tables on a server, for when one machine is not enough.

Every transaction belongs to one owner and says so to the server, whose row-level security then
shows it no other's rows. Reaching the server is in `connection.py`, searching in
`search.py`, what the driver is told of a statement in `statements.py`, checking and mending in
`maintenance.py`, bringing a schema up to date in `schema.py`.
"""

from __future__ import annotations

import contextlib
import functools
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

from ...domain.errors import Invalid, Unavailable
from ...domain.memory import Memory, Source, Status
from ...ports import Filter, Finding, MatchLookup, Progress, Question, Scrubbed, Search, Vector, View
from ...ports.cancellation import check_before_commit
from .. import query_loader
from ..credentials import KeptTokens
from ..owner_row import SALT_BYTES, owners_of
from ..row_codec import Codec, values_of
from ..transaction import Transaction
from .connection import LOCK_MS, Address, Connection, Connections, Cursor, connect, translated
from .maintenance import BIG, Care
from .schema import migrate, prepare_extension, together, written_out
from .search import PostgresSearch, indexed
from .statements import answers, bindings, half, has_one_plan, teach

_BEGINS_MAX = 1000  # owners whose beginnings are kept, at most


class PostgresTransaction(Transaction):
    """One owner's rows in a PostgreSQL transaction."""

    codec = Codec(instant=lambda at: at.astimezone(UTC), json=lambda value: value, source=lambda value: Source(**value))
    queries = query_loader.queries("postgres", query_loader.postgres_dialect)

    def __init__(self, view: View, connection: Connection) -> None:
        super().__init__(view)
        self.connection = connection
        self.indexed_fingerprint: str | None = None
        self.indexed_width: int | None = None
        self.erased = False
        self.ending = False  # whether the server may have heard of the end of it
        self._places = 1
        self._held: tuple[str, Cursor] | None = None  # a scope, and what will say how much it holds

    def run(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        cursor = self.send(statement, values)
        return cursor.fetchall() if answers(statement) else []

    def send(self, statement: str, values: Mapping[str, Any], *, binary: bool = False) -> Cursor:
        """One statement on its way: the server works on it until somebody fetches its rows."""
        prepare = has_one_plan(statement)
        return self.connection.execute(statement, bindings(statement, values), prepare=prepare, binary=binary)

    def send_packed(self, statement: str, filter_: Filter, **values: Any) -> Cursor:
        """One whose rows that a filter leaves are told in packed columns."""
        predicates, more = query_loader.where(filter_, self.view, self.queries)
        values = {"owner": self.view.owner, **more, **values}
        return self.send(statement.replace("/*filter*/", predicates), values, binary=True)

    def run_many(self, statement: str, several: Iterable[Mapping[str, Any]]) -> None:
        bound_values = [bindings(statement, values) for values in several]
        prepare = has_one_plan(statement)
        if prepare and len(bound_values) > 1:
            self.connection.cursor().executemany(statement, bound_values)
        else:
            # One by one: executemany prepares whatever it is given. A pipeline sends them together all the same.
            for values in bound_values:
                self.connection.execute(statement, values, prepare=prepare)

    def ask_literally(self, name: str, settings: Mapping[str, str | int], **values: Any) -> list[tuple[Any, ...]]:
        """A query with its values written into it, under settings that hold until the transaction ends."""
        with psycopg.ClientCursor(self.connection) as cursor:
            for setting, value in settings.items():
                self.connection.execute(f"SET LOCAL {setting} = {value}")
            cursor.execute(self.queries[name], {"owner": self.view.owner, **values})
            return cursor.fetchall()

    # The owner

    def hold_owner(self, row: Sequence[Any]) -> None:
        *shared, self._places, self.indexed_fingerprint, self.indexed_width = row
        super().hold_owner(shared)

    def counters(self) -> dict[str, Any]:
        return {**super().counters(), "places": self._places}

    def save_owner(self) -> None:
        """In one statement where one scope has only grown, as with nearly everything that is remembered."""
        moved = {scope: counts for scope, counts in self._moved.items() if any(counts.values())}
        counters = self.counters()
        scope, counts = next(iter(moved.items()), ("", {}))
        if len(moved) != 1 or min(counts.values()) < 0 or counters == self._loaded:
            super().save_owner()
            return
        values = {"owner": self.view.owner, "scope": scope, **counts, **counters}
        self._held = scope, self.send(self.queries["save_owner_and_hold"], values)
        self._moved = {}

    def end(self) -> None:
        """Let what was done hold."""
        self.ending = True
        self.connection.execute("COMMIT", prepare=True)

    def ended(self) -> None:
        """It holds: see what came of what was not waited for."""
        if self._held is not None:
            scope, cursor = self._held
            self.active[scope] = cursor.fetchall()[0][0]

    # Rows, words and vectors

    def take_places(self, count: int) -> int:
        first = self._places
        self._places += count
        return first

    def insert_side(
        self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int], *, live: bool
    ) -> None:
        rows = []
        for memory in memories:
            found = indexed(memory.text)
            vector = half(vectors[memory.id]) if memory.id in vectors else None
            rows.append({**values_of(memory), **found, "key": keys[memory.id], "vector": vector})
            self.resize(memory.status, 1, found["length"])
        if live:
            self.tell("insert_live", rows)
        else:
            self.tell("insert_stored", rows)
            self.ask("insert_stored_words", ids=[memory.id for memory in memories])

    def remove_side(self, memories: Sequence[Memory], *, live: bool) -> dict[str, int]:
        leaving = self._standing_on(memories, live=live)
        ids = [id_ for id_, *_ in leaving]
        if live:
            self.ask("delete_words", ids=ids)
            self.ask("delete_vectors", keys=[key for _, key, *_ in leaving])
            self.ask("delete_vitals", ids=ids)
            self.ask("delete_memories", ids=ids)
        else:
            self.ask("delete_stored_words", ids=ids)
            self.ask("delete_stored", ids=ids)
        for _, _, status, length in leaving:
            self.resize(Status(status), -1, -length)
        return {id_: key for id_, key, _, _ in leaving}

    def store_rows(self, memories: Sequence[Memory]) -> None:
        columns = zip(*((m.id, m.status.value, m.due_at, m.due_day) for m in memories), strict=True)
        self.ask("store_live", **dict(zip(("ids", "statuses", "due_at", "due_day"), map(list, columns), strict=True)))

    def index_stored(self, memories: Sequence[Memory], keys: Mapping[str, int]) -> None:
        self.ask("insert_stored_words", ids=list(keys))
        for _, _, status, length in self._standing_on(memories, live=False):
            self.resize(Status(status), 1, length)

    def reindex(self, memories: Sequence[Memory]) -> None:
        self.tell("mark_words", ({"id": memory.id} for memory in memories))
        for _, _, status, length in self._standing_on(memories, live=True):
            # A live memory whose status changed came from the other status that is live.
            before = Status.DETACHED if status == Status.ACTIVE else Status.ACTIVE
            self.resize(before, -1, -length)
            self.resize(Status(status), 1, length)

    def replace_vectors(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        keys = {id_: key for id_, key, _, _ in self._standing_on(memories, live=True)}
        self.tell(
            "insert_vector",
            (
                {"key": keys[memory.id], "fingerprint": memory.fingerprint, "vector": half(vectors[memory.id])}
                for memory in memories
            ),
        )

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        rows = self.ask("vectors_live", ids=list(ids)) + self.ask("vectors_stored", ids=list(ids))
        return {id_: vector.to_numpy().astype(np.float32) for id_, vector in rows}

    def search(self, question: Question) -> Search:
        return PostgresSearch(self, question)

    def words_from(self, beginning: str, limit: int) -> list[str]:
        rows = self.ask("words_from", low=beginning, high=f"{beginning}\U0010ffff", limit=limit)
        return [term for (term,) in rows]

    def lookup_matches(self, hashes: Sequence[str], digests: Sequence[str]) -> MatchLookup:
        rows = self.ask("familiar", hashes=list(hashes), digests=list(digests))
        return MatchLookup(
            {hash_: stone for stone, hash_, *_ in rows if stone is not None},
            self.seen(row[2:] for row in rows if row[0] is None),
        )

    def erase(self, ids: Sequence[str]) -> None:
        super().erase(ids)
        self.erased = True

    def _standing_on(self, memories: Sequence[Memory], *, live: bool) -> list[tuple[Any, ...]]:
        """(id, key, status, length) as the rows of one side say now."""
        query = "standing_live" if live else "standing_stored"
        return self.ask(query, ids=[memory.id for memory in memories]) if memories else []


class PostgresStore:
    """The tables of Ebbing in one schema of one database, for any number of threads, processes and machines."""

    def __init__(self, url: str) -> None:
        self.address = Address.parse(url)
        self.url = self.address.shown
        self.care = Care(self)
        self.tokens = KeptTokens(self.outside, PostgresTransaction.codec)
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
                transaction.hold_owner(rows[0])
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
                    transaction.hold_owner(rows[0])
                else:
                    transaction.ask("add_owner", salt=secrets.token_bytes(SALT_BYTES))
                    transaction.load_owner()
                yield transaction
                transaction.save_owner()
                check_before_commit()
                transaction.end()
            transaction.ended()
            if transaction.erased:
                self.erased.add(view.owner)

    @contextlib.contextmanager
    def _told_of_doubt(self, transaction: PostgresTransaction) -> Iterator[None]:
        try:
            yield
        except psycopg.OperationalError as error:
            if not (transaction.ending and transaction.connection.broken):
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
            text = written_out(connection, PostgresTransaction.queries[name], values)
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
            rows = connection.execute(PostgresTransaction.queries[query], values).fetchall()
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
