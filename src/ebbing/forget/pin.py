"""Hold a memory back from the way down, or let it go that way again."""

from __future__ import annotations

from ..domain.errors import NotFound
from ..domain.events import EventKind
from ..domain.ids import new_id
from ..domain.memory import Memory, Status
from ..domain.retention import armed
from ..lifecycle.operation_context import Work
from ..ports import NewEvent


def set_pinned(id_: str, pinned: bool, work: Work) -> Memory:
    """The memory, pinned or not; written only when that is a change. Pinning a detached one puts it back in use."""
    policy, now = work.policy, work.now
    with work.write() as tx:
        moment = tx.use(now)
        tx.under(policy.fingerprint)
        memory = tx.get([id_]).get(id_)
        if memory is None:
            raise NotFound(f"there is no memory {id_}")
        if memory.pinned is not pinned:
            if not pinned:
                work.writer.check_takes_nothing(memory, "pin", policy)
            changes = [NewEvent(EventKind.PINNED if pinned else EventKind.UNPINNED, id_)]
            if pinned and memory.status is Status.DETACHED:
                memory = memory.with_(status=Status.ACTIVE)
                was = {"was": Status.DETACHED, "to": Status.ACTIVE}
                changes.append(NewEvent(EventKind.RESTORED, id_, "pinned", was))
            memory = armed(memory.with_(pinned=pinned), moment, policy)
            tx.change([memory])
            tx.record(changes, at=now, batch=new_id(now))
    return memory
