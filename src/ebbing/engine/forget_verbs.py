"""Forget and restore: forget, purge, sweep, compact, pin. Each checks its arguments and calls `ebbing.forget`."""

from __future__ import annotations

from collections.abc import Sequence

from .. import forget as forgetting
from .. import recall as recalling
from .. import remember as remembering
from ..domain import validation
from ..domain.durations import duration
from ..domain.errors import Invalid
from ..domain.memory import Memory, Scope
from ..domain.results import Batch, Receipt, Sweep
from ..lifecycle.filters import confirm_everything, filter_of
from ..ports import Filter, Progress
from .base import EngineBase

_MOST = 2**31
_AWAITED_TRIGGERS = ("manual", "memory_pressure")


class ForgetVerbs(EngineBase):
    """The verbs that take memories out of use, and back."""

    def forget(
        self,
        *,
        scope: str | None = None,
        older_than: str | None = None,
        categories: Sequence[str] | None = None,
        ids: str | Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        query: str | None = None,
        everything: bool = False,
        dry_run: bool = False,
        limit: int | None = None,
        reason: str | None = None,
    ) -> Batch:
        """Put away what every given filter names. Soft: `restore(batch=…)` brings it back exactly.

        The root scope as the only filter needs `everything=True` as well.
        """
        work = self._context()
        reason = remembering.admit_name(reason, "reason", work)
        where = filter_of(
            self.policy,
            scope=scope,
            categories=categories,
            tags=tags,
            ids=None if ids is None else validation.several(ids, "id"),
            created_before=None if older_than is None else work.now - duration(older_than),
        )
        if where.ids is not None:
            work.memories(where.ids)
        most = None if limit is None else validation.count(limit, "limit", _MOST)
        if query is not None:
            forgetting.check_query(query, self.policy)
            where = forgetting.narrowed_to_query(query, recalling.exact(query, where, work), where, work, limit=most)
        where = confirm_everything("forget", where, validation.flag(everything, "everything"))
        is_dry = validation.flag(dry_run, "dry_run")
        return forgetting.forget(where, self._context(), limit=most, reason=reason, dry_run=is_dry)

    def restore(self, ids: str | Sequence[str] | None = None, *, batch: str | None = None) -> Batch:
        """Bring memories back, by id or as the batch that was put away together."""
        if (ids is None) == (batch is None):
            raise Invalid("restore needs either ids or a batch")
        return forgetting.restore(
            self._context(),
            ids=None if ids is None else validation.several(ids, "id"),
            batch=None if batch is None else validation.identifier(batch, "batch"),
        )

    def purge(
        self,
        *,
        ids: str | Sequence[str] | None = None,
        scope: str | None = None,
        everything: bool = False,
        reason: str | None = None,
    ) -> Receipt:
        """Erase for good, with every version and everything derived; the text cannot be learned again until its
        tombstone is lifted.

        `everything` is all that the owner has; for an engine bound to an agent, all that this agent may see. The root
        scope needs it as well.
        """
        if not validation.flag(everything, "everything") and (ids is None) == (scope is None):
            raise Invalid("purge needs exactly one of ids, scope or everything=True")
        where = Filter(
            ids=None if ids is None else validation.several(ids, "id"),
            scope=None if scope is None else Scope(scope),
        )
        where = confirm_everything("purge", where, everything)
        reason = remembering.admit_name(reason, "reason", self._context())
        work = self._of_owner_or_agent() if everything else self._context()
        return forgetting.purge(work, where, reason=reason)

    def lift(self, tombstone: str) -> None:
        """Allow a purged text to be learned again."""
        forgetting.lift(validation.identifier(tombstone, "tombstone"), self._context())

    def sweep(
        self,
        *,
        dry_run: bool = False,
        trigger: str = "manual",
        limit: int | None = None,
        progress: Progress | None = None,
    ) -> Sweep:
        """Sweep all agents' memories: detach, archive or summarize what has faded or expired. The result holds what
        this agent sees. A dry run returns the plan."""
        validation.callback(progress, "progress")
        work = self._of_every_agent()
        most = None if limit is None else validation.count(limit, "limit", _MOST)
        trigger = validation.name(trigger, "trigger")
        if self.sweeper is not None and trigger in _AWAITED_TRIGGERS:
            # The caller wants all of it, not what a background sweep that has begun leaves over.
            self.sweeper.wait(self.owner)
        run = forgetting.plan if validation.flag(dry_run, "dry_run") else forgetting.sweep
        return forgetting.seen_by(self._view, run(work, trigger=trigger, limit=most, progress=progress))

    def pressure(self) -> Sweep:
        """Sweep now because the host is short of memory, even if no limit is reached."""
        return self.sweep(trigger="memory_pressure")

    def crowded(self) -> bool:
        """Whether a scope has reached its soft limit of active memories."""
        with self._context().read() as tx:
            return tx.scopes.any_with(self.policy.sweep.soft_limit)

    def compact(self, *, scope: str, dry_run: bool = False) -> Batch:
        """Summarize a scope's topics now: each topic's entries past their grace become one. `restore` undoes it."""
        is_dry = validation.flag(dry_run, "dry_run")
        return forgetting.compact(self._context(), scope=Scope(scope), dry_run=is_dry)

    def pin(self, id: str) -> Memory:
        """Protect a memory: it never fades and is never pruned or overwritten."""
        return forgetting.set_pinned(validation.identifier(id), True, self._context())

    def unpin(self, id: str) -> Memory:
        """Let a memory fade again."""
        return forgetting.set_pinned(validation.identifier(id), False, self._context())
