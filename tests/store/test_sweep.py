"""The way down: every rung is reachable, nothing protected is touched, and how often one sweeps never shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing.domain.ids import new_id
from ebbing.domain.memory import Memory, Status
from ebbing.domain.policy.loader import load
from ebbing.domain.results import Step, Sweep
from ebbing.domain.retention import strength_of
from ebbing.engine import Engine
from ebbing.ports import Store, View, WriteTransaction
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.properties import examples
from tests.store.making import ids
from tests.store.test_days import moment_of

DEFAULT = load()
FADING = sorted(
    name
    for name, category in DEFAULT.categories.items()
    if category.decay_per_day > 0 and name not in DEFAULT.protection.categories
)


def live(engine: Engine, clock: FrozenClock, days: int, *, sweep: bool = False) -> None:
    """Use the system on so many days in a row, for something else."""
    for _ in range(days if sweep else 1):
        with engine.store.write(View(engine.owner, every_agent=True)) as tx:
            for _ in range(1 if sweep else days):
                tx.owner.mark_active_day(clock.advance(days=1))
        if sweep:
            engine.sweep()


def plan_of(sweep: Sweep) -> list[tuple[Any, ...]]:
    return [(a.memory, a.step, a.reason, a.strength, a.threshold) for a in sweep.actions]


def status(engine: Engine, one: Memory) -> Status:
    return engine.get(one.id).status


def test_every_category_that_fades_reaches_every_rung_under_the_default_policy(
    engine: Engine, clock: FrozenClock
) -> None:
    """What is very weak at the end of its grace period, or has a short time to live, goes straight to the archive."""
    several = {
        (category, importance): engine.remember(
            f"{category} {importance}", category=category, importance=importance
        ).memories[0]
        for category in FADING
        for importance in (0.2, 0.5, 1.0)
    }
    seen: dict[tuple[str, float], list[Status]] = {key: [Status.ACTIVE] for key in several}
    for _ in range(200):
        live(engine, clock, 2)
        for action in engine.sweep().actions:
            key = next(key for key, one in several.items() if one.id == action.memory.id)
            seen[key].append(action.status)
    whole_way, short = [Status.ACTIVE, Status.DETACHED, Status.ARCHIVED], [Status.ACTIVE, Status.ARCHIVED]
    short_lived = {
        name for name in FADING if (ttl := DEFAULT.categories[name].ttl) is not None and ttl < timedelta(days=60)
    }
    assert short_lived == {"session_state", "tool_output", "project_status"}
    for (category, importance), way in seen.items():
        brief = category in short_lived or importance == 0.2
        assert way in ((whole_way, short) if brief else (whole_way,)), (category, importance)
    assert any(way == whole_way for (category, _), way in seen.items() if category == "project_status")


def test_what_the_policy_protects_never_goes_down(engine: Engine, clock: FrozenClock) -> None:
    protected = [
        engine.remember("pinned", pinned=True, importance=0.1, category="failure"),
        engine.remember("pinned, with a time to live", pinned=True, category="session_state"),
        engine.remember("who I am", category="identity", importance=0.1),
        engine.remember("what stands", category="active_decision", importance=0.1),
        engine.remember("about the user", scope="/user", category="session_state", importance=0.1),
        engine.remember("further below", scope="/user/home", importance=0.1),
        engine.remember("She is allergic to penicillin", category="session_state", importance=0.1),
    ]
    beside = engine.remember("not about the user", scope="/users", importance=0.1).memories[0]
    for _ in range(20):
        live(engine, clock, 25)
        engine.sweep()
    assert {status(engine, one.memories[0]) for one in protected} == {Status.ACTIVE}
    assert status(engine, beside) is Status.ARCHIVED
    found = engine.recall("penicillin", reinforce=False)
    assert found[0].strength == 1


def test_in_its_first_week_only_a_time_to_live_reaches_a_memory(engine: Engine, clock: FrozenClock) -> None:
    weak = engine.remember("hardly anything", importance=0.01).memories[0]
    brief = engine.remember("for a day", importance=0.01, expires_in="1d").memories[0]
    live(engine, clock, 6, sweep=True)
    clock.advance(hours=23, minutes=59)
    engine.sweep()
    assert status(engine, weak) is Status.ACTIVE
    assert status(engine, brief) is Status.ARCHIVED
    clock.advance(minutes=1)
    assert [action.memory.id for action in engine.sweep().actions] == [weak.id]
    assert status(engine, weak) is Status.ARCHIVED


def test_a_time_to_live_ends_on_the_wall_whatever_the_days_of_use(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("for a fortnight", expires_in="2w", category="identity").memories[0]
    by_category = engine.remember("a state", category="session_state", importance=1.0).memories[0]
    assert by_category.expires_at == clock.now() + timedelta(hours=24)
    clock.advance(days=13, hours=23)
    engine.sweep()
    assert status(engine, one) is Status.ACTIVE
    assert status(engine, by_category) is Status.ARCHIVED
    clock.advance(hours=1)
    action = engine.sweep().actions[0]
    assert (action.memory.id, action.step, action.threshold) == (one.id, Step.ARCHIVE, None)
    assert "time to live" in action.reason
    assert [r.memory.id for r in engine.recall("fortnight", include=["archived"])] == [one.id]


def test_equal_to_a_threshold_is_kept_and_below_it_is_not(open_engine: OpenEngine, clock: FrozenClock) -> None:
    engine = open_engine()
    exactly = engine.remember("exactly at the threshold", importance=DEFAULT.ladder.detach).memories[0]
    below = engine.remember("just below", importance=DEFAULT.ladder.detach - 1e-9).memories[0]
    clock.advance(days=8)
    with engine.store.write(View("default")) as tx:
        tx.memories.set_due([exactly.with_(due_at=clock.now())])
    sweep = engine.sweep()
    assert sweep.looked_at == 2
    assert [action.memory.id for action in sweep.actions] == [below.id]
    assert status(engine, exactly) is Status.ACTIVE
    live(engine, clock, 1)
    assert [action.memory.id for action in engine.sweep().actions] == [exactly.id], "kept, and looked at again"


def test_a_strength_that_meets_the_threshold_on_a_later_day_is_looked_at_again(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    policy = tmp_path / "half.toml"
    policy.write_text('[curve]\nname = "half_life"\nparameters = {half_life_days = 30}\n')
    engine = open_engine(policy=policy)
    one = engine.remember("half of it", importance=2 * DEFAULT.ladder.detach).memories[0]
    live(engine, clock, 30)
    assert strength_of(one, moment_of(engine), engine.policy) == DEFAULT.ladder.detach
    for _ in range(3):
        assert engine.sweep().actions == []
    live(engine, clock, 1)
    assert [action.memory.id for action in engine.sweep().actions] == [one.id]


def test_being_used_puts_off_the_end(engine: Engine, clock: FrozenClock) -> None:
    kept = engine.remember("The lamp is green", importance=0.4).memories[0]
    left = engine.remember("Lunch was late", importance=0.4).memories[0]
    for day in range(30):
        live(engine, clock, 1, sweep=True)
        if day % 5 == 0:
            engine.used(kept.id, session=f"s{day}")
    assert [status(engine, one) for one in (kept, left)] == [Status.ACTIVE, Status.ARCHIVED]
    live(engine, clock, 60, sweep=True)
    assert status(engine, kept) is not Status.ACTIVE


def test_sweeping_twice_is_sweeping_once(engine: Engine, clock: FrozenClock) -> None:
    several = engine.remember_many(
        [{"text": f"note {number}", "importance": number / 40} for number in range(40)]
    ).memories
    live(engine, clock, 14)
    first = engine.sweep()
    after = [engine.get(one.id) for one in several]
    assert first.actions
    for _ in range(5):
        again = engine.sweep()
        assert again.actions == []
        assert again.looked_at == 0, "what stays has its alarm in the future"
    assert [engine.get(one.id) for one in several] == after


KINDS = st.sampled_from(["fact", "failure", "observation", "session_state", "tool_output", "identity", "strategy"])
MEMORIES = st.lists(
    st.tuples(KINDS, st.floats(0, 1), st.sampled_from(["semantic", "working"]), st.integers(0, 90)),
    min_size=1,
    max_size=6,
)
# A day: whether the owner used it, which memory was used, and when sweeps ran.
DAYS = st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=1, max_size=25)


def lived(
    engine: Engine,
    start: str,
    kinds: Sequence[tuple[str, float, str, int]],
    days: Sequence[tuple[bool, int]],
    sweeps: Sequence[int],
) -> list[Status]:
    """The statuses at the end of a life in which sweeps ran on the days given, and on the last."""
    clock = FrozenClock(start)
    owner = Engine(
        store=engine.store, policy=engine.policy, clock=clock, models=engine.models, owner=new_id(clock.now())
    )
    made = owner.remember_many(
        {
            "text": f"memory {number}",
            "category": category,
            "importance": importance,
            "tier": tier,
            "created_at": clock.now() - timedelta(days=age),
        }
        for number, (category, importance, tier, age) in enumerate(kinds)
    ).memories
    for number, (used, hours) in enumerate(days):
        clock.advance(hours=24 + hours)
        if used:
            with owner.store.write(View(owner.owner)) as tx:
                tx.owner.mark_active_day(clock.now())
        for _ in range(sweeps.count(number)):
            owner.sweep()
    owner.sweep()
    return [owner.get(one.id).status for one in made]


@examples(20)
@given(MEMORIES, DAYS, st.lists(st.integers(0, 24), max_size=30))
def test_any_cadence_of_sweeping_ends_in_the_same_statuses(
    engine: Engine, kinds: list[tuple[str, float, str, int]], days: list[tuple[bool, int]], sweeps: list[int]
) -> None:
    start = "2026-01-01T09:00:00Z"
    once = lived(engine, start, kinds, days, [])
    assert lived(engine, start, kinds, days, sweeps) == once
    assert lived(engine, start, kinds, days, list(range(len(days))) * 2) == once


@examples(20)
@given(MEMORIES, st.integers(1, 60), st.one_of(st.none(), st.integers(1, 5)))
def test_a_dry_run_is_the_plan_that_a_real_run_carries_out(
    engine: Engine, kinds: list[tuple[str, float, str, int]], days: int, limit: int | None
) -> None:
    clock = FrozenClock()
    owner = Engine(
        store=engine.store, policy=engine.policy, clock=clock, models=engine.models, owner=new_id(clock.now())
    )
    for number, (category, importance, tier, age) in enumerate(kinds):
        when = clock.now() - timedelta(days=age)
        owner.remember(f"m {number}", category=category, importance=importance, tier=tier, created_at=when)
    live(owner, clock, days)
    before = owner.list(status=[each.value for each in Status])
    planned = owner.sweep(dry_run=True, limit=limit)
    assert planned.dry_run
    assert owner.list(status=[each.value for each in Status]) == before
    done = owner.sweep(limit=limit)
    assert plan_of(done) == plan_of(planned)
    for action in done.actions:
        assert owner.get(action.memory.id).status is action.status
    assert limit is None or len(done.actions) <= limit


def test_a_sweep_goes_on_from_where_another_stopped(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    policy = tmp_path / "small.toml"
    policy.write_text("[sweep]\nbatch = 3\n")
    engine = open_engine(policy=policy)
    several = engine.remember_many([{"text": f"note {number}", "importance": 0.2} for number in range(20)]).memories
    live(engine, clock, 10)
    expected = engine.sweep(dry_run=True).actions
    assert len(expected) == 20
    first = engine.sweep(limit=4)
    second = engine.sweep(limit=1)
    rest = engine.sweep()
    assert [len(sweep.actions) for sweep in (first, second, rest)] == [4, 1, 15]
    done = [action.memory.id for sweep in (first, second, rest) for action in sweep.actions]
    assert done == [action.memory.id for action in expected], "the longest overdue go first"
    assert sorted(done) == sorted(ids(several))


def test_a_sweep_of_many_works_in_batches_of_the_policy(engine: Engine, clock: FrozenClock) -> None:
    engine.remember_many([{"text": f"note {number}", "importance": 0.2} for number in range(600)])
    assert engine.sweep().looked_at == 0, (
        "one began by itself at the soft limit; this waits for it, before anything is due"
    )
    live(engine, clock, 30)
    sweep = engine.sweep()
    assert len({action.memory.id for action in sweep.actions}) == sweep.looked_at == 600
    with engine.store.read(View("default")) as tx:
        events = tx.events.of_batch(sweep.batch)
    assert len({event.memory for event in events}) == 600
    last = {event.memory: event.kind.value for event in events}
    assert last == {action.memory.id: action.status for action in sweep.actions}, "each is told once, where it ended"
    assert engine.sweep().looked_at == 0
    assert all(finding.ok for finding in engine.store.check())


class Told(list[tuple[int, int]]):
    """What a progress bar is told."""

    def __call__(self, done: int, total: int) -> None:
        self.append((done, total))


def test_the_progress_of_a_sweep_goes_up_with_each_batch_until_nothing_is_due(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    policy = tmp_path / "small.toml"
    policy.write_text("[sweep]\nbatch = 3\n")
    engine = open_engine(policy=policy)
    engine.remember_many([{"text": f"note {number}", "importance": 0.2} for number in range(20)])
    live(engine, clock, 10)
    told = Told()
    engine.sweep(progress=told)
    assert (told[0], told[-1]) == ((0, 20), (20, 20))
    assert told == sorted(told)
    assert len(set(told)) > 5


def test_the_progress_of_a_dry_run_goes_up_too(engine: Engine, clock: FrozenClock) -> None:
    engine.remember_many([{"text": f"note {number}", "importance": 0.2} for number in range(300)])
    live(engine, clock, 10)
    told = Told()
    assert len(engine.sweep(dry_run=True, progress=told).actions) == 300
    assert told[-1] == (300, 300)
    assert told == sorted(told)
    assert len(set(told)) > 3


class MidnightStore:
    """A store for which a day passes before one of its writes."""

    def __init__(self, store: Store, writes: int, pass_midnight: Callable[[], object]) -> None:
        self._store = store
        self._writes = writes
        self._pass_midnight = pass_midnight

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def write(self, view: View, *, durable: bool = True) -> AbstractContextManager[WriteTransaction]:
        self._writes -= 1
        if not self._writes:
            self._pass_midnight()
        return self._store.write(view, durable=durable)


def test_a_day_that_begins_while_a_sweep_is_under_way_is_swept_by_the_next(engine: Engine, clock: FrozenClock) -> None:
    """The sweep looked at the day before: what the new one brings has not been looked at."""
    several = engine.remember_many([{"text": f"note {number}", "importance": 0.301} for number in range(5)]).memories
    (due_day,) = {one.due_day for one in several}
    while moment_of(engine).day + 1 < (due_day or 0):
        live(engine, clock, 1)
    store: Any = MidnightStore(engine.store, 2, lambda: live(engine, clock, 1))  # behind the lease
    late = Engine(store=store, policy=engine.policy, clock=clock, models=engine.models)
    assert late.sweep().looked_at == 0
    assert moment_of(engine).day == due_day
    assert engine.store.owners(due=clock.now()) == [engine.owner]
    assert engine.sweep().looked_at == 5


def test_a_memory_brought_back_survives_the_next_sweeps(engine: Engine, clock: FrozenClock) -> None:
    faded = engine.remember("The lamp is green", importance=0.2).memories[0]
    expired = engine.remember("A passing state", category="session_state").memories[0]
    detached = engine.remember("Lunch was late", importance=0.4).memories[0]
    live(engine, clock, 20, sweep=True)
    several = (faded, expired, detached)
    assert [status(engine, one) for one in several] == [Status.ARCHIVED, Status.ARCHIVED, Status.DETACHED]
    engine.restore(ids(several))
    assert {status(engine, one) for one in several} == {Status.ACTIVE}
    live(engine, clock, 29, sweep=True)
    assert {status(engine, one) for one in several} == {Status.ACTIVE}
    live(engine, clock, 2, sweep=True)
    assert Status.ACTIVE not in {status(engine, one) for one in several}, "a month to prove itself, and no more"


def test_what_is_brought_back_and_used_stays(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("The lamp is green", importance=0.4).memories[0]
    live(engine, clock, 40, sweep=True)
    assert status(engine, one) is Status.ARCHIVED
    engine.restore(one.id)
    live(engine, clock, 25, sweep=True)
    engine.used(one.id)
    live(engine, clock, 10, sweep=True)
    assert status(engine, one) is Status.ACTIVE


def test_what_is_let_loose_again_is_looked_at_at_once(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("A passing state", category="session_state", pinned=True, expires_in="1d").memories[0]
    old = engine.remember("long ago", importance=0.1, pinned=True).memories[0]
    live(engine, clock, 30, sweep=True)
    assert {status(engine, each) for each in (one, old)} == {Status.ACTIVE}
    engine.unpin(one.id)
    engine.unpin(old.id)
    assert {action.memory.id for action in engine.sweep().actions} == {one.id, old.id}


def test_a_stricter_policy_is_obeyed_by_the_next_sweep(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    """Alarms were set under the old policy, and none may be late under the new one."""
    policy = tmp_path / "fast.toml"
    policy.write_text("[curve]\nslowdown = 0.05\n")
    easy = open_engine()
    one = easy.remember("The lamp is green", importance=0.4).memories[0]
    live(easy, clock, 10, sweep=True)
    assert status(easy, one) is Status.ACTIVE
    strict = open_engine(policy=policy)
    assert strength_of(one, moment_of(strict), strict.policy) < strict.policy.ladder.archive
    planned = strict.sweep(dry_run=True).actions
    assert [action.memory.id for action in planned] == [one.id]
    assert strict.sweep().actions == planned
    assert strict.sweep().looked_at == 0


def test_alarms_that_two_policies_set_are_late_for_neither(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path
) -> None:
    policy = tmp_path / "fast.toml"
    policy.write_text("[curve]\nslowdown = 0.05\n")
    easy, strict = open_engine(), open_engine(policy=policy)
    first = strict.remember("The first lamp", importance=0.5).memories[0]
    second = easy.remember("The second lamp", importance=0.5).memories[0]
    third = strict.remember("The third lamp", importance=0.5).memories[0]
    live(easy, clock, 10)
    assert {action.memory.id for action in strict.sweep().actions} == {first.id, second.id, third.id}
    assert strict.sweep().looked_at == 0


def test_the_working_tier_fades_by_the_hour(engine: Engine, clock: FrozenClock) -> None:
    one = engine.remember("at hand", tier="working", importance=0.5).memories[0]
    clock.advance(days=7)
    assert [action.memory.id for action in engine.sweep().actions] == [one.id]
    assert status(engine, one) is Status.ARCHIVED


def test_a_sweep_lowers_every_agents_memories(open_engine: OpenEngine, clock: FrozenClock) -> None:
    scout, plain = open_engine(agent="scout"), open_engine()
    one = scout.remember("private matter", importance=0.1, visibility="private").memories[0]
    live(plain, clock, 20)
    plain.sweep()
    assert status(scout, one) is Status.ARCHIVED


def test_sweeping_for_an_owner_who_never_came_does_nothing(engine: Engine) -> None:
    sweep = engine.for_owner("nobody").sweep()
    assert (sweep.actions, sweep.looked_at) == ([], 0)
    assert engine.store.owners(due=engine.clock.now()) == []


@pytest.mark.parametrize("batch", [500, 1])
def test_what_was_used_since_its_alarm_joins_no_topic_of_a_day_before(
    open_engine: OpenEngine, clock: FrozenClock, tmp_path: Path, batch: int
) -> None:
    """It is looked at in its turn, however much a sweep looks at together; and a dry run says so."""
    policy = tmp_path / "small.toml"
    policy.write_text(
        f'extends = "fademem"\n[sweep]\nbatch = {batch}\n[match]\nmerge_on_write = false\nfind_contradictions = false\n'
    )
    engine = open_engine(policy=policy)
    several = []
    for number in (1, 2):
        text = f"The deploy of the billing api to staging number {number} failed"
        several += engine.remember(text, importance=0.0).memories
        clock.advance(hours=1)
    clock.advance(days=14)
    engine.used(several[0].id)
    clock.advance(days=1.5)
    for sweep in (engine.sweep(dry_run=True), engine.sweep()):
        assert [(action.memory.id, action.step) for action in sweep.actions] == [(several[1].id, Step.DETACH)]
        assert sweep.summaries == []
