"""The way down: due → ladder → planner → apply_plan. One sweep.

A sweep costs what it forgets: it visits only memories whose alarm has come, in bounded
batches, lives through what happened to them since (`planner.py`) and carries that out. Stopped
anywhere, the next one goes on from there: what is done is committed, what is not still has its
alarm. One sweeper at a time holds the owner's lease; a dry run needs none.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ..domain.clock import Moment
from ..domain.ids import new_id
from ..domain.memory import Memory, Status
from ..domain.results import Action, Sweep
from ..lifecycle.operation_context import OperationContext
from ..ports import MemoryRows, Progress, ReadTransaction, View, WritableOwnerState
from .apply_plan import carry_out
from .batches import batch, batches
from .budgets import Move, OverBudgetScope, over_budget, over_budget_scopes, relieved_at
from .compact import compact
from .due import look, look_ahead, rearmed
from .explain import explain
from .forget_memories import check_query, forget, narrowed_to_query
from .horizon import horizon
from .ladder import settled, taken
from .life_curve import life
from .ordered import gives_orders, heard, ordered, said_last
from .pin import set_pinned
from .planner import DueSnapshot, Plan, Replay
from .purge import lift, purge
from .restore import restore
from .summarize import reworded, summarizer
from .summary_queue import AttemptCache

__all__ = [
    "batch",
    "batches",
    "check_query",
    "compact",
    "explain",
    "forget",
    "gives_orders",
    "heard",
    "horizon",
    "life",
    "lift",
    "narrowed_to_query",
    "ordered",
    "plan",
    "purge",
    "rearm",
    "restore",
    "said_last",
    "seen_by",
    "set_pinned",
    "sweep",
]

_EVERYTHING = 2**31
_FRUITLESS = 3  # rounds in which everything had changed meanwhile: others are at work, and the next sweep will do
_BUSY = "another sweep of this owner is already running"


def sweep(work: OperationContext, *, trigger: str, limit: int | None = None, progress: Progress | None = None) -> Sweep:
    """Lower everything that is due, or the `limit` longest overdue."""
    batch = new_id(work.now)
    with work.read() as tx:
        idle = _rests(tx, work)
    if idle:
        return Sweep(batch, [], False, trigger, 0)
    if not _lease(work, batch):
        return Sweep(batch, [], False, trigger, 0, notes=(_BUSY,))
    done = Sweep(batch, [], False, trigger, 0)
    try:
        rearm(work, holder=batch, progress=progress)
        done = _rounds(work, done, limit, progress)
    finally:
        # A lease that is lost to a power cut is nobody's loss.
        with work.write(is_use=False, durable=False) as unit:
            unit.tx.owner.release_lease(batch)
    return done


def plan(work: OperationContext, *, trigger: str, limit: int | None = None, progress: Progress | None = None) -> Sweep:
    """What a sweep at this moment would do, decided by the same functions, with nothing written."""
    _, devised, _ = _devised(work, _EVERYTHING, limit, progress=progress)
    summaries = [memory for memory in devised.made.values() if memory.status is Status.ACTIVE]
    actions = list(devised.actions.values())
    return Sweep(new_id(work.now), actions, True, trigger, devised.looked_at, summaries)


def seen_by(view: View, sweep: Sweep) -> Sweep:
    """A sweep without the memories that a view does not see."""
    return replace(
        sweep,
        actions=[action for action in sweep.actions if view.sees(action.memory)],
        summaries=[memory for memory in sweep.summaries if view.sees(memory)],
    )


def rearm(work: OperationContext, *, holder: str | None = None, progress: Progress | None = None) -> None:
    """Set every alarm by this policy, where another set them; in batches, and stopped it goes on where it was."""
    policy = work.policy
    with work.read() as looking:
        if looking.owner.alarms_current(policy.fingerprint):
            return
        total = sum(tally.count for tally in looking.memories.count_by_status() if tally.status.live) if progress else 0
    done = 0
    finished = False
    while not finished:
        with work.write(is_use=False) as unit:
            if holder is not None and not _renewed(unit.tx.owner, work, holder):
                return
            tx, moment = unit.tx, unit.moment
            count = unit.reset_due(policy.sweep.batch, partial(rearmed, queue=tx.queue, moment=moment, policy=policy))
            finished = count < policy.sweep.batch
        done += count
        if progress is not None:
            progress(min(done, total), total)


def _rounds(work: OperationContext, done: Sweep, limit: int | None, progress: Progress | None) -> Sweep:
    """Batch after batch, until nothing is due."""
    actions: dict[str, Action] = {}
    summaries: dict[str, Memory] = {}
    notes: list[str] = []
    looked_at: set[str] = set()
    tried = AttemptCache()
    bar = _Bar(work, progress)
    fruitless = 0
    more = True
    while more and fruitless < _FRUITLESS and (limit is None or len(actions) < limit):
        # The so many longest overdue are known only when all are looked at; asked for few, few are carried out.
        batch = work.policy.sweep.batch if limit is None else _EVERYTHING
        seen, devised, moment = _devised(work, batch, None if limit is None else limit - len(actions), tried)
        # A language model that does not answer is not asked again for every batch.
        notes = notes or reworded(devised, work)
        planned = len(devised.final) + len(devised.made)
        with work.write(done.batch, is_use=False) as unit:
            tx = unit.tx
            if not _renewed(tx.owner, work, done.batch):
                notes.append(_BUSY)
                break
            carry_out(devised, unit)
            carried_out = len(devised.final) + len(devised.made)
            more = seen.more or carried_out < planned
            if not more and (limit is None or len(actions) + len(devised.actions) < limit):
                # As of the day that was looked at: another may have begun since.
                tx.owner.mark_swept(moment, work.policy.budgets.fingerprint, devised.relieved_at)
            bar.look(tx.memories, moment)
        bar.tell()
        fruitless = 0 if carried_out else fruitless + 1
        looked_at |= {memory.id for memory in seen.due}
        for id_, action in devised.actions.items():
            # Lowered twice by two rounds: it was where the first found it, and is where the second put it.
            actions[id_] = replace(action, memory=actions[id_].memory) if id_ in actions else action
        summaries |= devised.made
        summaries |= {id_: memory for id_, memory in devised.final.items() if id_ in summaries}
    # What became of a summary that this very sweep made is no news to anybody.
    others = [action for id_, action in actions.items() if id_ not in summaries]
    active = [memory for memory in summaries.values() if memory.status is Status.ACTIVE]
    return replace(done, actions=others, looked_at=len(looked_at), summaries=active, notes=tuple(dict.fromkeys(notes)))


def _devised(
    work: OperationContext,
    batch: int,
    limit: int | None,
    tried: AttemptCache | None = None,
    progress: Progress | None = None,
) -> tuple[DueSnapshot, Plan, Moment]:
    """A look at what is due, the plan that follows from it, and the moment of both."""
    policy = work.policy
    with work.read() as tx:
        moment = work.moment(tx.owner)
        is_current = tx.owner.alarms_current(policy.fingerprint)
        seen = look(tx, moment, work, batch) if is_current else look_ahead(tx, moment, work)
    devised = Replay(seen, moment, policy, summarizer(work), limit, tried).run(progress)
    if not seen.more:
        moves: list[Move] = [(devised.read[id_], memory) for id_, memory in devised.final.items()]
        with work.read() as tx:
            full = over_budget_scopes(
                tx.scopes, policy, [*moves, *((None, memory) for memory in devised.made.values())]
            )
        for crowd in full:
            _relieve(crowd, devised, moment, work, limit if limit is not None else batch)
        devised.relieved_at = min(filter(None, (relieved_at(crowd, moment, policy) for crowd in full)), default=None)
        if limit is None and len(devised.actions) >= batch:
            # There may be more of them: the next round goes on with the weakest that are left.
            seen = replace(seen, more=True)
    return seen, devised, moment


class _Bar:
    """Tells how many of those that were due when a sweep began are not any more."""

    def __init__(self, work: OperationContext, progress: Progress | None) -> None:
        self.progress = progress
        self.left = 0
        if progress is not None:
            with work.read() as tx:
                self.look(tx.memories, work.moment(tx.owner))
        self.total = self.left
        self.tell()

    def look(self, rows: MemoryRows, moment: Moment) -> None:
        if self.progress is not None:
            self.left = rows.count_due(moment)

    def tell(self) -> None:
        """Outside of any transaction: a terminal may be slow."""
        if self.progress is not None:
            self.progress(max(0, self.total - self.left), self.total)


def _relieve(crowd: OverBudgetScope, devised: Plan, moment: Moment, work: OperationContext, limit: int) -> None:
    """Add to a plan what has to go because its scope is full."""
    for action in over_budget(crowd, moment, work.policy):
        if len(devised.actions) >= limit:
            return
        memory = taken(action.memory, action, moment.at)
        if memory.status.live:
            memory = settled(memory, moment, work.policy)
        devised.since.pop(memory.id, None)
        if memory.id in devised.made:
            devised.made[memory.id] = memory
        else:
            read = devised.read.setdefault(memory.id, action.memory)
            devised.final[memory.id] = memory
            devised.actions[memory.id] = replace(action, memory=read)


def _rests(tx: ReadTransaction, work: OperationContext) -> bool:
    """Whether there is nothing to do, as far as counters tell."""
    policy = work.policy
    rests = tx.owner.alarms_current(policy.fingerprint) and tx.owner.nothing_due(
        work.moment(tx.owner), policy.budgets.fingerprint
    )
    return rests and not over_budget_scopes(tx.scopes, policy)


def _lease(work: OperationContext, holder: str) -> bool:
    with work.write(is_use=False, durable=False) as unit:
        return _renewed(unit.tx.owner, work, holder)


def _renewed(owner: WritableOwnerState, work: OperationContext, holder: str) -> bool:
    """Whether the lease is this holder's, counted from now: a sweep with slow work in it may take a while."""
    now = work.clock.now()
    return owner.acquire_lease(holder, now, now + work.policy.sweep.lease)
