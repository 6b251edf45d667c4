"""`tx.owner`: the owner's row, whose counters say what there is and what is due without reading a memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from ..domain.clock import Activity, Moment
from ..domain.memory import Memory, Status
from ..text.analysis_fingerprint import MIXED, fingerprint
from .owner_connection import OwnerConnection
from .row_codec import Json
from .session_keys import Turn

SALT_BYTES = 32
BEFORE_EVERY_ID = ""
_MIXED = ""  # no policy's fingerprint


@dataclass
class OwnerRow:
    """The columns of the table `owners`, in the order in which the query `owner` gives them."""

    salt: bytes = b""
    version: int = 0
    epoch: int = 0
    active_day: int = 0
    active_date: date | None = None
    swept_day: int = 0
    next_due_at: datetime | None = None
    armed_by: str | None = None  # the fingerprint of the policy that alarms are set under …
    armed_to: str | None = None  # … up to this id; None: all of them
    swept_at: datetime | None = None
    leased_to: str | None = None
    leased_until: datetime | None = None
    turns: tuple[Turn, ...] = ()  # sessions under way
    turns_from: int = 0  # the first key that says which memories are neighbours
    sizes: dict[str, list[int]] = field(default_factory=dict)  # by status: how many rows, how many words
    swept_under: str | None = None  # the fingerprint of the budgets of the last sweep
    # The rules that all words and digests were derived by (text/analysis_fingerprint.py); None: unknown.
    analysed_by: str | None = None


@dataclass(slots=True)
class OwnerTable:
    """The owner's row, read when the transaction begins and written when it ends."""

    db: OwnerConnection
    row: OwnerRow = field(default_factory=OwnerRow)
    loaded: dict[str, Any] = field(default_factory=dict)  # the row as it was read

    # Reading and writing the row

    def load(self) -> bool:
        """Read the row; False when there is none yet."""
        rows = self.db.execute("owner")
        if rows:
            self.take(rows[0])
        return bool(rows)

    def take(self, columns: Sequence[Any]) -> None:
        """Take over the row as the query `owner` gives it."""
        row, codec = OwnerRow(*columns), self.db.codec
        row.salt = bytes(row.salt)
        row.active_date = codec.optional_day(row.active_date)
        row.next_due_at = codec.optional_instant(row.next_due_at)
        row.swept_at = codec.optional_instant(row.swept_at)
        row.leased_until = codec.optional_instant(row.leased_until)
        row.turns = tuple(Turn(*one) for one in codec.json(row.turns))
        row.sizes = codec.json(row.sizes)
        self.row = row
        self.loaded = self.values()

    def values(self) -> dict[str, Any]:
        """The row as the query `save_owner` takes it."""
        turns = [list(one) for one in self.row.turns]
        sizes = {status: list(size) for status, size in self.row.sizes.items()}
        return {**vars(self.row), "turns": Json(turns), "sizes": Json(sizes)}

    def save(self) -> None:
        """Write the row, if it has changed: where nothing changed, there is nothing to commit."""
        values = self.values()
        if values != self.loaded:
            self.db.execute("save_owner", **values)

    def next_version(self) -> int:
        """Count the version on by one; also the number of an event, and the stamp of a vector."""
        self.row.version += 1
        return self.row.version

    @property
    def version(self) -> int:
        return self.row.version

    # How many rows and words there are

    def count_words(self, status: Status, rows: int, words: int) -> None:
        """So many rows more under a status, with so many words; less when negative."""
        before = self._size(status)
        self.row.sizes[status.value] = [before[0] + rows, before[1] + words]

    def extent(self, statuses: Iterable[Status], *, live: bool) -> tuple[int, float]:
        """How many rows there are under these statuses, and how many words one of the live rows, or of the archived
        ones, has on average."""
        side = [self._size(status) for status in Status if status.live is live]
        count = sum(self._size(status)[0] for status in statuses)
        return count, sum(words for _, words in side) / max(1, sum(rows for rows, _ in side))

    @property
    def counts(self) -> dict[Status, int]:
        return {status: self._size(status)[0] for status in Status}

    def _size(self, status: Status) -> tuple[int, int]:
        rows, words = self.row.sizes.get(status.value, (0, 0))
        return rows, words

    @property
    def is_analysed(self) -> bool:
        """Whether all words and digests were derived by the rules of this program; also where there are none."""
        return self.row.analysed_by == fingerprint() or not self._has_rows

    def mark_analysed(self) -> None:
        """Record that words and digests are being written that the rules of this version derive."""
        if self.row.analysed_by != fingerprint():
            self.row.analysed_by = MIXED if self._has_rows else fingerprint()

    @property
    def _has_rows(self) -> bool:
        return any(rows for rows, _ in self.row.sizes.values())

    # Days of use

    @property
    def activity(self) -> Activity:
        return Activity(self.row.active_day, self.row.active_date)

    def mark_active_day(self, now: datetime) -> Moment:
        used = self.activity.used(now)
        if used != self.activity:
            self.row.active_day, self.row.active_date = used.day, used.date
            self.db.execute("add_activity", date=used.date, day=used.day)
        return Moment(now, used.day)

    def active_day_at(self, at: datetime) -> int:
        rows = self.db.execute("day_at", date=at.date())
        return rows[0][0] if rows else Activity().day_at(at)

    def active_days(self) -> list[tuple[date, int]]:
        return [(self.db.codec.day(day), number) for day, number in self.db.execute("list_activity")]

    def add_active_days(self, days: Sequence[tuple[date, int]]) -> None:
        if self.row.active_date is None and days:
            self.db.execute_many("add_activity", ({"date": day, "day": number} for day, number in days))
            self.row.active_date, self.row.active_day = days[-1]

    # Alarms and sweeps

    def expect_alarms(self, memories: Sequence[Memory]) -> None:
        """Keep the owner's next alarm no later than any of these."""
        alarms = [memory.due_at for memory in memories if memory.due_at is not None and memory.status.live]
        if alarms:
            earliest = min(alarms)
            if self.row.next_due_at is None or earliest < self.row.next_due_at:
                self.row.next_due_at = earliest
        if any(memory.due_day is not None and memory.due_day <= self.row.swept_day for memory in memories):
            # Due on a day that was swept already: it must be swept again.
            self.row.swept_day = 0

    def alarms_current(self, policy: str) -> bool:
        return self.row.armed_by == policy and self.row.armed_to is None

    def set_alarm_policy(self, policy: str) -> None:
        if self.row.armed_by is None:
            self.row.armed_by = policy
        elif self.row.armed_by != policy:
            # Alarms of two policies: the next sweep sets them all.
            self.row.armed_by, self.row.armed_to = _MIXED, BEFORE_EVERY_ID

    @property
    def swept_at(self) -> datetime | None:
        return self.row.swept_at

    def nothing_due(self, moment: Moment, budgets: str | None = None) -> bool:
        if budgets is not None and self.row.swept_under != budgets:
            return False
        next_due_at = self.row.next_due_at
        return self.row.swept_day == moment.day and (next_due_at is None or next_due_at > moment.at)

    def mark_swept(self, moment: Moment, budgets: str | None = None, again_at: datetime | None = None) -> None:
        self.row.swept_day, self.row.swept_at, self.row.swept_under = moment.day, moment.at, budgets
        earliest = self.db.codec.optional_instant(self.db.execute("earliest_due_at")[0][0])
        self.row.next_due_at = min((at for at in (earliest, again_at) if at is not None), default=None)

    def acquire_lease(self, holder: str, now: datetime, until: datetime) -> bool:
        ends = self.row.leased_until
        # One that ends far later than ours would was given by a wrong clock, and would stop all forgetting.
        if self.row.leased_to != holder and ends is not None and now < ends <= until + (until - now):
            return False
        self.row.leased_to, self.row.leased_until = holder, until
        return True

    def release_lease(self, holder: str) -> None:
        if self.row.leased_to == holder:
            self.row.leased_to = self.row.leased_until = None
