"""The waiting room: who has faded and waits to be summarized with its topic, and what was tried with them already.

A room is read a scope at a time and no farther back than a look for topics goes, so that what a sweep holds in memory
does not grow with what waits. Reads; decides nothing.
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

_SCOPES_KEPT = 1000  # of which it is remembered what was tried

Waiting = tuple[Memory, datetime]  # a memory, and since when it waits
Group = tuple[str, ...]  # the ids of memories that belong together, oldest first


class Room(Protocol):
    """The memories of the queue that a snapshot has not read."""

    def waiters(self, scope: Scope, before: str, limit: int) -> list[Waiting]:
        """Who waits in a scope and has a lower id than this, the latest first."""
        ...

    def vectors(self, memories: Sequence[Memory]) -> Mapping[str, Vector]: ...


class Nobody:
    """An empty room."""

    def waiters(self, *_: object, **__: object) -> list[Waiting]:
        return []

    def vectors(self, *_: object, **__: object) -> Mapping[str, Vector]:
        return {}


NOBODY = Nobody()


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """The room as it is stored, read in short transactions of its own while a plan is made."""

    work: OperationContext
    version: int  # of the owner's memories when the plan was begun

    def waiters(self, scope: Scope, before: str, limit: int) -> list[Waiting]:
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
    """What a look for topics in a scope has shown."""

    apart: Collection[tuple[str, Kind]] = frozenset()  # of these no two say the same
    refused: Collection[Group] = frozenset()  # a summary of these would not be smaller


@dataclass(slots=True)
class AttemptCache:
    """What the last look for topics in each scope has shown, so that the next compares and summarizes only what is new.

    Most of what waits today waited yesterday, and a catch-up looks for topics as of every day that it missed.
    """

    scopes: dict[str, AttemptResult] = field(default_factory=dict)  # looked at last at the end

    def in_scope(self, scope: Scope) -> AttemptResult:
        return self.scopes.get(scope, AttemptResult())

    def keep(self, scope: Scope, apart: Iterable[tuple[str, Kind]], refused: Iterable[Group]) -> None:
        self.scopes.pop(scope, None)
        self.scopes[scope] = AttemptResult(frozenset(apart), frozenset(refused))
        if len(self.scopes) > _SCOPES_KEPT:
            del self.scopes[next(iter(self.scopes))]
