"""The floor of PostgreSQL: one wide table, a tsvector with its GIN index and a table of halfvecs, without any walls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from .floors import COLUMNS, INDEXES, Floats, Row, faded, strength_sql

_MOST = 10
_REAL = {"importance", "trust", "level"}
_WHOLE = {"pinned", "contested", "compaction_depth", "tokens", "recall_count"}
_SIZE = (
    "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE c.relkind IN ('r', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')"
)
_VECTORS = "CREATE TABLE vectors (owner text, key bigint, vector halfvec({width}), PRIMARY KEY (owner, key))"
_NEAR = "CREATE INDEX ON vectors USING hnsw (vector halfvec_ip_ops) WHERE owner = '{owner}'"
_BY_WORDS = (
    "SELECT key, ts_rank(tsv, asked) AS score FROM rows, to_tsquery('simple', %s) AS asked"
    " WHERE owner = %s AND tsv @@ asked ORDER BY score DESC LIMIT %s"
)
_NEAREST = "SELECT key FROM vectors WHERE owner = %s ORDER BY vector <#> %s LIMIT %s"
_TOUCH = (
    "UPDATE rows SET recall_count = recall_count + 1, last_accessed_at = %s, used_day = %s WHERE owner = %s AND id = %s"
)

Connection = psycopg.Connection[tuple[Any, ...]]


class BarePostgres:
    """Bare statements on one connection."""

    def __init__(self, address: str) -> None:
        # Planned for the values at hand: a plan cached for any owner would be no floor.
        self.connection: Connection = psycopg.connect(address, autocommit=True, prepare_threshold=None)
        register_vector(self.connection)
        self._next = 1
        marks = ", ".join(["%s"] * (1 + len(COLUMNS)))
        self._insert = f"INSERT INTO rows (key, {', '.join(COLUMNS)}, tsv) VALUES ({marks}, to_tsvector('simple', %s))"

    def create(self, width: int) -> None:
        columns = ", ".join(f"{name} {_type(name)}" for name in COLUMNS)
        self.connection.execute(f"CREATE TABLE rows (key bigint PRIMARY KEY, {columns}, tsv tsvector)")
        for statement in (*INDEXES, "CREATE INDEX rows_words ON rows USING gin (tsv)", _VECTORS.format(width=width)):
            self.connection.execute(statement)

    def insert(self, rows: Sequence[Row]) -> None:
        keys = range(self._next, self._next + len(rows))
        self._next += len(rows)
        halves = [(row.owner, key, HalfVector(row.vector)) for key, row in zip(keys, rows, strict=True)]
        with self.connection.transaction(), self.connection.cursor() as cursor:
            several = [(key, *row.columns, row.words) for key, row in zip(keys, rows, strict=True)]
            if len(rows) == 1:
                cursor.execute(self._insert, several[0])
                cursor.execute("INSERT INTO vectors VALUES (%s, %s, %s)", halves[0])
            else:
                cursor.executemany(self._insert, several)
                cursor.executemany("INSERT INTO vectors VALUES (%s, %s, %s)", halves)

    def index(self, owner: str) -> None:
        self.connection.execute(_NEAR.format(owner=owner))

    def warm(self, owner: str) -> None:
        """Nothing is held in this process."""

    def recall(self, owner: str, words: Sequence[str], vector: Floats) -> int:
        either = " | ".join(f"'{word}'" for word in words)
        by_words = self.connection.execute(_BY_WORDS, (either, owner, _MOST)).fetchall()
        # The owner written into the statement, or a partial index would not serve it.
        with psycopg.ClientCursor(self.connection) as cursor:
            nearest = cursor.execute(_NEAREST, (owner, HalfVector(vector), _MOST)).fetchall()
        return len(by_words) + len(nearest)

    def reinforce(self, owner: str, ids: Sequence[str], at: datetime, day: int) -> None:
        moment = int(at.timestamp() * 1_000_000)
        with self.connection.transaction(), self.connection.cursor() as cursor:
            cursor.executemany(_TOUCH, [(moment, day, owner, id_) for id_ in ids])

    def scan(self, owner: str, day: int, rates: Mapping[str, float]) -> int:
        strength = strength_sql(rates, "least", "%(day)s::int")
        return int(self._one(f"SELECT count(*) FROM rows WHERE owner = %(owner)s AND {strength}", owner=owner, day=day))

    def scan_everything(self, day: int, rates: Mapping[str, float]) -> int:
        return int(
            self._one(f"SELECT count(*) FROM rows WHERE {strength_sql(rates, 'least', '%(day)s::int')}", day=day)
        )

    def scan_by_hand(self, owner: str, day: int, rates: Mapping[str, float]) -> int:
        statement = "SELECT category, importance, used_day, recall_count FROM rows WHERE owner = %s"
        return faded(self.connection.execute(statement, (owner,)).fetchall(), day, rates)

    def size_bytes(self) -> int:
        return relations_bytes(self.connection)

    def close(self) -> None:
        self.connection.close()

    def _one(self, statement: str, **values: Any) -> Any:
        return self.connection.execute(statement, values).fetchall()[0][0]


def relations_bytes(connection: Connection) -> int:
    """What tables and their indexes take; an empty database's own eight megabytes are not counted."""
    return int(connection.execute(_SIZE).fetchall()[0][0])


def _type(column: str) -> str:
    if column in _REAL:
        return "double precision"
    whole = column in _WHOLE or column.endswith(("_at", "_day")) or column.startswith("valid_")
    return "bigint" if whole else 'text COLLATE "C"'
