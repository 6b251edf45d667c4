"""Purging a memory purges what it said before, and the receipt tells what it left."""

from __future__ import annotations

from pathlib import Path

import pytest

import ebbing
from ebbing.domain.errors import Denied
from ebbing.domain.events import EventKind
from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.store.conftest import EveryByte
from tests.store.making import own_notes

ALL = View("default", every_agent=True)
FIRST = "Zanzibar treasure under palm seventeen"
SECOND = "Quebec chest behind mill nineteen"
THIRD = "Oslo vault below pier twentytwo"


def test_every_text_that_update_replaced_goes_with_the_memory(every_byte: EveryByte, engine: Engine) -> None:
    """Whoever corrects a memory and then purges it wants nothing of it kept: not in rows, nor in the files."""
    one = engine.remember(FIRST).memories[0]
    two = engine.update(one.id, text=SECOND)
    engine.forget(ids=one.id)
    three = engine.update(two.id, text=THIRD, scope="/elsewhere")
    receipt = engine.purge(ids=three.id)
    assert (receipt.count, receipt.verified, own_notes(receipt)) == (3, True, [])
    with engine.store.read(ALL) as tx:
        assert tx.memories.get([one.id, two.id, three.id]) == {}
    left = every_byte().lower()
    assert [word for word in (b"zanzibar", b"quebec", b"oslo") if word in left] == []
    assert [len(engine.remember(text).skipped) for text in (FIRST, SECOND, THIRD)] == [1, 1, 1]


def test_an_update_to_what_another_memory_says_leaves_no_earlier_text(every_byte: EveryByte, engine: Engine) -> None:
    """The update ends in the other memory, which then stands for the updated one too."""
    standing = engine.remember(SECOND).memories[0]
    one = engine.remember(FIRST).memories[0]
    assert engine.update(one.id, text=SECOND).id == standing.id
    receipt = engine.purge(ids=standing.id)
    assert (receipt.count, own_notes(receipt)) == (2, [])
    assert b"zanzibar" not in every_byte().lower()


def test_a_block_goes_with_everything_it_said_also_before_it_was_cleared(every_byte: EveryByte, engine: Engine) -> None:
    """Blocks stand in every context; each text that was ever written there is a version of the block."""
    engine.set_block("human", FIRST)
    engine.set_block("human", SECOND)
    engine.set_block("human", "")
    engine.set_block("critical", "Answer in English")
    last = engine.set_block("human", THIRD)
    assert last.id is not None
    receipt = engine.purge(ids=last.id)
    assert (receipt.count, own_notes(receipt)) == (3, [])
    assert engine.block_versions("human") == []
    assert [one.text for one in engine.blocks() if one.text] == ["Answer in English"]
    left = every_byte().lower()
    assert [word for word in (b"zanzibar", b"quebec", b"oslo") if word in left] == []


def test_an_agent_s_own_block_is_no_version_of_the_one_that_all_share(engine: Engine) -> None:
    """The two stand beside each other, and purging one must not erase the other."""
    engine.set_block("persona", FIRST)
    mine = engine.for_owner(engine.owner, "scout")
    own = mine.set_block("persona", SECOND)
    assert own.id is not None
    assert mine.purge(ids=own.id).count == 1
    assert [one.text for one in engine.block_versions("persona")] == [FIRST]


def test_what_gave_way_to_a_different_statement_stays_and_is_named(engine: Engine) -> None:
    """It is a memory of its own: erasing it unasked would lose something, and silence would hide it."""
    old = engine.remember("Mara lives in Lisbon").memories[0]
    new = engine.remember("Mara has moved to Porto", supersedes=old.id).memories[0]
    receipt = engine.purge(ids=new.id)
    assert receipt.count == 1
    [note] = own_notes(receipt)
    assert old.id in note
    assert own_notes(engine.purge(ids=old.id)) == []


def test_purging_an_earlier_version_leaves_the_later_one_and_says_so(engine: Engine) -> None:
    """Somebody may want the old words gone and the corrected ones kept."""
    one = engine.remember(FIRST).memories[0]
    two = engine.update(one.id, text=SECOND)
    receipt = engine.purge(ids=one.id)
    assert receipt.count == 1
    [note] = own_notes(receipt)
    assert two.id in note
    assert engine.get(two.id).text == SECOND


def test_a_note_names_a_few_of_many(engine: Engine) -> None:
    """A receipt is read by people."""
    olds = [engine.remember(f"Room {n} is painted {n} times").memories[0].id for n in range(25)]
    new = engine.remember("The house was torn down", supersedes=olds).memories[0]
    [note] = own_notes(engine.purge(ids=new.id))
    assert "and 5 more" in note
    assert sum(id_ in note for id_ in olds) == 20


def test_an_agent_purges_everything_that_it_may_see_and_nothing_else(engine: Engine) -> None:
    """Private memories of other agents are not an agent's to erase; the receipt says what was not."""
    scout, clerk = (engine.for_owner(engine.owner, name) for name in ("scout", "clerk"))
    scout.remember("The lamp is green", visibility="private")
    hers = clerk.remember("The door is red", visibility="private").memories[0]
    engine.remember("The window is blue")
    for given in ({"scope": "/", "everything": True}, {"everything": True}):
        receipt = scout.purge(**given)
        assert "agent scout may see" in own_notes(receipt)[0]
    assert clerk.get(hers.id).text == "The door is red"
    assert [one.id for one in clerk.list()] == [hers.id]
    assert scout.list() == []
    whole = engine.purge(everything=True)
    assert (whole.count, own_notes(whole)) == (1, [])


def test_an_owner_who_purges_a_scope_is_told_that_private_memories_stay_in_it(engine: Engine) -> None:
    """Otherwise an empty listing would look like an empty scope."""
    clerk = engine.for_owner(engine.owner, "clerk")
    clerk.remember("The door is red", visibility="private", scope="/house")
    engine.remember("The window is blue", scope="/house")
    receipt = engine.purge(scope="/house")
    assert receipt.count == 1
    assert "private memories of agents stay" in own_notes(receipt)[0]


def test_an_agent_lifts_only_the_tombstones_of_its_own_purges(engine: Engine) -> None:
    """A purge is a decision: another agent must not take it back, the owner may."""
    scout, clerk = (engine.for_owner(engine.owner, name) for name in ("scout", "clerk"))
    [stone] = scout.purge(ids=engine.remember(FIRST).memories[0].id).tombstones
    [another] = engine.purge(ids=engine.remember(SECOND).memories[0].id).tombstones
    for agent, tombstone in ((clerk, stone), (clerk, another), (scout, another)):
        with pytest.raises(Denied, match="may not lift"):
            agent.lift(tombstone)
    assert clerk.remember(FIRST).skipped
    scout.lift(stone)
    engine.lift(another)
    assert [len(clerk.remember(text).memories) for text in (FIRST, SECOND)] == [1, 1]
    assert EventKind.LIFTED in [event.kind for event in engine.events()]


def test_neither_the_file_nor_the_log_beside_it_holds_an_earlier_version(
    sqlite_address: str, clock: FrozenClock
) -> None:
    """Looked at while the store is open, when the write-ahead log and its index still stand beside the file."""
    with ebbing.open(sqlite_address, clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        one = engine.remember(FIRST).memories[0]
        two = engine.update(one.id, text=SECOND)
        assert engine.purge(ids=two.id).verified
        files = {file.name: file.read_bytes().lower() for file in Path(sqlite_address).parent.iterdir()}
    assert set(files) == {"memory.db", "memory.db-wal", "memory.db-shm"}
    for name, held in files.items():
        assert [word for word in (b"zanzibar", b"palm", b"quebec") if word in held] == [], name
