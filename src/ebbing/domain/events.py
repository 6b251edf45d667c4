"""What happened to memories: an event, its kind, and one frozen class for what an event of each kind holds.

`Event.detail` is a JSON object: what is stored, exported and shown. `Event.change` is it as the class of its kind,
for code that reads the log; code that writes it gives such a class. Only this module knows the keys of the JSON. In
rows and files of earlier versions a value of the wrong type counts as missing, and an unknown key is ignored.
"""

# long because each kind of event has its class here, and there are twenty-one

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, Final, Self

from . import event_values as values
from .event_values import Cause, Codec, Place, part
from .memory import Status, Tier, excerpt


class EventKind(StrEnum):
    """What happened to a memory. One event per change, in the same transaction."""

    REMEMBERED = "remembered"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    CONTESTED = "contested"
    SETTLED = "settled"  # a person decided about it
    EDITED = "edited"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    DETACHED = "detached"
    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"
    RESTORED = "restored"
    SUMMARIZED = "summarized"  # made of others
    MERGED = "merged"  # said the same as another, which stands for both
    PROMOTED = "promoted"  # to a tier that lives longer
    DEMOTED = "demoted"
    HELD = "held"  # would have left recall, and waits in review because it is harmful to lose
    PURGED = "purged"
    LIFTED = "lifted"
    IMPORTED = "imported"
    REEMBEDDED = "reembedded"


BIRTHS: Final = (EventKind.REMEMBERED, EventKind.IMPORTED, EventKind.SUMMARIZED)
# The kinds that take a memory out of use, and the status in which each leaves it.
PUTS_AWAY: Final[Mapping[EventKind, Status]] = {
    EventKind.FORGOTTEN: Status.FORGOTTEN,
    EventKind.DETACHED: Status.DETACHED,
    EventKind.ARCHIVED: Status.ARCHIVED,
    EventKind.SUPERSEDED: Status.SUPERSEDED,
    EventKind.MERGED: Status.SUPERSEDED,
}


@dataclass(frozen=True, slots=True)
class Event:
    """One change to one memory: who, what, why, and the numbers it rested on."""

    seq: int  # counts up per owner
    at: datetime
    kind: EventKind
    memory: str | None  # the memory's id
    batch: str  # what was done together is undone together
    actor: str | None = None  # the agent that caused it
    session: str | None = None
    reason: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict, hash=False)  # as stored; never the text of a memory

    def __repr__(self) -> str:
        of = "" if self.memory is None else f" of {self.memory}"
        why = "" if self.reason is None else f" {excerpt(self.reason)!r}"
        return f"<Event {self.seq} {self.kind}{of} at {self.at:%Y-%m-%d %H:%M}{why}>"

    @property
    def change(self) -> Change:
        """The details as the class of this kind of event; decoded at each call."""
        return _CLASSES[self.kind].decode(self.detail)


# What an event of each kind holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What an event says of one memory beside the reason: what it found, what it made of it, and on which numbers."""

    kind: ClassVar[EventKind]

    @property
    def status(self) -> Status | None:
        """The status in which it left the memory; None: in the one that it had."""
        return PUTS_AWAY.get(self.kind)

    @property
    def found(self) -> Mapping[str, Any]:
        """The fields that it changed, but for the status and what goes with that, as they were before."""
        return {}

    def encode(self) -> dict[str, Any]:
        """The details as they are stored."""
        parts = ((place, getattr(self, place.name)) for place in _PLACES[type(self)])
        return {place.key: place.codec.dump(it) for place, it in parts if place.always or it != place.default}

    @classmethod
    def decode(cls, detail: Mapping[str, Any]) -> Self:
        """The change whose details are stored so; what is missing, or is not what it should be, has its default."""
        if not detail:
            return cls()
        given = [(place, detail[place.key]) for place in _PLACES[cls] if place.key in detail]
        return cls(**{place.name: place.codec.load(value) for place, value in given if place.codec.holds(value)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Change):
    """A change that may have put a memory from one status into another."""

    was: Status | None = part(values.STATUS)  # the status that it had


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped(Moved):
    """A change that a sweep may have made: by the policy of this name, at this strength."""

    strength: float | None = part(values.NUMBER)
    threshold: float | None = part(values.NUMBER)  # the strength that it fell below; None for what has a date
    policy: str | None = part(values.TEXT)
    was_tier: Tier | None = part(values.TIER)
    tier: Tier | None = part(values.TIER)

    @property
    def found(self) -> Mapping[str, Any]:
        return {} if self.was_tier is None else {"tier": self.was_tier}

    def encode(self) -> dict[str, Any]:
        """The details as they are stored; of what a policy did the threshold too, where there was none."""
        encoded = Change.encode(self)
        return encoded if self.policy is None else {"threshold": None, **encoded}


@dataclass(frozen=True, slots=True, kw_only=True)
class Created(Change):
    """A memory was written."""

    kind = EventKind.REMEMBERED
    strength: float | None = part(values.NUMBER)  # the importance it began with
    trust: float | None = part(values.NUMBER)
    born: Status | None = part(values.STATUS, key="status")  # the status it began in
    redacted: tuple[str, ...] = part(values.TEXTS, default=())  # the kinds of secrets that were taken out of it
    reading: Mapping[str, float | int | str] | None = part(values.READING)  # what a judge read in it
    by: str | None = part(values.NAME)  # what had superseded it when it was written
    evidence: Mapping[str, float] | None = part(values.NUMBERS)  # what a judge has read of the two
    judge: str | None = part(values.NAME)  # and its fingerprint

    @property
    def status(self) -> Status | None:
        return self.born

    @property
    def other(self) -> str | None:
        """The memory that it was compared with."""
        return self.by


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarized(Change):
    """A summary was made of other memories."""

    kind = EventKind.SUMMARIZED
    sources: tuple[str, ...] = part(values.TEXTS, key="from", default=())
    tokens: tuple[int, int] | None = part(values.PAIR)  # of the sources together, and of the summary
    born: Status | None = part(values.STATUS, key="status")

    @property
    def status(self) -> Status | None:
        return self.born


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Change):
    """A memory came in from an export."""

    kind = EventKind.IMPORTED
    exported_at: str | None = part(values.TEXT, always=True)
    replaced: bool = part(values.MARK, default=False, always=True)  # it took the place of the one that had its id


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforced(Change):
    """A use was counted."""

    kind = EventKind.REINFORCED
    cause: Cause = part(values.CAUSE, default=Cause.RECALLED)
    was_level: float | None = part(values.LEVEL)
    level: float | None = part(values.NUMBER)

    @property
    def found(self) -> Mapping[str, Any]:
        return {} if self.was_level is None else {"level": self.was_level}


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted(Stepped):
    """It was put into a tier that lives longer."""

    kind = EventKind.PROMOTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Demoted(Stepped):
    """It was put into a tier that lives less long."""

    kind = EventKind.DEMOTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Detached(Stepped):
    """It was taken out of default recall."""

    kind = EventKind.DETACHED


@dataclass(frozen=True, slots=True, kw_only=True)
class Archived(Stepped):
    """It was moved to the archive."""

    kind = EventKind.ARCHIVED
    into: str | None = part(values.NAME)  # the summary that says it now
    settled: bool = part(values.MARK, default=False)  # decided in a review


@dataclass(frozen=True, slots=True, kw_only=True)
class Held(Stepped):
    """It would have left recall, and waits in review because it is harmful to lose."""

    kind = EventKind.HELD


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged(Stepped):
    """It says the same as another memory, which stands for both."""

    kind = EventKind.MERGED
    was_valid_until: datetime | None = part(values.INSTANT, always=True)
    into: str | None = part(values.NAME)  # that other memory
    similarity: float | None = part(values.NUMBER)  # of the two vectors
    evidence: Mapping[str, float] | None = part(values.NUMBERS)  # what a judge has read of the two
    judge: str | None = part(values.NAME)  # and its fingerprint
    update: bool = part(values.MARK, default=False)  # the other is its next version

    @property
    def other(self) -> str | None:
        """The memory that took its place."""
        return self.into


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded(Moved):
    """A newer memory took its place."""

    kind = EventKind.SUPERSEDED
    was_valid_until: datetime | None = part(values.INSTANT, always=True)
    by: str | None = part(values.NAME)  # the newer memory
    trust: tuple[float, float] | None = part(values.PAIR)  # of the newer one, and its own; so the next
    recalls: tuple[int, int] | None = part(values.PAIR)
    days_between: float | None = part(values.NUMBER)
    evidence: Mapping[str, float] | None = part(values.NUMBERS)  # what a judge has read of the two
    judge: str | None = part(values.NAME)  # and its fingerprint
    update: bool = part(values.MARK, default=False)  # the newer one is its next version
    was_contested: bool = part(values.MARK, default=False)  # decided in a review
    exported_at: str | None = part(values.TEXT)  # of the export that brought the newer one, or this one

    @property
    def other(self) -> str | None:
        return self.by


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten(Moved):
    """It was put away on request."""

    kind = EventKind.FORGOTTEN
    settled: bool = part(values.MARK, default=False)  # decided in a review
    undoes: str | None = part(values.NAME)  # the batch that had made this summary, and was undone


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored(Moved):
    """It was brought back, or put where it had been before something was undone."""

    kind = EventKind.RESTORED
    to: Status | None = part(values.STATUS)
    cause: Cause | None = part(values.CAUSE)
    batch: str | None = part(values.NAME)  # the batch that was undone, where that is the cause
    settled: bool = part(values.MARK, default=False)  # decided in a review
    into: str | None = part(values.NAME)  # what it had been archived for, or merged with
    against: tuple[str, ...] | None = part(values.IDS)  # memories that it contradicts again
    was_valid_until: datetime | None = part(values.INSTANT)  # of what had been superseded or merged
    undoes: str | None = part(values.NAME)  # a batch that was undone while a later change kept it where it is

    @property
    def status(self) -> Status:
        return self.to or Status.ACTIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class Contested(Change):
    """Another memory contradicts it, and both were kept."""

    kind = EventKind.CONTESTED
    by: str | None = part(values.NAME)
    trust: tuple[float, float] | None = part(values.PAIR)  # of the other, and its own
    evidence: Mapping[str, float] | None = part(values.NUMBERS)  # what a judge has read of the two
    judge: str | None = part(values.NAME)  # and its fingerprint
    exported_at: str | None = part(values.TEXT)

    @property
    def other(self) -> str | None:
        return self.by


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Change):
    """A person decided about it: both hold, or it won."""

    kind = EventKind.SETTLED
    was_contested: bool = part(values.MARK, default=True, always=True)
    others: tuple[str, ...] = part(values.IDS, key="with", default=(), always=True)
    held_at: datetime | None = part(values.INSTANT)  # since when it had waited to leave recall, where it was kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited(Change):
    """Some of its fields were changed."""

    kind = EventKind.EDITED
    was: Mapping[str, Any] | None = part(values.FIELDS)  # the fields that were changed, as they were
    cause: Cause | None = part(values.CAUSE)
    given_by: str | None = part(values.NAME)  # the memory that was merged with it, and gave it these
    supersedes: tuple[str, ...] | None = part(values.SUPERSEDES)  # what it superseded before some of that came back
    against: tuple[str, ...] | None = part(values.IDS)  # memories that it contradicts from now on

    @property
    def found(self) -> Mapping[str, Any]:
        return self.was or {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned(Change):
    """It was protected from fading."""

    kind = EventKind.PINNED

    @property
    def found(self) -> Mapping[str, Any]:
        return {"pinned": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpinned(Change):
    """It fades again."""

    kind = EventKind.UNPINNED

    @property
    def found(self) -> Mapping[str, Any]:
        return {"pinned": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged(Change):
    """It was erased."""

    kind = EventKind.PURGED


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifted(Change):
    """The tombstone with this id was taken away."""

    kind = EventKind.LIFTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Reembedded(Change):
    """It got a vector of another model."""

    kind = EventKind.REEMBEDDED
    from_model: str | None = part(values.TEXT, key="from", always=True)
    to_model: str | None = part(values.TEXT, key="to", always=True)


TakenOut = Superseded | Merged | Detached | Archived | Forgotten  # a memory out of use
Undoable = TakenOut | Held | Promoted | Demoted | Restored | Settled
Judged = Created | Merged | Superseded | Contested  # those that may rest on what a judge read of two memories
_EVERY: Final[tuple[type[Change], ...]] = (
    *(Created, Summarized, Imported, Reinforced, Promoted, Demoted, Detached, Archived, Merged, Superseded, Forgotten),
    *(Held, Restored, Contested, Settled, Edited, Pinned, Unpinned, Purged, Lifted, Reembedded),
)
_CLASSES: Final[Mapping[EventKind, type[Change]]] = {change.kind: change for change in _EVERY}
_PLACES: Final = {change: tuple(map(Place.of, dataclasses.fields(change))) for change in _EVERY}
_ANYWHERE: Final = {place.key: place.codec for change in reversed(_EVERY) for place in _PLACES[change]}


def codecs_of(kind: EventKind) -> Mapping[str, Codec]:
    """By its key, what each part of such details must be; parts of other kinds must be as they are there."""
    return {**_ANYWHERE, **{place.key: place.codec for place in _PLACES[_CLASSES[kind]]}}
