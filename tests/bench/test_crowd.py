"""The crowd on one store: what its processes do, and that each promise is seen to be broken when it is."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import ebbing
from bench import crowd
from bench.corpus import Language
from bench.crowd_check import Promise, Told, promises
from bench.crowd_life import ROUND, Life, Sought, amiss, opened, own_word, question
from ebbing.engine import Engine


@pytest.fixture
def engine() -> Iterator[Engine]:
    with opened(":memory:") as one:
        yield one


@pytest.fixture(scope="module")
def language() -> Language:
    return Language(np.random.default_rng(7))


@pytest.fixture
def life(engine: Engine, language: Language) -> Life:
    """Somebody who has been through the round a few times."""
    shared = [memory.id for memory in engine.remember_many(f"shared fact {number}" for number in range(5)).memories]
    lived = Life(engine, 3, shared, language)
    for name in ROUND * 3:
        lived.turn += 1
        getattr(lived, name)()
    return lived


@pytest.fixture
def told(life: Life) -> Told:
    gathered = Told(life.shared)
    gathered.add(json.loads(json.dumps(life.plain())))
    return gathered


def broken(engine: Engine, told: Told) -> dict[str, list[str]]:
    return {promise.name: promise.broken for promise in promises(engine, told) if promise.broken}


def test_a_life_does_everything_and_every_promise_is_kept(engine: Engine, told: Told) -> None:
    """Three rounds: six memories, of which three are forgotten, and six times three uses."""
    assert (len(told.remembered), len(told.forgotten), sum(told.uses.values())) == (6, 3, 18)
    assert broken(engine, told) == {}
    assert amiss(engine, told.sought()) == []
    assert {promise.name: promise.of for promise in promises(engine, told)}["every acknowledged memory is there"] == 11


def test_a_use_that_was_not_counted_is_seen(engine: Engine, told: Told) -> None:
    """One more was acknowledged than stands in the store."""
    told.uses[told.shared[0]] += 1
    [complaint] = broken(engine, told)["every acknowledged use is counted, and no other"]
    assert complaint.startswith(told.shared[0])


def test_a_memory_that_is_lost_is_seen(engine: Engine, told: Told) -> None:
    """Somebody was told that it was written."""
    told.remembered["01890000-nowhere"] = "xazbk never written down."
    assert broken(engine, told)["every acknowledged memory is there"] == ["01890000-nowhere"]
    assert "01890000-nowhere was not found" in amiss(engine, told.sought())


def test_a_memory_that_nobody_was_told_of_is_seen(engine: Engine, told: Told) -> None:
    """A write that is made twice, or in spite of an error, has one birth too many."""
    unknown = engine.remember("nobody said so").memories[0].id
    assert broken(engine, told) == {"each change has its one event": [f"{unknown}: remembered 1 times, told 0 times"]}


def test_a_forgetting_that_did_not_last_is_seen(engine: Engine, told: Told) -> None:
    """It is active again, and found."""
    back = min(told.forgotten)
    engine.restore(back)
    assert broken(engine, told)["what was forgotten is forgotten, the rest is active"] == [f"{back} is active"]
    assert amiss(engine, told.sought()) == [f"{back} is gone, and was found"]


def test_a_memory_that_only_words_find_is_seen(tmp_path: Path) -> None:
    """As in a process whose vectors are behind the file."""
    with ebbing.open(tmp_path / "memory.db", embedder=None) as without:
        one = without.remember("xazbk the ferry leaves at noon").memories[0]
    with opened(str(tmp_path / "memory.db")) as engine:
        assert amiss(engine, [Sought(one.id, question(one.text))]) == [f"{one.id} was not found by its semantic part"]


def test_a_counter_that_ran_ahead_of_its_events_is_seen(engine: Engine, told: Told) -> None:
    """A row whose counter was raised without an event, as an update that is written twice would do."""
    [first, *_] = told.shared
    with engine.store.write(engine._view) as tx:
        tx.memories.count_uses([first], tx.owner.mark_active_day(engine.clock.now()))
    assert list(broken(engine, told)) == ["a row's counter is the number of its events"]


def test_each_memory_has_a_word_of_its_own() -> None:
    """No two turns of any two processes share one, and the question asks for it."""
    words = {own_word(number, turn) for number in range(12) for turn in range(150)}
    assert len(words) == 12 * 150
    assert question("xazbk one two three.") == "what about xazbk one three?"


def test_a_process_looks_for_the_latest_and_for_some_of_all() -> None:
    """Behind would be whoever does not look again."""
    everything = [Sought(f"{number:05}", "?") for number in range(5_000)]
    chosen = crowd.sample(everything)
    assert chosen[-100:] == everything[-100:]
    assert chosen[0] == everything[0]
    assert 300 <= len(chosen) <= 310
    assert crowd.sample(everything[:7]) == everything[:7]


def test_others_memories_are_what_somebody_did_not_write() -> None:
    """In the order of writing, with what was forgotten marked as gone."""
    told = Told([], {"b": "two of them", "a": "one of them", "c": "three of them"}, {"c"})
    assert [(one.id, one.gone) for one in told.sought(but=["b"])] == [("a", False), ("c", True)]


def test_one_broken_promise_is_a_failure() -> None:
    """However many were kept."""
    outcome = crowd.Outcome("sqlite", promises=[Promise("one", 3, []), Promise("two", 3, [])])
    assert outcome.kept
    assert not dataclasses.replace(outcome, promises=[*outcome.promises, Promise("three", 3, ["it was not"])]).kept


def test_a_process_that_dies_is_told_with_its_last_words(tmp_path: Path) -> None:
    """A folder is no database."""
    with (
        crowd.Member(str(tmp_path), 5, [], 1) as member,
        pytest.raises(crowd.Ended, match=r"process 5 ended with 1: .+"),
    ):
        member.hear()


@pytest.mark.slow
def test_two_processes_lose_nothing_in_a_second(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The whole of it: processes, looking back, the fresh one, and the figures."""
    figures = tmp_path / "figures.json"
    asked = ["--processes", "2", "--seconds", "1", "--no-postgres", "--folder", str(tmp_path), "--json", str(figures)]
    assert crowd.main(asked) == 0
    assert "| no operation met an error |" in capsys.readouterr().out
    [store] = json.loads(figures.read_text("utf-8"))["stores"]
    assert set(store["figures"]) == {*ROUND, "all"}
    assert len(store["promises"]) == 10
    assert all(promise["of"] > 0 and not promise["broken"] for promise in store["promises"])
