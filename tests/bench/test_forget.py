"""The measure of forgetting itself, on a life made up for it: what it counts as kept must have been kept."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench.forget_lives import HEARD, TOLD, Life, lives
from bench.forget_replay import Way, held_by_summary, remember_all, replay
from bench.forget_report import ALL, Point, at_share, groups
from ebbing.domain.memory import Memory, Status
from ebbing.testing import FakeEmbedder


def worth(text: str) -> float:
    """The fact is worth something, the talk around it is not."""
    return 0.6 if "boat" in text else 0.1


CONSTANT = Way("constant", None, lived_with=False)
ESTIMATED = Way("estimated", worth, lived_with=False)
RECALLED = Way("estimated, recalled", worth, lived_with=True)
SOON = 0.01


@pytest.fixture
def life(tmp_path: Path) -> Life:
    """Three days of talk: a fact on the first, and nothing much on the others."""
    said = {
        1: ["Hey Bo! Good to see you!", "I bought a boat in Lisbon last year."],
        2: ["Wow, so cool!", "Thanks, Ann!"],
        3: ["How are you?", "Great, thanks!"],
    }
    conversation: dict[str, Any] = {}
    for number, texts in said.items():
        conversation[f"session_{number}_date_time"] = f"1:56 pm on {7 * number} May, 2023"
        conversation[f"session_{number}"] = [
            {"speaker": "Ann", "dia_id": f"D{number}:{turn}", "text": text} for turn, text in enumerate(texts, 1)
        ]
    conversation["session_1"][1]["blip_caption"] = "a photo of a boat"
    asked = [
        {"question": "Where did Ann buy a boat?", "evidence": ["D:1:2; D9:9"], "category": 4},
        {"question": "Where did Ann buy a horse?", "evidence": ["D1:2"], "category": 5},
    ]
    (tmp_path / "locomo").mkdir()
    sample = {"sample_id": "made-up", "conversation": conversation, "qa": asked}
    (tmp_path / "locomo" / "locomo.json").write_text(json.dumps([sample]), "utf-8")
    (found,) = lives(tmp_path, quick=False)
    return found


def test_a_conversation_is_read_with_its_dates_captions_and_answerable_questions(life: Life) -> None:
    assert [one.key for one in life.told] == ["D1:1", "D1:2", "D2:1", "D2:2", "D3:1", "D3:2"]
    assert life.told[1].text == "Ann: I bought a boat in Lisbon last year. (a photo of a boat)"
    assert life.told[1].at == datetime(2023, 5, 7, 13, 56, tzinfo=UTC)
    assert [question.evidence for question in life.questions] == [("D1:2",)]


def test_an_empty_folder_holds_no_life(tmp_path: Path) -> None:
    assert lives(tmp_path, quick=True) == []


def test_with_nothing_forgotten_everything_is_kept_and_found(life: Life) -> None:
    whole = remember_all(life, FakeEmbedder()).tally
    assert (whole.told, whole.active, whole.found) == (6, 6, (1.0, 1.0))


def test_what_fades_by_age_loses_the_fact_and_what_fades_by_importance_keeps_it(life: Life) -> None:
    """And as many kept by age or by chance are counted beside it."""
    embedder = FakeEmbedder()
    whole = remember_all(life, embedder)
    by_importance = replay(life, 1.0, ESTIMATED, whole, embedder)
    assert (by_importance.active, by_importance.evidence_active, by_importance.found) == (1, 1, (1.0, 1.0))
    assert by_importance.by_age == (0.0, 0.0)
    assert 0.0 <= by_importance.at_random[-1] < 1.0
    assert replay(life, SOON, CONSTANT, whole, embedder).found == (0.0, 0.0)


def test_where_importance_is_constant_filler_is_worth_as_much_as_a_fact(life: Life) -> None:
    """Whatever the default policy estimates: forgotten slowly enough, all of it is kept."""
    embedder = FakeEmbedder()
    whole = remember_all(life, embedder)
    constant, estimated = (replay(life, 1000.0, way, whole, embedder) for way in (CONSTANT, ESTIMATED))
    assert constant.active == len(life.told) > estimated.active


def test_a_life_with_recalls_keeps_at_least_what_one_without_them_keeps(life: Life) -> None:
    embedder = FakeEmbedder()
    whole = remember_all(life, embedder)
    alone, lived_with = (replay(life, SOON, way, whole, embedder) for way in (ESTIMATED, RECALLED))
    assert lived_with.active >= alone.active


def test_lives_add_up(life: Life) -> None:
    tally = remember_all(life, FakeEmbedder()).tally
    both = tally + tally
    assert (both.told, both.questions, both.found) == (12, 2, (2.0, 2.0))


def test_a_summary_counts_only_where_it_was_made_of_the_evidence_and_still_says_it() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)

    def memory(id_: str, text: str, *derived_from: str, tags: tuple[str, ...] = ()) -> Memory:
        return Memory(
            id=id_,
            owner="default",
            text=text,
            created_at=at,
            created_day=0,
            last_accessed_at=at,
            used_day=0,
            status=Status.ACTIVE,
            derived_from=derived_from,
            tags=tags,
        )

    fact = memory("fact", "Ann bought a boat in Lisbon", tags=("D1:2",))
    first = memory("first", "Boats.", "fact")
    says = memory("says", "In spring Ann bought a boat in Lisbon; she sails it.", "first")
    silent = memory("silent", "Ann likes the sea.", "first")
    stranger = memory("stranger", fact.text, "other")
    named = {one.id: one for one in (fact, first, says, silent, stranger)}
    assert held_by_summary("D1:2", fact.text, [says], named)
    assert not held_by_summary("D1:2", fact.text, [silent], named)
    assert not held_by_summary("D1:2", fact.text, [stranger], named)
    assert not held_by_summary("D1:2", fact.text, [fact], named)


def test_a_share_between_two_points_is_read_off_the_line_and_one_below_them_is_not_known(life: Life) -> None:
    embedder = FakeEmbedder()
    whole = remember_all(life, embedder)
    tally = replay(life, 1.0, ESTIMATED, whole, embedder)
    points = [Point("LoCoMo", "all", ESTIMATED.name, 1.0, tally, whole.tally)]
    assert at_share(points, (1 + 1 / 6) / 2, Point.kept_by_age) == pytest.approx(0.5)
    assert at_share(points, 0.1, Point.kept_by_age) is None


def test_questions_about_what_the_assistant_said_are_told_apart(tmp_path: Path) -> None:
    """The lite form of LongMemEval has the user's turns only, so that no memory can answer them."""
    asked = [
        {
            "question_id": name,
            "question_type": type_,
            "question": "Which boat?",
            "answer_session_ids": [name],
            "haystack": [["other", "2023/05/20 (Sat) 02:21"], [name, "2023/05/21 (Sun) 02:21"]],
        }
        for name, type_ in (("a", "single-session-user"), ("b", "single-session-assistant"))
    ]
    held = {"sessions": {"a": "I bought a sloop.", "b": "Name a boat.", "other": "Hi!"}}
    (tmp_path / "longmemeval").mkdir()
    for part, questions in enumerate((asked, asked[::-1])):  # of each file the first, and each third after it
        packed = gzip.compress(json.dumps({**held, "questions": questions}).encode())
        (tmp_path / "longmemeval" / f"lme_s_lite_{part}.json.gz").write_bytes(packed)
    assert [life.groups() for life in lives(tmp_path, quick=False)] == [("tuned on", TOLD), ("tuned on", HEARD)]


def test_a_group_that_holds_every_life_is_told_once(life: Life) -> None:
    tally = remember_all(life, FakeEmbedder()).tally
    tallies = {("A", ALL): [tally, tally], ("A", "tuned on"): [tally, tally], ("A", TOLD): [tally]}
    assert [(corpus, group, sum_.told) for corpus, group, sum_ in groups(tallies)] == [("A", ALL, 12), ("A", TOLD, 6)]
