"""`tx.queue`: the memories that wait to be summarized."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..domain.memory import Memory, Scope
from ..ports import BEHIND_EVERY_ID, QueuedSummary
from .owner_connection import OwnerConnection


@dataclass(slots=True)
class QueueTable:
    """The table `waiting`."""

    db: OwnerConnection

    def page(self, scope: Scope, limit: int, *, before: str = BEHIND_EVERY_ID) -> list[QueuedSummary]:
        rows = self.db.execute("waiting", scope=scope, limit=limit, before=before)
        return [QueuedSummary(id_, self.db.codec.instant(since)) for id_, since in rows]

    def since(self, ids: Sequence[str]) -> dict[str, datetime]:
        rows = self.db.execute("waiting_since", ids=list(ids)) if ids else []
        return {id_: self.db.codec.instant(since) for id_, since in rows}

    def add(self, since: Mapping[Memory, datetime]) -> None:
        rows = ({"id": memory.id, "scope": memory.scope, "since": at} for memory, at in since.items())
        self.db.execute_many("begin_waiting", rows)

    def remove(self, ids: Iterable[str]) -> None:
        if gone := list(ids):
            self.db.execute("wait_no_more", ids=gone)
