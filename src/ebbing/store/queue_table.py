"""`tx.queue`: the memories that wait to be summarized."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from ..domain.memory import Memory, Scope
from ..ports import BEHIND_EVERY_ID, QueuedSummary
from .owner_connection import OwnerConnection


class QueueTable:
    """The table `waiting`."""

    def __init__(self, connection: OwnerConnection) -> None:
        self.connection = connection

    def page(self, scope: Scope, limit: int, *, before: str = BEHIND_EVERY_ID) -> list[QueuedSummary]:
        rows = self.connection.execute("waiting", scope=scope, limit=limit, before=before)
        return [QueuedSummary(id_, self.connection.codec.instant(since)) for id_, since in rows]

    def since(self, ids: Sequence[str]) -> dict[str, datetime]:
        rows = self.connection.execute("waiting_since", ids=list(ids)) if ids else []
        return {id_: self.connection.codec.instant(since) for id_, since in rows}

    def add(self, since: Mapping[Memory, datetime]) -> None:
        rows = ({"id": memory.id, "scope": memory.scope, "since": at} for memory, at in since.items())
        self.connection.execute_many("begin_waiting", rows)

    def remove(self, ids: Iterable[str]) -> None:
        if gone := list(ids):
            self.connection.execute("wait_no_more", ids=gone)
