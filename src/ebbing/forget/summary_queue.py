"""Reading the summary queue: faded memories that wait to be summarized with their topic, and attempts made so far.

The queue is read a scope at a time and no farther back than topics are searched, so that the memory that a sweep needs
does not grow with the queue. This module only reads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, Protocol

from ..domain.memory import Memory, Scope
from ..lifecycle.operation_context import OperationContext
from ..ports import Vector
from .clustering import Kind

_SCOPES_KEPT = 1000  # whose attempts are remembered

Waiting = tuple[Memory, datetime]  # a memory, and since when it waits
Group = tuple[str, ...]  # the ids of memories that belong together, oldest first


class QueuedMemories(Protocol):
    """The memories of the queue that a snapshot has not read."""

    def waiting_before(self, scope: Scope, before: str, limit: int) -> list[Waiting]:
        """The queued memories of a scope with a lower id than this, the latest first."""
        ...

    def vectors(self, memories: Sequence[Memory]) -> Mapping[str, Vector]: ...


class EmptyQueue:
    """A queue without memories."""

    def waiting_before(self, *_: object, **__: object) -> list[Waiting]:
        return []

    def vectors(self, *_: object, **__: object) -> Mapping[str, Vector]:
        return {}


NONE_QUEUED = EmptyQueue()


@dataclass(frozen=True, slots=True)
class StoredQueue:
    """The stored queue, read in short transactions of its own while a plan is made."""

    work: OperationContext
    version: int  # of the owner's memories when the plan was begun

    def waiting_before(self, scope: Scope, before: str, limit: int) -> list[Waiting]:
        with self.work.read() as tx:
            since = {one.id: one.since for one in tx.queue.page(scope, limit, before=before)}
            found = tx.memories.get(list(since)) if since else {}
        return [(found[id_], at) for id_, at in since.items() if id_ in found]

    def vectors(self, memories: Sequence[Memory]) -> Mapping[str, Vector]:
        wanted = [memory for memory in memories if memory.fingerprint is not None]
        if not wanted:
            return {}
        with self.work.read() as tx:
            if tx.owner.version != self.version:
                # Embedded again meanwhile, it has a vector that cannot be compared with the others'.
                now = tx.memories.get([memory.id for memory in wanted])
                wanted = [one for one in wanted if one.id in now and now[one.id].fingerprint == one.fingerprint]
            return tx.index.vectors([memory.id for memory in wanted])


class AttemptResult(NamedTuple):
    """The result of a search for topics in a scope."""

    apart: Collection[tuple[str, Kind]] = frozenset()  # no two of these are duplicates
    refused: Collection[Group] = frozenset()  # a summary of these would not be smaller


@dataclass(slots=True)
class AttemptCache:
    """The results of the last search for topics in each scope, so that the next one compares only what is new.

    Most memories stay in the queue for days, and a late sweep searches for topics as of every day that it missed.
    """

    scopes: dict[str, AttemptResult] = field(default_factory=dict)  # the most recently used is last

    def in_scope(self, scope: Scope) -> AttemptResult:
        return self.scopes.get(scope, AttemptResult())

    def keep(self, scope: Scope, apart: Iterable[tuple[str, Kind]], refused: Iterable[Group]) -> None:
        self.scopes.pop(scope, None)
        self.scopes[scope] = AttemptResult(frozenset(apart), frozenset(refused))
        if len(self.scopes) > _SCOPES_KEPT:
            del self.scopes[next(iter(self.scopes))]
