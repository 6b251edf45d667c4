"""What should happen to a memory now. Decides; does no I/O, so a dry run and a real one cannot differ."""

from __future__ import annotations

from ..answers import Action, Step
from ..clock import Moment
from ..fading import armed, ends_at, grace_until, strength_of
from ..model import Memory, Status
from ..policy import Policy


def decide(memory: Memory, moment: Moment, policy: Policy) -> list[Action]:
    """The step that brings a memory to where it belongs at this moment; none when it is there.

    A memory that was not looked at for long goes straight to its rung: how often sweeps ran
    never shows in where memories end up.
    """
    strength = strength_of(memory, moment, policy)
    end = ends_at(memory, policy)
    if end is not None and end <= moment.at and not memory.pinned:
        return [Action(memory, Step.ARCHIVE, f"its time to live ended on {end.date().isoformat()}", strength, None)]
    if policy.protects(memory.category, memory.scope, memory.pinned) or moment.at < grace_until(memory, policy):
        return []
    ladder = policy.ladder
    if strength < ladder.archive:
        return [_faded(memory, Step.ARCHIVE, strength, ladder.archive)]
    if strength < ladder.detach and memory.status is Status.ACTIVE:
        return [_faded(memory, Step.DETACH, strength, ladder.detach)]
    return []


def settled(memory: Memory, moment: Moment, policy: Policy) -> Memory:
    """A memory that stays where it is, with its next alarm; one that cannot ring at once again."""
    memory = armed(memory, moment, policy)
    if memory.due_at is not None and memory.due_at <= moment.at:
        # Expired, but pinned: unpinning sets the alarm again.
        memory = memory.with_(due_at=None)
    return memory


def _faded(memory: Memory, step: Step, strength: float, threshold: float) -> Action:
    return Action(memory, step, f"strength {strength:.3f} fell below {threshold:g} ({step})", strength, threshold)
