"""What Ebbing asks of the world: a store, and models that turn text into vectors, judge it or answer in words.

Protocols and the plain values that cross them, by what is asked: `store.py`, `read_transaction.py`, `search.py`,
`models.py`, `credentials.py`. All of their names can be imported from here.
"""

from .credentials import Token, Tokens
from .models import Embedder, Judge, Llm, Reranker, Vector
from .read_transaction import (
    EventLog,
    MatchIndex,
    MemoryRows,
    OwnerState,
    ReadTransaction,
    ScopeContents,
    ScopeCounters,
    SummaryQueue,
    Tombstones,
)
from .search import REACH, Column, Filter, Found, Question, Search, View
from .store import Attendant, Progress, Store, WriteTransaction
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

__all__ = [
    "BEHIND_EVERY_ID",
    "REACH",
    "Attendant",
    "Column",
    "Due",
    "Embedder",
    "EventLog",
    "Filter",
    "Finding",
    "Found",
    "Judge",
    "Llm",
    "MatchIndex",
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
    "WriteTransaction",
    "counters",
]
