"""Carry a plan out. Acts; decides nothing, and leaves out what is no longer as it was when the plan was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..domain.events import Archived, Demoted, Detached, Held, Merged, Promoted, Stepped, Summarized
from ..domain.memory import Memory
from ..domain.results import Action, Step
from ..lifecycle.transitions import Transition, step
from ..lifecycle.unit_of_work import UnitOfWork
from ..ports import Tombstones
from ..text.screening.tombstone_form import tombstone_hashes
from .planner import Plan

_CHANGES: Mapping[Step, type[Stepped]] = {
    Step.SUMMARIZE: Archived,
    Step.MERGE: Merged,
    Step.DETACH: Detached,
    Step.ARCHIVE: Archived,
    Step.PROMOTE: Promoted,
    Step.DEMOTE: Demoted,
    Step.REVIEW: Held,
}


def carry_out(plan: Plan, unit: UnitOfWork) -> None:
    """Each memory to its rung, each with an event that says why and from where; summaries before their originals go."""
    tx = unit.tx
    if tx.owner.version != plan.version:
        stored = tx.memories.get(list(plan.read))
        plan.without([id_ for id_, read in plan.read.items() if stored.get(id_) != read])
    plan.without(_buried(plan, tx.tombstones))
    steps = [_made(memory, plan) for memory in plan.made.values()]
    steps += [_step(action, plan.made[id_], plan.made[id_], unit) for id_, action in plan.became.items()]
    steps += [_step(action, plan.read[id_], plan.final[id_], unit) for id_, action in plan.actions.items()]
    unit.apply(steps, plan.vectors, is_current=True)
    # What stays has only its next alarm to be set, and perhaps a place in the queue of what is to be summarized.
    unit.set_due([memory for id_, memory in plan.final.items() if id_ not in plan.actions])
    # One that was strong again may have fallen once more since, so it is taken out of the queue first.
    tx.queue.remove([id_ for id_ in plan.recovered if id_ in plan.read])
    tx.queue.add({memory: since for id_, since in plan.since.items() if (memory := _known(id_, plan)) is not None})


def _known(id_: str, plan: Plan) -> Memory | None:
    return plan.made.get(id_) or plan.final.get(id_)


def _buried(plan: Plan, tombstones: Tombstones) -> list[str]:
    """Summaries that would say again what was purged."""
    if not plan.made:
        return []
    hashes = {id_: tombstone_hashes(memory.text, tombstones.salts) for id_, memory in plan.made.items()}
    found = tombstones.matching([hash_ for several in hashes.values() for hash_ in several])
    return [id_ for id_, several in hashes.items() if not found.keys().isdisjoint(several)]


def _made(summary: Memory, plan: Plan) -> Transition:
    before = sum(plan.read[id_].tokens for id_ in summary.derived_from if id_ in plan.read)
    change = Summarized(sources=summary.derived_from, tokens=(before, summary.tokens), born=summary.status)
    # Its alarm was set by the planner.
    return Transition(None, summary, change, f"a summary of {len(summary.derived_from)} memories")


def _step(action: Action, before: Memory, after: Memory, unit: UnitOfWork) -> Transition:
    read, policy = action.memory, unit.policy
    more: dict[str, Any] = {} if after.tier is read.tier else {"was_tier": read.tier, "tier": after.tier}
    if action.into is not None:
        more["into"] = action.into
    if action.step is Step.MERGE:
        more["was_valid_until"] = read.valid_until
    details = _CHANGES[action.step](
        was=read.status,
        strength=round(action.strength, 6),
        threshold=action.threshold,
        policy=policy.name,
        **more,
    )
    return step(before, after, details, action.reason)
