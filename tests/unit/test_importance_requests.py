"""Importance beside requests: what people tell of themselves and how things are done stay, what is anybody's goes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing.importance import HIGHEST, LOWEST, estimate, parts
from ebbing.policy_file import load
from tests.tables import each_row

# Told on the way, beside a request: each is the speaker's own …
TOLD = (
    "I never eat pork.",
    "I can't eat gluten.",
    "I always book an aisle seat.",
    "I'm a nurse.",
    "I have two cats.",
    "I work at the harbour.",
    "I drive an old Volvo.",
    "I'm thinking of selling the boat.",
    "I need to have my bike repaired.",
    "I just pre-ordered a cello.",
    "I've never met Kerstin.",
    "My budget is 500 euros.",
    "My diet is vegan.",
    "The shoes are for my first marathon.",
    "I've never taken a course in Danish.",
    "I'm currently learning Danish.",
    "My knee hurts.",
    "I'm going to Faro in June.",
    "I think the ferry is too slow for us. Our boat was built in Vigo.",
    "I picture the finish before each race.",
    "I bake bread with rye.",
    "I just love rowing on the lake.",
    "I really enjoy long walks at night.",
)
# … and each of these answers to what was heard, or could be anybody's.
ANSWERED = (
    "I never knew that.",
    "I've never tried it before.",
    "I've always wondered how they do it.",
    "I'm definitely going to try these in my kitchen.",
    "I can't wait to try it.",
    "I really like the idea of that.",
    "I'm interested in learning more about it.",
    "I'm curious how much it costs.",
    "I have a question.",
    "I love that!",
    "I like how you put it.",
    "I see what it does.",
    "I love when it works.",
    "Yeah, it seems harder than it was.",
    "I noticed that many people do it.",
    "I'll check out the iPad and the YouTube channel.",
    "It would fit into my daily routine.",
    "Each player may choose his/her own colour.",
)
# How things are done somewhere, in the words of an order …
RULES = (
    "Generate protobuf stubs with buf, not protoc",
    "Write tests before code",
    "Describe commits in the imperative",
    "Show prices without tax",
    "Create branches from develop",
    "Translate labels through message keys",
    "Summarize long threads before replying",
    "Compute totals in cents",
    "Give reviewers at least one day",
    "Tell Maria before touching billing",
    "Act on alerts within ten minutes",
    "Improve names when you touch a file",
    "Run the linter before you push",
    "Deploys go out on Tuesdays",
    "Help requests go to the platform team",
    "Draft releases stay private until Ada signs off",
    "Help is available at extension 555",
    "Give me a summary every morning",
    "Send the letter to Anna",
)
# … and orders for one text.
ORDERS = (
    "Write a test for this function",
    "Generate five names for a bakery",
    "List rivers of Peru",
    "Describe the water cycle",
    "Create a logo with two colours",
    "Translate this into Danish",
    "Write a will for an old sailor",
    "Act as a tour guide",
    "Make the above shorter, add a title to the previous one",
    "Since the shop sells tea, give me some names for it",
    "I want a poem, please write it in rhymes",
    "Reduce the following text to ten words",
)


@each_row("question", ["How can I improve my sleep?", "What fits into my daily life?", "Is my diet bad?"])
def test_a_question_about_what_everybody_has_tells_nothing(question: str) -> None:
    assert estimate(question) == LOWEST


@each_row(
    ("asked", "told"),
    [
        ("Do you have any tips for shoes?", "I prefer shoes without laces, do you have any tips?"),
        ("Can you help me to sort books?", "Can you help me to sort the 45 books in my Danish shelf?"),
        (
            "How can one sleep better?",
            "I'm worried about the exam on 3 May in Faro this spring, how can I sleep better?",
        ),
        ("What is a good shoe for walking?", "What is a good shoe, since I walk 8 kilometres a day?"),
        ("Can I walk 8 kilometres in sandals?", "I walk 8 kilometres a day, is that too much?"),
    ],
)
def test_a_question_that_tells_something_with_a_name_a_date_or_a_number_is_kept(asked: str, told: str) -> None:
    """Many tell what is new only on the way to what they ask."""
    assert estimate(asked) < load("default").ladder.detach < load("default").ladder.summarize < estimate(told)


@each_row("told", TOLD)
def test_what_is_told_of_oneself_counts_the_same_beside_a_request(told: str) -> None:
    assert estimate(f"Can you suggest something? {told}") == estimate(told) >= 0.4


@each_row("answered", ANSWERED)
def test_what_answers_to_an_answer_goes_with_the_request(answered: str) -> None:
    assert estimate(f"What are the rules of bowls? {answered}") < load("default").ladder.detach


@each_row("rule", RULES)
def test_how_things_are_done_here_is_kept_though_it_is_put_as_an_order(rule: str) -> None:
    """What is told one by one is most often this, and nobody would tell it again."""
    assert estimate(rule) > 0.35


@each_row("order", ORDERS)
def test_an_order_for_a_text_is_worth_as_little_as_a_question(order: str) -> None:
    assert estimate(order) == LOWEST


def test_a_rule_among_orders_for_texts_is_one_of_them() -> None:
    assert estimate("Write titles in capitals. Write a poem about the sea.") == LOWEST


@each_row("text", ["Keep your answers short.", "Answer before you explain.", "Keep your replies in Danish."])
def test_how_the_agent_is_to_answer_is_more_than_advice(text: str) -> None:
    assert estimate(text) > 0.3 > estimate("Keep your head up!")


def test_a_line_that_opens_a_request_is_a_message_of_its_own() -> None:
    """Messages that are joined have line breaks between them, and often no other mark."""
    topic = "The lighthouse at Faro, who built it, who kept it, and what the storms of last century did to it"
    assert estimate(f"{topic}\nWrite about it in two paragraphs") < load("default").ladder.detach < estimate(topic)


def test_a_line_that_is_only_wrapped_is_none() -> None:
    assert estimate("The lighthouse at\nFaro was\nbuilt in 1851.") == estimate(
        "The lighthouse at Faro was built in 1851."
    )


def test_telling_several_things_of_oneself_is_worth_more_than_one_and_saying_one_twice_is_not() -> None:
    one, other = "I sold the boat.", "I have a sister."
    assert estimate(one) == estimate(f"{one} {one}") < estimate(f"{one} {other}")
    assert parts(f"{one} {other}")["further"] > 0


@each_row("text", ["Use tabs in Makefiles", "Answer in short sentences", "Include the ticket in every commit"])
def test_a_standing_rule_is_no_request(text: str) -> None:
    assert estimate(text) >= 0.4


@each_row(
    "text",
    [
        *(
            "Design tokens live in packages/ui/tokens.json.",
            "Compute nodes run Ubuntu 22.04 and the head node Debian 12.",
        ),
        *("Write access to prod is limited to Ada and Bob.", "Convert all timestamps to UTC before storing them."),
        *("Discuss pricing only with Maria from finance.", "Expand the disk of db-2 before it reaches 80 percent."),
        "Can we deploy on Fridays? No, deploys are frozen from Friday 12:00.",
        "We asked around. Postgres runs on db-3.internal:5433 with max_connections=200. What is a good pool size?",
    ],
)
def test_how_things_are_done_here_is_no_request_though_it_may_look_like_one(text: str) -> None:
    assert estimate(text) > 0.4


@given(st.lists(st.sampled_from((*TOLD, *ANSWERED, *RULES, *ORDERS)), min_size=1), st.sampled_from((" ", "\n")))
def test_whatever_stands_beside_what_the_estimate_keeps_its_bounds_and_its_parts_explain_it(
    sentences: list[str], space: str
) -> None:
    text = space.join(sentences)
    assert LOWEST <= estimate(text) <= HIGHEST
    assert estimate(text) == pytest.approx(min(max(sum(parts(text).values()), LOWEST), HIGHEST), abs=0.0051)
