"""A transaction in PostgreSQL: how rows, words and vectors are written, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...domain.memory import Memory, Status
from ...ports import MatchLookup, Question, Search, Vector, View
from ..index_lookup import IndexLookup
from ..owner_connection import Rows
from ..row_codec import values_of
from ..row_storage import RowStorage
from ..tombstone_table import TombstoneTable
from ..transaction import Transaction
from .connection import Connection, Cursor
from .owner_connection import PostgresConnection, PostgresOwnerTable
from .search import PostgresSearch, indexed
from .statements import half


class PostgresIndex(IndexLookup):
    """A table of words, and vectors compared where they are stored."""

    connection: PostgresConnection
    owner: PostgresOwnerTable

    def search(self, question: Question) -> Search:
        return PostgresSearch(self.connection, self.owner, question)

    def words_with_prefix(self, prefix: str, limit: int) -> list[str]:
        rows = self.connection.execute("words_from", low=prefix, high=f"{prefix}\U0010ffff", limit=limit)
        return [term for (term,) in rows]

    def lookup_matches(self, hashes: Sequence[str], digests: Sequence[str]) -> MatchLookup:
        rows = self.connection.execute("familiar", hashes=list(hashes), digests=list(digests))
        return MatchLookup(
            {hash_: tombstone for tombstone, hash_, *_ in rows if tombstone is not None},
            self.connection.visible(row[2:] for row in rows if row[0] is None),
        )

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        rows = self.connection.execute("vectors_live", ids=list(ids))
        rows += self.connection.execute("vectors_stored", ids=list(ids))
        return {id_: vector.to_numpy().astype(np.float32) for id_, vector in rows}


class PostgresRowStorage(RowStorage):
    """Rows that name their words, and a table of words that follows them."""

    owner: PostgresOwnerTable

    def reserve_places(self, count: int) -> int:
        first = self.owner.places
        self.owner.places += count
        return first

    def insert(
        self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int], *, live: bool
    ) -> None:
        rows = []
        for memory in memories:
            found = indexed(memory.text)
            vector = half(vectors[memory.id]) if memory.id in vectors else None
            rows.append({**values_of(memory), **found, "key": keys[memory.id], "vector": vector})
            self.owner.count_words(memory.status, 1, found["length"])
        if live:
            self.connection.execute_many("insert_live", rows)
        else:
            self.connection.execute_many("insert_stored", rows)
            self.connection.execute("insert_stored_words", ids=[memory.id for memory in memories])

    def delete(self, memories: Sequence[Memory], *, live: bool) -> dict[str, int]:
        leaving = self._standing(memories, live=live)
        ids = [id_ for id_, *_ in leaving]
        if live:
            self.connection.execute("delete_words", ids=ids)
            self.connection.execute("delete_vectors", keys=[key for _, key, *_ in leaving])
            self.connection.execute("delete_vitals", ids=ids)
            self.connection.execute("delete_memories", ids=ids)
        else:
            self.connection.execute("delete_stored_words", ids=ids)
            self.connection.execute("delete_stored", ids=ids)
        for _, _, status, length in leaving:
            self.owner.count_words(Status(status), -1, -length)
        return {id_: key for id_, key, _, _ in leaving}

    def copy_to_archive(self, memories: Sequence[Memory]) -> None:
        columns = zip(*((m.id, m.status.value, m.due_at, m.due_day) for m in memories), strict=True)
        names = ("ids", "statuses", "due_at", "due_day")
        self.connection.execute("store_live", **dict(zip(names, map(list, columns), strict=True)))

    def index_archived(self, memories: Sequence[Memory], keys: Mapping[str, int]) -> None:
        self.connection.execute("insert_stored_words", ids=list(keys))
        for _, _, status, length in self._standing(memories, live=False):
            self.owner.count_words(Status(status), 1, length)

    def reindex(self, memories: Sequence[Memory]) -> None:
        self.connection.execute_many("mark_words", ({"id": memory.id} for memory in memories))
        for _, _, status, length in self._standing(memories, live=True):
            # It had the other status that is live.
            before = Status.DETACHED if status == Status.ACTIVE else Status.ACTIVE
            self.owner.count_words(before, -1, -length)
            self.owner.count_words(Status(status), 1, length)

    def replace_vectors(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        keys = {id_: key for id_, key, _, _ in self._standing(memories, live=True)}
        rows = (
            {"key": keys[memory.id], "fingerprint": memory.fingerprint, "vector": half(vectors[memory.id])}
            for memory in memories
        )
        self.connection.execute_many("insert_vector", rows)

    def _standing(self, memories: Sequence[Memory], *, live: bool) -> Rows:
        """(id, key, status, length) of the rows of one side."""
        query = "standing_live" if live else "standing_stored"
        return self.connection.execute(query, ids=[memory.id for memory in memories]) if memories else []


class PostgresTransaction(Transaction):
    """One owner's rows in a PostgreSQL transaction."""

    connection: PostgresConnection

    def __init__(self, view: View, driver: Connection) -> None:
        connection = PostgresConnection(view, driver)
        owner = PostgresOwnerTable(connection)
        tombstones = TombstoneTable(connection, owner)
        index = PostgresIndex(connection, owner, tombstones)
        super().__init__(connection, owner, tombstones, index, PostgresRowStorage(connection, owner))
        self.ending = False  # whether the server may have received the COMMIT
        self._pending: tuple[str, Cursor] | None = None  # a scope, and what will say how much it holds

    def save(self) -> None:
        """In one statement where one scope has only grown, as with nearly everything that is remembered."""
        changes = {scope: counts for scope, counts in self.scopes.changes.items() if any(counts.values())}
        values = self.owner.values()
        scope, counts = next(iter(changes.items()), ("", {}))
        if len(changes) != 1 or min(counts.values()) < 0 or values == self.owner.loaded:
            super().save()
            return
        given = {"owner": self.view.owner, "scope": scope, **counts, **values}
        self._pending = scope, self.connection.send(self.connection.queries["save_owner_and_hold"], given)

    def end(self) -> None:
        """Commit, without waiting for the server."""
        self.ending = True
        self.connection.driver.execute("COMMIT", prepare=True)

    def ended(self) -> None:
        """The server has committed: read what was not waited for."""
        if self._pending is not None:
            scope, cursor = self._pending
            self.scopes.active_counts[scope] = cursor.fetchall()[0][0]
