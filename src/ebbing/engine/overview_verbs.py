"""Look at memories as a person does: one's whole life, what is due, what was put away. Reads, and strengthens nothing.

Each method reads a bounded number of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from .. import forget as forgetting
from .. import recall as recalling
from ..domain import validation
from ..domain.errors import Invalid, shown
from ..domain.memory import Memory, Status, Tier
from ..domain.overviews import BatchContents, BatchOverview, Horizon, Life, Overview, RecallReport, ScopeOverview
from ..domain.retention import strength_of
from ..lifecycle.filters import filter_of
from ..operations import overview as overviews
from .base import EngineBase

_DAYS_MAX = 366
_SEQ_MAX = 2**63 - 1  # the largest number of an event


class OverviewVerbs(EngineBase):
    """The methods that show memories to a person."""

    def life(self, id: str) -> Life:
        """How strong a memory was and will be, what happened to it, and what it was made of."""
        work = self._context()
        return forgetting.life(work.memories([validation.identifier(id)])[0], work)

    def horizon(self, *, days: int = 30, limit: int = 80, after: str | None = None) -> Horizon:
        """What the sweeps of the next `days` will do if nobody touches anything, soonest first.

        Told are the memories whose alarms come next: up to `limit` that have a date, and as many that fade by days of
        use. `after`, the `next` of the page before, goes on behind them.
        """
        ahead = validation.count(days, "days", _DAYS_MAX)
        most = validation.count(limit, "limit", self.policy.recall.limit_max)
        last = None if after is None else validation.identifier(after, "after")
        return forgetting.horizon(self._context(), days=ahead, limit=most, after=last)

    def browse(
        self,
        *,
        words: str | None = None,
        scope: str | None = None,
        categories: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        status: str | Sequence[str] | None = None,
        tier: str | None = None,
        pinned: bool | None = None,
        agent: str | None = None,
        harmful: bool = False,
        before: str | None = None,
        limit: int = 50,
    ) -> list[Memory]:
        """Memories in any status that match every filter given: newest first, a page at a time; with `words`, those
        that have one of them, best first, and no further pages."""
        where = filter_of(
            self.policy,
            scope=scope,
            categories=categories,
            tags=tags,
            statuses=None if status is None else validation.members(Status, status, "status"),
            tier=None if tier is None else validation.member(Tier, tier, "tier"),
            pinned=None if pinned is None else validation.flag(pinned, "pinned"),
            harmful=validation.flag(harmful, "harmful"),
            written_by=None if agent is None else validation.name(agent, "agent"),
        )
        most = validation.count(limit, "limit", self.policy.recall.limit_max)
        last = None if before is None else validation.identifier(before, "before")
        work = self._context()
        if words is not None:
            return recalling.by_words(validation.identifier(words, "words"), where, work, limit=most)
        with work.read() as tx:
            return tx.memories.page(where, before=last, limit=most)

    def browse_ids(self, ids: Sequence[str]) -> list[Memory]:
        """Those of these memories that still exist and may be seen, in the order of the ids."""
        wanted = validation.several(ids, "ids")
        with self._context().read() as tx:
            found = tx.memories.get(wanted)
        return [found[id_] for id_ in wanted if id_ in found]

    def batches(self, *, purged: bool = False, before: str | None = None, limit: int = 20) -> list[BatchOverview]:
        """What was put away together, the latest first; with `purged`, what was erased. `before` a batch goes on behind
        it."""
        most = validation.count(limit, "limit", self.policy.recall.limit_max)
        last = None if before is None else validation.identifier(before, "before")
        return forgetting.batches(self._context(), purged=validation.flag(purged, "purged"), before=last, limit=most)

    def batch(self, id: str, *, after: int = 0, limit: int = 50) -> BatchContents:
        """One batch that put memories away, and a page of what it did; `after`, the `next` of the page before."""
        most = validation.count(limit, "limit", self.policy.recall.limit_max)
        first = validation.count(after, "after", _SEQ_MAX, least=0)
        return forgetting.batch(validation.identifier(id), self._context(), after=first, limit=most)

    def recall_report(
        self,
        query: str,
        *,
        limit: int = 10,
        scope: str | None = None,
        min_score: float | None = None,
        as_of: datetime | str | None = None,
    ) -> RecallReport:
        """What a question finds, and what it does not return, with the reason for each. Strengthens nothing."""
        work = self._context()
        where = filter_of(self.policy, scope=scope)
        request = recalling.recall_request(query, where, work, limit=limit, min_score=min_score, as_of=as_of)
        return recalling.recall_report(request, work)

    def overview(self) -> Overview:
        """The owner's memories in numbers that are kept as counters, and the state of what looks after them."""
        return overviews.overview(self._of_every_agent())

    def scopes(self, *, after: str = "", limit: int = 100) -> list[ScopeOverview]:
        """The scopes that hold something, with how much, in the order of their names; `after` goes on behind one. An
        engine bound to an agent is told of those below which that agent sees something."""
        most = validation.count(limit, "limit", self.policy.recall.limit_max)
        last = validation.identifier(after, "after")
        return overviews.scopes(self._of_owner_or_agent(), after=last, limit=most)

    def strengths(self, memories: Sequence[Memory]) -> Mapping[str, float]:
        """How strong each of these memories is now, by its id."""
        given: Any = memories
        found = list(given) if isinstance(given, Iterable) else [given]
        if not all(isinstance(one, Memory) for one in found):
            raise Invalid(
                f"memories {shown(memories)} are not memories; give some of those that list() or browse() gave"
            )
        work = self._context()
        with work.read() as tx:
            moment = work.moment(tx.owner)
        return {memory.id: strength_of(memory, moment, self.policy) for memory in found}
