"""The measure of one owner among a million: who says what, in which order it is written, and what is kept."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from bench import million
from bench.corpus import Language
from bench.million_load import kept, opened
from bench.million_owners import Owner, in_turn, measured, owners, shares, speech
from bench.operations import Repetitions
from ebbing.testing import FrozenClock


@pytest.fixture(scope="module")
def language() -> Language:
    return speech()


def test_everything_belongs_to_somebody() -> None:
    """A tenth is one owner's, the measured one has its share, and nobody else has more than a thousand."""
    everybody = owners(25_500, 2_000)
    assert sum(owner.count for owner in everybody) == 25_500
    first, big, *many = everybody
    assert (first, big.count) == (measured(2_000), 2_550)
    assert [owner.count for owner in many] == [1_000] * 20 + [950]
    assert len({owner.name for owner in everybody}) == len({owner.seed for owner in everybody}) == 23


def test_an_owner_larger_than_the_file_is_refused() -> None:
    """The sentence names the numbers."""
    with pytest.raises(ValueError, match=r"1,000 memories .* 100 .* 950"):
        owners(1_000, 950)
    with pytest.raises(SystemExit):
        million.main(["--size", "1000", "--owner-size", "950"])


def test_writers_have_about_as_much_to_write() -> None:
    """Nobody is left out, and nobody comes twice."""
    everybody = owners(20_000, 2_000)
    dealt = shares(everybody, 3)
    assert sorted(itertools.chain(*dealt), key=lambda one: one.name) == sorted(everybody, key=lambda one: one.name)
    counts = [sum(owner.count for owner in share) for share in dealt]
    assert max(counts) - min(counts) <= 1_000
    assert len(shares(everybody[:2], 3)) == 2


def test_the_measured_owner_writes_little_at_a_time_from_beginning_to_end() -> None:
    """Its rows lie between those of others, as in a file that grew."""
    everybody = owners(20_000, 500)
    parts = list(in_turn(everybody))
    for owner in everybody:
        own = [part for part in parts if part.owner == owner]
        assert [number for part in own for number in range(part.start, part.stop)] == list(range(owner.count))
    written = [part.stop - part.start for part in parts]
    places = [place for place, part in enumerate(parts) if part.owner == measured(500)]
    before = sum(written[: places[len(places) // 2]])
    assert 0.4 < before / 20_000 < 0.6
    assert {written[place] for place in places} == {10}


def test_an_owner_says_the_same_whoever_speaks_before(language: Language) -> None:
    """The two files hold the same memories of it, with the same vectors."""
    owner = measured(50)
    Owner("other", 30, seed=9).corpus(language)
    once, again = owner.corpus(language), owner.corpus(language)
    assert once.texts == again.texts
    assert list(once.texts) == ["measured"]
    texts = once.texts["measured"]
    assert (once.embed(texts) == again.embed(texts)).all()
    assert set(texts).isdisjoint(Owner("other", 30, seed=9).corpus(language).texts["other"])


@pytest.mark.slow
def test_files_are_written_once_and_copied_from_then_on(tmp_path: Path, language: Language) -> None:
    """What is measured is a copy, so that the next run finds the file as it was written."""
    told: list[str] = []

    def tell(what: str, done: int, total: int) -> None:
        told.append(what)

    for run in ("first", "second"):
        (tmp_path / run).mkdir()
        told.clear()
        files = kept(tmp_path / "kept", tmp_path / run, 600, 40, 2, tell)
        assert [*dict.fromkeys(told)] == (["load alone", "load", "copy"] if run == "first" else ["copy"])
        corpus = measured(40).corpus(language)
        for file in files:
            with opened(file, "measured", corpus, FrozenClock()) as engine:
                assert {memory.text for memory in engine.list(limit=100)} == set(corpus.texts["measured"])
                engine.remember(corpus.more(1)[0])
        with opened(files.among_many, "big", corpus, FrozenClock()) as engine:
            assert len(engine.list(limit=100)) == 60
            assert set(engine.store.owners()) == {"measured", "big", "owner-00000"}


@pytest.mark.slow
def test_each_operation_is_measured_in_both_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The figures are for people and for programs; a missed target is no failure."""
    figures = tmp_path / "figures.json"
    sizes = ["--size", "600", "--owner-size", "100", "--writers", "1"]
    few = Repetitions(adds=3, recalls=3, reinforcements=3, sweeps=2, processes=1)
    assert million.main([*sizes, "--quick", "--folder", str(tmp_path), "--json", str(figures)], few) == 0
    assert "One owner's 100 of 600 memories" in capsys.readouterr().out
    told = {one["name"]: one for one in json.loads(figures.read_text("utf-8"))["figures"]}
    assert {name: one["target"] for name, one in told.items()} == {
        "add one, durable": None,
        "recall": "≤ 1.5×",
        "recall, reinforce=False": "≤ 1.5×",
        "sweep, nothing due": "≤ 1 ms",
        "sweep, nothing due, beside alone": "≤ 3×",
        "sweep, 50 due": "≤ 3×",
        "open, import excluded": "≤ 300 ms",
        "first recall of a process": None,
        "resident memory, 20 recalls": None,
        "… without pages of the file": "≤ 1.1×",
    }
    assert all(one["product"]["p50"] > 0 and one["floor"]["p50"] > 0 for one in told.values())
    assert [*tmp_path.iterdir()] == [figures], "nothing else is left behind"
