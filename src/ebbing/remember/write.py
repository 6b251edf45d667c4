"""Rows and events, as decided. Decides nothing itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from ..domain.clock import Moment
from ..domain.events import Created, Merged
from ..domain.ids import new_id
from ..domain.judgement import Relation, TextReading
from ..domain.memory import Memory, Status
from ..domain.policy import Policy
from ..domain.results import Remembered
from ..domain.retention import pins_itself
from ..lifecycle.reinforcement import count_uses
from ..lifecycle.summary_links import dependent_summaries, remove
from ..lifecycle.transitions import Transition, archive, create, edit, flag_conflict, restore, supersede
from ..lifecycle.unit_of_work import UnitOfWork
from ..ports import Vector
from ..text.terms import digest
from .admit import Said
from .memory_times import expires_anew_at, expires_at, longer, told_on_day


@dataclass(frozen=True, slots=True)
class Draft:
    """What was said, with everything slow already done."""

    said: Said
    digest: str
    tokens: int
    fingerprint: str | None  # of the model that embedded it; None: it has no vector
    reading: TextReading | None = None  # what the judge reads in it; None: there is no judge

    @classmethod
    def of(cls, said: Said, tokens: int, fingerprint: str | None, reading: TextReading | None = None) -> Draft:
        """The draft of what was said, once it is embedded, counted and read."""
        return cls(said, digest(said.text), tokens, fingerprint, reading)


class Twin(NamedTuple):
    """A memory that says the same in other words."""

    memory: Memory
    similarity: float | None  # of the vectors; None where there were not two of one model
    relation: Relation | None = None  # what the judge reads; None where it did not


class Ground(NamedTuple):
    """Why a memory gives way, and the numbers that rests on."""

    reason: str
    evidence: Mapping[str, float] = MappingProxyType({})


@dataclass(slots=True)
class Verdict:
    """What becomes of a draft and of those it meets."""

    known: Memory | None = None  # says exactly this already
    twin: Twin | None = None  # says it in other words
    superseded: dict[str, tuple[Memory, Ground]] = field(default_factory=dict)  # give way
    contested: list[tuple[Memory, str, Mapping[str, float]]] = field(default_factory=list)  # contradict it and stay
    newer: list[tuple[Memory, Ground]] = field(default_factory=list)  # win against it
    judge: str | None = None  # the fingerprint of the judge whose numbers the evidence is

    @property
    def stands(self) -> Memory | None:
        """Who says this already."""
        return self.known if self.twin is None else self.twin.memory


def write(draft: Draft, verdict: Verdict, vectors: Mapping[str, Vector], change: UnitOfWork) -> Remembered:
    """Carry the verdict out; one event per change."""
    change = change.in_session(draft.said.source.session)
    if verdict.known is not None:
        winner = _repeated(draft, verdict, verdict.known, change)
        outcome = Remembered(reinforced=[winner], batch=change.batch)
    elif verdict.twin is not None:
        outcome = _merged(draft, verdict, verdict.twin, vectors, change)
        (winner,) = outcome.reinforced
    else:
        (winner,) = _added([(draft, verdict)], vectors, change)
        outcome = Remembered(memories=[winner], batch=change.batch)
    for loser, ground in verdict.superseded.values():
        is_update = draft.said.insists and loser.id in draft.said.supersedes
        numbers = evidence_of(ground.evidence, verdict.judge)
        step = supersede(loser, winner, change.moment.at, ground.reason, update=is_update, **numbers)
        outcome.superseded.extend(change.apply([step]))
    archive_dependent_summaries([loser for loser, _ in verdict.superseded.values()], change)
    if verdict.newer and verdict.known is None:
        # Later knowledge stands already: the newcomer is history from its first moment, and contradicts nobody.
        outcome.superseded.append(winner)
        return outcome
    for rival, why, evidence in verdict.contested:
        numbers = evidence_of(evidence, verdict.judge)
        outcome.contested.extend(change.apply([contest(rival, winner, why, **numbers)]))
    return outcome


def write_new(drafts: Sequence[Draft], vectors: Mapping[str, Vector], change: UnitOfWork) -> Remembered:
    """Drafts that meet no memory and not each other, all at once; what looks like an instruction is kept apart."""
    added = _added([(draft, Verdict()) for draft in drafts], vectors, change)
    return Remembered(
        memories=[memory for memory in added if memory.status is Status.ACTIVE],
        quarantined=[memory for memory in added if memory.status is Status.QUARANTINED],
        batch=change.batch,
    )


def _added(judged: Sequence[tuple[Draft, Verdict]], vectors: Mapping[str, Vector], change: UnitOfWork) -> list[Memory]:
    new = [_created(_memory(draft, verdict, change), draft, verdict) for draft, verdict in judged]
    embedded = (one.after for one in new if one.after.fingerprint is not None)
    by_id = {memory.id: vectors[memory.text] for memory in embedded}
    return change.apply(new, by_id, sessions=[_event_session(draft.said) for draft, _ in judged])


def _event_session(said: Said) -> str | None:
    """The session that an event names. Of what is quarantined none: its session may hold the instruction, and the log
    is read without a review."""
    return said.source.session if said.suspicion is None else None


def _created(memory: Memory, draft: Draft, verdict: Verdict) -> Transition:
    """A new memory, with what was taken out of its text and what the judge read in it; of one that was superseded when
    it came, also why."""
    said, reason, numbers = draft.said, draft.said.suspicion, {}
    if verdict.newer:
        (winner, ground), *_ = verdict.newer
        numbers = {"by": winner.id, **evidence_of(ground.evidence, verdict.judge)}
        reason = f"{ground.reason}, and stood already when this was told"
    change = Created(
        strength=memory.importance,
        trust=memory.trust,
        # One that is merged stood in use for a moment: that is where undoing the merge puts it.
        born=memory.status if not memory.contested or memory.status.live else Status.ACTIVE,
        redacted=tuple(said.redacted),
        reading=None if draft.reading is None else dict(draft.reading.rounded()),
        **numbers,
    )
    return create(memory, change, reason)


def _merged(
    draft: Draft, verdict: Verdict, twin: Twin, vectors: Mapping[str, Vector], change: UnitOfWork
) -> Remembered:
    """Said in other words: kept, but not in use, until somebody finds that it said something else after all."""
    survivor, similarity, relation = twin
    (merged,) = _added([(draft, verdict)], vectors, change)
    details = Merged(
        was=Status.ACTIVE,
        was_valid_until=merged.valid_until,
        into=survivor.id,
        similarity=None if similarity is None else round(similarity, 4),
        update=draft.said.insists,
        **evidence_of({} if relation is None else relation.rounded(), verdict.judge),
    )
    change.record([(merged.id, details, "says the same in other words")])
    survivor = _repeated(draft, verdict, survivor, change, merged.id)
    return Remembered(reinforced=[survivor], merged=[merged], batch=change.batch)


def _memory(draft: Draft, verdict: Verdict, change: UnitOfWork) -> Memory:
    said, tx, moment, policy = draft.said, change.tx, change.moment, change.policy
    created_at = said.created_at or moment.at
    created_day = moment.day if said.created_at is None else told_on_day(created_at, tx, policy)
    # A summary in other words still rests on what it was made of.
    edited = [before for before, _ in verdict.superseded.values() if said.insists and before.id in said.supersedes]
    return Memory(
        id=new_id(moment.at),
        owner=tx.view.owner,
        text=said.text,
        agent=tx.view.agent,
        visibility=said.visibility,
        scope=said.scope,
        category=said.category,
        tier=said.tier,
        status=_status(said, verdict),
        importance=said.importance,
        lifetime=said.lifetime or policy.category(said.category).lifetime,
        harm=said.harm or 0,
        created_at=created_at,
        created_day=created_day,
        last_accessed_at=created_at,
        used_day=created_day,
        pinned=said.suspicion is None and (said.pinned or pins_itself(said.text, said.harm, said.trust, policy)),
        contested=verdict.twin is not None or (bool(verdict.contested) and not verdict.newer),
        expires_at=expires_at(said, created_at, moment, policy),
        valid_until=said.valid_until,
        source=said.source,
        trust=said.trust,
        subject=said.subject,
        attribute=said.attribute,
        supersedes=() if verdict.twin is not None else tuple(verdict.superseded),
        superseded_by=_winner(verdict),
        derived_from=tuple(dict.fromkeys(id_ for before in edited for id_ in before.derived_from)),
        compaction_depth=max((before.compaction_depth for before in edited), default=0),
        tags=said.tags,
        metadata=said.metadata,
        tokens=draft.tokens,
        digest=draft.digest,
        fingerprint=draft.fingerprint,
    )


def _status(said: Said, verdict: Verdict) -> Status:
    if said.suspicion is not None:
        return Status.QUARANTINED
    return Status.ACTIVE if _winner(verdict) is None else Status.SUPERSEDED


def _winner(verdict: Verdict) -> str | None:
    """Who stands in the newcomer's place, if somebody does: later knowledge, or who said it first."""
    if verdict.newer:
        return verdict.newer[0][0].id
    return None if verdict.twin is None else verdict.twin.memory.id


def _repeated(draft: Draft, verdict: Verdict, known: Memory, change: UnitOfWork, by: str | None = None) -> Memory:
    """Said again, or in other words `by` another that is merged with it: what is new about it is taken in, it comes
    back into use, and it is a use like any other."""
    tx, moment, policy = change.tx, change.moment, change.policy
    steps: list[Transition] = []
    more = _told(draft.said, known, verdict, moment, policy)
    if more != known or verdict.contested:
        against = tuple(rival.id for rival, _, _ in verdict.contested) or None
        steps.append(edit(known, more, "said again, with more", given_by=by, against=against))
    if known.status is Status.DETACHED:
        active = more.with_(status=Status.ACTIVE, restored_at=moment.at)
        steps.append(restore(more, active, "said again"))
    change.apply(steps)
    rules = policy.reinforcement
    counted = tx.reinforced([known.id], since=moment.at - rules.window, session=draft.said.source.session)
    if draft.said.trust >= rules.trust_floor and known.id not in counted:
        # As it stands by now: what was said with it may have changed its weight, and so its strength.
        count_uses(list(tx.get([known.id]).values()), change, "said again")
    return tx.get([known.id])[known.id]


def _told(said: Said, known: Memory, verdict: Verdict, moment: Moment, policy: Policy) -> Memory:
    """What is known, with what was said beside it this time: more weight, never less; an address if it had none.

    A source that is trusted less adds and changes nothing: a page that repeats somebody's words has no say about them.
    """
    trusted = said.trust >= known.trust
    first, then = (known.metadata, said.metadata) if trusted else (said.metadata, known.metadata)
    return known.with_(
        importance=max(known.importance, said.importance) if said.weighed and trusted else known.importance,
        trust=max(known.trust, said.trust),
        lifetime=longer(known.lifetime, said.lifetime) if trusted else known.lifetime,
        harm=max(known.harm, said.harm or 0) if trusted else known.harm,
        pinned=known.pinned or said.pinned or pins_itself(said.text, said.harm, said.trust, policy),
        tags=tuple(dict.fromkeys((*known.tags, *said.tags))),
        metadata={**first, **then},
        subject=known.subject or said.subject,
        attribute=known.attribute or said.attribute,
        expires_at=expires_anew_at(said, known, moment, policy) if trusted else known.expires_at,
        # Said again, "until Friday" is a later Friday.
        valid_until=said.valid_until or known.valid_until if trusted else known.valid_until,
        supersedes=tuple(dict.fromkeys((*known.supersedes, *verdict.superseded))),
        contested=known.contested or bool(verdict.contested),
    )


def contest(rival: Memory, newcomer: Memory, why: str, **numbers: Any) -> Transition:
    """A newer memory contradicts this one and does not replace it; the event names both and the reason."""
    reason = f"contradicted, and kept because {why}"
    return flag_conflict(rival, newcomer, reason, trust=(newcomer.trust, rival.trust), **numbers)


def archive_dependent_summaries(losers: Sequence[Memory], change: UnitOfWork) -> None:
    """Archive the summaries that would go on saying what was superseded; their other originals come back."""
    summaries = [memory for memory in dependent_summaries(losers, change.tx) if memory.status.live] if losers else []
    if not summaries:
        return
    why = "a memory that it was made of was superseded"
    remove(
        summaries,
        summaries,
        change,
        lambda going: change.apply([archive(memory, why) for memory in going]),
        orphaned="its summary had to go",
        gone={memory.id for memory in losers},
    )


def evidence_of(evidence: Mapping[str, float], judge: str | None) -> dict[str, Any]:
    """The numbers a decision rests on and the fingerprint of the judge that gave them, as an event keeps them."""
    return {"evidence": dict(evidence), "judge": judge} if evidence else {}
