"""Carry a plan out. Acts; decides nothing, and leaves out what is no longer as it was when the plan was made."""

from __future__ import annotations

from typing import Any

from ..domain.clock import Moment
from ..domain.events import EventKind
from ..domain.memory import Memory
from ..domain.policy import Policy
from ..domain.results import Action, Step
from ..ports import NewEvent, Writing
from ..text.screening.tombstone_form import tombstone_hashes
from .planner import Plan

KINDS = {
    Step.SUMMARIZE: EventKind.ARCHIVED,
    Step.MERGE: EventKind.MERGED,
    Step.DETACH: EventKind.DETACHED,
    Step.ARCHIVE: EventKind.ARCHIVED,
    Step.PROMOTE: EventKind.PROMOTED,
    Step.DEMOTE: EventKind.DEMOTED,
}


def carry_out(plan: Plan, tx: Writing, moment: Moment, policy: Policy, batch: str) -> None:
    """Each memory to its rung, each with an event that says why and from where; summaries before their originals go."""
    if tx.version != plan.version:
        standing = tx.get(list(plan.read))
        plan.without([id_ for id_, read in plan.read.items() if standing.get(id_) != read])
    plan.without(_buried(plan, tx))
    if plan.made:
        tx.add(list(plan.made.values()), plan.vectors)
    moved = [memory for id_, memory in plan.final.items() if id_ in plan.actions]
    if moved:
        tx.change(moved, plan.read)
    # What stays has only its next alarm to be set, and perhaps a place in the waiting room.
    tx.arm([memory for id_, memory in plan.final.items() if id_ not in plan.actions])
    # Who was strong again may have fallen once more since.
    tx.wait_no_more([id_ for id_ in plan.recovered if id_ in plan.read])
    tx.wait({memory: since for id_, since in plan.since.items() if (memory := _known(id_, plan)) is not None})
    changes = [_made(memory, plan) for memory in plan.made.values()]
    changes += [_change(action, plan.made[id_], policy) for id_, action in plan.became.items()]
    changes += [_change(action, plan.final[id_], policy) for id_, action in plan.actions.items()]
    tx.record(changes, at=moment.at, batch=batch)


def _known(id_: str, plan: Plan) -> Memory | None:
    return plan.made.get(id_) or plan.final.get(id_)


def _buried(plan: Plan, tx: Writing) -> list[str]:
    """Summaries that would say again what was purged."""
    if not plan.made:
        return []
    hashes = {id_: tombstone_hashes(memory.text, tx.salts) for id_, memory in plan.made.items()}
    found = tx.buried([hash_ for several in hashes.values() for hash_ in several])
    return [id_ for id_, several in hashes.items() if not found.keys().isdisjoint(several)]


def _made(summary: Memory, plan: Plan) -> NewEvent:
    before = sum(plan.read[id_].tokens for id_ in summary.derived_from if id_ in plan.read)
    detail = {"from": list(summary.derived_from), "tokens": [before, summary.tokens], "status": summary.status}
    return NewEvent(EventKind.SUMMARIZED, summary.id, f"a summary of {len(summary.derived_from)} memories", detail)


def _change(action: Action, final: Memory, policy: Policy) -> NewEvent:
    read = action.memory
    detail: dict[str, Any] = {
        "was": read.status,
        "strength": round(action.strength, 6),
        "threshold": action.threshold,
        "policy": policy.name,
    }
    if final.tier is not read.tier:
        detail |= {"was_tier": read.tier, "tier": final.tier}
    if action.into is not None:
        detail["into"] = action.into
    if action.step is Step.MERGE:
        detail["was_valid_until"] = None if read.valid_until is None else read.valid_until.isoformat()
    return NewEvent(KINDS[action.step], read.id, action.reason, detail)
