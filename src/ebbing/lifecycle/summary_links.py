"""What rests on what: the summaries of memories that go, and the originals that are left without their summary.

A summary says what its originals said. When one of them is put away or erased the summary must go
too, or it would go on saying it; the other originals then come back to where they stood, and the next
sweep makes of them what they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..domain.events import Archived, EventKind, Restored
from ..domain.memory import Memory, Status
from ..ports import NewEvent, Reading, Writing
from .history import last_archived


def resting_on(memories: Sequence[Memory], tx: Reading) -> list[Memory]:
    """The summaries that rest on these, and those that rest on them in turn."""
    gathered = {memory.id for memory in memories}
    found: list[Memory] = []
    frontier = list(gathered)
    while frontier:
        derived = [memory for memory in tx.derived(frontier) if memory.id not in gathered]
        gathered |= {memory.id for memory in derived}
        found += derived
        frontier = [memory.id for memory in derived]
    return found


def archived_for(id_: str, tx: Reading) -> Archived | Restored | None:
    """What put a memory into the archive, when something last did; its `into` names the summary that says it."""
    return last_archived(tx.history(id_))


def left_alone(summaries: Sequence[Memory], going: Collection[str], tx: Reading) -> dict[str, Memory]:
    """The originals of summaries that go, as they come back: each where it stood before it was summarized, but no
    higher than what said it in the end has stood since."""
    back: dict[str, Memory] = {}
    says = {summary.id: summary for summary in summaries}
    for summary in summaries:
        stands = _last(summary, says, tx).status
        originals = tx.get([id_ for id_ in summary.derived_from if id_ not in going])
        for memory in originals.values():
            last = archived_for(memory.id, tx)
            if memory.status is Status.ARCHIVED and last is not None and last.into == summary.id:
                was = last.was or Status.ACTIVE
                stood = stands if was is Status.ACTIVE else was
                if stood.live:
                    back[memory.id] = memory.with_(status=stood)
    return back


def _last(summary: Memory, says: Mapping[str, Memory], tx: Reading) -> Memory:
    """Of the summaries that go, the one that says what this one said: it was edited, or summarized in its turn."""
    seen = {summary.id}
    while True:
        last = archived_for(summary.id, tx) if summary.status is Status.ARCHIVED else None
        into = summary.superseded_by if last is None else last.into
        if into not in says or into in seen:
            return summary
        summary = says[str(into)]
        seen.add(summary.id)


def bring_back(back: dict[str, Memory], why: str, tx: Writing) -> list[NewEvent]:
    """Put originals back where they stood, and say so, and what they were archived for."""
    tx.change(list(back.values()))
    into = {id_: last.into for id_ in back if (last := archived_for(id_, tx)) is not None}
    return [
        NewEvent(EventKind.RESTORED, id_, why, Restored(was=Status.ARCHIVED, to=memory.status, into=into[id_]).encode())
        for id_, memory in back.items()
    ]
