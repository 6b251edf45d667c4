"""Every kind of change of a memory, each defined once, with its inverse.

A transition is a value: the memory before and after, and its event. `UnitOfWork.apply` writes row, event and alarm
together. The verbs decide which memory is superseded or archived; this module does not. An inverse takes the memory in
its present state, with all later changes, and removes the effect of one change only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, assert_never

from ..domain.event_values import Cause
from ..domain.events import (
    Archived,
    Change,
    Contested,
    Demoted,
    Detached,
    Edited,
    Event,
    EventKind,
    Forgotten,
    Held,
    Merged,
    Moved,
    Pinned,
    Promoted,
    Reinforced,
    Restored,
    Settled,
    Stepped,
    Superseded,
    Undoable,
    Unpinned,
)
from ..domain.memory import Memory, Status

_EDITABLE = (
    *("importance", "lifetime", "harm", "trust", "pinned", "tags", "metadata", "subject", "attribute", "expires_at"),
    "valid_until",
)


@dataclass(frozen=True, slots=True)
class Transition:
    """One change of one memory, not written yet."""

    before: Memory | None  # None: it is new
    after: Memory
    change: Change
    reason: str | None = None
    sets_due: bool = False  # whether its next alarm is set anew, because it may have to come sooner


def create(memory: Memory, change: Change, reason: str | None = None) -> Transition:
    """A new memory: one that was written, a summary, or one that was imported. The inverse is `forget`."""
    return Transition(None, memory, change, reason, sets_due=True)


# Another memory takes its place


def superseded(memory: Memory, by: str, at: datetime) -> Memory:
    """The memory once a newer one has taken its place."""
    return memory.with_(status=Status.SUPERSEDED, superseded_by=by, contested=False, valid_until=at)


def supersede(loser: Memory, winner: Memory, at: datetime, reason: str, **numbers: Any) -> Transition:
    """A newer memory takes the place of this one. `numbers`: what else its event says (`Superseded`)."""
    change = Superseded(
        was=loser.status,
        was_valid_until=loser.valid_until,
        by=winner.id,
        trust=(winner.trust, loser.trust),
        recalls=(winner.recall_count, loser.recall_count),
        days_between=round((winner.created_at - loser.created_at) / timedelta(days=1), 3),
        **numbers,
    )
    return Transition(loser, superseded(loser, winner.id, at), change, reason)


def merged(memory: Memory, into: str, at: datetime | None) -> Memory:
    """The memory after it was merged into another; it waits in the review, where the merge can be undone."""
    return memory.with_(status=Status.SUPERSEDED, superseded_by=into, contested=True, valid_until=at)


def _without_successor(memory: Memory, change: Superseded | Merged) -> Memory:
    """The inverse of superseding and of merging. A memory that was superseded contradicts the other one then."""
    if isinstance(change, Merged):
        memory = _back_in_tier(memory, change)
    if change.was is Status.FORGOTTEN:
        return memory.with_(status=Status.FORGOTTEN)
    return memory.with_(
        status=change.was or Status.ACTIVE,
        superseded_by=None,
        valid_until=change.was_valid_until,
        contested=isinstance(change, Superseded),
    )


# Out of use, and back


def archive(memory: Memory, reason: str, **numbers: Any) -> Transition:
    """To the archive. `numbers`: what else its event says (`Archived`)."""
    return Transition(memory, memory.with_(status=Status.ARCHIVED), Archived(was=memory.status, **numbers), reason)


def forget(memory: Memory, reason: str | None, **more: Any) -> Transition:
    """Out of use on request. `more`: what else its event says (`Forgotten`)."""
    return Transition(memory, memory.with_(status=Status.FORGOTTEN), Forgotten(was=memory.status, **more), reason)


def step(before: Memory, after: Memory, change: Stepped, reason: str) -> Transition:
    """What a sweep made of a memory (detached, archived, merged, promoted or demoted it), with the alarm it set."""
    return Transition(before, after, change, reason)


def restore(before: Memory, after: Memory, reason: str | None, **more: Any) -> Transition:
    """From one status to another, back into use or back out of it. `more`: what else its event says (`Restored`)."""
    return Transition(before, after, Restored(was=before.status, to=after.status, **more), reason, sets_due=True)


def _back_from_ladder(memory: Memory, change: Detached | Archived, at: datetime) -> Memory:
    """The inverse of detaching and archiving: with a grace period, or the next sweep would take it out again."""
    memory = _back_in_tier(memory, change)
    return memory.with_(status=change.was or Status.ACTIVE, restored_at=at)


def _back_in_tier(memory: Memory, change: Stepped) -> Memory:
    """The inverse of promoting and demoting, unless it has come to another tier since."""
    if change.was_tier is None or change.tier is not memory.tier:
        return memory
    return memory.with_(tier=change.was_tier)


def _not_restored(memory: Memory, change: Restored) -> Memory:
    """The inverse of restoring."""
    if change.undoes is not None:
        return memory
    was = change.was or Status.ACTIVE
    if memory.status is Status.SUPERSEDED and was is not Status.FORGOTTEN:
        memory = memory.with_(superseded_by=None, valid_until=None, contested=True)
    by = change.into or next(iter(change.against or ()), None)
    if was is Status.SUPERSEDED and memory.superseded_by is None and by is not None:
        is_merged = change.into is not None
        memory = memory.with_(superseded_by=by, valid_until=change.was_valid_until, contested=is_merged)
    return memory.with_(status=was)


def undo(memory: Memory, change: Undoable, at: datetime) -> Memory:
    """The memory without this change; unchanged if its status is no longer the one that the change gave it."""
    if memory.status is not (change.status or memory.status):
        return memory
    match change:
        case Superseded() | Merged():
            return _without_successor(memory, change)
        case Detached() | Archived():
            return _back_from_ladder(memory, change, at)
        case Promoted() | Demoted():
            return _back_in_tier(memory, change)
        case Forgotten():
            return memory.with_(status=change.was or Status.ACTIVE)
        case Restored():
            return _not_restored(memory, change)
        case Held():
            return memory.with_(held_at=None, restored_at=at)
        case Settled():
            return _unsettled(memory, change)
        case _:
            assert_never(change)


def undo_below(memory: Memory, change: Moved, batch: str) -> Transition:
    """Undo a change that later ones still cover: the memory stays where these put it, and goes back, once they are
    undone too, to where it was before all of them. `batch`: that of the change."""
    after = memory
    if isinstance(change, Superseded | Merged) and memory.superseded_by == change.other:
        is_rival = isinstance(change, Superseded)
        after = memory.with_(superseded_by=None, valid_until=change.was_valid_until, contested=is_rival)
    against = (change.by,) if isinstance(change, Superseded) and change.by is not None else None
    details = Restored(
        was=memory.status, to=memory.status, cause=Cause.UNDONE, batch=batch, undoes=batch, against=against
    )
    return Transition(memory, after, details)


def bring_into_use(memory: Memory, last: Change | None, at: datetime) -> Memory:
    """The memory active again, or with its status before it was forgotten. `last`: what took it out of use."""
    if memory.status is Status.ACTIVE:
        return memory
    was = (last.was if isinstance(last, Moved) else None) or Status.ACTIVE
    if memory.status is Status.FORGOTTEN:
        return memory.with_(status=was)
    if memory.status is Status.SUPERSEDED and was is not Status.FORGOTTEN:
        until = last.was_valid_until if isinstance(last, Superseded | Merged) else None
        memory = memory.with_(superseded_by=None, valid_until=until, contested=not isinstance(last, Merged))
    return memory.with_(status=Status.ACTIVE, restored_at=at, held_at=None)


# Conflicts


def flag_conflict(memory: Memory, by: Memory, reason: str, **numbers: Any) -> Transition:
    """Another memory contradicts this one, and both stay. `numbers`: what else its event says (`Contested`)."""
    after = memory if memory.contested else memory.with_(contested=True)
    return Transition(memory, after, Contested(by=by.id, **numbers), reason)


def clear_conflict(memory: Memory, reason: str) -> Transition:
    """Nothing contradicts it any more; from now on it may be summarized. The inverse of `flag_conflict`."""
    return edit(memory, memory.with_(contested=False), reason)


def reopen_conflict(memory: Memory, reason: str) -> Transition:
    """What contradicted it is back. The inverse of `clear_conflict`."""
    after = memory.with_(contested=True)
    return Transition(memory, after, Edited(was={"contested": memory.contested}), reason)


def settle(memory: Memory, others: Iterable[Memory], reason: str, wins_over: Iterable[str] = ()) -> Transition:
    """A person decided about it, as far as those others go."""
    after = memory.with_(contested=False, supersedes=tuple(dict.fromkeys((*memory.supersedes, *wins_over))))
    change = Settled(others=tuple(other.id for other in others))
    return Transition(memory, after, change, reason, sets_due=memory.status.live)


def keep(held: Memory, kept: Memory, reason: str) -> Transition:
    """A person decided that it stays, which would have left recall: `held`, as it waited, and `kept`, as it is once the
    use is counted that this is taken for."""
    change = Settled(was_contested=held.contested, held_at=held.held_at)
    return Transition(held, kept, change, reason, sets_due=True)


def _unsettled(memory: Memory, change: Settled) -> Memory:
    """The inverse of `settle` and of `keep`: it waits again, if there is still something to decide."""
    if change.held_at is not None:
        return memory.with_(held_at=change.held_at)
    return memory.with_(contested=memory.status.live or memory.status is Status.SUPERSEDED)


# In its place


def edit(before: Memory, after: Memory, reason: str, **more: Any) -> Transition:
    """Some fields have other values. `more`: what else its event says (`Edited`)."""
    return Transition(before, after, Edited(was=_differing(before, after), **more), reason, sets_due=True)


def unlink(winner: Memory, back: Sequence[Memory], reason: str, *, contested: bool) -> Transition:
    """What it had superseded is not superseded any more; where both are in use again they contradict each other."""
    ids = tuple(memory.id for memory in back)
    after = winner.with_(
        supersedes=tuple(id_ for id_ in winner.supersedes if id_ not in ids),
        contested=winner.contested or (contested and winner.status.live),
    )
    return Transition(winner, after, Edited(supersedes=winner.supersedes, against=ids), reason)


def pin(memory: Memory) -> Transition:
    """It is protected from fading. The inverse is `unpin`."""
    return Transition(memory, memory.with_(pinned=True, held_at=None), Pinned(), sets_due=True)


def unpin(memory: Memory) -> Transition:
    """It fades again. The inverse is `pin`."""
    return Transition(memory, memory.with_(pinned=False), Unpinned(), sets_due=True)


def reinforce(before: Memory, after: Memory, cause: Cause) -> list[Transition]:
    """A use was counted; it may have brought the memory back into use and up a tier. Uses have no inverse."""
    raised = after.level != before.level
    change = Reinforced(cause=cause, was_level=before.level, level=after.level) if raised else Reinforced(cause=cause)
    found = [Transition(before, after, change, cause, sets_due=True)]
    if before.status is not after.status:
        found.append(restore(before, after, cause, cause=cause))
    if before.tier is not after.tier:
        change_of_tier = Promoted(was_tier=before.tier, tier=after.tier)
        found.append(Transition(before, after, change_of_tier, f"of use {after.recall_count} times"))
    return found


def undo_edit(memory: Memory, edit_: Event, later: Sequence[Event]) -> Memory:
    """The memory without the effect of an edit; later changes stay. `later`: its events since that edit.

    `contested` and `supersedes` depend on other memories: undoing the changes of those restores them.
    """
    was = {name: value for name, value in edit_.change.found.items() if name in _EDITABLE}
    if any(event.kind in (EventKind.PINNED, EventKind.UNPINNED) for event in later):
        was.pop("pinned", None)  # somebody has decided about it since
    back = {name: _without(getattr(memory, name), _left(memory, name, later), value) for name, value in was.items()}
    return memory.with_(**back)


def _left(memory: Memory, name: str, later: Iterable[Event]) -> Any:
    """How an edit left a field: as the first later edit of it found it, or as it stands now."""
    found = (event.change.found for event in later if event.kind is EventKind.EDITED)
    return next((was[name] for was in found if name in was), getattr(memory, name))


def _without(now: Any, left: Any, was: Any) -> Any:
    """A value without what an edit gave it, which found it one way and left it another; what others gave it stays."""
    if now == left:
        return was
    if isinstance(now, tuple) and isinstance(left, tuple):
        return tuple(one for one in now if one in was or one not in left)
    if isinstance(now, Mapping) and isinstance(left, Mapping):
        kept = {key: value for key, value in now.items() if key not in left or value != left[key] or key in was}
        return kept | {key: was[key] for key in kept if key in was and key in left and kept[key] == left[key]}
    return now


def _differing(before: Memory, after: Memory) -> dict[str, Any]:
    """The fields in which two versions of a memory differ, as the first has them."""
    return {name: value for name in _FIELDS if (value := getattr(before, name)) != getattr(after, name)}


_FIELDS = (*_EDITABLE, "scope", "category", "supersedes", "contested")
