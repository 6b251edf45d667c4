"""`tx.events`: what happened to memories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..domain.events import Event
from ..ports import NewEvent
from .owner_connection import OwnerConnection, Rows
from .owner_table import OwnerTable
from .row_codec import Json


@dataclass(slots=True)
class EventTable:
    """The table `events`."""

    db: OwnerConnection
    owner: OwnerTable

    def of_memory(self, memory: str) -> list[Event]:
        return self._events(self.db.execute("events_of_memory", memory=memory))

    def of_batch(self, batch: str) -> list[Event]:
        return self._events(self.db.execute("events_of_batch", batch=batch))

    def page(self, *, after: int = 0, limit: int = 1000) -> list[Event]:
        return self._events(self.db.execute("events_after", after=after, limit=limit))

    def reinforced(self, ids: Sequence[str], *, since: datetime, session: str | None) -> set[str]:
        if not ids:
            return set()
        rows = self.db.execute("last_reinforced", ids=list(ids), since=since, session=session)
        return {row[0] for row in rows}

    def use_times(self, ids: Sequence[str], *, since: datetime) -> dict[str, list[datetime]]:
        found: dict[str, list[datetime]] = {}
        for id_, at in self.db.execute("uses_since", ids=list(ids), since=since) if ids else ():
            found.setdefault(id_, []).append(self.db.codec.instant(at))
        return found

    def record(self, changes: Sequence[NewEvent], *, at: datetime, batch: str, session: str | None = None) -> None:
        if not changes:
            return
        actor = self.db.view.agent
        self.append(
            Event(0, at, change.kind, change.memory, batch, actor, session, change.reason, change.detail)
            for change in changes
        )

    def append(self, events: Iterable[Event]) -> None:
        self.db.execute_many(
            "add_event",
            (
                {
                    "seq": self.owner.next_version(),
                    "at": event.at,
                    "kind": event.kind.value,
                    "memory": event.memory,
                    "batch": event.batch,
                    "actor": event.actor,
                    "session": event.session,
                    "reason": event.reason,
                    "detail": Json(dict(event.detail)),
                }
                for event in events
            ),
        )

    def redact(self, ids: Iterable[str]) -> None:
        """Clear what the events say about these memories."""
        self.db.execute_many("redact_events", ({"memory": id_} for id_ in ids))

    def _events(self, rows: Rows) -> list[Event]:
        return [self.db.codec.event(row) for row in rows]
