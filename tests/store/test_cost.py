"""Work is bounded by what it is about, not by what is stored: counted by the database, not by a stopwatch."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from ebbing.domain.clock import Moment
from ebbing.domain.memory import Memory, Source, Status
from ebbing.domain.retention import with_next_due
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.testing import FrozenClock
from tests.conftest import OpenEngine
from tests.store.making import EMBEDDER, NOW, TODAY, add, memory
from tests.store.traffic import measured

pytestmark = pytest.mark.every_layout

ALL = View("default", every_agent=True)
FEW, MANY = 300, 3000


def fill(engine: Engine, count: int, **given: Any) -> list[Memory]:
    """So many memories that are not due for a long time."""
    moment = Moment(NOW, TODAY)
    several = [
        with_next_due(
            memory(
                f"note {number} about nothing", **{"owner": "default", "importance": 0.9, "fingerprint": None, **given}
            ),
            moment,
            engine.policy,
        )
        for number in range(count)
    ]
    with engine.store.write(ALL) as tx:
        tx.owner.mark_active_day(NOW)
        tx.owner.set_alarm_policy(engine.policy.fingerprint)
        add(tx, *several)
    return several


def make_due(engine: Engine, several: list[Memory]) -> None:
    with engine.store.write(ALL) as tx:
        tx.memories.set_due([one.with_(due_at=NOW - timedelta(days=1), due_day=None) for one in several])


def grown(
    address: str, open_engine: OpenEngine, prepare: Callable[[Engine], None], work: Callable[[Engine], Any]
) -> tuple[int, int]:
    """The cost of `work` when little is stored, and when ten times as much is."""
    costs = []
    for count in (FEW, MANY - FEW):
        engine = open_engine()
        fill(engine, count)
        prepare(engine)
        engine.close()
        costs.append(measured(address, open_engine, lambda engine: work(unattended(engine))).steps)
    return costs[0], costs[1]


def unattended(engine: Engine) -> Engine:
    """Without the sweep that begins by itself in a full scope: it is somebody else's work."""
    engine.sweeper = None
    return engine


def assert_bounded(few: int, many: int) -> None:
    """A tree may have grown a level and a plan may have changed; what visits every row costs thousands more."""
    assert many <= few * 1.5 + 300


def test_a_sweep_with_nothing_due_costs_the_same_at_any_size(address: str, open_engine: OpenEngine) -> None:
    few, many = grown(address, open_engine, lambda engine: None, lambda engine: engine.sweep())
    assert_bounded(few, many)


def test_a_sweep_costs_what_is_due_and_not_what_is_stored(
    address: str, open_engine: OpenEngine, clock: FrozenClock
) -> None:
    clock.advance(days=30)

    def prepare(engine: Engine) -> None:
        due = [
            memory(
                f"due {number}", owner="default", importance=0.1, due_at=NOW, fingerprint=None, created_day=TODAY - 99
            )
            for number in range(20)
        ]
        with engine.store.write(ALL) as tx:
            tx.memories.add([one.with_(used_day=TODAY - 99) for one in due], {})

    def sweep(engine: Engine) -> None:
        assert len(engine.sweep().actions) == 20

    few, many = grown(address, open_engine, prepare, sweep)
    assert_bounded(few, many)


def add_faded(engine: Engine, count: int) -> list[Memory]:
    """So many that the next sweep archives."""
    days_ago = TODAY - 99
    faded = [
        memory(f"faded {number}", owner="default", importance=0.1, due_at=NOW, created_day=days_ago, used_day=days_ago)
        for number in range(count)
    ]
    with engine.store.write(ALL) as tx:
        tx.owner.mark_active_day(NOW)
        tx.owner.set_alarm_policy(engine.policy.fingerprint)
        add(tx, *faded)
    return faded


def archived(engine: Engine, count: int) -> None:
    assert [action.status for action in engine.sweep().actions] == [Status.ARCHIVED] * count


@pytest.mark.parametrize(("few", "many"), [(20, 200)])
def test_lowering_takes_two_statements_a_memory_and_a_few_for_all_of_them(
    address: str, open_engine: OpenEngine, clock: FrozenClock, few: int, many: int
) -> None:
    """One for its words and one for its event: the rows go down together, however many there are."""
    if address.startswith("postgres"):
        pytest.skip("statements are counted in SQLite alone")
    clock.advance(days=30)
    costs = []
    for count in (few, many):
        engine = open_engine()
        add_faded(engine, count)
        engine.close()
        costs.append(measured(address, open_engine, functools.partial(archived, count=count)).statements)
    assert costs[1] - costs[0] <= 2 * (many - few) + 10


def test_a_row_that_goes_down_is_written_once(address: str, open_engine: OpenEngine, clock: FrozenClock) -> None:
    """Moved as it is to be, not moved and then changed."""
    clock.advance(days=30)
    engine = open_engine()
    add_faded(engine, 20)
    engine.close()
    written = measured(address, open_engine, functools.partial(archived, count=20)).written
    assert 0 < written["archive"] <= 20
    assert written["memories"] == written["vitals"] == written["vectors"] == 0


def test_a_sweep_costs_more_when_more_is_due_so_the_tests_above_can_fail(address: str, open_engine: OpenEngine) -> None:
    engine = open_engine()
    several = fill(engine, FEW)
    engine.close()
    nothing = measured(address, open_engine, lambda engine: engine.sweep()).steps
    engine = open_engine()
    make_due(engine, several)
    engine.close()
    everything = measured(address, open_engine, lambda engine: engine.sweep()).steps
    assert everything > 5 * nothing


def test_what_rang_and_stays_is_not_looked_at_again(open_engine: OpenEngine) -> None:
    engine = open_engine()
    make_due(engine, fill(engine, 50))
    first, second = engine.sweep(), engine.sweep()
    assert (first.looked_at, first.actions, second.looked_at) == (50, [], 0)


@pytest.mark.parametrize("verb", ["get", "used", "pin", "remember", "forget"])
def test_a_verb_on_one_memory_costs_the_same_at_any_size(address: str, open_engine: OpenEngine, verb: str) -> None:
    engine = open_engine()
    targets = [engine.remember(f"the target {number}").memories[0].id for number in range(2)]
    engine.remember("a new thing beside nobody")  # so that what is remembered has something to be compared with
    engine.close()
    chosen = iter(targets)

    def work(engine: Engine) -> None:
        target = next(chosen)
        if verb == "remember":
            engine.remember(f"a new thing beside {target}")
        elif verb == "forget":
            engine.forget(ids=target)
        else:
            getattr(engine, verb)(target)

    few, many = grown(address, open_engine, lambda engine: None, work)
    assert_bounded(few, many)


def test_a_page_costs_its_length_and_not_the_list(address: str, open_engine: OpenEngine) -> None:
    few, many = grown(address, open_engine, lambda engine: None, lambda engine: engine.list(limit=20))
    assert_bounded(few, many)


def test_what_is_put_away_does_not_weigh_on_what_is_live(address: str, open_engine: OpenEngine) -> None:
    engine = open_engine(embedder=EMBEDDER)
    fill(engine, 100, fingerprint=EMBEDDER.fingerprint)
    engine.close()

    def work(engine: Engine) -> None:
        engine.recall("note about nothing", reinforce=False)
        engine.sweep()

    few = measured(address, lambda: open_engine(embedder=EMBEDDER), work).steps
    engine = open_engine()
    fill(engine, 2000, status=Status.ARCHIVED, fingerprint=EMBEDDER.fingerprint)
    engine.close()
    many = measured(address, lambda: open_engine(embedder=EMBEDDER), work).steps
    assert_bounded(few, many)


def test_what_others_wrote_does_not_weigh_on_a_question(address: str, open_engine: OpenEngine) -> None:
    def bare() -> Engine:
        return open_engine(embedder=None)

    engine = bare()
    fill(engine, 100)
    engine.close()
    costs = []
    for count in (FEW, MANY - FEW):
        engine = bare()
        others = [memory(f"note {number} about nothing", owner="x", fingerprint=None) for number in range(count)]
        with engine.store.write(View("x")) as tx:
            add(tx, *others)
        engine.close()
        costs.append(measured(address, bare, lambda engine: engine.recall("note about nothing", reinforce=False)).steps)
    assert_bounded(*costs)


def test_neighbours_cost_what_is_found_and_not_what_is_stored(address: str, open_engine: OpenEngine) -> None:
    """Ten turns hold the word and each has neighbours; behind them is one long session of others."""

    def bare() -> Engine:
        return open_engine(embedder=None)

    engine = bare()
    engine.remember_many({"text": f"a rare thing {n}" if n % 5 == 0 else f"so {n}", "session": "s"} for n in range(50))
    engine.close()
    costs = []
    for count in (FEW, MANY - FEW):
        engine = bare()
        fill(engine, count, source=Source("user", session=f"of {count}"))
        engine.close()
        costs.append(
            measured(address, bare, lambda engine: unattended(engine).recall("rare thing", reinforce=False)).steps
        )
    assert_bounded(*costs)


def test_neighbours_are_known_without_a_question_to_the_store(address: str, open_engine: OpenEngine) -> None:
    """As many statements, whether what is found was said in sessions or in none."""
    if address.startswith("postgres"):
        pytest.skip("statements are counted in SQLite alone")
    costs = []
    for session in (None, "s"):
        bare = functools.partial(open_engine, f"in session {session}", embedder=None)
        engine = bare()
        engine.remember_many({"text": f"a rare thing {n}", "session": session} for n in range(30))
        engine.close()
        work = measured(address, bare, lambda engine: unattended(engine).recall("rare thing", reinforce=False))
        costs.append(work.statements)
    assert costs[0] == costs[1]
