"""What stands around a sentence in its own text may change its meaning: a summary keeps it there, or is not made."""

from __future__ import annotations

import re

from ebbing.text.extractive_summary.segments import is_incomplete
from ebbing.text.extractive_summary.select import summarize
from tests.tables import each_row


def count_words(text: str) -> int:
    return len(re.findall(r"\w+|[^\w\s]", text))


@each_row(
    "text",
    [
        # an end that the next text would seem to complete
        "Message from Bob:",
        "Allergies of Eva:",
        "Ana bought milk, eggs,",
        "Ana runs ```make test",
        "Bob's allergies:\nPeanuts\nEggs",
        "# Bob's allergies\nPeanuts",
        "- Bob owes Eva 5 euros.",
        "1. Bob owes Eva 5 euros.",
        # a pronoun before anybody whom it could mean
        "In 2020 she moved to Porto.",
        "I think she likes tea.",
        "Yesterday he bought a car.",
        "Note: she prefers tea.",
        "Does she like tea?",
        "Maybe it is broken.",
        "Is it broken?",
        "None of them likes tea.",
        "Ela gosta de chá.",
        "Hij drinkt thee.",
        "Она любит чай.",
        "她喜欢茶。",
        "彼女はお茶が好きです。",
        "그녀는 차를 좋아한다.",
        "Das ist falsch.",
        "Eso no funciona.",
    ],
)
def test_a_text_that_leans_on_others_goes_into_no_summary(text: str) -> None:
    """Beside the text of another it would hold what that one says, or speak of whom that one names."""
    assert is_incomplete(text)
    assert summarize(["Ana likes tea.", "Ana likes tea.", text], count_words) is None


@each_row(
    "text",
    [
        "My sister says that she likes tea.",
        "The user said that he prefers tabs.",
        "Tests fail when they run in parallel.",
        "Ana bought:\n- a car\n- a dog",
        "Here is how we do it:\n```sh\nmake test\n```",
        "If the build fails, run it again.",
        "In Berlin it rains.",
        "Ana ran `it is broken` in the shell.",
    ],
)
def test_a_text_that_names_what_it_speaks_of_may_go_into_a_summary(text: str) -> None:
    """A rule that saw pronouns everywhere would leave nothing to summarize."""
    assert not is_incomplete(text)


@each_row(
    "texts",
    [
        ("Ana left Acme. Bob is sad.", "The following is a rumour. Ana left Acme."),
        ("The following is a rumour. Ana left Acme.", "Ana left Acme.", "Bob was fired."),
        ("Not true! Ana left Acme.", "Ana left Acme."),
    ],
)
def test_a_sentence_that_another_qualifies_is_no_copy(texts: tuple[str, ...]) -> None:
    """Taken for one, the statement would be left only as a rumour, or the denial would deny what follows it."""
    assert summarize(texts, count_words) is None


def test_what_one_person_says_of_themselves_never_follows_the_label_of_another() -> None:
    """`Ada: I like tea` and below it `I like milk`: the second would be hers."""
    own = ["I like milk.", "I like milk.", "I like oats."]
    assert summarize(["Ada: I like tea.", *own], count_words) is None
    assert summarize(own, count_words) == "I like: milk; oats"
    assert summarize(["Ada: I like tea.", "Ada: I like tea.", "Bob: I like oats."], count_words) is not None


def test_a_part_that_two_summaries_share_stays_behind_what_it_belongs_to() -> None:
    """The colour of the car was dropped because the boat has the same."""
    texts = ["Ana: bought a car; it is red", "Ana: bought a boat; it is red"]
    assert summarize(texts, count_words, made=(0, 1)) == "Ana: bought a car; it is red; bought a boat; it is red"


def test_a_summary_that_was_edited_is_read_like_any_text() -> None:
    """Whoever edits a summary may write `She likes tea`: beside others that would be said of theirs."""
    texts = ["Ana: likes milk; has 3 cats", "She likes tea.", "Ana: likes oats; has 3 cats"]
    assert summarize(texts, count_words, made=(0, 1, 2)) is None


def test_a_summary_in_lines_may_be_summarized_again() -> None:
    """What summaries are written like counts as complete."""
    texts = ["Ana bought:\n- a car. It is red.\n- a dog.", "Ana bought:\n- a boat. It sank."]
    assert not any(map(is_incomplete, texts))
