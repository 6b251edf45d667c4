"""Ebbing: memory for LLM agents that knows how to forget.

import ebbing

with ebbing.open("memory.db") as memory:
    memory.remember("The deploy key lives in the vault under ops/deploy")
    memory.recall("where is the deploy key?")
"""

from .answers import (
    Action,
    Batch,
    Imported,
    Receipt,
    Recollection,
    Recollections,
    Remembered,
    Skipped,
    Stats,
    Sweep,
)
from .engine import Engine
from .errors import (
    Conflict,
    Corrupt,
    Denied,
    EbbingError,
    Invalid,
    InvalidPolicy,
    Locked,
    NewerFile,
    NotFound,
    StorageFull,
    TooLarge,
    Unavailable,
)
from .model import Event, EventKind, Memory, Scope, Source, Status, Tier, Visibility
from .policy import Policy
from .wiring import open

__all__ = [
    "Action",
    "Batch",
    "Conflict",
    "Corrupt",
    "Denied",
    "EbbingError",
    "Engine",
    "Event",
    "EventKind",
    "Imported",
    "Invalid",
    "InvalidPolicy",
    "Locked",
    "Memory",
    "NewerFile",
    "NotFound",
    "Policy",
    "Receipt",
    "Recollection",
    "Recollections",
    "Remembered",
    "Scope",
    "Skipped",
    "Source",
    "Stats",
    "Status",
    "StorageFull",
    "Sweep",
    "Tier",
    "TooLarge",
    "Unavailable",
    "Visibility",
    "open",
]
