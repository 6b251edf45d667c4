"""Hold a memory back from the way down, or let it go that way again."""

from __future__ import annotations

from datetime import datetime

from ..errors import NotFound
from ..fading import armed
from ..ids import new_id
from ..model import EventKind, Memory
from ..policy import Policy
from ..ports import Change, Store, View


def set_pinned(id_: str, pinned: bool, *, store: Store, view: View, policy: Policy, now: datetime) -> Memory:
    """The memory, pinned or not; it and its alarm are written only when that is a change."""
    with store.write(view) as tx:
        moment = tx.use(now)
        tx.under(policy.fingerprint)
        memory = tx.get([id_]).get(id_)
        if memory is None:
            raise NotFound(f"there is no memory {id_}")
        if memory.pinned is not pinned:
            memory = armed(memory.with_(pinned=pinned), moment, policy)
            tx.change([memory])
            kind = EventKind.PINNED if pinned else EventKind.UNPINNED
            tx.record([Change(kind, id_)], at=now, batch=new_id(now))
    return memory
