"""Bring memories back: exactly where they were before a batch, or, one by one, back into use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..answers import Batch
from ..clock import Moment
from ..contests import Contest, between, calm, stir, values_at
from ..edits import given_by, take_back
from ..errors import Conflict, NotFound
from ..fading import armed
from ..ids import new_id
from ..model import Event, EventKind, Memory, Status, Tier, instant
from ..policy import Policy
from ..ports import Change, Reading, Writing
from ..resting import resting_on
from ..work import Work

_PAGE = 500
# Where each kind of event puts a memory.
_PUTS = {
    EventKind.FORGOTTEN: Status.FORGOTTEN,
    EventKind.DETACHED: Status.DETACHED,
    EventKind.ARCHIVED: Status.ARCHIVED,
    EventKind.SUPERSEDED: Status.SUPERSEDED,
    EventKind.MERGED: Status.SUPERSEDED,
}
_UNDOABLE = (*_PUTS, EventKind.PROMOTED, EventKind.DEMOTED, EventKind.SETTLED)
_FADED = (EventKind.DETACHED, EventKind.ARCHIVED)


def restore(work: Work, *, ids: Sequence[str] | None, batch: str | None) -> Batch:
    """Undo a batch, or bring back the memories named.

    Of a batch, each memory that the view sees and that still stands where the batch put it goes back to where it
    was, and the summaries that the batch made are put away; what was purged since, or belongs to another agent, is
    left alone. A memory named by id comes back from `forgotten` to where it was, and from a rung of the ladder into
    use. What had faded gets a grace period of its own, so that the next sweep does not put it straight back.
    """
    undoing = new_id(work.now)
    why = f"undo of {batch}" if batch is not None else "asked to restore"
    with work.read() as looking:
        events = _undone_by(batch, looking) if batch is not None else _last_lowering(ids or (), looking)
        if batch is None:
            missing = sorted(set(events) - set(looking.get(list(events))))
            if missing:
                raise NotFound(f"there is no memory {', '.join(missing)} to restore")
            _refuse_quarantined(looking.get(list(events)).values())
    restored: list[Memory] = []
    named = list(events)
    for start in range(0, max(len(named), 1), _PAGE):
        page = {id_: events[id_] for id_ in named[start : start + _PAGE]}
        with work.write() as tx:
            moment = tx.use(work.now)
            tx.under(work.policy.fingerprint)
            came = _bring_back(page, tx, moment, work.policy, exactly=batch is not None, undoing=undoing, why=why)
            restored += came
            merged = [memory.id for memory in came if _was_merged(page[memory.id])] if batch is None else []
            edits = [edit for id_ in merged for edit in given_by(id_, tx)]
            contested: list[str] = []
            if batch is not None and start + _PAGE >= len(named):
                _unmake(batch, tx, moment, undoing, why)
                edits = tx.batch(batch)
                contested = sorted({str(event.memory) for event in edits if event.kind is EventKind.CONTESTED})
            changes = take_back(edits, tx, moment, work.policy, why)
            changes += calm(contested, "what contradicted it is gone again", tx, moment, work.policy)
            changes += stir([memory.id for memory in came], tx, moment, work.policy)
            tx.record(changes, at=moment.at, batch=undoing)
    return Batch(undoing, restored, why, False)


def _bring_back(
    events: Mapping[str, Event | None],
    tx: Writing,
    moment: Moment,
    policy: Policy,
    *,
    exactly: bool,
    undoing: str,
    why: str,
) -> list[Memory]:
    memories = tx.get(list(events))
    back = [_back(memory, events[id_], exactly=exactly, moment=moment) for id_, memory in memories.items()]
    moved = [armed(memory, moment, policy) for memory in back if memory != memories[memory.id]]
    stayed = [memory for memory in moved if memory.status is memories[memory.id].status]
    came, changes = _contested([memory for memory in moved if memory not in stayed], tx)
    restored = [*stayed, *came]
    tx.change(restored)
    changes += [Change(EventKind.RESTORED, m.id, why, _moved(memories[m.id], m, events[m.id])) for m in restored]
    merged = {id_ for id_, event in events.items() if _was_merged(event)}
    changes += _unlinked([memories[memory.id] for memory in came if memory.id not in merged], tx)
    tx.record(changes, at=moment.at, batch=undoing)
    return restored


def _refuse_quarantined(memories: Iterable[Memory]) -> None:
    """What looked like an instruction comes back by a decision about it, never by the way."""
    apart = [memory.id for memory in memories if memory.status is Status.QUARANTINED]
    if apart:
        raise Conflict(f"memory {', '.join(apart)} is quarantined; look at it, then settle(id, keep=True) releases it")


def _moved(was: Memory, now: Memory, event: Event | None) -> dict[str, Any]:
    """From where to where, and against whom it stands again; what was merged never stood against the other."""
    detail: dict[str, Any] = {"was": was.status, "to": now.status}
    if event is not None and event.kind is EventKind.SETTLED:
        detail["against"] = list(event.detail.get("with", ()))
    elif was.superseded_by is not None and now.superseded_by is None and not _was_merged(event):
        detail["against"] = [was.superseded_by]
    return detail


def _was_merged(event: Event | None) -> bool:
    return event is not None and event.kind is EventKind.MERGED


def _contested(restored: Sequence[Memory], tx: Writing) -> tuple[list[Memory], list[Change]]:
    """What comes back to an address where another value stands by now: both stay, and a person should settle it."""
    flagged: list[Memory] = []
    changes: list[Change] = []
    for memory in restored:
        there = values_at(memory, tx) if memory.status.live else []
        others = [rival for rival in there if between(memory.id, rival.id, tx) is not Contest.SETTLED]
        tx.change([rival.with_(contested=True) for rival in others if not rival.contested])
        changes += [
            Change(EventKind.CONTESTED, rival.id, "another value came back to its address", {"by": memory.id})
            for rival in others
        ]
        flagged.append(memory.with_(contested=memory.contested or bool(others)))
    return flagged, changes


def _unlinked(restored: Sequence[Memory], tx: Writing) -> list[Change]:
    """A winner no longer claims to supersede what is back; where both now stand, both are contested."""
    back = {memory.id for memory in restored if memory.status is Status.SUPERSEDED}
    winners = tx.get(
        sorted({memory.superseded_by for memory in restored if memory.id in back and memory.superseded_by})
    )
    freed = [
        winner.with_(
            supersedes=tuple(id_ for id_ in winner.supersedes if id_ not in back),
            contested=winner.contested or winner.status.live,
        )
        for winner in winners.values()
    ]
    if freed:
        tx.change(freed)
    was = {
        winner.id: {
            "supersedes": list(winner.supersedes),
            "against": [memory.id for memory in restored if memory.id in back and memory.superseded_by == winner.id],
        }
        for winner in winners.values()
    }
    return [Change(EventKind.EDITED, w.id, "what it superseded was restored", was[w.id]) for w in freed]


def _unmake(batch: str, tx: Writing, moment: Moment, undoing: str, why: str) -> None:
    """Put away the summaries of a batch whose originals are back: nobody asked for both."""
    made = [
        event.memory for event in tx.batch(batch) if event.kind is EventKind.SUMMARIZED and event.memory is not None
    ]
    standing = [memory for memory in tx.get(made).values() if memory.status is not Status.FORGOTTEN] if made else []
    # And those that were made of them since.
    standing += [memory for memory in resting_on(standing, tx) if memory.status is not Status.FORGOTTEN]
    tx.change([memory.with_(status=Status.FORGOTTEN) for memory in standing])
    changes = [Change(EventKind.FORGOTTEN, memory.id, why, {"was": memory.status}) for memory in standing]
    tx.record(changes, at=moment.at, batch=undoing)


def _undone_by(batch: str, tx: Reading) -> dict[str, Event | None]:
    events = tx.batch(batch)
    if not events:
        raise NotFound(f"there is no batch {batch}")
    undone: dict[str, Event | None] = {}
    # What a forgetting brought back, because its summary went, goes where it was with it; so does all of an undoing.
    put_away = any(event.kind in _UNDOABLE or event.detail.get("settled") for event in events)
    for event in events:
        undoable = event.kind in _UNDOABLE or (event.kind is EventKind.RESTORED and put_away)
        if undoable and event.memory is not None:
            before = undone.get(event.memory)
            # Moved twice: it stands where the last one put it, and was where the first one found it.
            detail = {**event.detail, **_found(before)} if before is not None else event.detail
            undone[event.memory] = replace(event, detail=detail)
    if not undone:
        raise Conflict(f"batch {batch} put nothing away, so there is nothing to restore")
    return undone


def _found(event: Event) -> dict[str, object]:
    return {name: event.detail[name] for name in ("was", "was_tier") if name in event.detail}


def _last_lowering(ids: Sequence[str], tx: Reading) -> dict[str, Event | None]:
    found: dict[str, Event | None] = {}
    for id_ in dict.fromkeys(ids):
        lowering = [event for event in tx.history(id_) if event.kind in _PUTS]
        found[id_] = lowering[-1] if lowering else None
    return found


def _back(memory: Memory, event: Event | None, *, exactly: bool, moment: Moment) -> Memory:
    """The memory as it comes back; itself when it is no longer where the event put it."""
    kind = event.kind if event is not None else None
    if not exactly and memory.status is Status.ACTIVE:
        return memory
    detail = event.detail if event is not None else {}
    put = Status(detail["to"]) if kind is EventKind.RESTORED else _PUTS.get(kind, memory.status)  # type: ignore[arg-type]
    if exactly and kind is not None and memory.status is not put:
        return memory
    if exactly and detail.get("tier") == memory.tier and "was_tier" in detail:
        memory = memory.with_(tier=Tier(detail["was_tier"]))
    if kind is EventKind.SETTLED:
        # It waits again, if there is still something to decide.
        return memory.with_(contested=memory.status.live or memory.status is Status.SUPERSEDED)
    if kind in (EventKind.PROMOTED, EventKind.DEMOTED):
        # Wherever it has come to since, that batch did not put it there.
        return memory
    was = Status(detail["was"]) if "was" in detail else Status.ACTIVE
    if memory.status is Status.SUPERSEDED:
        until = detail.get("was_valid_until")
        contested = kind is not EventKind.MERGED
        valid_until = None if until is None else instant(until)
        memory = memory.with_(superseded_by=None, valid_until=valid_until, contested=contested)
    if exactly and was is Status.SUPERSEDED and "into" in detail:
        memory = memory.with_(superseded_by=detail["into"], contested=True)
    if exactly or memory.status is Status.FORGOTTEN:
        faded = exactly and kind in _FADED
        return memory.with_(status=was, restored_at=moment.at if faded else memory.restored_at)
    return memory.with_(status=Status.ACTIVE, restored_at=moment.at)
