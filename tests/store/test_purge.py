"""Purge erases completely: from rows, archive, log, words, vectors and free pages; and it is not learned again."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import ebbing
from ebbing.domain.errors import Invalid, NotFound
from ebbing.domain.events import EventKind
from ebbing.domain.memory import Memory, Status
from ebbing.engine import Engine
from ebbing.ports import Filter, Store, View
from ebbing.store.sqlite.store import SqliteStore
from ebbing.testing import FakeEmbedder, FrozenClock
from ebbing.text.screening.tombstone_form import tombstone_hash
from ebbing.text.terms import digest, terms
from tests.conftest import OpenEngine
from tests.store.conftest import EveryByte
from tests.store.making import MINE, add, found, ids, memory, own_notes, question
from tests.whole import whole

pytestmark = pytest.mark.every_layout

ALL = View("default", every_agent=True)
TEXT = "Zanzibar treasure under palm seventeen"
WORDS = ("zanzibar", "treasur", "seventeen")  # as the index knows them


def raised_to(engine: Engine, text: str, status: str) -> Memory:
    """A memory brought to a rung by the verbs that lead there."""
    one = engine.remember(text, subject="pirate", attribute="chest", tags=["loot"], metadata={"map": text}).memories[0]
    if status == "forgotten":
        engine.forget(ids=one.id, reason=f"reason about {text}")
    elif status == "superseded":
        engine.remember("The chest is empty", supersedes=one.id)
    elif status != "active":
        with engine.store.write(ALL) as tx:
            tx.memories.update([one.with_(status=Status(status))])
    return one


@pytest.mark.parametrize("status", [status.value for status in Status])
def test_nothing_of_it_is_left_whatever_rung_it_stood_on(every_byte: EveryByte, engine: Engine, status: str) -> None:
    kept = engine.remember("The lamp is green").memories[0]
    one = raised_to(engine, TEXT, status)
    engine.recall(TEXT)
    receipt = engine.purge(ids=one.id, reason="asked")
    assert receipt.count == 1
    assert receipt.verified
    with engine.store.read(ALL) as tx:
        assert tx.memories.get([one.id]) == {}
        assert tx.index.vectors([one.id]) == {}
        assert one.id not in ids(tx.memories.page(Filter(), limit=100))
        for archived in (False, True):
            assert one.id not in found(tx, question(TEXT, near=TEXT, archived=archived))
        history = tx.events.of_memory(one.id)
    assert (history[-1].kind, history[-1].reason) == (EventKind.PURGED, "asked")
    assert all(event.reason is None and not event.detail for event in history[:-1])
    left = every_byte()
    assert TEXT.encode() not in left
    for word in WORDS:
        assert word.encode() not in left, word
    assert b"pirate" not in left
    assert [r.memory.id for r in engine.recall("green lamp")] == [kept.id]
    assert all(finding.ok for finding in engine.store.check())


def test_the_bytes_of_other_memories_are_really_looked_at(every_byte: EveryByte, engine: Engine) -> None:
    engine.remember(TEXT)
    left = every_byte()
    assert TEXT.encode() in left
    assert set(WORDS) <= set(terms(TEXT))


def test_a_purged_memory_is_in_no_answer_and_its_history_says_only_that_it_was(engine: Engine) -> None:
    one = engine.remember(TEXT).memories[0]
    engine.forget(ids=one.id, reason="with words")
    engine.purge(ids=one.id)
    for verb in (engine.get, engine.pin, engine.restore, engine.used):
        with pytest.raises(NotFound):
            verb(one.id)
    assert [event.kind for event in engine.history(one.id)] == [
        EventKind.REMEMBERED,
        EventKind.FORGOTTEN,
        EventKind.PURGED,
    ]
    assert "with words" not in whole(engine.history(one.id))


def test_what_was_purged_is_not_learned_again_until_its_tombstone_is_lifted(engine: Engine) -> None:
    one = engine.remember(TEXT, scope="/a").memories[0]
    receipt = engine.purge(ids=one.id)
    for again in (TEXT, TEXT.upper(), f"  {TEXT}. ", TEXT.replace(" ", "  ")):
        outcome = engine.remember(again, scope="/elsewhere", category="gotcha")
        assert outcome.memories == []
        assert [skipped.text for skipped in outcome.skipped] == [again.strip()]
        assert receipt.tombstones[0] in outcome.skipped[0].reason
    assert engine.remember(TEXT + " or not").memories
    mixed = engine.remember_many(["something new", TEXT])
    assert ([one.text for one in mixed.memories], len(mixed.skipped)) == (["something new"], 1)
    engine.lift(receipt.tombstones[0])
    assert engine.remember(TEXT).memories
    with pytest.raises(NotFound, match="no tombstone"):
        engine.lift(receipt.tombstones[0])


def test_a_tombstone_tells_nothing_without_the_owners_salt(engine: Engine) -> None:
    receipt = engine.purge(ids=engine.remember(TEXT).memories[0].id)
    other = engine.for_owner("other")
    other.purge(ids=other.remember(TEXT).memories[0].id)
    with engine.store.read(ALL) as tx, engine.store.read(View("other")) as its:
        stone, different = tx.tombstones.all()[0], its.tombstones.all()[0]
        assert stone.hash == tombstone_hash(TEXT, tx.tombstones.salts[0])
        assert tx.tombstones.matching([stone.hash]) == {stone.hash: stone.id}
    assert stone.hash != different.hash != digest(TEXT)
    assert (stone.id, stone.receipt, stone.at) == (receipt.tombstones[0], receipt.id, receipt.at)


def test_purging_the_same_text_twice_gives_the_same_tombstone(engine: Engine) -> None:
    one = engine.remember(TEXT, scope="/a").memories[0]
    two = engine.remember(TEXT, scope="/b").memories[0]
    first, second = engine.purge(ids=one.id), engine.purge(ids=two.id)
    assert first.tombstones == second.tombstones
    assert len(first.tombstones) == 1


def test_what_was_derived_goes_too_and_what_was_derived_from_that(every_byte: EveryByte, engine: Engine) -> None:
    """Also when it stands on the other side, and when another agent made it."""
    root = engine.remember(TEXT).memories[0]
    summary = root.with_(
        id=root.id[:-1] + "~", text="Summary of a treasure", derived_from=(root.id, "other"), compaction_depth=1,
        agent="scout", visibility="private", digest=digest("Summary of a treasure"),
    )  # fmt: skip
    second = summary.with_(
        id=root.id[:-1] + "}", text="A summary of that", derived_from=(summary.id,), compaction_depth=2,
        status=Status.ARCHIVED, digest=digest("A summary of that"),
    )  # fmt: skip
    unrelated = summary.with_(id=root.id[:-1] + "{", derived_from=("other",), text="of something else")
    bare = {one: one.with_(fingerprint=None) for one in (summary, second, unrelated)}
    with engine.store.write(ALL) as tx:
        tx.memories.add(list(bare.values()), {})
    receipt = engine.purge(ids=root.id)
    assert receipt.count == 3
    with engine.store.read(ALL) as tx:
        assert set(tx.memories.get([root.id, summary.id, second.id, unrelated.id])) == {unrelated.id}
    left = every_byte()
    assert b"Summary of a treasure" not in left
    assert b"A summary of that" not in left
    assert engine.remember("A summary of that").skipped


def test_a_scope_is_purged_with_what_is_below_and_nothing_beside(engine: Engine) -> None:
    for scope in ("/a", "/a/b", "/ab", "/"):
        engine.remember(f"a thing in {scope}", scope=scope)
    engine.forget(scope="/a/b")
    assert engine.purge(scope="/a").count == 2
    assert {one.scope for one in engine.list()} == {"/ab", "/"}


def test_purge_pages_through_more_than_it_reads_at_once(engine: Engine) -> None:
    engine.remember_many([{"text": f"note {number}", "scope": "/n"} for number in range(600)])
    engine.remember("The lamp is green")
    receipt = engine.purge(scope="/n")
    assert receipt.count == len(set(receipt.tombstones)) == 600
    assert [one.text for one in engine.list()] == ["The lamp is green"]
    assert all(finding.ok for finding in engine.store.check())


def test_purge_wants_exactly_one_way_of_choosing(engine: Engine) -> None:
    one = engine.remember("stay").memories[0]
    wrong: list[dict[str, Any]] = [
        {},
        {"ids": one.id, "scope": "/"},
        {"everything": False},
    ]
    for given in wrong:
        with pytest.raises(Invalid, match="exactly one"):
            engine.purge(**given)
    assert engine.get(one.id) == one


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"scope": ""}, "the root is '/'"),
        ({"everything": "no"}, "neither True nor False"),
        ({"everything": 1}, "neither True nor False"),
        ({"everything": True, "reason": 5}, "reason"),
        ({"everything": True, "reason": f"because of {TEXT}"}, "other words"),
    ],
)
def test_purge_takes_nothing_for_everything_that_does_not_say_so(
    engine: Engine, given: dict[str, Any], why: str
) -> None:
    """An empty variable, or a word that merely looks like yes, erases nothing; nor may a reason keep what is erased."""
    one = engine.remember(TEXT, scope="/a").memories[0]
    with pytest.raises(Invalid, match=why):
        engine.purge(**given)
    assert engine.get(one.id) == one


def test_nothing_tells_in_which_session_it_was_said(every_byte: EveryByte, engine: Engine) -> None:
    one = engine.remember(TEXT, session="zanzibar talks").memories[0]
    engine.used(one.id, session="zanzibar talks")
    engine.purge(ids=one.id)
    assert {event.session for event in engine.history(one.id)} == {None}
    assert b"zanzibar talks" not in every_byte()


def test_one_missing_id_purges_none(engine: Engine) -> None:
    one = engine.remember("stay").memories[0]
    with pytest.raises(NotFound, match="nobody"):
        engine.purge(ids=[one.id, "nobody"])
    assert engine.get(one.id) == one
    with engine.store.read(ALL) as tx:
        assert tx.tombstones.all() == []


def test_purging_everything_leaves_only_tombstones_and_an_empty_log(
    every_byte: EveryByte, open_engine: OpenEngine, clock: FrozenClock
) -> None:
    engine = open_engine()
    several = [raised_to(engine, f"{TEXT} {status}", status.value) for status in Status]
    receipt = engine.purge(everything=True, reason="asked")
    assert receipt.verified
    assert receipt.at == clock.now()
    assert engine.list(status=[status.value for status in Status]) == []
    with engine.store.read(ALL) as tx:
        assert tx.memories.count_by_status() == []
        assert tx.index.count_by_model() == {}
        assert tx.index.vectors(ids(several)) == {}
        assert {(event.kind is EventKind.PURGED, event.reason, bool(event.detail)) for event in tx.events.page()} == {
            (True, "asked", False),
            (False, None, False),
        }
        assert len(tx.tombstones.all()) == receipt.count
    assert TEXT.encode() not in every_byte()


def test_a_purge_is_seen_by_whoever_has_the_vectors_in_memory(open_engine: OpenEngine) -> None:
    one, other = open_engine(), open_engine()
    gone = one.remember(TEXT).memories[0]
    kept = one.remember("Zanzibar is an island").memories[0]
    assert {r.memory.id for r in other.recall("Zanzibar", reinforce=False)} == {gone.id, kept.id}
    one.purge(ids=gone.id)
    assert [r.memory.id for r in other.recall(TEXT, reinforce=False)] == [kept.id]
    again = one.remember("A new thing about Zanzibar").memories[0]
    assert {r.memory.id for r in other.recall("Zanzibar", reinforce=False)} == {again.id, kept.id}


def test_erasing_is_by_id_alone_at_the_store(store: Store) -> None:
    several = [memory(f"{TEXT} {status}", status=status) for status in Status]
    with store.write(MINE) as tx:
        add(tx, *several)
        tx.memories.erase(ids(several[::2]))
    with store.read(MINE) as tx:
        assert set(tx.memories.get(ids(several))) == set(ids(several[1::2]))
        assert set(tx.index.vectors(ids(several))) == set(ids(several[1::2]))
    assert store.scrub([one.text for one in several[::2]]).clean
    assert all(finding.ok for finding in store.check())


def test_a_short_text_is_verified_by_what_is_left_of_it_and_not_by_chance(engine: Engine) -> None:
    engine.remember("a sentence that is long enough to hold many letters")
    one = engine.remember("a").memories[0]
    assert engine.purge(ids=one.id).verified


def test_a_text_that_another_owner_has_too_is_no_leftover(engine: Engine) -> None:
    engine.for_owner("other").remember(TEXT)
    assert engine.purge(ids=engine.remember(TEXT).memories[0].id).verified


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"tags": [TEXT]},
        {"subject": TEXT, "attribute": "map"},
        {"scope": "/" + TEXT},
        {"metadata": {"seen": TEXT}},
        {"session": TEXT},
    ],
)
def test_a_text_that_stands_elsewhere_for_reasons_of_its_own_is_no_leftover(
    engine: Engine, elsewhere: dict[str, Any]
) -> None:
    """It is the other memory's own, so nothing was missed; the receipt names that memory."""
    (lamp,) = engine.remember("The lamp is green", **elsewhere).memories
    receipt = engine.purge(ids=engine.remember(TEXT).memories[0].id)
    (note,) = own_notes(receipt)
    assert receipt.verified
    assert lamp.id in note


def test_a_word_that_any_file_holds_is_no_leftover(engine: Engine) -> None:
    """It names a table, or the owner."""
    for text in ("memories", "default"):
        assert engine.purge(ids=engine.remember(text).memories[0].id).verified


def test_what_the_log_says_of_another_memory_is_a_leftover(engine: Engine) -> None:
    """And the receipt says where to look."""
    other = engine.remember("The lamp is green").memories[0]
    one = engine.remember(TEXT).memories[0]
    engine.forget(ids=other.id, reason=f"it was under the {TEXT}")
    receipt = engine.purge(ids=one.id)
    assert not receipt.verified
    assert "the reason of something that happened to another memory" in receipt.notes[0]
    assert engine.purge(ids=other.id).verified


def test_no_piece_of_a_purged_text_is_left_in_the_slack_of_a_page(sqlite_address: str, clock: FrozenClock) -> None:
    """Pages are split, rows are moved and put away: a copy that was cut short is a copy all the same."""
    chance = random.Random(3)
    with ebbing.open(sqlite_address, clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        told = []
        for number in range(120):
            name, place = f"Zorb{number}x", f"Quux{number}y"
            more = "Something about nothing in particular. " * chance.randint(0, 12)
            memories = engine.remember(f"{name} lives in {place}. {more}", importance=chance.random()).memories
            told += [(memory.id, name, place) for memory in memories]
            if not number % 15:
                clock.advance(days=chance.choice((5, 40)))
                engine.sweep()
        for id_, name, place in chance.sample(told, 60):
            assert engine.purge(ids=id_).verified
            files = Path(sqlite_address).parent.glob("*")
            held = b"".join(file.read_bytes() for file in files).lower()
            assert name.lower().encode() not in held
            assert place.lower().encode() not in held


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="where locks are listed")
def test_looking_for_what_is_left_takes_no_lock_from_a_reader(sqlite_address: str) -> None:
    """Closing a file takes away all locks that a process has on it; then another may write into what is being read."""

    def locks() -> set[str]:
        numbers = {str(file.stat().st_ino) for file in Path(sqlite_address).parent.glob("*.db*")}
        held = (line.split() for line in Path("/proc/locks").read_text().splitlines())
        return {number for *_, where, _, _ in held if (number := where.split(":")[-1]) in numbers}

    store = SqliteStore(sqlite_address)
    with store.write(MINE) as tx:
        add(tx, one := memory(TEXT))
    with store.read(MINE) as tx:
        assert tx.memories.get([one.id])
        before = locks()
        assert store.care.absent([b"what nobody said"])
        assert locks() == before != set()
    store.close()
