"""What can be read of one owner's memories, grouped by what it is about.

A transaction belongs to one owner: nothing here can name another owner's row. A function that needs one group asks for
that one, and works on whatever has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Protocol

from ..domain.clock import Activity, Moment
from ..domain.events import Event
from ..domain.memory import Memory, Scope, Status
from .models import Vector
from .search import Filter, Question, Search, View
from .store_values import BEHIND_EVERY_ID, Due, MatchLookup, QueuedSummary, ScopeUsage, StatusCount, Tombstone


class MemoryRows(Protocol):
    """Memories by id, by filter and by what they were made of."""

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of these that exist and that the view sees, by id."""
        ...

    def statuses(self, ids: Sequence[str]) -> dict[str, Status]:
        """The status of each now, without reading the rest of it."""
        ...

    def page(self, where: Filter, *, before: str | None = None, limit: int) -> list[Memory]:
        """What the filter leaves, newest first, of lower ids than `before`."""
        ...

    def iterate_live(self, *, after: str, limit: int) -> list[Memory]:
        """Live memories in the order of their ids, from the first behind `after`."""
        ...

    def derived(self, ids: Sequence[str]) -> list[Memory]:
        """The summaries that were made of any of these."""
        ...

    def due(self, moment: Moment, limit: int) -> Due:
        """The longest overdue by the wall and by days of use, at most `limit` of each."""
        ...

    def overdue(self, moment: Moment) -> int:
        """How many memories have an alarm that has come."""
        ...

    def buffer(self, agent: str | None, session: str | None) -> list[Memory]:
        """The active working memories of a session, oldest first."""
        ...


class MatchIndex(Protocol):
    """The indexes: search, vectors, digests and addresses."""

    @property
    def is_analysed(self) -> bool:
        """Whether what was derived from the owner's texts was derived by the rules of this program
        (text/analysis_fingerprint.py)."""
        ...

    def search(self, question: Question) -> Search:
        """A search, to be answered bit by bit."""
        ...

    def duplicates(self, digests: Sequence[str]) -> list[Memory]:
        """Live memories whose normalised words have one of these digests."""
        ...

    def at_address(self, subject: str, attribute: str) -> list[Memory]:
        """What is live or archived at an address, in any scope."""
        ...

    def aliases(self, names: Sequence[str], attribute: str) -> list[Memory]:
        """What is in use under this attribute of a subject that has one of these names, or is one of these texts."""
        ...

    def words_from(self, beginning: str, limit: int) -> list[str]:
        """The words of what is in use, in ascending order, from the first that begins so."""
        ...

    def lookup_matches(self, hashes: Sequence[str], digests: Sequence[str]) -> MatchLookup:
        """What `tombstoned` and `duplicates` give, in one look."""
        ...

    def pending_review(self, *, before: str | None = None, limit: int) -> list[Memory]:
        """What waits for a person to decide about it, newest first: contested, merged, quarantined."""
        ...

    def archived_copies(self, ids: Sequence[str], digests: Sequence[str]) -> list[Memory]:
        """What is not live and has these words, or gave way to these memories, or was merged with them."""
        ...

    def quoting(self, texts: Sequence[str], limit: int) -> list[Memory]:
        """What holds one of these texts in any field, in any case, at most so many of each side; reads every row."""
        ...

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        """The vectors of those of these that have one, by id."""
        ...

    def embedding_dimension(self, fingerprint: str) -> int | None:
        """How many numbers the vectors of a model have here; None where there is none of it."""
        ...

    def with_other_embedding_model(self, fingerprint: str, *, after: str, limit: int) -> list[Memory]:
        """Live memories whose vector another model made, or which have none, in the order of their ids."""
        ...

    def fingerprints(self) -> dict[str | None, int]:
        """How many live memories have a vector of each model; None: without one."""
        ...


class EventLog(Protocol):
    """What happened."""

    def history(self, memory: str) -> list[Event]:
        """The events of one memory, oldest first."""
        ...

    def batch(self, batch: str) -> list[Event]:
        """The events that were recorded under one batch, in their order."""
        ...

    def log(self, *, after: int = 0, limit: int = 1000) -> list[Event]:
        """The owner's events in their order, from the first behind that number."""
        ...

    def reinforced(self, ids: Sequence[str], *, since: datetime, session: str | None) -> set[str]:
        """Those of these of which a use was counted since then in this session."""
        ...

    def uses(self, ids: Sequence[str], *, since: datetime) -> dict[str, list[datetime]]:
        """When each of these that was used since then was used."""
        ...


class OwnerState(Protocol):
    """The owner's counters: days of use, versions, alarms and sweeps."""

    @property
    def activity(self) -> Activity:
        """How far the owner's counter of days of use has come."""
        ...

    def days(self) -> list[tuple[date, int]]:
        """Every day of use with its number, in order."""
        ...

    def day_at(self, at: datetime) -> int:
        """The number that the counter had at an instant."""
        ...

    @property
    def version(self) -> int:
        """Counts on with every change to the owner's memories: equal, and nothing has changed."""
        ...

    @property
    def swept_at(self) -> datetime | None:
        """When the last sweep ended."""
        ...

    def alarms_current(self, policy: str) -> bool:
        """Whether every alarm was set by the policy with this fingerprint."""
        ...

    def nothing_due(self, moment: Moment, budgets: str | None = None) -> bool:
        """Whether no alarm can have come since the last sweep; and, if given, whether that knew these budgets."""
        ...


class ScopeContents(Protocol):
    """What budgets ask for: how much each scope holds, and what."""

    def full(self, *, active: int, active_tokens: int, detached_tokens: int) -> list[ScopeUsage]:
        """The scopes that hold more than one of these."""
        ...

    def members(self, scope: Scope, status: Status) -> list[Memory]:
        """What stands in a scope itself, oldest first."""
        ...


class ScopeCounters(ScopeContents, Protocol):
    """How much there is, by scope and by kind, counted without a look at memories."""

    def crowded(self, active: int) -> bool:
        """Whether a scope holds so many active memories."""
        ...

    def status_counts(self) -> list[StatusCount]:
        """How many memories there are of each status, category and tier."""
        ...


class SummaryQueue(Protocol):
    """The memories that wait to be summarized with their topic."""

    def queued_for_summary(self, scope: Scope, limit: int, *, before: str = BEHIND_EVERY_ID) -> list[QueuedSummary]:
        """Those of a scope that have a lower id than `before`, the latest first."""
        ...

    def queued_since(self, ids: Sequence[str]) -> dict[str, datetime]:
        """Since when each of these waits that does."""
        ...


class Tombstones(Protocol):
    """What was purged and must not be learned again, known by hashes alone."""

    @property
    def salts(self) -> list[bytes]:
        """The owner's own first, then those that came with imports."""
        ...

    def tombstoned(self, hashes: Sequence[str]) -> dict[str, str]:
        """Those of these hashes that have a tombstone, and its id."""
        ...

    def tombstones(self) -> list[Tombstone]:
        """All of the owner's."""
        ...


class ReadTransaction(MemoryRows, MatchIndex, EventLog, OwnerState, ScopeCounters, SummaryQueue, Tombstones, Protocol):
    """A consistent look at one owner's memories."""

    view: View
