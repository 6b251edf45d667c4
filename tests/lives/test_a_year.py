"""A year of an agent that helps one person, on a clock that only moves when told to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest

from ebbing.domain.events import Event, EventKind
from ebbing.domain.memory import Memory, Status, Tier
from ebbing.domain.retention import strength_of
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.testing import FrozenClock, in_memory
from tests.store.test_days import moment_of

HOLIDAY = (datetime.fromisoformat("2026-07-06T00:00:00+00:00"), datetime.fromisoformat("2026-07-27T00:00:00+00:00"))


@dataclass
class Year:
    """What happened, and to which memories."""

    engine: Engine
    clock: FrozenClock
    named: dict[str, Memory] = field(default_factory=dict)
    before_holiday: dict[str, float] = field(default_factory=dict)
    after_holiday: dict[str, float] = field(default_factory=dict)

    def say(self, name: str, text: str, **given: object) -> None:
        self.named[name] = self.engine.remember(text, **given).memories[0]  # type: ignore[arg-type]

    def now(self, name: str) -> Memory:
        return self.engine.get(self.named[name].id)

    def strengths(self) -> dict[str, float]:
        return {name: strength_of(self.now(name), moment_of(self.engine), self.engine.policy) for name in self.named}

    def kinds(self, name: str) -> list[EventKind]:
        return [event.kind for event in self.engine.history(self.named[name].id)]


def a_working_day(year: Year, day: int) -> None:
    """Each day something is noted; each week the same questions are asked; each night the house is swept."""
    engine, today = year.engine, year.clock.now().date()
    engine.remember(f"Standup of {today}: worked on task {day}", category="session_state", importance=0.3)
    engine.remember(f"Build {day} took {10 + day % 7} minutes", category="observation", importance=0.4)
    if day % 7 == 0:
        engine.recall("how do we deploy the service", session=f"week {day}")
    if day % 30 == 0:
        engine.recall("which database do we use", session=f"month {day}")
    if day == 100:
        year.say("new office", "The office is in Porto", subject="office", attribute="city")
    engine.sweep(trigger="cron")


@pytest.fixture(scope="module")
def year() -> Iterator[Year]:
    clock = FrozenClock("2026-01-01T08:00:00Z")
    with in_memory(clock=clock) as engine:
        year = Year(engine, clock)
        year.say("name", "Her name is Mara Lind", category="identity")
        year.say("allergy", "Mara is allergic to penicillin", category="fact")
        year.say("deploy", "We deploy the service with make release on Tuesdays", category="strategy")
        year.say("database", "We decided on PostgreSQL as the database", category="decision", importance=0.7)
        year.say("office", "The office is in Lisbon", subject="office", attribute="city", importance=0.8)
        year.say("gossip", "Someone painted the kitchen yellow", importance=0.3)
        year.say("tool", "The linter printed 14 warnings", category="tool_output", source="tool")
        for day in range(365):
            clock.set(datetime.fromisoformat("2026-01-01T08:00:00+00:00") + timedelta(days=day))
            if clock.now() < HOLIDAY[0] or clock.now() >= HOLIDAY[1]:
                a_working_day(year, day)
            else:
                engine.sweep(trigger="cron")
            if clock.now().date() == (HOLIDAY[0] - timedelta(days=1)).date():
                year.before_holiday = year.strengths()
            if clock.now().date() == (HOLIDAY[1] - timedelta(days=1)).date():
                year.after_holiday = year.strengths()
        yield year


def test_what_matters_is_there_at_the_end_of_the_year(year: Year) -> None:
    for name in ("name", "allergy", "deploy", "new office"):
        if name != "new office":
            assert year.now(name).status is Status.ACTIVE, name
    assert year.engine.recall("penicillin", limit=1, reinforce=False)[0].memory.id == year.named["allergy"].id
    assert (
        year.engine.recall("deploy service release", limit=1, reinforce=False)[0].memory.id == year.named["deploy"].id
    )


def test_what_nobody_needed_went_down_the_ladder_one_rung_after_the_other(year: Year) -> None:
    assert year.kinds("gossip") == [EventKind.REMEMBERED, EventKind.DETACHED, EventKind.ARCHIVED]
    assert year.kinds("tool") == [EventKind.REMEMBERED, EventKind.ARCHIVED]
    assert "time to live" in (year.engine.history(year.named["tool"].id)[-1].reason or "")


def test_what_was_asked_for_every_week_stayed_and_was_counted(year: Year) -> None:
    deploy = year.now("deploy")
    weeks = [day for day in range(0, 365, 7) if not 186 <= day < 207]
    assert deploy.recall_count == len(weeks)
    kinds = year.kinds("deploy")
    assert kinds == [
        EventKind.REMEMBERED,
        *[EventKind.REINFORCED] * 8,
        EventKind.PROMOTED,
        *[EventKind.REINFORCED] * (len(weeks) - 8),
    ]
    assert deploy.tier is Tier.PROCEDURAL, "confirmed again and again, it lives longer"


def test_three_weeks_of_holiday_aged_nothing(year: Year) -> None:
    assert year.before_holiday
    assert year.after_holiday == year.before_holiday


def test_the_new_office_replaced_the_old_one(year: Year) -> None:
    old, new = year.now("office"), year.now("new office")
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, new.id)
    assert new.supersedes == (old.id,)
    offices = [r.memory.text for r in year.engine.recall("office city Lisbon Porto", reinforce=False)]
    assert "The office is in Lisbon" not in offices


def test_a_year_of_notes_is_not_a_year_of_clutter(year: Year) -> None:
    """More than six hundred notes were made; a few weeks' worth of them is in the way at the end."""
    counts = Counter(one.status for one in everything(year.engine))
    assert sum(counts.values()) > 690
    assert counts[Status.ACTIVE] < 60
    assert counts[Status.ARCHIVED] > 600


def test_nothing_was_lost_and_everything_says_why(year: Year) -> None:
    for one in everything(year.engine):
        history = year.engine.history(one.id)
        assert history[0].kind is EventKind.REMEMBERED
        if one.status in (Status.DETACHED, Status.ARCHIVED):
            assert history[-1].kind.value == one.status.value
            assert history[-1].reason
            assert history[-1].detail["was"] in ("active", "detached")


def test_no_step_was_taken_against_the_numbers_it_names(year: Year) -> None:
    for event in log(year.engine):
        if event.kind in (EventKind.DETACHED, EventKind.ARCHIVED) and event.detail["threshold"] is not None:
            assert event.detail["strength"] < event.detail["threshold"]


def test_any_note_of_the_year_can_be_brought_back(year: Year) -> None:
    gossip = year.named["gossip"].id
    assert gossip not in [r.memory.id for r in year.engine.recall("yellow kitchen", reinforce=False)]
    found = year.engine.recall("yellow kitchen", include=["archived"], reinforce=False)
    assert found[0].memory.id == gossip
    year.engine.restore(gossip)
    try:
        assert year.engine.recall("yellow kitchen", reinforce=False)[0].memory.id == gossip
        year.engine.sweep()
        assert year.now("gossip").status is Status.ACTIVE
    finally:
        year.engine.forget(ids=gossip)


def everything(engine: Engine) -> list[Memory]:
    found: list[Memory] = []
    every = [status.value for status in Status]
    while page := engine.list(status=every, before=found[-1].id if found else None, limit=500):
        found += page
    return found


def log(engine: Engine) -> list[Event]:
    with engine.store.read(View(engine.owner, every_agent=True)) as tx:
        return tx.events.page(limit=100_000)
