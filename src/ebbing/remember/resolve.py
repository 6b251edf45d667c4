"""What gives way: memories the caller replaces by name, those at the same address, and those that a newer statement
contradicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..errors import NotFound
from ..model import Memory, Status
from ..policy import Policy
from ..ports import Writing
from ..reading.claims import Relation, conflict
from .match import Company
from .write import Draft, Ground, Verdict

# By the id of a stored memory and the digest of a newcomer: what a language model made of a doubtful pair.
Opinions = Mapping[tuple[str, str], str]

_OPINIONS = {
    "contradictory": "it contradicts what was said since",
    "subsumes": "what was said since says it too, and more",
}


@dataclass(frozen=True, slots=True)
class _Rival:
    memory: Memory
    ground: Ground
    changed: bool = True  # whether it is plain that things changed, or that somebody wants it so
    detected: bool = False  # found by us: nobody asked for it
    newer: bool = False  # holds against the newcomer, and is the later of the two
    thin: bool = False  # they cannot both hold, and nothing tells which does


def resolve(
    draft: Draft, known: Memory | None, company: Company, opinions: Opinions, tx: Writing, policy: Policy
) -> Verdict:
    """Who wins. A newer one is never retired by an older, a trusted one never by a less trusted, a pinned one never
    silently: then both stay and are contested, or the newcomer is born superseded."""
    verdict = Verdict(known=known)
    said = draft.said
    asked = {rival.memory.id: rival for rival in _asked(draft, tx)}
    found = [rival for rival in _detected(draft, company, opinions, policy) if rival.memory.id not in asked]
    for rival in (*asked.values(), *found):
        memory = rival.memory
        if known is not None and memory.id == known.id:
            continue  # its own words
        if rival.newer or (said.created_at is not None and said.created_at < memory.created_at):
            verdict.newer.append(memory)
        elif why := _kept_because(rival, draft, policy):
            verdict.contested.append((memory, why))
        else:
            verdict.superseded[memory.id] = (memory, rival.ground)
    return verdict


def _kept_because(rival: _Rival, draft: Draft, policy: Policy) -> str | None:
    """Why a rival is not retired; None when it is."""
    memory = rival.memory
    if memory.pinned and not (draft.said.insists and memory.id in draft.said.supersedes):
        return "it is pinned"
    if memory.trust > draft.said.trust:
        return "its source is trusted more"
    if rival.detected and policy.protects(memory.category, memory.scope, False):
        return "it is protected"
    if rival.thin:
        return "nothing tells which of the two holds"
    established = memory.recall_count >= policy.match.established_recalls
    if rival.detected and established and not rival.changed:
        return f"it was of use {memory.recall_count} times, and nothing says that things have changed"
    return None


def _stands(memory: Memory) -> bool:
    """Whether there is anything to replace: in use, or archived and able to come back."""
    return memory.status.live or memory.status is Status.ARCHIVED


def _asked(draft: Draft, tx: Writing) -> Iterable[_Rival]:
    said = draft.said
    if said.supersedes:
        named = tx.get(said.supersedes)
        missing = [id_ for id_ in said.supersedes if id_ not in named]
        if missing:
            raise NotFound(f"there is no memory {', '.join(missing)} to supersede")
        yield from (_Rival(m, Ground("superseded by the caller")) for m in named.values() if _stands(m))
    if said.subject is not None and said.attribute is not None:
        ground = Ground(f"a newer value for {said.subject} / {said.attribute}")
        for memory in tx.at_address(said.subject, said.attribute):
            if memory.scope == said.scope and memory.visibility is said.visibility:
                yield _Rival(memory, ground)


def _detected(draft: Draft, company: Company, opinions: Opinions, policy: Policy) -> Iterable[_Rival]:
    if not policy.match.find_contradictions:
        return
    said = draft.said
    for memory in company.of(draft):
        late = said.created_at is not None and said.created_at < memory.created_at
        texts = (said.text, memory.text) if late else (memory.text, said.text)
        judgement = conflict(*texts)
        opinion = opinions.get((memory.id, draft.digest))
        if judgement is not None and judgement.whole and judgement.relation is not Relation.DOUBTFUL:
            yield _Rival(
                memory,
                Ground(judgement.reason, dict(judgement.evidence)),
                changed=judgement.evidence.get("change", 0) > 0,
                detected=True,
                newer=late,
                thin=judgement.relation is Relation.CONTRADICTS and opinion != "contradictory",
            )
        elif opinion in ("contradictory", "subsumes"):
            told = f"a language model finds: {_OPINIONS[opinion]}"
            yield _Rival(memory, Ground(told, {"opinion": 1.0}), detected=True, newer=late)
