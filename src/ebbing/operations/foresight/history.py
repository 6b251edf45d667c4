"""An owner's log, prepared for a replay: each memory as it was created, and the events since.

The log holds changes and the store their result, so the first state of a memory is computed backwards from its present
state and its events. What sweeps did is left out: the replay decides it anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from ...domain.events import BIRTHS, Event, EventKind, Restored, Stepped, TakenOut
from ...domain.memory import Memory, Status, Tier
from ...domain.policy import Policy
from ...domain.retention import pins_itself, time_to_live
from ...lifecycle.filters import everything
from ...lifecycle.history import rewound
from ...ports import Filter, ReadTransaction

_PAGE = 1000
# The fields on which strength depends, which an owner, a use or a sweep may change.
_REWOUND = ("importance", "lifetime", "harm", "trust", "pinned", "expires_at", "tier", "level")


@dataclass(frozen=True, slots=True)
class Past:
    """One owner's past, up to a moment."""

    events: list[Event]  # in the order in which they happened; one at least for each birth
    born: Mapping[str, Memory]  # each memory as it was at first, alarms not set
    edits: Mapping[int, Mapping[str, Any]]  # by an event's number, what it made of a memory
    originals: Mapping[str, tuple[str, ...]]  # of each summary, what it was made of in the end
    together: frozenset[tuple[str, str, EventKind]]  # (batch, memory, kind) of what was put away or brought back
    tiers: Mapping[tuple[str, str], tuple[Tier, Tier]]  # (batch, memory) of what a sweep raised or lowered: from, to
    purged: int  # memories that were purged; the log does not say what they were


def gather(tx: ReadTransaction) -> tuple[list[Memory], list[Event], list[tuple[date, int]]]:
    """All memories that the view sees, live and archived, their events, and the days of use."""
    memories = list(everything(tx.memories, Filter()))
    known = {memory.id for memory in memories}
    events: list[Event] = []
    after = 0
    while page := tx.events.page(after=after, limit=_PAGE):
        # An agent gets the events of memories that it sees; the agent of a purged memory is not known.
        events += page if tx.view.every_agent else [event for event in page if event.memory in known]
        after = page[-1].seq
    return memories, events, tx.owner.active_days()


def read(memories: Sequence[Memory], events: Sequence[Event], now: datetime) -> Past:
    """The past up to `now`, from the present state and the log."""
    known = {memory.id: memory for memory in memories}
    originals = {memory.id: found for memory in memories if (found := _originals(memory, known))}
    # What was imported has its old times and new numbers.
    ordered = sorted(events, key=lambda event: (event.at, event.seq))
    by_memory: defaultdict[str, list[Event]] = defaultdict(list)
    for event in ordered:
        if event.memory is not None and event.kind is not EventKind.LIFTED:
            by_memory[event.memory].append(event)
    born: dict[str, Memory] = {}
    edits: dict[int, Mapping[str, Any]] = {}
    births: list[Event] = []  # of memories whose creation is not in the log
    for id_ in sorted(known.keys() - originals.keys()):
        own = by_memory.get(id_, [])
        if not own or own[0].kind not in BIRTHS:
            at = min([known[id_].created_at, *(event.at for event in own[:1])])
            births.append(Event(0, at, EventKind.REMEMBERED, id_, batch=""))
            own = [births[-1], *own]
        born[id_] = _born(known[id_], own, edits)
    happened = [*births, *ordered]
    happened.sort(key=lambda event: (event.at, event.seq))
    return Past(
        events=[event for event in happened if event.at <= now],
        born=born,
        edits=edits,
        originals=originals,
        together=frozenset(
            (event.batch, event.memory, event.kind)
            for event in ordered
            if event.memory is not None and event.kind in (EventKind.FORGOTTEN, EventKind.RESTORED)
        ),
        tiers=_tiers(ordered),
        purged=len(by_memory.keys() - known.keys()),
    )


def _tiers(events: Iterable[Event]) -> dict[tuple[str, str], tuple[Tier, Tier]]:
    tiers: dict[tuple[str, str], tuple[Tier, Tier]] = {}
    for event in events:
        change = event.change
        if event.memory and isinstance(change, Stepped) and change.was_tier is not None and change.tier is not None:
            tiers[event.batch, event.memory] = change.was_tier, change.tier
    return tiers


def _originals(memory: Memory, known: Mapping[str, Memory], above: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The sources of a summary, and theirs, down to memories that are no summaries; none where none is known."""
    found: dict[str, None] = {}
    for id_ in memory.derived_from:
        if id_ in known and id_ not in above:
            found.update(dict.fromkeys(_originals(known[id_], known, above | {memory.id}) or (id_,)))
    found.pop(memory.id, None)
    return tuple(found)


def _born(memory: Memory, events: Sequence[Event], edits: dict[int, Mapping[str, Any]]) -> Memory:
    """The memory as it was created; later edits of it are added to `edits`."""
    values, made = rewound(memory, events, _REWOUND)
    edits |= made
    first = events[0]
    # Uses without an event came with an import.
    uses = max(memory.recall_count - sum(event.kind is EventKind.REINFORCED for event in events), 0)
    return memory.with_(
        **values,
        status=_first_status(memory, events),
        recall_count=uses,
        last_accessed_at=min(memory.last_accessed_at, first.at) if uses else memory.created_at,
        used_day=memory.used_day if uses and memory.last_accessed_at <= first.at else memory.created_day,
        restored_at=None,
        superseded_by=None,
        due_at=None,
        due_day=None,
    )


def _first_status(memory: Memory, events: Sequence[Event]) -> Status:
    """Its status when it was created: active, unless the owner or a review gave it another."""
    changes = (event.change for event in events)
    moved = (change.was for change in changes if isinstance(change, TakenOut | Restored) and change.was is not None)
    status = events[0].change.status or next(moved, memory.status)
    return Status.ACTIVE if status in (Status.DETACHED, Status.ARCHIVED) else status


def as_given(born: Memory, recorded: Policy, policy: Policy) -> Memory:
    """What the recording policy gave a memory by default is as the simulated policy gives it."""
    if recorded is policy:
        return born
    pins = [pins_itself(born.text, born.harm or None, born.trust, one) for one in (recorded, policy)]
    given = born.with_(
        tier=policy.defaults.tier if born.tier is recorded.defaults.tier else born.tier,
        # Where the rules differ they decide, though the owner may have pinned it too.
        pinned=born.pinned if pins[0] == pins[1] else pins[1],
    )
    # The caller's own pin leaves a memory without a time to live, a rule's pin does not; neither ever expires.
    by_default = born.expires_at == _expiry(born, recorded) or (born.pinned and born.expires_at is None)
    if not by_default or (given.pinned and born.expires_at is None):
        return given
    return given.with_(expires_at=_expiry(given, policy))


def _expiry(memory: Memory, policy: Policy) -> datetime | None:
    span = time_to_live(memory.category, memory.scope, False, memory.trust, policy)
    return None if span is None else memory.created_at + span
