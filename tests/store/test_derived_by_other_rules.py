"""What is derived from a text names the rules that derived it, so that a new version does not miss the old keys.

Another version is played by changing what is stored: the texts of rows without their keys, and the name of the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ebbing.engine import Engine
from ebbing.ports import View
from ebbing.store.query_loader import postgres_dialect, sqlite_dialect
from ebbing.store.sqlite.store import SqliteStore
from ebbing.text.analysis_fingerprint import MIXED, fingerprint

OTHER = "the rules of another version"


def inside(engine: Engine, owner: str, act: Callable[[Any], object]) -> Any:
    """What `act` makes of a transaction of the store itself."""
    with engine.store.write(View(owner, every_agent=True)) as tx:
        return act(tx)


def derived_otherwise(engine: Engine, text: str, instead: str) -> None:
    """Let a memory say something else while everything derived from it stays, as if other rules had derived that."""

    def act(tx: Any) -> None:
        dialect = sqlite_dialect if isinstance(engine.store, SqliteStore) else postgres_dialect
        for statement in (
            "UPDATE memories SET text = :new WHERE owner = :owner AND text = :old",
            "UPDATE archive SET text = :new WHERE owner = :owner AND text = :old",
        ):
            tx.db.run(dialect(statement), {"new": instead, "old": text, "owner": tx.view.owner})
        tx.owner.row.analysed_by = OTHER

    inside(engine, engine.owner, act)


def findings(engine: Engine) -> dict[str, str | None]:
    """The faults that `doctor` finds in the store, and what it advises."""
    return {one.check: one.remedy for one in engine.store.check() if not one.ok}


def analysed_by(engine: Engine) -> str | None:
    return inside(engine, engine.owner, lambda tx: tx.owner.row.analysed_by)


def test_a_new_owner_is_of_the_rules_of_this_version(engine: Engine) -> None:
    """Nothing is to be reported where nothing is wrong."""
    engine.remember("The staging database is on port 5000")
    assert analysed_by(engine) == fingerprint()
    assert findings(engine) == {}
    assert not any("rules of another version" in note for note in engine.stats().notes)


def test_doctor_and_stats_tell_of_keys_of_other_rules(engine: Engine) -> None:
    """A changed lexicon made old and new memories miss each other while every check said ok."""
    engine.remember("The staging database is on port 5000")
    inside(engine, engine.owner, lambda tx: setattr(tx.owner.row, "analysed_by", OTHER))
    assert findings(engine) == {"analysis": "run `ebbing doctor --repair`"}
    assert any("rules of another version" in note for note in engine.stats().notes)


def test_a_store_from_before_there_were_names_of_rules_is_told_of(engine: Engine) -> None:
    """Nobody knows which rules derived its keys, so nobody may trust them."""
    engine.remember("The staging database is on port 5000")
    inside(engine, engine.owner, lambda tx: setattr(tx.owner.row, "analysed_by", None))
    assert "analysis" in findings(engine)


def test_writing_beside_keys_of_other_rules_does_not_hide_them(engine: Engine) -> None:
    """Neither version may take a mixture for its own, whichever looks next."""
    engine.remember("The staging database is on port 5000")
    inside(engine, engine.owner, lambda tx: setattr(tx.owner.row, "analysed_by", OTHER))
    engine.remember("Mara likes tea")
    assert analysed_by(engine) == MIXED
    assert "analysis" in findings(engine)


def test_an_owner_who_has_nothing_has_nothing_of_other_rules(engine: Engine) -> None:
    """What is purged leaves no key behind, and the next memory begins anew."""
    memory = engine.remember("The staging database is on port 5000").memories[0]
    inside(engine, engine.owner, lambda tx: setattr(tx.owner.row, "analysed_by", OTHER))
    engine.purge(ids=memory.id)
    assert findings(engine) == {}
    engine.remember("Mara likes tea")
    assert analysed_by(engine) == fingerprint()


@pytest.mark.parametrize("is_archived", [False, True])
def test_a_repair_derives_words_and_digests_again(engine: Engine, is_archived: bool) -> None:
    """Afterwards old memories are found and repeated as if this version had written them."""
    kept = engine.remember("The lamp in the hall is green").memories[0]
    engine.remember("Mara likes tea")
    if is_archived:
        engine.forget(ids=kept.id)
    text = "The staging database is on port 5000"
    derived_otherwise(engine, kept.text, text)
    told: list[tuple[int, int]] = []
    assert all(one.ok for one in engine.store.repair(lambda done, total: told.append((done, total))))
    assert told
    assert told[-1][0] == told[-1][1]
    assert findings(engine) == {}
    assert analysed_by(engine) == fingerprint()
    if is_archived:
        engine.restore(kept.id)
    assert engine.recall("staging database", reinforce=False)[0].memory.id == kept.id
    assert engine.recall("green lamp", reinforce=False, limit=1)[0].memory.text != "The lamp in the hall is green"
    assert engine.remember(text).memories == []


def test_a_repair_of_one_owner_is_no_matter_of_the_next(engine: Engine) -> None:
    """Each owner's keys are counted by themselves."""
    other = engine.for_owner("somebody else")
    for one in (engine, other):
        one.remember("The staging database is on port 5000")
        inside(one, one.owner, lambda tx: setattr(tx.owner.row, "analysed_by", OTHER))
    told = next(one for one in engine.store.check() if one.check == "analysis")
    assert "2 owners" in told.detail
    assert all(one.ok for one in engine.store.repair())
    assert findings(engine) == {}


def test_others_write_while_a_repair_runs(engine: Engine) -> None:
    """A big store takes minutes; whoever wants to remember something meanwhile must not wait for its end."""
    engine.remember("The staging database is on port 5000")
    engine.forget(ids=engine.remember("The lamp in the hall is green").memories[0].id)
    noted: list[str] = []

    def note(done: int, total: int) -> None:
        noted.append(f"Repair number {len(noted)} was at {done} of {total}")
        engine.remember(noted[-1])

    assert all(one.ok for one in engine.store.repair(note))
    assert noted
    assert findings(engine) == {}
    texts = {one.memory.text for one in engine.recall("repair number", limit=50, reinforce=False)}
    assert texts >= set(noted)


def test_a_repair_that_was_stopped_is_made_again(engine: Engine) -> None:
    """Half of the keys of one version and half of another must not pass for either."""
    engine.remember("The staging database is on port 5000")
    engine.forget(ids=engine.remember("The lamp in the hall is green").memories[0].id)
    inside(engine, engine.owner, lambda tx: setattr(tx.owner.row, "analysed_by", OTHER))

    def stop(_: int, __: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(engine.store.repair(stop))
    assert analysed_by(engine) in (MIXED, fingerprint())
    assert ("analysis" in findings(engine)) is (analysed_by(engine) == MIXED)
    assert all(one.ok for one in engine.store.repair())
    assert findings(engine) == {}
