"""What another policy would have done, and which one an owner's own history asks for. Reads; changes nothing."""

from __future__ import annotations

from dataclasses import replace

from ...domain.policy import Policy
from ...lifecycle.operation_context import OperationContext
from ...ports import Progress
from .fit import Fit, fit
from .simulate import Fallen, Miss, Point, Simulation, gather, simulate

__all__ = ["Fallen", "Fit", "Miss", "Point", "Simulation", "fit", "fit_policy", "simulate", "simulate_other_policy"]


def simulate_other_policy(
    other: Policy, work: OperationContext, *, ahead_days: int, progress: Progress | None = None
) -> Simulation:
    """What another policy would have done with all that an owner has; told is what the caller's own view sees."""
    with work.read() as tx:
        memories, events, used = gather(tx)
    simulation = simulate(
        memories,
        events,
        used,
        other,
        now=work.now,
        ahead_days=ahead_days,
        recorded=work.policy,
        progress=progress,
    )
    seen = replace(work.view, every_agent=False)
    return simulation.silent_about({memory.id for memory in memories if not seen.sees(memory)})


def fit_policy(work: OperationContext) -> Fit:
    """Decay rates that an owner's own history of use asks for."""
    with work.read() as tx:
        memories, events, used = gather(tx)
        moment = work.moment(tx.owner)
    return fit(events, {memory.id: memory for memory in memories}, used, work.policy, moment)
