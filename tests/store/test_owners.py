"""Nothing crosses an owner, and what is private to an agent stays with it: by every way of reading there is."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ebbing.domain.clock import Activity, Moment
from ebbing.domain.errors import Conflict, NotFound
from ebbing.domain.events import EventKind
from ebbing.domain.memory import Memory, Scope, Source, Status, Tier, Visibility
from ebbing.engine import Engine
from ebbing.ports import (
    EventLog,
    Filter,
    Index,
    MemoryRows,
    NewEvent,
    Observed,
    OwnerState,
    ReadTransaction,
    ScopeCounters,
    Store,
    SummaryQueue,
    Tombstone,
    Tombstones,
    View,
)
from ebbing.text.terms import digest
from tests.conftest import OpenEngine
from tests.store.making import EMBEDDER, NOW, TODAY, add, found, ids, memory, question
from tests.whole import whole

pytestmark = pytest.mark.every_layout

SECRET = "the vault opens with blue cheese"
ANNA = View("anna", every_agent=True)
LATER = NOW + timedelta(days=1000)


def annas(**given: Any) -> list[Memory]:
    """A memory of every status, all of them due, addressed, derived, alike and of one session."""
    return [
        memory(
            SECRET,
            owner="anna",
            status=status,
            subject="vault",
            attribute="key",
            derived_from=("root",),
            compaction_depth=1,
            due_at=NOW,
            due_day=TODAY,
            scope="/vault",
            tags=("vault",),
            contested=True,
            superseded_by="newer",
            tier=Tier.WORKING,
            source=Source(session="annas session"),
            **given,
        )
        for status in Status
    ]


def store_for_anna(store: Store, several: list[Memory]) -> None:
    with store.write(ANNA) as tx:
        tx.owner.mark_active_day(NOW)
        tx.owner.set_alarm_policy("annas policy")
        add(tx, *several)
        changes = [NewEvent(EventKind.REINFORCED, one.id, "because", {"number": 1}) for one in several]
        tx.events.record(changes, at=NOW, batch="annas batch", session="annas session")
        away = [NewEvent(EventKind.DETACHED, one.id, "faded", {"from": "active"}) for one in several]
        tx.events.record(away, at=NOW, batch="annas sweep")
        tx.tombstones.add([Tombstone("annas stone", "annas hash", "annas receipt", NOW)])
        tx.observed.add({"annas message": ids(several)})
        tx.queue.add(dict.fromkeys(several, NOW))
        tx.owner.mark_swept(Moment(NOW, TODAY))


# Every way to read there is, asked for everything of Anna's that a caller could name.
READINGS: dict[str, Callable[[ReadTransaction, list[str]], Any]] = {
    "owner.activity": lambda tx, wanted: tx.owner.activity.date,
    "tombstones.salts": lambda tx, wanted: tx.tombstones.salts,
    "index.dimension": lambda tx, wanted: tx.index.dimension(EMBEDDER.fingerprint),
    "owner.active_day_at": lambda tx, wanted: tx.owner.active_day_at(LATER) - Activity().day_at(LATER),
    "memories.get": lambda tx, wanted: tx.memories.get(wanted),
    "memories.statuses": lambda tx, wanted: tx.memories.statuses(wanted),
    "memories.page": lambda tx, wanted: [
        *tx.memories.page(Filter(), limit=100),
        *tx.memories.page(Filter(ids=tuple(wanted)), limit=100),
        *tx.memories.page(Filter(scope=Scope("/vault"), tags=("vault",), subject="vault"), limit=100),
    ],
    "index.search": lambda tx, wanted: [
        *found(tx, question(SECRET, near=SECRET)),
        *found(tx, question(SECRET, near=SECRET, archived=True)),
        *found(tx, question(SECRET, near=SECRET, ids=tuple(wanted))),
        *found(tx, question(SECRET, near=SECRET, ids=tuple(wanted), archived=True)),
    ],
    "index.by_digest": lambda tx, wanted: tx.index.by_digest([digest(SECRET)]),
    "index.by_subject": lambda tx, wanted: tx.index.by_subject("vault", "key"),
    "index.by_alias": lambda tx, wanted: tx.index.by_alias(["vault", SECRET], "key"),
    "index.words_with_prefix": lambda tx, wanted: tx.index.words_with_prefix("", 100),
    "index.lookup_matches": lambda tx, wanted: [
        one for found in tx.index.lookup_matches(["annas hash"], [digest(SECRET)]) for one in found
    ],
    "memories.pending_review": lambda tx, wanted: tx.memories.pending_review(limit=100),
    "memories.count_in_review": lambda tx, wanted: tx.memories.count_in_review(),
    "memories.archived_copies": lambda tx, wanted: tx.memories.archived_copies(["newer", *wanted], [digest(SECRET)]),
    "memories.containing": lambda tx, wanted: tx.memories.containing([SECRET], 100),
    "memories.summaries_of": lambda tx, wanted: tx.memories.summaries_of(["root", *wanted]),
    "owner.alarms_current": lambda tx, wanted: tx.owner.alarms_current("annas policy"),
    "memories.page_live": lambda tx, wanted: tx.memories.page_live(after="", limit=100),
    "memories.due": lambda tx, wanted: tx.memories.due(Moment(LATER, TODAY + 1000), 100).memories,
    "memories.upcoming": lambda tx, wanted: tx.memories.upcoming(Moment(LATER, TODAY + 1000), 100)[0],
    "memories.count_due": lambda tx, wanted: tx.memories.count_due(Moment(LATER, TODAY + 1000)),
    "owner.counts": lambda tx, wanted: {status: count for status, count in tx.owner.counts.items() if count},
    "owner.version": lambda tx, wanted: tx.owner.version,
    "index.is_current": lambda tx, wanted: (
        tx.index.is_current and tx.owner.version
    ),  # true of whoever has nothing, and tells nothing
    "owner.swept_at": lambda tx, wanted: tx.owner.swept_at,
    "owner.nothing_due": lambda tx, wanted: tx.owner.nothing_due(Moment(NOW - timedelta(hours=1), TODAY)),
    "scopes.exceeding": lambda tx, wanted: tx.scopes.exceeding(active=0, active_tokens=0, detached_tokens=0),
    "scopes.page": lambda tx, wanted: tx.scopes.page(limit=100),
    "scopes.any_with": lambda tx, wanted: tx.scopes.any_with(1),
    "scopes.memories": lambda tx, wanted: [
        one for status in (Status.ACTIVE, Status.DETACHED) for one in tx.scopes.memories(Scope("/vault"), status)
    ],
    "memories.working_buffer": lambda tx, wanted: [
        one for agent in (None, "scout") for one in tx.memories.working_buffer(agent, "annas session")
    ],
    "queue.page": lambda tx, wanted: tx.queue.page(Scope("/vault"), 100),
    "queue.since": lambda tx, wanted: tx.queue.since(wanted),
    "index.vectors": lambda tx, wanted: tx.index.vectors(wanted),
    "index.not_embedded_by": lambda tx, wanted: tx.index.not_embedded_by("no such model", after="", limit=100),
    "events.of_memory": lambda tx, wanted: [event for id_ in wanted for event in tx.events.of_memory(id_)],
    "events.of_batch": lambda tx, wanted: tx.events.of_batch("annas batch"),
    "events.page": lambda tx, wanted: tx.events.page(),
    "events.batch_before": lambda tx, wanted: tx.events.batch_before(None),
    "events.put_away_by": lambda tx, wanted: tx.events.put_away_by("annas sweep", limit=100),
    "events.count_put_away_by": lambda tx, wanted: tx.events.count_put_away_by("annas sweep", most=100),
    "events.reinforced": lambda tx, wanted: tx.events.reinforced(
        wanted, since=NOW - timedelta(days=9), session="annas session"
    ),
    "events.use_times": lambda tx, wanted: tx.events.use_times(wanted, since=NOW - timedelta(days=9)),
    "tombstones.matching": lambda tx, wanted: tx.tombstones.matching(["annas hash"]),
    "tombstones.all": lambda tx, wanted: tx.tombstones.all(),
    "observed.memories_of": lambda tx, wanted: tx.observed.memories_of(["annas message"]),
    "owner.active_days": lambda tx, wanted: tx.owner.active_days(),
    "memories.count_by_status": lambda tx, wanted: tx.memories.count_by_status(),
    "index.count_by_model": lambda tx, wanted: tx.index.count_by_model(),
}
# What an agent asks for on behalf of its user; the rest is maintenance, and names memories by id only.
SEEN_BY_AGENTS = (
    "memories.get",
    "memories.page",
    "index.search",
    "index.by_digest",
    "index.by_subject",
    "index.by_alias",
    "memories.pending_review",
)


def names_in(protocol: type) -> set[str]:
    members = inspect.getmembers(protocol, lambda member: inspect.isfunction(member) or isinstance(member, property))
    return {name for name, _ in members if not name.startswith("_")}


def test_every_way_to_read_is_listed_here() -> None:
    groups = {
        "memories": MemoryRows,
        "index": Index,
        "events": EventLog,
        "owner": OwnerState,
        "queue": SummaryQueue,
        "tombstones": Tombstones,
        "observed": Observed,
        "scopes": ScopeCounters,
    }
    assert groups.keys() | {"view"} == names_in(ReadTransaction)
    assert set(READINGS) == {f"{group}.{name}" for group, protocol in groups.items() for name in names_in(protocol)}


def test_anna_herself_reads_it_so_the_next_tests_can_fail(store: Store) -> None:
    several = annas()
    store_for_anna(store, several)
    unread = []
    for name, read in READINGS.items():
        with store.read(ANNA) as tx:
            if not read(tx, ids(several)):
                unread.append(name)
    assert unread == []


@pytest.mark.parametrize("known", [False, True], ids=["a stranger", "a tenant"])
def test_another_owner_reads_nothing_of_it_in_any_way(store: Store, known: bool) -> None:
    several = annas()
    store_for_anna(store, several)
    ben = View("ben", every_agent=True)
    empty: dict[str, Any] = dict.fromkeys(READINGS)
    if known:
        with store.write(ben):
            pass
    with store.read(ben) as tx:
        for name, read in READINGS.items():
            empty[name] = read(tx, ids(several))
        assert len(empty.pop("tombstones.salts")) == known
        with store.read(ANNA) as hers:
            assert set(tx.tombstones.salts).isdisjoint(hers.tombstones.salts)
    assert {name: value for name, value in empty.items() if value} == {}


def test_another_owner_changes_nothing_of_it_in_any_way(store: Store) -> None:
    several = annas()
    store_for_anna(store, several)
    with store.read(ANNA) as tx:
        before = {name: read(tx, ids(several)) for name, read in READINGS.items() if name != "index.vectors"}
    with store.write(View("ben", every_agent=True)) as tx:
        tx.owner.mark_active_day(LATER)
        tx.memories.count_uses(ids(several), Moment(LATER, TODAY + 9))
        tx.memories.set_due([one.with_(due_at=None, due_day=None) for one in several])
        tx.queue.remove(ids(several))
        tx.memories.erase(ids(several))
        assert tx.tombstones.remove("annas stone") is False
        assert tx.owner.acquire_lease("ben", NOW, LATER)
        tx.owner.mark_swept(Moment(LATER, TODAY + 9))
    with store.read(ANNA) as tx:
        after = {name: read(tx, ids(several)) for name, read in READINGS.items() if name != "index.vectors"}
        assert len(tx.index.vectors(ids(several))) == len(several)
    assert after == before


@pytest.mark.parametrize("name", SEEN_BY_AGENTS)
def test_what_is_private_is_read_by_its_agent_alone(store: Store, name: str) -> None:
    several = annas(agent="scout", visibility=Visibility.PRIVATE)
    store_for_anna(store, several)
    for view, sees in (
        (View("anna", "scout"), True),
        (View("anna", every_agent=True), True),
        (View("anna", "other"), False),
        (View("anna", "scout "), False),
        (View("anna"), False),
        (View("ben", "scout"), False),
    ):
        with store.read(view) as tx:
            assert bool(READINGS[name](tx, ids(several))) is sees, view


@pytest.mark.parametrize("view", [ANNA, View("anna", "scout"), View("anna", "other"), View("ben")], ids=str)
def test_one_look_tells_what_two_tell(store: Store, view: View) -> None:
    """Each under its own name, and to each what it may see."""
    store_for_anna(store, annas(agent="scout", visibility=Visibility.PRIVATE))
    hashes, digests = ["annas hash", "another"], [digest(SECRET), digest("another")]
    with store.read(view) as tx:
        told = tx.index.lookup_matches(hashes, digests)
        assert told == (tx.tombstones.matching(hashes), tx.index.by_digest(digests))
        assert bool(told.duplicates) == (view in (ANNA, View("anna", "scout")))
        assert bool(told.tombstoned) == (view.owner == "anna")


def test_what_is_shared_is_read_by_every_agent_of_its_owner(store: Store) -> None:
    several = annas(agent="scout")
    store_for_anna(store, several)
    for view in (View("anna", "other"), View("anna")):
        with store.read(view) as tx:
            for name in SEEN_BY_AGENTS:
                assert READINGS[name](tx, ids(several)), (view, name)


def test_owners_are_listed_for_maintenance_only_when_something_may_be_due(store: Store) -> None:
    store_for_anna(store, [memory(owner="anna", due_at=NOW + timedelta(days=3))])
    with store.write(View("ben")) as tx:
        tx.owner.mark_active_day(NOW)
    for owner in ("anna", "ben"):
        with store.write(View(owner, every_agent=True)) as tx:
            tx.owner.mark_swept(Moment(NOW, tx.owner.activity.day))
    assert store.owners() == ["anna", "ben"]
    assert store.owners(due=NOW) == []
    assert store.owners(due=NOW + timedelta(days=3)) == ["anna"]
    with store.write(View("ben")) as tx:
        tx.owner.mark_active_day(NOW + timedelta(days=1))
    assert store.owners(due=NOW) == ["ben"]


# What `intrude` and the test after it aim at somebody else's memories, and what only brings in one's own.
TRIED = set(
    """get history explain pin unpin used restore forget purge remember list recall lift sweep compact pressure crowded
    stats export events reembed simulate fit settle review context update blocks set_block block_versions
    undo_block life browse browse_ids horizon batches batch recall_report scopes overview""".split()
)
# These reach no stored memory: they write one's own, or make an engine.
HARMLESS = set(
    """remember_many import_ for_owner limited_to trust_ceiling close extract observe on_compaction store
    strengths""".split()
)


def test_every_verb_is_tried_here() -> None:
    assert TRIED | HARMLESS == names_in(Engine)


def rejects(call: Callable[[], Any]) -> None:
    with pytest.raises(NotFound):
        call()


def intrude(intruder: Engine, hers: list[Memory], batch: str, stone: str) -> None:
    """Everything an engine can be asked for, aimed at somebody else's memories."""
    everything = [status.value for status in Status]
    for one in hers:
        for verb in "get history explain life pin unpin used restore".split():
            rejects(lambda verb=verb, one=one: getattr(intruder, verb)(one.id))
        rejects(lambda one=one: intruder.settle(one.id, True))
        rejects(lambda one=one: intruder.update(one.id, text="mine"))
        rejects(lambda one=one: intruder.update(one.id, importance=0.0))
        rejects(lambda one=one: intruder.forget(ids=one.id))
        rejects(lambda one=one: intruder.forget(ids=one.id, dry_run=True))
        rejects(lambda one=one: intruder.purge(ids=one.id))
        rejects(lambda one=one: intruder.remember("the vault is mine", supersedes=one.id))
    assert intruder.list(status=everything) == []
    assert intruder.list(status=everything, scope="/vault", tags="vault", subject="vault") == []
    assert intruder.recall(SECRET, include=["detached", "archived", "superseded"]) == []
    assert intruder.browse() == intruder.browse(scope="/vault", tags=["vault"]) == intruder.browse(words=SECRET) == []
    assert intruder.browse_ids([one.id for one in hers]) == []
    assert (intruder.horizon(days=366).upcoming, intruder.horizon(days=366).looked_at) == ((), 0)
    report = intruder.recall_report(SECRET, min_score=0)
    assert (report.found, report.left_out) == ((), ())
    assert not any(one.sample for one in [*intruder.batches(), *intruder.batches(purged=True)])
    for where in ({"everything": True}, {"query": SECRET}, {"tags": ["vault"]}, {"older_than": "1s"}):
        assert intruder.forget(**where).memories == []
    assert intruder.purge(scope="/vault").count == 0
    assert intruder.review() == []
    told = {event.memory for event in intruder.events(limit=1000)}
    # As with `export`, an engine without an agent is told of everything its owner has.
    assert not {one.id for one in hers} & told or (intruder.owner == hers[0].owner and intruder.agent is None)
    assert SECRET not in intruder.context(SECRET).text
    assert not any(block.text for block in intruder.blocks())
    assert intruder.block_versions("scratchpad") == []
    for dry_run in (True, False):
        compacted = intruder.compact(scope="/vault", dry_run=dry_run)
        assert (compacted.memories, compacted.summaries) == ([], [])
    rejects(lambda: intruder.batch(batch))
    if intruder.owner == hers[0].owner:
        assert intruder.restore(batch=batch).memories == []
    else:
        assert intruder.batches() == intruder.batches(purged=True) == intruder.scopes() == []
        assert not any(intruder.overview().by_status.values())
        rejects(lambda: intruder.restore(batch=batch))
        rejects(lambda: intruder.lift(stone))


def secrets_of(engine: Engine, **given: Any) -> list[Memory]:
    """One memory for each rung a caller can bring one to."""
    made = [
        engine.remember(f"{SECRET} {number}", scope="/vault", tags=["vault"], **given).memories[0]
        for number in range(4)
    ]
    engine.forget(ids=made[1].id)
    engine.remember("the vault is closed", supersedes=made[2].id, **given)
    engine.pin(made[3].id)
    return made


def test_an_engine_of_another_owner_can_do_nothing_with_it(open_engine: OpenEngine, tmp_path: Path) -> None:
    anna, ben = open_engine("anna", "scout"), open_engine("ben", "scout")
    hers = secrets_of(anna)
    batch = anna.forget(ids=hers[0].id)
    stone = anna.purge(ids=anna.remember("gone for good").memories[0].id).tombstones[0]
    before = [anna.get(one.id) for one in hers], [anna.history(one.id) for one in hers]
    intrude(ben, hers, batch.id, stone)
    assert ben.sweep().looked_at == 0
    assert ben.pressure().looked_at == 0
    small = dataclasses.replace(ben.policy, sweep=dataclasses.replace(ben.policy.sweep, soft_limit=1))
    assert {owner: open_engine(owner, policy=small).crowded() for owner in ("anna", "ben")} == {
        "anna": True,
        "ben": False,
    }
    assert ben.export(tmp_path / "bens.jsonl") == 0
    exported = (tmp_path / "bens.jsonl").read_text()
    assert "vault" not in exported
    assert not any(one.id in exported for one in hers)
    assert ben.stats().total == 0
    foreseen = ben.simulate("default", days=365)
    assert (foreseen.standing, foreseen.fallen, foreseen.misses) == ({}, (), ())
    with pytest.raises(Conflict, match="0 gaps between uses, of 0 memories"):
        ben.fit()
    assert open_engine("ben", embedder=EMBEDDER).reembed() == 0
    assert ben.purge(everything=True).count == 0
    assert ben.remember("gone for good").memories, "a tombstone binds only its owner"
    assert before == ([anna.get(one.id) for one in hers], [anna.history(one.id) for one in hers])


@pytest.mark.parametrize("agent", [None, "other"])
def test_an_engine_of_another_agent_can_do_nothing_with_what_is_private(
    open_engine: OpenEngine, agent: str | None
) -> None:
    scout = open_engine("anna", "scout")
    hers = secrets_of(scout, visibility="private")
    batch = scout.forget(ids=hers[0].id)
    before = [scout.get(one.id) for one in hers], [scout.history(one.id) for one in hers]
    other = open_engine("anna", agent)
    intrude(other, hers, batch.id, "")
    again = other.remember(f"{SECRET} 3", scope="/vault")
    assert again.memories, "a private memory is no duplicate of what others say"
    assert not again.reinforced
    other.purge(ids=again.memories[0].id)
    assert before == ([scout.get(one.id) for one in hers], [scout.history(one.id) for one in hers])


def test_another_agents_answers_never_hold_what_is_private(open_engine: OpenEngine, clock: Any) -> None:
    scout, other = open_engine("anna", "scout"), open_engine("anna", "other")
    mine = scout.remember(SECRET, visibility="private", category="session_state").memories[0]
    shared = scout.remember("the canteen opens at noon", category="session_state").memories[0]
    clock.advance(days=2)
    scout.used([mine.id, shared.id])
    foreseen = other.simulate("default", days=30)
    for mine_too, told in ((True, scout.simulate("default", days=30)), (False, foreseen)):
        for several in (told.fallen, told.misses):
            assert (SECRET in whole(several)) is mine_too
            assert shared.text in whole(several)
            assert {one.memory for one in several} == {mine.id, shared.id}, "what is private still counts"
    clock.advance(days=28)
    plan, done = other.sweep(dry_run=True), other.sweep()
    for answer in (plan, done):
        assert SECRET not in whole(answer)
        assert shared.text in whole(answer)
    assert scout.get(mine.id).status is Status.ARCHIVED, "maintenance reaches every agent's memories"
    back = other.restore(batch=done.batch)
    assert ids(back.memories) == [shared.id]
    assert ids(scout.restore(batch=done.batch).memories) == [mine.id]


def test_everything_of_an_owner_is_purged_whatever_agent_it_belongs_to(open_engine: OpenEngine) -> None:
    scout, other = open_engine("anna", "scout"), open_engine("anna", "other")
    hers = secrets_of(scout, visibility="private")
    ben = open_engine("ben")
    kept = ben.remember(SECRET).memories[0]
    assert other.purge(everything=True).count == 0
    assert open_engine("anna").purge(everything=True).count == 5
    assert scout.list(status=[status.value for status in Status]) == []
    for one in hers:
        rejects(lambda one=one: scout.get(one.id))
    assert ben.get(kept.id) == kept
    assert [found.memory for found in ben.recall(SECRET, reinforce=False)] == [kept]
