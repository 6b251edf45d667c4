"""Writing rows of memories with their words and vectors, in the live tables and in the archive.

A row that leaves the live tables is nearly always the row that was there, with another status and another alarm. So it
is copied by the database itself, all that leave together in one statement, and never read, decoded, encoded and written
one by one; what else is to be different is written behind it, for the few where anything is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from ..domain.memory import Memory, Status
from ..ports import Vector
from .owner_connection import OwnerConnection
from .owner_table import OwnerTable
from .row_codec import COLUMNS, STATUSES, values_of

# What never changes on a memory that stays the same memory, and what every row that is moved is given.
_NOT_COMPARED = "owner id text status created_at created_day tokens digest due_at due_day".split()
_compared = attrgetter(*(name for name in COLUMNS if name not in _NOT_COMPARED))
_DELETING_LIVE = ("delete_words", "delete_vectors", "delete_vitals", "delete_memories")
_DELETING_ARCHIVED = ("delete_stored_words", "delete_stored")


class StoredRow(NamedTuple):
    """What a row says of itself besides the memory."""

    id: str
    key: int
    status: Status
    length: int  # in words


@dataclass(slots=True)
class RowStorage(ABC):
    """One owner's rows. Both sides, live and archive, know a row by the same key (session_keys.py)."""

    db: OwnerConnection
    owner: OwnerTable

    @abstractmethod
    def reserve_places(self, count: int) -> int:
        """Reserve so many consecutive places for keys; the first of them."""

    @abstractmethod
    def insert(
        self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int], *, live: bool
    ) -> None:
        """Insert rows of one side under these keys, with their words and vectors, and count their words."""

    @abstractmethod
    def copy_to_archive(self, memories: Sequence[Memory]) -> None:
        """Copy live rows to the archive, with the status and the alarms given."""

    @abstractmethod
    def insert_archived_words(self, memories: Sequence[Memory], keys: Mapping[str, int]) -> None:
        """Insert the words of rows in the archive."""

    @abstractmethod
    def update_words(self, memories: Sequence[Memory], keys: Mapping[str, int]) -> None:
        """Write the status of live rows to their words."""

    @abstractmethod
    def write_vectors(self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int]) -> None:
        """Write the vectors of live rows, in the place of older ones."""

    def delete(self, memories: Sequence[Memory], *, live: bool) -> dict[str, int]:
        """Delete rows of one side with their words and vectors; their keys, by id."""
        rows = self._rows(memories, live=live)
        self._delete(rows, live=live)
        return _keys(rows)

    def move_to_archive(self, memories: Sequence[Memory], before: Mapping[str, Memory] | None) -> None:
        """Move live rows to the archive under the same keys, so that neighbours in a session find each other again
        after a restore. `before`: the rows as they are stored, if known."""
        if before is None:
            found = self.db.execute("get_live", ids=[memory.id for memory in memories])
            before = {memory.id: memory for memory in self.db.memories(found)}
        self.copy_to_archive(memories)
        rows = self._rows(memories, live=True)
        self._delete(rows, live=True)
        self.insert_archived_words(memories, _keys(rows))
        lengths = {row.id: row.length for row in rows}
        for memory in memories:
            self.owner.count_words(memory.status, 1, lengths[memory.id])
        changed = [memory for memory in memories if _compared(memory) != _compared(before[memory.id])]
        self.db.execute_many("update_stored", map(values_of, changed))

    def change_status(self, memories: Sequence[Memory]) -> None:
        """Follow live rows that were given the other status that is live: their words, and how many those are."""
        rows = self._rows(memories, live=True)
        self.update_words(memories, _keys(rows))
        for row in rows:
            before = Status.DETACHED if row.status is Status.ACTIVE else Status.ACTIVE
            self.owner.count_words(before, -1, -row.length)
            self.owner.count_words(row.status, 1, row.length)

    def replace_vectors(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        """Write other vectors for live memories."""
        self.write_vectors(memories, vectors, _keys(self._rows(memories, live=True)))

    def _rows(self, memories: Sequence[Memory], *, live: bool) -> list[StoredRow]:
        """The rows of one side."""
        query, length = "standing_live" if live else "standing_stored", self.db.codec.length
        found = self.db.execute(query, ids=[memory.id for memory in memories]) if memories else []
        return [StoredRow(id_, key, STATUSES[status], length(stored)) for id_, key, status, stored in found]

    def _delete(self, rows: Sequence[StoredRow], *, live: bool) -> None:
        for row in rows:
            self.owner.count_words(row.status, -1, -row.length)
        ids, keys = [row.id for row in rows], [row.key for row in rows]
        for query in _DELETING_LIVE if live else _DELETING_ARCHIVED:
            self.db.execute(query, ids=ids, keys=keys)


def _keys(rows: Sequence[StoredRow]) -> dict[str, int]:
    return {row.id: row.key for row in rows}
