"""The measure of Memora itself, on a week made up for it: what is stale, and what a shown stale value costs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from bench.remember import main
from bench.remember_figures import Tally
from bench.remember_memora import Question, User, measure, score, users
from tests.tables import each_row

UNITS = [
    # session, operation, kind, key, old, text
    (1, "add", "preference", "opera", None, "I love the opera."),
    (1, "add", "preference", "opera", None, "The voices move me."),
    (2, "add", "activity", "buy paint", None, "I have to buy paint."),
    (3, "update", "preference", "jazz", "opera", "I went off the opera; jazz it is."),
    (3, "update", "preference", "jazz", "opera", "Nothing beats a saxophone."),
    (4, "add", "activity", None, None, "I walked 6,000 steps."),
    (5, "delete", "activity", "buy paint", None, "The paint is bought."),
    (6, "update", "activity", "jazz", None, "Moved the jazz evening."),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One user with the units above, asked what is left to do and what to hear."""
    asked = [
        {"task": "recommending", "question": "What music?", "present": [["jazz", 3]], "absent": [["opera", 3]]},
        {"task": "remembering", "question": "What is left to do?", "present": [], "absent": [["buy paint", 5]]},
    ]
    row = {"persona": "made up", "units": [_unit(*unit) for unit in UNITS], "questions": asked}
    path = tmp_path / "memora" / "weekly.jsonl.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(f"{json.dumps(row)}\n".encode()))
    return tmp_path


def _unit(session: int, operation: str, kind: str, key: str | None, old: str | None, text: str) -> dict[str, Any]:
    when = {"session": session, "date": f"2025-06-0{session}"}
    return when | {"text": text, "operation": operation, "kind": kind, "key": key, "old": old}


def _user(folder: Path) -> User:
    (user,) = users(folder)
    return user


def test_stale_is_what_a_later_session_deleted_or_a_preference_replaced(folder: Path) -> None:
    """The second unit of a session continues the first; only the update of a preference says what it ends."""
    assert _user(folder).stale() == {0, 1, 2}


def test_a_question_that_nothing_answers_is_left_out(folder: Path) -> None:
    assert [question.text for question in _user(folder).questions] == ["What music?"]


@each_row(
    "shown, fama, recall",
    [
        ({4}, 1.0, 1.0),  # another unit of the session counts too
        ({4, 0}, 0.5, 1.0),  # one absent value of one present and one absent: λ is a half
        ({0}, 0.0, 0.0),  # never below zero
        ({6}, 0.0, 0.0),
        (set(), 0.0, 0.0),
    ],
)
def test_a_shown_stale_value_lowers_the_score(folder: Path, shown: set[int], fama: float, recall: float) -> None:
    user, tally = _user(folder), Tally()
    score(tally, "way", "even", user.questions[0], user.units, shown)
    assert tally.mean("way/recommending/FAMA") == fama
    assert tally.mean("way/recommending/recall") == recall


def test_only_a_unit_that_asserted_an_absent_value_shows_it(folder: Path) -> None:
    """Whoever says that the paint is bought does not say that it has to be."""
    user = _user(folder)
    question = Question("remembering", "?", (("jazz", 3),), (("buy paint", 5),))
    for shown, share in (({6}, 0.0), ({2}, 1.0)):
        tally = Tally()
        score(tally, "way", "even", question, user.units, shown)
        assert tally.mean("way/remembering/absent") == share


def test_without_the_judge_nothing_is_retired(folder: Path) -> None:
    tally = measure(_user(folder), "even", "off")
    assert tally.mean("judge off/stale retired") == 0.0
    assert tally.count("judge off/stale retired") == 3
    assert tally.mean("judge off/live retired") == 0.0
    assert tally.count("judge off/live retired") == 5
    assert [case["wrong"] for case in tally.cases] == ["stale, kept"] * 3


def test_the_section_tells_the_judge_beside_the_rules_and_plain_bm25(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(folder), "--jobs", "1", "--only", "memora"]) == 0
    printed = capsys.readouterr().out
    assert "stale statements retired" in printed
    assert "plain BM25" in printed
    assert "judge off 0.0 %" in printed
