"""Taking memories off the live side: whole rows, moved inside the database.

A row that leaves is nearly always the row that stood there, with another status and another alarm. So it is copied by
the database itself, all that leave together in one statement, and never read, decoded, encoded and written one by
one; what else is to be different is written behind it, for the few where anything is.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from operator import attrgetter

from ..domain.memory import Memory
from .match_index import Meetings
from .row_codec import COLUMNS, values_of

# What never changes on a memory that stays the same memory, and what every row that is moved is given.
_NOT_TOLD = "owner id text status created_at created_day tokens digest due_at due_day".split()
_told = attrgetter(*(name for name in COLUMNS if name not in _NOT_TOLD))


class Lowering(Meetings):
    """The part of a transaction that moves rows off the live side."""

    @abstractmethod
    def remove_side(self, memories: Sequence[Memory], *, live: bool) -> dict[str, int]:
        """Rows, words and vectors off one side; the keys they had."""

    @abstractmethod
    def store_rows(self, memories: Sequence[Memory]) -> None:
        """Copies of live rows on the other side, with the status and the alarms given."""

    @abstractmethod
    def index_stored(self, memories: Sequence[Memory], keys: Mapping[str, int]) -> None:
        """The words of rows that came to the other side under these keys."""

    def lower(self, memories: Sequence[Memory], was: Mapping[str, Memory] | None) -> None:
        """To the other side, by the same key, so that whoever stood beside it does so again when it comes back."""
        if was is None:
            rows = self.ask("get_live", ids=[memory.id for memory in memories])
            was = {memory.id: memory for memory in map(self.codec.memory, rows)}
        self.store_rows(memories)
        self.index_stored(memories, self.remove_side(memories, live=True))
        changed = [memory for memory in memories if _told(memory) != _told(was[memory.id])]
        self.tell("update_stored", map(values_of, changed))
