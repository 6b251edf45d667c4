"""What the judge is given of a long memory."""

from __future__ import annotations

from ebbing.recall.judge_scores import WORDS_MAX, passage
from ebbing.text.terms import question_terms

FILLING = "The weather was fine and everybody walked along the river until it was dark. "
ANSWER = "The spare key hangs behind the boiler."


def test_a_short_text_is_read_whole() -> None:
    """Whatever is asked."""
    assert passage(ANSWER, question_terms("who won?")) == ANSWER


def test_of_a_long_text_the_part_that_the_question_is_about_is_read() -> None:
    """Wherever it stands, with what stands beside it as far as there is room."""
    for before, after in ((0, 40), (20, 20), (40, 0)):
        text = FILLING * before + ANSWER + " " + FILLING * after
        found = passage(text, question_terms("where is the spare key?"))
        assert ANSWER in found
        assert len(found.split()) <= WORDS_MAX


def test_one_endless_sentence_is_cut() -> None:
    """The judge would cut it too, and reading takes as long as the text."""
    assert len(passage("word " * 5000, ["word"]).split()) < 2 * WORDS_MAX
