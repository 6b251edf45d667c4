"""The state of an engine: a store, a policy, models, an owner, an optional agent, and a limit of trust.

The verbs are in the other modules of this package.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from ..domain import validation
from ..domain.clock import CheckedClock, Clock
from ..domain.errors import Invalid
from ..domain.policy import Policy
from ..lifecycle.deferred_writes import DeferredWrites
from ..lifecycle.operation_context import LIBRARY, OperationContext, Writer
from ..ports import BackgroundSweeper, Store, View
from ..ports.model_client import Models
from ..text.screening.request import clean_name


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
        deferred: DeferredWrites | None = None,
        writer: Writer = LIBRARY,
    ) -> None:
        self._store = store
        self.policy = policy
        self.clock: Clock = CheckedClock(clock)
        self.models = models
        self.owner = validation.name(owner, "owner")
        self.agent = None if agent is None else _agent(agent, policy)
        self.sweeper: BackgroundSweeper | None = None  # runs background sweeps of the store, where there is one
        self.deferred = deferred if deferred is not None else DeferredWrites()
        self._writer = writer
        self._view = View(self.owner, self.agent)
        self._every_agents_view = View(self.owner, self.agent, every_agent=True)

    def __repr__(self) -> str:
        return f"<Engine of {self.owner}{'' if self.agent is None else f' for agent {self.agent}'}>"

    def for_owner(self, owner: str, agent: str | None = None) -> Self:
        """An engine for another owner, or an agent of theirs; store, policy, models and trust limit stay."""
        return self._like(owner, agent, self._writer)

    def limited_to(self, source: str = "agent", *, trust_max: float | None = None, may_forget: bool = True) -> Self:
        """The same engine for a caller that may not set its own trust: interfaces bind their callers like this.

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
        self.deferred.wait(self.owner)
        return self._store

    def close(self) -> None:
        """Close the store, after background sweeps and deferred writes have ended; every answered write is committed
        already."""
        if self.sweeper is not None:
            self.sweeper.close()
        self.deferred.close()
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
            deferred=self.deferred,
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


def _agent(given: str, policy: Policy) -> str:
    """An agent's name as the log keeps it and other agents read it: no place for an instruction, nor for a secret."""
    name, gate = validation.name(given, "agent"), policy.gate
    if clean_name(name, "agent", redact=gate.redact_secrets, quarantine=gate.quarantine_instructions) != name:
        raise Invalid("agent holds a secret, or characters that show nothing; give a plain name")
    return name
