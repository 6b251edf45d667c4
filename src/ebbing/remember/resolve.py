"""What a new memory means for stored ones: it repeats one, says the same as one in other words, or replaces some.

Equal words are the same. Other words are the same when the judge reads them so and every number, name, time,
condition and negation agrees (text/paraphrase.py); without a judge, when they agree word for word. In doubt they stay
two. What gives way are memories the caller replaces by name, those at the same address, and those that a newer
statement contradicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..domain.errors import Invalid, NotFound
from ..domain.judgement import Relation
from ..domain.memory import Memory, Status, Tier
from ..domain.policy import Policy
from ..domain.policy.judge_rules import Judging
from ..lifecycle.conflicts import ConflictState, conflict_state
from ..ports import Index, Vector, WriteTransaction
from ..text.paraphrase import agree, differ_in_a_value, same
from ..text.speakers import name_different_speakers, same_actor
from .admit import NewMemoryRequest
from .candidates import Related
from .update import require
from .write import NearDuplicate, PreparedMemory, SupersedeReason, WriteDecision

_OPINIONS = {
    "contradictory": "it contradicts what was said since",
    "subsumes": "what was said since says it too, and more",
}


def find_exact_duplicate(draft: PreparedMemory, index: Index) -> Memory | None:
    """The live memory that this text repeats, in the same scope and category and seen by the same agents.

    Not the one that it is to be written in the place of: whoever changes a capital wants it changed.
    """
    replaced = draft.request.supersedes if draft.request.is_update else ()
    found = [memory for memory in index.by_digest([draft.digest]) if memory.id not in replaced]
    same_words = [memory for memory in found if _mergeable(memory, draft.request)]
    # An active one before a detached one: strengthening what recall can find.
    return min(same_words, key=lambda memory: (memory.status is not Status.ACTIVE, memory.id), default=None)


def find_near_duplicate(
    draft: PreparedMemory,
    candidates: Sequence[Memory],
    relations: Mapping[tuple[str, str], Relation],
    vectors: Mapping[str, Vector],
    index: Index,
    policy: Policy,
) -> NearDuplicate | None:
    """The live memory that says the same in other words, the oldest of several; none that it is to replace."""
    alike = [
        memory
        for memory in candidates
        if memory.status.live and memory.id not in draft.request.supersedes and _mergeable(memory, draft.request)
    ]
    if not alike:
        return None
    own = vectors.get(draft.request.text)
    theirs = index.vectors([memory.id for memory in alike]) if own is not None else {}
    for memory in sorted(alike, key=lambda one: one.id):
        comparable = memory.fingerprint == draft.fingerprint and memory.id in theirs
        similarity = float(np.dot(own, theirs[memory.id])) if comparable and own is not None else None
        relation = relations.get((memory.digest, draft.digest))
        if relation is not None and _judged_same(relation, memory.text, draft.request.text, policy):
            return NearDuplicate(memory, similarity, relation)
        near = similarity is None or similarity >= policy.match.merge_similarity
        if near and same(memory.text, draft.request.text):
            return NearDuplicate(memory, similarity, relation)
    return None


def _judged_same(relation: Relation, first: str, second: str, policy: Policy) -> bool:
    return relation.same >= policy.judge.same_certainty and agree(first, second)


def _mergeable(memory: Memory, request: NewMemoryRequest) -> bool:
    """Whether two could be one: of one kind and place, and not at two addresses, where one word says two things."""
    return (
        memory.scope == request.scope
        and memory.category == request.category
        and memory.visibility is request.visibility
        and memory.tier is request.tier
        # "on" is not the same about the lamp and about the heating.
        and (None in (memory.subject, request.subject) or _address(memory) == _address(request))
        and memory.source.actor == request.source.actor
    )


def _address(of: Memory | NewMemoryRequest) -> tuple[str | None, str | None]:
    return of.subject, of.attribute


@dataclass(frozen=True, slots=True)
class _Rival:
    memory: Memory
    why_superseded: SupersedeReason
    detected: bool = False  # found by us: nobody asked for it
    newer: bool = False  # holds against the newcomer, and is the later of the two
    doubt: str | None = None  # why nothing tells which of the two holds


def resolve(
    decision: WriteDecision,
    draft: PreparedMemory,
    candidates: Sequence[Memory],
    related: Related,
    tx: WriteTransaction,
    policy: Policy,
) -> None:
    """Decide between a new memory and those that it may replace, in place in `decision`.

    A newer memory is never superseded by an older, a trusted one never by one trusted less, a pinned one never
    silently: then both are kept and flagged, or the new one is superseded from the start.
    """
    request = draft.request
    duplicate = decision.duplicate  # says this already, and so meets those others again
    asked = {rival.memory.id: rival for rival in _asked(draft, tx)}
    found = [rival for rival in _detected(draft, candidates, related, policy) if rival.memory.id not in asked]
    for rival in (*asked.values(), *found):
        memory = rival.memory
        if duplicate is not None and memory.id == duplicate.id:
            continue  # its own words
        contest = None if duplicate is None else conflict_state(duplicate.id, memory.id, tx.events)
        if contest is ConflictState.SETTLED and memory.id not in request.supersedes:
            continue  # a person decided that both hold, and saying one of them again is no news
        why = _kept_because(rival, draft, policy)
        later = rival.newer or (request.created_at is not None and request.created_at < memory.created_at)
        if later and rival.doubt is None:
            if not _outranks(request, memory):
                decision.newer.append((memory, rival.why_superseded))
                continue
            why = "it is newer, though it is trusted less or not pinned"
        if why is None:
            decision.superseded[memory.id] = (memory, rival.why_superseded)
        elif contest is not ConflictState.OPEN:
            decision.contested.append((memory, why, rival.why_superseded.evidence))
    if decision.newer:
        decision.near_duplicate = None


def _outranks(request: NewMemoryRequest, memory: Memory) -> bool:
    """Whether a memory that is merely newer may not supersede the new one: that is trusted more, or pinned."""
    return request.trust > memory.trust or (request.pinned and not memory.pinned)


def _kept_because(rival: _Rival, draft: PreparedMemory, policy: Policy) -> str | None:
    """Why a rival is kept; None when it is superseded."""
    memory = rival.memory
    if memory.pinned and not (draft.request.is_update and memory.id in draft.request.supersedes):
        return "it is pinned"
    if memory.trust > draft.request.trust:
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


def _is_in_force(memory: Memory) -> bool:
    """Whether it can be superseded: it is live, or archived and can be restored."""
    return memory.status.live or memory.status is Status.ARCHIVED


def _asked(draft: PreparedMemory, tx: WriteTransaction) -> Iterable[_Rival]:
    request = draft.request
    if request.supersedes:
        named = tx.memories.get(request.supersedes)
        missing = [id_ for id_ in request.supersedes if id_ not in named]
        if missing:
            raise NotFound(f"there is no memory {', '.join(missing)} to supersede")
        refuse_core(named.values())
        if request.is_update:
            # Looked at before the slow work: somebody may have been faster.
            for memory in named.values():
                require(memory, request.version)
        yield from (_Rival(m, SupersedeReason("superseded by the caller")) for m in named.values() if _is_in_force(m))
    if request.subject is not None and request.attribute is not None:
        why_superseded = SupersedeReason(f"a newer value for {request.subject} / {request.attribute}")
        for memory in tx.index.by_subject(request.subject, request.attribute):
            if (
                memory.scope == request.scope
                and memory.visibility is request.visibility
                and memory.tier is not Tier.CORE
            ):
                yield _Rival(memory, why_superseded)


def _detected(
    draft: PreparedMemory, candidates: Sequence[Memory], related: Related, policy: Policy
) -> Iterable[_Rival]:
    """What the judge, or a language model that was asked in doubt, finds at odds with the draft."""
    if not policy.match.find_contradictions:
        return
    request, rules = draft.request, policy.judge
    may_change = [memory.digest for memory in candidates if same_actor(memory, request.source.actor)]
    replaced = related.replaced(draft.digest, may_change, rules)
    for memory in candidates:
        late = request.created_at is not None and request.created_at < memory.created_at
        key = (draft.digest, memory.digest) if late else (memory.digest, draft.digest)
        opinion, relation = related.opinions.get(key), related.relations.get(key)
        evidence = {} if relation is None else relation.rounded()
        if opinion in _OPINIONS:
            why_superseded = SupersedeReason(
                f"a language model finds: {_OPINIONS[opinion]}", {**evidence, "opinion": 1.0}
            )
            yield _Rival(memory, why_superseded, detected=True, newer=late)
        if opinion is not None or relation is None or relation.conflicts < rules.conflict_certainty:
            continue
        doubt = None
        if relation.updates < _certainty(memory, request, rules):
            doubt = f"it is not certain that the newer statement replaces it ({relation.updates:.2f})"
        elif memory.digest not in may_change:
            doubt = "somebody else said it"
        elif not late and memory.digest not in replaced:
            doubt = f"the newer statement replaces another memory more likely than this one ({relation.updates:.2f})"
        reason = f"a newer statement makes it untrue ({relation.updates:.2f})"
        yield _Rival(memory, SupersedeReason(reason, evidence), detected=True, newer=late, doubt=doubt)


def _certainty(memory: Memory, request: NewMemoryRequest, rules: Judging) -> float:
    """From which probability on a memory counts as replaced by what was said."""
    if name_different_speakers(memory.text, request.text):
        return max(rules.update_certainty, rules.speaker_certainty)
    if differ_in_a_value(memory.text, request.text):
        return max(rules.update_certainty, rules.value_certainty)
    return rules.update_certainty
