"""Duplicates and conflicts of an imported memory with those here: the same text, or another value at its address.

Two memories of the same file are left as they are, so that an export is restored unchanged. Everything here happens in
the transaction that writes the memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...domain.events import Change, Contested, Superseded
from ...domain.memory import Memory, Visibility
from ...lifecycle.transitions import flag_conflict, supersede
from ...lifecycle.unit_of_work import UnitOfWork
from ...ports import EventLog, Index
from .line_format import same
from .validate_file import Contents


@dataclass(slots=True)
class Meeting:
    """Whom the memories of one file meet."""

    contents: Contents
    overwrites: bool  # a memory here with an id of the file gets the values of the file
    blocked: set[str] = field(default_factory=set)  # never come in
    twins: set[str] = field(default_factory=set)  # of the file, but another that stands here says the same …
    stand_ins: set[str] = field(default_factory=set)  # … and these are those others

    def of_file(self, id_: str) -> bool:
        """Whether what stands here is in use in the file too, or will be what the file says."""
        overwritten = self.overwrites and id_ in self.contents.ids and id_ not in self.blocked
        return overwritten or id_ in self.contents.live

    def find_twins(self, memories: Sequence[Memory], index: Index) -> None:
        """Note which of these, all in use in the file and new here, say exactly what is in use here already."""
        by_digest: dict[str, list[Memory]] = {}
        if memories:
            for known in index.by_digest(sorted({memory.digest for memory in memories})):
                by_digest.setdefault(known.digest, []).append(known)
        for memory in memories:
            for known in by_digest.get(memory.digest, ()):
                if not self.of_file(known.id) and _alike(memory, known):
                    self.twins.add(memory.id)
                    self.stand_ins.add(known.id)

    def settle(self, memory: Memory, unit: UnitOfWork) -> tuple[Memory, list[tuple[Change, str | None]]]:
        """The memory as it comes in beside what stands at its address, which gives way or is contested; and what its
        own events say of that.

        The older gives way to the newer, and never in silence: not when it is pinned or trusted more.
        """
        at, exported_at = unit.moment.at, self.contents.exported_at
        rivals = self._rivals(memory, unit.tx.index)
        newer = [rival for rival in rivals if rival.created_at > memory.created_at]
        winners = [rival for rival in newer if not _holds(memory, rival)]
        if winners:
            winner = max(winners, key=lambda rival: rival.created_at)
            gives_way = supersede(memory, winner, at, _newer_value(memory), exported_at=exported_at)
            return gives_way.after, [(gives_way.change, gives_way.reason)]
        changes: list[tuple[Change, str | None]] = []
        for rival in rivals:
            older, younger = (memory, rival) if rival in newer else (rival, memory)
            if _holds(older, younger):
                kept = (
                    f"contradicted, and kept because {'it is pinned' if older.pinned else 'its source is trusted more'}"
                )
                why = {older.id: kept, younger.id: "contradicts what was kept"}
                numbers = {"trust": (younger.trust, older.trust), "exported_at": exported_at}
                unit.apply([flag_conflict(rival, memory, why[rival.id], **numbers)])
                flagged = flag_conflict(memory, rival, why[memory.id], **numbers)
                memory = flagged.after
                changes.append((flagged.change, flagged.reason))
            else:
                unit.apply([supersede(rival, memory, at, _newer_value(rival), exported_at=exported_at)])
        return memory, changes

    def stands(self, memory: Memory, there: Memory, log: EventLog) -> bool:
        """Whether it is here as in the file, or as an earlier import of this file left it."""
        if there.trust > memory.trust:
            memory = memory.with_(trust=there.trust)  # the same, and believed more here than a file may ask for
        if same(memory, there):
            return True
        unmet = {name: getattr(memory, name) for name in ("status", "superseded_by", "valid_until", "contested")}
        return same(memory, there.with_(**unmet)) and any(
            isinstance(change := event.change, Superseded | Contested)
            and change.exported_at == self.contents.exported_at
            for event in log.of_memory(memory.id)
        )

    def _rivals(self, memory: Memory, index: Index) -> list[Memory]:
        if not memory.status.live or memory.subject is None or memory.attribute is None:
            return []
        return [
            rival
            for rival in index.by_subject(memory.subject, memory.attribute)
            if rival.status.live
            and rival.id != memory.id
            and _seen_alike(memory, rival)
            and rival.id not in self.stand_ins  # it came with another memory of the file
            and not self.of_file(rival.id)
        ]


def _holds(older: Memory, younger: Memory) -> bool:
    """Whether it is not to be overwritten by something merely newer."""
    return older.pinned or older.trust > younger.trust


def _newer_value(memory: Memory) -> str:
    return f"a newer value for {memory.subject} / {memory.attribute}"


def _alike(one: Memory, other: Memory) -> bool:
    """What `remember` takes for a restatement. At another address the same words mean something else."""
    address = (one.subject, one.attribute), (other.subject, other.attribute)
    return (
        one.digest == other.digest
        and (one.category, one.tier) == (other.category, other.tier)
        and _seen_alike(one, other)
        and (None in (one.subject, other.subject) or address[0] == address[1])
    )


def _seen_alike(one: Memory, other: Memory) -> bool:
    """In the same scope and for the same agents. An import sees every agent's: two secrets are not each other's."""
    agents = one.visibility is Visibility.SHARED or one.agent == other.agent
    return one.scope == other.scope and one.visibility is other.visibility and agents
