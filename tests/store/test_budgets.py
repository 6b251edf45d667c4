"""Budgets: what a scope holds too much of goes, weakest first; and the counters that tell are exact."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg import sql

import ebbing
from ebbing.domain.clock import Moment
from ebbing.domain.errors import EbbingError
from ebbing.domain.ids import new_id
from ebbing.domain.memory import Memory, Scope, Status, Tier
from ebbing.domain.policy import Budget, Policy
from ebbing.domain.policy.loader import load
from ebbing.domain.results import Step
from ebbing.domain.retention import with_next_due
from ebbing.engine import Engine
from ebbing.jobs.owner_fanout import sweep_owners
from ebbing.ports import Filter, ScopeUsage, Store, View
from ebbing.store.migrations import scripts
from ebbing.testing import FakeEmbedder, FrozenClock
from tests import postgres
from tests.conftest import OpenEngine
from tests.properties import examples
from tests.store.making import NOW, TODAY, ids, memory
from tests.store.test_compaction import Constant
from tests.store.test_sweep import live, plan_of, status

DEFAULT = load()
EVERY_STATUS = [each.value for each in Status]
THINGS = "ravens lamps rivers clocks gates stamps wheels bells".split()


def budgeted(historical: int | None = 50_000, **given: Any) -> Policy:
    """The default policy with one budget for `/logs` and what lies below it."""
    budgets = dataclasses.replace(DEFAULT.budgets, historical=historical, scopes={"/logs": Budget(**given)})
    return dataclasses.replace(DEFAULT, budgets=budgets)


def logged(engine: Engine, importances: Sequence[float], **given: Any) -> list[Memory]:
    """Memories about different things, each as strong as told, for as long as nobody uses the system."""
    return engine.remember_many(
        {"text": f"About {thing} number {number}", "importance": importance, "scope": "/logs", **given}
        for number, (thing, importance) in enumerate(zip(THINGS * 9, importances, strict=False))
    ).memories


# What goes


def test_of_too_many_memories_the_weakest_go(open_engine: OpenEngine, clock: FrozenClock) -> None:
    engine = open_engine(policy=budgeted(memories=3))
    several = logged(engine, [0.9, 0.5, 0.8, 0.4, 0.7])
    clock.advance(days=8)
    planned = engine.sweep(dry_run=True)
    sweep = engine.sweep()
    assert plan_of(sweep) == plan_of(planned)
    assert [action.memory.id for action in sweep.actions] == [several[3].id, several[1].id], "the weakest first"
    assert {(action.step, action.threshold) for action in sweep.actions} == {(Step.ARCHIVE, None)}
    assert sweep.actions[0].reason == "/logs holds 5 memories and may hold 3; the weakest goes first"
    assert sweep.actions[1].reason == "/logs holds 4 memories and may hold 3; the weakest goes first"
    assert engine.history(several[3].id)[-1].reason == sweep.actions[0].reason
    assert sorted(ids(engine.list(scope="/logs"))) == sorted(ids([several[0], several[2], several[4]]))
    assert engine.sweep().actions == []
    engine.restore(batch=sweep.batch)
    assert {status(engine, one) for one in several} == {Status.ACTIVE}
    engine.sweep()
    assert {status(engine, one) for one in (several[1], several[3])} == {Status.ACTIVE}, "brought back, and left alone"


def test_of_too_many_tokens_the_weakest_go_until_the_rest_fits(open_engine: OpenEngine, clock: FrozenClock) -> None:
    tokens = [one.tokens for one in logged(open_engine("somebody"), [0.9, 0.5, 0.8, 0.4, 0.7])]
    budget = sum(tokens) - tokens[3] - 1
    engine = open_engine(policy=budgeted(tokens=budget))
    several = logged(engine, [0.9, 0.5, 0.8, 0.4, 0.7])
    clock.advance(days=8)
    sweep = engine.sweep()
    assert [action.memory.id for action in sweep.actions] == [several[3].id, several[1].id], "one would not do"
    assert sweep.actions[0].reason.startswith(f"/logs holds {sum(tokens)} tokens and may hold {budget};")


def test_at_its_budget_a_scope_is_not_over_it(open_engine: OpenEngine, clock: FrozenClock) -> None:
    engine = open_engine(policy=budgeted(memories=3, tokens=1000))
    logged(engine, [0.9, 0.8, 0.7])
    clock.advance(days=8)
    assert engine.sweep().actions == []


def test_a_budget_of_one_tier_counts_and_takes_from_that_tier_alone(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    engine = open_engine(policy=budgeted(tier=Tier.EPISODIC, memories=1))
    known = logged(engine, [0.4, 0.4, 0.4])
    happened = logged(engine, [0.8, 0.9, 0.7], tier="episodic")
    clock.advance(days=8)
    assert {action.memory.id for action in engine.sweep().actions} == set(ids([happened[0], happened[2]]))
    assert {status(engine, one) for one in known} == {Status.ACTIVE}


def test_each_scope_is_counted_by_itself(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """The budget of `/logs` holds for `/logs/api` too, but not for `/logsheet` and not for the root."""
    engine = open_engine(policy=budgeted(memories=2))
    for scope in ("/logs", "/logs/api", "/logs/web", "/logsheet", "/"):
        logged(engine, [0.9, 0.8, 0.7] if scope != "/logs/web" else [0.9, 0.8], scope=scope)
    clock.advance(days=8)
    assert sorted(action.memory.scope for action in engine.sweep().actions) == ["/logs", "/logs/api"]


def test_the_nearest_budget_counts_and_none_is_no_limit(open_engine: OpenEngine, clock: FrozenClock) -> None:
    scopes = {"/logs": Budget(memories=1), "/logs/api": Budget(memories=2), "/logs/web": None}
    engine = open_engine(
        policy=dataclasses.replace(DEFAULT, budgets=dataclasses.replace(DEFAULT.budgets, scopes=scopes))
    )
    for scope in ("/logs", "/logs/api", "/logs/web"):
        logged(engine, [0.9, 0.8, 0.7, 0.6], scope=scope)
    clock.advance(days=8)
    engine.sweep()
    left = {scope: len([one for one in engine.list(scope=scope) if one.scope == scope]) for scope in [*scopes, "/"]}
    assert left == {"/logs": 1, "/logs/api": 2, "/logs/web": 4, "/": 0}


def test_a_project_has_a_budget_under_the_default_policy(engine: Engine, clock: FrozenClock) -> None:
    several = placed(engine, 12, 500, Status.ACTIVE, scope="/project/api")
    clock.advance(days=8)
    assert [action.memory.id for action in engine.sweep().actions] == ids(several[:2])


# What stays


def test_grace_pins_and_protection_hold_against_a_budget(open_engine: OpenEngine, clock: FrozenClock) -> None:
    protected = dataclasses.replace(DEFAULT.protection, scopes=(Scope("/logs/kept"),))
    engine = open_engine(policy=dataclasses.replace(budgeted(memories=1), protection=protected))
    pinned = logged(engine, [0.4, 0.4], pinned=True)
    exempt = logged(engine, [0.4, 0.4, 0.4], scope="/logs/kept")
    identity = logged(engine, [0.4, 0.4], scope="/logs/who", category="identity")
    clock.advance(days=7)
    fresh = logged(engine, [0.4, 0.4], scope="/logs/new")
    assert engine.sweep().actions == []
    clock.advance(days=7)
    assert len(engine.sweep().actions) == 1, "the first of the new ones is past its grace"
    assert {status(engine, one) for one in (*pinned, *exempt, *identity)} == {Status.ACTIVE}
    assert sorted(status(engine, one) for one in fresh) == [Status.ACTIVE, Status.ARCHIVED]


# Who is visited for it


def test_whoever_is_only_over_budget_is_visited_once_somebody_is_past_his_grace(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    """Nobody uses the system, and no alarm rings: the budget alone has something to do."""
    engine = open_engine(policy=budgeted(memories=3))
    logged(engine, [0.9] * 4)
    clock.advance(days=3)
    newer = [engine.remember(f"A note on {thing}", scope="/logs").memories[0] for thing in THINGS[:2]]
    visited = []
    for day in range(12):
        if sweep_owners(engine).complete():
            visited.append(day)
        clock.advance(days=1)
    assert visited == [0, 4], "today, since it was used; and when the first can go"
    assert len(engine.list(status="active")) == 3
    assert {status(engine, one) for one in newer} == {Status.ACTIVE}
    assert engine.sweep(dry_run=True).actions == []


def test_whoever_stays_over_budget_is_visited_at_the_end_of_each_grace_and_not_in_between(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    engine = open_engine(policy=budgeted(memories=1))
    logged(engine, [0.9, 0.9], pinned=True)
    for thing in THINGS[:2]:
        engine.remember(f"A note on {thing}", scope="/logs", importance=0.9)
        clock.advance(days=3)
    visited = []
    for day in range(12):
        visited += [(day, len(sweep.actions)) for sweep in sweep_owners(engine).complete().values()]
        clock.advance(days=1)
    assert visited == [(0, 0), (1, 1), (4, 1)]


def test_a_tighter_budget_gets_its_owners_visited_and_sets_no_alarm_anew(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    before = open_engine(policy=budgeted(memories=5))
    several = logged(before, [0.9, 0.4, 0.8, 0.5])
    clock.advance(days=8)
    assert list(sweep_owners(before).complete()) == [before.owner]
    assert sweep_owners(before).complete() == {}
    after = open_engine(policy=budgeted(memories=2))
    assert after.policy.fingerprint == before.policy.fingerprint
    (sweep,) = sweep_owners(after).complete().values()
    assert ids([action.memory for action in sweep.actions]) == ids([several[1], several[3]])
    assert sweep.looked_at == 0
    assert sweep_owners(after).complete() == {}


# What is out of use


def placed(engine: Engine, count: int, tokens: int, standing: Status = Status.DETACHED, **given: Any) -> list[Memory]:
    """So many memories of so many tokens each, the weakest first."""
    moment = Moment(NOW, TODAY)
    several = [
        with_next_due(
            memory(
                **{
                    "owner": engine.owner,
                    "status": standing,
                    "scope": "/logs",
                    "tokens": tokens,
                    "importance": 0.3 + number / 100,
                    "fingerprint": None,
                    **given,
                }
            ),
            moment,
            engine.policy,
        )
        for number in range(count)
    ]
    with engine.store.write(View(engine.owner, every_agent=True)) as tx:
        tx.owner.mark_active_day(NOW)
        tx.owner.set_alarm_policy(engine.policy.fingerprint)
        tx.memories.add(several, {})
    return several


def test_what_is_out_of_use_has_a_budget_of_its_own(open_engine: OpenEngine, clock: FrozenClock) -> None:
    engine = open_engine(policy=budgeted(historical=1000, memories=50))
    several = placed(engine, 5, 300)
    kept = logged(engine, [0.9] * 5)
    clock.advance(days=8)
    sweep = engine.sweep()
    assert [action.memory.id for action in sweep.actions] == ids(several[:2])
    assert {status(engine, one) for one in several[:2]} == {Status.ARCHIVED}
    assert {status(engine, one) for one in several[2:]} == {Status.DETACHED}
    assert {status(engine, one) for one in kept} == {Status.ACTIVE}


def test_what_leaves_use_in_a_sweep_counts_in_that_sweep(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """Or the next sweep at the same moment would find something to do: sweeping twice is sweeping once."""
    engine = open_engine(policy=budgeted(historical=1000, memories=50))
    old = placed(engine, 3, 300)
    fading = placed(engine, 4, 100, Status.ACTIVE, importance=0.14)
    clock.advance(days=8)
    planned = engine.sweep(dry_run=True)
    sweep = engine.sweep()
    assert plan_of(sweep) == plan_of(planned)
    assert engine.sweep().actions == []
    gone = [one for one in (*old, *fading) if status(engine, one) is Status.ARCHIVED]
    assert gone == fading[:3], "the weakest, also among those that left use only now"
    assert status(engine, fading[3]) is Status.DETACHED


def test_a_summary_just_made_is_active_and_does_not_count_among_what_is_out_of_use(
    open_engine: OpenEngine, clock: FrozenClock
) -> None:
    engine = open_engine(policy=budgeted(historical=900, memories=50), embedder=Constant())
    old = placed(engine, 3, 300)
    engine.remember_many(
        {"text": f"The deploy of the billing api {how}", "importance": 0.29, "scope": "/logs"}
        for how in ("failed", "was repeated", "took long")
    )
    clock.advance(days=8)
    sweep = engine.sweep()
    assert len(sweep.summaries) == 1
    assert {status(engine, one) for one in old} == {Status.DETACHED}


def test_a_summary_counts_like_any_other(open_engine: OpenEngine, clock: FrozenClock) -> None:
    """Made in a scope that is full, it takes its place by its strength, whether the sweep comes once or twice."""
    engine = open_engine(policy=budgeted(memories=2), embedder=Constant())
    strong = logged(engine, [0.9, 0.8])
    engine.remember_many(
        {"text": f"The deploy of the billing api {how}", "importance": 0.29, "scope": "/logs"}
        for how in ("failed", "was repeated", "took long")
    )
    clock.advance(days=8)
    planned = engine.sweep(dry_run=True)
    sweep = engine.sweep()
    assert plan_of(sweep) == plan_of(planned)
    again = engine.sweep()
    assert again.actions == []
    assert sorted(ids(engine.list(scope="/logs"))) == sorted(ids(strong))


# The counters


def holdings(store: Store, owner: str) -> dict[str, ScopeUsage]:
    with store.read(View(owner, every_agent=True)) as tx:
        return {one.scope: one for one in tx.scopes.exceeding(active=-1, active_tokens=-1, detached_tokens=-1)}


def recounted(store: Store, owner: str) -> dict[str, ScopeUsage]:
    """What the counters should say, by looking at everything."""
    several: list[Memory] = []
    with store.read(View(owner, every_agent=True)) as tx:
        while page := tx.memories.page(Filter(), before=several[-1].id if several else None, limit=500):
            several += page
    found: dict[str, ScopeUsage] = {}
    for scope in {one.scope for one in several if one.status.live}:
        here = [one for one in several if one.scope == scope]
        active = [one for one in here if one.status is Status.ACTIVE]
        kinds = {"active": active, "detached": [one for one in here if one.status is Status.DETACHED]}
        kinds |= {tier.value: [one for one in active if one.tier is tier] for tier in Tier if tier is not Tier.CORE}
        counts = {name: len(some) for name, some in kinds.items()}
        counts |= {f"{name}_tokens": sum(one.tokens for one in some) for name, some in kinds.items()}
        found[scope] = ScopeUsage(scope, **counts)
    return found


DEEDS = st.lists(
    st.tuples(
        st.sampled_from(
            """remember remember remember replace many use forget restore undo purge sweep sweep pin unpin compact
            import overwrite erase""".split()
        ),
        st.integers(0, 7),
    ),
    min_size=3,
    max_size=25,
)


def do(engine: Engine, clock: FrozenClock, deed: str, number: int, folder: Path) -> None:
    """One thing that can happen to an owner's memories; what makes no sense now is refused, and changes nothing."""
    several = engine.list(status=EVERY_STATUS, limit=1000)
    one = several[number % len(several)].id if several else "nobody"
    scope, tier = ("/", "/a", "/a/b", "/user")[number % 4], ("working", "episodic", "semantic")[number % 3]
    given: dict[str, Any] = {"scope": scope, "tier": tier, "importance": (number + 1) / 10}
    path = folder / f"{new_id(clock.now())}.jsonl"
    deeds: dict[str, Callable[[], object]] = {
        "remember": lambda: engine.remember(f"About {THINGS[number]} on {clock.now():%j}", session="s", **given),
        "replace": lambda: engine.remember(f"Lamp: {THINGS[number]}", subject="lamp", attribute="is", scope=scope),
        "many": lambda: engine.remember_many(
            {"text": f"The deploy of the billing api took {part} minutes on {clock.now():%j}", **given}
            for part in range(5)
        ),
        "use": lambda: engine.used(one, session=str(number)),
        "forget": lambda: engine.forget(scope=scope, limit=number + 1),
        "restore": lambda: engine.restore(one),
        "undo": lambda: engine.restore(batch=engine.history(one)[-1].batch),
        "purge": lambda: engine.purge(ids=one),
        "erase": lambda: engine.purge(scope=scope),
        "sweep": lambda: (live(engine, clock, 1 + 3 * number), engine.sweep(limit=number or None)),
        "pin": lambda: engine.pin(one),
        "unpin": lambda: engine.unpin(one),
        "compact": lambda: (clock.advance(days=8), engine.compact(scope=scope)),
        "import": lambda: (engine.export(path), engine.purge(scope=scope), engine.import_(path)),
        "overwrite": lambda: (engine.export(path), engine.used(one), engine.import_(path, on_conflict="overwrite")),
    }
    deeds[deed]()


@pytest.mark.every_layout
@examples(15)
@given(DEEDS)
def test_whatever_happens_the_counters_say_what_a_look_at_everything_says(
    engine: Engine, tmp_path: Path, deeds: list[tuple[str, int]]
) -> None:
    clock = FrozenClock()
    working = dataclasses.replace(DEFAULT.working, capacity=3)
    policy = dataclasses.replace(budgeted(memories=4), working=working)
    owner = Engine(store=engine.store, policy=policy, clock=clock, models=engine.models, owner=new_id(clock.now()))
    for deed, number in deeds:
        try:
            do(owner, clock, deed, number, tmp_path)
        except EbbingError:
            continue
        assert holdings(owner.store, owner.owner) == recounted(owner.store, owner.owner), (deed, number)


# From the first schema


def populated(engine: Engine, clock: FrozenClock) -> None:
    for owner in ("anna", "ben"):
        each = engine.for_owner(owner)
        logged(each, [0.9, 0.8, 0.7], scope="/a", tier="working")
        logged(each, [0.9, 0.8, 0.2], scope="/a/b", tier="episodic")
        logged(each, [0.9, 0.5, 0.2, 0.01], scope="/c")
        live(each, clock, 8)
        each.sweep()
        each.forget(ids=each.list(scope="/a")[0].id)
        assert each.list(status="detached")
        assert each.list(status="archived")


def test_a_file_of_the_first_schema_gets_its_counters(tmp_path: Path, clock: FrozenClock) -> None:
    with ebbing.open(tmp_path / "new.db", clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        populated(engine, clock)
        expected = {owner: recounted(engine.store, owner) for owner in ("anna", "ben")}
    old = apsw.Connection(str(tmp_path / "old.db"))
    old.execute(scripts("sqlite")[0][1])
    with apsw.Connection(str(tmp_path / "new.db")) as new:
        application = new.pragma("application_id")
    old.execute("ATTACH ? AS new", (str(tmp_path / "new.db"),))
    for table in ("owners", "activity", "memories", "vitals", "archive", "events"):
        columns = ", ".join(row[1] for row in old.execute(f"PRAGMA main.table_info({table})"))
        old.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM new.{table}")
    old.execute(f"PRAGMA main.application_id = {application}; PRAGMA main.user_version = 1")
    old.close()
    with ebbing.open(tmp_path / "old.db", clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        for owner in ("anna", "ben"):
            assert holdings(engine.store, owner) == expected[owner] != {}
        assert engine.for_owner("anna").sweep().notes == ()


@pytest.mark.parametrize("partitions", [0, 4])
def test_tables_of_the_first_schema_get_their_counters(
    postgres_server: postgres.Server, postgres_database: str, clock: FrozenClock, partitions: int
) -> None:
    option = f"ebbing_partitions={partitions}"
    old = postgres_server.create()
    with ebbing.open(
        _with(postgres_server.address(old), option), clock=clock, embedder=FakeEmbedder(), judge="off"
    ) as engine:
        populated(engine, clock)
        expected = {owner: recounted(engine.store, owner) for owner in ("anna", "ben")}
    with (
        psycopg.connect(postgres_server.address(postgres_database)) as role,
        psycopg.connect(postgres_server.as_superuser(postgres_database)) as into,
        psycopg.connect(postgres_server.as_superuser(old)) as out,
    ):
        first_schema(role, partitions)
        role.commit()
        for table in ("owners", "activity", "memories", "vitals", "archive", "events"):
            copied(table, out, into)
    postgres_server.drop(old)
    address = _with(postgres_server.address(postgres_database), option)
    with ebbing.open(address, clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        for owner in ("anna", "ben"):
            assert holdings(engine.store, owner) == expected[owner] != {}
        engine.for_owner("anna").remember("Another lamp", scope="/a")
        assert holdings(engine.store, "anna") == recounted(engine.store, "anna")


def _with(url: str, option: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{option}"


def first_schema(connection: psycopg.Connection[Any], partitions: int) -> None:
    """The tables as the first release made them, and nothing after."""
    connection.execute("CREATE SCHEMA ebbing")
    connection.execute("SELECT set_config('search_path', 'ebbing, public', true)")
    connection.execute("SELECT set_config('ebbing.partitions', %s, true)", (str(partitions),))
    clause = "PARTITION BY HASH (owner)" if partitions else ""
    connection.execute(scripts("postgres")[0][1].replace("/*partitioned*/", clause))
    connection.execute("INSERT INTO migrations (number) VALUES (1)")


def copied(table: str, out: psycopg.Connection[Any], into: psycopg.Connection[Any]) -> None:
    """The rows of a table, in the columns that both have."""
    named = into.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'ebbing' AND table_name = %s"
        " AND is_generated = 'NEVER'",
        (table,),
    ).fetchall()
    columns = sql.SQL(", ").join(sql.Identifier(name) for (name,) in named)
    there = sql.SQL("COPY (SELECT {} FROM {}) TO STDOUT").format(columns, sql.Identifier("ebbing", table))
    here = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier("ebbing", table), columns)
    with out.cursor().copy(there) as source, into.cursor().copy(here) as target:
        for block in source:
            target.write(block)
