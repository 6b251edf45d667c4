"""Hold a memory back from the way down, or let it go that way again."""

from __future__ import annotations

from ..domain.errors import NotFound
from ..domain.memory import Memory, Status
from ..lifecycle import transitions
from ..lifecycle.operation_context import OperationContext


def set_pinned(id_: str, pinned: bool, work: OperationContext) -> Memory:
    """The memory, pinned or not; written only when that is a change. Pinning a detached one puts it back in use."""
    with work.write() as unit:
        memory = unit.tx.memories.get([id_]).get(id_)
        if memory is None:
            raise NotFound(f"there is no memory {id_}")
        if memory.pinned is pinned:
            return memory
        if pinned:
            work.writer.check_may_last("pinning", work.policy)
        else:
            work.writer.check_takes_nothing(memory, "pin", work.policy)
        steps = [transitions.pin(memory) if pinned else transitions.unpin(memory)]
        if pinned and memory.status is Status.DETACHED:
            held = steps[0].after
            steps.append(transitions.restore(held, held.with_(status=Status.ACTIVE), "pinned"))
        return unit.apply(steps)[0]
