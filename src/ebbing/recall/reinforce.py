"""Being recalled makes a memory stronger: at most once per session and window, and never what is not trusted."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from datetime import timedelta

from ..answers import Recollection
from ..clock import Activity, Moment
from ..errors import EbbingError
from ..fading import armed, earned_tier, strength_of
from ..ids import new_id
from ..model import EventKind, Memory, Status, Tier
from ..policy import Policy
from ..ports import Change, Writing
from ..strength import Stretched
from ..work import Work

logger = logging.getLogger(__name__)


def earned(recollections: Sequence[Recollection], policy: Policy) -> list[Memory]:
    """Which results were good enough for their being found to mean something."""
    rules = policy.reinforcement
    best = max((found.relevance for found in recollections), default=0.0)
    floor = max(rules.relevance_floor, rules.relevance_share * best)
    return [found.memory for found in recollections if found.relevance >= floor]


def changes_anything(found: Sequence[Recollection], activity: Activity, work: Work) -> bool:
    """Whether having been asked is to be written down: something earned it, or this is a new day of use."""
    return bool(earned(found, work.policy)) or activity.used(work.now) != activity


def reinforce_found(found: Sequence[Recollection], work: Work, *, session: str | None) -> None:
    """Strengthen what a question found, where that is earned; today becomes a day of use either way."""
    used = earned(found, work.policy)
    faint = {one.memory.id for one in found if one.strength < work.policy.ladder.summarize}
    try:
        reinforce(used, work, session=session, reason="recalled", faint=faint)
    except EbbingError as error:
        # A question is answered even where nothing can be written: a full disk, a read-only file, a missing right.
        logger.warning("recalled memories were not reinforced: %s", error)


def reinforce(
    memories: Sequence[Memory],
    work: Work,
    *,
    session: str | None,
    reason: str,
    faint: Collection[str] | None = None,
    durable: bool = False,
) -> int:
    """Count a use for each memory that may be strengthened; today becomes a day of use either way.

    `faint` are those that had fallen below the first rung, where that is known: their alarms stand too late for a
    second fall.
    """
    policy, view, now = work.policy, work.view, work.now
    rules = policy.reinforcement
    trusted = {
        memory.id: memory
        for memory in memories
        if memory.trust >= rules.trust_floor and memory.status.live and view.sees(memory)
    }
    with work.write(durable=durable) as tx:
        moment = tx.use(now)
        counted = tx.reinforced(list(trusted), since=now - rules.window, session=session)
        # Between being found and being counted, another process may have put a memory away.
        standing = tx.standing([id_ for id_ in trusted if id_ not in counted])
        ids = [id_ for id_ in trusted if id_ in standing and standing[id_].live]
        if ids:
            if faint is None:
                lowest = policy.ladder.summarize
                faint = {id_ for id_ in ids if strength_of(trusted[id_], moment, policy) < lowest}
            tx.touch(ids, moment)
            changes = [Change(EventKind.REINFORCED, id_, reason) for id_ in ids]
            changes += _raised(
                [id_ for id_ in ids if _may_rise(trusted[id_], faint, policy)], tx, moment, policy, reason
            )
            tx.record(changes, at=now, batch=new_id(now), session=session)
    return len(ids)


def _may_rise(memory: Memory, faint: Collection[str], policy: Policy) -> bool:
    """Whether a use can do more to a memory than be counted; for most it cannot, and then nothing more is read."""
    rules = policy.promotion
    return (
        memory.id in faint
        or memory.status is Status.DETACHED
        or memory.tier is Tier.WORKING
        or memory.level < 1.0
        or (memory.tier is Tier.SEMANTIC and memory.recall_count + 1 >= rules.confirmed_recalls)
        or (memory.tier is Tier.EPISODIC and rules.promote is not None)
    )


def _raised(ids: Sequence[str], tx: Writing, moment: Moment, policy: Policy, reason: str) -> list[Change]:
    """What a use brings besides being counted: back into use, up a tier, out of the waiting room."""
    if not ids:
        return []
    tx.under(policy.fingerprint)
    changes: list[Change] = []
    raised: list[Memory] = []
    for memory in tx.get(ids).values():
        risen = memory.with_(status=Status.ACTIVE, level=_level(memory, tx, moment, policy))
        risen = risen.with_(tier=earned_tier(risen, moment, policy))
        raised.append(armed(risen, moment, policy))
        if memory.status is not risen.status:
            # What is of use again belongs where it is found.
            was = {"was": memory.status, "to": risen.status}
            changes.append(Change(EventKind.RESTORED, memory.id, reason, was))
        if memory.tier is not risen.tier:
            why = f"of use {memory.recall_count} times"
            changes.append(Change(EventKind.PROMOTED, memory.id, why, {"was_tier": memory.tier, "tier": risen.tier}))
    tx.change(raised)
    tx.wait_no_more(ids)
    return changes


def _level(memory: Memory, tx: Writing, moment: Moment, policy: Policy) -> float:
    """The height that a memory fades from, where its curve has one: each use raises it, crowded uses less."""
    curve = policy.curve_of(memory.category, memory.tier)
    if not isinstance(curve, Stretched) or memory.level >= 1.0:
        return memory.level
    since = moment.at - timedelta(days=float(curve.recent_days))
    uses = sum(event.kind is EventKind.REINFORCED and event.at >= since for event in tx.history(memory.id))
    return float(curve.raised(memory.level, uses))
