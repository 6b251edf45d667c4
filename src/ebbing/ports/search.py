"""What is asked of a search in a store, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..domain.memory import Memory, Scope, Status, Tier, Visibility
from ..domain.retention import Traces
from .models import Vector

Column = NDArray[Any]
REACH = 2  # how many turns before and after it a memory has for neighbours


@dataclass(frozen=True, slots=True)
class View:
    """Whose memories, seen by whom. Maintenance sees every agent's; agents see what is shared and their own."""

    owner: str
    agent: str | None = None
    every_agent: bool = False

    def sees(self, memory: Memory) -> bool:
        return (
            self.every_agent
            or memory.visibility is Visibility.SHARED
            or (self.agent is not None and memory.agent == self.agent)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which memories are meant: every part given must hold, and none given holds for all."""

    scope: Scope | None = None
    scopes: tuple[Scope, ...] | None = None  # in any of these
    statuses: tuple[Status, ...] | None = None
    categories: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    metadata: Mapping[str, Any] | None = None  # has all of these at its top
    ids: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None  # none of these ids
    tier: Tier | None = None
    pinned: bool | None = None
    subject: str | None = None
    harmful: bool = False  # of the highest harm alone
    written_by: str | None = None  # this agent
    created_before: datetime | None = None
    created_after: datetime | None = None  # or at that instant
    unexpired: datetime | None = None  # its time to live had not ended by then …
    restored_since: datetime | None = None  # … or it was brought back since this

    @property
    def narrows(self) -> bool:
        """Whether it asks for more than what is there to be found by default."""
        default = Filter(statuses=self.statuses, unexpired=self.unexpired, restored_since=self.restored_since)
        return self != default


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A search: words, a vector or both, among what the filter leaves, on one side."""

    terms: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # of these words, the ones that are names
    vector: Vector | None = None
    fingerprint: str | None = None
    filter: Filter = field(default_factory=Filter)
    archived: bool = False  # which side: the live tables, or what is out of them
    matches_max: int = 4000


class Found(NamedTuple):
    """Candidates in parallel columns.

    A handle is the store's own name for a row: even for what was said in no session, odd for a turn of one, and then
    what was said next in it has the next odd handle, if it stands. So neighbours are known without a look.
    """

    handles: Column
    lexical: NDArray[np.float64]  # 0..1: how much of the question's information the words cover
    semantic: NDArray[np.float64]  # cosine, never below 0


class Search(Protocol):
    """One question being answered, best candidates first, as many as are asked for."""

    first_turn: int  # handles below this one are of an old store and tell no neighbours
    headed: Column  # once `lexical` was asked: in ascending order, the rows that begin with one of the names

    def lexical(self) -> Found:
        """Every row that has one of the words, with its similarity too."""
        ...

    def semantic(self, limit: int) -> Found:
        """The `limit` nearest rows (`lexical` all 0); fewer only when there are no more."""
        ...

    def nearness(self, handles: Column) -> NDArray[np.float64]:
        """The cosine of each of these, 0 for one that has no vector or does not stand."""
        ...

    def traces(self, handles: Column) -> Traces:
        """Of those handles, the ones that stand and pass the filter and the view."""
        ...
