"""Being recalled makes a memory stronger: at most once per session and window, and never what is not trusted."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ..answers import Recollection
from ..clock import Activity
from ..errors import Unavailable
from ..fading import armed
from ..ids import new_id
from ..model import EventKind, Memory, Status
from ..policy import Policy
from ..ports import Change
from ..work import Work

logger = logging.getLogger(__name__)


def earned(recollections: Sequence[Recollection], policy: Policy) -> list[Memory]:
    """Which results were good enough for their being found to mean something."""
    rules = policy.reinforcement
    best = max((found.relevance for found in recollections), default=0.0)
    floor = max(rules.relevance_floor, rules.relevance_share * best)
    return [found.memory for found in recollections if found.relevance >= floor]


def reinforce_found(
    found: Sequence[Recollection],
    activity: Activity,
    work: Work,
    *,
    session: str | None,
) -> None:
    """Strengthen what a question found, where that is earned; nothing is written when there is nothing to say."""
    used = earned(found, work.policy)
    if not used and activity.used(work.now) == activity:
        return
    try:
        reinforce(used, work, session=session, reason="recalled")
    except Unavailable as error:
        # A question is answered even where nothing can be written: a full disk, a read-only file.
        logger.warning("recalled memories were not reinforced: %s", error)


def reinforce(
    memories: Sequence[Memory],
    work: Work,
    *,
    session: str | None,
    reason: str,
    durable: bool = False,
) -> int:
    """Count a use for each memory that may be strengthened; today becomes a day of use either way."""
    policy, view, now = work.policy, work.view, work.now
    rules = policy.reinforcement
    trusted = [
        memory.id
        for memory in memories
        if memory.trust >= rules.trust_floor and memory.status.live and view.sees(memory)
    ]
    with work.write(durable=durable) as tx:
        moment = tx.use(now)
        counted = tx.reinforced(trusted, since=now - rules.window, session=session)
        # Between being found and being counted, another process may have put a memory away.
        standing = tx.standing([id_ for id_ in trusted if id_ not in counted])
        ids = [id_ for id_ in trusted if id_ in standing and standing[id_].live]
        if ids:
            tx.touch(ids, moment)
            changes = [Change(EventKind.REINFORCED, id_, reason) for id_ in ids]
            faded = [id_ for id_ in ids if standing[id_] is Status.DETACHED]
            if faded:
                # What is of use again belongs where it is found.
                tx.under(policy.fingerprint)
                back = [memory.with_(status=Status.ACTIVE) for memory in tx.get(faded).values()]
                tx.change([armed(memory, moment, policy) for memory in back])
                was = {"was": Status.DETACHED, "to": Status.ACTIVE}
                changes += [Change(EventKind.RESTORED, memory.id, reason, was) for memory in back]
            tx.record(changes, at=now, batch=new_id(now), session=session)
    return len(ids)
