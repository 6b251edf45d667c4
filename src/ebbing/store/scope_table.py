"""`tx.scopes`: how many memories and tokens each scope holds.

Counted in the transaction that changes it, so that a budget or a full buffer is noticed without reading a memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields

from ..domain.memory import Memory, Scope, Status, Tier
from ..ports import ScopeUsage, counters
from .owner_connection import OwnerConnection

_COUNTS = tuple(entry.name for entry in fields(ScopeUsage) if entry.name != "scope")
_NOTHING = dict.fromkeys(_COUNTS, 0)


@dataclass(slots=True)
class ScopeTable:
    """The table `holdings`: a row for each scope that holds something live."""

    db: OwnerConnection
    changes: dict[str, dict[str, int]] = field(default_factory=dict)  # by scope: what is to be added to its counters
    active_counts: dict[str, int] = field(default_factory=dict)

    def exceeding(self, *, active: int, active_tokens: int, detached_tokens: int) -> list[ScopeUsage]:
        rows = self.db.execute("full", active=active, active_tokens=active_tokens, detached_tokens=detached_tokens)
        return [ScopeUsage(Scope(scope), *counts) for scope, *counts in rows]

    def any_with(self, active: int) -> bool:
        return bool(self.db.execute("crowded", active=active))

    def memories(self, scope: Scope, status: Status) -> list[Memory]:
        return self.db.memories(self.db.execute("members", scope=scope, status=status))

    def count(self, memories: Iterable[Memory], sign: int = 1) -> None:
        """Add these to the counters of their scopes, or with `sign` -1 subtract them."""
        for memory in memories:
            self.count_one(memory.status, memory.scope, memory.tier, memory.tokens, sign)

    def count_one(self, status: Status, scope: str, tier: Tier, tokens: int, sign: int = 1) -> None:
        """The same for one memory with these values; only live ones are counted."""
        if not status.live:
            return
        if scope not in self.changes:
            self.changes[scope] = dict(_NOTHING)
        change = self.changes[scope]
        for name in counters(status, tier):
            change[name] += sign
            change[f"{name}_tokens"] += sign * tokens

    def save(self) -> None:
        """Write what has changed."""
        for scope, change in self.changes.items():
            if any(change.values()):
                self.db.execute("hold", scope=scope, **change)
                self.active_counts[scope] = self.db.execute("held", scope=scope)[0][0]
                if change["active"] < 0 or change["detached"] < 0:
                    self.db.execute("release_holding", scope=scope)
        self.changes = {}
