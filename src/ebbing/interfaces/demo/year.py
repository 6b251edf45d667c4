"""Living the demo's year: the real engine on a clock that the story moves, watched day by day.

Nothing is decided or computed here. Each day it says and asks what the story has for that day,
sweeps as the nightly job would, and writes down what the engine answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from ...domain.clock import Moment
from ...domain.events import Archived, Event, EventKind, Merged, Stepped
from ...domain.memory import Memory, Status
from ...domain.results import Recollections, Remembered
from ...domain.retention import strength_of
from ...engine import Engine
from ...ports import View
from ...testing import FrozenClock
from .story import FIRST_DAY, LAST_DAY, QUESTIONS, Entry, entries_on, worked_on

_PAGE = 500
_DATE = re.compile(r" on \d{4}-\d\d-\d\d$")
_DOWN = (EventKind.DETACHED, EventKind.ARCHIVED, EventKind.SUPERSEDED, EventKind.FORGOTTEN)


@dataclass(frozen=True, slots=True)
class Evening:
    """How things stood at the end of a day."""

    on: date
    day_of_use: int
    counts: Mapping[str, int]  # by status
    strengths: Mapping[str, float]  # of those with a name in the story
    statuses: Mapping[str, Status]


@dataclass(frozen=True, slots=True)
class Lowered:
    """A memory that is out of recall, and the last event that lowered it."""

    memory: Memory
    event: Event

    @property
    def why(self) -> str:
        """The reason as recorded, without the numbers that differ from memory to memory."""
        change = self.event.change
        if isinstance(change, Stepped) and change.threshold is not None:
            return f"strength fell below {change.threshold:g}"
        if isinstance(change, Archived | Merged) and change.into is not None:
            return "summarized with its topic"
        return _DATE.sub("", self.event.reason or "no reason was given")


@dataclass(slots=True)
class Year:
    """One engine, one clock, and everything seen so far."""

    engine: Engine
    clock: FrozenClock
    today: date = FIRST_DAY - timedelta(days=1)
    ids: dict[str, str] = field(default_factory=dict)  # by name in the story
    evenings: list[Evening] = field(default_factory=list)
    remembered: int = 0
    questions: int = 0
    stale_answers: int = 0  # answers that were superseded when they were given
    purged: int = 0

    def live_until(self, last: date) -> Iterator[Evening]:
        """The days up to and including `last`, one by one."""
        while self.today < min(last, LAST_DAY):
            self.today += timedelta(days=1)
            self._at(4)
            self.engine.sweep(trigger="cron")
            self._at(9)
            if worked_on(self.today):
                self.say(*entries_on(self.today))
                for question in QUESTIONS:
                    if question.falls_on(self.today):
                        self.ask(question.text)
            yield self.watch()

    def say(self, *entries: Entry, supersedes: str | None = None) -> Remembered:
        """Remember what was said, and the ids of those the story follows."""
        more = {} if supersedes is None else {"supersedes": supersedes}
        outcome = self.engine.remember_many([{**one.item(), **more} for one in entries])
        self.remembered += len(outcome.memories)
        names = {one.text: one.key for one in entries if one.key is not None}
        self.ids |= {names[memory.text]: memory.id for memory in outcome.memories if memory.text in names}
        return outcome

    def ask(self, question: str, *, limit: int = 3, include: tuple[str, ...] = ()) -> Recollections:
        """Recall as an agent does: what is found is used, and so reinforced."""
        found = self.engine.recall(question, limit=limit, include=include, session=f"{self.today}")
        self.questions += 1
        if not include:
            self.stale_answers += sum(one.memory.status is Status.SUPERSEDED for one in found)
        return found

    def watch(self) -> Evening:
        """Look at the end of the day, changing nothing; a second look replaces the first."""
        self._at(20)
        engine, now = self.engine, self.clock.now()
        with engine.store.read(View(engine.owner)) as tx:
            moment = Moment(now, tx.owner.activity.day_at(now))
            memories = tx.memories.get(list(self.ids.values()))
        named = {key: memories[id_] for key, id_ in self.ids.items() if id_ in memories}
        evening = Evening(
            on=self.today,
            day_of_use=moment.day,
            counts=engine.stats().by_status,
            strengths={key: strength_of(memory, moment, engine.policy) for key, memory in named.items()},
            statuses={key: memory.status for key, memory in named.items()},
        )
        if self.evenings and self.evenings[-1].on == self.today:
            self.evenings.pop()
        self.evenings.append(evening)
        return evening

    def memory(self, key: str) -> Memory:
        """One that the story follows, as it stands now."""
        return self.engine.get(self.ids[key])

    def curve(self, key: str) -> list[float | None]:
        """Its strength on every evening so far; None before it was said."""
        return [evening.strengths.get(key) for evening in self.evenings]

    def all_memories(self) -> list[Memory]:
        """Every memory there is, on whatever rung, newest first."""
        found: list[Memory] = []
        while True:
            before = found[-1].id if found else None
            page = self.engine.list(status=[status.value for status in Status], before=before, limit=_PAGE)
            found += page
            if len(page) < _PAGE:
                return found

    def lowered(self) -> list[Lowered]:
        """What is out of recall, with the event that says why; oldest event first."""
        found = []
        for memory in self.all_memories():
            if memory.status is not Status.ACTIVE:
                events = [event for event in self.engine.history(memory.id) if event.kind in _DOWN]
                found += [Lowered(memory, events[-1])] if events else []
        return sorted(found, key=lambda one: (one.event.at, one.event.seq))

    def _at(self, hour: int) -> None:
        self.clock.set(datetime.combine(self.today, time(hour), UTC))


def clock_at_start() -> FrozenClock:
    """The clock of the story, on the morning of its first day."""
    return FrozenClock(datetime.combine(FIRST_DAY, time(9), UTC))
