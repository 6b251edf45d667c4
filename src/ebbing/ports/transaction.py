"""What a transaction is made of: eight groups of methods, each about one thing, for reading and for writing.

A transaction belongs to one owner: nothing here can name another owner's row. `tx.memories`, `tx.index`, `tx.events`,
`tx.owner`, `tx.queue`, `tx.tombstones`, `tx.observed` and `tx.scopes` are its groups; the first two are described in
`memory_rows.py`.
A function that needs one group asks for that one, and works on whatever has its methods.

Rows, alarms and events of memories are written through `lifecycle/unit_of_work.py` alone, so that they agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from typing import Protocol

from ..domain.clock import Activity, Moment
from ..domain.events import Event
from ..domain.memory import Memory, Scope, Status
from .memory_rows import Index, MemoryRows, WritableMemoryRows
from .search import View
from .store_values import BEHIND_EVERY_ID, NewEvent, QueuedSummary, ScopeUsage, Tombstone


class EventLog(Protocol):
    """`tx.events`: what happened to memories."""

    def of_memory(self, memory: str) -> list[Event]:
        """The events of one memory, oldest first."""
        ...

    def of_batch(self, batch: str) -> list[Event]:
        """The events that were recorded under one batch, oldest first."""
        ...

    def batch_before(self, before: str | None, *, purged: bool = False) -> str | None:
        """The latest batch that put memories away, or with `purged` erased them, of those with an id lower than this
        one."""
        ...

    def put_away_by(self, batch: str, *, after: int = 0, limit: int) -> list[Event]:
        """The first `limit` events of a batch that put a memory away or erased it, with a number above `after`."""
        ...

    def count_put_away_by(self, batch: str, *, most: int) -> int:
        """How many of those there are, counted up to `most`."""
        ...

    def page(self, *, after: int = 0, limit: int = 1000) -> list[Event]:
        """The first `limit` events with a number above `after`, in the order of their numbers."""
        ...

    def reinforced(self, ids: Sequence[str], *, since: datetime, session: str | None) -> set[str]:
        """Those of these of which a use was counted after `since` in this session."""
        ...

    def use_times(self, ids: Sequence[str], *, since: datetime) -> dict[str, list[datetime]]:
        """When each of these was used since then, by id; those that were not are left out."""
        ...


class WritableEventLog(EventLog, Protocol):
    """`tx.events` of a write transaction."""

    def record(self, changes: Sequence[NewEvent], *, at: datetime, batch: str, session: str | None = None) -> None:
        """Write one event per change, by the view's agent."""
        ...

    def append(self, events: Sequence[Event]) -> None:
        """Write events of another store as they are, but for their numbers, which go on from here."""
        ...


class OwnerState(Protocol):
    """`tx.owner`: the owner's row, which holds counters of days of use, versions, alarms and sweeps."""

    @property
    def activity(self) -> Activity:
        """The last day of use and its number."""
        ...

    def active_days(self) -> list[tuple[date, int]]:
        """Every day of use with its number, in order."""
        ...

    def active_day_at(self, at: datetime) -> int:
        """The number of the last day of use at an instant."""
        ...

    @property
    def version(self) -> int:
        """Grows with every change to the owner's memories: equal versions, nothing has changed."""
        ...

    @property
    def swept_at(self) -> datetime | None:
        """When the last sweep ended; None before the first."""
        ...

    @property
    def counts(self) -> Mapping[Status, int]:
        """How many memories of each status there are, whichever agent's: kept as counters."""
        ...

    def alarms_current(self, policy: str) -> bool:
        """Whether every alarm was set under the policy with this fingerprint."""
        ...

    def nothing_due(self, moment: Moment, budgets: str | None = None) -> bool:
        """Whether no alarm has come since the last sweep; with `budgets`, also whether that sweep applied the budgets
        with this fingerprint."""
        ...


class WritableOwnerState(OwnerState, Protocol):
    """`tx.owner` of a write transaction."""

    def mark_active_day(self, now: datetime) -> Moment:
        """Record today as a day of use, once, and return this instant with the day's number."""
        ...

    def add_active_days(self, days: Sequence[tuple[date, int]]) -> None:
        """Record days of use with their numbers; ignored where the owner has days of use already."""
        ...

    def set_alarm_policy(self, policy: str) -> None:
        """Alarms set in this transaction are those of the policy with this fingerprint."""
        ...

    def mark_swept(self, moment: Moment, budgets: str | None = None, again_at: datetime | None = None) -> None:
        """A sweep has left nothing due at this moment, and no scope over the budgets with this fingerprint that could
        be relieved; `again_at`: at that instant one can."""
        ...

    def acquire_lease(self, holder: str, now: datetime, until: datetime) -> bool:
        """Reserve the owner's sweep for this holder; False while another holds an unexpired lease."""
        ...

    def release_lease(self, holder: str) -> None:
        """End this holder's lease; nothing happens where it has none."""
        ...


class SummaryQueue(Protocol):
    """`tx.queue`: the memories that wait to be summarized with others of their topic."""

    def page(self, scope: Scope, limit: int, *, before: str = BEHIND_EVERY_ID) -> list[QueuedSummary]:
        """The first `limit` of a scope with an id lower than `before`, latest first."""
        ...

    def since(self, ids: Sequence[str]) -> dict[str, datetime]:
        """Since when each of these that is queued waits, by id."""
        ...


class WritableSummaryQueue(SummaryQueue, Protocol):
    """`tx.queue` of a write transaction."""

    def add(self, since: Mapping[Memory, datetime]) -> None:
        """Queue these, each since its instant; one that is queued keeps its instant."""
        ...

    def remove(self, ids: Iterable[str]) -> None:
        """Take these off the queue; nothing happens to one that is not on it."""
        ...


class Tombstones(Protocol):
    """`tx.tombstones`: hashes of purged texts, which must not be stored again."""

    @property
    def salts(self) -> list[bytes]:
        """What hashes are salted with: the owner's own salt first, then those that came with imports."""
        ...

    def matching(self, hashes: Sequence[str]) -> dict[str, str]:
        """The id of the tombstone of each of these hashes that has one, by hash."""
        ...

    def all(self) -> list[Tombstone]:
        """All of the owner's, in the order of their ids."""
        ...


class WritableTombstones(Tombstones, Protocol):
    """`tx.tombstones` of a write transaction."""

    def add(self, tombstones: Sequence[Tombstone]) -> None:
        """Insert these."""
        ...

    def add_salt(self, salt: bytes) -> None:
        """Add a salt that imported tombstones were made with, unless it is there already."""
        ...

    def remove(self, tombstone: str) -> bool:
        """Delete the tombstone with this id; False when there is none."""
        ...


class Observed(Protocol):
    """`tx.observed`: which messages of conversations were observed. Kept of each: a salted hash of its digest, and the
    ids of the memories that were made of it."""

    def memories_of(self, digests: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """By digest, what was made of each of these messages that was observed; the others are left out."""
        ...


class WritableObserved(Observed, Protocol):
    """`tx.observed` of a write transaction."""

    def add(self, memories: Mapping[str, Sequence[str]]) -> None:
        """These messages are observed; by digest, the ids of what was made of each."""
        ...


class ScopeContents(Protocol):
    """What budgets are compared with: how much each scope holds itself, without the scopes below it, and what."""

    def exceeding(self, *, active: int, active_tokens: int, detached_tokens: int) -> list[ScopeUsage]:
        """The scopes that hold more than one of these, in the order of their names."""
        ...

    def memories(self, scope: Scope, status: Status) -> list[Memory]:
        """The live memories of a scope with this status, oldest first."""
        ...


class ScopeCounters(ScopeContents, Protocol):
    """`tx.scopes`: how much each scope holds, kept as counters, so that no memory is read to know it."""

    def page(self, *, after: str = "", limit: int) -> list[ScopeUsage]:
        """The first `limit` scopes that hold something live, with a name behind this one, in the order of names."""
        ...

    def any_with(self, active: int) -> bool:
        """Whether a scope holds so many active memories or more."""
        ...


class WritableScopeCounters(ScopeCounters, Protocol):
    """`tx.scopes` of a write transaction: the counters follow what is written to `tx.memories`."""

    @property
    def active_counts(self) -> Mapping[str, int]:
        """After the commit: how many active memories each scope that changed now holds, by scope."""
        ...


class ReadTransaction(Protocol):
    """One owner's memories as of one moment."""

    @property
    def view(self) -> View:
        """Whose memories these are, and who sees them."""
        ...

    @property
    def memories(self) -> MemoryRows: ...

    @property
    def index(self) -> Index: ...

    @property
    def events(self) -> EventLog: ...

    @property
    def owner(self) -> OwnerState: ...

    @property
    def queue(self) -> SummaryQueue: ...

    @property
    def tombstones(self) -> Tombstones: ...

    @property
    def observed(self) -> Observed: ...

    @property
    def scopes(self) -> ScopeCounters: ...


class WriteTransaction(ReadTransaction, Protocol):
    """A short exclusive transaction on one owner's memories; nothing is kept if the block raises."""

    def all_agents(self) -> AbstractContextManager[None]:
        """Within the block the transaction sees every agent's memories: to keep them consistent, never to return them
        to the caller."""
        ...

    @property
    def memories(self) -> WritableMemoryRows: ...

    @property
    def events(self) -> WritableEventLog: ...

    @property
    def owner(self) -> WritableOwnerState: ...

    @property
    def queue(self) -> WritableSummaryQueue: ...

    @property
    def tombstones(self) -> WritableTombstones: ...

    @property
    def observed(self) -> WritableObserved: ...

    @property
    def scopes(self) -> WritableScopeCounters: ...
