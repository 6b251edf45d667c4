"""A stand-in for `google.adk.memory.memory_entry`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(kw_only=True)
class MemoryEntry:
    """One memory."""

    content: Any
    custom_metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None
    author: str | None = None
    timestamp: str | None = None
