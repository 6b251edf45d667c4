"""Rows and events, as decided. Decides nothing itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from ..answers import Remembered
from ..clock import Moment
from ..fading import armed
from ..ids import new_id
from ..model import EventKind, Memory, Status
from ..policy import Policy
from ..ports import Change, Vector, Writing
from .gate import Said


@dataclass(frozen=True, slots=True)
class Draft:
    """What was said, with everything slow already done."""

    said: Said
    digest: str
    tokens: int
    fingerprint: str | None  # of the model that embedded it; None: it has no vector


@dataclass(slots=True)
class Verdict:
    """What becomes of a draft and of those it meets."""

    known: Memory | None = None  # says exactly this already
    superseded: dict[str, tuple[Memory, str]] = field(default_factory=dict)  # give way, with the reason
    contested: list[Memory] = field(default_factory=list)  # contradict it and may not be overwritten
    newer: list[Memory] = field(default_factory=list)  # win against it


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
        winner = _reinforced(verdict.known, tx, moment, policy, batch, session)
        outcome = Remembered(reinforced=[winner], batch=batch)
    else:
        (winner,) = _added([(draft, verdict)], vectors, tx, moment, policy, batch)
        outcome = Remembered(memories=[winner], batch=batch)
    for loser, reason in verdict.superseded.values():
        outcome.superseded.append(_retired(loser, winner, reason, tx, moment, batch, session))
    for rival in verdict.contested:
        outcome.contested.append(_contested(rival, winner, tx, moment, batch, session))
    if verdict.newer and verdict.known is None:
        # Later knowledge stands already: the newcomer is history from its first moment.
        outcome.superseded.append(winner)
    return outcome


def write_new(
    drafts: Sequence[Draft],
    vectors: Mapping[str, Vector],
    tx: Writing,
    moment: Moment,
    policy: Policy,
    batch: str,
) -> Remembered:
    """Drafts that meet no memory and not each other, all at once."""
    added = _added([(draft, Verdict()) for draft in drafts], vectors, tx, moment, policy, batch)
    return Remembered(memories=added, batch=batch)


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
    for session, told in groupby(added, key=lambda memory: memory.source.session):
        changes = [
            Change(
                EventKind.REMEMBERED,
                memory.id,
                None,
                {"strength": memory.importance, "trust": memory.trust, "status": memory.status},
            )
            for memory in told
        ]
        tx.record(changes, at=moment.at, batch=batch, session=session)
    return added


def _memory(draft: Draft, verdict: Verdict, tx: Writing, moment: Moment, policy: Policy) -> Memory:
    said = draft.said
    created_at = said.created_at or moment.at
    created_day = moment.day if said.created_at is None else tx.day_at(created_at)
    memory = Memory(
        id=new_id(moment.at),
        owner=tx.view.owner,
        text=said.text,
        agent=tx.view.agent,
        visibility=said.visibility,
        scope=said.scope,
        category=said.category,
        tier=said.tier,
        status=Status.SUPERSEDED if verdict.newer else Status.ACTIVE,
        importance=said.importance,
        created_at=created_at,
        created_day=created_day,
        last_accessed_at=created_at,
        used_day=created_day,
        pinned=said.pinned or _pins_itself(said, policy),
        contested=bool(verdict.contested),
        expires_at=_expiry(said, created_at, policy),
        source=said.source,
        trust=said.trust,
        subject=said.subject,
        attribute=said.attribute,
        supersedes=tuple(verdict.superseded),
        superseded_by=verdict.newer[0].id if verdict.newer else None,
        tags=said.tags,
        metadata=said.metadata,
        tokens=draft.tokens,
        digest=draft.digest,
        fingerprint=draft.fingerprint,
    )
    return armed(memory, moment, policy)


def _pins_itself(said: Said, policy: Policy) -> bool:
    """What can hurt a person is protected from the start; not on the word of a source that is not trusted."""
    trusted = said.trust >= policy.reinforcement.trust_floor
    return trusted and any(rule.search(said.text) for rule in policy.protection.auto_pin)


def _expiry(said: Said, created_at: datetime, policy: Policy) -> datetime | None:
    """As the caller said; else by category, unless nothing may lower it: what is protected has no time to live."""
    if said.expires_in is None and policy.protects(said.category, said.scope, said.pinned):
        return None
    span = said.expires_in or policy.category(said.category).ttl
    return None if span is None else created_at + span


def _reinforced(known: Memory, tx: Writing, moment: Moment, policy: Policy, batch: str, session: str | None) -> Memory:
    """Said again is a use like any other: once per session and window, and never what is not trusted."""
    rules = policy.reinforcement
    since = moment.at - rules.window
    if known.trust < rules.trust_floor or known.id in tx.reinforced([known.id], since=since, session=session):
        return known
    tx.touch([known.id], moment)
    tx.record([Change(EventKind.REINFORCED, known.id, "said again")], at=moment.at, batch=batch, session=session)
    return tx.get([known.id])[known.id]


def _contested(rival: Memory, newcomer: Memory, tx: Writing, moment: Moment, batch: str, session: str | None) -> Memory:
    flagged = rival.with_(contested=True)
    if not rival.contested:
        tx.change([flagged])
    why = "it is pinned" if rival.pinned else "its source is trusted more"
    detail = {"by": newcomer.id, "trust": [newcomer.trust, rival.trust]}
    change = Change(EventKind.CONTESTED, rival.id, f"contradicted, and kept because {why}", detail)
    tx.record([change], at=moment.at, batch=batch, session=session)
    return flagged


def _retired(
    loser: Memory, winner: Memory, reason: str, tx: Writing, moment: Moment, batch: str, session: str | None
) -> Memory:
    retired = loser.with_(status=Status.SUPERSEDED, superseded_by=winner.id, valid_until=moment.at)
    detail = {
        "was": loser.status,
        "was_valid_until": None if loser.valid_until is None else loser.valid_until.isoformat(),
        "by": winner.id,
        "trust": [winner.trust, loser.trust],
        "recalls": [winner.recall_count, loser.recall_count],
    }
    tx.change([retired])
    tx.record([Change(EventKind.SUPERSEDED, loser.id, reason, detail)], at=moment.at, batch=batch, session=session)
    return retired
