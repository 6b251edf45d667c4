"""What a caller asks, checked, with the vector of the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..domain import validation
from ..domain.memory import Status, instant
from ..lifecycle.operation_context import OperationContext
from ..ports import Filter, Vector

INCLUDABLE = (Status.DETACHED, Status.ARCHIVED, Status.SUPERSEDED)  # searched beside what is active, on request


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """A question, checked, with its vector already made."""

    query: str
    limit: int
    where: Filter
    include: tuple[Status, ...] = ()
    vector: Vector | None = None
    fingerprint: str | None = None
    min_score: float | None = None  # None: the policy's floor
    as_of: datetime | None = None
    exact: bool = False  # nothing is guessed, no time, wording or answer: too little to forget something for


def recall_request(
    query: str,
    where: Filter,
    work: OperationContext,
    *,
    limit: int,
    include: Sequence[str] = (),
    min_score: float | None = None,
    as_of: datetime | str | None = None,
) -> RecallRequest:
    """A question as it is searched for; one that is longer than a memory may be is read as far as that."""
    if isinstance(query, str):  # what is no text is refused where it is embedded
        query = query[: work.policy.limits.text_bytes]
    return RecallRequest(
        query=query,
        limit=validation.count(limit, "limit", work.policy.recall.limit_max),
        where=where,
        include=validation.members(Status, include, "include", INCLUDABLE),
        vector=work.models.question(query, work.store, work.view),
        fingerprint=work.models.fingerprint,
        min_score=None if min_score is None else validation.share(min_score, "min_score", 0.0),
        as_of=None if as_of is None else instant(as_of),
    )


def exact_request(query: str, where: Filter, work: OperationContext) -> RecallRequest:
    """A search for what a description names, whatever its status: nothing is guessed, and nothing left out for its
    score."""
    return RecallRequest(
        query=query,
        # More than may be meant: many that resemble the description may stand before the one that it names.
        limit=work.policy.recall.limit_max,
        where=where,
        include=INCLUDABLE,
        vector=work.models.question(query, work.store, work.view),
        fingerprint=work.models.fingerprint,
        min_score=0.0,
        exact=True,
    )
