"""What an engine is bound to: a store, a policy, models, an owner and perhaps an agent, and a limit of trust.

No verb is in here; the verbs are in the modules beside this one.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from ..domain import validation
from ..domain.clock import CheckedClock, Clock
from ..domain.policy import Policy
from ..lifecycle.deferred_writes import Later
from ..lifecycle.operation_context import LIBRARY, OperationContext, Writer
from ..ports import BackgroundSweeper, Store, View
from ..ports.model_client import Models


class EngineBase:
    """The state that the verbs share, and the engines for other owners and callers that are made from it."""

    def __init__(
        self,
        *,
        store: Store,
        policy: Policy,
        clock: Clock,
        models: Models,
        owner: str = "default",
        agent: str | None = None,
        later: Later | None = None,
        writer: Writer = LIBRARY,
    ) -> None:
        self._store = store
        self.policy = policy
        self.clock: Clock = CheckedClock(clock)
        self.models = models
        self.owner = validation.name(owner, "owner")
        self.agent = None if agent is None else validation.name(agent, "agent")
        self.sweeper: BackgroundSweeper | None = None  # runs background sweeps of the store, where there is one
        self.later = later if later is not None else Later()
        self._writer = writer
        self._view = View(self.owner, self.agent)
        self._every_agents_view = View(self.owner, self.agent, every_agent=True)

    def __repr__(self) -> str:
        return f"<Engine of {self.owner}{'' if self.agent is None else f' for agent {self.agent}'}>"

    def for_owner(self, owner: str, agent: str | None = None) -> Self:
        """The same store, policy, models and limit of trust for another owner, seen by an agent of theirs or none."""
        return self._like(owner, agent, self._writer)

    def limited_to(self, source: str = "agent", *, trust_max: float | None = None, may_forget: bool = True) -> Self:
        """The same engine for a caller who may not say how far it is to be believed: an interface binds its callers so.

        What such a caller writes comes from `source` unless the call names another source, and is trusted as the policy
        trusts that source, at most `trust_max` (left out: what the policy grants `source`). A source that is trusted
        more ("user", for an agent) and a `trust=` above the ceiling are refused as `invalid`, naming the ceiling; what
        the user said is given as `evidence=`. `update` and `set_block` are limited in the same way. A limit that
        stands already is never widened.
        """
        kind = validation.name(source, "source")
        granted = self._writer.ceiling(kind, self.policy)
        most = min(granted, validation.share(trust_max, "trust_max", granted))
        return self._like(self.owner, self.agent, Writer(kind, most, may_forget and self._writer.may_forget))

    def trust_ceiling(self, source: str | None = None) -> float:
        """The trust that a memory written here gets from a source of this kind; left out, from the caller's own."""
        kind = self._writer.source if source is None else validation.name(source, "source")
        return self._writer.ceiling(kind, self.policy)

    @property
    def store(self) -> Store:
        """The store, after the deferred writes of this owner are done."""
        self.later.wait(self.owner)
        return self._store

    def close(self) -> None:
        """Close the store, after background sweeps and deferred writes have ended; every answered write is committed
        already."""
        if self.sweeper is not None:
            self.sweeper.close()
        self.later.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _like(self, owner: str, agent: str | None, writer: Writer) -> Self:
        engine = type(self)(
            store=self._store,
            policy=self.policy,
            clock=self.clock,
            models=self.models,
            owner=owner,
            agent=agent,
            later=self.later,
            writer=writer,
        )
        engine.sweeper = self.sweeper
        return engine

    def _context(self, view: View | None = None) -> OperationContext:
        """What one call works with: its instant, and what is bound here."""
        return OperationContext(
            self.store, view or self._view, self.policy, self.models, self.clock.now(), self.clock, self._writer
        )

    def _of_every_agent(self) -> OperationContext:
        """The same for a call that concerns all that the owner has, whichever agent's it is."""
        return self._context(self._every_agents_view)

    def _of_owner_or_agent(self) -> OperationContext:
        """The same for a call that concerns all that the owner has; for an engine bound to an agent, what it sees."""
        return self._context(self._every_agents_view if self.agent is None else None)
