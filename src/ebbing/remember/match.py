"""What is known already: memories that say exactly the same."""

from __future__ import annotations

from ..model import Memory, Status
from ..ports import Writing
from .write import Draft


def match(draft: Draft, tx: Writing) -> Memory | None:
    """The live memory that this text repeats, in the same scope and category and seen by the same agents."""
    same = [
        memory
        for memory in tx.duplicates([draft.digest])
        if memory.scope == draft.said.scope
        and memory.category == draft.said.category
        and memory.visibility is draft.said.visibility
        and memory.tier is draft.said.tier
    ]
    # An active one before a detached one: strengthening what recall can find.
    return min(same, key=lambda memory: (memory.status is not Status.ACTIVE, memory.id), default=None)
