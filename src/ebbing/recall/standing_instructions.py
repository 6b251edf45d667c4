"""Which memories a model is given as the user's standing instructions: rules that the user set, and nobody else.

Everything else is data, whatever it says. A page, a document, a tool, a model, an agent, an import and a summary never
instruct, whatever trust a caller claimed for them; nor does what the user reports of somebody else, what waits for a
decision, and what no longer holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..domain.events import Created, EventKind
from ..domain.memory import Memory, Status, Tier
from ..lifecycle.operation_context import OperationContext
from ..ports import EventLog, Filter, ReadTransaction
from ..text.speakers import given_as_others

_RULE, _PREFERENCE = "rule", "preference"  # kinds of text, as the judge reads them (judgement.KINDS)
_MOST = 50  # nobody follows more rules than that at once
_USER = "user"


def standing_instructions(
    others: Sequence[Memory], where: Filter, tx: ReadTransaction, work: OperationContext
) -> list[Memory]:
    """Those of `others` that are such rules, in their order, and then all that stand in the store, newest first."""
    categories = work.policy.judge.categories
    rules, preferences = categories.get(_RULE), categories.get(_PREFERENCE)
    page = replace(where, statuses=(Status.ACTIVE,), categories=(rules,) if rules else ())
    stored = tx.memories.page(page, limit=_MOST) if rules else []
    several = {memory.id: memory for memory in (*others, *stored)}.values()
    own = [memory for memory in several if _is_the_users_own(memory, work)]
    return [memory for memory in own if _is_rule(memory, rules, preferences, tx.events)]


def _is_the_users_own(memory: Memory, work: OperationContext) -> bool:
    """Whether the user said this, in no other's name, and it holds."""
    holds = memory.status is Status.ACTIVE and not memory.contested
    holds &= memory.valid_until is None or memory.valid_until > work.now
    holds &= memory.pinned or memory.expires_at is None or memory.expires_at > work.now
    said = memory.source.kind == _USER and memory.trust >= work.policy.trust.of(_USER) and not memory.derived_from
    said &= memory.source.actor in (None, memory.agent) and memory.tier is not Tier.CORE
    return holds and said and not given_as_others(memory.text)


def _is_rule(memory: Memory, rules: str | None, preferences: str | None, events: EventLog) -> bool:
    """Whether it has the category of rules; or that of preferences, and the judge read it as a rule when it came."""
    if memory.category == rules:
        return True
    if memory.category != preferences:
        return False
    written = [event for event in events.of_memory(memory.id) if event.kind is EventKind.REMEMBERED]
    readings = [Created.decode(event.detail).reading for event in written]
    return any(reading is not None and reading["kind"] == _RULE for reading in readings)
