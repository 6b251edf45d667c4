"""What goes because its scope holds more than it may: the weakest first, and nothing that is new or protected."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..answers import Action, Step
from ..clock import Moment
from ..fading import grace_until, strength_of
from ..model import Memory, Scope, Status, Tier
from ..policy import Budget, Policy
from ..ports import Holding, Reading

_ANY = 2**62  # more than anything holds


@dataclass(frozen=True, slots=True)
class Crowd:
    """The memories of a scope that stand under one status, and what they may be at most."""

    memories: Sequence[Memory]
    budget: Budget


def crowds(tx: Reading, policy: Policy) -> list[Crowd]:
    """Who stands where there is too much; asked of counters, so that a scope within its budget costs nothing."""
    budgets = policy.budgets
    every = [budget for budget in budgets.scopes.values() if budget is not None]
    full = tx.full(
        active=min((budget.memories for budget in every if budget.memories is not None), default=_ANY),
        active_tokens=min((budget.tokens for budget in every if budget.tokens is not None), default=_ANY),
        detached_tokens=_ANY if budgets.historical is None else budgets.historical,
    )
    found = []
    for holding in full:
        active, detached = budgets.of(holding.scope), Budget(tokens=budgets.historical)
        if _exceeds(active, *_held(holding, active.tier)):
            found.append(Crowd(_of_tier(tx.members(holding.scope, Status.ACTIVE), active.tier), active))
        if _exceeds(detached, holding.detached, holding.detached_tokens):
            found.append(Crowd(tx.members(holding.scope, Status.DETACHED), detached))
    return found


def over_budget(
    crowd: Crowd, leaving: Collection[str], arriving: Mapping[Scope, Sequence[Memory]], moment: Moment, policy: Policy
) -> Iterator[Action]:
    """The weakest of a crowd, until what stays is within its budget.

    `leaving` go anyway, and summaries `arriving` count too, though they have only just been made and stay.
    """
    staying = [memory for memory in crowd.memories if memory.id not in leaving]
    if not staying:
        return
    scope = staying[0].scope
    counted = [*staying, *_of_tier(arriving.get(scope, ()), crowd.budget.tier)]
    memories, tokens = len(counted), sum(memory.tokens for memory in counted)
    ranked = sorted(
        (strength_of(memory, moment, policy), memory.id, memory) for memory in _expendable(staying, moment, policy)
    )
    for strength, _, memory in ranked:
        if not _exceeds(crowd.budget, memories, tokens):
            return
        why = f"{scope} holds {_more(crowd.budget, memories, tokens)}; the weakest goes first"
        yield Action(memory, Step.ARCHIVE, why, strength, None)
        memories, tokens = memories - 1, tokens - memory.tokens


def _expendable(memories: Sequence[Memory], moment: Moment, policy: Policy) -> list[Memory]:
    return [
        memory
        for memory in memories
        if not policy.protects(memory.category, memory.scope, memory.pinned)
        and grace_until(memory, policy) <= moment.at
    ]


def _held(holding: Holding, tier: Tier | None) -> tuple[int, int]:
    name = tier.value if tier is not None else "active"
    return getattr(holding, name), getattr(holding, f"{name}_tokens")


def _of_tier(memories: Sequence[Memory], tier: Tier | None) -> list[Memory]:
    return [memory for memory in memories if tier in (None, memory.tier)]


def _exceeds(budget: Budget, memories: int, tokens: int) -> bool:
    over_count = budget.memories is not None and memories > budget.memories
    return over_count or (budget.tokens is not None and tokens > budget.tokens)


def _more(budget: Budget, memories: int, tokens: int) -> str:
    if budget.memories is not None and memories > budget.memories:
        return f"{memories} memories and may hold {budget.memories}"
    return f"{tokens} tokens and may hold {budget.tokens}"
