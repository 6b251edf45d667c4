"""The measure of what the judge costs: it must count what it says it counts, and leave nothing behind."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from bench.corpus import Corpus
from bench.installed import installed
from bench.judged import Judged, Said, one_core
from bench.measure import Figure, Spread
from ebbing.domain.judgement import Relation, TextReading


class CountingJudge:
    """Reads nothing and counts how often it was asked."""

    fingerprint = "counting"

    def __init__(self) -> None:
        self.reads = 0

    def relate(self, pairs: Sequence[tuple[str, str]]) -> list[Relation]:
        return [Relation() for _ in pairs]

    def read(self, texts: Sequence[str]) -> list[TextReading]:
        self.reads += len(texts)
        return [TextReading("fact", "years", 1, 0.0) for _ in texts]

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        return [0.0 for _ in texts]


def test_the_judge_reads_what_is_remembered_with_it_on_and_nothing_else(tmp_path: Path) -> None:
    judge = CountingJudge()
    texts = Said(
        known=["Ada lives in Porto.", "The call is on Zoom."],
        new=[f"Bo has {number} cats." for number in range(13)],
        questions=["Where does Ada live?", "How many cats has Bo?"],
    )
    corpus = Corpus(1000)
    measured = Judged("sqlite", str(tmp_path / "memory.db"), corpus, datetime(2026, 1, 1, tzinfo=UTC))
    figures = measured.run(2, 0, judge, texts)
    assert [figure.name for figure in figures] == ["remember, judge on", "recall, judge on", "remember_many, judge on"]
    assert judge.reads == 1 + 2 + 4  # the first of all, two one by one, four at once
    assert figures[-1].target == "≥ 100 texts/s"


def test_a_rate_is_held_to_the_least_it_may_be() -> None:
    rates = (Figure("sqlite", 1, "many", "texts/s", Spread.once(rate), least=100.0) for rate in (99.0, 100.0))
    assert [rate.met for rate in rates] == [False, True]


def test_texts_in_real_words_get_vectors_of_their_words() -> None:
    corpus = Corpus(1000)
    corpus.hear(["Ada lives in Porto.", "Ada lived in Porto once.", "…", "Ada lives in Porto."])
    one, near, _ = corpus.embed(["Ada lives in Porto.", "Ada lived in Porto once.", "…"])
    assert np.isclose(np.linalg.norm(one), 1.0, atol=0.01)
    (far,) = corpus.embed([corpus.texts["big"][0]])
    assert one @ near > one @ far


def test_one_core_is_given_back() -> None:
    before = os.cpu_count(), _cores()
    with one_core():
        assert len(_cores()) <= max(1, len(before[1]))
    assert _cores() == before[1]


def _cores() -> set[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


def test_what_is_installed_is_a_package_and_all_it_needs_without_extras() -> None:
    packages, size = installed("rich")
    assert packages == {"rich", "markdown-it-py", "mdurl", "pygments"}
    assert size > 1_000_000
    ours, _ = installed("ebbing")
    assert {"ebbing", "onnxruntime"} <= ours
    assert "psycopg" not in ours
    assert installed("no-such-distribution") == (set(), 0)
