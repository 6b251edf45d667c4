"""PostgreSQL with pgvector: the same tables on a server, for when one machine is not enough.

Every transaction belongs to one owner and says so to the server, whose row-level security then
shows it no other's rows. Reaching the server is in `postgres_connection.py`, searching in
`postgres_search.py`, checking and mending in `postgres_care.py`, bringing a schema up to date in `postgres_schema.py`.
"""

from __future__ import annotations

import contextlib
import functools
import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from pgvector import HalfVector
from pgvector.psycopg.halfvec import register_halfvec_info
from psycopg.types import TypeInfo
from psycopg.types.json import Json as JsonValue
from psycopg.types.json import set_json_loads

from ..errors import Invalid, Unavailable
from ..model import Memory, Source, Status
from ..ports import Finding, Question, Search, Vector, View
from . import sql
from .postgres_care import BIG, Care
from .postgres_connection import LOCK_MS, Address, Connection, Connections, connect, translated
from .postgres_schema import literally, migrate, prepare_extension
from .postgres_search import PostgresSearch, indexed
from .rows import Codec, Json, values_of
from .tokens import KeptTokens
from .transaction import SALT_BYTES, Transaction

_PLAIN = frozenset({str, int, float, bool, datetime, list, type(None)})  # most of what is sent, sent as it is
_to_json = functools.partial(json.dumps, ensure_ascii=False)


def bound(value: Any) -> Any:
    """A value as psycopg sends it."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Json):
        # Sent as json, which is kept as written where the column is json, and becomes jsonb where it is that.
        return JsonValue(value.value, _to_json)
    if isinstance(value, str):
        return str(value)
    return value


@functools.lru_cache(maxsize=1000)
def parameters(statement: str) -> tuple[str, ...]:
    """The names a statement asks for."""
    return tuple(dict.fromkeys(re.findall(r"%\((\w+)\)s", statement)))


def bindings(statement: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """What a statement asks for out of what there is: a memory has many more values than most need."""
    return {name: bound(values[name]) for name in parameters(statement)}


@functools.lru_cache(maxsize=1000)
def answers(statement: str) -> bool:
    """Whether a statement gives rows. What gives none need not be waited for: its error comes with the next answer."""
    return bool(re.match(r"(SELECT|WITH)\b", statement) or " RETURNING " in statement)


# Statements that go straight to the rows they name, so that one plan is as good for every owner. Making it anew took
# longer than carrying it out: a join behind a view behind row-level security.
_ONE_PLAN = (
    *("get_live", "traces", "standing", "same_digest", "tombstones", "last_reinforced", "touch", "save_owner"),
    *("insert_memory", "insert_vitals", "insert_words", "insert_vector", "add_event", "word_frequencies"),
)


@functools.lru_cache(maxsize=1000)
def has_one_plan(statement: str) -> bool:
    queries = PostgresTransaction.queries
    return any(statement.startswith(queries[name].partition("/*filter*/")[0]) for name in _ONE_PLAN)


def half(vector: Vector) -> HalfVector:
    """A vector as stored."""
    return HalfVector(np.asarray(vector, dtype=np.float16))


class PostgresTransaction(Transaction):
    """One owner's rows in a PostgreSQL transaction."""

    codec = Codec(instant=lambda at: at.astimezone(UTC), json=lambda value: value, source=lambda value: Source(**value))
    queries = sql.queries("postgres", sql.postgres_dialect)

    def __init__(self, view: View, connection: Connection) -> None:
        super().__init__(view)
        self.connection = connection
        self.indexed_fingerprint: str | None = None
        self.indexed_width: int | None = None
        self.erased = False
        self._places = 1

    def run(self, statement: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        cursor = self.connection.execute(statement, bindings(statement, values), prepare=has_one_plan(statement))
        return cursor.fetchall() if answers(statement) else []

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
        with self.connection.pipeline(), psycopg.ClientCursor(self.connection) as cursor:
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

    # Rows, words and vectors

    def take_places(self, count: int) -> int:
        first = self._places
        self._places += count
        return first

    def insert_side(
        self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int], *, live: bool
    ) -> None:
        ids = [memory.id for memory in memories]
        rows = []
        for memory in memories:
            found = indexed(memory.text)
            vector = half(vectors[memory.id]) if memory.id in vectors else None
            rows.append({**values_of(memory), **found, "key": keys[memory.id], "vector": vector})
            self.resize(memory.status, 1, found["length"])
        if live:
            self.tell("insert_memory", rows)
            self.tell("insert_vitals", rows)
            self.ask("insert_words", ids=ids)
            self.tell("insert_vector", (row for row in rows if row["vector"] is not None))
        else:
            self.tell("insert_stored", rows)
            self.ask("insert_stored_words", ids=ids)

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

    def ask_meeting(self, points: Sequence[str], limit: int) -> list[tuple[Any, ...]]:
        terms_ = [f"_{point}" for point in points]
        rows = self.ask("meeting", terms=terms_, limit=limit)
        if self.size(Status.ARCHIVED)[0]:
            rows += self.ask("meeting_stored", terms=terms_, limit=limit)
        return [(term[1:], *row) for term, *row in rows]

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
        with translated(self.url), contextlib.closing(connect(self.address)) as connection:
            self.extension_schema, halfvec = prepare_extension(connection, self.url)
            migrate(connection, self.address, self.extension_schema)
        # A new connection learns about vectors without a question to the server.
        self.connections = Connections(self.address, functools.partial(teach, halfvec=halfvec))

    @contextlib.contextmanager
    def read(self, view: View) -> Iterator[PostgresTransaction]:
        with translated(self.url), self.connections.begun(self._start("begin_reading", view)) as (connection, rows):
            transaction = PostgresTransaction(view, connection)
            if rows:
                transaction.hold_owner(rows[0])
            yield transaction

    @contextlib.contextmanager
    def write(self, view: View, *, durable: bool = True) -> Iterator[PostgresTransaction]:
        begun = self.connections.begun(self._start("begin_writing", view))
        with translated(self.url), begun as (connection, rows), connection.pipeline() as pipeline:
            if not durable:
                connection.execute("SET LOCAL synchronous_commit = off")
            transaction = PostgresTransaction(view, connection)
            if rows:
                transaction.hold_owner(rows[0])
            else:
                transaction.ask("add_owner", salt=secrets.token_bytes(SALT_BYTES))
                transaction.load_owner()
            yield transaction
            transaction.save_owner()
            self._commit(connection, pipeline)
            if transaction.erased:
                self.erased.add(view.owner)

    def _commit(self, connection: Connection, pipeline: psycopg.Pipeline) -> None:
        try:
            connection.execute("COMMIT")
            pipeline.sync()
        except psycopg.OperationalError as error:
            if not connection.broken:
                raise
            raise Unavailable(
                f"the connection to {self.url} broke while a change was being committed: look whether it is there "
                "before you make it again"
            ) from error

    def _start(self, name: str, view: View | None = None) -> Callable[[Connection], list[tuple[Any, ...]]]:
        """What begins a transaction."""
        values = {
            "schema": self.address.schema,
            "extension_schema": self.extension_schema,
            "owner": view.owner if view else "",
            "lock_ms": LOCK_MS,
        }
        statement = PostgresTransaction.queries[name]
        return lambda connection: literally(connection, statement, values)

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

    def owners(self, *, due: datetime | None = None, policy: str | None = None) -> list[str]:
        rows = self.outside("list_owners") if due is None else self.outside("owners_due", now=due, policy=policy)
        return [row[0] for row in rows]

    def check(self) -> Iterator[Finding]:
        with translated(self.url):
            yield from self.care.check()

    def repair(self) -> Iterator[Finding]:
        with translated(self.url):
            yield from self.care.repair()

    def backup(self, path: Path) -> None:
        raise Invalid(
            f"{self.url} is a server and backs up with its own tools; run: pg_dump --format=custom "
            f"--schema={self.address.schema} --file={path} (as a role that row-level security does not hold)"
        )

    def scrub(self, texts: Sequence[str]) -> bool:
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


def teach(connection: Connection, halfvec: TypeInfo) -> None:
    """How a new connection reads what is stored."""
    register_halfvec_info(connection, halfvec)
    set_json_loads(from_json, connection)


def from_json(text: str | bytes) -> Any:
    """What was stored as JSON. Most of it is empty, and a recall has fifty such values."""
    return [] if text == b"[]" else {} if text == b"{}" else json.loads(text)
