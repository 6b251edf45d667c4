"""A transaction in SQLite: how a statement is run, and how rows, words and vectors are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from ..tombstone_table import TombstoneTable
from ..transaction import Transaction
from ..vector_cache import words_in
from .search import SearchCaches, SqliteSearch, indexed, owner_token
from .values import bound, bound_all, from_json, half, source_from_json, whole


class SqliteConnection(OwnerConnection):
    """A connection of apsw's."""

    codec = Codec(instant=from_micros, json=from_json, source=source_from_json)
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


class SqliteIndex(IndexLookup):
    """FTS5 for words, matrices in memory for vectors."""

    def __init__(
        self, connection: OwnerConnection, owner: OwnerTable, tombstones: TombstoneTable, caches: SearchCaches
    ) -> None:
        super().__init__(connection, owner, tombstones)
        self.caches = caches

    def search(self, question: Question) -> Search:
        return SqliteSearch(self.connection, self.owner, self.caches, question)

    def words_with_prefix(self, prefix: str, limit: int) -> list[str]:
        start = f"{owner_token(self.connection.view.owner, Status.ACTIVE)}_"
        low = start + prefix
        rows = self.connection.execute("words_from", low=low, high=f"{low}\U0010ffff", limit=limit)
        return [term.removeprefix(start) for (term,) in rows]

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        rows = self.connection.execute("vectors_live", ids=list(ids))
        rows += self.connection.execute("vectors_stored", ids=list(ids))
        return {id_: whole(vector) for id_, vector in rows}


class SqliteRowStorage(RowStorage):
    """Rows, their words in FTS5 tables under the same keys, and vectors with a stamp that caches read on from."""

    connection: SqliteConnection

    def reserve_places(self, count: int) -> int:
        # Read before and not returned by the change: SQLite first makes a table of what a change returns.
        first = int(self.connection.execute("next_place")[0][0])
        self.connection.execute("take_places", count=count)
        return first

    def insert(
        self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int], *, live: bool
    ) -> None:
        # Bound here, once for the two tables they go to, and given to SQLite as they are.
        rows = [bound_all({**values_of(memory), "key": keys[memory.id]}) for memory in memories]
        if live:
            for query in ("insert_memory", "insert_vitals"):
                self.connection.driver.executemany(self.connection.queries[query], rows)
            self._insert_words("insert_words", memories, keys)
            self._insert_vectors([memory for memory in memories if memory.id in vectors], vectors, keys)
        else:
            stored = {id_: half(vector) for id_, vector in vectors.items()}
            self.connection.execute_many("insert_stored", ({**row, "vector": stored.get(row["id"])} for row in rows))
            self.index_archived(memories, keys)

    def delete(self, memories: Sequence[Memory], *, live: bool) -> dict[str, int]:
        leaving = self._standing(memories, live=live)
        keys = {id_: key for id_, key, _, _ in leaving}
        rows, ids = list(keys.values()), list(keys)
        for _, _, status, record in leaving:
            self.owner.count_words(Status(status), -1, -words_in(record) if record else 0)
        if live:
            self.connection.execute("delete_words", keys=rows)
            self.connection.execute("delete_vectors", keys=rows)
            self.connection.execute("delete_vitals", ids=ids)
            self.connection.execute("delete_memories", ids=ids)
        else:
            self.connection.execute("delete_stored_words", keys=rows)
            self.connection.execute("delete_stored", ids=ids)
        return keys

    def copy_to_archive(self, memories: Sequence[Memory]) -> None:
        moved = Json([[m.id, m.status.value, bound(m.due_at), m.due_day] for m in memories])
        self.connection.execute("store_live", moved=moved)

    def index_archived(self, memories: Sequence[Memory], keys: Mapping[str, int]) -> None:
        self._insert_words("insert_stored_words", memories, keys)

    def reindex(self, memories: Sequence[Memory]) -> None:
        if not memories:
            return
        keys = self._keys(memories)
        self.connection.execute("delete_words", keys=list(keys.values()))
        lengths = self._insert_words("insert_words", memories, keys)
        for memory in memories:
            # It had the other status that is live.
            before = Status.DETACHED if memory.status is Status.ACTIVE else Status.ACTIVE
            self.owner.count_words(before, -1, -lengths[keys[memory.id]])

    def replace_vectors(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        keys = self._keys(memories)
        self.connection.execute("delete_vectors", keys=list(keys.values()))
        self._insert_vectors(memories, vectors, keys)

    def _insert_words(self, query: str, memories: Sequence[Memory], keys: Mapping[str, int]) -> dict[int, int]:
        """Insert the words of memories and count them; how many each has, by its key."""
        # In the order of their keys: for each that goes back, FTS5 would write out what it holds.
        ordered = sorted(memories, key=lambda memory: keys[memory.id])
        rows = [{"key": keys[one.id], **indexed(one.text, one.owner, one.status)} for one in ordered]
        self.connection.execute_many(query, rows)
        lengths = {row["key"]: row["length"] for row in rows}
        for memory in memories:
            self.owner.count_words(memory.status, 1, lengths[keys[memory.id]])
        return lengths

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
        self.connection.execute_many("insert_vector", rows)

    def _keys(self, memories: Sequence[Memory]) -> dict[str, int]:
        """The keys of live memories."""
        return {id_: key for id_, key, _, _ in self._standing(memories, live=True)}

    def _standing(self, memories: Sequence[Memory], *, live: bool) -> Rows:
        """(id, key, status, FTS5's record of the length) of the rows of one side."""
        query = "standing_live" if live else "standing_stored"
        return self.connection.execute(query, ids=[memory.id for memory in memories]) if memories else []


class SqliteTransaction(Transaction):
    """One owner's rows in a SQLite transaction."""

    def __init__(self, view: View, driver: apsw.Connection, caches: SearchCaches) -> None:
        connection = SqliteConnection(view, driver)
        owner = OwnerTable(connection)
        tombstones = TombstoneTable(connection, owner)
        index = SqliteIndex(connection, owner, tombstones, caches)
        super().__init__(connection, owner, tombstones, index, SqliteRowStorage(connection, owner))
