"""The measure of recall itself, on data made up for it: what it counts as found must have been found."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import recall
from bench.recall_metrics import all_of, any_of, bm25, gain, says, share
from bench.recall_models import Kept
from bench.recall_report import mean, write_json
from bench.recall_run import AS_IT_IS, AT_FLOOR, STRENGTH_OFF, SWEPT, WAYS, floor, measured, policy_of
from bench.recall_tasks import SESSIONS, SUMMARIES, TURNS, tasks
from ebbing.testing import FakeEmbedder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two sessions of talk with a picture, and a haystack of three."""
    turns = {
        1: [("Ann", "Which animal did you adopt?", None), ("Bo", "A tortoise called Speedy.", "a photo of a tortoise")],
        2: [("Ann", "The weather is fine.", None), ("Bo", "I bake bread on Sundays.", None)],
    }
    conversation: dict[str, Any] = {}
    for number, several in turns.items():
        conversation[f"session_{number}_date_time"] = f"1:56 pm on {7 * number} May, 2023"
        conversation[f"session_{number}"] = [
            {"speaker": who, "dia_id": f"D{number}:{turn}", "text": text} | ({"blip_caption": seen} if seen else {})
            for turn, (who, text, seen) in enumerate(several, 1)
        ]
    asked = [
        {"question": "Which animal did Bo adopt?", "answer": "a tortoise", "evidence": ["D1:2"], "category": 4},
        {"question": "When does Bo bake?", "answer": 7, "evidence": ["D2:2; D:9:9"], "category": 2},
        {"question": "Who flew?", "answer": "nobody", "evidence": ["D9:9"], "category": 1},
        {"question": "Who swam?", "adversarial_answer": "Bo", "evidence": ["D1:1"], "category": 5},
    ]
    summaries = {"session_1_summary": "Bo adopted a tortoise.", "session_2_summary": "Bo bakes bread."}
    sample = {"sample_id": "made-up", "conversation": conversation, "qa": asked, "session_summary": summaries}
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / "locomo.json").write_text(json.dumps([sample]), "utf-8")
    haystack = [["s1", "2023/05/20 (Sat) 02:21"], ["s2", "2023/05/21 (Sun) 02:21"], ["s3", "2023/05/22 (Mon) 02:21"]]
    question = {
        "question_id": "q1", "question_type": "single-session-user", "question": "What colour is my bike?",
        "answer": "red", "answer_session_ids": ["s2"], "haystack": haystack,
    }  # fmt: skip
    held = {
        "sessions": {"s1": "I like tea.", "s2": "My bike is red.", "s3": "It rained."},
        "questions": [question, question | {"question_id": "q2_abs"}],
    }
    (tmp_path / "longmemeval").mkdir()
    (tmp_path / "longmemeval" / "lme_s_lite.json.gz").write_bytes(gzip.compress(json.dumps(held).encode()))
    return tmp_path


def test_conversations_summaries_and_haystacks_are_read_with_their_answerable_questions(folder: Path) -> None:
    turns, summaries, sessions = tasks(folder)
    assert (turns.corpus, summaries.corpus, sessions.corpus) == (TURNS, SUMMARIES, SESSIONS)
    assert turns.told[1].text == "Bo: A tortoise called Speedy. [a photo of a tortoise]"
    assert [ask.evidence for ask in turns.asked] == [("D1:2",), ("D2:2",)]
    assert [ask.answer for ask in summaries.asked] == ["a tortoise", "7", "nobody"]
    assert [ask.evidence for ask in sessions.asked] == [("s2",)]


def test_shares_and_gains_count_what_is_among_the_first() -> None:
    found = ["a", "x", "b", "y", "z", "c"]
    assert share(found, ["a", "b", "c", "d"], 5) == 0.5
    assert (any_of(found, ["c"], 5), any_of(found, ["c"], 6)) == (0.0, 1.0)
    assert (all_of(found, ["a", "b"], 5), all_of(found, ["a", "c"], 5)) == (1.0, 0.0)
    assert gain(["a", "b"], ["a", "b"], 5) == gain(["b", "a"], ["a", "b"], 5) == 1.0
    assert 0 < gain(["x", "a"], ["a"], 5) < 1
    assert gain(["a", "a"], ["a"], 5) == 1.0, "no memory counts twice"


def test_an_answer_is_said_whole_or_by_half_of_its_longer_tokens() -> None:
    assert says(["He lives in Rome."], "rome") == 1.0
    assert says(["red boats"], "big red boats sailing") == 1.0
    assert says(["red cars"], "big red boats sailing") == 0.0
    assert says(["nothing"], "at 7") == 0.0


def test_bm25_prefers_rare_words_and_short_texts() -> None:
    texts = [["tea"], ["tea", "milk", "sugar", "spoon"], ["milk"], ["milk", "tea"]]
    scores = bm25(texts, ["tea"])
    assert scores[0] > scores[3] > scores[1] > scores[2] == 0


def test_every_way_finds_what_was_told(folder: Path) -> None:
    embedder = FakeEmbedder()
    for task in tasks(folder):
        for figure in [*measured(task, "packaged", embedder, WAYS), *floor(task)]:
            whole = {value for measure, value in figure.values.items() if measure not in AT_FLOOR}
            assert whole <= {0.0, 1.0} or figure.corpus == SESSIONS
    turns = tasks(folder)[0]
    assert mean(list(measured(turns, "packaged", embedder, [AS_IT_IS])), "recall@5") == 100.0


def test_an_answer_is_found_beside_what_it_answers(folder: Path) -> None:
    """Two turns of a session, asked for by what only the first of them says."""
    turns = tasks(folder)[0]
    (first, _) = measured(turns, "none", None, [AS_IT_IS])
    assert first.values["recall@5"] == 1.0


def test_strength_is_off_in_one_way_and_only_there() -> None:
    shares = {way: policy_of(way).recall.strength_share for way in WAYS}
    assert (shares[STRENGTH_OFF], shares[AS_IT_IS] > 0, shares[SWEPT] > 0) == (0.0, True, True)


def test_vectors_are_kept_for_the_next_run(tmp_path: Path) -> None:
    model = FakeEmbedder()
    kept = Kept(model, tmp_path)
    before = kept.embed(["one", "two", "one"])
    kept.embed(["one"], query=True)
    kept.keep()
    calls = model.calls
    again = Kept(model, tmp_path)
    assert np.array_equal(again.embed(["one", "two", "one"]), before)
    assert model.calls == calls == 2
    assert not list(tmp_path.glob("*.tmp"))


def test_the_program_prints_tables_and_says_when_there_is_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert recall.main(["--data", str(folder), "--embedder", "none", "--json", str(tmp_path / "f.json")]) == 0
    told = capsys.readouterr().out
    assert all(corpus in told for corpus in (TURNS, SUMMARIES, SESSIONS))
    figures = json.loads((tmp_path / "f.json").read_text("utf-8"))
    assert {one["way"] for one in figures} == {"as it is", "strength off", "swept", "BM25 alone"}
    assert recall.main(["--data", str(tmp_path / "nowhere")]) == 2
    assert "nothing to ask" in capsys.readouterr().err


def test_figures_are_written_by_kind(folder: Path, tmp_path: Path) -> None:
    figures = list(floor(tasks(folder)[0]))
    write_json(figures, tmp_path / "figures.json")
    assert {one["kind"] for one in json.loads((tmp_path / "figures.json").read_text("utf-8"))} == {
        "single-hop",
        "temporal",
    }
