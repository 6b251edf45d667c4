"""What a statement claims, where it meets its rivals, and which of them it retires."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebbing.reading.claims import Relation, claims, judge, points
from tests.properties import examples
from tests.tables import each_row
from tests.unit.claim_pairs import COMPATIBLE, CONTRADICTS, EITHER, KEPT, UPDATES

RETIRING = {Relation.UPDATES, Relation.CONTRADICTS}
ALL_PAIRS = [*UPDATES, *CONTRADICTS, *EITHER, *COMPATIBLE, *KEPT]

names = st.sampled_from(["Ana", "Ben", "Rome", "Oslo", "Acme", "The Beatles", "Olga of Kiev", "T. S. Eliot"])
frames = st.sampled_from(
    [
        "I live in {}.",
        "I work at {} now.",
        "I moved from Oslo to {}.",
        "The capital of Freedonia is {}.",
        "My boss is {}, not Ben.",
        "I no longer like {}.",
        "I have never met {}.",
        "We switched from {} to Acme.",
        "{} is married to Ana.",
        "{} is the mayor of Oslo.",
        "My dog {} died and I sold my car to {}.",
        "I have a deadline of April 5 for {}, which has moved to 3 PM.",
    ]
)
statements = st.builds(lambda frame, name: frame.replace("{}", name), frames, names)
pieces = st.lists(
    st.sampled_from(re.findall(r"\w+|[.,;:?'$-]", " ".join(old + new for old, new in ALL_PAIRS))), max_size=14
)
anything = st.one_of(st.text(max_size=80), pieces.map(" ".join))


@each_row(("older", "newer"), UPDATES)
def test_a_newer_value_or_an_end_retires_the_older_statement_as_a_whole(older: str, newer: str) -> None:
    found = judge(older, newer)
    assert (found.relation, found.whole) == (Relation.UPDATES, True), found


@each_row(("older", "newer"), CONTRADICTS)
def test_what_one_affirms_and_the_other_denies_contradicts_whichever_came_first(older: str, newer: str) -> None:
    assert judge(older, newer).relation is Relation.CONTRADICTS
    assert judge(newer, older).relation is Relation.CONTRADICTS


@each_row(("older", "newer"), EITHER)
def test_states_that_exclude_each_other_do_not_both_stay(older: str, newer: str) -> None:
    assert judge(older, newer).relation in RETIRING
    assert judge(newer, older).relation in RETIRING


@each_row(("older", "newer"), COMPATIBLE)
def test_what_can_both_be_true_is_compatible(older: str, newer: str) -> None:
    assert judge(older, newer).relation is Relation.COMPATIBLE


@each_row(("older", "newer"), KEPT)
def test_what_words_cannot_decide_retires_nothing(older: str, newer: str) -> None:
    assert judge(older, newer).relation in {Relation.COMPATIBLE, Relation.DOUBTFUL}
    assert judge(newer, older).relation in {Relation.COMPATIBLE, Relation.DOUBTFUL}


@each_row("text", sorted({text for pair in ALL_PAIRS for text in pair}))
def test_every_statement_is_the_same_as_itself_in_other_capitals(text: str) -> None:
    assert judge(text, text).relation is Relation.SAME
    assert judge(text, text.rstrip(".")).relation is Relation.SAME


def test_a_statement_said_in_trivially_other_words_is_the_same() -> None:
    assert judge("I really like tea", "I like tea.").relation is Relation.SAME


@each_row(
    ("older", "newer"),
    [
        ("I live in Berlin and my brother plays chess.", "I live in Paris."),
        ("I live in Berlin. My cat is called Minka.", "I moved to Paris."),
        ("I work at Acme, where I write the compiler for embedded medical devices.", "I work at Bolt."),
        ("My boss is Anna, because Tom left the company after the merger.", "My boss is Peter."),
    ],
)
def test_a_text_that_says_more_than_was_retired_is_not_retired_as_a_whole(older: str, newer: str) -> None:
    found = judge(older, newer)
    assert (found.relation, found.whole) == (Relation.UPDATES, False)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("By the way, I live in Berlin. Any tips?", "I live in Paris."),
        ("I live in Berlin. What do you think?", "So, as you know, I moved to Paris."),
    ],
)
def test_lead_ins_and_questions_do_not_keep_a_retired_statement(older: str, newer: str) -> None:
    assert judge(older, newer).whole


@each_row(
    "text",
    ["", "   ", "How are you?", "Can you help me with my taxes?", "Thanks!", "Hello there", "…", "?!", "おはよう"],
)
def test_questions_requests_and_small_talk_have_no_points(text: str) -> None:
    assert points(text) == ()


@each_row(("older", "newer"), [*UPDATES, *CONTRADICTS, *EITHER])
def test_statements_in_conflict_share_a_point(older: str, newer: str) -> None:
    assert set(points(older)) & set(points(newer))


@given(st.one_of(statements, anything), st.one_of(statements, anything))
@examples(300)
def test_no_two_texts_conflict_without_a_shared_point_and_none_is_too_odd_to_judge(older: str, newer: str) -> None:
    found = judge(older, newer)
    if found.relation in {*RETIRING, Relation.DOUBTFUL}:
        assert set(points(older)) & set(points(newer))
    assert found.reason
    assert all(0 <= weight <= 1 for weight in found.evidence.values())


@given(anything)
@examples(300)
def test_any_text_has_at_most_eight_points_of_ten_hexadecimal_digits(text: str) -> None:
    found = points(text)
    assert len(found) == len(set(found)) <= 8
    assert all(re.fullmatch("[0-9a-f]{10}", point) for point in found)
    assert judge(text, text).relation is Relation.SAME


def test_points_stay_what_they_were_for_an_index_holds_them() -> None:
    assert points("I live in Berlin.") == points("The user lives in Paris") == ("0f02301a84",)


def test_what_takes_many_values_has_no_point_that_all_of_them_share() -> None:
    things = ["tea", "jazz", "hiking", "the sea", "Rome", "old films", "dark chocolate"]
    seen = [set(points(f"I like {thing}.")) for thing in things]
    assert all(seen)
    assert sum(map(len, seen)) == len(set().union(*seen))


def test_a_claim_tells_subject_relation_value_and_the_value_it_replaces() -> None:
    (found, _) = claims("We switched from Vim to Emacs.")
    assert (found.subject, found.value, found.replaced, found.changed) == ("user", "emacs", "vim", True)
    (found,) = claims("I no longer live in Berlin.")
    assert (found.relation, found.value, found.single, found.ended) == ("live in", "berlin", True, True)
    (found,) = claims("Tom doesn't speak German.")
    assert (found.subject, found.value, found.single, found.negated) == ("tom", "german", False, True)


def test_a_speaker_is_the_one_who_says_i() -> None:
    (found,) = claims("I live in Berlin.", speaker="Anna")
    assert found.subject == "anna"


def test_of_a_long_text_only_the_beginning_is_read() -> None:
    assert points("The sky over the sea was grey again. " * 400 + "I live in Berlin.") == points(
        "The sky over the sea was grey again. " * 400
    )


@each_row(
    ("text", "topic"),
    [
        ("The staging database is on port 5432.", "the port of the staging database"),
        ("DevOps prefers managed services over self-hosted.", "what DevOps prefers"),
        ("I'm allergic to peanuts.", "what the user is allergic to"),
        ("I have 3 siblings.", "how many siblings the user has"),
        ("My gym membership costs 30 euros.", "how much the user's gym membership costs"),
        ("The repository is private.", "the visibility of the repository"),
        ("The shop is open.", "whether the shop is open"),
        ("Dune was written by Frank Herbert.", "what Dune was written by"),
        ("My favourite colour is blue.", "the user's favourite colour"),
        ("I speak German.", "what the user speaks"),
    ],
)
def test_what_a_claim_is_about_is_told_in_plain_english(text: str, topic: str) -> None:
    assert [claim.topic for claim in claims(text)] == [topic]


def test_states_of_a_thing_that_may_be_another_tomorrow_are_contradicted_and_not_retired() -> None:
    assert judge("The server is up.", "The server is down.").relation is Relation.CONTRADICTS
    assert judge("The server is up.", "The server is now down.").relation is Relation.UPDATES


def test_a_value_mentioned_by_the_way_does_not_retire_the_sentence_it_stands_in() -> None:
    older = "I bought my sister a bike with my travel budget of $600."
    found = judge(older, "My travel budget was raised to $650.")
    assert (found.relation, found.whole) == (Relation.UPDATES, False)


def test_a_reason_is_a_sentence_that_names_what_changed() -> None:
    assert judge("I live in Berlin.", "I live in Paris.").reason == "a newer value for where the user lives"
