"""English or not, told by little words."""

from __future__ import annotations

import json
from pathlib import Path

from ebbing.text.language import is_english

EVALUATION = Path(__file__).resolve().parents[2] / "training" / "evaluation"


def test_questions_in_other_languages_are_seen() -> None:
    """Nearly all of those that were written to measure them."""
    rows = [json.loads(line) for line in (EVALUATION / "recall_languages_1.jsonl").read_text("utf-8").splitlines()]
    asked = [question for row in rows for question in (*(one["q"] for one in row["asks"]), *row["silent"])]
    missed = [question for question in asked if is_english(question)]
    assert len(missed) <= 0.05 * len(asked), missed


def test_english_questions_and_key_words_are_english() -> None:
    """However they are written."""
    for question in (
        "where do i live now",
        "And my sister, which town is she in?",
        "dad hip result",
        "Kubernetes port",
        "How much was the rent in La Paz?",
        "who is die-cut supplier?",
        "Has my son a dentist?",
        "Am I allergic to anything?",
        "",
        "2400",
        "¿?",
    ):
        assert is_english(question), question
