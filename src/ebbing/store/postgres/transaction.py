"""A transaction in PostgreSQL: how rows, words and vectors are written, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...domain.memory import Memory
from ...ports import MatchLookup, Question, Search, Vector, View
from ..index_lookup import IndexLookup
from ..row_codec import values_of
from ..row_storage import RowStorage
from ..tables import TombstoneTable
from ..transaction import Transaction
from .connection import Connection, Cursor
from .owner_connection import PostgresConnection, PostgresOwnerTable
from .search import PostgresSearch, indexed
from .statements import half


@dataclass(slots=True)
class PostgresIndex(IndexLookup):
    """A table of words, and vectors compared where they are stored."""

    db: PostgresConnection
    owner: PostgresOwnerTable

    def search(self, question: Question) -> Search:
        return PostgresSearch(self.db, self.owner, question)

    def words_with_prefix(self, prefix: str, limit: int) -> list[str]:
        rows = self.db.execute("words_from", low=prefix, high=f"{prefix}\U0010ffff", limit=limit)
        return [term for (term,) in rows]

    def lookup_matches(self, hashes: Sequence[str], digests: Sequence[str]) -> MatchLookup:
        rows = self.db.execute("familiar", hashes=list(hashes), digests=list(digests))
        return MatchLookup(
            {hash_: tombstone for tombstone, hash_, *_ in rows if tombstone is not None},
            self.db.visible(row[2:] for row in rows if row[0] is None),
        )


@dataclass(slots=True)
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
            self.db.execute_many("insert_live", rows)
        else:
            self.db.execute_many("insert_stored", rows)
            self.db.execute("insert_stored_words", ids=[memory.id for memory in memories])

    def copy_to_archive(self, memories: Sequence[Memory]) -> None:
        columns = zip(*((m.id, m.status.value, m.due_at, m.due_day) for m in memories), strict=True)
        names = ("ids", "statuses", "due_at", "due_day")
        self.db.execute("store_live", **dict(zip(names, map(list, columns), strict=True)))

    def update_words(
        self,
        memories: Sequence[Memory],
        keys: Mapping[str, int],  # noqa: ARG002 - here, words are found through their rows
    ) -> None:
        self.db.execute_many("mark_words", ({"id": memory.id} for memory in memories))

    def insert_archived_words(
        self,
        memories: Sequence[Memory],
        keys: Mapping[str, int],  # noqa: ARG002 - likewise
    ) -> None:
        self.db.execute("insert_stored_words", ids=[memory.id for memory in memories])

    def write_vectors(self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int]) -> None:
        rows = (
            {"key": keys[memory.id], "fingerprint": memory.fingerprint, "vector": half(vectors[memory.id])}
            for memory in memories
        )
        self.db.execute_many("insert_vector", rows)


class PostgresTransaction(Transaction):
    """One owner's rows in a PostgreSQL transaction."""

    db: PostgresConnection

    def __init__(self, view: View, driver: Connection) -> None:
        db = PostgresConnection(view, driver)
        owner = PostgresOwnerTable(db)
        tombstones = TombstoneTable(db, owner)
        index = PostgresIndex(db, owner, tombstones)
        super().__init__(db, owner, tombstones, index, PostgresRowStorage(db, owner))
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
        self._pending = scope, self.db.send(self.db.queries["save_owner_and_hold"], given)

    def end(self) -> None:
        """Commit, without waiting for the server."""
        self.ending = True
        self.db.driver.execute("COMMIT", prepare=True)

    def ended(self) -> None:
        """The server has committed: read what was not waited for."""
        if self._pending is not None:
            scope, cursor = self._pending
            self.scopes.active_counts[scope] = cursor.fetchall()[0][0]
