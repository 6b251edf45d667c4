"""A transaction in SQLite: how a statement is run, and how rows, words and vectors are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from ...domain.clock import from_micros
from ...domain.memory import Memory, Status
from ...ports import Question, Search, Vector, View
from .. import query_loader
from ..index_lookup import IndexLookup
from ..owner_connection import OwnerConnection, Rows
from ..owner_table import OwnerTable
from ..row_codec import Codec, Json, values_of
from ..row_storage import RowStorage
from ..tables import TombstoneTable
from ..transaction import Transaction
from ..vector_cache import words_in
from .search import SearchCaches, SqliteSearch, indexed, owner_token
from .values import bound, bound_all, from_json, half, source_from_json, whole


class SqliteConnection(OwnerConnection):
    """A connection of apsw's."""

    codec = Codec(
        instant=from_micros,
        json=from_json,
        source=source_from_json,
        vector=whole,
        length=lambda record: words_in(record) if record else 0,
    )
    queries = query_loader.queries("sqlite", query_loader.sqlite_dialect)

    def __init__(self, view: View, driver: apsw.Connection) -> None:
        super().__init__(view)
        self.driver = driver

    def run(self, statement: str, values: Mapping[str, Any]) -> Rows:
        for name in query_loader.listed(statement):
            value = values[name]
            # Most lists are of one, and to SQLite a list is a table that has to be made: it costs as much as ten rows.
            if type(value) is list and len(value) == 1:
                statement, values = query_loader.for_one(statement, name), {**values, name: value[0]}
        return self.driver.execute(statement, bound_all(values)).fetchall()

    def run_many(self, statement: str, several: Iterable[Mapping[str, Any]]) -> None:
        self.driver.executemany(statement, map(bound_all, several))


@dataclass(slots=True)
class SqliteIndex(IndexLookup):
    """FTS5 for words, matrices in memory for vectors."""

    caches: SearchCaches

    def search(self, question: Question) -> Search:
        return SqliteSearch(self.db, self.owner, self.caches, question)

    def words_with_prefix(self, prefix: str, limit: int) -> list[str]:
        start = f"{owner_token(self.db.view.owner, Status.ACTIVE)}_"
        low = start + prefix
        rows = self.db.execute("words_from", low=low, high=f"{low}\U0010ffff", limit=limit)
        return [term.removeprefix(start) for (term,) in rows]


@dataclass(slots=True)
class SqliteRowStorage(RowStorage):
    """Rows, their words in FTS5 tables under the same keys, and vectors with a stamp that caches read on from."""

    db: SqliteConnection

    def reserve_places(self, count: int) -> int:
        # Read before and not returned by the change: SQLite first makes a table of what a change returns.
        first = int(self.db.execute("next_place")[0][0])
        self.db.execute("take_places", count=count)
        return first

    def insert(
        self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int], *, live: bool
    ) -> None:
        # Bound here, once for the two tables they go to, and given to SQLite as they are.
        rows = [bound_all({**values_of(memory), "key": keys[memory.id]}) for memory in memories]
        if live:
            for query in ("insert_memory", "insert_vitals"):
                self.db.driver.executemany(self.db.queries[query], rows)
            self._insert_vectors([memory for memory in memories if memory.id in vectors], vectors, keys)
        else:
            stored = {id_: half(vector) for id_, vector in vectors.items()}
            self.db.execute_many("insert_stored", ({**row, "vector": stored.get(row["id"])} for row in rows))
        words = self._insert_words("insert_words" if live else "insert_stored_words", memories, keys)
        for memory in memories:
            self.owner.count_words(memory.status, 1, words[memory.id])

    def copy_to_archive(self, memories: Sequence[Memory]) -> None:
        moved = Json([[m.id, m.status.value, bound(m.due_at), m.due_day] for m in memories])
        self.db.execute("store_live", moved=moved)

    def insert_archived_words(self, memories: Sequence[Memory], keys: Mapping[str, int]) -> None:
        self._insert_words("insert_stored_words", memories, keys)

    def update_words(self, memories: Sequence[Memory], keys: Mapping[str, int]) -> None:
        self.db.execute("delete_words", keys=list(keys.values()))
        self._insert_words("insert_words", memories, keys)

    def write_vectors(self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int]) -> None:
        self.db.execute("delete_vectors", keys=list(keys.values()))
        self._insert_vectors(memories, vectors, keys)

    def _insert_words(self, query: str, memories: Sequence[Memory], keys: Mapping[str, int]) -> dict[str, int]:
        """Insert the words of memories; how many each has, by id."""
        # In the order of their keys: for each that goes back, FTS5 would write out what it holds.
        ordered = sorted(memories, key=lambda memory: keys[memory.id])
        rows = [{"key": keys[one.id], **indexed(one.text, one.owner, one.status)} for one in ordered]
        self.db.execute_many(query, rows)
        return {one.id: row["length"] for one, row in zip(ordered, rows, strict=True)}

    def _insert_vectors(
        self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int]
    ) -> None:
        rows = (
            {
                "stamp": self.owner.next_version(),
                "key": keys[memory.id],
                "fingerprint": memory.fingerprint,
                "vector": half(vectors[memory.id]),
            }
            for memory in memories
        )
        self.db.execute_many("insert_vector", rows)


class SqliteTransaction(Transaction):
    """One owner's rows in a SQLite transaction."""

    def __init__(self, view: View, driver: apsw.Connection, caches: SearchCaches) -> None:
        db = SqliteConnection(view, driver)
        owner = OwnerTable(db)
        tombstones = TombstoneTable(db, owner)
        index = SqliteIndex(db, owner, tombstones, caches)
        super().__init__(db, owner, tombstones, index, SqliteRowStorage(db, owner))
