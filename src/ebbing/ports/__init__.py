"""What Ebbing asks of the world: a store, and models that turn text into vectors, judge it or answer in words.

Protocols and the plain values that cross them, by what is asked: `store.py`, `transaction.py`, `memory_rows.py`,
`search.py`, `models.py`, `credentials.py`. All of their names can be imported from here.
"""

from .credentials import Token, Tokens
from .memory_rows import Index, MemoryRows, WritableMemoryRows
from .models import Embedder, Judge, Llm, Reranker, Vector
from .search import REACH, Column, Filter, Found, Question, Search, View
from .store import BackgroundSweeper, Progress, Store
from .store_values import (
    BEHIND_EVERY_ID,
    Due,
    Finding,
    MatchLookup,
    NewEvent,
    QueuedSummary,
    ScopeUsage,
    Scrubbed,
    StatusCount,
    Tombstone,
    counters,
)
from .transaction import (
    EventLog,
    OwnerState,
    ReadTransaction,
    ScopeContents,
    ScopeCounters,
    SummaryQueue,
    Tombstones,
    WritableEventLog,
    WritableOwnerState,
    WritableScopeCounters,
    WritableSummaryQueue,
    WritableTombstones,
    WriteTransaction,
)

__all__ = [
    "BEHIND_EVERY_ID",
    "REACH",
    "BackgroundSweeper",
    "Column",
    "Due",
    "Embedder",
    "EventLog",
    "Filter",
    "Finding",
    "Found",
    "Index",
    "Judge",
    "Llm",
    "MatchLookup",
    "MemoryRows",
    "NewEvent",
    "OwnerState",
    "Progress",
    "Question",
    "QueuedSummary",
    "ReadTransaction",
    "Reranker",
    "ScopeContents",
    "ScopeCounters",
    "ScopeUsage",
    "Scrubbed",
    "Search",
    "StatusCount",
    "Store",
    "SummaryQueue",
    "Token",
    "Tokens",
    "Tombstone",
    "Tombstones",
    "Vector",
    "View",
    "WritableEventLog",
    "WritableMemoryRows",
    "WritableOwnerState",
    "WritableScopeCounters",
    "WritableSummaryQueue",
    "WritableTombstones",
    "WriteTransaction",
    "counters",
]
