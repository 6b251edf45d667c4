"""Forgetting as laws that hold for any life: when and how often one sweeps never shows, and nothing else is touched."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ebbing.domain.clock import Moment
from ebbing.domain.events import EventKind
from ebbing.domain.ids import new_id
from ebbing.domain.memory import Memory, Status
from ebbing.domain.policy import CurveChoice, Policy
from ebbing.domain.policy.loader import load
from ebbing.domain.results import Doubt, Step, Sweep
from ebbing.domain.retention import strength_of
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.testing import FrozenClock, in_memory
from tests.conftest import OpenEngine
from tests.properties import examples
from tests.store.making import differing
from tests.store.test_sweep import FADING, live
from tests.whole import whole

DEFAULT = load()
# Twins are left to the sweep, which is what these lives are about: what is said again must meet what was said before.
DEFAULT = dataclasses.replace(DEFAULT, match=dataclasses.replace(DEFAULT.match, merge_on_write=False))
EVERY_STATUS = [status.value for status in Status]
START = "2026-01-01T06:00:00Z"
# Texts of few topics, some of which only say the same in other words.
TEMPLATES = (
    "The deploy of the billing api to staging number {} failed",
    "Mara prefers dark mode in the editor",
    "Mara prefers the dark mode in the editor",
    "Mara really prefers dark mode in the editor",
    "The kettle in kitchen {} leaks",
)
ALARMS = {"due_at", "due_day"}


class Note(NamedTuple):
    template: int
    importance: float
    category: str
    tier: str
    day: int  # on which it is said
    private: bool = False
    harm: int = 0


class Day(NamedTuple):
    used: bool
    before: bool  # whether a sweep runs before anything else happens …
    after: bool  # … and whether one runs after
    hours: int  # from one to the other


@st.composite
def lives(draw: st.DrawFn) -> tuple[list[Note], list[Day]]:
    """Few kinds a life, so that topics really form."""
    categories = draw(st.sampled_from([["fact"], ["fact"], ["decision"], ["fact", "finding"], ["failure"]]))
    tiers = draw(st.sampled_from([["semantic"], ["semantic"], ["episodic"], ["episodic", "working"]]))
    templates = draw(st.sampled_from([[0], [0], [0, 4], [1, 2, 3], [0, 1, 2, 3]]))
    last = draw(st.sampled_from([0, 0, 2, 6, 12]))
    notes = draw(
        st.lists(
            st.builds(
                Note,
                st.sampled_from(templates),
                st.sampled_from([0.1, 0.2, 0.25, 0.29, 0.3, 0.35, 0.4, 0.5, 0.7, 1.0]),
                st.sampled_from(categories),
                st.sampled_from(tiers),
                st.integers(0, last),
                st.booleans(),
                st.sampled_from([0, 0, 0, 2]),
            ),
            min_size=3,
            max_size=10,
        )
    )
    days = draw(
        st.lists(
            st.builds(Day, st.booleans(), st.booleans(), st.booleans(), st.integers(0, 9)), min_size=9, max_size=30
        )
    )
    return notes, days


POLICIES = {
    "default": DEFAULT,
    "small batches": dataclasses.replace(DEFAULT, sweep=dataclasses.replace(DEFAULT.sweep, batch=2)),
    "small topics": dataclasses.replace(
        DEFAULT,
        sweep=dataclasses.replace(DEFAULT.sweep, batch=1),
        compaction=dataclasses.replace(DEFAULT.compaction, group_min=2, group_max=3),
    ),
    "a short lookback": dataclasses.replace(
        DEFAULT,
        sweep=dataclasses.replace(DEFAULT.sweep, batch=2),
        compaction=dataclasses.replace(DEFAULT.compaction, lookback=4),
    ),
    "by the wall": dataclasses.replace(DEFAULT, time=dataclasses.replace(DEFAULT.time, clock="wall")),
    "two layers": dataclasses.replace(load("fademem"), match=DEFAULT.match),
    "graduated": dataclasses.replace(load("graduated"), match=DEFAULT.match),
}


@pytest.fixture(scope="module")
def quick() -> Iterator[Engine]:
    """An engine in memory, for many lives; each is another owner's."""
    with in_memory() as engine:
        yield engine


def owner_of(engine: Engine, clock: FrozenClock, policy: Policy = DEFAULT, agent: str | None = None) -> Engine:
    name = new_id(clock.now())
    return Engine(store=engine.store, policy=policy, clock=clock, models=engine.models, owner=name, agent=agent)


def say(owner: Engine, notes: Sequence[Note], day: int) -> None:
    for number, note in enumerate(notes):
        text = TEMPLATES[note.template].format(number)
        # Said again, a text would be of use again; and what is of use depends on what is still there to be found.
        if note.day == day and text not in [TEMPLATES[one.template] for one in notes[:number]]:
            owner.remember(
                text,
                importance=note.importance,
                category=note.category,
                tier=note.tier,
                harm=note.harm,
                session=str(number),
            )


def lived(owner: Engine, clock: FrozenClock, notes: Sequence[Note], days: Sequence[Day], sweeps: Sequence[str]) -> None:
    """A life in which sweeps ran as the days say, or at all those times, or at none; and one at the end."""
    for number, day in enumerate(days):
        clock.set(START)
        clock.advance(days=number)
        if "all" in sweeps or ("some" in sweeps and day.before):
            owner.sweep()
        clock.advance(hours=day.hours)
        say(owner, notes, number)
        if day.used:
            with owner.store.write(View(owner.owner)) as tx:
                tx.owner.mark_active_day(clock.now())
        if "all" in sweeps or ("some" in sweeps and day.after):
            owner.sweep()
    clock.set(START)
    clock.advance(days=len(days) - 1, hours=17)


def everything(owner: Engine) -> list[Memory]:
    return owner.list(status=EVERY_STATUS, limit=1000)


def end(owner: Engine) -> list[str]:
    """All that a life leaves behind, but for the names of summaries, the alarms, and when a merge was done."""
    several = everything(owner)
    known = {one.id: (one.text, one.created_at) for one in several}
    with owner.store.read(View(owner.owner, every_agent=True)) as tx:
        since = tx.queue.since(list(known))
    return sorted(
        repr(
            (
                dataclasses.asdict(
                    one.with_(
                        id="",
                        owner="",
                        superseded_by=None,
                        valid_until=None,
                        derived_from=(),
                        due_at=None,
                        due_day=None,
                    )
                ),
                [known[id_] for id_ in one.derived_from],
                known.get(one.superseded_by or ""),
                since.get(one.id),
            )
        )
        for one in several
    )


# When and how often


def ends(engine: Engine, policy: Policy, notes: Sequence[Note], days: Sequence[Day]) -> Iterator[list[str]]:
    for sweeps in ("none", "some", "all"):
        clock = FrozenClock(START)
        owner = owner_of(engine, clock, policy)
        lived(owner, clock, notes, days, [sweeps])
        owner.sweep()
        yield end(owner)


@pytest.mark.parametrize("policy", POLICIES)
@examples(12)
@given(lives())
def test_any_cadence_of_sweeping_ends_in_the_same_memories_and_summaries(
    quick: Engine, policy: str, life: tuple[list[Note], list[Day]]
) -> None:
    """Also where a sweep comes in the first hours of a day that is used later."""
    once, some, every = ends(quick, POLICIES[policy], *life)
    assert some == once
    assert every == once


@examples(4)
@given(lives())
def test_any_cadence_ends_in_the_same_on_every_engine(engine: Engine, life: tuple[list[Note], list[Day]]) -> None:
    once, some, every = ends(engine, DEFAULT, *life)
    assert some == once
    assert every == once


def test_lives_like_these_have_topics_and_twins_so_the_tests_above_can_fail(quick: Engine) -> None:
    notes = [Note(0, 0.29, "fact", "semantic", 0)] * 3 + [
        Note(number, 0.29, "fact", "semantic", 0) for number in (1, 2)
    ]
    days = [Day(False, False, False, 0)] * 10
    for sweeps in ("none", "all"):
        clock = FrozenClock(START)
        owner = owner_of(quick, clock)
        lived(owner, clock, notes, days, [sweeps])
        owner.sweep()
        counts = [(one.category, one.status) for one in everything(owner)]
        assert sorted(counts) == [
            ("fact", Status.ACTIVE),
            *[("fact", Status.ARCHIVED)] * 3,
            ("fact", Status.SUPERSEDED),
            ("summary", Status.ACTIVE),
        ]


def test_a_sweep_in_the_first_hours_of_a_day_and_one_after_its_first_use_end_alike(engine: Engine) -> None:
    """Three notes fell yesterday and fall further today, if today is used: they are summarized as of yesterday."""
    policy = dataclasses.replace(DEFAULT, curve=CurveChoice("ebbinghaus", 1.5))
    for at_four in (True, False):
        clock = FrozenClock("2026-01-01T09:00:00Z")
        owner = owner_of(engine, clock, policy)
        notes = [Note(0, 0.45, "failure", "semantic", 0)] * 3
        say(owner, notes, 0)
        live(owner, clock, 7)
        owner.sweep()
        clock.set("2026-01-09T04:00:00Z")
        if at_four:
            owner.sweep()
        clock.set("2026-01-08T09:00:00Z")
        live(owner, clock, 1)
        owner.sweep()
        (summary,) = owner.list(categories=["summary"])
        moment = Moment(clock.now(), summary.used_day + 8)
        assert strength_of(owner.get(summary.derived_from[0]), moment, policy) < policy.ladder.detach
        assert {owner.get(id_).status for id_ in summary.derived_from} == {Status.ARCHIVED}


def test_what_a_limit_left_over_is_lowered_by_the_next_sweep_of_the_same_day(
    engine: Engine, clock: FrozenClock
) -> None:
    """Also what fell by days of use, of which the owner's counters say that they have not moved since."""
    for number in range(5):
        engine.remember(f"value {number}", subject="s", attribute=str(number), importance=0.5)
    live(engine, clock, 300)
    assert len(engine.sweep(limit=2).actions) == 2
    assert len(engine.list(status="active")) == 3
    engine.sweep()
    assert engine.list() == []


@pytest.mark.parametrize("policy", ["default", "small batches", "a short lookback", "two layers"])
@examples(12)
@given(lives())
def test_sweeping_twice_is_sweeping_once(quick: Engine, policy: str, life: tuple[list[Note], list[Day]]) -> None:
    clock = FrozenClock(START)
    owner = owner_of(quick, clock, POLICIES[policy])
    lived(owner, clock, *life, ["some"])
    owner.sweep()
    once = everything(owner)
    again = owner.sweep()
    assert (again.actions, again.summaries, again.looked_at) == ([], [], 0)
    assert everything(owner) == once


def told(sweep: Sweep) -> list[Any]:
    """What a sweep says, but for the names that its summaries get, and the alarms that a first round set anew."""
    texts = {one.id: one.text for one in sweep.summaries}
    known = {action.memory.id for action in sweep.actions}
    actions = [
        (
            a.memory.with_(due_at=None, due_day=None),
            a.step,
            a.reason,
            a.strength,
            a.threshold,
            texts.get(a.into or "", a.into if a.into in known else None),
        )
        for a in sweep.actions
    ]
    # Of a summary of summaries that were made in the same sweep only their number is the same each time.
    summaries = [
        (one.text, one.importance, one.tier, one.created_at, [id_ if id_ in known else "" for id_ in one.derived_from])
        for one in sweep.summaries
    ]
    return [sorted(actions, key=repr), sorted(summaries, key=repr)]


@pytest.mark.parametrize("policy", ["default", "small batches", "small topics", "a short lookback", "two layers"])
@examples(12)
@given(lives(), st.none() | st.integers(1, 4))
def test_a_dry_run_is_the_plan_that_a_real_run_carries_out(
    quick: Engine, policy: str, life: tuple[list[Note], list[Day]], limit: int | None
) -> None:
    clock = FrozenClock(START)
    owner = owner_of(quick, clock, POLICIES[policy])
    lived(owner, clock, *life, ["none"])
    before = everything(owner)
    planned = owner.sweep(dry_run=True, limit=limit)
    assert everything(owner) == before
    done = owner.sweep(limit=limit)
    if limit is None:
        assert told(done) == told(planned)
    for action in done.actions:
        assert owner.get(action.memory.id).status is action.status
    for summary in done.summaries:
        assert owner.get(summary.id) == summary
    # Stopped anywhere, the next goes on from there.
    rest = owner.sweep(dry_run=True)
    assert told(owner.sweep()) == told(rest)
    assert owner.sweep(dry_run=True).actions == []


@pytest.mark.parametrize("ahead", ["2027-06-01T09:00:00Z", "2020-06-01T09:00:00Z"])
def test_a_day_counted_by_a_clock_that_was_wrong_stops_no_sweep(quick: Engine, ahead: str) -> None:
    """What falls due on it is looked at all the same, and nothing is looked at for ever."""
    clock = FrozenClock(START)
    owner = owner_of(quick, clock, POLICIES["small batches"])
    several = owner.remember_many({"text": f"thing {n}", "importance": 0.301} for n in range(6)).memories
    assert len({one.due_day for one in several}) == 1
    clock.set(ahead)
    with owner.store.write(View(owner.owner)) as tx:
        assert tx.owner.mark_active_day(clock.now()).day == several[0].due_day
    clock.set(START)
    clock.advance(days=1)
    assert owner.sweep().looked_at == 6
    assert owner.sweep().looked_at == 0
    live(owner, clock, 60)
    owner.sweep()
    assert owner.list() == []


# What is touched


@pytest.mark.parametrize("policy", ["default", "two layers"])
@examples(15)
@given(lives(), st.lists(st.integers(0, 9), max_size=4))
def test_a_sweep_touches_only_what_it_names_and_never_what_a_use_has_left(
    quick: Engine, policy: str, life: tuple[list[Note], list[Day]], used: list[int]
) -> None:
    """Neither a merge nor a summary reaches a third memory; what uses have added, or raised, survives every sweep."""
    clock = FrozenClock(START)
    owner = owner_of(quick, clock, POLICIES[policy])
    lived(owner, clock, *life, ["none"])
    several = everything(owner)
    assume(several)
    for number in used:
        owner.used(several[number % len(several)].id, session=str(number))
    clock.advance(days=20)
    before = {one.id: one for one in everything(owner)}
    sweep = owner.sweep()
    named = {action.memory.id: action for action in sweep.actions}
    for one in everything(owner):
        if one.id not in before:
            assert one.derived_from
            assert set(one.derived_from) <= {*before, *(summary.id for summary in everything(owner))}
            continue
        changed = set(differing(one, before[one.id])) - ALARMS
        if one.id not in named:
            assert changed == set()
        else:
            more = {Step.MERGE: {"superseded_by", "valid_until", "contested"}, Step.REVIEW: {"held_at"}}
            assert changed <= {"status", "tier"} | more.get(named[one.id].step, set())


@examples(20)
@given(lives(), st.sets(st.integers(0, 9), min_size=1))
def test_forgetting_and_restoring_is_as_if_nothing_had_happened(
    quick: Engine, life: tuple[list[Note], list[Day]], chosen: set[int]
) -> None:
    """In any life, for any of its memories, by the batch."""
    clock = FrozenClock(START)
    owner = owner_of(quick, clock)
    lived(owner, clock, *life, ["some"])
    with owner.store.write(View(owner.owner)) as tx:
        tx.owner.mark_active_day(clock.now())
    owner.sweep()
    several = everything(owner)
    picked = {several[number % len(several)].id for number in chosen}
    before = {one.id: one for one in several}
    batch = owner.forget(ids=sorted(picked))
    owner.restore(batch=batch.id)
    for one in everything(owner):
        assert set(differing(one, before[one.id])) <= ALARMS


# Where it ends


@examples(10)
@given(lives())
def test_in_the_end_everything_that_may_fade_is_out_of_use(quick: Engine, life: tuple[list[Note], list[Day]]) -> None:
    """Whatever it is linked with: summaries with their originals, losers with their winners, values of one subject."""
    clock = FrozenClock(START)
    owner = owner_of(quick, clock)
    lived(owner, clock, *life, ["some"])
    for value in ("Rome", "Oslo", "Porto"):
        owner.remember(f"Ada lives in {value}", subject="Ada", attribute="city", importance=0.8)
    owner.remember("Ada likes tea", subject="Ada", attribute="drink", importance=0.9)
    first = owner.remember("The door is blue", importance=0.7).memories[0]
    owner.remember("The door is red", supersedes=first.id, importance=0.7)
    kept = owner.remember("Ada is her name", category="identity").memories[0]
    live(owner, clock, 3000)
    owner.sweep()
    for waiting in owner.review(limit=1000):
        if waiting.doubt is Doubt.LEAVING:
            owner.settle(waiting.memory.id, keep=False)
    assert [one.id for one in owner.list(limit=1000)] == [kept.id]


def test_every_rung_is_reached_under_the_default_policy(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """Three notes of a topic are summarized, and their summary then goes down the rest of the way."""
    engine = open_engine(clock=clock)
    reached: dict[str, set[Step]] = {}
    lasting = [name for name in FADING if (ttl := DEFAULT.categories[name].ttl) is None or ttl > timedelta(days=60)]
    for category in lasting:
        for text in ("failed because disk 3 was full", "was repeated by Mara", "took 14 minutes"):
            engine.remember(
                f"The deploy of the billing api to staging {text}",
                scope=f"/{category}",
                category=category,
                importance=0.5,
            )
        engine.remember("Ravens can count", scope=f"/{category}", category=category, importance=0.5)
    for days in [2] * 25 + [10] * 20:
        live(engine, clock, days)
        for action in engine.sweep().actions:
            reached.setdefault(action.memory.scope[1:], set()).add(action.step)
    assert reached == {name: {Step.SUMMARIZE, Step.DETACH, Step.ARCHIVE} for name in lasting}
    summaries = [one for one in everything(engine) if one.derived_from]
    assert {one.status for one in summaries} == {Status.ARCHIVED}
    assert {event.kind for event in engine.history(summaries[0].id)} == {
        EventKind.SUMMARIZED,
        EventKind.DETACHED,
        EventKind.ARCHIVED,
    }


# What is private


def seen(engine: Engine, answers: Sequence[object]) -> str:
    """All that an agent gets to see, after the answers it was given."""
    question = "deploy billing api staging Mara dark mode kettle"
    looks: list[Callable[[], object]] = [
        lambda: everything(engine),
        lambda: engine.recall(question, include=["detached", "archived", "superseded"], limit=100, reinforce=False),
        lambda: engine.compact(scope="/", dry_run=True),
        lambda: engine.sweep(dry_run=True),
    ]
    return whole([*answers, *(look() for look in looks)])


@examples(15)
@given(lives())
def test_what_is_private_never_becomes_visible_to_another_agent(
    quick: Engine, life: tuple[list[Note], list[Day]]
) -> None:
    """Not through a summary, a merge, a listing or what a sweep tells."""
    notes, days = life
    clock = FrozenClock(START)
    scout = owner_of(quick, clock, agent="scout")
    other = Engine(
        store=quick.store, policy=DEFAULT, clock=clock, models=quick.models, owner=scout.owner, agent="other"
    )
    for number, note in enumerate(notes):
        mark = f"SECRET{number}" if note.private else f"plain{number}"
        text = f"{TEMPLATES[note.template].format(number)} {mark}"
        visibility = "private" if note.private else "shared"
        scout.remember(text, importance=note.importance, category=note.category, visibility=visibility)
    answers: list[object] = []
    for number, day in enumerate(days):
        clock.advance(days=1)
        if day.used:
            with other.store.write(View(other.owner)) as tx:
                tx.owner.mark_active_day(clock.now())
        if day.after or number == len(days) - 1:
            answers.append(other.sweep())
        if day.before:
            answers.append(other.compact(scope="/"))
    assert "SECRET" not in seen(other, answers)
    assert all(mark in seen(scout, []) for mark in [f"SECRET{n}" for n, note in enumerate(notes) if note.private])
