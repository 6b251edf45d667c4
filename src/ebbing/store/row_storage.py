"""Writing rows of memories with their words and vectors, in the live tables and in the archive.

A row that leaves the live tables is nearly always the row that was there, with another status and another alarm. So it
is copied by the database itself, all that leave together in one statement, and never read, decoded, encoded and written
one by one; what else is to be different is written behind it, for the few where anything is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from operator import attrgetter

from ..domain.memory import Memory
from ..ports import Vector
from .owner_connection import OwnerConnection
from .owner_table import OwnerTable
from .row_codec import COLUMNS, values_of

# What never changes on a memory that stays the same memory, and what every row that is moved is given.
_NOT_COMPARED = "owner id text status created_at created_day tokens digest due_at due_day".split()
_compared = attrgetter(*(name for name in COLUMNS if name not in _NOT_COMPARED))


class RowStorage(ABC):
    """One owner's rows. Both sides, live and archive, know a row by the same key (session_keys.py)."""

    def __init__(self, connection: OwnerConnection, owner: OwnerTable) -> None:
        self.connection = connection
        self.owner = owner

    @abstractmethod
    def reserve_places(self, count: int) -> int:
        """Reserve so many consecutive places for keys; the first of them."""

    @abstractmethod
    def insert(
        self, memories: Sequence[Memory], vectors: Mapping[str, Vector], keys: Mapping[str, int], *, live: bool
    ) -> None:
        """Insert rows of one side under these keys, with their words and vectors."""

    @abstractmethod
    def delete(self, memories: Sequence[Memory], *, live: bool) -> dict[str, int]:
        """Delete rows of one side with their words and vectors; their keys, by id."""

    @abstractmethod
    def copy_to_archive(self, memories: Sequence[Memory]) -> None:
        """Copy live rows to the archive, with the status and the alarms given."""

    @abstractmethod
    def index_archived(self, memories: Sequence[Memory], keys: Mapping[str, int]) -> None:
        """Insert the words of archived rows that have these keys."""

    @abstractmethod
    def reindex(self, memories: Sequence[Memory]) -> None:
        """Write the words of live rows anew after a change from one live status to the other."""

    @abstractmethod
    def replace_vectors(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        """Write other vectors for live rows."""

    def move_to_archive(self, memories: Sequence[Memory], before: Mapping[str, Memory] | None) -> None:
        """Move live rows to the archive under the same keys, so that neighbours in a session find each other again
        after a restore. `before`: the rows as they are stored, if known."""
        if before is None:
            rows = self.connection.execute("get_live", ids=[memory.id for memory in memories])
            before = {memory.id: memory for memory in self.connection.memories(rows)}
        self.copy_to_archive(memories)
        self.index_archived(memories, self.delete(memories, live=True))
        changed = [memory for memory in memories if _compared(memory) != _compared(before[memory.id])]
        self.connection.execute_many("update_stored", map(values_of, changed))
