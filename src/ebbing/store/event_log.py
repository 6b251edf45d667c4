"""What happened and what must not come back: the events of an owner's memories, and its tombstones."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from datetime import datetime

from ..domain.events import Event
from ..ports import NewEvent, Tombstone
from .owner_row import Owning
from .row_codec import Json


class Log(Owning):
    """The part of a transaction that writes down what it does."""

    def record(self, changes: Sequence[NewEvent], *, at: datetime, batch: str, session: str | None = None) -> None:
        if not changes:
            return
        actor = self.view.agent
        self.replay(
            Event(0, at, change.kind, change.memory, batch, actor, session, change.reason, change.detail)
            for change in changes
        )

    def replay(self, events: Iterable[Event]) -> None:
        self.tell(
            "add_event",
            (
                {
                    "seq": self.tick(),
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

    def history(self, memory: str) -> list[Event]:
        return [self.codec.event(row) for row in self.ask("events_of_memory", memory=memory)]

    def batch(self, batch: str) -> list[Event]:
        return [self.codec.event(row) for row in self.ask("events_of_batch", batch=batch)]

    def log(self, *, after: int = 0, limit: int = 1000) -> list[Event]:
        return [self.codec.event(row) for row in self.ask("events_after", after=after, limit=limit)]

    def reinforced(self, ids: Sequence[str], *, since: datetime, session: str | None) -> set[str]:
        if not ids:
            return set()
        return {row[0] for row in self.ask("last_reinforced", ids=list(ids), since=since, session=session)}

    def uses(self, ids: Sequence[str], *, since: datetime) -> dict[str, list[datetime]]:
        found: dict[str, list[datetime]] = {}
        for id_, at in self.ask("uses_since", ids=list(ids), since=since) if ids else ():
            found.setdefault(id_, []).append(self.codec.instant(at))
        return found

    def tombstoned(self, hashes: Sequence[str]) -> dict[str, str]:
        return {hash_: id_ for id_, hash_ in self.ask("tombstones", hashes=list(hashes))}

    def tombstones(self) -> list[Tombstone]:
        rows = self.ask("list_tombstones")
        return [Tombstone(id_, hash_, receipt, self.codec.instant(at)) for id_, hash_, receipt, at in rows]

    def add_tombstones(self, tombstones: Sequence[Tombstone]) -> None:
        self.tell("add_tombstone", map(dataclasses.asdict, tombstones))

    def remove_tombstone(self, tombstone: str) -> bool:
        return bool(self.ask("delete_tombstone", id=tombstone))
