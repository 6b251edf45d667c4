"""What gives way: memories the caller replaces by name, and those at the same address."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import NotFound
from ..model import Memory, Status
from ..ports import Writing
from .write import Draft, Verdict


@dataclass(frozen=True, slots=True)
class _Rival:
    memory: Memory
    reason: str


def resolve(draft: Draft, known: Memory | None, tx: Writing) -> Verdict:
    """Who wins. A pinned rival is never overwritten silently, a newer one never by an older, a trusted one never by
    a less trusted: then both stay and are contested, or the newcomer is born superseded."""
    rivals = {rival.memory.id: rival for rival in _rivals(draft, tx) if known is None or rival.memory.id != known.id}
    verdict = Verdict(known=known)
    for rival in rivals.values():
        memory, said = rival.memory, draft.said
        if said.created_at is not None and said.created_at < memory.created_at:
            verdict.newer.append(memory)
        elif memory.pinned or memory.trust > said.trust:
            verdict.contested.append(memory)
        else:
            verdict.superseded[memory.id] = (memory, rival.reason)
    return verdict


def _stands(memory: Memory) -> bool:
    """Whether there is anything to replace: in use, or archived and able to come back."""
    return memory.status.live or memory.status is Status.ARCHIVED


def _rivals(draft: Draft, tx: Writing) -> list[_Rival]:
    found: list[_Rival] = []
    said = draft.said
    if said.supersedes:
        named = tx.get(said.supersedes)
        missing = [id_ for id_ in said.supersedes if id_ not in named]
        if missing:
            raise NotFound(f"there is no memory {', '.join(missing)} to supersede")
        found += [_Rival(memory, "superseded by the caller") for memory in named.values() if _stands(memory)]
    if said.subject is not None and said.attribute is not None:
        found += [
            _Rival(memory, f"a newer value for {said.subject} / {said.attribute}")
            for memory in tx.at_address(said.subject, said.attribute)
            if memory.scope == said.scope and memory.visibility is said.visibility
        ]
    return found
