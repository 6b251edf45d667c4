"""What a sentence states besides what it asks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ebbing.text.facts.questions import stated
from tests.tables import each_row


@each_row(
    ("sentence", "found"),
    [
        (
            "I have a call with Anna on March 22, can you help me prepare?",
            ["I have a call with Anna on March 22."],
        ),
        ("I want to learn Greek, so can you suggest a book?", ["I want to learn Greek."]),
        ("I sold my car, and I was wondering if I need a bike.", ["I sold my car."]),
        ("My rent went up to 900 euros, should I move?", ["My rent went up to 900 euros."]),
        ("I'm using Flask - what's the best way to test it?", ["I'm using Flask."]),
        ("I've added 52 sources to my library, how can I sort them", ["I've added 52 sources to my library."]),
        ("Since I fly to Rome on Friday, what should I pack?", ["I fly to Rome on Friday."]),
        (
            "My sister, who is a nurse, moved to Oslo, can you find me a flight?",
            ["My sister, who is a nurse, moved to Oslo."],
        ),
        ("I love Oslo, which is my home town, can you tell me more?", ["I love Oslo, which is my home town."]),
        ("What should I wear, considering I have never been to Oslo?", ["I have never been to Oslo."]),
        (
            "How do I plan this since the talks with Ben got extended to July 16?",
            ["the talks with Ben got extended to July 16."],
        ),
        ("Can you check the lease, which was moved to Friday, again?", ["the lease was moved to Friday."]),
        ("Can you remind me that the lease ends on Friday?", ["the lease ends on Friday."]),
        ("Did I mention that I got a dog called Rex?", ["I got a dog called Rex."]),
        ("I need help, I've lost my passport, what do I do?", ["I've lost my passport."]),
        ("I moved to Oslo in May, so I'm looking for advice on schools.", ["I moved to Oslo in May."]),
    ],
)
def test_what_is_said_before_or_beside_a_question_is_stated(sentence: str, found: list[str]) -> None:
    assert stated(sentence) == found


@each_row(
    "sentence",
    [
        "Can you help me with my taxes?",
        "What is the capital of France?",
        "Ok cool, do I need to call Anna?",
        "Hmm, which one of these has the best support?",
        "If I fly to Rome, what should I pack?",
        "Anna asked, can you come?",
        "Is it because I moved?",
        "Do you think that Anna lives in Rome?",
        "Please summarize the report.",
        "I was wondering if I should move to Rome.",
    ],
)
def test_what_only_asks_states_nothing(sentence: str) -> None:
    assert stated(sentence) == []


@each_row(
    "sentence",
    [
        "Anna lives in Rome.",
        "What I like about Rome is the food.",
        "You sit by the window.",
        "Anna told me how she came to Rome.",
        "My boss, Anna, is the best you can have.",
        "Please note that the office is closed on Friday.",
        "I'm looking for a house in Rome.",
    ],
)
def test_a_sentence_that_asks_nothing_is_left_alone(sentence: str) -> None:
    assert stated(sentence) is None


@given(st.text(max_size=80), st.sampled_from(["", "?", ", can you help?", ", which was red, I know?", " since I"]))
def test_no_text_breaks_it_and_no_part_is_a_question(text: str, end: str) -> None:
    assert all("?" not in part[-1:] for part in stated(text + end) or ())
