"""What is shown of an owner's memories beside single answers: a memory's life, what is due, what was left out of a
recall, what was put away together, and counts that nobody has to count.

Each is made of a bounded number of rows, whatever the owner has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from .events import Event, EventKind
from .memory import Memory, Status
from .results import Recollection, Step


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong a memory was at an instant, and in which status it stood."""

    at: datetime
    strength: float
    status: Status


@dataclass(frozen=True, slots=True)
class Mark:
    """One event on a memory's curve."""

    seq: int
    at: datetime
    kind: EventKind
    strength: float  # just after it
    status: Status
    batch: str
    actor: str | None = None
    reason: str | None = None
    other: str | None = None  # the memory that it was compared with, or that took its place


@dataclass(frozen=True, slots=True)
class Life:
    """A memory's strength from its first day on, and what is to come if nobody touches it, or if it is used now."""

    memory: Memory
    now: datetime
    past: tuple[Strength, ...]  # oldest first; the last is now
    ahead: tuple[tuple[int, float], ...]  # (days from now, strength)
    after_use: tuple[tuple[int, float], ...]  # the same if it is used now; empty where a use does not strengthen it
    marks: tuple[Mark, ...]  # oldest first
    thresholds: Mapping[str, float]
    made_of: tuple[Memory, ...] = ()
    replaces: tuple[Memory, ...] = ()
    summaries: tuple[Memory, ...] = ()  # that were made of it
    earlier_events: bool = False  # there are more events than are told here


@dataclass(frozen=True, slots=True)
class Upcoming:
    """What will happen to a memory that nobody touches, and when."""

    memory: Memory
    step: Step
    at: datetime  # for what days of use bring, the earliest
    reason: str
    threshold: float | None  # the strength that it falls below; None for what has a date
    strength: float  # now
    earliest: bool  # it comes no sooner, and later where a day passes without a use


@dataclass(frozen=True, slots=True)
class Horizon:
    """What the next sweeps will do, soonest first."""

    now: datetime
    until: datetime
    upcoming: tuple[Upcoming, ...]
    looked_at: int  # memories
    next: str | None  # where to go on, with `after`; None: there are no more within this time
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Overview:
    """An owner's memories in numbers that are kept as counters, and the state of what looks after them."""

    now: datetime
    by_status: Mapping[str, int]  # whichever agent's they are
    size_bytes: int  # of the whole store
    days_of_use: int
    swept_at: datetime | None
    last_sweep: Mapping[str, int]  # what it did, by kind of event, as far as the latest events tell
    swept_by_policy: bool  # whether alarms are those of the policy in use
    embedder: str | None
    judge: str | None
    no_judge: str | None  # why there is none
    policy: str
    words_current: bool  # whether words and digests were derived by the rules of this program


@dataclass(frozen=True, slots=True)
class ScopeOverview:
    """What stands in one scope itself, without those below it."""

    scope: str
    active: int
    detached: int
    tokens: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A memory that a question did not return, and why."""

    memory: Memory
    why: str  # its status, or below_floor, out_of_scope, beyond_limit
    score: float | None = None  # None: recall does not search it
    relevance: float | None = None
    strength: float | None = None


@dataclass(frozen=True, slots=True)
class RecallReport:
    """What a question finds, and what it leaves out."""

    found: tuple[Recollection, ...]
    left_out: tuple[LeftOut, ...]
    floor: float  # what a memory must score to be returned
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BatchOverview:
    """What was put away, or erased, together."""

    id: str
    at: datetime
    kinds: tuple[EventKind, ...]
    reason: str | None
    actor: str | None
    count: int  # of changes; of more than `counted_most` it is that
    counted_most: int
    undone: bool  # none of those looked at stands where the batch put it
    sample: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class BatchMember:
    """One change of a batch, and the memory as it is now; None: it was erased."""

    event: Event
    memory: Memory | None


@dataclass(frozen=True, slots=True)
class BatchContents:
    """A batch, and a page of what it did."""

    batch: BatchOverview
    members: tuple[BatchMember, ...]
    next: int | None  # go on `after` this; None: these are the last
