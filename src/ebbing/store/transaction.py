"""A transaction: eight groups over one connection, written once for both engines.

An engine adds how a statement is run (`OwnerConnection`), how texts and vectors are searched (`IndexLookup`) and how
rows are written (`RowStorage`). Every write transaction locks its owner's row, so what is read in it is still true when
it is written, in PostgreSQL as in SQLite.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ..ports import View
from .index_lookup import IndexLookup
from .memory_table import MemoryTable
from .owner_connection import OwnerConnection
from .owner_table import OwnerTable
from .row_storage import RowStorage
from .tables import EventTable, ObservedTable, QueueTable, ScopeTable, TombstoneTable


class Transaction:
    """One owner's rows, for as long as the transaction lasts."""

    def __init__(
        self,
        db: OwnerConnection,
        owner: OwnerTable,
        tombstones: TombstoneTable,
        index: IndexLookup,
        storage: RowStorage,
    ) -> None:
        self.db = db
        self.owner = owner
        self.tombstones = tombstones
        self.index = index
        self.events = EventTable(db, owner)
        self.queue = QueueTable(db)
        self.observed = ObservedTable(db, owner)
        self.scopes = ScopeTable(db)
        self.memories = MemoryTable(db, owner, self.scopes, self.queue, self.events, index, storage)

    @property
    def view(self) -> View:
        return self.db.view

    @contextmanager
    def all_agents(self) -> Iterator[None]:
        narrow = self.db.view
        self.db.view = replace(narrow, every_agent=True)
        try:
            yield
        finally:
            self.db.view = narrow

    def save(self) -> None:
        """Write the counters that this transaction has changed."""
        self.scopes.save()
        self.owner.save()
