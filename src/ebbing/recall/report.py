"""What a question does not return, and why: for a person who asks why an agent did not know something.

Two searches: the one that an agent makes, and the same in every scope and status that recall can search, without a
floor. What only the second finds was left out; the first reason that holds is told. What is quarantined or put away on
request is never searched by recall, so it is looked up by its words.
"""

from __future__ import annotations

from dataclasses import replace

from ..domain.memory import Memory, Status
from ..domain.overviews import LeftOut, RecallReport
from ..domain.results import Recollection
from ..lifecycle.operation_context import OperationContext
from .lookup import by_words
from .recall_request import INCLUDABLE, RecallRequest

_LOOKED_AT = 30  # results beyond those that are returned
_UNSEARCHED = (Status.QUARANTINED, Status.FORGOTTEN)
_UNSEARCHED_SHOWN = 5


def widened(request: RecallRequest) -> RecallRequest:
    """The same question without what leaves anything out."""
    where = replace(request.where, scope=None, scopes=None)
    return replace(request, limit=request.limit + _LOOKED_AT, include=INCLUDABLE, where=where, min_score=0.0)


def report(
    request: RecallRequest,
    found: list[Recollection],
    notes: tuple[str, ...],
    wide: list[Recollection],
    floor: float,
    work: OperationContext,
) -> RecallReport:
    """What was found, and what was left out with the reason for each."""
    returned = {one.memory.id for one in found}
    left = [_left_out(one, request, floor) for one in wide if one.memory.id not in returned]
    if request.as_of is None:
        known = returned | {one.memory.id for one in left}
        where = replace(request.where, scope=None, scopes=None, statuses=_UNSEARCHED)
        unsearched = by_words(request.query, where, work, limit=_UNSEARCHED_SHOWN)
        left += [LeftOut(one, one.status.value) for one in unsearched if one.id not in known]
    return RecallReport(tuple(found), tuple(left), floor, tuple(notes))


def _left_out(one: Recollection, request: RecallRequest, floor: float) -> LeftOut:
    memory = one.memory
    return LeftOut(memory, _why(memory, one.score, request, floor), one.score, one.relevance, one.strength)


def _why(memory: Memory, score: float, request: RecallRequest, floor: float) -> str:
    """The first reason that holds."""
    where = request.where
    within = where.scopes or ((where.scope,) if where.scope is not None else ())
    if memory.status not in (Status.ACTIVE, *request.include):
        return memory.status.value
    if within and not any(scope.contains(memory.scope) for scope in within):
        return "out_of_scope"
    return "below_floor" if score < floor else "beyond_limit"
