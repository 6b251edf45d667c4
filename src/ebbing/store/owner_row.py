"""The owner's row: the counters that tell, without a look at a single memory, what there is and what there is to do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date, datetime
from typing import Any

from ..domain.clock import Activity, Moment, calendar_day
from ..domain.memory import Status
from ..ports import Finding
from ..text.analysis_fingerprint import MIXED, fingerprint
from .row_codec import Json, OwnerRow
from .scope_counters import Keeping
from .session_keys import Turn

SALT_BYTES = 32
BEFORE_EVERY_ID = ""
_MIXED = ""  # no policy's fingerprint


def owners_of(
    outside: Callable[..., list[tuple[Any, ...]]], *, due: datetime | None, policy: str | None, budgets: str | None
) -> list[str]:
    """Every owner, or those a sweep at that instant could change; `outside` asks what concerns no owner."""
    if due is None:
        rows = outside("list_owners")
    else:
        rows = outside("owners_due", now=due, today=calendar_day(due), policy=policy, budgets=budgets)
    return [row[0] for row in rows]


def tables_finding(missing: Collection[str]) -> Finding:
    """Whether every table stands; one that is gone took its rows along, and they are derived from nothing else."""
    if not missing:
        return Finding("tables", True, "every table is there")
    named = ", ".join(sorted(missing))
    remedy = "bring back a backup; an export saves what can still be read"
    return Finding("tables", False, f"missing: {named}", remedy)


def analysis_finding(owners: int) -> Finding:
    """Whether everything stored was derived from the texts by the rules of this program."""
    if not owners:
        return Finding("analysis", True, "words and digests were derived by the rules of this version")
    return Finding(
        "analysis",
        False,
        f"the words and digests of {owners} owners were derived by the rules of another version, so that memories may "
        "not be found, and repetitions and contradictions may not be seen",
        "run `ebbing doctor --repair`",
    )


class Owning(Keeping):
    """The part of a transaction that holds its owner's row."""

    def __init__(self) -> None:
        super().__init__()
        self.row = OwnerRow(salt=b"")
        self._loaded: dict[str, Any] = {}

    @property
    def activity(self) -> Activity:
        return self.row.activity

    @property
    def salts(self) -> list[bytes]:
        return [self.row.salt[start : start + SALT_BYTES] for start in range(0, len(self.row.salt), SALT_BYTES)]

    def load_owner(self) -> bool:
        """Read the owner's row; False when there is none yet."""
        rows = self.ask("owner")
        if rows:
            self.hold_owner(rows[0])
        return bool(rows)

    def hold_owner(self, row: Sequence[Any]) -> None:
        """The owner's row as the query `owner` gives it."""
        salt, version, epoch, day, last, swept_day, next_due_at, armed_by, armed_to, *sweeper = row
        swept_at, leased_to, leased_until, turns, turns_from, sizes, swept_under, analysed_by = sweeper
        self.row = OwnerRow(
            bytes(salt),
            version,
            epoch,
            Activity(day, date.fromisoformat(last) if isinstance(last, str) else last),
            swept_day,
            self._instant(next_due_at),
            armed_by,
            armed_to,
            self._instant(swept_at),
            leased_to,
            self._instant(leased_until),
            tuple(Turn(*one) for one in self.codec.json(turns)),
            turns_from,
            self.codec.json(sizes),
            swept_under,
            analysed_by,
        )
        self._loaded = self.counters()

    def counters(self) -> dict[str, Any]:
        """The owner's row as the query `save_owner` takes it."""
        return {
            "salt": self.row.salt,
            "version": self.row.version,
            "epoch": self.row.epoch,
            "active_day": self.row.activity.day,
            "active_date": self.row.activity.date,
            "swept_day": self.row.swept_day,
            "next_due_at": self.row.next_due_at,
            "armed_by": self.row.armed_by,
            "armed_to": self.row.armed_to,
            "swept_at": self.row.swept_at,
            "leased_to": self.row.leased_to,
            "leased_until": self.row.leased_until,
            "turns": Json([list(one) for one in self.row.turns]),
            "sizes": Json({status: list(size) for status, size in self.row.sizes.items()}),
            "swept_under": self.row.swept_under,
            "analysed_by": self.row.analysed_by,
        }

    def size(self, status: Status) -> tuple[int, int]:
        """How many rows stand under a status, and how many words they have."""
        rows, words = self.row.sizes.get(status.value, (0, 0))
        return rows, words

    def resize(self, status: Status, rows: int, words: int) -> None:
        before = self.size(status)
        self.row.sizes[status.value] = [before[0] + rows, before[1] + words]

    @property
    def is_analysed(self) -> bool:
        """Whether all of the owner's keys were derived by the rules of this program; so are those of no rows."""
        return self.row.analysed_by == fingerprint() or not self._has_rows

    @property
    def _has_rows(self) -> bool:
        return any(rows for rows, _ in self.row.sizes.values())

    def analyse(self) -> None:
        """Keys are about to be derived by the rules of this program, beside those that are there already."""
        if self.row.analysed_by != fingerprint():
            self.row.analysed_by = MIXED if self._has_rows else fingerprint()

    def extent(self, statuses: Iterable[Status], *, live: bool) -> tuple[int, float]:
        """How many rows the owner has under these statuses, and how long those of one side are on average."""
        side = [self.size(status) for status in Status if status.live is live]
        count = sum(self.size(status)[0] for status in statuses)
        return count, sum(words for _, words in side) / max(1, sum(rows for rows, _ in side))

    def _instant(self, stored: Any) -> datetime | None:
        return None if stored is None else self.codec.instant(stored)

    def save_owner(self) -> None:
        self.save_holdings()
        # Most of what finds nothing to do changes nothing here either, and then there is nothing to commit.
        counters = self.counters()
        if counters != self._loaded:
            self.ask("save_owner", **counters)

    def tick(self) -> int:
        """The next number of this owner's sequence."""
        self.row.version += 1
        return self.row.version

    def mark_active_day(self, now: datetime) -> Moment:
        used = self.row.activity.used(now)
        if used != self.row.activity:
            self.row.activity = used
            self.ask("add_activity", date=used.date, day=used.day)
        return Moment(now, used.day)

    def day_at(self, at: datetime) -> int:
        rows = self.ask("day_at", date=at.date())
        return rows[0][0] if rows else Activity().day_at(at)

    def days(self) -> list[tuple[date, int]]:
        return [
            (date.fromisoformat(day) if isinstance(day, str) else day, number)
            for day, number in self.ask("list_activity")
        ]

    def adopt(self, salt: bytes, days: Sequence[tuple[date, int]]) -> None:
        """What comes with an import: the salt its tombstones need, and the days of use where the owner has none yet."""
        if salt not in self.salts:
            self.row.salt += salt
        if self.row.activity.date is None and days:
            self.tell("add_activity", ({"date": day, "day": number} for day, number in days))
            self.row.activity = Activity(days[-1][1], days[-1][0])

    def mark_swept(self, moment: Moment, budgets: str | None = None, again_at: datetime | None = None) -> None:
        """Nothing was due at this moment: the owner need not be visited before one of these moves."""
        self.row.swept_day, self.row.swept_at, self.row.swept_under = moment.day, moment.at, budgets
        upcoming = (self._instant(self.ask("earliest_due_at")[0][0]), again_at)
        self.row.next_due_at = min((at for at in upcoming if at is not None), default=None)

    @property
    def version(self) -> int:
        return self.row.version

    @property
    def swept_at(self) -> datetime | None:
        return self.row.swept_at

    def nothing_due(self, moment: Moment, budgets: str | None = None) -> bool:
        if budgets is not None and self.row.swept_under != budgets:
            return False
        next_due_at = self.row.next_due_at
        return self.row.swept_day == moment.day and (next_due_at is None or next_due_at > moment.at)

    def lease(self, holder: str, now: datetime, until: datetime) -> bool:
        ends = self.row.leased_until
        # One that ends far later than ours would was given by a wrong clock, and would stop all forgetting.
        if self.row.leased_to != holder and ends is not None and now < ends <= until + (until - now):
            return False
        self.row.leased_to, self.row.leased_until = holder, until
        return True

    def release(self, holder: str) -> None:
        if self.row.leased_to == holder:
            self.row.leased_to = self.row.leased_until = None

    def alarms_current(self, policy: str) -> bool:
        return self.row.armed_by == policy and self.row.armed_to is None

    def set_alarm_policy(self, policy: str) -> None:
        if self.row.armed_by is None:
            self.row.armed_by = policy
        elif self.row.armed_by != policy:
            # Alarms of two policies: whichever sweeps next sets them all.
            self.row.armed_by, self.row.armed_to = _MIXED, BEFORE_EVERY_ID
