"""The smaller tables of a transaction: events, the queue, tombstones, observed messages, and counters of scopes.

Each is written once for both engines. Memories are in memory_table.py, the owner's row is in owner_table.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime

from ..domain.events import Event
from ..domain.memory import Memory, Scope, Status, Tier
from ..ports import BEHIND_EVERY_ID, NewEvent, QueuedSummary, ScopeUsage, Tombstone, counters
from ..text.terms import salted
from .owner_connection import OwnerConnection, Rows
from .owner_table import SALT_BYTES, OwnerTable
from .row_codec import Json

_COUNTS = tuple(entry.name for entry in fields(ScopeUsage) if entry.name != "scope")
_NOTHING = dict.fromkeys(_COUNTS, 0)


@dataclass(slots=True)
class EventTable:
    """The table `events`."""

    db: OwnerConnection
    owner: OwnerTable

    def of_memory(self, memory: str) -> list[Event]:
        return self._events(self.db.execute("events_of_memory", memory=memory))

    def of_batch(self, batch: str) -> list[Event]:
        return self._events(self.db.execute("events_of_batch", batch=batch))

    def batch_before(self, before: str | None, *, purged: bool = False) -> str | None:
        query = "purged_batch_before" if purged else "away_batch_before"
        rows = self.db.execute(query, before=BEHIND_EVERY_ID if before is None else before)
        return None if not rows else str(rows[0][0])

    def put_away_by(self, batch: str, *, after: int = 0, limit: int) -> list[Event]:
        return self._events(self.db.execute("put_away_by", batch=batch, after=after, limit=limit))

    def count_put_away_by(self, batch: str, *, most: int) -> int:
        count: int = self.db.execute("count_put_away_by", batch=batch, most=most)[0][0]
        return count

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
        if removed := list(ids):
            self.db.execute("wait_no_more", ids=removed)


@dataclass(slots=True)
class TombstoneTable:
    """The table `tombstones`, and the salts in the owner's row."""

    db: OwnerConnection
    owner: OwnerTable

    @property
    def salts(self) -> list[bytes]:
        salt = self.owner.row.salt
        return [salt[start : start + SALT_BYTES] for start in range(0, len(salt), SALT_BYTES)]

    def matching(self, hashes: Sequence[str]) -> dict[str, str]:
        return {hash_: id_ for id_, hash_ in self.db.execute("tombstones", hashes=list(hashes))}

    def all(self) -> list[Tombstone]:
        instant = self.db.codec.instant
        rows = self.db.execute("list_tombstones")
        return [Tombstone(id_, hash_, receipt, instant(at)) for id_, hash_, receipt, at in rows]

    def add(self, tombstones: Sequence[Tombstone]) -> None:
        self.db.execute_many("add_tombstone", map(asdict, tombstones))

    def add_salt(self, salt: bytes) -> None:
        if salt not in self.salts:
            self.owner.row.salt += salt

    def remove(self, tombstone: str) -> bool:
        return bool(self.db.execute("delete_tombstone", id=tombstone))


@dataclass(slots=True)
class ObservedTable:
    """The table `observed`, with the owner's own salt."""

    db: OwnerConnection
    owner: OwnerTable

    def memories_of(self, digests: Sequence[str]) -> dict[str, tuple[str, ...]]:
        if not digests:
            return {}
        by_mark = {self._mark(digest): digest for digest in digests}
        rows = self.db.execute("observed", marks=list(by_mark))
        return {by_mark[mark]: tuple(self.db.codec.json(ids)) for mark, ids in rows}

    def add(self, memories: Mapping[str, Sequence[str]]) -> None:
        rows = ({"mark": self._mark(digest), "memories": Json(list(ids))} for digest, ids in memories.items())
        self.db.execute_many("add_observed", rows)

    def _mark(self, digest: str) -> str:
        return salted(digest, self.owner.row.salt[:SALT_BYTES])


@dataclass(slots=True)
class ScopeTable:
    """The table `holdings`: a row for each scope that holds something live."""

    db: OwnerConnection
    changes: dict[str, dict[str, int]] = field(default_factory=dict)  # by scope: what is to be added to its counters
    active_counts: dict[str, int] = field(default_factory=dict)

    def exceeding(self, *, active: int, active_tokens: int, detached_tokens: int) -> list[ScopeUsage]:
        rows = self.db.execute("full", active=active, active_tokens=active_tokens, detached_tokens=detached_tokens)
        return [ScopeUsage(Scope(scope), *counts) for scope, *counts in rows]

    def page(self, *, after: str = "", limit: int) -> list[ScopeUsage]:
        return [
            ScopeUsage(Scope(name), *counts) for name, *counts in self.db.execute("holdings", after=after, limit=limit)
        ]

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
