"""What there is to undo, as the events tell it: a transaction's worth at a time, and whole at any time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..domain.errors import Conflict, NotFound
from ..domain.memory import Event, EventKind, Memory, Status
from ..lifecycle.edit_log import given_by
from ..ports import Reading

_PAGE = 500
# Where each kind of event puts a memory.
PUTS = {
    EventKind.FORGOTTEN: Status.FORGOTTEN,
    EventKind.DETACHED: Status.DETACHED,
    EventKind.ARCHIVED: Status.ARCHIVED,
    EventKind.SUPERSEDED: Status.SUPERSEDED,
    EventKind.MERGED: Status.SUPERSEDED,
}
_UNDOABLE = (*PUTS, EventKind.PROMOTED, EventKind.DEMOTED, EventKind.SETTLED)
_BESIDE = (EventKind.SUMMARIZED, EventKind.EDITED, EventKind.CONTESTED)


@dataclass(frozen=True, slots=True)
class Page:
    """What is undone in one transaction: whatever happened to some memories, and what else happened with it."""

    events: Mapping[str, Event | None]  # by memory, what put it where it is
    beside: Sequence[Event] = ()

    @property
    def made(self) -> list[str]:
        """Summaries that were made of them."""
        return [str(event.memory) for event in self.beside if event.kind is EventKind.SUMMARIZED]

    @property
    def edits(self) -> list[Event]:
        return [event for event in self.beside if event.kind is EventKind.EDITED]

    @property
    def contested(self) -> list[str]:
        """Those who met somebody then."""
        return sorted({str(event.memory) for event in self.beside if event.kind is EventKind.CONTESTED})


def of_ids(ids: Sequence[str], tx: Reading) -> list[Page]:
    events = _last_lowering(ids, tx)
    memories = tx.get(list(events))
    missing = sorted(set(events) - set(memories))
    if missing:
        raise NotFound(f"there is no memory {', '.join(missing)} to restore")
    _refuse_quarantined(memories.values())
    merged = [id_ for id_, event in events.items() if was_merged(event)]
    return _paged(events, [edit for id_ in merged for edit in given_by(id_, tx)], memories.values())


def of_batch(batch: str, tx: Reading) -> list[Page]:
    told = tx.batch(batch)
    if not told:
        raise NotFound(f"there is no batch {batch}")
    events = _undone(told)
    if not events:
        raise Conflict(f"batch {batch} put nothing away, so there is nothing to restore")
    beside = [event for event in told if event.kind in _BESIDE]
    return _paged(events, beside, tx.get(list(events)).values())


def _paged(events: Mapping[str, Event | None], beside: Sequence[Event], memories: Iterable[Memory]) -> list[Page]:
    """As many at once as one transaction should hold, but all the originals of a summary together, with the summary:
    whenever the process dies, none stands beside them."""
    into = {id_: memory.id for memory in memories for id_ in memory.derived_from if id_ in events}
    into |= {id_: event.detail["into"] for id_, event in events.items() if event is not None and _is_summed_up(event)}
    together: dict[str, list[str]] = {}
    for id_ in events:
        together.setdefault(_final(id_, into), []).append(id_)
    pages: list[dict[str, Event | None]] = [{}]
    for group in together.values():
        if pages[-1] and len(pages[-1]) + len(group) > _PAGE:
            pages.append({})
        pages[-1] |= {id_: events[id_] for id_ in group}
    place = {id_: number for number, page in enumerate(pages) for id_ in page}
    place |= {into: place[group[0]] for into, group in together.items()}
    with_: list[list[Event]] = [[] for _ in pages]
    for event in beside:
        # What belongs to nobody who comes back is undone last.
        with_[place.get(str(event.detail.get("given_by", event.memory)), -1)].append(event)
    return [Page(page, more) for page, more in zip(pages, with_, strict=True)]


def _is_summed_up(event: Event) -> bool:
    return event.kind is EventKind.ARCHIVED and "into" in event.detail


def _final(id_: str, into: Mapping[str, str]) -> str:
    """The summary that a memory became part of in the end; itself when there is none."""
    seen = {id_}
    while into.get(id_, id_) not in seen:
        id_ = into[id_]
        seen.add(id_)
    return id_


def _refuse_quarantined(memories: Iterable[Memory]) -> None:
    """What looked like an instruction comes back by a decision about it, never by the way."""
    apart = [memory.id for memory in memories if memory.status is Status.QUARANTINED]
    if apart:
        raise Conflict(f"memory {', '.join(apart)} is quarantined; look at it, then settle(id, keep=True) releases it")


def was_merged(event: Event | None) -> bool:
    return event is not None and event.kind is EventKind.MERGED


def _undone(told: Sequence[Event]) -> dict[str, Event | None]:
    """What a batch did to each memory that it put somewhere."""
    undone: dict[str, Event | None] = {}
    # What a forgetting brought back, because its summary went, goes where it was with it; so does all of an undoing.
    put_away = any(event.kind in _UNDOABLE or event.detail.get("settled") or _put_back(event) for event in told)
    for event in told:
        undoable = event.kind in _UNDOABLE or (event.kind is EventKind.RESTORED and put_away)
        if undoable and event.memory is not None:
            before = undone.get(event.memory)
            # Moved twice: it stands where the last one put it, and was where the first one found it.
            detail = {**event.detail, **_found(before)} if before is not None else event.detail
            undone[event.memory] = replace(event, detail=detail)
    return undone


def _put_back(event: Event) -> bool:
    """Whether undoing something put a memory out of use again."""
    was, to = (event.detail.get(name, Status.ACTIVE) for name in ("was", "to"))
    return event.kind is EventKind.RESTORED and Status(was).live and not Status(to).live


def _found(event: Event) -> dict[str, object]:
    return {name: event.detail[name] for name in ("was", "was_tier") if name in event.detail}


def _last_lowering(ids: Sequence[str], tx: Reading) -> dict[str, Event | None]:
    found: dict[str, Event | None] = {}
    for id_ in dict.fromkeys(ids):
        lowering = [event for event in tx.history(id_) if event.kind in PUTS]
        found[id_] = lowering[-1] if lowering else None
    return found
