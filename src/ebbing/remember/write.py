"""Rows and events, as decided. Decides nothing itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

from ..domain.clock import Moment
from ..domain.events import Edited, EventKind
from ..domain.ids import new_id
from ..domain.judgement import Relation, TextReading
from ..domain.memory import Memory, Status
from ..domain.policy import Policy
from ..domain.results import Remembered
from ..domain.retention import armed, pins_itself
from ..lifecycle.edit_log import fields_of
from ..lifecycle.reinforcement import count_use
from ..lifecycle.summary_links import bring_back, left_alone, resting_on
from ..ports import NewEvent, Vector, Writing
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


def write(
    draft: Draft,
    verdict: Verdict,
    vectors: Mapping[str, Vector],
    tx: Writing,
    moment: Moment,
    policy: Policy,
    batch: str,
) -> Remembered:
    """Carry the verdict out; one event per change."""
    session = draft.said.source.session
    if verdict.known is not None:
        winner = _repeated(draft, verdict, verdict.known, tx, moment, policy, batch)
        outcome = Remembered(reinforced=[winner], batch=batch)
    elif verdict.twin is not None:
        outcome = _merged(draft, verdict, verdict.twin, vectors, tx, moment, policy, batch)
        (winner,) = outcome.reinforced
    else:
        (winner,) = _added([(draft, verdict)], vectors, tx, moment, policy, batch)
        outcome = Remembered(memories=[winner], batch=batch)
    for loser, ground in verdict.superseded.values():
        updated = draft.said.insists and loser.id in draft.said.supersedes
        detail = evidence_detail(ground.evidence, verdict.judge) | ({"update": True} if updated else {})
        outcome.superseded.append(retire(loser, winner, ground.reason, detail, tx, moment, batch, session))
    unsay([loser for loser, _ in verdict.superseded.values()], tx, moment, policy, batch, session)
    if verdict.newer and verdict.known is None:
        # Later knowledge stands already: the newcomer is history from its first moment, and contradicts nobody.
        outcome.superseded.append(winner)
        return outcome
    for rival, why, evidence in verdict.contested:
        numbers = evidence_detail(evidence, verdict.judge)
        outcome.contested.append(contest(rival, winner, why, tx, moment, batch, session, numbers))
    return outcome


def write_new(
    drafts: Sequence[Draft],
    vectors: Mapping[str, Vector],
    tx: Writing,
    moment: Moment,
    policy: Policy,
    batch: str,
) -> Remembered:
    """Drafts that meet no memory and not each other, all at once; what looks like an instruction is kept apart."""
    added = _added([(draft, Verdict()) for draft in drafts], vectors, tx, moment, policy, batch)
    return Remembered(
        memories=[memory for memory in added if memory.status is Status.ACTIVE],
        quarantined=[memory for memory in added if memory.status is Status.QUARANTINED],
        batch=batch,
    )


def _added(
    judged: Sequence[tuple[Draft, Verdict]],
    vectors: Mapping[str, Vector],
    tx: Writing,
    moment: Moment,
    policy: Policy,
    batch: str,
) -> list[Memory]:
    added = [_memory(draft, verdict, tx, moment, policy) for draft, verdict in judged]
    tx.add(added, {memory.id: vectors[memory.text] for memory in added if memory.fingerprint is not None})
    triples = ((memory, draft, verdict) for memory, (draft, verdict) in zip(added, judged, strict=True))
    for session, of_session in groupby(triples, key=lambda triple: _event_session(triple[1].said)):
        changes = [_created_event(memory, draft, verdict) for memory, draft, verdict in of_session]
        tx.record(changes, at=moment.at, batch=batch, session=session)
    return added


def _event_session(said: Said) -> str | None:
    """The session that an event names. Of what is quarantined none: its session may hold the instruction, and the log
    is read without a review."""
    return said.source.session if said.suspicion is None else None


def _created_event(memory: Memory, draft: Draft, verdict: Verdict) -> NewEvent:
    """The event of a new memory, with what was taken out of its text and what the judge read in it; of one that was
    superseded when it came, also why."""
    said, reason = draft.said, draft.said.suspicion
    # One that is merged stood in use for a moment: that is where undoing the merge puts it.
    status = memory.status if not memory.contested or memory.status.live else Status.ACTIVE
    detail: dict[str, Any] = {"strength": memory.importance, "trust": memory.trust, "status": status}
    if said.redacted:
        detail["redacted"] = list(said.redacted)
    if draft.reading is not None:
        detail["reading"] = dict(draft.reading.rounded())
    if verdict.newer:
        (winner, ground), *_ = verdict.newer
        detail |= {"by": winner.id, **evidence_detail(ground.evidence, verdict.judge)}
        reason = f"{ground.reason}, and stood already when this was told"
    return NewEvent(EventKind.REMEMBERED, memory.id, reason, detail)


def _merged(
    draft: Draft,
    verdict: Verdict,
    twin: Twin,
    vectors: Mapping[str, Vector],
    tx: Writing,
    moment: Moment,
    policy: Policy,
    batch: str,
) -> Remembered:
    """Said in other words: kept, but not in use, until somebody finds that it said something else after all."""
    survivor, similarity, relation = twin
    (merged,) = _added([(draft, verdict)], vectors, tx, moment, policy, batch)
    detail: dict[str, Any] = {"was": Status.ACTIVE, "was_valid_until": None, "into": survivor.id}
    if similarity is not None:
        detail["similarity"] = round(similarity, 4)
    if relation is not None:
        detail |= evidence_detail(relation.rounded(), verdict.judge)
    if draft.said.insists:
        detail["update"] = True
    change = NewEvent(EventKind.MERGED, merged.id, "says the same in other words", detail)
    tx.record([change], at=moment.at, batch=batch, session=draft.said.source.session)
    survivor = _repeated(draft, verdict, survivor, tx, moment, policy, batch, merged.id)
    return Remembered(reinforced=[survivor], merged=[merged], batch=batch)


def _memory(draft: Draft, verdict: Verdict, tx: Writing, moment: Moment, policy: Policy) -> Memory:
    said = draft.said
    created_at = said.created_at or moment.at
    created_day = moment.day if said.created_at is None else told_on_day(created_at, tx, policy)
    # A summary in other words still rests on what it was made of.
    edited = [before for before, _ in verdict.superseded.values() if said.insists and before.id in said.supersedes]
    memory = Memory(
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
    return armed(memory, moment, policy)


def _status(said: Said, verdict: Verdict) -> Status:
    if said.suspicion is not None:
        return Status.QUARANTINED
    return Status.ACTIVE if _winner(verdict) is None else Status.SUPERSEDED


def _winner(verdict: Verdict) -> str | None:
    """Who stands in the newcomer's place, if somebody does: later knowledge, or who said it first."""
    if verdict.newer:
        return verdict.newer[0][0].id
    return None if verdict.twin is None else verdict.twin.memory.id


def _repeated(
    draft: Draft,
    verdict: Verdict,
    known: Memory,
    tx: Writing,
    moment: Moment,
    policy: Policy,
    batch: str,
    by: str | None = None,
) -> Memory:
    """Said again, or in other words `by` another that is merged with it: what is new about it is taken in, it comes
    back into use, and it is a use like any other."""
    session = draft.said.source.session
    changes: list[NewEvent] = []
    more = _told(draft.said, known, verdict, moment, policy)
    if more != known or verdict.contested:
        changed = [name for name in _TOLD if getattr(known, name) != getattr(more, name)]
        against = tuple(rival.id for rival, _, _ in verdict.contested) or None
        detail = Edited(was=fields_of(known, changed), given_by=by, against=against).encode()
        changes.append(NewEvent(EventKind.EDITED, known.id, "said again, with more", detail))
    if known.status is Status.DETACHED:
        more = more.with_(status=Status.ACTIVE, restored_at=moment.at)
        changes.append(NewEvent(EventKind.RESTORED, known.id, "said again", {"was": known.status, "to": more.status}))
    if more != known:
        tx.change([armed(more, moment, policy)])
    rules = policy.reinforcement
    counted = tx.reinforced([known.id], since=moment.at - rules.window, session=session)
    if draft.said.trust >= rules.trust_floor and known.id not in counted:
        # As it stands by now: what was said with it may have changed its weight, and so its strength.
        changes += count_use(list(tx.get([known.id]).values()), tx, moment, policy, "said again")
    tx.record(changes, at=moment.at, batch=batch, session=session)
    return tx.get([known.id])[known.id]


_TOLD = (
    *("importance", "lifetime", "harm", "trust", "pinned", "tags", "metadata", "subject", "attribute", "expires_at"),
    *("valid_until", "supersedes", "contested"),
)


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


def contest(
    rival: Memory,
    newcomer: Memory,
    why: str,
    tx: Writing,
    moment: Moment,
    batch: str,
    session: str | None,
    numbers: Mapping[str, Any] = MappingProxyType({}),
) -> Memory:
    """Flag a memory that a newer one contradicts and does not replace; the event names both and the reason."""
    flagged = rival.with_(contested=True)
    if not rival.contested:
        tx.change([flagged])
    detail: dict[str, Any] = {"by": newcomer.id, "trust": [newcomer.trust, rival.trust], **numbers}
    change = NewEvent(EventKind.CONTESTED, rival.id, f"contradicted, and kept because {why}", detail)
    tx.record([change], at=moment.at, batch=batch, session=session)
    return flagged


def unsay(
    losers: Sequence[Memory], tx: Writing, moment: Moment, policy: Policy, batch: str, session: str | None
) -> None:
    """Put away the summaries that would go on saying what was superseded; their other originals come back."""
    summaries = [memory for memory in resting_on(losers, tx) if memory.status.live] if losers else []
    if not summaries:
        return
    why = "a memory that it was made of was superseded"
    going = {memory.id for memory in (*losers, *summaries)}
    back = {id_: armed(memory, moment, policy) for id_, memory in left_alone(summaries, going, tx).items()}
    tx.change([memory.with_(status=Status.ARCHIVED) for memory in summaries])
    changes = [NewEvent(EventKind.ARCHIVED, memory.id, why, {"was": memory.status}) for memory in summaries]
    tx.record([*changes, *bring_back(back, "its summary had to go", tx)], at=moment.at, batch=batch, session=session)


def evidence_detail(evidence: Mapping[str, float], judge: str | None) -> dict[str, Any]:
    """The numbers a decision rests on and the fingerprint of the judge that gave them, as an event keeps them."""
    if not evidence:
        return {}
    return {"evidence": dict(evidence)} | ({} if judge is None else {"judge": judge})


def retire(
    loser: Memory,
    winner: Memory,
    reason: str,
    more: Mapping[str, Any],
    tx: Writing,
    moment: Moment,
    batch: str,
    session: str | None,
) -> Memory:
    """Supersede one memory by another. `more` goes into the event: the numbers the decision rests on, or `update` when
    the winner is its next version, so that a purge erases both."""
    retired = loser.with_(status=Status.SUPERSEDED, superseded_by=winner.id, contested=False, valid_until=moment.at)
    detail: dict[str, Any] = {
        "was": loser.status,
        "was_valid_until": None if loser.valid_until is None else loser.valid_until.isoformat(),
        "by": winner.id,
        "trust": [winner.trust, loser.trust],
        "recalls": [winner.recall_count, loser.recall_count],
        "days_between": round((winner.created_at - loser.created_at) / timedelta(days=1), 3),
        **more,
    }
    tx.change([retired])
    change = NewEvent(EventKind.SUPERSEDED, loser.id, reason, detail)
    tx.record([change], at=moment.at, batch=batch, session=session)
    return retired
