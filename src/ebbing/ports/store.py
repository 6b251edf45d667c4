"""What a store of memories does: transactions on one owner's rows, and what concerns the store as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from pathlib import Path
from typing import Protocol

from ..domain.clock import Moment
from ..domain.events import Event
from ..domain.memory import Memory
from .credentials import Tokens
from .models import Vector
from .read_transaction import ReadTransaction
from .search import View
from .store_values import (
    Finding,
    NewEvent,
    Scrubbed,
    Tombstone,
)

Progress = Callable[[int, int], None]  # (done, of how many)


class WriteTransaction(ReadTransaction, Protocol):
    """A short exclusive transaction on one owner's memories; nothing is kept if the block raises.

    Rows, alarms and events are written through `lifecycle/unit_of_work.py`, so that they agree.
    """

    @property
    def active(self) -> Mapping[str, int]:
        """Once committed: how many active memories each scope that changed now holds."""
        ...

    def for_every_agent(self) -> AbstractContextManager[None]:
        """Within the block the transaction sees what any agent sees: for what hangs on it, never to be shown."""
        ...

    # Rows

    def add(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        """New memories, with the vectors of those that have one, by id."""
        ...

    def change(self, memories: Sequence[Memory], was: Mapping[str, Memory] | None = None) -> None:
        """As given, but for the text (`replace`); a status that belongs on the other side moves the row, its words and
        its vector there. `was`: as they all stand, where that is known already, so that it need not be read again."""
        ...

    def replace(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        """Wholly as given, text and vector too, in the place of those that bear their ids."""
        ...

    def count_uses(self, ids: Sequence[str], moment: Moment) -> None:
        """One use more of each of these, at this moment."""
        ...

    def reembed(self, memories: Sequence[Memory], vectors: Mapping[str, Vector]) -> None:
        """Other vectors for live memories, of the model that each of them names."""
        ...

    def erase(self, ids: Sequence[str]) -> None:
        """Rows, words, vectors, and everything the events said of them."""
        ...

    # Alarms

    def set_due(self, memories: Sequence[Memory]) -> None:
        """Only the alarms of these, as given."""
        ...

    def set_alarm_policy(self, policy: str) -> None:
        """Alarms set in this transaction are those of the policy with this fingerprint."""
        ...

    def next_to_recompute_due(self, policy: str, limit: int) -> list[Memory]:
        """The next memories whose alarms are to be set by this policy; fewer than `limit`: the last."""
        ...

    # Events

    def record(self, changes: Sequence[NewEvent], *, at: datetime, batch: str, session: str | None = None) -> None:
        """One event per change."""
        ...

    def replay(self, events: Sequence[Event]) -> None:
        """Events that were recorded elsewhere, as they are but for their numbers, which go on from here."""
        ...

    # The owner

    def mark_active_day(self, now: datetime) -> Moment:
        """Today is a day of use. One row a day; free when it stands already."""
        ...

    def adopt(self, salt: bytes, days: Sequence[tuple[date, int]]) -> None:
        """Take a salt that came with tombstones, and days of use where there are none yet."""
        ...

    def mark_swept(self, moment: Moment, budgets: str | None = None, again_at: datetime | None = None) -> None:
        """A sweep has left nothing due at this moment, and no scope too full by the budgets of this fingerprint that
        could be relieved; `again_at`: at that instant one can."""
        ...

    def lease(self, holder: str, now: datetime, until: datetime) -> bool:
        """Whether the owner's sweep is this holder's until then; another's that is not over stands in the way."""
        ...

    def release(self, holder: str) -> None:
        """Give this holder's lease back; nothing happens where it has none."""
        ...

    # The queue, and tombstones

    def enqueue_for_summary(self, since: Mapping[Memory, datetime]) -> None:
        """These wait to be summarized, each since that instant."""
        ...

    def dequeue_for_summary(self, ids: Iterable[str]) -> None:
        """These wait no more; nothing happens to one that does not."""
        ...

    def add_tombstones(self, tombstones: Sequence[Tombstone]) -> None:
        """What was purged must not be learned again."""
        ...

    def remove_tombstone(self, tombstone: str) -> bool:
        """Whether there was a tombstone with this id; there is none any more."""
        ...


class Attendant(Protocol):
    """Hears what happened to the engines of a store, and may sweep beside them; never in the way of an answer."""

    def ring(self, owner: str, trigger: str, active: int | None = None) -> None:
        """Something happened to an owner's memories that may be followed by a sweep."""
        ...

    def wait(self, owner: str) -> None:
        """Wait until no sweep of this owner is under way here."""
        ...

    def close(self) -> None:
        """End what is under way."""
        ...


class Store(Protocol):
    """Where memories are kept."""

    url: str

    @property
    def tokens(self) -> Tokens:
        """The credentials that are kept beside the memories."""
        ...

    def read(self, view: View) -> AbstractContextManager[ReadTransaction]:
        """A look at the memories of the view's owner, as of one moment."""
        ...

    def write(self, view: View, *, durable: bool = True) -> AbstractContextManager[WriteTransaction]:
        """`durable=False` may lose the last commits to a power cut (never to a crash): enough for counters."""
        ...

    def owners(
        self, *, due: datetime | None = None, policy: str | None = None, budgets: str | None = None
    ) -> list[str]:
        """Every owner, or those a sweep at that instant (under policy and budgets so fingerprinted) could change."""
        ...

    def check(self) -> Iterable[Finding]:
        """What `doctor` looks at, one thing after the other."""
        ...

    def repair(self, progress: Progress | None = None) -> Iterable[Finding]:
        """Derive again from the rows whatever is derived from them; `progress` is told how far it has come."""
        ...

    def backup(self, path: Path) -> None:
        """A copy of everything, as of one moment."""
        ...

    def scrub(self, texts: Sequence[str]) -> Scrubbed:
        """After an erasure: clear what lies in logs and free pages, then look whether any of `texts` is left."""
        ...

    def size_bytes(self) -> int:
        """How much room the store takes."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
