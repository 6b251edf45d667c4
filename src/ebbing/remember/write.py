"""Carry out what was decided about new memories: create, reinforce, merge, supersede, flag. Decides nothing itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

from ..domain.clock import Moment, calendar_day
from ..domain.event_values import Cause
from ..domain.events import Created, Merged
from ..domain.ids import new_id
from ..domain.judgement import Relation, TextReading
from ..domain.memory import Lifetime, Memory, Status
from ..domain.policy import Policy
from ..domain.results import Remembered
from ..domain.retention import day_told_of, pins_itself, time_to_live
from ..lifecycle.reinforcement import count_uses
from ..lifecycle.summary_links import dependent_summaries, remove
from ..lifecycle.transitions import Transition, archive, create, edit, flag_conflict, restore, supersede
from ..lifecycle.unit_of_work import UnitOfWork
from ..ports import OwnerState, Vector
from ..text.terms import digest
from .admit import NewMemoryRequest, PastUse


@dataclass(frozen=True, slots=True)
class PreparedMemory:
    """A request that is ready to be written: everything slow (embedding, counting, reading) is done."""

    request: NewMemoryRequest
    digest: str
    tokens: int
    fingerprint: str | None  # of the model that embedded it; None: it has no vector
    reading: TextReading | None = None  # what the judge reads in it; None: there is no judge

    @classmethod
    def of(
        cls, request: NewMemoryRequest, tokens: int, fingerprint: str | None, reading: TextReading | None = None
    ) -> PreparedMemory:
        """A request, once it is embedded, counted and read."""
        return cls(request, digest(request.text), tokens, fingerprint, reading)


class NearDuplicate(NamedTuple):
    """A stored memory that says the same in other words."""

    memory: Memory
    similarity: float | None  # of the vectors; None where there were not two of one model
    relation: Relation | None = None  # what the judge reads; None where it did not


class SupersedeReason(NamedTuple):
    """Why a memory is superseded, and the numbers that this rests on."""

    reason: str
    evidence: Mapping[str, float] = MappingProxyType({})


@dataclass(slots=True)
class WriteDecision:
    """What becomes of a new memory, and of the stored ones that it concerns."""

    known: Memory | None = None  # the stored memory with the same words
    near_duplicate: NearDuplicate | None = None  # the stored memory that says it in other words
    superseded: dict[str, tuple[Memory, SupersedeReason]] = field(
        default_factory=dict
    )  # by id, those that the new one supersedes
    contested: list[tuple[Memory, str, Mapping[str, float]]] = field(
        default_factory=list
    )  # those that contradict it and are kept, and why
    newer: list[tuple[Memory, SupersedeReason]] = field(
        default_factory=list
    )  # those that supersede the new one, because they are newer
    judge: str | None = None  # the fingerprint of the judge whose numbers the evidence is

    @property
    def duplicate(self) -> Memory | None:
        """The stored memory that says this already."""
        return self.known if self.near_duplicate is None else self.near_duplicate.memory


def write(
    draft: PreparedMemory, decision: WriteDecision, vectors: Mapping[str, Vector], change: UnitOfWork
) -> Remembered:
    """Carry the decision out; one event per change."""
    change = change.in_session(draft.request.source.session)
    if decision.known is not None:
        winner = _reinforce_known(draft, decision, decision.known, change)
        outcome = Remembered(reinforced=[winner], batch=change.batch)
    elif decision.near_duplicate is not None:
        outcome = _merged(draft, decision, decision.near_duplicate, vectors, change)
        (winner,) = outcome.reinforced
    else:
        (winner,) = _added([(draft, decision)], vectors, change)
        outcome = Remembered(memories=[winner], batch=change.batch)
    for loser, why_superseded in decision.superseded.values():
        is_update = draft.request.is_update and loser.id in draft.request.supersedes
        numbers = evidence_of(why_superseded.evidence, decision.judge)
        step = supersede(loser, winner, change.moment.at, why_superseded.reason, update=is_update, **numbers)
        outcome.superseded.extend(change.apply([step]))
    archive_dependent_summaries([loser for loser, _ in decision.superseded.values()], change)
    if decision.newer and decision.known is None:
        # A newer memory exists already: the new one is superseded from the start, and contradicts none.
        outcome.superseded.append(winner)
        return outcome
    for rival, why, evidence in decision.contested:
        numbers = evidence_of(evidence, decision.judge)
        outcome.contested.extend(change.apply([contest(rival, winner, why, **numbers)]))
    return outcome


def write_new(drafts: Sequence[PreparedMemory], vectors: Mapping[str, Vector], unit: UnitOfWork) -> Remembered:
    """Write, all at once, drafts that concern no stored memory and not each other; quarantine what looks injected."""
    added = _added([(draft, WriteDecision()) for draft in drafts], vectors, unit)
    return Remembered(
        memories=[memory for memory in added if memory.status is Status.ACTIVE],
        quarantined=[memory for memory in added if memory.status is Status.QUARANTINED],
        batch=unit.batch,
    )


def _added(
    judged: Sequence[tuple[PreparedMemory, WriteDecision]], vectors: Mapping[str, Vector], unit: UnitOfWork
) -> list[Memory]:
    new = [_created(_memory(draft, decision, unit), draft, decision) for draft, decision in judged]
    embedded = (one.after for one in new if one.after.fingerprint is not None)
    by_id = {memory.id: vectors[memory.text] for memory in embedded}
    return unit.apply(new, by_id, sessions=[_event_session(draft.request) for draft, _ in judged])


def _event_session(request: NewMemoryRequest) -> str | None:
    """The session that an event names. Of what is quarantined none: its session may hold the instruction, and the log
    is read without a review."""
    return request.source.session if request.suspicion is None else None


def _created(memory: Memory, draft: PreparedMemory, decision: WriteDecision) -> Transition:
    """A new memory, with what was taken out of its text and what the judge read in it; of one that was superseded when
    it came, also why."""
    request, reason, numbers = draft.request, draft.request.suspicion, {}
    if decision.newer:
        (winner, why_superseded), *_ = decision.newer
        numbers = {"by": winner.id, **evidence_of(why_superseded.evidence, decision.judge)}
        reason = f"{why_superseded.reason}, and stood already when this was told"
    change = Created(
        strength=memory.importance,
        trust=memory.trust,
        # A merged memory counts as active before the merge, so that undoing the merge makes it active.
        born=memory.status if not memory.contested or memory.status.live else Status.ACTIVE,
        redacted=tuple(request.redacted),
        reading=None if draft.reading is None else dict(draft.reading.rounded()),
        **numbers,
    )
    return create(memory, change, reason)


def _merged(
    draft: PreparedMemory,
    decision: WriteDecision,
    near_duplicate: NearDuplicate,
    vectors: Mapping[str, Vector],
    unit: UnitOfWork,
) -> Remembered:
    """Write a near duplicate out of use, merged into the stored memory; a review can release it."""
    survivor, similarity, relation = near_duplicate
    (merged,) = _added([(draft, decision)], vectors, unit)
    details = Merged(
        was=Status.ACTIVE,
        was_valid_until=merged.valid_until,
        into=survivor.id,
        similarity=None if similarity is None else round(similarity, 4),
        update=draft.request.is_update,
        **evidence_of({} if relation is None else relation.rounded(), decision.judge),
    )
    unit.record([(merged.id, details, "says the same in other words")])
    survivor = _reinforce_known(draft, decision, survivor, unit, merged.id)
    return Remembered(reinforced=[survivor], merged=[merged], batch=unit.batch)


def _memory(draft: PreparedMemory, decision: WriteDecision, unit: UnitOfWork) -> Memory:
    request, tx, moment, policy = draft.request, unit.tx, unit.moment, unit.policy
    created_at = request.created_at or moment.at
    created_day = moment.day if request.created_at is None else day_of_use_at(created_at, tx.owner, policy)
    # A summary in other words still rests on what it was made of.
    edited = [
        before for before, _ in decision.superseded.values() if request.is_update and before.id in request.supersedes
    ]
    used = _Used.when(request.past, created_at, created_day, unit)
    return Memory(
        id=new_id(moment.at),
        owner=tx.view.owner,
        text=request.text,
        agent=tx.view.agent,
        visibility=request.visibility,
        scope=request.scope,
        category=request.category,
        tier=request.tier,
        status=_status(request, decision),
        importance=request.importance,
        lifetime=request.lifetime or policy.category(request.category).lifetime,
        harm=request.harm or 0,
        created_at=created_at,
        created_day=used.created_day,
        last_accessed_at=used.at,
        used_day=used.day,
        recall_count=0 if request.past is None else request.past.uses,
        restored_at=None if request.past is None else moment.at,
        pinned=request.suspicion is None
        and (request.pinned or pins_itself(request.text, request.harm, request.trust, policy)),
        contested=decision.near_duplicate is not None or (bool(decision.contested) and not decision.newer),
        expires_at=expires_at(request, created_at, moment, policy),
        valid_until=request.valid_until,
        source=request.source,
        trust=request.trust,
        subject=request.subject,
        attribute=request.attribute,
        supersedes=() if decision.near_duplicate is not None else tuple(decision.superseded),
        superseded_by=_winner(decision),
        derived_from=tuple(dict.fromkeys(id_ for before in edited for id_ in before.derived_from)),
        compaction_depth=max((before.compaction_depth for before in edited), default=0),
        tags=request.tags,
        metadata=request.metadata,
        tokens=draft.tokens,
        digest=draft.digest,
        fingerprint=draft.fingerprint,
    )


class _Used(NamedTuple):
    """When a new memory was last used, and from which days it ages."""

    created_day: int
    at: datetime
    day: int

    @classmethod
    def when(cls, past: PastUse | None, created_at: datetime, created_day: int, unit: UnitOfWork) -> _Used:
        """As it was told. What is brought in without the days on which it was used ages from now on only: nobody could
        ask for it here before."""
        if past is None:
            return cls(created_day, created_at, created_day)
        at = max(created_at, past.last_used_at or created_at)
        if not past.is_counted:
            return cls(unit.moment.day, unit.moment.at if unit.policy.time.clock == "wall" else at, unit.moment.day)
        return cls(created_day, at, max(created_day, day_of_use_at(at, unit.tx.owner, unit.policy)))


def _status(request: NewMemoryRequest, decision: WriteDecision) -> Status:
    if request.suspicion is not None:
        return Status.QUARANTINED
    return Status.ACTIVE if _winner(decision) is None else Status.SUPERSEDED


def _winner(decision: WriteDecision) -> str | None:
    """The stored memory in whose favour the new one is out of use, if any: a newer one, or its near duplicate."""
    if decision.newer:
        return decision.newer[0][0].id
    return None if decision.near_duplicate is None else decision.near_duplicate.memory.id


def _reinforce_known(
    draft: PreparedMemory, decision: WriteDecision, known: Memory, unit: UnitOfWork, by: str | None = None
) -> Memory:
    """Count the repetition of a stored memory as a use: take over what is new in the request, and bring it back into
    use. `by`: the memory that was merged with it, where it was repeated in other words."""
    tx, moment, policy = unit.tx, unit.moment, unit.policy
    steps: list[Transition] = []
    more = _with_request(draft.request, known, decision, moment, policy)
    if more != known or decision.contested:
        against = tuple(rival.id for rival, _, _ in decision.contested) or None
        more_said = edit(known, more, "said again, with more", cause=Cause.RESTATED, given_by=by, against=against)
        steps.append(more_said)
    if known.status is Status.DETACHED:
        active = more.with_(status=Status.ACTIVE, restored_at=moment.at)
        steps.append(restore(more, active, Cause.RESTATED, cause=Cause.RESTATED))
    unit.apply(steps)
    if draft.request.past is not None:
        return tx.memories.get([known.id])[known.id]  # an import is no use
    rules = policy.reinforcement
    counted = tx.events.reinforced([known.id], since=moment.at - rules.window, session=draft.request.source.session)
    if draft.request.trust >= rules.trust_floor and known.id not in counted:
        # Read again: the edit above may have changed its importance, and so its strength.
        count_uses(list(tx.memories.get([known.id]).values()), unit, Cause.RESTATED)
    return tx.memories.get([known.id])[known.id]


def _with_request(
    request: NewMemoryRequest, known: Memory, decision: WriteDecision, moment: Moment, policy: Policy
) -> Memory:
    """What is known, with what was said beside it this time: more weight, never less; an address if it had none.

    A source that is trusted less adds and changes nothing: a page that repeats somebody's words has no say about them.
    """
    trusted = request.trust >= known.trust
    first, then = (known.metadata, request.metadata) if trusted else (request.metadata, known.metadata)
    return known.with_(
        importance=max(known.importance, request.importance)
        if request.importance_given and trusted
        else known.importance,
        trust=max(known.trust, request.trust),
        lifetime=longer(known.lifetime, request.lifetime) if trusted else known.lifetime,
        harm=max(known.harm, request.harm or 0) if trusted else known.harm,
        pinned=known.pinned or request.pinned or pins_itself(request.text, request.harm, request.trust, policy),
        tags=tuple(dict.fromkeys((*known.tags, *request.tags))),
        metadata={**first, **then},
        subject=known.subject or request.subject,
        attribute=known.attribute or request.attribute,
        expires_at=expires_anew_at(request, known, moment, policy) if trusted else known.expires_at,
        # Said again, "until Friday" is a later Friday.
        valid_until=request.valid_until or known.valid_until if trusted else known.valid_until,
        supersedes=tuple(dict.fromkeys((*known.supersedes, *decision.superseded))),
        contested=known.contested or bool(decision.contested),
    )


def contest(rival: Memory, newcomer: Memory, why: str, **numbers: Any) -> Transition:
    """A newer memory contradicts this one and does not replace it; the event names both and the reason."""
    reason = f"contradicted, and kept because {why}"
    return flag_conflict(rival, newcomer, reason, trust=(newcomer.trust, rival.trust), **numbers)


def archive_dependent_summaries(losers: Sequence[Memory], unit: UnitOfWork) -> None:
    """Archive the summaries that would go on saying what was superseded; their other originals come back."""
    summaries = (
        [memory for memory in dependent_summaries(losers, unit.tx.memories) if memory.status.live] if losers else []
    )
    if not summaries:
        return
    why = "a memory that it was made of was superseded"
    remove(
        summaries,
        summaries,
        unit,
        lambda going: unit.apply([archive(memory, why) for memory in going]),
        orphaned="its summary had to go",
        gone={memory.id for memory in losers},
    )


def evidence_of(evidence: Mapping[str, float], judge: str | None) -> dict[str, Any]:
    """The numbers a decision rests on and the fingerprint of the judge that gave them, as an event keeps them."""
    return {"evidence": dict(evidence), "judge": judge} if evidence else {}


def day_of_use_at(created_at: datetime, owner: OwnerState, policy: Policy) -> int:
    day = owner.active_day_at(created_at)
    days = owner.active_days() if day == calendar_day(created_at) else []
    return day_told_of(day, days[0][1], policy) if days else day


def expires_at(request: NewMemoryRequest, created_at: datetime, moment: Moment, policy: Policy) -> datetime | None:
    """As the caller said; else as the policy gives it, from when it was said; from now on where that is over: what is
    told late has not been here to be used."""
    if request.expires_in is not None:
        return created_at + request.expires_in
    if (
        not request.categorised
        and request.lifetime in (Lifetime.YEARS, Lifetime.LIFE)
        and request.trust >= policy.reinforcement.trust_floor
    ):
        return None  # the category was read as the lifetime was, and that says more
    pinned = request.pinned and request.suspicion is None
    span = time_to_live(request.category, request.scope, pinned, request.trust, policy)
    if span is None:
        return None
    end = min(created_at, moment.at) + span
    return end if end > moment.at else moment.at + span


def expires_anew_at(request: NewMemoryRequest, known: Memory, moment: Moment, policy: Policy) -> datetime | None:
    """When what is said again ends: as the caller says; what ended early because nobody trusted it, as if said now."""
    if request.expires_in is not None:
        return moment.at + request.expires_in
    kind = (known.category, known.scope, known.pinned)
    was, is_ = (time_to_live(*kind, trust, policy) for trust in (known.trust, request.trust))
    if known.expires_at is None or was == is_ or known.expires_at != known.created_at + (was or timedelta()):
        return known.expires_at
    return None if is_ is None else moment.at + is_


def longer(one: Lifetime | None, other: Lifetime | None) -> Lifetime | None:
    return max((lifetime for lifetime in (one, other) if lifetime), key=lambda each: each.rank, default=None)
