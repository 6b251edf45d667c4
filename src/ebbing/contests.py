"""Who stands against whom, and whether a person has decided about it: read from the events, which name both sides.

Of a pair the last word counts. One that contradicts another is named when it comes; `settle` names those that both
hold; what is undone names them again.
"""

from __future__ import annotations

from enum import Enum, auto

from .model import Event, EventKind, Memory
from .ports import Reading

_COMINGS = (EventKind.REMEMBERED, EventKind.RESTORED)  # what may have met somebody


class Contest(Enum):
    """How two stand to each other."""

    OPEN = auto()  # they contradict each other
    SETTLED = auto()  # they did, and a person decided that both hold


def rivals(memory: Memory, tx: Reading) -> list[Memory]:
    """Whom a memory stands against, of those that are still in use."""
    ids = dict.fromkeys(id_ for event in tx.history(memory.id) for id_ in (*_told(event), *_met(event, tx)))
    others = [other for other in tx.get([id_ for id_ in ids if id_ != memory.id]).values() if other.status.live]
    return [other for other in others if between(memory.id, other.id, tx) is Contest.OPEN]


def between(one: str, other: str, tx: Reading) -> Contest | None:
    """How two stand to each other; None when they never met."""
    told = [
        (event.seq, event.kind)
        for id_, rival in ((one, other), (other, one))
        for event in tx.history(id_)
        if rival in _told(event)
    ]
    if not told:
        return None
    return Contest.SETTLED if max(told)[1] is EventKind.SETTLED else Contest.OPEN


def _told(event: Event) -> list[str]:
    """Whom an event of a memory's names as the other side."""
    if event.kind is EventKind.CONTESTED:
        return [str(event.detail["by"])]
    return [str(id_) for id_ in event.detail.get("with" if event.kind is EventKind.SETTLED else "against", ())]


def _met(event: Event, tx: Reading) -> list[str]:
    """Whom a memory's coming contested: their events name it, its own does not name them."""
    together = tx.batch(event.batch) if event.kind in _COMINGS else []
    contested = [other for other in together if other.kind is EventKind.CONTESTED and other.memory is not None]
    return [str(other.memory) for other in contested if other.detail.get("by") == event.memory]
