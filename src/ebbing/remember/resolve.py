"""What gives way: memories the caller replaces by name, those at the same address, and those that a newer statement
contradicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..domain.errors import Invalid, NotFound
from ..domain.memory import Memory, Status, Tier
from ..domain.policy import Policy
from ..domain.policy.reading import Judging
from ..lifecycle.conflicts import Contest, between
from ..ports import WriteTransaction
from ..text.paraphrase import differ_in_a_value
from ..text.speakers import name_different_speakers, same_actor
from .admit import Said
from .judge_pairs import Related
from .update import require
from .write import Draft, Ground, Verdict

_OPINIONS = {
    "contradictory": "it contradicts what was said since",
    "subsumes": "what was said since says it too, and more",
}


@dataclass(frozen=True, slots=True)
class _Rival:
    memory: Memory
    ground: Ground
    detected: bool = False  # found by us: nobody asked for it
    newer: bool = False  # holds against the newcomer, and is the later of the two
    doubt: str | None = None  # why nothing tells which of the two holds


def resolve(
    verdict: Verdict, draft: Draft, candidates: Sequence[Memory], related: Related, tx: WriteTransaction, policy: Policy
) -> None:
    """Who wins. A newer one is never retired by an older, a trusted one never by a less trusted, a pinned one never
    silently: then both stay and are contested, or the newcomer is born superseded."""
    said = draft.said
    stands = verdict.stands  # says this already, and so meets those others again
    asked = {rival.memory.id: rival for rival in _asked(draft, tx)}
    found = [rival for rival in _detected(draft, candidates, related, policy) if rival.memory.id not in asked]
    for rival in (*asked.values(), *found):
        memory = rival.memory
        if stands is not None and memory.id == stands.id:
            continue  # its own words
        contest = None if stands is None else between(stands.id, memory.id, tx)
        if contest is Contest.SETTLED and memory.id not in said.supersedes:
            continue  # a person decided that both hold, and saying one of them again is no news
        why = _kept_because(rival, draft, policy)
        later = rival.newer or (said.created_at is not None and said.created_at < memory.created_at)
        if later and rival.doubt is None:
            if not _outranks(said, memory):
                verdict.newer.append((memory, rival.ground))
                continue
            why = "it is newer, though it is trusted less or not pinned"
        if why is None:
            verdict.superseded[memory.id] = (memory, rival.ground)
        elif contest is not Contest.OPEN:
            verdict.contested.append((memory, why, rival.ground.evidence))
    if verdict.newer:
        verdict.twin = None


def _outranks(said: Said, memory: Memory) -> bool:
    """Whether what was said may not be retired by a memory that is merely newer."""
    return said.trust > memory.trust or (said.pinned and not memory.pinned)


def _kept_because(rival: _Rival, draft: Draft, policy: Policy) -> str | None:
    """Why a rival is not retired; None when it is."""
    memory = rival.memory
    if memory.pinned and not (draft.said.insists and memory.id in draft.said.supersedes):
        return "it is pinned"
    if memory.trust > draft.said.trust:
        return "its source is trusted more"
    if rival.detected and policy.protects(memory.category, memory.scope, False):
        return "it is protected"
    if rival.doubt is not None:
        return rival.doubt
    return None


def refuse_core(memories: Iterable[Memory]) -> None:
    """Core memory is replaced in its block, and by nothing else."""
    if any(memory.tier is Tier.CORE for memory in memories):
        raise Invalid("core memory is not superseded by a memory; use set_block(label, text)")


def _stands(memory: Memory) -> bool:
    """Whether there is anything to replace: in use, or archived and able to come back."""
    return memory.status.live or memory.status is Status.ARCHIVED


def _asked(draft: Draft, tx: WriteTransaction) -> Iterable[_Rival]:
    said = draft.said
    if said.supersedes:
        named = tx.get(said.supersedes)
        missing = [id_ for id_ in said.supersedes if id_ not in named]
        if missing:
            raise NotFound(f"there is no memory {', '.join(missing)} to supersede")
        refuse_core(named.values())
        if said.insists:
            # Looked at before the slow work: somebody may have been faster.
            for memory in named.values():
                require(memory, said.version)
        yield from (_Rival(m, Ground("superseded by the caller")) for m in named.values() if _stands(m))
    if said.subject is not None and said.attribute is not None:
        ground = Ground(f"a newer value for {said.subject} / {said.attribute}")
        for memory in tx.at_address(said.subject, said.attribute):
            if memory.scope == said.scope and memory.visibility is said.visibility and memory.tier is not Tier.CORE:
                yield _Rival(memory, ground)


def _detected(draft: Draft, candidates: Sequence[Memory], related: Related, policy: Policy) -> Iterable[_Rival]:
    """What the judge, or a language model that was asked in doubt, finds at odds with the draft."""
    if not policy.match.find_contradictions:
        return
    said, rules = draft.said, policy.judge
    may_change = [memory.digest for memory in candidates if same_actor(memory, said.source.actor)]
    replaced = related.replaced(draft.digest, may_change, rules)
    for memory in candidates:
        late = said.created_at is not None and said.created_at < memory.created_at
        key = (draft.digest, memory.digest) if late else (memory.digest, draft.digest)
        opinion, relation = related.opinions.get(key), related.relations.get(key)
        evidence = {} if relation is None else relation.rounded()
        if opinion in _OPINIONS:
            ground = Ground(f"a language model finds: {_OPINIONS[opinion]}", {**evidence, "opinion": 1.0})
            yield _Rival(memory, ground, detected=True, newer=late)
        if opinion is not None or relation is None or relation.conflicts < rules.conflict_certainty:
            continue
        doubt = None
        if relation.updates < _certainty(memory, said, rules):
            doubt = f"it is not certain that the newer statement replaces it ({relation.updates:.2f})"
        elif memory.digest not in may_change:
            doubt = "somebody else said it"
        elif not late and memory.digest not in replaced:
            doubt = f"the newer statement replaces another memory more likely than this one ({relation.updates:.2f})"
        reason = f"a newer statement makes it untrue ({relation.updates:.2f})"
        yield _Rival(memory, Ground(reason, evidence), detected=True, newer=late, doubt=doubt)


def _certainty(memory: Memory, said: Said, rules: Judging) -> float:
    """From which probability on a memory counts as replaced by what was said."""
    if name_different_speakers(memory.text, said.text):
        return max(rules.update_certainty, rules.speaker_certainty)
    if differ_in_a_value(memory.text, said.text):
        return max(rules.update_certainty, rules.value_certainty)
    return rules.update_certainty
