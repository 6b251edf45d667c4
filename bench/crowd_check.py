"""What a crowd was promised and whether the store kept it: rows, counters and events, read when everybody has gone."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ebbing.domain.events import Event, EventKind
from ebbing.domain.memory import Memory, Status
from ebbing.engine import Engine
from ebbing.ports import View

from .crowd_life import Sought, question

_PAGE = 1000


@dataclass(frozen=True, slots=True)
class Promise:
    """Something that must hold, and where it did not."""

    name: str
    of: int  # how many were looked at
    broken: list[str]


@dataclass(frozen=True, slots=True)
class Told:
    """What all the processes were told was done."""

    shared: list[str]
    remembered: dict[str, str] = field(default_factory=dict)  # id: text
    forgotten: set[str] = field(default_factory=set)
    uses: collections.Counter[str] = field(default_factory=collections.Counter)

    def add(self, life: dict[str, Any]) -> None:
        """What one of them was told."""
        self.remembered.update(life["remembered"])
        self.forgotten.update(life["forgotten"])
        self.uses.update(life["uses"])

    def sought(self, but: Sequence[str] = ()) -> list[Sought]:
        """All of it to be looked for, in the order of writing, without what somebody wrote itself."""
        own = set(but)
        ids = sorted(id_ for id_ in self.remembered if id_ not in own)
        return [Sought(id_, question(self.remembered[id_]), id_ in self.forgotten) for id_ in ids]


def promises(engine: Engine, told: Told) -> Iterator[Promise]:
    """Everything that was promised, looked up in the store itself."""
    wanted = [*told.shared, *told.remembered]
    rows, events = _rows(engine, wanted), _events(engine)
    happened = collections.Counter((event.memory, event.kind) for event in events)
    used = collections.Counter(
        event.memory for event in events if event.kind is EventKind.REINFORCED and event.reason == "used"
    )
    yield Promise("every acknowledged memory is there", len(wanted), [id_ for id_ in wanted if id_ not in rows])
    yield Promise(
        "what was forgotten is forgotten, the rest is active",
        len(rows),
        [
            f"{id_} is {row.status}"
            for id_, row in rows.items()
            if row.status is not (Status.FORGOTTEN if id_ in told.forgotten else Status.ACTIVE)
        ],
    )
    yield Promise(
        "every acknowledged use is counted, and no other",
        sum(told.uses.values()),
        [f"{id_}: {told.uses[id_]} acknowledged, {used[id_]} counted" for id_ in rows if told.uses[id_] != used[id_]],
    )
    yield Promise(
        "a row's counter is the number of its events",
        len(rows),
        [
            f"{id_}: {row.recall_count} in the row, {happened[id_, EventKind.REINFORCED]} events"
            for id_, row in rows.items()
            if row.recall_count != happened[id_, EventKind.REINFORCED]
        ],
    )
    yield Promise("each change has its one event", len(events), _uneven(told, happened))
    numbers = [event.seq for event in events]
    yield Promise(
        "events are numbered one by one, none twice",
        len(numbers),
        [str(later) for number, later in itertools.pairwise(numbers) if later <= number],
    )
    findings = list(engine.store.check())
    yield Promise(
        "doctor finds nothing", len(findings), [f"{one.check}: {one.detail}" for one in findings if not one.ok]
    )


def _uneven(told: Told, happened: collections.Counter[tuple[str | None, EventKind]]) -> list[str]:
    """Memories that were born or forgotten more or less often than somebody was told; unknown ones too."""
    born = dict.fromkeys((*told.shared, *told.remembered), 1)
    gone = dict.fromkeys(told.forgotten, 1)
    complaints = []
    for kind, expected in ((EventKind.REMEMBERED, born), (EventKind.FORGOTTEN, gone)):
        counted = {id_: count for (id_, what), count in happened.items() if what is kind and id_ is not None}
        complaints += [
            f"{id_}: {kind} {counted.get(id_, 0)} times, told {expected.get(id_, 0)} times"
            for id_ in sorted({*expected, *counted})
            if counted.get(id_, 0) != expected.get(id_, 0)
        ]
    return complaints


def _rows(engine: Engine, ids: Sequence[str]) -> dict[str, Memory]:
    rows: dict[str, Memory] = {}
    with engine.store.read(View(engine.owner, every_agent=True)) as tx:
        for start in range(0, len(ids), _PAGE):
            rows |= tx.memories.get(ids[start : start + _PAGE])
    return rows


def _events(engine: Engine) -> list[Event]:
    events: list[Event] = []
    with engine.store.read(View(engine.owner, every_agent=True)) as tx:
        while page := tx.events.page(after=events[-1].seq if events else 0, limit=_PAGE):
            events += page
    return events
