"""What a verb works with: whose memories, under which policy, with which models, at which instant.

Made by the engine for each call, so that no verb asks for the time or for a setting itself.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime

from .clock import Clock, Moment
from .models import Models
from .policy import Policy
from .ports import Reading, Store, View, Writing


@dataclass(frozen=True, slots=True)
class Work:
    """One call's surroundings."""

    store: Store
    view: View
    policy: Policy
    models: Models
    now: datetime
    clock: Clock  # for what outlasts the call's instant: a lease

    def moment(self, tx: Reading) -> Moment:
        """The call's instant, with the owner's day of use."""
        return Moment(self.now, tx.activity.day_at(self.now))

    def read(self) -> AbstractContextManager[Reading]:
        return self.store.read(self.view)

    def write(self, *, durable: bool = True) -> AbstractContextManager[Writing]:
        return self.store.write(self.view, durable=durable)
