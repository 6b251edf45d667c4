"""What the verbs answer. Frozen, and each can say itself as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from .model import Event, Memory, Status


@dataclass(frozen=True, slots=True)
class Skipped:
    """A text that was not stored, and why."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of what was said."""

    memories: list[Memory] = field(default_factory=list)  # stored anew
    reinforced: list[Memory] = field(default_factory=list)  # known already, strengthened
    merged: list[Memory] = field(default_factory=list)  # taken into one that says the same
    superseded: list[Memory] = field(default_factory=list)  # retired by what was said
    contested: list[Memory] = field(default_factory=list)  # contradicted, but not to be overwritten
    quarantined: list[Memory] = field(default_factory=list)  # looked like an injected instruction
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was not as it should be
    batch: str | None = None

    def __add__(self, other: Remembered) -> Remembered:
        lists = [entry.name for entry in dataclasses.fields(self) if entry.name != "batch"]
        joined = {name: getattr(self, name) + getattr(other, name) for name in lists}
        return Remembered(**joined, batch=self.batch or other.batch)


@dataclass(frozen=True, slots=True)
class Recollection:
    """A memory that answers a question, with the parts its score was made of."""

    memory: Memory
    score: float
    relevance: float
    strength: float
    parts: Mapping[str, float]  # lexical, semantic, recency


class Recollections(list[Recollection]):
    """The recollections, best first, and what is to be said about how they were found."""

    def __init__(self, found: list[Recollection], notes: tuple[str, ...] = ()) -> None:
        super().__init__(found)
        self.notes = notes


@dataclass(frozen=True, slots=True)
class Batch:
    """What was done together and can be undone together."""

    id: str
    memories: list[Memory]
    reason: str | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of an erasure; it holds nothing of what was erased."""

    id: str
    count: int
    tombstones: list[str]
    verified: bool  # an actual look at the files or tables found nothing of the texts
    at: datetime
    reason: str | None = None
    notes: tuple[str, ...] = ()


class Step(StrEnum):
    """What a sweep does to a memory."""

    DETACH = "detach"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class Action:
    """One decision of a sweep: which memory, what, why, and the numbers it rests on."""

    memory: Memory
    step: Step
    reason: str
    strength: float
    threshold: float | None

    @property
    def status(self) -> Status:
        return Status.DETACHED if self.step is Step.DETACH else Status.ARCHIVED


@dataclass(frozen=True, slots=True)
class Sweep:
    """One sweep: what was lowered, or would be."""

    batch: str
    actions: list[Action]
    dry_run: bool
    trigger: str
    looked_at: int  # rows visited: what looked due, not what is stored


@dataclass(frozen=True, slots=True)
class Stats:
    """An owner's memories in numbers."""

    total: int
    by_status: Mapping[str, int]
    by_category: Mapping[str, int]
    by_tier: Mapping[str, int]
    tokens: int  # of what is active
    pinned: int
    embedded: Mapping[str, int]  # live memories by embedding model; "none" for those without
    due: int  # what the next sweep would lower now
    days_of_use: int
    size_bytes: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import brought in."""

    added: int
    replaced: int
    skipped: int
    blocked: int  # by tombstones


def plain(answer: Any) -> Any:
    """Any answer as JSON types, the same on every face."""
    if isinstance(answer, Memory):
        return answer.to_dict()
    if isinstance(answer, Recollections):
        return {"recollections": [plain(item) for item in answer], "notes": list(answer.notes)}
    if isinstance(answer, Event) or dataclasses.is_dataclass(answer):
        return {entry.name: plain(getattr(answer, entry.name)) for entry in dataclasses.fields(answer)}
    if isinstance(answer, datetime):
        return answer.isoformat()
    if isinstance(answer, StrEnum):
        return answer.value
    if isinstance(answer, Mapping):
        return {str(key): plain(value) for key, value in answer.items()}
    if isinstance(answer, list | tuple | set | frozenset):
        return [plain(item) for item in answer]
    return answer
