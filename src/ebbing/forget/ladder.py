"""What should happen to a memory at a moment. Decides; does no I/O, so a dry run and a real one cannot differ."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from ..domain.clock import Moment
from ..domain.memory import Memory, Status, Tier
from ..domain.policy import Policy
from ..domain.results import Action, Step
from ..domain.retention import (
    alarm,
    archives_at,
    compactable,
    compacts_at,
    ends_at,
    grace_until,
    held_for_review,
    past_at,
    session_ends_at,
    strength_of,
    with_next_due,
)

_LOSING = (Step.DETACH, Step.ARCHIVE)
_HARMFUL = "it is harmful to lose, so it waits in review"


def decide(memory: Memory, moment: Moment, policy: Policy, *, waiting: bool = False) -> Action | None:
    """The step that brings a memory to where it belongs at this moment; None when it is there.

    `waiting`: it is known already to wait for its topic. What it would harm to lose takes no step down: it waits in
    review, once, until somebody decides.
    """
    action = _due_step(memory, moment, policy, waiting=waiting)
    if action is None or action.step not in _LOSING or not held_for_review(memory, policy):
        return action
    past = past_at(memory, policy)
    if past is not None and past <= moment.at:
        return action  # what is over is not lost
    # What is of a session outlives it, and is looked at then.
    return None if memory.held_at is not None or memory.tier is Tier.WORKING else held(action)


def held(action: Action) -> Action:
    """Waiting in review, in place of a step that would take a memory out of recall."""
    return replace(action, step=Step.REVIEW, reason=f"{action.reason}; {_HARMFUL}")


def _due_step(memory: Memory, moment: Moment, policy: Policy, *, waiting: bool) -> Action | None:
    strength = strength_of(memory, moment, policy)
    end = ends_at(memory, policy)
    if end is not None and end <= moment.at and not memory.pinned:
        return Action(memory, Step.ARCHIVE, f"its time to live ended on {end.date().isoformat()}", strength, None)
    over = session_ends_at(memory, policy)
    if over is not None and over <= moment.at:
        return Action(memory, Step.PROMOTE, "its session is over, and it is worth keeping", strength, None)
    if policy.protects(memory.category, memory.scope, memory.pinned):
        return None
    past = past_at(memory, policy)
    if past is not None and past <= moment.at:
        until = memory.valid_until or past
        return Action(memory, Step.ARCHIVE, f"it was true until {until.date().isoformat()}", strength, None)
    if moment.at < grace_until(memory, policy):
        return None
    return _scheduled(memory, moment, policy, strength) or _faded(memory, moment, policy, strength, waiting=waiting)


def _scheduled(memory: Memory, moment: Moment, policy: Policy, strength: float) -> Action | None:
    """What its category's schedule says, whatever the strength."""
    end = archives_at(memory, policy)
    if end is None or moment.at < end:
        return None
    age = (end - memory.created_at).days
    return Action(memory, Step.ARCHIVE, f"a {memory.category} is kept active for {age} days", strength, None)


def _faded(memory: Memory, moment: Moment, policy: Policy, strength: float, *, waiting: bool) -> Action | None:
    ladder, demote = policy.ladder, policy.promotion.demote
    if strength < ladder.archive:
        return _below(memory, Step.ARCHIVE, strength, ladder.archive)
    if memory.status is not Status.ACTIVE:
        return None
    if strength < ladder.detach:
        return _below(memory, Step.DETACH, strength, ladder.detach)
    if demote is not None and strength < demote and memory.tier is Tier.SEMANTIC:
        return _below(memory, Step.DEMOTE, strength, demote)
    if not waiting and compactable(memory, policy):
        if strength < ladder.summarize:
            return _below(memory, Step.WAIT, strength, ladder.summarize)
        scheduled = compacts_at(memory, policy)
        if scheduled is not None and scheduled <= moment.at:
            return Action(memory, Step.WAIT, f"a {memory.category} of this age is summarized", strength, None)
    return None


def taken(memory: Memory, action: Action, at: datetime) -> Memory:
    """The memory after a step at this time; its alarm is still to be set."""
    if action.step is Step.REVIEW:
        return memory.with_(held_at=at)
    if action.step in (Step.PROMOTE, Step.DEMOTE):
        # Up at the end of a session and down from what is known: episodic either way.
        return memory.with_(tier=Tier.EPISODIC)
    return memory.with_(status=action.status, held_at=None)


def settled(memory: Memory, moment: Moment, policy: Policy, since: datetime | None = None) -> Memory:
    """A memory that stays where it is, with its next alarm; one that cannot ring at once again."""
    kept = with_next_due(memory, moment, policy, since)
    if kept.due_at is not None and kept.due_at <= moment.at:
        # Expired, but pinned: unpinning sets that alarm again.
        at, day = alarm(memory.with_(expires_at=None), moment, policy, since)
        kept = memory.with_(due_at=at if at is not None and at > moment.at else None, due_day=day)
    return kept


def _below(memory: Memory, step: Step, strength: float, threshold: float) -> Action:
    return Action(memory, step, below(step, strength, threshold), strength, threshold)


def below(step: Step, strength: float, threshold: float) -> str:
    """Why fading took a step, in words that a person can check."""
    told = f"strength {strength:.3f} fell below {threshold:g}"
    return f"{told}; {_HARMFUL}" if step is Step.REVIEW else f"{told} ({step})"
