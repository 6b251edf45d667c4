"""Being recalled makes a memory stronger: at most once per session and window, and never what is not trusted."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence

from ..domain.clock import Activity
from ..domain.errors import EbbingError
from ..domain.event_values import Cause
from ..domain.memory import Memory, Status, Tier
from ..domain.policy import Policy
from ..domain.results import Context, Recollection
from ..domain.retention import raised_by, strength_of
from ..lifecycle.deferred_writes import DeferredWrites
from ..lifecycle.operation_context import OperationContext
from ..lifecycle.reinforcement import count_uses

logger = logging.getLogger(__name__)


def earned(recollections: Sequence[Recollection], policy: Policy) -> list[Memory]:
    """Which results were good enough for their being found to mean something: what the judge read, by its score;
    without a judge by relevance."""
    rules = policy.reinforcement
    read = [found for found in recollections if "answers" in found.parts]
    if read:
        best = max(found.score for found in read)
        floor = max(policy.recall.min_score, rules.relevance_share * best)
        return [found.memory for found in read if found.score >= floor]
    best = max((found.relevance for found in recollections), default=0.0)
    floor = max(rules.relevance_floor, rules.relevance_share * best)
    return [found.memory for found in recollections if found.relevance >= floor]


def reinforce_later(
    found: Sequence[Recollection],
    activity: Activity,
    work: OperationContext,
    deferred: DeferredWrites,
    *,
    session: str | None,
) -> None:
    """Strengthen what a question found behind its answer, which does not wait for it; nothing where that would change
    nothing."""
    if changes_anything(found, activity, work):
        results = tuple(found)  # the list itself is the caller's by then
        deferred.do(work.view.owner, lambda: reinforce_found(results, work, session=session))


def reinforce_placed(
    context: Context,
    found: Sequence[Recollection],
    work: OperationContext,
    deferred: DeferredWrites,
    *,
    session: str | None,
) -> None:
    """The same for those of the results that found a place in a context."""
    placed = {memory.id for memory in context.memories}
    with work.read() as tx:
        activity = tx.owner.activity
    reinforce_later([one for one in found if one.memory.id in placed], activity, work, deferred, session=session)


def changes_anything(found: Sequence[Recollection], activity: Activity, work: OperationContext) -> bool:
    """Whether having been asked is to be written down: something earned it, or this is a new day of use."""
    return bool(earned(found, work.policy)) or activity.used(work.now) != activity


def reinforce_found(found: Sequence[Recollection], work: OperationContext, *, session: str | None) -> None:
    """Strengthen what a question found, where that is earned; today becomes a day of use either way."""
    used = earned(found, work.policy)
    faint = {one.memory.id for one in found if one.strength < work.policy.ladder.summarize}
    try:
        reinforce(used, work, session=session, cause=Cause.RECALLED, faint=faint)
    except EbbingError as error:
        # A question is answered even where nothing can be written: a full disk, a read-only file, a missing right.
        logger.warning("recalled memories were not reinforced: %s", error)


def reinforce(
    memories: Sequence[Memory],
    work: OperationContext,
    *,
    session: str | None,
    cause: Cause,
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
    with work.write(session=session, durable=durable) as unit:
        tx, moment = unit.tx, unit.moment
        counted = tx.events.reinforced(list(trusted), since=now - rules.window, session=session)
        # Between being found and being counted, another process may have put a memory away.
        statuses = tx.memories.statuses([id_ for id_ in trusted if id_ not in counted])
        ids = [id_ for id_ in trusted if id_ in statuses and statuses[id_].live]
        if ids:
            if faint is None:
                lowest = policy.ladder.summarize
                faint = {id_ for id_ in ids if strength_of(trusted[id_], moment, policy) < lowest}
            rising = tx.memories.get([id_ for id_ in ids if _may_rise(trusted[id_], faint, policy)])
            others = [id_ for id_ in ids if id_ not in rising]
            unit.count_use(others, cause)
            count_uses(list(rising.values()), unit, cause)
    return len(ids)


def _may_rise(memory: Memory, faint: Collection[str], policy: Policy) -> bool:
    """Whether a use can do more to a memory than be counted; for most it cannot, and then nothing more is read."""
    rules = policy.promotion
    return (
        memory.id in faint
        or memory.status is Status.DETACHED
        or memory.held_at is not None
        or memory.tier is Tier.WORKING
        or raised_by(memory, policy) is not None
        or (memory.tier is Tier.SEMANTIC and memory.recall_count + 1 >= rules.confirmed_recalls)
        or (memory.tier is Tier.EPISODIC and rules.promote is not None)
    )
