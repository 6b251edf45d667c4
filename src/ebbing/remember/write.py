"""Rows and events, as decided. Decides nothing itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from ..answers import Remembered
from ..clock import Moment
from ..fading import armed, earned_tier, pins_itself, time_to_live
from ..ids import new_id
from ..model import EventKind, Memory, Status
from ..policy import Policy
from ..ports import Change, Vector, Writing
from ..resting import bring_back, left_alone, resting_on
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
        winner = _repeated(draft, verdict.known, tx, moment, policy, batch)
        outcome = Remembered(reinforced=[winner], batch=batch)
    else:
        (winner,) = _added([(draft, verdict)], vectors, tx, moment, policy, batch)
        outcome = Remembered(memories=[winner], batch=batch)
    for loser, reason in verdict.superseded.values():
        outcome.superseded.append(_retired(loser, winner, reason, tx, moment, batch, session))
    _unsay([loser for loser, _ in verdict.superseded.values()], tx, moment, policy, batch, session)
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
        pinned=said.pinned or pins_itself(said.text, said.trust, policy),
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


def _expiry(said: Said, created_at: datetime, policy: Policy) -> datetime | None:
    """As the caller said; else as the policy gives it."""
    span = said.expires_in or time_to_live(said.category, said.scope, said.pinned, policy)
    return None if span is None else created_at + span


def _repeated(draft: Draft, known: Memory, tx: Writing, moment: Moment, policy: Policy, batch: str) -> Memory:
    """Said again: what is new about it is taken in, it comes back into use, and it is a use like any other."""
    session = draft.said.source.session
    changes: list[Change] = []
    told = _told(draft.said, known, moment, policy)
    if told != known:
        changed = {name: getattr(known, name) for name in _TOLD if getattr(known, name) != getattr(told, name)}
        changes.append(Change(EventKind.EDITED, known.id, "said again, with more", {"was": _plain(changed)}))
    if known.status is Status.DETACHED:
        told = told.with_(status=Status.ACTIVE, restored_at=moment.at)
        changes.append(Change(EventKind.RESTORED, known.id, "said again", {"was": known.status, "to": told.status}))
    if told != known:
        tx.change([armed(told, moment, policy)])
    rules = policy.reinforcement
    counted = tx.reinforced([known.id], since=moment.at - rules.window, session=session)
    if told.trust >= rules.trust_floor and known.id not in counted:
        tx.touch([known.id], moment)
        changes.append(Change(EventKind.REINFORCED, known.id, "said again"))
        changes += _confirmed(known.id, tx, moment, policy)
    tx.record(changes, at=moment.at, batch=batch, session=session)
    return tx.get([known.id])[known.id]


def _confirmed(id_: str, tx: Writing, moment: Moment, policy: Policy) -> list[Change]:
    """Said again it lives longer, or at least anew: its alarm may stand too late for a second fall."""
    memory = tx.get([id_])[id_]
    risen = memory.with_(tier=earned_tier(memory, moment, policy))
    tx.change([armed(risen, moment, policy)])
    tx.wait_no_more([id_])
    if risen.tier is memory.tier:
        return []
    was = {"was_tier": memory.tier, "tier": risen.tier}
    return [Change(EventKind.PROMOTED, id_, f"confirmed {memory.recall_count} times", was)]


_TOLD = ("importance", "trust", "pinned", "tags", "metadata", "subject", "attribute", "expires_at")


def _told(said: Said, known: Memory, moment: Moment, policy: Policy) -> Memory:
    """What is known, with what was said beside it this time: more weight, never less; an address if it had none."""
    return known.with_(
        importance=max(known.importance, said.importance) if said.weighed else known.importance,
        trust=max(known.trust, said.trust),
        pinned=known.pinned or said.pinned or pins_itself(said.text, said.trust, policy),
        tags=tuple(dict.fromkeys((*known.tags, *said.tags))),
        metadata={**known.metadata, **said.metadata},
        subject=known.subject or said.subject,
        attribute=known.attribute or said.attribute,
        expires_at=known.expires_at if said.expires_in is None else moment.at + said.expires_in,
    )


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


def _contested(rival: Memory, newcomer: Memory, tx: Writing, moment: Moment, batch: str, session: str | None) -> Memory:
    flagged = rival.with_(contested=True)
    if not rival.contested:
        tx.change([flagged])
    why = "it is pinned" if rival.pinned else "its source is trusted more"
    detail = {"by": newcomer.id, "trust": [newcomer.trust, rival.trust]}
    change = Change(EventKind.CONTESTED, rival.id, f"contradicted, and kept because {why}", detail)
    tx.record([change], at=moment.at, batch=batch, session=session)
    return flagged


def _unsay(
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
    changes = [Change(EventKind.ARCHIVED, memory.id, why, {"was": memory.status}) for memory in summaries]
    tx.record([*changes, *bring_back(back, "its summary had to go", tx)], at=moment.at, batch=batch, session=session)


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
