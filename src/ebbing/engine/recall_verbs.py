"""Search and read: recall, context, list, one memory and its history. Each checks its arguments and calls a verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from .. import forget as forgetting
from .. import recall as recalling
from .. import remember as remembering
from ..domain import validation
from ..domain.event_values import Cause
from ..domain.events import Event
from ..domain.memory import Memory, Status, Tier
from ..domain.results import Context, Explanation, Recollections
from ..lifecycle.event_pages import events_of
from ..lifecycle.filters import filter_of
from .base import EngineBase

Memories = list[Memory]  # in the class below `list` is a verb
Events = list[Event]


class RecallVerbs(EngineBase):
    """The verbs that search and read."""

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        scope: str | Sequence[str] | None = None,
        scopes: Sequence[str] | None = None,
        categories: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        exclude: Sequence[str] = (),
        include: Sequence[str] = (),
        as_of: datetime | str | None = None,
        min_score: float | None = None,
        reinforce: bool = True,
        session: str | None = None,
    ) -> Recollections:
        """The memories that answer `query`, best first; none where nothing does. Being found strengthens them, unless
        `reinforce` is False.

        What scores less than `min_score` (left out: the policy's floor) is not returned; 0 gives the long list.
        `exclude` are ids that were shown already: asked again with them, the next ones come. `as_of` answers as of an
        earlier time: what was known and held then, at the strength it had; nothing is strengthened by that.
        """
        work = self._context()
        session = remembering.admit_name(session, "session", work)
        where = filter_of(
            self.policy,
            scope=scope,
            scopes=scopes,
            categories=categories,
            tags=tags,
            metadata=metadata,
            created_after=created_after,
            created_before=created_before,
            exclude=exclude,
        )
        request = recalling.recall_request(
            query, where, work, limit=limit, include=include, min_score=min_score, as_of=as_of
        )
        found, activity = recalling.recall(request, work)
        if validation.flag(reinforce, "reinforce") and as_of is None:
            recalling.reinforce_later(found, activity, work, self.deferred, session=session)
        if self.sweeper is not None:
            self.sweeper.notify(self.owner, "query_complete")
        return found

    def context(
        self,
        query: str,
        *,
        budget_tokens: int = 1000,
        scope: str | Sequence[str] | None = None,
        scopes: Sequence[str] | None = None,
        min_score: float | None = None,
        reinforce: bool = True,
        session: str | None = None,
        faded: bool = False,
    ) -> Context:
        """Core memory, what is pinned and what answers `query`, as one block of data within a budget of tokens.

        Room that nothing answers stays empty, unless `min_score=0` asks for the long list. With `faded`, where nothing
        in use answers, detached and archived memories that do are told, marked as faded.
        """
        budget = validation.count(budget_tokens, "budget_tokens", recalling.BUDGET_TOKENS_MAX)
        session = remembering.admit_name(session, "session", self._context())
        limit = recalling.lines_of(budget, self.policy)
        asked = partial(
            self.recall, query, limit=limit, scope=scope, scopes=scopes, min_score=min_score, reinforce=False
        )
        found = asked()
        if validation.flag(faded, "faded") and not found:
            found = asked(include=recalling.FADED)
        work = self._context()
        where = filter_of(self.policy, scope=scope, scopes=scopes)
        placed = recalling.context(found, remembering.blocks(work), where, work, budget_tokens=budget)
        if validation.flag(reinforce, "reinforce"):
            recalling.reinforce_placed(placed, found, work, self.deferred, session=session)
        return placed

    def used(self, ids: str | Sequence[str], *, session: str | None = None) -> None:
        """These memories were really used: strengthen them as a recall would."""
        work = self._context()
        session = remembering.admit_name(session, "session", work)
        memories = work.memories(validation.several(ids, "id"))
        recalling.reinforce(memories, work, session=session, cause=Cause.USED, durable=True)

    def get(self, id: str) -> Memory:
        """One memory, whatever its status."""
        return self._context().memories([validation.identifier(id)])[0]

    def list(
        self,
        *,
        scope: str | Sequence[str] | None = None,
        scopes: Sequence[str] | None = None,
        categories: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        status: str | Sequence[str] = ("active", "detached"),
        tier: str | None = None,
        pinned: bool | None = None,
        subject: str | None = None,
        before: str | None = None,
        limit: int = 100,
    ) -> Memories:
        """Memories that match every filter given, newest first; `before` an id goes on from a page's last."""
        where = filter_of(
            self.policy,
            scope=scope,
            scopes=scopes,
            categories=categories,
            tags=tags,
            metadata=metadata,
            created_after=created_after,
            created_before=created_before,
            statuses=validation.members(Status, status, "status"),
            tier=None if tier is None else validation.member(Tier, tier, "tier"),
            pinned=None if pinned is None else validation.flag(pinned, "pinned"),
            subject=None if subject is None else validation.identifier(subject, "subject"),
        )
        last = None if before is None else validation.identifier(before, "before")
        most = validation.count(limit, "limit", self.policy.recall.limit_max)
        with self._context().read() as tx:
            return tx.memories.page(where, before=last, limit=most)

    def history(self, id: str) -> Events:
        """Everything that happened to a memory, oldest first; also to one that was purged."""
        return events_of(validation.identifier(id), self._context())

    def explain(self, id: str) -> Explanation:
        """How strong a memory is, why it has its status, what will become of it, and what would change that."""
        work = self._context()
        return forgetting.explain(work.memories([validation.identifier(id)])[0], work)
