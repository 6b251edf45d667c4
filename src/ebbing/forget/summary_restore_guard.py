"""Summaries that must not be restored: a source of theirs is forgotten, or summarized elsewhere by now.

Sources that were reactivated when such a summary was removed stay active. Sources that were removed together with it
are restored as active, and not as archived, where no summary would say them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..domain.clock import Moment
from ..domain.events import Change, Event, EventKind, Forgotten, Restored
from ..domain.memory import Memory, Status
from ..lifecycle.history import removal_of_summary
from ..lifecycle.summary_links import archived_for
from ..ports import EventLog, WriteTransaction

_Undone = Mapping[str, Change | None]


def blocked_summaries(back: Mapping[str, Memory], was: Mapping[str, Memory], tx: WriteTransaction) -> list[Memory]:
    """Of memories about to be restored, the summaries with a source that stays forgotten or is summarized elsewhere."""
    found: dict[str, Memory] = {}
    while more := [one for one in _coming(back, was) if one.id not in found and _tells(one, back, found, tx)]:
        found |= {one.id: one for one in more}
    return list(found.values())


def without_blocked_summaries(
    back: Mapping[str, Memory], was: Mapping[str, Memory], undone: _Undone, moment: Moment, tx: WriteTransaction
) -> dict[str, Memory]:
    """The same memories as they are restored when those summaries are not."""
    result = dict(back)
    for summary in blocked_summaries(back, was, tx):
        result[summary.id] = was[summary.id]
        came_for_it = [id_ for id_ in summary.derived_from if id_ in result and isinstance(undone[id_], Restored)]
        result |= {id_: was[id_] for id_ in came_for_it}
    for id_, into in _without_summary(undone, result, tx):
        status = _last_stood(id_, into, tx.events)
        result[id_] = was[id_] if status is None else was[id_].with_(status=status, restored_at=moment.at)
    for id_, memory in result.items():
        if was[id_].status is Status.FORGOTTEN and memory.status is Status.ARCHIVED:
            status = _stood(memory, result, tx)
            if status is not None and status.live:
                result[id_] = memory.with_(status=status, restored_at=moment.at)
    return result


def _without_summary(undone: _Undone, result: Mapping[str, Memory], tx: WriteTransaction) -> Iterator[tuple[str, str]]:
    """Which memories had come back from a summary that does not come back itself, and so stay; and that summary."""
    back = {id_: one for id_, one in undone.items() if isinstance(one, Restored) and one.was is Status.ARCHIVED}
    into = {id_: change.into for id_, change in back.items() if change.into is not None}
    others = [summary for summary in into.values() if summary not in result]
    with tx.all_agents():
        known = {**(tx.memories.get(others) if others else {}), **result}
    for id_, summary in into.items():
        if id_ in result and (summary not in known or known[summary].status is Status.FORGOTTEN):
            yield id_, summary


def _last_stood(id_: str, summary: str, log: EventLog) -> Status | None:
    """The status of a memory before a summary was made of it, if that has been undone; else None."""
    archived = archived_for(id_, log)
    if archived is None or archived.into != summary or removal_of_summary(log.of_memory(summary)) is None:
        return None
    return archived.was or Status.ACTIVE


def _coming(back: Mapping[str, Memory], was: Mapping[str, Memory]) -> Iterator[Memory]:
    """Summaries that leave what is forgotten."""
    for id_, memory in back.items():
        if memory.derived_from and was[id_].status is Status.FORGOTTEN and memory.status is not Status.FORGOTTEN:
            yield memory


def _tells(summary: Memory, back: Mapping[str, Memory], found: Mapping[str, Memory], tx: WriteTransaction) -> bool:
    if isinstance(removal_of_summary(tx.events.of_memory(summary.id)), Restored):
        return True
    with tx.all_agents():
        originals = tx.memories.get(summary.derived_from)
        stays_away = [id_ for id_, one in originals.items() if back.get(id_, one).status is Status.FORGOTTEN]
        if stays_away or any(id_ in found for id_ in originals):
            return True
        archived = [id_ for id_, one in originals.items() if one.status is Status.ARCHIVED]
        others = tx.memories.get(
            [into for id_ in archived if (into := _into(id_, tx.events)) is not None and into != summary.id]
        )
    return any(other.status.live for other in others.values())


def _into(id_: str, log: EventLog) -> str | None:
    """The summary that a memory was archived for."""
    archived = archived_for(id_, log)
    return None if archived is None else archived.into


def _gone(id_: str, log: EventLog) -> Event | None:
    """When a memory was last forgotten."""
    return next((event for event in reversed(log.of_memory(id_)) if event.kind is EventKind.FORGOTTEN), None)


def _stood(memory: Memory, result: Mapping[str, Memory], tx: WriteTransaction) -> Status | None:
    """Where a memory stood before it was summarized, but no higher than what said it in the end did when both went
    together; None when a summary that comes back says it, or when it went by itself."""
    archived, own = archived_for(memory.id, tx.events), _gone(memory.id, tx.events)
    if archived is None or own is None:
        return None
    before = archived.was or Status.ACTIVE
    into, seen = archived.into, {memory.id}
    while into is not None and into not in seen:
        seen.add(into)
        summary, went = result.get(into) or tx.memories.get([into]).get(into), _gone(into, tx.events)
        if summary is None or summary.status is not Status.FORGOTTEN or went is None or went.batch != own.batch:
            return None
        status = Forgotten.decode(went.detail).was or Status.ACTIVE
        if status.live:
            return status if before is Status.ACTIVE else before
        # It was edited, or summarized in its turn.
        into = summary.superseded_by if status is Status.SUPERSEDED else _into(into, tx.events)
    return None
