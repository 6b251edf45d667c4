"""What goes because its scope holds more than it may: the weakest first, and nothing that is new or protected."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..domain.clock import Moment
from ..domain.memory import Memory, Scope, Status, Tier
from ..domain.policy import Budget, Policy
from ..domain.results import Action, Step
from ..domain.retention import grace_until, held_for_review, strength_of
from ..ports import ScopeContents, ScopeUsage, counters
from .ladder import held

_ANY = 2**62  # more than anything holds

Move = tuple[Memory | None, Memory]  # a memory as it was, None when there was none; and as it is to be


@dataclass(frozen=True, slots=True)
class OverBudgetScope:
    """The memories of a scope with one status, and the most that they may be."""

    memories: Sequence[Memory]
    budget: Budget


def over_budget_scopes(scopes: ScopeContents, policy: Policy, moves: Sequence[Move] = ()) -> list[OverBudgetScope]:
    """The scopes that will hold more than their budget allows, once these memories have moved.

    Asked of counters, so that a scope within its budget costs nothing.
    """
    budgets = policy.budgets
    every = [budget for budget in budgets.scopes.values() if budget is not None]
    shifts = _shifts(moves)
    full = scopes.exceeding(
        active=_least([budget.memories for budget in every], "active", shifts),
        active_tokens=_least([budget.tokens for budget in every], "active_tokens", shifts),
        detached_tokens=_least([budgets.historical], "detached_tokens", shifts),
    )
    found = []
    for holding in full:
        scope, shift = holding.scope, shifts.get(holding.scope, Counter())
        for status, budget in (
            (Status.ACTIVE, budgets.of(scope)),
            (Status.DETACHED, Budget(tokens=budgets.historical)),
        ):
            if _exceeds(budget, *_held(holding, shift, status, budget.tier)):
                counted = {memory.id: memory for memory in scopes.memories(scope, status)}
                counted |= {memory.id: memory for _, memory in moves if memory.scope == scope}
                here = [m for m in counted.values() if m.status is status and budget.tier in (None, m.tier)]
                found.append(OverBudgetScope(here, budget))
    return found


def over_budget(crowd: OverBudgetScope, moment: Moment, policy: Policy) -> Iterator[Action]:
    """The weakest of a crowd, until what stays is within its budget."""
    memories, tokens = len(crowd.memories), sum(memory.tokens for memory in crowd.memories)
    ranked = sorted(
        (strength_of(memory, moment, policy), memory.id, memory)
        for memory in _expendable(crowd.memories, moment, policy)
    )
    for strength, _, memory in ranked:
        if not _exceeds(crowd.budget, memories, tokens):
            return
        why = f"{memory.scope} holds {_more(crowd.budget, memories, tokens)}; the weakest goes first"
        action = Action(memory, Step.ARCHIVE, why, strength, None)
        if held_for_review(memory, policy):
            # It stays, and the next weakest goes in its place.
            if memory.held_at is None:
                yield held(action)
            continue
        yield action
        memories, tokens = memories - 1, tokens - memory.tokens


def relieved_at(crowd: OverBudgetScope, moment: Moment, policy: Policy) -> datetime | None:
    """When the first of those can go whom only their grace holds, if all who can go now are too few."""
    expendable = _expendable(crowd.memories, moment, policy)
    asked = {memory.id for memory in expendable if held_for_review(memory, policy)}
    going = {memory.id for memory in expendable} - asked
    staying = [memory for memory in crowd.memories if memory.id not in going]
    if not _exceeds(crowd.budget, len(staying), sum(memory.tokens for memory in staying)):
        return None
    new = [one for one in staying if one.id not in asked and not policy.protects(one.category, one.scope, one.pinned)]
    return min((grace_until(memory, policy) for memory in new), default=None)


def _shifts(moves: Sequence[Move]) -> dict[Scope, Counter[str]]:
    """What each scope will hold more or less, under the names of its counters."""
    shifts: defaultdict[Scope, Counter[str]] = defaultdict(Counter)
    for before, after in moves:
        for memory, sign in ((before, -1), (after, 1)):
            if memory is not None and memory.status.live:
                shift = shifts[memory.scope]
                for name in counters(memory.status, memory.tier):
                    shift[name] += sign
                    shift[f"{name}_tokens"] += sign * memory.tokens
    return shifts


def _least(limits: Sequence[int | None], name: str, shifts: Mapping[Scope, Counter[str]]) -> int:
    """From how much on a scope may be over one of these limits, given what comes to it."""
    most = max((shift[name] for shift in shifts.values()), default=0)
    return min((limit for limit in limits if limit is not None), default=_ANY) - max(most, 0)


def _expendable(memories: Sequence[Memory], moment: Moment, policy: Policy) -> list[Memory]:
    return [
        memory
        for memory in memories
        if not policy.protects(memory.category, memory.scope, memory.pinned)
        and grace_until(memory, policy) <= moment.at
    ]


def _held(holding: ScopeUsage, shift: Counter[str], status: Status, tier: Tier | None) -> tuple[int, int]:
    name = tier.value if tier is not None else status.value
    tokens = f"{name}_tokens"
    return getattr(holding, name) + shift[name], getattr(holding, tokens) + shift[tokens]


def _exceeds(budget: Budget, memories: int, tokens: int) -> bool:
    over_count = budget.memories is not None and memories > budget.memories
    return over_count or (budget.tokens is not None and tokens > budget.tokens)


def _more(budget: Budget, memories: int, tokens: int) -> str:
    if budget.memories is not None and memories > budget.memories:
        return f"{memories} memories and may hold {budget.memories}"
    return f"{tokens} tokens and may hold {budget.tokens}"
