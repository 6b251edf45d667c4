"""Store texts, and carry out the orders to forget in them: the one pipeline in which all three verbs take part.

It decides nothing about memories: `ebbing.forget` says what is an order and what it means, `ebbing.recall` finds what
it could mean, `ebbing.remember` stores the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .. import forget as forgetting
from .. import recall as recalling
from .. import remember as remembering
from ..domain.memory import Memory
from ..domain.results import Remembered, Skipped
from ..lifecycle.operation_context import OperationContext
from ..ports import Filter, Progress
from ..remember import NewMemoryRequest, OnWritten
from ..text.forget_orders import Order

_REASON = "asked for in words"


def remember_and_obey(
    requests: Sequence[NewMemoryRequest], work: OperationContext, progress: Progress | None, on_written: OnWritten
) -> Remembered:
    """Store texts, and carry out the orders to forget that are said in them. What is said before an order is stored
    before it is carried out: it may be what the order means.

    `on_written` is told after each transaction how many active memories the scopes hold that were written to.
    """
    outcome, left, done = Remembered(), list[NewMemoryRequest](), 0

    def on_the_way(stored: int, _: int) -> None:
        if progress is not None:
            progress(done + stored, len(requests))

    for request in requests:
        work.writer.check_created_at(request.created_at, work.now)
    for place, request in enumerate(requests):
        found = None if request.is_update else forgetting.heard(request.text, request.trust, request.suspicion, work)
        if found is None:
            left.append(request)
            continue
        if left:
            outcome += remembering.remember_all(left, work.renewed(), on_the_way if progress else None, on_written)
        _obey(found.orders, request, outcome, work.renewed())
        left = [replace(request, text=found.rest)] if found.rest else []
        done = place + (not left)
        if not left:
            outcome.skipped.append(Skipped("", "it is an order to forget, and nothing of it is kept"))
            if request.turn is not None:
                remembering.mark_observed([request.turn.mark], work.renewed())
            on_the_way(0, 0)
    if not left and requests:
        return outcome
    return outcome + remembering.remember_all(left, work.renewed(), on_the_way if progress else None, on_written)


def _obey(orders: Sequence[Order], request: NewMemoryRequest, outcome: Remembered, work: OperationContext) -> None:
    """Put away what the orders of one text mean, together; the notes say what was done and what was not."""
    if not work.writer.may_forget:
        outcome.notes.append("it is an order to forget, and this caller may not forget")
        return
    if not forgetting.gives_orders(request.source, work):
        outcome.notes.append(f"it is an order to forget, and source {request.source.kind} gives none")
        return
    meant = [forgetting.ordered(order, _found_for(order, request, work), work, request) for order in orders]
    outcome.notes.extend(f"nothing was forgotten: {one.why}" for one in meant if one.why is not None)
    left = list(dict.fromkeys(memory.id for one in meant for memory in one.left))
    if left:
        why = "pinned, trusted more, or somebody else's"
        outcome.notes.append(f"not forgotten, because {why}: {', '.join(left)}; forget(ids=…) puts them away")
    where = Filter(ids=tuple(dict.fromkeys(memory.id for one in meant for memory in one.memories)))
    if not where.ids:
        return
    erases = work.policy.orders.erase and work.writer.trust_max is None and any(one.erases for one in orders)
    batch = forgetting.forget(where, work, reason=_REASON)
    outcome.forgotten.extend(batch.memories)
    if erases:
        forgetting.purge(work, where, reason=_REASON)
        outcome.notes.append(f"{len(batch.memories)} erased for good, as was asked")
    else:
        outcome.notes.append(f"forgotten: {len(batch.memories)}; restore(batch={batch.id!r}) brings them back")


def _found_for(order: Order, request: NewMemoryRequest, work: OperationContext) -> list[Memory]:
    """The memories that an order could mean, the likeliest first, whatever their status."""
    if order.last_said:
        return forgetting.said_last(request, work)
    return [one.memory for one in recalling.exact(order.what, Filter(scope=request.scope), work)]
