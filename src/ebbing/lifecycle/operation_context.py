"""What a verb works with: whose memories, under which policy, with which models, at which instant.

Made by the engine for each call, so that no verb asks for the time or for a setting itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..domain.clock import Clock, Moment
from ..domain.errors import Denied, Invalid, NotFound
from ..domain.memory import Memory
from ..domain.policy import Policy
from ..ports import OwnerState, ReadTransaction, Store, View
from ..ports.model_client import Models
from ..text.screening.deobfuscate import latin, plain
from .unit_of_work import UnitOfWork, unit_of_work

AHEAD_MAX = timedelta(days=1)  # clocks and time zones differ by less


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes through an engine: the kind of source a memory has when the call names none, and a limit on trust.

    The caller of the library is not limited: `trust_max` is None, and an explicit `trust=` may be anything. An engine
    that serves somebody else (an agent over MCP, the holder of an HTTP token) is limited: no memory written through it
    is trusted more than `trust_max`, nor more than the policy grants its kind of source.
    """

    source: str = "user"
    trust_max: float | None = None
    may_forget: bool = True  # whether an order to forget, said in a text, is carried out

    def ceiling(self, kind: str, policy: Policy) -> float:
        """The trust that a memory from a source of this kind gets when the call gives none."""
        granted = policy.trust.of(kind)
        return granted if self.trust_max is None else min(granted, self.trust_max)

    def trust(self, given: float | None, kind: str, policy: Policy) -> float:
        """The trust of a memory as it is stored; `Invalid`, naming the ceiling, when a limited writer claims more."""
        most = self.ceiling(kind, policy)
        if given is None:
            return most
        if self.trust_max is not None and given > most:
            raise Invalid(
                f"trust {given:g} is above {most:g}, the most that source {kind} is trusted here; leave trust out, "
                f"or give at most {most:g}"
            )
        return given

    def check_source(self, kind: str, policy: Policy) -> None:
        """Refuse a source that is trusted more than this writer may be: an agent does not speak as the user. Nor under
        a name that is read as the same one: in capitals, look-alike letters or with something invisible in it."""
        if self.trust_max is None:
            return
        alike = [name for name in policy.trust.sources if name != kind and _as_read(name) == _as_read(kind)]
        if any(policy.trust.of(name) > self.trust_max for name in alike):
            raise Invalid(
                f"source {kind!a} is read as {alike[0]}, which is trusted more than this caller may be; write as "
                f"{self.source} and quote what the {alike[0]} said as evidence"
            )
        if policy.trust.of(kind) > self.trust_max:
            raise Invalid(
                f"source {kind} is trusted {policy.trust.of(kind):g}, and this caller {self.trust_max:g} at most; "
                f"write as {self.source} and quote what the {kind} said as evidence"
            )

    def check_takes_nothing(self, memory: Memory, what: str, policy: Policy) -> None:
        """Refuse to take something from a memory that is trusted more than this writer: what ends it early, hides or
        weakens it is as good as replacing it."""
        most = self.ceiling(self.source, policy)
        if self.trust_max is not None and memory.trust > most:
            raise Denied(
                f"memory {memory.id} is trusted {memory.trust:g}, and this caller {most:g} at most: it may add to it, "
                f"but not change its {what}; the user may, and so may a caller with the right write-as-user"
            )

    def check_may_last(self, what: str, policy: Policy) -> None:
        """Refuse to a limited writer below the policy's floor of trust what keeps a memory in use longer than such a
        source deserves: a pin, a long time to live, a place in core memory."""
        most, floor = self.ceiling(self.source, policy), policy.reinforcement.trust_floor
        if self.trust_max is not None and most < floor:
            raise Denied(
                f"{what} is not for this caller: it is trusted {most:g} at most, and what is trusted less than"
                f" {floor:g} fades and expires as the policy says; the user may do so, and a caller with the right"
                " write-as-user"
            )

    def check_created_at(self, at: datetime | None, now: datetime) -> None:
        """Refuse a time far ahead from a limited writer: what claims to be the newest would win over later statements
        for as long."""
        if self.trust_max is not None and at is not None and at - now > AHEAD_MAX:
            raise Invalid(
                f"created_at {at.isoformat()} is more than a day ahead; leave it out for now, or give when it was said"
            )

    def own_kind(self, kind: str, policy: Policy) -> str:
        """`kind` where this writer may name it as the source, else its own."""
        limited = self.trust_max is not None and policy.trust.of(kind) > self.trust_max
        return self.source if limited else kind


def _as_read(name: str) -> str:
    """A name as a reader takes it: without case, accents, widths, look-alike letters and signs."""
    return "".join(letter for letter in latin(plain(name)) if letter.isalnum())


LIBRARY = Writer()  # the program that calls the library itself


@dataclass(frozen=True, slots=True)
class OperationContext:
    """One call's surroundings."""

    store: Store
    view: View
    policy: Policy
    models: Models
    now: datetime
    clock: Clock  # for what outlasts the call's instant: a lease
    writer: Writer = LIBRARY

    def moment(self, owner: OwnerState) -> Moment:
        """The call's instant, with the owner's day of use."""
        return Moment(self.now, owner.activity.day_at(self.now))

    def renewed(self) -> OperationContext:
        """The same at the present instant: for the next step of a call that may take long."""
        return replace(self, now=self.clock.now())

    def memories(self, ids: Sequence[str]) -> list[Memory]:
        """The memories with these ids, in their order, whatever their status; NotFound names those that are missing."""
        with self.read() as tx:
            found = tx.memories.get(ids)
        missing = [id_ for id_ in ids if id_ not in found]
        if missing:
            raise NotFound(f"there is no memory {', '.join(missing)}")
        return [found[id_] for id_ in ids]

    def read(self) -> AbstractContextManager[ReadTransaction]:
        return self.store.read(self.view)

    def write(
        self,
        batch: str | None = None,
        *,
        view: View | None = None,
        session: str | None = None,
        reason: str | None = None,
        is_use: bool = True,
        durable: bool = True,
    ) -> AbstractContextManager[UnitOfWork]:
        """A transaction under this call's policy, at its instant; the rest as `unit_of_work` says."""
        more = {"batch": batch, "session": session, "reason": reason}
        return unit_of_work(
            self.store, view or self.view, self.policy, self.now, is_use=is_use, durable=durable, **more
        )
