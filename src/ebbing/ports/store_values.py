"""The plain values that cross the border of a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from ..domain.events import EventKind
from ..domain.memory import Memory, Scope, Status, Tier


class NewEvent(NamedTuple):
    """What an event says of one memory: what, why, and the numbers it rests on; never its text."""

    kind: EventKind
    memory: str
    reason: str | None = None
    detail: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Tombstone:
    id: str
    hash: str
    receipt: str
    at: datetime


@dataclass(frozen=True, slots=True)
class StatusCount:
    """How many memories of one kind there are."""

    status: Status
    category: str
    tier: Tier
    count: int
    tokens: int
    pinned: int


@dataclass(frozen=True, slots=True)
class ScopeUsage:
    """What is live in one scope itself, in memories and tokens."""

    scope: Scope
    active: int
    active_tokens: int
    detached: int
    detached_tokens: int
    working: int  # of what is active, by tier
    working_tokens: int
    episodic: int
    episodic_tokens: int
    semantic: int
    semantic_tokens: int
    procedural: int
    procedural_tokens: int


def counters(status: Status, tier: Tier) -> tuple[str, ...]:
    """Under which names of a holding a memory counts; under none when it is not live."""
    if status is Status.ACTIVE and tier is not Tier.CORE:
        return status.value, tier.value
    return (status.value,) if status.live else ()


BEHIND_EVERY_ID = "\U0010ffff"


class QueuedSummary(NamedTuple):
    """A memory that waits to be summarized with its topic."""

    id: str
    since: datetime


class Due(NamedTuple):
    """Memories whose alarm has come; where there may be more, the last alarm that was looked at."""

    memories: list[Memory]
    last_at: datetime | None = None
    last_day: int | None = None


class DueCursor(NamedTuple):
    """How far the alarms have been read: by the wall clock and by days of use, each with the last memory's id."""

    at: datetime
    at_id: str
    day: int
    day_id: str


class MatchLookup(NamedTuple):
    """What is known of texts that are about to be kept."""

    tombstoned: dict[str, str]  # of their hashes, those that must not come back, and the tombstone of each
    duplicates: list[Memory]  # live, with the same words


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What a look for erased texts found, and which places the store can neither clear nor look into."""

    clean: bool  # nothing of the texts is left where the store can look
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing `doctor` looked at."""

    check: str
    ok: bool
    detail: str
    remedy: str | None = None
