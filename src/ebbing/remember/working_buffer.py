"""The working memory of a session: a bounded buffer that archives its weakest entry when it is full."""

from __future__ import annotations

from collections.abc import Sequence

from ..domain.clock import Moment
from ..domain.memory import Memory, Status, Tier
from ..domain.policy import Policy
from ..domain.retention import held_for_review, strength_of
from ..lifecycle.transitions import archive
from ..lifecycle.unit_of_work import UnitOfWork


def surplus(held: Sequence[Memory], latest: str, moment: Moment, policy: Policy) -> list[Memory]:
    """The entries over the capacity, weakest first; not the latest, nor what is protected or harmful to lose."""
    weakest = sorted(
        (strength_of(memory, moment, policy), memory.id, memory)
        for memory in held
        if memory.id != latest
        and not policy.protects(memory.category, memory.scope, memory.pinned)
        and not held_for_review(memory, policy)
    )
    return [memory for _, _, memory in weakest[: max(len(held) - policy.working.capacity, 0)]]


def full(policy: Policy) -> str:
    """The reason that the event of an archived entry gives."""
    return f"the working memory of its session holds {policy.working.capacity}; the weakest goes first"


def make_room(added: Sequence[Memory], unit: UnitOfWork) -> list[Memory]:
    """Archive the entries over the capacity of the buffers that these were added to, and return them.

    The latest of them stays in any case, and so does what is pinned or protected.
    """
    tx, moment, policy = unit.tx, unit.moment, unit.policy
    archived: list[Memory] = []
    working = [memory for memory in added if memory.tier is Tier.WORKING and memory.status is Status.ACTIVE]
    if not working:
        return archived
    for session in dict.fromkeys(memory.source.session for memory in working):
        latest = [memory.id for memory in working if memory.source.session == session][-1]
        archived += surplus(tx.memories.working_buffer(tx.view.agent, session), latest, moment, policy)
    strengths = [round(strength_of(memory, moment, policy), 6) for memory in archived]
    pairs = zip(archived, strengths, strict=True)
    unit.apply([archive(one, full(policy), strength=strength, policy=policy.name) for one, strength in pairs])
    return archived
