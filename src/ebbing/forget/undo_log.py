"""What there is to undo, read from the events, in pages of one transaction each; after each page the state is valid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..domain.errors import Conflict, NotFound
from ..domain.events import Archived, Event, EventKind, Merged, Moved, Restored, Undoable
from ..domain.memory import Memory, Status
from ..lifecycle.history import found_as, last_taken_out
from ..lifecycle.merged_fields import given_by, giver
from ..ports import EventLog, ReadTransaction

_PAGE = 500
_BESIDE = (EventKind.SUMMARIZED, EventKind.EDITED, EventKind.CONTESTED)


@dataclass(frozen=True, slots=True)
class Page:
    """What is undone in one transaction: the changes of some memories, and the other events of their batch."""

    changes: Mapping[str, Undoable | None]  # by memory, what put it where it is
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
        """The memories that were flagged as contested in it."""
        return sorted({str(event.memory) for event in self.beside if event.kind is EventKind.CONTESTED})


def of_ids(ids: Sequence[str], tx: ReadTransaction) -> list[Page]:
    changes = _last_lowering(ids, tx.events)
    memories = tx.memories.get(list(changes))
    missing = sorted(set(changes) - set(memories))
    if missing:
        raise NotFound(f"there is no memory {', '.join(missing)} to restore")
    _refuse_quarantined(memories.values())
    merged = [id_ for id_, change in changes.items() if isinstance(change, Merged)]
    return _paged(changes, [edit for id_ in merged for edit in given_by(id_, tx.events)], memories.values())


def of_batch(batch: str, tx: ReadTransaction) -> list[Page]:
    events = tx.events.of_batch(batch)
    if not events:
        raise NotFound(f"there is no batch {batch}")
    changes = _undone(events)
    if not changes:
        raise Conflict(f"batch {batch} put nothing away, so there is nothing to restore")
    others = [event for event in events if event.kind in _BESIDE]
    return _paged(changes, others, tx.memories.get(list(changes)).values())


def _paged(changes: Mapping[str, Undoable | None], others: Sequence[Event], memories: Iterable[Memory]) -> list[Page]:
    """Pages as large as one transaction should be, with all sources of a summary on the page of the summary: if the
    process dies in between, a summary is never active beside its sources."""
    into = {id_: memory.id for memory in memories for id_ in memory.derived_from if id_ in changes}
    for id_, change in changes.items():
        if isinstance(change, Archived) and change.into is not None:
            into[id_] = change.into
    together: dict[str, list[str]] = {}
    for id_ in changes:
        together.setdefault(_final(id_, into), []).append(id_)
    pages: list[dict[str, Undoable | None]] = [{}]
    for group in together.values():
        if pages[-1] and len(pages[-1]) + len(group) > _PAGE:
            pages.append({})
        pages[-1] |= {id_: changes[id_] for id_ in group}
    place = {id_: number for number, page in enumerate(pages) for id_ in page}
    place |= {into: place[group[0]] for into, group in together.items()}
    with_: list[list[Event]] = [[] for _ in pages]
    for event in others:
        # Events of memories outside the batch go to the last page.
        with_[place.get(str(giver(event) or event.memory), -1)].append(event)
    return [Page(page, more) for page, more in zip(pages, with_, strict=True)]


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


def _undone(events: Iterable[Event]) -> dict[str, Undoable]:
    """What a batch did to each memory, as far as that can be undone."""
    undone: dict[str, Undoable] = {}
    changes = [(event.memory, event.change) for event in events if event.memory is not None]
    undoable = [(id_, change) for id_, change in changes if isinstance(change, Undoable)]
    # A restore is undone only together with what caused it, such as the removal of a summary or another undo.
    undoes_restores = any(not isinstance(change, Restored) or _is_undone_too(change) for _, change in undoable)
    for id_, change in undoable:
        if undoes_restores or not isinstance(change, Restored):
            before = undone.get(id_)
            # Moved twice: it has the status that the last change gave it, and had the one that the first change found.
            undone[id_] = found_as(change, before) if before and isinstance(change, Moved) else change
    return undone


def _is_undone_too(change: Restored) -> bool:
    """Whether it was decided in a review, or an undo took a memory out of use again."""
    return change.settled or ((change.was or Status.ACTIVE).live and not change.status.live)


def _last_lowering(ids: Sequence[str], log: EventLog) -> dict[str, Undoable | None]:
    return {id_: last_taken_out(log.of_memory(id_)) for id_ in dict.fromkeys(ids)}
