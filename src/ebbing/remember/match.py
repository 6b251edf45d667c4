"""What is known already: memories that say exactly the same."""

from __future__ import annotations

from ..model import Memory, Status
from ..ports import Writing
from .gate import Said
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
        # At another address it says something else: "on" is not the same about the lamp and about the heating.
        and (None in (memory.subject, draft.said.subject) or _address(memory) == _address(draft.said))
    ]
    # An active one before a detached one: strengthening what recall can find.
    return min(same, key=lambda memory: (memory.status is not Status.ACTIVE, memory.id), default=None)


def _address(of: Memory | Said) -> tuple[str | None, str | None]:
    return of.subject, of.attribute
