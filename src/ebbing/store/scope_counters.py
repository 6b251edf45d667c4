"""What forgetting keeps beside the memories: what each scope holds, who waits to be summarized, who sweeps.

Counted in the transaction that changes it, once for both engines, so that a budget or a full
buffer is noticed without looking at a single memory.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from ..domain.memory import Memory, Scope, Status, Tier
from ..ports import BEHIND_EVERY_ID, QueuedSummary, ScopeUsage, View, counters
from .row_codec import Codec

_COUNTS = tuple(entry.name for entry in dataclasses.fields(ScopeUsage) if entry.name != "scope")
_NOTHING = dict.fromkeys(_COUNTS, 0)


class Keeping(ABC):
    """The part of a transaction that keeps count."""

    codec: ClassVar[Codec]
    view: View

    def __init__(self) -> None:
        self._moved: dict[str, dict[str, int]] = {}  # what this transaction put into each scope, or took from it
        self.active: dict[str, int] = {}  # once committed: how many active memories the scopes it changed hold

    @abstractmethod
    def ask(self, name: str, **values: Any) -> list[tuple[Any, ...]]:
        """One named statement, its rows."""

    @abstractmethod
    def tell(self, name: str, several: Iterable[Mapping[str, Any]]) -> None:
        """One named statement for each set of values."""

    # What scopes hold

    def count_in(self, status: Status, scope: str, tier: Tier, tokens: int, sign: int = 1) -> None:
        """One memory more in its scope, or with `sign` -1 one less; only what is live counts."""
        if not status.live:
            return
        if scope not in self._moved:
            self._moved[scope] = dict(_NOTHING)
        moved = self._moved[scope]
        for name in counters(status, tier):
            moved[name] += sign
            moved[f"{name}_tokens"] += sign * tokens

    def count_memories(self, memories: Iterable[Memory], sign: int = 1) -> None:
        for memory in memories:
            self.count_in(memory.status, memory.scope, memory.tier, memory.tokens, sign)

    def save_holdings(self) -> None:
        for scope, moved in self._moved.items():
            if any(moved.values()):
                self.ask("hold", scope=scope, **moved)
                self.active[scope] = self.ask("held", scope=scope)[0][0]
                if moved["active"] < 0 or moved["detached"] < 0:
                    self.ask("release_holding", scope=scope)
        self._moved = {}

    def full(self, *, active: int, active_tokens: int, detached_tokens: int) -> list[ScopeUsage]:
        rows = self.ask("full", active=active, active_tokens=active_tokens, detached_tokens=detached_tokens)
        return [ScopeUsage(Scope(scope), *counts) for scope, *counts in rows]

    def crowded(self, active: int) -> bool:
        return bool(self.ask("crowded", active=active))

    def members(self, scope: Scope, status: Status) -> list[Memory]:
        return [self.codec.memory(row) for row in self.ask("members", scope=scope, status=status)]

    def buffer(self, agent: str | None, session: str | None) -> list[Memory]:
        return [self.codec.memory(row) for row in self.ask("buffer", agent=agent, session=session)]

    # Who waits

    def queued_for_summary(self, scope: Scope, limit: int, *, before: str = BEHIND_EVERY_ID) -> list[QueuedSummary]:
        rows = self.ask("waiting", scope=scope, limit=limit, before=before)
        return [QueuedSummary(id_, self.codec.instant(since)) for id_, since in rows]

    def queued_since(self, ids: Sequence[str]) -> dict[str, datetime]:
        rows = self.ask("waiting_since", ids=list(ids)) if ids else []
        return {id_: self.codec.instant(since) for id_, since in rows}

    def enqueue_for_summary(self, waiters: Mapping[Memory, datetime]) -> None:
        self.tell("begin_waiting", ({"id": m.id, "scope": m.scope, "since": since} for m, since in waiters.items()))

    def dequeue_for_summary(self, ids: Iterable[str]) -> None:
        gone = list(ids)
        if gone:
            self.ask("wait_no_more", ids=gone)
