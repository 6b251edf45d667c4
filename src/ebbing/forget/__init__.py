"""The way down: due → ladder → lower. One sweep.

A sweep costs what it forgets: it visits only memories whose alarm has come, in bounded
batches, recomputes each one's strength, lowers what is truly due and sets the alarm of the
rest anew. Stopped anywhere, the next one goes on from there: what is done is committed, what
is not still has its alarm.
"""

from __future__ import annotations

from datetime import datetime

from ..answers import Action, Sweep
from ..clock import Moment
from ..fading import armed
from ..ids import new_id
from ..model import Memory
from ..policy import Policy
from ..ports import Reading, Writing
from ..work import Work
from .choose import forget
from .ladder import decide, settled
from .lower import lower
from .pin import set_pinned
from .purge import lift, purge
from .restore import restore

__all__ = ["forget", "lift", "plan", "purge", "restore", "set_pinned", "sweep"]


def sweep(work: Work, *, trigger: str, limit: int | None = None) -> Sweep:
    """Lower everything that is due, or the `limit` longest overdue."""
    policy, now = work.policy, work.now
    _rearm(work)
    batch = new_id(now)
    actions: list[Action] = []
    looked_at = 0
    while limit is None or len(actions) < limit:
        most = policy.sweep.batch if limit is None else min(policy.sweep.batch, limit - len(actions))
        with work.write() as tx:
            moment = Moment(now, tx.activity.day_at(now))
            due = tx.due(moment, most)
            actions += _pass(due, tx, moment, policy, batch)
            looked_at += len(due)
            if len(due) < most:
                tx.swept(moment)
                break
    return Sweep(batch, actions, False, trigger, looked_at)


def plan(work: Work, *, trigger: str, limit: int | None = None) -> Sweep:
    """What a sweep at this moment would do, decided by the same functions, with nothing written."""
    policy, now = work.policy, work.now
    with work.read() as tx:
        moment = Moment(now, tx.activity.day_at(now))
        due = tx.due(moment, _EVERYTHING) if tx.armed(policy.fingerprint) else _due_once_armed(tx, moment, policy)
    actions: list[Action] = []
    for memory in due:
        if limit is not None and len(actions) >= limit:
            break
        actions += decide(memory, moment, policy)
    return Sweep(new_id(now), actions, True, trigger, len(due))


_EVERYTHING = 2**31


def _rearm(work: Work) -> None:
    """Set every alarm by this policy, where another set them; in batches, and stopped it goes on where it was."""
    policy, now = work.policy, work.now
    with work.read() as looking:
        if looking.armed(policy.fingerprint):
            return
    done = False
    while not done:
        with work.write() as tx:
            moment = Moment(now, tx.activity.day_at(now))
            page = tx.rearm(policy.fingerprint, policy.sweep.batch)
            tx.arm([armed(memory, moment, policy) for memory in page])
            done = len(page) < policy.sweep.batch


def _due_once_armed(tx: Reading, moment: Moment, policy: Policy) -> list[Memory]:
    """What would be due if the alarms were this policy's, in the order in which a sweep would meet it."""
    memories: list[Memory] = []
    page = tx.walk(after="", limit=policy.sweep.batch)
    while page:
        memories += (armed(memory, moment, policy) for memory in page)
        page = tx.walk(after=page[-1].id, limit=policy.sweep.batch)
    by_instant = [(m.due_at, m.id, m) for m in memories if m.due_at is not None and m.due_at <= moment.at]
    by_day = [(m.due_day, m.id, m) for m in memories if m.due_day is not None and m.due_day <= moment.day]
    in_order = [*sorted(by_instant, key=lambda due: due[:2]), *sorted(by_day, key=lambda due: due[:2])]
    return list({memory.id: memory for _, _, memory in in_order}.values())


def _pass(due: list[Memory], tx: Writing, moment: Moment, policy: Policy, batch: str) -> list[Action]:
    actions: list[Action] = []
    for memory in due:
        actions += decide(memory, moment, policy)
    lower(actions, tx, moment, policy, batch)
    lowered = {action.memory.id for action in actions}
    tx.arm([settled(memory, moment, policy) for memory in due if memory.id not in lowered])
    return actions
