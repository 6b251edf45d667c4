"""A policy tried on an owner's own past: the same policy does what was done, another says what it would have cost."""

from __future__ import annotations

import dataclasses
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ebbing.domain.events import Event, EventKind
from ebbing.domain.memory import Memory, Status, Tier
from ebbing.domain.policy import Budget, Policy
from ebbing.domain.policy.loader import load
from ebbing.domain.results import Step, plain
from ebbing.engine import Engine
from ebbing.operations.foresight.history import read
from ebbing.operations.foresight.simulate import POINTS_MAX, Simulation, gather, simulate
from ebbing.ports import View
from ebbing.testing import FrozenClock, in_memory
from tests.properties import examples

# The rates as published, whatever factor the default policy slows them by: the days below are reckoned with them.
DEFAULT = dataclasses.replace(load(), curve=dataclasses.replace(load().curve, slowdown=1.0))
START = datetime(2026, 1, 1, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)
SWEPT_AT = time(4, tzinfo=UTC)  # as the default policy has it
RUNGS = (Status.ACTIVE, Status.DETACHED, Status.ARCHIVED)


def changed(policy: Policy = DEFAULT, **tables: dict[str, Any]) -> Policy:
    """A policy with some numbers of some tables changed."""
    return dataclasses.replace(
        policy, **{name: dataclasses.replace(getattr(policy, name), **values) for name, values in tables.items()}
    )


WALL = changed(time={"clock": "wall"})
STRICT = changed(ladder={"summarize": 0.5, "detach": 0.4, "archive": 0.3})
LAX = changed(curve={"slowdown": 20.0})
# Small rooms, so that budgets and buffers have something to do; early promotion; and no summaries.
CROWDED = changed(
    compaction={"depth_max": 0},
    working={"capacity": 2},
    promotion={"confirmed_recalls": 3, "confirmed_days": 2},
    budgets={"historical": 30, "scopes": MappingProxyType({"/small": Budget(memories=3)})},
)


class Owner:
    """Somebody who uses a real engine, swept each night."""

    def __init__(self, policy: Policy = DEFAULT) -> None:
        self.clock = FrozenClock(START)
        self.engine = in_memory(clock=self.clock, policy=policy)
        self.told: list[Memory] = []
        self.batches: list[str] = []

    def wait(self, hours: float) -> None:
        """Let time pass, and sleep until after the sweep: when a day began whose uses found nothing, no log tells."""
        until = self.clock.now() + timedelta(hours=hours)
        until = max(until, until.replace(hour=5))
        night = datetime.combine(self.clock.now().date(), SWEPT_AT)
        while night <= until:
            if night > self.clock.now():
                self.clock.set(night)
                swept = self.engine.sweep(trigger="cron")
                self.batches += [swept.batch] if swept.actions else []
            night += DAY
        self.clock.set(until)

    def come(self, days: int, every: int = 1) -> None:
        """Let days pass, and use the system on some of them for something else."""
        for day in range(1, days + 1):
            self.wait(24)
            if day % every == 0:
                self.engine.recall("nothing of all this")

    def tell(self, text: str | None = None, **given: Any) -> Memory:
        text = text or f"alpha{len(self.told)} beta{len(self.told)} gamma{len(self.told)}"
        said = self.engine.remember(text, **given)
        self.told += said.memories
        return (said.memories or said.reinforced)[0]

    def forget(self, one: Memory) -> None:
        batch = self.engine.forget(ids=one.id)
        self.batches += [batch.id] if batch.memories else []

    @property
    def everything(self) -> tuple[list[Memory], list[Event], list[tuple[date, int]]]:
        with self.engine.store.read(View(self.engine.owner, every_agent=True)) as tx:
            return gather(tx)

    @property
    def events(self) -> list[Event]:
        return self.everything[1]

    def simulate(self, policy: Policy, ahead_days: int = 0, **given: Any) -> Simulation:
        given.setdefault("recorded", self.engine.policy)
        return simulate(*self.everything, policy, now=self.clock.now(), ahead_days=ahead_days, **given)

    def statuses(self) -> dict[str, Status]:
        return {memory.id: memory.status for memory in self.everything[0]}


@pytest.fixture
def owner() -> Iterator[Owner]:
    someone = Owner()
    yield someone
    someone.engine.close()


class Act(NamedTuple):
    """Something that an owner does, some hours after the last."""

    hours: int
    verb: str
    which: int
    category: str
    importance: float
    session: str | None


CATEGORIES = ("fact", "failure", "observation", "finding", "identity", "tool_output")
SESSIONS = (None, "morning", "evening")


def acts(*verbs: str) -> st.SearchStrategy[list[Act]]:
    return st.lists(
        st.builds(
            Act,
            hours=st.one_of(st.integers(0, 30), st.integers(0, 200)),
            verb=st.sampled_from(("tell", "tell", *verbs)),
            which=st.integers(0, 7),
            category=st.sampled_from(CATEGORIES),
            importance=st.floats(0, 1),
            session=st.sampled_from(SESSIONS),
        ),
        min_size=5,
        max_size=40,
    )


def drawn(seed: int, *verbs: str) -> Iterator[Act]:
    """A long life by chance."""
    chance = random.Random(seed)
    for _ in range(150):
        yield Act(
            hours=chance.choice((0, 0, 1, 5, 24, 24, 50, 100)),
            verb=chance.choice(("tell", *verbs)),
            which=chance.randrange(8),
            category=chance.choice(CATEGORIES),
            importance=chance.random(),
            session=chance.choice(SESSIONS),
        )


def do(act: Act, owner: Owner) -> None:
    """One act, on one of the memories told last."""
    owner.wait(act.hours)
    engine, told = owner.engine, owner.told[-8:]
    if act.verb == "tell" or not told:
        place = ("/", "/", "/small", "/user")[act.which % 4]
        owner.tell(category=act.category, importance=act.importance, scope=place, session=act.session)
        return
    one = told[act.which % len(told)]
    verbs: dict[str, Callable[[], object]] = {
        "recall": lambda: engine.recall(one.text, session=act.session, limit=2),
        "look deeper": lambda: engine.recall(one.text, session=act.session, include=["detached"], limit=2),
        "use": lambda: engine.used(one.id, session=act.session),
        "pin": lambda: engine.pin(one.id),
        "unpin": lambda: engine.unpin(one.id),
        "forget": lambda: owner.forget(one),
        "restore": lambda: engine.restore(one.id),
        "undo": lambda: engine.restore(batch=owner.batches[-1]) if owner.batches else None,
        "say again": lambda: owner.tell(
            one.text, category=one.category, scope=one.scope, importance=act.importance, source=one.source.kind
        ),
        "rumour": lambda: owner.tell(source="web", importance=act.importance),
        "replace": lambda: owner.tell(supersedes=one.id),
        "note": lambda: owner.tell(tier="working", importance=act.importance, session=act.session),
        "expire": lambda: owner.tell(expires_in=f"{1 + act.which}d", importance=act.importance),
        "tell late": lambda: owner.tell(created_at=owner.clock.now() - act.which * 5 * DAY, importance=act.importance),
    }
    verbs[act.verb]()


def first_falls(events: Sequence[Event]) -> dict[tuple[str, str], datetime]:
    found: dict[tuple[str, str], datetime] = {}
    for event in events:
        if event.kind in (EventKind.DETACHED, EventKind.ARCHIVED):
            found.setdefault((event.memory or "", event.kind), event.at)
    return found


def falls(simulation: Simulation) -> dict[tuple[str, str], datetime]:
    kinds = {Step.DETACH: EventKind.DETACHED, Step.ARCHIVE: EventKind.ARCHIVED}
    return {(fallen.memory, kinds[fallen.step]): fallen.at for fallen in simulation.fallen}


EVERY_VERB = (
    *("recall", "recall", "look deeper", "use", "pin", "unpin", "forget", "restore", "undo", "say again", "replace"),
    *("note", "note", "rumour", "expire", "tell late"),
)
HYSTERESIS = changed(CROWDED, promotion={"promote": 0.7, "demote": 0.3})
# A use raises a memory from where it has faded to, so that what it was worth decides what it is worth.
TWO_LAYERS = changed(load("fademem"), compaction={"depth_max": 0}, working={"capacity": 2})


@pytest.mark.parametrize("policy", [CROWDED, HYSTERESIS, TWO_LAYERS], ids=["crowded", "hysteresis", "two layers"])
@pytest.mark.parametrize("clock", ["activity", "wall"])
@pytest.mark.parametrize("seed", range(5))
def test_under_its_own_policy_a_life_is_lived_as_it_was(seed: int, clock: str, policy: Policy) -> None:
    """Every memory ends where the real engine has it, fell when it fell, and no recall misses what it found."""
    someone = Owner(changed(policy, time={"clock": clock}))
    with someone.engine as engine:
        for act in drawn(seed, *EVERY_VERB):
            do(act, someone)
        again = someone.simulate(engine.policy)
        assert again.standing == someone.statuses()
        assert falls(again) == first_falls(someone.events)
        assert again.misses == ()
        assert again.recalls > 10


def test_uses_raise_as_they_did_in_the_real_past() -> None:
    """Six uses each, crowded and spaced: the days on which both fall depend on how high each use raised them."""
    someone = Owner(TWO_LAYERS)
    with someone.engine as engine:
        crowded, spaced = someone.tell(importance=0.3), someone.tell(importance=0.3)
        for day in range(36):
            someone.wait(24)
            for one in [crowded] * (day < 6) + [spaced] * (day % 6 == 5):
                engine.used(one.id, session=str(day))
        someone.wait(24 * 90)
        again = someone.simulate(engine.policy)
        assert falls(again) == first_falls(someone.events)
        assert {one.id for one in (crowded, spaced)} == {fallen.memory for fallen in again.fallen}
        levels = {one.id: engine.get(one.id).level for one in (crowded, spaced)}
        assert all(0.3 < level < 1.0 for level in levels.values())
        # The first of them is known again as it was before any use, and not as it was left.
        assert all(
            simulated.level == 1.0 for simulated in read(*someone.everything[:2], someone.clock.now()).born.values()
        )


@examples(15)
@given(life=acts("recall", "recall", "use", "pin", "unpin", "forget", "restore"))
def test_so_it_is_where_memories_wait_to_be_summarized_and_never_are(life: list[Act]) -> None:
    someone = Owner()
    with someone.engine as engine:
        for act in life:
            do(act, someone)
        someone.wait(24 * 10)
        assume(not any(event.kind is EventKind.SUMMARIZED for event in someone.events))
        again = someone.simulate(engine.policy)
        assert again.standing == someone.statuses()
        assert falls(again) == first_falls(someone.events)


@examples(15)
@given(life=acts("recall", "recall", "pin", "unpin", "forget"), days=st.integers(0, 60))
def test_a_stricter_policy_never_keeps_more(life: list[Act], days: int) -> None:
    """Where nobody brings anything back: what is brought back stays a while, and what never went cannot be."""
    someone = Owner()
    with someone.engine:
        for act in life:
            do(act, someone)
        lax, usual, strict = (someone.simulate(policy, ahead_days=days) for policy in (LAX, DEFAULT, STRICT))
    for less, more in ((strict, usual), (usual, lax)):
        assert active(less) <= active(more)
        for one, other in zip(less.points, more.points, strict=True):
            assert one.active <= other.active
            assert one.active_tokens <= other.active_tokens
        missed = {(miss.at, miss.memory) for miss in less.misses}
        assert missed >= {(miss.at, miss.memory) for miss in more.misses}


def active(simulation: Simulation) -> set[str]:
    return {id_ for id_, status in simulation.standing.items() if status is Status.ACTIVE}


def test_a_miss_names_the_memory_and_says_since_when_and_why_it_was_gone(owner: Owner) -> None:
    lamp = owner.tell("The lamp is green")
    owner.tell("Lunch was late")
    owner.come(9)
    owner.engine.recall("lamp green", session="tuesday")
    asked_at = owner.clock.now()
    assert owner.simulate(DEFAULT).misses == ()
    strict = owner.simulate(STRICT)
    [miss] = strict.misses
    assert (miss.at, miss.session, miss.memory, miss.text) == (asked_at, "tuesday", lamp.id, "The lamp is green")
    [fell] = [fallen for fallen in strict.fallen if fallen.memory == lamp.id]
    assert (miss.status, miss.since, miss.reason) == (Status.ARCHIVED, fell.at, fell.reason)
    assert fell.at == datetime(2026, 1, 9, 4, tzinfo=UTC), "the night after its grace period"
    assert (fell.step, fell.text) == (Step.ARCHIVE, "The lamp is green")
    assert "fell below 0.3 (archive)" in fell.reason
    assert (strict.recalls, strict.share_found) == (1, 0.0)


def test_a_miss_does_not_strengthen(owner: Owner) -> None:
    """What was not found then fades on, and is missed each time that it is asked for."""
    owner.tell("The lamp is green", importance=0.7)
    for _ in range(4):
        owner.come(12)
        owner.engine.recall("lamp green")
    assert owner.simulate(DEFAULT).share_found == 1
    assert len(owner.simulate(STRICT).misses) == 4


def test_what_is_used_or_said_again_comes_back(owner: Owner) -> None:
    """An agent may use by its id what is detached, and whoever says a thing again brings it back; recall does not."""
    detaching = changed(ladder={"summarize": 0.5, "detach": 0.4, "archive": 0.01})
    used, said, recalled = (owner.tell(f"{thing} is green", importance=0.7) for thing in ("lamp", "door", "roof"))
    owner.come(10)
    owner.engine.used(used.id)
    owner.tell("door is green", importance=0.7)
    owner.engine.recall("roof", limit=1)
    found = owner.simulate(detaching)
    assert {fallen.memory for fallen in found.fallen} == {used.id, said.id, recalled.id}
    assert [miss.memory for miss in found.misses] == [recalled.id]
    assert (found.standing[used.id], found.standing[said.id]) == (Status.ACTIVE, Status.ACTIVE)
    assert found.standing[recalled.id] is Status.DETACHED
    assert any("while detached here, and not detached then: 1" in note for note in found.notes)
    owner.come(20)
    assert owner.simulate(detaching).standing[said.id] is Status.ACTIVE, "brought back, it has a grace period"
    assert owner.simulate(detaching).standing[used.id] is Status.DETACHED


def test_what_was_archived_and_is_said_again_is_learned_anew(owner: Owner) -> None:
    lamp = owner.tell("The lamp is green", importance=0.7)
    owner.come(20)
    owner.tell("The lamp is green", importance=0.7)
    assert owner.told == [lamp], "it was there, and is there"
    assert owner.simulate(STRICT).standing == {lamp.id: Status.ACTIVE}
    fresh = owner.tell("The door is blue", importance=0.7)
    owner.come(6)
    assert owner.simulate(STRICT).standing[lamp.id] is Status.ACTIVE, "new, so kept"
    owner.come(20)
    assert owner.simulate(STRICT).standing[lamp.id] is Status.ARCHIVED
    assert owner.simulate(STRICT).recalls == 0, "saying is not asking"
    for days in range(1, 26):
        ago = owner.clock.now() - days * DAY
        then = simulate(*owner.everything, STRICT, now=ago, ahead_days=0).standing
        assert then[lamp.id] is then[fresh.id], "nor is it a use: it stays as long as what was told for the first time"


def test_what_was_told_anew_because_it_had_gone_is_one_memory_where_it_had_not(owner: Owner) -> None:
    first = owner.tell("The lamp is green")
    owner.come(60)
    second = owner.tell("The lamp is green")
    assert first.id != second.id
    owner.come(3)
    owner.engine.recall("lamp green")
    lax = owner.simulate(LAX)
    assert lax.standing == {first.id: Status.ACTIVE}
    assert lax.misses == ()
    assert lax.points[-1].active_tokens == first.tokens
    assert any("Told anew then" in note for note in lax.notes)
    assert owner.simulate(DEFAULT).standing == {first.id: Status.ARCHIVED, second.id: Status.ACTIVE}


def test_it_is_not_superseded_by_itself(owner: Owner) -> None:
    """What is told anew at its address takes the place of what is archived there, which here is the same memory."""
    first = owner.tell("The lamp is green", subject="lamp", attribute="colour")
    owner.come(60)
    owner.tell("The lamp is green", subject="lamp", attribute="colour")
    assert owner.statuses()[first.id] is Status.SUPERSEDED
    assert owner.simulate(LAX).standing == {first.id: Status.ACTIVE}


@pytest.mark.parametrize("policy", [DEFAULT, WALL])
def test_the_days_ahead_are_as_explain_foretells_them(policy: Policy) -> None:
    """To the day: strength moves in whole days of use, and sweeps come once a day."""
    someone = Owner(policy)
    with someone.engine as engine:
        for importance in (0.1, 0.3, 0.5, 0.8, 1.0):
            for category in ("fact", "failure", "observation", "tool_output"):
                someone.tell(importance=importance, category=category)
        someone.come(5)
        for one in someone.told[::3]:
            engine.used(one.id)
        someone.wait(5)
        ahead = someone.simulate(policy, ahead_days=400)
        found = {(fallen.memory, fallen.step): fallen.at for fallen in ahead.fallen if fallen.at > someone.clock.now()}
        foretold = {one.id: engine.explain(one.id).forecasts for one in someone.told if not_archived(one, engine)}
    assert len(foretold) > 15
    for id_, forecasts in foretold.items():
        steps = {forecast.rung: forecast.at for forecast in forecasts if forecast.at is not None}
        archived = steps["archive"]
        assert abs(found[id_, Step.ARCHIVE].date() - archived.date()) <= DAY
        # What expires or is archived within the same days is never detached, or only for a moment.
        detached = steps.get("detach", archived)
        if archived - detached > 2 * DAY:
            assert abs(found[id_, Step.DETACH].date() - detached.date()) <= DAY


def not_archived(one: Memory, engine: Engine) -> bool:
    return engine.get(one.id).status is not Status.ARCHIVED


def test_what_is_pinned_never_falls_and_what_is_unpinned_does(owner: Owner) -> None:
    kept, let_go, pinned_late = (owner.tell(importance=0.3) for _ in range(3))
    owner.engine.pin(kept.id)
    owner.engine.pin(let_go.id)
    owner.come(5)
    owner.engine.unpin(let_go.id)
    owner.engine.pin(pinned_late.id)
    found = owner.simulate(STRICT, ahead_days=1000)
    assert found.standing == {kept.id: Status.ACTIVE, let_go.id: Status.ARCHIVED, pinned_late.id: Status.ACTIVE}
    assert {fallen.memory for fallen in found.fallen} == {let_go.id}
    assert min(fallen.at for fallen in found.fallen) > owner.clock.now()


def test_what_was_told_as_pinned_falls_once_it_is_unpinned(owner: Owner) -> None:
    one = owner.tell(importance=0.2, pinned=True)
    owner.come(20)
    owner.engine.unpin(one.id)
    unpinned_at = owner.clock.now()
    owner.come(1)
    assert [fallen.at > unpinned_at for fallen in owner.simulate(STRICT).fallen] == [True]


def test_a_holiday_ages_nothing_unless_the_wall_counts(owner: Owner) -> None:
    lamp = owner.tell("The lamp is green", importance=0.7)
    owner.come(3)
    owner.wait(24 * 60)
    owner.engine.recall("lamp green")
    assert owner.simulate(DEFAULT).fallen == ()
    wall = owner.simulate(WALL)
    assert [miss.memory for miss in wall.misses] == [lamp.id]
    assert wall.standing[lamp.id] is Status.ARCHIVED


def test_a_day_of_use_has_not_begun_before_its_first_use(owner: Owner) -> None:
    """At four in the morning nobody has come yet: what would fall today is still found by the first question."""
    lamp = owner.tell("The lamp is green", importance=0.9)
    last = 0
    while not owner.simulate(DEFAULT, ahead_days=0).fallen:
        owner.come(1)
        last += 1
    fell_on = owner.simulate(DEFAULT).fallen[0].at.date()
    other = Owner()
    with other.engine as engine:
        other.tell("The lamp is green", importance=0.9)
        other.come(last - 2)
        other.wait(24)
        assert other.clock.now().date() == fell_on - DAY, "the day on which it is too weak"
        engine.recall("lamp green")
        other.wait(24)
        assert other.simulate(DEFAULT).misses == ()
        assert other.simulate(DEFAULT).fallen == ()
    assert owner.engine.get(lamp.id).status is Status.DETACHED


def test_what_ends_before_the_sweep_of_a_day_ends_before_the_use_of_that_day(owner: Owner) -> None:
    """Grace is over at two, the sweep comes at four and the owner at half past nine: it is a day younger till then."""
    for share in range(10, 50):
        owner.tell(importance=share / 100, created_at=START.replace(hour=2))
    owner.come(12)
    assert falls(owner.simulate(DEFAULT)) == first_falls(owner.events)
    on_the_eighth = {at.date() for at in first_falls(owner.events).values()}
    assert {date(2026, 1, 8), date(2026, 1, 9)} <= on_the_eighth


@pytest.mark.parametrize(
    ("cron", "first"),
    [("0 0 * * *", "2026-01-09T00:00Z"), ("30 * * * *", "2026-01-09T00:30Z"), ("0 4 * * MON", "2026-01-12T04:00Z")],
)
def test_sweeps_come_once_on_each_day_that_the_schedule_names(owner: Owner, cron: str, first: str) -> None:
    """The grace period is over on the eighth at half past nine."""
    owner.tell(importance=0.01)
    [fallen] = owner.simulate(changed(sweep={"cron": cron}), ahead_days=30).fallen
    assert fallen.at == datetime.fromisoformat(first)


def test_a_use_counts_as_the_policy_counts_it(owner: Owner) -> None:
    """Once in its window for a session, and never where it does not trust."""
    lamp = owner.tell("The lamp is green", importance=0.5)
    door = owner.tell("The door is blue", importance=0.5, source="tool")
    for _ in range(8):
        owner.come(1)
        owner.engine.used([lamp.id, door.id], session="long")
    assert owner.engine.get(door.id).recall_count == 8

    def detached_on(policy: Policy) -> list[date]:
        fallen = owner.simulate(policy, ahead_days=60).fallen
        found = {one.memory: one.at.date() for one in fallen if one.step is Step.DETACH}
        return [found[lamp.id], found[door.id]]

    usual = detached_on(DEFAULT)
    wide = detached_on(changed(reinforcement={"window": 30 * DAY}))
    wary = detached_on(changed(reinforcement={"trust_floor": 0.8}))
    assert wide[0] == wide[1] < usual[0] == usual[1] == wary[0] > wary[1]


def test_what_nobody_trusts_comes_back_when_it_is_said_again_and_that_is_no_use(owner: Owner) -> None:
    rumour = owner.tell("The king is ill", source="web", importance=0.7)
    owner.come(30)
    assert owner.statuses()[rumour.id] is Status.DETACHED
    owner.tell("The king is ill", source="web", importance=0.7)
    owner.come(20)
    assert owner.simulate(DEFAULT).standing == owner.statuses() == {rumour.id: Status.ACTIVE}
    assert EventKind.REINFORCED not in {event.kind for event in owner.events}


def test_a_note_that_was_of_use_outlives_its_session_and_leaves_the_buffer() -> None:
    someone = Owner(CROWDED)
    with someone.engine as engine:
        used = someone.tell(tier="working", importance=0.3, session="s")
        someone.wait(1)
        engine.used(used.id)
        someone.wait(24)
        later = [someone.tell(tier="working", importance=0.5, session="s") for _ in range(3)]
        again = someone.simulate(engine.policy)
        assert again.standing == someone.statuses()
        assert again.standing[used.id] is Status.ACTIVE
        assert [again.standing[one.id] for one in later] == [Status.ARCHIVED, Status.ACTIVE, Status.ACTIVE]


def test_what_ended_while_it_was_put_away_is_archived_when_it_is_back(owner: Owner) -> None:
    one = owner.tell(expires_in="3d", importance=0.9)
    owner.come(1)
    batch = owner.engine.forget(ids=one.id).id
    owner.come(5)
    owner.engine.restore(batch=batch)
    assert owner.simulate(DEFAULT).standing == owner.statuses() == {one.id: Status.ACTIVE}
    owner.come(1)
    assert owner.simulate(DEFAULT).standing == owner.statuses() == {one.id: Status.ARCHIVED}


def test_the_same_past_gives_the_same_answer_in_whatever_order_it_is_read(owner: Owner) -> None:
    chance = random.Random(7)
    for number in range(60):
        owner.tell(importance=chance.random(), scope="/project" if number % 2 else "/", tier=chance.choice(TIERS))
        owner.come(1)
        owner.engine.recall(owner.told[chance.randrange(len(owner.told))].text)
    memories, events, days = owner.everything
    crowded = changed(CROWDED, budgets={"scopes": MappingProxyType({"/project": Budget(memories=5)})})
    first = owner.simulate(crowded, ahead_days=30)
    assert first.fallen
    assert first.misses
    for sequence in (memories, events, days):
        chance.shuffle(sequence)
    now = owner.clock.now()
    assert simulate(memories, events, days, crowded, now=now, ahead_days=30, recorded=DEFAULT) == first


TIERS = ("semantic", "episodic", "working")


def test_a_time_to_live_that_came_with_the_category_is_that_of_the_policy(owner: Owner) -> None:
    """Not told which policy it came with, it is as it was stored; and the caller's own word stays in any case."""
    other = dataclasses.replace(DEFAULT, categories=MappingProxyType(short_lived("fact", 72)))
    lamp = owner.tell("The lamp is green", importance=0.9)
    door = owner.tell("The door is blue", importance=0.9, expires_in="6d")
    owner.come(10)
    ends = {fallen.memory: fallen.reason for fallen in owner.simulate(other).fallen}
    assert ends[lamp.id] == "its time to live ended on 2026-01-04"
    assert ends[door.id] == "its time to live ended on 2026-01-07"
    assert {fallen.memory for fallen in owner.simulate(other, recorded=None).fallen} == {door.id}


def test_a_tier_that_nobody_chose_is_that_of_the_policy(owner: Owner) -> None:
    fleeting = changed(defaults={"tier": Tier.EPISODIC})
    left_open, chosen = owner.tell(importance=0.9), owner.tell(importance=0.9, tier="procedural")
    owner.come(30)
    fell = {fallen.memory for fallen in owner.simulate(fleeting).fallen}
    assert fell == {left_open.id}
    assert owner.simulate(fleeting, recorded=None).fallen == (), "as stored, it is semantic and fades more slowly"
    assert owner.simulate(fleeting).standing[chosen.id] is Status.ACTIVE


def test_a_pin_by_rule_is_by_the_rules_of_the_policy(owner: Owner) -> None:
    roofs = changed(protection={"auto_pin": (re.compile("roof"),)})
    allergy = owner.tell("She is allergic to nuts", importance=0.2)
    roof = owner.tell("The roof leaks", importance=0.2)
    by_hand = owner.tell("The door is blue", importance=0.2, pinned=True)
    owner.come(30)
    assert [owner.statuses()[one.id] for one in (allergy, roof)] == [Status.ACTIVE, Status.ARCHIVED]
    found = owner.simulate(roofs).standing
    assert (found[allergy.id], found[roof.id], found[by_hand.id]) == (Status.ARCHIVED, Status.ACTIVE, Status.ACTIVE)


def test_recall_finds_nothing_past_its_time_to_live_swept_or_not(owner: Owner) -> None:
    briefly = dataclasses.replace(DEFAULT, categories=MappingProxyType(short_lived("fact", 26)))
    lamp = owner.tell("The lamp is green")
    owner.wait(27)
    owner.engine.recall("lamp green")
    [miss] = owner.simulate(briefly).misses
    assert (miss.memory, miss.reason) == (lamp.id, "its time to live ended on 2026-01-02")


def short_lived(category: str, hours: int) -> dict[str, Any]:
    lifetime = dataclasses.replace(DEFAULT.categories[category], ttl=timedelta(hours=hours))
    return {**DEFAULT.categories, category: lifetime}


def test_what_its_owner_did_is_done_whatever_the_policy(owner: Owner) -> None:
    put_away, back, replaced = (owner.tell(importance=0.9) for _ in range(3))
    owner.come(2)
    owner.engine.forget(ids=put_away.id)
    batch = owner.engine.forget(ids=back.id).id
    winner = owner.tell(supersedes=replaced.id, importance=0.9)
    owner.come(1)
    owner.engine.restore(batch=batch)
    expected = {
        put_away.id: Status.FORGOTTEN,
        back.id: Status.ACTIVE,
        replaced.id: Status.SUPERSEDED,
        winner.id: Status.ACTIVE,
    }
    for policy in (STRICT, DEFAULT, LAX):
        assert owner.simulate(policy).standing == expected


def test_what_was_brought_back_by_hand_comes_back_and_what_a_sweep_did_is_not_repeated(owner: Owner) -> None:
    gossip = owner.tell("The kitchen is yellow", importance=0.3)
    owner.come(30)
    assert owner.statuses()[gossip.id] is Status.ARCHIVED
    assert owner.simulate(LAX).standing[gossip.id] is Status.ACTIVE, "a sweep's doing is the policy's"
    owner.engine.restore(gossip.id)
    owner.come(20)
    for policy in (STRICT, DEFAULT, LAX):
        assert owner.simulate(policy).standing[gossip.id] is Status.ACTIVE
    assert owner.simulate(DEFAULT, ahead_days=30).standing[gossip.id] is Status.ARCHIVED


def test_what_was_purged_is_left_out_and_the_answer_says_so(owner: Owner) -> None:
    gone, kept = owner.tell("The lamp is green"), owner.tell("The door is blue")
    owner.come(1)
    owner.engine.recall("lamp green")
    owner.engine.purge(ids=gone.id)
    found = owner.simulate(STRICT)
    assert found.standing == {kept.id: Status.ACTIVE}
    assert any("Purged, and so left out: 1" in note for note in found.notes)


TRIPS = [f"The ferry to Porto left at {hour} o'clock on a grey morning and the sea was calm" for hour in (7, 8, 9)]


def test_a_use_of_a_summary_is_a_use_of_what_it_was_made_of(owner: Owner) -> None:
    originals = [owner.tell(text, importance=0.9) for text in TRIPS]
    owner.come(10)
    [summary] = owner.engine.compact(scope="/").summaries
    owner.come(2)
    owner.engine.used(summary.id)
    owner.come(8)
    owner.engine.recall("ferry to Porto", session="evening")
    assert [event.memory for event in owner.events if event.kind is EventKind.REINFORCED] == [summary.id] * 2
    usual = owner.simulate(changed(curve={"slowdown": 2.0}))
    assert usual.standing == {one.id: Status.ACTIVE for one in originals}, "as if each had been used"
    assert (usual.recalls, usual.misses) == (2, ())
    assert any("Summaries left out: 1" in note for note in usual.notes)
    archiving = changed(ladder={"summarize": 0.7, "detach": 0.6, "archive": 0.55})
    strict = owner.simulate(archiving)
    assert [miss.memory for miss in strict.misses] == [originals[0].id] * 2
    assert strict.misses[0].text == TRIPS[0]


def test_forgetting_a_summary_forgets_what_it_said(owner: Owner) -> None:
    originals = [owner.tell(text, importance=0.9) for text in TRIPS]
    owner.come(10)
    [summary] = owner.engine.compact(scope="/").summaries
    batch = owner.engine.forget(ids=summary.id).id
    assert owner.simulate(LAX).standing == {one.id: Status.FORGOTTEN for one in originals}
    owner.engine.restore(batch=batch)
    assert owner.simulate(LAX).standing == {one.id: Status.ACTIVE for one in originals}


def test_a_summary_that_goes_with_another_takes_nothing_along(owner: Owner) -> None:
    """It goes when it is undone, and when one that it was made of is forgotten; nobody asked to forget the rest."""
    first, second, third = (owner.tell(text, importance=0.9) for text in TRIPS)
    owner.come(10)
    made = owner.engine.compact(scope="/")
    owner.engine.restore(batch=made.id)
    assert set(owner.simulate(LAX).standing.values()) == {Status.ACTIVE}
    other = Owner()
    with other.engine as engine:
        first, second, third = (other.tell(text, importance=0.9) for text in TRIPS)
        other.come(10)
        assert engine.compact(scope="/").summaries
        engine.forget(ids=second.id)
        expected = {first.id: Status.ACTIVE, second.id: Status.FORGOTTEN, third.id: Status.ACTIVE}
        assert other.simulate(LAX).standing == expected


def test_a_memory_without_a_beginning_in_the_log_begins_when_it_was_made(owner: Owner) -> None:
    lamp = owner.tell("The lamp is green", importance=0.4)
    owner.come(30)
    memories, _, days = owner.everything
    found = simulate(memories, [], days, DEFAULT, now=owner.clock.now(), ahead_days=0)
    assert found.since == lamp.created_at
    assert found.standing == owner.statuses()
    assert falls(found) == first_falls(owner.events)


def test_points_are_days_and_what_stood_at_their_ends(owner: Owner) -> None:
    for number in range(3):
        owner.tell(importance=0.2 + number / 4)
        owner.come(1)
    found = owner.simulate(DEFAULT, ahead_days=40)
    assert [point.date for point in found.points] == [START.date() + day * DAY for day in range(44)]
    assert [point.active for point in found.points[:4]] == [1, 2, 3, 3]
    tokens = [one.tokens for one in owner.told]
    assert [point.active_tokens for point in found.points[:3]] == [sum(tokens[: n + 1]) for n in range(3)]
    for point in found.points[3:]:
        assert point.active + point.detached + point.archived == 3
    last = found.points[-1]
    assert (last.active, last.detached, last.archived) == tuple(
        list(found.standing.values()).count(rung) for rung in RUNGS
    )
    assert found.share_active == last.active / 3
    assert (found.since, found.now, found.until) == (START, owner.clock.now(), owner.clock.now() + 40 * DAY)


def test_a_long_time_is_drawn_with_few_points(owner: Owner) -> None:
    owner.tell()
    found = owner.simulate(DEFAULT, ahead_days=2000)
    assert 150 < len(found.points) <= POINTS_MAX
    gaps = {one.date - other.date for other, one in zip(found.points[:-2], found.points[1:-1], strict=True)}
    assert len(gaps) == 1
    assert found.points[-1].date == found.until.date()


def test_progress_goes_up_and_ends_at_the_whole(owner: Owner) -> None:
    for _ in range(3):
        owner.tell()
    told: list[tuple[int, int]] = []
    owner.simulate(DEFAULT, ahead_days=2500, progress=lambda done, total: told.append((done, total)))
    assert len(told) >= 2
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


def test_nothing_happened_to_nobody() -> None:
    found = simulate([], [], [], DEFAULT, now=START, ahead_days=10)
    assert (found.standing, found.fallen, found.misses, found.recalls) == ({}, (), (), 0)
    assert (found.since, found.share_active, found.share_found) == (START, 0.0, 1.0)


def test_what_is_told_can_be_written_as_json(owner: Owner) -> None:
    owner.tell(importance=0.2)
    owner.come(9)
    owner.engine.used(owner.told[0].id)
    told = json.loads(json.dumps(plain(owner.simulate(STRICT, ahead_days=1))))
    assert told["points"][0]["date"] == "2026-01-01"
    assert told["misses"][0]["memory"] == owner.told[0].id


def test_an_agent_gathers_what_it_sees(owner: Owner) -> None:
    engine = owner.engine
    other = Engine(store=engine.store, policy=DEFAULT, clock=owner.clock, models=engine.models, agent="other")
    shared = owner.tell("The lamp is green")
    private = other.remember("The door is blue", visibility="private").memories[0]
    for view, seen in ((View("default"), {shared.id}), (View("default", "other"), {shared.id, private.id})):
        with engine.store.read(view) as tx:
            memories, events, days = gather(tx)
        assert {memory.id for memory in memories} == {event.memory for event in events} == seen
        assert [day for day, _ in days] == [START.date()]
